//! The rules: what MCP demands of a message in a revision, of its receiver's side and of its sender's.

mod batch;
mod draft;
pub(crate) mod fault;
mod fields;
mod request;
mod response;

use super::method::Method;
use super::version::{Era, Version, Versions};
use crate::error::{Error, ErrorKind, Span};
use crate::limits::Limits;
use crate::message::{Batch, Kind, Message, Policy};
use crate::vocab::Member;

/// Which side of a connection holds messages to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Receives what clients send.
    Server,
    /// Receives what servers send.
    Client,
    /// Sees both directions.
    Proxy,
}

/// How messages travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// Not said: what all of them have in common.
    Any,
    /// Lines over pipes, or over a socket.
    Stdio,
    /// HTTP bodies and event streams.
    Http,
}

/// Which methods a receiver has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Methods {
    /// Any: what the table does not know passes, and is the application's to refuse.
    Any,
    /// The table's own, without extensions. Anything else is [`ErrorKind::MethodNotFound`].
    Core,
}

/// For whom a message is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Receiver,
    /// More binds its sender than a receiver may refuse.
    Sender,
    /// Its sender, before it is written: what the writer fills in is not there yet.
    Writer,
}

impl By {
    const fn is_sender(self) -> bool {
        matches!(self, Self::Sender | Self::Writer)
    }
}

/// What a frame holds.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // a batch is rare, and on the stack for a moment
pub enum Incoming<'a> {
    /// One message.
    Message(Message<'a>),
    /// An array of them, each good or bad on its own.
    Batch(Batch<'a>),
}

/// What a receiver or a sender holds messages to. A small `Copy` value, made once.
///
/// The order of the checks is: the JSON text, the shape of the message, `_meta`, on HTTP the headers (module `http`), the
/// supported versions, the method table, params. Checking looks at what parsing has found; it allocates nothing.
///
/// A request whose `_meta` names a revision is held to that one, whatever came before it (2026-07-28
/// `basic/versioning`); one that names none is of the legacy era. For everything else only the connection knows: tell it
/// by [`negotiated`](Self::negotiated), or serve one version. Where it is not known, a message passes
/// that passes in one of the revisions served. To who serves legacy revisions alone, that key of `_meta` means nothing.
///
/// ```
/// use rpcslice::mcp::{Rules, Transport, Version, Versions};
/// use rpcslice::{ErrorKind, Member, Message};
///
/// let rules = Rules::server().transport(Transport::Stdio).versions(Versions::of(&[Version::V2026_07_28]));
/// let msg = Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#)?;
/// let error = rules.check(&msg).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Missing(Member::ParamsMeta));
/// assert_eq!(error.code(), -32602);
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    role: Role,
    transport: Transport,
    versions: Versions,
    negotiated: Option<Version>,
    result_types: &'static [&'static str],
    methods: Methods,
    limits: Limits,
    policy: Policy,
}

impl Rules {
    const fn of(role: Role) -> Self {
        Self {
            role,
            transport: Transport::Any,
            versions: Versions::ALL,
            negotiated: None,
            result_types: &["complete", "input_required"],
            methods: Methods::Any,
            limits: Limits::new(),
            policy: Policy::strict(),
        }
    }

    /// For a server: all revisions served, any method, default limits, the strict policy.
    #[must_use]
    pub const fn server() -> Self {
        Self::of(Role::Server)
    }

    /// For a client.
    #[must_use]
    pub const fn client() -> Self {
        Self::of(Role::Client)
    }

    /// For what stands between the two and sees both directions.
    #[must_use]
    pub const fn proxy() -> Self {
        Self::of(Role::Proxy)
    }

    /// Sets how messages travel.
    #[must_use]
    pub const fn transport(mut self, transport: Transport) -> Self {
        self.transport = transport;
        self
    }

    /// Sets the revisions served.
    #[must_use]
    pub const fn versions(mut self, versions: Versions) -> Self {
        self.versions = versions;
        self
    }

    /// Sets the revision that the connection has agreed on.
    #[must_use]
    pub const fn negotiated(mut self, version: Version) -> Self {
        self.negotiated = Some(version);
        self
    }

