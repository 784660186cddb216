//! A server on standard input and output with one tool, for clients of every revision. Whatever is wrong with a frame, the
//! codec writes the answer, or knows that none is due; what is left for the server is its own business.
//!
//! Try it with `cargo run --example serve <examples/session.jsonl`.

use rpcslice::encode::{AnswerArray, Framing, reply};
use rpcslice::frame::LineReader;
use rpcslice::mcp::{Era, Incoming, Method, Rules, Transport};
use rpcslice::{Message, View};
use std::io::{self, Write};

const TOOLS: &str = r#"[{"name":"echo","inputSchema":{"type":"object"}}]"#;

fn main() -> io::Result<()> {
    let mut rules = Rules::server().transport(Transport::Stdio);
    let mut lines = LineReader::new(io::stdin());
    let mut out = Vec::new();
    while let Some(line) = lines.next()? {
        match line.body {
            Ok(frame) => handle(frame, &mut rules, &mut out),
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

fn handle(frame: &[u8], rules: &mut Rules, out: &mut Vec<u8>) {
    match rules.read(frame) {
        Ok(Incoming::Message(message)) => {
            if let Some(answer) = answer(&message, rules) {
                out.extend_from_slice(answer.as_bytes());
                out.push(b'\n');
            }
        }
        Ok(Incoming::Batch(batch)) => {
            let mut answers = AnswerArray::new(out);
            for element in batch.iter() {
                match element.map(|message| answer(&message, rules)) {
                    Ok(Some(text)) => match Message::parse(text.as_bytes()) {
                        Ok(answer) => answers.message(&answer),
                        Err(error) => eprintln!("our own answer is bad: {error}"),
                    },
                    Ok(None) => {}
                    Err(error) => answers.error(&error, frame, rules),
                }
            }
            answers.finish(Framing::Line);
        }
        Err(error) => {
            eprintln!("refused: {error}");
            reply(out, &error, frame, rules, Framing::Line);
        }
    }
}

/// The answer to a request; nothing for what needs none.
fn answer(message: &Message<'_>, rules: &mut Rules) -> Option<String> {
    let View::Request(request) = message.view() else {
        return None;
    };
    // By the request itself, or by the handshake.
    let version = rules.version_of(message);
    let is_modern = version.is_some_and(|version| version.era() == Era::Modern);
    let kind = if is_modern {
        r#""resultType":"complete","#
    } else {
        ""
    };
    let cache = if is_modern {
        r#","ttlMs":60000,"cacheScope":"public""#
    } else {
        ""
    };
    let result = match Method::find(&request.method()) {
        Some(Method::Initialize) => {
            let version = rules
                .served()
                .negotiate(message.protocol_version().as_ref())?;
            *rules = rules.negotiated(version);
            format!(
                r#"{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"serve","version":"1"}}}}"#
            )
        }
        Some(Method::ServerDiscover) => {
            let names: Vec<_> = rules
                .served()
                .names()
                .map(|name| format!("\"{name}\""))
                .collect();
            let names = names.join(",");
            format!(
                r#"{{{kind}"supportedVersions":[{names}],"capabilities":{{"tools":{{}}}}{cache}}}"#
            )
        }
        Some(Method::Ping) if !is_modern => "{}".to_owned(),
        Some(Method::ToolsList) => format!(r#"{{{kind}"tools":{TOOLS}{cache}}}"#),
        Some(Method::ToolsCall) if message.name().is_some_and(|name| name == "echo") => {
            // What came in goes out again, byte for byte.
            let arguments = message.params().and_then(|params| params.get("arguments"));
            let arguments = arguments.map_or("{}", |arguments| arguments.raw());
            format!(r#"{{{kind}"content":[],"structuredContent":{arguments}}}"#)
        }
        _ => {
            let id = request.id().raw();
            return Some(format!(
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"not here"}}}}"#
            ));
        }
    };
    let id = request.id().raw();
    Some(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#
    ))
}
