//! The `rpcslice` command as a user runs it: exit status, what is on standard output, what is on standard error.

#![cfg(feature = "cli")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

#[path = "cli/events.rs"]
mod events;
#[path = "cli/exchanges.rs"]
mod exchanges;
#[allow(dead_code, unreachable_pub)] // as the other harnesses have it
#[path = "support/files.rs"]
mod files;
#[path = "cli/json.rs"]
mod json_lines;
#[path = "cli/rules.rs"]
mod rules;
#[path = "cli/table.rs"]
mod table;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::Value;

const PING: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
const SESSION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/session.jsonl");

struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_rpcslice"))
        .args(args)
        .env("COLUMNS", "100")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs the command with the pieces on standard input, one `write` each.
fn run_in_pieces<'a>(args: &[&str], pieces: impl Iterator<Item = &'a [u8]>) -> Ran {
    let mut child = start(args);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let reading = thread::spawn(move || {
        let mut out = Vec::new();
        stdout.read_to_end(&mut out).unwrap();
        String::from_utf8(out).expect("the output is UTF-8, whatever the input")
    });
    for piece in pieces {
        // Where the arguments are wrong the command is gone already.
        if stdin.write_all(piece).is_err() {
            break;
        }
    }
    drop(stdin);
    let ended = child.wait_with_output().unwrap();
    Ran {
        code: ended.status.code().expect("ended by itself"),
        out: reading.join().unwrap(),
        err: String::from_utf8(ended.stderr).unwrap(),
    }
}

fn run(args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    run_in_pieces(args, std::iter::once(input.as_ref()))
}

