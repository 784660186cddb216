use super::envelope::Envelope;
use super::{Message, Policy};
use crate::error::Error;
use crate::json::RawJson;
use crate::limits::Limits;
use crate::vocab::Member;
use bytes::Bytes;
use core::fmt;

/// A good message that owns its frame: `Send`, `'static`, cheap to clone.
///
/// It is a [`Bytes`] and where in it everything stands. A clone shares the bytes; so does every `Bytes` that it gives
/// out. A frame that a decoder cut out of a read buffer keeps that whole buffer alive: [`detach`](Self::detach) what is
/// kept for long.
///
/// ```
/// use rpcslice::MessageBuf;
///
/// let msg = MessageBuf::parse(r#"{"jsonrpc":"2.0","method":"x","params":{"a":1}}"#).unwrap();
/// assert_eq!(msg.as_message().method().unwrap(), "x");
/// assert_eq!(msg.params_bytes().unwrap(), r#"{"a":1}"#);
///
/// let rejected = MessageBuf::parse(r#"{"jsonrpc":"1.0","id":1,"method":"x"}"#).unwrap_err();
/// assert_eq!(rejected.error.id(&rejected.frame).unwrap().raw(), "1");
/// ```
#[derive(Clone)]
pub struct MessageBuf {
    frame: Bytes,
    envelope: Envelope,
}

impl MessageBuf {
    /// As [`Message::parse`], without copying what is `Bytes` already.
    ///
    /// # Errors
    /// The first fault, and the frame.
    pub fn parse(frame: impl Into<Bytes>) -> Result<Self, Rejected> {
        Self::parse_with(frame, &Limits::new(), &Policy::strict())
    }

    /// As [`Message::parse_with`], without copying what is `Bytes` already.
    ///
    /// # Errors
    /// The first fault, and the frame.
    pub fn parse_with(
        frame: impl Into<Bytes>,
        limits: &Limits,
        policy: &Policy,
    ) -> Result<Self, Rejected> {
        let frame = frame.into();
        let mut envelope = Envelope::EMPTY;
        match envelope.read(&frame, limits, policy) {
            Ok(_) => Ok(Self { frame, envelope }),
            Err(error) => Err(Rejected { error, frame }),
        }
    }

    /// Lends the message. Copies 256 bytes, whatever its size.
    #[inline]
    #[must_use]
    pub fn as_message(&self) -> Message<'_> {
        #[allow(unsafe_code)]
        // SAFETY: `from_utf8_unchecked` wants UTF-8. `frame` is what `Envelope::read` gave back as a `&str` in
        // `parse_with`, the one place that makes a `MessageBuf` but for `clone` and `detach`, which keep or copy it.
        // The field is private, and a `Bytes` does not change: it gives out `&[u8]` only.
        let frame = unsafe { core::str::from_utf8_unchecked(&self.frame) };
        Message {
            frame,
            envelope: self.envelope,
        }
    }

    /// The whole frame, without the rest.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.frame
    }

    /// The whole frame.
    #[must_use]
    pub const fn bytes(&self) -> &Bytes {
        &self.frame
    }

    /// The params, sharing the frame's memory.
    #[must_use]
    pub fn params_bytes(&self) -> Option<Bytes> {
        self.member_bytes(Member::Params)
    }

    /// The result, sharing the frame's memory.
    #[must_use]
    pub fn result_bytes(&self) -> Option<Bytes> {
        self.member_bytes(Member::Result)
    }

    /// The value of any member that means something, sharing the frame's memory.
    #[must_use]
    pub fn member_bytes(&self, member: Member) -> Option<Bytes> {
        let value: RawJson<'_> = self.as_message().member(member)?;
        Some(self.frame.slice_ref(value.as_bytes()))
    }

    /// The same message in memory of its own: one copy of the frame, after which no read buffer is kept alive.
    #[must_use]
    pub fn detach(&self) -> Self {
        Self {
            frame: Bytes::copy_from_slice(&self.frame),
            envelope: self.envelope,
        }
    }
}

impl fmt::Debug for MessageBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessageBuf({})", self.as_message())
    }
}

/// A frame that was refused, and why: all that an answer needs.
#[derive(Clone, PartialEq, Eq)]
pub struct Rejected {
    /// What is wrong.
    pub error: Error,
    /// The frame, byte for byte.
    pub frame: Bytes,
}

/// The error and the frame's length; never payload.
impl fmt::Debug for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejected")
            .field("error", &self.error)
            .field("len", &self.frame.len())
            .finish()
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl core::error::Error for Rejected {}
