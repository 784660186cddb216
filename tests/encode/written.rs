//! What the writer writes, to the byte, and what it refuses.

use super::raw;
use Version::{V2025_06_18, V2025_11_25, V2026_07_28};
use bytes::BytesMut;
use rpcslice::encode::{
    CacheScope, ClientProfile, EncodeError, EventFields, FieldError, Framing, Object, ReplyTo,
    ServerProfile, Writer,
};
use rpcslice::frame::SseDecoder;
use rpcslice::mcp::{Method, Methods, Rules, Transport, Version, Versions};
use rpcslice::{ErrorKind, Id, IdBuf, Limits, Member, Message, Policy, View};

fn id(raw: &str) -> Id<'_> {
    Id::from_raw(raw).unwrap()
}

fn to(raw: &str) -> ReplyTo<'_> {
    ReplyTo::new(id(raw))
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> Result<(), EncodeError>) -> Result<String, ErrorKind> {
    let mut out = Vec::new();
    match write(&mut out) {
        Ok(()) => Ok(String::from_utf8(out).unwrap()),
        Err(error) => {
            assert!(out.is_empty(), "something was written: {out:?}");
            match error {
                EncodeError::Rule(error) => Err(error.kind()),
                other => panic!("{other}"),
            }
        }
    }
}

#[test]
fn the_four_kinds_under_a_legacy_revision() {
    let client = Writer::new(Rules::client(), V2025_11_25);
    let server = Writer::new(Rules::server(), V2025_11_25).framing(Framing::Line);
    assert_eq!(
        text(|out| client.request(out, id("\"\\u0061\""), "tools/list", None)).unwrap(),
        r#"{"jsonrpc":"2.0","id":"\u0061","method":"tools/list"}"#
    );
    assert_eq!(
        text(|out| client.request(out, id("1"), "a\"\nb", Some(raw("{ }")))).unwrap(),
        r#"{"jsonrpc":"2.0","id":1,"method":"a\"\nb","params":{ }}"#
    );
    let params = raw("{\"n\": 1.50 ,\n\"t\":\"\\n\u{2028}\"}");
    assert_eq!(
        text(|out| client.notification(out, "x", Some(params))).unwrap(),
        "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"n\": 1.50 ,\n\"t\":\"\\n\u{2028}\"}}"
    );
    assert_eq!(
        text(|out| server.notification(out, "x", Some(params))).unwrap(),
        "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"n\": 1.50 , \"t\":\"\\n\u{2028}\"}}\n"
    );
    assert_eq!(
        text(|out| server.result(out, to("-0"), raw("{\"a\":[\r\n]}"))).unwrap(),
        "{\"jsonrpc\":\"2.0\",\"id\":-0,\"result\":{\"a\":[  ]}}\n"
    );
    assert_eq!(
        text(|out| server.error(
            out,
            to("1"),
            -1,
            format_args!("\"{}\"", 'é'),
            Some(raw("[1,\n2]"))
        ))
        .unwrap(),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\"\\\"é\\\"\",\"data\":[1, 2]}}\n"
    );
    let old = Writer::new(Rules::server(), V2025_06_18);
    for (writer, expected) in [
        (
            server.framing(Framing::Body),
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"?"}}"#,
        ),
        (
            old,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}"#,
        ),
    ] {
        let error = text(|out| writer.error_without_id(out, -32700, "?", None));
        assert_eq!(error.unwrap(), expected);
    }
}

#[test]
fn on_stdio_there_is_no_line_break_however_it_is_framed() {
    let rules = Rules::server().transport(Transport::Stdio);
    let writer = Writer::new(rules, V2025_11_25);
    for (writer, expected) in [
        (writer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{ }}"),
        (
            writer.framing(Framing::Line).framing(Framing::Body),
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{ }}",
        ),
        (
            Writer::new(rules.transport(Transport::Any), V2025_11_25),
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\n}}",
        ),
    ] {
        let result = text(|out| writer.result(out, to("1"), raw("{\n}"))).unwrap();
        assert_eq!(result, expected);
    }
    let message = Message::parse(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\n}}").unwrap();
    let error = rules.check_outgoing(&message).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LineBreak);
}

