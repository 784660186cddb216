//! What an expectation says about one message, held against what the crate says about it.
//!
//! One table serves the vectors and the cases: an expectation's key, what it is of an accepted message, and what it is
//! of a refused one. `null` is: there is none.

use super::chunks::Cut;
use super::report::Check;
use rpcslice::json::{JsonStr, RawJson};
use rpcslice::{Batch, Error, Kind, Limits, Member, Message, Policy, Shape, View};
use serde_json::{Map, Value};

/// A message or a batch that was read, or the reason why not.
#[allow(clippy::large_enum_variant)] // one at a time
pub enum Seen<'a> {
    Accepted(Message<'a>),
    Batch(Batch<'a>),
    Refused(Error, &'a [u8]),
    /// Turned away with a status, before anything was read.
    Turned(u16),
    /// No message, and that is in order.
    Nothing,
}

impl<'a> Seen<'a> {
    /// Reads one message.
    pub fn of(frame: &'a [u8], limits: &Limits, policy: &Policy) -> Self {
        match Message::parse_with(frame, limits, policy) {
            Ok(message) => Self::Accepted(message),
            Err(error) => Self::Refused(error, frame),
        }
    }

    /// Reads a line as it was cut.
    pub fn of_line(line: &'a Cut, limits: &Limits, policy: &Policy) -> Self {
        match &line.body {
            Ok(body) => Self::of(body, limits, policy),
            Err(oversize) => Self::Refused(oversize.error(), &[]),
        }
    }

    /// The bytes that were read.
    pub fn frame(&self) -> &'a [u8] {
        match self {
            Self::Accepted(message) => message.frame().as_bytes(),
            Self::Batch(batch) => batch.frame(),
            Self::Refused(_, frame) => frame,
            Self::Turned(_) | Self::Nothing => &[],
        }
    }

    pub fn verdict(&self) -> &'static str {
        match self {
            Self::Accepted(_) | Self::Batch(_) | Self::Nothing => "accept",
            Self::Refused(..) | Self::Turned(_) => "reject",
        }
    }

    /// The code of an error response that was read.
    pub fn code(&self) -> Option<i64> {
        match self {
            Self::Accepted(message) => match message.view() {
                View::Error(error) => Some(error.code()),
                _ => None,
            },
            Self::Batch(_) | Self::Refused(..) | Self::Turned(_) | Self::Nothing => None,
        }
    }

    /// The elements of a batch, each as if it had come alone; of anything else none.
    pub fn items(&self) -> Vec<Seen<'a>> {
        let Self::Batch(batch) = self else {
            return Vec::new();
        };
        let items = batch.iter().map(|item| match item {
            Ok(message) => Self::Accepted(message),
            Err(error) => Self::Refused(error, batch.frame()),
        });
        items.collect()
    }

    /// The verdict with its reason, for reading.
    pub fn told(&self) -> String {
        match self {
            Self::Accepted(message) => format!("accept of a {}", message.kind().as_str()),
            Self::Batch(batch) => format!("accept of a batch of {}", batch.len()),
            Self::Refused(error, _) => format!("reject {} ({error})", error.code()),
            Self::Turned(status) => format!("status {status}"),
            Self::Nothing => "no message".to_owned(),
        }
    }

    fn value(&self, row: &Row) -> Value {
        match self {
            Self::Accepted(message) => (row.accepted)(message),
            Self::Batch(_) if row.key == "kind" => "batch".into(),
            Self::Batch(_) => Value::Null,
            Self::Refused(error, frame) => (row.refused)(error, frame),
            Self::Turned(status) if row.key == "http_status" => (*status).into(),
            Self::Turned(_) | Self::Nothing => Value::Null,
        }
    }
}

