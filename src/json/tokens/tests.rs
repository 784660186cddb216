//! Tokens by every instruction set there is, held to the exact scanner.

use super::{TokenScanner, Window};
use crate::json::random::Random;
use crate::json::scan::Scanner;
use crate::json::simd::{Blocks, TokenBuffer};
use crate::json::steps::Scan;
use crate::{Limits, Message, Policy};

/// Whether the exact scanner takes the text.
fn is_good(text: &[u8], depth: usize) -> bool {
    let mut scanner: Scanner<'_> = Scanner::new(text, depth).unwrap();
    scanner.token();
    scanner.value().is_ok() && scanner.finish().is_ok()
}

/// Whether tokens say that it is good.
fn is_good_by(blocks: Blocks, text: &[u8], depth: usize) -> bool {
    let mut tokens = TokenBuffer::new();
    let mut window = Window::new(text, blocks, &mut tokens);
    window.fill();
    let mut scanner = TokenScanner::new(&mut window, depth);
    scanner.value().is_ok() && scanner.finish().is_ok()
}

/// All say the same of the text. Below the depth that tokens are made for, at least.
fn agree(text: &[u8]) -> bool {
    let good = is_good(text, 60);
    for blocks in Blocks::all() {
        let shown = String::from_utf8_lossy(text);
        assert_eq!(is_good_by(blocks, text, 60), good, "{blocks:?} {shown:?}");
    }
    good
}

#[test]
fn every_sequence_of_a_few_tokens_is_judged_as_by_the_exact_scanner() {
    let pieces = ["{", "}", "[", "]", ":", ",", "\"a\"", "1", "true", " "];
    let (mut good, mut all) = (0, 0);
    for len in 1..=6usize {
        for mut number in 0..pieces.len().pow(len as u32) {
            let mut text = String::new();
            for _ in 0..len {
                text.push_str(pieces[number % pieces.len()]);
                number /= pieces.len();
            }
            // Most are bad at the first token.
            if !text.starts_with([':', ',', '}', ']', ' ']) {
                good += u32::from(agree(text.as_bytes()));
                all += 1;
            }
        }
    }
    assert!(good > 250 && all > 500_000, "{good} of {all}");
}

#[test]
fn every_sequence_is_judged_the_same_at_every_border_of_64_tokens_and_bytes() {
    let pieces = [
        "{\"a\":", "}", "[", "]", ",", "\"b\"", "\"c\":1", "2", "{}", "[]",
    ];
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut good = 0;
    for round in 0..60_000 {
        // Before it so many tokens, or so many bytes, that it stands across a border.
        let before = match round % 2 {
            0 => "1,".repeat(24 + random.below(10)),
            _ => format!("\"{}\",", "x".repeat(40 + random.below(90))),
        };
        let mut text = format!("[{before}");
        for _ in 0..1 + random.below(7) {
            text.push_str(pieces[random.below(pieces.len())]);
        }
        text.push(']');
        good += u32::from(agree(text.as_bytes()));
    }
    assert!(good > 500, "{good}");
}

#[test]
fn numbers_literals_and_escapes_are_judged_the_same_at_every_place_of_a_block() {
    let values = [
        "0",
        "-0",
        "01",
        "-01",
        "1.5",
        "1.",
        ".5",
        "-.5",
        "1e5",
        "1e",
        "1e+",
        "1E-07",
        "1e5.5",
        "1.5.5",
        "1e5e5",
        "--1",
        "-",
        "+1",
        "1-1",
        "12345678",
        "123456789012",
        "-1234567",
        "-12345678",
        "1234567.",
        "0.1e1",
        "00",
        "0x1",
        "1a",
        "1\u{c}",
        "1\u{1a}",
        "true",
        "tru",
        "truex",
        "true1",
        "false",
        "falsy",
        "null",
        "nullnull",
        "nul",
        "\u{7f}",
        "é",
        "\"\\u00e9\"",
        "\"\\u00g9\"",
        "\"\\u00\"",
        "\"\\x\"",
        "\"\\\\\"",
        "\"\\\\\\\"\"",
        "\"\\\"",
        "\"a\tb\"",
        "\"日本\"",
        "\"𝄞\"",
        "\"\\",
        "\\\"a\"",
        "\"\\ud83d\"",
        "1 2",
        "1\"a\"",
        "\"a\"1",
        "\"a\"\"b\"",
        "{}{}",
        "1[",
        "[1",
    ];
    for value in values {
        for distance in 0..140 {
            for (open, close) in [("[", "]"), ("{\"k\":", "}"), ("", "")] {
                let text = format!("{}{open}{value}{close}", " ".repeat(distance));
                agree(text.as_bytes());
                // In numbers as dense as they have to be for being checked by the block.
                let dense = format!(
                    "[{}{open}{value}{close}{}]",
                    "17,".repeat(distance),
                    ",-2.5e3".repeat(3)
                );
                agree(dense.as_bytes());
            }
        }
    }
}

