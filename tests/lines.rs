//! Lines: every way in gives the same, whatever the chunks, and holds no more than it says.
#![cfg(feature = "std")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

use bytes::{Bytes, BytesMut};
use rpcslice::frame::{Line, LineDecoder, LineReader, Lines};
use rpcslice::{Error, ErrorKind, Limits, Policy};
use std::io::{self, Read};

type Owned = Line<Vec<u8>>;

fn owned<B: AsRef<[u8]>>(line: Line<B>) -> Owned {
    Line {
        offset: line.offset,
        terminated: line.terminated,
        blanks_before: line.blanks_before,
        body: line.body.map(|body| body.as_ref().to_vec()),
    }
}

fn whole(stream: &[u8], limits: Limits, policy: Policy) -> (Vec<Owned>, u64) {
    let mut lines = Lines::with(stream, limits, policy);
    let found = lines.by_ref().map(owned).collect();
    (found, lines.blanks())
}

fn decoded<'a>(
    chunks: impl Iterator<Item = &'a [u8]>,
    limits: Limits,
    policy: Policy,
) -> (Vec<Owned>, u64) {
    let mut decoder = LineDecoder::new(limits, policy);
    let mut buf = BytesMut::new();
    let mut found = Vec::new();
    for chunk in chunks {
        buf.extend_from_slice(chunk);
        while let Some(line) = decoder.decode(&mut buf) {
            found.push(owned(line));
        }
        // Two bytes may be the beginning of a byte order mark.
        assert!(buf.len() <= limits.max_frame_bytes().max(2));
    }
    while let Some(line) = decoder.finish(&mut buf) {
        found.push(owned(line));
    }
    assert!(buf.is_empty());
    (found, decoder.blanks())
}

/// Drops each cursor after `patience` lines.
fn fed<'a>(
    chunks: impl Iterator<Item = &'a [u8]>,
    limits: Limits,
    policy: Policy,
    patience: usize,
) -> (Vec<Owned>, u64) {
    let mut decoder = LineDecoder::new(limits, policy);
    let mut found = Vec::new();
    for chunk in chunks {
        let mut cursor = decoder.feed(chunk);
        for _ in 0..patience {
            let Some(line) = cursor.next() else { break };
            found.push(owned(line));
        }
    }
    while let Some(line) = decoder.end() {
        found.push(owned(line));
    }
    (found, decoder.blanks())
}

/// Gives out a few bytes at a time, and is interrupted now and then.
struct Drip<'a> {
    rest: &'a [u8],
    step: usize,
    calls: usize,
}

impl Read for Drip<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        match self.calls % 5 {
            2 => return Err(io::ErrorKind::Interrupted.into()),
            4 => return Err(io::ErrorKind::WouldBlock.into()),
            _ => {}
        }
        let n = self.step.min(self.rest.len()).min(into.len());
        into[..n].copy_from_slice(&self.rest[..n]);
        self.rest = &self.rest[n..];
        Ok(n)
    }
}

fn read(stream: &[u8], step: usize, limits: Limits, policy: Policy) -> (Vec<Owned>, u64) {
    let drip = Drip {
        rest: stream,
        step,
        calls: 0,
    };
    let mut reader = LineReader::with(drip, limits, policy);
    let mut found = Vec::new();
    loop {
        match reader.next() {
            Ok(Some(line)) => found.push(owned(line)),
            Ok(None) => return (found, reader.blanks()),
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
        }
    }
}

const MARK: &str = "\u{feff}";

