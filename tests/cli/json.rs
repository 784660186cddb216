//! `--json`.

use serde_json::Value;

use crate::{SESSION, run};

const KEYS: &[&str] = &[
    "frame",
    "offset",
    "len",
    "verdict",
    "kind",
    "id",
    "method",
    "name",
    "protocol_version",
    "error",
];

#[test]
fn to_the_byte() {
    let input = concat!(
        "\n",
        "{\"jsonrpc\":\"2.0\",\"id\":\"\\u00e9\",\"method\":\"tools\\/call\",\"params\":{\"name\":\"caf\\u00e9 \\\"x\\\"\",",
        "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",",
        "\"io.modelcontextprotocol/clientCapabilities\":{}}}}\r\n",
        "  {\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{\"uri\":\"u\\u001b[0m\\u202e\\ud83d\\ude00\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"result\":{},\"id\":18446744073709551617}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"m\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{\"taskId\":\"t\",",
        "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"m\",\"params\":{\"name\":\"a\\ud800\",\"uri\":\"u\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"m\",\"params\":{\"name\":7,\"uri\":\"u\",\"taskId\":\"t\"}}",
    );
    let expected = concat!(
        r#"{"frame":1,"offset":1,"len":204,"verdict":"accept","kind":"request","id":"\"\\u00e9\"","method":"tools/call","#,
        r#""name":"café \"x\"","protocol_version":"2026-07-28","error":null}"#,
        "\n",
        r#"{"frame":2,"offset":206,"len":80,"verdict":"accept","kind":"notification","id":null,"method":"n","#,
        r#""name":"u\u001b[0m\u202e😀","protocol_version":null,"error":null}"#,
        "\n",
        r#"{"frame":3,"offset":287,"len":55,"verdict":"accept","kind":"result","id":"18446744073709551617","method":null,"#,
        r#""name":null,"protocol_version":null,"error":null}"#,
        "\n",
        r#"{"frame":4,"offset":343,"len":65,"verdict":"accept","kind":"error","id":null,"method":null,"#,
        r#""name":null,"protocol_version":null,"error":null}"#,
        "\n",
        r#"{"frame":5,"offset":409,"len":159,"verdict":"accept","kind":"request","id":"2","method":"initialize","#,
        r#""name":"t","protocol_version":"2025-11-25","error":null}"#,
        "\n",
        r#"{"frame":6,"offset":569,"len":75,"verdict":"accept","kind":"request","id":"3","method":"m","#,
        r#""name":"\"a\\ud800\"","protocol_version":null,"error":null}"#,
        "\n",
        r#"{"frame":7,"offset":645,"len":80,"verdict":"accept","kind":"request","id":"4","method":"m","#,
        r#""name":"u","protocol_version":null,"error":null}"#,
        "\n",
    );
    let ran = run(&["check", "--json"], input);
    assert_eq!(ran.out, expected);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
}

/// A frame; kind, id, method; code, reason and offset.
type Refused<'a> = (&'a [u8], [Option<&'a str>; 3], i64, &'a str, u64);

#[test]
fn of_bad_frames() {
    let cases: &[Refused<'_>] = &[
        (b"oops", [None; 3], -32700, "expected-value", 0),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"",
            [None; 3],
            -32700,
            "unexpected-end",
            36,
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}",
            [None; 3],
            -32700,
            "invalid-utf8",
            34,
        ),
        (b"[]", [None; 3], -32600, "batch", 0),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[]}",
            [Some("request"), Some("1"), Some("m")],
            -32600,
            "invalid-member",
            46,
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[]}",
            [Some("notification"), None, Some("m")],
            -32600,
            "invalid-member",
            39,
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}",
            [None, Some("1"), None],
            -32600,
            "invalid-member",
            33,
        ),
    ];
    for (frame, [kind, id, method], code, reason, offset) in cases {
        let ran = run(&["check", "--json"], [*frame, b"\n"].concat());
        assert_eq!((ran.err.as_str(), ran.code), ("", 1));
        let line: Value = serde_json::from_str(&ran.out).unwrap();
        let shown = String::from_utf8_lossy(frame);
        assert_eq!(line["verdict"], "reject", "{shown}");
        assert_eq!(line["len"], frame.len(), "{shown}");
        assert_eq!(
            [&line["kind"], &line["id"], &line["method"]].map(Value::as_str),
            [*kind, *id, *method],
            "{shown}"
        );
        assert_eq!(
            [&line["name"], &line["protocol_version"]],
            [&Value::Null, &Value::Null],
            "{shown}"
        );
        let error = &line["error"];
        assert_eq!(
            (error["code"].as_i64(), error["reason"].as_str()),
            (Some(*code), Some(*reason)),
            "{shown}"
        );
        assert_eq!(error["offset"].as_u64(), Some(*offset), "{shown}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty()),
            "{shown}"
        );
    }
}

#[test]
fn has_these_keys_in_this_order() {
    let ran = run(&["check", "--json", SESSION], "");
    assert_eq!((ran.err.as_str(), ran.code), ("", 1));
    for (at, line) in ran.out.lines().enumerate() {
        // The tests' serde_json keeps the order of members.
        let line: Value = serde_json::from_str(line).unwrap();
        let keys: Vec<_> = line.as_object().unwrap().keys().collect();
        assert_eq!(keys, KEYS);
        assert_eq!(line["frame"], at + 1);
        match line["error"].as_object() {
            Some(error) => assert_eq!(
                error.keys().collect::<Vec<_>>(),
                ["code", "reason", "offset", "message"]
            ),
            None => assert_eq!(line["error"], Value::Null),
        }
        assert_eq!(line["verdict"] == "reject", line["error"].is_object());
    }
}
