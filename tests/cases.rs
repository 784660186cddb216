//! Cases from public bug reports: `tests/cases/`, and the files named in `RPCSLICE_CASES` (separated by colons).
//!
//! The vocabulary is closed: a case with a key, a layer or an op that is not known fails.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use rpcslice::mcp::{Incoming, Rules, Version};
use rpcslice::{Limits, Policy};
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;
use support::case::{Object, Setting, assert_message, compare, result_contains};
use support::chunks::{
    Cuts, assert_cut, assert_iterated, byte_by_byte_and_every_split, decode, pieces,
};
use support::expect::{Seen, only_known_keys};
use support::input::{self, Input};
use support::report::{Check, Report};
use support::{encode_case, event_streams, files, http_case};

/// Cases that contradict DESIGN.md's decisions, with the decision. They are skipped.
const DISPUTED: &[(&str, &str)] = &[];

/// The layers, and what each waits for, if it does.
const LAYERS: &[(&str, Option<&str>)] = &[
    ("json", None),
    ("envelope", None),
    ("jsonl", None),
    ("batch", None),
    ("http", None),
    ("sse", None),
    ("encode", None),
];

#[rustfmt::skip]
const KEYS: &[&str] = &[
    "bug", "case", "title", "class", "layer", "input", "input_b64", "chunks", "chunks_b64", "gen",
    "eof", "headers", "options", "version", "role", "expect",
];
const OPTIONS: &[&str] = &[
    "max_frame_bytes",
    "max_event_bytes",
    "max_body_bytes",
    "input_schema",
];
#[rustfmt::skip]
const EXPECT_KEYS: &[&str] = &[
    "verdict", "error_code", "http_status", "kind", "id_raw", "method", "name", "protocol_version",
    "method_raw", "params_raw", "result_raw", "meta_raw", "progress_token_raw", "code",
    "result_contains_bytes_hex", "text_of", "compare", "frames", "items", "counts", "blanks",
    "last_terminated", "events", "last_event_id", "incomplete", "leftover", "oversize", "message",
    "accepts", "reply_status", "reply_error_code", "reply_headers", "if_lenient", "bytes",
    "headers", "prose",
];
const EVENT_KEYS: &[&str] = &[
    "event",
    "data",
    "data_len",
    "data_hex",
    "last_event_id",
    "retry",
    "message",
];

/// The values that a key may have.
const VALUES: &[(&str, &[&str])] = &[("role", &["client", "server"])];
#[rustfmt::skip]
const OPS: &[&str] = &[
    "result", "result_text", "error", "request", "standard_headers", "http_request_headers",
];

/// Streams up to this size are cut at every place.
const EVERY_SPLIT: usize = 4096;

fn main() -> ExitCode {
    let mut report = Report::default();
    let mut sources = vec![files::in_repository("tests/cases")];
    sources.extend(files::named_in("RPCSLICE_CASES"));
    for source in sources {
        match files::listed(&source, ".jsonl") {
            Ok(listed) => listed.iter().for_each(|file| run_file(&mut report, file)),
            Err(error) => report.unreadable(&source, error),
        }
    }
    report.finish()
}

fn run_file(report: &mut Report, file: &Path) {
    match files::json_lines(file) {
        Ok(lines) => {
            report.source();
            for (number, line) in lines {
                run_line(report, &format!("{}:{number}", files::name(file)), line);
            }
        }
        Err(error) => report.unreadable(file, error),
    }
}

fn run_line(report: &mut Report, place: &str, line: Result<Value, String>) {
    let case = match line {
        Ok(Value::Object(case)) => case,
        other => {
            return report.run(place, "", |check| {
                check.fault("a JSON object", format!("{other:?}"))
            });
        }
    };
    let part = |key| match case.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => "?".to_owned(),
    };
    let id = format!("{}/{}", part("bug"), part("case"));
    let (title, layer) = (part("title"), part("layer"));
    report.topic(&layer);
    if let Some((_, why)) = DISPUTED.iter().find(|(disputed, _)| *disputed == id) {
        return report.skip(&id, &title, why, |check| check_vocabulary(check, &case));
    }
    match LAYERS.iter().find(|(known, _)| *known == layer) {
        None => report.run(&id, &title, |check| check.fault("a known layer", &layer)),
        Some((_, Some(why))) => {
            report.skip(&id, &title, &format!("{layer} waits for {why}"), |check| {
                check_vocabulary(check, &case);
            })
        }
        Some((_, None)) => report.run(&id, &title, |check| {
            check_vocabulary(check, &case);
            run_case(check, &layer, &case);
        }),
    }
}