#[test]
fn dense_numbers_are_judged_the_same_over_many_windows() {
    let mut random = Random(7);
    let digits = "00112233445566778899..eE+--,, ";
    let mut good = 0;
    for _ in 0..400 {
        let mut text = String::from("[");
        text.push_str(&"3.25,-17,1e9,".repeat(300));
        let spoilt = random.below(3) == 0;
        for _ in 0..40 {
            text.push_str("1,");
            if spoilt {
                let i = random.below(digits.len());
                text.push_str(&digits[i..=i]);
            }
        }
        text.push_str("2]");
        good += u32::from(agree(text.as_bytes()));
    }
    assert!(good > 200, "{good}");
}

#[test]
fn utf8_is_judged_the_same_wherever_it_is_broken() {
    let mut random = Random(3);
    let whole = "é日本語𝄞 ascii ÿ\u{800}\u{ffff}\u{10000}\u{10ffff}\u{d7ff}\u{e000}";
    let mut good = 0;
    for round in 0..20_000 {
        let mut text = vec![b'"'; 1];
        text.extend(core::iter::repeat_n(b'x', random.below(70)));
        for _ in 0..1 + random.below(3) {
            text.extend_from_slice(whole.as_bytes());
        }
        text.push(b'"');
        if round % 4 != 0 {
            let edges = [
                0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
                0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
            ];
            let at = 1 + random.below(text.len() - 2);
            text[at] = edges[random.below(edges.len())];
        }
        good += u32::from(agree(&text));
    }
    assert!(good > 5000, "{good}");
}

