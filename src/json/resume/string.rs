//! A string that comes in pieces.

use super::Reached;
use crate::bounds::passed;
use crate::json::error::{SyntaxError, SyntaxErrorKind as Kind};
use crate::json::string::{StringEnd, escape_end, non_ascii_run_end, plain_run_end, sequence_len};

/// A string behind its opening quote, as far as it has come.
#[derive(Clone, Copy)]
pub(crate) struct StringPart {
    place: Place,
    /// Those of [`StringEnd`].
    flags: u64,
    /// The last character was the escape of the first half of a surrogate pair, whose other half may follow.
    is_half: bool,
}

/// Where in the string the next byte stands.
#[derive(Clone, Copy)]
enum Place {
    /// Between two characters.
    Between,
    /// Behind a backslash.
    Escape,
    /// Behind `\u` and so many of its digits, of which this is the number.
    Digits(u8, u16),
    /// In a non-ASCII character, or what should be one.
    Character(Character),
}

/// The bytes of a non-ASCII character that have come.
#[derive(Clone, Copy)]
struct Character {
    /// Where in the text it begins.
    at: usize,
    /// Its bytes as a little-endian word.
    word: u32,
    len: u8,
    /// It stands where an escape wants another byte. A fault it is in any case; but which?
    in_escape: bool,
}

/// A `\` with its `u`, four digits, and as much again: as far as the look at one escape goes.
const LONGEST_ESCAPE: usize = 12;

impl StringPart {
    pub(crate) const fn new() -> Self {
        Self {
            place: Place::Between,
            flags: 0,
            is_half: false,
        }
    }

    /// Whether there is an escape in it.
    pub(crate) const fn is_escaped(&self) -> bool {
        self.flags & StringEnd::ESCAPED != 0
    }

    /// Whether no escape in it is half a surrogate pair. Known at its end.
    pub(crate) const fn is_text(&self) -> bool {
        self.flags & StringEnd::NO_TEXT == 0
    }

    /// Goes on at `i`; its end is behind the closing quote.
    ///
    /// Invariant of the loop: every byte before `i` has been checked, as far as `place` doesn't hold it.
    pub(crate) fn feed(
        &mut self,
        piece: &[u8],
        mut i: usize,
        base: usize,
    ) -> Result<Reached, SyntaxError> {
        loop {
            if let Place::Between = self.place {
                let run = plain_run_end::<true>(piece, i);
                if run > i {
                    passed(run - i);
                    self.no_half();
                    i = run;
                }
            }
            let Some(&b) = piece.get(i) else {
                return Ok(Reached::PieceEnd);
            };
            match self.place {
                Place::Between if b == b'"' => {
                    self.no_half();
                    passed(1);
                    return Ok(Reached::End(i + 1));
                }
                Place::Between => i = self.special(piece, i, base, b)?,
                Place::Escape => {
                    self.escape(b, base + i)?;
                    i += 1;
                }
                Place::Digits(count, unit) => {
                    self.digit(b, base + i, count, unit)?;
                    i += 1;
                }
                Place::Character(character) => {
                    self.character(character, b)?;
                    i += 1;
                }
            }
        }
    }

    /// The fault of a text that ends here, before the string does. `end` is its length.
    pub(crate) fn cut_off(&self, end: usize) -> SyntaxError {
        match self.place {
            Place::Character(character) => SyntaxError::new(Kind::InvalidUtf8, character.at),
            _ => SyntaxError::new(Kind::UnexpectedEnd, end),
        }
    }

    /// At `b`, which is neither plain nor the closing quote. Whole escapes and runs of whole characters go by at once.
    fn special(
        &mut self,
        piece: &[u8],
        i: usize,
        base: usize,
        b: u8,
    ) -> Result<usize, SyntaxError> {
        if b == b'\\' {
            self.flags |= StringEnd::ESCAPED;
            if self.is_half || piece.len() - i < LONGEST_ESCAPE {
                self.place = Place::Escape;
                return Ok(i + 1);
            }
            let end = escape_end(piece, i, &mut self.flags);
            let end = end.map_err(|error| error.moved(base))?;
            passed(end - i);
            return Ok(end);
        }
        if b < 0x20 {
            return Err(SyntaxError::new(Kind::ControlCharacter, base + i));
        }
        self.no_half();
        // The fault of a character at the end of the piece may be that the rest of it is yet to come.
        let (end, is_whole) = match non_ascii_run_end(piece, i) {
            Ok(end) => (end, true),
            Err(error) => (error.at(), false),
        };
        passed(end - i);
        if !is_whole {
            self.place = Place::Character(Character {
                at: base + end,
                word: 0,
                len: 0,
                in_escape: false,
            });
        }
        Ok(end)
    }

    /// The byte behind a backslash.
    fn escape(&mut self, b: u8, at: usize) -> Result<(), SyntaxError> {
        match b {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {
                self.no_half();
                self.place = Place::Between;
            }
            b'u' => self.place = Place::Digits(0, 0),
            _ => return self.bad_escape(b, at),
        }
        Ok(())
    }

