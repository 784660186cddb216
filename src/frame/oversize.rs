use crate::error::{Error, ErrorKind};
use core::fmt;

/// What was over its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// A line of newline-delimited JSON.
    Line,
    /// The data of an event, its lines joined.
    EventData,
    /// The value of an event's `event`, `id` or `retry`.
    EventField,
    /// All that an event has beside its data: names, line ends, comments, other values.
    EventRest,
    /// A body.
    Body,
}

impl Part {
    const fn phrase(self) -> &'static str {
        match self {
            Self::Line => "a line",
            Self::EventData => "an event's data",
            Self::EventField => "a field of an event",
            Self::EventRest => "an event beside its data",
            Self::Body => "a body",
        }
    }
}

/// A frame over the limit, none of which is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Oversize {
    /// What of it.
    pub part: Part,
    /// How many bytes that had: of a line without its LF, of a body as far as is known, of an event's rest from its first field
    /// up to the blank line, less the data.
    pub len: u64,
    /// How many were allowed.
    pub limit: usize,
}

impl Oversize {
    /// The same as an [`Error`] of kind [`ErrorKind::FrameTooLong`] (-32600, HTTP 413), at the first byte over the limit.
    #[must_use]
    pub const fn error(&self) -> Error {
        Error::of_frame(ErrorKind::FrameTooLong, self.limit, self.limit)
    }
}

impl fmt::Display for Oversize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, len, limit } = self;
        write!(
            f,
            "{} of {len} bytes, where {limit} are allowed",
            part.phrase()
        )
    }
}

impl core::error::Error for Oversize {}
