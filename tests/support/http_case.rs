//! Cases of the layer `http`: a request as a server meets it, or a response as a client does.

use super::case::{Object, assert_message};
use super::event_streams;
use super::expect::Seen;
use super::headers::{Fields, plan, read};
use super::input::Input;
use super::report::Check;
use ::http::StatusCode;
use bytes::Bytes;
use rpcslice::frame::{Body, Content, Payload};
use rpcslice::http::{Accepts, Answer, Negotiation, Posted, accepted_status, status};
use rpcslice::mcp::code::METHOD_NOT_FOUND;
use rpcslice::mcp::{Rules, Transport, Version, Versions};
use rpcslice::{Limits, Policy};
use serde_json::Value;

/// What came of it.
#[allow(clippy::large_enum_variant)] // one at a time
enum Outcome<'a> {
    Seen(Seen<'a>),
    /// No message, and that is in order.
    Nothing,
    /// No message, and there should be one.
    Unread(String),
    /// An event stream, to be read.
    Events,
}

/// Runs a case; the body is whole in `frame` once it has been put together.
pub fn run(
    check: &mut Check,
    case: &Object,
    input: &Input,
    limits: Limits,
    policy: Policy,
    expect: &Object,
) {
    let fields = Fields::of(case.get("headers"));
    let version: Version = case["version"].as_str().unwrap().parse().unwrap();
    let role = case.get("role").and_then(Value::as_str);
    let is_client = fields.status().is_some();
    let expected = if is_client { "client" } else { "server" };
    check.same("role", expected, role.unwrap_or(expected));
    let side = if is_client {
        Rules::client()
    } else {
        Rules::server()
    };
    let rules = side
        .transport(Transport::Http)
        .versions(Versions::of(&[version]))
        .limits(limits)
        .policy(policy);
    let mut frame = Bytes::new();
    match fields.status() {
        Some(status) => {
            let outcome = respond(&fields, status, input, &rules, &mut frame);
            if let Outcome::Events = outcome {
                let streams: Object = expect
                    .iter()
                    .filter(|(key, _)| *key == "verdict" || *key == "events")
                    .map(|(key, value)| (key.clone(), value.clone()))
                    .collect();
                event_streams::run_case(check, input, true, Some(version), limits, &streams);
            }
            assert_outcome(check, expect, &outcome, version, None);
        }
        None => {
            let negotiation =
                Negotiation::of_request(&rules, &fields.method("POST"), &fields.headers);
            let accepts = Some(Accepts::of(&fields.headers));
            if let Some(expected) = expect.get("reply_headers") {
                let allow = negotiation.err().and_then(|refusal| refusal.allow());
                let allow = allow.map(|value| value.to_str().unwrap().to_owned());
                let got: Object = allow
                    .map(|allow| ("Allow".into(), allow.into()))
                    .into_iter()
                    .collect();
                check.same("reply_headers", expected, &Value::Object(got));
            }
            let schema = case
                .get("options")
                .and_then(|options| options.get("input_schema"));
            let outcome = match negotiation {
                _ if fields.is_broken => Outcome::Seen(Seen::Turned(400)),
                Err(refusal) => Outcome::Seen(Seen::Turned(refusal.status().as_u16())),
                Ok(Negotiation::Stream | Negotiation::End) => Outcome::Nothing,
                Ok(_) => match collected(Content::new(limits), input) {
                    Ok(body) => {
                        frame = body;
                        Outcome::Seen(read(&rules, &fields.headers, &frame, &plan(schema)))
                    }
                    Err(status) => Outcome::Seen(Seen::Turned(status)),
                },
            };
            assert_outcome(check, expect, &outcome, version, accepts);
        }
    }
}

/// The body in its pieces; or the status of the answer if it is too long.
fn collected(mut content: Content, input: &Input) -> Result<Bytes, u16> {
    for piece in super::chunks::pieces(&input.bytes, &input.sizes) {
        if let Err(oversize) = content.push(Bytes::copy_from_slice(piece)) {
            return Err(oversize.error().http_status());
        }
    }
    content
        .finish()
        .map_err(|oversize| oversize.error().http_status())
}

