//! The scanner: one pass over a JSON text, iterative, allocating nothing.
//!
//! Whoever cares for a container drives the scanner through it, member by member; all that nobody cares for goes through
//! [`Scanner::value`], one tight loop with one bit for each open container. Both stand on the same few steps (the next
//! token, a string, a scalar), and those steps are all that a faster way of finding tokens has to replace.

use super::error::{SyntaxError, SyntaxErrorKind as Kind};
use super::number::number_end;
use super::simd::{Blocks, TokenBuffer};
use super::steps::{Name, Scan};
use super::string::{StringEnd, string_end};
use super::tokens::{TokenScanner, Unsure, Window};
use super::word::{byte, leading_spaces, word};
use crate::bounds::passed;
use crate::limits::Limits;

impl<'a, const VECTORS: bool> Scan<'a> for Scanner<'a, VECTORS> {
    type Fault = SyntaxError;
    const IS_EXACT: bool = true;

    #[inline(always)]
    fn in_registers(self) -> Self {
        Self {
            bytes: self.bytes,
            at: self.at,
            depth: self.depth,
            max_depth: self.max_depth,
            last_name_is_escaped: self.last_name_is_escaped,
        }
    }

    #[inline(always)]
    fn start(&self) -> usize {
        self.at
    }

    #[inline(always)]
    fn end(&self) -> usize {
        self.at
    }

    #[inline(always)]
    fn peek(&self) -> u8 {
        Self::peek(self)
    }

    #[inline(always)]
    fn enter(&mut self) -> Result<(), SyntaxError> {
        Self::enter(self)
    }

    #[inline(always)]
    fn has_member(&mut self) -> Result<bool, SyntaxError> {
        Ok(Self::has_member(self))
    }

    #[inline(always)]
    fn has_next_member(&mut self) -> Result<bool, SyntaxError> {
        Self::has_next_member(self)
    }

    #[inline(always)]
    fn name(&mut self) -> Result<Name<'a>, SyntaxError> {
        Self::name(self)
    }

    #[inline(always)]
    fn passes(&mut self, member: &[u8; 15]) -> bool {
        let is_it = self.bytes.get(self.at..self.at.wrapping_add(15)) == Some(member);
        if is_it {
            // The first byte was the token.
            passed(14);
            self.at += 15;
        }
        is_it
    }

    #[inline(always)]
    fn may_be_escaped(&self, _: &Name<'a>) -> bool {
        self.last_name_is_escaped
    }

    #[inline(always)]
    fn value(&mut self) -> Result<(), SyntaxError> {
        Self::value(self)
    }

    #[inline(always)]
    fn string(&mut self) -> Result<StringEnd, SyntaxError> {
        Self::string(self)
    }

    #[inline(always)]
    fn number(&mut self) -> Result<bool, SyntaxError> {
        Self::number(self)
    }

    #[inline(always)]
    fn finish(&mut self) -> Result<&'a str, SyntaxError> {
        Self::finish(self)
    }
}

/// A place in a text, as far as it has been checked. `VECTORS`: by vector instructions, where the crate has been compiled
/// for some.
#[derive(Clone)]
pub(crate) struct Scanner<'a, const VECTORS: bool = true> {
    bytes: &'a [u8],
    /// Every byte before `at` has been checked; `at <= bytes.len()`.
    at: usize,
    /// Containers open at `at`, at most `max_depth`.
    depth: usize,
    max_depth: usize,
    last_name_is_escaped: bool,
}

impl<'a, const VECTORS: bool> Scanner<'a, VECTORS> {
    /// Fails if the text has 4 GiB or more.
    pub(crate) fn new(bytes: &'a [u8], max_depth: usize) -> Result<Self, SyntaxError> {
        if bytes.len() > u32::MAX as usize {
            return Err(SyntaxError::new(Kind::TooLong, u32::MAX as usize));
        }
        Ok(Self {
            bytes,
            at: 0,
            depth: 0,
            max_depth,
            last_name_is_escaped: false,
        })
    }

