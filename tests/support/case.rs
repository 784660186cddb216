//! What a case says about one message.

use super::expect::{Seen, assert_key, only_known_keys};
use super::report::Check;
use rpcslice::json::RawJson;
use rpcslice::{Id, Limits, Policy};
use serde_json::{Map, Value};
use std::hash::{DefaultHasher, Hash, Hasher};

pub type Object = Map<String, Value>;

/// What a case is run under.
pub struct Setting {
    pub limits: Limits,
    pub policy: Policy,
    pub lenient: bool,
}

impl Setting {
    /// The expectation that holds here: under the lenient policy its `if_lenient`, where it has one.
    pub fn of<'a>(&self, expect: &'a Object) -> &'a Object {
        match expect.get("if_lenient") {
            Some(lenient) if self.lenient => lenient.as_object().unwrap(),
            _ => expect,
        }
    }

    pub fn read<'a>(&self, frame: &'a [u8]) -> Seen<'a> {
        Seen::of(frame, &self.limits, &self.policy)
    }
}

/// Asserts an expectation on one message; `at` says which. The keys are known.
pub fn assert_message(check: &mut Check, at: &str, expect: &Object, seen: &Seen<'_>) {
    if let Some(verdict) = expect.get("verdict") {
        let verdict = verdict.as_str().unwrap();
        let known = ["accept", "reject", "either"].contains(&verdict);
        check.holds(known, "a known verdict", verdict);
        let right = verdict == "either" || verdict == seen.verdict();
        check.holds(right, format!("{at}{verdict}"), seen.told());
    }
    for (key, expected) in expect {
        match key.as_str() {
            "verdict" | "prose" | "if_lenient" | "compare" => {}
            "text_of" => text_of(check, expected, seen.frame()),
            "result_contains_bytes_hex" => {
                let contains = result_contains(seen, expected);
                check.holds(contains, format!("{at}{key} {expected}"), "another result");
            }
            key => assert_key(check, at, key, expected, seen),
        }
    }
}

/// Whether these bytes occur in the result.
pub fn result_contains(seen: &Seen<'_>, hex: &Value) -> bool {
    let Seen::Accepted(message) = seen else {
        return false;
    };
    let hex = hex.as_str().unwrap();
    let bytes: Vec<u8> = (0..hex.len() / 2)
        .map(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).unwrap())
        .collect();
    message.result().is_some_and(|result| {
        let text = result.raw().as_bytes();
        text.windows(bytes.len()).any(|window| window == bytes)
    })
}

/// `path` into the message, and whether the string there can be given as text.
fn text_of(check: &mut Check, expected: &Value, frame: &[u8]) {
    let expected = expected.as_object().unwrap();
    only_known_keys(check, "key of text_of", expected, &["path", "ok"]);
    let steps: Vec<String> = match &expected["path"] {
        Value::Array(steps) => steps
            .iter()
            .map(|step| step.as_str().unwrap().to_owned())
            .collect(),
        path => {
            let path = path.as_str().unwrap();
            let by = if path.starts_with('/') { '/' } else { '.' };
            path.trim_start_matches('/')
                .split(by)
                .map(str::to_owned)
                .collect()
        }
    };
    let mut value = RawJson::parse(frame).ok();
    for step in &steps {
        value = value.and_then(|value| match step.parse() {
            Ok(index) => value.elements().nth(index),
            Err(_) => value.get(step),
        });
    }
    match value.and_then(|value| value.as_string()) {
        Some(string) => check.same(
            &format!("text of {}", expected["path"]),
            expected["ok"].as_bool().unwrap(),
            string.decode().is_ok(),
        ),
        None => check.fault(format!("a string at {}", expected["path"]), "none"),
    }
}

/// `[id, id, whether they are equal]`, ids as raw JSON text. Equal ids have equal hashes.
pub fn compare(check: &mut Check, pairs: &Value, setting: &Setting) {
    for pair in pairs.as_array().unwrap() {
        let [a, b, equal] = pair.as_array().unwrap().as_slice() else {
            return check.fault("[id, id, equal]", pair);
        };
        let frames = [a, b].map(|id| {
            let id = id.as_str().unwrap();
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#)
        });
        let read = |frame| match setting.read(frame) {
            Seen::Accepted(message) => message.id(),
            Seen::Batch(_) | Seen::Refused(..) | Seen::Turned(_) | Seen::Nothing => None,
        };
        let got = match (read(frames[0].as_bytes()), read(frames[1].as_bytes())) {
            (Some(a), Some(b)) => {
                let hashes_fit = a != b || hash(a) == hash(b);
                check.holds(
                    hashes_fit,
                    format!("{pair} with equal hashes"),
                    "two hashes",
                );
                a == b
            }
            // What can't be an id equals none.
            _ => false,
        };
        check.same(&format!("{a} equals {b}"), equal.as_bool(), Some(got));
    }
}

fn hash(id: Id<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
