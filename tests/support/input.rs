//! The input of a case: text, bytes, pieces of either, or generated.

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Map, Value};

/// The bytes, and the sizes of the pieces in which they are fed.
pub struct Input {
    pub bytes: Vec<u8>,
    pub sizes: Vec<usize>,
}

pub const GEN_KEYS: &[&str] = &[
    "prefix",
    "repeat",
    "count",
    "mid",
    "repeat2",
    "count2",
    "suffix",
    "then_repeat_line",
    "then_count",
    "chunk",
    // The limit the case is about, told again in `options`.
    "limit",
];

type Reader = fn(&Value) -> Option<Input>;

const READERS: &[(&str, Reader)] = &[
    ("input", |value| whole(value.as_str()?.into())),
    ("input_b64", |value| whole(base64(value)?)),
    ("chunks", |value| {
        in_pieces(value, |piece| Some(piece.as_str()?.into()))
    }),
    ("chunks_b64", |value| in_pieces(value, base64)),
    ("gen", |value| generated(value.as_object()?)),
];

/// The input, if the case has exactly one and it is of the right form.
pub fn of(case: &Map<String, Value>) -> Option<Input> {
    let mut found = READERS
        .iter()
        .filter_map(|(key, read)| Some(read(case.get(*key)?)));
    let input = found.next()?;
    if found.next().is_some() {
        return None;
    }
    input
}

fn base64(value: &Value) -> Option<Vec<u8>> {
    BASE64_STANDARD.decode(value.as_str()?).ok()
}

fn whole(bytes: Vec<u8>) -> Option<Input> {
    let sizes = vec![bytes.len()];
    Some(Input { bytes, sizes })
}

fn in_pieces(value: &Value, read: impl Fn(&Value) -> Option<Vec<u8>>) -> Option<Input> {
    let pieces: Vec<_> = value.as_array()?.iter().map(read).collect::<Option<_>>()?;
    Some(Input {
        bytes: pieces.concat(),
        sizes: pieces.iter().map(Vec::len).collect(),
    })
}

fn generated(rule: &Map<String, Value>) -> Option<Input> {
    let text = |key: &str| rule.get(key).and_then(Value::as_str).unwrap_or("");
    let number = |key: &str| {
        let number = rule.get(key).and_then(Value::as_u64).unwrap_or(0);
        usize::try_from(number).unwrap_or(0)
    };
    let line = match text("then_repeat_line") {
        "" => String::new(),
        line => format!("{}\n", line.trim_end_matches('\n')),
    };
    let text = [
        text("prefix").to_owned(),
        text("repeat").repeat(number("count")),
        text("mid").to_owned(),
        text("repeat2").repeat(number("count2")),
        text("suffix").to_owned(),
        line.repeat(number("then_count")),
    ]
    .concat();
    let chunk = match number("chunk") {
        0 => text.len(),
        chunk => chunk,
    };
    Some(Input {
        bytes: text.into_bytes(),
        sizes: vec![chunk],
    })
}
