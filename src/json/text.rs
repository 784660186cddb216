use super::word::{has_backslash, word_or_zeros};
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

/// A string token of a checked JSON text: the bytes from quote to quote, as they stand there.
///
/// It compares and decodes after unescaping (RFC 8259 section 8.3), without allocating: `"tools\/list"` equals
/// `tools/list`. Lone surrogate escapes (`"\ud83d"`) are well-formed JSON but no Unicode text: such a token compares
/// unequal to every `str`, and equal to another token only if the raw bytes are the same.
///
/// ```
/// use rpcslice::json::RawJson;
///
/// let value = RawJson::parse(br#""tools\/list""#)?;
/// let text = value.as_string().unwrap();
/// assert_eq!(text, "tools/list");
/// assert_eq!(text.raw(), r#""tools\/list""#);
/// assert_eq!(text.as_str(), None); // there is an escape, so the text does not stand in the input
/// assert_eq!(text.decode().unwrap(), "tools/list");
/// # Ok::<(), rpcslice::json::SyntaxError>(())
/// ```
#[derive(Clone, Copy)]
pub struct JsonStr<'a> {
    /// With its quotes; well-formed.
    raw: &'a str,
    /// Whether it is known that there is no escape in it.
    is_plain: bool,
}

/// A string can't be given as text: it has a surrogate escape without its other half (RFC 8259 section 8.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoneSurrogate {
    at: u32,
}

impl LoneSurrogate {
    /// The index of the escape's backslash in the raw token, whose opening quote is at 0.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at as usize
    }
}

impl fmt::Display for LoneSurrogate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the escape at byte {} is half a surrogate pair: the string is no Unicode text",
            self.at
        )
    }
}

impl core::error::Error for LoneSurrogate {}

impl<'a> JsonStr<'a> {
    /// `raw` is a string token out of a checked text.
    #[inline]
    pub(crate) const fn from_checked(raw: &'a str) -> Self {
        Self::from_plain(raw, false)
    }

    /// The same of a token of which it is known that there is no escape in it, if `is_plain`.
    #[inline]
    pub(crate) const fn from_plain(raw: &'a str, is_plain: bool) -> Self {
        Self { raw, is_plain }
    }

    /// The token with its quotes, byte for byte.
    #[inline]
    #[must_use]
    pub const fn raw(&self) -> &'a str {
        self.raw
    }

    /// What stands between the quotes, still escaped.
    #[inline]
    #[must_use]
    pub fn inner(&self) -> &'a str {
        self.raw
            .get(1..self.raw.len().wrapping_sub(1))
            .unwrap_or("")
    }

    /// The text, if it stands in the input as it is: `None` if there is an escape. Looks at each byte once, or at none
    /// where parsing the message has seen to it.
    #[must_use]
    pub fn as_str(&self) -> Option<&'a str> {
        (self.is_plain || !has_escape(self.raw.as_bytes())).then(|| self.inner())
    }

    /// The text: borrowed where there is no escape, otherwise in a new `String`.
    ///
    /// # Errors
    /// [`LoneSurrogate`] if the string is no Unicode text.
    pub fn decode(&self) -> Result<Cow<'a, str>, LoneSurrogate> {
        if let Some(text) = self.as_str() {
            return Ok(Cow::Borrowed(text));
        }
        let mut text = String::with_capacity(self.inner().len());
        for piece in self.pieces() {
            match piece {
                Piece::Text(run) => text.push_str(run),
                Piece::Char(c) => text.push(c),
                Piece::LoneSurrogate(at) => return Err(LoneSurrogate { at: at as u32 + 1 }),
            }
        }
        Ok(Cow::Owned(text))
    }

    /// Whether [`decode`](Self::decode) gives a text. Allocates nothing.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.as_str().is_some()
            || !self
                .pieces()
                .any(|piece| matches!(piece, Piece::LoneSurrogate(_)))
    }

    /// The characters after unescaping; ends before a lone surrogate. Allocates nothing.
    pub(crate) fn chars(&self) -> impl Iterator<Item = char> + 'a {
        self.pieces()
            .map_while(|piece| match piece {
                Piece::Text(run) => Some((run, None)),
                Piece::Char(c) => Some(("", Some(c))),
                Piece::LoneSurrogate(_) => None,
            })
            .flat_map(|(run, c)| run.chars().chain(c))
    }

    fn pieces(&self) -> Pieces<'a> {
        Pieces {
            inner: self.inner(),
            at: 0,
        }
    }
}

