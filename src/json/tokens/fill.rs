//! Bytes into tokens.

use super::grammar::{self, Word};
use super::number;
use super::window::{Carry, Window};
use crate::bounds::passed;
use crate::json::number::number_end;
use crate::json::simd::{BLOCK, CAPACITY, Isa, escapes};
use crate::json::word::{leading_digits, low_bytes, word_or_zeros};

/// Of a window's tokens, one in so many is a number when they are worth checking by the block.
const DENSE: usize = 4;

/// Finds tokens until there is no more room, or the text ends.
#[inline(always)]
pub(in crate::json) fn fill<I: Isa>(isa: I, window: &mut Window<'_, '_>) {
    let numbers = match window.numbers_from == usize::MAX {
        true => {
            find::<I, false>(isa, window);
            tell::<I>(isa, window)
        }
        false => {
            find::<I, true>(isa, window);
            tell::<I>(isa, window)
        }
    };
    if numbers * DENSE > window.tokens.len() {
        window.numbers_from = window.numbers_from.min(window.next);
    }
}

/// Finds tokens.
#[inline(always)]
fn find<I: Isa, const NUMBERS: bool>(isa: I, window: &mut Window<'_, '_>) {
    let bytes = window.bytes;
    let Carry {
        mut in_string,
        mut escaped,
        mut hex,
        mut scalar,
        mut non_ascii,
        mut number,
    } = window.carry;
    let mut faults = window.faults;
    let mut at = window.next;
    let (blocks, last) = bytes.as_chunks::<BLOCK>();
    while window.tokens.len() <= CAPACITY {
        let block = match blocks.get(at / BLOCK) {
            Some(block) => {
                passed(BLOCK);
                isa.load(block)
            }
            None if at < bytes.len() => {
                passed(last.len());
                isa.load_last(last)
            }
            None => {
                window.is_ended = true;
                break;
            }
        };
        let marks = isa.string_marks(block);
        if marks.non_ascii | non_ascii >> 61 != 0 {
            faults |= utf8(isa, window, block, at);
        }
        non_ascii = marks.non_ascii;
        let mut quote = marks.quote;
        if marks.backslash | escaped | hex != 0 {
            let after;
            (after, escaped) = escapes(marks.backslash, escaped);
            quote &= !after;
            faults |= after & !isa.escape_marks(block);
            let u = after & isa.u_marks(block);
            if u | hex != 0 {
                let digits = u << 1 | u << 2 | u << 3 | u << 4 | hex;
                hex = u >> 63 | u >> 62 | u >> 61 | u >> 60;
                // `fuzz/prove` shows that fuzzing finds what this loses: the digits that stand in the next block.
                if cfg!(rpcslice_planted_bug = "tokens") {
                    hex = 0;
                }
                faults |= digits & !isa.hex_marks(block);
            }
            if marks.backslash != 0 {
                window.first_backslash = window.first_backslash.min(at);
                window.last_backslash = at + BLOCK;
            }
        }
        // A byte is in a string if an odd number of quotes stands before it or at it: the closing one is not.
        if quote == 0 && in_string != 0 {
            faults |= marks.control;
            at += BLOCK;
            if marks.backslash | marks.non_ascii == 0 {
                while let Some(block) = blocks.get(at / BLOCK) {
                    if isa.has_string_mark(isa.load(block)) {
                        break;
                    }
                    passed(BLOCK);
                    at += BLOCK;
                }
            }
            continue;
        }
        let inside = isa.prefix_xor(quote) ^ in_string;
        in_string = ((inside as i64) >> 63) as u64;
        faults |= marks.control & inside;
        let structure = isa.structure_marks(block);
        let outside = !(inside | quote);
        let other = !(structure.operator | structure.space) & outside;
        let first = other & !(other << 1 | scalar);
        scalar = other >> 63;
        if NUMBERS {
            faults |= number::check(&isa.number_marks(block), other, first, &mut number);
        }
        let tokens = structure.operator & outside | quote & inside | first;
        window.tokens.append(isa, block, tokens, at as u32);
        at += BLOCK;
    }
    window.next = at;
    window.faults = faults;
    window.carry = Carry {
        in_string,
        escaped,
        hex,
        scalar,
        non_ascii,
        number,
    };
}

