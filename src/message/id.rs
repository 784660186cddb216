use crate::error::Error;
use crate::json::{JsonStr, RawJson, escape, number};
use crate::limits::Limits;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use memchr::memchr;
use smallvec::SmallVec;

/// The id of a request or response: a string or an integer, as it stands in the message.
///
/// Equality and hashing go by value, as a peer would match them: strings by their text after unescaping (by their bytes
/// where they are no Unicode text), integers by their digits, however many (`-0` is `0`), and numbers with a fraction or an
/// exponent, which parsing takes only under the lenient policy, by their bytes. A string never equals a number: `"1"` and
/// `1` are two ids. The bytes stay what they were, so that an answer can echo them.
///
/// ```
/// use rpcslice::Id;
///
/// let id = Id::from_raw("9007199254740993").unwrap();
/// assert_eq!(id.raw(), "9007199254740993");
/// assert_eq!(id.as_i64(), Some(9_007_199_254_740_993));
/// assert_ne!(id, Id::from_raw("\"9007199254740993\"").unwrap());
/// assert_eq!(Id::from_raw(r#""a\/b""#), Id::from_raw(r#""a/b""#));
/// assert_eq!(Id::from_raw("1.5"), None);
/// ```
#[derive(Clone, Copy)]
pub struct Id<'a> {
    raw: &'a str,
}

impl<'a> Id<'a> {
    /// `raw` is an id out of a parsed message.
    #[inline]
    pub(crate) const fn from_checked(raw: &'a str) -> Self {
        Self { raw }
    }

    /// The id whose JSON text this is. `None` if it is neither a JSON string nor a number of integral value (such as
    /// `1.0`, which parsing takes only under [`Policy::lenient`](crate::Policy::lenient)).
    ///
    /// White space around it does not become part of the id. Any length.
    #[must_use]
    pub fn from_raw(raw: &'a str) -> Option<Self> {
        let limits = Limits::new().with_max_frame_bytes(usize::MAX);
        Self::of(RawJson::parse_with(raw.as_bytes(), &limits).ok()?)
    }

    /// The id that a value is. `None` if it is neither a string nor a number of integral value.
    #[must_use]
    pub fn of(value: RawJson<'a>) -> Option<Self> {
        let raw = value.raw();
        let is_id = match raw.as_bytes().first() {
            Some(b'"') => true,
            Some(b'-' | b'0'..=b'9') => number::is_integer(raw) || number::is_integral(raw),
            _ => false,
        };
        is_id.then_some(Self { raw })
    }

    /// The JSON text, byte for byte: with the quotes of a string.
    #[inline]
    #[must_use]
    pub const fn raw(&self) -> &'a str {
        self.raw
    }

    /// The string it is.
    #[must_use]
    pub fn as_str(&self) -> Option<JsonStr<'a>> {
        RawJson::from_checked(self.raw).as_string()
    }

    /// The integer it is, if it fits. An id may have any number of digits: compare ids, not this.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        RawJson::from_checked(self.raw).as_i64()
    }

    /// The integer it is, if it fits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        RawJson::from_checked(self.raw).as_u64()
    }

    /// What almost all ids are ordered by. `None` for strings with an escape, which have to be read first.
    ///
    /// Text in UTF-8 is in the order of its characters when it is in that of its bytes.
    fn plain_key(raw: &[u8]) -> Option<(bool, &[u8])> {
        match raw {
            [b'"', text @ .., b'"'] => memchr(b'\\', text).is_none().then_some((true, text)),
            b"-0" => Some((false, b"0")),
            number => Some((false, number)),
        }
    }

    /// What a number is compared by. Integers of JSON have one spelling each, but for zero.
    fn number_key(&self) -> &'a str {
        if self.raw == "-0" { "0" } else { self.raw }
    }
}

/// An id is a value.
impl<'a> From<Id<'a>> for RawJson<'a> {
    fn from(id: Id<'a>) -> Self {
        RawJson::from_checked(id.raw)
    }
}

impl Error {
    /// The id that an answer would echo; see [`id_span`](Self::id_span). O(its length).
    #[must_use]
    pub fn id<'f>(&self, frame: &'f [u8]) -> Option<Id<'f>> {
        Id::from_raw(self.id.of(frame)?)
    }
}

impl PartialEq for Id<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self.as_str(), other.as_str()) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.number_key() == other.number_key(),
            _ => false,
        }
    }
}

impl Eq for Id<'_> {}

