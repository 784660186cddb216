//! The conformance vectors: `tests/vectors/`, those made from the specification's own examples beside the checkout, and
//! the directories named in `RPCSLICE_VECTORS` (separated by colons).
//!
//! A vector runs through parsing and the rules, on HTTP from the headers on, once for each version it lists.
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
use support::expect;
use support::input::Input;
use support::report::{Check, Report};
use support::setting::{Setting, limits, versions};
use support::verdict::assert_seen;
use support::{event_streams, files, framing, header_units as units};

type Object = Map<String, Value>;

/// Vectors we hold to be wrong, with the clause that says so. They are skipped.
const DISPUTED: &[(&str, &str)] = &[];

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
    report.run(id, title, |check| {
        check_vocabulary(check, &vector);
        run_vector(check, &vector);
    })
}

fn expectation(vector: &Object) -> &Object {
    vector["expect"].as_object().expect("`expect` is an object")
}

fn string<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str)
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

fn input(vector: &Object) -> Vec<u8> {
    match (string(vector, "input"), string(vector, "input_b64")) {
        (Some(text), None) => text.into(),
        (None, Some(base64)) => BASE64_STANDARD.decode(base64).unwrap(),
        _ => panic!("a vector has either `input` or `input_b64`"),
    }
}

fn run_vector(check: &mut Check, vector: &Object) {
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
    match string(vector, "unit") {
        Some("meta-key") => {
            for version in versions(vector) {
                run_meta_key(check, version, &input, expect);
            }
        }
        Some("header-encode") => units::encode(check, &input, expect),
        Some("header-decode") => units::decode_value(check, &input, expect),
        Some("x-mcp-header") => units::plan(check, &input, expect),
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
    assert_seen(check, &at, &seen, setting, expect);
    let items = expect.get("items").and_then(Value::as_array);
    let (expected, got) = (items.map_or(0, Vec::len), seen.items());
    check.same(&format!("{at}elements"), expected, got.len());
    for (n, (item, seen)) in (1..).zip(items.into_iter().flatten().zip(&got)) {
        let at = format!("{at}element {n}: ");
        assert_seen(check, &at, seen, setting, item.as_object().unwrap());
    }
}
