//! Arguments and `Mcp-Param-*`, and all headers as they are written.

use super::{LEGACY, headers, modern};
use ::http::{HeaderMap, Method};
use rpcslice::http::{
    Accepts, Negotiation, ParamPlan, check, check_outgoing, request_headers, stream_headers,
};
use rpcslice::json::RawJson;
use rpcslice::mcp::{Rules, Version};
use rpcslice::{Header, Message};

const SCHEMA: &str = r#"{"properties":{"r":{"type":"string","x-mcp-header":"Region"},"n":{"type":"integer","x-mcp-header":"N"},
    "b":{"type":"boolean","x-mcp-header":"B"},"o":{"properties":{"t":{"type":"string","x-mcp-header":"Tenant"},"u":{"type":"string","x-mcp-header":"U"}}}}}"#;

fn plan(schema: &str) -> ParamPlan {
    ParamPlan::compile(RawJson::parse(schema.as_bytes()).unwrap()).unwrap()
}

#[test]
fn arguments_and_their_headers() {
    let plan = plan(SCHEMA);
    let rules = Rules::server();
    for (arguments, fields, expected) in [
        (r#"{}"#, "", "ok"),
        (r#"{"r":"eu"}"#, "Mcp-Param-Region: eu", "ok"),
        (r#"{"r":"eu"}"#, "MCP-PARAM-REGION:  eu ", "ok"),
        (r#"{"\u0072":"\u0065u"}"#, "Mcp-Param-Region: eu", "ok"),
        (r#"{"r":"日"}"#, "Mcp-Param-Region: =?base64?5pel?=", "ok"),
        (r#"{"r":""}"#, "Mcp-Param-Region:", "ok"),
        (r#"{"r":""}"#, "Mcp-Param-Region: =?base64??=", "ok"),
        (r#"{"r":null,"n":null}"#, "", "ok"),
        (r#"{"n":42}"#, "Mcp-Param-N: 42", "ok"),
        (r#"{"n":42}"#, "Mcp-Param-N: 42.0", "ok"),
        (r#"{"n":4.2e1}"#, "Mcp-Param-N: 42", "ok"),
        (r#"{"n":-0}"#, "Mcp-Param-N: 0", "ok"),
        (r#"{"b":true}"#, "Mcp-Param-B: true", "ok"),
        (
            r#"{"o":{"t":"a","x":{"t":"b"}},"t":"c"}"#,
            "Mcp-Param-Tenant: a",
            "ok",
        ),
        (r#"{"x":1}"#, "Mcp-Param-Other: 1", "ok"),
        (r#"{"o":7}"#, "", "ok"),
        (r#"{"o":[{"t":"a"}]}"#, "", "ok"),
        (r#"{"r":"eu"}"#, "", "header-missing 0"),
        (r#"{"r":""}"#, "", "header-missing 0"),
        (r#"{"n":42}"#, "", "header-missing 1"),
        (r#"{"o":{"t":"a"}}"#, "", "header-missing 3"),
        (r#"{"r":"eu"}"#, "Mcp-Param-Region: EU", "header-mismatch 0"),
        (
            r#"{"r":"eu"}"#,
            "Mcp-Param-Region: =?base64?ZXU?=",
            "header-invalid 0",
        ),
        (r#"{"r":"é"}"#, "Mcp-Param-Region: é", "header-invalid 0"),
        (
            r#"{"r":"eu"}"#,
            "Mcp-Param-Region: eu\nMcp-Param-Region: eu",
            "header-repeated 0",
        ),
        (r#"{}"#, "Mcp-Param-Region: eu", "header-mismatch 0"),
        (
            r#"{"r":null}"#,
            "Mcp-Param-Region: null",
            "header-mismatch 0",
        ),
        (
            r#"{"r":{"a":1}}"#,
            "Mcp-Param-Region: x",
            "header-mismatch 0",
        ),
        (r#"{"r":{"a":1}}"#, "", "header-missing 0"),
        (
            r#"{"r":"\ud83d"}"#,
            "Mcp-Param-Region: x",
            "header-mismatch 0",
        ),
        (r#"{"n":42}"#, "Mcp-Param-N: 43", "header-mismatch 1"),
        (r#"{"n":42}"#, "Mcp-Param-N: +42", "header-mismatch 1"),
        (r#"{"n":42}"#, "Mcp-Param-N: 042", "header-mismatch 1"),
        (r#"{"n":42}"#, "Mcp-Param-N: 42,42", "header-mismatch 1"),
        (r#"{"n":42}"#, "Mcp-Param-N: 0x2a", "header-mismatch 1"),
        (
            r#"{"n":9007199254740993}"#,
            "Mcp-Param-N: 9007199254740992",
            "header-invalid 1",
        ),
        // What no client may send.
        (r#"{"n":1.5}"#, "Mcp-Param-N: 1.5", "header-invalid 1"),
        (
            r#"{"n":9007199254740992}"#,
            "Mcp-Param-N: 9007199254740992",
            "header-invalid 1",
        ),
        (r#"{"n":"42"}"#, "Mcp-Param-N: 42.0", "header-mismatch 1"),
        (r#"{"b":true}"#, "Mcp-Param-B: True", "header-mismatch 2"),
        (r#"{"b":true}"#, "Mcp-Param-B: 1", "header-mismatch 2"),
        // Which of the two would a reader take?
        (
            r#"{"r":"eu","r":"us"}"#,
            "Mcp-Param-Region: eu",
            "header-mismatch 0",
        ),
        (
            r#"{"r":"eu","\u0072":"us"}"#,
            "Mcp-Param-Region: us",
            "header-mismatch 0",
        ),
        (
            r#"{"o":{"t":"a"},"o":{}}"#,
            "Mcp-Param-Tenant: a",
            "header-mismatch 3",
        ),
        (
            r#"{"o":{"t":"a"},"o":7}"#,
            "Mcp-Param-Tenant: a",
            "header-mismatch 3",
        ),
        (
            r#"{"o":7,"o":{"t":"a"}}"#,
            "Mcp-Param-Tenant: a",
            "header-mismatch 3",
        ),
    ] {
        let body = modern(
            "tools/call",
            &format!(r#""name":"t","arguments":{arguments},"#),
        );
        let message = Message::parse(body.as_bytes()).unwrap();
        let got = match plan.check(&rules, &message, &headers(fields)) {
            Ok(()) => "ok".to_owned(),
            Err(error) => {
                assert_eq!((error.code(), error.http_status()), (-32020, 400));
                let Some(Header::Param(number)) = error.kind().header() else {
                    panic!()
                };
                assert!(
                    arguments.contains(&body[error.span()]),
                    "{arguments} {error}"
                );
                format!("{} {number}", error.kind().name())
            }
        };
        assert_eq!(got, expected, "{arguments} {fields}");
    }
    // Which of the two objects would a reader take?
    let body = modern(
        "tools/call",
        r#""name":"t","arguments":{"r":"a"},"arguments":{"r":"b"},"#,
    );
    let message = Message::parse(body.as_bytes()).unwrap();
    for value in ["a", "b"] {
        let fields = headers(&format!("Mcp-Param-Region: {value}"));
        let error = plan.check(&rules, &message, &fields).unwrap_err();
        assert_eq!(&body[error.span()], r#"{"r":"b"}"#);
    }
    assert_eq!(plan.header_name(3).unwrap(), "mcp-param-tenant");
    assert_eq!(plan.header_name(5), None);
    // Before 2026-07-28, and on other methods, there are no such headers.
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"r":"eu"}}}"#.to_owned(),
        modern("acme/x", r#""arguments":{"r":"eu"},"#),
    ] {
        let message = Message::parse(body.as_bytes()).unwrap();
        assert_eq!(plan.check(&rules, &message, &HeaderMap::new()), Ok(()));
    }
    let message = modern("tools/call", r#""name":"t","arguments":{"r":"eu"},"#);
    let message = Message::parse(message.as_bytes()).unwrap();
    assert_eq!(
        plan.check(&rules.versions(LEGACY), &message, &HeaderMap::new()),
        Ok(())
    );
}

#[test]
fn headers_that_are_written_are_accepted() {
    let plan = plan(SCHEMA);
    let rules = Rules::server();
    for arguments in [
        "{}",
        r#"{"r":" padded ","n":-7,"b":false,"o":{"t":"日本","u":null}}"#,
        r#"{"r":"=?base64?x?=","n":42.0}"#,
        r#"{"r":"a\tb\r\nc\u0000","n":9007199254740991}"#,
    ] {
        for name in ["t", "", " ", "世界", "=?base64?dA==?=", "a\\nb"] {
            let body = modern(
                "tools/call",
                &format!(r#""name":"{name}","arguments":{arguments},"#),
            );
            let message = Message::parse(body.as_bytes()).unwrap();
            let written = request_headers(&message, Version::V2026_07_28, Some(&plan)).unwrap();
            assert_eq!(check(&rules, &message, &written), Ok(()), "{body}");
            assert_eq!(plan.check(&rules, &message, &written), Ok(()), "{body}");
            assert_eq!(check_outgoing(&Rules::client(), &message, &written), Ok(()));
            assert_eq!(written["accept"], "application/json, text/event-stream");
            let parsed = Negotiation::of_request(&rules, &Method::POST, &written);
            let both = Accepts {
                json: true,
                event_stream: true,
            };
            assert_eq!(parsed, Ok(Negotiation::Post(both)));
        }
    }
    for (method, rest, told) in [
        (
            "é",
            "",
            "no header `Mcp-Method`: a header's value must be ASCII without control characters",
        ),
        (
            " x",
            "",
            "no header `Mcp-Method`: a header's value must be ASCII without control characters",
        ),
        (
            "tools/call",
            r#""name":"\ud83d","#,
            "no header `Mcp-Name`: a string with half a surrogate pair is no text",
        ),
        (
            "tools/call",
            r#""name":"t","arguments":{"n":1.5},"#,
            "no header `Mcp-Param-*`: only strings, integers and booleans go into a header",
        ),
        (
            "tools/call",
            r#""name":"t","arguments":{"n":1,"n":2},"#,
            "no header `Mcp-Param-*`: the argument is there twice",
        ),
        (
            "tools/call",
            r#""name":"t","arguments":{"n":1},"arguments":{"n":1},"#,
            "no header `Mcp-Param-*`: the argument is there twice",
        ),
    ] {
        let body = modern(method, rest);
        let message = Message::parse(body.as_bytes()).unwrap();
        let error = request_headers(&message, Version::V2026_07_28, Some(&plan)).unwrap_err();
        assert_eq!(error.to_string(), told);
    }
    // The older revisions have the version header from 2025-06-18 on, and not with the handshake.
    for (version, body, expected) in [
        (
            Version::V2025_03_26,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            None,
        ),
        (
            Version::V2025_06_18,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            Some("2025-06-18"),
        ),
        (
            Version::V2025_11_25,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            Some("2025-11-25"),
        ),
        (
            Version::V2025_11_25,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
            None,
        ),
        (
            Version::V2026_07_28,
            r#"{"jsonrpc":"2.0","method":"notifications/x"}"#,
            Some("2026-07-28"),
        ),
    ] {
        let message = Message::parse(body.as_bytes()).unwrap();
        let written = request_headers(&message, version, None).unwrap();
        let got = written
            .get("mcp-protocol-version")
            .map(|value| value.to_str().unwrap());
        assert_eq!(got, expected, "{version} {body}");
        assert!(!written.contains_key("mcp-method"));
    }
    let stream = stream_headers(Version::V2025_11_25, Some(b"1_7")).unwrap();
    assert_eq!(stream["accept"], "text/event-stream");
    assert_eq!(stream["last-event-id"], "1_7");
    assert_eq!(
        Negotiation::of_request(&rules, &Method::GET, &stream),
        Ok(Negotiation::Stream)
    );
    assert!(
        !stream_headers(Version::V2025_03_26, Some(b""))
            .unwrap()
            .contains_key("last-event-id")
    );
    assert!(stream_headers(Version::V2025_03_26, Some(b"a\nb")).is_err());
}
