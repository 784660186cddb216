//! The portions of work, by name: `way:messages`, and `way:shape:size` for those that are compared at n and 8n.

use std::hint::black_box;

use ::http::HeaderMap;
use bytes::BytesMut;
use rpcslice::encode::{ClientProfile, Framing, Object, ReplyTo, Writer};
use rpcslice::frame::{LineDecoder, Lines, SseDecoder};
use rpcslice::mcp::{Method, Rules, Version, Versions};
use rpcslice::{IdBuf, Limits, Message, Policy, RawJson, http};

use crate::{corpus, shapes};

/// Sizes at which a shape is counted; the second is eight times the first.
const SIZES: [(&str, usize); 2] = [("16k", 16 << 10), ("128k", 128 << 10)];

/// Single messages and mixes that are parsed.
const PARSED: [&str; 16] = [
    "ping",
    "progress",
    "discover_req",
    "call",
    "discover_res",
    "small",
    "write20k",
    "pretty20k",
    "tools_list",
    "numbers200k",
    "escaped200k",
    "cjk100k",
    "blob1m",
    "id_first_200k",
    "id_last_200k",
    "cut_off_74k",
];

/// Requests of 2026-07-28 that are parsed and held to its rules.
const CHECKED: [&str; 2] = ["call", "discover_req"];

/// The same with headers: also routed by them, and checked against them.
const ROUTED: [&str; 2] = ["call", "discover_req"];

/// Messages that are parsed and passed on, as they are (`copy`) or with another id and a key of `_meta` added.
const PASSED_ON: [(&str, How, &str); 5] = [
    ("edit", How::Edit(Framing::Body, ADDED_KEY), "call"),
    ("copy", How::Copy, "call"),
    ("edit", How::Edit(Framing::Body, ADDED_KEY), "tools_list"),
    (
        "edit_line",
        How::Edit(Framing::Line, ADDED_KEY),
        "tools_list",
    ),
    ("copy", How::Copy, "tools_list"),
];

/// A key that no message has.
const ADDED_KEY: &str = "traceparent";

/// The last of those that the shape `meta_keys` has.
const LAST_KEY: &str = "z";

/// Messages that are written anew.
const WRITTEN: [(&str, How); 2] = [
    ("result_small", How::WriteResult),
    ("request_2026", How::WriteRequest),
];

/// Sizes of an event, which comes in larger chunks.
const EVENT_SIZES: [(&str, usize); 2] = [("200k", 200_000), ("1600k", 1_600_000)];

/// Ways of cutting a stream, and the bytes a chunk has in them.
const CUT: [(&str, How); 10] = [
    ("lines", How::Lines),
    ("feed64k", How::Feed(64 << 10)),
    ("feed4k", How::Feed(4 << 10)),
    ("decode64k", How::Decode(64 << 10)),
    ("decode4k", How::Decode(4 << 10)),
    ("sse_feed64k", How::SseFeed(64 << 10)),
    ("sse_feed4k", How::SseFeed(4 << 10)),
    ("sse_feed100", How::SseFeed(100)),
    ("sse_feed1", How::SseFeed(1)),
    ("sse_decode64k", How::SseDecode(64 << 10)),
];

/// Ways in which one line or event grows, in chunks far smaller than itself.
const GROWN: [Grown; 4] = [
    ("feed64", How::Feed(64), "one_line", SIZES),
    ("decode64", How::Decode(64), "one_line", SIZES),
    (
        "sse_feed4k",
        How::SseFeed(4 << 10),
        "one_event",
        EVENT_SIZES,
    ),
    (
        "sse_decode4k",
        How::SseDecode(4 << 10),
        "one_event",
        EVENT_SIZES,
    ),
];

