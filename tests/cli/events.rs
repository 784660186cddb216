//! `--format sse`.

use serde_json::Value;

use crate::{json, reason, run, run_in_pieces};

const RESULT: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

fn events(stream: impl AsRef<[u8]>) -> Vec<Value> {
    json(&["--format", "sse"], stream)
}

/// The kind of each event, or why it is refused; its offset and its length.
fn told(stream: &str) -> Vec<(String, u64, u64)> {
    let told = |row: &Value| {
        let word = match row["verdict"].as_str() {
            Some("accept") => row["kind"].as_str().unwrap(),
            _ => reason(row),
        };
        let number = |key: &str| row[key].as_u64().unwrap();
        (word.to_owned(), number("offset"), number("len"))
    };
    events(stream).iter().map(told).collect()
}

#[test]
fn what_an_event_is() {
    let len = RESULT.len() as u64;
    let result = |offset| ("result".to_owned(), offset, len);
    let word = |word: &str, offset, len| (word.to_owned(), offset, len);
    let bad = r#"{"jsonrpc":"2.0","id":1}"#;
    let cases = [
        (String::new(), vec![]),
        (": alive\n\n\n".to_owned(), vec![]),
        (format!("data: {RESULT}\n\n"), vec![result(0)]),
        (format!("data:{RESULT}\r\n\r\n"), vec![result(0)]),
        (format!("data:{RESULT}\r\r"), vec![result(0)]),
        (format!("\u{feff}data: {RESULT}\n\n"), vec![result(3)]),
        (
            format!(
                "event: message\r\nid: 1\r\ndata: {RESULT}\r\n\r\n: c\r\n\r\ndata: {RESULT}\r\n\r\n"
            ),
            vec![result(0), result(76)],
        ),
        // In order, and no message.
        ("id: 1\ndata:\n\n".to_owned(), vec![word("empty", 0, 0)]),
        ("data: {}\n\n".to_owned(), vec![word("empty-object", 0, 2)]),
        (
            "event: endpoint\ndata: /m?s=1\n\n".to_owned(),
            vec![word("endpoint", 0, 6)],
        ),
        (
            "event: ping\ndata: oops\n\n".to_owned(),
            vec![word("other-event", 0, 4)],
        ),
        // Without data there is no event.
        ("id: 1\n\n".to_owned(), vec![]),
        // A bad one does not stop the stream.
        (
            format!("data: {bad}\n\ndata: oops\n\ndata: {RESULT}\n\n"),
            vec![
                word("no-kind", 0, 24),
                word("expected-value", 32, 4),
                result(44),
            ],
        ),
        // Lines are joined.
        (
            "data: {\"jsonrpc\":\"2.0\",\"id\":1,\ndata: \"result\":{}}\n\n".to_owned(),
            vec![word("result", 0, len + 1)],
        ),
        // What no blank line ends is none.
        (format!("data: {RESULT}\n"), vec![]),
    ];
    for (stream, expected) in cases {
        assert_eq!(told(&stream), expected, "{stream:?}");
    }
}

#[test]
fn a_fault_is_within_the_data() {
    let stream = "id: 1\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":1,\"method\":7}\n\n";
    let rows = events(stream);
    let error = &rows[0]["error"];
    assert_eq!(
        (reason(&rows[0]), error["offset"].as_u64()),
        ("invalid-member", Some(34))
    );
    let ran = run(&["check", "--format", "sse"], stream);
    let lines: Vec<_> = ran.out.lines().collect();
    let caret = lines.iter().position(|line| line.ends_with('^')).unwrap();
    assert_eq!(
        lines[caret - 1],
        "      | {\"jsonrpc\":\"2.0\",␊\"id\":1,\"method\":7}"
    );
    assert_eq!(lines[caret].len(), "      | ".len() + 34 + 1);
    assert_eq!(ran.code, 1);
}

