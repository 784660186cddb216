//! Which bytes of a block are escaped.

/// The bytes that are escaped, by the backslashes before them, and whether the next block's first byte is.
#[inline(always)]
pub(crate) const fn escapes(backslash: u64, carry: u64) -> (u64, u64) {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let backslash = backslash & !carry;
    let after = backslash << 1 | carry;
    // In a run that begins at an odd place, adding the run to its first bit leaves the bits of the others' parity.
    let odd_starts = backslash & !EVEN & !after;
    let (sum, is_over) = odd_starts.overflowing_add(backslash);
    ((EVEN ^ (sum << 1)) & after, is_over as u64)
}
