//! The values of `Mcp-Name` and `Mcp-Param-*` (2026-07-28 `basic/transports/streamable-http#value-encoding`; SEP-2243).

use crate::json::{JsonKind, RawJson, number};
use ::http::HeaderValue;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use base64::prelude::{BASE64_STANDARD, Engine};
use core::fmt;

const PREFIX: &str = "=?base64?";
const SUFFIX: &str = "?=";

/// The integers that a header may carry lie this far from 0 at most: 2^53 - 1.
const HIGHEST: i64 = (1 << 53) - 1;

/// Why a header's value says nothing, or nothing can be said in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueError {
    /// Characters outside of ASCII, or control characters.
    Characters,
    /// The Base64 form, and what is in it is not Base64 with its padding, or not UTF-8.
    Base64,
    /// Neither string, integer nor boolean.
    Type,
    /// An integer more than 2^53 - 1 away from 0.
    Range,
    /// A string that is no text: half a surrogate pair.
    NoText,
    /// The argument is there twice.
    Repeated,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Characters => "a header's value must be ASCII without control characters",
            Self::Base64 => "what stands in the Base64 form is not Base64 of UTF-8",
            Self::Type => "only strings, integers and booleans go into a header",
            Self::Range => "an integer in a header lies within 2^53 - 1 of 0",
            Self::Repeated => "the argument is there twice",
            Self::NoText => "a string with half a surrogate pair is no text",
        })
    }
}

impl core::error::Error for ValueError {}

/// The value that stands for a text: as it is, or in the Base64 form where that is needed: for characters outside of
/// ASCII and control characters, TAB among them; a space at either end; and a text that looks like the Base64 form.
///
/// ```
/// use rpcslice::http::{decode, encode};
///
/// assert_eq!(encode("us-west1"), "us-west1");
/// assert_eq!(encode("世界"), "=?base64?5LiW55WM?=");
/// assert_eq!(decode(&encode(" padded ")).unwrap(), " padded ");
/// ```
#[must_use]
pub fn encode(text: &str) -> HeaderValue {
    if is_plain(text)
        && let Ok(value) = HeaderValue::from_str(text)
    {
        return value;
    }
    let mut value = String::from(PREFIX);
    BASE64_STANDARD.encode_string(text, &mut value);
    value.push_str(SUFFIX);
    // Base64 and the marks are visible ASCII.
    HeaderValue::try_from(value).unwrap_or_else(|_| HeaderValue::from_static(""))
}

fn is_plain(text: &str) -> bool {
    stands_as_it_is(text) && !(text.starts_with(PREFIX) && text.ends_with(SUFFIX))
}

/// Whether a text can be a header's value, and is read back as it was: visible ASCII, and no space at either end.
pub(super) fn stands_as_it_is(text: &str) -> bool {
    let is_visible = text.bytes().all(|b| matches!(b, b' '..=b'~'));
    is_visible && !text.starts_with(' ') && !text.ends_with(' ')
}

/// The value that stands for an argument; `None` for `null`, which has no header.
///
/// # Errors
/// What can't stand in a header: objects, arrays, numbers that are no integers, integers beyond 2^53 - 1.
pub fn encode_value(value: RawJson<'_>) -> Result<Option<HeaderValue>, ValueError> {
    match value.kind() {
        JsonKind::Null => Ok(None),
        JsonKind::String => {
            let text = value.as_string().map(|text| text.decode());
            match text {
                Some(Ok(text)) => Ok(Some(encode(&text))),
                _ => Err(ValueError::NoText),
            }
        }
        JsonKind::Bool => Ok(Some(HeaderValue::from_static(match value.as_bool() {
            Some(true) => "true",
            _ => "false",
        }))),
        JsonKind::Number => integer(value.raw()).map(|integer| Some(HeaderValue::from(integer))),
        JsonKind::Array | JsonKind::Object => Err(ValueError::Type),
    }
}

/// The value of a number that is an integer, however it is written.
pub(super) fn integer(number: &str) -> Result<i64, ValueError> {
    if let Ok(integer) = number.parse::<i64>() {
        return match (-HIGHEST..=HIGHEST).contains(&integer) {
            true => Ok(integer),
            false => Err(ValueError::Range),
        };
    }
    if !number::is_integral(number) {
        return Err(ValueError::Type);
    }
    // `42.0`, `4.2e1`: exact in 64 bits of floating point, as far as a header may carry it.
    let float: f64 = number.parse().map_err(|_| ValueError::Type)?;
    let integer = float as i64;
    match float.abs() <= HIGHEST as f64 && number::is_equal(number, &integer.to_string()) {
        true => Ok(integer),
        false => Err(ValueError::Range),
    }
}

/// The text that a value stands for, which may hold any characters, line breaks among them: white space around it is no part of it, and the Base64 form is decoded. Allocates only
/// for that.
///
/// # Errors
/// Characters outside of ASCII, and a Base64 form that holds no Base64 with its padding, or no UTF-8.
pub fn decode(value: &HeaderValue) -> Result<Cow<'_, str>, ValueError> {
    let text = text(value)?;
    match inner(text) {
        None => Ok(Cow::Borrowed(text)),
        Some(inner) => {
            let bytes = BASE64_STANDARD
                .decode(inner)
                .map_err(|_| ValueError::Base64)?;
            String::from_utf8(bytes)
                .map(Cow::Owned)
                .map_err(|_| ValueError::Base64)
        }
    }
}

