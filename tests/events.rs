//! Event streams: every way in gives the same, whatever the chunks, and holds no more than it says.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use bytes::{Bytes, BytesMut};
use rpcslice::frame::{NonMessage, Part, Payload, SseDecoder};
use rpcslice::mcp::{Rules, Version};
use rpcslice::{ErrorKind, Limits};
use support::chunks::{byte_by_byte_and_every_split, pieces, random_sizes};
use support::events::{Kept, Stream, Text, decode, feed, slow};

/// Asserts that the stream gives this under every chunking, whichever way.
fn assert_everywhere(expected: &Stream, bytes: &[u8], limits: Limits) {
    let mut chunkings = vec![vec![bytes.len()], vec![1], vec![2], vec![3], vec![7]];
    if bytes.len() < 1000 {
        chunkings.extend(byte_by_byte_and_every_split(bytes.len()));
    }
    chunkings.extend((1..20).map(|seed| random_sizes(seed, 1 + seed as usize * 3, bytes.len())));
    for sizes in chunkings {
        let shown = &sizes[..sizes.len().min(8)];
        let (decoded, _) = decode(pieces(bytes, &sizes), limits, true);
        assert_eq!(
            *expected,
            decoded,
            "{} decode {shown:?}",
            bytes.escape_ascii()
        );
        for patience in [usize::MAX, 2, 0] {
            let fed = feed(pieces(bytes, &sizes), limits, true, patience);
            assert_eq!(*expected, fed, "{} feed {shown:?}", bytes.escape_ascii());
        }
    }
}

/// Whatever is made of these, the slow decoder has the same.
const PIECES: &[&str] = &[
    "data: x",
    "data:y",
    "data",
    "data:",
    "event: e",
    "event: message",
    "event",
    "id: 1",
    "id",
    "id: a\0b",
    "retry: 5",
    "retry: x",
    ": c",
    ":",
    "",
    "",
    "",
    "unknown: z",
    "dat",
    "database: q",
    " data: n",
    "\u{feff}",
    "data: {\"a\":1}",
];
const ENDS: &[&str] = &["\n", "\r", "\r\n"];

#[test]
fn any_stream_in_any_pieces_is_as_the_slow_decoder_has_it() {
    let mut state = 7u64;
    let mut next = |most: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % most
    };
    for round in 0..400 {
        let mut stream = String::new();
        if next(4) == 0 {
            stream.push('\u{feff}');
        }
        let one_end = next(4);
        for _ in 0..next(14) {
            stream.push_str(PIECES[next(PIECES.len())]);
            stream.push_str(ENDS.get(one_end).unwrap_or(&ENDS[next(ENDS.len())]));
        }
        if next(2) == 0 {
            stream.push_str(PIECES[next(PIECES.len())]);
        }
        let expected = slow(stream.as_bytes());
        let sizes = random_sizes(round, 1 + next(30), stream.len());
        for sizes in [vec![stream.len()], vec![1], sizes] {
            let pieces = || pieces(stream.as_bytes(), &sizes);
            let (decoded, _) = decode(pieces(), Limits::new(), true);
            assert_eq!(expected, decoded, "{stream:?} {sizes:?}");
            assert_eq!(
                expected,
                feed(pieces(), Limits::new(), true, 1),
                "{stream:?} {sizes:?}"
            );
        }
    }
}

fn limit(bytes: usize) -> Limits {
    Limits::new().with_max_frame_bytes(bytes)
}

/// What is over a limit, by part, length and limit; or how many bytes of data there are.
type Verdict = Result<usize, (Part, u64, usize)>;

fn verdicts(stream: &Stream) -> Vec<Verdict> {
    let verdict = |event: &Kept| match &event.data {
        Ok(data) => Ok(data.0.len()),
        Err(over) => Err((over.part, over.len, over.limit)),
    };
    stream.events.iter().map(verdict).collect()
}

