use crate::error::INVALID_PARAMS;
use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use core::fmt;
use serde::Deserialize;

/// A value is not what a type expects.
///
/// `Display` and `Debug` say where, and never quote the value; [`detail`](Self::detail) is what `serde` says, which may.
#[derive(Clone, PartialEq, Eq)]
pub struct DecodeError {
    path: String,
    at: usize,
    detail: String,
}

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
        Some(Self::new(path, at, error))
    }

    pub(super) fn new(path: &str, at: usize, detail: impl fmt::Display) -> Self {
        Self {
            path: path.to_owned(),
            at,
            detail: detail.to_string(),
        }
    }

    /// The member at fault, within the value that was decoded: `arguments.items[3].n`. Empty for the value itself.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The byte at which the fault was noticed, within the value that was decoded; often the last of the member.
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
        match &*self.path {
            "" => f.write_str("the value")?,
            path => write!(f, "`{path}`")?,
        }
        write!(f, " is not what is expected there (byte {})", self.at)
    }
}

impl fmt::Debug for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecodeError({self})")
    }
}

impl core::error::Error for DecodeError {}