#[test]
fn separators_are_escaped_wherever_they_stand_if_that_is_wanted() {
    let writer = Writer::new(Rules::client(), V2025_11_25).escape_line_separators();
    let params = raw("{\"\u{2028}\":\"\u{2029}\u{202a}\"}");
    let request = text(|out| writer.request(out, id("\"\u{2028}\""), "\u{2029}", Some(params)));
    assert_eq!(
        request.unwrap(),
        "{\"jsonrpc\":\"2.0\",\"id\":\"\\u2028\",\"method\":\"\\u2029\",\"params\":{\"\\u2028\":\"\\u2029\u{202a}\"}}"
    );
}

#[test]
fn an_id_that_would_be_another_is_not_written() {
    let writer = Writer::new(Rules::server(), V2025_11_25);
    let escaping = writer.escape_line_separators();
    for (writer, raw_id, expected) in [
        (escaping, "\"\\ud800\u{2028}\"", None),
        (escaping, "\"\u{2029}\\ud800\"", None),
        (escaping, "\"\\ud800\u{2013}\"", Some("\"\\ud800\u{2013}\"")),
        (escaping, "\"\u{2028}\"", Some("\"\\u2028\"")),
        (writer, "\"\\ud800\u{2028}\"", Some("\"\\ud800\u{2028}\"")),
    ] {
        let result = text(|out| writer.result(out, to(raw_id), raw("{}")));
        let whole = |id: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}");
        let expected = expected.map(whole).ok_or(ErrorKind::Invalid(Member::Id));
        assert_eq!(result, expected, "{raw_id}");
        let error = text(|out| writer.error(out, to(raw_id), 1, "", None));
        assert_eq!(error.is_ok(), expected.is_ok(), "{raw_id}");
    }
}

const META: &str = concat!(
    r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientCapabilities":{"roots":{ }},"#,
    r#""io.modelcontextprotocol/clientInfo":{"name":"\"c\"","version":"1"}"#
);

#[test]
fn modern_requests_say_what_they_have_to_wherever_it_has_a_place() {
    let profile = ClientProfile::new(raw("{\"roots\":{\n}}")).unwrap();
    let profile = profile.named("\"c\"", "1");
    let writer = Writer::new(Rules::client(), V2026_07_28).client(&profile);
    let own = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
    let rest = META.split_once(',').unwrap().1;
    for (params, expected) in [
        (None, format!("{{\"_meta\":{{{META}}}}}")),
        (Some("{}"), format!("{{\"_meta\":{{{META}}}}}")),
        (Some("{ }"), format!("{{\"_meta\":{{{META}}} }}")),
        (
            Some("{\"a\":1}"),
            format!("{{\"_meta\":{{{META}}},\"a\":1}}"),
        ),
        (Some("{\"_meta\":{}}"), format!("{{\"_meta\":{{{META}}}}}")),
        (
            Some("{\"a\":1, \"_m\\u0065ta\" : { \"k\":2 } }"),
            format!("{{\"a\":1, \"_m\\u0065ta\" : {{{META}, \"k\":2 }} }}"),
        ),
        // What is there stays, however it is spelt.
        (
            Some(&*format!(
                "{{\"_meta\":{{{}}}}}",
                own.replace('p', "\\u0070")
            )),
            format!("{{\"_meta\":{{{rest},{}}}}}", own.replace('p', "\\u0070")),
        ),
        (
            Some(&*format!("{{\"_meta\":{{{META}}}}}")),
            format!("{{\"_meta\":{{{META}}}}}"),
        ),
    ] {
        let request = text(|out| writer.request(out, id("1"), "tools/list", params.map(raw)));
        let whole =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{expected}}}"#);
        assert_eq!(request.unwrap(), whole);
        let message = Message::parse(whole.as_bytes()).unwrap();
        assert_eq!(Rules::client().check_outgoing(&message), Ok(()));
    }
    // Under a legacy revision nothing is added, and to notifications never.
    let legacy = Writer::new(Rules::client(), V2025_11_25).client(&profile);
    assert!(
        !text(|out| legacy.request(out, id("1"), "x", None))
            .unwrap()
            .contains("params")
    );
    assert!(
        !text(|out| writer.notification(out, "x", None))
            .unwrap()
            .contains("params")
    );
    // A draft goes by its own name.
    let rules = Rules::client().versions(Versions::of(&[]).with_draft("DRAFT-\"x\""));
    let draft = Writer::new(rules, V2026_07_28)
        .client(&profile)
        .draft("DRAFT-\"x\"");
    let request = text(|out| draft.request(out, id("1"), "tools/list", None)).unwrap();
    let message = Message::parse(request.as_bytes()).unwrap();
    assert_eq!(message.protocol_version().unwrap(), "DRAFT-\"x\"");
    assert_eq!(rules.check_outgoing(&message), Ok(()));
}

