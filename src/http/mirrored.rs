//! The routing headers, found in one pass over all headers.

use super::value::{ValueError, decode, is_trimmed, text};
use crate::error::ErrorKind;
use crate::header::Header;
use crate::json::JsonStr;
use crate::mcp::{Version, Versions};
use ::http::{HeaderMap, HeaderName, HeaderValue};

/// The three headers that a request is routed by, as they are there.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Mirrored<'h> {
    pub(super) version: Values<'h>,
    pub(super) method: Values<'h>,
    pub(super) name: Values<'h>,
}

/// The values of one header.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Values<'h> {
    #[default]
    None,
    Once(&'h HeaderValue),
    /// More than once, with the same value, white space around it aside.
    Copies(&'h HeaderValue),
    Differing,
}

impl<'h> Mirrored<'h> {
    #[inline]
    pub(super) fn of(headers: &'h HeaderMap) -> Self {
        let mut found = Self::default();
        for (name, value) in headers {
            let name = name.as_str().as_bytes();
            // Of most headers a glance at four bytes is enough.
            if name.first_chunk() != Some(b"mcp-") {
                continue;
            }
            let values = match name {
                b"mcp-protocol-version" => &mut found.version,
                b"mcp-method" => &mut found.method,
                b"mcp-name" => &mut found.name,
                _ => continue,
            };
            *values = values.and(value);
        }
        found
    }
}

#[cold]
fn is_same(one: &HeaderValue, other: &HeaderValue) -> bool {
    text(one).is_ok_and(|one| text(other).is_ok_and(|other| one == other))
}

impl<'h> Values<'h> {
    /// Those of a header, looked up by its name.
    pub(super) fn of(headers: &'h HeaderMap, name: &HeaderName) -> Self {
        let values = headers.get_all(name).iter();
        values.fold(Self::None, Self::and)
    }

    #[inline]
    fn and(self, value: &'h HeaderValue) -> Self {
        match self {
            Self::None => Self::Once(value),
            Self::Once(first) | Self::Copies(first) if is_same(first, value) => Self::Copies(first),
            _ => Self::Differing,
        }
    }

    /// The only value, or the kind of error that there is none, or are several.
    #[inline]
    pub(super) fn only(self) -> Result<&'h HeaderValue, fn(Header) -> ErrorKind> {
        match self {
            Self::Once(value) => Ok(value),
            Self::None => Err(ErrorKind::HeaderMissing),
            Self::Copies(_) | Self::Differing => Err(ErrorKind::HeaderRepeated),
        }
    }

    /// The revision that it names, if it is one of these; equal copies count as one.
    #[inline]
    pub(super) fn version(self, served: &Versions) -> Option<Version> {
        match self {
            Self::Once(value) | Self::Copies(value) => {
                let name = value.as_bytes();
                let is = |version: &Version| version.as_str().as_bytes() == name;
                // The newest first: that is what most name.
                let mut versions = served.iter().rev();
                versions
                    .find(is)
                    .or_else(|| text(value).ok().and_then(|name| served.named(name)))
            }
            Self::None | Self::Differing => None,
        }
    }

    /// Whether there is one value, and it is this name.
    #[inline(always)]
    pub(super) fn are(self, name: &str) -> bool {
        matches!(self, Self::Once(value) if value.as_bytes() == name.as_bytes())
    }

    /// Whether there is one value, and it is the string as it stands in the body.
    #[inline(always)]
    pub(super) fn are_plainly(self, string: Option<JsonStr<'_>>) -> bool {
        match (self, string) {
            (Self::Once(value), Some(string)) => is_as_written(value.as_bytes(), &string),
            _ => false,
        }
    }

    /// Holds a header to the string that it mirrors, which may be written as it is alone, or also in the Base64 form.
    pub(super) fn says(
        self,
        string: &JsonStr<'_>,
        may_be_coded: bool,
    ) -> Result<(), fn(Header) -> ErrorKind> {
        let value = self.only()?;
        let said = match may_be_coded {
            true => decode(value).map(|said| *string == *said),
            false => text(value).map(|said| *string == *said),
        };
        match said {
            Ok(true) => Ok(()),
            Ok(false) => Err(ErrorKind::HeaderMismatch),
            Err(ValueError::Characters | ValueError::Base64) => Err(ErrorKind::HeaderInvalid),
            Err(_) => Err(ErrorKind::HeaderMismatch),
        }
    }
}

/// Whether a value is the very bytes between a string's quotes, and they stand for nothing else: ASCII, no escape, no white
/// space around, no marks. (Control characters but TAB stand in no header.)
#[inline(always)]
fn is_as_written(value: &[u8], string: &JsonStr<'_>) -> bool {
    value == string.inner().as_bytes()
        && value.is_ascii()
        && !value.starts_with(b"=?")
        && is_trimmed(value)
        && string.as_str().is_some()
}
