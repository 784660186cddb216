//! Edits of event streams.

use super::{raw, replace};
use crate::rng::Rng;
use std::ops::Range;

const NAMES: [&[u8]; 10] = [
    b"data",
    b"data",
    b"data",
    b"event",
    b"id",
    b"retry",
    b"",
    b"dat",
    b"Data",
    b"\xEF\xBB\xBFdata",
];
const COLONS: [&[u8]; 7] = [b": ", b": ", b":", b":  ", b"", b" :", b":\t"];
const VALUES: [&[u8]; 16] = [
    b"",
    b"x",
    b" ",
    b"{}",
    b"a:b",
    b"message",
    b"endpoint",
    b"7",
    b"\0",
    b"1\0",
    b"0500",
    b"1s",
    b"-1",
    b"18446744073709551615",
    b"18446744073709551616",
    b"\xE2\x80\xA8",
];
const ENDS: [&[u8]; 8] = [
    b"\n",
    b"\n",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\r\r",
    b"\r\n\r\n",
    b"\n\r",
];
const PIECES: [&[u8]; 12] = [
    b"\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xEF",
    b"\xBF",
    b":",
    b" ",
    b"\0",
    b"9",
    b": x\n",
    b"data",
    b"data:",
    b"data\n\n",
];

pub fn edit(input: &mut Vec<u8>, rng: &mut Rng) {
    let line = line(input, rng);
    // Line ends matter most where lines begin and end.
    let at = match rng.below(6) {
        0 => 0,
        1 | 2 => line.start,
        3 | 4 => line.end,
        _ => rng.below(input.len() + 1),
    };
    match rng.below(12) {
        0 => replace(input, at..at, one_of(&PIECES, rng)),
        1 => replace(input, at..at, one_of(&ENDS, rng)),
        2 => {
            // Whether a space stands behind the colon changes lengths.
            let text = &input[line.clone()];
            let colon = text.iter().position(|&b| b == b':').unwrap_or(text.len());
            let spaces = text[colon..].iter().skip(1).take_while(|&&b| b == b' ');
            let end = (colon + 1 + spaces.count()).min(text.len());
            let place = line.start + colon..line.start + end;
            replace(input, place, one_of(&COLONS, rng));
        }
        3 | 4 => {
            let made = made(rng);
            replace(input, line.start..line.start, &made);
        }
        5 => {
            let mut made = made(rng);
            made.extend_from_slice(one_of(&ENDS, rng));
            input.extend_from_slice(&made);
        }
        6 => {
            // To a length close to a limit.
            let fill = *rng.pick(b"x 9:\0").unwrap_or(&b'x');
            let value = vec![fill; raw::length(rng)];
            let filled = [one_of(&NAMES, rng), one_of(&COLONS, rng), &value].concat();
            replace(input, line, &filled);
        }
        7 => {
            let copy = input[line.clone()].to_vec();
            replace(input, line.start..line.start, &copy);
        }
        8 => replace(input, line, b""),
        9 => {
            // Another line end, or several.
            let end = input[line.clone()].trim_ascii_end().len();
            replace(input, line.start + end..line.end, one_of(&ENDS, rng));
        }
        _ => raw::edit(input, rng),
    }
}

/// A line made from nothing.
fn made(rng: &mut Rng) -> Vec<u8> {
    [&NAMES[..], &COLONS, &VALUES, &ENDS]
        .map(|table| one_of(table, rng))
        .concat()
}

fn one_of<'a>(table: &[&'a [u8]], rng: &mut Rng) -> &'a [u8] {
    rng.pick(table).copied().unwrap_or_default()
}

/// A line, with or without its line end.
fn line(input: &[u8], rng: &mut Rng) -> Range<usize> {
    let is_end = |&b: &u8| matches!(b, b'\r' | b'\n');
    let within = rng.below(input.len() + 1);
    let start = input[..within]
        .iter()
        .rposition(is_end)
        .map_or(0, |end| end + 1);
    let length = input[start..].iter().position(is_end);
    let end = length.map_or(input.len(), |length| start + length);
    start..(end + rng.below(3)).min(input.len())
}
