//! Eight bytes at a time. The first byte is always the lowest, so nothing here depends on the processor's byte order.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;
const SPACES: u64 = LOW * 0x20;

/// The byte at `i`; 0 past the end, which no rule of JSON takes for anything.
#[inline(always)]
pub(crate) fn byte(bytes: &[u8], i: usize) -> u8 {
    match bytes.get(i) {
        Some(&b) => b,
        None => 0,
    }
}

/// The eight bytes from `i`, if there are that many.
#[inline(always)]
pub(crate) fn word(bytes: &[u8], i: usize) -> Option<u64> {
    // One comparison, where `i` is known to be small.
    let chunk = bytes.get(i..i.wrapping_add(8))?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*chunk))
}

/// The bytes from `i`, eight at most, zeros after the end.
#[inline(always)]
pub(crate) fn word_or_zeros(bytes: &[u8], i: usize) -> u64 {
    match word(bytes, i) {
        Some(w) => w,
        None => short_word(bytes, i),
    }
}

#[cold]
#[inline(never)]
fn short_word(bytes: &[u8], i: usize) -> u64 {
    let rest = bytes.get(i..).unwrap_or(&[]);
    if let Some(last) = bytes.last_chunk::<8>() {
        let before = 8 * (8 - rest.len().min(8)) as u32;
        return u64::from_le_bytes(*last).checked_shr(before).unwrap_or(0);
    }
    rest.iter()
        .take(8)
        .rev()
        .fold(0, |w, &b| w << 8 | u64::from(b))
}

/// The first eight bytes as a word, zeros where there are fewer. For what is known when the crate is compiled.
#[inline(always)]
pub(crate) const fn word_of(mut bytes: &[u8]) -> u64 {
    let mut word = 0;
    let mut shift = 0;
    while let [b, rest @ ..] = bytes {
        if shift < 64 {
            word |= (*b as u64) << shift;
        }
        shift += 8;
        bytes = rest;
    }
    word
}

/// The lowest `len` bytes of `w`, zeros above.
#[inline(always)]
pub(crate) const fn low_bytes(w: u64, len: usize) -> u64 {
    if len >= 8 { w } else { w & !(!0 << (8 * len)) }
}

/// Marks, by its top bit, the first byte of `w` that ends a plain run of a string: a quote, a backslash, a control
/// character, or a byte of a non-ASCII character. Bytes above the lowest mark may be marked wrongly: each of the three
/// subtractions can only borrow out of a byte that it marks.
#[inline(always)]
pub(crate) const fn string_marks(w: u64) -> u64 {
    let quote = w ^ (LOW * b'"' as u64);
    let backslash = w ^ (LOW * b'\\' as u64);
    ((quote.wrapping_sub(LOW) & !quote)
        | (backslash.wrapping_sub(LOW) & !backslash)
        | (w.wrapping_sub(SPACES) & !w)
        | w)
        & HIGH
}

/// Marks, by its top bit, the first byte of `w` that can't stand in a string as it is: a quote, a backslash, a control
/// character. Bytes above the lowest mark may be marked wrongly, as in [`string_marks`].
#[inline(always)]
pub(crate) const fn escape_marks(w: u64) -> u64 {
    let quote = w ^ (LOW * b'"' as u64);
    let backslash = w ^ (LOW * b'\\' as u64);
    ((quote.wrapping_sub(LOW) & !quote)
        | (backslash.wrapping_sub(LOW) & !backslash)
        | (w.wrapping_sub(SPACES) & !w))
        & HIGH
}

/// Marks, by its top bit, the first byte of `w` that is a quote or a bracket of either kind. Bytes above the lowest mark may
/// be marked wrongly, as in [`string_marks`].
#[inline(always)]
pub(crate) const fn bracket_marks(w: u64) -> u64 {
    // With bit 5 set, brackets are braces, and nothing else is.
    let either = w | SPACES;
    let quote = w ^ (LOW * b'"' as u64);
    let open = either ^ (LOW * b'{' as u64);
    let close = either ^ (LOW * b'}' as u64);
    ((quote.wrapping_sub(LOW) & !quote)
        | (open.wrapping_sub(LOW) & !open)
        | (close.wrapping_sub(LOW) & !close))
        & HIGH
}

/// Marks, by its top bit, the first byte of `w` that no number goes on with, if it is one that may follow a value: a comma,
/// a closing bracket, white space; or a 0. Bytes above the lowest mark may be marked wrongly, as in [`string_marks`].
#[inline(always)]
pub(crate) const fn number_end_marks(w: u64) -> u64 {
    let comma = w ^ (LOW * b',' as u64);
    let close = (w | SPACES) ^ (LOW * b'}' as u64);
    ((comma.wrapping_sub(LOW) & !comma)
        | (close.wrapping_sub(LOW) & !close)
        | (w.wrapping_sub(SPACES + LOW) & !w))
        & HIGH
}

