use super::error::EncodeError;
use super::framing::Framing;
use super::profile::{ClientProfile, ServerProfile};
use super::reply_to::ReplyTo;
use super::section::{self, Additions, Value};
use super::text::{Copying, Escaped, Plain};
use crate::error::{Error, ErrorKind, Shape};
use crate::json::{RawJson, offset_in};
use crate::limits::Limits;
use crate::mcp::{Era, Method, Rules, Version};
use crate::message::{Id, Kind, Message};
use crate::vocab::Member;
use bytes::BufMut;
use core::fmt::{Display, Write};

/// Writes messages into any [`BufMut`]: requests, notifications, results and errors, as a body, a line or an event.
///
/// It writes under one revision and for one side, and nothing that the [`Rules`] of the sender forbid: what it is given is held
/// to them first, and if it breaks one the error says which, and nothing is written. So there is no message with a result and
/// an error, no error without code and message, no answer to a notification, no id of another type, no `null` where a
/// member may be left out, no request of 2026-07-28 without the keys of `_meta` that it has to have.
///
/// A writer for [`Rules::proxy`] is for both sides. A method that the table knows has to be one of the revision; any other
/// passes, unless the rules say [`Methods::Core`](crate::mcp::Methods::Core).
///
/// Params, results and data are [`RawJson`]: out of a message that came in, checked with [`RawJson::parse`], or built with
/// [`Object`](super::Object). They go out byte for byte, but that under a framing of lines, and whatever the
/// framing under rules for stdio, their line breaks become spaces; those stand between tokens alone, so nothing changes its
/// value. They are objects, and hold no second member of a name that decides something.
///
/// Costs one pass over what is given, one copy, and for lines and events one search for line breaks; no allocation
/// but for the caller's buffer. A small `Copy` value, made once.
///
/// ```
/// use rpcslice::{IdBuf, RawJson};
/// use rpcslice::encode::{ClientProfile, Framing, Object, Writer};
/// use rpcslice::mcp::{Rules, Version};
///
/// let profile = ClientProfile::new(RawJson::parse(b"{}").unwrap())?.named("host", "1.0");
/// let writer = Writer::new(Rules::client(), Version::V2026_07_28).client(&profile).framing(Framing::Line);
/// let mut scratch = String::new();
/// let params = Object::build(&mut scratch, |params| {
///     params.text("name", "search").object("arguments", |arguments| { arguments.text("q", "a \"b\""); });
/// });
/// let mut out = Vec::new();
/// writer.request(&mut out, IdBuf::from(7).as_id(), "tools/call", Some(params))?;
/// assert_eq!(String::from_utf8(out).unwrap(), concat!(
///     r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{"#,
///     r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"#,
///     r#""io.modelcontextprotocol/clientInfo":{"name":"host","version":"1.0"}},"#,
///     r#""name":"search","arguments":{"q":"a \"b\""}}}"#, "\n"));
/// # Ok::<(), rpcslice::encode::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Writer<'p> {
    rules: Rules,
    version: Version,
    /// What it is called on the wire: a draft has a name of its own.
    name: &'static str,
    client: Option<&'p ClientProfile>,
    server: Option<&'p ServerProfile>,
    framing: Framing<'p>,
    copying: Copying,
}

impl<'p> Writer<'p> {
    /// For the side that the rules are of, under this revision, which is one that they serve, whatever they say was negotiated.
    /// Bodies, without profiles.
    ///
    /// The limits of the rules bind what is written, too: bytes of the params, the result or the data, and how deep they may nest.
    #[must_use]
    pub const fn new(rules: Rules, version: Version) -> Self {
        Self {
            rules: rules.negotiated(version),
            version,
            name: version.as_str(),
            client: None,
            server: None,
            framing: Framing::Body,
            copying: Copying {
                one_line: rules.has_lines(),
                no_separators: false,
            },
        }
    }

    /// Sets what requests from 2026-07-28 on say of the client. Without it their params have to bring the keys of `_meta` with
    /// them. Keys that params have stay what they are.
    #[must_use]
    pub const fn client(mut self, profile: &'p ClientProfile) -> Self {
        self.client = Some(profile);
        self
    }

    /// Sets what results from 2026-07-28 on say of the server. Without it they say what [`ServerProfile::new`] says.
    #[must_use]
    pub const fn server(mut self, profile: &'p ServerProfile) -> Self {
        self.server = Some(profile);
        self
    }

