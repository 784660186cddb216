//! A request, a notification, a response and its headers, revision by revision.

use super::{CALL, LEGACY, MODERN, NO_ASSUMED, OLDEST, headers, modern, named, verdict};
use http::HeaderMap;
use rpcslice::encode::{Details, Framing, reply, reply_with};
use rpcslice::http::{ParamPlan, check, held, read, request_headers, revision, route};
use rpcslice::json::RawJson;
use rpcslice::mcp::{Incoming, Methods, Rules, Version, Versions};
use rpcslice::{ErrorKind, Header, Message};

#[test]
fn a_modern_request_and_each_header() {
    let all = "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\nMcp-Name: t\n";
    let body = modern("tools/call", CALL);
    let missing = |header: &str| format!("header-missing {header} -32020");
    let mismatch = |header: &str| format!("header-mismatch {header} -32020");
    let invalid = |header: &str| format!("header-invalid {header} -32020");
    let repeated = |header: &str| format!("header-repeated {header} -32020");
    const V: &str = "MCP-Protocol-Version";
    const M: &str = "Mcp-Method";
    const N: &str = "Mcp-Name";
    let ok = || "ok".to_owned();
    for (from, to, expected) in [
        ("", "", ok()),
        // Around a value white space means nothing.
        ("Name: t", "Name:  \tt \t", ok()),
        ("2026-07-28", "2026-07-28 ", ok()),
        ("tools/call", "\ttools/call", ok()),
        ("Mcp-Name: t", "Mcp-Name: =?base64?dA==?=", ok()),
        ("MCP-Protocol-Version: 2026-07-28\n", "", missing(V)),
        ("Mcp-Method: tools/call\n", "", missing(M)),
        ("Mcp-Name: t\n", "", missing(N)),
        ("2026-07-28", "2025-11-25", mismatch(V)),
        ("2026-07-28", "", mismatch(V)),
        ("2026-07-28", "2026-07-28, 2026-07-28", mismatch(V)),
        ("2026-07-28", "=?base64?MjAyNi0wNy0yOA==?=", mismatch(V)),
        ("tools/call", "Tools/call", mismatch(M)),
        ("tools/call", "tools/list", mismatch(M)),
        ("tools/call", "=?base64?dG9vbHMvY2FsbA==?=", mismatch(M)),
        ("Name: t", "Name: T", mismatch(N)),
        ("Name: t", "Name: t t", mismatch(N)),
        ("Name: t", "Name:", mismatch(N)),
        ("Name: t", "Name: =?base64?dA?=", invalid(N)),
        ("Name: t", "Name: =?base64?/w==?=", invalid(N)),
        ("Name: t", "Name: é", invalid(N)),
        ("2026-07-28", "é", invalid(V)),
        ("tools/call", "é", invalid(M)),
        ("Mcp-Name: t", "Mcp-Name: t\nmcp-name: t", repeated(N)),
        ("Mcp-Name: t", "Mcp-Name: t\nMCP-NAME: u", repeated(N)),
        (
            "Mcp-Method: tools/call",
            "Mcp-Method: tools/call\nMcp-Method: tools/call",
            repeated(M),
        ),
        (
            "MCP-P",
            "mcp-protocol-version: 2026-07-28\nMCP-P",
            repeated(V),
        ),
        (
            "MCP-P",
            "mcp-protocol-version: 2025-11-25\nMCP-P",
            repeated(V),
        ),
        // Of several the first in the decided order.
        (
            "2026-07-28\nMcp-Method: tools/call",
            "2025-11-25\nMcp-Method: x",
            mismatch(V),
        ),
        ("tools/call\nMcp-Name: t", "x\nMcp-Name: y", mismatch(M)),
    ] {
        let changed = all.replacen(from, to, 1);
        for served in [MODERN, Versions::ALL] {
            let rules = Rules::server().versions(served);
            assert_eq!(
                verdict(&rules, &body, &headers(&changed)),
                expected,
                "{changed}"
            );
            let proxy = Rules::proxy().versions(served);
            assert_eq!(
                verdict(&proxy, &body, &headers(&changed)),
                expected,
                "{changed}"
            );
        }
        // A client's rules have no such headers, and to a legacy server the key of `_meta` means nothing.
        let client = Rules::client().negotiated(Version::V2025_11_25);
        let is_asked = check(
            &client,
            &Message::parse(body.as_bytes()).unwrap(),
            &headers(&changed),
        );
        assert!(is_asked.is_err_and(|error| error.kind().header().is_none()));
    }
}

