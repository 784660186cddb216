//! What is decided without the body, and what goes out.

use super::{CALL, MODERN, headers, modern};
use ::http::{Method, StatusCode};
use rpcslice::frame::{ContentError, Part};
use rpcslice::http::{
    Accepts, Negotiation, Refusal, accepted_status, check, check_outgoing, event_stream_headers,
    read, route, status,
};
use rpcslice::mcp::{Methods, Rules, Version};
use rpcslice::{ErrorKind, Header, Limits, Message};

#[test]
fn routes() {
    let rules = Rules::proxy();
    let told = |fields: &str| match route(&rules, &headers(fields)) {
        Ok(to) => {
            let parts = [to.method, to.name.as_deref()].map(|part| part.unwrap_or("-").to_owned());
            format!("{} {} {}", parts[0], parts[1], to.is_mirrored)
        }
        Err(error) => format!("{} {}", error.kind(), error.code()),
    };
    let new = "MCP-Protocol-Version: 2026-07-28";
    for (fields, expected) in [
        ("".to_owned(), "- - false"),
        (
            "Mcp-Method: tools/call\nMcp-Name: t".to_owned(),
            "- - false",
        ),
        (
            "MCP-Protocol-Version: 2025-11-25\nMcp-Method: tools/call\nMcp-Method: x".to_owned(),
            "- - false",
        ),
        (
            "MCP-Protocol-Version: 2027-01-01\nMcp-Method: tools/call".to_owned(),
            "- - false",
        ),
        (new.to_owned(), "- - true"),
        (
            format!("{new}\nMcp-Method: tools/list\nMcp-Name: t"),
            "tools/list - true",
        ),
        (
            format!("{new}\nMcp-Method: tools/call\nMcp-Name: t"),
            "tools/call t true",
        ),
        (
            format!("{new}\nMcp-Method:  tools/call \nMcp-Name:  t "),
            "tools/call t true",
        ),
        (
            format!("{new}\nMcp-Method: acme/x\nMcp-Name: t"),
            "acme/x - true",
        ),
        (
            format!("{new}\nMcp-Method: tools/call\nMcp-Name: =?base64?5LiW55WM?="),
            "tools/call 世界 true",
        ),
        (
            format!("{new}\nMcp-Method: tools/call"),
            "the header `Mcp-Name` is missing -32020",
        ),
        (
            format!("{new}\nMcp-Method: tools/call\nMcp-Name: é"),
            "the value of the header `Mcp-Name` is malformed -32020",
        ),
        (
            format!("{new}\nMcp-Method: é"),
            "the value of the header `Mcp-Method` is malformed -32020",
        ),
        (
            format!("{new}\nMcp-Method: x\nMcp-Method: x"),
            "the header `Mcp-Method` is there more than once -32020",
        ),
        (
            format!("{new}\n{new}\nMcp-Method: x"),
            "the header `MCP-Protocol-Version` is there more than once -32020",
        ),
        (
            format!("{new}\nMCP-Protocol-Version: 2025-11-25"),
            "the header `MCP-Protocol-Version` is there more than once -32020",
        ),
        (
            format!("MCP-Protocol-Version: 2025-11-25\n{new}"),
            "the header `MCP-Protocol-Version` is there more than once -32020",
        ),
        (
            format!("{new}é"),
            "the value of the header `MCP-Protocol-Version` is malformed -32020",
        ),
        (
            "MCP-Protocol-Version: 2025-11-25\nMCP-Protocol-Version: 2025-06-18".to_owned(),
            "- - false",
        ),
        (
            format!("{new}\nMcp-Method: tools/call\nMcp-Name: =?base64?YQ0KQjogYw==?="),
            "tools/call a\r\nB: c true",
        ),
    ] {
        assert_eq!(told(&fields), expected, "{fields}");
    }
    let secret = headers(&format!(
        "{new}\nMcp-Method: resources/read\nMcp-Name: file:///secret"
    ));
    assert!(!format!("{:?}", route(&rules, &secret).unwrap()).contains("secret"));
}

