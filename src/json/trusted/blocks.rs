//! Over containers and long strings, 64 bytes at a time.
//!
//! Blocks begin where the value does. Up to 63 bytes behind its end are looked at, too, so that what follows is looked at
//! again: a short value costs one block, whatever its length.

use super::{string, words};
use crate::bounds::passed;
use crate::json::simd::{BLOCK, Isa, escapes};

/// The 64 bytes from `i` on. Where there are fewer, the last 64 of the text, and how many of them stand before `i`.
#[inline(always)]
fn block(bytes: &[u8], i: usize) -> Option<(&[u8; BLOCK], u32)> {
    if let Some(block) = bytes.get(i..).and_then(|rest| rest.first_chunk()) {
        return Some((block, 0));
    }
    let block = bytes.last_chunk()?;
    let before = i - (bytes.len() - BLOCK);
    (before < BLOCK).then_some((block, before as u32))
}

/// The quotes of a block from its byte `before` on, but for escaped ones. `escaped` is 1 if that byte is, and then if the byte
/// behind the block is.
#[inline(always)]
fn quotes<I: Isa>(isa: I, bytes: &[u8; BLOCK], before: u32, escaped: &mut u64) -> u64 {
    let marks = isa.string_marks(isa.load(bytes));
    let quote = marks.quote >> before;
    let backslash = marks.backslash >> before;
    if backslash | *escaped == 0 {
        return quote;
    }
    let after;
    (after, *escaped) = escapes(backslash, *escaped);
    quote & !after
}

/// The index behind the container whose opening bracket stands before `start`: where more brackets have closed than
/// opened, those in strings not counted.
#[inline(always)]
pub(in crate::json) fn container_end<I: Isa>(isa: I, bytes: &[u8], start: usize) -> usize {
    if bytes.len() < BLOCK {
        return words::container_end(bytes, start);
    }
    let mut at = start;
    // Invariant: `open` containers are open at `at`, at least one.
    let mut open = 1;
    let mut in_string = 0;
    let mut escaped = 0;
    while let Some((bytes, before)) = block(bytes, at) {
        let quote = quotes(isa, bytes, before, &mut escaped);
        if quote == 0 && in_string != 0 {
            at += BLOCK;
            continue;
        }
        // A byte is in a string if an odd number of quotes stands before it or at it.
        let outside = !(isa.prefix_xor(quote) ^ in_string);
        in_string = !((outside as i64 >> 63) as u64);
        let marks = isa.token_marks(bytes);
        let opening = marks.open >> before & outside;
        let closing = marks.close >> before & outside;
        let closed = closing.count_ones() as usize;
        if closed >= open
            && let Some(i) = last_close(opening, closing, open)
        {
            let end = at + i + 1;
            passed(end - start);
            return end;
        }
        open = open + opening.count_ones() as usize - closed;
        at += BLOCK;
    }
    passed(bytes.len().saturating_sub(start));
    bytes.len()
}

/// The first closing bracket by which as many are closed as were `open` before and have been opened since.
#[inline(always)]
fn last_close(opening: u64, mut closing: u64, open: usize) -> Option<usize> {
    let mut closed = 0;
    while closing != 0 {
        let up_to = closing ^ (closing - 1);
        closed += 1;
        if open + (opening & up_to).count_ones() as usize == closed {
            return Some(closing.trailing_zeros() as usize);
        }
        closing &= closing - 1;
    }
    None
}

/// The index behind the closing quote of the string that `start` is in, not in the midst of an escape.
#[inline(always)]
pub(in crate::json) fn string_end<I: Isa>(isa: I, bytes: &[u8], start: usize) -> usize {
    if bytes.len() < BLOCK {
        return string::rest_end(bytes, start);
    }
    let mut at = start;
    let mut escaped = 0;
    while let Some((bytes, before)) = block(bytes, at) {
        let quote = quotes(isa, bytes, before, &mut escaped);
        if quote != 0 {
            let end = at + quote.trailing_zeros() as usize + 1;
            passed(end - start);
            return end;
        }
        at += BLOCK;
    }
    passed(bytes.len().saturating_sub(start));
    bytes.len()
}
