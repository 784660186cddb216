//! Recordings as frames in the order in which they travelled.

use super::files;
use base64::prelude::{BASE64_STANDARD, Engine};
use bytes::{Bytes, BytesMut};
use rpcslice::frame::LineDecoder;
use rpcslice::mcp::Version;
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

/// What a POST brought: its own message, and those of its response.
pub struct Exchange {
    /// The revision that the request's header names.
    pub version: Option<Version>,
    pub frames: Vec<Frame>,
}

/// The POST exchanges of a recording, in the order in which they began. Responses are JSON or an event stream; streams
/// that a GET opened are left out.
pub fn http(file: &Path) -> Vec<Exchange> {
    let records = files::json_lines(file).unwrap().into_iter();
    let records = records.map(|(_, record)| record.unwrap());
    records
        .filter(|record| record["request"]["method"] == "POST")
        .map(exchange)
        .collect()
}

fn exchange(record: Value) -> Exchange {
    let (request, response) = (&record["request"], &record["response"]);
    let posted = BASE64_STANDARD
        .decode(request["body_b64"].as_str().unwrap())
        .unwrap();
    let chunks = response["chunks_b64"].as_array().into_iter().flatten();
    let body: Vec<u8> = chunks
        .flat_map(|chunk| BASE64_STANDARD.decode(chunk.as_str().unwrap()).unwrap())
        .collect();
    let answers = match header(response, "content-type") {
        Some(kind) if kind.starts_with("application/json") => vec![body],
        Some(kind) if kind.starts_with("text/event-stream") => data(&body),
        _ => Vec::new(),
    };
    let frame = |is_from_client| {
        move |bytes: Vec<u8>| Frame {
            is_from_client,
            bytes: bytes.into(),
        }
    };
    let frames = [posted].into_iter().map(frame(true));
    let frames = frames.chain(answers.into_iter().map(frame(false)));
    Exchange {
        version: header(request, "mcp-protocol-version").and_then(|name| name.parse().ok()),
        // A 202 has no body, and a client may go away before it sends one.
        frames: frames.filter(|frame| !frame.bytes.is_empty()).collect(),
    }
}

fn header<'a>(of: &'a Value, name: &str) -> Option<&'a str> {
    let mut headers = of["headers"].as_array()?.iter();
    let found = headers.find(|header| header[0].as_str().unwrap().eq_ignore_ascii_case(name))?;
    found[1].as_str()
}

/// The data of each event that has some. A plain reading, until the crate has its own: the recordings have neither
/// a lone CR nor a byte order mark.
fn data(stream: &[u8]) -> Vec<Vec<u8>> {
    let stream = std::str::from_utf8(stream).unwrap().replace("\r\n", "\n");
    let data = stream.split("\n\n").map(|event| {
        let lines = event
            .split('\n')
            .filter_map(|line| line.strip_prefix("data:"));
        let lines: Vec<_> = lines
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect();
        lines.join("\n").into_bytes()
    });
    data.filter(|data| !data.is_empty()).collect()
}