/// Whether there is a backslash in a token. Methods, names and versions are short: a few words settle them, the last of
/// which may overlap the one before.
#[inline]
fn has_escape(raw: &[u8]) -> bool {
    if raw.len() > 40 {
        return memchr::memchr(b'\\', raw).is_some();
    }
    let Some(last) = raw.len().checked_sub(8) else {
        return has_backslash(word_or_zeros(raw, 0));
    };
    let mut i = 0;
    while i < last {
        if has_backslash(word_or_zeros(raw, i)) {
            return true;
        }
        i += 8;
    }
    has_backslash(word_or_zeros(raw, last))
}

impl PartialEq<str> for JsonStr<'_> {
    #[inline]
    fn eq(&self, other: &str) -> bool {
        match self.is_plain {
            true => {
                self.raw.len() == other.len().wrapping_add(2)
                    && self.inner().as_bytes() == other.as_bytes()
            }
            false => self.unescapes_to(other),
        }
    }
}

impl JsonStr<'_> {
    #[inline(never)]
    fn unescapes_to(&self, other: &str) -> bool {
        if let Some(text) = self.as_str() {
            return text == other;
        }
        let mut rest = other;
        for piece in self.pieces() {
            let mut buf = [0; 4];
            let text = match piece {
                Piece::Text(run) => run,
                Piece::Char(c) => c.encode_utf8(&mut buf),
                Piece::LoneSurrogate(_) => return false,
            };
            match rest.strip_prefix(text) {
                Some(left) => rest = left,
                None => return false,
            }
        }
        rest.is_empty()
    }
}

impl PartialEq<&str> for JsonStr<'_> {
    #[inline]
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl PartialEq for JsonStr<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.as_str(), other.as_str()) {
            (Some(a), Some(b)) => a == b,
            (Some(a), None) => other == a,
            (None, Some(b)) => self == b,
            (None, None) => {
                self.raw == other.raw
                    || (self.is_text() && other.is_text() && self.chars().eq(other.chars()))
            }
        }
    }
}

impl Eq for JsonStr<'_> {}

impl core::hash::Hash for JsonStr<'_> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        if self.is_text() {
            for c in self.chars() {
                c.hash(state);
            }
        } else {
            self.raw.hash(state);
        }
        state.write_u8(0xFF);
    }
}

/// Its length: strings are payload, and payload does not go into logs.
impl fmt::Debug for JsonStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JsonStr({} bytes)", self.raw.len())
    }
}

/// Part of a string after unescaping.
enum Piece<'a> {
    /// A run without escapes. Never empty.
    Text(&'a str),
    Char(char),
    /// Half a pair, whose backslash is at this index between the quotes.
    LoneSurrogate(usize),
}

struct Pieces<'a> {
    inner: &'a str,
    /// `at <= inner.len()`; everything before has been given out. Never within an escape.
    at: usize,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let rest = self.inner.get(self.at..)?;
        let run = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len());
        if run > 0 {
            self.at += run;
            return rest.get(..run).map(Piece::Text);
        }
        let start = self.at;
        let escape = *rest.as_bytes().get(1)?;
        self.at += 2;
        let c = match escape {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return Some(self.unicode_escape(start)),
            quoted => char::from(quoted),
        };
        Some(Piece::Char(c))
    }
}