/// An order for maps, in step with equality: integers, then text, then what is no text.
impl Ord for Id<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let keys = [self, other].map(|id| Self::plain_key(id.raw.as_bytes()));
        if let [Some(own), Some(other)] = keys {
            return own.cmp(&other);
        }
        let class = |id: &Self| id.as_str().map(|text| text.is_text());
        let by_class = match (class(self), class(other)) {
            (None, None) => return self.number_key().cmp(other.number_key()),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(a), Some(b)) => b.cmp(&a),
        };
        by_class.then_with(|| match (self.as_str(), other.as_str()) {
            (Some(a), Some(b)) if a.is_text() => a.chars().cmp(b.chars()),
            _ => self.raw.cmp(other.raw),
        })
    }
}

impl PartialOrd for Id<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Id<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.as_str() {
            Some(text) => text.hash(state),
            None => self.number_key().hash(state),
        }
    }
}

/// The JSON text, so that `92` and `"92"` stay apart; long ids are cut short.
impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_short(f, self.raw)
    }
}

impl fmt::Debug for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Id({self})")
    }
}

/// Writes at most 64 characters of a JSON text, made safe for terminals and logs.
pub(crate) fn write_short(f: &mut fmt::Formatter<'_>, raw: &str) -> fmt::Result {
    const MOST: usize = 64;
    for c in raw.chars().take(MOST) {
        match c {
            '"' | '\'' | '\\' => fmt::Write::write_char(f, c)?,
            c => write!(f, "{}", c.escape_debug())?,
        }
    }
    if raw.chars().nth(MOST).is_some() {
        f.write_str("…")?;
    }
    Ok(())
}

/// An id of its own: up to 40 bytes of JSON text (a UUID in quotes) in place, longer ones on the heap.
///
/// ```
/// use rpcslice::{IdBuf, Message};
///
/// let msg = Message::parse(br#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#)?;
/// let id = IdBuf::from(msg.id().unwrap());
/// assert_eq!(id.as_id(), msg.id().unwrap());
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone)]
pub struct IdBuf {
    /// The UTF-8 of an [`Id`]'s text.
    raw: SmallVec<[u8; 40]>,
}

impl IdBuf {
    /// Lends the id. Looks at each byte once.
    #[must_use]
    pub fn as_id(&self) -> Id<'_> {
        Id::from_checked(core::str::from_utf8(&self.raw).unwrap_or("0"))
    }

    /// The JSON text, byte for byte.
    #[must_use]
    pub fn raw(&self) -> &str {
        self.as_id().raw
    }
}

impl From<u64> for IdBuf {
    fn from(number: u64) -> Self {
        let mut raw = SmallVec::new();
        let mut rest = number;
        loop {
            // Below ten, so it fits.
            raw.push(b'0' + (rest % 10) as u8);
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        raw.reverse();
        Self { raw }
    }
}

/// A string id: the text, escaped.
///
/// ```
/// use rpcslice::IdBuf;
///
/// assert_eq!(IdBuf::from("a \"b\"").raw(), r#""a \"b\"""#);
/// ```
impl From<&str> for IdBuf {
    fn from(text: &str) -> Self {
        let mut raw = SmallVec::new();
        raw.push(b'"');
        escape(text, |piece| raw.extend_from_slice(piece.as_bytes()));
        raw.push(b'"');
        Self { raw }
    }
}

impl From<Id<'_>> for IdBuf {
    fn from(id: Id<'_>) -> Self {
        Self {
            raw: SmallVec::from_slice(id.raw.as_bytes()),
        }
    }
}

impl PartialEq for IdBuf {
    fn eq(&self, other: &Self) -> bool {
        self.as_id() == other.as_id()
    }
}

impl Eq for IdBuf {}

impl Ord for IdBuf {
    fn cmp(&self, other: &Self) -> Ordering {
        // As `Id`, which would have to be shown first that these are UTF-8.
        match (Id::plain_key(&self.raw), Id::plain_key(&other.raw)) {
            (Some(own), Some(other)) => own.cmp(&other),
            _ => self.as_id().cmp(&other.as_id()),
        }
    }
}

impl PartialOrd for IdBuf {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq<Id<'_>> for IdBuf {
    fn eq(&self, other: &Id<'_>) -> bool {
        self.as_id() == *other
    }
}

impl PartialEq<IdBuf> for Id<'_> {
    fn eq(&self, other: &IdBuf) -> bool {
        *self == other.as_id()
    }
}

/// As the borrowed id.
impl Hash for IdBuf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_id().hash(state);
    }
}

impl fmt::Display for IdBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_id().fmt(f)
    }
}