fn json(args: &[&str], input: impl AsRef<[u8]>) -> Vec<Value> {
    let mut all = vec!["check", "--json"];
    all.extend(args);
    let ran = run(&all, input);
    assert_eq!(ran.err, "");
    ran.out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn reason(line: &Value) -> &str {
    line["error"]["reason"].as_str().unwrap_or("good")
}

fn temporary(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn exit_status() {
    let two = format!("{PING}{PING}");
    let half = format!("{PING}oops\n");
    let good = temporary("good.jsonl", PING.as_bytes());
    let good = good.to_str().unwrap();
    let missing = concat!(env!("CARGO_TARGET_TMPDIR"), "/no-such-file.jsonl");
    let cases: &[(&[&str], &str, i32)] = &[
        (&["check"], PING, 0),
        (&["check", "-"], &two, 0),
        (&["check", "--json", "-"], &two, 0),
        (&["check", good], "not read", 0),
        (&["check"], "", 0),
        (&["check", "--json"], "", 0),
        (&["check"], "\n \n\r\n", 0),
        (&["check"], "\u{feff}", 0),
        (&["check"], PING.trim_end(), 0),
        (&["check"], &half, 1),
        (&["check", "--json"], &half, 1),
        (&["check"], "[]", 1),
        (&["check", missing], "", 2),
        (&["check", env!("CARGO_TARGET_TMPDIR")], "", 2),
        (&["check", "--max-depth", "0"], PING, 2),
        (&["check", "--max-depth", "1025"], PING, 2),
        (&["check", "--max-depth", "-1"], PING, 2),
        (&["check", "--max-depth", "1024"], PING, 0),
        (&["check", "--max-depth", "1"], PING, 0),
        (&["check", "--max-frame-bytes", "0"], PING, 2),
        (&["check", "--max-frame-bytes", "4294967295"], PING, 0),
        (&["check", "--max-frame-bytes", "4294967296"], PING, 2),
        (&["check", "--max-frame-bytes", "many"], PING, 2),
        (&["check", "--format", "lines"], PING, 0),
        (&["check", "--format", "sse"], "data: {}\n\n", 0),
        (&["check", "--format", "sse"], PING, 0),
        (&["check", "--format", "sse"], "data: oops\n\n", 1),
        (&["check", "--format", "http"], "", 0),
        (&["check", "--format", "http"], PING, 1),
        (&["check", "--format", "xml"], PING, 2),
        (&["check", "--no-such-option"], PING, 2),
        (&["check", good, good], PING, 2),
        (&["no-such-command"], PING, 2),
        (&[], PING, 2),
        (&["--help"], "", 0),
        (&["check", "--help"], "", 0),
        (&["--version"], "", 0),
    ];
    for (args, input, code) in cases {
        let ran = run(args, input);
        assert_eq!(
            ran.code, *code,
            "{args:?} on {input:?}\n{}\n{}",
            ran.out, ran.err
        );
        assert_eq!(ran.err.is_empty(), *code != 2, "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_file_that_cannot_be_read_is_told_in_one_line() {
    let missing = concat!(env!("CARGO_TARGET_TMPDIR"), "/no-such-file.jsonl");
    let ran = run(&["check", missing], "");
    assert_eq!(ran.out, "");
    assert!(
        ran.err
            .starts_with(&format!("rpcslice: cannot read {missing}: ")),
        "{}",
        ran.err
    );
    assert_eq!(ran.err.lines().count(), 1);
}

#[test]
fn chunks_make_no_difference() {
    let input = std::fs::read(SESSION).unwrap();
    for args in [
        &["check"][..],
        &["check", "--json"],
        &["check", "--max-frame-bytes", "200"],
    ] {
        let whole = run(args, &input);
        for size in [1, 7, 100, 4096] {
            let cut = run_in_pieces(args, input.chunks(size));
            assert_eq!(cut.code, whole.code);
            assert!(
                cut.out == whole.out,
                "{args:?} in pieces of {size} bytes:\n{}",
                cut.out
            );
        }
    }
}

#[test]
fn a_live_stream_is_shown_as_it_comes() {
    let mut child = start(&["check"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    for at in 0..3 {
        stdin.write_all(PING.as_bytes()).unwrap();
        if at == 0 {
            stdout.read_line(&mut line).unwrap();
        }
        line.clear();
        // Would wait for ever if the row were held back.
        stdout.read_line(&mut line).unwrap();
        assert!(line.contains("ping"), "{line}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for (input, code) in [(PING.to_owned(), 0), (format!("oops\n{PING}"), 1)] {
        for args in [&["check"][..], &["check", "--json"]] {
            let mut child = start(args);
            let mut stdin = child.stdin.take().unwrap();
            let input = input.repeat(100_000);
            let feeding = thread::spawn(move || stdin.write_all(input.as_bytes()));
            let mut stdout = BufReader::new(child.stdout.take().unwrap());
            stdout.read_line(&mut String::new()).unwrap();
            drop(stdout);
            let ended = child.wait_with_output().unwrap();
            let _ = feeding.join().unwrap();
            assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
            assert_eq!(ended.status.code(), Some(code), "{args:?}");
        }
    }
}

#[test]
fn lines_over_the_limit() {
    let ping = PING.trim_end();
    let limit = ping.len().to_string();
    let over = format!("{ping} \n{ping}\n{ping}  ");
    let lines = json(&["--max-frame-bytes", &limit], &over);
    assert_eq!(
        lines.iter().map(reason).collect::<Vec<_>>(),
        ["frame-too-long", "good", "frame-too-long"]
    );
    for (at, len, offset) in [(0, 41, 0), (1, 40, 42), (2, 42, 83)] {
        assert_eq!(
            (&lines[at]["len"], &lines[at]["offset"]),
            (&len.into(), &offset.into())
        );
    }
    for at in [0, 2] {
        let line = &lines[at];
        assert_eq!(line["verdict"], "reject");
        assert_eq!(
            [&line["kind"], &line["id"], &line["method"], &line["name"]],
            [&Value::Null; 4]
        );
        assert_eq!(
            (&line["error"]["code"], &line["error"]["offset"]),
            (&(-32600).into(), &40.into())
        );
    }

    // Longer than several chunks, and then some.
    let long = format!("{}\n{PING}", "x".repeat(1_000_000));
    let lines = json(&["--max-frame-bytes", "1000"], &long);
    assert_eq!(
        lines.iter().map(reason).collect::<Vec<_>>(),
        ["frame-too-long", "good"]
    );
    assert_eq!(
        (&lines[0]["len"], &lines[1]["offset"]),
        (&1_000_000.into(), &1_000_001.into())
    );

    let ran = run(&["check", "--max-frame-bytes", "1000"], &long);
    assert!(ran.out.contains("-32600 frame-too-long"), "{}", ran.out);
    assert!(
        ran.out
            .ends_with("2 frames: 1 good, 1 bad; 0 blank lines skipped\n"),
        "{}",
        ran.out
    );
}

#[test]
fn nesting_over_the_limit() {
    // The message and its params are two containers.
    let nested = |depth: usize| {
        let (open, close) = ("[".repeat(depth - 2), "]".repeat(depth - 2));
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{{\"a\":{open}{close}}}}}\n"
        )
    };
    for (args, depth, expected) in [
        (&[][..], 128, "good"),
        (&[], 129, "too-deep"),
        (&["--max-depth", "3"], 3, "good"),
        (&["--max-depth", "3"], 4, "too-deep"),
        (&["--max-depth", "1024"], 1024, "good"),
        (&["--max-depth", "1024"], 1025, "too-deep"),
    ] {
        let lines = json(args, nested(depth));
        assert_eq!(reason(&lines[0]), expected, "{args:?} {depth}");
    }
}

#[test]
fn lenient() {
    for (frame, id) in [
        ("{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"m\"}", "1.0"),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":null}",
            "1",
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":null}",
            "1",
        ),
        (
            "\n\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}",
            "1",
        ),
    ] {
        assert_ne!(reason(&json(&[], frame)[0]), "good", "{frame}");
        let lines = json(&["--lenient"], frame);
        assert_eq!(reason(&lines[0]), "good", "{frame}");
        assert_eq!(lines[0]["id"], id);
    }
}