fn check_vocabulary(check: &mut Check, case: &Object) {
    only_known_keys(check, "key", case, KEYS);
    for (key, known) in [("options", OPTIONS), ("gen", input::GEN_KEYS)] {
        if let Some(inner) = case.get(key) {
            only_known_keys(check, key, inner.as_object().unwrap(), known);
        }
    }
    for (key, values) in VALUES {
        if let Some(value) = case.get(*key) {
            let known = value.as_str().is_some_and(|value| values.contains(&value));
            if !known {
                check.fault(format!("{key} to be one of {values:?}"), value);
            }
        }
    }
    if case["layer"] == "encode" {
        let op: Value = serde_json::from_str(case["input"].as_str().unwrap()).unwrap();
        let known = op["op"].as_str().is_some_and(|op| OPS.contains(&op));
        if !known {
            check.fault(format!("op to be one of {OPS:?}"), op);
        }
    }
    check_expectation(check, case["expect"].as_object().unwrap(), EXPECT_KEYS);
}

fn check_expectation(check: &mut Check, expect: &Object, known: &[&str]) {
    only_known_keys(check, "key of the expectation", expect, known);
    for (key, value) in expect {
        let known = if key == "events" {
            EVENT_KEYS
        } else {
            EXPECT_KEYS
        };
        match (key.as_str(), value) {
            ("frames" | "items" | "events", Value::Array(entries)) => {
                for entry in entries {
                    check_expectation(check, entry.as_object().unwrap(), known);
                }
            }
            ("message" | "if_lenient", Value::Object(inner)) => {
                check_expectation(check, inner, EXPECT_KEYS);
            }
            _ => {}
        }
    }
}

fn run_case(check: &mut Check, layer: &str, case: &Object) {
    let expect = case["expect"].as_object().unwrap();
    let number = |object: &str, key: &str| case.get(object)?.get(key);
    let options = ["max_frame_bytes", "max_event_bytes", "max_body_bytes"];
    let limit = options.iter().find_map(|option| number("options", option));
    let limit = limit.or(number("gen", "limit"));
    let limits = match limit.and_then(Value::as_u64) {
        Some(limit) => Limits::new().with_max_frame_bytes(usize::try_from(limit).unwrap()),
        None => Limits::new(),
    };
    if layer == "encode" {
        return encode_case::run(check, case, expect);
    }
    let input = input::of(case);
    let mut run = |policy, lenient| {
        let setting = Setting {
            limits,
            policy,
            lenient,
        };
        let expect = setting.of(expect);
        if let Some(pairs) = expect.get("compare") {
            compare(check, pairs, &setting);
        }
        match &input {
            Some(input) if layer == "jsonl" => {
                let ended = case.get("eof").and_then(Value::as_bool).unwrap_or(true);
                run_stream(check, input, ended, expect, &setting);
            }
            Some(input) if layer == "sse" => {
                let ended = case.get("eof").and_then(Value::as_bool).unwrap_or(true);
                let version = case.get("version").and_then(Value::as_str);
                let version = version.map(|name| name.parse().unwrap());
                event_streams::run_case(check, input, ended, version, limits, expect);
            }
            Some(input) if layer == "http" => {
                http_case::run(check, case, input, limits, policy, expect);
            }
            Some(input) if layer == "batch" => run_batch(check, case, input, expect, &setting),
            Some(input) => assert_message(check, "", expect, &setting.read(&input.bytes)),
            None => check.holds(
                expect.contains_key("compare"),
                "exactly one input",
                "another number",
            ),
        }
    };
    run(Policy::strict(), false);
    if has_lenient(expect) {
        run(Policy::lenient(), true);
    }
}

fn has_lenient(expect: &Object) -> bool {
    let has = |key| {
        let entries = expect.get(key).and_then(Value::as_array);
        let mut entries = entries.into_iter().flatten();
        entries.any(|entry| entry.get("if_lenient").is_some())
    };
    expect.contains_key("if_lenient") || has("frames") || has("items")
}

