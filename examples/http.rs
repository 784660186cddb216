//! A client, a gateway and a server over HTTP, without a network: what each of them asks the codec, in the order in which
//! things are known. Any HTTP library that has the types of the `http` crate can carry it.
//!
//! Try it with `cargo run --features http --example http`.

use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use rpcslice::encode::{AnswerArray, Framing, Object, Writer, reply};
use rpcslice::frame::{Content, Payload};
use rpcslice::http::{
    Answer, Negotiation, ParamPlan, Posted, accepted_status, check_outgoing, held, read,
    request_headers, route,
};
use rpcslice::json::RawJson;
use rpcslice::mcp::{Incoming, Rules, Transport, Version};
use rpcslice::{Error, Message, View};

const SCHEMA: &str =
    r#"{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}"#;

/// Of a server: its rules, and which arguments of its tool have headers.
struct Server {
    rules: Rules,
    plan: ParamPlan,
}

impl Server {
    fn new() -> Result<Self, Box<dyn std::error::Error>> {
        Ok(Self {
            rules: Rules::server().transport(Transport::Http),
            plan: ParamPlan::compile(RawJson::parse(SCHEMA.as_bytes())?)?,
        })
    }

    /// The body comes in pieces, as it does off the network.
    fn handle(&self, request: &Request<Vec<&'static str>>) -> Response<Vec<u8>> {
        let headers = request.headers();
        // No streams and no sessions here.
        if request.method() != Method::POST {
            return response(StatusCode::METHOD_NOT_ALLOWED, Vec::new());
        }
        // What stands in front of the body decides whether it is read at all.
        match Negotiation::of_request(&self.rules, request.method(), headers) {
            Ok(Negotiation::Post(accepts)) if accepts.json => {}
            Ok(_) => return response(StatusCode::NOT_ACCEPTABLE, Vec::new()),
            Err(refusal) => {
                let mut response = response(refusal.status(), refusal.to_string().into_bytes());
                let text = HeaderValue::from_static("text/plain; charset=utf-8");
                response.headers_mut().insert(header::CONTENT_TYPE, text);
                return response;
            }
        }
        let mut content = Content::new(self.rules.frame_limits());
        for piece in request.body() {
            // Over the limit nothing is held any more, and the rest need not be read.
            if let Err(oversize) = content.push_slice(piece.as_bytes()) {
                return self.refuse(&oversize.error(), b"", headers);
            }
        }
        let body = match content.finish() {
            Ok(body) => body,
            Err(oversize) => return self.refuse(&oversize.error(), b"", headers),
        };
        // The message, the rules of its revision, and the headers that mirror it.
        match read(&self.rules, &body, headers) {
            Ok(Incoming::Message(message)) => match self.plan.check(&self.rules, &message, headers)
            {
                Ok(()) => response(accepted_status(&message), self.answer(&message, headers)),
                Err(error) => self.refuse(&error, &body, headers),
            },
            // Under 2025-03-26.
            Ok(Incoming::Batch(batch)) => {
                let (mut out, rules) = (Vec::new(), held(&self.rules, headers));
                let mut answers = AnswerArray::new(&mut out, Framing::Body);
                for element in batch.iter() {
                    match element {
                        Ok(message) => {
                            let text = self.answer(&message, headers);
                            if let Ok(answer) = Message::parse(&text) {
                                let _ = answers.message(&answer); // a response
                            }
                        }
                        Err(error) => answers.refusal(&error, &body, &rules),
                    }
                }
                answers.finish();
                let status = match out.is_empty() {
                    true => StatusCode::ACCEPTED,
                    false => StatusCode::OK,
                };
                response(status, out)
            }
            Err(error) => self.refuse(&error, &body, headers),
        }
    }

    fn refuse(&self, error: &Error, body: &[u8], headers: &HeaderMap) -> Response<Vec<u8>> {
        let (mut out, rules) = (Vec::new(), held(&self.rules, headers));
        let said = reply(&mut out, error, body, &rules, Framing::Body);
        let status = StatusCode::from_u16(said.status).unwrap_or(StatusCode::BAD_REQUEST);
        response(status, out)
    }

