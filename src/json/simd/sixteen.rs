//! Sixteen bytes of a string at a time: by SSE2 on x86-64, where every processor has it, and by a plain twin elsewhere.

/// The index of the first byte that ends a plain run of a string: a quote, a backslash, a control character, or a byte of a
/// non-ASCII character.
///
/// `VECTORS` is false where the plain twin is wanted in spite of the processor.
#[inline(always)]
pub(crate) fn first_string_mark<const VECTORS: bool>(bytes: &[u8; 16]) -> Option<usize> {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if VECTORS {
        return sse2(bytes);
    }
    plain(bytes)
}

/// By two words of eight.
#[inline(always)]
fn plain(bytes: &[u8; 16]) -> Option<usize> {
    use crate::json::word::{first_mark, string_marks, word_or_zeros};
    let marks = string_marks(word_or_zeros(bytes, 0));
    if marks != 0 {
        return Some(first_mark(marks));
    }
    match string_marks(word_or_zeros(bytes, 8)) {
        0 => None,
        marks => Some(8 + first_mark(marks)),
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn sse2(bytes: &[u8; 16]) -> Option<usize> {
    use core::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8,
    };
    // SAFETY: `_mm_loadu_si128` reads sixteen bytes from an address of any alignment: the reference is to as many. SSE2,
    // which all of these need, is there: the function is compiled for it alone.
    let marks = unsafe {
        let block = _mm_loadu_si128(bytes.as_ptr().cast::<__m128i>());
        let quote = _mm_cmpeq_epi8(block, _mm_set1_epi8(b'"' as i8));
        let backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8(b'\\' as i8));
        // As a signed number, a byte below 0x20 is a control character or part of a non-ASCII character.
        let low = _mm_cmplt_epi8(block, _mm_set1_epi8(0x20));
        _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), low))
    };
    (marks != 0).then_some(marks.trailing_zeros() as usize)
}

/// One bit for each quote and backslash, the first byte the lowest.
#[inline(always)]
pub(crate) fn quotes(bytes: &[u8; 16]) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    return quotes_sse2(bytes);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    quotes_plain(bytes)
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
#[inline(always)]
fn quotes_plain(bytes: &[u8; 16]) -> u32 {
    let mut marks = 0;
    for (i, &b) in bytes.iter().enumerate() {
        marks |= u32::from(b == b'"' || b == b'\\') << i;
    }
    marks
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn quotes_sse2(bytes: &[u8; 16]) -> u32 {
    use core::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    };
    // SAFETY: `_mm_loadu_si128` reads sixteen bytes from an address of any alignment: the reference is to as many. SSE2,
    // which all of these need, is there: the function is compiled for it alone.
    let marks = unsafe {
        let block = _mm_loadu_si128(bytes.as_ptr().cast::<__m128i>());
        let quote = _mm_cmpeq_epi8(block, _mm_set1_epi8(b'"' as i8));
        let backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8(b'\\' as i8));
        _mm_movemask_epi8(_mm_or_si128(quote, backslash))
    };
    marks as u32
}

#[cfg(test)]
mod tests {
    use super::{first_string_mark, quotes, quotes_plain};

    #[test]
    fn the_twins_find_the_first_mark_of_every_byte_at_every_place() {
        for place in 0..16 {
            for b in 0..=255u8 {
                for around in [b'x', 0x7F, b'"', 0x1F, 0x80] {
                    let mut bytes = [around; 16];
                    bytes[place] = b;
                    let is_mark = |b: &u8| *b == b'"' || *b == b'\\' || !(0x20..0x80).contains(b);
                    let want = bytes.iter().position(is_mark);
                    assert_eq!(first_string_mark::<true>(&bytes), want, "{bytes:x?}");
                    assert_eq!(first_string_mark::<false>(&bytes), want, "{bytes:x?}");
                    let is_quote = |b: &u8| *b == b'"' || *b == b'\\';
                    let want = (0..16)
                        .filter(|&i| is_quote(&bytes[i]))
                        .fold(0, |m, i| m | 1 << i);
                    assert_eq!(quotes(&bytes), want, "{bytes:x?}");
                    assert_eq!(quotes_plain(&bytes), want, "{bytes:x?}");
                }
            }
        }
    }
}
