//! AVX-512, with its byte compression (VBMI2: Ice Lake and Zen 4 and later).

use super::buffer::Spare;
use super::isa::{BLOCK, Isa, NumberMarks, StringMarks, StructureMarks, TokenMarks};
use super::with::{delegate, functions};
use super::{by_low_bits, utf8};
use crate::json::tokens::Window;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// This processor has AVX-512 F, BW, VL and VBMI2, AVX2, BMI1, BMI2, LZCNT, POPCNT and PCLMULQDQ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// Whether the processor has it.
    pub(super) fn is_there() -> bool {
        with::are_there()
    }

    /// The proof.
    ///
    /// # Safety
    /// The processor has to have it: it has been asked, or the crate is compiled for such processors alone.
    #[inline(always)]
    pub(super) const unsafe fn proven() -> Self {
        Self(())
    }
}

functions! { ("avx512f" "avx512bw" "avx512vl" "avx512vbmi2" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "pclmulqdq");
    fn load(bytes: &[u8; BLOCK]) -> __m512i {
        // SAFETY: reads 64 bytes from an address of any alignment; the reference is to as many.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    fn load_last(bytes: &[u8]) -> __m512i {
        let mask = !(u64::MAX.checked_shl(bytes.len() as u32).unwrap_or(0));
        // SAFETY: reads the bytes that the mask has, the lowest `len` at the most, and no others: the instruction does
        // not touch what is masked out. The slice has as many.
        unsafe { _mm512_mask_loadu_epi8(_mm512_set1_epi8(b' ' as i8), mask, bytes.as_ptr().cast()) }
    }

    fn equal(block: __m512i, byte: u8) -> u64 {
        _mm512_cmpeq_epi8_mask(block, _mm512_set1_epi8(byte as i8))
    }

    fn string_marks(block: __m512i) -> StringMarks {
        StringMarks {
            quote: equal(block, b'"'),
            backslash: equal(block, b'\\'),
            control: _mm512_cmplt_epu8_mask(block, _mm512_set1_epi8(0x20)),
            non_ascii: _mm512_movepi8_mask(block),
        }
    }

    fn has_string_mark(block: __m512i) -> bool {
        // As a signed number, a byte below 0x20 is a control character or part of a non-ASCII character.
        let low = _mm512_cmplt_epi8_mask(block, _mm512_set1_epi8(0x20));
        low | equal(block, b'"') | equal(block, b'\\') != 0
    }

    fn structure_marks(block: __m512i) -> StructureMarks {
        // By the low four bits, the byte that has them. Where none has, 0, which has others.
        let either = _mm512_or_si512(block, _mm512_set1_epi8(0x20));
        StructureMarks {
            space: _mm512_cmpeq_epi8_mask(block, _mm512_shuffle_epi8(lanes(&by_low_bits::SPACES), block)),
            operator: _mm512_cmpeq_epi8_mask(either, _mm512_shuffle_epi8(lanes(&by_low_bits::OPERATORS), block)),
        }
    }

    fn number_marks(block: __m512i) -> NumberMarks {
        let from_zero = _mm512_sub_epi8(block, _mm512_set1_epi8(b'0' as i8));
        NumberMarks {
            digit: _mm512_cmplt_epu8_mask(from_zero, _mm512_set1_epi8(10)),
            zero: equal(block, b'0'),
            dot: equal(block, b'.'),
            exponent: equal(_mm512_or_si512(block, _mm512_set1_epi8(0x20)), b'e'),
            plus: equal(block, b'+'),
            minus: equal(block, b'-'),
        }
    }

    fn escape_marks(block: __m512i) -> u64 {
        // The same for these. `b` and `r` share their low bits with the quote.
        let escapes = _mm512_shuffle_epi8(lanes(&by_low_bits::ESCAPES), block);
        _mm512_cmpeq_epi8_mask(block, escapes) | equal(block, b'b') | equal(block, b'r')
    }

    fn u_marks(block: __m512i) -> u64 {
        equal(block, b'u')
    }

    fn hex_marks(block: __m512i) -> u64 {
        let from_zero = _mm512_sub_epi8(block, _mm512_set1_epi8(b'0' as i8));
        let from_a = _mm512_sub_epi8(_mm512_or_si512(block, _mm512_set1_epi8(0x20)), _mm512_set1_epi8(b'a' as i8));
        _mm512_cmplt_epu8_mask(from_zero, _mm512_set1_epi8(10)) | _mm512_cmplt_epu8_mask(from_a, _mm512_set1_epi8(6))
    }

    fn token_marks(tokens: &[u8; BLOCK]) -> TokenMarks {
        let block = load(tokens);
        let either = _mm512_or_si512(block, _mm512_set1_epi8(0x20));
        TokenMarks {
            string: equal(block, b'"'),
            comma: equal(block, b','),
            colon: equal(block, b':'),
            open: equal(either, b'{'),
            close: equal(either, b'}'),
            brace: _mm512_test_epi8_mask(block, _mm512_set1_epi8(0x20)),
        }
    }

    fn prefix_xor(bits: u64) -> u64 {
        let product = _mm_clmulepi64_si128::<0>(_mm_set_epi64x(0, bits as i64), _mm_set1_epi8(-1));
        _mm_cvtsi128_si64(product) as u64
    }

    fn compress(block: __m512i, marks: u64, base: u32, spare: &mut Spare<'_>) -> () {
        let indexes = load(&INDEXES);
        let indexes = _mm512_maskz_compress_epi8(marks, indexes);
        let base = _mm512_set1_epi32(base as i32);
        let kinds = _mm512_maskz_compress_epi8(marks, block);
        // SAFETY: writes 64 bytes to an address of any alignment; the reference is to as many places of a byte.
        unsafe { _mm512_storeu_si512(spare.kinds.as_mut_ptr().cast(), kinds) };
        let (quarters, _) = spare.offsets.as_chunks_mut();
        let [first, second, third, fourth] = quarters else {
            return;
        };
        store(first, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(indexes))));
        // Few blocks have more than sixteen tokens, hardly any more than 32.
        if marks.count_ones() > 16 {
            store(second, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<1>(indexes))));
            if marks.count_ones() > 32 {
                store(third, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<2>(indexes))));
                store(fourth, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<3>(indexes))));
            }
        }
    }

    fn store(places: &mut [MaybeUninit<u32>; 16], offsets: __m512i) -> () {
        // SAFETY: writes 64 bytes to an address of any alignment; the reference is to sixteen places of four.
        unsafe { _mm512_storeu_si512(places.as_mut_ptr().cast(), offsets) }
    }

    fn fill(window: &mut Window<'_, '_>) -> () {
        crate::json::tokens::fill(Avx512(()), window);
    }

    fn container_end(bytes: &[u8], start: usize) -> usize {
        crate::json::trusted::container_end(Avx512(()), bytes, start)
    }

    fn string_end(bytes: &[u8], start: usize) -> usize {
        crate::json::trusted::string_end(Avx512(()), bytes, start)
    }

    fn is_bad_utf8(block: __m512i, one: __m512i, two: __m512i, three: __m512i) -> bool {
        let nibble = _mm512_set1_epi8(0x0F);
        let high = |bytes: __m512i| _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), nibble);
        let first_high = _mm512_shuffle_epi8(lanes(&utf8::FIRST_HIGH), high(one));
        let first_low = _mm512_shuffle_epi8(lanes(&utf8::FIRST_LOW), _mm512_and_si512(one, nibble));
        let second_high = _mm512_shuffle_epi8(lanes(&utf8::SECOND_HIGH), high(block));
        let pairs = _mm512_and_si512(_mm512_and_si512(first_high, first_low), second_high);
        // Only leads of three and four bytes keep their highest bit here.
        let third = _mm512_subs_epu8(two, _mm512_set1_epi8((utf8::LEAD_OF_THREE - 0x80) as i8));
        let fourth = _mm512_subs_epu8(three, _mm512_set1_epi8((utf8::LEAD_OF_FOUR - 0x80) as i8));
        let follows = _mm512_and_si512(_mm512_or_si512(third, fourth), _mm512_set1_epi8(i8::MIN));
        _mm512_cmpneq_epi8_mask(pairs, follows) != 0
    }

    fn lanes(table: &[u8; 16]) -> __m512i {
        // SAFETY: reads sixteen bytes from an address of any alignment; the reference is to as many.
        let table = unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
        _mm512_broadcast_i32x4(table)
    }
}

