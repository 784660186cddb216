//! The envelope, as tables: what is refused, why, at which byte, and with which id.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

use rpcslice::json::SyntaxErrorKind;
use rpcslice::{ErrorKind, Kind, Limits, Member, Message, MessageBuf, Policy, Shape, View};

/// The frame with `^` where the fault is, the kind, the id to echo, the shape.
type Refusal = (&'static str, ErrorKind, Option<&'static str>, Shape);

fn without_mark(marked: &str) -> (String, usize) {
    let at = marked.find('^').expect("a mark");
    (marked.replacen('^', "", 1), at)
}

#[test]
fn faults_of_the_message() {
    use ErrorKind::{Conflict, Duplicate, Invalid, Missing, NoKind};
    use Member as M;
    use Shape::{Notification, Request, Response, Unknown};
    let table: &[Refusal] = &[
        (
            r#"{"id":1,"method":"m"^}"#,
            Missing(M::Jsonrpc),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":^"1.0","id":1,"method":"m"}"#,
            Invalid(M::Jsonrpc),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":^2.0,"method":"m","id":"a"}"#,
            Invalid(M::Jsonrpc),
            Some("\"a\""),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":^null,"method":"m"}"#,
            Invalid(M::Id),
            None,
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":^1.0,"method":"m"}"#,
            Invalid(M::Id),
            None,
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":^1e2,"method":"m"}"#,
            Invalid(M::Id),
            None,
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":^1.5,"result":{}}"#,
            Invalid(M::Id),
            None,
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":^true,"method":"m"}"#,
            Invalid(M::Id),
            None,
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":^{"a":1},"method":"m"}"#,
            Invalid(M::Id),
            None,
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":^[1],"error":{"code":1,"message":""}}"#,
            Invalid(M::Id),
            None,
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":^null,"result":{}}"#,
            Invalid(M::Id),
            None,
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,^"id":2,"method":"m"}"#,
            Duplicate(M::Id),
            None,
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,^"\u0069d":1,"method":"m"}"#,
            Duplicate(M::Id),
            None,
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0",^"jsonrpc":"2.0","method":"m"}"#,
            Duplicate(M::Jsonrpc),
            None,
            Notification,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m",^"method":"n"}"#,
            Duplicate(M::Method),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{},^"p\u0061rams":{}}"#,
            Duplicate(M::Params),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":^7}"#,
            Invalid(M::Method),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","method":^null}"#,
            Invalid(M::Method),
            None,
            Unknown,
        ),
        (
            r#"{"jsonrpc":"2.0","id":6,"method":^"a\udfff"}"#,
            Invalid(M::Method),
            Some("6"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"m","params":^[]}"#,
            Invalid(M::Params),
            None,
            Notification,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"m","params":^null,"id":3}"#,
            Invalid(M::Params),
            Some("3"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"params":^"x","method":"m"}"#,
            Invalid(M::Params),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":^[]}"#,
            Invalid(M::Result),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":^null}"#,
            Invalid(M::Result),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","result":{}^}"#,
            Missing(M::Id),
            None,
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":^null}"#,
            Invalid(M::Error),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":^"boom"}"#,
            Invalid(M::Error),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"message":"x"^}}"#,
            Missing(M::ErrorCode),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1^}}"#,
            Missing(M::ErrorMessage),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":^1.0,"message":""}}"#,
            Invalid(M::ErrorCode),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":^9223372036854775808,"message":""}}"#,
            Invalid(M::ErrorCode),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":^"1","message":""}}"#,
            Invalid(M::ErrorCode),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":^null}}"#,
            Invalid(M::ErrorMessage),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,^"code":2,"message":""}}"#,
            Duplicate(M::ErrorCode),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"",^"message":""}}"#,
            Duplicate(M::ErrorMessage),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","result":^{}}"#,
            Conflict(M::Method, M::Result),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{},"method":^"m"}"#,
            Conflict(M::Result, M::Method),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"m","error":^{"code":1,"message":""}}"#,
            Conflict(M::Method, M::Error),
            None,
            Notification,
        ),
        (
            r#"{"jsonrpc":"2.0","id":"b","error":{"code":1,"message":""},"result":^{}}"#,
            Conflict(M::Error, M::Result),
            Some("\"b\""),
            Response,
        ),
        (r#"{"jsonrpc":"2.0","id":1^}"#, NoKind, Some("1"), Unknown),
        (
            r#"{"jsonrpc":"2.0","id":^null}"#,
            Invalid(M::Id),
            None,
            Unknown,
        ),
        (r#"{^}"#, Missing(M::Jsonrpc), None, Unknown),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{},^"_meta":{}}}"#,
            Duplicate(M::ParamsMeta),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"a",^"nam\u0065":"b"}}"#,
            Duplicate(M::Name),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"uri":1,^"uri":1}}"#,
            Duplicate(M::Uri),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"taskId":1,^"taskId":1}}"#,
            Duplicate(M::TaskId),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"protocolVersion":1,^"protocolVersion":1}}"#,
            Duplicate(M::ParamsProtocolVersion),
            Some("1"),
            Request,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":1,^"resultType":1}}"#,
            Duplicate(M::ResultType),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,^"protocolVersion":1}}"#,
            Duplicate(M::ResultProtocolVersion),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","result":{"_meta":{},^"_meta":{}},"id":1}"#,
            Duplicate(M::ResultMeta),
            Some("1"),
            Response,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"m","params":{"_meta":{"progressToken":1,^"progressToken":1}}}"#,
            Duplicate(M::ProgressToken),
            None,
            Notification,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"m","params":{"_meta":{"traceparent":1,^"trace\u0070arent":1}}}"#,
            Duplicate(M::Traceparent),
            None,
            Notification,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":1,^"io.modelcontextprotocol\/serverInfo":1}}}"#,
            Duplicate(M::ServerInfo),
            Some("1"),
            Response,
        ),
        // The first in byte order, whatever else is wrong.
        (
            r#"{"method":^1,"jsonrpc":2,"params":[],"id":5}"#,
            Invalid(M::Method),
            Some("5"),
            Request,
        ),
        (
            r#"{"params":^[],"id":null,"method":"m"}"#,
            Invalid(M::Params),
            None,
            Request,
        ),
        (
            r#"{"id":^null,"method":"m","params":[]}"#,
            Invalid(M::Id),
            None,
            Request,
        ),
    ];
    for &(marked, kind, id, shape) in table {
        let (frame, at) = without_mark(marked);
        let frame = frame.as_bytes();
        let error = Message::parse(frame).expect_err(marked);
        assert_eq!((error.kind(), error.offset()), (kind, at), "{marked}");
        assert_eq!(error.id(frame).map(|id| id.raw()), id, "{marked}");
        assert_eq!(error.shape(), shape, "{marked}");
        assert_eq!(
            (error.code(), error.http_status()),
            (-32600, 400),
            "{marked}"
        );
        assert!(error.span().end <= frame.len());
        if let Some(member) = error.kind().member() {
            assert!(error.to_string().contains(member.path()), "{error}");
        }
    }
}