    /// Where the scanner stands. Behind a value, that is behind its last byte.
    #[inline(always)]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The byte that stands here, or 0 at the end.
    #[inline(always)]
    pub(crate) fn peek(&self) -> u8 {
        byte(self.bytes, self.at)
    }

    /// Goes over white space; the byte that stands there, or 0 at the end.
    #[inline(always)]
    pub(crate) fn token(&mut self) -> u8 {
        let (at, b) = token(self.bytes, self.at);
        self.at = at;
        b
    }

    /// Enters the object or array whose bracket stands here, and goes to the token after the bracket.
    #[inline(always)]
    pub(crate) fn enter(&mut self) -> Result<(), SyntaxError> {
        if !matches!(self.peek(), b'{' | b'[') {
            return Err(fault(self.bytes, self.at, Kind::ExpectedValue));
        }
        if self.depth >= self.max_depth {
            return Err(SyntaxError::new(Kind::TooDeep, self.at));
        }
        self.depth += 1;
        self.at += 1;
        self.token();
        Ok(())
    }

    /// Leaves the container whose closing bracket stands here: the caller has just seen it.
    #[inline(always)]
    fn leave(&mut self) {
        self.depth -= 1;
        self.at += 1;
    }

    /// Behind [`enter`](Self::enter) at a brace: whether a member follows; otherwise the object is left.
    #[inline(always)]
    pub(crate) fn has_member(&mut self) -> bool {
        let is_empty = self.peek() == b'}';
        if is_empty {
            self.leave();
        }
        !is_empty
    }

    /// Behind a member's value: whether another member follows; otherwise the object is left.
    #[inline(always)]
    pub(crate) fn has_next_member(&mut self) -> Result<bool, SyntaxError> {
        match self.token() {
            b',' => {
                self.at += 1;
                self.token();
                Ok(true)
            }
            b'}' => {
                self.leave();
                Ok(false)
            }
            _ => Err(fault(self.bytes, self.at, Kind::ExpectedCommaOrBrace)),
        }
    }

    /// Behind [`enter`](Self::enter) at a bracket, or behind an element: whether an element follows, whose first byte
    /// the scanner then stands at; otherwise the array is left.
    #[inline(always)]
    pub(crate) fn next_element(&mut self, is_first: bool) -> Result<bool, SyntaxError> {
        match self.token() {
            b']' => {
                self.leave();
                Ok(false)
            }
            _ if is_first => Ok(true),
            b',' => {
                self.at += 1;
                self.token();
                Ok(true)
            }
            _ => Err(fault(self.bytes, self.at, Kind::ExpectedCommaOrBracket)),
        }
    }

