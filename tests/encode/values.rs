//! Values of pieces.

use super::raw;
use rpcslice::encode::{Array, Object, serialize};
use rpcslice::json::RawJson;
use std::collections::HashMap;

#[test]
fn every_kind_of_value() {
    let mut scratch = "what was there before".to_owned();
    let value = Object::build(&mut scratch, |object| {
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
    });
    let expected = concat!(
        "{\"raw\":{\"a\": 1.50,\n\"b\":[ ]},",
        r#""te\"xt":"a\"\\\u0001\n"#,
        "\u{2028}é\",",
        r#""format":"7\n\"x\"","least":-9223372036854775808,"most":18446744073709551615,"yes":true,"no":false,"#,
        r#""nothing":null,"object":{"x":null,"y":[]},"#,
        "\"array\":[1e400,\"\u{7f}\",\"1.5\",-1,1,0.5,true,null,{},[null,null]]}"
    );
    assert_eq!(value.raw(), expected);
    assert_eq!(RawJson::parse(expected.as_bytes()), Ok(value));

    let mut scratch = String::new();
    assert_eq!(Array::build(&mut scratch, |_| {}).raw(), "[]");
    assert_eq!(Object::build(&mut scratch, |_| {}).raw(), "{}");
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
        let value = Array::build(&mut scratch, |array| {
            array.float(number);
        });
        assert!(RawJson::parse(value.as_bytes()).is_ok(), "{value:?}");
        let read: Vec<f64> = serde_json::from_str(value.raw()).unwrap();
        assert_eq!(read[0].to_bits(), number.to_bits());
    }
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut scratch = String::new();
        let value = Array::build(&mut scratch, |array| {
            array.float(number);
        });
        assert_eq!(value.raw(), "[null]");
    }
}

#[test]
fn what_serde_json_refuses_leaves_no_trace() {
    // Keys that are no strings.
    let bad = HashMap::from([((1, 2), 3)]);
    let mut scratch = "before".to_owned();
    assert!(serialize(&bad, &mut scratch).is_err());
    let value = Object::build(&mut scratch, |object| {
        assert!(object.serialize("first", &bad).is_err());
        object.serialize("a", &[Some(1), None]).unwrap();
        assert!(object.serialize("last", &bad).is_err());
        object.array("b", |array| {
            assert!(array.serialize(&bad).is_err());
            array.serialize("é").unwrap();
            assert!(array.serialize(&bad).is_err());
        });
    });
    assert_eq!(value.raw(), r#"{"a":[1,null],"b":["é"]}"#);
    let failed = Object::try_build(&mut scratch, |object| {
        object.null("a").serialize("b", &bad).map(|_| ())
    });
    assert!(failed.is_err());
    assert_eq!(scratch, "");
    let built = Object::try_build(&mut scratch, |object| object.serialize("b", &1).map(|_| ()));
    assert_eq!(built.unwrap().raw(), r#"{"b":1}"#);
}

/// What panics while it is written leaves nothing behind, and what is written afterwards is well-formed.
#[test]
fn panics_leave_no_trace() {
    struct Bad;
    impl std::fmt::Display for Bad {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("half\"")?;
            panic!("on purpose")
        }
    }
    let caught = |act: &mut dyn FnMut()| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(act)).is_err()
    };
    let mut scratch = String::new();
    let value = Object::build(&mut scratch, |object| {
        assert!(caught(&mut || {
            object.format("a", format_args!("{Bad}"));
        }));
        object.bool("b", true);
        assert!(caught(&mut || {
            object.object("c", |inner| {
                inner.null("d").array("e", |_| panic!("on purpose"));
            });
        }));
        object.array("f", |array| {
            array.null();
            assert!(caught(&mut || {
                array.object(|inner| {
                    inner.format("g", format_args!("{Bad}"));
                });
            }));
            array.integer(1);
        });
    });
    assert_eq!(value.raw(), r#"{"b":true,"f":[null,1]}"#);
}

#[test]
fn raw_values_of_serde_json_go_both_ways() {
    let text = r#"{"n": 1.50, "deep":[[ ]]}"#;
    let boxed: Box<serde_json::value::RawValue> = serde_json::from_str(text).unwrap();
    let value = RawJson::try_from(&*boxed).unwrap();
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
            let object = Object::build(&mut scratch, |object| {
                object.serialize("é", &value).unwrap();
                object.serialize("b", &value).unwrap();
            });
            let both = format!(r#"{{"é":{expected},"b":{expected}}}"#);
            assert_eq!(object.raw(), both);
        }
    }
}
