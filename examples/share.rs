//! A proxy that shares one server among several clients, without a network: each client's ids are its own, the server sees one
//! client with ids of its own, and every byte that the proxy has no business with stays what it is.
//!
//! Try it with `cargo run --example share`.

use rpcslice::encode::{
    Destination, Edit, EncodeError, Framing, IdMap, IdMapError, Renames, Writer,
};
use rpcslice::mcp::{Rules, Version};
use rpcslice::{Kind, Message, View};

const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut proxy = Proxy { map: IdMap::new() };
    // Two clients that chose the same id.
    let mut upstream = Vec::new();
    for client in ["left", "right"] {
        let frame = br#"{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"slow","_meta":{"progressToken":7}}}"#;
        proxy.client_said(client, frame, &mut upstream)?;
    }
    print!("to the server:\n{}", String::from_utf8(upstream)?);

    // The server answers the second first.
    for frame in [
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":0.5}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"content":[]}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[], "structuredContent":{"n":1.50}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[]}}"#,
    ] {
        match proxy.server_said(frame.as_bytes())? {
            Some((client, bytes)) => print!("to {client}: {}", String::from_utf8(bytes)?),
            None => println!("to nobody: {frame}"),
        }
    }
    Ok(())
}

/// Who gets which bytes.
type Said = (&'static str, Vec<u8>);

struct Proxy {
    map: IdMap<&'static str>,
}

impl Proxy {
    /// What a client sends goes to the server, or back to the client as an error.
    fn client_said(
        &mut self,
        client: &'static str,
        frame: &[u8],
        upstream: &mut Vec<u8>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let message = Message::parse(frame)?;
        match self.map.client_message(&client, &message) {
            Ok(renames) => {
                let mut edit = passed(&message, &renames)?;
                if message.kind() == Kind::Request {
                    edit = edit.meta_text("traceparent", TRACE)?;
                }
                Ok(edit.write(upstream, Framing::Line)?)
            }
            Err(error) => {
                if let View::Request(request) = message.view() {
                    let mut answer = Vec::new();
                    let writer = Writer::new(Rules::proxy(), Version::V2025_11_25);
                    writer.error(&mut answer, request, -32603, error, None)?;
                    println!("back to {client}: {}", String::from_utf8(answer)?);
                }
                Ok(())
            }
        }
    }

    /// What the server sends goes to the client whose request it is about.
    fn server_said(&mut self, frame: &[u8]) -> Result<Option<Said>, Box<dyn std::error::Error>> {
        let message = Message::parse(frame)?;
        match self.map.upstream_message(&message) {
            Ok((Destination::Client(client), renames)) => {
                let mut out = Vec::new();
                passed(&message, &renames)?.write(&mut out, Framing::Line)?;
                Ok(Some((client, out)))
            }
            // A request of the server's, or a notification for all: another proxy may know whom to give it to.
            Ok(_) | Err(IdMapError::Nobody) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

fn passed<'a>(message: &Message<'a>, renames: &'a Renames) -> Result<Edit<'a>, EncodeError> {
    renames.apply(message.edit())
}