    /// The name that stands here, and its colon; the scanner goes to the first byte of the value.
    #[inline(always)]
    pub(crate) fn name(&mut self) -> Result<Name<'a>, SyntaxError> {
        let bytes = self.bytes;
        let at = self.at;
        if self.peek() != b'"' {
            return Err(fault(bytes, at, Kind::ExpectedName));
        }
        let end = string_end::<VECTORS>(bytes, at + 1)?;
        self.at = colon(bytes, end.quote() + 1)?;
        self.last_name_is_escaped = end.is_escaped();
        Ok(Name::new(bytes, at, end.quote() + 1))
    }

    /// Checks the value that begins here, whatever it is, and goes behind it.
    #[inline(always)]
    pub(crate) fn value(&mut self) -> Result<(), SyntaxError> {
        self.at = match self.peek() {
            b'{' | b'[' => {
                container_end::<VECTORS>(self.bytes, self.at, self.max_depth - self.depth)?
            }
            token => scalar_end::<VECTORS>(self.bytes, self.at, token)?,
        };
        Ok(())
    }

    /// Checks the string that begins here, and goes behind it.
    #[inline(always)]
    pub(crate) fn string(&mut self) -> Result<StringEnd, SyntaxError> {
        if self.peek() != b'"' {
            return Err(fault(self.bytes, self.at, Kind::ExpectedValue));
        }
        let end = string_end::<VECTORS>(self.bytes, self.at + 1)?;
        self.at = end.quote() + 1;
        Ok(end)
    }

    /// Checks the number that begins here, and goes behind it. Whether it is an integer to the letter.
    #[inline(always)]
    pub(crate) fn number(&mut self) -> Result<bool, SyntaxError> {
        let number = number_end(self.bytes, self.at)?;
        self.at = number.end;
        Ok(number.is_integer)
    }

    /// Checks that nothing but white space follows. What comes back is the whole text.
    pub(crate) fn finish(&mut self) -> Result<&'a str, SyntaxError> {
        let token = self.token();
        if self.at < self.bytes.len() {
            return Err(fault(self.bytes, self.at, Kind::TrailingBytes));
        }
        debug_assert_eq!((token, self.depth), (0, 0));
        debug_assert!(core::str::from_utf8(self.bytes).is_ok());
        #[allow(unsafe_code)]
        // SAFETY: `from_utf8_unchecked` wants UTF-8. The scanner has gone over every byte from 0 to the end, each by
        // one of these steps. Outside of strings, every function of this file and `number_end` go over a byte only
        // after comparing it with ASCII bytes. In strings `string_end` goes over a byte below 0x80 as it is, and
        // over one from 0x80 on only as part of a whole sequence of Unicode's table 3-7. So the text is a sequence of
        // ASCII bytes and such sequences, which is what UTF-8 is. `at` only moves by these steps, and starts at 0.
        Ok(unsafe { core::str::from_utf8_unchecked(self.bytes) })
    }
}

/// Checks that `bytes` are one JSON text in UTF-8 within the limits, and gives it back as a string.
pub(crate) fn check<'a>(bytes: &'a [u8], limits: &Limits) -> Result<&'a str, SyntaxError> {
    if bytes.len() > limits.max_frame_bytes() {
        return Err(SyntaxError::new(Kind::TooLong, limits.max_frame_bytes()));
    }
    if let Some(blocks) = Blocks::chosen(bytes.len())
        && let Ok(text) = check_by(blocks, bytes, limits)
    {
        return Ok(text);
    }
    check_exactly(bytes, limits)
}

/// The same by tokens, which are found with these instructions.
fn check_by<'a>(blocks: Blocks, bytes: &'a [u8], limits: &Limits) -> Result<&'a str, Unsure> {
    let mut tokens = TokenBuffer::new();
    let mut window = Window::new(bytes, blocks, &mut tokens);
    window.fill();
    let mut scanner = TokenScanner::new(&mut window, limits.max_depth());
    scanner.value()?;
    scanner.finish()
}

/// Whether these instructions alone say that the text is good; without any, whether the exact scanner does.
#[cfg(feature = "__variants")]
pub(crate) fn is_good_by(blocks: Option<Blocks>, bytes: &[u8], limits: &Limits) -> bool {
    match blocks {
        Some(blocks) => check_by(blocks, bytes, limits).is_ok(),
        None => check_exactly(bytes, limits).is_ok(),
    }
}

fn check_exactly<'a>(bytes: &'a [u8], limits: &Limits) -> Result<&'a str, SyntaxError> {
    let mut scanner: Scanner<'_> = Scanner::new(bytes, limits.max_depth())?;
    scanner.token();
    scanner.value()?;
    scanner.finish()
}

/// The next index from `i` on where no white space stands, and the byte there (0 at the end).
#[inline(always)]
pub(crate) fn token(bytes: &[u8], i: usize) -> (usize, u8) {
    let b = byte(bytes, i);
    if b > b' ' {
        passed(1);
        return (i, b);
    }
    // One space after a comma or colon is how many writers format.
    let next = byte(bytes, i + 1);
    if b == b' ' && next > b' ' {
        passed(2);
        return (i + 1, next);
    }
    let end = white_space_end(bytes, i);
    passed(end + 1 - i);
    (end, byte(bytes, end))
}

