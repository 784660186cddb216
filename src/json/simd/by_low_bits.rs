//! Sets of bytes, no two of which have the same low four bits: found by looking up what the low four bits of a byte stand
//! for, and comparing.

/// At the low four bits of each of the bytes, that byte. Elsewhere 0, which is found at 0 alone; and there 1.
#[allow(clippy::indexing_slicing)] // at compile time
const fn table(bytes: &[u8]) -> [u8; 16] {
    let mut table = [0; 16];
    table[0] = 1;
    let mut i = 0;
    while i < bytes.len() {
        table[(bytes[i] & 0x0F) as usize] = bytes[i];
        i += 1;
    }
    table
}

/// White space.
pub(super) static SPACES: [u8; 16] = table(b" \t\n\r");
/// What operators are with bit 5 set.
pub(super) static OPERATORS: [u8; 16] = table(b",:{}");
/// What may follow a backslash, but for `b` and `r`, which share their low bits with the quote.
pub(super) static ESCAPES: [u8; 16] = table(b"\"\\/fntu");