/// Holds what has been found to the grammar, 64 tokens at a time. How many numbers are among them.
#[inline(always)]
fn tell<I: Isa>(isa: I, window: &mut Window<'_, '_>) -> usize {
    let len = window.tokens.len();
    // What is told of the last tokens stands three later.
    let mut end = len / BLOCK;
    if window.is_ended {
        window.tokens.pad(window.bytes.len() as u32);
        end = (len + 3).div_ceil(BLOCK);
    }
    let mut numbers = 0;
    while window.tokens.told() < end {
        let start = window.tokens.told() * BLOCK;
        let valid = match len.saturating_sub(start) {
            BLOCK.. => u64::MAX,
            few => !(u64::MAX << few),
        };
        // The last word can be one of three bits of what was told late, for which there are no tokens.
        let kinds = window.tokens.kinds_of_word(start / BLOCK);
        let marks = isa.token_marks(kinds.unwrap_or(&[0; BLOCK]));
        let mut word = Word::default();
        let told = grammar::check(&marks, valid, &mut window.before, &mut word);
        window.tokens.tell(word);
        window.faults |= told.faults;
        let mut scalars = told.scalar;
        while scalars != 0 {
            let i = start + scalars.trailing_zeros() as usize;
            scalars &= scalars - 1;
            numbers += usize::from(scalar(window, i));
        }
    }
    numbers
}

/// Checks a token that is neither string nor operator. Whether it is a number.
#[inline(always)]
fn scalar(window: &mut Window<'_, '_>, i: usize) -> bool {
    let bytes = window.bytes;
    let at = window.tokens.offset(i) as usize;
    let first = window.tokens.kind(i);
    let is_number = matches!(first, b'-' | b'0'..=b'9');
    if is_number && at >= window.numbers_from {
        return true;
    }
    let word = word_or_zeros(bytes, at);
    let len = match is_number {
        true => {
            // A short integer, whatever its length. Of a minus, what is behind it.
            let digits = word >> (8 * u64::from(first == b'-'));
            let len = leading_digits(digits);
            let is_short = len.wrapping_sub(1) < 7 && (digits as u8 != b'0' || len == 1);
            (len + usize::from(first == b'-')) * usize::from(is_short)
        }
        false => literal_len(word, first),
    };
    // What follows is no part of it, unless it ends there.
    if len == 0 || !is_end(bytes, at + len) {
        let end = number_end(bytes, at).map_or(0, |number| number.end);
        let is_good = is_number && end != 0 && is_end(bytes, end);
        window.faults |= u64::from(!is_good);
    }
    is_number
}

/// The length of the literal that the word begins with, or 0.
#[inline(always)]
fn literal_len(word: u64, first: u8) -> usize {
    let len = if first == b'f' { 5 } else { 4 };
    let text = match first {
        b't' => u64::from_le_bytes(*b"true\0\0\0\0"),
        b'f' => u64::from_le_bytes(*b"false\0\0\0"),
        _ => u64::from_le_bytes(*b"null\0\0\0\0"),
    };
    len * usize::from(low_bytes(word, len) == text)
}

/// Whether a number or a literal may end before `end`.
#[inline(always)]
fn is_end(bytes: &[u8], end: usize) -> bool {
    match bytes.get(end) {
        Some(&b) => ENDS.get(usize::from(b)).copied().unwrap_or(false),
        None => true,
    }
}

/// The bytes that no number and no literal goes on with, and that can stand outside of strings.
#[allow(clippy::indexing_slicing)] // at compile time
static ENDS: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b" \t\n\r{}[]:,\"";
    let mut i = 0;
    while i < ends.len() {
        table[ends[i] as usize] = true;
        i += 1;
    }
    table
};

/// Not 0 if a byte of the block is bad UTF-8.
#[inline(always)]
fn utf8<I: Isa>(isa: I, window: &mut Window<'_, '_>, block: I::Block, at: usize) -> u64 {
    if !I::CHECKS_UTF8 {
        window.non_ascii.start = window.non_ascii.start.min(at);
        window.non_ascii.end = (at + BLOCK).min(window.bytes.len());
        return 0;
    }
    let earlier = |n: usize| {
        let rest = at
            .checked_sub(n)
            .and_then(|start| window.bytes.get(start..))?;
        Some(match rest.first_chunk::<BLOCK>() {
            Some(block) => isa.load(block),
            None => isa.load_last(rest),
        })
    };
    match (earlier(1), earlier(2), earlier(3)) {
        (Some(one), Some(two), Some(three)) => u64::from(isa.is_bad_utf8(block, one, two, three)),
        _ => first_utf8(isa, window.bytes, block),
    }
}

/// The same for the first block, before which there is nothing.
#[cold]
fn first_utf8<I: Isa>(isa: I, bytes: &[u8], block: I::Block) -> u64 {
    let mut padded = [b' '; BLOCK + 3];
    for (to, from) in padded.iter_mut().skip(3).zip(bytes) {
        *to = *from;
    }
    let load = |start: usize| {
        padded
            .get(start..)
            .and_then(|rest| rest.first_chunk())
            .map(|block| isa.load(block))
    };
    match (load(2), load(1), load(0)) {
        (Some(one), Some(two), Some(three)) => u64::from(isa.is_bad_utf8(block, one, two, three)),
        _ => 1,
    }
}