fn white_space_end(bytes: &[u8], mut i: usize) -> usize {
    loop {
        // Line ends come one at a time, spaces in runs.
        match byte(bytes, i) {
            b'\n' | b'\r' | b'\t' => i += 1,
            b' ' => {
                i += match word(bytes, i) {
                    Some(w) => leading_spaces(w),
                    None => 1,
                }
            }
            _ => return i,
        }
    }
}

/// The index of the value behind the colon that has to follow at `i`.
#[inline(always)]
fn colon(bytes: &[u8], i: usize) -> Result<usize, SyntaxError> {
    let (i, b) = token(bytes, i);
    if b != b':' {
        return Err(fault(bytes, i, Kind::ExpectedColon));
    }
    Ok(token(bytes, i + 1).0)
}

/// The index behind the string, number or literal at `i`.
#[inline(always)]
fn scalar_end<const VECTORS: bool>(
    bytes: &[u8],
    i: usize,
    token: u8,
) -> Result<usize, SyntaxError> {
    match token {
        b'"' => Ok(string_end::<VECTORS>(bytes, i + 1)?.quote() + 1),
        b'-' | b'0'..=b'9' => Ok(number_end(bytes, i)?.end),
        _ => literal_end(bytes, i, token),
    }
}

/// The literal that begins with this byte, if one does.
#[inline(always)]
pub(crate) const fn literal_of(first: u8) -> Option<&'static [u8]> {
    match first {
        b't' => Some(b"true"),
        b'f' => Some(b"false"),
        b'n' => Some(b"null"),
        _ => None,
    }
}

fn literal_end(bytes: &[u8], i: usize, token: u8) -> Result<usize, SyntaxError> {
    let Some(literal) = literal_of(token) else {
        return Err(fault(bytes, i, Kind::ExpectedValue));
    };
    let rest = bytes.get(i..).unwrap_or(&[]);
    passed(literal.len() - 1);
    if rest.starts_with(literal) {
        return Ok(i + literal.len());
    }
    let same = rest.iter().zip(literal).take_while(|(a, b)| a == b).count();
    Err(fault(bytes, i + same, Kind::InvalidLiteral))
}

/// The kinds of the open containers, innermost in the lowest bit of `word`: 1 for an object. Every full word of 64 goes
/// to `full`, so that the common case is a register.
#[derive(Clone, Copy)]
pub(crate) struct Nesting {
    word: u64,
    open: usize,
    full: [u64; Limits::HIGHEST_MAX_DEPTH / 64],
}

impl Nesting {
    pub(crate) const NONE: Self = Self {
        word: 0,
        open: 0,
        full: [0; Limits::HIGHEST_MAX_DEPTH / 64],
    };

    /// How many are open.
    #[inline(always)]
    pub(crate) fn open(&self) -> usize {
        self.open
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, is_object: bool) {
        if self.open.is_multiple_of(64)
            && self.open > 0
            && let Some(full) = self.full.get_mut(self.open / 64 - 1)
        {
            *full = self.word;
        }
        self.open += 1;
        self.word = self.word << 1 | u64::from(is_object);
    }

    /// `open` is not 0.
    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        self.open -= 1;
        self.word >>= 1;
        if self.open.is_multiple_of(64) && self.open > 0 {
            self.word = self.full.get(self.open / 64 - 1).copied().unwrap_or(0);
        }
    }

    #[inline(always)]
    pub(crate) fn in_object(&self) -> bool {
        self.word & 1 == 1
    }
}