#[test]
fn a_fault_of_the_json_text_leaves_nothing_to_trust() {
    let table = [
        (
            r#"{"jsonrpc":"2.0","id":98,"method":"ping",^}"#,
            SyntaxErrorKind::ExpectedName,
        ),
        (
            r#"{"jsonrpc":"1.0","id":98,"method":7^"#,
            SyntaxErrorKind::UnexpectedEnd,
        ),
        (
            r#"{"jsonrpc":"2.0","id":98,"method":"ping"}^{}"#,
            SyntaxErrorKind::TrailingBytes,
        ),
        (r#"[{"jsonrpc":"2.0"},^]"#, SyntaxErrorKind::ExpectedValue),
        (r#"nul^"#, SyntaxErrorKind::UnexpectedEnd),
        (r#"^Server started"#, SyntaxErrorKind::ExpectedValue),
    ];
    for (marked, kind) in table {
        let (frame, at) = without_mark(marked);
        let frame = frame.as_bytes();
        let error = Message::parse(frame).unwrap_err();
        assert_eq!(
            (error.kind(), error.offset()),
            (ErrorKind::Syntax(kind), at),
            "{marked}"
        );
        assert_eq!((error.code(), error.shape()), (-32700, Shape::Unknown));
        assert_eq!((error.id(frame), error.method(frame)), (None, None));
    }
    for (frame, kind) in [
        ("[]", ErrorKind::Batch),
        (" [1] ", ErrorKind::Batch),
        ("1", ErrorKind::NotObject),
        ("null", ErrorKind::NotObject),
    ] {
        let error = Message::parse(frame.as_bytes()).unwrap_err();
        assert_eq!(
            (error.kind(), error.code(), error.shape()),
            (kind, -32600, Shape::Unknown),
            "{frame}"
        );
    }
}

#[test]
fn depth_is_a_limit_of_the_message_and_an_id_before_it_is_known() {
    let limits = Limits::new().with_max_depth(4);
    // The message, params, and two arrays are four containers; the third array is one too many.
    let at_limit = br#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[[]]}}"#;
    assert!(Message::parse_with(at_limit, &limits, &Policy::strict()).is_ok());
    let table = [
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[[^[]]]}}"#,
            Some("1"),
            Shape::Request,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"m","params":{"a":[[^[]]]},"id":1}"#,
            None,
            Shape::Unknown,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"a":[[^[]]]}}"#,
            Some("1"),
            Shape::Response,
        ),
        (r#"{"id":null,"x":[[[^[1"#, None, Shape::Unknown),
        (
            r#"{"params":{"_meta":{"a":{"b":^{}}}}}"#,
            None,
            Shape::Unknown,
        ),
        (r#"[[[[^["#, None, Shape::Unknown),
    ];
    for (marked, id, shape) in table {
        let (frame, at) = without_mark(marked);
        let frame = frame.as_bytes();
        let error = Message::parse_with(frame, &limits, &Policy::strict()).unwrap_err();
        assert_eq!(
            (error.kind(), error.offset()),
            (ErrorKind::TooDeep, at),
            "{marked}"
        );
        assert_eq!((error.code(), error.shape()), (-32600, shape), "{marked}");
        assert_eq!(error.id(frame).map(|id| id.raw()), id, "{marked}");
    }
    for depth in [1, 128, 1024] {
        let limits = Limits::new().with_max_depth(depth);
        let nested = |n: usize| {
            let (open, close) = ("[".repeat(n), "]".repeat(n));
            format!(r#"{{"jsonrpc":"2.0","method":"m","x":{open}{close}}}"#)
                .replace(r#""x":}"#, r#""x":0}"#)
        };
        let verdict =
            |n| Message::parse_with(nested(n).as_bytes(), &limits, &Policy::strict()).map(drop);
        assert_eq!(verdict(depth - 1), Ok(()), "{depth}");
        assert_eq!(
            verdict(depth).unwrap_err().kind(),
            ErrorKind::TooDeep,
            "{depth}"
        );
    }
}

#[test]
fn the_frame_limit_is_inclusive() {
    let frame = br#"{"jsonrpc":"2.0","method":"m"}"#;
    let limits = |bytes| Limits::new().with_max_frame_bytes(bytes);
    assert!(Message::parse_with(frame, &limits(frame.len()), &Policy::strict()).is_ok());
    let error =
        Message::parse_with(frame, &limits(frame.len() - 1), &Policy::strict()).unwrap_err();
    assert_eq!(
        (error.kind(), error.code(), error.http_status()),
        (ErrorKind::FrameTooLong, -32600, 413)
    );
    assert_eq!((error.offset(), error.id(frame)), (frame.len() - 1, None));
}

#[test]
fn the_lenient_policy_takes_what_the_table_says_and_no_more() {
    let table = [
        (
            r#"{"jsonrpc":"2.0","id":1.0,"method":"m"}"#,
            Some(Kind::Request),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1e2,"method":"m"}"#,
            Some(Kind::Request),
        ),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#, None),
        (r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, None),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":null}"#,
            Some(Kind::Request),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":null,"params":{}}"#,
            None,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"m","params":[]}"#, None),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#,
            Some(Kind::Result),
        ),
        (
            r#"{"jsonrpc":"2.0","error":null,"id":1,"result":{}}"#,
            Some(Kind::Result),
        ),
        (
            r#"{"jsonrpc":"2.0","error":null,"id":1,"method":"m"}"#,
            None,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"error":null}"#, None),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":""}}"#,
            None,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"id":1,"method":"m"}"#, None),
    ];
    for (frame, kind) in table {
        let lenient = Message::parse_with(frame.as_bytes(), &Limits::new(), &Policy::lenient());
        assert_eq!(lenient.map(|m| m.kind()).ok(), kind, "{frame}");
        assert!(Message::parse(frame.as_bytes()).is_err(), "{frame}");
    }
    let frame =
        br#"{"jsonrpc":"2.0","id":1.50e1,"method":"m","params":{"_meta":{"progressToken":1}}}"#;
    let msg = Message::parse_with(frame, &Limits::new(), &Policy::lenient()).unwrap();
    assert_eq!(msg.id().unwrap().raw(), "1.50e1");
    assert_eq!(msg.meta().unwrap().progress_token().unwrap().raw(), "1");
    for frame in [
        r#"{"jsonrpc":"2.0","error":null,"id":1,"result":{"_meta":{"traceparent":"a"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":{"traceparent":"a"}},"error":null}"#,
    ] {
        let msg =
            Message::parse_with(frame.as_bytes(), &Limits::new(), &Policy::lenient()).unwrap();
        assert!(msg.member(Member::Error).is_none());
        assert_eq!(msg.meta().unwrap().traceparent().unwrap(), "a");
    }
    let frame = br#"{"jsonrpc":"2.0","id":1,"method":"m","params":null}"#;
    let msg = Message::parse_with(frame, &Limits::new(), &Policy::lenient()).unwrap();
    assert!(msg.params().is_none());
}