#[test]
fn the_order_of_the_checks() {
    let all = "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\nMcp-Name: u";
    let rules = Rules::server().versions(MODERN);
    let no_capabilities = modern("tools/call", CALL).replace("clientCapabilities", "x");
    let no_name = modern("tools/call", "");
    let unserved = named("2027-01-01", "tools/call", CALL);
    let core = rules.methods(rpcslice::mcp::Methods::Core);
    for (rules, body, fields, expected) in [
        (rules, "{", all, "unexpected-end -32700"),
        (
            rules,
            r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
            all,
            "invalid-member -32600",
        ),
        (rules, &*no_capabilities, "", "missing-member -32602"),
        (
            rules,
            &*modern("tools/call", CALL),
            all,
            "header-mismatch Mcp-Name -32020",
        ),
        (
            rules,
            &*unserved,
            all,
            "header-mismatch MCP-Protocol-Version -32020",
        ),
        (
            rules,
            &*unserved,
            "MCP-Protocol-Version: 2027-01-01\nMcp-Method: tools/call\nMcp-Name: u",
            "header-mismatch Mcp-Name -32020",
        ),
        (
            rules,
            &*unserved,
            "MCP-Protocol-Version: 2027-01-01\nMcp-Method: tools/call\nMcp-Name: t",
            "unsupported-version -32022",
        ),
        (
            core,
            &*modern("acme/x", ""),
            "MCP-Protocol-Version: 2026-07-28",
            "header-missing Mcp-Method -32020",
        ),
        (
            core,
            &*modern("acme/x", ""),
            "MCP-Protocol-Version: 2026-07-28\nMcp-Method: acme/x",
            "method-not-found -32601",
        ),
        // Without a name in the body there is none to mirror: its params are at fault.
        (
            rules,
            &*no_name,
            "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call",
            "missing-member -32602",
        ),
        (
            rules,
            &*modern("tools/call", r#""name":"\ud83d","#),
            "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call",
            "invalid-member -32602",
        ),
    ] {
        assert_eq!(
            verdict(&rules, body, &headers(fields)),
            expected,
            "{body} {fields}"
        );
    }
}

#[test]
fn which_name_is_mirrored() {
    for (method, rest, name) in [
        ("tools/call", r#""name":"n","uri":"u","#, Some("n")),
        ("prompts/get", r#""uri":"u","name":"n","#, Some("n")),
        ("resources/read", r#""name":"n","uri":"u","#, Some("u")),
        ("tasks/get", r#""taskId":"k","name":"n","#, Some("k")),
        (
            "tasks/update",
            r#""taskId":"k","inputResponses":{},"#,
            Some("k"),
        ),
        ("tasks/cancel", r#""taskId":"k","#, Some("k")),
        ("tools/list", r#""name":"n","#, None),
        ("acme/x", r#""name":"n","#, None),
    ] {
        let body = modern(method, rest);
        let base = format!("MCP-Protocol-Version: 2026-07-28\nMcp-Method: {method}\n");
        let rules = Rules::server().versions(MODERN);
        let with = |name: &str| headers(&format!("{base}Mcp-Name: {name}"));
        match name {
            Some(name) => {
                assert_eq!(verdict(&rules, &body, &with(name)), "ok", "{method}");
                assert_eq!(
                    verdict(&rules, &body, &with("x")),
                    "header-mismatch Mcp-Name -32020"
                );
                assert_eq!(
                    verdict(&rules, &body, &headers(&base)),
                    "header-missing Mcp-Name -32020"
                );
                let to = with(name);
                assert_eq!(route(&rules, &to).unwrap().name.as_deref(), Some(name));
            }
            // On a method without one it is ignored, whatever it is.
            None => {
                assert_eq!(verdict(&rules, &body, &with("é")), "ok", "{method}");
                assert_eq!(route(&rules, &with("é")).unwrap().name, None);
            }
        }
    }
}

#[test]
fn what_a_header_means_to_the_others() {
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
    let told = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let said = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let batch = format!("[{list}]");
    let new = "MCP-Protocol-Version: 2026-07-28";
    let old = "MCP-Protocol-Version: 2025-11-25";
    let unknown = "MCP-Protocol-Version: 2027-01-01";
    let latin = "MCP-Protocol-Version: é";
    let copies = "MCP-Protocol-Version: 2025-11-25\nmcp-protocol-version:  2025-11-25";
    let both = "MCP-Protocol-Version: 2025-11-25\nMCP-Protocol-Version: 2025-06-18";
    let first = "MCP-Protocol-Version: 2025-03-26";
    let legacy = "version-header MCP-Protocol-Version -32600";
    let modern = "unsupported-version -32022";
    for (served, body, fields, expected) in [
        // A request that names no revision.
        (Versions::ALL, list, "", "ok"),
        (Versions::ALL, list, old, "ok"),
        (Versions::ALL, list, new, "missing-member -32602"),
        (Versions::ALL, list, unknown, modern),
        (Versions::ALL, list, latin, modern),
        (Versions::ALL, list, copies, "ok"),
        (Versions::ALL, list, both, modern),
        (LEGACY, list, "", "ok"),
        (LEGACY, list, old, "ok"),
        (LEGACY, list, new, legacy),
        (LEGACY, list, unknown, legacy),
        (LEGACY, list, both, legacy),
        (LEGACY, list, copies, "ok"),
        (NO_ASSUMED, list, "", "ok"),
        (NO_ASSUMED, list, first, legacy),
        (MODERN, list, "", modern),
        (MODERN, list, old, modern),
        (MODERN, list, unknown, modern),
        (MODERN, list, new, "missing-member -32602"),
        (
            MODERN,
            &*list.replace("{}", r#"{"_meta":[]}"#),
            "",
            "invalid-member -32602",
        ),
        // To those that had no such header it is one like any other.
        (OLDEST, list, new, "ok"),
        (OLDEST, list, unknown, "ok"),
        (OLDEST, list, latin, "ok"),
        (OLDEST, &*batch, "", "batch of 1"),
        (OLDEST, &*batch, old, "batch of 1"),
        // Nothing has been agreed on yet.
        (Versions::ALL, initialize, unknown, "ok"),
        // But who goes by headers would take it for another.
        (Versions::ALL, initialize, new, modern),
        (LEGACY, initialize, unknown, "ok"),
        (MODERN, initialize, "", modern),
        (MODERN, initialize, new, modern),
        // Notifications and responses.
        (Versions::ALL, told, "", "ok"),
        (Versions::ALL, told, new, "ok"),
        (Versions::ALL, told, unknown, modern),
        (MODERN, told, "", "ok"),
        (MODERN, told, new, "ok"),
        (MODERN, told, old, modern),
        (LEGACY, told, unknown, legacy),
        (Versions::ALL, said, "", "ok"),
        (Versions::ALL, said, old, "ok"),
        (Versions::ALL, said, new, "wrong-direction -32600"),
        (LEGACY, said, "", "ok"),
        (MODERN, said, new, "wrong-direction -32600"),
        (MODERN, said, "", "wrong-direction -32600"),
        // Batches are of one revision, which is the one assumed.
        (Versions::ALL, &*batch, "", "batch of 1"),
        (Versions::ALL, &*batch, first, "batch of 1"),
        (Versions::ALL, &*batch, old, "batch -32600"),
        (Versions::ALL, &*batch, new, "batch -32600"),
        (Versions::ALL, &*batch, unknown, modern),
        (NO_ASSUMED, &*batch, "", "batch -32600"),
        (MODERN, &*batch, "", "batch -32600"),
    ] {
        let rules = Rules::server().versions(served);
        assert_eq!(
            verdict(&rules, body, &headers(fields)),
            expected,
            "{served:?} {body} {fields}"
        );
    }
    // What the connection has agreed on holds where no header says anything.
    let agreed = Rules::server().negotiated(Version::V2025_11_25);
    assert_eq!(verdict(&agreed, &batch, &headers("")), "batch -32600");
    assert_eq!(verdict(&agreed, &batch, &headers(first)), "batch of 1");
    let assumed = |rules: &Rules, fields: &str| {
        revision(rules, &headers(fields)).map(|found| (found.version, found.is_assumed))
    };
    let any = Rules::server();
    assert_eq!(assumed(&any, ""), Some((Version::V2025_03_26, true)));
    assert_eq!(assumed(&agreed, ""), Some((Version::V2025_11_25, true)));
    assert_eq!(assumed(&agreed, first), Some((Version::V2025_03_26, false)));
    assert_eq!(assumed(&any, copies), Some((Version::V2025_11_25, false)));
    assert_eq!(assumed(&any, both), None);
    assert_eq!(assumed(&any, unknown), None);
    assert_eq!(assumed(&any.versions(NO_ASSUMED), ""), None);
    assert_eq!(
        assumed(&any.versions(OLDEST), unknown),
        Some((Version::V2025_03_26, true))
    );
    // An answer is written by the revision that the headers name: with `"id":null` before 2025-11-25.
    for (fields, has_null) in [
        ("", true),
        ("MCP-Protocol-Version: 2025-06-18", true),
        (old, false),
        (new, false),
    ] {
        let fields = headers(fields);
        let error = read(&any, b"[]x", &fields).unwrap_err();
        let mut out = Vec::new();
        reply(
            &mut out,
            &error,
            b"[]x",
            &held(&any, &fields),
            Framing::Body,
        );
        assert_eq!(
            String::from_utf8(out).unwrap().contains(r#""id":null"#),
            has_null
        );
    }
    // To a client there are no such headers.
    let client = Rules::client();
    for fields in ["", old, latin] {
        assert_eq!(
            verdict(&client, &format!("[{said}]"), &headers(fields)),
            "batch -32600"
        );
        assert_eq!(verdict(&client, said, &headers(fields)), "ok");
    }
}

/// What only the headers say, and the plan knows, the answer says too.
#[test]
fn answers_name_the_version_and_the_header_that_the_error_only_numbers() {
    let rules = Rules::server().versions(MODERN);
    let body = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let mut out = Vec::new();
    let error = read(&rules, body, &headers("")).unwrap_err();
    let details = Details::new().requested("19\"00");
    reply_with(&mut out, &error, body, &rules, Framing::Body, &details);
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains(r#""requested":"19\"00"}"#), "{text}");

    let schema = br#"{"properties":{"r":{"type":"string","x-mcp-header":"Region"}}}"#;
    let plan = ParamPlan::compile(RawJson::parse(schema).unwrap()).unwrap();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"r":"eu"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let message = Message::parse(body.as_bytes()).unwrap();
    let error = plan.check(&rules, &message, &HeaderMap::new()).unwrap_err();
    let Some(Header::Param(number)) = error.kind().header() else {
        panic!("{error}");
    };
    for (details, name) in [
        (Details::new(), "Mcp-Param-*"),
        (
            Details::new().header(plan.header_name(number).unwrap().as_str()),
            "mcp-param-region",
        ),
    ] {
        let mut out = Vec::new();
        reply_with(
            &mut out,
            &error,
            body.as_bytes(),
            &rules,
            Framing::Body,
            &details,
        );
        let text = String::from_utf8(out).unwrap();
        let expected = format!(r#""message":"the header `{name}` is missing""#);
        assert!(text.contains(&expected), "{text}");
    }
}

#[test]
fn a_modern_notification_needs_no_headers_but_agrees_with_those_it_has() {
    let told = r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    let plain = r#"{"jsonrpc":"2.0","method":"notifications/x"}"#;
    let called = r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"t"}}"#;
    let new = "MCP-Protocol-Version: 2026-07-28\n";
    let rules = Rules::server();
    for (body, fields, expected) in [
        (told, "".to_owned(), "ok"),
        (told, new.to_owned(), "ok"),
        (told, format!("{new}Mcp-Method: notifications/x"), "ok"),
        (
            told,
            format!("{new}Mcp-Method: notifications/y"),
            "header-mismatch Mcp-Method -32020",
        ),
        (
            told,
            "MCP-Protocol-Version: 2025-11-25".to_owned(),
            "header-mismatch MCP-Protocol-Version -32020",
        ),
        (
            told,
            format!("{new}{new}"),
            "header-repeated MCP-Protocol-Version -32020",
        ),
        (told, format!("{new}Mcp-Name: é"), "ok"),
        (
            told,
            "MCP-Protocol-Version: 2027-01-01".to_owned(),
            "unsupported-version -32022",
        ),
        (
            &*told.replace("2026-07-28", "2027-01-01"),
            "MCP-Protocol-Version: 2027-01-01".to_owned(),
            "unsupported-version -32022",
        ),
        (
            &*told.replace("2026-07-28", "2027-01-01"),
            "".to_owned(),
            "ok",
        ),
        (
            &*told.replace("\"2026-07-28\"", "5"),
            new.to_owned(),
            "invalid-member -32602",
        ),
        // One that calls a tool, as far as a careless server goes.
        (
            called,
            format!("{new}Mcp-Method: tools/call\nMcp-Name: t"),
            "ok",
        ),
        (called, format!("{new}Mcp-Method: tools/call"), "ok"),
        (
            called,
            format!("{new}Mcp-Method: tools/call\nMcp-Name: u"),
            "header-mismatch Mcp-Name -32020",
        ),
        (
            plain,
            format!("{new}Mcp-Method: notifications/y"),
            "header-mismatch Mcp-Method -32020",
        ),
        (
            plain,
            format!("{new}{new}"),
            "header-repeated MCP-Protocol-Version -32020",
        ),
        (plain, "Mcp-Method: notifications/y".to_owned(), "ok"), // of a legacy client, as far as is known
    ] {
        assert_eq!(
            verdict(&rules, body, &headers(&fields)),
            expected,
            "{body} {fields}"
        );
    }
}

#[test]
fn a_draft_is_mirrored_by_its_name() {
    let rules = Rules::server().versions(MODERN.with_draft("DRAFT-2027"));
    let body = named("DRAFT-2027", "tools/call", CALL);
    let fields = "MCP-Protocol-Version: DRAFT-2027\nMcp-Method: tools/call\nMcp-Name: t";
    assert_eq!(verdict(&rules, &body, &headers(fields)), "ok");
    let older = fields.replace("DRAFT-2027", "2026-07-28");
    let mismatch = "header-mismatch MCP-Protocol-Version -32020";
    assert_eq!(verdict(&rules, &body, &headers(&older)), mismatch);
    let to = headers(fields);
    assert!(route(&rules, &to).unwrap().is_mirrored);
    let message = Message::parse(body.as_bytes()).unwrap();
    let written = request_headers(&message, Version::LATEST, None).unwrap();
    assert_eq!(check(&rules, &message, &written), Ok(()));
}

/// It would have no headers of its own: what names a revision without batches is no element of one.
#[test]
fn no_modern_request_hides_in_a_batch() {
    let body = format!(
        r#"[{},{{"jsonrpc":"2.0","id":2,"method":"ping"}}]"#,
        modern("tools/call", CALL)
    );
    for fields in ["", "MCP-Protocol-Version: 2025-03-26\nMcp-Method: ping"] {
        let fields = headers(fields);
        let Ok(Incoming::Batch(batch)) = read(&Rules::server(), body.as_bytes(), &fields) else {
            panic!("a batch");
        };
        let error = batch.get(0).unwrap().unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Batch, -32600));
        assert_eq!(error.id(body.as_bytes()).unwrap().raw(), "1");
        assert!(batch.get(1).unwrap().is_ok());
        // To who serves legacy revisions alone, the key means nothing.
        let legacy = Rules::server().versions(LEGACY);
        let Ok(Incoming::Batch(batch)) = read(&legacy, body.as_bytes(), &fields) else {
            panic!("a batch");
        };
        assert!(batch.get(0).unwrap().is_ok());
    }
}

/// A core server does not have it, and says so; its extension has the header.
#[test]
fn methods_of_extensions_are_mirrored_where_they_are_there() {
    let body = modern("tasks/get", r#""taskId":"k","#);
    let fields = headers("MCP-Protocol-Version: 2026-07-28\nMcp-Method: tasks/get");
    let any = Rules::server();
    let core = any.methods(Methods::Core);
    assert_eq!(
        verdict(&any, &body, &fields),
        "header-missing Mcp-Name -32020"
    );
    assert_eq!(verdict(&core, &body, &fields), "method-not-found -32601");
    assert!(route(&any, &fields).is_err() && route(&core, &fields).is_ok());
}
