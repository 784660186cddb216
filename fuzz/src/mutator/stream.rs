//! Edits of streams of lines.

use super::{json, raw, replace};
use crate::rng::Rng;

const PIECES: [&[u8]; 16] = [
    b"\n",
    b"\n",
    b"\r\n",
    b"\n\n\n",
    b" \t\r\n",
    b"\xEF\xBB\xBF",
    b"\n\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xEF",
    b"\xEF\xBB\xBF\xEF\xBB\xBF",
    b"\r",
    b"   ",
    b"\xE2\x80\xA8",
    b"\0",
    b"{}\n",
    b"\xBF",
];

pub fn edit(input: &mut Vec<u8>, rng: &mut Rng) {
    let line = line(input, rng);
    match rng.below(9) {
        0..=2 => {
            // Line ends matter most where lines begin and end.
            let at = match rng.below(4) {
                0 => 0,
                1 => line.start,
                2 => line.end,
                _ => rng.below(input.len() + 1),
            };
            replace(input, at..at, rng.pick(&PIECES).unwrap_or(&PIECES[0]));
        }
        3 => {
            // To a length close to a limit.
            let length = raw::length(rng);
            let fill = *rng.pick(b" x\xE9").unwrap_or(&b'x');
            replace(input, line, &vec![fill; length]);
        }
        4 => {
            let copy = input[line.clone()].to_vec();
            replace(input, line.start..line.start, &copy);
        }
        5 => replace(input, line, b""),
        6 => {
            let mut edited = input[line.clone()].to_vec();
            json::edit(&mut edited, rng);
            replace(input, line, &edited);
        }
        _ => raw::edit(input, rng),
    }
}

/// A line, with or without its LF.
fn line(input: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let within = rng.below(input.len() + 1);
    let start = input[..within]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |lf| lf + 1);
    let length = input[start..].iter().position(|&b| b == b'\n');
    let end = length.map_or(input.len(), |length| start + length);
    start..(end + rng.below(2)).min(input.len())
}
