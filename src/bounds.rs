//! Bounds that are counted, not timed: how often a cursor goes over a byte, whatever the shape and the chunks. Outside of
//! unit tests nothing is counted.
//!
//! The line decoder goes over each byte once and the scanner once more, so a stream of n bytes costs 2n, and a few for
//! ends. Where a long text is cut into tokens first, long numbers in it are gone over twice, as are strings with escapes that
//! are lent out, and once more all of a text that is bad: by the exact scanner, which says what is bad. The event decoder goes over each byte once, over the ends of lines in blocks that straddle chunks twice, and once
//! more over the first data line of a block that is not the usual one and over blocks with several data lines. Not counted are the eight bytes that a word load may look ahead, and the word by which a member name is compared.
//!
//! A walk over the members or elements of a value goes over each byte of it once. Not counted are up to 63 bytes behind a
//! container or a long string, which are in the block that its end is in.

/// A cursor has gone over so many bytes.
#[inline(always)]
pub(crate) fn passed(_bytes: usize) {
    #[cfg(test)]
    tests::add(_bytes);
}

#[cfg(test)]
mod tests {
    use crate::frame::{LineDecoder, Lines, SseDecoder};
    use crate::json::RawJson;
    use crate::pieces::PieceScan;
    use crate::{Limits, Message, Policy};
    use bytes::BytesMut;
    use std::cell::Cell;

    std::thread_local! {
        static PASSED: Cell<u64> = const { Cell::new(0) };
    }

    pub(super) fn add(bytes: usize) {
        PASSED.with(|sum| sum.set(sum.get() + bytes as u64));
    }

    fn counted(work: impl FnOnce()) -> u64 {
        PASSED.with(|sum| sum.set(0));
        work();
        PASSED.with(Cell::get)
    }