/// The index behind the container whose bracket stands at `i`. At most `room` containers may be open in it, itself
/// counted.
///
/// Invariant of the outer loop: a value begins at `i` with `token`. Of the inner one: a value has just ended, and
/// `token` at `i` is what follows it.
#[inline(never)]
fn container_end<const VECTORS: bool>(
    bytes: &[u8],
    mut i: usize,
    room: usize,
) -> Result<usize, SyntaxError> {
    let mut token = byte(bytes, i);
    let mut nesting = Nesting::NONE;
    loop {
        let mut next = match token {
            b'"' => string_end::<VECTORS>(bytes, i + 1)?.quote() + 1,
            b'{' | b'[' => {
                if nesting.open >= room {
                    return Err(SyntaxError::new(Kind::TooDeep, i));
                }
                let is_object = token == b'{';
                nesting.push(is_object);
                (i, token) = self::token(bytes, i + 1);
                let is_empty = token == if is_object { b'}' } else { b']' };
                if !is_empty {
                    if is_object {
                        (i, token) = member_value::<VECTORS>(bytes, i, token)?;
                    }
                    continue;
                }
                nesting.pop();
                if nesting.open == 0 {
                    return Ok(i + 1);
                }
                i + 1
            }
            b'-' | b'0'..=b'9' => number_end(bytes, i)?.end,
            _ => literal_end(bytes, i, token)?,
        };
        loop {
            (i, token) = self::token(bytes, next);
            let in_object = nesting.in_object();
            if token == b',' {
                (i, token) = self::token(bytes, i + 1);
                if in_object {
                    (i, token) = member_value::<VECTORS>(bytes, i, token)?;
                }
                break;
            }
            if token != if in_object { b'}' } else { b']' } {
                let kind = if in_object {
                    Kind::ExpectedCommaOrBrace
                } else {
                    Kind::ExpectedCommaOrBracket
                };
                return Err(fault(bytes, i, kind));
            }
            nesting.pop();
            next = i + 1;
            if nesting.open == 0 {
                return Ok(next);
            }
        }
    }
}

/// Goes over the member name at `i` and its colon: where the value begins, and with what.
#[inline(always)]
fn member_value<const VECTORS: bool>(
    bytes: &[u8],
    i: usize,
    token: u8,
) -> Result<(usize, u8), SyntaxError> {
    if token != b'"' {
        return Err(fault(bytes, i, Kind::ExpectedName));
    }
    let end = string_end::<VECTORS>(bytes, i + 1)?.quote() + 1;
    let at = colon(bytes, end)?;
    Ok((at, byte(bytes, at)))
}

