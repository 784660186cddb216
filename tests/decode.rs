//! Values into the user's types, and what an error says.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

use rpcslice::RawJson;
use rpcslice::decode::{DecodeError, DecodeErrorKind, SimdScratch};
use rpcslice::{Limits, Message, MessageBuf};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

fn raw(text: &str) -> RawJson<'_> {
    RawJson::parse(text.as_bytes()).unwrap()
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    arguments: BTreeMap<&'a str, Vec<u32>>,
}

const GOOD: &str = r#"{"name":"n\n","arguments":{"a":[1,2],"b":[]}}"#;

/// What each of the ways makes of a text.
fn decoded(text: &str) -> [Result<String, DecodeError>; 3] {
    let frame = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{text}}}"#);
    let message = Message::parse(frame.as_bytes()).unwrap();
    let told = |call: Call<'_>| format!("{call:?}");
    let mut scratch = SimdScratch::new();
    let mut owned = MessageBuf::parse(frame.clone())
        .unwrap()
        .into_params()
        .unwrap();
    let in_place = owned.decode_simd(&mut scratch).map(told);
    let again = owned.decode_simd::<Call<'_>>(&mut scratch);
    assert!(again.is_err(), "the bytes are spent");
    [
        message.params_as().map(told),
        raw(text).decode_simd(&mut scratch).map(told),
        in_place,
    ]
}

#[test]
fn all_ways_decode_the_same() {
    for text in [
        GOOD,
        r#"{"name":""}"#,
        r#"{ "arguments" : { "x" : [ 4294967295 ] } , "n\u0061me":"\ud834\udd1e日" }"#,
    ] {
        let [first, others @ ..] = decoded(text);
        let first = first.unwrap();
        assert!(
            others.into_iter().all(|other| other.unwrap() == first),
            "{text}"
        );
    }
}