#[test]
fn every_way_in_and_every_split_gives_the_same_lines() {
    let streams = [
        "",
        "\n",
        "a",
        "a\n",
        "a\r\nb\r\n",
        "\r\n \t\r\n\n a \n\nb\n  ",
        "\u{feff}a\n\u{feff}b\n",
        "\u{feff}",
        "\u{feff}\n\u{feff}\n\u{feff}\u{feff}a",
        " \u{feff}a\n",
        "0123456789\n01234567\n0123456789abcdef\n0\n",
        "0123456789",
        "         \n        \n0\n",
        "\u{feff}01234567\n\u{feff}012345678\nx",
        "a\rb\u{2028}c\u{85}d\0e\n",
    ];
    let mut checked = 0;
    let cut_off = [
        &b"\xEF\xBB"[..],
        b"\xEF\n\xEF\xBB\nx",
        b"\xEF\xBBx\n",
        b"\xFF\n\xFE",
    ];
    for stream in streams.iter().map(|s| s.as_bytes()).chain(cut_off) {
        for limit in [0, 1, 2, 3, 8, 1 << 20] {
            for policy in [Policy::strict(), Policy::lenient()] {
                let limits = Limits::new().with_max_frame_bytes(limit);
                let want = whole(stream, limits, policy);
                for size in 1..=stream.len().max(1) {
                    let chunks = || stream.chunks(size);
                    assert_eq!(
                        decoded(chunks(), limits, policy),
                        want,
                        "{stream:?} by {size}"
                    );
                    for patience in [0, 1, 9] {
                        let got = fed(chunks(), limits, policy, patience);
                        assert_eq!(got, want, "{stream:?} by {size}");
                    }
                    assert_eq!(
                        read(stream, size, limits, policy),
                        want,
                        "{stream:?} by {size}"
                    );
                }
                for split in 0..=stream.len() {
                    let (a, b) = stream.split_at(split);
                    let chunks = || [a, b].into_iter();
                    assert_eq!(
                        decoded(chunks(), limits, policy),
                        want,
                        "{stream:?} at {split}"
                    );
                    for patience in [0, 1, 9] {
                        assert_eq!(fed(chunks(), limits, policy, patience), want);
                    }
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 1500);
}

/// A line as a table has it: offset, terminated, blanks before, body or length over the limit.
type Row<'a> = (u64, bool, u64, Result<&'a str, u64>);

#[test]
fn lines_are_what_the_documentation_says() {
    let limits = Limits::new().with_max_frame_bytes(8);
    let both = [Policy::strict(), Policy::lenient()];
    let strict = [Policy::strict()];
    let lenient = [Policy::lenient()];
    let table: [(&[Policy], String, Vec<Row<'_>>, u64); 9] = [
        (
            &both,
            "a\nb".into(),
            vec![(0, true, 0, Ok("a")), (2, false, 0, Ok("b"))],
            0,
        ),
        (&both, " a\r\n".into(), vec![(0, true, 0, Ok(" a\r"))], 0),
        (
            &both,
            "\n \r\n\t\na\n\n".into(),
            vec![(6, true, 3, Ok("a"))],
            4,
        ),
        (
            &both,
            "01234567\n012345678\n0".into(),
            vec![
                (0, true, 0, Ok("01234567")),
                (9, true, 0, Err(9)),
                (19, false, 0, Ok("0")),
            ],
            0,
        ),
        (&both, "012345678".into(), vec![(0, false, 0, Err(9))], 0),
        (
            &both,
            format!("{MARK}01234567\n"),
            vec![(3, true, 0, Ok("01234567"))],
            0,
        ),
        (
            &strict,
            format!("a\n{MARK}b\n"),
            vec![(0, true, 0, Ok("a")), (2, true, 0, Ok("\u{feff}b"))],
            0,
        ),
        (
            &lenient,
            format!("a\n{MARK}b\n"),
            vec![(0, true, 0, Ok("a")), (5, true, 0, Ok("b"))],
            0,
        ),
        (
            &lenient,
            format!("{MARK}\n{MARK} \nb\n"),
            vec![(9, true, 2, Ok("b"))],
            2,
        ),
    ];
    for (policies, stream, rows, blanks) in table {
        for &policy in policies {
            let (lines, counted) = whole(stream.as_bytes(), limits, policy);
            let got: Vec<Row<'_>> = lines
                .iter()
                .map(|line| {
                    let body = line.body.as_ref().map(|b| std::str::from_utf8(b).unwrap());
                    (
                        line.offset,
                        line.terminated,
                        line.blanks_before,
                        body.map_err(|o| o.len),
                    )
                })
                .collect();
            assert_eq!(got, rows, "{stream:?}");
            assert_eq!(counted, blanks, "{stream:?}");
        }
    }
}

#[test]
fn a_line_that_never_ends_is_bounded() {
    let limit = 1000;
    let limits = Limits::new().with_max_frame_bytes(limit);
    for chunk in [1, 7, 999, 1000, 1001, 5000] {
        let bytes = vec![b'x'; chunk];
        let mut decoder = LineDecoder::new(limits, Policy::strict());
        let mut fed = LineDecoder::new(limits, Policy::strict());
        let mut buf = BytesMut::new();
        let mut total = 0;
        while total < 100 * limit {
            buf.extend_from_slice(&bytes);
            total += chunk;
            assert!(buf.len() <= limit + chunk);
            assert!(buf.capacity() <= 2 * (limit + chunk), "{}", buf.capacity());
            assert_eq!(decoder.decode(&mut buf), None);
            assert_eq!(fed.feed(&bytes).next(), None);
            let dropped = (total > limit).then_some(total as u64);
            assert_eq!((decoder.discarding(), fed.discarding()), (dropped, dropped));
        }
        buf.extend_from_slice(b"\nnext\n");
        let oversize = decoder.decode(&mut buf).unwrap().body.unwrap_err();
        assert_eq!((oversize.len, oversize.limit), (total as u64, limit));
        let error: Error = oversize.error();
        assert_eq!(
            (error.kind(), error.code(), error.offset()),
            (ErrorKind::FrameTooLong, -32600, limit)
        );
        assert_eq!(decoder.decode(&mut buf).unwrap().body.unwrap(), "next");
        let mut cursor = fed.feed(b"\nnext\n");
        assert!(cursor.next().unwrap().body.is_err());
        assert_eq!(cursor.next().unwrap().body.unwrap(), b"next");
    }
}

#[test]
fn the_limit_is_inclusive_at_every_size() {
    for limit in [0, 1, 2, 63, 64, 65, 4096] {
        let limits = Limits::new().with_max_frame_bytes(limit);
        for (len, fits) in [(limit, true), (limit + 1, false)] {
            let stream = format!("{}\nx", "y".repeat(len));
            let (lines, _) = whole(stream.as_bytes(), limits, Policy::strict());
            // An empty line is blank, whatever the limit.
            let first = lines.first().filter(|line| line.offset == 0);
            assert_eq!(
                first.is_none_or(|line| line.body.is_ok()),
                fits,
                "{len} of {limit}"
            );
        }
    }
}

#[test]
fn lines_of_a_chunk_are_borrowed_from_it_and_decoded_lines_share_the_buffer() {
    let chunk = b"whole\nstraddles".to_vec();
    let mut decoder = LineDecoder::new(Limits::new(), Policy::strict());
    let mut cursor = decoder.feed(&chunk);
    let body = cursor.next().unwrap().body.unwrap();
    assert!(chunk.as_ptr_range().contains(&body.as_ptr()));
    assert!(cursor.next().is_none());
    drop(cursor);
    let next = b" two\nagain\n";
    let mut cursor = decoder.feed(next);
    assert_eq!(cursor.next().unwrap().body.unwrap(), b"straddles two");
    assert!(
        next.as_ptr_range()
            .contains(&cursor.next().unwrap().body.unwrap().as_ptr())
    );

    let mut buf = BytesMut::from(&b"one\ntwo\n"[..]);
    let start = buf.as_ptr();
    let mut decoder = LineDecoder::new(Limits::new(), Policy::strict());
    let one: Bytes = decoder.decode(&mut buf).unwrap().body.unwrap();
    assert_eq!(one.as_ptr(), start);
}

#[test]
fn a_decoder_may_go_on_after_the_end() {
    let mut decoder = LineDecoder::new(Limits::new(), Policy::strict());
    let mut buf = BytesMut::from(&b"cut"[..]);
    assert!(!decoder.finish(&mut buf).unwrap().terminated);
    assert_eq!(decoder.finish(&mut buf), None);
    buf.extend_from_slice(b"a\n");
    let line = decoder.decode(&mut buf).unwrap();
    assert_eq!(
        (line.offset, line.body.unwrap()),
        (3, Bytes::from_static(b"a"))
    );
}

#[test]
fn the_wrong_way_out_neither_invents_lines_nor_loses_any() {
    let new = || LineDecoder::new(Limits::new(), Policy::strict());
    let text = |line: Option<Line<Bytes>>| line.map(|line| (line.offset, line.body.unwrap()));

    // Fed, and then finished with a buffer of the caller's.
    let mut decoder = new();
    assert!(decoder.feed(b"one\ntwo").next().is_some());
    let mut buf = BytesMut::new();
    assert_eq!(text(decoder.finish(&mut buf)), Some((4, "two".into())));
    assert_eq!(text(decoder.finish(&mut buf)), None);
    assert_eq!(decoder.end(), None);

    // Fed, and then decoded.
    let mut decoder = new();
    assert!(decoder.feed(b"on").next().is_none());
    let mut buf = BytesMut::from(&b"e\ntwo\n"[..]);
    assert_eq!(text(decoder.decode(&mut buf)), Some((0, "one".into())));
    assert_eq!(text(decoder.decode(&mut buf)), Some((4, "two".into())));

    // Decoded, and then ended: the line stands in the caller's buffer.
    let mut decoder = new();
    let mut buf = BytesMut::from(&b"one"[..]);
    assert_eq!(decoder.decode(&mut buf), None);
    assert_eq!(decoder.end(), None);
    assert_eq!(text(decoder.finish(&mut buf)), Some((0, "one".into())));

    // A buffer that the caller has emptied in between: what comes is a line of its own.
    let mut decoder = new();
    let mut buf = BytesMut::from(&b"ones"[..]);
    assert_eq!(decoder.decode(&mut buf), None);
    let mut buf = BytesMut::from(&b"\n2\n"[..]);
    assert_eq!(text(decoder.decode(&mut buf)), Some((5, "2".into())));
}
