//! What the rules make of what a caller tells them: transport, negotiated revision, policy, capabilities, limits.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

use rpcslice::encode::{Details, Framing, Reply, reply, reply_with};
use rpcslice::json::RawJson;
use rpcslice::mcp::{Capabilities, Incoming, Method, Rules, Transport, Version, Versions};
use rpcslice::{Error, ErrorKind, Limits, Member, Message, Policy};

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
const MODERN: Versions = Versions::of(&[Version::V2026_07_28]);

fn list() -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#)
}

#[test]
fn a_message_on_a_line_has_no_line_break() {
    let broken = list().replace("\"id\"", "\n\"id\"");
    let msg = Message::parse(broken.as_bytes()).unwrap();
    let client = Rules::client().versions(MODERN);
    for transport in [Transport::Any, Transport::Http] {
        assert_eq!(client.transport(transport).check_outgoing(&msg), Ok(()));
    }
    let error = client
        .transport(Transport::Stdio)
        .check_outgoing(&msg)
        .unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::LineBreak, 17));
    // Who receives it has been given a frame, whatever it was cut by.
    let server = Rules::server().versions(MODERN).transport(Transport::Stdio);
    assert_eq!(server.check(&msg), Ok(()));
}

#[test]
fn a_request_that_names_a_modern_revision_goes_one_way() {
    let (frame, legacy) = (list(), r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    let named = Message::parse(frame.as_bytes()).unwrap();
    let legacy = Message::parse(legacy.as_bytes()).unwrap();
    let [client, server] = [Rules::client(), Rules::server()];
    assert_eq!(
        client.check(&named).unwrap_err().kind(),
        ErrorKind::WrongDirection
    );
    assert_eq!(
        server.check_outgoing(&named).unwrap_err().kind(),
        ErrorKind::WrongDirection
    );
    assert_eq!(server.check(&named), Ok(()));
    assert_eq!(
        (client.check(&legacy), server.check(&legacy)),
        (Ok(()), Ok(()))
    );
}

#[test]
fn where_a_modern_revision_is_negotiated_every_request_names_it() {
    let msg = Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).unwrap();
    assert_eq!(Rules::server().check(&msg), Ok(()));
    let rules = Rules::server().negotiated(Version::V2026_07_28);
    let error = rules.check(&msg).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Missing(Member::ParamsMeta));
}

