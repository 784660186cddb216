use crate::error::INVALID_PARAMS;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt::{self, Write};
use serde::Deserialize;

/// A value is not what a type expects.
///
/// `Display` and `Debug` say which member, by a path that is escaped and cut short, and never quote its value; [`detail`](Self::detail) is what `serde` says, which may.
#[derive(Clone, PartialEq, Eq)]
pub struct DecodeError {
    path: String,
    at: usize,
    kind: DecodeErrorKind,
    detail: String,
}

/// What is wrong with the member that a [`DecodeError`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// It has to be there and is not.
    Missing,
    /// It is there twice.
    Duplicate,
    /// The type has no such member, and says that it takes no others.
    Unknown,
    /// It is of another type than is expected, or has a value that the type does not take.
    Invalid,
}

/// How `serde` begins its words on members, which is all that it says of them.
const WORDS: [(&str, DecodeErrorKind); 3] = [
    ("missing field `", DecodeErrorKind::Missing),
    ("duplicate field `", DecodeErrorKind::Duplicate),
    ("unknown field `", DecodeErrorKind::Unknown),
];

impl DecodeError {
    /// What is wrong with a value that did not decode. Decodes it once more, keeping the path.
    #[cold]
    pub(super) fn find<'a, T: Deserialize<'a>>(raw: &'a str) -> Option<Self> {
        let mut deserializer = serde_json::Deserializer::from_str(raw);
        let error = serde_path_to_error::deserialize::<_, T>(&mut deserializer).err()?;
        let path = error.path().to_string();
        let path = if path == "." { "" } else { &path };
        let error = error.into_inner();
        let at = offset(raw, error.line(), error.column());
        let place = format!(" at line {} column {}", error.line(), error.column());
        let detail = error.to_string();
        let detail = detail.strip_suffix(&place).unwrap_or(&detail);
        Some(Self::new(path, at, detail))
    }

    pub(super) fn new(path: &str, at: usize, detail: impl fmt::Display) -> Self {
        let detail = detail.to_string();
        let said = WORDS.iter().find_map(|(words, kind)| {
            let (name, _) = detail.strip_prefix(words)?.split_once('`')?;
            Some((name, *kind))
        });
        let (name, kind) = said.unwrap_or(("", DecodeErrorKind::Invalid));
        // The path leads to the object around a member that is missing or there twice, and to one that is unknown.
        let is_around = matches!(kind, DecodeErrorKind::Missing | DecodeErrorKind::Duplicate);
        let path = match (is_around, path) {
            (false, path) => path.to_owned(),
            (true, "") => name.to_owned(),
            (true, path) => format!("{path}.{name}"),
        };
        Self {
            path,
            at,
            kind,
            detail,
        }
    }

    /// The member at fault, within the value that was decoded: `arguments.items[3].n`. Empty for the value itself. The names are
    /// the sender's where the type takes any, as they came.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What is wrong with it.
    #[must_use]
    pub const fn kind(&self) -> DecodeErrorKind {
        self.kind
    }

    /// The byte at which the fault was noticed, within the value that was decoded; often the last of the member, or of the
    /// object in which it is missing.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// What is wrong, in the words of `serde`. They may quote the value: for an answer, not for a log.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The code of an answer to a request whose params these are: -32602 (JSON-RPC 2.0 section 5.1).
    #[must_use]
    pub const fn code(&self) -> i64 {
        INVALID_PARAMS
    }
}

/// So many characters of a path are shown.
const LONGEST_PATH: usize = 128;

/// The byte at a line and a column, which `serde_json` counts in bytes, both from 1.
fn offset(raw: &str, line: usize, column: usize) -> usize {
    let before: usize = raw
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    (before + column.saturating_sub(1)).min(raw.len())
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str("the value")?;
        } else {
            f.write_str("`")?;
            for c in self.path.chars().take(LONGEST_PATH) {
                match c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c) {
                    true => write!(f, "{}", c.escape_unicode())?,
                    false => f.write_char(c)?,
                }
            }
            let is_cut = self.path.chars().nth(LONGEST_PATH).is_some();
            f.write_str(if is_cut { "…`" } else { "`" })?;
        }
        f.write_str(match self.kind {
            DecodeErrorKind::Missing => " is missing",
            DecodeErrorKind::Duplicate => " is there twice",
            DecodeErrorKind::Unknown => " is not known there",
            DecodeErrorKind::Invalid => " is not what is expected there",
        })
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecodeError({self}, byte {})", self.at)
    }
}

impl core::error::Error for DecodeError {}