#[test]
fn depth_is_inclusive_and_what_is_too_deep_is_left_to_the_exact_scanner() {
    for (open, close) in [("[", "]"), ("{\"k\":", "}")] {
        for depth in [1, 2, 3, 62, 63] {
            let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            for blocks in Blocks::all() {
                assert!(is_good_by(blocks, text.as_bytes(), depth), "{depth}");
                assert!(!is_good_by(blocks, text.as_bytes(), depth - 1), "{depth}");
            }
        }
    }
    // More than a word of them.
    let text = format!("{}1{}", "[".repeat(65), "]".repeat(65));
    for blocks in Blocks::all() {
        assert!(!is_good_by(blocks, text.as_bytes(), 128));
        let frame = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{{\"a\":{text}}}}}");
        let parsed = Message::parse_by(
            Some(blocks),
            frame.as_bytes(),
            &Limits::new(),
            &Policy::strict(),
        );
        assert!(parsed.is_ok());
    }
}

/// An empty one is a container like any other.
#[test]
fn an_empty_container_as_a_members_value_counts_for_the_depth() {
    for (frame, depth) in [
        (r#"{"a":{}}"#, 1),
        (r#"{"jsonrpc":"2.0","method":"m","x":[]}"#, 1),
        (r#"{"jsonrpc":"2.0","method":"m","params":{"a":{}}}"#, 2),
        (r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":{"a":[]}}}"#, 3),
    ] {
        for depth in [depth, depth + 1] {
            let limits = Limits::new().with_max_depth(depth);
            let parse =
                |blocks| Message::parse_by(blocks, frame.as_bytes(), &limits, &Policy::strict());
            let want = parse(None).map(|_| ());
            for blocks in Blocks::all() {
                let got = parse(Some(blocks)).map(|_| ());
                assert_eq!(got, want, "{blocks:?} {depth} {frame}");
            }
        }
    }
}

/// What is bad at the start of a text of several windows is found while the first one is looked at: no more tokens are there
/// to be found for it.
#[test]
fn what_is_bad_early_in_a_text_of_many_tokens_is_left_to_the_exact_scanner() {
    // A name that is none, and a token of kind 0, each where the driver looks for a token.
    for start in ["{", "{\0", "{}\0", "{\"a\":[]\0", "{\"a\":{\0"] {
        for len in 500..700 {
            let text = format!("{start}{}", ",".repeat(len - start.len()));
            let parse = |blocks| {
                Message::parse_by(blocks, text.as_bytes(), &Limits::new(), &Policy::strict())
            };
            let want = parse(None).unwrap_err();
            for blocks in Blocks::all() {
                assert_eq!(parse(Some(blocks)).unwrap_err(), want, "{blocks:?} {len}");
            }
        }
    }
}

/// Message for message: the same envelope, or the same error.
#[test]
fn messages_are_read_the_same_however_they_are_spoilt() {
    let frames = [
        r#"{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"C","version":"1"},"io.modelcontextprotocol/clientCapabilities":{},"progressToken":"p","traceparent":"00-1-2-01"},"name":"get\u005fweather","arguments":{"a":[1,2.5,{"b":null}],"c":"x\ny"}}}"#,
        r#"{"method":"notifications/progress","params":{"progressToken":94,"progress":0.5,"total":100,"message":"日本","_meta":{}},"jsonrpc":"2.0"}"#,
        "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": \"a\\u0062\",\n  \"result\": {\n    \"resultType\": \"complete\",\n    \"tools\": [],\n    \"ttlMs\": 5,\n    \"_meta\": {\"io.modelcontextprotocol/serverInfo\": {\"name\": \"S\"}}\n  }\n}\n",
        r#"{"error":{"code":-32600,"message":"no","data":{"supported":[]}},"id":null,"jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"2.0","id":1e2,"params":null,"method":"m\ud83d","params":[]}"#,
    ];
    let pieces = [
        "\"",
        "\\",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        " ",
        "\n",
        "0",
        "-",
        "1.5",
        "null",
        "\"id\":1,",
        "\"jsonrpc\":\"2.0\",",
        "\"a\":1,",
        "\u{e9}",
        "\u{1}",
        "\"name\":\"n\",",
        "\\u0061",
    ];
    let mut random = Random(11);
    let (mut good, mut all) = (0, 0);
    for round in 0..60_000 {
        let mut frame = frames[random.below(frames.len())].as_bytes().to_vec();
        for _ in 0..random.below(4) {
            let at = random.below(frame.len() + 1);
            let piece = pieces[random.below(pieces.len())].as_bytes();
            match random.below(3) {
                0 => drop(frame.splice(at..at, piece.iter().copied())),
                1 => drop(frame.drain(at..(at + random.below(6)).min(frame.len()))),
                _ => {
                    let end = (at + piece.len()).min(frame.len());
                    drop(frame.splice(at..end, piece.iter().copied()));
                }
            }
        }
        let limits = Limits::new().with_max_depth(3 + random.below(8));
        let policy = if round % 2 == 0 {
            Policy::strict()
        } else {
            Policy::lenient()
        };
        let want = Message::parse_by(None, &frame, &limits, &policy);
        good += u32::from(want.is_ok());
        all += 1;
        for blocks in Blocks::all() {
            let got = Message::parse_by(Some(blocks), &frame, &limits, &policy);
            let shown = String::from_utf8_lossy(&frame);
            match (&want, &got) {
                (Ok(want), Ok(got)) => assert!(want.is_same_as(got), "{blocks:?} {shown}"),
                (Err(want), Err(got)) => assert_eq!(want, got, "{blocks:?} {shown}"),
                _ => panic!("{blocks:?} {shown} {want:?} {got:?}"),
            }
        }
    }
    assert!(good * 10 > all, "{good} of {all}");
}
