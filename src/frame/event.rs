use super::oversize::Oversize;
use crate::error::{Error, ErrorKind};
use crate::json::{SyntaxErrorKind, space};
use crate::mcp::{Incoming, Rules};
use crate::message::{Batch, Message};
use core::fmt;

/// An event of a `text/event-stream` (WHATWG HTML section 9.2.6).
///
/// Texts are bytes as they came: nobody has checked that they are UTF-8. Only the data is yours to keep, if `B` is
/// `Bytes`; the rest is lent by the decoder until its next call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Event<'d, B> {
    /// Where the first field of its block begins: bytes from the start of the stream, a byte order mark included.
    pub offset: u64,
    /// The event type: `message` where none is given.
    pub event: &'d [u8],
    /// The data lines, joined by LF; or, of an event over a limit, nothing but the length of what was too long.
    pub data: Result<B, Oversize>,
    /// The last event ID in force, which this event or an earlier one has set. `None`: none has.
    pub last_event_id: Option<&'d [u8]>,
    /// The reconnection time in milliseconds, if this event sets it.
    pub retry: Option<u64>,
}

impl<'d, B> Event<'d, B> {
    pub(super) fn with<C>(self, data: impl FnOnce(B) -> C) -> Event<'d, C> {
        Event {
            offset: self.offset,
            event: self.event,
            data: self.data.map(data),
            last_event_id: self.last_event_id,
            retry: self.retry,
        }
    }
}

impl<B: AsRef<[u8]>> Event<'_, B> {
    /// Reads the data: one message, a batch where the rules have 2025-03-26 in force, or one of the things that servers
    /// send and that are no message. The rules' limits and policy apply; offsets in an error count from the start of the
    /// data.
    ///
    /// ```
    /// use rpcslice::Limits;
    /// use rpcslice::frame::{NonMessage, Payload, SseDecoder};
    /// use rpcslice::mcp::Rules;
    ///
    /// let stream = b"id: 7\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";
    /// let rules = Rules::client();
    /// let mut events = SseDecoder::new(Limits::new());
    /// let mut events = events.feed(stream);
    /// let first = events.next().unwrap();
    /// assert!(matches!(first.message(&rules)?, Payload::Nothing(NonMessage::Empty)));
    /// let second = events.next().unwrap();
    /// assert!(matches!(second.message(&rules)?, Payload::Message(_)));
    /// # Ok::<(), rpcslice::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first fault; [`ErrorKind::FrameTooLong`] for an event over a limit.
    pub fn message(&self, rules: &Rules) -> Result<Payload<'_>, Error> {
        match self.non_message()? {
            Some(nothing) => Ok(Payload::Nothing(nothing)),
            None => rules.read(self.bytes()?).map(Payload::from),
        }
    }

    /// Which of the things it is that servers send and that are no message; `None`: the data has to be one. For who reads
    /// the data with other means than [`message`](Self::message).
    ///
    /// # Errors
    /// [`ErrorKind::FrameTooLong`] for an event over a limit, and an endpoint that is not UTF-8.
    pub fn non_message(&self) -> Result<Option<NonMessage<'_>>, Error> {
        let data = self.bytes()?;
        Ok(Some(match self.event {
            b"message" if data.is_empty() => NonMessage::Empty,
            b"message" if is_empty_object(data) => NonMessage::EmptyObject,
            b"message" => return Ok(None),
            b"endpoint" => match core::str::from_utf8(data) {
                Ok(uri) => NonMessage::Endpoint(uri),
                Err(error) => {
                    let kind = ErrorKind::Syntax(SyntaxErrorKind::InvalidUtf8);
                    let at = error.valid_up_to();
                    return Err(Error::of_frame(kind, at, at));
                }
            },
            _ => NonMessage::OtherEvent,
        }))
    }

    fn bytes(&self) -> Result<&[u8], Error> {
        match &self.data {
            Ok(data) => Ok(data.as_ref()),
            Err(oversize) => Err(oversize.error()),
        }
    }
}

fn is_empty_object(data: &[u8]) -> bool {
    match space::trim(data) {
        [b'{', inner @ .., b'}'] => space::trim_start(inner).is_empty(),
        _ => false,
    }
}

/// The type, offset and lengths; never payload.
impl<B: AsRef<[u8]>> fmt::Debug for Event<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("offset", &self.offset)
            .field("event_len", &self.event.len())
            .field("len", &self.data.as_ref().map(|data| data.as_ref().len()))
            .field("last_event_id_len", &self.last_event_id.map(<[u8]>::len))
            .field("retry", &self.retry)
            .finish()
    }
}

/// What an event or a body holds.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant)] // on the stack for a moment
pub enum Payload<'a> {
    /// One message.
    Message(Message<'a>),
    /// An array of them, each good or bad on its own.
    Batch(Batch<'a>),
    /// No message, and that is in order.
    Nothing(NonMessage<'a>),
}

impl<'a> From<Incoming<'a>> for Payload<'a> {
    fn from(incoming: Incoming<'a>) -> Self {
        match incoming {
            Incoming::Message(message) => Self::Message(message),
            Incoming::Batch(batch) => Self::Batch(batch),
        }
    }
}

/// What servers send that is no message.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NonMessage<'a> {
    /// Nothing: the priming event, by which a client learns the first event id (2025-11-25 `basic/transports`, "Sending
    /// Messages to the Server"), or an empty body.
    Empty,
    /// `{}`: what some servers replay in place of a priming event.
    EmptyObject,
    /// The URI to which a client posts its messages (2024-11-05 `basic/transports`, "HTTP with SSE").
    Endpoint(&'a str),
    /// An event of another type than `message`.
    OtherEvent,
}

impl NonMessage<'_> {
    /// What it is as a word for logs and metrics, in kebab case.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::EmptyObject => "empty-object",
            Self::Endpoint(_) => "endpoint",
            Self::OtherEvent => "other-event",
        }
    }
}

/// The word; never payload.
impl fmt::Debug for NonMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What stands at the end of a stream without the blank line that would have made it an event. WHATWG drops it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Incomplete<B> {
    /// Where it begins: bytes from the start of the stream.
    pub offset: u64,
    /// All of it, without a line end at its end; or, over a limit, nothing but the length of what was too long.
    pub bytes: Result<B, Oversize>,
}

impl<B> Incomplete<B> {
    pub(super) fn with<C>(self, bytes: impl FnOnce(B) -> C) -> Incomplete<C> {
        Incomplete {
            offset: self.offset,
            bytes: self.bytes.map(bytes),
        }
    }
}

/// Offset and length; never payload.
impl<B: AsRef<[u8]>> fmt::Debug for Incomplete<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Incomplete")
            .field("offset", &self.offset)
            .field(
                "len",
                &self.bytes.as_ref().map(|bytes| bytes.as_ref().len()),
            )
            .finish()
    }
}