fn respond<'a>(
    fields: &Fields,
    status: StatusCode,
    input: &Input,
    rules: &Rules,
    frame: &'a mut Bytes,
) -> Outcome<'a> {
    let posted = match (fields.method("POST").as_str(), fields.pseudo(":posted")) {
        ("GET", _) => Posted::Stream,
        ("DELETE", _) => Posted::End,
        (_, None | Some("request")) => Posted::Request,
        (_, Some("notification" | "response")) => Posted::Other,
        (_, Some(other)) => panic!("no such thing is posted: {other}"),
    };
    let answer = Answer::of_response(posted, status, &fields.headers, rules.frame_limits());
    let content = match answer {
        Err(error) => return Outcome::Unread(error.to_string()),
        Ok(Answer::Nothing | Answer::NotOffered) => return Outcome::Nothing,
        Ok(Answer::Events(_)) => return Outcome::Events,
        Ok(Answer::Message(content)) | Ok(Answer::Refused(_, Body::Json(content))) => content,
        Ok(Answer::Refused(..)) => return Outcome::Nothing,
        Ok(Answer::Unanswered(..)) => return Outcome::Unread("no answer".to_owned()),
    };
    match collected(content, input) {
        Ok(body) => *frame = body,
        Err(status) => return Outcome::Seen(Seen::Turned(status)),
    }
    let is_refused = !status.is_success();
    match Payload::of_body(frame, rules) {
        Ok(Payload::Nothing(_)) if !is_refused => Outcome::Unread("an empty answer".to_owned()),
        // JSON of whatever kind, beside a status that says it all.
        Err(_) if is_refused => Outcome::Nothing,
        Ok(Payload::Message(message)) => Outcome::Seen(Seen::Accepted(message)),
        Ok(Payload::Batch(batch)) => Outcome::Seen(Seen::Batch(batch)),
        Ok(_) => Outcome::Nothing,
        Err(error) => Outcome::Seen(Seen::Refused(error, frame)),
    }
}

/// Keys about the exchange; the others are about its message.
const OF_EXCHANGE: &[&str] = &[
    "verdict",
    "http_status",
    "message",
    "accepts",
    "reply_status",
    "reply_error_code",
    "reply_headers",
    "events",
    "prose",
    "if_lenient",
];

fn assert_outcome(
    check: &mut Check,
    expect: &Object,
    outcome: &Outcome<'_>,
    version: Version,
    accepts: Option<Accepts>,
) {
    let (got, told) = match outcome {
        Outcome::Seen(seen) => (seen.verdict(), seen.told()),
        Outcome::Nothing => ("accept", "no message".to_owned()),
        Outcome::Events => ("accept", "an event stream".to_owned()),
        Outcome::Unread(why) => ("reject", why.clone()),
    };
    for (key, expected) in expect {
        match key.as_str() {
            "verdict" => {
                let verdict = expected.as_str().unwrap();
                let known = ["accept", "reject", "either"].contains(&verdict);
                check.holds(known, "a known verdict", verdict);
                check.holds(verdict == "either" || verdict == got, verdict, &told);
            }
            "http_status" => {
                let status = match outcome {
                    Outcome::Seen(Seen::Accepted(message)) => {
                        Some(accepted_status(message).as_u16())
                    }
                    Outcome::Seen(Seen::Refused(error, _)) => Some(error.http_status()),
                    Outcome::Seen(Seen::Turned(status)) => Some(*status),
                    _ => None,
                };
                check.same(key, expected.as_u64(), status.map(u64::from));
            }
            "message" => match (expected, outcome) {
                (Value::Null, Outcome::Nothing) => check.holds(true, "", ""),
                (Value::Object(expected), Outcome::Seen(seen)) => {
                    assert_message(check, "", expected, seen);
                }
                _ => check.fault(format!("message {expected}"), &told),
            },
            "accepts" => {
                let types = accepts.map(|accepts| {
                    let json = accepts.json.then_some("application/json");
                    let events = accepts.event_stream.then_some("text/event-stream");
                    json.into_iter().chain(events).collect::<Vec<_>>()
                });
                check.same(key, expected, &types.into());
            }
            "reply_status" => {
                let status = match outcome {
                    // The method of HTTP.
                    Outcome::Seen(Seen::Turned(405)) => 405,
                    _ => status(METHOD_NOT_FOUND, version).as_u16(),
                };
                check.same(key, expected.as_u64(), Some(status.into()));
            }
            "reply_error_code" => {
                check.same(key, expected.as_i64(), Some(METHOD_NOT_FOUND));
            }
            _ => {}
        }
    }
    let of_message: Object = expect
        .iter()
        .filter(|(key, _)| !OF_EXCHANGE.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    match outcome {
        _ if of_message.is_empty() => {}
        Outcome::Seen(seen) => assert_message(check, "", &of_message, seen),
        _ => check.fault("a message", told),
    }
}
