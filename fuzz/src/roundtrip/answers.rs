//! Several answers in one array are those answers.

use super::draft::Draft;
use super::setting::Setting;
use crate::oracle::copied::Copied;
use crate::oracle::tree;
use crate::rng::Rng;
use rpcslice::encode::{AnswerArray, Framing, ReplyTo, reply};
use rpcslice::json::RawJson;
use rpcslice::mcp::{Method, Version};
use rpcslice::{Batch, Id, Limits, Message};

const IDS: [&str; 4] = ["0", "-12345678901234567890", "\"\u{2029}\"", "\"\\ud800\""];
/// Answers that come from elsewhere, and are passed on.
const RESPONSES: [&str; 3] = [
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
    "\r{ \"result\" : {\n\"\u{2028}\":[1.50]},\"id\":\"\\u0061\",\n\"jsonrpc\":\"2.0\"} ",
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"\"}}",
];
/// Elements that are refused.
const BAD: [&[u8]; 4] = [
    b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":1}",
    b"7",
    b"{\"method\":\"x\"}",
    b"\xFF",
];

pub fn hold(setting: &Setting, draft: &Draft, answered: Option<Method>, rng: &mut Rng) {
    let writer = setting.writer();
    let (limits, policy) = (setting.rules.frame_limits(), setting.rules.frame_policy());
    let alone = writer.framing(Framing::Body);
    let has_batches = setting.version == Version::V2025_03_26;
    let mut out = Vec::new();
    let mut answers = AnswerArray::new(&mut out, setting.framed.framing());
    let mut expected: Vec<String> = Vec::new();
    for _ in 0..rng.below(5) {
        let id = match draft.id.as_deref() {
            Some(id) if rng.once_in(2) => id,
            _ => rng.pick(&IDS).expect("four"),
        };
        let id = Id::from_raw(id).expect("an id");
        let mut one = Vec::new();
        let mut copied = setting.copied;
        match rng.below(4) {
            0 => {
                let to = answered.into_iter().fold(ReplyTo::new(id), ReplyTo::method);
                let result = draft.section.as_deref().unwrap_or("{\"a\":\n1}");
                let Ok(result) = RawJson::parse_with(result.as_bytes(), &highest()) else {
                    continue;
                };
                let written = answers.result(&writer, to, result);
                if !has_batches {
                    assert!(written.is_err(), "no batches in that revision");
                    continue;
                }
                assert_eq!(written, alone.result(&mut one, to, result));
            }
            1 => {
                let data = draft
                    .data
                    .as_deref()
                    .and_then(|data| RawJson::parse(data.as_bytes()).ok());
                let to = ReplyTo::new(id);
                let written = answers.error(&writer, to, draft.code, &draft.message, data);
                if !has_batches {
                    assert!(written.is_err(), "no batches in that revision");
                    continue;
                }
                assert_eq!(
                    written,
                    alone.error(&mut one, to, draft.code, &draft.message, data)
                );
            }
            2 => {
                let bad = rng.pick(&BAD).expect("four");
                let Err(error) = Message::parse_with(bad, &limits, &policy) else {
                    continue;
                };
                answers.refusal(&error, bad, &setting.rules);
                let _ = reply(&mut one, &error, bad, &setting.rules, Framing::Body);
                copied.no_separators = false;
            }
            _ => {
                let response = rng.pick(&RESPONSES).expect("three");
                let message = Message::parse(response.as_bytes()).expect("a message");
                answers.message(&message).expect("a response");
                one.extend_from_slice(response.as_bytes());
                // As it is, but for lines.
                copied = Copied {
                    one_line: setting.framed.is_one_line(),
                    no_separators: false,
                };
            }
        }
        if !one.is_empty() {
            let one = String::from_utf8(one).expect("text");
            let one = one.trim_matches([' ', '\t', '\n', '\r']);
            expected.push(copied.of(one));
        }
    }
    let is_there = answers.finish();
    assert_eq!(is_there, !expected.is_empty());
    if !is_there {
        return assert!(out.is_empty(), "an array of nothing");
    }
    let body = setting.framed.body(&out);
    let root = tree::root(&body).expect("JSON");
    let elements = tree::elements(&body, &root).expect("an array");
    let found: Vec<&str> = elements.into_iter().map(|at| &body[at]).collect();
    assert_eq!(found, expected);
    let lines = Copied {
        one_line: setting.framed.is_one_line(),
        no_separators: false,
    };
    assert!(lines.holds(&body));
    let batch = Batch::parse_with(body.as_bytes(), &highest(), &policy).expect("a batch");
    assert_eq!(batch.len(), expected.len());
    for (message, text) in batch.iter().zip(&expected) {
        let message = message.expect("an answer is a message");
        assert!(message.method().is_none());
        assert_eq!(message.frame().trim(), text);
    }
}

fn highest() -> Limits {
    Limits::new().with_max_depth(Limits::HIGHEST_MAX_DEPTH)
}