#[test]
fn every_limit_at_it_and_one_past() {
    const FIELD: usize = SseDecoder::MAX_FIELD_BYTES;
    const ROOM: usize = 64 << 10;
    let after = "data: ok\n\n";
    let x = |count| "x".repeat(count);
    let data = |len, limit| Err((Part::EventData, len, limit));
    let field = |len| Err((Part::EventField, len, FIELD));
    for (name, block, bytes, expected) in [
        (
            "data at the limit",
            format!("data: {}\n\n", x(10)),
            10,
            Ok(10),
        ),
        (
            "data past it",
            format!("data: {}\n\n", x(11)),
            10,
            data(11, 10),
        ),
        (
            "without a space",
            format!("data:{}\n\n", x(11)),
            10,
            data(11, 10),
        ),
        (
            "a space of the value",
            "data:  123456789\n\n".into(),
            10,
            Ok(10),
        ),
        (
            "joined, at it",
            "data: 1234\ndata: 12345\n\n".into(),
            10,
            Ok(10),
        ),
        (
            "joined, past it",
            "data: 1234\ndata: 123456\n\n".into(),
            10,
            data(11, 10),
        ),
        (
            "the LF past it",
            "data: 0123456789\ndata\n\n".into(),
            10,
            data(11, 10),
        ),
        (
            "no data line after all",
            "data: 0123456789\ndatabase: x\n\n".into(),
            10,
            Ok(10),
        ),
        (
            "much past it",
            format!("data: {}\ndata:{}\n\n", x(500), x(500)),
            10,
            data(1001, 10),
        ),
        (
            "nothing allowed, nothing there",
            "data:\n\n".into(),
            0,
            Ok(0),
        ),
        ("nothing allowed", "data:1\n\n".into(), 0, data(1, 0)),
        (
            "event at the limit",
            format!("event: {}\ndata: 1\n\n", x(FIELD)),
            10,
            Ok(1),
        ),
        (
            "event past it",
            format!("event: {}\ndata: 1\n\n", x(FIELD + 1)),
            10,
            field(FIELD as u64 + 1),
        ),
        (
            "id past it",
            format!("data: 1\nid: {}\n\n", x(FIELD + 1)),
            10,
            field(FIELD as u64 + 1),
        ),
        (
            "id past it, no data",
            format!("id:{}\n\n", x(FIELD + 9)),
            10,
            field(FIELD as u64 + 9),
        ),
        (
            "retry past it",
            format!("retry: {}\ndata\n\n", "0".repeat(FIELD + 1)),
            10,
            field(FIELD as u64 + 1),
        ),
        (
            "data first",
            format!("id:{}\ndata:{}\n\n", x(FIELD + 1), x(11)),
            10,
            data(11, 10),
        ),
        // The name and the line ends count: `data:`, its LF, the colon of the comment.
        (
            "comment at the limit",
            format!("data:1\n:{}\n\n", x(ROOM - 7)),
            10,
            Ok(1),
        ),
        (
            "comment past it",
            format!("data:1\n:{}\n\n", x(ROOM - 6)),
            10,
            Err((Part::EventRest, ROOM as u64 + 2, ROOM)),
        ),
        (
            "a higher limit",
            format!("data:1\n:{}\n\n", x(ROOM)),
            ROOM + 100,
            Ok(1),
        ),
        (
            "comments before the block",
            format!(":{}\ndata:1\n\n", x(2 * ROOM)),
            10,
            Ok(1),
        ),
        (
            "unknown before the block",
            format!("{}\ndata:1\n\n", x(2 * ROOM)),
            10,
            Ok(1),
        ),
        (
            "many short lines",
            "data\n".repeat(20_000) + "\n",
            20_000,
            Err((Part::EventRest, 80_001, ROOM)),
        ),
    ] {
        let stream = format!("{block}{after}");
        let limits = limit(bytes);
        let (whole, _) = decode([stream.as_bytes()].into_iter(), limits, true);
        let tail = if bytes < 2 {
            Err((Part::EventData, 2, bytes))
        } else {
            Ok(2)
        };
        assert_eq!(verdicts(&whole), [expected, tail], "{name}");
        for sizes in [
            vec![1],
            vec![2],
            vec![1000],
            random_sizes(3, 700, stream.len()),
        ] {
            let pieces = || pieces(stream.as_bytes(), &sizes);
            let (decoded, peak) = decode(pieces(), limits, true);
            assert_eq!(decoded, whole, "{name} {sizes:?}");
            assert_eq!(feed(pieces(), limits, true, 1), whole, "{name} {sizes:?}");
            let most = bytes + bytes.max(ROOM) + 16;
            assert!(peak <= most, "{name}: {peak} held");
        }
    }
}

