//! The steps of the exact scanner, over tokens.

use super::{Unsure, Window};
use crate::json::steps::{Name, Scan};
use crate::json::string::{StringEnd, string_end};
use crate::json::word::{leading_digits, word_or_zeros};

/// Goes over a window's tokens.
pub(crate) struct TokenScanner<'a, 'b, 'w> {
    window: &'w mut Window<'a, 'b>,
    /// The token that stands here: its index, its first byte and its offset.
    i: usize,
    kind: u8,
    at: u32,
    /// The one behind it, where it is known: behind a name and its colon.
    next_kind: u8,
    next_at: u32,
    /// How many more containers may be open.
    room: usize,
}

const NAME_AND_COLON: u32 = u16::from_le_bytes(*b"\":") as u32;

impl<'a, 'b, 'w> TokenScanner<'a, 'b, 'w> {
    /// Of a window that has been filled once.
    #[inline(always)]
    pub(crate) fn new(window: &'w mut Window<'a, 'b>, max_depth: usize) -> Self {
        Self {
            i: 0,
            kind: window.tokens.kind(0),
            at: window.tokens.offset(0),
            next_kind: 0,
            next_at: 0,
            room: max_depth,
            window,
        }
    }

    /// Goes to a token.
    #[inline(always)]
    fn go_to(&mut self, i: usize) -> Result<(), Unsure> {
        self.i = i;
        self.kind = self.window.tokens.kind(i);
        self.at = self.window.tokens.offset(i);
        if self.kind == 0 {
            (self.i, self.kind, self.at) = find_more(self.window, i)?;
        }
        Ok(())
    }

    /// Goes over the token that stands here, behind a name.
    #[inline(always)]
    fn go_on(&mut self) {
        self.i += 1;
        self.kind = self.next_kind;
        self.at = self.next_at;
    }

    /// The end of what ends before `at`, but for white space.
    #[inline(always)]
    fn end_before(&self, at: u32) -> u32 {
        let text = self.window.bytes;
        match text.get((at as usize).wrapping_sub(1)) {
            Some(&b) if b > b' ' => at,
            _ => without_space(text, at),
        }
    }

    /// Whether a backslash may stand in there.
    #[inline(always)]
    fn may_have_escape(&self, start: usize, end: usize) -> bool {
        start < self.window.last_backslash && end > self.window.first_backslash
    }
}

#[inline(never)]
fn without_space(text: &[u8], mut at: u32) -> u32 {
    while let Some(b'\0'..=b' ') = text.get((at as usize).wrapping_sub(1)) {
        at -= 1;
    }
    at
}

#[cold]
#[inline(never)]
fn escaped_end(bytes: &[u8], start: usize) -> Result<StringEnd, Unsure> {
    string_end::<true>(bytes, start).map_err(|_| Unsure)
}

#[inline(never)]
fn is_long_integer(number: Option<&[u8]>) -> bool {
    number.is_some_and(|digits| digits.iter().skip(1).all(u8::is_ascii_digit))
}

/// Finds more tokens, if the text has more: where the token `i` is then, what it is and where it stands. The scanner itself
/// is not given here, so that it stays in registers.
#[cold]
#[inline(never)]
fn find_more(window: &mut Window<'_, '_>, mut i: usize) -> Result<(usize, u8, u32), Unsure> {
    if !window.is_ended {
        // A token that has been dropped by that is one that is bad, not one that was not there yet.
        i = i.checked_sub(window.refill()?).ok_or(Unsure)?;
    }
    Ok((i, window.tokens.kind(i), window.tokens.offset(i)))
}