struct Row {
    key: &'static str,
    accepted: fn(&Message<'_>) -> Value,
    refused: fn(&Error, &[u8]) -> Value,
}

const fn row(
    key: &'static str,
    accepted: fn(&Message<'_>) -> Value,
    refused: fn(&Error, &[u8]) -> Value,
) -> Row {
    Row {
        key,
        accepted,
        refused,
    }
}

const ROWS: &[Row] = &[
    row("kind", |m| m.kind().as_str().into(), |e, _| shape(e)),
    row(
        "id_raw",
        |m| m.id().map(|id| id.raw()).into(),
        |e, frame| e.id(frame).map(|id| id.raw()).into(),
    ),
    row(
        "method",
        |m| text(m.method()),
        |e, frame| text(e.method(frame)),
    ),
    row(
        "method_raw",
        |m| m.method().map(|s| s.raw()).into(),
        |e, frame| e.method(frame).map(|s| s.raw()).into(),
    ),
    row("protocol_version", |m| text(m.protocol_version()), none),
    row("name", |m| text(m.name()), none),
    row("params_raw", |m| raw(m.params()), none),
    row("result_raw", |m| raw(m.result()), none),
    row("meta_raw", |m| raw(m.meta().map(|meta| meta.raw())), none),
    row("progress_token", progress_token, none),
    row("progress_token_raw", progress_token, none),
    row(
        "subscription_id",
        |m| raw(m.meta().and_then(|meta| meta.subscription_id())),
        none,
    ),
    row("result_type", result_type, none),
    row("code", code, none),
    row("error_code", |_| Value::Null, |e, _| e.code().into()),
    row(
        "http_status",
        |_| Value::Null,
        |e, _| e.http_status().into(),
    ),
];

/// Whether the table has a key.
pub fn is_asserted(key: &str) -> bool {
    ROWS.iter().any(|row| row.key == key)
}

/// Asserts one key of an expectation, which the table has to know. `at` says where it stands.
pub fn assert_key(check: &mut Check, at: &str, key: &str, expected: &Value, seen: &Seen<'_>) {
    let Some(row) = ROWS.iter().find(|row| row.key == key) else {
        return check.fault("a known key", key);
    };
    // Of a refused message no more than its shape is known: a response is a result or an error.
    let is_response = matches!(seen, Seen::Refused(..)) && key == "kind";
    let expected = match expected.as_str() {
        Some("result" | "error") if is_response => "response".into(),
        _ => expected.clone(),
    };
    let got = seen.value(row);
    check.holds(expected == got, format!("{at}{key} {expected}"), got);
}

/// Faults every key of an object that `known` does not hold.
pub fn only_known_keys(check: &mut Check, what: &str, object: &Map<String, Value>, known: &[&str]) {
    for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
        check.fault(format!("a known {what}"), key);
    }
}

fn none(_: &Error, _: &[u8]) -> Value {
    Value::Null
}

fn raw(value: Option<RawJson<'_>>) -> Value {
    value.map(|value| value.raw()).into()
}

fn text(string: Option<JsonStr<'_>>) -> Value {
    match string.map(|string| string.decode()) {
        Some(Ok(text)) => text.into(),
        Some(Err(_)) => "(a string that is no text)".into(),
        None => Value::Null,
    }
}

fn shape(error: &Error) -> Value {
    match error.shape() {
        Shape::Request => "request".into(),
        Shape::Notification => "notification".into(),
        Shape::Response => "response".into(),
        _ => Value::Null,
    }
}

fn progress_token(message: &Message<'_>) -> Value {
    let reports_progress = message.kind() == Kind::Notification
        && message
            .method()
            .is_some_and(|method| method == "notifications/progress");
    raw(if reports_progress {
        message
            .params()
            .and_then(|params| params.get("progressToken"))
    } else {
        message.meta().and_then(|meta| meta.progress_token())
    })
}

/// An absent `resultType` is to be read as `complete` (2026-07-28/basic/index#resulttype).
fn result_type(message: &Message<'_>) -> Value {
    match (message.view(), message.member(Member::ResultType)) {
        (View::Response(_), None) => "complete".into(),
        (View::Response(response), Some(_)) => text(response.result_type()),
        _ => Value::Null,
    }
}

fn code(message: &Message<'_>) -> Value {
    match message.view() {
        View::Error(error) => error.code().into(),
        _ => Value::Null,
    }
}
