//! The end of a string, and everything between the quotes checked on the way there.

use super::error::{SyntaxError, SyntaxErrorKind as Kind};
use super::simd;
use super::word::{byte, first_mark, has_string_mark, string_marks, word, word_or_zeros};
use crate::bounds::passed;

/// Where a string ends, and what is in it. One word, so that it comes back in a register: flags of their own, written as
/// bytes and read together, would have to wait for each other in memory.
#[derive(Clone, Copy)]
pub(crate) struct StringEnd(u64);

impl StringEnd {
    pub(super) const ESCAPED: u64 = 1;
    pub(super) const NO_TEXT: u64 = 2;

    #[inline(always)]
    pub(crate) const fn new(quote: usize, flags: u64) -> Self {
        Self((quote as u64) << 2 | flags)
    }

    /// The index of the closing quote.
    #[inline(always)]
    pub(crate) const fn quote(self) -> usize {
        (self.0 >> 2) as usize
    }

    /// Whether there is an escape in it.
    #[inline(always)]
    pub(crate) const fn is_escaped(self) -> bool {
        self.0 & Self::ESCAPED != 0
    }

    /// Whether no escape in it is half a surrogate pair: it can be given as Unicode text.
    #[inline(always)]
    pub(crate) const fn is_text(self) -> bool {
        self.0 & Self::NO_TEXT == 0
    }
}

/// Finds the end of the string whose first character (behind the opening quote) is at `start`.
///
/// Sixteen plain bytes cover most member names and many values; only longer ones, and those with an escape or a
/// non-ASCII character, leave the inlined part.
#[inline(always)]
pub(crate) fn string_end<const VECTORS: bool>(
    bytes: &[u8],
    start: usize,
) -> Result<StringEnd, SyntaxError> {
    let mut i = start;
    if let Some(block) = block(bytes, i) {
        match simd::first_string_mark::<VECTORS>(block) {
            Some(plain) => {
                i += plain;
                if byte(bytes, i) == b'"' {
                    passed(i + 1 - start);
                    return Ok(StringEnd::new(i, 0));
                }
            }
            None => i += 16,
        }
    }
    passed(i - start);
    long_string_end::<VECTORS>(bytes, i)
}

/// The sixteen bytes from `i`, if there are that many.
#[inline(always)]
fn block(bytes: &[u8], i: usize) -> Option<&[u8; 16]> {
    bytes.get(i..)?.first_chunk::<16>()
}

/// The same from any place inside a string.
///
/// Invariant: every byte before `i` has been checked, and `i` is no continuation byte and not in the midst of an escape.
#[inline(never)]
fn long_string_end<const VECTORS: bool>(
    bytes: &[u8],
    mut i: usize,
) -> Result<StringEnd, SyntaxError> {
    let mut flags = 0;
    loop {
        let start = i;
        i = plain_run_end::<VECTORS>(bytes, i);
        passed(i + 1 - start);
        match byte(bytes, i) {
            b'"' => return Ok(StringEnd::new(i, flags)),
            b'\\' => {
                flags |= StringEnd::ESCAPED;
                let end = escape_end(bytes, i, &mut flags)?;
                passed(end - i - 1);
                i = end;
            }
            b if b >= 0x80 => {
                let end = non_ascii_run_end(bytes, i)?;
                passed(end - i - 1);
                i = end;
            }
            _ if i >= bytes.len() => return Err(SyntaxError::new(Kind::UnexpectedEnd, i)),
            _ => return Err(SyntaxError::new(Kind::ControlCharacter, i)),
        }
    }
}

/// The index of the first byte at or after `i` that is no plain string character (the length of `bytes` if none).
#[inline(always)]
pub(super) fn plain_run_end<const VECTORS: bool>(bytes: &[u8], mut i: usize) -> usize {
    // A few at a time first: runs between two escapes are short. What is still plain then is likely to be long.
    for _ in 0..3 {
        let Some(block) = block(bytes, i) else { break };
        if let Some(plain) = simd::first_string_mark::<VECTORS>(block) {
            return i + plain;
        }
        // Not by what was found, so that the next block need not wait for it.
        i += 16;
    }
    while let Some(block) = bytes.get(i..).and_then(|rest| rest.first_chunk::<64>()) {
        if has_string_mark(block) {
            break;
        }
        i += 64;
    }
    while let Some(block) = block(bytes, i) {
        if let Some(plain) = simd::first_string_mark::<VECTORS>(block) {
            return i + plain;
        }
        // Not by what was found, so that the next block need not wait for it.
        i += 16;
    }
    while let Some(w) = word(bytes, i) {
        let marks = string_marks(w);
        if marks != 0 {
            return i + first_mark(marks);
        }
        i += 8;
    }
    while let Some(&b) = bytes.get(i) {
        if b == b'"' || b == b'\\' || !(0x20..0x80).contains(&b) {
            break;
        }
        i += 1;
    }
    i
}

