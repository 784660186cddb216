//! What comes back to a client.

use crate::frame::{Body, Content, ContentError, SseDecoder};
use crate::limits::Limits;
use crate::mcp::{Era, code};
use crate::message::{Kind, Message, View};
use crate::vocab::Member;
use ::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use ::http::{HeaderMap, HeaderValue, StatusCode};

/// What a client has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Posted {
    /// A request, or a batch with one in it.
    Request,
    /// A notification or a response: no answer is due.
    Other,
    /// A GET that opens an event stream.
    Stream,
    /// A DELETE that ends the session.
    End,
}

/// How to read a response.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // one for each response
pub enum Answer {
    /// No message, and that is in order. A body, if there is one, means nothing: some servers say `Accepted` or `null`.
    Nothing,
    /// `application/json`: collect it, then `Payload::of_body`.
    Message(Content),
    /// `text/event-stream`: the decoder reads it. To resume a stream give it
    /// [`with_last_event_id`](SseDecoder::with_last_event_id).
    Events(SseDecoder),
    /// The server does not have this: no stream to listen to, no session to end (405).
    NotOffered,
    /// Refused. The body may hold a JSON-RPC error, with or without id, other JSON, or a text for people; one that can't be
    /// read here counts as such a text.
    Refused(StatusCode, Body),
    /// A success that holds no answer to the request, by its media type.
    Unanswered(StatusCode, Body),
}

impl Posted {
    /// What a message is that is POSTed alone.
    #[must_use]
    pub const fn of(message: &Message<'_>) -> Self {
        match message.kind() {
            Kind::Request => Self::Request,
            Kind::Notification | Kind::Result | Kind::Error => Self::Other,
        }
    }
}

impl Answer {
    /// Takes what is known before the body (`basic/transports`, "Sending Messages to the Server").
    ///
    /// To a notification or a response any success is nothing, whatever its body. To a request 202 and 204 are nothing, too:
    /// in 2024-11-05 its answer comes on the event stream. (From 2026-07-28 on a request has to be answered.)
    ///
    /// # Errors
    /// The body of a success that can't be read here, and would have to be: its coding, its charset, its media type.
    ///
    /// ```
    /// use http::{HeaderMap, StatusCode};
    /// use rpcslice::Limits;
    /// use rpcslice::http::{Answer, Posted};
    ///
    /// let mut headers = HeaderMap::new();
    /// headers.insert("Content-Type", "text/event-stream".parse().unwrap());
    /// let answer = Answer::of_response(Posted::Request, StatusCode::OK, &headers, Limits::new())?;
    /// assert!(matches!(answer, Answer::Events(_)));
    /// # Ok::<(), rpcslice::frame::ContentError>(())
    /// ```
    pub fn of_response(
        posted: Posted,
        status: StatusCode,
        headers: &HeaderMap,
        limits: Limits,
    ) -> Result<Self, ContentError> {
        let is_empty = matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT);
        match posted {
            Posted::Other | Posted::End if status.is_success() => return Ok(Self::Nothing),
            Posted::Request if is_empty => return Ok(Self::Nothing),
            Posted::Stream | Posted::End if status == StatusCode::METHOD_NOT_ALLOWED => {
                return Ok(Self::NotOffered);
            }
            _ => {}
        }
        let body = match opened(headers, limits) {
            Ok(body) => body,
            // The status says what there is to say.
            Err(_) if !status.is_success() => Body::Other(Content::new(limits)),
            Err(error) => return Err(error),
        };
        Ok(match (body, posted) {
            (body, _) if !status.is_success() => Self::Refused(status, body),
            (Body::EventStream(events), Posted::Request | Posted::Stream) => Self::Events(events),
            (Body::Json(content), Posted::Request) => Self::Message(content),
            (body, _) => Self::Unanswered(status, body),
        })
    }
}

/// The body by its header fields.
fn opened(headers: &HeaderMap, limits: Limits) -> Result<Body, ContentError> {
    for coding in headers.get_all(CONTENT_ENCODING) {
        Body::open(None, Some(coding.as_bytes()), limits)?;
    }
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let content_type = types.next().map(HeaderValue::as_bytes);
    match types.next() {
        None => Body::open(content_type, None, limits),
        // Two types are no type.
        Some(_) => Err(ContentError::MediaType),
    }
}

