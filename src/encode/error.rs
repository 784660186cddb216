use crate::error::Error;
use crate::mcp::MetaKeyError;
use crate::vocab::Member;
use core::fmt;

/// A message that can't be written, or not so. Nothing has been written then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// It would break a rule of MCP or of JSON-RPC, or can't be read back. Bytes count within what was given: the params, the
    /// result or the data; 0 where the fault is none of theirs.
    Rule(Error),
    /// A message of that kind has no such member: an id in a notification, a method in a response, `_meta` in an error.
    NoPlace(Member),
    /// `_meta` as a member to be set or removed like others: it has edits of its own, key by key.
    MetaByKey,
    /// What stands there, or is to stand there, is not what it has to be.
    Invalid(Member),
    /// A value nests so deep that no reader, or none with the default limits, would take it.
    TooDeep,
    /// What is set is no key of `_meta`.
    MetaKey(MetaKeyError),
}

impl From<Error> for EncodeError {
    fn from(error: Error) -> Self {
        Self::Rule(error)
    }
}

impl From<MetaKeyError> for EncodeError {
    fn from(error: MetaKeyError) -> Self {
        Self::MetaKey(error)
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(error) => error.fmt(f),
            Self::NoPlace(Member::ParamsMeta | Member::ResultMeta) => {
                f.write_str("a message of this kind has no `_meta`")
            }
            Self::NoPlace(member) => write!(f, "a message of this kind has no `{}`", member.path()),
            Self::MetaByKey => f.write_str(
                "`_meta` is changed by its keys: `meta_text`, `meta_raw`, `remove_meta`, `without_meta`",
            ),
            Self::Invalid(member) => {
                write!(f, "`{}` must be {}", member.path(), member.expected())
            }
            Self::TooDeep => f.write_str("a value nests too deep for its readers"),
            Self::MetaKey(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for EncodeError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Rule(error) => Some(error),
            Self::MetaKey(error) => Some(error),
            _ => None,
        }
    }
}