#[test]
fn members_are_found_in_any_order_and_spelling() {
    let frame = r#" { "res\u0075lt" : {"_meta":{"io.modelcontextprotocol\/serverInfo":{"name":"s"},"x":1},"resultType":"complete"} ,
        "id" : "\u0031" , "jsonrpc" : "\u0032.0", "zzz":[{"method":"no"}] } "#;
    let msg = Message::parse(frame.as_bytes()).unwrap();
    let View::Response(response) = msg.view() else {
        panic!("{msg}")
    };
    assert_eq!(response.id().raw(), r#""\u0031""#);
    assert_eq!(response.result_type().unwrap(), "complete");
    assert_eq!(
        response.meta().unwrap().server_info().unwrap().raw(),
        r#"{"name":"s"}"#
    );
    assert_eq!(response.meta().unwrap().get("x").unwrap().as_i64(), Some(1));
    assert!(msg.method().is_none() && msg.params().is_none());
}

#[test]
fn any_type_passes_where_the_rules_of_a_revision_judge() {
    for value in ["5", "null", "[]", "{}", "true", "\"\\ud83d\"", "\"x\""] {
        let frame = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":{value},"uri":{value},"taskId":{value},"_meta":{value}}}}}"#
        );
        let msg = Message::parse(frame.as_bytes()).unwrap();
        for member in [
            Member::Name,
            Member::Uri,
            Member::TaskId,
            Member::ParamsMeta,
        ] {
            assert_eq!(msg.member(member).unwrap().raw(), value);
        }
        let is_string = value.starts_with('"');
        assert_eq!(msg.name().is_some(), is_string);
        assert_eq!(msg.meta().is_some(), value == "{}");
    }
}