type Grown = (&'static str, How, &'static str, [(&'static str, usize); 2]);

#[derive(Clone, Copy)]
enum How {
    Parse,
    Check,
    /// With the headers of each message.
    Route,
    Lines,
    Feed(usize),
    Decode(usize),
    SseFeed(usize),
    SseDecode(usize),
    /// With this key of `_meta` set.
    Edit(Framing<'static>, &'static str),
    Copy,
    WriteResult,
    WriteRequest,
}

const MODERN: Rules = Rules::server().versions(Versions::of(&[Version::V2026_07_28]));

pub struct Portion {
    how: How,
    /// For a stream that is cut, that one; for what is written, a text to write; else the messages.
    frames: Vec<Vec<u8>>,
    /// For `Route`.
    headers: Vec<HeaderMap>,
    messages: usize,
}

/// All there are.
pub fn names() -> Vec<String> {
    let parsed = PARSED.iter().map(|name| format!("parse:{name}"));
    let checked = CHECKED.iter().map(|name| format!("check:{name}"));
    let routed = ROUTED.iter().map(|name| format!("route:{name}"));
    let cut = CUT.iter().map(|(way, _)| format!("{way}:session"));
    let grown = shapes::NAMES.iter().flat_map(|shape| {
        let sizes = SIZES.iter();
        sizes.map(move |(size, _)| format!("parse:{shape}:{size}"))
    });
    let streams = GROWN.iter().flat_map(|(way, _, what, sizes)| {
        let sizes = sizes.iter();
        sizes.map(move |(size, _)| format!("{way}:{what}:{size}"))
    });
    let passed_on = PASSED_ON
        .iter()
        .map(|(way, _, what)| format!("{way}:{what}"));
    let edited = SIZES
        .iter()
        .map(|(size, _)| format!("edit:meta_keys:{size}"));
    let written = WRITTEN.iter().map(|(what, _)| format!("encode:{what}"));
    parsed
        .chain(checked)
        .chain(routed)
        .chain(cut)
        .chain(grown)
        .chain(streams)
        .chain(passed_on)
        .chain(edited)
        .chain(written)
        .collect()
}

/// The portion of that name, ready to work.
pub fn named(name: &str) -> Option<Portion> {
    let mut parts = name.split(':');
    let (way, what) = (parts.next()?, parts.next()?);
    match (way, parts.next()) {
        ("parse", Some(size)) => {
            let message = shapes::message(what, bytes(&SIZES, size)?)?;
            Some(Portion::read(How::Parse, vec![message]))
        }
        ("edit", Some(size)) => {
            let message = shapes::message(what, bytes(&SIZES, size)?)?;
            let how = How::Edit(Framing::Body, LAST_KEY);
            Some(Portion::read(how, vec![message]))
        }
        (_, Some(size)) => {
            let (_, how, _, sizes) = GROWN.iter().find(|(name, ..)| *name == way)?;
            let message = shapes::message("blob", bytes(sizes, size)?)?;
            Some(Portion::cut(*how, &[message]))
        }
        ("parse", None) => Some(Portion::read(How::Parse, messages(what))),
        ("route", None) => Some(Portion::read(How::Route, messages(what))),
        ("check", None) => Some(Portion::read(How::Check, messages(what))),
        ("encode", None) => {
            let (_, how) = WRITTEN.iter().find(|(name, _)| *name == what)?;
            let text = b"It is 21 degrees in \"New York\".\nNo rain.";
            Some(Portion::read(*how, vec![text.to_vec()]))
        }
        ("edit" | "edit_line" | "copy", None) => {
            let is_it =
                |(its_way, _, its_what): &&(&str, How, &str)| (*its_way, *its_what) == (way, what);
            let (_, how, _) = PASSED_ON.iter().find(is_it)?;
            Some(Portion::read(*how, messages(what)))
        }
        (_, None) => {
            let (_, how) = CUT.iter().find(|(name, _)| *name == way)?;
            Some(Portion::cut(*how, &corpus::session(1_000_000)))
        }
    }
}

fn bytes(sizes: &[(&str, usize)], name: &str) -> Option<usize> {
    let (_, bytes) = sizes.iter().find(|(size, _)| *size == name)?;
    Some(*bytes)
}

fn messages(name: &str) -> Vec<Vec<u8>> {
    match name {
        "id_first_200k" => vec![shapes::with_id_first(200_000)],
        "id_last_200k" => vec![shapes::with_id_last(200_000)],
        // Refused, but only at its end.
        "cut_off_74k" => corpus::class("tools_list")
            .into_iter()
            .map(|mut message| {
                message.pop();
                message
            })
            .collect(),
        // A quarter of the mix says as much, and valgrind is slow.
        "small" => corpus::class("small").split_off(corpus::SMALL * 3 / 4),
        _ => corpus::class(name),
    }
}

impl Portion {
    fn read(how: How, frames: Vec<Vec<u8>>) -> Self {
        let headers = match how {
            How::Route => frames.iter().map(|frame| headers_of(frame)).collect(),
            _ => Vec::new(),
        };
        Self {
            how,
            messages: frames.len(),
            headers,
            frames,
        }
    }

    fn cut(how: How, messages: &[Vec<u8>]) -> Self {
        let stream = match how {
            How::SseFeed(_) | How::SseDecode(_) => corpus::events(messages),
            _ => corpus::lines(messages),
        };
        Self {
            how,
            messages: messages.len(),
            headers: Vec::new(),
            frames: vec![stream],
        }
    }

    pub fn messages(&self) -> usize {
        self.messages
    }

    pub fn bytes(&self) -> usize {
        self.frames.iter().map(Vec::len).sum()
    }

    /// So many that a stray instruction per run doesn't show.
    pub fn repeats(&self) -> usize {
        (200_000 / self.bytes()).clamp(1, 1000)
    }

    pub fn work(&self, repeats: usize) {
        let mut room = Room::new();
        for _ in 0..repeats {
            if let How::Edit(..) | How::Copy | How::WriteResult | How::WriteRequest = self.how {
                for frame in &self.frames {
                    self.write(black_box(frame), &mut room);
                }
                continue;
            }
            if let How::Route = self.how {
                for (frame, headers) in self.frames.iter().zip(&self.headers) {
                    route(black_box(frame), black_box(headers));
                }
                continue;
            }
            for frame in &self.frames {
                self.once(black_box(frame));
            }
        }
    }

    fn once(&self, bytes: &[u8]) {
        match self.how {
            How::Parse => {
                let _ = black_box(Message::parse(bytes));
            }
            How::Check => {
                let message = Message::parse(bytes).expect("a message");
                black_box(MODERN.check(&message)).expect("a request of 2026-07-28");
                black_box(message);
            }
            How::Lines => {
                for line in Lines::new(bytes) {
                    black_box(line.body.ok());
                }
            }
            How::Feed(chunk) => {
                let mut decoder = LineDecoder::new(Limits::new(), Policy::strict());
                for chunk in bytes.chunks(chunk) {
                    let mut cursor = decoder.feed(chunk);
                    while let Some(line) = cursor.next() {
                        black_box(line.body.ok());
                    }
                }
            }
            How::Decode(chunk) => {
                let mut decoder = LineDecoder::new(Limits::new(), Policy::strict());
                let mut buffer = BytesMut::with_capacity(64 << 10);
                for chunk in bytes.chunks(chunk) {
                    buffer.extend_from_slice(chunk);
                    while let Some(line) = decoder.decode(&mut buffer) {
                        black_box(line.body.ok());
                    }
                }
            }
            How::Route => {} // needs the headers
            How::Edit(..) | How::Copy | How::WriteResult | How::WriteRequest => {} // need buffers
            How::SseFeed(chunk) => feed_events(bytes, chunk),
            How::SseDecode(chunk) => decode_events(bytes, chunk),
        }
    }
}

/// What is kept from one message to the next.
struct Room {
    out: Vec<u8>,
    text: String,
    id: IdBuf,
    profile: ClientProfile,
}

impl Room {
    fn new() -> Self {
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

impl Portion {
    #[inline(never)]
    fn write(&self, bytes: &[u8], room: &mut Room) {
        room.out.clear();
        match self.how {
            How::Edit(framing, key) => edit(bytes, framing, key, room),
            How::Copy => copy(bytes, room),
            How::WriteResult => write_result(text(bytes), room),
            How::WriteRequest => write_request(text(bytes), room),
            _ => {}
        }
        black_box(&room.out);
    }
}

#[inline(never)]
fn edit(bytes: &[u8], framing: Framing<'_>, key: &str, room: &mut Room) {
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

/// The least that passing on costs.
#[inline(never)]
fn copy(bytes: &[u8], room: &mut Room) {
    let message = Message::parse(bytes).expect("a message");
    room.out.extend_from_slice(message.frame().as_bytes());
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("a text")
}

#[inline(never)]
fn write_result(text: &str, room: &mut Room) {
    let writer = Writer::new(Rules::server(), Version::V2025_11_25).framing(Framing::Line);
    let mut result = Object::new(&mut room.text);
    result.array("content", |blocks| {
        blocks.object(|block| {
            block.text("type", "text").text("text", text);
        });
    });
    let to = ReplyTo::from(&room.id).method(Method::ToolsCall);
    writer
        .result(&mut room.out, to, result.finish())
        .expect("a result");
}

#[inline(never)]
fn write_request(text: &str, room: &mut Room) {
    let writer = Writer::new(Rules::client(), Version::V2026_07_28)
        .client(&room.profile)
        .framing(Framing::Line);
    let mut params = Object::new(&mut room.text);
    params
        .text("name", "search")
        .object("arguments", |arguments| {
            arguments.text("query", text);
        });
    let id = room.id.as_id();
    writer
        .request(&mut room.out, id, "tools/call", Some(params.finish()))
        .expect("a request");
}

/// What a server behind a gateway does, and the gateway.
#[inline(never)]
fn route(bytes: &[u8], headers: &HeaderMap) {
    let to = black_box(http::route(&MODERN, headers)).expect("a route");
    let message = Message::parse(bytes).expect("a message");
    black_box(to.check(&MODERN, &message)).expect("headers that agree");
    black_box(message);
}

/// Those that the message has to have, among those that requests have besides.
fn headers_of(bytes: &[u8]) -> HeaderMap {
    let message = Message::parse(bytes).expect("a message");
    let mut headers = http::request_headers(&message, Version::LATEST, None).expect("headers");
    for (name, value) in [
        ("host", "mcp.example.com"),
        ("user-agent", "example/1.0"),
        ("content-length", "334"),
        ("authorization", "Bearer 0123456789abcdef0123456789abcdef"),
        ("accept-encoding", "identity"),
    ] {
        headers.insert(name, value.parse().expect("a value"));
    }
    headers
}

// Apart, so that how the ways above are compiled doesn't depend on these.
#[inline(never)]
fn feed_events(bytes: &[u8], chunk: usize) {
    let mut decoder = SseDecoder::new(Limits::new());
    for chunk in bytes.chunks(chunk) {
        let mut cursor = decoder.feed(chunk);
        while let Some(event) = cursor.next() {
            black_box(event.data.ok());
        }
    }
}

#[inline(never)]
fn decode_events(bytes: &[u8], chunk: usize) {
    let mut decoder = SseDecoder::new(Limits::new());
    let mut buffer = BytesMut::with_capacity(64 << 10);
    for chunk in bytes.chunks(chunk) {
        buffer.extend_from_slice(chunk);
        while let Some(event) = decoder.decode(&mut buffer) {
            black_box(event.data.ok());
        }
    }
}
