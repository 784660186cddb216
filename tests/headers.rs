//! HTTP headers against bodies: what each means in each revision, alone and for who routes by them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

use ::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use rpcslice::frame::{ContentError, Part};
use rpcslice::http::{
    Accepts, Negotiation, ParamPlan, Refusal, accepted_status, check, check_outgoing,
    event_stream_headers, read, request_headers, revision, route, status, stream_headers,
};
use rpcslice::json::RawJson;
use rpcslice::mcp::{Incoming, Rules, Version, Versions};
use rpcslice::{Header, Limits, Message};

const MODERN: Versions = Versions::of(&[Version::V2026_07_28]);
const LEGACY: Versions = Versions::of(&[
    Version::V2024_11_05,
    Version::V2025_03_26,
    Version::V2025_06_18,
    Version::V2025_11_25,
]);
const OLDEST: Versions = Versions::of(&[Version::V2024_11_05, Version::V2025_03_26]);
const NO_ASSUMED: Versions = Versions::of(&[Version::V2025_06_18, Version::V2025_11_25]);

/// `Name: value` a line.
fn headers(text: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').unwrap();
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        // One space behind the colon is for reading; any other goes on the wire.
        let value = value.strip_prefix(' ').unwrap_or(value);
        headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
    }
    headers
}

/// A modern request; `$` in `rest` stands for nothing else.
fn modern(method: &str, rest: &str) -> String {
    named("2026-07-28", method, rest)
}

fn named(version: &str, method: &str, rest: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{rest}"_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    )
}

/// `ok`, or what is wrong: the kind, the header, the code.
fn verdict(rules: &Rules, body: &str, headers: &HeaderMap) -> String {
    let told = match read(rules, body.as_bytes(), headers) {
        Ok(Incoming::Message(_)) => "ok".to_owned(),
        Ok(Incoming::Batch(batch)) => format!("batch of {}", batch.len()),
        Err(error) => {
            let header = error.kind().header();
            let header = header
                .map(|header| format!(" {header}"))
                .unwrap_or_default();
            assert_eq!(
                error.http_status(),
                if error.code() == -32601 { 404 } else { 400 }
            );
            format!("{}{header} {}", error.kind().name(), error.code())
        }
    };
    // The three ways agree.
    if let Ok(message) = Message::parse(body.as_bytes()) {
        let checked = check(rules, &message, headers);
        let is_same = match &checked {
            Ok(()) => told == "ok",
            Err(error) => told.starts_with(error.kind().name()),
        };
        assert!(is_same, "{body}: {told}, {checked:?}");
        if let Ok(route) = route(rules, headers) {
            assert_eq!(route.check(rules, &message), checked, "{body}");
        }
    }
    told
}

const CALL: &str = r#""name":"t","#;

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
        // To those that had no such header it is one like any other.
        (OLDEST, list, new, "ok"),
        (OLDEST, list, unknown, "ok"),
        (OLDEST, list, latin, "ok"),
        // Nothing has been agreed on yet.
        (Versions::ALL, initialize, unknown, "ok"),
        (Versions::ALL, initialize, new, "ok"),
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
}

#[test]
fn a_modern_notification_needs_no_headers_but_agrees_with_those_it_has() {
    let told = r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    let plain = r#"{"jsonrpc":"2.0","method":"notifications/x"}"#;
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
    ] {
        assert_eq!(told(&fields), expected, "{fields}");
    }
    let secret = headers(&format!(
        "{new}\nMcp-Method: resources/read\nMcp-Name: file:///secret"
    ));
    assert!(!format!("{:?}", route(&rules, &secret).unwrap()).contains("secret"));
}

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
            "header-mismatch 1",
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

#[test]
fn what_binds_who_sends() {
    let request = modern("tools/call", CALL);
    let request = Message::parse(request.as_bytes()).unwrap();
    let good = "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\nMcp-Name: t";
    let client = Rules::client();
    assert_eq!(check_outgoing(&client, &request, &headers(good)), Ok(()));
    let error = check_outgoing(&client, &request, &headers("")).unwrap_err();
    assert_eq!(error.kind().header(), Some(Header::ProtocolVersion));
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
