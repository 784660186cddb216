use super::error::SyntaxError;
use super::number;
use super::scan::check;
use super::space::SPACE;
use super::text::JsonStr;
use super::trusted::TrustedScanner;
use crate::limits::Limits;
use core::fmt;

/// A value whose bytes are known to be one well-formed JSON text in UTF-8, and stay as they are.
///
/// Nothing is decoded until it is asked for, and nothing is remembered: each [`get`](Self::get) walks the whole value
/// again, so it costs O(length). Take [`get_many`](Self::get_many) for several members and [`members`](Self::members)
/// for all. Such a walk only looks for the ends of values, and does not check again what has been checked.
///
/// ```
/// use rpcslice::json::RawJson;
///
/// let value = RawJson::parse(br#"{"name":"search","arguments":{"q":"\u65e5","n":1e400}}"#)?;
/// let [name, arguments] = value.get_many(["name", "arguments"]);
/// assert_eq!(name.unwrap().as_string().unwrap(), "search");
/// assert_eq!(arguments.unwrap().raw(), r#"{"q":"\u65e5","n":1e400}"#); // exact bytes
/// # Ok::<(), rpcslice::json::SyntaxError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RawJson<'a> {
    /// Well-formed, not empty, no white space around.
    raw: &'a str,
}

/// Where a part stands in the text that it is a slice of.
#[inline]
pub(crate) fn offset_in(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// The six kinds of JSON values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum JsonKind {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

/// A string is a value.
impl<'a> From<JsonStr<'a>> for RawJson<'a> {
    fn from(text: JsonStr<'a>) -> Self {
        Self { raw: text.raw() }
    }
}

impl<'a> RawJson<'a> {
    /// `{}`
    pub const EMPTY_OBJECT: Self = Self { raw: "{}" };

    /// Checks a whole JSON text: grammar, UTF-8, nesting (128 containers at most), nothing after it. One pass, no
    /// allocation. White space around the value does not become part of it.
    ///
    /// # Errors
    /// The first fault, with its byte.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, SyntaxError> {
        Self::parse_with(bytes, &Limits::new())
    }

    /// As [`parse`](Self::parse), with other limits.
    ///
    /// # Errors
    /// The first fault, with its byte.
    pub fn parse_with(bytes: &'a [u8], limits: &Limits) -> Result<Self, SyntaxError> {
        let text = check(bytes, limits)?;
        Ok(Self {
            raw: text.trim_matches(SPACE),
        })
    }

    /// `raw` is one value out of a checked text, without white space around.
    #[inline]
    pub(crate) const fn from_checked(raw: &'a str) -> Self {
        Self { raw }
    }

    /// The value, byte for byte.
    #[inline]
    #[must_use]
    pub const fn raw(&self) -> &'a str {
        self.raw
    }

    /// The value, byte for byte.
    #[inline]
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.raw.as_bytes()
    }

    /// What kind of value it is; looks at its first byte.
    #[must_use]
    pub fn kind(&self) -> JsonKind {
        match self.raw.as_bytes().first() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::String,
            Some(b't' | b'f') => JsonKind::Bool,
            Some(b'n') => JsonKind::Null,
            _ => JsonKind::Number,
        }
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.kind() == JsonKind::Null
    }

    /// The boolean it is.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self.raw {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// The string it is.
    #[must_use]
    pub fn as_string(&self) -> Option<JsonStr<'a>> {
        (self.kind() == JsonKind::String).then_some(JsonStr::from_checked(self.raw))
    }

    /// Whether it is a number written as an integer: no fraction, no exponent, any number of digits.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.kind() == JsonKind::Number && number::is_integer(self.raw)
    }

    /// The integer it is, if it is written as one and fits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        // Rust's grammar for integers also has a leading `+`, which a checked number has not.
        self.raw.parse().ok()
    }

    /// The integer it is, if it is written as one and fits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match self.raw {
            "-0" => Some(0),
            raw => raw.parse().ok(),
        }
    }

    /// The members of an object, in their order, duplicates included; nothing for other kinds. O(length) for all.
    #[must_use]
    pub fn members(&self) -> Members<'a> {
        Members {
            walk: Walk::new(*self, JsonKind::Object),
            len: self.raw.len(),
        }
    }

    /// The elements of an array, in their order; nothing for other kinds. O(length) for all.
    #[must_use]
    pub fn elements(&self) -> Elements<'a> {
        Elements {
            walk: Walk::new(*self, JsonKind::Array),
            len: self.raw.len(),
        }
    }

    /// The value of the member with this name, compared after unescaping; of several the last, as most parsers have it.
    /// Walks the whole value: O(length) each time.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<RawJson<'a>> {
        let [value] = self.get_many([name]);
        value
    }

    /// The values of several members in one walk, as [`get`](Self::get).
    #[must_use]
    pub fn get_many<const N: usize>(&self, names: [&str; N]) -> [Option<RawJson<'a>>; N] {
        let mut found = [None; N];
        for (name, value) in self.members() {
            for (slot, wanted) in found.iter_mut().zip(names) {
                if name == wanted {
                    *slot = Some(value);
                }
            }
        }
        found
    }
}