#[test]
fn the_answer_to_initialize_names_its_own_revision() {
    let bare = Message::parse(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#).unwrap();
    let error = Rules::client()
        .check_response(&bare, Some(Method::Initialize))
        .unwrap_err();
    assert_eq!(
        error.kind(),
        ErrorKind::Missing(Member::ResultProtocolVersion)
    );
    let odd = Message::parse(br#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"x"}}"#).unwrap();
    let error = Rules::client()
        .check_response(&odd, Some(Method::ServerDiscover))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid(Member::ResultType));
}

#[test]
fn the_lenient_policy_takes_null_for_absent_and_any_client_info() {
    let call = |extra: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{extra},{META}}}}}"#)
    };
    let info = list().replace(
        ":{}}",
        r#":{},"io.modelcontextprotocol/clientInfo":{"name":"c"}}"#,
    );
    let table = [
        (
            call(r#""name":"t","inputResponses":null"#),
            Member::InputResponses,
            true,
        ),
        (
            call(r#""name":"t","arguments":null"#),
            Member::Arguments,
            true,
        ),
        (call(r#""name":null"#), Member::Name, false),
        (
            call(r#""name":"t","arguments":[]"#),
            Member::Arguments,
            false,
        ),
        (info, Member::ClientInfo, true),
    ];
    let rules = Rules::server().versions(MODERN);
    for (frame, member, is_taken) in table {
        let msg = Message::parse(frame.as_bytes()).unwrap();
        let strict = rules.check(&msg).unwrap_err();
        assert_eq!(strict.kind(), ErrorKind::Invalid(member), "{frame}");
        let lenient = rules.policy(Policy::lenient()).check(&msg);
        assert_eq!(lenient.is_ok(), is_taken, "{frame}");
    }
}

#[test]
fn batches_are_bounded_and_read_where_their_revision_is_in_force() {
    let batch = |n: usize| {
        format!(
            "[{}]",
            vec![r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#; n].join(" ,")
        )
    };
    let rules = Rules::server()
        .negotiated(Version::V2025_03_26)
        .limits(Limits::new().with_max_batch_len(3));
    let three = batch(3);
    let Ok(Incoming::Batch(read)) = rules.read(three.as_bytes()) else {
        panic!()
    };
    assert_eq!(
        (read.len(), read.iter().filter(|item| item.is_ok()).count()),
        (3, 3)
    );
    let four = batch(4);
    let error = rules.read(four.as_bytes()).unwrap_err();
    assert_eq!(
        (error.kind(), error.http_status()),
        (ErrorKind::BatchTooLong, 413)
    );
    assert_eq!(four.get(error.offset()..error.offset() + 1), Some("{"));
    for version in [
        Version::V2024_11_05,
        Version::V2025_06_18,
        Version::V2026_07_28,
    ] {
        let error = Rules::server()
            .negotiated(version)
            .read(three.as_bytes())
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Batch);
    }
    assert_eq!(
        Rules::server().read(three.as_bytes()).unwrap_err().kind(),
        ErrorKind::Batch
    );
}

#[test]
fn answers_carry_what_their_code_demands() {
    let frame = list();
    let msg = Message::parse(frame.as_bytes()).unwrap();
    let rules = Rules::server().versions(MODERN);
    let error = rules.missing_capability(&msg);
    let mut out = Vec::new();
    let required = RawJson::parse(b"{\n\"roots\":{}}").unwrap();
    let said = reply_with(
        &mut out,
        &error,
        frame.as_bytes(),
        &rules,
        Framing::Line,
        &Details::new().required_capabilities(Capabilities::of(required).unwrap()),
    );
    assert_eq!(
        said,
        Reply {
            status: 400,
            is_written: true
        }
    );
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.find('\n'), Some(text.len() - 1));
    assert!(
        text.contains(r#""code":-32021"#)
            && text.contains(r#""data":{"requiredCapabilities":{ "roots":{}}}"#)
    );

    let frame = frame.replace("2026-07-28", "2030\\u002d01");
    let error = rules.read(frame.as_bytes()).unwrap_err();
    let mut out = Vec::new();
    assert!(reply(&mut out, &error, frame.as_bytes(), &rules, Framing::Body).is_written);
    let answer = Message::parse(&out).unwrap();
    assert_eq!(
        Rules::server().versions(MODERN).check_outgoing(&answer),
        Ok(())
    );
    let data = answer.member(Member::ErrorData).unwrap();
    assert_eq!(
        data.raw(),
        r#"{"supported":["2026-07-28"],"requested":"2030\u002d01"}"#
    );
}

#[test]
fn the_version_asked_for_goes_into_the_answer_wherever_it_stands() {
    let modern = |version: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{{"_meta":{{"io.modelcontextprotocol/protocolVersion":{version},"io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
        )
    };
    let initialize = |params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{params}}}"#)
    };
    let legacy = Rules::server().negotiated(Version::V2025_03_26);
    let alone = Rules::server().versions(MODERN);
    let table = [
        (modern("\"2030-01\""), alone, "\"2030-01\""),
        (
            format!("[7, {}]", modern("\"2030-01\"")),
            legacy,
            "\"2030-01\"",
        ),
        (
            initialize(r#"{"protocolVersion":"2025-06-18"}"#),
            alone,
            "\"2025-06-18\"",
        ),
        (initialize(r#"{"protocolVersion":5}"#), alone, "\"\""),
        (initialize("{}"), alone, "\"\""),
    ];
    for (frame, rules, requested) in table {
        let error = match rules.read(frame.as_bytes()) {
            Ok(Incoming::Batch(batch)) => batch.get(1).unwrap().unwrap_err(),
            other => other.unwrap_err(),
        };
        assert_eq!(error.kind(), ErrorKind::UnsupportedVersion, "{frame}");
        let mut out = Vec::new();
        assert!(reply(&mut out, &error, frame.as_bytes(), &rules, Framing::Body).is_written);
        let answer = Message::parse(&out).unwrap();
        let data = answer.member(Member::ErrorData).unwrap();
        assert_eq!(data.get("requested").unwrap().raw(), requested, "{frame}");
    }
}

#[test]
fn an_error_that_is_sent_has_the_id_that_its_revision_wants() {
    for version in Version::ALL {
        let is_old = version < Version::V2025_11_25;
        let rules = Rules::server().negotiated(version);
        let null =
            Message::parse(br#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#);
        let none = Message::parse(br#"{"jsonrpc":"2.0","error":{"code":1,"message":""}}"#);
        let said = [null, none].map(|message| {
            let message = message.unwrap();
            assert_eq!(Rules::client().negotiated(version).check(&message), Ok(()));
            rules.check_outgoing(&message).map_err(|error| error.kind())
        });
        let expected = match is_old {
            true => [Ok(()), Err(ErrorKind::Missing(Member::Id))],
            false => [Err(ErrorKind::Invalid(Member::Id)), Ok(())],
        };
        assert_eq!(said, expected, "{version}");
    }
}

#[test]
fn what_no_revision_served_lets_pass_is_refused_before_one_is_agreed_on() {
    let some = Versions::of(&[Version::V2024_11_05, Version::V2025_06_18]);
    let table = [
        (
            r#""method":"notifications/cancelled","params":{"requestId":null}"#,
            false,
        ),
        (
            r#""method":"notifications/progress","params":{"progressToken":null,"progress":1}"#,
            false,
        ),
        (
            r#""method":"notifications/message","params":{"level":"loud","data":1}"#,
            false,
        ),
        // A message since 2025-03-26, and any member before.
        (
            r#""method":"notifications/progress","params":{"progressToken":1,"progress":1,"message":5}"#,
            true,
        ),
        (r#""method":"notifications/roots/list_changed""#, true),
        (r#""id":1,"result":{"tools":5}"#, false),
        (r#""id":1,"result":{"tools":[]}"#, true),
    ];
    for (body, passes) in table {
        let frame = format!(r#"{{"jsonrpc":"2.0",{body}}}"#);
        let message = Message::parse(frame.as_bytes()).unwrap();
        for versions in [Versions::ALL, some] {
            let rules = Rules::client().versions(versions);
            let checked = rules.check_response(&message, Some(Method::ToolsList));
            assert_eq!(checked.is_ok(), passes, "{body}: {checked:?}");
        }
    }
}

#[test]
fn what_is_asked_for_and_what_comes_back_is_held_to_its_types() {
    let sent = |result: &str| {
        let frame = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":{result}}}}}"#);
        let message = Message::parse(frame.as_bytes()).unwrap();
        let rules = Rules::server().versions(MODERN);
        rules.check_outgoing(&message).map_err(|error| error.kind())
    };
    let sampling = |tokens: &str| {
        let params = format!(r#"{{"messages":[],"maxTokens":{tokens}}}"#);
        let request = format!(r#"{{"method":"sampling/createMessage","params":{params}}}"#);
        sent(&format!(
            r#""input_required","inputRequests":{{"a":{request}}}"#
        ))
    };
    assert_eq!(sampling("1"), Ok(()));
    assert_eq!(
        sampling("1.5"),
        Err(ErrorKind::Invalid(Member::InputRequests))
    );
    for info in ["{}", "null", "5", r#"{"name":"a"}"#] {
        for kind in [r#""complete""#, r#""input_required","requestState":"s""#] {
            let meta = format!(r#"{kind},"_meta":{{"io.modelcontextprotocol/serverInfo":{info}}}"#);
            assert_eq!(
                sent(&meta),
                Err(ErrorKind::Invalid(Member::ServerInfo)),
                "{meta}"
            );
        }
    }
    let again = |responses: &str| {
        let frame = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"a","inputResponses":{responses},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
        );
        let read = Rules::server().versions(MODERN).read(frame.as_bytes());
        read.map(drop).map_err(|error| error.kind())
    };
    assert_eq!(again(r#"{"q":{}}"#), Ok(()));
    assert_eq!(
        again(r#"{"q":{},"r":5}"#),
        Err(ErrorKind::Invalid(Member::InputResponses))
    );
}

#[test]
fn silence_where_no_answer_is_due() {
    let table: [(&str, Rules, bool); 6] = [
        ("noise", Rules::server(), true),
        ("noise", Rules::client(), false),
        (
            r#"{"jsonrpc":"2.0","method":"m","params":[]}"#,
            Rules::server(),
            false,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":[]}"#,
            Rules::client(),
            false,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
            Rules::client().negotiated(Version::V2025_11_25),
            true,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
            Rules::client().negotiated(Version::V2026_07_28),
            false,
        ),
    ];
    for (frame, rules, is_due) in table {
        let error = rules.read(frame.as_bytes()).unwrap_err();
        let mut out = Vec::new();
        let said = reply(&mut out, &error, frame.as_bytes(), &rules, Framing::Line);
        assert_eq!(
            (said.is_written, out.is_empty()),
            (is_due, !is_due),
            "{frame}"
        );
    }
}

#[test]
fn an_answer_without_id_has_null_only_before_2025_11_25() {
    for version in Version::ALL {
        let rules = Rules::server().versions(Versions::of(&[version]));
        let error = rules.read(b"noise").unwrap_err();
        let mut out = Vec::new();
        reply(&mut out, &error, b"noise", &rules, Framing::Body);
        let text = String::from_utf8(out).unwrap();
        let is_null = text.starts_with(r#"{"jsonrpc":"2.0","id":null,"error""#);
        assert_eq!(is_null, version < Version::V2025_11_25, "{version} {text}");
        assert!(Message::parse(text.as_bytes()).is_ok());
    }
}

#[test]
fn of_a_member_that_is_there_twice_and_decides_nothing_the_last_counts() {
    let rules = Rules::server().versions(Versions::of(&[Version::V2025_06_18]));
    let table = [
        (r#""level":"debug","level":"\u0069nfo""#, true),
        (r#""level":"\u0069nfo","level":"debug""#, true),
        (r#""level":"\u0069nfo","level":"loud""#, false),
        (r#""level":1,"level":"info""#, true),
        (r#""level":"info","level":1"#, false),
    ];
    for (levels, is_good) in table {
        let frame = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{{{levels}}}}}"#
        );
        let msg = Message::parse(frame.as_bytes()).unwrap();
        assert_eq!(rules.check(&msg).is_ok(), is_good, "{levels}");
    }
}

/// Which params a method has to have binds its sender: the receiver's methods are meant, not one's own.
#[test]
fn params_are_held_to_the_receivers_methods_when_sent() {
    let sampling = r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}"#;
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
    let (server, client) = (
        Rules::server().negotiated(Version::V2025_11_25),
        Rules::client().negotiated(Version::V2025_11_25),
    );
    for (sender, receiver, body, missing) in [
        (server, client, sampling, Member::Messages),
        (client, server, initialize, Member::ParamsProtocolVersion),
    ] {
        let message = Message::parse(body.as_bytes()).unwrap();
        let kind = |verdict: Result<(), Error>| verdict.map_err(|error| error.kind());
        let expected = Err(ErrorKind::Missing(missing));
        assert_eq!(kind(sender.check_outgoing(&message)), expected, "{body}");
        assert_eq!(kind(receiver.check(&message)), expected, "{body}");
    }
}
