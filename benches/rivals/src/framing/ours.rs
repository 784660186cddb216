//! rpcslice's ways.

use std::hint::black_box;

use bytes::BytesMut;
use rpcslice::frame::{LineDecoder, LineReader, Lines};
use rpcslice::{Limits, Message, Policy};

use super::source::Source;
use super::{Stream, Tally, Way};

pub const DECODE: Way = Way {
    name: "rpcslice LineDecoder::decode over BytesMut",
    run: decode,
    is_floor: false,
    is_whole: false,
};

pub const DECODE_AND_PARSE: Way = Way {
    name: "rpcslice decode + Message::parse",
    run: decode_and_parse,
    is_floor: false,
    is_whole: false,
};

pub const FEED: Way = Way {
    name: "rpcslice LineDecoder::feed, caller's chunk",
    run: feed,
    is_floor: false,
    is_whole: false,
};

pub const FEED_AND_PARSE: Way = Way {
    name: "rpcslice feed + Message::parse",
    run: feed_and_parse,
    is_floor: false,
    is_whole: false,
};

pub const LINES_AND_PARSE: Way = Way {
    name: "rpcslice Lines + Message::parse",
    run: lines_and_parse,
    is_floor: false,
    is_whole: true,
};

pub const PARSE: Way = Way {
    name: "rpcslice Message::parse, lines known beforehand",
    run: parse_known,
    is_floor: false,
    is_whole: true,
};

pub const READER: Way = Way {
    name: "rpcslice LineReader over Read",
    run: reader,
    is_floor: false,
    is_whole: false,
};

pub const LINES: Way = Way {
    name: "rpcslice Lines over the whole stream",
    run: lines,
    is_floor: false,
    is_whole: true,
};

/// Room for the longest line of the growth table.
fn limits() -> Limits {
    Limits::new().with_max_frame_bytes(64 << 20)
}

fn decode(stream: &Stream, chunk: usize) -> Tally {
    let mut tally = Tally::of_bytes();
    each_decoded(stream, chunk, |line| tally.line(line));
    tally
}

fn decode_and_parse(stream: &Stream, chunk: usize) -> Tally {
    let mut tally = Tally::of_bytes();
    each_decoded(stream, chunk, |line| parse(line, &mut tally));
    tally
}

fn feed(stream: &Stream, chunk: usize) -> Tally {
    let mut tally = Tally::of_bytes();
    each_fed(stream, chunk, |line| tally.line(line));
    tally
}

fn feed_and_parse(stream: &Stream, chunk: usize) -> Tally {
    let mut tally = Tally::of_bytes();
    each_fed(stream, chunk, |line| parse(line, &mut tally));
    tally
}

fn parse_known(stream: &Stream, _: usize) -> Tally {
    let mut tally = Tally::of_bytes();
    for line in &stream.lines {
        parse(black_box(line), &mut tally);
    }
    tally
}

/// Counts a line only if it holds a message.
#[inline(always)]
fn parse(line: &[u8], tally: &mut Tally) {
    if black_box(Message::parse_with(line, &limits(), &Policy::strict())).is_ok() {
        tally.line(line);
    }
}

/// As a caller with a socket does it: append what was read, take what is whole.
#[inline(always)]
fn each_decoded(stream: &Stream, chunk: usize, mut on_line: impl FnMut(&[u8])) {
    let mut decoder = LineDecoder::new(limits(), Policy::strict());
    let mut buffer = BytesMut::with_capacity(64 * 1024);
    for chunk in stream.whole.chunks(chunk) {
        buffer.extend_from_slice(chunk);
        while let Some(line) = decoder.decode(&mut buffer) {
            if let Ok(body) = line.body {
                on_line(&body);
            }
        }
    }
    while let Some(line) = decoder.finish(&mut buffer) {
        if let Ok(body) = line.body {
            on_line(&body);
        }
    }
}

/// As a caller does it whom somebody hands chunks: no buffer of its own, nothing appended.
#[inline(always)]
fn each_fed(stream: &Stream, chunk: usize, mut on_line: impl FnMut(&[u8])) {
    let mut decoder = LineDecoder::new(limits(), Policy::strict());
    for chunk in stream.whole.chunks(chunk) {
        let mut cursor = decoder.feed(chunk);
        while let Some(line) = cursor.next() {
            if let Ok(body) = line.body {
                on_line(body);
            }
        }
    }
    while let Some(line) = decoder.end() {
        if let Ok(body) = line.body {
            on_line(body);
        }
    }
}

fn reader(stream: &Stream, chunk: usize) -> Tally {
    let source = Source::new(&stream.whole, chunk);
    let mut lines = LineReader::with(source, limits(), Policy::strict());
    let mut tally = Tally::of_bytes();
    while let Ok(Some(line)) = lines.next() {
        if let Ok(body) = line.body {
            tally.line(body);
        }
    }
    tally
}

fn lines(stream: &Stream, _: usize) -> Tally {
    let mut tally = Tally::of_bytes();
    for line in Lines::with(&stream.whole, limits(), Policy::strict()) {
        if let Ok(body) = line.body {
            tally.line(body);
        }
    }
    tally
}

fn lines_and_parse(stream: &Stream, _: usize) -> Tally {
    let mut tally = Tally::of_bytes();
    for line in Lines::with(&stream.whole, limits(), Policy::strict()) {
        if let Ok(body) = line.body {
            parse(body, &mut tally);
        }
    }
    tally
}