    /// Writes under the draft of that name, which the rules serve beside the published revisions, in place of
    /// [`Version::LATEST`], whose rules it is held to.
    #[must_use]
    pub const fn draft(mut self, name: &'static str) -> Self {
        self.version = Version::LATEST;
        self.rules = self.rules.negotiated(Version::LATEST);
        self.name = name;
        self
    }

    /// Sets the framing. For events with an id of their own, set it before each.
    #[must_use]
    pub const fn framing(mut self, framing: Framing<'p>) -> Self {
        self.framing = framing;
        self.copying.one_line = framing.is_one_line() || self.rules.has_lines();
        self
    }

    /// Escapes U+2028 and U+2029, wherever they stand, for readers that take them for line ends. Strings keep their text, but
    /// not their bytes; so an id that is no Unicode text, and has one in it, is refused. Off if not set; nothing is ever escaped
    /// for HTML.
    #[must_use]
    pub const fn escape_line_separators(mut self) -> Self {
        self.copying.no_separators = true;
        self
    }

    /// The revision.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// Writes a request (JSON-RPC 2.0 section 4). That the id is not in use is for the caller to see to, or for
    /// [`Pending`](crate::mcp::Pending).
    ///
    /// # Errors
    /// The first rule that it would break. Nothing has been written then.
    pub fn request(
        &self,
        out: &mut impl BufMut,
        id: Id<'_>,
        method: &str,
        params: Option<RawJson<'_>>,
    ) -> Result<(), EncodeError> {
        self.check_id(id)?;
        let section = self.section(params, Kind::Request)?;
        let is_modern = self.version.era() == Era::Modern;
        let profile = self.client.filter(|_| is_modern);
        self.rules
            .draft_request(&section, method, self.version, profile.is_some())?;
        let mut additions = Additions::default();
        if let Some(profile) = profile {
            let info = profile.info.as_deref();
            additions.meta = [
                Some((Member::ProtocolVersion, Value::Text(self.name))),
                Some((
                    Member::ClientCapabilities,
                    Value::Json(&profile.capabilities),
                )),
                info.map(|info| (Member::ClientInfo, Value::Json(info))),
            ];
            additions.leave_out_what_is_in(&section);
        }
        self.begin(out, Some(id));
        self.put_method(out, method);
        self.put_params(out, &section, &additions);
        self.end(out);
        Ok(())
    }

    /// Writes a notification (JSON-RPC 2.0 section 4.1).
    ///
    /// # Errors
    /// The first rule that it would break. Nothing has been written then.
    pub fn notification(
        &self,
        out: &mut impl BufMut,
        method: &str,
        params: Option<RawJson<'_>>,
    ) -> Result<(), EncodeError> {
        let section = self.section(params, Kind::Notification)?;
        self.rules
            .draft_notification(&section, method, self.version)?;
        self.begin(out, None);
        self.put_method(out, method);
        self.put_params(out, &section, &Additions::default());
        self.end(out);
        Ok(())
    }

    /// Writes a result (JSON-RPC 2.0 section 5) in answer to a request, best given as the [`Request`](crate::Request) that came in.
    ///
    /// From 2026-07-28 on `resultType` is added as `complete` where there is none; `serverInfo` of the profile; in answer to
    /// a cacheable method `ttlMs` and `cacheScope` of the profile; and in answer to `subscriptions/listen` its id.
    ///
    /// # Errors
    /// The first rule that it would break. Nothing has been written then.
    pub fn result<'a>(
        &self,
        out: &mut impl BufMut,
        to: impl Into<ReplyTo<'a>>,
        result: RawJson<'_>,
    ) -> Result<(), EncodeError> {
        let (to, section) = self.result_section(to.into(), result)?;
        self.framing.begin(out);
        self.put_result(out, to, &section);
        self.end(out);
        Ok(())
    }

    /// Writes an error (JSON-RPC 2.0 section 5.1) in answer to a request. `message` is for people, and escaped.
    ///
    /// # Errors
    /// A code that the revision keeps or has retired, data that the code demands and that are not there, an id that is no
    /// request's. Nothing has been written then.
    pub fn error<'a>(
        &self,
        out: &mut impl BufMut,
        to: impl Into<ReplyTo<'a>>,
        code: i64,
        message: impl Display,
        data: Option<RawJson<'_>>,
    ) -> Result<(), EncodeError> {
        let id = to.into().id();
        self.check_error(Some(id), code, data)?;
        self.framing.begin(out);
        self.put_error(out, Some(id), code, message, data);
        self.end(out);
        Ok(())
    }

    /// Writes an error about what could not be read so far that its id is known: without id from 2025-11-25 on, with `null`
    /// before. For a frame that this crate has refused, [`reply`](super::reply()) writes the whole answer.
    ///
    /// # Errors
    /// As [`error`](Self::error).
    pub fn error_without_id(
        &self,
        out: &mut impl BufMut,
        code: i64,
        message: impl Display,
        data: Option<RawJson<'_>>,
    ) -> Result<(), EncodeError> {
        self.check_error(None, code, data)?;
        self.framing.begin(out);
        self.put_error(out, None, code, message, data);
        self.end(out);
        Ok(())
    }
}

