//! An HTTP body by its media type (RFC 9110 section 8; MCP `basic/transports`, "Streamable HTTP").

use super::event::{NonMessage, Payload};
use super::oversize::{Oversize, Part};
use super::sse::SseDecoder;
use crate::error::Error;
use crate::json::space;
use crate::limits::Limits;
use crate::mcp::Rules;
use bytes::{Bytes, BytesMut};
use core::fmt;
use core::mem;
use mediatype::{MediaType, ReadParams};

/// How to read a body, by what its header fields say.
///
/// ```
/// use bytes::Bytes;
/// use rpcslice::Limits;
/// use rpcslice::frame::{Body, Payload};
/// use rpcslice::mcp::Rules;
///
/// let content_type = Some(&b"Application/JSON; charset=\"utf-8\""[..]);
/// match Body::open(content_type, None, Limits::new())? {
///     Body::Json(mut content) => {
///         for piece in ["{\"jsonrpc\":\"2.0\",\"id\":1,", "\"result\":{}}"] {
///             content.push(Bytes::from(piece))?; // as they come from the socket
///         }
///         let frame = content.finish()?;
///         assert!(matches!(Payload::of_body(&frame, &Rules::client())?, Payload::Message(_)));
///     }
///     Body::EventStream(mut events) => while let Some(_event) = events.feed(b"..").next() {},
///     Body::Other(_text) => {} // for a log, or whoever looks at the status
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // one for each body
pub enum Body {
    /// `application/json`: one message, or a batch.
    Json(Content),
    /// `text/event-stream`: to be fed with the pieces as they come.
    EventStream(SseDecoder),
    /// Another media type, or none: no message. A server refuses it (415); to a client it is what servers say beside an
    /// error status, or `Accepted`.
    Other(Content),
}

impl Body {
    /// Takes the values of `Content-Type` and `Content-Encoding`; `None` where the field is absent.
    ///
    /// Letter case and other parameters than `charset` mean nothing. An empty `Content-Type` counts as an absent one.
    ///
    /// # Errors
    /// A type that is no media type, a charset other than UTF-8 for a type that is read here, and any content coding but
    /// `identity`: who wants coded bodies decodes them first.
    pub fn open(
        content_type: Option<&[u8]>,
        content_encoding: Option<&[u8]>,
        limits: Limits,
    ) -> Result<Self, ContentError> {
        if let Some(coding) = content_encoding.and_then(coding) {
            return Err(ContentError::Coding(coding));
        }
        let content = Content::new(limits);
        let name = content_type.unwrap_or(b"").trim_ascii();
        if name.is_empty() {
            return Ok(Self::Other(content));
        }
        let name = core::str::from_utf8(name).map_err(|_| ContentError::MediaType)?;
        let media = MediaType::parse(name).map_err(|_| ContentError::MediaType)?;
        let is = |ty: &str, subty: &str| {
            media.ty.as_str().eq_ignore_ascii_case(ty)
                && media.subty.as_str().eq_ignore_ascii_case(subty)
                && media.suffix.is_none()
        };
        let body = if is("application", "json") {
            Self::Json(content)
        } else if is("text", "event-stream") {
            Self::EventStream(SseDecoder::new(limits))
        } else {
            return Ok(Self::Other(content));
        };
        match media.params().all(|(name, value)| {
            let is_charset = name.as_str().eq_ignore_ascii_case("charset");
            !is_charset || is_utf8(&value.unquoted_str())
        }) {
            true => Ok(body),
            false => Err(ContentError::Charset),
        }
    }
}

/// `utf8` is what many write, and what WHATWG takes for a label of UTF-8.
fn is_utf8(charset: &str) -> bool {
    ["utf-8", "utf8"]
        .iter()
        .any(|name| charset.eq_ignore_ascii_case(name))
}

/// The first coding of the list that has to be undone.
fn coding(list: &[u8]) -> Option<&'static str> {
    let codings = list.split(|&b| b == b',').map(<[u8]>::trim_ascii);
    let mut codings =
        codings.filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case(b"identity"));
    let found = codings.next()?;
    let known = CODINGS
        .iter()
        .find(|name| found.eq_ignore_ascii_case(name.as_bytes()));
    Some(known.copied().unwrap_or("an unknown coding"))
}

/// Those of the registry that bodies have, as they are told in an error.
const CODINGS: [&str; 7] = [
    "gzip",
    "x-gzip",
    "deflate",
    "br",
    "zstd",
    "compress",
    "x-compress",
];

/// Why a body can't be read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContentError {
    /// `Content-Type` is no media type (RFC 9110 section 8.3.1).
    MediaType,
    /// The charset is not UTF-8 (RFC 8259 section 8.1).
    Charset,
    /// The body has this content coding (RFC 9110 section 8.4).
    Coding(&'static str),
}

impl ContentError {
    /// The HTTP status of an answer to a request: 415.
    #[must_use]
    pub const fn http_status(&self) -> u16 {
        415
    }
}

