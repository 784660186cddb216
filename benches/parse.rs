//! How fast messages are checked, lines are cut and values looked into, in bytes and in messages a second.
//!
//! `cargo bench` for all, `cargo bench -- parse/call` for one. Beside the rivals: see `rivals/`.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "what can't be read has no figure"
)]

mod corpus;

use std::hint::black_box;
use std::time::Duration;

use bytes::BytesMut;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rpcslice::frame::{LineDecoder, Lines};
use rpcslice::pieces::{PieceScan, Scanned};
use rpcslice::{Error, Limits, Message, Policy, RawJson};

/// One message, or a mix of them in turn: what `Message::parse` takes for each class.
fn parse(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    for class in corpus::CLASSES {
        let messages = corpus::class(class);
        group.throughput(throughput(&messages));
        group.bench_function(class, |bencher| {
            bencher.iter(|| {
                for message in &messages {
                    let _ = black_box(Message::parse(black_box(message)));
                }
            });
        });
    }
    group.finish();
}

/// The same messages in pieces, beside `parse/`; and a message lent over the body that was scanned.
fn pieces(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pieces");
    for class in [
        "call",
        "tools_list",
        "escaped200k",
        "cjk100k",
        "blob1m",
        "session",
    ] {
        let messages = corpus::class(class);
        group.throughput(throughput(&messages));
        for (name, size) in [("whole", usize::MAX), ("16k", 16 << 10), ("1k", 1 << 10)] {
            group.bench_function(format!("{class}/{name}"), |bencher| {
                bencher.iter(|| {
                    for message in &messages {
                        let _ = black_box(scan(black_box(message), size));
                    }
                });
            });
        }
        let scanned = messages.iter().map(|message| scan(message, usize::MAX));
        let scanned: Vec<_> = scanned.collect();
        group.bench_function(format!("{class}/lend"), |bencher| {
            bencher.iter(|| {
                for (scanned, message) in scanned.iter().zip(&messages) {
                    let lent = scanned
                        .as_ref()
                        .map(|scanned| scanned.message(black_box(message)));
                    let _ = black_box(lent);
                }
            });
        });
    }
    group.finish();
}

fn scan(message: &[u8], size: usize) -> Result<Scanned, Error> {
    let mut scan = PieceScan::default();
    for piece in message.chunks(size) {
        scan.feed(piece);
    }
    scan.finish()
}

/// The session as a stream of lines: borrowed whole, through a buffer as it comes from a pipe, and out of the caller's
/// own chunks.
fn frame(criterion: &mut Criterion) {
    let messages = corpus::class("session");
    let stream = corpus::lines(&messages);
    let mut group = criterion.benchmark_group("frame");
    group.throughput(throughput(&messages));
    group.bench_function("lines", |bencher| {
        bencher.iter(|| {
            for line in Lines::new(black_box(&stream)) {
                let _ = black_box(line.body);
            }
        });
    });
    for chunk in [64 * 1024, 4 * 1024] {
        let kib = chunk / 1024;
        group.bench_function(format!("decode/{kib}k"), |bencher| {
            bencher.iter(|| decode(black_box(&stream), chunk, |_| {}));
        });
        group.bench_function(format!("decode_and_parse/{kib}k"), |bencher| {
            bencher.iter(|| {
                decode(black_box(&stream), chunk, |line| {
                    let _ = black_box(Message::parse(line));
                });
            });
        });
        group.bench_function(format!("feed/{kib}k"), |bencher| {
            bencher.iter(|| feed(black_box(&stream), chunk, |_| {}));
        });
        group.bench_function(format!("feed_and_parse/{kib}k"), |bencher| {
            bencher.iter(|| {
                feed(black_box(&stream), chunk, |line| {
                    let _ = black_box(Message::parse(line));
                });
            });
        });
    }
    group.finish();
}

/// What it takes to look into a value that has been checked: a member by its path, all elements, all members.
fn values(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("values");
    let paths: [(&str, &[&str]); 4] = [
        ("call", &["params", "arguments"]),
        ("write20k", &["params", "arguments", "content"]),
        ("numbers200k", &["jsonrpc"]),
        ("blob1m", &["jsonrpc"]),
    ];
    for (class, path) in paths {
        let messages = corpus::class(class);
        let value = RawJson::parse(&messages[0]).expect("a value");
        group.throughput(throughput(&messages));
        group.bench_function(format!("get/{class}"), |bencher| {
            bencher.iter(|| {
                let value = black_box(value);
                let found = path.iter().try_fold(value, |value, name| value.get(name));
                black_box(found.expect("a member"));
            });
        });
    }
    let messages = corpus::class("tools_list");
    let value = RawJson::parse(&messages[0]).expect("a value");
    let tools = value.get("result").and_then(|result| result.get("tools"));
    let tools = tools.expect("an array");
    group.throughput(throughput(&messages));
    group.bench_function("elements/tools_list", |bencher| {
        bencher.iter(|| {
            black_box(tools)
                .elements()
                .for_each(|tool| _ = black_box(tool));
        });
    });
    group.bench_function("members/tools_list", |bencher| {
        bencher.iter(|| {
            for tool in black_box(tools).elements() {
                tool.members().for_each(|member| _ = black_box(member));
            }
        });
    });
    group.finish();
}

fn decode(stream: &[u8], chunk: usize, mut on_line: impl FnMut(&[u8])) {
    let mut decoder = LineDecoder::new(Limits::new(), Policy::strict());
    let mut buffer = BytesMut::with_capacity(64 * 1024);
    for chunk in stream.chunks(chunk) {
        buffer.extend_from_slice(chunk);
        while let Some(line) = decoder.decode(&mut buffer) {
            if let Ok(body) = black_box(line.body) {
                on_line(&body);
            }
        }
    }
}

fn feed(stream: &[u8], chunk: usize, mut on_line: impl FnMut(&[u8])) {
    let mut decoder = LineDecoder::new(Limits::new(), Policy::strict());
    for chunk in stream.chunks(chunk) {
        let mut cursor = decoder.feed(chunk);
        while let Some(line) = cursor.next() {
            if let Ok(body) = black_box(line.body) {
                on_line(body);
            }
        }
    }
}

fn throughput(messages: &[Vec<u8>]) -> Throughput {
    Throughput::ElementsAndBytes {
        elements: messages.len() as u64,
        bytes: messages.iter().map(|message| message.len() as u64).sum(),
    }
}

criterion_group! {
    name = benches;
    // Four dozen figures of three seconds each: a good two minutes for the whole.
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(30);
    targets = parse, pieces, frame, values
}
criterion_main!(benches);
