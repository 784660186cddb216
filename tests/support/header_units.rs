//! The vectors that test one function: of the header coding, and of `x-mcp-header`.

use super::report::Check;
use ::http::HeaderValue;
use rpcslice::http::{ParamPlan, decode, encode_value};
use rpcslice::json::RawJson;
use serde_json::{Map, Value};

type Object = Map<String, Value>;

fn is_accepted(expect: &Object) -> bool {
    expect["verdict"] == "accept"
}

/// `input` is the JSON text of an argument, `header` what goes on the wire; `null`: no header.
pub fn encode(check: &mut Check, input: &[u8], expect: &Object) {
    let header = encode_value(RawJson::parse(input).unwrap());
    check.same(
        "a value that has a header",
        is_accepted(expect),
        header.is_ok(),
    );
    if let (true, Ok(header)) = (is_accepted(expect), header) {
        let got = header.map(|header| header.to_str().unwrap().to_owned());
        check.same("header", expect["header"].as_str(), got.as_deref());
        if let (Some(header), Some(text)) = (got, RawJson::parse(input).unwrap().as_string()) {
            let header = HeaderValue::from_str(&header).unwrap();
            let back = decode(&header).unwrap().into_owned();
            check.same("read back", text.decode().unwrap().into_owned(), back);
        }
    }
}

/// `input` is a header's value, `value` the text that it stands for.
pub fn decode_value(check: &mut Check, input: &[u8], expect: &Object) {
    let header = HeaderValue::from_bytes(input);
    let text = header.as_ref().ok().and_then(|header| decode(header).ok());
    let expected = expect.get("value").and_then(Value::as_str);
    check.same(
        "value",
        expected.filter(|_| is_accepted(expect)),
        text.as_deref(),
    );
}

/// `input` is a schema, `param_headers` its annotations by the path of the property.
pub fn plan(check: &mut Check, input: &[u8], expect: &Object) {
    let plan = ParamPlan::compile(RawJson::parse(input).unwrap());
    check.same("a good schema", is_accepted(expect), plan.is_ok());
    if let (true, Ok(plan)) = (is_accepted(expect), plan) {
        let annotations = plan.annotations();
        let got: Object = annotations
            .map(|(path, name)| (path, name.into()))
            .collect();
        check.same(
            "param_headers",
            expect["param_headers"].as_object(),
            Some(&got),
        );
    }
}
