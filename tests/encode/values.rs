//! Values of pieces.

use super::raw;
use rpcslice::encode::{Array, Object, serialize};
use rpcslice::json::RawJson;
use std::collections::HashMap;

#[test]
fn every_kind_of_value() {
    let mut scratch = "what was there before".to_owned();
    let mut object = Object::new(&mut scratch);
    object
        .raw("raw", raw(" {\"a\": 1.50,\n\"b\":[ ]} "))
        .text("te\"xt", "a\"\\\u{1}\n\u{2028}é")
        .format("format", format_args!("{}\n{:?}", 7, "x"))
        .integer("least", i64::MIN)
        .unsigned("most", u64::MAX)
        .bool("yes", true)
        .bool("no", false)
        .null("nothing")
        .object("object", |inner| {
            inner.null("x").array("y", |_| {});
        })
        .array("array", |inner| {
            inner
                .raw(raw("1e400"))
                .text("\u{7f}")
                .format(format_args!("{}", 1.5))
                .integer(-1)
                .unsigned(1)
                .float(0.5)
                .bool(true)
                .null()
                .object(|_| {})
                .array(|deepest| {
                    deepest.null().null();
                });
        });
    let expected = concat!(
        "{\"raw\":{\"a\": 1.50,\n\"b\":[ ]},",
        r#""te\"xt":"a\"\\\u0001\n"#,
        "\u{2028}é\",",
        r#""format":"7\n\"x\"","least":-9223372036854775808,"most":18446744073709551615,"yes":true,"no":false,"#,
        r#""nothing":null,"object":{"x":null,"y":[]},"#,
        "\"array\":[1e400,\"\u{7f}\",\"1.5\",-1,1,0.5,true,null,{},[null,null]]}"
    );
    let value = object.finish();
    assert_eq!(value.raw(), expected);
    assert_eq!(RawJson::parse(expected.as_bytes()), Ok(value));

    let mut scratch = String::new();
    assert_eq!(Array::new(&mut scratch).finish().raw(), "[]");
    assert_eq!(Object::new(&mut scratch).finish().raw(), "{}");
}

#[test]
fn floats_read_back_as_the_same_number_or_are_null() {
    for number in [
        0.0,
        -0.0,
        1.0,
        0.1,
        -2.5e-3,
        1e300,
        1e-300,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        123_456_789.125,
    ] {
        let mut scratch = String::new();
        let mut array = Array::new(&mut scratch);
        array.float(number);
        let value = array.finish();
        assert!(RawJson::parse(value.as_bytes()).is_ok(), "{value:?}");
        let read: Vec<f64> = serde_json::from_str(value.raw()).unwrap();
        assert_eq!(read[0].to_bits(), number.to_bits());
    }
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut scratch = String::new();
        let mut array = Array::new(&mut scratch);
        array.float(number);
        assert_eq!(array.finish().raw(), "[null]");
    }
}

#[test]
fn what_serde_json_refuses_leaves_no_trace() {
    // Keys that are no strings.
    let bad = HashMap::from([((1, 2), 3)]);
    let mut scratch = "before".to_owned();
    assert!(serialize(&bad, &mut scratch).is_err());
    let mut object = Object::new(&mut scratch);
    assert!(object.serialize("first", &bad).is_err());
    object.serialize("a", &[Some(1), None]).unwrap();
    assert!(object.serialize("last", &bad).is_err());
    object.array("b", |array| {
        assert!(array.serialize(&bad).is_err());
        array.serialize("é").unwrap();
        assert!(array.serialize(&bad).is_err());
    });
    assert_eq!(object.finish().raw(), r#"{"a":[1,null],"b":["é"]}"#);
}

#[test]
fn raw_values_of_serde_json_go_both_ways() {
    let text = r#"{"n": 1.50, "deep":[[ ]]}"#;
    let boxed: Box<serde_json::value::RawValue> = serde_json::from_str(text).unwrap();
    let value = RawJson::from(&*boxed);
    assert_eq!(value.raw(), text);
    let mut scratch = String::new();
    assert_eq!(serialize(&value, &mut scratch).unwrap().raw(), text);
}

/// What is held back is let go of at every place that a piece can end at.
#[test]
fn texts_of_any_length_are_serialized_as_serde_json_does() {
    let mut scratch = String::new();
    for len in 0..600 {
        for text in [
            "a".repeat(len),
            "\"é\u{1d11e}".repeat(len),
            "\n".repeat(len),
        ] {
            let value = (len, [text.as_str(), "日"], &text);
            let expected = serde_json::to_string(&value).unwrap();
            assert_eq!(serialize(&value, &mut scratch).unwrap().raw(), expected);
            let mut object = Object::new(&mut scratch);
            object.serialize("é", &value).unwrap();
            object.serialize("b", &value).unwrap();
            let both = format!(r#"{{"é":{expected},"b":{expected}}}"#);
            assert_eq!(object.finish().raw(), both);
        }
    }
}
