//! JSON-RPC 2.0 messages, borrowed from the frame they stand in.

mod batch;
mod buf;
mod envelope;
mod id;
mod meta;
mod pass;
pub mod pieces;
mod policy;
mod types;
mod verdict;
mod view;

pub use batch::Batch;
pub use buf::{MessageBuf, Rejected};
pub use envelope::Kind;
pub use id::{Id, IdBuf};
pub use meta::Meta;
pub use policy::Policy;
pub use view::{ErrorResponse, Notification, Request, Response, View};

use crate::error::{Error, Span};
use crate::json::{JsonStr, RawJson, SPACE};
use crate::limits::Limits;
use crate::vocab::Member;
use core::fmt;
use envelope::Envelope;

pub(crate) use types::Type;

/// One good message, checked in full: the frame, and where in it everything stands.
///
/// 256 bytes, `Copy`; lends slices of the frame, which it neither changes nor copies. Parsing is one pass and allocates
/// nothing. It knows JSON-RPC 2.0 and where MCP puts things, but no revision's rules: it takes any JSON type where those
/// will judge (`name: 5`, `_meta: []`). The typed accessors give `None` there, and [`member`](Self::member) the value.
///
/// ```
/// use rpcslice::{Kind, Message};
///
/// let frame = br#"{"method":"tools/call","params":{"name":"caf\u00e9","arguments":{"n":1.0},
///                  "_meta":{"progressToken":"p1"}},"jsonrpc":"2.0","id":12345678901234567890}"#;
/// let msg = Message::parse(frame)?;
/// assert_eq!(msg.kind(), Kind::Request);
/// assert_eq!(msg.method().unwrap(), "tools/call");
/// assert_eq!(msg.id().unwrap().raw(), "12345678901234567890");
/// assert_eq!(msg.name().unwrap(), "café"); // compared after unescaping
/// assert_eq!(msg.meta().unwrap().progress_token().unwrap().raw(), "\"p1\"");
/// assert_eq!(msg.params().unwrap().get("arguments").unwrap().raw(), r#"{"n":1.0}"#);
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Message<'a> {
    frame: &'a str,
    envelope: Envelope,
}

impl<'a> Message<'a> {
    /// Checks one frame in full and reads its envelope, with the default [`Limits`] and [`Policy::strict`].
    ///
    /// # Errors
    /// The first fault, as [`parse_with`](Self::parse_with) has it.
    #[inline]
    pub fn parse(frame: &'a [u8]) -> Result<Self, Error> {
        Self::parse_with(frame, &Limits::new(), &Policy::strict())
    }

    /// Checks one frame in full and reads its envelope.
    ///
    /// The whole frame is checked against RFC 8259 and UTF-8; then it is held to JSON-RPC 2.0 as MCP narrows it: one
    /// object, `jsonrpc` `"2.0"`, an id that is a string or an integer, `params` and `result` objects, and no second
    /// member of a name that decides something, however it is spelt.
    ///
    /// One pass, no allocation, whether the frame is good or bad.
    ///
    /// # Errors
    /// A fault of the JSON text (-32700) if there is one. Otherwise the first fault of the message in byte order
    /// (-32600); the message has then been read to its end, and [`Error::id`] is known wherever it stands.
    #[inline]
    pub fn parse_with(frame: &'a [u8], limits: &Limits, policy: &Policy) -> Result<Self, Error> {
        // Made where it is given back, since every move would copy all of it.
        let mut parsed = Ok(Self {
            frame: "",
            envelope: Envelope::EMPTY,
        });
        if let Ok(message) = &mut parsed {
            match message.envelope.read(frame, limits, policy) {
                Ok(text) => message.frame = text,
                Err(error) => parsed = Err(error),
            }
        }
        parsed
    }

    /// As [`parse_with`](Self::parse_with), with tokens that are found like this, or by the exact scanner.
    #[cfg(any(test, feature = "__variants"))]
    pub(crate) fn parse_by(
        blocks: Option<crate::json::simd::Blocks>,
        frame: &'a [u8],
        limits: &Limits,
        policy: &Policy,
    ) -> Result<Self, Error> {
        let mut envelope = Envelope::EMPTY;
        let frame = envelope.read_like(blocks, frame, limits, policy)?;
        Ok(Self { frame, envelope })
    }

    /// Whether tokens alone get to its end.
    #[cfg(feature = "__variants")]
    pub(crate) fn is_read_by(
        blocks: crate::json::simd::Blocks,
        frame: &[u8],
        limits: &Limits,
        policy: &Policy,
    ) -> bool {
        Envelope::is_read_by(blocks, frame, limits, policy)
    }

    /// Whether both have been read the same: every span, every type.
    #[cfg(any(test, feature = "__variants"))]
    pub(crate) fn is_same_as(&self, other: &Message<'_>) -> bool {
        self.frame == other.frame && self.envelope == other.envelope
    }

    /// The params or the result of a message that is not written yet, as a message that holds nothing else: what the
    /// rules look at before it is.
    pub(crate) fn of_section(
        section: Option<RawJson<'a>>,
        kind: Kind,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let mut message = Self {
            frame: "",
            envelope: Envelope::EMPTY,
        };
        message.envelope.kind = kind;
        if let Some(section) = section {
            message.envelope.read_section(section, kind, limits)?;
            message.frame = section.raw();
        }
        Ok(message)
    }