impl<'a> Scan<'a> for TokenScanner<'a, '_, '_> {
    type Fault = Unsure;
    const IS_EXACT: bool = false;

    #[inline(always)]
    fn in_registers(self) -> Self {
        Self {
            window: self.window,
            i: self.i,
            kind: self.kind,
            at: self.at,
            next_kind: self.next_kind,
            next_at: self.next_at,
            room: self.room,
        }
    }

    #[inline(always)]
    fn start(&self) -> usize {
        self.at as usize
    }

    #[inline(always)]
    fn end(&self) -> usize {
        self.end_before(self.at) as usize
    }

    #[inline(always)]
    fn peek(&self) -> u8 {
        self.kind
    }

    #[inline(always)]
    fn enter(&mut self) -> Result<(), Unsure> {
        if !matches!(self.kind, b'{' | b'[') || self.room == 0 {
            return Err(Unsure);
        }
        self.room -= 1;
        self.go_to(self.i + 1)
    }

    #[inline(always)]
    fn has_member(&mut self) -> Result<bool, Unsure> {
        if self.kind != b'}' {
            return Ok(true);
        }
        self.room += 1;
        self.go_to(self.i + 1)?;
        Ok(false)
    }

    #[inline(always)]
    fn has_next_member(&mut self) -> Result<bool, Unsure> {
        match self.kind {
            b',' => {
                self.i += 1;
                Ok(true)
            }
            b'}' => {
                self.room += 1;
                self.go_to(self.i + 1)?;
                Ok(false)
            }
            _ => Err(Unsure),
        }
    }

    #[inline(always)]
    fn name(&mut self) -> Result<Name<'a>, Unsure> {
        let mut four = self.window.tokens.four(self.i);
        if four.0 & 0xFFFF != NAME_AND_COLON {
            (self.i, ..) = find_more(self.window, self.i)?;
            four = self.window.tokens.four(self.i);
            if four.0 & 0xFFFF != NAME_AND_COLON {
                return Err(Unsure);
            }
        }
        let (kinds, [at, colon, value_at, next_at]) = four;
        self.i += 2;
        self.kind = (kinds >> 16) as u8;
        self.at = value_at;
        self.next_kind = (kinds >> 24) as u8;
        self.next_at = next_at;
        let text = self.window.bytes;
        let (at, end) = (at as usize, self.end_before(colon) as usize);
        Ok(Name::new(text, at, end))
    }

    #[inline(always)]
    fn passes(&mut self, member: &[u8; 15]) -> bool {
        let (kinds, [at, _, _, next_at]) = self.window.tokens.four(self.i);
        let start = at as usize;
        let is_it = self.window.bytes.get(start..start + 15) == Some(member);
        if is_it && kinds & 0xFFFF == NAME_AND_COLON {
            self.i += 3;
            self.kind = (kinds >> 24) as u8;
            self.at = next_at;
            return true;
        }
        false
    }

    #[inline(always)]
    fn may_be_escaped(&self, name: &Name<'a>) -> bool {
        self.may_have_escape(name.at, name.end)
    }

    #[inline(always)]
    fn value(&mut self) -> Result<(), Unsure> {
        match self.kind {
            // An empty one is two tokens. Its brackets are two apart in ASCII.
            b'{' | b'[' if self.next_kind == self.kind + 2 && self.room > 0 => {
                self.go_to(self.i + 2)
            }
            b'{' | b'[' => {
                let behind = self.window.skip(self.i, self.room)?;
                self.go_to(behind)
            }
            0 => Err(Unsure),
            _ => {
                self.go_on();
                Ok(())
            }
        }
    }

    #[inline(always)]
    fn string(&mut self) -> Result<StringEnd, Unsure> {
        if self.kind != b'"' {
            return Err(Unsure);
        }
        let start = self.at;
        self.go_on();
        // Its end is known when asked for.
        match self.may_have_escape(start as usize, self.at as usize) {
            true => escaped_end(self.window.bytes, start as usize + 1),
            false => Ok(StringEnd::new(0, 0)),
        }
    }

    #[inline(always)]
    fn number(&mut self) -> Result<bool, Unsure> {
        let start = self.at as usize;
        self.go_on();
        let len = self.end().saturating_sub(start);
        if len <= 8 {
            // The first byte is a digit or a minus.
            let word = word_or_zeros(self.window.bytes, start);
            return Ok(leading_digits(word & !0xFF | u64::from(b'0')) >= len);
        }
        Ok(is_long_integer(self.window.bytes.get(start..start + len)))
    }

    #[inline(always)]
    fn finish(&mut self) -> Result<&'a str, Unsure> {
        // No token may be left; what has not been looked at yet may be white space.
        while self.i == self.window.tokens.len() && !self.window.is_ended {
            (self.i, ..) = find_more(self.window, self.i)?;
        }
        if self.i != self.window.tokens.len() || !self.window.is_good() {
            return Err(Unsure);
        }
        debug_assert!(core::str::from_utf8(self.window.bytes).is_ok());
        #[allow(unsafe_code)]
        // SAFETY: `from_utf8_unchecked` wants UTF-8. The window has ended, so each byte of the text was in a block, and
        // `is_good` says that no block had a fault. With `CHECKS_UTF8` a block with a byte from 0x80 on, and the one behind
        // a block whose last three bytes had some, was given to `is_bad_utf8`, which finds every byte that can't stand
        // behind the three before it (`simd/utf8.rs`). A character cut at the very end of the text is not found so; but
        // then the text's last byte is from 0x80 on, and stands in a string that is not closed, which is no good, or
        // outside of strings, where no token has such a byte. Without `CHECKS_UTF8` the stretch from the first to the last
        // block with such a byte was checked as a whole.
        Ok(unsafe { core::str::from_utf8_unchecked(self.window.bytes) })
    }
}
