//! What a server decides before it reads a body, and the statuses and headers of what it answers.

use super::mirrored::Mirrored;
use super::version::Stated;
use crate::error::ErrorKind;
use crate::frame::{Body, ContentError, Oversize, Part};
use crate::limits::Limits;
use crate::mcp::{Era, Rules, Version, code};
use crate::message::{Kind, Message};
use ::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use ::http::{HeaderMap, HeaderValue, Method, StatusCode};
use core::fmt;
use mediatype::{MediaType, MediaTypeList, ReadParams};

/// What kind of request it is, and what may be sent back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Negotiation {
    /// A POST with a JSON body, to be answered in one of these media types.
    Post(Accepts),
    /// A GET that opens an event stream, up to 2025-11-25. Who offers none answers 405.
    Stream,
    /// A DELETE that ends the session, up to 2025-11-25. Who lets no client do that answers 405.
    End,
}

/// Which of the two media types of MCP an `Accept` allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepts {
    /// `application/json`
    pub json: bool,
    /// `text/event-stream`
    pub event_stream: bool,
}

/// A request that is refused before its body is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// 405: the method is none of these, which go into `Allow`. A server that offers no streams or ends no sessions leaves
    /// GET or DELETE out there, too.
    Method {
        /// The value of `Allow`.
        allow: &'static str,
    },
    /// 400: `MCP-Protocol-Version` names no revision that is served (2025-06-18 and 2025-11-25
    /// `basic/transports#protocol-version-header`). Of a POST the body is looked at first.
    Version,
    /// 406: `Accept` allows no media type that there is.
    Accept,
    /// 415: the body is no JSON by its `Content-Type`, or has none.
    NotJson,
    /// 415: the body can't be read.
    Content(ContentError),
    /// 413: the body is longer than the limit allows.
    TooLong(Oversize),
}

impl Refusal {
    /// The status of the response.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::Method { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::Version => StatusCode::BAD_REQUEST,
            Self::Accept => StatusCode::NOT_ACCEPTABLE,
            Self::NotJson | Self::Content(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
        }
    }

    /// The value of `Allow`, which a 405 has to have (RFC 9110 section 15.5.6).
    #[must_use]
    pub const fn allow(&self) -> Option<HeaderValue> {
        match self {
            Self::Method { allow } => Some(HeaderValue::from_static(allow)),
            _ => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Method { allow } => write!(f, "the method is not allowed here: {allow} would be"),
            Self::Version => ErrorKind::VersionHeader.fmt(f),
            Self::Accept => {
                f.write_str("`Accept` allows neither `application/json` nor `text/event-stream`")
            }
            Self::NotJson => f.write_str("`Content-Type` has to be `application/json`"),
            Self::Content(error) => error.fmt(f),
            Self::TooLong(oversize) => oversize.fmt(f),
        }
    }
}

impl core::error::Error for Refusal {}

impl Negotiation {
    /// Decides on what stands in front of the body: the method (405), the body's media type, charset and coding (415), what
    /// the client accepts (406), and the length that is declared (413), in that order.
    ///
    /// POST is for every revision; GET and DELETE are for those up to 2025-11-25, unless the version header names a later
    /// one, and with a version header that is served (400). `Origin`, and the OPTIONS of browsers, are for the server to look
    /// at before. An absent `Accept` allows everything (RFC 9110 section 12.5.1); `*/*` and `application/*` count, the most
    /// specific range decides, `q=0` excludes. MCP demands of clients that both media types are listed: a server that
    /// insists on it looks at [`Accepts`]. A GET has to accept `text/event-stream`.
    ///
    /// # Errors
    /// Why the request is refused.
    ///
    /// ```
    /// use http::{HeaderMap, Method};
    /// use rpcslice::Limits;
    /// use rpcslice::http::{Negotiation, Refusal};
    /// use rpcslice::mcp::{Rules, Version, Versions};
    ///
    /// let rules = Rules::server().versions(Versions::of(&[Version::V2026_07_28]));
    /// let refusal = Negotiation::of_request(&rules, &Method::GET, &HeaderMap::new()).unwrap_err();
    /// assert_eq!(refusal, Refusal::Method { allow: "POST" });
    /// assert_eq!(refusal.status(), 405);
    /// ```
    pub fn of_request(
        rules: &Rules,
        method: &Method,
        headers: &HeaderMap,
    ) -> Result<Self, Refusal> {
        let stated = Stated::of(rules, Mirrored::of(headers).version);
        let is_legacy = match stated {
            Stated::Named(version) => version.era() == Era::Legacy,
            Stated::Assumed(_) | Stated::Unknown => rules.served().has(Era::Legacy),
        };
        let accepts = Accepts::of(headers);
        match *method {
            Method::POST => {
                has_json(headers)?;
                if !(accepts.json || accepts.event_stream) {
                    return Err(Refusal::Accept);
                }
                has_length(headers, &rules.frame_limits())?;
                Ok(Self::Post(accepts))
            }
            Method::GET | Method::DELETE if is_legacy && matches!(stated, Stated::Unknown) => {
                Err(Refusal::Version)
            }
            Method::GET if is_legacy => match accepts.event_stream {
                true => Ok(Self::Stream),
                false => Err(Refusal::Accept),
            },
            Method::DELETE if is_legacy => Ok(Self::End),
            _ => Err(Refusal::Method {
                allow: match is_legacy {
                    true => "GET, POST, DELETE",
                    false => "POST",
                },
            }),
        }
    }
}

