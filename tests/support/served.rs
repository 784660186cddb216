//! A recorded request as our check takes it, and as the recorded server did.

use super::exchange::{Exchange, Half};
use ::http::{HeaderMap, HeaderName, HeaderValue, Method};
use rpcslice::frame::{Payload, SseDecoder};
use rpcslice::http::{Negotiation, ParamPlan, accepted_status, read, tools};
use rpcslice::mcp::{Incoming, Rules, Transport, Version};
use rpcslice::{Error, Member, Message, View};
use std::collections::BTreeMap;

/// Where the two differ.
pub struct Difference {
    pub ours: String,
    pub theirs: String,
    pub request: String,
}

/// What came of a request: a status, and the code of an error.
#[derive(Clone, PartialEq, Eq)]
struct Verdict {
    status: u16,
    code: Option<i64>,
    /// For reading.
    why: String,
}

impl Verdict {
    fn told(&self) -> String {
        let code = self.code.map_or(String::new(), |code| format!(" {code}"));
        let why = match &*self.why {
            "" => String::new(),
            why => format!(" {why}"),
        };
        format!("{}{code}{why}", self.status)
    }
}

/// The requests of a recording that were taken otherwise.
pub fn differences(exchanges: &[Exchange]) -> Vec<Difference> {
    let mut negotiated = None;
    let mut found = Vec::new();
    let plans = plans(exchanges);
    for exchange in exchanges {
        let Some(response) = &exchange.response else {
            continue;
        };
        let rules = Rules::server().transport(Transport::Http);
        let rules = match negotiated {
            Some(version) => rules.negotiated(version),
            None => rules,
        };
        let body = exchange.request.body();
        let theirs = theirs(exchange.status.unwrap() as u16, response);
        let ours = ours(&rules, exchange, &body, &plans);
        negotiated = agreed(response).or(negotiated);
        // An answer is an answer: what the application makes of a request is not for us to know.
        let is_same = match (ours.status < 300, theirs.status < 300) {
            (true, true) => true,
            (false, false) => {
                ours.status == theirs.status
                    && (ours.code == theirs.code || ours.code.is_none() || theirs.code.is_none())
            }
            _ => false,
        };
        if !is_same {
            let headers: Vec<_> = exchange
                .request
                .headers
                .iter()
                .map(|(k, v)| format!("{k}: {v}"))
                .filter(|h| {
                    h.to_lowercase().starts_with("mcp")
                        || h.to_lowercase().starts_with("acc")
                        || h.to_lowercase().starts_with("content-t")
                })
                .collect();
            found.push(Difference {
                ours: ours.told(),
                theirs: theirs.told(),
                request: format!(
                    "{} {} {}",
                    exchange.method,
                    String::from_utf8_lossy(&body)
                        .chars()
                        .take(150)
                        .collect::<String>(),
                    headers.join("; ")
                ),
            });
        }
    }
    found
}

fn ours(rules: &Rules, exchange: &Exchange, body: &[u8], plans: &Plans) -> Verdict {
    let mut headers = HeaderMap::new();
    for (name, value) in &exchange.request.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
    }
    let method: Method = exchange.method.parse().unwrap();
    let refused = |status, code, why: String| Verdict { status, code, why };
    match Negotiation::of_request(rules, &method, &headers) {
        Err(refusal) => return refused(refusal.status().as_u16(), None, refusal.to_string()),
        Ok(Negotiation::Post(_)) => {}
        Ok(_) => return refused(200, None, String::new()),
    }
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    match read(rules, body, &headers) {
        Ok(Incoming::Message(message)) => {
            let name = message.name().and_then(|name| name.as_str());
            let plan = name.and_then(|name| plans.get(name));
            match plan.map_or(Ok(()), |plan| plan.check(rules, &message, &headers)) {
                Ok(()) => refused(accepted_status(&message).as_u16(), None, String::new()),
                Err(error) => of_error(&error),
            }
        }
        Ok(Incoming::Batch(_)) => refused(200, None, String::new()),
        Err(error) => of_error(&error),
    }
}

fn of_error(error: &Error) -> Verdict {
    let kind = error.kind();
    let member = kind.member().map(|member| format!(" {member}"));
    let header = kind.header().map(|header| format!(" {header}"));
    Verdict {
        status: error.http_status(),
        code: Some(error.code()),
        why: [
            kind.name(),
            &member.unwrap_or_default(),
            &header.unwrap_or_default(),
        ]
        .concat(),
    }
}

/// The plans of the tools that the recording lists, by name.
type Plans = BTreeMap<String, ParamPlan>;

fn plans(exchanges: &[Exchange]) -> Plans {
    let mut plans = Plans::new();
    let responses = exchanges
        .iter()
        .filter_map(|exchange| exchange.response.as_ref());
    for frame in responses.flat_map(frames) {
        let result = Message::parse(&frame)
            .ok()
            .and_then(|message| message.result());
        for tool in result.into_iter().flat_map(tools) {
            if let (Some(name), Ok(plan)) = (tool.name.and_then(|name| name.as_str()), tool.plan)
                && !plan.is_empty()
            {
                plans.insert(name.to_owned(), plan);
            }
        }
    }
    plans
}

fn theirs(status: u16, response: &Half) -> Verdict {
    let code = frames(response).iter().find_map(|frame| {
        let message = Message::parse(frame).ok()?;
        match message.view() {
            View::Error(error) => Some(error.code()),
            _ => None,
        }
    });
    Verdict {
        status,
        code,
        why: String::new(),
    }
}

/// The revision that `initialize` was answered with.
fn agreed(response: &Half) -> Option<Version> {
    frames(response).iter().find_map(|frame| {
        let message = Message::parse(frame).ok()?;
        let named = message.member(Member::ResultProtocolVersion)?;
        Version::find(&named.as_string()?)
    })
}

fn frames(response: &Half) -> Vec<Vec<u8>> {
    if response.is("application/json") {
        return vec![response.body()];
    }
    if !response.is("text/event-stream") {
        return Vec::new();
    }
    let mut decoder = SseDecoder::default();
    let mut frames = Vec::new();
    for chunk in &response.chunks {
        let mut events = decoder.feed(chunk);
        while let Some(event) = events.next() {
            if !matches!(event.message(&Rules::proxy()), Ok(Payload::Nothing(_))) {
                frames.push(event.data.unwrap().to_vec());
            }
        }
    }
    frames
}