/// What is checked before anything is written.
impl Writer<'_> {
    /// The revision is one that the rules serve.
    fn check_version(&self) -> Result<(), EncodeError> {
        let served = self.rules.served();
        let is_served = match self.name == self.version.as_str() {
            true => served.contains(self.version),
            false => served.draft() == Some(self.name),
        };
        match is_served {
            true => Ok(()),
            false => Err(refused(ErrorKind::UnsupportedVersion).into()),
        }
    }

    fn section<'a>(
        &self,
        section: Option<RawJson<'a>>,
        kind: Kind,
    ) -> Result<Message<'a>, EncodeError> {
        self.check_version()?;
        Ok(Message::of_section(
            section,
            kind,
            &self.rules.frame_limits(),
        )?)
    }

    pub(super) fn result_section<'a, 'r>(
        &self,
        to: ReplyTo<'a>,
        result: RawJson<'r>,
    ) -> Result<(ReplyTo<'a>, Message<'r>), EncodeError> {
        self.check_id(to.id())?;
        let section = self.section(Some(result), Kind::Result)?;
        self.rules.draft_result(&section, to.method, self.version)?;
        if self.version.era() == Era::Modern && to.method == Some(Method::SubscriptionsListen) {
            match section.member(Member::SubscriptionId) {
                Some(named) if Id::from_raw(named.raw()) != Some(to.id()) => {
                    let kind = ErrorKind::Invalid(Member::SubscriptionId);
                    return Err(fault(kind, section.frame(), named).into());
                }
                // It would be added, and the rules take no other number there, whatever the policy.
                None if is_complete(&section) && !is_string_or_integer(to.id()) => {
                    return Err(refused(ErrorKind::Invalid(Member::Id)).into());
                }
                _ => {}
            }
        }
        Ok((to, section))
    }

    /// An id that the reader takes: any but a number with a fraction or an exponent, which the lenient policy takes, too. And
    /// one that is still the same: what is no text is compared by its bytes, and so can't have separators escaped.
    fn check_id(&self, id: Id<'_>) -> Result<(), EncodeError> {
        let is_strict = self.rules.frame_policy() != crate::message::Policy::lenient();
        let is_escaped = self.copying.no_separators && id.raw().contains(['\u{2028}', '\u{2029}']);
        let is_another = is_escaped && id.as_str().is_some_and(|text| !text.is_text());
        match (is_strict && !is_string_or_integer(id)) || is_another {
            true => Err(refused(ErrorKind::Invalid(Member::Id)).into()),
            false => Ok(()),
        }
    }

    pub(super) fn check_error(
        &self,
        id: Option<Id<'_>>,
        code: i64,
        data: Option<RawJson<'_>>,
    ) -> Result<(), EncodeError> {
        self.check_version()?;
        if let Some(id) = id {
            self.check_id(id)?;
        }
        self.rules
            .draft_error(code, data, self.version)
            .map_err(refused)?;
        let Some(data) = data else { return Ok(()) };
        // The message and its `error` are two of the containers.
        let limits = self.rules.frame_limits();
        let Some(depth) = limits.max_depth().checked_sub(2) else {
            return Err(refused(ErrorKind::TooDeep).into());
        };
        check_depth(data, &limits, depth)?;
        Ok(())
    }
}

/// Holds a value to the limits for bytes and depth.
fn check_depth(value: RawJson<'_>, limits: &Limits, depth: usize) -> Result<(), Error> {
    let is_container = value
        .as_bytes()
        .first()
        .is_some_and(|b| matches!(b, b'{' | b'['));
    match depth {
        0 if is_container => Err(refused(ErrorKind::TooDeep)),
        0 => Ok(()),
        _ => RawJson::parse_with(value.as_bytes(), &limits.with_max_depth(depth))
            .map(|_| ())
            .map_err(Error::syntax),
    }
}