#[test]
fn what_binds_who_sends() {
    let request = modern("tools/call", CALL);
    let request = Message::parse(request.as_bytes()).unwrap();
    let accept = "Accept: application/json, text/event-stream\n";
    let version = "MCP-Protocol-Version: 2026-07-28\n";
    let notification = Message::parse(br#"{"jsonrpc":"2.0","method":"notifications/x"}"#).unwrap();
    let ping = Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).unwrap();
    let initialize = Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#).unwrap();
    let modern = Rules::client().versions(MODERN);
    let new = Rules::client().negotiated(Version::V2025_11_25);
    let old = Rules::client().negotiated(Version::V2025_03_26);
    let all = format!("{accept}{version}Mcp-Method: tools/call\nMcp-Name: t");
    for (rules, message, fields, expected) in [
        (modern, &request, all.clone(), None),
        (
            modern,
            &request,
            all.replace(accept, ""),
            Some("header-missing Accept"),
        ),
        (
            modern,
            &request,
            all.replace(", text/event-stream", ""),
            Some("header-missing Accept"),
        ),
        (
            modern,
            &request,
            all.replace(version, ""),
            Some("header-missing MCP-Protocol-Version"),
        ),
        (
            modern,
            &request,
            all.replace("Name: t", "Name: u"),
            Some("header-mismatch Mcp-Name"),
        ),
        (modern, &notification, format!("{accept}{version}"), None),
        (
            modern,
            &notification,
            accept.to_owned(),
            Some("header-missing MCP-Protocol-Version"),
        ),
        (
            new,
            &ping,
            format!("{accept}MCP-Protocol-Version: 2025-11-25"),
            None,
        ),
        (
            new,
            &ping,
            accept.to_owned(),
            Some("version-header MCP-Protocol-Version"),
        ),
        (
            new,
            &ping,
            format!("{accept}MCP-Protocol-Version: 2025-06-18"),
            Some("version-header MCP-Protocol-Version"),
        ),
        (
            new,
            &notification,
            accept.to_owned(),
            Some("version-header MCP-Protocol-Version"),
        ),
        (new, &initialize, accept.to_owned(), None),
        (old, &ping, accept.to_owned(), None),
    ] {
        let told = check_outgoing(&rules, message, &headers(&fields))
            .err()
            .map(|error| {
                let header = error.kind().header().unwrap();
                format!("{} {header}", error.kind().name())
            });
        assert_eq!(told.as_deref(), expected, "{fields}");
    }
    let result = Message::parse(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#).unwrap();
    let server = Rules::server().negotiated(Version::V2025_11_25);
    for (id, is_good) in [
        ("1868a90c-6d7e_~!", true),
        ("18 68", false),
        ("é", false),
        ("", false),
    ] {
        let fields = headers(&format!("Mcp-Session-Id: {id}"));
        assert_eq!(
            check_outgoing(&server, &result, &fields).is_ok(),
            is_good,
            "{id}"
        );
    }
}

/// What the receiver refuses, the sender is told: a modern revision in the header demands `_meta` of a request.
#[test]
fn a_modern_header_binds_what_names_no_revision() {
    let fields = headers(
        "Accept: application/json, text/event-stream\nMCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\nMcp-Name: t",
    );
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},
            "clientInfo":{"name":"c","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    ] {
        let message = Message::parse(body.as_bytes()).unwrap();
        let refused = check(&Rules::server(), &message, &fields);
        assert!(refused.is_err(), "{body}");
        let told = check_outgoing(&Rules::client(), &message, &fields);
        assert_eq!(
            told.map_err(|error| error.code()),
            refused.map_err(|error| error.code()),
            "{body}"
        );
    }
}