    /// What the message is.
    #[inline]
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.envelope.kind
    }

    /// The message by kind, for those who want no `Option` where there can be no `None`.
    #[inline]
    #[must_use]
    pub const fn view(&self) -> View<'a> {
        View::of(*self)
    }

    /// The whole frame, byte for byte.
    #[inline]
    #[must_use]
    pub const fn frame(&self) -> &'a str {
        self.frame
    }

    /// The message as a value: the frame without white space around.
    pub(crate) fn as_raw(&self) -> RawJson<'a> {
        RawJson::from_checked(self.frame.trim_matches(SPACE))
    }

    /// The id. `None` for a notification, and for an error response whose id is absent or `null` (JSON-RPC 2.0
    /// section 5).
    #[inline]
    #[must_use]
    pub fn id(&self) -> Option<Id<'a>> {
        let raw = self.raw(Member::Id)?;
        (raw != "null").then_some(Id::from_checked(raw))
    }

    /// The method of a request or notification.
    #[inline]
    #[must_use]
    pub fn method(&self) -> Option<JsonStr<'a>> {
        self.string(Member::Method)
    }

    /// The params of a request or notification: an object.
    #[inline]
    #[must_use]
    pub fn params(&self) -> Option<RawJson<'a>> {
        self.member(Member::Params)
    }

    /// The result of a good response: an object.
    #[inline]
    #[must_use]
    pub fn result(&self) -> Option<RawJson<'a>> {
        self.member(Member::Result)
    }

    /// `_meta` of the params or of the result, if it is an object.
    #[inline]
    #[must_use]
    pub fn meta(&self) -> Option<Meta<'a>> {
        Meta::of(self)
    }

    /// `params.name`, if it is a string: what `tools/call` and `prompts/get` are routed by.
    #[inline]
    #[must_use]
    pub fn name(&self) -> Option<JsonStr<'a>> {
        self.string(Member::Name)
    }

    /// `params.uri`, if it is a string: what `resources/read` is routed by.
    #[inline]
    #[must_use]
    pub fn uri(&self) -> Option<JsonStr<'a>> {
        self.string(Member::Uri)
    }

    /// `params.taskId`, if it is a string: what the methods of the tasks extension are routed by.
    #[inline]
    #[must_use]
    pub fn task_id(&self) -> Option<JsonStr<'a>> {
        self.string(Member::TaskId)
    }

    /// The protocol version that the message itself names: that of its `_meta` (2026-07-28 and later), or else
    /// `params.protocolVersion` of an `initialize` request (earlier revisions). `None` if it names none, or no string.
    #[must_use]
    pub fn protocol_version(&self) -> Option<JsonStr<'a>> {
        if self.member(Member::ProtocolVersion).is_some() || self.kind() != Kind::Request {
            return self.string(Member::ProtocolVersion);
        }
        let offered = self.string(Member::ParamsProtocolVersion)?;
        (self.method()? == "initialize").then_some(offered)
    }

    /// The value of any member that means something, whatever type it has.
    #[inline]
    #[must_use]
    pub fn member(&self, member: Member) -> Option<RawJson<'a>> {
        self.raw(member).map(RawJson::from_checked)
    }

    /// Whether `clientInfo` or `serverInfo` of `_meta` is an object with the strings `name` and `version`.
    #[inline]
    pub(crate) fn has_implementation(&self, info: Member) -> bool {
        match info {
            Member::ClientInfo => self.envelope.has_client,
            _ => self.envelope.has_server,
        }
    }

    /// Whether a member that keeps its place is there.
    #[inline]
    pub(crate) fn has(&self, member: Member) -> bool {
        !self.envelope.span(member).is_none()
    }

    /// The byte that its value begins with.
    #[inline]
    pub(crate) fn first_byte(&self, member: Member) -> Option<u8> {
        let span = self.envelope.span(member);
        match span.is_none() {
            true => None,
            false => self.frame.as_bytes().get(span.start as usize).copied(),
        }
    }

    #[inline]
    pub(crate) fn span(&self, member: Member) -> Span {
        self.envelope.span(member)
    }

    /// What a member of `params` or `result` is. Absent in a message of another kind.
    #[inline]
    pub(crate) fn type_of(&self, member: Member) -> Type {
        self.envelope.type_of(member)
    }

    /// The same by the member's number, in a message of the kind that has its level.
    #[inline]
    pub(crate) fn type_at(&self, number: u8) -> Type {
        self.envelope.type_at(usize::from(number))
    }

    #[inline]
    pub(crate) fn raw(&self, member: Member) -> Option<&'a str> {
        let span = self.envelope.span(member);
        if span.is_none() {
            return None;
        }
        self.frame.get(span.range())
    }

    #[inline]
    pub(crate) fn string(&self, member: Member) -> Option<JsonStr<'a>> {
        self.envelope.string(member, self.frame)
    }
}

/// Kind, method, id and lengths; never payload.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Message(")?;
        fmt::Display::fmt(self, f)?;
        f.write_str(")")
    }
}

/// Kind, method, id and lengths; never payload.
impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind().as_str())?;
        if let Some(method) = self.method() {
            f.write_str(" ")?;
            id::write_short(f, method.raw())?;
        }
        if let Some(id) = self.id() {
            write!(f, ", id {id}")?;
        }
        write!(f, ", {} bytes", self.frame.len())
    }
}
