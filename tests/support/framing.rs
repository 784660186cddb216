//! The framing vectors: `frames`, one entry a line, and `rest`, what stands after the last LF.

use super::chunks::{assert_cut, assert_iterated, byte_by_byte_and_every_split, decode, pieces};
use super::expect::only_known_keys;
use super::report::Check;
use base64::prelude::{BASE64_STANDARD, Engine};
use rpcslice::{Limits, Policy};
use serde_json::{Map, Value};
use std::fmt;

/// Inputs up to this size are cut at every place.
const EVERY_SPLIT: usize = 2048;

/// What `frames` lists.
#[derive(PartialEq)]
enum Frame {
    Text(Vec<u8>),
    Blank,
    TooLong,
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(bytes) => write!(f, "{:?}", bytes.escape_ascii().to_string()),
            Self::Blank => f.write_str("blank"),
            Self::TooLong => f.write_str("too-long"),
        }
    }
}

impl Frame {
    fn text(bytes: &[u8]) -> Self {
        let is_space = |byte: &u8| b" \t\r\n".contains(byte);
        let start = bytes
            .iter()
            .position(|byte| !is_space(byte))
            .unwrap_or(bytes.len());
        let end = bytes
            .iter()
            .rposition(|byte| !is_space(byte))
            .map_or(start, |at| at + 1);
        Self::Text(bytes[start..end].to_vec())
    }

    fn expected(check: &mut Check, frame: &Value) -> Self {
        let frame = frame.as_object().unwrap();
        only_known_keys(
            check,
            "key of a frame",
            frame,
            &["kind", "text", "text_b64"],
        );
        let member = |key| frame.get(key).and_then(Value::as_str);
        match (
            member("kind").unwrap_or(""),
            member("text"),
            member("text_b64"),
        ) {
            ("frame", Some(text), None) => Self::text(text.as_bytes()),
            ("frame", None, Some(base64)) => Self::text(&BASE64_STANDARD.decode(base64).unwrap()),
            ("blank", None, None) => Self::Blank,
            ("too-long", None, None) => Self::TooLong,
            _ => panic!("no such frame: {frame:?}"),
        }
    }
}

/// Runs a framing vector: the frames and the rest, then the same lines however the input is cut.
pub fn run(
    check: &mut Check,
    input: &[u8],
    sizes: &[usize],
    limits: &Limits,
    expect: &Map<String, Value>,
) {
    let policy = Policy::strict();
    let given = decode(pieces(input, sizes), limits, &policy, true);

    let mut frames = Vec::new();
    let mut blanks = 0;
    for cut in &given.cuts.lines {
        frames.extend((0..cut.blanks_before).map(|_| Frame::Blank));
        blanks += cut.blanks_before;
        match &cut.body {
            Ok(body) if cut.terminated => frames.push(Frame::text(body)),
            Ok(_) => {}
            Err(_) => frames.push(Frame::TooLong),
        }
    }
    frames.extend((blanks..given.ended_blanks).map(|_| Frame::Blank));
    // Bytes of a line that is over the limit are not kept: there is no rest of them.
    let rest = match given.cuts.lines.last() {
        Some(last) if !last.terminated => last.body.as_ref().ok().map(|body| body.to_vec()),
        _ => Some(given.held),
    };

    let listed = expect["frames"].as_array().unwrap();
    let expected: Vec<_> = listed
        .iter()
        .map(|frame| Frame::expected(check, frame))
        .collect();
    check.same("frames", expected, frames);
    let rest = rest.map(|rest| rest.escape_ascii().to_string());
    let expected = expect["rest"].as_str();
    let expected = expected.map(|text| text.as_bytes().escape_ascii().to_string());
    check.same("rest", expected, rest);

    let setting = (limits, &policy);
    if input.len() <= EVERY_SPLIT {
        for sizes in byte_by_byte_and_every_split(input.len()) {
            assert_cut(check, &given.cuts, (input, true), &sizes, setting);
        }
    }
    assert_iterated(check, &given.cuts, input, setting);
}
