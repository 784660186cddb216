//! A server on standard input and output with one tool, for clients of every revision. Whatever is wrong with a frame, the
//! codec writes the answer, or knows that none is due; what is left for the server is its own business.
//!
//! Try it with `cargo run --example serve <examples/session.jsonl`.

use rpcslice::encode::{
    AnswerArray, CacheScope, EncodeError, Framing, Object, ServerProfile, Writer, reply,
};
use rpcslice::frame::LineReader;
use rpcslice::json::RawJson;
use rpcslice::mcp::code::METHOD_NOT_FOUND;
use rpcslice::mcp::{Era, Incoming, Method, Rules, Transport, Version};
use rpcslice::{Request, View};
use std::io::{self, Write};

fn main() -> io::Result<()> {
    let mut rules = Rules::server().transport(Transport::Stdio);
    let mut lines = LineReader::new(io::stdin());
    let mut out = Vec::new();
    while let Some(line) = lines.next()? {
        match line.body {
            Ok(frame) => {
                if let Err(error) = handle(frame, &mut rules, &mut out) {
                    eprintln!("our own answer is bad: {error}");
                }
            }
            Err(oversize) => drop(reply(
                &mut out,
                &oversize.error(),
                b"",
                &rules,
                Framing::Line,
            )),
        }
        io::stdout().write_all(&out)?;
        out.clear();
    }
    Ok(())
}

/// What a request is answered with.
enum Answer<'s> {
    Result(RawJson<'s>),
    Error(i64, &'static str),
}

fn handle(frame: &[u8], rules: &mut Rules, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let profile = ServerProfile::new()
        .named("serve", "1")
        .cache(60_000, CacheScope::Public);
    let mut scratch = String::new();
    match rules.read(frame) {
        Ok(Incoming::Message(message)) => {
            if let View::Request(request) = message.view() {
                let answer = answer(&request, rules, &mut scratch);
                let writer = writer(&request, rules, &profile).framing(Framing::Line);
                match answer {
                    Answer::Result(result) => writer.result(out, request, result)?,
                    Answer::Error(code, text) => writer.error(out, request, code, text, None)?,
                }
            }
        }
        Ok(Incoming::Batch(batch)) => {
            let mut answers = AnswerArray::new(out, Framing::Line);
            for element in batch.iter() {
                match element.map(|message| message.view()) {
                    Ok(View::Request(request)) => {
                        let answer = answer(&request, rules, &mut scratch);
                        let writer = writer(&request, rules, &profile);
                        match answer {
                            Answer::Result(result) => answers.result(&writer, request, result)?,
                            Answer::Error(code, text) => {
                                answers.error(&writer, request, code, text, None)?;
                            }
                        }
                    }
                    Ok(_) => {}
                    Err(error) => answers.refusal(&error, frame, rules),
                }
            }
            answers.finish();
        }
        Err(error) => {
            eprintln!("refused: {error}");
            reply(out, &error, frame, rules, Framing::Line);
        }
    }
    Ok(())
}

/// Writes under the revision of the request itself, or of the handshake.
fn writer<'p>(request: &Request<'_>, rules: &Rules, profile: &'p ServerProfile) -> Writer<'p> {
    let version = rules.version_of(request);
    Writer::new(*rules, version.unwrap_or(Version::V2025_11_25)).server(profile)
}

/// Every result says what it is about; what a revision wants of all of them, the writer adds.
fn answer<'s>(request: &Request<'_>, rules: &mut Rules, scratch: &'s mut String) -> Answer<'s> {
    match Object::try_build(scratch, |result| fill(request, rules, result)) {
        Ok(result) => Answer::Result(result),
        Err((code, text)) => Answer::Error(code, text),
    }
}

fn fill(
    request: &Request<'_>,
    rules: &mut Rules,
    result: &mut Object<'_>,
) -> Result<(), (i64, &'static str)> {
    let is_modern = rules
        .version_of(request)
        .is_some_and(|version| version.era() == Era::Modern);
    match Method::find(&request.method()) {
        Some(Method::Initialize) => {
            let offered = request.protocol_version();
            let Some(version) = rules.served().negotiate(offered.as_ref()) else {
                return Err((METHOD_NOT_FOUND, "no handshake here"));
            };
            *rules = rules.negotiated(version);
            result
                .text("protocolVersion", version.as_str())
                .object("capabilities", has_tools)
                .object("serverInfo", |info| {
                    info.text("name", "serve").text("version", "1");
                });
        }
        Some(Method::ServerDiscover) => {
            result
                .array("supportedVersions", |versions| {
                    for name in rules.served().names() {
                        versions.text(name);
                    }
                })
                .object("capabilities", has_tools);
        }
        Some(Method::Ping) if !is_modern => {}
        Some(Method::ToolsList) => {
            result.array("tools", |tools| {
                tools.object(|tool| {
                    tool.text("name", "echo").object("inputSchema", |schema| {
                        schema.text("type", "object");
                    });
                });
            });
        }
        Some(Method::ToolsCall) if request.name().is_some_and(|name| name == "echo") => {
            result.array("content", |_| {});
            // What came in goes out again, byte for byte.
            let arguments = request.params().and_then(|params| params.get("arguments"));
            if let Some(arguments) = arguments {
                result.raw("structuredContent", arguments);
            }
        }
        _ => return Err((METHOD_NOT_FOUND, "not here")),
    }
    Ok(())
}

fn has_tools(capabilities: &mut Object<'_>) {
    capabilities.object("tools", |_| {});
}
