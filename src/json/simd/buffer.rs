//! Where tokens are put: their first bytes and their offsets, one behind the other. Places are written when there is a token
//! for them, so a small message does not pay for a large buffer.

use super::isa::{BLOCK, Isa};
use crate::json::tokens::Word;
use core::mem::MaybeUninit;

/// A block of tokens is added as long as there are no more than this.
pub(crate) const CAPACITY: usize = 512;
/// One block past that, and one of zeros behind the last.
const ALL: usize = CAPACITY + 2 * BLOCK;
/// A word for 64 tokens, and one more for what is told of a token three later.
const WORDS: usize = (CAPACITY + BLOCK) / BLOCK + 1;

/// Tokens: of each its first byte and its offset in the text.
///
/// Invariant: the first `written` places of `kinds` and `offsets` are initialised, and the first `told` of `words`;
/// `len <= written <= ALL`, `len <= CAPACITY + BLOCK`, `told <= WORDS`.
pub(crate) struct TokenBuffer {
    len: usize,
    written: usize,
    told: usize,
    kinds: [MaybeUninit<u8>; ALL],
    offsets: [MaybeUninit<u32>; ALL],
    words: [MaybeUninit<Word>; WORDS],
}

/// The places for one block of tokens.
pub(crate) struct Spare<'a> {
    pub(super) kinds: &'a mut [MaybeUninit<u8>; BLOCK],
    pub(super) offsets: &'a mut [MaybeUninit<u32>; BLOCK],
}

impl TokenBuffer {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self {
            len: 0,
            written: 0,
            told: 0,
            words: [MaybeUninit::uninit(); WORDS],
            kinds: [MaybeUninit::uninit(); ALL],
            offsets: [MaybeUninit::uninit(); ALL],
        }
    }

    /// How many tokens there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The first byte of a token; 0 past the last one.
    #[inline(always)]
    pub(crate) fn kind(&self, i: usize) -> u8 {
        if i >= self.written {
            return 0;
        }
        // SAFETY: the place is one of the first `written`. So it is there, as `written <= ALL`, and initialised.
        unsafe { self.kinds.get_unchecked(i).assume_init() }
    }

    /// The offset of a token; 0 past the last one.
    #[inline(always)]
    pub(crate) fn offset(&self, i: usize) -> u32 {
        if i >= self.written {
            return 0;
        }
        // SAFETY: as for `kind`.
        unsafe { self.offsets.get_unchecked(i).assume_init() }
    }

    /// Four tokens that follow each other: their kinds, the first the lowest byte, and their offsets. Zeros where there are
    /// not as many.
    #[inline(always)]
    pub(crate) fn four(&self, i: usize) -> (u32, [u32; 4]) {
        if self.written < 4 || i > self.written - 4 {
            return (0, [0; 4]);
        }
        // SAFETY: `i + 4 <= written <= ALL`. So four places are there from `i` on, and initialised: four bytes may be read
        // there, and four numbers, of any alignment.
        unsafe {
            let kinds = self.kinds.as_ptr().add(i).cast::<[u8; 4]>().read();
            let offsets = self.offsets.as_ptr().add(i).cast::<[u32; 4]>().read();
            (u32::from_le_bytes(kinds), offsets)
        }
    }

    /// The kinds of the tokens from `64 * word` on, if as many places are written.
    #[inline(always)]
    pub(crate) fn kinds_of_word(&self, word: usize) -> Option<&[u8; BLOCK]> {
        let start = word * BLOCK;
        if start + BLOCK > self.written {
            return None;
        }
        let kinds = self.kinds.get(start..)?.first_chunk::<BLOCK>()?;
        // SAFETY: `MaybeUninit<u8>` has the layout of `u8`, and all of these places are initialised: they end at
        // `written` or before.
        Some(unsafe { &*core::ptr::from_ref(kinds).cast::<[u8; BLOCK]>() })
    }

    /// Adds the marked bytes of a block as tokens, whose offsets are their indexes plus `base`. Nothing, if there are more
    /// than [`CAPACITY`] already.
    #[inline(always)]
    pub(crate) fn append<I: Isa>(&mut self, isa: I, block: I::Block, marks: u64, base: u32) {
        if self.len > CAPACITY {
            return;
        }
        // SAFETY: `len + BLOCK <= CAPACITY + BLOCK < ALL`, so as many places are there. Both are borrowed from `self`, which
        // nobody else uses meanwhile.
        let mut spare = unsafe {
            Spare {
                kinds: &mut *self.kinds.as_mut_ptr().add(self.len).cast(),
                offsets: &mut *self.offsets.as_mut_ptr().add(self.len).cast(),
            }
        };
        isa.compress(block, marks, base, &mut spare);
        // `compress` has initialised as many places as there are marks.
        self.len += marks.count_ones() as usize;
        self.written = self.len;
    }

    /// Writes a block behind the last token: of kind 0, at `end`.
    #[inline(always)]
    pub(crate) fn pad(&mut self, end: u32) {
        let places = self
            .kinds
            .get_mut(self.len..)
            .and_then(|kinds| kinds.first_chunk_mut::<BLOCK>());
        let others = self
            .offsets
            .get_mut(self.len..)
            .and_then(|offsets| offsets.first_chunk_mut::<BLOCK>());
        if let (Some(kinds), Some(offsets)) = (places, others) {
            *kinds = [MaybeUninit::new(0); BLOCK];
            *offsets = [MaybeUninit::new(end); BLOCK];
            self.written = self.len + BLOCK;
        }
    }

    /// How many words have been told.
    #[inline(always)]
    pub(crate) fn told(&self) -> usize {
        self.told
    }

    /// What has been told of the 64 tokens before `64 * i + 61`.
    #[inline(always)]
    pub(crate) fn word(&self, i: usize) -> Option<&Word> {
        match self.words.get(i) {
            // SAFETY: `assume_init_ref` wants the place initialised. It is one of the first `told`, which are.
            Some(word) if i < self.told => Some(unsafe { word.assume_init_ref() }),
            _ => None,
        }
    }

    #[inline(always)]
    pub(crate) fn tell(&mut self, word: Word) {
        if let Some(place) = self.words.get_mut(self.told) {
            *place = MaybeUninit::new(word);
            self.told += 1;
        }
    }

    /// Drops the tokens of all words that have been told but of the last one; those behind them move to the front. How
    /// many are dropped.
    pub(crate) fn retire(&mut self) -> usize {
        let words = self.told.saturating_sub(1);
        self.words.copy_within(words..self.told, 0);
        self.told -= words;
        let n = (words * BLOCK).min(self.len);
        self.kinds.copy_within(n..self.len, 0);
        self.offsets.copy_within(n..self.len, 0);
        self.len -= n;
        self.written = self.len;
        n
    }
}
