//! The conformance vectors: `tests/vectors/`, those made from the specification's own examples beside the checkout, and
//! the directories named in `RPCSLICE_VECTORS` (separated by colons).
//!
//! A vector runs through parsing and the rules, once for each version it lists. What they can't know waits: `WAITING` is
//! the only table of that.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use base64::prelude::{BASE64_STANDARD, Engine};
use rpcslice::mcp::{MetaKey, Version};
use serde_json::{Map, Value};
use std::path::Path;
use std::process::ExitCode;
use support::expect::{self, Seen};
use support::input::Input;
use support::report::{Check, Report};
use support::setting::{Setting, limits, versions};
use support::verdict::assert_seen;
use support::{event_streams, files, framing};

type Object = Map<String, Value>;

/// Vectors we hold to be wrong, with the clause that says so. They are skipped.
const DISPUTED: &[(&str, &str)] = &[];

/// Where a row of `WAITING` applies. A reason may end in `*`.
enum When {
    Unit(&'static str),
    Reason(&'static str),
    /// A reason in a vector of the legacy revisions on HTTP: there a header alone names the version.
    LegacyHeader(&'static str),
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

/// What parsing and the rules have to say of a vector that waits. This keeps a row from hiding more than it should.
enum Alone {
    /// They see no fault.
    Accepts,
    /// They are not asked, for the input is no message.
    Unasked,
}

use Alone::{Accepts, Unasked};
use Waits::{Assertion, Vector};
use When::{AcceptKey, Key, LegacyHeader, Reason, Unit};

/// What waits, and for what. The first row that applies decides.
#[rustfmt::skip]
const WAITING: &[(When, Waits, &str)] = &[
    (Unit("header-encode"),        Vector(Unasked), "the header codec"),
    (Unit("header-decode"),        Vector(Unasked), "the header codec"),
    (Unit("x-mcp-header"),         Vector(Unasked), "x-mcp-header plans"),
    (Reason("http-method"),        Vector(Unasked), "the HTTP checks"),
    (Reason("header-*"),           Vector(Accepts), "the HTTP checks"),
    (Reason("session-id-*"),       Vector(Accepts), "the HTTP checks"),
    (LegacyHeader("version-*"),    Vector(Accepts), "the HTTP checks"),
    (AcceptKey("http_status"),     Assertion,       "the HTTP checks"),
    (Key("assumed_version"),       Assertion,       "the HTTP checks"),
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
                report.topic(files::name(&file).trim_end_matches(".jsonl"));
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
    let id = string(&vector, "id").unwrap_or(place);
    let title = string(&vector, "title").unwrap_or("");
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

fn expectation(vector: &Object) -> &Object {
    vector["expect"].as_object().expect("`expect` is an object")
}

fn string<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str)
}

/// The first row by which a whole vector waits.
fn waiting(vector: &Object) -> Option<(&'static Alone, &'static str)> {
    let expect = vector.get("expect").and_then(Value::as_object)?;
    let reason = |pattern| string(expect, "reason").is_some_and(|reason| fits(pattern, reason));
    WAITING.iter().find_map(|(when, waits, why)| {
        let applies = match *when {
            Unit(unit) => string(vector, "unit") == Some(unit),
            Reason(pattern) => reason(pattern),
            LegacyHeader(pattern) => {
                let is_http = string(vector, "transport") == Some("http");
                let is_legacy = !versions(vector).contains(&Version::LATEST);
                is_http && is_legacy && reason(pattern)
            }
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
            Unit(_) | Reason(_) | LegacyHeader(_) => false,
        };
        (applies && matches!(waits, Assertion)).then_some(*why)
    })
}

fn check_vocabulary(check: &mut Check, vector: &Object) {
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

/// Every way to run a vector.
fn settings(vector: &Object) -> impl Iterator<Item = Setting> {
    let versions = versions(vector).into_iter();
    versions.flat_map(|version| Setting::all(vector, version))
}

fn check_alone(check: &mut Check, vector: &Object, alone: &Alone) {
    let input = input(vector);
    let asked = match alone {
        Unasked => return,
        Accepts => settings(vector),
    };
    for setting in asked {
        let seen = setting.read(&input);
        let what = format!("{}: no fault without the headers", setting.version);
        check.holds(matches!(seen, Seen::Accepted(_)), what, seen.told());
    }
}

fn input(vector: &Object) -> Vec<u8> {
    match (string(vector, "input"), string(vector, "input_b64")) {
        (Some(text), None) => text.into(),
        (None, Some(base64)) => BASE64_STANDARD.decode(base64).unwrap(),
        _ => panic!("a vector has either `input` or `input_b64`"),
    }
}

fn run_vector(check: &mut Check, id: &str, vector: &Object) {
    let (input, limits, expect) = (input(vector), limits(vector), expectation(vector));
    let size = |size: &Value| usize::try_from(size.as_u64().unwrap()).unwrap();
    let sizes = match vector.get("chunks") {
        Some(sizes) => sizes.as_array().unwrap().iter().map(size).collect(),
        None => vec![input.len()],
    };
    if expect.contains_key("frames") {
        return framing::run(check, &input, &sizes, &limits, expect);
    }
    if expect.contains_key("events") {
        let input = Input {
            bytes: input,
            sizes,
        };
        return event_streams::run_vector(check, &input, limits, expect);
    }
    let verdict = string(expect, "verdict").unwrap();
    for (key, _) in expect.iter().filter(|(_, expected)| !expected.is_null()) {
        if let Some(why) = assertion_waits(key, verdict) {
            println!("NOTE {id}: {key} is not asserted yet, it waits for {why}");
        }
    }
    match string(vector, "unit") {
        Some("meta-key") => {
            for version in versions(vector) {
                run_meta_key(check, version, &input, expect);
            }
        }
        _ => {
            for setting in settings(vector) {
                run_message(check, &input, &setting, expect);
            }
        }
    }
}

fn run_meta_key(check: &mut Check, version: Version, input: &[u8], expect: &Object) {
    let key = MetaKey::parse(std::str::from_utf8(input).unwrap());
    let is_good = string(expect, "verdict") == Some("accept");
    check.same(&format!("{version}: a good key"), is_good, key.is_ok());
    if let (Some(expected), Ok(key)) = (expect.get("reserved_prefix"), key) {
        let got = Some(key.is_reserved(version));
        check.same(&format!("{version}: reserved"), expected.as_bool(), got);
    }
}

fn run_message(check: &mut Check, input: &[u8], setting: &Setting, expect: &Object) {
    let seen = setting.read(input);
    let at = format!("{}: ", setting.version);
    let waits = |key: &str, verdict: &str| assertion_waits(key, verdict).is_some();
    assert_seen(check, &at, &seen, setting, expect, &waits);
    let items = expect.get("items").and_then(Value::as_array);
    let (expected, got) = (items.map_or(0, Vec::len), seen.items());
    check.same(&format!("{at}elements"), expected, got.len());
    for (n, (item, seen)) in (1..).zip(items.into_iter().flatten().zip(&got)) {
        let at = format!("{at}element {n}: ");
        assert_seen(check, &at, seen, setting, item.as_object().unwrap(), &waits);
    }
}
