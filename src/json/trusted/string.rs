//! Over a string, by its closing quote.

use crate::bounds::passed;
use crate::json::simd::{Blocks, quotes};
use crate::json::word::byte;

/// Where the string ends whose first character (behind the opening quote) is at `start`: the index behind its closing
/// quote, and whether it is known that there is no escape in it.
///
/// Sixteen bytes cover most names and many values.
#[inline(always)]
pub(super) fn end(bytes: &[u8], start: usize, blocks: Option<Blocks>) -> (usize, bool) {
    let len = first_quote(bytes, start);
    if byte(bytes, start + len) == b'"' {
        passed(len + 1);
        return (start + len + 1, true);
    }
    (long_end(bytes, start, blocks), false)
}

/// How many bytes stand from `i` on before a quote or a backslash; sixteen at the most, and where the text ends earlier.
#[inline(always)]
fn first_quote(bytes: &[u8], i: usize) -> usize {
    let marks = match bytes.get(i..).and_then(|rest| rest.first_chunk()) {
        Some(block) => quotes(block),
        None => last_quotes(bytes, i),
    };
    (marks | 1 << 16).trailing_zeros() as usize
}

/// One bit for each quote and backslash from `i` on, of sixteen bytes or fewer.
#[inline(always)]
fn last_quotes(bytes: &[u8], i: usize) -> u32 {
    match bytes.last_chunk::<16>() {
        // The last sixteen of the text, without those before `i`.
        Some(block) => {
            let before = i - (bytes.len() - 16);
            quotes(block).checked_shr(before as u32).unwrap_or(0)
        }
        None => {
            let mut block = [0; 16];
            for (to, from) in block.iter_mut().zip(bytes.iter().skip(i)) {
                *to = *from;
            }
            quotes(&block)
        }
    }
}

/// The same for any string.
///
/// Invariant: `i` is in the string, and not in the midst of an escape.
#[inline(never)]
pub(super) fn long_end(bytes: &[u8], start: usize, blocks: Option<Blocks>) -> usize {
    let mut i = start;
    // A few times sixteen first. What goes on then is likely to be long.
    for _ in 0..4 {
        i += first_quote(bytes, i);
        match byte(bytes, i) {
            b'"' => {
                passed(i + 1 - start);
                return i + 1;
            }
            b'\\' => i += 2,
            _ if i >= bytes.len() => break,
            _ => {}
        }
    }
    // An escape that the text ends in leads behind its end; so may a place that was never in it.
    let i = i.min(bytes.len());
    passed(i.saturating_sub(start));
    match blocks {
        Some(blocks) => blocks.string_end(bytes, i),
        None => rest_end(bytes, i),
    }
}

/// The same without blocks.
pub(super) fn rest_end(bytes: &[u8], start: usize) -> usize {
    let mut i = start;
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(i..).unwrap_or(&[])) {
        i += found;
        if byte(bytes, i) == b'"' {
            passed(i + 1 - start);
            return i + 1;
        }
        i += 2;
    }
    passed(bytes.len().saturating_sub(start));
    bytes.len()
}
