//! What an instruction set does with a block of 64 bytes. The first byte of a block is the lowest bit of every mask.

use super::buffer::Spare;

/// Bytes of a block.
pub(crate) const BLOCK: usize = 64;

/// What ends or spoils a plain run of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StringMarks {
    pub(crate) quote: u64,
    pub(crate) backslash: u64,
    /// Below 0x20.
    pub(crate) control: u64,
    /// From 0x80 on.
    pub(crate) non_ascii: u64,
}

/// What stands between values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StructureMarks {
    /// Space, tab, line feed, carriage return.
    pub(crate) space: u64,
    /// Any of `{}[]:,`. Also 0x0C and 0x1A, which may stand nowhere: with bit 5 set they are a comma and a colon.
    pub(crate) operator: u64,
}

/// What a number is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberMarks {
    pub(crate) digit: u64,
    pub(crate) zero: u64,
    pub(crate) dot: u64,
    /// `e` or `E`.
    pub(crate) exponent: u64,
    pub(crate) plus: u64,
    pub(crate) minus: u64,
}

/// What tokens are, by their first bytes: one bit for each of 64 that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TokenMarks {
    pub(crate) string: u64,
    pub(crate) comma: u64,
    pub(crate) colon: u64,
    /// `{` or `[`.
    pub(crate) open: u64,
    /// `}` or `]`.
    pub(crate) close: u64,
    /// Any byte with bit 5 set: of brackets, the braces.
    pub(crate) brace: u64,
}

/// One instruction set. A value of such a type is the proof that this processor has it.
///
/// # Safety
/// `compress` has to initialise as many places of both arrays as `marks` has bits set.
#[allow(unsafe_code)]
pub(crate) unsafe trait Isa: Copy {
    /// 64 bytes, in registers.
    type Block: Copy;
    /// Whether [`is_bad_utf8`](Self::is_bad_utf8) is there.
    const CHECKS_UTF8: bool;

    fn load(self, bytes: &[u8; BLOCK]) -> Self::Block;

    /// A block of fewer bytes, with spaces behind them.
    #[inline(always)]
    fn load_last(self, bytes: &[u8]) -> Self::Block {
        let mut block = [b' '; BLOCK];
        let len = bytes.len().min(BLOCK);
        if let (Some(to), Some(from)) = (block.get_mut(..len), bytes.get(..len)) {
            to.copy_from_slice(from);
        }
        self.load(&block)
    }

    fn string_marks(self, block: Self::Block) -> StringMarks;

    /// Whether any byte is a quote, a backslash, a control character or not ASCII.
    fn has_string_mark(self, block: Self::Block) -> bool;

    fn structure_marks(self, block: Self::Block) -> StructureMarks;

    fn number_marks(self, block: Self::Block) -> NumberMarks;

    /// The bytes that may follow a backslash.
    fn escape_marks(self, block: Self::Block) -> u64;

    /// The letter `u`.
    fn u_marks(self, block: Self::Block) -> u64;

    /// Hexadecimal digits.
    fn hex_marks(self, block: Self::Block) -> u64;

    fn token_marks(self, tokens: &[u8; BLOCK]) -> TokenMarks;

    /// Each bit of the result is set if an odd number of the bits up to it are.
    fn prefix_xor(self, bits: u64) -> u64;

    /// Writes the marked bytes of the block one behind the other, and for each its index plus `base`.
    fn compress(self, block: Self::Block, marks: u64, base: u32, spare: &mut Spare<'_>);

    /// Whether any byte of the block can't stand behind the one, two and three bytes before it: `one`, `two` and `three`
    /// are the blocks that begin so many bytes earlier.
    #[inline(always)]
    fn is_bad_utf8(
        self,
        block: Self::Block,
        one: Self::Block,
        two: Self::Block,
        three: Self::Block,
    ) -> bool {
        let _ = (block, one, two, three);
        debug_assert!(!Self::CHECKS_UTF8);
        true
    }
}
