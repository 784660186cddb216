//! The plain twin: no instruction set at all.

use super::buffer::Spare;
use super::isa::{BLOCK, Isa, NumberMarks, StringMarks, StructureMarks, TokenMarks};
use core::mem::MaybeUninit;

/// Every processor has what this needs. Too slow to be taken: the exact scanner is the plain way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plain;

/// One bit for each byte of which `is` says yes.
#[inline(always)]
fn marks(block: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
    let mut marks = 0;
    for (i, &b) in block.iter().enumerate() {
        marks |= u64::from(is(b)) << i;
    }
    marks
}

// SAFETY: `compress` writes a place for each mark.
#[allow(unsafe_code)]
unsafe impl Isa for Plain {
    type Block = [u8; BLOCK];
    const CHECKS_UTF8: bool = false;

    #[inline(always)]
    fn load(self, bytes: &[u8; BLOCK]) -> [u8; BLOCK] {
        *bytes
    }

    #[inline(always)]
    fn string_marks(self, block: [u8; BLOCK]) -> StringMarks {
        StringMarks {
            quote: marks(&block, |b| b == b'"'),
            backslash: marks(&block, |b| b == b'\\'),
            control: marks(&block, |b| b < 0x20),
            non_ascii: marks(&block, |b| b >= 0x80),
        }
    }

    #[inline(always)]
    fn has_string_mark(self, block: [u8; BLOCK]) -> bool {
        block
            .iter()
            .any(|&b| b == b'"' || b == b'\\' || !(0x20..0x80).contains(&b))
    }

    #[inline(always)]
    fn structure_marks(self, block: [u8; BLOCK]) -> StructureMarks {
        StructureMarks {
            space: marks(&block, |b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')),
            operator: marks(&block, |b| matches!(b | 0x20, b'{' | b'}' | b':' | b',')),
        }
    }

    #[inline(always)]
    fn number_marks(self, block: [u8; BLOCK]) -> NumberMarks {
        NumberMarks {
            digit: marks(&block, |b| b.is_ascii_digit()),
            zero: marks(&block, |b| b == b'0'),
            dot: marks(&block, |b| b == b'.'),
            exponent: marks(&block, |b| b == b'e' || b == b'E'),
            plus: marks(&block, |b| b == b'+'),
            minus: marks(&block, |b| b == b'-'),
        }
    }

    #[inline(always)]
    fn escape_marks(self, block: [u8; BLOCK]) -> u64 {
        marks(&block, |b| {
            matches!(
                b,
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'u'
            )
        })
    }

    #[inline(always)]
    fn u_marks(self, block: [u8; BLOCK]) -> u64 {
        marks(&block, |b| b == b'u')
    }

    #[inline(always)]
    fn hex_marks(self, block: [u8; BLOCK]) -> u64 {
        marks(&block, |b| b.is_ascii_hexdigit())
    }

    #[inline(always)]
    fn token_marks(self, tokens: &[u8; BLOCK]) -> TokenMarks {
        TokenMarks {
            string: marks(tokens, |b| b == b'"'),
            comma: marks(tokens, |b| b == b','),
            colon: marks(tokens, |b| b == b':'),
            open: marks(tokens, |b| matches!(b, b'{' | b'[')),
            close: marks(tokens, |b| matches!(b, b'}' | b']')),
            brace: marks(tokens, |b| b & 0x20 != 0),
        }
    }

    #[inline(always)]
    fn prefix_xor(self, bits: u64) -> u64 {
        prefix_xor(bits)
    }

    #[inline(always)]
    fn compress(self, block: [u8; BLOCK], marks: u64, base: u32, spare: &mut Spare<'_>) {
        compress(&block, marks, base, spare);
    }
}

/// In six steps, each of which doubles how far a bit reaches.
#[inline(always)]
pub(super) const fn prefix_xor(mut bits: u64) -> u64 {
    let mut reach = 1;
    while reach < 64 {
        bits ^= bits << reach;
        reach *= 2;
    }
    bits
}

/// One place after the other.
#[inline(always)]
pub(super) fn compress(block: &[u8; BLOCK], mut marks: u64, base: u32, spare: &mut Spare<'_>) {
    for (kind, offset) in spare.kinds.iter_mut().zip(spare.offsets.iter_mut()) {
        if marks == 0 {
            return;
        }
        let i = marks.trailing_zeros();
        marks &= marks - 1;
        *kind = MaybeUninit::new(block.get(i as usize).copied().unwrap_or(0));
        *offset = MaybeUninit::new(base + i);
    }
}