#[test]
fn an_event_over_the_limit_does_not_stop_the_stream() {
    let stream = format!(
        "id: 1\ndata: a\n\nevent: big\ndata: {}\nid: 2\nretry: 9\n: c\n\ndata: b\n\ndata: {}\nid: 3\n",
        "y".repeat(3000),
        "z".repeat(3000),
    );
    let limits = limit(100);
    let (whole, peak) = decode(pieces(stream.as_bytes(), &[64]), limits, true);
    assert!(peak <= 100 + 6 + 64, "{peak}");
    let ids: Vec<_> = whole
        .events
        .iter()
        .map(|event| event.last_event_id.clone())
        .collect();
    // The id of what was too long counts: who resumes does not want it again.
    assert_eq!(ids, ["1", "2", "2"].map(|id| Some(Text(id.into()))));
    assert_eq!(
        verdicts(&whole),
        [Ok(1), Err((Part::EventData, 3000, 100)), Ok(1)]
    );
    assert_eq!(whole.events[1].event, Text(b"big".to_vec()));
    assert_eq!((whole.events[1].retry, whole.comments), (Some(9), 1));
    let (offset, rest) = whole.incomplete.clone().unwrap();
    assert_eq!(offset as usize, stream.find("data: z").unwrap());
    assert_eq!(rest.unwrap_err().len, 3000);
    assert_everywhere(&whole, stream.as_bytes(), limits);
    let error = whole.events[1]
        .lent()
        .message(&Rules::client())
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (ErrorKind::FrameTooLong, 100)
    );
}

#[test]
fn what_is_unfinished_at_the_end_is_told_with_its_bytes() {
    for (stream, expected) in [
        ("", None),
        ("data: a\n\n", None),
        ("data: a\r\r", None),
        ("data: a\r\n\r", None),
        (": c", None),
        ("\n\n:\n", None),
        ("unknown: x\n", None),
        ("\u{feff}", None),
        ("data: a\n", Some((0, "data: a"))),
        ("data: a\r\n", Some((0, "data: a"))),
        ("data: a\r", Some((0, "data: a"))),
        ("\u{feff}data: a", Some((3, "data: a"))),
        (
            ": c\n\ndata: a\n: d\nid: 7\r\ndat",
            Some((5, "data: a\n: d\nid: 7\r\ndat")),
        ),
        ("data: 1\n\nda", Some((9, "da"))),
        ("retry: 5\n", Some((0, "retry: 5"))),
        ("event", Some((0, "event"))),
    ] {
        let (whole, _) = decode([stream.as_bytes()].into_iter(), Limits::new(), true);
        let rest = whole
            .incomplete
            .clone()
            .map(|(offset, bytes)| (offset, bytes.unwrap()));
        let expected = expected.map(|(offset, bytes): (u64, &str)| (offset, Text(bytes.into())));
        assert_eq!(rest, expected, "{stream:?}");
        assert_everywhere(&whole, stream.as_bytes(), Limits::new());
    }
    // Half a byte order mark is nothing.
    for cut in [1, 2] {
        let (whole, _) = decode([&b"\xEF\xBB\xBF"[..cut]].into_iter(), Limits::new(), true);
        assert_eq!(whole, Stream::default());
    }
}

