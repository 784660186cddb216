//! Parsing allocates nothing, whatever the frame, whether it is accepted or refused. Counted over every vector, every
//! case, the example session and, where they are, the recordings.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]
#![allow(unsafe_code)] // a counting allocator

mod support;

use bytes::BytesMut;
use rpcslice::frame::{LineDecoder, Lines, SseDecoder};
use rpcslice::json::RawJson;
use rpcslice::pieces::PieceScan;
use rpcslice::{Limits, Message, Policy, View};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;
use support::{files, input};

thread_local! {
    /// Allocations of this thread: the test harness has others.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes on to `System` as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller has it.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: as the caller has it; the block is one of `System`'s.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller has it; the block is one of `System`'s.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let before = COUNT.with(Cell::get);
    let result = work();
    (COUNT.with(Cell::get) - before, result)
}

/// Every stream of bytes that the tests know.
fn streams() -> Vec<Vec<u8>> {
    let mut streams = vec![fs::read(files::in_repository("examples/session.jsonl")).unwrap()];
    let mut folders = vec![
        files::in_repository("tests/vectors"),
        files::in_repository("tests/cases"),
    ];
    folders.extend(files::beside_checkout("vectors"));
    for folder in folders {
        for file in files::listed(&folder, ".jsonl").unwrap() {
            for (_, line) in files::json_lines(&file).unwrap() {
                let line = line.unwrap();
                streams.extend(input::of(line.as_object().unwrap()).map(|input| input.bytes));
            }
        }
    }
    match files::beside_checkout("recordings/stdio") {
        Some(folder) => {
            for file in files::listed(&folder, ".jsonl").unwrap() {
                streams.push(fs::read(file).unwrap());
            }
        }
        None => println!("no recordings beside the checkout: not counted over them"),
    }
    streams
}

/// All that a router asks of a frame. Gives whether the frame was accepted.
fn read(frame: &[u8], policy: &Policy) -> bool {
    match Message::parse_with(frame, &Limits::new(), policy) {
        Ok(msg) => {
            let is_list = msg.method().is_some_and(|method| method == "tools/list");
            let name = msg.name().or(msg.uri()).or(msg.task_id());
            let version = msg.protocol_version();
            let meta = msg.meta().map(|meta| (meta.get("x"), meta.iter().count()));
            let id = msg.id().map(|id| (id.as_i64(), Some(id) == msg.id()));
            if let View::Error(error) = msg.view() {
                std::hint::black_box((error.code(), error.message() == "x"));
            }
            std::hint::black_box((
                is_list,
                name,
                version,
                meta,
                id,
                msg.params().map(|p| p.get("a")),
            ));
            true
        }
        Err(error) => {
            let told = (
                error.id(frame),
                error.method(frame),
                error.line_column(frame),
                error.code(),
            );
            std::hint::black_box(told);
            false
        }
    }
}

#[test]
fn parsing_allocates_nothing() {
    let streams = streams();
    read(&streams[0], &Policy::strict()); // warm-up: processor detection
    let (mut accepted, mut refused) = (0, 0);
    for stream in &streams {
        let (count, ()) = allocations(|| {
            for policy in [Policy::strict(), Policy::lenient()] {
                let lines = Lines::with(stream, Limits::new(), policy);
                for frame in lines.filter_map(|line| line.body.ok()).chain([&stream[..]]) {
                    match read(frame, &policy) {
                        true => accepted += 1,
                        false => refused += 1,
                    }
                }
            }
            std::hint::black_box(RawJson::parse(stream).is_ok());
        });
        assert_eq!(
            count,
            0,
            "{}",
            String::from_utf8_lossy(&stream[..stream.len().min(400)])
        );
    }
    println!("{accepted} frames accepted, {refused} refused, without an allocation");
    assert!(accepted > 500 && refused > 300, "{accepted} {refused}");
}