    /// A digit behind `\u` and `count` others.
    fn digit(&mut self, b: u8, at: usize, count: u8, unit: u16) -> Result<(), SyntaxError> {
        let Some(digit) = char::from(b).to_digit(16) else {
            return self.bad_escape(b, at);
        };
        let unit = unit << 4 | digit as u16;
        if count < 3 {
            self.place = Place::Digits(count + 1, unit);
            return Ok(());
        }
        self.place = Place::Between;
        match unit {
            0xDC00..=0xDFFF if self.is_half => self.is_half = false,
            0xDC00..=0xDFFF => self.flags |= StringEnd::NO_TEXT,
            0xD800..=0xDBFF => {
                self.no_half();
                self.is_half = true;
            }
            _ => self.no_half(),
        }
        Ok(())
    }

    /// The byte that spoils an escape. Broken UTF-8 is named as such there, too, so a character is read to its end.
    fn bad_escape(&mut self, b: u8, at: usize) -> Result<(), SyntaxError> {
        if b < 0x80 {
            return Err(SyntaxError::new(Kind::InvalidEscape, at));
        }
        let character = Character {
            at,
            word: 0,
            len: 0,
            in_escape: true,
        };
        self.character(character, b)
    }

    /// One more byte of a character. It is judged once it has as many as its first byte says.
    fn character(&mut self, mut character: Character, b: u8) -> Result<(), SyntaxError> {
        passed(1);
        character.word |= u32::from(b) << (8 * character.len);
        character.len += 1;
        let announced = match character.word as u8 {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 1,
        };
        if character.len < announced {
            self.place = Place::Character(character);
            return Ok(());
        }
        let is_whole = sequence_len(u64::from(character.word)) == usize::from(announced);
        let kind = match (is_whole, character.in_escape) {
            (false, _) => Kind::InvalidUtf8,
            (true, true) => Kind::InvalidEscape,
            (true, false) => {
                self.place = Place::Between;
                return Ok(());
            }
        };
        Err(SyntaxError::new(kind, character.at))
    }

    /// What follows is no other half.
    fn no_half(&mut self) {
        if self.is_half {
            self.is_half = false;
            self.flags |= StringEnd::NO_TEXT;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::string::string_end;

    /// Behind the quote, whether it is escaped, whether it is text; or the fault.
    type Verdict = Result<(usize, bool, bool), (Kind, usize)>;

    fn whole(text: &[u8]) -> Verdict {
        let end = string_end::<true>(text, 0).map_err(|e| (e.kind(), e.at()))?;
        Ok((end.quote() + 1, end.is_escaped(), end.is_text()))
    }

    fn in_pieces<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Verdict {
        let (mut part, mut base) = (StringPart::new(), 0);
        for piece in pieces {
            match part.feed(piece, 0, base) {
                Ok(Reached::End(end)) => {
                    return Ok((base + end, part.is_escaped(), part.is_text()));
                }
                Ok(Reached::PieceEnd) => base += piece.len(),
                Err(error) => return Err((error.kind(), error.at())),
            }
        }
        let error = part.cut_off(base);
        Err((error.kind(), error.at()))
    }

    /// All pieces of one size, and all splits in two.
    fn same(text: &[u8]) {
        let want = whole(text);
        for size in [1, 2, 3, 5, 13, 16] {
            assert_eq!(in_pieces(text.chunks(size)), want, "{text:x?} by {size}");
        }
        for at in 0..=text.len() {
            let (a, b) = text.split_at(at);
            assert_eq!(in_pieces([a, b].into_iter()), want, "{text:x?} at {at}");
        }
    }

    #[test]
    fn strings_of_every_few_pieces() {
        let pieces: [&[u8]; 24] = [
            b"a",
            b"seventeen plain bytes",
            b"\"",
            b"\\n",
            b"\\x",
            b"\\",
            b"\\u0041",
            b"\\ud83d",
            b"\\uDE00",
            b"\\ud83",
            b"\\udbff\\udfff",
            b"\\u12\xC3\xA9",
            b"\\u12\xC3",
            b"\\\xF0\x9D\x84\x9E",
            b"\\\xED\xA0\x80",
            b"\xC3\xA9",
            b"\xE6\x97\xA5\xE6\x9C\xAC",
            b"\xF0\x9D\x84\x9E",
            b"\xF4\x90\x80\x80",
            b"\xE0\x80",
            b"\xC3",
            b"\x80",
            b"\x1F",
            b"\0",
        ];
        for a in pieces {
            for b in pieces {
                for c in pieces {
                    let text = [a, b, c].concat();
                    same(&text);
                    same(&[&text[..], b"\" : 1, \"more\": 2"].concat());
                }
            }
        }
    }

    #[test]
    fn every_character_split_everywhere() {
        let mut text = String::new();
        for c in ('\u{80}'..=char::MAX).step_by(61) {
            text.clear();
            text.push(c);
            text.push('"');
            for at in 0..=text.len() {
                let (a, b) = text.as_bytes().split_at(at);
                let want = Ok((text.len(), false, true));
                assert_eq!(in_pieces([a, b].into_iter()), want, "{c:?} at {at}");
            }
        }
    }
}
