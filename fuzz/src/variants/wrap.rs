//! What an input is wrapped in, as its first bytes say: an operation below 0x10, which no JSON text begins with, and two
//! bytes that say how much. There may be several, the outermost first. So every text is a seed as it is.

use crate::rng::Rng;

const HEAD: usize = 3;
const MOST_HEADS: usize = 3;
/// Nothing is made longer than that, but for the long strings.
const LONGEST: usize = 12_000;

/// The operations.
const REPEATED: u8 = 1;
const PIECE: u8 = 2;
const SPACES: u8 = 3;
const STRING_BEFORE: u8 = 4;
const AMONG_NUMBERS: u8 = 5;
const IN_PARAMS: u8 = 6;
const BEHIND_TOKENS: u8 = 7;
const IN_STRING: u8 = 8;
const NESTED: u8 = 11;
const LAST: u8 = NESTED;

/// The heads, and what is wrapped.
pub fn split(data: &[u8]) -> (&[u8], &[u8]) {
    let mut len = 0;
    for head in data.chunks_exact(HEAD).take(MOST_HEADS) {
        if !is_operation(head[0]) {
            break;
        }
        len += HEAD;
    }
    data.split_at(len)
}

/// Tab, line feed and carriage return are white space.
fn is_operation(b: u8) -> bool {
    matches!(b, 1..=8 | 11)
}

/// The text of an input.
pub fn wrapped(data: &[u8]) -> Vec<u8> {
    let (heads, rest) = split(data);
    let mut text = rest.to_vec();
    for head in heads.chunks_exact(HEAD).rev() {
        text = wrap([head[0], head[1], head[2]], &text);
    }
    text
}

fn wrap([operation, a, b]: [u8; 3], text: &[u8]) -> Vec<u8> {
    let few = usize::from(a);
    let many = few + 256 * usize::from(b % 3);
    // Longer than 64 KiB in the end, now and then.
    let long = if b >= 0xFE { 300 * few } else { many };
    match operation {
        REPEATED => repeated(text, few),
        PIECE => {
            let (piece, rest) = text.split_at(usize::from(b % 16).min(text.len()));
            [&repeated(piece, 4 * few), rest].concat()
        }
        SPACES => [&vec![b' '; many], text].concat(),
        STRING_BEFORE => [b"[\"", &vec![b'x'; long][..], b"\",", text, b"]"].concat(),
        AMONG_NUMBERS => {
            let numbers = [&b"17,"[..], b"-2.5e3,", b"0,", b"123456789012,"];
            let before = repeated(numbers[usize::from(b) % 4], few);
            [b"[", &before[..], text, b",1,-0.5,1e9,3]"].concat()
        }
        IN_PARAMS => [
            b"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"a\":",
            text,
            b"}}",
        ]
        .concat(),
        BEHIND_TOKENS => {
            // Two tokens each; 512 fill a window.
            let numbers = repeated(b"1,", 180 + few);
            let members = text.strip_prefix(b"{").unwrap_or(text);
            [b"{\"x\":[", &numbers[..], b"1],", members].concat()
        }
        IN_STRING => [b"\"", &vec![b'y'; long][..], text, b"\""].concat(),
        _ => {
            let (open, close): (&[u8], &[u8]) = match b % 2 {
                0 => (b"[", b"]"),
                _ => (b"{\"k\":", b"}"),
            };
            let levels = few % 80;
            [&open.repeat(levels), text, &close.repeat(levels)].concat()
        }
    }
}

fn repeated(text: &[u8], times: usize) -> Vec<u8> {
    text.repeat(times.min(LONGEST / text.len().max(1)))
}

/// A head more, one less, or another one.
pub fn edit(heads: &mut Vec<u8>, rng: &mut Rng) {
    match rng.below(4) {
        0 => heads.truncate(heads.len().saturating_sub(HEAD)),
        1 if !heads.is_empty() => {
            let at = rng.below(heads.len());
            if at % HEAD != 0 {
                heads[at] = heads[at].wrapping_add(1 + rng.below(3) as u8);
            }
        }
        _ if heads.len() < HEAD * MOST_HEADS => heads.extend(head(rng)),
        _ => heads.clear(),
    }
}

/// Any head.
pub fn head(rng: &mut Rng) -> [u8; HEAD] {
    let [mut operation, a, b, ..] = rng.word().to_le_bytes();
    operation = 1 + operation % LAST;
    match is_operation(operation) {
        true => [operation, a, b],
        false => [SPACES, a, b],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_itself_and_a_head_wraps_it() {
        assert_eq!(wrapped(b"{}"), b"{}");
        assert_eq!(wrapped(b"\n\t {}"), b"\n\t {}");
        assert_eq!(wrapped(b"\x03\x02\x00{}"), b"  {}");
        assert_eq!(wrapped(b"\x02\x01\x01,{}"), b",,,,{}");
        assert_eq!(wrapped(b"\x0b\x02\x00\x03\x01\x001"), b"[[ 1]]");
        assert!(wrapped(b"\x04\xff\xff1").len() > 65_536);
    }
}