/// The indexes of a block.
#[allow(clippy::indexing_slicing)] // at compile time
static INDEXES: [u8; BLOCK] = {
    let mut indexes = [0; BLOCK];
    let mut i = 0;
    while i < BLOCK {
        indexes[i] = i as u8;
        i += 1;
    }
    indexes
};

// SAFETY: `compress` writes 64 kinds, and offsets by sixteen until there are as many as marks.
unsafe impl Isa for Avx512 {
    type Block = __m512i;
    const CHECKS_UTF8: bool = true;

    delegate! {
        fn load(bytes: &[u8; BLOCK]) -> __m512i;
        fn load_last(bytes: &[u8]) -> __m512i;
        fn string_marks(block: __m512i) -> StringMarks;
        fn has_string_mark(block: __m512i) -> bool;
        fn structure_marks(block: __m512i) -> StructureMarks;
        fn number_marks(block: __m512i) -> NumberMarks;
        fn escape_marks(block: __m512i) -> u64;
        fn u_marks(block: __m512i) -> u64;
        fn hex_marks(block: __m512i) -> u64;
        fn token_marks(tokens: &[u8; BLOCK]) -> TokenMarks;
        fn prefix_xor(bits: u64) -> u64;
        fn compress(block: __m512i, marks: u64, base: u32, spare: &mut Spare<'_>) -> ();
        fn is_bad_utf8(block: __m512i, one: __m512i, two: __m512i, three: __m512i) -> bool;
    }
}

impl Avx512 {
    delegate! {
        pub(super) fn fill(window: &mut Window<'_, '_>) -> ();
        pub(super) fn container_end(bytes: &[u8], start: usize) -> usize;
        pub(super) fn string_end(bytes: &[u8], start: usize) -> usize;
    }
}
