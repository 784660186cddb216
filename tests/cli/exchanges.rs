//! `--format http`.

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};

use crate::{files, reason, run, run_in_pieces};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const RESULT: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n"}}"#;

fn base64(bytes: impl AsRef<[u8]>) -> String {
    BASE64_STANDARD.encode(bytes)
}

fn headers(content_type: &str) -> Value {
    match content_type {
        "" => json!([]),
        _ => json!([["Host", "h"], ["cONTENT-tYPE", content_type]]),
    }
}

fn request(method: &str, content_type: &str, body: &str) -> Value {
    json!({"method": method, "headers": headers(content_type), "body_b64": base64(body), "framing": "length"})
}

fn response(status: u16, content_type: &str, chunks: &[&str]) -> Value {
    let chunks: Vec<_> = chunks.iter().map(base64).collect();
    json!({"status": status, "headers": headers(content_type), "chunks_b64": chunks, "framing": "chunked", "end": "complete"})
}

fn record(request: Value, response: Value) -> String {
    format!(
        "{}\n",
        json!({"seq": 1, "request": request, "response": response})
    )
}

/// A posted message and what came back.
fn posted(body: &str, response: Value) -> String {
    record(request("POST", JSON, body), response)
}

fn with_version(record: &str, version: &str) -> String {
    with_headers(record, &[("Mcp-Protocol-Version", version)])
}

/// With the headers of a call of the tool `n` under 2026-07-28.
fn mirrored(record: &str) -> String {
    let headers = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("mcp-name", "n"),
    ];
    with_headers(record, &headers)
}

fn with_headers(record: &str, fields: &[(&str, &str)]) -> String {
    let mut record: Value = serde_json::from_str(record).unwrap();
    let headers = record["request"]["headers"].as_array_mut().unwrap();
    headers.extend(fields.iter().map(|(name, value)| json!([name, value])));
    format!("{record}\n")
}

fn rows(input: &str) -> Vec<Value> {
    crate::json(&["--format", "http"], input)
}

/// The direction of each frame, and its kind or why it is refused.
fn told(input: &str) -> Vec<(String, String)> {
    let told = |row: &Value| {
        let word = match row["verdict"].as_str() {
            Some("accept") => row["kind"].as_str().unwrap(),
            _ => reason(row),
        };
        (
            row["direction"].as_str().unwrap_or("-").to_owned(),
            word.to_owned(),
        )
    };
    rows(input).iter().map(told).collect()
}

fn assert_told(input: &str, expected: &[(&str, &str)]) {
    let found = told(input);
    let found: Vec<_> = found
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    assert_eq!(found, expected, "{input}");
}

#[test]
fn what_is_posted() {
    for (method, content_type, body, expected) in [
        ("POST", JSON, PING, "request"),
        ("POST", "Application/Json; Charset=UTF-8", PING, "request"),
        (
            "POST",
            JSON,
            "\u{feff}\r\n {\"jsonrpc\":\"2.0\",\r\n\"method\":\"n\"}",
            "notification",
        ),
        ("PUT", JSON, "{}", "missing-member"),
        ("GET", JSON, "", "empty"),
        ("GET", "", "", "empty"),
        ("DELETE", "nonsense", "", "empty"),
        ("POST", JSON, "", "unexpected-end"),
        ("POST", JSON, "oops", "expected-value"),
        ("POST", "", PING, "media-type"),
        ("POST", "text/plain", PING, "media-type"),
        ("POST", EVENTS, "data: 1\n\n", "media-type"),
        ("POST", "nonsense", PING, "media-type"),
        ("POST", "application/json; charset=latin1", PING, "charset"),
    ] {
        let input = record(request(method, content_type, body), Value::Null);
        assert_told(&input, &[("c2s", expected)]);
        let error = &rows(&input)[0]["error"];
        if let "media-type" | "charset" = expected {
            assert_eq!((&error["code"], &error["offset"]), (&415.into(), &0.into()));
        }
    }
}

