//! New inputs out of old ones, mostly JSON still: what random bytes never get to is behind the first brace.
//!
//! | module | what |
//! |---|---|
//! | [`outline`] | where members, values and strings stand, also in what is no JSON any more |
//! | [`json`] | edits of those, and messages made from nothing |
//! | [`stream`] | edits of lines |
//! | [`events`] | edits of event streams |
//! | [`fields`] | edits of header fields: their values, lines of them, media types |
//! | [`calls`] | requests of 2026-07-28 with arguments, and schemas for them |
//! | [`drafts`] | messages that are to be sent, and fields of the events they are sent in |
//! | [`raw`] | edits of bytes |

pub mod calls;
pub mod drafts;
pub mod events;
pub mod fields;
pub mod json;
pub mod outline;
pub mod raw;
pub mod stream;

use crate::options;
use crate::rng::Rng;
use std::ops::Range;
use std::sync::OnceLock;

/// `dictionary.txt`, sorted by what an entry is good for.
pub struct Dictionary {
    /// String tokens, with their quotes.
    pub strings: Vec<Vec<u8>>,
    /// Other values.
    pub values: Vec<Vec<u8>>,
    /// What is neither.
    pub pieces: Vec<Vec<u8>>,
}

pub fn dictionary() -> &'static Dictionary {
    static DICTIONARY: OnceLock<Dictionary> = OnceLock::new();
    DICTIONARY.get_or_init(|| {
        let mut sorted = Dictionary {
            strings: Vec::new(),
            values: Vec::new(),
            pieces: Vec::new(),
        };
        for entry in entries(include_str!("../../dictionary.txt")) {
            match serde_json::from_slice(&entry) {
                Ok(serde_json::Value::String(_)) => sorted.strings.push(entry),
                Ok(_) => sorted.values.push(entry),
                Err(_) => sorted.pieces.push(entry),
            }
        }
        sorted
    })
}

/// The entries of a dictionary of libFuzzer's: lines `"..."`, in which `\\`, `\"` and `\xAB` are escapes.
fn entries(file: &str) -> impl Iterator<Item = Vec<u8>> + '_ {
    file.lines().filter_map(|line| {
        let mut rest = line.trim().strip_prefix('"')?.strip_suffix('"')?.bytes();
        let mut entry = Vec::new();
        while let Some(b) = rest.next() {
            entry.push(match b {
                b'\\' => match rest.next()? {
                    b'x' => {
                        let digits = [rest.next()?, rest.next()?];
                        u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                    }
                    quoted => quoted,
                },
                b => b,
            });
        }
        Some(entry)
    })
}

/// Edits what is before the [tail](options), a few times, and now and then the tail.
pub fn with_tail(data: &[u8], rng: &mut Rng, edit: fn(&mut Vec<u8>, &mut Rng)) -> Vec<u8> {
    let (input, mut tail) = options::split(data);
    let mut input = input.to_vec();
    // Mostly one or two: what has been edited often is seldom a message any more.
    for _ in 0..1 + rng.below(3) * rng.below(3) {
        edit(&mut input, rng);
    }
    if rng.once_in(10) {
        let [a, b, c, choice, ..] = rng.word().to_le_bytes();
        tail = match choice % 4 {
            0 => None,
            1 => Some([a % 16, 0, c]),
            2 => Some([0, b, c]),
            _ => Some([a, b % 4, c]),
        };
    }
    if let Some(tail) = tail {
        options::join(&mut input, tail);
    }
    input
}

/// A mutation where libFuzzer wants it.
pub fn in_place(
    data: &mut [u8],
    size: usize,
    max: usize,
    seed: u32,
    mutate: fn(&[u8], &mut Rng) -> Vec<u8>,
) -> usize {
    let mut rng = Rng::new(u64::from(seed));
    let mutated = mutate(&data[..size], &mut rng);
    let len = mutated.len().min(max).min(data.len());
    data[..len].copy_from_slice(&mutated[..len]);
    len
}

/// Puts something else in the place of a range.
pub fn replace(input: &mut Vec<u8>, range: Range<usize>, with: &[u8]) {
    input.splice(range, with.iter().copied());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dictionary_is_read_whole() {
        let file = include_str!("../../dictionary.txt");
        let lines = file
            .lines()
            .filter(|l| !l.is_empty() && !l.starts_with('#'));
        let all = dictionary();
        let read = all.strings.len() + all.values.len() + all.pieces.len();
        assert_eq!(read, lines.count());
        assert!(all.strings.len() > 20 && all.values.len() > 20 && all.pieces.len() > 20);
    }
}
