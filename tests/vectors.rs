//! The conformance vectors: `tests/vectors/`, those made from the specification's own examples beside the checkout, and
//! the directories named in `RPCSLICE_VECTORS` (separated by colons).
//!
//! The rules of MCP's revisions are not there yet. So a vector runs once, through parsing alone, and what parsing alone
//! can't know waits: `WAITING` is the only table of that.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use base64::prelude::{BASE64_STANDARD, Engine};
use rpcslice::{Limits, Policy};
use serde_json::{Map, Value};
use std::path::Path;
use std::process::ExitCode;
use support::expect::{self, Seen};
use support::report::{Check, Report};
use support::{files, framing};

/// Vectors we hold to be wrong, with the clause that says so. They are skipped.
const DISPUTED: &[(&str, &str)] = &[];

/// Where a row of `WAITING` applies. A reason may end in `*`.
enum When {
    Unit(&'static str),
    Reason(&'static str),
    Key(&'static str),
    /// The key of an expectation that accepts.
    AcceptKey(&'static str),
}

/// What waits.
enum Waits {
    /// The whole vector.
    Vector(Alone),
    /// This one key; the rest of the vector runs.
    Assertion,
}

/// What parsing alone has to say of a vector that waits. This keeps a row from hiding more than it should.
enum Alone {
    /// It sees no fault: only rules can.
    Accepts,
    /// It refuses every array.
    Refuses,
    /// It is not asked, for the input is no message.
    Unasked,
}

use Alone::{Accepts, Refuses, Unasked};
use Waits::{Assertion, Vector};
use When::{AcceptKey, Key, Reason, Unit};

/// What waits, and for what. The first row that applies decides.
#[rustfmt::skip]
const WAITING: &[(When, Waits, &str)] = &[
    (Unit("header-encode"),        Vector(Unasked), "the header codec"),
    (Unit("header-decode"),        Vector(Unasked), "the header codec"),
    (Unit("x-mcp-header"),         Vector(Unasked), "x-mcp-header plans"),
    (Unit("meta-key"),             Vector(Unasked), "the syntax of _meta keys"),
    (Key("events"),                Vector(Unasked), "the SSE decoder"),
    (Key("items"),                 Vector(Refuses), "batches"),
    (Reason("batch-mixed"),        Vector(Refuses), "batches"),
    (Reason("initialize-in-batch"), Vector(Refuses), "batches"),
    (Reason("http-method"),        Vector(Unasked), "the HTTP checks"),
    (Reason("header-*"),           Vector(Accepts), "the HTTP checks"),
    (Reason("session-id-*"),       Vector(Accepts), "the HTTP checks"),
    (Reason("wrong-direction"),    Vector(Accepts), "the rules"),
    (Reason("version-*"),          Vector(Accepts), "the rules"),
    (Reason("method-unknown"),     Vector(Accepts), "the rules"),
    (Reason("meta-*"),             Vector(Accepts), "the rules"),
    (Reason("param-*"),            Vector(Accepts), "the rules"),
    (Reason("notification-*"),     Vector(Accepts), "the rules"),
    (Reason("progress-token-*"),   Vector(Accepts), "the rules"),
    (Reason("subscription-id-*"),  Vector(Accepts), "the rules"),
    (Reason("result-type-*"),      Vector(Accepts), "the rules"),
    (Reason("input-required-*"),   Vector(Accepts), "the rules"),
    (Reason("cache-hint-*"),       Vector(Accepts), "the rules"),
    (Reason("error-code-retired"), Vector(Accepts), "the check before sending"),
    (Reason("error-code-reserved"), Vector(Accepts), "the check before sending"),
    (Reason("error-data-*"),       Vector(Accepts), "the check before sending"),
    (AcceptKey("http_status"),     Assertion,       "the HTTP checks"),
    (Key("assumed_version"),       Assertion,       "the HTTP checks"),
    (Key("error_data"),            Assertion,       "the rules"),
    (Key("modern_error"),          Assertion,       "the table of error codes"),
    (Key("code_class"),            Assertion,       "the table of error codes"),
];

#[rustfmt::skip]
const KEYS: &[&str] = &[
    "id", "title", "clause", "level", "versions", "transport", "direction", "http_method", "role",
    "input", "input_b64", "headers", "chunks", "options", "unit", "official", "note", "expect",
];
#[rustfmt::skip]
const OPTIONS: &[&str] = &[
    "supported_versions", "for_method", "result_types", "methods", "input_schema",
    "max_frame_bytes", "response_status",
];
#[rustfmt::skip]
const EXPECT_KEYS: &[&str] = &[
    "verdict", "reason", "kind", "id_raw", "method", "protocol_version", "error_code",
    "http_status", "error_data", "items", "result_type", "code", "progress_token",
    "subscription_id", "assumed_version", "modern_error", "code_class", "events", "last_event_id",
    "retry", "frames", "rest", "reserved_prefix", "header", "value", "param_headers",
];
/// The values that a key may have.
const VALUES: &[(&str, &[&str])] = &[
    ("level", &["MUST", "SHOULD", "MAY"]),
    ("transport", &["stdio", "http", "any"]),
    (
        "direction",
        &["client-to-server", "server-to-client", "any"],
    ),
    ("role", &["receive", "send"]),
    (
        "unit",
        &["meta-key", "header-encode", "header-decode", "x-mcp-header"],
    ),
];

/// Of an accepted message these are asserted where they are `null`, too: there is none.
const NULL_IS_NONE: &[&str] = &["kind", "id_raw", "method", "protocol_version"];
/// Of a refused message only these are asserted.
const OF_REFUSED: &[&str] = &[
    "error_code",
    "http_status",
    "id_raw",
    "method",
    "error_data",
];

fn main() -> ExitCode {
    let mut report = Report::default();
    run_folder(&mut report, &files::in_repository("tests/vectors"), "");
    match files::beside_checkout("vectors") {
        Some(folder) => run_folder(&mut report, &folder, "official-"),
        None => report.absent("../shared/vectors/official-*"),
    }
    for folder in files::named_in("RPCSLICE_VECTORS") {
        run_folder(&mut report, &folder, "");
    }
    report.finish()
}

/// Runs the files of a folder whose names start with `prefix`.
fn run_folder(report: &mut Report, folder: &Path, prefix: &str) {
    let listed = match files::listed(folder, ".jsonl") {
        Ok(listed) => listed,
        Err(error) => return report.unreadable(folder, error),
    };
    for file in listed {
        if !files::name(&file).starts_with(prefix) {
            continue;
        }
        match files::json_lines(&file) {
            Ok(lines) => {
                report.source();
                for (number, line) in lines {
                    let place = format!("{}:{number}", files::name(&file));
                    run_line(report, &place, line);
                }
            }
            Err(error) => report.unreadable(&file, error),
        }
    }
}

fn run_line(report: &mut Report, place: &str, line: Result<Value, String>) {
    let vector = match line {
        Ok(Value::Object(vector)) => vector,
        other => {
            return report.run(place, "", |check| {
                check.fault("a JSON object", format!("{other:?}"))
            });
        }
    };
    let id = vector.get("id").and_then(Value::as_str).unwrap_or(place);
    let title = vector.get("title").and_then(Value::as_str).unwrap_or("");
    if let Some((_, why)) = DISPUTED.iter().find(|(disputed, _)| *disputed == id) {
        return report.skip(id, title, why, |check| check_vocabulary(check, &vector));
    }
    match waiting(&vector) {
        Some((alone, why)) => report.skip(id, title, &format!("waits for {why}"), |check| {
            check_vocabulary(check, &vector);
            check_alone(check, &vector, alone);
        }),
        None => report.run(id, title, |check| {
            check_vocabulary(check, &vector);
            run_vector(check, id, &vector);
        }),
    }
}

fn expectation(vector: &Map<String, Value>) -> &Map<String, Value> {
    vector["expect"].as_object().expect("`expect` is an object")
}

fn string<'a>(object: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str)
}

/// The first row by which a whole vector waits.
fn waiting(vector: &Map<String, Value>) -> Option<(&'static Alone, &'static str)> {
    let expect = vector.get("expect").and_then(Value::as_object)?;
    WAITING.iter().find_map(|(when, waits, why)| {
        let applies = match *when {
            Unit(unit) => string(vector, "unit") == Some(unit),
            Reason(pattern) => string(expect, "reason").is_some_and(|reason| fits(pattern, reason)),
            Key(key) | AcceptKey(key) => expect.contains_key(key),
        };
        match waits {
            Vector(alone) if applies => Some((alone, *why)),
            _ => None,
        }
    })
}

fn fits(pattern: &str, reason: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => reason.starts_with(prefix),
        None => reason == pattern,
    }
}

/// What a single assertion waits for, if it does.
fn assertion_waits(key: &str, verdict: &str) -> Option<&'static str> {
    WAITING.iter().find_map(|(when, waits, why)| {
        let applies = match *when {
            Key(waiting) => waiting == key,
            AcceptKey(waiting) => waiting == key && verdict == "accept",
            Unit(_) | Reason(_) => false,
        };
        (applies && matches!(waits, Assertion)).then_some(*why)
    })
}

fn check_vocabulary(check: &mut Check, vector: &Map<String, Value>) {
    expect::only_known_keys(check, "key", vector, KEYS);
    expect::only_known_keys(
        check,
        "key of the expectation",
        expectation(vector),
        EXPECT_KEYS,
    );
    if let Some(options) = vector.get("options") {
        expect::only_known_keys(check, "option", options.as_object().unwrap(), OPTIONS);
    }
    for (key, values) in VALUES {
        if let Some(value) = vector.get(*key) {
            let known = value.as_str().is_some_and(|value| values.contains(&value));
            if !known {
                check.fault(format!("{key} to be one of {values:?}"), value);
            }
        }
    }
}

fn check_alone(check: &mut Check, vector: &Map<String, Value>, alone: &Alone) {
    let input = input(vector);
    let seen = Seen::of(&input, &limits(vector), &Policy::strict());
    match alone {
        Unasked => {}
        Accepts => check.holds(
            matches!(seen, Seen::Accepted(_)),
            "parsing alone to see no fault",
            seen.told(),
        ),
        Refuses => check.holds(
            matches!(seen, Seen::Refused(..)),
            "parsing alone to refuse a batch",
            seen.told(),
        ),
    }
}

fn input(vector: &Map<String, Value>) -> Vec<u8> {
    match (string(vector, "input"), string(vector, "input_b64")) {
        (Some(text), None) => text.into(),
        (None, Some(base64)) => BASE64_STANDARD.decode(base64).unwrap(),
        _ => panic!("a vector has either `input` or `input_b64`"),
    }
}

fn limits(vector: &Map<String, Value>) -> Limits {
    let most = vector
        .get("options")
        .and_then(|options| options.get("max_frame_bytes"));
    match most {
        Some(most) => Limits::new().with_max_frame_bytes(size(most)),
        None => Limits::new(),
    }
}

fn size(number: &Value) -> usize {
    usize::try_from(number.as_u64().unwrap()).unwrap()
}

fn run_vector(check: &mut Check, id: &str, vector: &Map<String, Value>) {
    let (input, limits, expect) = (input(vector), limits(vector), expectation(vector));
    if expect.contains_key("frames") {
        let sizes = match vector.get("chunks") {
            Some(sizes) => sizes.as_array().unwrap().iter().map(size).collect(),
            None => vec![input.len()],
        };
        framing::run(check, &input, &sizes, &limits, expect);
    } else {
        run_message(check, id, &input, &limits, expect);
    }
}

fn run_message(
    check: &mut Check,
    id: &str,
    input: &[u8],
    limits: &Limits,
    expect: &Map<String, Value>,
) {
    let seen = Seen::of(input, limits, &Policy::strict());
    let verdict = string(expect, "verdict").unwrap();
    check.holds(verdict == seen.verdict(), verdict, seen.told());
    for (key, expected) in expect {
        let asserted = match verdict {
            "accept" => !expected.is_null() || NULL_IS_NONE.contains(&key.as_str()),
            _ => !expected.is_null() && OF_REFUSED.contains(&key.as_str()),
        };
        if !asserted || key == "verdict" {
            continue;
        }
        match assertion_waits(key, verdict) {
            Some(why) => println!("NOTE {id}: {key} is not asserted yet, it waits for {why}"),
            None => expect::assert_key(check, "", key, expected, &seen),
        }
    }
}
