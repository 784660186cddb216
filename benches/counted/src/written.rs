//! Messages that are passed on, edited or as they are, and messages that are written anew.

use std::hint::black_box;

use rpcslice::encode::{ClientProfile, Framing, Object, ReplyTo, Writer};
use rpcslice::mcp::{Method, Rules, Version};
use rpcslice::{IdBuf, Message, RawJson};

/// What is done, by the name of the way and of what it is done with.
pub const ALL: [(&str, &str, Work); 9] = [
    ("edit", "call", Work::Edit),
    ("copy", "call", Work::Copy),
    ("edit", "tools_list", Work::Edit),
    ("edit_line", "tools_list", Work::EditLine),
    ("copy", "tools_list", Work::Copy),
    ("edit", "meta_keys:16k", Work::EditLast),
    ("edit", "meta_keys:128k", Work::EditLast),
    ("encode", "result_small", Work::Result),
    ("encode", "request_2026", Work::Request),
];

#[derive(Clone, Copy)]
pub enum Work {
    /// Parsed, with another id and a key of `_meta` added, as a body.
    Edit,
    /// The same as a line.
    EditLine,
    /// The same with the last key that `_meta` has, among many.
    EditLast,
    /// Parsed and copied: the least that passing on costs.
    Copy,
    /// The text as a result of 2025-11-25.
    Result,
    /// The text as an argument of a request of 2026-07-28.
    Request,
}

/// A text for those that are written anew: with some to escape.
pub const TEXT: &str = "It is 21 degrees in \"New York\".\nNo rain.";

/// The last of the keys that the shape `meta_keys` has.
const LAST_KEY: &str = "z";

/// What is kept from one message to the next.
pub struct Room {
    out: Vec<u8>,
    text: String,
    id: IdBuf,
    profile: ClientProfile,
}

impl Room {
    pub fn new() -> Self {
        let nothing = RawJson::parse(b"{}").expect("an object");
        let profile = ClientProfile::new(nothing).expect("capabilities");
        Self {
            out: Vec::new(),
            text: String::new(),
            id: IdBuf::from(1_000_017),
            profile: profile.named("counted", "1.0"),
        }
    }
}

impl Work {
    // Apart, so that how the other ways are compiled doesn't depend on these.
    #[inline(never)]
    pub fn work(self, bytes: &[u8], room: &mut Room) {
        room.out.clear();
        match self {
            Self::Edit => edit(bytes, "traceparent", Framing::Body, room),
            Self::EditLine => edit(bytes, "traceparent", Framing::Line, room),
            Self::EditLast => edit(bytes, LAST_KEY, Framing::Body, room),
            Self::Copy => copy(bytes, room),
            Self::Result => result(text(bytes), room),
            Self::Request => request(text(bytes), room),
        }
        black_box(&room.out);
    }
}

#[inline(never)]
fn edit(bytes: &[u8], key: &str, framing: Framing<'_>, room: &mut Room) {
    let message = Message::parse(bytes).expect("a message");
    let edit = message.edit().id(room.id.as_id());
    let edit = edit.meta_text(
        key,
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    );
    let edit = edit.expect("a key");
    edit.write(&mut room.out, framing)
        .expect("a place for both");
}

#[inline(never)]
fn copy(bytes: &[u8], room: &mut Room) {
    let message = Message::parse(bytes).expect("a message");
    room.out.extend_from_slice(message.frame().as_bytes());
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("a text")
}

#[inline(never)]
fn result(text: &str, room: &mut Room) {
    let writer = Writer::new(Rules::server(), Version::V2025_11_25).framing(Framing::Line);
    let result = Object::build(&mut room.text, |result| {
        result.array("content", |blocks| {
            blocks.object(|block| {
                block.text("type", "text").text("text", text);
            });
        });
    });
    let to = ReplyTo::new(room.id.as_id()).method(Method::ToolsCall);
    writer.result(&mut room.out, to, result).expect("a result");
}

#[inline(never)]
fn request(text: &str, room: &mut Room) {
    let writer = Writer::new(Rules::client(), Version::V2026_07_28)
        .client(&room.profile)
        .framing(Framing::Line);
    let params = Object::build(&mut room.text, |params| {
        params
            .text("name", "search")
            .object("arguments", |arguments| {
                arguments.text("query", text);
            });
    });
    let id = room.id.as_id();
    writer
        .request(&mut room.out, id, "tools/call", Some(params))
        .expect("a request");
}