#[test]
fn what_comes_back() {
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/message"}"#;
    let event = format!("data: {notification}\n\n");
    let (left, right) = RESULT.split_at(20);
    let cases: &[(u16, &str, &[&str], &[&str])] = &[
        (200, JSON, &[RESULT], &["result"]),
        (200, JSON, &[left, "", right], &["result"]),
        (200, JSON, &[left], &["unexpected-end"]),
        (200, JSON, &[" \n"], &["empty"]),
        (200, JSON, &[], &["empty"]),
        (202, "", &[], &["empty"]),
        (202, "", &["Accepted"], &["other-body"]),
        (202, "text/plain", &["Accepted"], &["other-body"]),
        (302, "text/html", &["<html>"], &["other-body"]),
        (
            404,
            "text/html; charset=latin1",
            &["<html>"],
            &["other-body"],
        ),
        (500, "", &["\u{1b}[2J"], &["other-body"]),
        (200, "", &["ok"], &["other-body"]),
        (
            400,
            JSON,
            &[r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"m"}}"#],
            &["error"],
        ),
        (400, JSON, &["{\"error\":\"no\"}"], &["invalid-member"]),
        // A client can't read an answer out of it.
        (200, "text/html", &["<html>"], &["media-type"]),
        (
            200,
            "application/json; charset=utf-16",
            &[RESULT],
            &["charset"],
        ),
        (200, "nonsense", &[RESULT], &["media-type"]),
        (200, EVENTS, &[], &["empty"]),
        (200, EVENTS, &[": alive\n\n"], &[]),
        (
            200,
            EVENTS,
            &["id: 1\ndata:\n\n", &event, "data: {}\n\n"],
            &["empty", "notification", "empty-object"],
        ),
        (
            200,
            EVENTS,
            &["event: endpoint\nda", "ta: /m\r\n\r", "\ndata: oops\r\r"],
            &["endpoint", "expected-value"],
        ),
        // Clients go away.
        (200, EVENTS, &[&event, "data: {\"jso"], &["notification"]),
    ];
    for (status, content_type, chunks, expected) in cases {
        let input = posted(PING, response(*status, content_type, chunks));
        let mut all = vec![("c2s", "request")];
        all.extend(expected.iter().map(|word| ("s2c", *word)));
        assert_told(&input, &all);
    }
}

#[test]
fn codings_are_not_undone() {
    for (coding, expected) in [("gzip", "content-coding"), ("identity", "result")] {
        let mut answer = response(200, JSON, &[RESULT]);
        let headers = answer["headers"].as_array_mut().unwrap();
        headers.push(json!(["content-ENCODING", coding]));
        assert_told(
            &posted(PING, answer),
            &[("c2s", "request"), ("s2c", expected)],
        );
    }
}

