//! The way over the pieces: one step a token, as the scanner of whole texts goes, but able to stop behind any byte.
//!
//! A token that stands whole in a piece is found by the scanner's own functions, and one that doesn't by its part in
//! [`resume`](crate::json::resume).

use super::found::{Found, Value};
use crate::bounds::passed;
use crate::json::number::{Integral, number_end};
use crate::json::resume::{LiteralPart, NumberPart, Reached, StringPart};
use crate::json::scan::{Nesting, token};
use crate::json::steps::Name;
use crate::json::string::string_end;
use crate::json::{SyntaxError, SyntaxErrorKind as Kind};
use crate::message::pieces::kept::Buffer;

/// What has to come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    /// A value, or the end of the array that has just begun.
    Element,
    Name,
    /// A name, or the end of the object that has just begun.
    FirstName,
    Colon,
    /// A comma, or the end of the innermost container.
    Comma,
    /// Nothing: the value has ended.
    Nothing,
}

/// The token that the last piece ended in.
#[derive(Clone, Copy)]
enum Part {
    None,
    /// A name where one is expected, and otherwise a value.
    String(StringPart),
    Number(NumberPart),
    Literal(LiteralPart),
}

/// The longest token that anyone looks into: a name of the vocabulary, every byte of it escaped.
const LONGEST_TOKEN: usize = 2 + 6 * 48;

#[derive(Clone, Copy)]
pub(super) struct Walk {
    expect: Expect,
    part: Part,
    /// Where the token begins that is in `part`.
    start: usize,
    /// Its bytes, where anyone looks into it.
    held: Buffer<LONGEST_TOKEN>,
    /// Of a number that is the id.
    integral: Integral,
    /// The containers open, at most `max_depth`.
    nesting: Nesting,
    /// How many of them are in the innermost object that matters. While there are any, nothing else does.
    deep: usize,
    max_depth: usize,
}

impl Walk {
    #[inline]
    pub(super) const fn new(max_depth: usize) -> Self {
        Self {
            expect: Expect::Value,
            part: Part::None,
            start: 0,
            held: Buffer::EMPTY,
            integral: Integral::NONE,
            nesting: Nesting::NONE,
            deep: 0,
            max_depth,
        }
    }

    /// Whether the value has ended: nothing but white space may follow.
    pub(super) fn is_over(&self) -> bool {
        self.expect == Expect::Nothing
    }

