//! What is said about one frame, whichever way it is printed.

use std::borrow::Cow;

use rpcslice::frame::{ContentError, NonMessage, Oversize, Part};
use rpcslice::{Error, ErrorKind, JsonStr, Message, Shape, View};

use crate::safe;
use crate::session::{Direction, Session};

/// Columns of what a fault's sentence quotes from the input.
pub(crate) const QUOTED: usize = 120;

/// Where a frame stands in the input.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// Of its line, or of its event's block, in the input.
    pub(crate) offset: u64,
    /// In bytes: of a line without the LF, of an event its data.
    pub(crate) len: u64,
    /// Only where exchanges are read.
    pub(crate) record: Option<RecordPlace>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordPlace {
    /// Counts from 1, without blank lines.
    pub(crate) number: u64,
    /// `None`: the record itself is at fault.
    pub(crate) way: Option<Direction>,
}

#[derive(Debug, Default)]
pub(crate) struct Report<'a> {
    /// Counts from 1.
    pub(crate) number: u64,
    pub(crate) place: Place,
    pub(crate) kind: Option<&'static str>,
    /// It is in order, and no message.
    pub(crate) is_nothing: bool,
    /// As it is written.
    pub(crate) id: Option<&'a str>,
    pub(crate) method: Option<Cow<'a, str>>,
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) revision: Option<Cow<'a, str>>,
    /// What stands in the method's place where there is none: an error's code and message, or what a frame without a
    /// message says.
    pub(crate) remark: Option<Cow<'a, str>>,
    pub(crate) fault: Option<Fault<'a>>,
}

/// Why a frame is refused.
#[derive(Debug)]
pub(crate) struct Fault<'a> {
    pub(crate) code: i64,
    pub(crate) reason: &'static str,
    /// In the frame; `None`: no byte of it is at fault.
    pub(crate) offset: Option<u64>,
    pub(crate) message: String,
    /// Where the rule stands, if it is one.
    pub(crate) clause: Option<&'static str>,
    /// The frame; nobody kept that of an over-long line.
    pub(crate) frame: Option<&'a [u8]>,
}

impl<'a> Report<'a> {
    /// What has to be a message, or a batch where there are any.
    pub(crate) fn of(frame: &'a [u8], session: &mut Session, way: Option<Direction>) -> Self {
        let told = session.told();
        match Message::parse_with(frame, &told.limits, &told.policy) {
            Ok(message) => {
                let verdict = session.check(&message, way);
                Report {
                    fault: verdict.err().map(|error| Fault::at(frame, &error)),
                    ..Report::accepted(&message)
                }
            }
            Err(error) if error.kind() == ErrorKind::Batch && session.has_batches() => {
                let verdict = session.read_batch(frame, way);
                Report {
                    kind: Some("batch"),
                    fault: verdict.err().map(|error| Fault::at(frame, &error)),
                    ..Report::default()
                }
            }
            Err(error) => Report::refused(frame, &error),
        }
    }

    fn accepted(message: &Message<'a>) -> Self {
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
            remark: match message.view() {
                View::Error(error) => {
                    let remark = format!("{} {}", error.code(), decoded(error.message()));
                    Some(Cow::Owned(remark))
                }
                _ => None,
            },
            ..Report::default()
        }
    }

    pub(crate) fn refused(frame: &'a [u8], error: &Error) -> Self {
        Report {
            kind: match error.shape() {
                Shape::Request => Some("request"),
                Shape::Notification => Some("notification"),
                _ => None,
            },
            id: error.id(frame).map(|id| id.raw()),
            method: error.method(frame).map(decoded),
            fault: Some(Fault::at(frame, error)),
            ..Report::default()
        }
    }

    pub(crate) fn oversize(oversize: &Oversize) -> Self {
        let error = oversize.error();
        let kind = error.kind();
        Report::faulty(Fault {
            code: error.code(),
            reason: kind.name(),
            // The first byte past it.
            offset: Some(error.offset() as u64),
            message: match oversize.part {
                Part::Line => kind.to_string(),
                _ => oversize.to_string(),
            },
            clause: Some(kind.clause()),
            frame: None,
        })
    }

    /// What is no message and in order; with what it says, if it says anything.
    pub(crate) fn nothing(nothing: &NonMessage<'_>, remark: Option<Cow<'a, str>>) -> Self {
        Report {
            remark,
            ..Report::word(nothing.as_str())
        }
    }

    /// As [`nothing`](Self::nothing), by a word.
    pub(crate) fn word(word: &'static str) -> Self {
        Report {
            kind: Some(word),
            is_nothing: true,
            ..Report::default()
        }
    }

    /// A body that can't be read by what its header fields say.
    pub(crate) fn unreadable(error: ContentError) -> Self {
        let (reason, clause) = match error {
            ContentError::MediaType => ("media-type", "RFC 9110 section 8.3.1"),
            ContentError::Charset => ("charset", "RFC 8259 section 8.1"),
            ContentError::Coding(_) => ("content-coding", "RFC 9110 section 8.4"),
            _ => ("content", "RFC 9110 section 8"),
        };
        Report::unsupported(reason, clause, error.to_string(), error.http_status())
    }

    /// A body of a media type that has no place there.
    pub(crate) fn misplaced(media_type: Option<&str>, expected: &str) -> Self {
        let message = match media_type {
            Some(name) => {
                let name = safe::fit(name, QUOTED).text;
                format!("`Content-Type` is {name}: {expected}")
            }
            None => format!("there is no `Content-Type`: {expected}"),
        };
        let clause = "basic/transports/streamable-http#sending-messages";
        Report::unsupported("media-type", clause, message, 415)
    }

    fn unsupported(
        reason: &'static str,
        clause: &'static str,
        message: String,
        status: u16,
    ) -> Self {
        Report::faulty(Fault {
            // No JSON-RPC code says this: HTTP's status does.
            code: status.into(),
            reason,
            offset: None,
            message,
            clause: Some(clause),
            frame: None,
        })
    }

    pub(crate) fn faulty(fault: Fault<'a>) -> Self {
        Report {
            fault: Some(fault),
            ..Report::default()
        }
    }
}

impl<'a> Fault<'a> {
    fn at(frame: &'a [u8], error: &Error) -> Self {
        Fault {
            offset: Some(error.offset() as u64),
            frame: Some(frame),
            ..Fault::of_kind(error.kind())
        }
    }

    /// A kind of fault, with no place yet.
    pub(crate) fn of_kind(kind: ErrorKind) -> Self {
        Fault {
            code: kind.code(),
            reason: kind.name(),
            offset: None,
            // An error's own Display adds code and byte, which we give apart.
            message: kind.to_string(),
            clause: Some(kind.clause()),
            frame: None,
        }
    }
}

/// The text of a string; as it is written where it has none, for a lone surrogate.
fn decoded(text: JsonStr<'_>) -> Cow<'_, str> {
    text.decode().unwrap_or(Cow::Borrowed(text.raw()))
}