/// Whether it is no number with a fraction or an exponent.
fn is_string_or_integer(id: Id<'_>) -> bool {
    id.as_str().is_some() || RawJson::from_checked(id.raw()).is_integer()
}

/// Of a result: complete is also what says nothing else (2026-07-28 `basic/index`, "Result responses").
fn is_complete(section: &Message<'_>) -> bool {
    let kind = section.string(Member::ResultType);
    kind.is_none_or(|kind| kind == "complete")
}

/// A fault of none of the bytes that were given.
fn refused(kind: ErrorKind) -> Error {
    Error {
        shape: Shape::Unknown,
        ..Error::of_frame(kind, 0, 0)
    }
}

/// A fault of a value in a section.
fn fault(kind: ErrorKind, section: &str, value: RawJson<'_>) -> Error {
    let start = offset_in(section, value.raw());
    Error::of_frame(kind, start, start + value.raw().len())
}

/// The pieces of a message. Writing into a `BufMut` does not fail.
impl Writer<'_> {
    fn begin(&self, out: &mut impl BufMut, id: Option<Id<'_>>) {
        self.framing.begin(out);
        self.open(out, id);
    }

    fn open(&self, out: &mut impl BufMut, id: Option<Id<'_>>) {
        match id {
            Some(id) => {
                out.put_slice(br#"{"jsonrpc":"2.0","id":"#);
                self.copy(out, id.raw());
            }
            None => out.put_slice(br#"{"jsonrpc":"2.0""#),
        }
    }

    fn end(&self, out: &mut impl BufMut) {
        out.put_u8(b'}');
        self.framing.end(out);
    }

    fn copy(&self, out: &mut impl BufMut, text: &str) {
        self.copying
            .copy(text, |piece| out.put_slice(piece.as_bytes()));
    }

    fn put_text(&self, out: &mut impl BufMut, text: impl Display) {
        out.put_u8(b'"');
        let _ = write!(Escaped(out, self.copying), "{text}");
        out.put_u8(b'"');
    }

    fn put_method(&self, out: &mut impl BufMut, method: &str) {
        out.put_slice(br#","method":"#);
        self.put_text(out, method);
    }

    fn put_params(&self, out: &mut impl BufMut, section: &Message<'_>, additions: &Additions<'_>) {
        if section.params().is_some() || !additions.is_empty() {
            out.put_slice(br#","params":"#);
            section::put(out, section, additions, self.copying);
        }
    }

    /// All of it but the closing brace.
    pub(super) fn put_result(&self, out: &mut impl BufMut, to: ReplyTo<'_>, section: &Message<'_>) {
        const NAMELESS: &ServerProfile = &ServerProfile::new();
        let profile = self.server.unwrap_or(NAMELESS);
        let mut additions = Additions::default();
        if self.version.era() == Era::Modern {
            let rules = to.method.and_then(|method| method.rules(self.version));
            let is_complete = is_complete(section);
            let cached = rules.filter(|rules| rules.is_cacheable() && is_complete);
            additions.members = [
                Some((Member::ResultType, Value::Text("complete"))),
                cached.map(|_| (Member::TtlMs, Value::Number(profile.ttl_ms))),
                cached.map(|_| (Member::CacheScope, Value::Text(profile.scope.as_str()))),
            ];
            let answers_listen = to.method == Some(Method::SubscriptionsListen) && is_complete;
            let info = profile.info.as_deref();
            additions.meta = [
                info.map(|info| (Member::ServerInfo, Value::Json(info))),
                answers_listen.then_some((Member::SubscriptionId, Value::Json(to.id().raw()))),
                None,
            ];
            additions.leave_out_what_is_in(section);
        }
        self.open(out, Some(to.id()));
        out.put_slice(br#","result":"#);
        section::put(out, section, &additions, self.copying);
    }

    /// All of it but the closing brace.
    pub(super) fn put_error(
        &self,
        out: &mut impl BufMut,
        id: Option<Id<'_>>,
        code: i64,
        message: impl Display,
        data: Option<RawJson<'_>>,
    ) {
        self.open(out, id);
        if id.is_none() && self.version.needs_error_id() {
            out.put_slice(br#","id":null"#);
        }
        let _ = write!(Plain(out), r#","error":{{"code":{code},"message":"#);
        self.put_text(out, message);
        if let Some(data) = data {
            out.put_slice(br#","data":"#);
            self.copy(out, data.raw());
        }
        out.put_u8(b'}');
    }
}
