//! One message, and what is in it: every part is a slice of the bytes that came in. Nothing is copied.
//!
//! Run it with `cargo run --example peek`.

use rpcslice::{Message, View};

const FRAME: &[u8] = br#"{"jsonrpc":"2.0","id":"c-7","method":"tools\/call","params":{
    "name":"get_weather","arguments":{"location":"Z\u00fcrich","days":3},
    "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":42}}}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let message = Message::parse(FRAME)?;
    println!("{} bytes, a {}", FRAME.len(), message.kind().as_str());

    // A `match` on the view has no options where a kind always has the part.
    if let View::Request(request) = message.view() {
        println!("id         {}", request.id().raw());
        // Strings compare after unescaping; the raw text stays as it came.
        let method = request.method();
        println!(
            "method     {} = tools/call: {}",
            method.raw(),
            method == "tools/call"
        );
    }
    if let Some(name) = message.name() {
        println!("name       {}", name.decode()?);
    }
    if let Some(revision) = message.protocol_version() {
        println!("revision   {}", revision.decode()?);
    }
    if let Some(token) = message.meta().and_then(|meta| meta.progress_token()) {
        println!("progress   {}", token.raw());
    }

    // What lies deeper is read when somebody asks, several members in one pass.
    if let Some(arguments) = message.params().and_then(|params| params.get("arguments")) {
        let [location, days] = arguments.get_many(["location", "days"]);
        if let Some(location) = location.and_then(|value| value.as_string()) {
            println!("location   {} is {}", location.raw(), location.decode()?);
        }
        println!("days       {:?}", days.and_then(|value| value.as_i64()));
    }
    Ok(())
}
