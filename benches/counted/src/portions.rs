//! The portions of work, by name: `way:messages`, and `way:shape:size` for those that are compared at n and 8n.

use std::hint::black_box;

use ::http::HeaderMap;
use bytes::BytesMut;
use rpcslice::__variants::{self, Variant};
use rpcslice::frame::{LineDecoder, Lines, SseDecoder};
use rpcslice::mcp::{Rules, Version, Versions};
use rpcslice::{Limits, Message, Policy, http};

use crate::walked::{self, Walk};
use crate::written::{self, Room, Work};
use crate::{corpus, shapes};

/// Sizes at which a shape is counted; the second is eight times the first.
const SIZES: [(&str, usize); 2] = [("16k", 16 << 10), ("128k", 128 << 10)];

/// Single messages and mixes that are parsed.
const PARSED: [&str; 16] = [
    // The classes of the corpus first.
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

/// How many of them are classes of the corpus.
const CLASSES: usize = 13;

/// What is parsed by each set of instructions, whatever the processor has. Valgrind knows no AVX-512.
const BY_VARIANT: [(&str, Variant); 3] = [
    ("avx2", Variant::Avx2),
    ("sse2", Variant::Sse2),
    ("plain", Variant::Plain),
];

/// Requests of 2026-07-28 that are parsed and held to its rules.
const CHECKED: [&str; 2] = ["call", "discover_req"];

/// The same with headers: also routed by them, and checked against them.
const ROUTED: [&str; 2] = ["call", "discover_req"];

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
    ParseBy(Variant),
    Check,
    /// With the headers of each message.
    Route,
    Lines,
    Feed(usize),
    Decode(usize),
    SseFeed(usize),
    SseDecode(usize),
    Write(Work),
    Walk(Walk),
}

const MODERN: Rules = Rules::server().versions(Versions::of(&[Version::V2026_07_28]));

pub struct Portion {
    how: How,
    /// The messages; for what is cut, the one stream; for what is written anew, a text.
    frames: Vec<Vec<u8>>,
    /// For `Route`.
    headers: Vec<HeaderMap>,
    messages: usize,
}

/// All there are.
pub fn names() -> Vec<String> {
    let parsed = PARSED.iter().map(|name| format!("parse:{name}"));
    let by_variant = BY_VARIANT.iter().flat_map(|(variant, _)| {
        let parsed = PARSED.iter().take(CLASSES);
        parsed.map(move |name| format!("{variant}:{name}"))
    });
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
    let written = written::ALL.iter();
    let written = written.map(|(way, what, _)| format!("{way}:{what}"));
    let walked = walked::ALL.iter();
    let walked = walked.map(|(way, what, _)| format!("{way}:{what}"));
    parsed
        .chain(by_variant)
        .chain(checked)
        .chain(routed)
        .chain(cut)
        .chain(grown)
        .chain(streams)
        .chain(written)
        .chain(walked)
        .collect()
}

/// The portion of that name, ready to work.
pub fn named(name: &str) -> Option<Portion> {
    let (way, what) = name.split_once(':')?;
    let mut written = written::ALL.iter();
    if let Some((.., work)) =
        written.find(|(its_way, its_what, _)| (*its_way, *its_what) == (way, what))
    {
        return Some(Portion::read(How::Write(*work), passed_on(*work, what)?));
    }
    let mut walked = walked::ALL.iter();
    if let Some((.., walk)) =
        walked.find(|(its_way, its_what, _)| (*its_way, *its_what) == (way, what))
    {
        return Some(Portion::read(How::Walk(*walk), messages(what)));
    }
    let mut parts = name.split(':');
    let (way, what) = (parts.next()?, parts.next()?);
    match (way, parts.next()) {
        ("parse", Some(size)) => {
            let message = shapes::message(what, bytes(&SIZES, size)?)?;
            Some(Portion::read(How::Parse, vec![message]))
        }
        (_, Some(size)) => {
            let (_, how, _, sizes) = GROWN.iter().find(|(name, ..)| *name == way)?;
            let message = shapes::message("blob", bytes(sizes, size)?)?;
            Some(Portion::cut(*how, &[message]))
        }
        ("parse", None) => Some(Portion::read(How::Parse, messages(what))),
        ("route", None) => Some(Portion::read(How::Route, messages(what))),
        ("check", None) => Some(Portion::read(How::Check, messages(what))),
        (_, None) if BY_VARIANT.iter().any(|(name, _)| *name == way) => {
            let (_, variant) = BY_VARIANT.iter().find(|(name, _)| *name == way)?;
            let is_there = variant.is_supported();
            is_there.then(|| Portion::read(How::ParseBy(*variant), messages(what)))
        }
        (_, None) => {
            let (_, how) = CUT.iter().find(|(name, _)| *name == way)?;
            Some(Portion::cut(*how, &corpus::session(1_000_000)))
        }
    }
}

fn passed_on(work: Work, what: &str) -> Option<Vec<Vec<u8>>> {
    match (work, what.split_once(':')) {
        (Work::Result | Work::Request, _) => Some(vec![written::TEXT.into()]),
        (_, Some((shape, size))) => Some(vec![shapes::message(shape, bytes(&SIZES, size)?)?]),
        (_, None) => Some(messages(what)),
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
        if let How::Write(work) = self.how {
            return self.write(work, repeats);
        }
        if let How::ParseBy(variant) = self.how {
            assert!(__variants::force(variant), "the processor lacks it");
        }
        if let How::Walk(walk) = self.how {
            return walk.work(&self.frames, repeats);
        }
        for _ in 0..repeats {
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

    #[inline(never)]
    fn write(&self, work: Work, repeats: usize) {
        let mut room = Room::new();
        for _ in 0..repeats {
            for frame in &self.frames {
                work.work(black_box(frame), &mut room);
            }
        }
    }

    fn once(&self, bytes: &[u8]) {
        match self.how {
            How::Parse | How::ParseBy(_) => {
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
            How::Route => {}    // needs the headers
            How::Write(_) => {} // needs room
            How::Walk(_) => {}  // needs values
            How::SseFeed(chunk) => feed_events(bytes, chunk),
            How::SseDecode(chunk) => decode_events(bytes, chunk),
        }
    }
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
