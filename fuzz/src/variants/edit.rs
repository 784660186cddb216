//! Edits that are quick, and mostly of what tokens depend on.

use crate::mutator::{json, replace};
use crate::rng::Rng;

/// What tokens, numbers, strings and characters are made of, good and bad.
const PIECES: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"\"",
    b"\\",
    b"\0",
    b" ",
    b"\n",
    b"\r\n\t",
    b"\x0C",
    b"\x1A",
    b"\x1F",
    b"\x7F",
    b"\x0B",
    b"0",
    b"1",
    b"-",
    b"+",
    b".",
    b"e",
    b"E",
    b"-0",
    b"00",
    b"1.5",
    b"1.",
    b".5",
    b"1e5",
    b"1E-7",
    b"1e",
    b"1e+",
    b"12345678",
    b"-1234567890123",
    b"0.1e1",
    b"1.2.3",
    b"1e2e3",
    b"1e2.3",
    b"--1",
    b"1-2",
    b"true",
    b"false",
    b"null",
    b"tru",
    b"nulls",
    b"t",
    b"n",
    b"\"a\"",
    b"\"a\":",
    b"\"a\":1",
    b",\"a\":1",
    b"\"id\":1,",
    b"\"name\":\"n\",",
    b"{}",
    b"[]",
    b"{},",
    b"[],",
    b"1,",
    b"1,2",
    b"},{",
    b"],[",
    b"[{",
    b"}]",
    b"\"\"",
    b"\\\"",
    b"\\\\",
    b"\\n",
    b"\\/",
    b"\\x",
    b"\\u",
    b"\\u0061",
    b"\\u00",
    b"\\uD83D\\uDE00",
    b"\\ud83d",
    b"\\u12g4",
    b"\xC3\xA9",
    b"\xE6\x97\xA5",
    b"\xF0\x9D\x84\x9E",
    b"\xC3",
    b"\xE6\x97",
    b"\xF0\x9D\x84",
    b"\xA9",
    b"\xC0\xAF",
    b"\xED\xA0\x80",
    b"\xED\x9F\xBF",
    b"\xF4\x90\x80\x80",
    b"\xF4\x8F\xBF\xBF",
    b"\xE0\x9F\xBF",
    b"\xE0\xA0\x80",
    b"\xF0\x8F\xBF\xBF",
    b"\xF0\x90\x80\x80",
    b"\xFF",
    b"\xEF\xBB\xBF",
    b"                                                                ",
    b"        ",
    b"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    b"xxxxxxxxxxxxxxx",
];

/// Up to so many bytes are read for their outline.
const OUTLINED: usize = 700;

/// One edit.
pub fn edit(text: &mut Vec<u8>, rng: &mut Rng) {
    if text.len() <= OUTLINED && rng.once_in(3) {
        return json::edit(text, rng);
    }
    let at = place(text.len(), rng);
    let piece = rng.pick(PIECES).copied().unwrap_or(b"");
    match rng.below(12) {
        0..=3 => replace(text, at..at, piece),
        4 | 5 => {
            let end = text.len().min(at + piece.len());
            replace(text, at..end, piece);
        }
        6 => {
            let end = text.len().min(at + 1 + rng.below(6));
            replace(text, at..end, b"");
        }
        7 => {
            if let Some(b) = text.get_mut(at) {
                *b ^= 1 << rng.below(8);
            }
        }
        8 => {
            if let Some(b) = text.get_mut(at) {
                *b = rng.word() as u8;
            }
        }
        9 => {
            // Moves all behind it within its block, and what is good stays good if a space may stand there.
            let spaces = vec![b' '; 1 + rng.below(70)];
            replace(text, at..at, &spaces);
        }
        10 => {
            let end = text.len().min(at + 1 + rng.below(130));
            let copy = text[at..end].to_vec();
            let to = place(text.len(), rng);
            replace(text, to..to, &copy);
        }
        _ => match rng.once_in(3) {
            true => text.truncate(at),
            false => {
                let times = 1 + rng.below(40);
                replace(text, at..at, &piece.repeat(times));
            }
        },
    }
}

/// Anywhere, near the front, near the end of a block, or at the end.
fn place(len: usize, rng: &mut Rng) -> usize {
    let at = match rng.below(8) {
        0 | 1 => rng.below(12),
        2 | 3 => (64 * rng.below(len / 64 + 2) + rng.below(8)).saturating_sub(4),
        4 => len.saturating_sub(rng.below(6)),
        _ => rng.below(len + 1),
    };
    at.min(len)
}
