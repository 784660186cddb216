//! Headers as vectors and cases write them, and how a message meets the HTTP API.

use super::expect::Seen;
use ::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use rpcslice::http::{self, Negotiation, ParamPlan, Refusal};
use rpcslice::json::RawJson;
use rpcslice::mcp::{Incoming, Role, Rules};
use serde_json::Value;

/// Header fields, and the pseudo fields whose names begin with a colon.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    pub headers: HeaderMap,
    pub pseudo: Vec<(String, String)>,
    /// A field that no HTTP library lets through: whoever sits behind one never sees the request.
    pub is_broken: bool,
}

impl Fields {
    /// Out of an object, or a list of pairs. Text stands for its UTF-8 bytes.
    pub fn of(value: Option<&Value>) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let pairs: Vec<(String, String)> = match value {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Object(fields)) => {
                let fields = fields.iter();
                fields
                    .map(|(name, value)| (name.clone(), text(value)))
                    .collect()
            }
            Some(Value::Array(pairs)) => {
                let pairs = pairs.iter();
                pairs.map(|pair| (text(&pair[0]), text(&pair[1]))).collect()
            }
            Some(other) => panic!("headers are an object or a list of pairs: {other}"),
        };
        let mut fields = Self::default();
        for (name, value) in pairs {
            if name.starts_with(':') {
                fields.pseudo.push((name, value));
                continue;
            }
            let name = HeaderName::from_bytes(name.as_bytes());
            match (name, HeaderValue::from_bytes(value.as_bytes())) {
                (Ok(name), Ok(value)) => {
                    fields.headers.append(name, value);
                }
                _ => fields.is_broken = true,
            }
        }
        fields
    }

    pub fn pseudo(&self, name: &str) -> Option<&str> {
        let mut fields = self.pseudo.iter();
        let found = fields.find(|(found, _)| found == name);
        found.map(|(_, value)| &**value)
    }

    pub fn method(&self, default: &str) -> Method {
        self.pseudo(":method").unwrap_or(default).parse().unwrap()
    }

    pub fn status(&self) -> Option<StatusCode> {
        self.pseudo(":status").map(|status| status.parse().unwrap())
    }
}

/// What a server does with a request, from its head on; the plan is that of the tool.
pub fn serve<'a>(
    rules: &Rules,
    method: &Method,
    headers: &HeaderMap,
    body: &'a [u8],
    plan: &ParamPlan,
) -> Result<Seen<'a>, Refusal> {
    match Negotiation::of_request(rules, method, headers)? {
        Negotiation::Post(_) => Ok(read(rules, headers, body, plan)),
        _ => Ok(Seen::Nothing),
    }
}

/// What whoever has the body does with it.
pub fn read<'a>(rules: &Rules, headers: &HeaderMap, body: &'a [u8], plan: &ParamPlan) -> Seen<'a> {
    match http::read(rules, body, headers) {
        Ok(Incoming::Batch(batch)) => Seen::Batch(batch),
        Ok(Incoming::Message(message)) => {
            let checked = match rules.role() {
                Role::Client => Ok(()),
                _ => plan.check(rules, &message, headers),
            };
            match checked {
                Ok(()) => Seen::Accepted(message),
                Err(error) => Seen::Refused(error, body),
            }
        }
        Err(error) => Seen::Refused(error, body),
    }
}

/// The plan of a tool with this schema; of one with a bad one, which no client on HTTP would call, none.
pub fn plan(schema: Option<&Value>) -> ParamPlan {
    let Some(schema) = schema else {
        return ParamPlan::default();
    };
    let text = schema.to_string();
    ParamPlan::compile(RawJson::parse(text.as_bytes()).unwrap()).unwrap_or_default()
}
