//! What is wrong with a frame. An error is a kind and a few spans; text, line and column are made when asked for.

use crate::header::Header;
use crate::json::{JsonStr, RawJson, SyntaxError, SyntaxErrorKind};
use crate::limits::Limits;
use crate::vocab::{Level, Member};
use core::fmt;
use core::ops::Range;

/// `Invalid JSON was received` (JSON-RPC 2.0 section 5.1).
pub const PARSE_ERROR: i64 = -32700;
/// `The JSON sent is not a valid Request object` (JSON-RPC 2.0 section 5.1).
pub const INVALID_REQUEST: i64 = -32600;
/// JSON-RPC 2.0 section 5.1. Also answered where a capability was not advertised. HTTP 404 in 2026-07-28.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// JSON-RPC 2.0 section 5.1.
pub const INVALID_PARAMS: i64 = -32602;
/// From 2026-07-28 on: an HTTP header and the body disagree.
pub const HEADER_MISMATCH: i64 = -32020;
/// From 2026-07-28 on: the request needs a capability that the client did not declare.
pub const MISSING_REQUIRED_CLIENT_CAPABILITY: i64 = -32021;
/// From 2026-07-28 on: the server does not implement the revision that the request names.
pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;

/// A piece of a frame: two byte offsets, which are below 4 GiB. `0..0` is none, since no member begins at 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// Offsets in a frame, which the scanner has found to be below 4 GiB.
    #[inline(always)]
    pub(crate) const fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    #[inline(always)]
    pub(crate) const fn is_none(self) -> bool {
        self.end == 0
    }

    #[inline(always)]
    pub(crate) const fn len(self) -> u32 {
        self.end - self.start
    }

    #[inline(always)]
    pub(crate) const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The same piece of a larger frame, in which this one begins at `start`.
    pub(crate) const fn moved(self, start: usize) -> Self {
        Self {
            start: self.start + start as u32,
            end: self.end + start as u32,
        }
    }

    pub(crate) fn of(self, frame: &[u8]) -> Option<&str> {
        if self.is_none() {
            return None;
        }
        core::str::from_utf8(frame.get(self.range())?).ok()
    }
}

/// What is wrong with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The frame is not one JSON text in UTF-8 (RFC 8259).
    Syntax(SyntaxErrorKind),
    /// The frame has more bytes than [`Limits::max_frame_bytes`](crate::Limits::max_frame_bytes).
    FrameTooLong,
    /// More containers are open than [`Limits::max_depth`](crate::Limits::max_depth).
    TooDeep,
    /// The frame is a JSON value, but neither object nor array.
    NotObject,
    /// The frame is an array, and batches are not allowed: only revision 2025-03-26 has them.
    Batch,
    /// A member is missing.
    Missing(Member),
    /// A member is there twice, which two readers may take differently.
    Duplicate(Member),
    /// A member has not the type or value it must have.
    Invalid(Member),
    /// Two members exclude each other (JSON-RPC 2.0 sections 4 and 5).
    Conflict(Member, Member),
    /// Neither `method`, `result` nor `error`: no message of JSON-RPC 2.0.
    NoKind,
    /// An array without elements (JSON-RPC 2.0 section 6).
    BatchEmpty,
    /// An array of more elements than [`Limits::max_batch_len`](crate::Limits::max_batch_len).
    BatchTooLong,
    /// Requests or notifications, and responses, in one array (2025-03-26 `basic/index`, "Batching").
    BatchMixed,
    /// `initialize` in an array (2025-03-26 `basic/lifecycle`, "Initialization").
    BatchInitialize,
    /// A message that goes the other way only: from 2026-07-28 on clients send no responses and servers no requests.
    WrongDirection,
    /// No method of the revision (JSON-RPC 2.0 section 5.1).
    MethodNotFound,
    /// The request names a revision that is not served, or has to name one and does not.
    UnsupportedVersion,
    /// The request needs a capability that the client has not declared.
    MissingCapability,
    /// An error code of an earlier revision, not to be sent any more.
    RetiredCode,
    /// An error code that is kept for MCP and has no meaning yet, not to be sent.
    ReservedCode,
    /// `input_required` in answer to a method that may not be answered so.
    InputNotAllowed,
    /// A line break in a message that is to be sent as a line.
    LineBreak,
    /// A header that mirrors the body is missing.
    HeaderMissing(Header),
    /// A header says another thing than the body.
    HeaderMismatch(Header),
    /// A header has characters that no header has, or a Base64 form that is none.
    HeaderInvalid(Header),
    /// A header is there more than once, which two readers may take differently.
    HeaderRepeated(Header),
    /// Before 2026-07-28: `MCP-Protocol-Version` names no revision that is served.
    VersionHeader,
    /// `Mcp-Session-Id` has other characters than visible ASCII.
    SessionId,
}

