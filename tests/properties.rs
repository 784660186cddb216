//! What holds for any bytes: no panic, spans within the frame, the same verdict as an independent JSON parser.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

use proptest::prelude::*;
use rpcslice::json::{JsonKind, RawJson};
use rpcslice::{Limits, Member, Message, Policy};

/// Pieces that near-misses of messages are made of.
const PIECES: [&str; 44] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\n",
    "\r",
    "\t",
    "\"",
    "\\",
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1.5e3",
    "\"jsonrpc\":\"2.0\"",
    "\"id\":1",
    "\"id\":\"a\"",
    "\"id\":null",
    "\"method\":\"tools/call\"",
    "\"params\":{",
    "\"result\":{",
    "\"error\":{",
    "\"code\":-1",
    "\"message\":\"m\"",
    "\"data\":[1]",
    "\"_meta\":{",
    "\"name\":\"n\"",
    "\"uri\":\"u\"",
    "\"progressToken\":1",
    "\"resultType\":\"complete\"",
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"",
    "\"m\\u0065thod\":\"x\"",
    "\"é日𝄞\"",
    "\"\\ud83d\"",
    "\u{feff}",
    "\u{2028}",
    "x",
    "\0",
    "\u{1}",
    "longer than sixteen plain bytes of a string",
];

fn soup() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..24)
        .prop_map(|pieces| pieces.concat().into_bytes())
}

fn json(depth: u32) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<i64>().prop_map(|n| n.to_string()),
        "-?(0|[1-9][0-9]{0,12})(\\.[0-9]{1,9})?([eE][+-]?[0-9]{1,3})?",
        any::<String>().prop_map(|s| serde_json::to_string(&s).unwrap()),
    ];
    leaf.prop_recursive(depth, 64, 6, |inner| {
        let name = prop_oneof![
            "[a-z_]{0,12}",
            Just("name".to_owned()),
            Just("_meta".to_owned())
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6)
                .prop_map(|v| format!("[{}]", v.join(" ,"))),
            proptest::collection::vec((name, inner), 0..6).prop_map(|v| {
                let members: Vec<_> = v.iter().map(|(k, v)| format!("\"{k}\": {v}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

/// Everything that a user may ask of a frame, so that a panic or a slice out of the frame shows.
fn exercise(frame: &[u8]) {
    let limits = Limits::new().with_max_depth(64);
    for policy in [Policy::strict(), Policy::lenient()] {
        match Message::parse_with(frame, &limits, &policy) {
            Ok(msg) => {
                let range = frame.as_ptr_range();
                assert_eq!(msg.frame().as_bytes(), frame);
                for member in all_members() {
                    let Some(value) = msg.member(member) else {
                        continue;
                    };
                    let bytes = value.as_bytes().as_ptr_range();
                    assert!(range.start <= bytes.start && bytes.end <= range.end);
                    assert!(RawJson::parse(value.as_bytes()).is_ok());
                }
                let _ = (msg.view(), msg.protocol_version(), msg.to_string());
                let meta = msg.meta().map(|meta| meta.iter().count());
                assert_eq!(meta.is_some(), msg.meta().is_some());
            }
            Err(error) => {
                assert!(error.offset() <= frame.len());
                assert!(error.span().start <= error.span().end && error.span().end <= frame.len());
                let _ = (error.id(frame), error.method(frame), error.to_string());
                let (line, column) = error.line_column(frame);
                assert!(line >= 1 && column >= 1);
            }
        }
    }
}

fn all_members() -> impl Iterator<Item = Member> {
    use Member::*;
    [
        Jsonrpc,
        Id,
        Method,
        Params,
        Result,
        Error,
        ParamsMeta,
        Name,
        Uri,
        TaskId,
        ParamsProtocolVersion,
        ResultMeta,
        ResultType,
        ResultProtocolVersion,
        ErrorCode,
        ErrorMessage,
        ErrorData,
        ProgressToken,
        ProtocolVersion,
        ClientInfo,
        ClientCapabilities,
        LogLevel,
        SubscriptionId,
        ServerInfo,
        Traceparent,
        Tracestate,
        Baggage,
    ]
    .into_iter()
}

/// The verdict of `serde_json`, which like us takes any number and, as `RawValue`, any escape that is one.
fn is_json(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    <&serde_json::value::RawValue as serde::Deserialize>::deserialize(&mut reader).is_ok()
        && reader.end().is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(frame in proptest::collection::vec(any::<u8>(), 0..200)) {
        exercise(&frame);
        prop_assert_eq!(RawJson::parse(&frame).is_ok(), is_json(&frame));
    }

    #[test]
    fn soups_of_pieces(frame in soup()) {
        exercise(&frame);
        prop_assert_eq!(RawJson::parse(&frame).is_ok(), is_json(&frame));
    }

    #[test]
    fn every_prefix_and_one_byte_changed(value in json(4), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let frame = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"a":{value}}},"b":{value}}}"#).into_bytes();
        prop_assert!(Message::parse(&frame).is_ok());
        let mut changed = frame.clone();
        let at = at.index(frame.len());
        changed[at] = byte;
        exercise(&changed);
        prop_assert_eq!(RawJson::parse(&changed).is_ok(), is_json(&changed));
        for end in 0..frame.len() {
            let error = Message::parse(&frame[..end]).unwrap_err();
            prop_assert_eq!(error.code(), -32700);
            // A prefix of something good is at fault at its end, or in what the end cut through.
            prop_assert!(error.offset() + 6 >= end);
        }
    }

    #[test]
    fn values_come_back_to_the_byte(value in json(4)) {
        let padded = format!(" \r\n{value}\t");
        let raw = RawJson::parse(padded.as_bytes()).unwrap();
        prop_assert_eq!(raw.raw(), &value);
        let parts: Vec<&str> = match raw.kind() {
            JsonKind::Array => raw.elements().map(|e| e.raw()).collect(),
            JsonKind::Object => raw.members().flat_map(|(k, v)| [k.raw(), v.raw()]).collect(),
            _ => vec![raw.raw()],
        };
        let sum: usize = parts.iter().map(|p| p.len()).sum();
        prop_assert!(sum <= value.len());
        for part in parts {
            prop_assert!(is_json(part.as_bytes()));
            prop_assert!(value.contains(part));
        }
    }

    #[test]
    fn strings_decode_as_elsewhere(text in any::<String>()) {
        let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
        for raw in [serde_json::to_string(&text).unwrap(), format!("\"{escaped}\"")] {
            let value = RawJson::parse(raw.as_bytes()).unwrap();
            let token = value.as_string().unwrap();
            prop_assert_eq!(token.decode().unwrap(), text.as_str());
            prop_assert_eq!(token, text.as_str());
            prop_assert!(token.is_text());
        }
    }
}
