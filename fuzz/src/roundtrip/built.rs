//! Objects and arrays built value by value say what they were built of.

use crate::oracle::tree;
use crate::rng::Rng;
use rpcslice::encode::{Array, Object};
use rpcslice::json::RawJson;
use std::ops::Range;

/// So deep functions are nested.
const DEEPEST: usize = 40;

/// What a value has to be.
enum Built {
    /// These bytes.
    Exact(String),
    Text(String),
    Number(f64),
    Object(Vec<(String, Built)>),
    Array(Vec<Built>),
}

/// Builds what the input is, and other values in its place.
pub fn hold(text: &str, rng: &mut Rng) {
    let Some(root) = tree::root(text) else { return };
    let mut scratch = String::from("what was there before");
    let (raw, built) = match text.as_bytes()[root.start] {
        b'[' => {
            let mut built = Vec::new();
            let raw = Array::build(&mut scratch, |array| {
                built = elements(array, text, &root, rng, 0);
            });
            (raw, Built::Array(built))
        }
        _ => {
            let mut built = Vec::new();
            let raw = Object::build(&mut scratch, |object| {
                built = members(object, text, &root, rng, 0);
            });
            (raw, Built::Object(built))
        }
    };
    let root = tree::root(raw.raw()).expect("JSON");
    assert_eq!(root, 0..raw.raw().len());
    built.hold(raw.raw(), &root);
}

fn members(
    object: &mut Object<'_>,
    text: &str,
    at: &Range<usize>,
    rng: &mut Rng,
    depth: usize,
) -> Vec<(String, Built)> {
    let members = tree::members(text, at).unwrap_or_default().into_iter();
    let built = members.map(|member| {
        let name = String::from_utf16_lossy(&member.name);
        let value = a_member(object, &name, text, &member.value, rng, depth + 1);
        (name, value)
    });
    built.collect()
}

fn elements(
    array: &mut Array<'_>,
    text: &str,
    at: &Range<usize>,
    rng: &mut Rng,
    depth: usize,
) -> Vec<Built> {
    let elements = tree::elements(text, at).unwrap_or_default();
    let built = elements
        .iter()
        .map(|at| an_element(array, text, at, rng, depth + 1));
    built.collect()
}

/// The same for both: of a value, what is written and what it has to be.
macro_rules! value {
    ($into:expr, ($($name:expr)?), $text:expr, $at:expr, $rng:expr, $depth:expr) => {{
        let (raw, rng, depth) = (&$text[$at.clone()], $rng, $depth);
        let first = raw.as_bytes()[0];
        match (first, rng.below(8)) {
            (b'{', 1..) if depth < DEEPEST => {
                let mut built = Vec::new();
                $into.object($($name,)? |object| built = members(object, $text, $at, rng, depth));
                Built::Object(built)
            }
            (b'[', 1..) if depth < DEEPEST => {
                let mut built = Vec::new();
                $into.array($($name,)? |array| built = elements(array, $text, $at, rng, depth));
                Built::Array(built)
            }
            (b'"', 1..=3) => {
                let said = tree::text(raw).unwrap_or_default();
                $into.text($($name,)? &said);
                Built::Text(said)
            }
            (_, 1) => {
                let (start, end) = ("\u{1}\"\\", raw);
                $into.format($($name,)? format_args!("{start}{end}\n{depth}"));
                Built::Text(format!("{start}{end}\n{depth}"))
            }
            (_, 2) => {
                let number = f64::from_bits(rng.word());
                $into.float($($name,)? number);
                match number.is_finite() {
                    true => Built::Number(number),
                    false => Built::Exact("null".to_owned()),
                }
            }
            (_, 3) => {
                let number = rng.word() as i64 >> rng.below(64);
                $into.integer($($name,)? number);
                Built::Exact(number.to_string())
            }
            (_, 4) => {
                let number = rng.word() >> rng.below(64);
                $into.unsigned($($name,)? number);
                Built::Exact(number.to_string())
            }
            (b't' | b'f', _) => {
                $into.bool($($name,)? first == b't');
                Built::Exact(raw.to_owned())
            }
            (b'n', _) => {
                $into.null($($name)?);
                Built::Exact("null".to_owned())
            }
            _ => {
                let limits = rpcslice::Limits::new().with_max_depth(usize::MAX);
                match RawJson::parse_with(raw.as_bytes(), &limits) {
                    Ok(value) => {
                        $into.raw($($name,)? value);
                        Built::Exact(raw.to_owned())
                    }
                    // Deeper than can be read at all.
                    Err(_) => {
                        $into.null($($name)?);
                        Built::Exact("null".to_owned())
                    }
                }
            }
        }
    }};
}

fn a_member(
    object: &mut Object<'_>,
    name: &str,
    text: &str,
    at: &Range<usize>,
    rng: &mut Rng,
    depth: usize,
) -> Built {
    value!(object, (name), text, at, rng, depth)
}

fn an_element(
    array: &mut Array<'_>,
    text: &str,
    at: &Range<usize>,
    rng: &mut Rng,
    depth: usize,
) -> Built {
    value!(array, (), text, at, rng, depth)
}

impl Built {
    fn hold(&self, text: &str, at: &Range<usize>) {
        let raw = &text[at.clone()];
        match self {
            Self::Exact(exact) => assert_eq!(raw, exact),
            Self::Text(said) => assert_eq!(tree::text(raw).as_deref(), Ok(&**said)),
            Self::Number(number) => {
                let got = serde_json::from_str::<serde_json::Number>(raw).expect("a number");
                assert!(got.as_f64().is_some_and(f64::is_finite), "{raw}");
                assert_eq!(
                    raw.parse::<f64>().map(f64::to_bits),
                    Ok(number.to_bits()),
                    "{raw}"
                );
            }
            Self::Object(built) => {
                let members = tree::members(text, at).expect("an object");
                assert_eq!(members.len(), built.len());
                for (member, (name, value)) in members.iter().zip(built) {
                    assert!(
                        name.encode_utf16().eq(member.name.iter().copied()),
                        "{name}"
                    );
                    value.hold(text, &member.value);
                }
            }
            Self::Array(built) => {
                let elements = tree::elements(text, at).expect("an array");
                assert_eq!(elements.len(), built.len());
                for (element, value) in elements.iter().zip(built) {
                    value.hold(text, element);
                }
            }
        }
    }
}
