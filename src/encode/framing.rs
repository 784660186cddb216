use super::text::{Copying, Plain};
use bytes::BufMut;
use core::fmt::{self, Write};

/// How a message is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Framing<'a> {
    /// As it is: an HTTP body.
    Body,
    /// As a line, ended by LF (`basic/transports/stdio`).
    Line,
    /// As an event of a `text/event-stream`, with these fields before its data.
    Event(EventFields<'a>),
}

impl Framing<'_> {
    /// Whether the message may hold no line break.
    pub(super) const fn is_one_line(&self) -> bool {
        matches!(self, Self::Line | Self::Event(_))
    }

    /// How what is there already is copied.
    pub(super) const fn copying(&self) -> Copying {
        Copying {
            one_line: self.is_one_line(),
            no_separators: false,
        }
    }

    pub(super) fn begin(&self, out: &mut impl BufMut) {
        if let Self::Event(fields) = self {
            fields.put(out);
            out.put_slice(b"data: ");
        }
    }

    pub(super) fn end(&self, out: &mut impl BufMut) {
        match self {
            Self::Body => {}
            Self::Line => out.put_u8(b'\n'),
            Self::Event(_) => out.put_slice(b"\n\n"),
        }
    }
}

/// The fields of an event besides its data: `event`, `id` and `retry` (WHATWG HTML section 9.2.6). Small, `Copy`.
///
/// What could be broken out of is refused when it is set, so no event can be written that holds more than was meant.
///
/// ```
/// use rpcslice::encode::{EventFields, FieldError};
///
/// let fields = EventFields::new().event("message")?.id("7")?.retry_ms(3000);
/// let mut out = Vec::new();
/// fields.put_empty(&mut out); // an event to resume behind, before there is any message
/// assert_eq!(out, b"event: message\nid: 7\nretry: 3000\ndata:\n\n");
/// assert_eq!(EventFields::new().id("7\ndata: forged"), Err(FieldError::LineEnd { at: 1 }));
/// # Ok::<(), FieldError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct EventFields<'a> {
    event: Option<&'a str>,
    id: Option<&'a str>,
    retry_ms: Option<u64>,
}

impl<'a> EventFields<'a> {
    /// The bytes that the value of a field may have: what [`SseDecoder`](crate::frame::SseDecoder) keeps of one.
    pub const MAX_FIELD_BYTES: usize = 4096;

    /// None: receivers take the event's type for `message`.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            event: None,
            id: None,
            retry_ms: None,
        }
    }

    /// Sets the type.
    ///
    /// # Errors
    /// A line end in it, or too many bytes.
    pub fn event(mut self, event: &'a str) -> Result<Self, FieldError> {
        check(event)?;
        self.event = Some(event);
        Ok(self)
    }

    /// Sets the id that a client resumes behind. An empty one tells it that there is none.
    ///
    /// # Errors
    /// A line end or a NUL in it (receivers ignore an id with one), or too many bytes.
    pub fn id(mut self, id: &'a str) -> Result<Self, FieldError> {
        check(id)?;
        if let Some(at) = memchr::memchr(0, id.as_bytes()) {
            return Err(FieldError::Nul { at });
        }
        self.id = Some(id);
        Ok(self)
    }

    /// Sets how many milliseconds a client is to wait before it comes again.
    #[must_use]
    pub const fn retry_ms(mut self, milliseconds: u64) -> Self {
        self.retry_ms = Some(milliseconds);
        self
    }

    /// Writes an event with these fields and empty data, which is no message: by one with an id a server of 2025-11-25
    /// primes a client to resume (`basic/transports`, "Sending Messages to the Server").
    pub fn put_empty(&self, out: &mut impl BufMut) {
        self.put(out);
        out.put_slice(b"data:\n\n");
    }

    fn put(&self, out: &mut impl BufMut) {
        // The one space behind the colon is not part of the value.
        for (name, value) in [("event: ", self.event), ("id: ", self.id)] {
            if let Some(value) = value {
                out.put_slice(name.as_bytes());
                out.put_slice(value.as_bytes());
                out.put_u8(b'\n');
            }
        }
        if let Some(retry_ms) = self.retry_ms {
            // Writing into a `BufMut` does not fail.
            let _ = writeln!(Plain(out), "retry: {retry_ms}");
        }
    }
}

/// Writes a comment to an event stream: what keeps a connection alive and means nothing (WHATWG HTML section 9.2.7). No
/// message, and no event.
///
/// # Errors
/// A line end in it, or too many bytes. Nothing has been written then.
///
/// ```
/// let mut out = Vec::new();
/// rpcslice::encode::put_comment(&mut out, "keep-alive")?;
/// assert_eq!(out, b": keep-alive\n\n");
/// # Ok::<(), rpcslice::encode::FieldError>(())
/// ```
pub fn put_comment(out: &mut impl BufMut, text: &str) -> Result<(), FieldError> {
    check(text)?;
    out.put_slice(b": ");
    out.put_slice(text.as_bytes());
    out.put_slice(b"\n\n");
    Ok(())
}

fn check(value: &str) -> Result<(), FieldError> {
    match memchr::memchr2(b'\n', b'\r', value.as_bytes()) {
        Some(at) => Err(FieldError::LineEnd { at }),
        None if value.len() > EventFields::MAX_FIELD_BYTES => Err(FieldError::TooLong),
        None => Ok(()),
    }
}

/// Which fields there are, and their lengths.
impl fmt::Debug for EventFields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventFields")
            .field("event", &self.event.map(str::len))
            .field("id", &self.id.map(str::len))
            .field("retry_ms", &self.retry_ms)
            .finish()
    }
}

/// A value that can't stand in a field of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldError {
    /// A CR or LF at this byte: what follows would be a field of its own.
    LineEnd {
        /// Its index.
        at: usize,
    },
    /// A NUL at this byte of an id: receivers would ignore it.
    Nul {
        /// Its index.
        at: usize,
    },
    /// More than [`EventFields::MAX_FIELD_BYTES`].
    TooLong,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LineEnd { at } => write!(f, "a line end in the field of an event (byte {at})"),
            Self::Nul { at } => write!(f, "a NUL in the id of an event (byte {at})"),
            Self::TooLong => write!(
                f,
                "the field of an event has more than {} bytes",
                EventFields::MAX_FIELD_BYTES
            ),
        }
    }
}

impl core::error::Error for FieldError {}
