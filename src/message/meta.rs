use super::Message;
use crate::error::Span;
use crate::json::{JsonKind, JsonStr, Members, RawJson};
use crate::vocab::{META_SLOTS, Member};
use core::fmt;

/// `params._meta` or `result._meta`: the object in which MCP keeps what is about a message and not of it.
///
/// The reserved keys have been found while parsing, so asking for them costs nothing; [`get`](Self::get) and
/// [`iter`](Self::iter) walk the object. Accessors that give a [`JsonStr`] give `None` if the value is no string;
/// [`Message::member`] has it whatever it is.
///
/// ```
/// use rpcslice::Message;
///
/// let msg = Message::parse(br#"{"jsonrpc":"2.0","method":"x","params":{"_meta":{
///     "io.modelcontextprotocol/protocolVersion":"2026-07-28","com.example/k":[1]}}}"#)?;
/// let meta = msg.meta().unwrap();
/// assert_eq!(meta.protocol_version().unwrap(), "2026-07-28");
/// assert_eq!(meta.get("com.example/k").unwrap().raw(), "[1]");
/// assert_eq!(meta.iter().count(), 2);
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Meta<'a> {
    /// Lent, since a message is large.
    frame: &'a str,
    raw: RawJson<'a>,
    spans: [Span; META_SLOTS],
    /// One bit for each span: it is that of a string without an escape.
    plain: u32,
}

impl<'a> Meta<'a> {
    #[inline]
    pub(super) fn of(message: &Message<'a>) -> Option<Self> {
        let raw = message
            .member(Member::ParamsMeta)
            .or_else(|| message.member(Member::ResultMeta))?;
        let (spans, plain) = message.envelope.meta();
        (raw.kind() == JsonKind::Object).then_some(Self {
            frame: message.frame,
            raw,
            spans,
            plain,
        })
    }

    fn member(&self, member: Member) -> Option<RawJson<'a>> {
        let span = self
            .spans
            .get(member.number())
            .filter(|span| !span.is_none())?;
        self.frame.get(span.range()).map(RawJson::from_checked)
    }

    fn string(&self, member: Member) -> Option<JsonStr<'a>> {
        let raw = self.member(member)?.raw();
        let is_plain = self.plain >> member.number() & 1 == 1;
        let is_string = raw.starts_with('"');
        is_string.then_some(JsonStr::from_plain(raw, is_plain))
    }

    /// The whole object, byte for byte.
    #[must_use]
    pub const fn raw(&self) -> RawJson<'a> {
        self.raw
    }

    /// The value of any key, as [`RawJson::get`]: walks the object each time.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<RawJson<'a>> {
        self.raw.get(key)
    }

    /// All members in their order.
    #[must_use]
    pub fn iter(&self) -> Members<'a> {
        self.raw.members()
    }

    /// `progressToken`: a string or an integer, where the sender keeps to the rules.
    #[must_use]
    pub fn progress_token(&self) -> Option<RawJson<'a>> {
        self.member(Member::ProgressToken)
    }

    /// `io.modelcontextprotocol/protocolVersion`.
    #[must_use]
    pub fn protocol_version(&self) -> Option<JsonStr<'a>> {
        self.string(Member::ProtocolVersion)
    }

    /// `io.modelcontextprotocol/clientInfo`.
    #[must_use]
    pub fn client_info(&self) -> Option<RawJson<'a>> {
        self.member(Member::ClientInfo)
    }

    /// `io.modelcontextprotocol/clientCapabilities`.
    #[must_use]
    pub fn client_capabilities(&self) -> Option<RawJson<'a>> {
        self.member(Member::ClientCapabilities)
    }

    /// `io.modelcontextprotocol/logLevel`.
    #[must_use]
    pub fn log_level(&self) -> Option<JsonStr<'a>> {
        self.string(Member::LogLevel)
    }

    /// `io.modelcontextprotocol/subscriptionId`: a string or an integer, where the sender keeps to the rules.
    #[must_use]
    pub fn subscription_id(&self) -> Option<RawJson<'a>> {
        self.member(Member::SubscriptionId)
    }

    /// `io.modelcontextprotocol/serverInfo`.
    #[must_use]
    pub fn server_info(&self) -> Option<RawJson<'a>> {
        self.member(Member::ServerInfo)
    }

    /// `traceparent` of W3C Trace Context.
    #[must_use]
    pub fn traceparent(&self) -> Option<JsonStr<'a>> {
        self.string(Member::Traceparent)
    }

    /// `tracestate` of W3C Trace Context.
    #[must_use]
    pub fn tracestate(&self) -> Option<JsonStr<'a>> {
        self.string(Member::Tracestate)
    }

    /// `baggage` of W3C Baggage.
    #[must_use]
    pub fn baggage(&self) -> Option<JsonStr<'a>> {
        self.string(Member::Baggage)
    }
}

impl<'a> IntoIterator for Meta<'a> {
    type Item = (JsonStr<'a>, RawJson<'a>);
    type IntoIter = Members<'a>;

    fn into_iter(self) -> Members<'a> {
        self.iter()
    }
}

/// Its length: what is in it is payload.
impl fmt::Debug for Meta<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Meta({} bytes)", self.raw.raw().len())
    }
}
