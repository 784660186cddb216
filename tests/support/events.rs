//! An event stream in pieces: the events that come out of the crate's decoder, and those that a slow one finds.

use super::chunks::pieces;
use super::report::Check;
use bytes::BytesMut;
use rpcslice::Limits;
use rpcslice::frame::{Event, Incomplete, Oversize, SseDecoder};
use std::fmt;

/// Bytes for a test's output: what is printable as it is.
#[derive(Clone, PartialEq, Eq)]
pub struct Text(pub Vec<u8>);

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.get(..80) {
            Some(start) => write!(f, "\"{}..\" ({})", start.escape_ascii(), self.0.len()),
            None => write!(f, "\"{}\"", self.0.escape_ascii()),
        }
    }
}

/// An event that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    pub offset: u64,
    pub event: Text,
    pub data: Result<Text, Oversize>,
    pub last_event_id: Option<Text>,
    pub retry: Option<u64>,
}

impl Kept {
    pub fn of<B: AsRef<[u8]>>(event: Event<'_, B>) -> Self {
        Self {
            offset: event.offset,
            event: Text(event.event.to_vec()),
            data: event.data.map(|data| Text(data.as_ref().to_vec())),
            last_event_id: event.last_event_id.map(|id| Text(id.to_vec())),
            retry: event.retry,
        }
    }

    /// The same event as one that was not kept, to ask it for its message.
    pub fn lent(&self) -> Event<'_, &[u8]> {
        Event {
            offset: self.offset,
            event: &self.event.0,
            data: self
                .data
                .as_ref()
                .map(|data| &*data.0)
                .map_err(|over| *over),
            last_event_id: self.last_event_id.as_ref().map(|id| &*id.0),
            retry: self.retry,
        }
    }
}

/// All that a stream gives.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stream {
    pub events: Vec<Kept>,
    pub comments: u64,
    pub last_event_id: Option<Text>,
    pub retry: Option<u64>,
    /// Where it begins, and its bytes.
    pub incomplete: Option<(u64, Result<Text, Oversize>)>,
}

impl Stream {
    fn end<B: AsRef<[u8]>>(&mut self, rest: Option<Incomplete<B>>) {
        self.incomplete = rest.map(|rest| {
            let bytes = rest.bytes.map(|bytes| Text(bytes.as_ref().to_vec()));
            (rest.offset, bytes)
        });
    }

    /// Where two streams differ first, if they do.
    fn differs_from(&self, other: &Self) -> Option<(String, String)> {
        if self == other {
            return None;
        }
        let most = self.events.len().max(other.events.len());
        let first = (0..most).find(|&n| self.events.get(n) != other.events.get(n));
        let told = |stream: &Self| match first {
            Some(n) => format!("{:?} (event {n})", stream.events.get(n)),
            None => {
                let events = Vec::new();
                format!(
                    "{:?} at the end",
                    Self {
                        events,
                        ..stream.clone()
                    }
                )
            }
        };
        Some((told(self), told(other)))
    }

    fn state(&mut self, decoder: &SseDecoder) {
        self.comments = decoder.comments();
        self.last_event_id = decoder.last_event_id().map(|id| Text(id.to_vec()));
        self.retry = decoder.retry();
    }
}

/// By the crate, over a buffer. Also the most bytes that stood in it once there was no event to be had.
pub fn decode<'a>(
    pieces: impl Iterator<Item = &'a [u8]>,
    limits: Limits,
    ended: bool,
) -> (Stream, usize) {
    let mut decoder = SseDecoder::new(limits);
    let mut buffer = BytesMut::new();
    let (mut stream, mut peak) = (Stream::default(), 0);
    for piece in pieces {
        buffer.extend_from_slice(piece);
        while let Some(event) = decoder.decode(&mut buffer) {
            stream.events.push(Kept::of(event));
        }
        peak = peak.max(buffer.len());
    }
    stream.state(&decoder);
    if ended {
        stream.end(decoder.finish(&mut buffer));
        assert!(buffer.is_empty());
    }
    (stream, peak)
}

