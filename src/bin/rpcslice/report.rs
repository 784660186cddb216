//! What is said about one frame, whichever way it is printed.

use std::borrow::Cow;

use crate::session::Session;
use bytes::Bytes;
use rpcslice::frame::Line;
use rpcslice::{Error, ErrorKind, JsonStr, Limits, Message, Policy, Shape, View};

#[derive(Debug, Default)]
pub(crate) struct Report<'a> {
    /// Counts from 1, without blank lines.
    pub(crate) number: u64,
    /// Of the line, in the stream.
    pub(crate) offset: u64,
    /// In bytes, without the LF.
    pub(crate) len: u64,
    pub(crate) kind: Option<&'static str>,
    /// As it is written.
    pub(crate) id: Option<&'a str>,
    pub(crate) method: Option<Cow<'a, str>>,
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) revision: Option<Cow<'a, str>>,
    /// What an error response says: code and message.
    pub(crate) answer: Option<(i64, Cow<'a, str>)>,
    pub(crate) fault: Option<Fault<'a>>,
}

/// Why a frame is refused.
#[derive(Debug)]
pub(crate) struct Fault<'a> {
    pub(crate) code: i64,
    pub(crate) reason: &'static str,
    /// In the frame.
    pub(crate) offset: u64,
    pub(crate) message: String,
    /// Where the rule stands.
    pub(crate) clause: &'static str,
    /// The frame; nobody kept that of an over-long line.
    pub(crate) frame: Option<&'a [u8]>,
}

impl<'a> Report<'a> {
    pub(crate) fn of(
        number: u64,
        line: &'a Line<Bytes>,
        limits: &Limits,
        policy: &Policy,
        session: &mut Session,
    ) -> Report<'a> {
        let report = match &line.body {
            Ok(frame) => match Message::parse_with(frame, limits, policy) {
                Ok(message) => match session.check(&message) {
                    Ok(()) => Report::accepted(&message),
                    Err(error) => Report {
                        fault: Report::refused(frame, &error).fault,
                        ..Report::accepted(&message)
                    },
                },
                Err(error) if error.kind() == ErrorKind::Batch && session.has_batches() => Report {
                    kind: Some("batch"),
                    fault: match session.read_batch(frame) {
                        Ok(()) => None,
                        Err(error) => Report::refused(frame, &error).fault,
                    },
                    ..Report::default()
                },
                Err(error) => Report::refused(frame, &error),
            },
            Err(_) => Report::oversize(limits),
        };
        Report {
            number,
            offset: line.offset,
            len: match &line.body {
                Ok(frame) => frame.len() as u64,
                Err(oversize) => oversize.len,
            },
            ..report
        }
    }

    fn accepted(message: &Message<'a>) -> Report<'a> {
        let name = message
            .name()
            .or_else(|| message.uri())
            .or_else(|| message.task_id());
        Report {
            kind: Some(message.kind().as_str()),
            id: message.id().map(|id| id.raw()),
            method: message.method().map(decoded),
            name: name.map(decoded),
            revision: message.protocol_version().map(decoded),
            answer: match message.view() {
                View::Error(error) => Some((error.code(), decoded(error.message()))),
                _ => None,
            },
            ..Report::default()
        }
    }

    fn refused(frame: &'a [u8], error: &Error) -> Report<'a> {
        Report {
            kind: match error.shape() {
                Shape::Request => Some("request"),
                Shape::Notification => Some("notification"),
                _ => None,
            },
            id: error.id(frame).map(|id| id.raw()),
            method: error.method(frame).map(decoded),
            fault: Some(Fault {
                code: error.code(),
                reason: error.kind().name(),
                offset: error.offset() as u64,
                // The error's own Display adds code and byte, which we give apart.
                message: error.kind().to_string(),
                clause: error.kind().clause(),
                frame: Some(frame),
            }),
            ..Report::default()
        }
    }

    fn oversize(limits: &Limits) -> Report<'a> {
        let kind = ErrorKind::FrameTooLong;
        Report {
            fault: Some(Fault {
                code: kind.code(),
                reason: kind.name(),
                // The first byte past it.
                offset: limits.max_frame_bytes() as u64,
                message: kind.to_string(),
                clause: kind.clause(),
                frame: None,
            }),
            ..Report::default()
        }
    }
}

/// The text of a string; as it is written where it has none, for a lone surrogate.
fn decoded(text: JsonStr<'_>) -> Cow<'_, str> {
    text.decode().unwrap_or(Cow::Borrowed(text.raw()))
}
