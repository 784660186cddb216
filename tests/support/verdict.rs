//! A vector's expectation on a message or batch, and on the answer that goes out to what was refused.

use super::expect::{Seen, assert_key};
use super::report::Check;
use super::setting::Setting;
use rpcslice::mcp::code::{CodeClass, is_modern};
use rpcslice::{Error, Message, Shape, View};
use serde_json::{Map, Value};

type Object = Map<String, Value>;

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

/// Asserts an expectation on one message, or on a batch as a whole. `at` says which.
pub fn assert_seen(
    check: &mut Check,
    at: &str,
    seen: &Seen<'_>,
    setting: &Setting,
    expect: &Object,
) {
    let verdict = expect["verdict"].as_str().unwrap();
    check.holds(
        verdict == seen.verdict(),
        format!("{at}{verdict}"),
        seen.told(),
    );
    for (key, expected) in expect {
        let asserted = match verdict {
            "accept" => !expected.is_null() || NULL_IS_NONE.contains(&key.as_str()),
            _ => !expected.is_null() && OF_REFUSED.contains(&key.as_str()),
        };
        if !asserted {
            continue;
        }
        let what = format!("{at}{key}");
        match (key.as_str(), seen.code()) {
            // Asserted above, below, and by the caller.
            ("verdict" | "error_data" | "items", _) => {}
            ("code_class", Some(code)) => {
                let class = code_class(CodeClass::of(code, setting.version));
                check.same(&what, expected.as_str(), Some(class));
            }
            #[cfg(feature = "http")]
            ("http_status", _) if verdict == "accept" => {
                if let Seen::Accepted(message) = seen {
                    let status = setting.accepted_status(message);
                    check.same(&what, expected.as_u64(), Some(status.into()));
                }
            }
            #[cfg(feature = "http")]
            ("assumed_version", _) => {
                check.same(&what, expected.as_str(), setting.assumed_version());
            }
            ("modern_error", Some(code)) => {
                check.same(&what, expected.as_bool(), Some(is_modern(code)));
                #[cfg(feature = "http")]
                if let Seen::Accepted(message) = seen {
                    let told = setting.is_modern(message).unwrap_or(is_modern(code));
                    check.same(&what, expected.as_bool(), Some(told));
                }
            }
            _ => assert_key(check, at, key, expected, seen),
        }
    }
    if let Seen::Refused(error, frame) = seen {
        match setting.answer(error, frame) {
            Some(answer) => assert_answer(check, at, &answer, (error, frame), setting, expect),
            None => {
                let is_due = error.shape() == Shape::Request && setting.may_answer();
                check.holds(!is_due, format!("{at}an answer"), "none");
            }
        }
    }
}

/// None to notifications and responses; else the code, the id to the byte, the data, and nothing that binds its sender
/// is broken.
fn assert_answer(
    check: &mut Check,
    at: &str,
    answer: &[u8],
    (error, frame): (&Error, &[u8]),
    setting: &Setting,
    expect: &Object,
) {
    let is_due = matches!(error.shape(), Shape::Request | Shape::Unknown);
    check.holds(is_due, format!("{at}no answer"), answer.escape_ascii());
    let message = match Message::parse(answer) {
        Ok(message) => message,
        Err(error) => return check.fault(format!("{at}a good answer"), error),
    };
    let View::Error(said) = message.view() else {
        return check.fault(format!("{at}an error as the answer"), answer.escape_ascii());
    };
    let id = error.id(frame).map(|id| id.raw());
    check.same(
        &format!("{at}id of the answer"),
        id,
        said.id().map(|id| id.raw()),
    );
    let code = expect.get("error_code").and_then(Value::as_i64);
    let code = code.unwrap_or(error.code());
    check.same(&format!("{at}code of the answer"), code, said.code());
    if let Some(expected) = expect.get("error_data").filter(|data| !data.is_null()) {
        let data = said
            .data()
            .map(|data| serde_json::from_str(data.raw()).unwrap());
        check.same(
            &format!("{at}data of the answer"),
            Some(expected.clone()),
            data,
        );
    }
    if let Err(error) = setting.may_send(&message) {
        check.fault(format!("{at}an answer that may be sent"), error);
    }
}

/// The vectors' words.
fn code_class(class: CodeClass) -> &'static str {
    match class {
        CodeClass::JsonRpc => "json-rpc",
        CodeClass::Mcp => "mcp",
        CodeClass::Retired => "retired",
        CodeClass::LegacyOpaque => "legacy-opaque",
        CodeClass::Reserved => "reserved",
        CodeClass::JsonRpcReserved => "json-rpc-reserved",
        CodeClass::Application => "application",
        _ => "another",
    }
}