/// Kind and length: values are payload, and payload does not go into logs.
impl fmt::Debug for RawJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawJson({:?}, {} bytes)", self.kind(), self.raw.len())
    }
}

/// A walk over one container of a text that has been checked.
#[derive(Clone)]
struct Walk<'a> {
    /// None where it has ended.
    scanner: Option<TrustedScanner<'a>>,
    is_first: bool,
}

impl<'a> Walk<'a> {
    #[inline]
    fn new(value: RawJson<'a>, kind: JsonKind) -> Self {
        let scanner = (value.kind() == kind).then(|| {
            let mut scanner = TrustedScanner::new(value);
            scanner.enter();
            scanner
        });
        Self {
            scanner,
            is_first: true,
        }
    }

    #[inline(always)]
    fn member(&mut self) -> Option<(JsonStr<'a>, RawJson<'a>)> {
        let scanner = self.scanner.as_mut()?;
        if !scanner.next_member(core::mem::take(&mut self.is_first)) {
            return None;
        }
        Some((scanner.name()?, scanner.value()?))
    }

    #[inline(always)]
    fn element(&mut self) -> Option<RawJson<'a>> {
        let scanner = self.scanner.as_mut()?;
        let follows = scanner.next_element(core::mem::take(&mut self.is_first));
        follows.then(|| scanner.value()).flatten()
    }
}

/// The members of an object; see [`RawJson::members`].
#[derive(Clone)]
pub struct Members<'a> {
    walk: Walk<'a>,
    /// Of the whole object, in bytes.
    len: usize,
}

impl<'a> Iterator for Members<'a> {
    type Item = (JsonStr<'a>, RawJson<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let member = self.walk.member();
        if member.is_none() {
            self.walk.scanner = None;
        }
        member
    }
}

impl core::iter::FusedIterator for Members<'_> {}

impl fmt::Debug for Members<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Members(of {} bytes)", self.len)
    }
}

/// The elements of an array; see [`RawJson::elements`].
#[derive(Clone)]
pub struct Elements<'a> {
    walk: Walk<'a>,
    /// Of the whole array, in bytes.
    len: usize,
}

impl<'a> Iterator for Elements<'a> {
    type Item = RawJson<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let element = self.walk.element();
        if element.is_none() {
            self.walk.scanner = None;
        }
        element
    }
}

impl core::iter::FusedIterator for Elements<'_> {}

impl fmt::Debug for Elements<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Elements(of {} bytes)", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> RawJson<'_> {
        RawJson::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn kinds_and_scalars() {
        assert_eq!(raw(" null\n").kind(), JsonKind::Null);
        assert_eq!(raw("true").as_bool(), Some(true));
        assert_eq!(raw("false").as_bool(), Some(false));
        assert_eq!(raw("-0").as_i64(), Some(0));
        assert_eq!(raw("9223372036854775807").as_i64(), Some(i64::MAX));
        assert_eq!(raw("9223372036854775808").as_i64(), None);
        assert_eq!(raw("18446744073709551615").as_u64(), Some(u64::MAX));
        assert_eq!(raw("1.0").as_i64(), None);
        assert_eq!(raw("\"1\"").as_i64(), None);
        assert!(raw("123456789012345678901234567890").is_integer());
        assert!(!raw("1e2").is_integer());
        assert_eq!(raw(" \"x\" ").raw(), "\"x\"");
        assert_eq!(raw("1").as_string(), None);
    }

    #[test]
    fn members_and_elements_in_order_and_to_the_byte() {
        let value = raw(r#"{ "a" : 1 , "b":[ ] ,"\u0061":{"x":2}, "":null }"#);
        let members: Vec<_> = value
            .members()
            .map(|(name, value)| (name.raw(), value.raw()))
            .collect();
        assert_eq!(
            members,
            [
                ("\"a\"", "1"),
                ("\"b\"", "[ ]"),
                ("\"\\u0061\"", "{\"x\":2}"),
                ("\"\"", "null")
            ]
        );
        let [a, b, none] = value.get_many(["a", "b", "c"]);
        assert_eq!(a.unwrap().raw(), "{\"x\":2}"); // the last of the two
        assert_eq!(b.unwrap().raw(), "[ ]");
        assert!(none.is_none());
        let elements: Vec<_> = raw("[1, [2] ,\"3\",{}]")
            .elements()
            .map(|e| e.raw())
            .collect();
        assert_eq!(elements, ["1", "[2]", "\"3\"", "{}"]);
        assert_eq!(raw("[]").elements().count(), 0);
        assert_eq!(raw("{}").members().count(), 0);
        assert_eq!(raw("[1]").members().count(), 0);
        assert_eq!(raw("3").elements().count(), 0);
    }

    #[test]
    fn the_length_limit_is_inclusive() {
        let limits = Limits::new().with_max_frame_bytes(4);
        assert!(RawJson::parse_with(b"1234", &limits).is_ok());
        let error = RawJson::parse_with(b"12345", &limits).unwrap_err();
        assert_eq!(error.kind(), crate::json::SyntaxErrorKind::TooLong);
        assert_eq!(error.at(), 4);
    }

    #[test]
    fn debug_shows_no_payload() {
        let text = format!("{:?}", raw("{\"secret\":1}"));
        assert_eq!(text, "RawJson(Object, 12 bytes)");
    }
}
