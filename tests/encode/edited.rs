//! Edits, to the byte: wherever the member stands, and whatever else is there.

use super::raw;
use bytes::{Buf, Bytes, BytesMut};
use rpcslice::encode::{Edit, EncodeError, EventFields, Framing};
use rpcslice::{ErrorKind, Id, Limits, Member, Message, MessageBuf, Policy};

/// The edited message, written, in pieces and in pieces that share the original: all the same.
fn edited(
    frame: &str,
    policy: &Policy,
    edit: impl for<'a> Fn(Edit<'a>) -> Edit<'a>,
    framing: Framing<'_>,
) -> Result<String, EncodeError> {
    let message = Message::parse_with(frame.as_bytes(), &Limits::new(), policy).unwrap();
    let mut out = Vec::new();
    let written = edit(message.edit()).write(&mut out, framing);
    let mut scratch = BytesMut::from("what was there before");
    let copied = edit(message.edit()).pieces(&mut scratch, framing);
    let owned = MessageBuf::parse_with(frame.to_owned(), &Limits::new(), policy).unwrap();
    let shared = edit(owned.edit()).pieces(&mut scratch, framing);
    for pieces in [copied, shared] {
        match (pieces, &written) {
            (Ok(pieces), Ok(())) => assert_eq!(joined(pieces), out),
            (Err(error), written) => assert_eq!(Err(error), *written),
            (Ok(_), Err(error)) => panic!("pieces of what can't be written: {error}"),
        }
    }
    written.map(|()| String::from_utf8(out).unwrap())
}

/// Piece by piece, by slices, and through the buffer byte by byte.
fn joined(pieces: rpcslice::encode::Pieces) -> Vec<u8> {
    let by_iteration: Vec<u8> = pieces.iter().flat_map(|piece| piece.to_vec()).collect();
    let mut slices = [std::io::IoSlice::new(&[]); 64];
    let count = pieces.chunks_vectored(&mut slices);
    let by_slices: Vec<u8> = slices[..count]
        .iter()
        .flat_map(|slice| slice.to_vec())
        .collect();
    assert_eq!(by_iteration, by_slices);
    let mut by_bytes = Vec::new();
    let mut rest = pieces.clone();
    assert_eq!(rest.remaining(), by_iteration.len());
    while rest.has_remaining() {
        by_bytes.push(rest.get_u8());
    }
    assert_eq!(by_iteration, by_bytes);
    assert_eq!(rest.iter().len(), 0);
    by_iteration
}

fn good(frame: &str, edit: impl for<'a> Fn(Edit<'a>) -> Edit<'a>) -> String {
    edited(frame, &Policy::strict(), edit, Framing::Body).unwrap()
}

#[test]
fn ids_and_methods_wherever_they_stand() {
    let id = || Id::from_raw("\"n\\u0065w\"").unwrap();
    for (frame, expected) in [
        (
            r#"{"id":1,"jsonrpc":"2.0","method":"m"}"#,
            r#"{"id":"n\u0065w","jsonrpc":"2.0","method":"a\"b"}"#,
        ),
        (
            " {\n\"method\" : \"tools\\/call\" ,\t\"jsonrpc\":\"2.0\", \"\\u0069d\" : \"old\" }\r",
            " {\n\"method\" : \"a\\\"b\" ,\t\"jsonrpc\":\"2.0\", \"\\u0069d\" : \"n\\u0065w\" }\r",
        ),
        (
            r#"{"jsonrpc":"2.0","x":{"id":9,"method":"z"},"method":"m","id":18446744073709551617,"y":[]}"#,
            r#"{"jsonrpc":"2.0","x":{"id":9,"method":"z"},"method":"a\"b","id":"n\u0065w","y":[]}"#,
        ),
    ] {
        assert_eq!(good(frame, |edit| edit.id(id()).method("a\"b")), expected);
        assert_eq!(good(frame, |edit| edit), frame);
    }
    for (frame, expected) in [
        (
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#,
            r#"{"jsonrpc":"2.0","id":"n\u0065w","error":{"code":1,"message":""}}"#,
        ),
        (
            " { \"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"\"}}",
            " {\"id\":\"n\\u0065w\", \"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"\"}}",
        ),
        (
            r#"{"jsonrpc":"2.0","result":{"id":2},"id":1}"#,
            r#"{"jsonrpc":"2.0","result":{"id":2},"id":"n\u0065w"}"#,
        ),
    ] {
        assert_eq!(good(frame, |edit| edit.id(id())), expected);
    }
}