impl ErrorKind {
    /// Name, JSON-RPC code and HTTP status of each kind.
    const fn row(self) -> (&'static str, i64, u16) {
        match self {
            Self::Syntax(kind) => (kind.name(), PARSE_ERROR, 400),
            Self::FrameTooLong => ("frame-too-long", INVALID_REQUEST, 413),
            Self::TooDeep => ("too-deep", INVALID_REQUEST, 400),
            Self::NotObject => ("not-object", INVALID_REQUEST, 400),
            Self::Batch => ("batch", INVALID_REQUEST, 400),
            Self::Missing(m) => ("missing-member", code_of(m), 400),
            Self::Duplicate(_) => ("duplicate-member", INVALID_REQUEST, 400),
            Self::Invalid(m) => ("invalid-member", code_of(m), 400),
            Self::Conflict(..) => ("conflicting-members", INVALID_REQUEST, 400),
            Self::NoKind => ("no-kind", INVALID_REQUEST, 400),
            Self::BatchEmpty => ("batch-empty", INVALID_REQUEST, 400),
            Self::BatchTooLong => ("batch-too-long", INVALID_REQUEST, 413),
            Self::BatchMixed => ("batch-mixed", INVALID_REQUEST, 400),
            Self::BatchInitialize => ("batch-initialize", INVALID_REQUEST, 400),
            Self::WrongDirection => ("wrong-direction", INVALID_REQUEST, 400),
            Self::MethodNotFound => ("method-not-found", METHOD_NOT_FOUND, 404),
            Self::UnsupportedVersion => ("unsupported-version", UNSUPPORTED_PROTOCOL_VERSION, 400),
            Self::MissingCapability => (
                "missing-capability",
                MISSING_REQUIRED_CLIENT_CAPABILITY,
                400,
            ),
            Self::RetiredCode => ("retired-code", INVALID_REQUEST, 400),
            Self::ReservedCode => ("reserved-code", INVALID_REQUEST, 400),
            Self::InputNotAllowed => ("input-not-allowed", INVALID_REQUEST, 400),
            Self::LineBreak => ("line-break", INVALID_REQUEST, 400),
            Self::HeaderMissing(_) => ("header-missing", HEADER_MISMATCH, 400),
            Self::HeaderMismatch(_) => ("header-mismatch", HEADER_MISMATCH, 400),
            Self::HeaderInvalid(_) => ("header-invalid", HEADER_MISMATCH, 400),
            Self::HeaderRepeated(_) => ("header-repeated", HEADER_MISMATCH, 400),
            Self::VersionHeader => ("version-header", INVALID_REQUEST, 400),
            Self::SessionId => ("session-id", INVALID_REQUEST, 400),
        }
    }

    /// The kind as a word for logs and metrics, in kebab case.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.row().0
    }

    /// The JSON-RPC error code of an answer to it.
    #[must_use]
    pub const fn code(&self) -> i64 {
        self.row().1
    }

    /// The HTTP status of an answer to it.
    #[must_use]
    pub const fn http_status(&self) -> u16 {
        self.row().2
    }

    /// The header at fault, where one is.
    #[must_use]
    pub const fn header(&self) -> Option<Header> {
        match *self {
            Self::HeaderMissing(h)
            | Self::HeaderMismatch(h)
            | Self::HeaderInvalid(h)
            | Self::HeaderRepeated(h) => Some(h),
            Self::VersionHeader => Some(Header::ProtocolVersion),
            _ => None,
        }
    }

    /// The member at fault, where one is; of two the later.
    #[must_use]
    pub const fn member(&self) -> Option<Member> {
        match *self {
            Self::Missing(m) | Self::Duplicate(m) | Self::Invalid(m) | Self::Conflict(_, m) => {
                Some(m)
            }
            _ => None,
        }
    }
}