/// Whatever headers a client sends, it is told what a server would refuse.
#[test]
fn the_sender_is_told_what_the_receiver_refuses() {
    let meta = |version: &str| {
        format!(
            r#""_meta":{{"io.modelcontextprotocol/protocolVersion":{version},"io.modelcontextprotocol/clientCapabilities":{{}}}}"#
        )
    };
    let accept = "Accept: application/json, text/event-stream\n";
    let agreed = |version| Rules::client().negotiated(version);
    let new = "MCP-Protocol-Version: 2026-07-28\n";
    let call = |rest: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{rest}{}}}}}"#,
            meta(r#""2026-07-28""#)
        )
    };
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let note = |version: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/x","params":{{{}}}}}"#,
            meta(version)
        )
    };
    for (client, body, fields) in [
        (
            agreed(Version::V2025_11_25),
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#.to_owned(),
            String::new(),
        ),
        (
            Rules::client(),
            call(""),
            format!("{new}Mcp-Method: tools/call"),
        ),
        (
            Rules::client(),
            list.to_owned(),
            "MCP-Protocol-Version: banana".to_owned(),
        ),
        (
            agreed(Version::V2025_03_26),
            list.to_owned(),
            "MCP-Protocol-Version: banana".to_owned(),
        ),
        (
            Rules::client(),
            list.to_owned(),
            "MCP-Protocol-Version: 2025-06-18\nMCP-Protocol-Version: 2025-11-25".to_owned(),
        ),
        (
            agreed(Version::V2026_07_28),
            r#"{"jsonrpc":"2.0","method":"notifications/x"}"#.to_owned(),
            "MCP-Protocol-Version: banana".to_owned(),
        ),
        (Rules::client(), note("5"), new.to_owned()),
        (
            agreed(Version::V2025_11_25),
            note("5"),
            "MCP-Protocol-Version: 2025-11-25".to_owned(),
        ),
        (
            Rules::client(),
            note(r#""2099-01-01""#),
            "MCP-Protocol-Version: 2099-01-01".to_owned(),
        ),
    ] {
        let (message, fields) = (
            Message::parse(body.as_bytes()).unwrap(),
            headers(&format!("{accept}{fields}")),
        );
        assert!(
            check(&Rules::server(), &message, &fields).is_err(),
            "{body}"
        );
        assert!(
            check_outgoing(&client, &message, &fields).is_err(),
            "{body}"
        );
    }
    // And not what it takes.
    let good = call(r#""name":"t","#);
    let fields = headers(&format!("{accept}{new}Mcp-Method: tools/call\nMcp-Name: t"));
    let core = Rules::client().methods(Methods::Core);
    let message = Message::parse(good.as_bytes()).unwrap();
    assert_eq!(check_outgoing(&core, &message, &fields), Ok(()));
}

/// To a client a proxy passes on what has no headers of this kind.
#[test]
fn a_proxy_needs_no_headers_for_answers() {
    for (version, body) in [
        (
            Version::V2025_11_25,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        ),
        (
            Version::V2026_07_28,
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#,
        ),
    ] {
        let message = Message::parse(body.as_bytes()).unwrap();
        let proxy = Rules::proxy().negotiated(version);
        assert_eq!(check_outgoing(&proxy, &message, &headers("")), Ok(()));
    }
}

/// What goes by headers never sees another thing than what goes by the body.
#[test]
fn no_name_and_no_handshake_hides_behind_headers() {
    let fields = headers("MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\nMcp-Name: a");
    for params in [
        "{}",
        r#"{"name":5}"#,
        r#"{"name":"\ud800"}"#,
        r#"{"name":"b"}"#,
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"tools/call","params":{params}}}"#);
        let message = Message::parse(body.as_bytes()).unwrap();
        let error = check(&Rules::server(), &message, &fields).unwrap_err();
        assert_eq!(
            error.kind(),
            ErrorKind::HeaderMismatch(Header::Name),
            "{body}"
        );
    }
    let initialize = Message::parse(
        br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},
            "clientInfo":{"name":"c","version":"1"}}}"#,
    )
    .unwrap();
    for (fields, is_taken) in [
        ("", true),
        ("MCP-Protocol-Version: 2099-01-01", true),
        ("MCP-Protocol-Version: 2025-06-18", true),
        ("MCP-Protocol-Version: 2026-07-28", false),
        (
            "MCP-Protocol-Version: 2026-07-28\nMCP-Protocol-Version: 2025-11-25",
            false,
        ),
        ("MCP-Protocol-Version: \u{e9}", false),
    ] {
        let found = check(&Rules::server(), &initialize, &headers(fields));
        assert_eq!(found.is_ok(), is_taken, "{fields}");
    }
}

