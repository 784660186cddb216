//! What the vectors and the cases say about an event stream.

use super::case::{Object, assert_message};
use super::chunks::{byte_by_byte_and_every_split, pieces};
use super::events::{Kept, Stream, assert_same, decode, slow};
use super::expect::{Seen, only_known_keys};
use super::input::Input;
use super::report::Check;
use rpcslice::frame::Payload;
use rpcslice::mcp::{Rules, Version};
use rpcslice::{Limits, Message};
use serde_json::Value;

/// Streams up to this size are cut at every place; longer ones at so many close to either end, ..
const EVERY_SPLIT: usize = 4096;
const EDGE: usize = 40;
/// .. and at this many in between.
const BETWEEN: usize = 20;

/// The stream as it is given; then the same however it is cut, and as the slow decoder has it where no limit is met.
fn read(check: &mut Check, input: &Input, limits: Limits, ended: bool) -> Stream {
    let Input { bytes, sizes } = input;
    let (given, peak) = decode(pieces(bytes, sizes), limits, ended);
    let largest = sizes.iter().max().copied().unwrap_or(0);
    let most = limits.max_frame_bytes().max(64 << 10) * 2 + largest;
    check.holds(peak <= most, format!("at most {most} bytes held"), peak);
    let mut chunkings = vec![sizes.clone(), vec![bytes.len()]];
    let len = bytes.len();
    if len <= EVERY_SPLIT {
        chunkings.extend(byte_by_byte_and_every_split(len));
    } else {
        let between = (1..BETWEEN).map(|n| n * (len / BETWEEN));
        let places = (0..EDGE).chain(between).chain(len - EDGE..len);
        chunkings.extend(places.map(|at| vec![at, len]));
        chunkings.push(vec![1]);
    }
    for sizes in chunkings {
        assert_same(check, &given, (bytes, ended), &sizes, limits);
    }
    if ended && given.events.iter().all(|event| event.data.is_ok()) {
        assert_same(check, &slow(bytes), (bytes, ended), &[bytes.len()], limits);
    }
    given
}

/// A vector: its events with all their keys, and what is in force after the stream. `null` is: there is none.
pub fn run_vector(check: &mut Check, input: &Input, limits: Limits, expect: &Object) {
    let stream = read(check, input, limits, true);
    check.same("verdict", Some("accept"), expect["verdict"].as_str());
    let events = expect["events"].as_array().unwrap();
    check.same("number of events", events.len(), stream.events.len());
    for (n, (expected, got)) in (1..).zip(events.iter().zip(&stream.events)) {
        let expected = expected.as_object().unwrap();
        only_known_keys(
            check,
            "key of an event",
            expected,
            &["event", "data", "id", "retry"],
        );
        for (key, expected) in expected {
            let key = if key == "id" { "last_event_id" } else { key };
            assert_event_key(check, &format!("event {n}: "), key, expected, got);
        }
    }
    let id = stream.last_event_id.map(|id| id.0);
    check.same("last_event_id", &expect["last_event_id"], &text(id));
    check.same("retry", &expect["retry"], &stream.retry.into());
}

/// A case.
pub fn run_case(
    check: &mut Check,
    input: &Input,
    ended: bool,
    version: Option<Version>,
    limits: Limits,
    expect: &Object,
) {
    let stream = read(check, input, limits, ended);
    let (good, oversize): (Vec<_>, Vec<_>) =
        stream.events.iter().partition(|event| event.data.is_ok());
    for (key, expected) in expect {
        match key.as_str() {
            "verdict" => {
                let verdict = expected.as_str().unwrap();
                check.holds(
                    ["accept", "either"].contains(&verdict),
                    "a stream accepted",
                    verdict,
                );
            }
            "events" => {
                let events = expected.as_array().unwrap();
                check.same("number of events", events.len(), good.len());
                for (n, (expected, got)) in (1..).zip(events.iter().zip(&good)) {
                    assert_event(check, n, expected.as_object().unwrap(), got, version);
                }
            }
            "last_event_id" => {
                let id = stream.last_event_id.clone().map(|id| id.0);
                check.same(key, expected, &text(id));
            }
            "oversize" => check.same(key, expected.as_u64(), Some(oversize.len() as u64)),
            "incomplete" => {
                check.same(key, expected.as_bool(), Some(stream.incomplete.is_some()));
            }
            "leftover" => {
                let rest = stream.incomplete.clone();
                let rest = rest.map(|(_, bytes)| bytes.unwrap().0);
                check.same(key, expected, &text(rest));
            }
            "prose" | "if_lenient" => {}
            _ => check.fault("a key about an event stream", key),
        }
    }
}

fn assert_event(
    check: &mut Check,
    n: usize,
    expected: &Object,
    got: &Kept,
    version: Option<Version>,
) {
    let at = format!("event {n}: ");
    for (key, expected) in expected {
        if key == "message" {
            assert_payload(check, &at, expected.as_object(), got, version);
        } else {
            assert_event_key(check, &at, key, expected, got);
        }
    }
}

fn assert_event_key(check: &mut Check, at: &str, key: &str, expected: &Value, got: &Kept) {
    let data = got.data.as_ref().map_or(&b""[..], |data| &data.0);
    let got = match key {
        "event" => text(Some(got.event.0.clone())),
        "data" => text(Some(data.to_vec())),
        "data_len" => data.len().into(),
        "data_hex" => data
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
            .into(),
        "last_event_id" => text(got.last_event_id.clone().map(|id| id.0)),
        "retry" => got.retry.into(),
        _ => return check.fault("a known key of an event", key),
    };
    check.same(&format!("{at}{key}"), expected, &got);
}

/// The data, as parsing alone reads it, and as the event itself says what it holds.
fn assert_payload(
    check: &mut Check,
    at: &str,
    expected: Option<&Object>,
    got: &Kept,
    version: Option<Version>,
) {
    let event = got.lent();
    let rules = match version {
        Some(version) => Rules::proxy().negotiated(version),
        None => Rules::proxy(),
    };
    let payload = event.message(&rules);
    let Some(expected) = expected else {
        let is_nothing = matches!(payload, Ok(Payload::Nothing(_)));
        return check.holds(
            is_nothing,
            format!("{at}no message"),
            format!("{payload:?}"),
        );
    };
    let frame = event.data.unwrap_or(&[]);
    let seen = match Message::parse(frame) {
        Ok(message) => Seen::Accepted(message),
        Err(error) => Seen::Refused(error, frame),
    };
    assert_message(check, at, expected, &seen);
    if let (Seen::Accepted(_), Ok(payload)) = (&seen, &payload) {
        let is_message = matches!(payload, Payload::Message(_));
        check.holds(is_message, format!("{at}a message"), format!("{payload:?}"));
    }
}

/// As text, where it is some; else its bytes for reading.
fn text(bytes: Option<Vec<u8>>) -> Value {
    match bytes.map(String::from_utf8) {
        None => Value::Null,
        Some(Ok(text)) => text.into(),
        Some(Err(error)) => format!("{:?}", error.as_bytes()).into(),
    }
}