/// What `params` has to hold makes a request's params invalid, all else the request.
const fn code_of(member: Member) -> i64 {
    match member.level() {
        Level::Params | Level::Meta | Level::Deeper => INVALID_PARAMS,
        Level::Top | Level::Result | Level::Error => INVALID_REQUEST,
    }
}

/// One sentence: the member at fault, and what was expected.
impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(kind) => write!(f, "no valid JSON: {}", kind.sentence()),
            Self::FrameTooLong => f.write_str("the frame is longer than the limit allows"),
            Self::TooDeep => f.write_str(SyntaxErrorKind::TooDeep.sentence()),
            Self::NotObject => f.write_str("a message must be an object"),
            Self::Batch => f.write_str(
                "a message must be an object: batches exist in revision 2025-03-26 alone",
            ),
            Self::Missing(m) if m.expected().is_empty() => write!(f, "`{m}` is missing"),
            Self::Missing(m) => write!(f, "`{m}` is missing, expected {}", m.expected()),
            Self::Duplicate(m) => write!(f, "`{m}` is there twice"),
            Self::Invalid(m) => write!(f, "`{m}` must be {}", m.expected()),
            Self::Conflict(a, b) => write!(f, "`{a}` and `{b}` exclude each other"),
            Self::NoKind => f.write_str("one of `method`, `result` and `error` must be there"),
            Self::BatchEmpty => f.write_str("a batch must have an element"),
            Self::BatchTooLong => f.write_str("the batch has more elements than the limit allows"),
            Self::BatchMixed => {
                f.write_str("a batch holds requests and notifications, or responses, not both")
            }
            Self::BatchInitialize => f.write_str("`initialize` must not be part of a batch"),
            Self::WrongDirection => {
                f.write_str("since 2026-07-28 clients send no responses and servers no requests")
            }
            Self::MethodNotFound => f.write_str("no such method in this direction and revision"),
            Self::UnsupportedVersion => f.write_str("the protocol version is not supported"),
            Self::MissingCapability => {
                f.write_str("the client has not declared a capability that this needs")
            }
            Self::RetiredCode => f.write_str("`error.code` is one that this revision has retired"),
            Self::ReservedCode => f.write_str("`error.code` is kept for MCP and has no meaning"),
            Self::InputNotAllowed => {
                f.write_str("this method must not be answered with `input_required`")
            }
            Self::LineBreak => f.write_str("a message on a line must have no line break in it"),
            Self::HeaderMissing(h) => write!(f, "the header `{h}` is missing"),
            Self::HeaderMismatch(h) => write!(f, "the header `{h}` differs from the body"),
            Self::HeaderInvalid(h) => write!(f, "the value of the header `{h}` is malformed"),
            Self::HeaderRepeated(h) => write!(f, "the header `{h}` is there more than once"),
            Self::VersionHeader => {
                f.write_str("the header `MCP-Protocol-Version` names no revision that is served")
            }
            Self::SessionId => f.write_str("the session id must be visible ASCII characters"),
        }
    }
}

/// What a refused frame seems to be: whether an answer to it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// It has a method and an id: its sender waits for an answer.
    Request,
    /// It has a method that is a string, and no id: never answered, whatever else is wrong (JSON-RPC 2.0 section 4.1).
    Notification,
    /// It has a result or an error and no method: never answered.
    Response,
    /// It is none of them, as far as it could be read. An answer is due, mostly without an id.
    Unknown,
}