/// A route and a body are read as the two together are.
#[test]
fn a_route_reads_the_body() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let batch = format!(" [{ping}]");
    let call = modern("tools/call", r#""name":"t","#);
    let called = "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\nMcp-Name: ";
    for (fields, body, is_read) in [
        ("MCP-Protocol-Version: 2025-03-26", &*batch, true),
        ("", &*batch, true),
        ("MCP-Protocol-Version: 2025-11-25", &*batch, false),
        ("MCP-Protocol-Version: 2025-11-25", ping, true),
        ("MCP-Protocol-Version: 2026-07-28", ping, false),
        (&*format!("{called}t"), &*call, true),
        (&*format!("{called}u"), &*call, false),
    ] {
        let (rules, fields) = (Rules::server(), headers(fields));
        let found = route(&rules, &fields)
            .unwrap()
            .read(&rules, body.as_bytes());
        assert_eq!(found.is_ok(), is_read, "{fields:?} {body}");
        let expected = read(&rules, body.as_bytes(), &fields);
        assert_eq!(found.err(), expected.err(), "{fields:?} {body}");
    }
}

#[test]
fn what_is_decided_before_the_body() {
    let json = "Content-Type: application/json\n";
    let limits = Limits::new().with_max_frame_bytes(10);
    let both = Ok(Negotiation::Post(Accepts {
        json: true,
        event_stream: true,
    }));
    let accepts = |json, event_stream| Ok(Negotiation::Post(Accepts { json, event_stream }));
    let any = Rules::server().limits(limits);
    let modern = any.versions(MODERN);
    let all = Refusal::Method {
        allow: "GET, POST, DELETE",
    };
    let post = Refusal::Method { allow: "POST" };
    let media_type = Refusal::Content(ContentError::MediaType);
    for (rules, method, fields, expected) in [
        (any, "POST", json.to_owned(), both),
        (any, "POST", format!("{json}Accept: */*"), both),
        (
            any,
            "POST",
            format!("{json}Accept: application/*, text/*;q=0.5"),
            both,
        ),
        (
            any,
            "POST",
            format!("{json}Accept: text/event-stream\nAccept: application/json"),
            both,
        ),
        (
            any,
            "POST",
            format!("{json}Accept: Application/JSON; v=1 , TEXT/event-stream"),
            both,
        ),
        (
            any,
            "POST",
            format!("{json}Accept: application/json"),
            accepts(true, false),
        ),
        (
            any,
            "POST",
            format!("{json}Accept: text/event-stream;q=0, */*;q=0.1"),
            accepts(true, false),
        ),
        (
            any,
            "POST",
            format!("{json}Accept: application/json;q=0.000, text/event-stream"),
            accepts(false, true),
        ),
        (
            any,
            "POST",
            format!("{json}Accept: nonsense, application/json"),
            accepts(true, false),
        ),
        (
            any,
            "POST",
            format!("{json}Accept: text/html"),
            Err(Refusal::Accept),
        ),
        (any, "POST", format!("{json}Accept:"), Err(Refusal::Accept)),
        (
            any,
            "POST",
            format!("{json}Accept: application/json;q=0"),
            Err(Refusal::Accept),
        ),
        (
            any,
            "POST",
            format!("{json}Accept: application/json+xml"),
            Err(Refusal::Accept),
        ),
        (any, "POST", "".to_owned(), Err(Refusal::NotJson)),
        (
            any,
            "POST",
            "Content-Type: text/plain".to_owned(),
            Err(Refusal::NotJson),
        ),
        (
            any,
            "POST",
            "Content-Type: text/event-stream".to_owned(),
            Err(Refusal::NotJson),
        ),
        (
            any,
            "POST",
            "Content-Type: application/json; charset=latin1".to_owned(),
            Err(Refusal::Content(ContentError::Charset)),
        ),
        (any, "POST", format!("{json}{json}"), Err(media_type)),
        (
            any,
            "POST",
            format!("{json}Content-Encoding: gzip"),
            Err(Refusal::Content(ContentError::Coding("gzip"))),
        ),
        (
            any,
            "POST",
            format!("{json}Content-Encoding: identity\nContent-Encoding: br"),
            Err(Refusal::Content(ContentError::Coding("br"))),
        ),
        (any, "POST", format!("{json}Content-Length: 10"), both),
        (
            any,
            "GET",
            "Accept: text/event-stream".to_owned(),
            Ok(Negotiation::Stream),
        ),
        (
            any,
            "GET",
            "Accept: application/json".to_owned(),
            Err(Refusal::Accept),
        ),
        (
            any,
            "GET",
            "Accept: text/event-stream\nMCP-Protocol-Version: 2026-07-28".to_owned(),
            Err(post),
        ),
        (any, "DELETE", "".to_owned(), Ok(Negotiation::End)),
        (
            any,
            "GET",
            "Accept: text/event-stream\nMCP-Protocol-Version: x".to_owned(),
            Err(Refusal::Version),
        ),
        (
            any,
            "DELETE",
            "MCP-Protocol-Version: x".to_owned(),
            Err(Refusal::Version),
        ),
        (
            any,
            "DELETE",
            "MCP-Protocol-Version: 2025-11-25".to_owned(),
            Ok(Negotiation::End),
        ),
        (any, "PUT", json.to_owned(), Err(all)),
        (any, "HEAD", json.to_owned(), Err(all)),
        (modern, "POST", json.to_owned(), both),
        (
            modern,
            "GET",
            "Accept: text/event-stream".to_owned(),
            Err(post),
        ),
        (modern, "DELETE", "".to_owned(), Err(post)),
    ] {
        let got = Negotiation::of_request(&rules, &method.parse().unwrap(), &headers(&fields));
        assert_eq!(got, expected, "{method} {fields}");
    }
    for (length, len) in [
        ("11", 11),
        ("4294967296", 1 << 32),
        ("99999999999999999999999", u64::MAX),
    ] {
        let fields = headers(&format!("{json}Content-Length: {length}"));
        match Negotiation::of_request(&any, &Method::POST, &fields) {
            Err(Refusal::TooLong(over)) => {
                assert_eq!((over.part, over.len, over.limit), (Part::Body, len, 10));
            }
            other => panic!("{other:?}"),
        }
    }
    for (refusal, status, allow) in [
        (all, 405, Some("GET, POST, DELETE")),
        (Refusal::Version, 400, None),
        (Refusal::Accept, 406, None),
        (Refusal::NotJson, 415, None),
        (media_type, 415, None),
    ] {
        assert_eq!(refusal.status(), status);
        assert_eq!(
            refusal
                .allow()
                .map(|value| value.to_str().unwrap().to_owned())
                .as_deref(),
            allow
        );
    }
}

#[test]
fn statuses_and_headers_of_answers() {
    let of = |body: &str| accepted_status(&Message::parse(body.as_bytes()).unwrap());
    assert_eq!(
        of(r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#),
        StatusCode::OK
    );
    assert_eq!(
        of(r#"{"jsonrpc":"2.0","method":"x"}"#),
        StatusCode::ACCEPTED
    );
    assert_eq!(
        of(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
        StatusCode::ACCEPTED
    );
    for (code, modern, legacy) in [
        (-32700, 400, 400),
        (-32600, 400, 400),
        (-32601, 404, 200),
        (-32602, 200, 200),
        (-32603, 200, 200),
        (-32020, 400, 200),
        (-32021, 400, 200),
        (-32022, 400, 200),
        (-32000, 200, 200),
        (7, 200, 200),
    ] {
        assert_eq!(status(code, Version::V2026_07_28), modern, "{code}");
        assert_eq!(status(code, Version::V2025_11_25), legacy, "{code}");
    }
    let stream = event_stream_headers();
    assert_eq!(stream["content-type"], "text/event-stream");
    assert_eq!(stream["x-accel-buffering"], "no");
    assert_eq!(stream["cache-control"], "no-cache");
}