/// Whether any byte of `w` is a backslash.
#[inline(always)]
pub(crate) const fn has_backslash(w: u64) -> bool {
    let backslash = w ^ (LOW * b'\\' as u64);
    backslash.wrapping_sub(LOW) & !backslash & HIGH != 0
}

/// The index of the lowest marked byte. `marks` is not 0.
#[inline(always)]
pub(crate) const fn first_mark(marks: u64) -> usize {
    (marks.trailing_zeros() / 8) as usize
}

/// How many of the bytes of `w`, counted from the first, are spaces.
#[inline(always)]
pub(crate) const fn leading_spaces(w: u64) -> usize {
    ((w ^ SPACES).trailing_zeros() / 8) as usize
}

/// How many of the bytes of `w`, counted from the first, are ASCII digits.
#[inline(always)]
pub(crate) const fn leading_digits(w: u64) -> usize {
    // A digit is 0x30..=0x39: its high nibble is 3, and still is after 6 is added. The addition carries out of a byte
    // only where that byte is above 0xF9, which the first test has marked already.
    let high = w & (LOW * 0xF0);
    let raised = w.wrapping_add(LOW * 0x06) & (LOW * 0xF0);
    let odd = (high ^ (LOW * 0x30)) | (raised ^ (LOW * 0x30));
    (odd.trailing_zeros() / 8) as usize
}

/// Whether any byte of the block ends a plain run of a string. Written so that compilers make vector code of it.
#[inline(always)]
pub(crate) fn has_string_mark(block: &[u8; 64]) -> bool {
    // `fuzz/prove` shows that fuzzing finds what this lets pass under that flag: U+001F within a block.
    let lowest = if cfg!(rpcslice_planted_bug) {
        0x1F
    } else {
        0x20
    };
    let mut any = 0u8;
    for &b in block {
        // As a signed number, a byte below 0x20 is a control character or part of a non-ASCII character.
        any |= u8::from((b as i8) < lowest) | u8::from(b == b'"') | u8::from(b == b'\\');
    }
    any != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends_run(b: u8) -> bool {
        b == b'"' || b == b'\\' || !(0x20..0x80).contains(&b)
    }

    #[test]
    fn the_first_string_mark_is_exact_for_every_pair_of_bytes() {
        for place in 0..8 {
            for first in 0..=255u8 {
                for next in 0..=255u8 {
                    let mut bytes = [b'x'; 8];
                    bytes[place] = first;
                    if place < 7 {
                        bytes[place + 1] = next;
                    }
                    let marks = string_marks(u64::from_le_bytes(bytes));
                    let want = bytes.iter().position(|&b| ends_run(b));
                    let got = (marks != 0).then(|| first_mark(marks));
                    assert_eq!(got, want, "{bytes:x?}");
                }
            }
        }
    }

    #[test]
    fn leading_spaces_and_digits_are_exact_for_every_pair_of_bytes() {
        for place in 0..8 {
            for first in 0..=255u8 {
                for next in 0..=255u8 {
                    for fill in [b' ', b'7'] {
                        let mut bytes = [fill; 8];
                        bytes[place] = first;
                        if place < 7 {
                            bytes[place + 1] = next;
                        }
                        let w = u64::from_le_bytes(bytes);
                        let spaces = bytes.iter().take_while(|&&b| b == b' ').count();
                        let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
                        assert_eq!(leading_spaces(w), spaces, "{bytes:x?}");
                        assert_eq!(leading_digits(w), digits, "{bytes:x?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_block_has_a_mark_wherever_it_stands() {
        assert!(!has_string_mark(&[b'a'; 64]));
        for place in 0..64 {
            for b in 0..=255u8 {
                let mut block = [b'~'; 64];
                block[place] = b;
                assert_eq!(has_string_mark(&block), ends_run(b), "{b:x} at {place}");
            }
        }
    }

    #[test]
    fn a_backslash_is_found_wherever_it_stands_and_nothing_else_is() {
        for place in 0..8 {
            for b in 0..=255u8 {
                let mut bytes = [b'['; 8];
                bytes[place] = b;
                let w = u64::from_le_bytes(bytes);
                assert_eq!(has_backslash(w), b == b'\\', "{b:x} at {place}");
            }
        }
    }

    #[test]
    fn short_words_are_filled_with_zeros() {
        let bytes = b"abcdefghij";
        assert_eq!(word(bytes, 2), Some(u64::from_le_bytes(*b"cdefghij")));
        assert_eq!(word(bytes, 3), None);
        assert_eq!(
            word_or_zeros(bytes, 7),
            u64::from_le_bytes(*b"hij\0\0\0\0\0")
        );
        assert_eq!(word_or_zeros(bytes, 10), 0);
        assert_eq!(word_or_zeros(bytes, 99), 0);
        assert_eq!(low_bytes(!0, 0), 0);
        assert_eq!(low_bytes(!0, 3), 0xFF_FFFF);
        assert_eq!(low_bytes(!0, 8), !0);
        assert_eq!(low_bytes(!0, 39), !0);
    }
}