impl fmt::Display for ContentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MediaType => f.write_str("`Content-Type` is no media type"),
            Self::Charset => f.write_str("the charset in `Content-Type` is not UTF-8"),
            Self::Coding(name) => write!(f, "`Content-Encoding` is {name}: not decoded here"),
        }
    }
}

impl core::error::Error for ContentError {}

/// Collects a body that comes in pieces, up to [`Limits::max_frame_bytes`].
///
/// A body in one piece is not copied. Of several no more is held than the limit, in a buffer of at most twice that; once
/// the body is over it, nothing is.
#[derive(Clone)]
pub struct Content {
    limit: usize,
    /// All that came, even if it is not held.
    len: u64,
    /// The only piece so far.
    first: Bytes,
    /// All of them, if there are more.
    joined: BytesMut,
}

impl Content {
    /// Nothing yet.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limit: limits.max_frame_bytes(),
            len: 0,
            first: Bytes::new(),
            joined: BytesMut::new(),
        }
    }

    /// Asks whether a body may have the length that `Content-Length` says, before it is read. Nothing is reserved for it.
    ///
    /// # Errors
    /// The length is over the limit.
    pub const fn may_have(&self, content_length: u64) -> Result<(), Oversize> {
        match content_length > self.limit as u64 {
            true => Err(self.oversize(content_length)),
            false => Ok(()),
        }
    }

    /// Takes the next piece. The first is kept as it is, and keeps its buffer alive; any other is copied.
    ///
    /// # Errors
    /// The body is over the limit, now or before.
    pub fn push(&mut self, piece: Bytes) -> Result<(), Oversize> {
        match self.len == 0 {
            true => {
                self.add(piece.len())?;
                self.first = piece;
                Ok(())
            }
            false => self.push_slice(&piece),
        }
    }

    /// As [`push`](Self::push), for who has no `Bytes`: copies also the first.
    ///
    /// # Errors
    /// The body is over the limit, now or before.
    pub fn push_slice(&mut self, piece: &[u8]) -> Result<(), Oversize> {
        self.add(piece.len())?;
        if piece.is_empty() {
            return Ok(());
        }
        let first = mem::take(&mut self.first);
        if !first.is_empty() {
            self.joined.reserve(first.len() + piece.len());
            self.joined.extend_from_slice(&first);
        }
        self.joined.extend_from_slice(piece);
        Ok(())
    }

    fn add(&mut self, piece: usize) -> Result<(), Oversize> {
        self.len = self.len.saturating_add(piece as u64);
        let verdict = self.may_have(self.len);
        if verdict.is_err() {
            (self.first, self.joined) = (Bytes::new(), BytesMut::new());
        }
        verdict
    }

    const fn oversize(&self, len: u64) -> Oversize {
        Oversize {
            part: Part::Body,
            len,
            limit: self.limit,
        }
    }

    /// At the end of the body: all of it, without the byte order mark that it may begin with. The next piece begins
    /// another body.
    ///
    /// # Errors
    /// The body was over the limit.
    pub fn finish(&mut self) -> Result<Bytes, Oversize> {
        let len = mem::take(&mut self.len);
        self.may_have(len)?;
        let mut body = mem::take(&mut self.first);
        if body.is_empty() {
            body = self.joined.split().freeze();
        }
        if body.starts_with(&[0xEF, 0xBB, 0xBF]) {
            body = body.slice(3..);
        }
        Ok(body)
    }
}

/// Lengths; never payload.
impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content")
            .field("limit", &self.limit)
            .field("len", &self.len)
            .finish()
    }
}