#[test]
fn a_cr_ends_a_line_at_once() {
    let mut decoder = SseDecoder::default();
    let mut found = |chunk: &str| {
        let mut events = decoder.feed(chunk.as_bytes());
        let mut data = Vec::new();
        while let Some(event) = events.next() {
            data.push(String::from_utf8(event.data.unwrap().to_vec()).unwrap());
        }
        data.join(",")
    };
    for (chunk, events) in [
        ("data: 1\r", ""),
        ("\r", "1"),
        ("\ndata: 2\r", ""),
        ("\n\r", "2"),
        ("\ndata: 3\r\r", "3"),
        ("data: 4\r\n\n\r", "4"),
        ("\n", ""),
        ("\ndata: 5\n\n", "5"),
    ] {
        assert_eq!(found(chunk), events, "{chunk:?}");
    }
}

#[test]
fn a_single_line_is_lent_without_a_copy() {
    let chunk =
        "event: e\nid: 1\ndata: one\nretry: 1\n\ndata: two\ndata: lines\n\ndata:three\r\n\r\n";
    let mut decoder = SseDecoder::default();
    let mut events = decoder.feed(chunk.as_bytes());
    let within = chunk.as_bytes().as_ptr_range();
    let mut lent = Vec::new();
    while let Some(event) = events.next() {
        lent.push(within.contains(&event.data.unwrap().as_ptr()));
    }
    assert_eq!(lent, [true, false, true]);
    drop(events);

    let mut buffer = BytesMut::from(chunk);
    let within = buffer.as_ptr_range();
    let mut kept: Vec<Bytes> = Vec::new();
    while let Some(event) = decoder.decode(&mut buffer) {
        kept.push(event.data.unwrap());
    }
    assert!(
        kept.iter().all(|data| within.contains(&data.as_ptr())),
        "moved within the buffer"
    );
    assert_eq!(kept, ["one", "two\nlines", "three"]);
}

#[test]
fn a_stream_that_resumes_another() {
    let mut decoder = SseDecoder::default().with_last_event_id(b"7");
    let ids = |decoder: &mut SseDecoder, chunk: &str| {
        let mut events = decoder.feed(chunk.as_bytes());
        let mut ids = Vec::new();
        while let Some(event) = events.next() {
            ids.push(event.last_event_id.map(<[u8]>::to_vec));
        }
        ids
    };
    assert_eq!(ids(&mut decoder, "data: a\n\n"), [Some(b"7".to_vec())]);
    assert_eq!(
        ids(&mut decoder, "id: 8\ndata: a\n\nid: 9\ndata: b"),
        [Some(b"8".to_vec())]
    );
    assert_eq!(decoder.end().unwrap().offset, 24);
    // The connection broke: an id that was not in force is forgotten, the one before is not.
    assert_eq!(decoder.last_event_id(), Some(&b"8"[..]));
    assert_eq!(
        ids(&mut decoder, "\u{feff}data: c\n\n"),
        [Some(b"8".to_vec())]
    );
    assert!(decoder.end().is_none());
    let mut fresh = SseDecoder::default();
    assert_eq!(
        ids(&mut fresh, "data: a\n\nid\ndata: b\n\n"),
        [None, Some(Vec::new())]
    );
}