/// `_meta` before, and after: `a` set to 1, `b` set to a text, `c` removed.
const METAS: &[(&str, &str)] = &[
    ("{}", r#"{"a":1,"b":"\""}"#),
    ("{ }", r#"{"a":1,"b":"\"" }"#),
    (r#"{"c":0}"#, r#"{"a":1,"b":"\""}"#),
    (r#"{ "c" : 0 }"#, r#"{ "a":1,"b":"\"" }"#),
    (r#"{"c":0,"c":1}"#, r#"{"a":1,"b":"\""}"#),
    (r#"{"x":0}"#, r#"{"x":0,"a":1,"b":"\""}"#),
    (
        r#"{ "x" : 0 , "y":[ ] }"#,
        r#"{ "x" : 0 , "y":[ ],"a":1,"b":"\"" }"#,
    ),
    (r#"{"c":0 , "x":1}"#, r#"{ "x":1,"a":1,"b":"\""}"#),
    (r#"{"c":0 , "c":1 ,"x":1}"#, r#"{"x":1,"a":1,"b":"\""}"#),
    (r#"{"x":1 , "c":0 }"#, r#"{"x":1,"a":1,"b":"\"" }"#),
    (
        r#"{"x":1, "c":0, "c":[1], "y":2}"#,
        r#"{"x":1, "y":2,"a":1,"b":"\""}"#,
    ),
    (
        r#"{"c":0, "x":1, "c":2, "y":3, "c":4}"#,
        r#"{ "x":1, "y":3,"a":1,"b":"\""}"#,
    ),
    (r#"{"a":0}"#, r#"{"a":1,"b":"\""}"#),
    (r#"{"a" : 0 , "b":[ ] }"#, r#"{"a" : 1 , "b":"\"" }"#),
    (r#"{"b":0, "a":{"a":2}}"#, r#"{"b":"\"", "a":1}"#),
    (r#"{"\u0061":0}"#, r#"{"\u0061":1,"b":"\""}"#),
    (
        r#"{"a":0, "\u0061":5, "z":0}"#,
        r#"{"a":1, "z":0,"b":"\""}"#,
    ),
    (r#"{"a":0, "x":1, "a":5}"#, r#"{"a":1, "x":1,"b":"\""}"#),
    (r#"{"a":0, "c":1, "a":5, "b":2}"#, r#"{"a":1, "b":"\""}"#),
    (r#"{"\u0063":{"c":0},"b":1}"#, r#"{"b":"\"","a":1}"#),
    (
        r#"{"ab":0,"A":0,"":0}"#,
        r#"{"ab":0,"A":0,"":0,"a":1,"b":"\""}"#,
    ),
];

#[test]
fn keys_of_meta_wherever_it_stands() {
    for (before, after) in METAS {
        for frame in [
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":META}}"#,
            r#"{"jsonrpc":"2.0","params":{"_meta" : META , "n":1.50},"method":"m"}"#,
            r#"{"params": {"n":[1,{"_meta":{"a":7}}], "_m\u0065ta":META }, "jsonrpc":"2.0","id":"x","method":"m"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"a":0,"_meta":META,"c":2},"params":{"_meta":{"a":0}}}"#,
        ] {
            let (before, after) = (frame.replace("META", before), frame.replace("META", after));
            let got = good(&before, |edit| {
                let edit = edit.meta_raw("a", raw("1")).unwrap();
                edit.meta_text("b", "\"").unwrap().remove_meta("c")
            });
            assert_eq!(got, after, "{before}");
        }
    }
}

/// Keys that the parser looks out for: what it has seen in the message says nothing about params that take their place.
#[test]
fn known_keys_in_the_message_and_in_new_params() {
    const WITH: &str = r#"{"_meta":{"x":"\\","\u0074raceparent":0,"y":1}}"#;
    const CHANGED: &str = r#"{"_meta":{"x":"\\","\u0074raceparent":"t","y":1}}"#;
    const WITHOUT: &str = r#"{"_meta":{"x":"traceparent" }}"#;
    const ADDED: &str = r#"{"_meta":{"x":"traceparent","traceparent":"t" }}"#;
    let frame =
        |params: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{params}}}"#);
    for (before, after) in [(WITH, CHANGED), (WITHOUT, ADDED)] {
        let got = good(&frame(before), |edit| {
            edit.meta_text("traceparent", "t").unwrap()
        });
        assert_eq!(got, frame(after));
        for other in [WITH, WITHOUT] {
            let got = good(&frame(other), |edit| {
                let edit = edit.params(raw(before));
                edit.meta_text("traceparent", "t").unwrap()
            });
            assert_eq!(got, frame(after));
        }
    }
}

#[test]
fn meta_and_params_are_put_in_where_they_are_not() {
    for (frame, expected) in [
        (
            r#"{"jsonrpc":"2.0","method":"m"}"#,
            r#"{"params":{"_meta":{"a":1}},"jsonrpc":"2.0","method":"m"}"#,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"a":1}}}"#,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params": { } }"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params": {"_meta":{"a":1} } }"#,
        ),
        (
            r#"{"params":{ "n":1},"jsonrpc":"2.0","id":1,"method":"m"}"#,
            r#"{"params":{"_meta":{"a":1}, "n":1},"jsonrpc":"2.0","id":1,"method":"m"}"#,
        ),
        (
            r#"{"result":{"n":1},"jsonrpc":"2.0","id":1,"params":{"x":1}}"#,
            r#"{"result":{"_meta":{"a":1},"n":1},"jsonrpc":"2.0","id":1,"params":{"x":1}}"#,
        ),
    ] {
        let set = good(frame, |edit| edit.meta_raw("a", raw(" 1 ")).unwrap());
        assert_eq!(set, expected);
        // What is not there need not be removed.
        assert_eq!(good(frame, |edit| edit.remove_meta("a")), frame);
        // The last word on a key counts.
        let removed = good(frame, |edit| {
            edit.meta_raw("a", raw("1")).unwrap().remove_meta("a")
        });
        assert_eq!(removed, frame);
    }
    // Under the lenient policy `null` counts as absent, and there may be no second one.
    let lenient = edited(
        r#"{"jsonrpc":"2.0","x":1,"p\u0061rams" : null ,"method":"m"}"#,
        &Policy::lenient(),
        |edit| edit.meta_raw("a", raw("1")).unwrap(),
        Framing::Body,
    );
    assert_eq!(
        lenient.unwrap(),
        r#"{"jsonrpc":"2.0","x":1,"p\u0061rams" : {"_meta":{"a":1}} ,"method":"m"}"#
    );
}

#[test]
fn params_and_results_are_replaced_whole() {
    for (frame, expected) in [
        (
            r#"{"jsonrpc":"2.0","method":"m"}"#,
            r#"{"params":{"n":1.50, "_meta":{"x":0,"a":1}},"jsonrpc":"2.0","method":"m"}"#,
        ),
        (
            r#"{"jsonrpc":"2.0","params":{"_meta":{"a":7},"z":1},"method":"m"}"#,
            r#"{"jsonrpc":"2.0","params":{"n":1.50, "_meta":{"x":0,"a":1}},"method":"m"}"#,
        ),
    ] {
        let new = raw(r#"{"n":1.50, "_meta":{"x":0}}"#);
        let got = good(frame, |edit| {
            edit.meta_raw("a", raw("1")).unwrap().params(new)
        });
        assert_eq!(got, expected);
    }
    let frame = r#"{"jsonrpc":"2.0","result":{"a":1},"id":1}"#;
    let got = good(frame, |edit| edit.result(raw("{\"b\":\n2}")));
    assert_eq!(got, "{\"jsonrpc\":\"2.0\",\"result\":{\"b\":\n2},\"id\":1}");
}

#[test]
fn members_of_params_and_results_are_set_and_removed() {
    let edit = |text: &str| {
        let frame = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{text}}}"#);
        let edited = good(&frame, |edit| {
            let edit = edit.member_text("name", "n\"").unwrap();
            let edit = edit.member_raw("n", raw("1.50")).unwrap();
            edit.remove_member("gone").unwrap()
        });
        let result = frame.replace("\"method\":\"m\",\"params\"", "\"result\"");
        let of_result = good(&result, |edit| {
            let edit = edit.member_text("name", "n\"").unwrap();
            let edit = edit.member_raw("n", raw("1.50")).unwrap();
            edit.remove_member("gone").unwrap()
        });
        let around = frame.len() - text.len() - 1;
        assert!(of_result.ends_with(&edited[around..]), "{of_result}");
        edited[around..edited.len() - 1].to_owned()
    };
    for (before, after) in [
        ("{}", r#"{"name":"n\"","n":1.50}"#),
        (
            r#"{ "n\u0061me" : 7 , "x":[ ] }"#,
            r#"{ "n\u0061me" : "n\"" , "x":[ ],"n":1.50 }"#,
        ),
        (
            r#"{"n":{"n":2}, "_meta":{"name":0,"gone":1}, "gone":0}"#,
            r#"{"n":1.50, "_meta":{"name":0,"gone":1},"name":"n\""}"#,
        ),
        (
            r#"{"gone":0, "n":3, "name":4, "n":5}"#,
            r#"{ "n":1.50, "name":"n\""}"#,
        ),
    ] {
        assert_eq!(edit(before), after, "{before}");
    }
    // Together with `_meta`, wherever that is or is not.
    for (before, after) in [
        ("{}", r#"{"_meta":{"k":1},"n":2}"#),
        (r#"{"n":1}"#, r#"{"_meta":{"k":1},"n":2}"#),
        (r#"{"gone":1}"#, r#"{"_meta":{"k":1},"n":2}"#),
        (
            r#"{"gone":1, "_meta" : {"k":0} }"#,
            r#"{ "_meta" : {"k":1},"n":2 }"#,
        ),
        (
            r#"{"_meta":{} ,"n":0,"gone":1}"#,
            r#"{"_meta":{"k":1} ,"n":2}"#,
        ),
    ] {
        let frame = |params: &str| format!(r#"{{"jsonrpc":"2.0","params":{params},"method":"m"}}"#);
        let edited = good(&frame(before), |edit| {
            let edit = edit.member_raw("n", raw("2")).unwrap();
            let edit = edit.meta_raw("k", raw("1")).unwrap();
            edit.remove_member("gone").unwrap()
        });
        assert_eq!(edited, frame(after), "{before}");
    }
    // Nothing left, and `_meta` put in all the same.
    let edited = good(
        r#"{"jsonrpc":"2.0","params":{"gone":0, "gone":1 },"method":"m"}"#,
        |edit| {
            let edit = edit.meta_raw("k", raw("1")).unwrap();
            edit.remove_member("gone").unwrap()
        },
    );
    assert_eq!(
        edited,
        r#"{"jsonrpc":"2.0","params":{"_meta":{"k":1} },"method":"m"}"#
    );
    let message = Message::parse(br#"{"jsonrpc":"2.0","method":"m"}"#).unwrap();
    let by_key = Some(EncodeError::MetaByKey);
    assert_eq!(message.edit().member_text("_meta", "").err(), by_key);
    assert_eq!(message.edit().member_raw("_meta", raw("{}")).err(), by_key);
    assert_eq!(message.edit().remove_member("_meta").err(), by_key);
}

#[test]
fn what_was_put_in_goes_without_a_trace() {
    for frame in [
        r#"{"jsonrpc":"2.0","method":"m"}"#,
        r#" { "jsonrpc":"2.0","method":"m"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"m","params": { } }"#,
        r#"{"params": { "n":1 } ,"jsonrpc":"2.0","id":1,"method":"m"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"_meta" : { } }}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"a":1,"_meta" : { "x" : 1 } , "b":2}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{ "a":1 }}"#,
    ] {
        let message = Message::parse(frame.as_bytes()).unwrap();
        let (has_params, has_meta) = (message.params().is_some(), message.meta().is_some());
        let there = good(frame, |edit| {
            let edit = edit.meta_text("traceparent", "00-1").unwrap();
            edit.meta_raw("k", raw("{}")).unwrap()
        });
        assert_ne!(there, frame);
        let back = good(&there, |edit| {
            match (has_meta, has_params || message.result().is_some()) {
                (true, _) => edit.remove_meta("k").remove_meta("traceparent"),
                (false, true) => edit.without_meta(),
                (false, false) => edit.without_params(),
            }
        });
        assert_eq!(back, frame, "by way of {there}");
    }
    // What is set after something was dropped comes into a new one.
    let frame = r#"{"jsonrpc":"2.0","method":"m", "params" : {"n":1, "_meta":{"x":1}}}"#;
    for (edited, expected) in [
        (
            good(frame, |edit| {
                edit.without_meta().meta_raw("k", raw("1")).unwrap()
            }),
            r#"{"jsonrpc":"2.0","method":"m", "params" : {"n":1, "_meta":{"k":1}}}"#,
        ),
        (
            good(frame, |edit| {
                edit.meta_raw("k", raw("1")).unwrap().without_meta()
            }),
            r#"{"jsonrpc":"2.0","method":"m", "params" : {"n":1}}"#,
        ),
        (
            good(frame, |edit| edit.without_params()),
            r#"{"jsonrpc":"2.0","method":"m"}"#,
        ),
        (
            good(frame, |edit| {
                edit.without_params().member_raw("k", raw("1")).unwrap()
            }),
            r#"{"jsonrpc":"2.0","method":"m", "params" : {"k":1}}"#,
        ),
    ] {
        assert_eq!(edited, expected);
    }
    let lenient = edited(
        r#"{"params" : null, "jsonrpc":"2.0","method":"m"}"#,
        &Policy::lenient(),
        |edit| edit.without_params(),
        Framing::Body,
    );
    assert_eq!(lenient.unwrap(), r#"{ "jsonrpc":"2.0","method":"m"}"#);
}

#[test]
fn a_line_holds_no_line_break_and_strings_stay() {
    let frame = " {\r\n\"jsonrpc\":\"2.0\",\n\"id\":1,\"result\":{\"t\":\"\\n\u{2028}\",\r\n\"_meta\":{\n}}}\r";
    let new = raw("[\n1]");
    let line = edited(
        frame,
        &Policy::strict(),
        |edit| edit.meta_raw("a", new).unwrap(),
        Framing::Line,
    );
    assert_eq!(
        line.unwrap(),
        " {  \"jsonrpc\":\"2.0\", \"id\":1,\"result\":{\"t\":\"\\n\u{2028}\",  \"_meta\":{\"a\":[ 1] }}} \n"
    );
    let fields = EventFields::new().id("7").unwrap();
    let event = edited(
        frame,
        &Policy::strict(),
        |edit| edit,
        Framing::Event(fields),
    );
    assert_eq!(
        event.unwrap(),
        "id: 7\ndata:  {  \"jsonrpc\":\"2.0\", \"id\":1,\"result\":{\"t\":\"\\n\u{2028}\",  \"_meta\":{ }}} \n\n"
    );
}

#[test]
fn what_has_no_place_is_an_error() {
    const REQUEST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":[]}}"#;
    const NOTIFICATION: &str = r#"{"jsonrpc":"2.0","method":"m"}"#;
    const RESULT: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":7}}"#;
    const ERROR: &str = r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#;
    type Change = for<'a> fn(Edit<'a>) -> Edit<'a>;
    let no_place = |member| Some(EncodeError::NoPlace(member));
    let table: &[(&str, Change, Option<EncodeError>)] = &[
        (
            NOTIFICATION,
            |edit| edit.id(Id::from_raw("1").unwrap()),
            no_place(Member::Id),
        ),
        (RESULT, |edit| edit.method("m"), no_place(Member::Method)),
        (ERROR, |edit| edit.method("m"), no_place(Member::Method)),
        (
            RESULT,
            |edit| edit.params(raw("{}")),
            no_place(Member::Params),
        ),
        (
            ERROR,
            |edit| edit.params(raw("{}")),
            no_place(Member::Params),
        ),
        (
            REQUEST,
            |edit| edit.result(raw("{}")),
            no_place(Member::Result),
        ),
        (
            ERROR,
            |edit| edit.result(raw("{}")),
            no_place(Member::Result),
        ),
        (
            ERROR,
            |edit| edit.member_text("a", "b").unwrap(),
            no_place(Member::Params),
        ),
        (
            ERROR,
            |edit| edit.meta_text("a", "b").unwrap(),
            no_place(Member::ParamsMeta),
        ),
        (
            REQUEST,
            |edit| edit.meta_text("a", "b").unwrap(),
            Some(EncodeError::Invalid(Member::ParamsMeta)),
        ),
        (
            RESULT,
            |edit| edit.meta_text("a", "b").unwrap(),
            Some(EncodeError::Invalid(Member::ResultMeta)),
        ),
        // Nothing can be there to be removed.
        (ERROR, |edit| edit.remove_meta("a"), None),
        (ERROR, |edit| edit.without_meta(), None),
        (ERROR, |edit| edit.remove_member("code").unwrap(), None),
        (REQUEST, |edit| edit.remove_meta("a"), None),
    ];
    for (frame, change, expected) in table {
        let written = edited(frame, &Policy::strict(), change, Framing::Body);
        assert_eq!(written.err(), *expected, "{frame}");
    }
    for (params, kind) in [
        ("[]", ErrorKind::Invalid(Member::Params)),
        ("null", ErrorKind::Invalid(Member::Params)),
        (r#"{"name":1,"name":2}"#, ErrorKind::Duplicate(Member::Name)),
        (
            r#"{"_meta":{},"_meta":{}}"#,
            ErrorKind::Duplicate(Member::ParamsMeta),
        ),
    ] {
        let written = edited(
            NOTIFICATION,
            &Policy::strict(),
            |edit| edit.params(raw(params)),
            Framing::Body,
        );
        let Err(EncodeError::Rule(error)) = written else {
            panic!("{written:?}")
        };
        assert_eq!(error.kind(), kind);
    }
    let message = Message::parse(REQUEST.as_bytes()).unwrap();
    for bad in ["a b", "/x", "1.x/y", "-", "é"] {
        assert!(
            matches!(
                message.edit().meta_text(bad, ""),
                Err(EncodeError::MetaKey(_))
            ),
            "{bad}"
        );
        assert!(
            matches!(
                message.edit().meta_raw(bad, raw("1")),
                Err(EncodeError::MetaKey(_))
            ),
            "{bad}"
        );
        let _ = message.edit().remove_meta(bad);
    }
}

#[test]
fn values_may_be_as_deep_as_the_deepest_reader_goes() {
    let limits = Limits::new().with_max_depth(Limits::HIGHEST_MAX_DEPTH);
    let message = Message::parse(br#"{"jsonrpc":"2.0","method":"m"}"#).unwrap();
    for (levels, is_good) in [(1021, true), (1022, false)] {
        let text = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let deep = rpcslice::json::RawJson::parse_with(text.as_bytes(), &limits).unwrap();
        let edit = message.edit().meta_raw("a", deep);
        assert_eq!(
            edit.as_ref().err(),
            (!is_good).then_some(&EncodeError::TooDeep)
        );
        let Ok(edit) = edit else { continue };
        let mut out = Vec::new();
        edit.write(&mut out, Framing::Body).unwrap();
        assert!(Message::parse_with(&out, &limits, &Policy::strict()).is_ok());
    }
    for (levels, is_good) in [(1022, true), (1023, false)] {
        let text = format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        let deep = rpcslice::json::RawJson::parse_with(text.as_bytes(), &limits).unwrap();
        let mut out = Vec::new();
        let written = message.edit().params(deep).write(&mut out, Framing::Body);
        assert_eq!(written.is_ok(), is_good, "{levels}");
        assert_eq!(
            Message::parse_with(&out, &limits, &Policy::strict()).is_ok(),
            is_good
        );
    }
}

/// Takes so many bytes at most, and is interrupted before the first.
struct Slow(Vec<u8>, usize);

impl std::io::Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.1 > 0 && self.0.capacity() == 0 {
            self.0.reserve(1);
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let taken = bytes.len().min(self.1);
        self.0.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn pieces_share_what_is_long_and_copy_what_is_short() {
    let long = "x".repeat(100_000);
    let frame = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"text":"{long}"}}}}"#);
    let owned = MessageBuf::parse(frame.clone()).unwrap();
    let id = Id::from_raw("22").unwrap();
    let mut scratch = BytesMut::new();
    let pieces = owned
        .edit()
        .id(id)
        .pieces(&mut scratch, Framing::Line)
        .unwrap();
    let sizes: Vec<usize> = pieces.iter().map(Bytes::len).collect();
    let inside = |piece: &Bytes| owned.bytes().as_ptr_range().contains(&piece.as_ptr());
    let shared: Vec<bool> = pieces.iter().map(inside).collect();
    assert_eq!(shared, [false, true, false]);
    assert!(sizes[0] + sizes[2] < 40, "{sizes:?}");
    // However little a writer takes at a time.
    for most in [1, 7, 1000, usize::MAX] {
        let mut writer = Slow(Vec::new(), most);
        let mut pieces = owned
            .edit()
            .id(id)
            .pieces(&mut scratch, Framing::Line)
            .unwrap();
        pieces.write_to(&mut writer).unwrap();
        assert!(!pieces.has_remaining());
        let expected = frame.replace("\"id\":1,", "\"id\":22,") + "\n";
        assert!(writer.0 == expected.as_bytes(), "{most}");
    }
    let mut pieces = owned.edit().pieces(&mut scratch, Framing::Line).unwrap();
    let error = pieces.write_to(&mut Slow(Vec::new(), 0)).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::WriteZero);
    let pieces = owned
        .edit()
        .id(id)
        .pieces(&mut scratch, Framing::Line)
        .unwrap();
    // An owner's pieces outlive it.
    drop(owned);
    assert_eq!(
        joined(pieces),
        (frame.replace("\"id\":1,", "\"id\":22,") + "\n").into_bytes()
    );

    let lent = Message::parse(frame.as_bytes()).unwrap();
    let pieces = lent
        .edit()
        .id(id)
        .pieces(&mut scratch, Framing::Body)
        .unwrap();
    assert_eq!(pieces.iter().len(), 1);
    let advanced = std::panic::catch_unwind(move || {
        let mut pieces = pieces;
        pieces.advance(pieces.remaining() + 1);
    });
    assert!(advanced.is_err(), "as every `Buf`");
}