/// A value without the white space around it (RFC 9110 section 5.5).
#[inline]
pub(super) fn text(value: &HeaderValue) -> Result<&str, ValueError> {
    let text = value.to_str().map_err(|_| ValueError::Characters)?;
    Ok(match is_trimmed(text.as_bytes()) {
        true => text,
        false => text.trim_matches([' ', '\t']),
    })
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether no white space stands around a value.
#[inline]
pub(super) fn is_trimmed(bytes: &[u8]) -> bool {
    match bytes {
        [] => true,
        [first, .., last] => !is_blank(*first) && !is_blank(*last),
        [only] => !is_blank(*only),
    }
}

/// What stands between the marks of the Base64 form, which are exact and may not share a character.
fn inner(text: &str) -> Option<&str> {
    text.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn value(text: &str) -> HeaderValue {
        HeaderValue::from_bytes(text.as_bytes()).unwrap()
    }

    #[test]
    fn texts_are_written_plainly_where_that_says_the_same() {
        for (text, expected) in [
            ("", ""),
            ("a b", "a b"),
            ("~!\"", "~!\""),
            (" a", "=?base64?IGE=?="),
            ("a ", "=?base64?YSA=?="),
            (" ", "=?base64?IA==?="),
            ("a\tb", "=?base64?YQli?="),
            ("a\r\nb", "=?base64?YQ0KYg==?="),
            ("\u{7f}", "=?base64?fw==?="),
            ("\0", "=?base64?AA==?="),
            ("é", "=?base64?w6k=?="),
            ("=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="),
            ("=?base64??=", "=?base64?PT9iYXNlNjQ/Pz0=?="),
            // The marks share a character: not what a decoder takes for the form, but close.
            ("=?base64?=", "=?base64?PT9iYXNlNjQ/PQ==?="),
            ("=?base64?x", "=?base64?x"),
            ("x?=", "x?="),
            ("=?BASE64?x?=", "=?BASE64?x?="),
        ] {
            assert_eq!(encode(text), expected, "{text:?}");
            assert_eq!(decode(&encode(text)).unwrap(), text, "{text:?}");
        }
    }

    #[test]
    fn values_are_read_or_refused() {
        for (written, expected) in [
            ("a", Ok("a")),
            ("  a\t", Ok("a")),
            ("a\tb", Ok("a\tb")),
            (" \t ", Ok("")),
            ("=?base64?SGVsbG8=?=", Ok("Hello")),
            (" =?base64?SGVsbG8=?= ", Ok("Hello")),
            ("=?base64?IGE=?=", Ok(" a")),
            ("=?base64??=", Ok("")),
            ("=?base64?=", Ok("=?base64?=")),
            ("=?BASE64?SGVsbG8=?=", Ok("=?BASE64?SGVsbG8=?=")),
            ("=?base64?SGVsbG8=", Ok("=?base64?SGVsbG8=")),
            ("=?base64?SGVsbG8?=", Err(ValueError::Base64)),
            ("=?base64?SGVsbG8==?=", Err(ValueError::Base64)),
            ("=?base64?SGVsbG9=?=", Err(ValueError::Base64)), // trailing bits
            ("=?base64?SGVs bG8=?=", Err(ValueError::Base64)),
            ("=?base64?_-8=?=", Err(ValueError::Base64)),
            ("=?base64?//79?=", Err(ValueError::Base64)),
            ("na\u{ef}ve", Err(ValueError::Characters)),
        ] {
            assert_eq!(
                decode(&value(written)).as_deref(),
                expected.as_ref().copied(),
                "{written:?}"
            );
        }
        let no_text = HeaderValue::from_bytes(b"\xFF").unwrap();
        assert_eq!(decode(&no_text), Err(ValueError::Characters));
    }

    #[test]
    fn arguments_that_can_stand_in_a_header() {
        for (json, expected) in [
            ("null", Ok(None)),
            ("true", Ok(Some("true"))),
            ("false", Ok(Some("false"))),
            ("0", Ok(Some("0"))),
            ("-0", Ok(Some("0"))),
            ("-7", Ok(Some("-7"))),
            ("42.0", Ok(Some("42"))),
            ("4.2e1", Ok(Some("42"))),
            ("9007199254740991", Ok(Some("9007199254740991"))),
            ("-9007199254740991", Ok(Some("-9007199254740991"))),
            ("9007199254740992", Err(ValueError::Range)),
            ("9007199254740991.0", Ok(Some("9007199254740991"))),
            ("9007199254740992.0", Err(ValueError::Range)),
            ("1e400", Err(ValueError::Range)),
            ("99999999999999999999", Err(ValueError::Range)),
            ("1.5", Err(ValueError::Type)),
            ("[]", Err(ValueError::Type)),
            ("{}", Err(ValueError::Type)),
            (r#""a""#, Ok(Some("a"))),
            (r#""\u0061 ""#, Ok(Some("=?base64?YSA=?="))),
            (r#""\ud83d""#, Err(ValueError::NoText)),
        ] {
            let got = encode_value(RawJson::parse(json.as_bytes()).unwrap());
            let expected = expected.map(|text| text.map(HeaderValue::from_static));
            assert_eq!(got, expected, "{json}");
        }
    }
}
