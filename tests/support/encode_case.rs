//! Cases about what is written: an op, and the bytes that it has to give.

use super::case::Object;
use super::report::Check;
use rpcslice::encode::{self, EncodeError, EventFields, Framing, ReplyTo, Writer};
use rpcslice::http::request_headers;
use rpcslice::json::RawJson;
use rpcslice::mcp::{Rules, Version};
use rpcslice::{Id, Message};
use serde_json::Value;

const EXPECT_KEYS: &[&str] = &["bytes", "headers", "verdict", "prose"];
#[rustfmt::skip]
const OP_KEYS: &[&str] = &[
    "op", "id_raw", "result_raw", "member", "utf8", "code", "message", "data_raw", "method", "params_raw", "framing",
    "event", "event_id", "option", "mode", "name_or_uri", "version",
];

/// Runs a case of the layer `encode`.
pub fn run(check: &mut Check, case: &Object, expect: &Object) {
    super::expect::only_known_keys(check, "key of the expectation", expect, EXPECT_KEYS);
    let op: Value = serde_json::from_str(case["input"].as_str().unwrap()).unwrap();
    super::expect::only_known_keys(check, "key of the op", op.as_object().unwrap(), OP_KEYS);
    let version = case.get("version").and_then(Value::as_str);
    let version = version.map_or(Version::V2025_11_25, |name| name.parse().unwrap());
    match op["op"].as_str().unwrap() {
        "standard_headers" | "http_request_headers" => headers(check, &op, version, expect),
        _ => bytes(check, &op, version, expect),
    }
}

fn bytes(check: &mut Check, op: &Value, version: Version, expect: &Object) {
    let mut out = Vec::new();
    let written = write(op, version, &mut out);
    match (expect.get("verdict").and_then(Value::as_str), &written) {
        (None | Some("accept"), Err(why)) => check.fault("something written", why),
        (Some("reject"), Ok(())) => check.fault("a refusal", String::from_utf8_lossy(&out)),
        _ => {}
    }
    if written.is_err() {
        check.same("bytes written with a refusal", 0, out.len());
    }
    let knows = ["accept", "reject"];
    let verdict = expect.get("verdict").and_then(Value::as_str);
    check.holds(
        verdict.is_none_or(|verdict| knows.contains(&verdict)),
        "a known verdict",
        format!("{verdict:?}"),
    );
    if let Some(expected) = expect.get("bytes") {
        let got = String::from_utf8(out).unwrap();
        check.same("bytes", expected.as_str(), Some(got.as_str()));
    }
}

/// What the op asks for. Of a refusal: why.
fn write(op: &Value, version: Version, out: &mut Vec<u8>) -> Result<(), String> {
    let text = |key: &str| op.get(key).and_then(Value::as_str);
    let raw = |key| {
        let value = text(key).map(|text| RawJson::parse(text.as_bytes()));
        value.transpose().map_err(|error| error.to_string())
    };
    let told = |error: EncodeError| error.to_string();
    let mut fields = EventFields::new();
    if let Some(event) = text("event") {
        fields = fields.event(event).map_err(|error| error.to_string())?;
    }
    if let Some(id) = text("event_id") {
        fields = fields.id(id).map_err(|error| error.to_string())?;
    }
    let framing = match text("framing") {
        None | Some("none") => Framing::Body,
        Some("jsonl") => Framing::Line,
        Some("sse") => Framing::Event(fields),
        Some(other) => return Err(format!("no known framing: {other}")),
    };
    // Both sides write every kind under some revision.
    let mut writer = Writer::new(Rules::proxy(), version).framing(framing);
    match text("option") {
        None => {}
        Some("escape_line_separators") => writer = writer.escape_line_separators(),
        Some(other) => return Err(format!("no known option: {other}")),
    }
    let id = text("id_raw").map(|raw| Id::from_raw(raw).ok_or("no id"));
    let id = id.transpose()?;
    let mut scratch = String::new();
    match text("op").unwrap() {
        "result" => {
            let result = raw("result_raw")?.ok_or("no result")?;
            writer
                .result(out, ReplyTo::new(id.ok_or("no id")?), result)
                .map_err(told)
        }
        "result_text" => {
            let result = encode::Object::build(&mut scratch, |result| {
                result.text(text("member").unwrap(), text("utf8").unwrap());
            });
            writer
                .result(out, ReplyTo::new(id.ok_or("no id")?), result)
                .map_err(told)
        }
        "error" => {
            let (code, message) = (
                op["code"].as_i64().ok_or("no code")?,
                text("message").ok_or("no message")?,
            );
            let data = raw("data_raw")?;
            match id {
                Some(id) => writer
                    .error(out, ReplyTo::new(id), code, message, data)
                    .map_err(told),
                None => writer
                    .error_without_id(out, code, message, data)
                    .map_err(told),
            }
        }
        "request" => {
            let method = text("method").ok_or("no method")?;
            writer
                .request(out, id.ok_or("no id")?, method, raw("params_raw")?)
                .map_err(told)
        }
        other => Err(format!("no known op: {other}")),
    }
}

/// The headers that go with a message of this method and name.
fn headers(check: &mut Check, op: &Value, version: Version, expect: &Object) {
    let text = |key: &str| op.get(key).and_then(Value::as_str);
    let version = text("version").map_or(version, |name| name.parse().unwrap());
    let method = text("method").unwrap_or("tools/list");
    let name = text("name_or_uri").unwrap_or("");
    let mut scratch = String::new();
    let params = encode::Object::build(&mut scratch, |params| {
        for member in ["name", "uri", "taskId"] {
            params.text(member, name);
        }
    });
    let params = params.raw();
    let method = Value::from(method);
    let frame = format!(r#"{{"jsonrpc":"2.0","id":1,"method":{method},"params":{params}}}"#);
    let message = Message::parse(frame.as_bytes()).unwrap();
    let written = request_headers(&message, version, None);
    if expect.get("verdict").and_then(Value::as_str) == Some("reject") {
        return check.holds(written.is_err(), "a refusal", "headers");
    }
    let written = match written {
        Ok(written) => written,
        Err(error) => return check.fault("headers", error),
    };
    let expected = expect.get("headers").and_then(Value::as_object);
    for (name, value) in expected.into_iter().flatten() {
        let got = written.get(name).map(|value| value.as_bytes());
        check.same(name, value.as_str().map(str::as_bytes), got);
    }
}