/// The index behind the escape whose backslash is at `i`; behind both, where it is the first half of a surrogate pair.
/// A half alone is well-formed and matters only to those who decode the string (RFC 8259 section 8.2): it is flagged.
#[inline(always)]
pub(super) fn escape_end(bytes: &[u8], i: usize, flags: &mut u64) -> Result<usize, SyntaxError> {
    match byte(bytes, i + 1) {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(i + 2),
        b'u' => {
            for digit in i + 2..i + 6 {
                if !byte(bytes, digit).is_ascii_hexdigit() {
                    return Err(bad_escape(bytes, digit));
                }
            }
            let is_surrogate = byte(bytes, i + 2) | 0x20 == b'd' && byte(bytes, i + 3) >= b'8';
            match is_surrogate {
                false => Ok(i + 6),
                true => Ok(surrogate_end(bytes, i, flags)),
            }
        }
        _ => Err(bad_escape(bytes, i + 1)),
    }
}

/// The index behind the surrogate escape at `i`, or behind the pair that it begins. Out of line: all other escapes are the
/// faster for it.
#[inline(never)]
fn surrogate_end(bytes: &[u8], i: usize, flags: &mut u64) -> usize {
    let is_high = |third: u8| matches!(third, b'8' | b'9' | b'A' | b'B' | b'a' | b'b');
    if let Some([b'\\', b'u', b'd' | b'D', third, rest @ ..]) = bytes.get(i + 6..) {
        let is_low = third.is_ascii_hexdigit() && *third > b'9' && !is_high(*third);
        let is_whole = matches!(rest, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
        if is_high(byte(bytes, i + 3)) && is_low && is_whole {
            return i + 12;
        }
    }
    *flags |= StringEnd::NO_TEXT;
    i + 6
}

/// The fault at the byte that spoils an escape. Broken UTF-8 is named as such there, too.
#[cold]
fn bad_escape(bytes: &[u8], at: usize) -> SyntaxError {
    let kind = match bytes.get(at) {
        None => Kind::UnexpectedEnd,
        Some(0x80..) if sequence_len(word_or_zeros(bytes, at)) == 0 => Kind::InvalidUtf8,
        Some(_) => Kind::InvalidEscape,
    };
    SyntaxError::new(kind, at.min(bytes.len()))
}

/// Walks whole non-ASCII characters from `i` on; returns the index of the first ASCII byte, or of the end.
#[inline(always)]
pub(super) fn non_ascii_run_end(bytes: &[u8], mut i: usize) -> Result<usize, SyntaxError> {
    loop {
        let w = word_or_zeros(bytes, i);
        if w & 0x80 == 0 {
            return Ok(i);
        }
        // Two characters of three bytes each: most of Chinese, Japanese and Korean text.
        if is_three(w) && is_three(w >> 24) {
            i += 6;
            continue;
        }
        match sequence_len(w) {
            0 => return Err(SyntaxError::new(Kind::InvalidUtf8, i)),
            len => i += len,
        }
    }
}

/// Whether the text is UTF-8.
pub(crate) fn is_utf8(text: &[u8]) -> bool {
    let mut i = 0;
    while i < text.len() {
        match word(text, i) {
            Some(w) if w & 0x8080_8080_8080_8080 == 0 => i += 8,
            _ if byte(text, i) < 0x80 => i += 1,
            _ => match non_ascii_run_end(text, i) {
                Ok(end) => i = end,
                Err(_) => return false,
            },
        }
    }
    true
}

/// Whether the three lowest bytes are a well-formed character of three bytes (Unicode table 3-7): neither overlong
/// (E0 80..9F) nor a surrogate (ED A0..BF). The mask takes from the first byte the bits that vary and from the second
/// its bit 5.
#[inline(always)]
const fn is_three(w: u64) -> bool {
    let varying = w & 0x20_0F;
    w & 0xC0_C0_F0 == 0x80_80_E0 && varying != 0x00_00 && varying != 0x20_0D
}

/// The length of the well-formed non-ASCII character that the lowest bytes are, or 0 (Unicode table 3-7).
#[inline(always)]
pub(super) const fn sequence_len(w: u64) -> usize {
    if is_three(w) {
        3
    } else if w & 0xC0_E0 == 0x80_C0 && w & 0x1E != 0 {
        2
    } else if w & 0xC0_C0_C0_F8 == 0x80_80_80_F0 && is_in_range_of_four(w) {
        4
    } else {
        0
    }
}

/// From U+10000 (F0 90) to U+10FFFF (F4 8F).
#[inline(always)]
const fn is_in_range_of_four(w: u64) -> bool {
    let lead = w & 0x07;
    let second = w & 0x30_00;
    (lead != 0 || second != 0) && (lead < 4 || (lead == 4 && second == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end_of(bytes: &[u8]) -> Result<(usize, bool), (Kind, usize)> {
        let end = string_end::<true>(bytes, 0).map_err(|e| (e.kind(), e.at()))?;
        assert!(end.is_text());
        Ok((end.quote(), end.is_escaped()))
    }

    /// What `core` says of the same bytes: a byte of a sequence that it refuses, or none.
    fn core_fault(bytes: &[u8]) -> Option<usize> {
        core::str::from_utf8(bytes).err().map(|e| e.valid_up_to())
    }

    #[test]
    fn every_two_bytes_and_every_lead_with_edges_agree_with_core() {
        let edges = [
            0x00, 0x20, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xE0, 0xFF,
        ];
        let mut text = [0u8; 5];
        for a in 0x80..=0xFFu8 {
            for b in 0..=0xFFu8 {
                for c in edges {
                    for d in edges {
                        text = [a, b, c, d, b'"'];
                        // Only UTF-8 is of interest here.
                        if text[1..4]
                            .iter()
                            .any(|&x| x < 0x20 || x == b'"' || x == b'\\')
                        {
                            continue;
                        }
                        for pad in [0, 8] {
                            let mut bytes = text.to_vec();
                            bytes.resize(5 + pad, b' ');
                            let want = core_fault(&text).map(|at| (Kind::InvalidUtf8, at));
                            assert_eq!(end_of(&bytes).err(), want, "{bytes:x?}");
                        }
                    }
                }
            }
        }
        assert_eq!(text[4], b'"');
    }

    #[test]
    fn every_character_passes() {
        let mut text = String::new();
        for c in '\u{80}'..=char::MAX {
            text.clear();
            text.push(c);
            text.push_str("\"        ");
            assert_eq!(end_of(text.as_bytes()), Ok((c.len_utf8(), false)), "{c:?}");
        }
    }

    #[test]
    fn faults_are_found_at_every_distance() {
        let faults: [(&[u8], Kind, usize); 8] = [
            (b"\x1f", Kind::ControlCharacter, 0),
            (b"\n", Kind::ControlCharacter, 0),
            (b"\0", Kind::ControlCharacter, 0),
            (b"\\x", Kind::InvalidEscape, 1),
            (b"\\u12g4", Kind::InvalidEscape, 4),
            (b"\\u12\xff", Kind::InvalidUtf8, 4),
            (b"\xc3(", Kind::InvalidUtf8, 0),
            (b"\xe6\x97", Kind::InvalidUtf8, 0),
        ];
        for distance in 0..200 {
            for tail in [0, 1, 7, 8, 80] {
                for (fault, kind, at) in faults {
                    let mut bytes = vec![b'a'; distance];
                    bytes.extend_from_slice(fault);
                    bytes.extend(core::iter::repeat_n(b'z', tail));
                    bytes.push(b'"');
                    assert_eq!(end_of(&bytes), Err((kind, distance + at)), "{bytes:x?}");
                }
                let mut good = vec![b'a'; distance];
                good.extend_from_slice("\\\"é日\\u0041𝄞".as_bytes());
                good.extend(core::iter::repeat_n(b'z', tail));
                let quote = good.len();
                assert_eq!(end_of(&good), Err((Kind::UnexpectedEnd, quote)));
                good.push(b'"');
                assert_eq!(end_of(&good), Ok((quote, true)));
            }
        }
    }

    #[test]
    fn an_escape_cut_off_by_the_end_is_an_early_end() {
        for cut in ["\\", "\\u", "\\u0", "\\u00e"] {
            assert_eq!(
                end_of(cut.as_bytes()),
                Err((Kind::UnexpectedEnd, cut.len()))
            );
        }
    }

    #[test]
    fn surrogate_escapes_are_text_in_pairs_alone() {
        let digits = "0123456789abcdefABCDEF";
        let is_text = |inner: &str| {
            let raw = format!("{inner}\"");
            let end = string_end::<true>(raw.as_bytes(), 0).unwrap();
            assert_eq!((end.quote(), end.is_escaped()), (inner.len(), true));
            assert_eq!(
                end.is_text(),
                super::super::JsonStr::from_checked(&format!("\"{inner}\"")).is_text(),
                "{inner}"
            );
            end.is_text()
        };
        let mut pairs = 0;
        for high in digits.chars() {
            for low in digits.chars() {
                pairs += u32::from(is_text(&format!("\\ud{high}00\\uD{low}fF")));
                assert!(is_text(&format!("\\ue{high}00\\u0{low}fF")));
            }
        }
        // 8, 9, a, b, A, B before c to f and C to F; and two that are below the surrogates (0 to 7).
        assert_eq!(pairs, 6 * 8 + 8 * 8);
        for half in [
            "\\ud83d",
            "\\ud83dx",
            "\\ud83d\\n",
            "\\ud83d\\u0041",
            "\\ude00\\ud83d",
        ] {
            assert!(!is_text(half));
            assert!(!is_text(&format!("{half}\\ud83d\\ude00")), "{half}");
        }
    }
}