/// By the crate, lent out of the pieces; each cursor is dropped after `patience` events.
pub fn feed<'a>(
    pieces: impl Iterator<Item = &'a [u8]>,
    limits: Limits,
    ended: bool,
    patience: usize,
) -> Stream {
    let mut decoder = SseDecoder::new(limits);
    let mut stream = Stream::default();
    for piece in pieces {
        let mut events = decoder.feed(piece);
        for _ in 0..patience {
            let Some(event) = events.next() else { break };
            stream.events.push(Kept::of(event));
        }
    }
    let mut left = decoder.feed(&[]);
    while let Some(event) = left.next() {
        stream.events.push(Kept::of(event));
    }
    drop(left);
    stream.state(&decoder);
    if ended {
        let rest = decoder.end();
        stream.end(rest);
    }
    stream
}

/// Asserts that the crate finds this in the stream under a chunking, whichever way.
pub fn assert_same(
    check: &mut Check,
    expected: &Stream,
    (bytes, ended): (&[u8], bool),
    sizes: &[usize],
    limits: Limits,
) {
    let (decoded, _) = decode(pieces(bytes, sizes), limits, ended);
    let patient = feed(pieces(bytes, sizes), limits, ended, usize::MAX);
    let impatient = feed(pieces(bytes, sizes), limits, ended, 1);
    let shown = &sizes[..sizes.len().min(4)];
    for (way, got) in [
        ("decode", decoded),
        ("feed", patient),
        ("feed, dropped early", impatient),
    ] {
        match expected.differs_from(&got) {
            Some((expected, got)) => {
                check.fault(format!("from {way} at {shown:?} {expected}"), got)
            }
            None => check.holds(true, "", ""),
        }
    }
}

/// What WHATWG HTML section 9.2.6 says of a whole stream, line by line, whatever the size of its events.
pub fn slow(bytes: &[u8]) -> Stream {
    let mut stream = Stream::default();
    let mark = if bytes.starts_with(b"\xEF\xBB\xBF") {
        3
    } else {
        0
    };
    let (mut data, mut event, mut id) = (Vec::new(), Vec::new(), None);
    let (mut has_data, mut retry, mut block) = (false, None, None);
    let mut at = mark;
    while let Some(len) = bytes[at..].iter().position(|b| b"\r\n".contains(b)) {
        let (start, line) = (at, &bytes[at..at + len]);
        at += len
            + if bytes[at + len..].starts_with(b"\r\n") {
                2
            } else {
                1
            };
        if line.is_empty() {
            if id.is_some() {
                stream.last_event_id = id.clone().map(Text);
            }
            if has_data {
                data.pop();
                let event = if event.is_empty() {
                    b"message".to_vec()
                } else {
                    event
                };
                stream.events.push(Kept {
                    offset: block.unwrap(),
                    event: Text(event),
                    data: Ok(Text(data)),
                    last_event_id: stream.last_event_id.clone(),
                    retry,
                });
            }
            (data, event, has_data, retry, block) = (Vec::new(), Vec::new(), false, None, None);
            continue;
        }
        let colon = line.iter().position(|b| *b == b':');
        let name = &line[..colon.unwrap_or(len)];
        let value = colon.map_or(&b""[..], |colon| &line[colon + 1..]);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"" => stream.comments += 1,
            b"data" => {
                has_data = true;
                data.extend_from_slice(value);
                data.push(b'\n');
            }
            b"event" => event = value.to_vec(),
            b"id" if !value.contains(&0) => id = Some(value.to_vec()),
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let text = std::str::from_utf8(value).unwrap();
                retry = Some(text.parse().unwrap_or(u64::MAX));
                stream.retry = retry;
            }
            _ => {}
        }
        if [&b"data"[..], b"event", b"id", b"retry"].contains(&name) {
            block = block.or(Some(start as u64));
        }
    }
    // A line without its end is no line; it is worth a report if it is or may become a field.
    let line = &bytes[at..];
    let names = [&b"data"[..], b"event", b"id", b"retry"];
    let is_field = |name: &&[u8]| {
        let is_begin = !line.is_empty() && name.starts_with(line);
        is_begin || line.starts_with(name) && line[name.len()] == b':'
    };
    let is_cut_mark = mark == 0 && b"\xEF\xBB\xBF".starts_with(bytes);
    if block.is_none() && !is_cut_mark && names.iter().any(is_field) {
        block = Some(at as u64);
    }
    stream.incomplete = block.map(|offset| {
        let rest = &bytes[offset as usize..];
        let rest = rest
            .strip_suffix(b"\n")
            .map(|rest| rest.strip_suffix(b"\r").unwrap_or(rest))
            .unwrap_or(rest.strip_suffix(b"\r").unwrap_or(rest));
        (offset, Ok(Text(rest.to_vec())))
    });
    stream
}
