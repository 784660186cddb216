//! AVX2, with BMI1, BMI2 and PCLMULQDQ, which every processor with AVX2 has (Haswell and Zen and later).

use super::buffer::Spare;
use super::isa::{BLOCK, Isa, NumberMarks, StringMarks, StructureMarks, TokenMarks};
use super::with::{delegate, functions};
use super::{by_low_bits, utf8};
use crate::json::tokens::Window;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// This processor has AVX2, BMI1, BMI2, LZCNT, POPCNT and PCLMULQDQ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx2(());

impl Avx2 {
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

/// The lower and the upper half of a block.
type Halves = [__m256i; 2];

functions! { ("avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "pclmulqdq");
    fn load(bytes: &[u8; BLOCK]) -> Halves {
        // SAFETY: each reads 32 bytes from an address of any alignment, the second from 32 on; the reference is to 64.
        unsafe {
            let start = bytes.as_ptr().cast::<__m256i>();
            [_mm256_loadu_si256(start), _mm256_loadu_si256(start.add(1))]
        }
    }

    /// The highest bits of all bytes.
    fn bits(halves: Halves) -> u64 {
        let [low, high] = halves;
        let low = _mm256_movemask_epi8(low) as u32;
        let high = _mm256_movemask_epi8(high) as u32;
        u64::from(low) | u64::from(high) << 32
    }

    fn equal(block: Halves, byte: u8) -> Halves {
        let [low, high] = block;
        let byte = _mm256_set1_epi8(byte as i8);
        [_mm256_cmpeq_epi8(low, byte), _mm256_cmpeq_epi8(high, byte)]
    }

    fn same(one: Halves, other: Halves) -> Halves {
        [_mm256_cmpeq_epi8(one[0], other[0]), _mm256_cmpeq_epi8(one[1], other[1])]
    }

    fn or(one: Halves, other: Halves) -> Halves {
        [_mm256_or_si256(one[0], other[0]), _mm256_or_si256(one[1], other[1])]
    }

    fn with_bit5(block: Halves) -> Halves {
        let [low, high] = block;
        let bit = _mm256_set1_epi8(0x20);
        [_mm256_or_si256(low, bit), _mm256_or_si256(high, bit)]
    }

    /// The bytes from `first` to `last`.
    fn within(block: Halves, first: u8, last: u8) -> Halves {
        let [low, high] = block;
        let first_byte = _mm256_set1_epi8(first as i8);
        let most = _mm256_set1_epi8((last - first) as i8);
        let is_within = |bytes: __m256i| {
            let from_first = _mm256_sub_epi8(bytes, first_byte);
            _mm256_cmpeq_epi8(_mm256_min_epu8(from_first, most), from_first)
        };
        [is_within(low), is_within(high)]
    }

    fn lookup(table: &[u8; 16], block: Halves) -> Halves {
        let [low, high] = block;
        let table = lanes(table);
        [_mm256_shuffle_epi8(table, low), _mm256_shuffle_epi8(table, high)]
    }

    fn lanes(table: &[u8; 16]) -> __m256i {
        // SAFETY: reads sixteen bytes from an address of any alignment; the reference is to as many.
        let table = unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
        _mm256_broadcastsi128_si256(table)
    }

    fn string_marks(block: Halves) -> StringMarks {
        StringMarks {
            quote: bits(equal(block, b'"')),
            backslash: bits(equal(block, b'\\')),
            control: bits(within(block, 0, 0x1F)),
            non_ascii: bits(block),
        }
    }

    fn has_string_mark(block: Halves) -> bool {
        // As a signed number, a byte below 0x20 is a control character or part of a non-ASCII character.
        let lowest = _mm256_set1_epi8(0x20);
        let low = [_mm256_cmpgt_epi8(lowest, block[0]), _mm256_cmpgt_epi8(lowest, block[1])];
        let [low, high] = or(low, or(equal(block, b'"'), equal(block, b'\\')));
        _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0
    }

    fn structure_marks(block: Halves) -> StructureMarks {
        // By the low four bits, the byte that has them. Where none has, 0, which has others.
        StructureMarks {
            space: bits(same(block, lookup(&by_low_bits::SPACES, block))),
            operator: bits(same(with_bit5(block), lookup(&by_low_bits::OPERATORS, block))),
        }
    }

    fn number_marks(block: Halves) -> NumberMarks {
        NumberMarks {
            digit: bits(within(block, b'0', b'9')),
            zero: bits(equal(block, b'0')),
            dot: bits(equal(block, b'.')),
            exponent: bits(equal(with_bit5(block), b'e')),
            plus: bits(equal(block, b'+')),
            minus: bits(equal(block, b'-')),
        }
    }

    fn escape_marks(block: Halves) -> u64 {
        let others = or(equal(block, b'b'), equal(block, b'r'));
        bits(or(same(block, lookup(&by_low_bits::ESCAPES, block)), others))
    }

    fn u_marks(block: Halves) -> u64 {
        bits(equal(block, b'u'))
    }

    fn hex_marks(block: Halves) -> u64 {
        bits(or(within(block, b'0', b'9'), within(with_bit5(block), b'a', b'f')))
    }

    fn token_marks(tokens: &[u8; BLOCK]) -> TokenMarks {
        let block = load(tokens);
        let either = with_bit5(block);
        TokenMarks {
            string: bits(equal(block, b'"')),
            comma: bits(equal(block, b',')),
            colon: bits(equal(block, b':')),
            open: bits(equal(either, b'{')),
            close: bits(equal(either, b'}')),
            brace: bits(same(block, either)),
        }
    }

    fn prefix_xor(bits: u64) -> u64 {
        let product = _mm_clmulepi64_si128::<0>(_mm_set_epi64x(0, bits as i64), _mm_set1_epi8(-1));
        _mm_cvtsi128_si64(product) as u64
    }

    /// Eight bytes at a time, whatever is marked of them: the places of those that are not are written over.
    fn compress(block: Halves, marks: u64, base: u32, spare: &mut Spare<'_>) -> () {
        let quarters = [
            _mm256_castsi256_si128(block[0]),
            _mm256_extracti128_si256::<1>(block[0]),
            _mm256_castsi256_si128(block[1]),
            _mm256_extracti128_si256::<1>(block[1]),
        ];
        let mut at = 0;
        for (i, quarter) in quarters.into_iter().enumerate() {
            at = compress_eight(quarter, (marks >> (16 * i)) as u8, base + 16 * i as u32, spare, at);
            let upper = _mm_unpackhi_epi64(quarter, quarter);
            at = compress_eight(upper, (marks >> (16 * i + 8)) as u8, base + 16 * i as u32 + 8, spare, at);
        }
    }

    /// Eight bytes from place `at` on, at most 56. Gives the place behind those that are marked.
    fn compress_eight(bytes: __m128i, marks: u8, base: u32, spare: &mut Spare<'_>, at: usize) -> usize {
        let indexes = _mm_cvtsi64_si128(INDEXES.get(usize::from(marks)).copied().unwrap_or(0) as i64);
        let kinds = _mm_shuffle_epi8(bytes, indexes);
        let offsets = _mm256_add_epi32(_mm256_cvtepu8_epi32(indexes), _mm256_set1_epi32(base as i32));
        let (Some(kind_places), Some(offset_places)) = (eight_from(spare.kinds, at), eight_from(spare.offsets, at)) else {
            return at;
        };
        // SAFETY: each writes to an address of any alignment, eight bytes and eight times four; the references are to as
        // many places.
        unsafe {
            _mm_storel_epi64(kind_places.as_mut_ptr().cast(), kinds);
            _mm256_storeu_si256(offset_places.as_mut_ptr().cast(), offsets);
        }
        at + marks.count_ones() as usize
    }

    fn fill(window: &mut Window<'_, '_>) -> () {
        crate::json::tokens::fill(Avx2(()), window);
    }

    fn container_end(bytes: &[u8], start: usize) -> usize {
        crate::json::trusted::container_end(Avx2(()), bytes, start)
    }

    fn string_end(bytes: &[u8], start: usize) -> usize {
        crate::json::trusted::string_end(Avx2(()), bytes, start)
    }

    fn is_bad_utf8(block: Halves, one: Halves, two: Halves, three: Halves) -> bool {
        let nibble = _mm256_set1_epi8(0x0F);
        let high_half = |bytes: __m256i| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibble);
        let (first_high, first_low, second_high) = (lanes(&utf8::FIRST_HIGH), lanes(&utf8::FIRST_LOW), lanes(&utf8::SECOND_HIGH));
        // Only leads of three and four bytes keep their highest bit where these are subtracted.
        let (lead3, lead4) = (_mm256_set1_epi8((utf8::LEAD_OF_THREE - 0x80) as i8), _mm256_set1_epi8((utf8::LEAD_OF_FOUR - 0x80) as i8));
        let faults = |block: __m256i, one: __m256i, two: __m256i, three: __m256i| {
            let pairs = _mm256_and_si256(
                _mm256_and_si256(
                    _mm256_shuffle_epi8(first_high, high_half(one)),
                    _mm256_shuffle_epi8(first_low, _mm256_and_si256(one, nibble)),
                ),
                _mm256_shuffle_epi8(second_high, high_half(block)),
            );
            let follows = _mm256_or_si256(_mm256_subs_epu8(two, lead3), _mm256_subs_epu8(three, lead4));
            _mm256_xor_si256(pairs, _mm256_and_si256(follows, _mm256_set1_epi8(i8::MIN)))
        };
        let faults = _mm256_or_si256(
            faults(block[0], one[0], two[0], three[0]),
            faults(block[1], one[1], two[1], three[1]),
        );
        _mm256_testz_si256(faults, faults) == 0
    }
}

#[inline(always)]
fn eight_from<T>(
    places: &mut [MaybeUninit<T>; BLOCK],
    at: usize,
) -> Option<&mut [MaybeUninit<T>; 8]> {
    places.get_mut(at..)?.first_chunk_mut()
}

/// For each set of eight bytes, their indexes one behind the other, the first the lowest byte.
#[allow(clippy::indexing_slicing)] // at compile time
static INDEXES: [u64; 256] = {
    let mut table = [0; 256];
    let mut set = 0;
    while set < 256 {
        let (mut i, mut n) = (0, 0);
        while i < 8 {
            if set >> i & 1 == 1 {
                table[set] |= i << (8 * n);
                n += 1;
            }
            i += 1;
        }
        set += 1;
    }
    table
};

// SAFETY: `compress` writes eight places for every eight bytes, the first ones for those that are marked, and goes on behind
// them.
unsafe impl Isa for Avx2 {
    type Block = Halves;
    const CHECKS_UTF8: bool = true;

    delegate! {
        fn load(bytes: &[u8; BLOCK]) -> Halves;
        fn string_marks(block: Halves) -> StringMarks;
        fn has_string_mark(block: Halves) -> bool;
        fn structure_marks(block: Halves) -> StructureMarks;
        fn number_marks(block: Halves) -> NumberMarks;
        fn escape_marks(block: Halves) -> u64;
        fn u_marks(block: Halves) -> u64;
        fn hex_marks(block: Halves) -> u64;
        fn token_marks(tokens: &[u8; BLOCK]) -> TokenMarks;
        fn prefix_xor(bits: u64) -> u64;
        fn compress(block: Halves, marks: u64, base: u32, spare: &mut Spare<'_>) -> ();
        fn is_bad_utf8(block: Halves, one: Halves, two: Halves, three: Halves) -> bool;
    }
}

impl Avx2 {
    delegate! {
        pub(super) fn fill(window: &mut Window<'_, '_>) -> ();
        pub(super) fn container_end(bytes: &[u8], start: usize) -> usize;
        pub(super) fn string_end(bytes: &[u8], start: usize) -> usize;
    }
}
