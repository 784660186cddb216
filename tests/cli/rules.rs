//! `--revision`, `--role`, `--transport`, and what is held to which rules without them.

use crate::{json, reason, run};

const MODERN: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// The lines of a stream, and the reason for which each is refused.
type Case = (&'static [&'static str], Vec<(String, Option<&'static str>)>);

fn line(text: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",{text}}}")
}

#[test]
fn which_rules_hold() {
    let initialize = |version: &str| {
        line(&format!(
            r#""id":1,"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"c","version":"1"}}}}"#
        ))
    };
    let list = line(r#""id":2,"method":"tools/list""#);
    let cursor = line(r#""id":2,"method":"tools/list","params":{"cursor":1}"#);
    let modern_list = line(&format!(
        r#""id":2,"method":"tools/list","params":{{{MODERN}}}"#
    ));
    let modern_cursor = line(&format!(
        r#""id":2,"method":"tools/list","params":{{"cursor":1,{MODERN}}}"#
    ));
    let result = line(r#""id":1,"result":{}"#);
    let fixed = line(
        r#""id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#,
    );
    let cancelled = line(r#""method":"notifications/cancelled","params":{}"#);
    let cases: Vec<Case> = vec![
        // Nothing is known of the session: JSON-RPC alone.
        (
            &[],
            vec![
                (list.clone(), None),
                (cursor.clone(), None),
                (result.clone(), None),
            ],
        ),
        // A message that names its revision is held to it.
        (
            &[],
            vec![
                (modern_list.clone(), None),
                (modern_cursor.clone(), Some("invalid-member")),
            ],
        ),
        // `initialize` names one, and what follows is held to it; its answer may fix another.
        (
            &[],
            vec![
                (initialize("2025-11-25"), None),
                (cursor.clone(), Some("invalid-member")),
                (cancelled.clone(), None),
                (fixed.clone(), None),
                (cancelled.clone(), Some("missing-member")),
            ],
        ),
        // An unknown revision can't be judged unless it is said what is served.
        (
            &[],
            vec![(modern_list.replace("2026-07-28", "2030-01-01"), None)],
        ),
        (
            &["--revision", "2026-07-28"],
            vec![
                (
                    modern_list.replace("2026-07-28", "2030-01-01"),
                    Some("unsupported-version"),
                ),
                (list.clone(), Some("missing-member")),
                (initialize("2025-11-25"), Some("unsupported-version")),
            ],
        ),
        (
            &[
                "--revision",
                "2026-07-28",
                "--role",
                "server",
                "--transport",
                "stdio",
            ],
            vec![
                (modern_list.clone(), None),
                (result.clone(), Some("wrong-direction")),
            ],
        ),
        (
            &["--revision", "2026-07-28", "--role", "client"],
            vec![
                (modern_list.clone(), Some("wrong-direction")),
                (result.clone(), None),
            ],
        ),
        (
            &["--revision", "2025-06-18", "--revision", "2025-11-25"],
            vec![(list, None), (cursor, Some("invalid-member"))],
        ),
    ];
    for (options, stream) in cases {
        let input: String = stream.iter().map(|(line, _)| format!("{line}\n")).collect();
        let ran = run(&[&["check", "--json"], options].concat(), &input);
        let refused = stream.iter().any(|(_, reason)| reason.is_some());
        assert_eq!(ran.code, i32::from(refused), "{options:?} {}", ran.out);
        assert_eq!(ran.out.lines().count(), stream.len());
        for (out, (line, reason)) in ran.out.lines().zip(&stream) {
            let row: serde_json::Value = serde_json::from_str(out).unwrap();
            assert_eq!(
                row["error"]["reason"].as_str(),
                *reason,
                "{options:?} {line}: {out}"
            );
        }
    }
}

#[test]
fn a_breach_names_its_clause() {
    let ran = run(
        &["check", "--revision", "2026-07-28"],
        line(r#""id":1,"method":"ping""#),
    );
    assert!(
        ran.out.contains("\n      by basic/index#_meta\n"),
        "{}",
        ran.out
    );
    let wrong = run(&["check", "--revision", "2026"], "");
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("2025-11-25"), "{}", wrong.err);
}

#[test]
fn batches_are_read_where_the_session_has_them() {
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    let good = format!("[{ping}]\n");
    let bad = format!("[{ping},{{\"jsonrpc\":\"2.0\",\"id\":8}}]\n");
    let session = concat!(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","#,
        r#""capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
        "\n"
    );
    let stream = format!("{session}{good}{bad}{ping}\n");
    let lines = json(&[], &stream);
    let verdicts: Vec<_> = lines.iter().map(|line| &line["verdict"]).collect();
    assert_eq!(verdicts, ["accept", "accept", "reject", "accept"]);
    assert_eq!(lines[1]["kind"], "batch");
    assert_eq!(reason(&lines[2]), "no-kind");
    assert_eq!(lines[2]["error"]["offset"], bad.len() - 3);

    for (revision, verdict) in [("2025-03-26", "accept"), ("2025-06-18", "reject")] {
        let lines = json(&["--revision", revision], &good);
        assert_eq!(lines[0]["verdict"], verdict, "{revision}");
    }
    assert!(run(&["check"], &stream).out.contains("batch"));
}
