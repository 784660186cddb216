//! rpcslice's ways.

use std::hint::black_box;

use bytes::BytesMut;
use rpcslice::frame::SseDecoder;
use rpcslice::{Limits, Message, Policy};

use super::stream::{Chunks, Stream};
use super::{Tally, Way};

pub const FEED: Way = Way {
    name: "rpcslice SseDecoder::feed, caller's chunk",
    run: feed,
    is_floor: false,
};

pub const DECODE: Way = Way {
    name: "rpcslice SseDecoder::decode over BytesMut",
    run: decode,
    is_floor: false,
};

/// The rivals hand out `String`: this is as much as they find out.
pub const FEED_AND_UTF8: Way = Way {
    name: "rpcslice feed + simdutf8",
    run: feed_and_utf8,
    is_floor: false,
};

pub const FEED_AND_PARSE: Way = Way {
    name: "rpcslice feed + Message::parse",
    run: feed_and_parse,
    is_floor: false,
};

pub const DECODE_AND_PARSE: Way = Way {
    name: "rpcslice decode + Message::parse",
    run: decode_and_parse,
    is_floor: false,
};

/// Room for the longest event of the growth table.
fn limits() -> Limits {
    Limits::new().with_max_frame_bytes(64 << 20)
}

fn feed(stream: &Stream, chunks: Chunks) -> Tally {
    let mut tally = Tally::default();
    each_fed(stream, chunks, |data| tally.event(data));
    tally
}

fn decode(stream: &Stream, chunks: Chunks) -> Tally {
    let mut tally = Tally::default();
    each_decoded(stream, chunks, |data| tally.event(data));
    tally
}

fn feed_and_utf8(stream: &Stream, chunks: Chunks) -> Tally {
    let mut tally = Tally::default();
    each_fed(stream, chunks, |data| {
        if let Ok(text) = simdutf8::basic::from_utf8(data) {
            tally.event(text.as_bytes());
        }
    });
    tally
}

fn feed_and_parse(stream: &Stream, chunks: Chunks) -> Tally {
    let mut tally = Tally::default();
    each_fed(stream, chunks, |data| parse(data, &mut tally));
    tally
}

fn decode_and_parse(stream: &Stream, chunks: Chunks) -> Tally {
    let mut tally = Tally::default();
    each_decoded(stream, chunks, |data| parse(data, &mut tally));
    tally
}

/// Counts an event only if it holds a message.
#[inline(always)]
fn parse(data: &[u8], tally: &mut Tally) {
    if black_box(Message::parse_with(data, &limits(), &Policy::strict())).is_ok() {
        tally.event(data);
    }
}

/// As a caller does it whom somebody hands chunks: no buffer of its own, nothing appended.
#[inline(always)]
fn each_fed(stream: &Stream, chunks: Chunks, mut on_event: impl FnMut(&[u8])) {
    let mut decoder = SseDecoder::new(limits());
    for chunk in stream.chunks(chunks) {
        let mut events = decoder.feed(chunk);
        while let Some(event) = events.next() {
            black_box((event.event, event.last_event_id));
            if let Ok(data) = event.data {
                on_event(data);
            }
        }
    }
}

/// As a caller with a socket does it: append what was read, take what is whole.
#[inline(always)]
fn each_decoded(stream: &Stream, chunks: Chunks, mut on_event: impl FnMut(&[u8])) {
    let mut decoder = SseDecoder::new(limits());
    let mut buffer = BytesMut::with_capacity(64 * 1024);
    for chunk in stream.chunks(chunks) {
        buffer.extend_from_slice(chunk);
        while let Some(event) = decoder.decode(&mut buffer) {
            black_box((event.event, event.last_event_id));
            if let Ok(data) = event.data {
                on_event(&data);
            }
        }
    }
}
