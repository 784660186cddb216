//! What takes too long for every run: a stream of more than 2 GiB, a line and an event of 16 MiB in chunks of one byte.
//! `scripts/long` runs it; without the environment variable RPCSLICE_LONG it skips itself.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

use bytes::BytesMut;
use rpcslice::frame::{LineDecoder, SseDecoder};
use rpcslice::{Limits, Message, Policy};
use std::process::ExitCode;
use std::time::Instant;

type Test = (&'static str, fn() -> String);

const TESTS: [Test; 4] = [
    ("decode 2 GiB and more", || stream(decode_all)),
    ("feed 2 GiB and more", || stream(feed_all)),
    ("lines of 1 to 16 MiB, byte by byte", drip),
    ("events of 1 to 16 MiB, byte by byte", drip_events),
];

fn main() -> ExitCode {
    if std::env::var_os("RPCSLICE_LONG").is_none() {
        for (name, _) in TESTS {
            println!("SKIP {name}: run scripts/long");
        }
        println!("0 passed, 0 failed, {} skipped", TESTS.len());
        return ExitCode::SUCCESS;
    }
    for (name, test) in TESTS {
        let started = Instant::now();
        let told = test();
        println!(
            "ok {name}: {told}, {:.1} s",
            started.elapsed().as_secs_f64()
        );
    }
    println!("{} passed, 0 failed", TESTS.len());
    ExitCode::SUCCESS
}

const CHUNK: usize = 64 << 10;

/// A line of `len` bytes, LF included, with the number in it.
fn line(number: u64, len: usize) -> Vec<u8> {
    let mut line = format!(r#"{{"jsonrpc":"2.0","id":{number},"result":{{"text":""#).into_bytes();
    line.resize(len - 4, b'x');
    line.extend_from_slice(b"\"}}\n");
    line
}

/// Hands out the stream in chunks, and every line to `check` with its offset.
type Driver = fn(&mut dyn FnMut() -> Option<Vec<u8>>, &mut dyn FnMut(u64, &[u8]));

fn stream(drive: Driver) -> String {
    let total: u64 = (2 << 30) + (64 << 20);
    let lens = [107, 334, 5000, 74_000, 1 << 20];
    let (mut made, mut number, mut ready) = (0, 0u64, Vec::new());
    let mut starts = std::collections::VecDeque::new();
    let mut next_chunk = || {
        while ready.len() < CHUNK && made < total {
            starts.push_back(made);
            let len = lens[number as usize % lens.len()];
            ready.extend_from_slice(&line(number, len));
            (made, number) = (made + len as u64, number + 1);
        }
        let chunk: Vec<u8> = ready.drain(..ready.len().min(CHUNK)).collect();
        (!chunk.is_empty()).then_some(chunk)
    };
    let (mut seen, mut last) = (0u64, 0);
    drive(&mut next_chunk, &mut |offset, frame| {
        let msg = Message::parse(frame).expect("a good message");
        assert_eq!(msg.id().unwrap().as_u64(), Some(seen));
        (seen, last) = (seen + 1, offset);
    });
    assert_eq!(starts.back(), Some(&last));
    assert_eq!(starts.len() as u64, seen);
    assert!(last > 2 << 30);
    format!("{seen} messages, {made} bytes")
}

fn decode_all(next: &mut dyn FnMut() -> Option<Vec<u8>>, check: &mut dyn FnMut(u64, &[u8])) {
    let mut decoder = LineDecoder::new(Limits::new(), Policy::strict());
    let mut buf = BytesMut::new();
    while let Some(chunk) = next() {
        buf.extend_from_slice(&chunk);
        assert!(buf.capacity() <= 4 << 20, "{}", buf.capacity());
        while let Some(line) = decoder.decode(&mut buf) {
            check(line.offset, &line.body.unwrap());
        }
    }
    assert_eq!(decoder.finish(&mut buf), None);
}

fn feed_all(next: &mut dyn FnMut() -> Option<Vec<u8>>, check: &mut dyn FnMut(u64, &[u8])) {
    let mut decoder = LineDecoder::new(Limits::new(), Policy::strict());
    while let Some(chunk) = next() {
        let mut cursor = decoder.feed(&chunk);
        while let Some(line) = cursor.next() {
            check(line.offset, line.body.unwrap());
        }
    }
    assert_eq!(decoder.end(), None);
}

fn drip() -> String {
    let mut told = Vec::new();
    for mib in [1, 2, 4, 8, 16] {
        let line = line(1, (mib << 20) + 1);
        let limits = Limits::new();
        let started = Instant::now();
        let mut decoder = LineDecoder::new(limits, Policy::strict());
        let mut buf = BytesMut::new();
        let mut found = 0;
        for byte in &line {
            buf.extend_from_slice(&[*byte]);
            assert!(buf.len() <= limits.max_frame_bytes() + 1);
            if let Some(found_line) = decoder.decode(&mut buf) {
                assert_eq!(found_line.body.unwrap(), line[..line.len() - 1]);
                found += 1;
            }
        }
        let decoded = started.elapsed().as_millis();
        let started = Instant::now();
        let mut decoder = LineDecoder::new(limits, Policy::strict());
        for byte in &line {
            if let Some(found_line) = decoder.feed(&[*byte]).next() {
                assert_eq!(found_line.body.unwrap(), &line[..line.len() - 1]);
                found += 1;
            }
        }
        assert_eq!(found, 2);
        told.push(format!(
            "{mib} MiB {decoded}+{} ms",
            started.elapsed().as_millis()
        ));
    }
    told.join(", ")
}

fn drip_events() -> String {
    let mut told = Vec::new();
    for mib in [1, 2, 4, 8, 16] {
        let limits = Limits::new();
        let data = vec![b'x'; mib << 20];
        let stream = [b"data: ", &data[..], b"\n\n"].concat();
        let started = Instant::now();
        let mut decoder = SseDecoder::new(limits);
        let mut buf = BytesMut::new();
        let mut found = 0;
        for byte in &stream {
            buf.extend_from_slice(&[*byte]);
            assert!(buf.len() <= limits.max_frame_bytes() + 8);
            if let Some(event) = decoder.decode(&mut buf) {
                assert_eq!(event.data.unwrap(), data);
                found += 1;
            }
        }
        let decoded = started.elapsed().as_millis();
        let started = Instant::now();
        let mut decoder = SseDecoder::new(limits);
        for byte in &stream {
            if let Some(event) = decoder.feed(&[*byte]).next() {
                assert_eq!(event.data.unwrap(), data);
                found += 1;
            }
        }
        assert_eq!(found, 2);
        told.push(format!(
            "{mib} MiB {decoded}+{} ms",
            started.elapsed().as_millis()
        ));
    }
    told.join(", ")
}
