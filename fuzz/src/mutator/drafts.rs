//! Messages of any revision that their senders may send, nearly; the methods they answer; and fields of events.

use super::raw;
use crate::rng::Rng;
use rpcslice::mcp::Method;

/// Results that their methods may have.
const RESULTS: [(&str, &str); 12] = [
    ("tools/list", r#"{"tools":[]}"#),
    (
        "tools/list",
        r#"{"tools":[],"ttlMs":1,"cacheScope":"public","resultType":"complete"}"#,
    ),
    ("prompts/list", r#"{"prompts":[],"_meta":{}}"#),
    ("resources/list", r#"{"resources":[], "nextCursor":""}"#),
    ("resources/read", r#"{"contents":[],"ttlMs":-0}"#),
    (
        "tools/call",
        r#"{"content":[{"type":"text","text":"a\nb"}],"isError":false}"#,
    ),
    (
        "tools/call",
        r#"{"resultType":"input_required","requestState":"s"}"#,
    ),
    ("prompts/get", r#"{"messages":[]}"#),
    ("subscriptions/listen", r#"{}"#),
    (
        "subscriptions/listen",
        r#"{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}"#,
    ),
    (
        "initialize",
        r#"{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#,
    ),
    ("ping", "{ \n}"),
];
/// Params that their methods may have.
const PARAMS: [(&str, &str); 10] = [
    ("tools/call", r#"{"name":"x","arguments":{"a":1.50}}"#),
    ("tools/list", "{\"cursor\":\"\u{2028}\"}"),
    (
        "resources/read",
        r#"{ "uri" : "file:///a" , "_meta" : { } }"#,
    ),
    (
        "prompts/get",
        "{\"name\":\"p\",\n\"_m\\u0065ta\":{\"k\":[],\"progressToken\":1}\r}",
    ),
    (
        "completion/complete",
        r#"{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":""}}"#,
    ),
    (
        "subscriptions/listen",
        r#"{"notifications":{"toolsListChanged":true}}"#,
    ),
    (
        "initialize",
        r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#,
    ),
    (
        "ping",
        r#"{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}}"#,
    ),
    (
        "notifications/progress",
        r#"{"progressToken":1,"progress":0.5}"#,
    ),
    (
        "notifications/cancelled",
        r#"{"requestId":"a","reason":"\ud83d"}"#,
    ),
];
const ERRORS: [&str; 6] = [
    r#"{"code":-32601,"message":"a\u2028b"}"#,
    "{\"code\":-32602,\"message\":\"\u{2029}\u{20AC}\",\"data\":[\n1.50 ]}",
    r#"{"code":-32042,"message":"","data":{"elicitations":[]}}"#,
    r#"{"code":-32021,"message":"c","data":{"requiredCapabilities":{"roots":{}}}}"#,
    r#"{"code":-32022,"message":"v","data":{"supported":["2026-07-28"],"requested":""}}"#,
    r#"{"code":0,"message":"\u0000","data":{"name":"n","version":"1"}}"#,
];
const IDS: [&str; 6] = [
    "1",
    "-0",
    "\"\\ud83d\"",
    "\"\u{2028}\\n\"",
    "1.0",
    "123456789012345678901234567890",
];
/// What should not get out of a field, and what may stand in one.
const FIELD_PIECES: [&str; 14] = [
    "\n", "\r", "\r\n", "\n\n", "\0", ":", " ", "data: x", "message", "\u{2028}", "\u{85}",
    "\u{FEFF}", "7", "id",
];

/// A message, and the method that it answers if it is a response.
pub fn fresh(rng: &mut Rng) -> (Vec<u8>, Option<Vec<u8>>) {
    let id = rng.pick(&IDS).copied().unwrap_or("1");
    let (rest, answered) = match rng.below(5) {
        0 | 1 => {
            let (method, result) = RESULTS[rng.below(RESULTS.len())];
            (format!("\"result\":{result}"), Some(method))
        }
        2 => (
            format!("\"error\":{}", ERRORS[rng.below(ERRORS.len())]),
            None,
        ),
        _ => {
            let (method, params) = PARAMS[rng.below(PARAMS.len())];
            (format!("\"method\":\"{method}\",\"params\":{params}"), None)
        }
    };
    let is_told = rest.contains("\"notifications/");
    let id = if is_told {
        String::new()
    } else {
        format!("\"id\":{id},")
    };
    let message = format!("{{\"jsonrpc\":\"2.0\",{id}{rest}}}").into_bytes();
    (message, answered.map(|method| method.as_bytes().to_vec()))
}

/// The name of some method.
pub fn method(rng: &mut Rng) -> Vec<u8> {
    let methods: Vec<Method> = Method::all().collect();
    let method = rng.pick(&methods).map_or("ping", |method| method.name());
    method.as_bytes().to_vec()
}

/// An edit of a value that is to stand in a field of an event.
pub fn edit_field(field: &mut Vec<u8>, rng: &mut Rng) {
    match rng.below(6) {
        0 => raw::edit(field, rng),
        1 => field.clear(),
        _ => {
            let text = String::from_utf8_lossy(field);
            let mut starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            starts.push(text.len());
            let (start, end) = text.split_at(starts[rng.below(starts.len())]);
            let piece = FIELD_PIECES[rng.below(FIELD_PIECES.len())];
            *field = [start, piece, end].concat().into_bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rpcslice::{Limits, Message, Policy};

    #[test]
    fn fresh_messages_are_good() {
        let mut rng = Rng::new(1);
        for _ in 0..300 {
            let (message, _) = fresh(&mut rng);
            let parsed = Message::parse_with(&message, &Limits::new(), &Policy::lenient());
            assert!(parsed.is_ok(), "{}", message.escape_ascii());
            assert!(Method::named(std::str::from_utf8(&method(&mut rng)).unwrap()).is_some());
        }
    }

    #[test]
    fn any_field_can_be_edited() {
        let (mut rng, mut field) = (Rng::new(1), Vec::new());
        let lengths: Vec<usize> = (0..500)
            .map(|_| {
                edit_field(&mut field, &mut rng);
                field.len()
            })
            .collect();
        assert!(lengths.contains(&0) && lengths.iter().any(|len| *len > 8));
    }
}