    /// The answer to a request; nothing for what needs none.
    fn answer(&self, message: &Message<'_>, headers: &HeaderMap) -> Vec<u8> {
        let View::Request(request) = message.view() else {
            return Vec::new();
        };
        // Under the revision of the request itself, or of the header.
        let rules = held(&self.rules, headers);
        let version = rules.version_of(message).unwrap_or(Version::V2025_11_25);
        let (mut out, mut scratch) = (Vec::new(), String::new());
        let result = Object::build(&mut scratch, |result| {
            result.array("content", |_| {});
        });
        let writer = Writer::new(rules, version);
        match writer.result(&mut out, request, result) {
            Ok(()) => out,
            Err(error) => error.to_string().into_bytes(),
        }
    }
}

/// The gateway lets nobody call `transfer`. It goes by headers alone where the server behind it has to refuse a body that
/// says another thing, and reads the body where it has not, or where the headers say nothing.
fn may_pass(request: &Request<Vec<&'static str>>) -> bool {
    let rules = Rules::server().transport(Transport::Http);
    let Ok(to) = route(&rules, request.headers()) else {
        return false; // who wants to answer with the request's id reads the body, which `read` refuses
    };
    if let (true, Some(method)) = (to.is_mirrored, to.method) {
        return (method, to.name.as_deref()) != ("tools/call", Some("transfer"));
    }
    let mut content = Content::new(rules.frame_limits());
    for piece in request.body() {
        if content.push_slice(piece.as_bytes()).is_err() {
            return false;
        }
    }
    let Ok(body) = content.finish() else {
        return false;
    };
    let is_harmless = |message: &Message<'_>| {
        let is_call = message
            .method()
            .is_some_and(|method| method == "tools/call");
        !is_call || message.name().is_some_and(|name| name != "transfer")
    };
    match to.read(&rules, &body) {
        Ok(Incoming::Message(message)) => is_harmless(&message),
        Ok(Incoming::Batch(batch)) => batch
            .iter()
            .all(|element| element.is_ok_and(|message| is_harmless(&message))),
        Err(_) => false,
    }
}

/// The client's side: the headers of a message, and what came back.
fn send(
    server: &Server,
    text: &'static str,
    version: Version,
) -> Result<String, Box<dyn std::error::Error>> {
    let rules = Rules::client()
        .transport(Transport::Http)
        .negotiated(version);
    let message = Message::parse(text.as_bytes())?;
    let headers = request_headers(&message, version, Some(&server.plan))?;
    check_outgoing(&rules, &message, &headers)?;
    let mut request = Request::new(vec![text]);
    *request.method_mut() = Method::POST;
    *request.headers_mut() = headers;
    if !may_pass(&request) {
        return Ok("stopped by the gateway".to_owned());
    }
    let response = server.handle(&request);
    let (status, headers) = (response.status(), response.headers());
    let limits = rules.frame_limits();
    Ok(
        match Answer::of_response(Posted::of(&message), status, headers, limits)? {
            Answer::Message(mut content) => {
                content.push_slice(response.body())?;
                let body = content.finish()?;
                match Payload::of_body(&body, &rules)? {
                    Payload::Message(answer) => answer.to_string(),
                    other => format!("{other:?}"),
                }
            }
            Answer::Refused(status, _) => {
                format!("{status}: {}", String::from_utf8_lossy(response.body()))
            }
            other => format!("{other:?}"),
        },
    )
}

fn response(status: StatusCode, body: Vec<u8>) -> Response<Vec<u8>> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
    }
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    response
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::new()?;
    for (text, version) in [
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"region":"us-west1"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
            Version::V2026_07_28,
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"transfer","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
            Version::V2026_07_28,
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"transfer"}}"#,
            Version::V2025_11_25,
        ),
        (
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            Version::V2025_11_25,
        ),
    ] {
        println!("{text}\n  {}", send(&server, text, version)?);
    }
    // What no client of ours would send: a header that says another thing than the body.
    let mut request = Request::new(vec![
        r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"transfer","#,
        r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
    ]);
    *request.method_mut() = Method::POST;
    for (name, value) in [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "search"),
    ] {
        request
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    let response = server.handle(&request);
    println!(
        "past the gateway: {}, but {} {}",
        may_pass(&request),
        response.status(),
        String::from_utf8_lossy(response.body())
    );
    Ok(())
}
