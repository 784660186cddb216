//! Bytes classified sixteen at a time: by SSE2 on x86-64, where every processor has it, and by a plain twin elsewhere, to which
//! a test holds it.

#![allow(unsafe_code)]

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) use plain::string_marks;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use sse2::string_marks;

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod plain {
    /// One bit for each byte, the first the lowest: it ends a plain run of a string. That is a quote, a backslash, a control
    /// character, or a byte of a non-ASCII character.
    #[inline(always)]
    pub(crate) fn string_marks(bytes: &[u8; 16]) -> u32 {
        let mut marks = 0;
        for (i, &b) in bytes.iter().enumerate() {
            let is_end = b == b'"' || b == b'\\' || !(0x20..0x80).contains(&b);
            marks |= u32::from(is_end) << i;
        }
        marks
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2 {
    use core::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_cmplt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
        _mm_set1_epi8,
    };

    /// As its twin in `plain`.
    #[inline(always)]
    pub(crate) fn string_marks(bytes: &[u8; 16]) -> u32 {
        // SAFETY: `_mm_loadu_si128` reads sixteen bytes from an address of any alignment: the reference is to as many. SSE2,
        // which all of these need, is there: the module is compiled for it alone.
        let marks = unsafe {
            let block = _mm_loadu_si128(bytes.as_ptr().cast::<__m128i>());
            let quote = _mm_cmpeq_epi8(block, _mm_set1_epi8(b'"' as i8));
            let backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8(b'\\' as i8));
            // As a signed number, a byte below 0x20 is a control character or part of a non-ASCII character.
            let low = _mm_cmplt_epi8(block, _mm_set1_epi8(0x20));
            _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), low))
        };
        marks as u32
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_twins_agree_on_every_byte_at_every_place() {
        for place in 0..16 {
            for b in 0..=255u8 {
                for around in [b'x', 0x7F, b'"', 0x1F, 0x80] {
                    let mut bytes = [around; 16];
                    bytes[place] = b;
                    assert_eq!(
                        super::string_marks(&bytes),
                        super::plain::string_marks(&bytes)
                    );
                }
            }
        }
    }
}