/// The fault at `i`: an early end, if that is what `i` is.
#[cold]
fn fault(bytes: &[u8], i: usize, kind: Kind) -> SyntaxError {
    if i >= bytes.len() && !matches!(kind, Kind::TrailingBytes) {
        return SyntaxError::new(Kind::UnexpectedEnd, bytes.len());
    }
    SyntaxError::new(kind, i)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(text: &[u8], max_depth: usize) -> Result<(), (Kind, usize)> {
        let limits = Limits::new().with_max_depth(max_depth);
        check(text, &limits)
            .map(drop)
            .map_err(|e| (e.kind(), e.at()))
    }

    #[test]
    fn faults_name_the_byte() {
        let table: [(&str, Kind, usize); 24] = [
            ("", Kind::UnexpectedEnd, 0),
            (" \r\n\t", Kind::UnexpectedEnd, 4),
            ("{", Kind::UnexpectedEnd, 1),
            ("{\"a\"", Kind::UnexpectedEnd, 4),
            ("{\"a\":", Kind::UnexpectedEnd, 5),
            ("{\"a\":1", Kind::UnexpectedEnd, 6),
            ("{\"a\":1,", Kind::UnexpectedEnd, 7),
            ("{\"a\":1,}", Kind::ExpectedName, 7),
            ("{,}", Kind::ExpectedName, 1),
            ("{1:2}", Kind::ExpectedName, 1),
            ("{\"a\" 1}", Kind::ExpectedColon, 5),
            ("{\"a\":1 \"b\":2}", Kind::ExpectedCommaOrBrace, 7),
            ("{\"a\":1]", Kind::ExpectedCommaOrBrace, 6),
            ("[1 2]", Kind::ExpectedCommaOrBracket, 3),
            ("[1}", Kind::ExpectedCommaOrBracket, 2),
            ("[1,]", Kind::ExpectedValue, 3),
            ("[,1]", Kind::ExpectedValue, 1),
            ("[1", Kind::UnexpectedEnd, 2),
            ("nul", Kind::UnexpectedEnd, 3),
            ("nulL", Kind::InvalidLiteral, 3),
            ("{} {}", Kind::TrailingBytes, 3),
            ("1\0", Kind::TrailingBytes, 1),
            ("\u{feff}1", Kind::ExpectedValue, 0),
            ("[1\u{c}]", Kind::ExpectedCommaOrBracket, 2),
        ];
        for (text, kind, at) in table {
            assert_eq!(verdict(text.as_bytes(), 128), Err((kind, at)), "{text:?}");
        }
    }

    #[test]
    fn depth_is_inclusive_at_every_limit() {
        for depth in [1, 2, 63, 64, 65, 127, 128, 129, 500, 1023, 1024] {
            for (open, close) in [("[", "]"), ("{\"k\":", "}")] {
                let inner = depth - 1;
                let text = |n: usize| format!("{}[]{}", open.repeat(n), close.repeat(n));
                assert_eq!(verdict(text(inner).as_bytes(), depth), Ok(()), "{depth}");
                let deep = text(inner + 1);
                let at = open.len() * (inner + 1);
                assert_eq!(
                    verdict(deep.as_bytes(), depth),
                    Err((Kind::TooDeep, at)),
                    "{depth}"
                );
            }
        }
    }

    #[test]
    fn kinds_of_containers_are_kept_apart_over_word_borders() {
        // A seeded walk: open containers at random, then close them, each once with the wrong bracket.
        let mut seed = 0x9E37_79B9_7F4A_7C15u64;
        let mut random = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for round in 0..200 {
            let depth = 1 + (random() % 200) as usize;
            let mut text = Vec::new();
            let mut closing = Vec::new();
            for _ in 0..depth {
                if random() % 2 == 0 {
                    text.extend_from_slice(b"[ [],1,");
                    closing.push(b']');
                } else {
                    text.extend_from_slice(b"{\"a\":{},\"b\": ");
                    closing.push(b'}');
                }
            }
            text.push(b'0');
            let opened = text.len();
            text.extend(closing.iter().rev());
            assert_eq!(verdict(&text, 1024), Ok(()), "round {round}");
            let wrong = opened + (random() as usize % depth);
            if let Some(b) = text.get_mut(wrong) {
                *b ^= b'}' ^ b']';
            }
            let (kind, at) = verdict(&text, 1024).unwrap_err();
            assert!(matches!(
                kind,
                Kind::ExpectedCommaOrBrace | Kind::ExpectedCommaOrBracket
            ));
            assert_eq!(at, wrong);
        }
    }

    #[test]
    fn a_hundred_thousand_brackets_cost_no_stack() {
        let text = vec![b'['; 100_000];
        assert_eq!(verdict(&text, 1024), Err((Kind::TooDeep, 1024)));
    }

    #[test]
    fn white_space_stands_between_all_tokens() {
        for ws in [
            " ",
            "  ",
            "\n",
            "\r\n",
            "\t",
            "\n        ",
            "\r\n\t                 ",
        ] {
            let text = format!(
                "{ws}{{{ws}\"a\"{ws}:{ws}[{ws}1{ws},{ws}true{ws}]{ws},{ws}\"b\"{ws}:{ws}{{{ws}}}{ws}}}{ws}"
            );
            assert_eq!(verdict(text.as_bytes(), 8), Ok(()), "{text:?}");
        }
    }
}