#[test]
fn feeding_allocates_only_for_lines_that_straddle_chunks() {
    let stream = fs::read(files::in_repository("examples/session.jsonl")).unwrap();
    let mut decoder = LineDecoder::new(Limits::new(), Policy::strict());
    let mut lines = 0;
    let mut pass = |size: usize| {
        for chunk in stream.chunks(size) {
            let mut cursor = decoder.feed(chunk);
            while cursor.next().is_some() {
                lines += 1;
            }
        }
    };
    // The stream ends in LF, so that no line of it straddles.
    assert_eq!(stream.last(), Some(&b'\n'));
    let (count, ()) = allocations(|| pass(stream.len()));
    assert_eq!(count, 0);
    // Once its buffer is as large as the longest line, the decoder needs no more.
    pass(7);
    let (count, ()) = allocations(|| pass(7));
    assert_eq!(count, 0);
    assert!(lines > 30);
}

#[test]
fn events_allocate_only_for_what_straddles_chunks() {
    let stream = "event: message\nid: 1_7\ndata: {\"a\":1}\n\n: c\nid: 1_8\ndata: [1,\ndata: 2]\nretry: 9\n\n".repeat(20);
    let mut decoder = SseDecoder::new(Limits::new());
    let mut events = 0;
    let mut pass = |size: usize| {
        for chunk in stream.as_bytes().chunks(size) {
            let mut cursor = decoder.feed(chunk);
            while cursor.next().is_some() {
                events += 1;
            }
        }
    };
    // Buffers for the id, and for what has several data lines.
    pass(stream.len());
    let (count, ()) = allocations(|| pass(stream.len()));
    assert_eq!(count, 0);
    pass(7);
    let (count, ()) = allocations(|| pass(7));
    assert_eq!(count, 0);
    assert_eq!(events, 4 * 40);

    let mut decoder = SseDecoder::new(Limits::new());
    let mut buffer = BytesMut::from(&*stream);
    let (count, ids) = allocations(|| {
        let mut ids = 0;
        while let Some(event) = decoder.decode(&mut buffer) {
            ids += event.last_event_id.map_or(0, <[u8]>::len);
        }
        ids
    });
    // Two buffers for ids, and what `BytesMut` needs to share its memory.
    assert!(count <= 3, "{count}");
    assert_eq!(ids, 40 * 3);
}

/// Routing by headers, and holding a call and its arguments to them: nothing but the text of a Base64 name.
#[cfg(feature = "http")]
#[test]
fn headers_are_checked_without_allocations() {
    use rpcslice::http::{ParamPlan, check, request_headers, route};
    use rpcslice::mcp::{Rules, Version};
    let schema = r#"{"properties":{"r":{"type":"string","x-mcp-header":"R"},"n":{"type":"integer","x-mcp-header":"N"}}}"#;
    let plan = ParamPlan::compile(RawJson::parse(schema.as_bytes()).unwrap()).unwrap();
    let rules = Rules::server();
    for (name, most) in [("plain", 0), (r"\u4e16", 2)] {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}","arguments":{{"r":"eu","n":42}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
        );
        let message = Message::parse(body.as_bytes()).unwrap();
        let good = request_headers(&message, Version::V2026_07_28, Some(&plan)).unwrap();
        let mut bad = good.clone();
        bad.insert("mcp-name", "other".parse().unwrap());
        for headers in [good, bad] {
            let (count, _) = allocations(|| {
                let to = route(&rules, &headers).unwrap();
                let verdicts = (
                    to.check(&rules, &message),
                    plan.check(&rules, &message, &headers),
                );
                let _ = std::hint::black_box(verdicts);
                drop(to);
            });
            assert!(count <= most, "{name}: {count}");
            let (count, _) = allocations(|| check(&rules, &message, &headers).is_ok());
            assert!(count <= most / 2, "{name}: {count}");
        }
    }
}