#[test]
fn an_error_names_the_member_and_never_quotes_it() {
    for (text, path, at) in [
        (
            r#"{"name":"x","arguments":{"a":[1,"secret"]}}"#,
            "arguments.a[1]",
            39,
        ),
        (
            "{\"name\":\"x\",\n\"arguments\":{\"a\":[1,\n-7]}}",
            "arguments.a[1]",
            35,
        ),
        (r#"{"name":7}"#, "name", 8),
        (r#"{"arguments":{}}"#, "name", 15),
        (r#"{"name":"x","secret":1}"#, "secret", 19),
    ] {
        let [first, simd, in_place] = decoded(text).map(Result::unwrap_err);
        assert_eq!(
            (first.path(), first.at()),
            (path, at),
            "{text}: {}",
            first.detail()
        );
        assert_eq!(simd, first);
        assert_eq!(in_place.path(), "");
        for error in [first, simd, in_place] {
            assert_eq!(error.code(), -32602);
            assert!(!error.detail().is_empty());
            let told = format!("{error} {error:?}");
            // The name of a member is told, its value is not.
            assert!(
                !told.contains("\"secret\"") && !told.contains("-7"),
                "{told}"
            );
        }
    }
    let told = raw("[1]").decode::<u8>().unwrap_err().to_string();
    assert_eq!(told, "the value is not what is expected there");
    let told = raw("{\"a\":[1]}")
        .decode::<BTreeMap<&str, u8>>()
        .unwrap_err();
    assert_eq!(told.to_string(), "`a` is not what is expected there");
}

#[test]
fn an_error_says_what_is_wrong_with_the_member() {
    use DecodeErrorKind::{Duplicate, Invalid, Missing, Unknown};
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Point {
        x: u8,
    }
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Line {
        points: Vec<Point>,
    }
    for (text, kind, told) in [
        (
            r#"{"points":[{"x":1},{}]}"#,
            Missing,
            "`points[1].x` is missing",
        ),
        ("{}", Missing, "`points` is missing"),
        (
            r#"{"points":[{"x":1,"x":2}]}"#,
            Duplicate,
            "`points[0].x` is there twice",
        ),
        (
            r#"{"points":[{"y":1}]}"#,
            Unknown,
            "`points[0].y` is not known there",
        ),
        (
            r#"{"points":[{"x":256}]}"#,
            Invalid,
            "`points[0].x` is not what is expected there",
        ),
    ] {
        let error = raw(text).decode::<Line>().err().unwrap();
        assert_eq!((error.kind(), &*error.to_string()), (kind, told), "{text}");
        assert!(!error.detail().contains(" column "), "{}", error.detail());
    }
}

#[test]
fn names_of_the_senders_are_shown_escaped_and_cut_short() {
    let long = "é".repeat(200);
    for (key, shown) in [
        (
            "a\nERROR forged\u{1b}[31m",
            "`a\\u{a}ERROR forged\\u{1b}[31m`".to_owned(),
        ),
        ("\u{202e}\u{2028}", "`\\u{202e}\\u{2028}`".to_owned()),
        (&*long, format!("`{}…`", "é".repeat(128))),
    ] {
        let text = serde_json::json!({ key: "x" }).to_string();
        let error = raw(&text).decode::<BTreeMap<String, u8>>().unwrap_err();
        assert_eq!(error.path(), key);
        assert_eq!(
            error.to_string(),
            format!("{shown} is not what is expected there")
        );
        assert!(format!("{error:?}").len() < 400);
    }
}

#[test]
fn what_is_not_there_decodes_as_an_empty_object() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Page {
        cursor: Option<String>,
    }
    for frame in [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    ] {
        let message = Message::parse(frame.as_bytes()).unwrap();
        assert_eq!(message.params_as::<Page>().unwrap(), Page { cursor: None });
        assert_eq!(message.result_as::<Page>().unwrap(), Page { cursor: None });
    }
    let buf = MessageBuf::parse(r#"{"jsonrpc":"2.0","method":"m"}"#).unwrap();
    assert!(buf.clone().into_params().is_none() && buf.into_result().is_none());
}

#[test]
fn parts_can_be_left_as_they_are() {
    #[derive(Deserialize, serde::Serialize)]
    struct Part<'a> {
        #[serde(borrow)]
        kept: RawJson<'a>,
        #[serde(borrow)]
        theirs: &'a serde_json::value::RawValue,
    }
    let text = r#"{"kept":{"n": 1.50e1 , "a":[ ]},"theirs":[1e400, 7]}"#;
    let part: Part<'_> = raw(text).decode().unwrap();
    assert_eq!(part.kept.raw(), r#"{"n": 1.50e1 , "a":[ ]}"#);
    assert_eq!(RawJson::try_from(part.theirs).unwrap().raw(), "[1e400, 7]");
    assert!(
        text.as_bytes()
            .as_ptr_range()
            .contains(&part.kept.as_bytes().as_ptr())
    );
    assert_eq!(part.kept.to_raw_value().unwrap().get(), part.kept.raw());
    assert_eq!(serde_json::to_string(&part).unwrap(), text);
}

#[test]
fn trees_are_there_for_those_who_want_them() {
    let frame = " {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":[null,\"\\n\"]}}\r\n";
    let message = Message::parse(frame.as_bytes()).unwrap();
    let tree = message.to_value().unwrap();
    assert_eq!(tree["result"], serde_json::json!({"a": [null, "\n"]}));
    assert_eq!(
        message.result().unwrap().to_value().unwrap(),
        tree["result"]
    );
    // By these names `serde_json` tells its own types; to everybody else they are names like others.
    for name in ["RawValue", "Number"] {
        let text = format!(r#"{{"a":{{"$serde_json::private::{name}":"1"}}}}"#);
        let tree = raw(&text).to_value().unwrap();
        assert_eq!(tree.to_string(), text);
    }
    let tree = r#"{"n":[null,true,-1,18446744073709551615,1.5,"\u00e9"],"o":{"n":{}}}"#;
    let expected: serde_json::Value = serde_json::from_str(tree).unwrap();
    assert_eq!(raw(tree).to_value().unwrap(), expected);
    for (text, at) in [("[1e400]", 5), ("[\"\\ud800\"]", 8)] {
        let error = raw(text).to_value().unwrap_err();
        assert_eq!(
            (error.path(), error.at()),
            ("[0]", at),
            "{text}: {}",
            error.detail()
        );
    }
}

/// What is deeper than `serde_json` goes is an error and no overflow of the stack.
#[test]
fn depth_is_bounded() {
    let limits = Limits::new().with_max_depth(Limits::HIGHEST_MAX_DEPTH);
    let mut scratch = SimdScratch::new();
    for (levels, is_good) in [(127, true), (128, false), (1024, false)] {
        let text = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let value = RawJson::parse_with(text.as_bytes(), &limits).unwrap();
        assert_eq!(value.to_value().is_ok(), is_good, "{levels}");
        let tree = value.decode_simd::<serde_json::Value>(&mut scratch);
        assert!(tree.is_ok(), "`simd-json` goes as deep as ours: {levels}");
    }
}

#[test]
fn params_of_ones_own_are_not_copied_if_nobody_shares_them() {
    let frame = format!(
        r#"{{"jsonrpc":"2.0","method":"m","params":{{"t":"{}"}}}}"#,
        "x".repeat(1000)
    );
    for is_shared in [false, true] {
        let bytes = bytes::Bytes::from(frame.clone().into_bytes());
        let range = bytes.as_ptr_range();
        let kept = is_shared.then(|| bytes.clone());
        let message = MessageBuf::parse(bytes).unwrap();
        let mut params = message.into_params().unwrap();
        let mut scratch = SimdScratch::new();
        let text: BTreeMap<&str, &str> = params.decode_simd(&mut scratch).unwrap();
        assert_eq!(text["t"].len(), 1000);
        assert_eq!(range.contains(&text["t"].as_ptr()), !is_shared);
        drop(kept);
    }
}