/// Of which era a server is, by its answer to a request of a modern revision: what a client goes by that speaks both
/// (2026-07-28 `basic/transports/streamable-http#backward-compatibility`). `message` is what the body held, if it was one.
///
/// `Legacy`: fall back to `initialize`. `None`: the answer does not tell, as with a failure that has nothing to do with MCP.
/// Without a message it is taken that the body was read and is none; a body that could not be read, being compressed, may
/// hold the very error that would tell.
///
/// | answer | era |
/// |---|---|
/// | an error of code -32020, -32021 or -32022 | modern |
/// | a result with `resultType` | modern |
/// | -32601 with 404 | not known: a modern server says so of a method that it does not have. To `server/discover`: legacy |
/// | -32601 with 200 | not known: likewise of legacy servers. To `server/discover`: legacy |
/// | 400, 404, 405 with anything else | legacy |
/// | anything else | not known |
#[must_use]
pub fn server_era(status: StatusCode, message: Option<&Message<'_>>) -> Option<Era> {
    let code = message.and_then(|message| match message.view() {
        View::Error(error) => Some(error.code()),
        _ => None,
    });
    let has_type = message.is_some_and(|message| message.member(Member::ResultType).is_some());
    match (status, code) {
        (_, Some(code)) if code::is_modern(code) => Some(Era::Modern),
        (_, None) if has_type => Some(Era::Modern),
        (StatusCode::NOT_FOUND, Some(code::METHOD_NOT_FOUND)) => None,
        (StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED, _) => {
            Some(Era::Legacy)
        }
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn answer(posted: Posted, status: u16, fields: &[(&'static str, &'static str)]) -> String {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, HeaderValue::from_static(value));
        }
        let status = StatusCode::from_u16(status).unwrap();
        let name = |body: Body| match body {
            Body::Json(_) => "json",
            Body::EventStream(_) => "events",
            Body::Other(_) => "text",
        };
        match Answer::of_response(posted, status, &headers, Limits::new()) {
            Ok(Answer::Nothing) => "nothing".into(),
            Ok(Answer::Message(_)) => "message".into(),
            Ok(Answer::Events(_)) => "events".into(),
            Ok(Answer::NotOffered) => "not offered".into(),
            Ok(Answer::Refused(status, body)) => {
                format!("refused {} {}", status.as_u16(), name(body))
            }
            Ok(Answer::Unanswered(_, body)) => format!("unanswered {}", name(body)),
            Err(error) => format!("{error:?}"),
        }
    }

    #[test]
    fn responses() {
        const JSON: (&str, &str) = ("content-type", "application/json; charset=utf-8");
        const EVENTS: (&str, &str) = ("content-type", "text/event-stream");
        const TEXT: (&str, &str) = ("content-type", "text/plain");
        const GZIP: (&str, &str) = ("content-encoding", "gzip");
        const IDENTITY: (&str, &str) = ("content-encoding", "identity");
        use Posted::{End, Other, Request, Stream};
        for (posted, status, fields, expected) in [
            (Request, 200, &[JSON][..], "message"),
            (Request, 200, &[JSON, IDENTITY], "message"),
            (Request, 200, &[EVENTS], "events"),
            (Request, 200, &[JSON, GZIP], "Coding(\"gzip\")"),
            (Request, 200, &[JSON, IDENTITY, GZIP], "Coding(\"gzip\")"),
            (Request, 200, &[JSON, EVENTS], "MediaType"),
            (Request, 200, &[TEXT], "unanswered text"),
            (Request, 200, &[], "unanswered text"),
            (Request, 202, &[TEXT], "nothing"),
            (Request, 204, &[], "nothing"),
            (Request, 400, &[JSON], "refused 400 json"),
            (Request, 404, &[TEXT, GZIP], "refused 404 text"),
            (Request, 404, &[JSON, EVENTS], "refused 404 text"),
            (Request, 415, &[], "refused 415 text"),
            (Request, 500, &[TEXT], "refused 500 text"),
            (Request, 302, &[], "refused 302 text"),
            (Other, 202, &[], "nothing"),
            (Other, 202, &[TEXT], "nothing"),
            (Other, 200, &[JSON], "nothing"),
            (Other, 204, &[], "nothing"),
            (Other, 200, &[JSON, GZIP], "nothing"),
            (Other, 400, &[JSON], "refused 400 json"),
            (Stream, 200, &[EVENTS], "events"),
            (Stream, 200, &[JSON], "unanswered json"),
            (Stream, 405, &[], "not offered"),
            (Stream, 404, &[], "refused 404 text"),
            (End, 200, &[], "nothing"),
            (End, 204, &[], "nothing"),
            (End, 405, &[JSON], "not offered"),
            (End, 404, &[JSON], "refused 404 json"),
        ] {
            assert_eq!(
                answer(posted, status, fields),
                expected,
                "{posted:?} {status} {fields:?}"
            );
        }
    }

    #[test]
    fn eras() {
        let error = |code: &str| {
            format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":""}}}}"#)
        };
        let result = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned();
        let modern = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}"#.to_owned();
        for (status, body, expected) in [
            (400, Some(error("-32020")), Some(Era::Modern)),
            (400, Some(error("-32022")), Some(Era::Modern)),
            (200, Some(error("-32021")), Some(Era::Modern)),
            (400, Some(error("-32600")), Some(Era::Legacy)),
            (400, Some(error("-32000")), Some(Era::Legacy)),
            (400, None, Some(Era::Legacy)),
            (404, None, Some(Era::Legacy)),
            (404, Some(error("-32601")), None),
            (405, None, Some(Era::Legacy)),
            (200, Some(modern), Some(Era::Modern)),
            (200, Some(result), None),
            (401, None, None),
            (503, None, None),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            let message = body
                .as_deref()
                .map(|body| Message::parse(body.as_bytes()).unwrap());
            assert_eq!(
                server_era(status, message.as_ref()),
                expected,
                "{status} {body:?}"
            );
        }
    }
}