#[test]
fn has_the_keys_of_lines() {
    let keys = |row: &Value| row.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let line = json(&[], RESULT);
    let rows = events(format!("data: {RESULT}\n\ndata:\n\ndata: oops\n\n"));
    assert_eq!(rows.len(), 3);
    for row in &rows {
        assert_eq!(keys(row), keys(&line[0]));
    }
    let empty = concat!(
        r#"{"frame":2,"offset":44,"len":0,"verdict":"accept","kind":"empty","id":null,"method":null,"#,
        r#""name":null,"protocol_version":null,"error":null}"#,
    );
    assert_eq!(rows[1].to_string(), empty);
}

#[test]
fn over_the_limit() {
    let limit = RESULT.len().to_string();
    let args = ["--format", "sse", "--max-frame-bytes", &limit];
    let stream = format!(
        "data: {RESULT} \n\ndata: {RESULT}\n\nid: {}\ndata: {{}}\n\n",
        "7".repeat(70_000)
    );
    let rows = json(&args, &stream);
    let reasons: Vec<_> = rows.iter().map(reason).collect();
    assert_eq!(reasons, ["frame-too-long", "good", "frame-too-long"]);
    assert_eq!(rows[0]["len"], RESULT.len() + 1);
    assert_eq!(rows[0]["error"]["offset"], RESULT.len());
    assert_eq!(rows[2]["len"], 70_000);
    let message = rows[2]["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("a field of an event of 70000 bytes"),
        "{message}"
    );
}

#[test]
fn the_summary_tells_what_is_beside_messages() {
    let stream = format!(
        "\u{feff}: 1\n\n: 2\n\nid: a\u{1b}[2J\u{202e}\nretry: 300\ndata:\n\ndata: {RESULT}\n\nevent: x\u{1b}\ndata: 1\n\ndata: {{"
    );
    let at = stream.len() - "data: {".len();
    let ran = run(&["check", "--format", "sse"], &stream);
    let summary = format!(
        "3 frames: 3 good (2 of them no message), 0 bad; 2 comments\n\
         last event id: a␛[2J<U+202E>\n\
         reconnection time: 300 ms\n\
         the stream ends within the event at {at} (7 bytes of it): dropped, since no blank line ended it\n"
    );
    assert!(ran.out.ends_with(&summary), "{}", ran.out);
    assert!(
        ran.out.contains(" other-event  -          (x␛)\n"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("\n        1             0  empty\n"),
        "{}",
        ran.out
    );
    assert_eq!(ran.code, 0);
    let plain = run(&["check", "--format", "sse"], format!("data: {RESULT}\n\n"));
    assert!(
        plain.out.ends_with("1 frame: 1 good, 0 bad; 0 comments\n"),
        "{}",
        plain.out
    );
}

#[test]
fn bytes_that_are_no_text_are_shown() {
    let stream =
        b"id: \xff\x9b\ndata: \xff\n\nevent: \xc3(\ndata: x\n\nevent: endpoint\ndata: /\xff\n\n";
    let ran = run(&["check", "--format", "sse"], stream);
    assert!(ran.out.contains("last event id: <FF><9B>\n"), "{}", ran.out);
    assert!(ran.out.contains("(<C3>()"), "{}", ran.out);
    assert!(ran.out.contains("invalid-utf8, byte 1"), "{}", ran.out);
}

#[test]
fn chunks_make_no_difference() {
    let stream = format!(
        ": c\r\n\r\nid: 1\r\nretry: 3\r\ndata:\r\n\r\nevent: message\r\ndata: {RESULT}\r\n\r\ndata: {{\ndata: }}\n\n\
         event: endpoint\rdata: /m\r\rdata: [1,\r\n\r\ndata: {}\n\ndata: 12",
        "x".repeat(300)
    );
    for args in [
        &["check", "--format", "sse"][..],
        &["check", "--format", "sse", "--json"],
        &["check", "--format", "sse", "--max-frame-bytes", "40"],
    ] {
        let whole = run(args, &stream);
        for size in [1, 2, 7, 100] {
            let cut = run_in_pieces(args, stream.as_bytes().chunks(size));
            assert_eq!(
                (cut.code, &cut.out),
                (whole.code, &whole.out),
                "{args:?} by {size}"
            );
        }
    }
}