fn has_json(headers: &HeaderMap) -> Result<(), Refusal> {
    for coding in headers.get_all(CONTENT_ENCODING) {
        let coding = Some(coding.as_bytes());
        Body::open(None, coding, Limits::new()).map_err(Refusal::Content)?;
    }
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let content_type = types.next().map(HeaderValue::as_bytes);
    if types.next().is_some() {
        return Err(Refusal::Content(ContentError::MediaType));
    }
    match Body::open(content_type, None, Limits::new()) {
        Ok(Body::Json(_)) => Ok(()),
        Ok(Body::EventStream(_) | Body::Other(_)) => Err(Refusal::NotJson),
        Err(error) => Err(Refusal::Content(error)),
    }
}

/// A length that can't be read is for whoever reads the body.
fn has_length(headers: &HeaderMap, limits: &Limits) -> Result<(), Refusal> {
    let declared = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    let Some(declared) = declared
        .map(str::trim)
        .filter(|text| text.bytes().all(|b| b.is_ascii_digit()))
    else {
        return Ok(());
    };
    let limit = limits.max_frame_bytes();
    // More digits than fit are too many, too.
    let len = match declared {
        "" => 0,
        digits => digits.parse().unwrap_or(u64::MAX),
    };
    match len > limit as u64 {
        true => Err(Refusal::TooLong(Oversize {
            part: Part::Body,
            len,
            limit,
        })),
        false => Ok(()),
    }
}

impl Accepts {
    /// Reads the `Accept` fields of a request. What is no media range is skipped.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Self {
        if !headers.contains_key(ACCEPT) {
            return Self {
                json: true,
                event_stream: true,
            };
        }
        // Of each, how specific the best range so far is, and whether it is wanted.
        let mut best = [(0, false); 2];
        for value in headers.get_all(ACCEPT) {
            let ranges = MediaTypeList::new(value.to_str().unwrap_or(""));
            for range in ranges.filter_map(Result::ok) {
                let targets = [("application", "json"), ("text", "event-stream")];
                for (target, best) in targets.into_iter().zip(&mut best) {
                    let found = (specificity(&range, target), is_wanted(&range));
                    if found.0 > best.0 || (found.0 == best.0 && found.0 > 0 && found.1) {
                        *best = found;
                    }
                }
            }
        }
        let [json, event_stream] = best.map(|(specificity, wanted)| specificity > 0 && wanted);
        Self { json, event_stream }
    }
}

/// 0: the range does not cover the type.
fn specificity(range: &MediaType<'_>, (ty, subty): (&str, &str)) -> u8 {
    let is = |found: &str, wanted: &str| found.eq_ignore_ascii_case(wanted);
    let (found_ty, found_subty) = (range.ty.as_str(), range.subty.as_str());
    match (found_ty, found_subty, range.suffix) {
        (_, _, Some(_)) => 0,
        ("*", "*", None) => 1,
        (found, "*", None) if is(found, ty) => 2,
        (found, sub, None) if is(found, ty) && is(sub, subty) => 3,
        _ => 0,
    }
}

/// A weight of 0 means "not acceptable" (RFC 9110 section 12.4.2).
fn is_wanted(range: &MediaType<'_>) -> bool {
    range.params().all(|(name, value)| {
        let is_weight = name.as_str().eq_ignore_ascii_case("q");
        let digits = value.as_str().bytes().filter(|&b| b != b'.');
        !is_weight || digits.clone().next().is_none() || digits.clone().any(|b| b != b'0')
    })
}

/// The status of a message that is accepted: 202 for what is not answered, notifications and responses; 200 for a request.
#[must_use]
pub const fn accepted_status(message: &Message<'_>) -> StatusCode {
    match message.kind() {
        Kind::Request => StatusCode::OK,
        Kind::Notification | Kind::Result | Kind::Error => StatusCode::ACCEPTED,
    }
}

/// The status that goes with an error response of this code, which the application has made. From 2026-07-28 on a method
/// that is not found is 404, and what the client did wrong about versions, headers and capabilities 400; params that a
/// handler refuses are the application's own to decide on, and 200 here. Before, an answer is an answer: 200, but for what
/// was no request at all.
///
/// For what the codec itself refuses, [`Error::http_status`](crate::Error::http_status) says it.
#[must_use]
pub const fn status(error_code: i64, version: Version) -> StatusCode {
    match (error_code, version.era()) {
        (code::PARSE_ERROR | code::INVALID_REQUEST, _) => StatusCode::BAD_REQUEST,
        (code::METHOD_NOT_FOUND, Era::Modern) => StatusCode::NOT_FOUND,
        (_, Era::Modern) if code::is_modern(error_code) => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

/// The headers of a response that is an event stream: `Content-Type`, `Cache-Control: no-cache`, and
/// `X-Accel-Buffering: no`, which keeps proxies from holding events back (2026-07-28
/// `basic/transports/streamable-http#receiving-messages`).
#[must_use]
pub fn event_stream_headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(
        super::names::X_ACCEL_BUFFERING,
        HeaderValue::from_static("no"),
    );
    headers
}