#[test]
fn modern_results_say_what_they_have_to() {
    let profile = ServerProfile::new()
        .named("s", "1")
        .cache(60_000, CacheScope::Public);
    let writer = Writer::new(Rules::server(), V2026_07_28).server(&profile);
    let info = r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}"#;
    let tools = Some(Method::ToolsList);
    for (method, result, expected) in [
        (None, "{}", format!(r#"{{"resultType":"complete",{info}}}"#)),
        (
            tools,
            r#"{"tools":[]}"#,
            format!(
                r#"{{"resultType":"complete","ttlMs":60000,"cacheScope":"public",{info},"tools":[]}}"#
            ),
        ),
        (
            tools,
            r#"{"cacheScope":"private","tools":[],"ttlMs":0}"#,
            format!(r#"{{"resultType":"complete",{info},"cacheScope":"private","tools":[],"ttlMs":0}}"#),
        ),
        (
            Some(Method::ToolsCall),
            r#"{"resultType":"input_required","requestState":""}"#,
            format!(r#"{{{info},"resultType":"input_required","requestState":""}}"#),
        ),
        (
            Some(Method::SubscriptionsListen),
            "{}",
            r#"{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},"io.modelcontextprotocol/subscriptionId":"7"}}"#
                .to_owned(),
        ),
    ] {
        let to = method.into_iter().fold(ReplyTo::new(id("\"7\"")), ReplyTo::method);
        let whole = format!(r#"{{"jsonrpc":"2.0","id":"7","result":{expected}}}"#);
        assert_eq!(text(|out| writer.result(out, to, raw(result))).unwrap(), whole);
        let message = Message::parse(whole.as_bytes()).unwrap();
        let rules = Rules::server().negotiated(V2026_07_28);
        assert_eq!(rules.check_outgoing_response(&message, method), Ok(()));
    }
    // Nameless, and not to be kept.
    let plain = Writer::new(Rules::server(), V2026_07_28);
    let to = ReplyTo::new(id("1")).method(Method::ToolsList);
    assert_eq!(
        text(|out| plain.result(out, to, raw(r#"{"tools":[]}"#))).unwrap(),
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[]}}"#
    );
    // Legacy ones don't.
    let legacy = Writer::new(Rules::server(), V2025_11_25).server(&profile);
    assert_eq!(
        text(|out| legacy.result(out, to, raw(r#"{"tools":[]}"#))).unwrap(),
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#
    );
}

#[test]
fn a_request_that_came_in_is_answered_by_its_own_id_and_method() {
    let frame = br#"{"jsonrpc":"2.0","id":"\u0061","method":"tools\/list"}"#;
    let message = Message::parse(frame).unwrap();
    let View::Request(request) = message.view() else {
        panic!("a request");
    };
    let writer = Writer::new(Rules::server(), V2026_07_28);
    let result = text(|out| writer.result(out, request, raw(r#"{"tools":[]}"#))).unwrap();
    assert!(result.starts_with(r#"{"jsonrpc":"2.0","id":"\u0061","result":{"#));
    assert!(result.contains("ttlMs"), "{result}");
    let missing = ErrorKind::Missing(Member::Tools);
    assert_eq!(
        text(|out| writer.result(out, request, raw("{}"))),
        Err(missing)
    );
    let kept = IdBuf::from(request.id());
    assert!(text(|out| writer.error(out, ReplyTo::new(kept.as_id()), -32603, "", None)).is_ok());
}

#[test]
fn what_would_be_wrong_is_not_written() {
    use ErrorKind::{Duplicate, FrameTooLong, Invalid, Missing, TooDeep};
    let client = Writer::new(Rules::client(), V2025_11_25);
    let request = |method: &str, params: &str| {
        text(|out| client.request(out, id("1"), method, Some(raw(params))))
    };
    for (method, params, kind) in [
        ("x", "[]", Invalid(Member::Params)),
        ("x", "null", Invalid(Member::Params)),
        (
            "x",
            r#"{"_meta":{},"_m\u0065ta":{}}"#,
            Duplicate(Member::ParamsMeta),
        ),
        ("x", r#"{"name":1,"name":1}"#, Duplicate(Member::Name)),
        ("x", r#"{"_meta":[]}"#, Invalid(Member::ParamsMeta)),
        (
            "x",
            r#"{"_meta":{"progressToken":1.5}}"#,
            Invalid(Member::ProgressToken),
        ),
        (
            "x",
            r#"{"_meta":{"progressToken":1,"progressToken":1}}"#,
            Duplicate(Member::ProgressToken),
        ),
        (
            "x",
            r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#,
            Invalid(Member::ProtocolVersion),
        ),
        ("tools/call", "{}", Missing(Member::Name)),
        ("tools/call", r#"{"name":1}"#, Invalid(Member::Name)),
        ("notifications/initialized", "{}", ErrorKind::MethodNotFound),
    ] {
        assert_eq!(request(method, params), Err(kind), "{method} {params}");
    }
    // Offsets count within what was given.
    let mut out = Vec::new();
    let error = client.request(&mut out, id("1"), "x", Some(raw(r#"{"a":1,"_meta":7}"#)));
    let Err(EncodeError::Rule(error)) = error else {
        panic!("{error:?}")
    };
    assert_eq!((error.offset(), error.code()), (15, -32602));

    let told = |method: &str, params: Option<&str>| {
        text(|out| client.notification(out, method, params.map(raw)))
    };
    assert_eq!(
        told("tools/call", Some(r#"{"name":"x"}"#)),
        Err(Missing(Member::Id))
    );
    assert_eq!(
        told("notifications/cancelled", None),
        Err(Missing(Member::Params))
    );

    let server = Writer::new(Rules::server(), V2026_07_28);
    let listen = ReplyTo::new(id("1")).method(Method::SubscriptionsListen);
    let call = ReplyTo::new(id("1")).method(Method::ToolsCall);
    let list = ReplyTo::new(id("1")).method(Method::ToolsList);
    for (to, result, kind) in [
        (call, "[]", Invalid(Member::Result)),
        (
            call,
            r#"{"content":[],"resultType":"later"}"#,
            Invalid(Member::ResultType),
        ),
        (
            call,
            r#"{"content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{}}}"#,
            Invalid(Member::ServerInfo),
        ),
        (
            call,
            r#"{"resultType":"input_required"}"#,
            Missing(Member::InputRequests),
        ),
        (
            list,
            r#"{"resultType":"input_required","requestState":"s"}"#,
            ErrorKind::InputNotAllowed,
        ),
        (list, r#"{"tools":[],"ttlMs":-1}"#, Invalid(Member::TtlMs)),
        (
            list,
            r#"{"tools":[],"cacheScope":"x"}"#,
            Invalid(Member::CacheScope),
        ),
        (
            listen,
            r#"{"_meta":{"io.modelcontextprotocol/subscriptionId":"1"}}"#,
            Invalid(Member::SubscriptionId),
        ),
    ] {
        assert_eq!(
            text(|out| server.result(out, to, raw(result))),
            Err(kind),
            "{result}"
        );
    }
    for (code, data, kind) in [
        (-32002, None, Some(ErrorKind::RetiredCode)),
        (-32050, None, Some(ErrorKind::ReservedCode)),
        (-32022, None, Some(Missing(Member::ErrorData))),
        (-32022, Some("{}"), Some(Invalid(Member::ErrorData))),
        (-32022, Some(r#"{"supported":[],"requested":""}"#), None),
        (-32603, Some("null"), None),
        (5, None, None),
    ] {
        let error = text(|out| server.error(out, to("1"), code, "", data.map(raw)));
        assert_eq!(error.err(), kind, "{code} {data:?}");
    }
    // What a side does not send in the modern era.
    let wrong = Err(ErrorKind::WrongDirection);
    let client = Writer::new(Rules::client(), V2026_07_28);
    assert_eq!(text(|out| server.request(out, id("1"), "x", None)), wrong);
    assert_eq!(text(|out| client.result(out, to("1"), raw("{}"))), wrong);
    assert_eq!(text(|out| client.error(out, to("1"), 1, "", None)), wrong);
    assert_eq!(text(|out| client.error_without_id(out, 1, "", None)), wrong);
    // Methods of another revision, or of the other side.
    for (rules, version, method, is_request) in [
        (Rules::client(), V2026_07_28, "ping", true),
        (Rules::client(), V2026_07_28, "initialize", true),
        (
            Rules::client(),
            V2026_07_28,
            "notifications/initialized",
            false,
        ),
        (Rules::client(), V2025_11_25, "server/discover", true),
        (Rules::client(), V2025_11_25, "subscriptions/listen", true),
        (Rules::client(), V2025_11_25, "elicitation/create", true),
        (Rules::server(), V2025_11_25, "tools/list", true),
        (
            Rules::server(),
            V2025_11_25,
            "notifications/initialized",
            false,
        ),
        (Rules::client(), V2025_11_25, "notifications/message", false),
    ] {
        let writer = Writer::new(rules, version);
        let all = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},
            "message":"","mode":"form","requestedSchema":{},"notifications":{},"protocolVersion":"","capabilities":{},
            "clientInfo":{"name":"","version":""},"level":"error","data":1}"#;
        let bare = all.replacen(
            r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
            "",
            1,
        );
        let params = if version == V2026_07_28 { all } else { &*bare };
        let written = text(|out| match is_request {
            true => writer.request(out, id("1"), method, Some(raw(params))),
            false => writer.notification(out, method, Some(raw(params))),
        });
        assert_eq!(written, Err(ErrorKind::MethodNotFound), "{method}");
    }
    // A request without the keys that it has to have.
    let none = text(|out| client.request(out, id("1"), "x", None));
    assert_eq!(none, Err(Missing(Member::ParamsMeta)));
    let version = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#;
    let half = text(|out| client.request(out, id("1"), "x", Some(raw(version))));
    assert_eq!(half, Err(Missing(Member::ClientCapabilities)));
    let core = Writer::new(Rules::client().methods(Methods::Core), V2025_11_25);
    let unknown = text(|out| core.request(out, id("1"), "x", None));
    assert_eq!(unknown, Err(ErrorKind::MethodNotFound));

    // Limits, at the limit and one past it.
    let limits = Limits::new().with_max_frame_bytes(8).with_max_depth(4);
    let bounded = Writer::new(Rules::server().limits(limits), V2025_11_25);
    for (result, kind) in [
        (r#"{"a": 1}"#, None),
        (r#"{"a":  1}"#, Some(FrameTooLong)),
        ("{\"\":[[]]}", Some(FrameTooLong)),
        ("{\"\":[1]}", None),
    ] {
        let written = text(|out| bounded.result(out, to("1"), raw(result)));
        assert_eq!(written.err(), kind, "{result}");
    }
    let limits = Limits::new().with_max_depth(4);
    let bounded = Writer::new(Rules::server().limits(limits), V2025_11_25);
    for (value, in_result, in_data) in [
        ("{\"\":[[]]}", None, Some(TooDeep)),
        ("{\"\":[[[]]]}", Some(TooDeep), Some(TooDeep)),
        ("{\"\":[]}", None, None),
    ] {
        let result = text(|out| bounded.result(out, to("1"), raw(value)));
        assert_eq!(result.err(), in_result, "{value}");
        let error = text(|out| bounded.error(out, to("1"), 1, "", Some(raw(value))));
        assert_eq!(error.err(), in_data, "{value}");
    }
}

#[test]
fn ids_are_those_that_the_reader_takes() {
    for (text_of_id, strict) in [
        ("1", true),
        ("\"\\ud800\"", true),
        ("1.0", false),
        ("1e2", false),
    ] {
        let strict_writer = Writer::new(Rules::server(), V2025_11_25);
        let lenient = Writer::new(Rules::server().policy(Policy::lenient()), V2025_11_25);
        let write = |writer: Writer<'_>| text(|out| writer.result(out, to(text_of_id), raw("{}")));
        assert!(write(lenient).unwrap().contains(text_of_id));
        let expected = if strict {
            None
        } else {
            Some(ErrorKind::Invalid(Member::Id))
        };
        assert_eq!(write(strict_writer).err(), expected, "{text_of_id}");
    }
    // An id that is to be named in `_meta` has to be one there, whatever the policy.
    let rules = Rules::server().policy(Policy::lenient());
    let writer = Writer::new(rules, V2026_07_28);
    for (raw_id, method, expected) in [
        (
            "1.0",
            Method::SubscriptionsListen,
            Err(ErrorKind::Invalid(Member::Id)),
        ),
        (
            "1.0",
            Method::ToolsCall,
            Ok(
                "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":{\"resultType\":\"complete\",\"content\":[]}}",
            ),
        ),
        (
            "1",
            Method::SubscriptionsListen,
            Ok(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1},\"content\":[]}}",
            ),
        ),
    ] {
        let to = ReplyTo::new(id(raw_id)).method(method);
        let result = text(|out| writer.result(out, to, raw("{\"content\":[]}")));
        assert_eq!(result.as_deref().map_err(|kind| *kind), expected);
    }
}

#[test]
fn profiles_hold_what_they_have_to() {
    for bad in ["[]", "null", "\"x\""] {
        let profile = ClientProfile::new(raw(bad));
        assert_eq!(
            profile,
            Err(EncodeError::Invalid(Member::ClientCapabilities))
        );
    }
    for bad in ["{}", r#"{"name":"x"}"#, r#"{"name":"x","version":1}"#, "[]"] {
        let client = ClientProfile::new(raw("{}")).unwrap().info(raw(bad));
        assert_eq!(client, Err(EncodeError::Invalid(Member::ClientInfo)));
        let server = ServerProfile::new().info(raw(bad));
        assert_eq!(server, Err(EncodeError::Invalid(Member::ServerInfo)));
    }
    // Together with the message, its params and `_meta` that is the default limit of a reader.
    for (levels, is_good) in [(124, true), (125, false)] {
        let value = format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        let profile = ClientProfile::new(raw(&value));
        assert_eq!(
            profile.as_ref().err(),
            (!is_good).then_some(&EncodeError::TooDeep)
        );
        let Ok(profile) = profile else { continue };
        let writer = Writer::new(Rules::client(), V2026_07_28).client(&profile);
        let request = text(|out| writer.request(out, id("1"), "x", None)).unwrap();
        assert!(Message::parse(request.as_bytes()).is_ok());
    }
}

#[test]
fn fields_of_events_go_out_and_can_not_be_broken_out_of() {
    let fields = EventFields::new()
        .event("message")
        .unwrap()
        .id("7 é")
        .unwrap();
    let writer = Writer::new(Rules::server(), V2025_11_25);
    let result = raw("{\"a\":\n1}");
    let event = text(|out| {
        let writer = writer.framing(Framing::Event(fields.retry_ms(u64::MAX)));
        writer.result(out, to("1"), result)
    });
    assert_eq!(
        event.unwrap(),
        "event: message\nid: 7 é\nretry: 18446744073709551615\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\": 1}}\n\n"
    );
    let bare = writer.framing(Framing::Event(EventFields::new()));
    assert_eq!(
        text(|out| bare.notification(out, "x", None)).unwrap(),
        "data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n"
    );

    let longest = "x".repeat(EventFields::MAX_FIELD_BYTES);
    let too_long = format!("{longest}x");
    for (value, event, id) in [
        ("", None, None),
        (" a", None, None),
        (":", None, None),
        (&longest, None, None),
        (
            &too_long,
            Some(FieldError::TooLong),
            Some(FieldError::TooLong),
        ),
        (
            "a\nb",
            Some(FieldError::LineEnd { at: 1 }),
            Some(FieldError::LineEnd { at: 1 }),
        ),
        (
            "\r",
            Some(FieldError::LineEnd { at: 0 }),
            Some(FieldError::LineEnd { at: 0 }),
        ),
        ("ab\0", None, Some(FieldError::Nul { at: 2 })),
    ] {
        assert_eq!(EventFields::new().event(value).err(), event, "{value:?}");
        assert_eq!(EventFields::new().id(value).err(), id, "{value:?}");
        // What is taken reads back the same.
        let mut out = Vec::new();
        let mut fields = EventFields::new();
        if let Ok(with) = fields.id(value) {
            fields = with;
        }
        if let Ok(with) = fields.event(value) {
            fields = with;
        }
        writer
            .framing(Framing::Event(fields))
            .notification(&mut out, "x", None)
            .unwrap();
        let mut decoder = SseDecoder::new(Limits::new());
        let mut buf = BytesMut::from(&out[..]);
        let read = decoder.decode(&mut buf).unwrap();
        if event.is_none() {
            let event = if value.is_empty() { "message" } else { value };
            assert_eq!(read.event, event.as_bytes(), "{value:?}");
        }
        if id.is_none() {
            assert_eq!(read.last_event_id, Some(value.as_bytes()));
        }
        assert!(decoder.decode(&mut buf).is_none());
    }
}

#[test]
fn comments_hold_no_line_end() {
    use rpcslice::encode::put_comment;
    let mut out = Vec::new();
    for (text, error) in [
        ("a\nb", Some(FieldError::LineEnd { at: 1 })),
        ("\r", Some(FieldError::LineEnd { at: 0 })),
        (&*"x".repeat(4097), Some(FieldError::TooLong)),
        ("", None),
        (":\0é", None),
    ] {
        assert_eq!(put_comment(&mut out, text).err(), error, "{text:?}");
    }
    assert_eq!(out, ": \n\n: :\0é\n\n".as_bytes());
    let mut decoder = SseDecoder::new(Limits::new());
    assert!(decoder.feed(&out).next().is_none());
    assert_eq!(decoder.comments(), 2);
}

#[test]
fn a_buffer_without_room_to_grow_does_if_it_is_large_enough() {
    let writer = Writer::new(Rules::server(), V2025_11_25).framing(Framing::Line);
    let expected = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
    let mut place = [0u8; 64];
    let mut rest = &mut place[..];
    writer.result(&mut rest, to("1"), raw("{}")).unwrap();
    let left = rest.len();
    assert_eq!(&place[..64 - left], expected.as_bytes());
    let mut scratch = String::new();
    let mut out = BytesMut::new();
    writer
        .result(&mut out, to("1"), Object::build(&mut scratch, |_| {}))
        .unwrap();
    assert_eq!(out, expected);
}