impl<'a> Payload<'a> {
    /// Reads a body of type `application/json`, as [`Content::finish`] gives it: one message, a batch where the rules have
    /// 2025-03-26 in force, or nothing if there is nothing but white space in it. To a server, whose client has to post
    /// something, an empty body is a fault: it calls [`Rules::read`].
    ///
    /// # Errors
    /// The first fault.
    pub fn of_body(body: &'a [u8], rules: &Rules) -> Result<Self, Error> {
        match space::trim_start(body).is_empty() {
            true => Ok(Self::Nothing(NonMessage::Empty)),
            false => rules.read(body).map(Self::from),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::format;
    use std::string::{String, ToString};

    /// How a body is read, in a word.
    fn opened(content_type: Option<&str>, content_encoding: Option<&str>) -> String {
        let bytes = |value: Option<&'static str>| value.map(str::as_bytes);
        let content_type = content_type.map(|value| &*String::from(value).leak());
        let content_encoding = content_encoding.map(|value| &*String::from(value).leak());
        match Body::open(bytes(content_type), bytes(content_encoding), Limits::new()) {
            Ok(Body::Json(_)) => "json".to_string(),
            Ok(Body::EventStream(_)) => "events".to_string(),
            Ok(Body::Other(_)) => "other".to_string(),
            Err(error) => format!("{error:?}"),
        }
    }

    #[test]
    fn media_types() {
        for (content_type, expected) in [
            ("application/json", "json"),
            ("Application/JSON", "json"),
            ("application/json; charset=utf-8", "json"),
            ("application/json;charset=UTF-8", "json"),
            ("application/json ; Charset=\"Utf-8\" ; x=\"a;b\"", "json"),
            ("application/json; charset=utf8", "json"),
            (" application/json ", "json"),
            ("application/json;", "json"),
            ("application/json; x=charset", "json"),
            ("text/event-stream", "events"),
            ("text/Event-Stream;charset=utf-8", "events"),
            ("text/plain", "other"),
            ("text/html; charset=latin1", "other"),
            ("application/json-rpc", "other"),
            ("application/problem+json", "other"),
            ("application/json+xml", "other"),
            ("text/json", "other"),
            ("", "other"),
            ("  ", "other"),
            ("application/json; charset=latin1", "Charset"),
            ("application/json; charset=utf-16", "Charset"),
            ("application/json; charset=utf-8; charset=utf-16", "Charset"),
            ("application/json; charset=utf-16; charset=utf-8", "Charset"),
            ("text/event-stream; charset=iso-8859-1", "Charset"),
            ("application", "MediaType"),
            ("application/json, text/plain", "MediaType"),
            ("application/json; charset", "MediaType"),
            ("é/json", "MediaType"),
            ("application/json\0", "MediaType"),
        ] {
            assert_eq!(
                opened(Some(content_type), None),
                expected,
                "{content_type:?}"
            );
        }
        assert_eq!(opened(None, None), "other");
        let no_text = Body::open(Some(b"application/\xFF"), None, Limits::new());
        assert_eq!(no_text.unwrap_err(), ContentError::MediaType);
    }

    #[test]
    fn codings_are_refused_by_name() {
        let sentence = |coding| opened(Some("application/json"), Some(coding));
        for coding in ["", " ", "identity", "Identity", "identity, identity", ","] {
            assert_eq!(sentence(coding), "json", "{coding:?}");
        }
        for (coding, name) in [
            ("gzip", "gzip"),
            ("GZip", "gzip"),
            ("identity, br", "br"),
            ("deflate, gzip", "deflate"),
            ("aes128gcm", "an unknown coding"),
        ] {
            assert_eq!(sentence(coding), format!("Coding({name:?})"));
        }
        // A text that nobody could read is no use either.
        assert_eq!(opened(Some("text/plain"), Some("zstd")), "Coding(\"zstd\")");
        let error = ContentError::Coding("gzip");
        assert_eq!(
            error.to_string(),
            "`Content-Encoding` is gzip: not decoded here"
        );
        assert_eq!(error.http_status(), 415);
    }

    #[test]
    fn pieces_are_joined_up_to_the_limit() {
        let limits = Limits::new().with_max_frame_bytes(10);
        let mut content = Content::new(limits);
        for (pieces, expected) in [
            (&["0123456789"][..], Ok("0123456789")),
            (&["01234", "", "56789"], Ok("0123456789")),
            (&["", "01"], Ok("01")),
            (&[], Ok("")),
            (&["\u{feff}ab"], Ok("ab")),
            (&["\u{feff}\u{feff}"], Ok("\u{feff}")),
            (&["01234567890"], Err(11)),
            (&["0123456789", "0"], Err(11)),
            (&["0123456789", "0", "", "1234"], Err(15)),
            (&["ab"], Ok("ab")), // as if nothing had happened
        ] {
            for copies in [false, true] {
                let mut verdict = Ok(());
                for piece in pieces {
                    verdict = match copies {
                        true => content.push_slice(piece.as_bytes()),
                        false => content.push(Bytes::from_static(piece.as_bytes())),
                    };
                }
                let body = content.finish();
                match expected {
                    Ok(text) => assert_eq!(body.unwrap(), text),
                    Err(len) => {
                        let oversize = body.unwrap_err();
                        assert_eq!((oversize.len, oversize.limit), (len, 10));
                        assert_eq!(oversize.part, Part::Body);
                        assert_eq!(verdict, Err(oversize));
                        assert_eq!(oversize.error().http_status(), 413);
                    }
                }
            }
        }
        assert!(content.may_have(10).is_ok());
        assert!(content.may_have(11).is_err());
        assert!(content.may_have(u64::MAX).is_err());
    }

    #[test]
    fn one_piece_is_not_copied() {
        let piece = Bytes::from(String::from("{}").into_bytes());
        let mut content = Content::new(Limits::new());
        content.push(Bytes::new()).unwrap();
        content.push(piece.clone()).unwrap();
        content.push(Bytes::new()).unwrap();
        assert_eq!(content.finish().unwrap().as_ptr(), piece.as_ptr());
    }

    #[test]
    fn only_white_space_of_json_is_nothing() {
        let rules = Rules::client();
        for (body, is_nothing) in [
            ("", true),
            (" \t\r\n", true),
            ("\x0c", false),
            (" \x0b", false),
        ] {
            let payload = Payload::of_body(body.as_bytes(), &rules);
            assert_eq!(
                matches!(payload, Ok(Payload::Nothing(_))),
                is_nothing,
                "{body:?}"
            );
            assert_eq!(payload.is_err(), !is_nothing, "{body:?}");
        }
    }
}
