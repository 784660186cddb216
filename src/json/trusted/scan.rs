//! The steps through a value, for whoever drives them.

use super::{string, words};
use crate::bounds::passed;
use crate::json::raw::RawJson;
use crate::json::scan::token;
use crate::json::simd::Blocks;
use crate::json::text::JsonStr;
use crate::json::word::byte;

/// A place in a value whose bytes have been checked before.
///
/// Nothing relies on `at` being within the text: where nothing stands there, 0 does, which ends every walk.
#[derive(Clone)]
pub(in crate::json) struct TrustedScanner<'a> {
    text: &'a str,
    at: usize,
    /// How containers and long strings are gone over; none where the text is shorter than a block.
    blocks: Option<Blocks>,
}

impl<'a> TrustedScanner<'a> {
    /// At the value's first byte.
    #[inline(always)]
    pub(in crate::json) fn new(value: RawJson<'a>) -> Self {
        Self {
            text: value.raw(),
            at: 0,
            blocks: Blocks::best(value.raw().len()),
        }
    }

    /// The same by these blocks.
    #[cfg(test)]
    pub(super) fn by(blocks: Option<Blocks>, value: RawJson<'a>) -> Self {
        Self {
            blocks,
            ..Self::new(value)
        }
    }

    #[inline(always)]
    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// Where the scanner stands. Behind a value, that is behind its last byte.
    #[inline(always)]
    #[cfg_attr(not(feature = "http"), allow(dead_code))]
    pub(in crate::json) fn at(&self) -> usize {
        self.at
    }

    /// The byte that stands here, or 0 at the end.
    #[inline(always)]
    pub(in crate::json) fn peek(&self) -> u8 {
        byte(self.bytes(), self.at)
    }

    /// Goes over white space; the byte that stands there, or 0 at the end.
    #[inline(always)]
    fn token(&mut self) -> u8 {
        let (at, b) = token(self.bytes(), self.at);
        self.at = at;
        b
    }

    /// Goes over the byte that stands here, and over white space.
    #[inline(always)]
    fn next_token(&mut self) -> u8 {
        self.at += 1;
        self.token()
    }

    /// Enters the container whose bracket stands here, and goes to the token after the bracket.
    #[inline(always)]
    pub(in crate::json) fn enter(&mut self) {
        passed(1);
        self.next_token();
    }

    /// Behind [`enter`](Self::enter) at a brace, or behind a member's value: whether a member follows, at whose name the
    /// scanner then stands; otherwise the object is left.
    #[inline(always)]
    pub(in crate::json) fn next_member(&mut self, is_first: bool) -> bool {
        if !is_first && self.token() == b',' {
            self.next_token();
        }
        let follows = self.peek() == b'"';
        self.at += usize::from(!follows);
        follows
    }

    /// Behind [`enter`](Self::enter) at a bracket, or behind an element: whether an element follows, whose first byte
    /// the scanner then stands at; otherwise the array is left.
    #[inline(always)]
    pub(in crate::json) fn next_element(&mut self, is_first: bool) -> bool {
        let follows = match is_first {
            true => !matches!(self.peek(), b']' | 0),
            false => self.token() == b',',
        };
        if !follows {
            self.at += 1;
        } else if !is_first {
            self.next_token();
        }
        follows
    }

    /// The name that stands here; goes to the first byte of the value.
    #[inline(always)]
    pub(in crate::json) fn name(&mut self) -> Option<JsonStr<'a>> {
        let start = self.at;
        let (end, is_plain) = string::end(self.bytes(), start + 1, self.blocks);
        self.at = end;
        if self.token() == b':' {
            self.next_token();
        }
        let raw = self.text.get(start..end)?;
        Some(JsonStr::from_plain(raw, is_plain))
    }

    /// The value that begins here, whatever it is; goes behind it.
    #[inline(always)]
    pub(in crate::json) fn value(&mut self) -> Option<RawJson<'a>> {
        let (bytes, start) = (self.bytes(), self.at);
        let end = match self.peek() {
            b'"' => string::end(bytes, start + 1, self.blocks).0,
            b'{' | b'[' => match self.blocks {
                Some(blocks) => blocks.container_end(bytes, start + 1),
                None => words::container_end(bytes, start + 1),
            },
            first => {
                let end = match first {
                    b't' | b'n' => start + 4,
                    b'f' => start + 5,
                    _ => words::number_end(bytes, start),
                };
                // Its first byte has been counted as the token before it.
                passed((end - start).saturating_sub(1));
                end
            }
        };
        self.at = end;
        self.text.get(start..end).map(RawJson::from_checked)
    }
}