    /// Streams of about `n` bytes: one piece repeated within a message, or lines repeated.
    fn shapes(n: usize) -> Vec<(&'static str, Vec<u8>)> {
        let message = |before: &str, piece: &str, after: &str| {
            let body = piece.repeat(n / piece.len());
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",{before}{body}{after}}}\n")
                .into_bytes()
        };
        let in_params = |before: &str, piece: &str, after: &str| {
            message(
                &format!("\"params\":{{{before}"),
                piece,
                &format!("{after}}}"),
            )
        };
        let lines = |line: &str| line.repeat(n / line.len()).into_bytes();
        let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        vec![
            ("plain string", in_params("\"a\":\"", "x", "\"")),
            ("escapes", in_params("\"a\":\"", "\\n", "\"")),
            (
                "escapes between words",
                in_params("\"a\":\"", "plain text\\t", "\""),
            ),
            ("unicode escapes", in_params("\"a\":\"", "\\u65e5", "\"")),
            (
                "surrogate pairs",
                in_params("\"a\":\"", "\\ud83d\\ude00", "\""),
            ),
            ("lone surrogates", in_params("\"a\":\"", "\\ud83d", "\"")),
            ("two bytes", in_params("\"a\":\"", "é", "\"")),
            ("three bytes", in_params("\"a\":\"", "日本", "\"")),
            ("four bytes", in_params("\"a\":\"", "𝄞", "\"")),
            ("mixed text", in_params("\"a\":\"", "aé日𝄞 ", "\"")),
            ("short strings", in_params("\"a\":[", "\"\",", "\"\"]")),
            ("short numbers", in_params("\"a\":[", "1,", "1]")),
            ("floats", in_params("\"a\":[", "-0.25e+10,", "1]")),
            ("a long number", in_params("\"a\":1", "7", "")),
            ("a long fraction", in_params("\"a\":0.", "7", "")),
            (
                "a long id",
                format!(
                    "{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":1{}}}\n",
                    "0".repeat(n)
                )
                .into_bytes(),
            ),
            (
                "a long method",
                format!(
                    "{{\"jsonrpc\":\"2.0\",\"method\":\"{}\\ude00\"}}\n",
                    "\\ud83d\\ude00x".repeat(n / 13)
                )
                .into_bytes(),
            ),
            (
                "a long error code",
                format!(
                    "{{\"jsonrpc\":\"2.0\",\"error\":{{\"message\":\"\",\"code\":1{}}}}}\n",
                    "0".repeat(n)
                )
                .into_bytes(),
            ),
            ("literals", in_params("\"a\":[", "true,null,false,", "1]")),
            ("empty containers", in_params("\"a\":[", "{},[],", "1]")),
            (
                "nesting up and down",
                in_params("\"a\":[", "[[[[[[[[]]]]]]]],", "1]"),
            ),
            ("unknown names", message("", "\"a\":1,", "\"b\":2")),
            ("names in params", in_params("", "\"k\":{},", "\"b\":2")),
            (
                "escaped names",
                in_params("", "\"n\\u0061m\":1,", "\"b\":2"),
            ),
            (
                "names in _meta",
                in_params("\"_meta\":{", "\"com.example/key\":1,", "\"b\":2}"),
            ),
            ("duplicate names", in_params("", "\"name\":1,", "\"b\":2")),
            ("white space", in_params("\"a\":[", "1 ,\r\t        ", "1]")),
            ("spaces", message("", " ", "\"b\":2")),
            (
                "leading space",
                lines(&format!("{}{ping}\n", " ".repeat(n / 2))),
            ),
            ("small messages", lines(&format!("{ping}\n"))),
            ("carriage returns", lines(&format!("{ping}\r\n"))),
            ("blank lines", lines("\n")),
            ("white lines", lines(" \t\r\n")),
            ("noise", lines("warning: x\n")),
            (
                "broken at the end",
                lines("{\"jsonrpc\":\"2.0\",\"id\":1,}\n"),
            ),
            ("brackets", lines("[")),
            ("a line over the limit", lines("y")),
            ("no line end", ping.as_bytes().to_vec()),
        ]
    }

    const CHUNKS: [usize; 9] = [1, 2, 3, 7, 64, 1000, 4096, 65_535, 65_536];

    #[test]
    fn decoder_and_scanner_together_go_over_each_byte_twice_at_most() {
        let n = 40_000;
        let limits = Limits::new().with_max_frame_bytes(n + 1000);
        let small_limit = limits.with_max_frame_bytes(n / 10);
        for (shape, stream) in shapes(n) {
            for limits in [limits, small_limit] {
                let parse = |frame: &[u8]| {
                    let verdict = Message::parse_with(frame, &limits, &Policy::strict());
                    std::hint::black_box(verdict.is_ok());
                };
                let is_long = stream.split(|&b| b == b'\n').any(|line| line.len() >= 512);
                let times = if is_long { 4 } else { 2 };
                let most = times * stream.len() as u64 + 64;
                for size in CHUNKS {
                    let decoded = counted(|| {
                        let mut decoder = LineDecoder::new(limits, Policy::strict());
                        let mut buf = BytesMut::new();
                        for chunk in stream.chunks(size) {
                            buf.extend_from_slice(chunk);
                            while let Some(line) = decoder.decode(&mut buf) {
                                let _ = line.body.map(|frame| parse(&frame));
                            }
                        }
                        while let Some(line) = decoder.finish(&mut buf) {
                            let _ = line.body.map(|frame| parse(&frame));
                        }
                    });
                    assert!(decoded <= most, "{shape} by {size}: {decoded} of {most}");
                    let fed = counted(|| {
                        let mut decoder = LineDecoder::new(limits, Policy::strict());
                        for chunk in stream.chunks(size) {
                            let mut cursor = decoder.feed(chunk);
                            while let Some(line) = cursor.next() {
                                let _ = line.body.map(parse);
                            }
                        }
                        while let Some(line) = decoder.end() {
                            let _ = line.body.map(parse);
                        }
                    });
                    assert!(fed <= most, "{shape} by {size}: {fed} of {most}");
                }
                let whole = counted(|| {
                    for line in Lines::with(&stream, limits, Policy::strict()) {
                        let _ = line.body.map(parse);
                    }
                });
                assert!(whole <= most, "{shape}: {whole} of {most}");
            }
        }
    }

    #[test]
    fn the_scanner_alone_goes_over_each_byte_once_or_twice_or_thrice_if_it_is_bad() {
        let n = 100_000;
        for (shape, stream) in shapes(n) {
            let mut times = 0;
            let passed = counted(|| {
                let is_good = std::hint::black_box(RawJson::parse(&stream).is_ok());
                times = if is_good { 2 } else { 3 };
            });
            let most = times * stream.len() as u64 + 64;
            assert!(passed <= most, "{shape}: {passed} of {most}");
            // The counter counts: what is accepted has been gone over to the last byte.
            if RawJson::parse(&stream).is_ok() {
                assert!(passed >= stream.len() as u64, "{shape}: {passed}");
            }
        }
    }

    #[test]
    fn a_scan_in_pieces_goes_over_each_byte_twice_at_most() {
        let n = 40_000;
        for (shape, stream) in shapes(n) {
            for size in CHUNKS {
                // A string that doesn't end in a piece is gone over once more; and a few for the ends of pieces.
                let most = (2 * stream.len() + 3 * stream.len().div_ceil(size) + 64) as u64;
                let passed = counted(|| {
                    let mut scan = PieceScan::default();
                    stream.chunks(size).for_each(|piece| scan.feed(piece));
                    std::hint::black_box(scan.finish().is_ok());
                });
                assert!(passed <= most, "{shape} by {size}: {passed} of {most}");
            }
        }
    }

    #[test]
    fn members_cost_one_pass_for_all_of_them() {
        let text = format!("{{{}\"z\":0}}", "\"key\":[1,{\"a\":\"b\"}],".repeat(5000));
        let value = RawJson::parse(text.as_bytes()).unwrap();
        let most = text.len() as u64 + 64;
        let passed = counted(|| assert_eq!(value.members().count(), 5001));
        assert!(passed <= most, "{passed} of {most}");
        // The counter counts.
        assert!(passed >= text.len() as u64, "{passed}");
        let passed = counted(|| assert!(value.get_many(["z", "key", "no"])[2].is_none()));
        assert!(passed <= most, "{passed} of {most}");
    }

    #[test]
    fn values_that_have_been_checked_are_gone_over_once_whatever_they_are() {
        for (shape, stream) in shapes(20_000) {
            let Ok(message) = RawJson::parse(&stream) else {
                continue;
            };
            let params = message.get("params").unwrap_or(message);
            let value = params.get("a").unwrap_or(params);
            for value in [message, params, value] {
                let walked = counted(|| {
                    let count = value.members().count() + value.elements().count();
                    std::hint::black_box(count);
                });
                let most = value.raw().len() as u64 + 8;
                assert!(walked <= most, "{shape}: {walked} of {most}");
            }
        }
    }

    #[test]
    fn the_event_decoder_goes_over_each_byte_and_line_end_a_few_times_at_most() {
        let n = 40_000;
        let limits = Limits::new().with_max_frame_bytes(n + 1000);
        let small_limit = limits.with_max_frame_bytes(n / 10);
        let repeat = |piece: &str| piece.repeat(n / piece.len());
        for stream in [
            repeat("data: {\"jsonrpc\":\"2.0\"}\n\n"),
            repeat("event: message\r\nid: 7\r\ndata: {}\r\n\r\n"),
            repeat("data\n") + "\n",
            repeat("data: x\r") + "\r",
            format!("data: {}\n\n", repeat("x")),
            format!("data: {}\ndata: y\n\n", repeat("x")),
            format!("data: {}", repeat("x")),
            format!(":{}\n\n", repeat("x")),
            format!("data:\n{}\n", repeat(": x\n")),
            format!("id: {}\n\n", repeat("x")),
            repeat("\n"),
            repeat("\r\n"),
            repeat("id: 1\n"),
            repeat("unknown\n"),
            repeat("dat"),
            repeat("retry: 1\n\n"),
        ] {
            let ends = stream
                .bytes()
                .filter(|b| matches!(b, b'\r' | b'\n'))
                .count();
            let most = (3 * stream.len() + ends + 64) as u64;
            for limits in [limits, small_limit] {
                for size in CHUNKS {
                    let told = stream.get(..20);
                    let fed = counted(|| {
                        let mut decoder = SseDecoder::new(limits);
                        for chunk in stream.as_bytes().chunks(size) {
                            let mut events = decoder.feed(chunk);
                            while events.next().is_some() {}
                        }
                    });
                    assert!(fed <= most, "{told:?} fed by {size}: {fed} of {most}");
                    assert!(fed + ends as u64 >= stream.len() as u64, "{told:?}: {fed}");
                    let decoded = counted(|| {
                        let mut decoder = SseDecoder::new(limits);
                        let mut buf = BytesMut::new();
                        for chunk in stream.as_bytes().chunks(size) {
                            buf.extend_from_slice(chunk);
                            while decoder.decode(&mut buf).is_some() {}
                        }
                    });
                    assert!(decoded <= most, "{told:?} by {size}: {decoded} of {most}");
                }
            }
        }
    }
}
