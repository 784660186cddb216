//! The text as tokens, as far as they have been found.

use super::Unsure;
use super::grammar::Before;
use super::number::NumberCarry;
use crate::json::simd::{Blocks, TokenBuffer};

/// A stretch of the tokens of a text, in order. Each is known by its first byte and its offset: an opening quote, one of
/// `{}[]:,`, or the first byte of anything else that is not white space.
pub(crate) struct Window<'a, 'b> {
    pub(super) bytes: &'a [u8],
    pub(super) blocks: Blocks,
    /// Where the next block begins. All before it are tokens, or have been.
    pub(super) next: usize,
    pub(super) carry: Carry,
    /// Not 0 if anything is bad.
    pub(super) faults: u64,
    /// The first backslash, and one behind the last; the text's end and 0 if there is none.
    pub(super) first_backslash: usize,
    pub(super) last_backslash: usize,
    /// The first block with a non-ASCII character, and the end of the last, if UTF-8 is left unchecked by the block.
    pub(super) non_ascii: core::ops::Range<usize>,
    /// Numbers from here on are checked by the block; those before it one by one.
    pub(super) numbers_from: usize,
    pub(super) is_ended: bool,
    pub(super) tokens: &'b mut TokenBuffer,
    pub(super) before: Before,
}

/// What one block has to know of those before it.
#[derive(Clone, Copy, Default)]
pub(super) struct Carry {
    /// All ones within a string.
    pub(super) in_string: u64,
    /// 1 if the first byte is escaped.
    pub(super) escaped: u64,
    /// The lowest bits: bytes that have to be hexadecimal digits.
    pub(super) hex: u64,
    /// 1 if the last byte was of a token that is neither string nor operator.
    pub(super) scalar: u64,
    /// The non-ASCII bytes of the block before.
    pub(super) non_ascii: u64,
    pub(super) number: NumberCarry,
}

impl<'a, 'b> Window<'a, 'b> {
    /// `tokens` is new.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], blocks: Blocks, tokens: &'b mut TokenBuffer) -> Self {
        Self {
            bytes,
            blocks,
            next: 0,
            carry: Carry::default(),
            faults: 0,
            first_backslash: bytes.len(),
            last_backslash: 0,
            non_ascii: bytes.len()..0,
            numbers_from: usize::MAX,
            is_ended: false,
            tokens,
            before: Before::START,
        }
    }

    /// Finds more tokens. Those whose word has been told are dropped, but for the last 64: how many.
    #[cold]
    #[inline(never)]
    pub(super) fn refill(&mut self) -> Result<usize, Unsure> {
        if self.is_ended {
            return Err(Unsure);
        }
        let retired = self.tokens.retire();
        self.fill();
        Ok(retired)
    }

    /// Finds tokens until there is no more room, or the text ends.
    #[inline(always)]
    pub(crate) fn fill(&mut self) {
        self.blocks.fill(self);
    }

    /// Whether everything was good, once the text has ended.
    #[inline(always)]
    pub(super) fn is_good(&self) -> bool {
        let is_whole = self.is_ended && self.carry.in_string == 0 && self.faults == 0;
        is_whole && (self.non_ascii.is_empty() || self.is_utf8())
    }

    #[cold]
    fn is_utf8(&self) -> bool {
        let text = self.bytes.get(self.non_ascii.clone()).unwrap_or(&[]);
        crate::json::string::is_utf8(text)
    }
}

/// What a parse takes of the stack, but for what the functions themselves need.
const _: () = assert!(size_of::<TokenBuffer>() + size_of::<Window<'_, '_>>() <= 4096);