impl<'a> Pieces<'a> {
    /// The character whose `\u` has just been gone over; with it the other half of a pair, where it follows.
    fn unicode_escape(&mut self, start: usize) -> Piece<'a> {
        let unit = self.hex();
        self.at += 4;
        if let Some(c) = char::from_u32(unit) {
            return Piece::Char(c);
        }
        let is_high = unit < 0xDC00;
        let follows = self
            .inner
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with("\\u"));
        if is_high && follows {
            let before = self.at;
            self.at += 2;
            let low = self.hex();
            if (0xDC00..0xE000).contains(&low) {
                self.at += 4;
                let code = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                if let Some(c) = char::from_u32(code) {
                    return Piece::Char(c);
                }
            }
            self.at = before;
        }
        Piece::LoneSurrogate(start)
    }

    /// The four hexadecimal digits at `at`. A checked token has them.
    fn hex(&self) -> u32 {
        self.inner
            .get(self.at..self.at + 4)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .unwrap_or(0xDFFF)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::hash::{BuildHasher, BuildHasherDefault};
    use std::collections::hash_map::DefaultHasher;

    fn token(raw: &str) -> JsonStr<'_> {
        crate::json::RawJson::parse(raw.as_bytes())
            .unwrap()
            .as_string()
            .unwrap()
    }

    fn hash(token: JsonStr<'_>) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one(token)
    }

    #[test]
    fn decodes_and_compares() {
        let table = [
            (r#""""#, ""),
            (r#""abc""#, "abc"),
            (r#""a\/b""#, "a/b"),
            (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
            (r#""m\u0065thod""#, "method"),
            (r#""\u00e9\u65E5x""#, "\u{e9}\u{65e5}x"),
            (r#""\ud834\udd1e!""#, "\u{1d11e}!"),
            (r#""\u0000""#, "\0"),
            ("\"日本\\u8a9e\"", "日本語"),
        ];
        for (raw, text) in table {
            let token = token(raw);
            assert_eq!(token.decode().as_deref(), Ok(text), "{raw}");
            assert_eq!(token, text, "{raw}");
            assert_ne!(token, format!("{text}x").as_str(), "{raw}");
            assert!(token.is_text());
            assert!(token.chars().eq(text.chars()));
            assert_eq!(token.as_str(), (!raw.contains('\\')).then_some(text));
            assert_eq!(token.raw(), raw);
        }
    }

    #[test]
    fn an_escape_is_found_wherever_it_stands() {
        for len in 0..80 {
            let plain = "x".repeat(len);
            let raw = format!("\"{plain}\"");
            assert_eq!(token(&raw).as_str(), Some(plain.as_str()));
            for at in 0..=len {
                let raw = format!("\"{}\\n{}\"", &plain[..at], &plain[at..]);
                assert_eq!(token(&raw).as_str(), None, "{raw}");
            }
        }
    }

    #[test]
    fn tokens_equal_by_text_whatever_the_spelling() {
        let spellings = [
            r#""a/é""#,
            r#""a\/\u00e9""#,
            r#""\u0061/é""#,
            r#""\u0061\u002F\u00E9""#,
        ];
        for a in spellings {
            for b in spellings {
                assert_eq!(token(a), token(b));
                assert_eq!(hash(token(a)), hash(token(b)));
            }
            assert_ne!(token(a), token(r#""a/e""#));
            assert_ne!(token(a), token(r#""a\/e""#));
        }
    }

    #[test]
    fn lone_surrogates_are_no_text() {
        let table = [
            (r#""a\udfff""#, 2),
            (r#""\ud83d""#, 1),
            (r#""\ud83dx""#, 1),
            (r#""\ud83d\n""#, 1),
            (r#""\ud83d\ud83d\ude00""#, 1),
            (r#""é\ude00\ud83d""#, 3),
            (r#""\ud83d\u0041""#, 1),
        ];
        for (raw, at) in table {
            let token = token(raw);
            assert_eq!(token.decode().map_err(|e| e.at()), Err(at), "{raw}");
            assert!(!token.is_text());
            assert_eq!(token, self::token(raw));
            assert_eq!(hash(token), hash(self::token(raw)));
            assert_ne!(token, "a");
        }
        assert_ne!(token(r#""\ud83d""#), token(r#""\uD83D""#));
    }
}
