//! Recordings as frames in the order in which they travelled.

use super::exchange::{self, Exchange, Half};
use super::files;
use bytes::{Bytes, BytesMut};
use rpcslice::frame::{LineDecoder, Payload, SseDecoder};
use rpcslice::mcp::{Rules, Version};
use rpcslice::{Limits, Policy};
use serde_json::Value;
use std::fs;
use std::path::Path;

pub struct Frame {
    pub is_from_client: bool,
    pub bytes: Bytes,
}

/// The lines of both directions, each where the read stands that ended it. `order` lists the reads:
/// `[milliseconds, direction, offset, size]` a line.
pub fn stdio(order: &Path) -> Vec<Frame> {
    let name = files::name(order);
    let stem = name.trim_end_matches(".order.jsonl");
    let mut sides = ["c2s", "s2c"].map(|direction| {
        let file = order.with_file_name(format!("{stem}.{direction}.jsonl"));
        let decoder = LineDecoder::new(Limits::new(), Policy::strict());
        (
            direction,
            fs::read(file).unwrap(),
            0,
            decoder,
            BytesMut::new(),
        )
    });
    let mut frames = Vec::new();
    for (_, read) in files::json_lines(order).unwrap() {
        let read = read.unwrap();
        let side = sides.iter_mut().find(|side| read[1] == side.0);
        let (direction, stream, at, decoder, buffer) = side.expect("a known direction");
        assert_eq!(size(&read[2]), *at, "reads follow each other");
        let end = *at + size(&read[3]);
        buffer.extend_from_slice(&stream[*at..end]);
        *at = end;
        while let Some(line) = decoder.decode(buffer) {
            frames.push(Frame {
                is_from_client: *direction == "c2s",
                bytes: line.body.unwrap(),
            });
        }
    }
    for (_, stream, at, mut decoder, mut buffer) in sides {
        assert_eq!(stream.len(), at, "every byte was read");
        assert_eq!(
            decoder.finish(&mut buffer),
            None,
            "the last line has its LF"
        );
    }
    frames
}

fn size(number: &Value) -> usize {
    usize::try_from(number.as_u64().unwrap()).unwrap()
}

/// What a request brought: its own message, and those of its response.
pub struct Answered {
    /// The revision that the request's header names.
    pub version: Option<Version>,
    pub frames: Vec<Frame>,
}

/// The exchanges of a recording, in the order in which they began. Responses are JSON or an event stream.
pub fn http(file: &Path) -> Vec<Answered> {
    exchange::read(file).into_iter().map(answered).collect()
}

fn answered(exchange: Exchange) -> Answered {
    let answers = match &exchange.response {
        Some(response) if response.is("application/json") => vec![response.body()],
        Some(response) if response.is("text/event-stream") => data(response),
        _ => Vec::new(),
    };
    let frame = |is_from_client| {
        move |bytes: Vec<u8>| Frame {
            is_from_client,
            bytes: bytes.into(),
        }
    };
    let frames = [exchange.request.body()].into_iter().map(frame(true));
    let frames = frames.chain(answers.into_iter().map(frame(false)));
    Answered {
        version: exchange.version,
        // A 202 has no body, and a client may go away before it sends one.
        frames: frames.filter(|frame| !frame.bytes.is_empty()).collect(),
    }
}

/// The data of each event that is a message, good or bad.
fn data(response: &Half) -> Vec<Vec<u8>> {
    let mut decoder = SseDecoder::default();
    let mut data = Vec::new();
    for chunk in &response.chunks {
        let mut events = decoder.feed(chunk);
        while let Some(event) = events.next() {
            // Priming events, their like that are replayed as `{}`, and `endpoint` are none.
            if !matches!(event.message(&Rules::proxy()), Ok(Payload::Nothing(_))) {
                data.push(event.data.unwrap().to_vec());
            }
        }
    }
    data
}
