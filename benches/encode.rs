//! How fast messages are edited and written, in bytes and in messages a second.
//!
//! `cargo bench --bench encode` for all, `-- edit/call` behind it for one. Beside the rivals: see `rivals/`.

#![allow(
    clippy::expect_used,
    reason = "what can't be read or written has no figure"
)]

mod corpus;

use std::hint::black_box;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rpcslice::encode::{
    ClientProfile, Edit, EncodeError, Framing, Object, ReplyTo, ServerProfile, Writer,
};
use rpcslice::mcp::{Method, Rules, Version};
use rpcslice::{IdBuf, Message, MessageBuf, RawJson};

/// One message, parsed, with another id and one more key of `_meta`: as a body, as a line, in pieces; and as it is, the least
/// that passing on costs.
fn edit(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("edit");
    let id = IdBuf::from(1_000_017);
    for class in ["call", "tools_list"] {
        let frame = Bytes::from(corpus::class(class).concat());
        group.throughput(Throughput::Bytes(frame.len() as u64));
        let mut out = Vec::new();
        group.bench_function(format!("{class}/copied"), |bencher| {
            bencher.iter(|| {
                out.clear();
                let message = Message::parse(black_box(&frame)).expect("a message");
                out.extend_from_slice(message.frame().as_bytes());
                black_box(&out);
            });
        });
        for (name, framing) in [("body", Framing::Body), ("line", Framing::Line)] {
            group.bench_function(format!("{class}/{name}"), |bencher| {
                bencher.iter(|| {
                    out.clear();
                    let message = Message::parse(black_box(&frame)).expect("a message");
                    let written = changed(message.edit(), &id).write(&mut out, framing);
                    written.expect("a place for both");
                    black_box(&out);
                });
            });
        }
        let mut scratch = BytesMut::new();
        group.bench_function(format!("{class}/pieces"), |bencher| {
            bencher.iter(|| {
                let message = MessageBuf::parse(black_box(&frame).clone()).expect("a message");
                let pieces = changed(message.edit(), &id).pieces(&mut scratch, Framing::Body);
                black_box(pieces.expect("a place for both"));
            });
        });
    }
    group.finish();
}

fn changed<'a>(edit: Edit<'a>, id: &'a IdBuf) -> Edit<'a> {
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let edit = edit.id(id.as_id()).meta_text("traceparent", parent);
    edit.expect("a key of `_meta`")
}

/// Small messages, built and written as lines, under the last revision with `initialize` and the first without.
fn write(criterion: &mut Criterion) {
    let nothing = RawJson::parse(b"{}").expect("an object");
    let profile = ClientProfile::new(nothing).expect("capabilities");
    let client_profile = profile.named("example", "1.0");
    let server_profile = ServerProfile::new().named("example", "1.0");
    let mut group = criterion.benchmark_group("write");
    for version in [Version::V2025_11_25, Version::V2026_07_28] {
        let server = Writer::new(Rules::server(), version).server(&server_profile);
        let server = server.framing(Framing::Line);
        let client = Writer::new(Rules::client(), version).client(&client_profile);
        let client = client.framing(Framing::Line);
        for (name, text) in [
            ("result", "It is 21 °C in New York.".to_owned()),
            ("result_2k", "\tsaid \"no\" again\n".repeat(120)),
        ] {
            bench(&mut group, &format!("{name}/{version}"), |out, scratch| {
                result(&server, black_box(&text), out, scratch)
            });
        }
        bench(&mut group, &format!("request/{version}"), |out, scratch| {
            request(&client, black_box("New York"), out, scratch)
        });
    }
    group.finish();
}

type Group<'a> = criterion::BenchmarkGroup<'a, criterion::measurement::WallTime>;

fn bench(
    group: &mut Group<'_>,
    name: &str,
    write: impl Fn(&mut Vec<u8>, &mut String) -> Result<(), EncodeError>,
) {
    let (mut out, mut scratch) = (Vec::new(), String::new());
    write(&mut out, &mut scratch).expect("a message that its revision takes");
    group.throughput(Throughput::Bytes(out.len() as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            out.clear();
            let _ = write(&mut out, &mut scratch);
            black_box(&out);
        });
    });
}

fn result(
    writer: &Writer<'_>,
    text: &str,
    out: &mut Vec<u8>,
    scratch: &mut String,
) -> Result<(), EncodeError> {
    let id = IdBuf::from(7);
    let result = Object::build(scratch, |result| {
        result.array("content", |blocks| {
            blocks.object(|block| {
                block.text("type", "text").text("text", text);
            });
        });
    });
    let to = ReplyTo::new(id.as_id()).method(Method::ToolsCall);
    writer.result(out, to, result)
}

fn request(
    writer: &Writer<'_>,
    text: &str,
    out: &mut Vec<u8>,
    scratch: &mut String,
) -> Result<(), EncodeError> {
    let id = IdBuf::from(7);
    let params = Object::build(scratch, |params| {
        params
            .text("name", "get_weather")
            .object("arguments", |arguments| {
                arguments.text("location", text);
            });
    });
    writer.request(out, id.as_id(), "tools/call", Some(params))
}

criterion_group! {
    name = benches;
    // As in `parse`: well below a minute for the whole.
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(30);
    targets = edit, write
}
criterion_main!(benches);