/// Why a frame was refused: 28 bytes, `Copy`, no reference to the frame.
///
/// Byte offsets count from the start of the frame. Methods that take a frame want the one that was refused; with any
/// other they give `None` or a place that is there.
///
/// ```
/// use rpcslice::{ErrorKind, Member, Message, Shape};
///
/// let frame = br#"{"jsonrpc":"2.0","method":"tools/call","params":[],"id":7}"#;
/// let error = Message::parse(frame).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Invalid(Member::Params));
/// assert_eq!(error.code(), -32600);
/// assert_eq!(error.offset(), 48);
/// assert_eq!(error.shape(), Shape::Request); // so an answer is due, and has this id:
/// assert_eq!(error.id(frame).unwrap().raw(), "7");
/// assert_eq!(error.to_string(), "`params` must be an object (-32600, byte 48)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    pub(crate) kind: ErrorKind,
    pub(crate) shape: Shape,
    /// The value at fault; `start` is where the fault is.
    pub(crate) fault: Span,
    pub(crate) id: Span,
    pub(crate) method: Span,
}

impl Error {
    /// A fault that leaves nothing of the frame to be trusted.
    #[cold]
    pub(crate) const fn of_frame(kind: ErrorKind, at: usize, end: usize) -> Self {
        Self {
            kind,
            shape: Shape::Unknown,
            fault: Span::new(at, end),
            id: Span { start: 0, end: 0 },
            method: Span { start: 0, end: 0 },
        }
    }

    #[cold]
    pub(crate) fn syntax(error: SyntaxError) -> Self {
        let kind = match error.kind() {
            SyntaxErrorKind::TooDeep => ErrorKind::TooDeep,
            SyntaxErrorKind::TooLong => ErrorKind::FrameTooLong,
            kind => ErrorKind::Syntax(kind),
        };
        Self::of_frame(kind, error.at(), error.at())
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The JSON-RPC error code of an answer: -32700 or -32600 from parsing (JSON-RPC 2.0 section 5.1), from the rules also
    /// -32601, -32602 and -32020 to -32022. A response is never answered, whatever the code.
    #[must_use]
    pub const fn code(&self) -> i64 {
        self.kind.code()
    }

    /// The HTTP status of an answer.
    #[must_use]
    pub const fn http_status(&self) -> u16 {
        self.kind.http_status()
    }

    /// What the frame seems to be.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// The byte of the frame at which the fault is. For a missing member, the brace that closes its object; for an
    /// early end, the length of the frame.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.fault.start as usize
    }

    /// The value at fault: a name that is there twice, a value of the wrong type. Empty where a single byte is at fault.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.fault.range()
    }

    /// Where the id that an answer would echo stands in the frame. None if the frame is not well-formed or over the
    /// limit, and if its id is bad or there twice; over the nesting limit only if it stood before the fault.
    #[must_use]
    pub fn id_span(&self) -> Option<Range<usize>> {
        (!self.id.is_none()).then(|| self.id.range())
    }

    /// The method, for logs; of two the first. `None` as for the id, and if it is no string.
    #[must_use]
    pub fn method<'f>(&self, frame: &'f [u8]) -> Option<JsonStr<'f>> {
        let raw = self.method.of(frame)?;
        let limits = Limits::new().with_max_frame_bytes(usize::MAX);
        RawJson::parse_with(raw.as_bytes(), &limits)
            .ok()?
            .as_string()
    }

    /// Whether a server has to answer: a request, and what can't be told to be anything else.
    /// [`encode::reply`](crate::encode::reply) knows what a client does, and says when silence is wiser.
    #[must_use]
    pub const fn is_answer_due(&self) -> bool {
        matches!(self.shape, Shape::Request | Shape::Unknown)
    }

    /// Line and column of the fault in the frame, both from 1. Lines end at LF; the column counts characters (bytes,
    /// where they are no UTF-8). Walks the frame up to the fault.
    #[must_use]
    pub fn line_column(&self, frame: &[u8]) -> (usize, usize) {
        let before = frame.get(..self.offset()).unwrap_or(frame);
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        let start = memchr::memrchr(b'\n', before).map_or(0, |lf| lf + 1);
        let column = before
            .get(start..)
            .unwrap_or(&[])
            .utf8_chunks()
            .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
            .sum::<usize>();
        (line, column + 1)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, byte {})", self.kind, self.code(), self.offset())
    }
}

impl core::error::Error for Error {}
