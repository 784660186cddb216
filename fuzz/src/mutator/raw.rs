//! Edits of bytes, which know nothing of what they change.

use super::{dictionary, replace};
use crate::rng::Rng;

/// Lengths around which fast code changes its ways: words of 8, blocks of 64, and their neighbours.
const LENGTHS: [usize; 12] = [1, 2, 3, 7, 8, 9, 15, 16, 31, 63, 64, 65];

pub fn edit(input: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(input.len() + 1);
    match rng.below(8) {
        0 => {
            if let Some(b) = input.get_mut(at) {
                *b ^= 1 << rng.below(8);
            }
        }
        1 => {
            if let Some(b) = input.get_mut(at) {
                *b = rng.word() as u8;
            }
        }
        2 => input.insert(at, rng.word() as u8),
        3 => {
            let end = input.len().min(at + 1 + rng.below(4));
            replace(input, at..end, b"");
        }
        4 => input.truncate(at),
        5 | 6 => {
            let piece = piece(rng);
            replace(input, at..at, &piece);
        }
        _ => {
            let length = length(rng).min(input.len() - at);
            let copy = input[at..at + length].to_vec();
            let to = rng.below(input.len() + 1);
            replace(input, to..to, &copy);
        }
    }
}

/// An entry of the dictionary, whichever.
pub fn piece(rng: &mut Rng) -> Vec<u8> {
    let all = dictionary();
    let list = match rng.below(4) {
        0 => &all.strings,
        1 => &all.values,
        _ => &all.pieces,
    };
    rng.pick(list).cloned().unwrap_or_default()
}

pub fn length(rng: &mut Rng) -> usize {
    match rng.below(3) {
        0 => rng.below(200),
        _ => *rng.pick(&LENGTHS).unwrap_or(&8),
    }
}
