//! Over a string, by its closing quote.

use crate::bounds::passed;
use crate::json::simd::{Blocks, first_quote};
use crate::json::word::byte;

/// Where the string ends whose first character (behind the opening quote) is at `start`: the index behind its closing
/// quote, and whether it is known that there is no escape in it.
///
/// Sixteen bytes cover most names and many values.
#[inline(always)]
pub(super) fn end(bytes: &[u8], start: usize, blocks: Option<Blocks>) -> (usize, bool) {
    if let Some(block) = block(bytes, start) {
        let len = first_quote(block);
        if len < 16 && byte(bytes, start + len) == b'"' {
            passed(len + 1);
            return (start + len + 1, true);
        }
    }
    (long_end(bytes, start, blocks), false)
}

/// The sixteen bytes from `i`, if there are that many.
#[inline(always)]
fn block(bytes: &[u8], i: usize) -> Option<&[u8; 16]> {
    bytes.get(i..)?.first_chunk::<16>()
}

/// The same for any string.
///
/// Invariant: `i` is in the string, and not in the midst of an escape.
#[inline(never)]
pub(super) fn long_end(bytes: &[u8], start: usize, blocks: Option<Blocks>) -> usize {
    let mut i = start;
    // A few times sixteen first. What goes on then is likely to be long.
    for _ in 0..4 {
        let Some(block) = block(bytes, i) else { break };
        i += first_quote(block);
        match byte(bytes, i) {
            b'"' => {
                passed(i + 1 - start);
                return i + 1;
            }
            b'\\' => i += 2,
            _ => {}
        }
    }
    passed(i - start);
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