/// A batch, as a receiver reads it that serves the one revision that has batches; on either side, unless the case says
/// which.
fn run_batch(check: &mut Check, case: &Object, input: &Input, expect: &Object, setting: &Setting) {
    let sides = match case.get("role").and_then(Value::as_str) {
        Some("client") => vec![Rules::client()],
        Some("server") => vec![Rules::server()],
        _ => vec![Rules::server(), Rules::client()],
    };
    let served = case.get("version").and_then(Value::as_str);
    check.same("version", Some(Version::V2025_03_26.as_str()), served);
    for side in sides {
        let rules = side
            .negotiated(Version::V2025_03_26)
            .limits(setting.limits)
            .policy(setting.policy);
        let frame = &input.bytes;
        let seen = match rules.read(frame) {
            Ok(Incoming::Message(message)) => Seen::Accepted(message),
            Ok(Incoming::Batch(batch)) => Seen::Batch(batch),
            Err(error) => Seen::Refused(error, frame),
        };
        let items = expect.get("items").and_then(Value::as_array);
        let of_all = expect.iter().filter(|(key, _)| *key != "items");
        let of_all = of_all.map(|(key, value)| (key.clone(), value.clone()));
        assert_message(check, "", &of_all.collect(), &seen);
        check.same("elements", items.map_or(0, Vec::len), seen.items().len());
        for (n, (item, seen)) in (1..).zip(items.into_iter().flatten().zip(seen.items())) {
            let item = setting.of(item.as_object().unwrap());
            assert_message(check, &format!("element {n}: "), item, &seen);
        }
    }
}

/// A stream of lines: what is expected of it, then the same lines however it is cut.
fn run_stream(check: &mut Check, input: &Input, ended: bool, expect: &Object, setting: &Setting) {
    let Setting { limits, policy, .. } = setting;
    let Input { bytes, sizes } = input;
    let given = decode(pieces(bytes, sizes), limits, policy, ended);
    assert_stream(check, expect, &given.cuts, setting);

    let largest = sizes.iter().max().copied().unwrap_or(0);
    let most = limits.max_frame_bytes() + largest;
    check.holds(
        given.peak <= most,
        format!("at most {most} bytes held"),
        given.peak,
    );

    let mut chunkings = vec![sizes.clone(), vec![bytes.len()]];
    if bytes.len() <= EVERY_SPLIT {
        chunkings.extend(byte_by_byte_and_every_split(bytes.len()));
    }
    for sizes in chunkings {
        assert_cut(check, &given.cuts, (bytes, ended), &sizes, (limits, policy));
    }
    if ended {
        assert_iterated(check, &given.cuts, bytes, (limits, policy));
    }
}

/// The keys about a whole stream. Any other key is about a message, and the stream has to be that one message.
const STREAM_KEYS: &[&str] = &[
    "frames",
    "counts",
    "blanks",
    "last_terminated",
    "oversize",
    "result_contains_bytes_hex",
    "compare",
    "if_lenient",
    "prose",
];

fn assert_stream(check: &mut Check, expect: &Object, cuts: &Cuts, setting: &Setting) {
    let seen: Vec<Seen<'_>> = cuts
        .lines
        .iter()
        .map(|line| Seen::of_line(line, &setting.limits, &setting.policy))
        .collect();
    for (key, expected) in expect {
        match key.as_str() {
            "frames" => {
                let frames = expected.as_array().unwrap();
                check.same("number of frames", frames.len(), seen.len());
                for (n, (frame, seen)) in (1..).zip(frames.iter().zip(&seen)) {
                    let frame = setting.of(frame.as_object().unwrap());
                    assert_message(check, &format!("frame {n}: "), frame, seen);
                }
            }
            "counts" => assert_counts(check, expected, &seen),
            "blanks" => check.same(key, expected.as_u64(), Some(cuts.blanks)),
            "last_terminated" => {
                let last = cuts.lines.last().map(|line| line.terminated);
                check.same(key, expected.as_bool(), last);
            }
            "oversize" => {
                let oversize = cuts.lines.iter().filter(|line| line.body.is_err()).count();
                check.same(key, expected.as_u64(), Some(oversize as u64));
            }
            "result_contains_bytes_hex" => {
                let contains = seen.iter().any(|seen| result_contains(seen, expected));
                check.holds(contains, format!("{key} {expected}"), "other results");
            }
            _ => {}
        }
    }
    let of_one: Object = expect
        .iter()
        .filter(|(key, _)| !STREAM_KEYS.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    match seen.as_slice() {
        _ if of_one.is_empty() => {}
        [seen] => assert_message(check, "", &of_one, seen),
        _ => check.holds(
            of_one
                .get("verdict")
                .is_some_and(|verdict| verdict == "either"),
            "one line",
            seen.len(),
        ),
    }
}

/// How many lines were accepted, and how many refused.
fn assert_counts(check: &mut Check, expected: &Value, seen: &[Seen<'_>]) {
    let count = |verdict| seen.iter().filter(|seen| seen.verdict() == verdict).count() as u64;
    for (key, expected) in expected.as_object().unwrap() {
        let got = match key.as_str() {
            "accept" | "accepted" => count("accept"),
            "reject" | "rejected" | "refused" => count("reject"),
            _ => return check.fault("a known key of counts", key),
        };
        check.same(key, expected.as_u64(), Some(got));
    }
}