    /// Sets the values of `resultType` that are known: `complete`, `input_required`, and those of negotiated extensions
    /// (2026-07-28 `basic/index`, "Result responses").
    #[must_use]
    pub const fn result_types(mut self, known: &'static [&'static str]) -> Self {
        self.result_types = known;
        self
    }

    /// Sets which methods the receiver has.
    #[must_use]
    pub const fn methods(mut self, methods: Methods) -> Self {
        self.methods = methods;
        self
    }

    /// Sets the limits for [`read`](Self::read).
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the policy.
    #[must_use]
    pub const fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// The revisions served.
    #[must_use]
    pub const fn served(&self) -> Versions {
        self.versions
    }

    /// The revision in force where a message names none: the negotiated one, or the only one served.
    #[must_use]
    pub fn in_force(&self) -> Option<Version> {
        self.negotiated.or_else(|| self.versions.single())
    }

    /// The revision that a message is held to: the modern one that it names itself, if it is served, or else the one
    /// [in force](Self::in_force).
    #[must_use]
    pub fn version_of(&self, message: &Message<'_>) -> Option<Version> {
        let is_asking = matches!(message.kind(), Kind::Request | Kind::Notification);
        let named = message.string(Member::ProtocolVersion);
        let named = named.filter(|_| is_asking);
        let version = named.and_then(|name| self.versions.modern(&name));
        version.or_else(|| self.in_force())
    }

    /// Parses a frame that was received and holds it to the rules: one message, or a batch where 2025-03-26 is in force.
    ///
    /// In a batch a bad element spoils only itself, and one that names a revision without batches is bad; the batch as a whole is refused if it mixes requests with responses
    /// or holds `initialize`. Ids are not compared: that is for [`Pending`](crate::mcp::Pending).
    ///
    /// A refused message is not given out, only its error. Who needs it, to pair its id before it is judged, parses it
    /// and then [checks](Self::check) it.
    ///
    /// # Errors
    /// The first fault.
    pub fn read<'a>(&self, frame: &'a [u8]) -> Result<Incoming<'a>, Error> {
        let first = frame
            .iter()
            .find(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
        if first == Some(&b'[') && self.in_force() == Some(Version::V2025_03_26) {
            let mut batch = Batch::parse_with(frame, &self.limits, &self.policy)?;
            batch::check(&batch)?;
            batch.refuse(|message| self.element(message));
            return Ok(Incoming::Batch(batch));
        }
        let message = Message::parse_with(frame, &self.limits, &self.policy)?;
        self.check(&message)?;
        Ok(Incoming::Message(message))
    }

    /// Holds an element of a batch to the rules. One that names a later revision is in none: that has no batches, and on
    /// HTTP no header could mirror it.
    fn element(&self, message: &Message<'_>) -> Result<(), Error> {
        let named = message.string(Member::ProtocolVersion);
        let is_modern = named.is_some_and(|name| self.versions.modern(&name).is_some());
        match is_modern && matches!(message.kind(), Kind::Request | Kind::Notification) {
            true => Err(fault::at(
                message,
                ErrorKind::Batch,
                message.span(Member::ProtocolVersion),
            )),
            false => self.check(message),
        }
    }

    /// Holds a message that was received to the rules. A response is checked without knowing what it answers: with that,
    /// [`check_response`](Self::check_response) checks more.
    ///
    /// # Errors
    /// The first fault. Its [`shape`](Error::shape) says whether an answer is due.
    #[inline]
    pub fn check(&self, message: &Message<'_>) -> Result<(), Error> {
        self.check_mirrored(message, || Ok(()))
    }

    /// As [`check`](Self::check), with what a modern request's headers are held to: behind the keys of `_meta`, before its
    /// version is looked up.
    pub(crate) fn check_mirrored(
        &self,
        message: &Message<'_>,
        mirror: impl Fn() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let is_response = matches!(message.kind(), Kind::Result | Kind::Error);
        let wrong = match self.role {
            Role::Server => is_response,
            Role::Client => message.kind() == Kind::Request,
            Role::Proxy => false,
        };
        self.has_direction(message, wrong)?;
        match message.kind() {
            Kind::Request => self.request(message, mirror),
            Kind::Notification => self.notification(message, By::Receiver),
            Kind::Result | Kind::Error => self.response(message, None, By::Receiver),
        }
    }

    /// Where it is not known which of the revisions served is in force: what one of them lets pass, passes. Of the faults
    /// it is that of the newest.
    fn any_version(&self, check: impl Fn(Version) -> Result<(), Error>) -> Result<(), Error> {
        let draft = self.versions.draft().map(|_| Version::LATEST);
        let mut versions = draft.into_iter().chain(self.versions.iter().rev());
        let Some(newest) = versions.next() else {
            return Ok(());
        };
        check(newest).or_else(
            |error| match versions.any(|version| check(version).is_ok()) {
                true => Ok(()),
                false => Err(error),
            },
        )
    }

    /// Since 2026-07-28 requests and responses go one way only: where that revision is in force, or the request names it.
    fn has_direction(&self, message: &Message<'_>, wrong: bool) -> Result<(), Error> {
        let is_modern = || {
            let version = self.version_of(message);
            version.is_some_and(|version| version.era() == Era::Modern)
        };
        match wrong && is_modern() {
            true => Err(fault::of_message(message, ErrorKind::WrongDirection)),
            false => Ok(()),
        }
    }

    /// Holds a response that was received to the rules, knowing the method of the request that it answers.
    ///
    /// # Errors
    /// The first fault.
    pub fn check_response(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
    ) -> Result<(), Error> {
        match (message.kind(), self.role) {
            (Kind::Result | Kind::Error, Role::Client | Role::Proxy) => {
                self.response(message, method, By::Receiver)
            }
            (Kind::Result | Kind::Error, Role::Server) => {
                self.has_direction(message, true)?;
                self.response(message, method, By::Receiver)
            }
            _ => self.check(message),
        }
    }

    /// Holds a message that is to be sent to what binds its sender: more than a receiver may refuse. The role is the
    /// sender's own.
    ///
    /// # Errors
    /// The first fault.
    pub fn check_outgoing(&self, message: &Message<'_>) -> Result<(), Error> {
        self.check_outgoing_response(message, None)
    }

    /// As [`check_outgoing`](Self::check_outgoing), knowing the method of the request that a response answers.
    ///
    /// # Errors
    /// The first fault.
    pub fn check_outgoing_response(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
    ) -> Result<(), Error> {
        let wrong = self.is_wrong_way(message.kind());
        self.has_direction(message, wrong)?;
        self.has_no_line_break(message)?;
        match message.kind() {
            Kind::Request => {
                let method = message.method().and_then(|name| Method::find(&name));
                self.is_no_notification(message, method)?;
                self.of_receiver().request(message, || Ok(()))
            }
            Kind::Notification => self.notification(message, By::Sender),
            Kind::Result | Kind::Error => self.response(message, method, By::Sender),
        }
    }

    /// Whether this role sends no such messages in the modern era.
    const fn is_wrong_way(&self, kind: Kind) -> bool {
        match self.role {
            Role::Server => matches!(kind, Kind::Request),
            Role::Client => matches!(kind, Kind::Result | Kind::Error),
            Role::Proxy => false,
        }
    }

    /// Which methods there are is the receiver's to know.
    const fn of_receiver(&self) -> Self {
        let role = match self.role {
            Role::Client => Role::Server,
            Role::Server => Role::Client,
            Role::Proxy => Role::Proxy,
        };
        Self { role, ..*self }
    }

    /// On stdio a message is a line (`basic/transports/stdio`).
    pub(crate) const fn has_lines(&self) -> bool {
        matches!(self.transport, Transport::Stdio)
    }

    fn has_no_line_break(&self, message: &Message<'_>) -> Result<(), Error> {
        let found = match self.has_lines() {
            true => memchr::memchr2(b'\n', b'\r', message.frame().as_bytes()),
            false => None,
        };
        match found {
            Some(at) => Err(fault::at(
                message,
                ErrorKind::LineBreak,
                Span::new(at, at + 1),
            )),
            None => Ok(()),
        }
    }

    /// The error for a request that needs a capability which its client has not declared (-32021, 2026-07-28
    /// `basic/index`). Which one, only the server knows: it goes into the answer's data.
    #[must_use]
    pub fn missing_capability(&self, message: &Message<'_>) -> Error {
        let span = message.span(Member::ClientCapabilities);
        fault::at(message, ErrorKind::MissingCapability, span)
    }
}

impl Rules {
    /// The limits.
    #[must_use]
    pub const fn frame_limits(&self) -> Limits {
        self.limits
    }

    /// The policy.
    #[must_use]
    pub const fn frame_policy(&self) -> Policy {
        self.policy
    }

    /// Whether methods of extensions are among those that the receiver has.
    #[cfg(feature = "http")]
    pub(crate) const fn has_extensions(&self) -> bool {
        matches!(self.methods, Methods::Any)
    }

    /// The role.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }
}