#[test]
fn which_rules_hold() {
    let empty = || response(200, JSON, &[RESULT]);
    let modern = CALL.replace(
        r#""params":{"#,
        r#""params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"#,
    );
    let sampling = r#"{"jsonrpc":"2.0","id":9,"method":"roots/list"}"#;
    let stream = response(
        200,
        EVENTS,
        &[&format!("data: {sampling}\n\ndata: {RESULT}\n\n")],
    );
    let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#;
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
    let batch = format!("[{CALL},{PING}]")
        .replace(r#""id":1,"method":"ping""#, r#""id":2,"method":"ping""#);
    let batch_answer = format!("[{RESULT}]");
    let cases = [
        // Nothing says which revision it is.
        (posted(CALL, empty()), ["request", "result"].as_slice()),
        // The request itself does, and its answer is held to it as one to `tools/call`.
        (
            mirrored(&posted(&modern, empty())),
            &["request", "missing-member"],
        ),
        // Its headers have to say the same.
        (
            posted(&modern, empty()),
            &["header-missing", "missing-member"],
        ),
        (
            mirrored(&posted(&modern, empty())).replace("tools/call", "tools/list"),
            &["header-mismatch", "missing-member"],
        ),
        // The header does, for both ways.
        (
            with_version(&posted(CALL, empty()), "2025-11-25"),
            &["request", "missing-member"],
        ),
        (
            with_version(&posted(PING, empty()), "2025-11-25"),
            &["request", "result"],
        ),
        (
            with_version(&posted(CALL, empty()), "2030-01-01"),
            &["request", "result"],
        ),
        (
            with_version(&posted(CALL, empty()), "2026-07-28"),
            &["missing-member", "missing-member"],
        ),
        (
            with_version(&posted(cancelled, response(202, "", &[])), " 2025-06-18 "),
            &["missing-member", "empty"],
        ),
        (
            posted(cancelled, response(202, "", &[])),
            &["notification", "empty"],
        ),
        // What a message names goes before the header.
        (
            with_version(&posted(&modern, empty()), "2025-11-25"),
            &["header-mismatch", "missing-member"],
        ),
        (posted(initialize, empty()), &["request", "missing-member"]),
        // A client is asked in the legacy era alone, a server answered in it alone.
        (
            with_version(&posted(PING, stream.clone()), "2025-11-25"),
            &["request", "request", "result"],
        ),
        (
            mirrored(&posted(&modern, stream)),
            &["request", "wrong-direction", "missing-member"],
        ),
        (
            with_version(&posted(RESULT, response(202, "", &[])), "2026-07-28"),
            &["wrong-direction", "empty"],
        ),
        (
            with_version(&posted(RESULT, response(202, "", &[])), "2025-11-25"),
            &["result", "empty"],
        ),
        // Batches: in the revision that has them, or where no header names another.
        (
            posted(&batch, response(200, JSON, &[&batch_answer])),
            &["batch", "missing-member"],
        ),
        (
            with_version(&posted(&batch, response(202, "", &[])), "2025-03-26"),
            &["batch", "empty"],
        ),
        (
            with_version(&posted(&batch, response(202, "", &[])), "2025-06-18"),
            &["batch", "empty"],
        ),
    ];
    for (at, (input, expected)) in cases.iter().enumerate() {
        let found: Vec<_> = told(input).into_iter().map(|(_, word)| word).collect();
        assert_eq!(found, *expected, "case {at}: {input}");
    }
    // No record knows of another.
    assert_told(
        &(posted(initialize, Value::Null) + &posted(cancelled, Value::Null)),
        &[("c2s", "request"), ("c2s", "notification")],
    );
    // What is served may be said.
    let told = crate::json(
        &["--format", "http", "--revision", "2026-07-28"],
        posted(CALL, Value::Null),
    );
    assert_eq!(reason(&told[0]), "unsupported-version");
}

#[test]
fn to_the_byte() {
    let input = posted(
        PING,
        response(200, EVENTS, &[&format!("data:\n\ndata: {RESULT}\n\n")]),
    );
    let at = input.len() + 1;
    let input = format!("{input}\n{{\"request\":1}}\n");
    let tail = r#""method":null,"name":null,"protocol_version":null,"#;
    let expected = [
        concat!(
            r#"{"frame":1,"offset":0,"len":40,"verdict":"accept","kind":"request","id":"1","method":"ping","#,
            r#""name":null,"protocol_version":null,"error":null,"record":1,"direction":"c2s"}"#
        )
        .to_owned(),
        format!(
            r#"{{"frame":2,"offset":0,"len":0,"verdict":"accept","kind":"empty","id":null,{tail}"error":null,"record":1,"direction":"s2c"}}"#
        ),
        format!(
            r#"{{"frame":3,"offset":0,"len":36,"verdict":"accept","kind":"result","id":"1",{tail}"error":null,"record":1,"direction":"s2c"}}"#
        ),
        format!(
            r#"{{"frame":4,"offset":{at},"len":13,"verdict":"reject","kind":null,"id":null,{tail}"error":{{"code":-32600,"reason":"no-record","offset":11,"message":"not the record of an HTTP exchange: invalid type: integer `1`, expected an object with method and headers"}},"record":2,"direction":null}}"#
        ),
    ];
    let ran = run(&["check", "--format", "http", "--json"], &input);
    assert_eq!(ran.out.lines().collect::<Vec<_>>(), expected);
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
}

#[test]
fn broken_records() {
    let good = posted(PING, Value::Null);
    let cases: &[(&str, &str)] = &[
        ("oops", "expected-value"),
        ("{\"request\":", "unexpected-end"),
        ("{} {}", "trailing-bytes"),
        ("[]", "no-record"),
        ("7", "no-record"),
        (PING, "no-record"),
        (r#"{"response":null}"#, "no-record"),
        (r#"{"request":{"method":"GET","headers":[]}}"#, "no-record"),
        (
            r#"{"request":{"method":"GET","headers":[]},"response":{}}"#,
            "no-record",
        ),
        (
            r#"{"request":{"method":"GET","headers":[["a"]]},"response":null}"#,
            "no-record",
        ),
        (
            r#"{"request":{"method":"GET","headers":[]},"request":{"method":"GET","headers":[]},"response":null}"#,
            "no-record",
        ),
        (
            r#"{"request":{"method":"GET","headers":[],"body_b64":"?"},"response":null}"#,
            "no-record",
        ),
        (
            r#"{"request":{"method":"GET","headers":[]},"response":{"status":70000,"headers":[],"chunks_b64":[]}}"#,
            "no-record",
        ),
        (
            r#"{"request":{"method":"\ud800","headers":[]},"response":null}"#,
            "no-record",
        ),
    ];
    for (line, expected) in cases {
        let input = format!("{line}\r\n\n{good}");
        let rows = rows(&input);
        assert_eq!(rows.len(), 2, "{line}");
        assert_eq!(
            (reason(&rows[0]), reason(&rows[1])),
            (*expected, "good"),
            "{line}"
        );
        assert_eq!(
            (&rows[0]["record"], &rows[0]["direction"]),
            (&1.into(), &Value::Null)
        );
        assert_eq!(
            (&rows[1]["record"], &rows[1]["direction"]),
            (&2.into(), &"c2s".into())
        );
        assert_eq!(rows[1]["offset"], line.len() + 3);
    }
    // A body may be left out.
    for body in ["", r#","body_b64":null"#, r#","body_b64":"""#] {
        let line =
            format!(r#"{{"request":{{"method":"GET","headers":[]{body}}},"response":null}}"#);
        assert_told(&line, &[("c2s", "empty")]);
    }
}

#[test]
fn over_the_limit() {
    let limit = PING.len();
    let args = ["--format", "http", "--max-frame-bytes", &limit.to_string()];
    let over = format!("{PING} ");
    let (left, right) = over.split_at(9);
    let events = format!("data: {over}\n\ndata: {RESULT}\n\n");
    let input = [
        posted(&over, response(200, JSON, &[left, right])),
        format!("{}\n", "x".repeat(4 * limit + (1 << 20) + 1)),
        posted(PING, response(200, EVENTS, &[&events])),
        format!("{}\n", "x".repeat(4 * limit + (1 << 20))),
    ]
    .concat();
    let rows = crate::json(&args, &input);
    let found: Vec<_> = rows
        .iter()
        .map(|row| (&row["record"], reason(row), &row["len"]))
        .collect();
    let record = [1, 2, 3, 4].map(Value::from);
    let len = [
        limit + 1,
        4 * limit + (1 << 20) + 1,
        limit,
        RESULT.len(),
        4 * limit + (1 << 20),
    ]
    .map(Value::from);
    let expected = [
        (&record[0], "frame-too-long", &len[0]),
        (&record[0], "frame-too-long", &len[0]),
        (&record[1], "frame-too-long", &len[1]),
        (&record[2], "good", &len[2]),
        (&record[2], "frame-too-long", &len[0]),
        (&record[2], "good", &len[3]),
        (&record[3], "expected-value", &len[4]),
    ];
    assert_eq!(found, expected);
}

#[test]
fn the_table_and_its_summary() {
    let stream = response(
        200,
        EVENTS,
        &[": c\n\nevent: endpoint\ndata: /m\n\n", "data: {\"jso"],
    );
    let input = [
        record(request("GET", "", ""), stream.clone()),
        "\n".to_owned(),
        posted("oops", response(202, "text/plain", &["Accepted"])),
        record(request("G\u{1b}[2J", "", ""), stream),
        posted(PING, response(200, "text/\u{1b}[2J", &["x"])),
    ]
    .concat();
    let ran = run(&["check", "--format", "http"], input.trim_end());
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
    let summary = "8 frames: 6 good (5 of them no message), 2 bad; 4 records, 2 comments, 1 blank line skipped\n\
         2 event streams cut off within an event (the first in record 1, 11 bytes of it): dropped, since no blank line \
         ended it\n\
         the last line has no LF: it may have been cut off\n";
    assert!(ran.out.ends_with(summary), "{}", ran.out);
    for row in [
        "     #   rec way    offset    size  kind         id ",
        "     1     1 c2s         0       0  empty        -          (GET)\n",
        "     2     1 s2c         0       2  endpoint     -          (/m)\n",
        "!    3     2 c2s ",
        "(202 text/plain)\n",
        "(G␛[2J)\n",
        "      415 media-type: `Content-Type` is no media type\n      by RFC 9110 section 8.3.1\n",
        "        2             4  endpoint\n",
    ] {
        assert!(ran.out.contains(row), "{row}\n{}", ran.out);
    }
    assert!(!ran.out.contains('\u{1b}'));
}

#[test]
fn options_that_the_records_contradict() {
    for (options, code) in [
        (&["--role", "server"][..], 2),
        (&["--role", "client"], 2),
        (&["--transport", "stdio"], 2),
        (&["--role", "both"], 0),
        (&["--transport", "http"], 0),
        (&["--format", "lines", "--role", "server"], 0),
    ] {
        let mut args = vec!["check"];
        if !options.contains(&"--format") {
            args.extend(["--format", "http"]);
        }
        args.extend(options);
        let ran = run(&args, "");
        assert_eq!(ran.code, code, "{options:?} {}", ran.err);
        assert_eq!(ran.err.contains("--format http"), code == 2, "{}", ran.err);
    }
}

#[test]
fn chunks_make_no_difference() {
    let stream = response(200, EVENTS, &["data:\n\ndata: o", "ops\n\n"]);
    let input = posted(PING, stream) + "oops\r\n" + posted(CALL, Value::Null).trim_end();
    for args in [
        &["check", "--format", "http"][..],
        &["check", "--format", "http", "--json"],
    ] {
        let whole = run(args, &input);
        for size in [1, 7, 100] {
            let cut = run_in_pieces(args, input.as_bytes().chunks(size));
            assert_eq!(
                (cut.code, &cut.out),
                (whole.code, &whole.out),
                "{args:?} by {size}"
            );
        }
    }
}

/// How many frames a record has, by a plain reading: the recordings have neither a lone CR nor a byte order mark.
fn frames(record: &Value) -> usize {
    let response = &record["response"];
    let Some(chunks) = response["chunks_b64"].as_array() else {
        return 1;
    };
    let decode = |chunk: &Value| BASE64_STANDARD.decode(chunk.as_str().unwrap()).unwrap();
    let body: Vec<u8> = chunks.iter().flat_map(decode).collect();
    let headers = response["headers"].as_array().unwrap();
    let is_stream = |header: &Value| {
        let text = |at: usize| header[at].as_str().unwrap().to_lowercase();
        text(0) == "content-type" && text(1).starts_with(EVENTS)
    };
    if body.is_empty() || !headers.iter().any(is_stream) {
        return 2;
    }
    let body = String::from_utf8(body).unwrap().replace("\r\n", "\n");
    let (whole, _) = body.rsplit_once("\n\n").unwrap_or_default();
    let has_data = |block: &&str| {
        block
            .lines()
            .any(|line| line == "data" || line.starts_with("data:"))
    };
    1 + whole.split("\n\n").filter(has_data).count()
}

#[test]
fn recordings_run_to_the_end() {
    let Some(folder) = files::beside_checkout("recordings/http") else {
        println!("../shared/recordings/http is not there: nothing to run");
        return;
    };
    for file in files::listed(&folder, ".jsonl").unwrap() {
        let name = files::name(&file);
        let records = files::json_lines(&file).unwrap().into_iter();
        let expected: usize = records.map(|(_, record)| frames(&record.unwrap())).sum();
        let path = file.to_str().unwrap();
        let rows = run(&["check", "--format", "http", "--json", path], "");
        assert_eq!(rows.err, "", "{name}");
        assert_eq!(rows.out.lines().count(), expected, "{name}");
        let table = run(&["check", "--format", "http", path], "");
        assert!(
            matches!(table.code, 0 | 1) && table.code == rows.code,
            "{name}"
        );
        let counted = format!("\n{expected} frames: ");
        assert!(table.out.contains(&counted), "{name}");
    }
}