impl fmt::Debug for IdBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IdBuf({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn equality_and_hashing_go_by_value() {
        let table = [
            ("1", "1", true),
            ("1", "\"1\"", false),
            ("-0", "0", true),
            ("-1", "1", false),
            ("18446744073709551617", "18446744073709551617", true),
            ("18446744073709551617", "18446744073709551618", false),
            ("1", "1.0", false),
            ("1.0", "1.0", true),
            ("1.0", "10e-1", false),
            ("\"a/b\"", "\"a\\/b\"", true),
            ("\"\\u00e9\"", "\"é\"", true),
            ("\"\\ud83d\"", "\"\\ud83d\"", true),
            ("\"\\ud83d\"", "\"\\uD83D\"", false),
            ("\"\"", "\"0\"", false),
        ];
        for (a, b, equal) in table {
            let ids = [a, b].map(|raw| Id::from_raw(raw).unwrap());
            assert_eq!(ids[0] == ids[1], equal, "{a} {b}");
            assert_eq!(ids[0].cmp(&ids[1]).is_eq(), equal, "{a} {b}");
            assert_eq!(ids[0].cmp(&ids[1]), ids[1].cmp(&ids[0]).reverse());
            let set: HashSet<IdBuf> = ids.iter().map(|&id| IdBuf::from(id)).collect();
            assert_eq!(set.len(), if equal { 1 } else { 2 }, "{a} {b}");
            assert!(set.contains(&IdBuf::from(ids[1])));
        }
    }

    #[test]
    fn the_order_is_one_whether_there_is_an_escape_or_not() {
        // In their order; those of one row are equal.
        let rows: [&[&str]; 12] = [
            &["-1"],
            &["-0", "0"],
            &["10"],
            &["9"],
            &["\"\"", "\"\""],
            &["\"0\"", "\"\\u0030\""],
            &["\"a\"", "\"\\u0061\""],
            &["\"a/\"", "\"a\\/\""],
            &["\"é\"", "\"\\u00e9\""],
            &["\"\u{ffff}\"", "\"\\uffff\""],
            &["\"😀\"", "\"\\ud83d\\ude00\""],
            &["\"\\ud83d\""],
        ];
        let ids = |row: usize| rows[row].iter().map(|raw| Id::from_raw(raw).unwrap());
        for (row, other) in (0..rows.len()).flat_map(|row| (0..rows.len()).map(move |it| (row, it)))
        {
            for (a, b) in ids(row).flat_map(|a| ids(other).map(move |b| (a, b))) {
                assert_eq!(a.cmp(&b), row.cmp(&other), "{a} {b}");
                assert_eq!(IdBuf::from(a).cmp(&IdBuf::from(b)), row.cmp(&other));
            }
        }
    }

    #[test]
    fn what_is_an_id() {
        for raw in ["null", "true", "1.5", "{}", "[1]", "", "1 2", "\"a", "01"] {
            assert_eq!(Id::from_raw(raw), None, "{raw}");
        }
        for raw in ["0", "-7", "\"\"", "\"x\"", "1e2"] {
            assert_eq!(Id::from_raw(raw).unwrap().raw(), raw);
        }
    }

    #[test]
    fn short_and_long_ids_keep_their_bytes() {
        for len in [0, 1, 37, 38, 39, 40, 41, 10_000] {
            let raw = format!("\"{}\"", "x".repeat(len));
            let id = IdBuf::from(Id::from_raw(&raw).unwrap());
            assert_eq!(id.raw(), raw);
            assert_eq!(id.raw.spilled(), raw.len() > 40);
        }
        let uuid = Id::from_raw("\"3f1c2f8e-0000-4000-8000-00000000beef\"").unwrap();
        assert!(!IdBuf::from(uuid).raw.spilled());
    }

    #[test]
    fn ids_of_our_own_are_numbers() {
        for number in [0, 7, u64::MAX] {
            let id = IdBuf::from(number);
            assert_eq!(id.as_id().as_u64(), Some(number));
            assert_eq!(Id::from_raw(&number.to_string()).unwrap(), id);
        }
        let zero = Id::from_raw("-0").unwrap();
        assert_eq!((zero.as_i64(), zero.as_u64()), (Some(0), Some(0)));
        let long = format!("\"{}\"", "x".repeat(Limits::DEFAULT_MAX_FRAME_BYTES));
        assert_eq!(Id::from_raw(&long).unwrap().raw(), long);
    }

    #[test]
    fn display_is_short_and_safe() {
        let raw = format!("\"\u{202e}{}\"", "x".repeat(100));
        let shown = Id::from_raw(&raw).unwrap().to_string();
        assert!(shown.starts_with("\"\\u{202e}xxx") && shown.ends_with("x…"));
        assert!(shown.len() < 90);
    }
}