/// Written and edited into buffers that are large enough: nothing, accepted or refused.
#[test]
fn writing_and_editing_allocate_nothing() {
    use rpcslice::encode::{ClientProfile, Framing, Object, ReplyTo, ServerProfile, Writer};
    use rpcslice::mcp::{Rules, Version};
    use rpcslice::{Id, IdBuf};
    let capabilities = RawJson::parse(b"{}").unwrap();
    let client = ClientProfile::new(capabilities).unwrap().named("c", "1");
    let server = ServerProfile::new().named("s", "1");
    let mut out = Vec::with_capacity(64 << 20);
    let mut scratch = String::with_capacity(1 << 10);
    let (mut written, mut refused) = (0, 0);
    for version in Version::ALL {
        let writer = Writer::new(Rules::proxy(), version)
            .client(&client)
            .server(&server)
            .framing(Framing::Line)
            .escape_line_separators();
        let (count, ()) = allocations(|| {
            for text in ["plain", "a \"b\"\n\u{2028}\u{2029}\u{20ac}"] {
                let id = IdBuf::from(text);
                let result = Object::build(&mut scratch, |result| {
                    result.array("content", |blocks| {
                        blocks.object(|block| {
                            block
                                .text("type", "text")
                                .format("text", format_args!("{text}: {}", 7));
                        });
                    });
                });
                let tries = [
                    writer.request(&mut out, id.as_id(), "x", Some(result)),
                    writer.request(&mut out, id.as_id(), "tools/call", Some(result)),
                    writer.notification(&mut out, text, None),
                    writer.result(&mut out, ReplyTo::new(id.as_id()), result),
                    writer.error(&mut out, ReplyTo::new(id.as_id()), -1, text, Some(result)),
                    writer.error(&mut out, ReplyTo::new(id.as_id()), -32_022, text, None),
                    writer.error_without_id(&mut out, -32_700, text, None),
                ];
                for attempt in tries {
                    match attempt {
                        Ok(()) => written += 1,
                        Err(_) => refused += 1,
                    }
                }
            }
        });
        assert_eq!(count, 0, "{version}");
    }
    assert!(written > 40 && refused > 10, "{written} {refused}");

    let new_id = Id::from_raw("\"another id, and a long one\"").unwrap();
    let (mut edited, mut misfit) = (0, 0);
    for stream in streams() {
        for frame in Lines::new(&stream).filter_map(|line| line.body.ok()) {
            let Ok(message) = Message::parse(frame) else {
                continue;
            };
            out.clear();
            let (count, is_written) = allocations(|| {
                let mut edit = message.edit().id(new_id);
                for key in ["traceparent", "com.example/a", "progressToken"] {
                    edit = edit.meta_text(key, "\"\n").unwrap();
                }
                edit = edit.remove_meta("io.modelcontextprotocol/logLevel");
                edit.write(&mut out, Framing::Line).is_ok()
            });
            assert_eq!(count, 0, "{message}");
            match is_written {
                true => edited += 1,
                false => misfit += 1,
            }
        }
    }
    assert!(edited > 100 && misfit > 50, "{edited} {misfit}");
}

#[test]
fn scanning_in_pieces_allocates_nothing() {
    let (mut accepted, mut refused) = (0, 0);
    for stream in streams() {
        for frame in Lines::new(&stream).filter_map(|line| line.body.ok()) {
            for size in [7, 1000] {
                let (count, is_good) = allocations(|| {
                    let mut scan = PieceScan::new(Limits::new(), Policy::strict());
                    for piece in frame.chunks(size) {
                        scan.feed(piece);
                        let peek = scan.peek();
                        let told = (peek.kind(), peek.id(), peek.method(), peek.is_refused());
                        std::hint::black_box(told);
                    }
                    let scanned = scan.finish();
                    let lent = scanned.as_ref().map(|s| s.message(frame).is_some());
                    std::hint::black_box(lent.is_ok());
                    scanned.is_ok()
                });
                assert_eq!(count, 0, "{}", String::from_utf8_lossy(frame));
                match is_good {
                    true => accepted += 1,
                    false => refused += 1,
                }
            }
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} {refused}");
}

#[test]
fn the_counter_counts() {
    let (count, text) = allocations(|| String::from("x"));
    assert_eq!((count, text.len()), (1, 1));
}