#[test]
fn what_an_event_holds() {
    let message = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let batch = format!("[{message},7]");
    let told = |stream: &str, rules: &Rules| {
        let mut decoder = SseDecoder::default();
        let mut events = decoder.feed(stream.as_bytes());
        let event = events.next().unwrap();
        match event.message(rules) {
            Ok(Payload::Message(message)) => message.kind().as_str().to_owned(),
            Ok(Payload::Batch(batch)) => format!("batch of {}", batch.len()),
            Ok(Payload::Nothing(NonMessage::Endpoint(uri))) => format!("endpoint {uri}"),
            Ok(Payload::Nothing(nothing)) => nothing.as_str().to_owned(),
            Ok(_) => "another".to_owned(),
            Err(error) => format!("{} at {}", error.kind().name(), error.offset()),
        }
    };
    let any = Rules::client();
    for (stream, expected) in [
        (format!("data: {message}\n\n"), "result"),
        (format!("event: message\ndata: {message}\n\n"), "result"),
        (format!("event:\ndata: {message}\n\n"), "result"),
        ("id: 1\ndata:\n\n".into(), "empty"),
        ("data\nretry: 5\n\n".into(), "empty"),
        ("event: message\ndata: {}\n\n".into(), "empty-object"),
        ("data: { }\n\n".into(), "empty-object"),
        ("data: {\ndata: }\n\n".into(), "empty-object"),
        ("data: {}x\n\n".into(), "trailing-bytes at 2"),
        ("data: {\x0C}\n\n".into(), "expected-name at 1"),
        (
            "event: endpoint\ndata: /m?s=1\n\n".into(),
            "endpoint /m?s=1",
        ),
        (format!("event: ping\ndata: {message}\n\n"), "other-event"),
        (
            format!("event: Message\ndata: {message}\n\n"),
            "other-event",
        ),
        ("data: 7\n\n".into(), "not-object at 0"),
        ("data: \u{feff}{}\n\n".into(), "expected-value at 0"),
        (format!("data: {batch}\n\n"), "batch at 0"),
    ] {
        assert_eq!(told(&stream, &any), expected, "{stream:?}");
    }
    let with_batches = Rules::client().negotiated(Version::V2025_03_26);
    assert_eq!(
        told(&format!("data: {batch}\n\n"), &with_batches),
        "batch of 2"
    );
    for (stream, at) in [
        (&b"event: endpoint\ndata: /\xFF\n\n"[..], 1),
        (b"data: \"\xFF\"\n\n", 1),
    ] {
        let (whole, _) = decode([stream].into_iter(), Limits::new(), true);
        let error = whole.events[0].lent().message(&any).unwrap_err();
        assert_eq!(
            (error.code(), error.kind().name(), error.offset()),
            (-32700, "invalid-utf8", at)
        );
    }
}

/// Neither the stream's bytes nor an id that may be a secret.
#[test]
fn debug_shows_no_payload() {
    let mut decoder = SseDecoder::default();
    let shown = format!(
        "{:?}",
        decoder
            .feed(b"event: endpoint\nid: secret\ndata: secret\n\n")
            .next()
    );
    assert!(
        shown.contains("event_len: 8") && !shown.contains("secret"),
        "{shown}"
    );
    let mut events = decoder.feed(b"event: endpoint\ndata: secret\n\ndata: secret");
    let shown = format!("{:?}", events.next().unwrap().message(&Rules::client()));
    assert!(
        shown.contains("endpoint") && !shown.contains("secret"),
        "{shown}"
    );
    drop(events);
    assert!(!format!("{decoder:?}").contains("secret"));
    let rest = decoder.end().unwrap();
    assert!(!format!("{rest:?}").contains("secret"), "{rest:?}");
}

/// Lines that nearly every event has count, too, however often they are there and whatever the chunks.
#[test]
fn usual_lines_have_a_limit() {
    const ROOM: usize = 65_536;
    let line = "event: message\n";
    let data = "data: 1\n\n";
    // Beside its data the block has these lines, `data: ` and the line end: at the limit, and past it.
    let most = (ROOM - "data: ".len()) / line.len();
    for (times, is_good) in [(1, true), (most, true), (most + 1, false)] {
        let stream = line.repeat(times) + data;
        for chunk in [1000, stream.len()] {
            let mut decoder = SseDecoder::new(Limits::new().with_max_frame_bytes(100));
            let mut found = Vec::new();
            for chunk in stream.as_bytes().chunks(chunk) {
                let mut events = decoder.feed(chunk);
                while let Some(event) = events.next() {
                    found.push(event.data.is_ok());
                }
            }
            assert_eq!(found, [is_good], "{times} lines in chunks of {chunk}");
        }
    }
}