    /// Goes over one piece, which begins at `base`.
    ///
    /// Invariant of the loop: every byte before `i` has been checked; at `i`, which is in the piece, `b` is no white
    /// space, and `expect` says what it has to be.
    pub(super) fn feed(
        &mut self,
        piece: &[u8],
        base: usize,
        found: &mut Found,
    ) -> Result<(), SyntaxError> {
        let Some(i) = self.resume(piece, 0, base, found)? else {
            return Ok(());
        };
        let (mut i, mut b) = token(piece, i);
        while i < piece.len() {
            let next = match (self.expect, b) {
                (Expect::Name | Expect::FirstName, b'"') => self.name(piece, i, base, found)?,
                (Expect::Value | Expect::Element, b'"') => self.string(piece, i, base, found)?,
                (Expect::Value | Expect::Element, b'{' | b'[') => {
                    self.open(base + i, b, found)?;
                    Some(i + 1)
                }
                (Expect::Value | Expect::Element, b'-' | b'0'..=b'9') => {
                    self.number(piece, i, base, found)?
                }
                (Expect::FirstName, b'}') | (Expect::Element, b']') => {
                    self.close(base + i + 1, b, found);
                    Some(i + 1)
                }
                (Expect::Comma, b'}' | b']') if self.nesting.in_object() == (b == b'}') => {
                    self.close(base + i + 1, b, found);
                    Some(i + 1)
                }
                // At the start of a piece: otherwise it has been gone over below.
                (Expect::Comma, b',') | (Expect::Colon, b':') => Some(i),
                (Expect::Value | Expect::Element, _) => self.literal(piece, i, b, base, found)?,
                _ => return Err(SyntaxError::new(self.missing(), base + i)),
            };
            let Some(next) = next else { return Ok(()) };
            (i, b) = token(piece, next);
            match (self.expect, b) {
                (Expect::Comma, b',') => {
                    self.expect = match self.nesting.in_object() {
                        true => Expect::Name,
                        false => Expect::Value,
                    };
                    (i, b) = token(piece, i + 1);
                }
                (Expect::Colon, b':') => {
                    self.expect = Expect::Value;
                    (i, b) = token(piece, i + 1);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The name at `i`; the index behind it, unless the piece ends first.
    #[inline(always)]
    fn name(
        &mut self,
        piece: &[u8],
        i: usize,
        base: usize,
        found: &mut Found,
    ) -> Result<Option<usize>, SyntaxError> {
        let Ok(end) = string_end::<true>(piece, i + 1) else {
            return self.begin(Part::String(StringPart::new()), piece, i, base, found);
        };
        let quote = end.quote();
        if self.deep == 0 {
            let name = Name::new(piece, i, quote + 1);
            found.name(&name, base + i, end.is_escaped());
        }
        self.expect = Expect::Colon;
        Ok(Some(quote + 1))
    }

    /// The string at `i`, as a value; likewise.
    #[inline(always)]
    fn string(
        &mut self,
        piece: &[u8],
        i: usize,
        base: usize,
        found: &mut Found,
    ) -> Result<Option<usize>, SyntaxError> {
        let Ok(end) = string_end::<true>(piece, i + 1) else {
            return self.begin(Part::String(StringPart::new()), piece, i, base, found);
        };
        let next = end.quote() + 1;
        let value = Value {
            is_escaped: end.is_escaped(),
            is_text: end.is_text(),
            ..Value::other(b'"', piece.get(i..next).unwrap_or(&[]))
        };
        self.whole(&value, base + i, base + next, found);
        Ok(Some(next))
    }

    /// The number at `i`; likewise. It may go on in the next piece unless something follows in this one.
    #[inline(always)]
    fn number(
        &mut self,
        piece: &[u8],
        i: usize,
        base: usize,
        found: &mut Found,
    ) -> Result<Option<usize>, SyntaxError> {
        let number = match number_end(piece, i) {
            Ok(number) if number.end < piece.len() => number,
            _ => return self.begin(Part::Number(NumberPart::Start), piece, i, base, found),
        };
        let raw = piece.get(i..number.end).unwrap_or(&[]);
        let value = Value {
            is_integer: number.is_integer,
            is_integral: self.deep == 0 && found.is_at_id() && Integral::of(raw).is_integral(),
            ..Value::other(b'0', raw)
        };
        self.whole(&value, base + i, base + number.end, found);
        Ok(Some(number.end))
    }

    /// The literal at `i`, which begins with `b`; likewise.
    #[inline(always)]
    fn literal(
        &mut self,
        piece: &[u8],
        i: usize,
        b: u8,
        base: usize,
        found: &mut Found,
    ) -> Result<Option<usize>, SyntaxError> {
        let Some(part) = LiteralPart::of(b) else {
            return Err(SyntaxError::new(Kind::ExpectedValue, base + i));
        };
        let literal = part.text();
        if !piece.get(i..).unwrap_or(&[]).starts_with(literal) {
            return self.begin(Part::Literal(part), piece, i, base, found);
        }
        let next = i + literal.len();
        passed(literal.len() - 1);
        self.whole(&Value::other(b, literal), base + i, base + next, found);
        Ok(Some(next))
    }

    /// A scalar that stands whole in the piece.
    #[inline(always)]
    fn whole(&mut self, value: &Value<'_>, start: usize, end: usize, found: &mut Found) {
        self.expect = Expect::Comma;
        if self.deep == 0 {
            found.begin(start, value.first);
            found.end(value, end);
            self.expect = self.behind_value();
        }
    }

    /// What is wrong with a byte that can't stand here.
    #[cold]
    fn missing(&self) -> Kind {
        match self.expect {
            Expect::Name | Expect::FirstName => Kind::ExpectedName,
            Expect::Colon => Kind::ExpectedColon,
            Expect::Comma if self.nesting.in_object() => Kind::ExpectedCommaOrBrace,
            Expect::Comma => Kind::ExpectedCommaOrBracket,
            Expect::Nothing => Kind::TrailingBytes,
            Expect::Value | Expect::Element => Kind::ExpectedValue,
        }
    }

    /// The container whose bracket stands at `at` begins.
    #[inline(always)]
    fn open(&mut self, at: usize, bracket: u8, found: &mut Found) -> Result<(), SyntaxError> {
        if self.nesting.open() >= self.max_depth {
            return Err(SyntaxError::new(Kind::TooDeep, at));
        }
        let is_object = bracket == b'{';
        self.nesting.push(is_object);
        self.expect = match is_object {
            true => Expect::FirstName,
            false => Expect::Element,
        };
        if self.deep == 0 {
            found.begin(at, bracket);
            if is_object && found.enter() {
                return Ok(());
            }
        }
        self.deep += 1;
        Ok(())
    }

    /// The innermost container ends before `end`.
    #[inline(always)]
    fn close(&mut self, end: usize, bracket: u8, found: &mut Found) {
        self.nesting.pop();
        match self.deep {
            0 => found.leave(end),
            1 => {
                self.deep = 0;
                match bracket {
                    b'}' => found.end(&Value::OBJECT, end),
                    _ => found.end(&Value::ARRAY, end),
                }
            }
            _ => self.deep -= 1,
        }
        self.expect = self.behind_value();
    }

    fn behind_value(&self) -> Expect {
        match self.nesting.open() {
            0 => Expect::Nothing,
            _ => Expect::Comma,
        }
    }

    /// Begins at `i` a token that doesn't end in this piece, or has a fault.
    #[inline(never)]
    fn begin(
        &mut self,
        part: Part,
        piece: &[u8],
        i: usize,
        base: usize,
        found: &mut Found,
    ) -> Result<Option<usize>, SyntaxError> {
        let is_string = matches!(part, Part::String(_));
        let is_name = is_string && matches!(self.expect, Expect::Name | Expect::FirstName);
        self.part = part;
        self.start = base + i;
        self.held.clear();
        self.integral = Integral::NONE;
        if self.deep == 0 && !is_name {
            found.begin(base + i, if is_string { b'"' } else { b'0' });
        }
        if is_string {
            self.held.push(b"\"");
        }
        self.resume(piece, i + usize::from(is_string), base, found)
    }

    /// Goes on at `i` with the token that the last piece ended in, if there is one. `None` if this one does, too;
    /// otherwise the index behind it.
    #[inline(never)]
    fn resume(
        &mut self,
        piece: &[u8],
        i: usize,
        base: usize,
        found: &mut Found,
    ) -> Result<Option<usize>, SyntaxError> {
        let reached = match &mut self.part {
            Part::None => return Ok(Some(i)),
            Part::String(part) => part.feed(piece, i, base)?,
            Part::Number(part) => part.feed(piece, i, base)?,
            Part::Literal(part) => part.feed(piece, i, base)?,
        };
        let end = match reached {
            Reached::End(end) => end,
            Reached::PieceEnd => piece.len(),
        };
        if self.deep == 0 {
            let new = piece.get(i..end).unwrap_or(&[]);
            self.held.push(new);
            if let Part::Number(_) = self.part {
                self.integral.push(new);
            }
        }
        if reached == Reached::PieceEnd {
            return Ok(None);
        }
        self.end_part(base + end, found);
        Ok(Some(end))
    }

    /// The token that is in `part` has ended before `end`.
    fn end_part(&mut self, end: usize, found: &mut Found) {
        let part = core::mem::replace(&mut self.part, Part::None);
        let held = self.held.get();
        let raw = held.unwrap_or(&[]);
        let value = match part {
            Part::None => return,
            Part::String(part) if matches!(self.expect, Expect::Name | Expect::FirstName) => {
                self.expect = Expect::Colon;
                if self.deep > 0 {
                    return;
                }
                return match held {
                    Some(raw) => {
                        let name = Name::new(raw, 0, raw.len());
                        found.name(&name, self.start, part.is_escaped());
                    }
                    None => found.long_name(),
                };
            }
            Part::String(part) => Value {
                is_whole: held.is_some(),
                is_escaped: part.is_escaped(),
                is_text: part.is_text(),
                ..Value::other(b'"', held.unwrap_or(b"\""))
            },
            Part::Number(part) => Value {
                is_whole: held.is_some(),
                is_integer: part.is_integer(),
                is_integral: self.integral.is_integral(),
                ..Value::other(b'0', raw)
            },
            Part::Literal(part) => {
                let first = part.text().first().copied().unwrap_or(0);
                Value::other(first, part.text())
            }
        };
        if self.deep == 0 {
            found.end(&value, end);
        }
        self.expect = self.behind_value();
    }

    /// The text ends, at `end`.
    pub(super) fn finish(&mut self, end: usize, found: &mut Found) -> Result<(), SyntaxError> {
        match self.part {
            Part::String(part) => return Err(part.cut_off(end)),
            Part::Number(part) if part.is_whole() => self.end_part(end, found),
            Part::Number(_) | Part::Literal(_) | Part::None => {}
        }
        match self.is_over() {
            true => Ok(()),
            false => Err(SyntaxError::new(Kind::UnexpectedEnd, end)),
        }
    }
}