#[test]
fn params_beside_a_result_are_an_unknown_member() {
    let meta = r#"{"_meta":{"progressToken":1,"traceparent":"a"},"name":"n"}"#;
    let own = r#"{"_meta":{"traceparent":"b"}}"#;
    for frame in [
        format!(r#"{{"jsonrpc":"2.0","id":1,"params":{meta},"result":{own}}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":1,"result":{own},"params":{meta}}}"#),
    ] {
        let msg = Message::parse(frame.as_bytes()).unwrap();
        assert!(msg.params().is_none() && msg.name().is_none());
        assert_eq!(msg.meta().unwrap().raw().raw(), r#"{"traceparent":"b"}"#);
        assert!(msg.meta().unwrap().progress_token().is_none());
        assert_eq!(msg.meta().unwrap().traceparent().unwrap(), "b");
    }
}

#[test]
fn error_responses() {
    for (id, raw) in [
        (r#""id":null,"#, None),
        ("", None),
        (r#""id":4,"#, Some("4")),
    ] {
        let frame = format!(
            r#"{{"jsonrpc":"2.0",{id}"error":{{"data":1,"code":-0,"data":[2],"message":"\u00e9"}}}}"#
        );
        let msg = Message::parse(frame.as_bytes()).unwrap();
        let View::Error(error) = msg.view() else {
            panic!("{msg}")
        };
        assert_eq!(error.id().map(|id| id.raw()), raw);
        assert_eq!(error.code(), 0);
        assert_eq!(error.message(), "é");
        assert_eq!(error.data().unwrap().raw(), "[2]");
    }
}

#[test]
fn line_and_column_count_from_one_in_characters() {
    let table = [
        ("{\n \"é日\": x}", (2, 8)),
        ("x", (1, 1)),
        ("{\"a\":1\n", (2, 1)),
    ];
    for (frame, place) in table {
        let error = Message::parse(frame.as_bytes()).unwrap_err();
        assert_eq!(error.line_column(frame.as_bytes()), place, "{frame:?}");
    }
    // With another frame than its own an error gives something that is there.
    let error = Message::parse(br#"{"id":1,"method":"mmmmmmmmmmmm"}"#).unwrap_err();
    assert_eq!(error.id(b"{}"), None);
    assert_eq!(error.method("éééééééééééééééé".as_bytes()), None);
    assert_eq!(error.line_column(b""), (1, 1));
}

#[test]
fn debug_and_display_show_no_payload() {
    let frame = r#"{"jsonrpc":"2.0","id":"i","method":"m","params":{"name":"secret","_meta":{"k":"secret"}}}"#;
    let msg = MessageBuf::parse(frame).unwrap();
    let bad = frame.replace("\"2.0\"", "2");
    let rejected = MessageBuf::parse(bad).unwrap_err();
    for shown in [
        format!("{:?} {}", msg.as_message(), msg.as_message()),
        format!("{msg:?} {:?}", msg.as_message().view()),
        format!("{:?}", msg.as_message().meta()),
        format!("{:?}", msg.as_message().name()),
        format!("{rejected:?} {rejected} {:?}", rejected.error),
    ] {
        assert!(!shown.contains("secret"), "{shown}");
    }
    assert_eq!(
        msg.as_message().to_string(),
        r#"request "m", id "i", 89 bytes"#
    );
}

#[test]
fn owned_messages_share_the_bytes() {
    let bytes = bytes::Bytes::from(String::from(
        r#"{"jsonrpc":"2.0","id":1,"result":{"a":[1]}}"#,
    ));
    let msg = MessageBuf::parse(bytes.clone()).unwrap();
    let result = msg.result_bytes().unwrap();
    assert_eq!(result, r#"{"a":[1]}"#);
    assert!(bytes.as_ptr_range().contains(&result.as_ptr()));
    assert_eq!(msg.bytes().as_ptr(), bytes.as_ptr());
    let own = msg.detach();
    assert_ne!(own.bytes().as_ptr(), bytes.as_ptr());
    assert_eq!(own.result_bytes(), msg.result_bytes());
    assert_eq!(msg.params_bytes(), None);
}

#[test]
fn of_a_fault_of_the_message_and_nesting_the_first_is_reported() {
    let limits = Limits::new().with_max_depth(3);
    let table = [
        (
            r#"{"jsonrpc":^"1.0","id":1,"method":"m","params":{"a":[[]]}}"#,
            ErrorKind::Invalid(Member::Jsonrpc),
            Some("1"),
        ),
        (
            r#"{"id":1,^"id":1,"method":"m","params":{"a":[[]]}}"#,
            ErrorKind::Duplicate(Member::Id),
            None,
        ),
        (
            r#"{"id":1,"method":"m","params":{"a":[^[]]},"id":1}"#,
            ErrorKind::TooDeep,
            Some("1"),
        ),
    ];
    for (marked, kind, id) in table {
        let (frame, at) = without_mark(marked);
        let frame = frame.as_bytes();
        let error = Message::parse_with(frame, &limits, &Policy::strict()).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, at), "{marked}");
        assert_eq!(error.id(frame).map(|id| id.raw()), id, "{marked}");
        assert!(error.is_answer_due());
    }
}

#[test]
fn frames_of_four_gibibytes_are_refused_with_a_span_that_is_one() {
    let frame = vec![0; (1 << 32) + 10];
    for limit in [1 << 20, usize::MAX] {
        let limits = Limits::new().with_max_frame_bytes(limit);
        let error = Message::parse_with(&frame, &limits, &Policy::strict()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FrameTooLong);
        assert!(frame.get(error.span()).is_some());
    }
}

#[test]
fn an_id_or_method_of_any_length_is_known_of_a_refused_message() {
    let long = format!("\"{}\"", "x".repeat(Limits::DEFAULT_MAX_FRAME_BYTES + 1));
    let frame = format!(r#"{{"jsonrpc":"1.0","id":{long},"method":{long}}}"#);
    let limits = Limits::new().with_max_frame_bytes(1 << 30);
    let error = Message::parse_with(frame.as_bytes(), &limits, &Policy::strict()).unwrap_err();
    assert_eq!(error.id(frame.as_bytes()).unwrap().raw(), long);
    assert_eq!(error.method(frame.as_bytes()).unwrap().raw(), long);
}

#[test]
fn the_version_that_a_message_names() {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"#;
    let table = [
        (
            format!(r#""id":1,"method":"initialize","params":{{"protocolVersion":"a",{meta}"b"}}"#),
            Some("b"),
        ),
        (
            format!(r#""id":1,"method":"initialize","params":{{"protocolVersion":"a",{meta}5}}"#),
            None,
        ),
        (
            r#""id":1,"method":"initialize","params":{"protocolVersion":"a""#.into(),
            Some("a"),
        ),
        (
            r#""method":"initialize","params":{"protocolVersion":"a""#.into(),
            None,
        ),
        (
            r#""id":1,"method":"other","params":{"protocolVersion":"a""#.into(),
            None,
        ),
        (r#""id":1,"result":{"protocolVersion":"a""#.into(), None),
        (format!(r#""method":"x","params":{{{meta}"b"}}"#), Some("b")),
    ];
    for (members, version) in table {
        let frame = format!(r#"{{"jsonrpc":"2.0",{members}}}}}"#);
        let msg = Message::parse(frame.as_bytes()).unwrap();
        let named = msg.protocol_version().and_then(|v| v.as_str());
        assert_eq!(named, version, "{frame}");
    }
}
