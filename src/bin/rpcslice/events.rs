//! `--format sse`: the events of a `text/event-stream`.

use std::borrow::Cow;

use bytes::BytesMut;
use rpcslice::frame::{Event, Incomplete, NonMessage, SseDecoder};

use crate::checker::{Checker, Ending, Format, counted};
use crate::output::Failure;
use crate::report::{Place, Report};
use crate::safe;
use crate::session::{Direction, Session, Told};

/// An id may be as long as a sender likes.
const ID_COLUMNS: usize = 60;

pub(crate) struct Events {
    decoder: SseDecoder,
    session: Session,
}

impl Events {
    pub(crate) fn new(told: Told) -> Events {
        Events {
            decoder: SseDecoder::new(told.limits),
            session: Session::new(told),
        }
    }
}

impl Format for Events {
    fn read(&mut self, buffer: &mut BytesMut, checker: &mut Checker<'_>) -> Result<(), Failure> {
        while let Some(event) = self.decoder.decode(buffer) {
            let place = Place {
                offset: event.offset,
                len: len(&event),
                record: None,
            };
            checker.show(place, report(&event, &mut self.session, None))?;
        }
        Ok(())
    }

    fn end(&mut self, buffer: &mut BytesMut, _: &mut Checker<'_>) -> Result<Ending, Failure> {
        let rest = self.decoder.finish(buffer).map(|rest| {
            format!(
                "the stream ends within the event at {} ({} of it): dropped, since no blank line ended it",
                rest.offset,
                counted(rest_len(&rest), "byte")
            )
        });
        let id = self.decoder.last_event_id().map(|id| {
            let id = safe::fit(&safe::bytes(id), ID_COLUMNS);
            format!("last event id: {}", id.text)
        });
        let retry = self.decoder.retry();
        let retry = retry.map(|time| format!("reconnection time: {time} ms"));
        Ok(Ending {
            beside: counted(self.decoder.comments(), "comment"),
            notes: [id, retry, rest].into_iter().flatten().collect(),
        })
    }
}

/// How long an event's data is.
pub(crate) fn len<B: AsRef<[u8]>>(event: &Event<'_, B>) -> u64 {
    match &event.data {
        Ok(data) => data.as_ref().len() as u64,
        Err(oversize) => oversize.len,
    }
}

/// How much there is of an event that no blank line ended.
pub(crate) fn rest_len<B: AsRef<[u8]>>(rest: &Incomplete<B>) -> u64 {
    match &rest.bytes {
        Ok(bytes) => bytes.as_ref().len() as u64,
        Err(oversize) => oversize.len,
    }
}

pub(crate) fn report<'a, B: AsRef<[u8]>>(
    event: &'a Event<'_, B>,
    session: &mut Session,
    way: Option<Direction>,
) -> Report<'a> {
    let data = match &event.data {
        Ok(data) => data.as_ref(),
        Err(oversize) => return Report::oversize(oversize),
    };
    match event.non_message() {
        Ok(None) => Report::of(data, session, way),
        Ok(Some(nothing)) => Report::nothing(&nothing, said(&nothing, event.event)),
        Err(error) => Report::refused(data, &error),
    }
}

/// What an event without a message says: where to post, or what it is.
fn said<'a>(nothing: &NonMessage<'a>, event: &'a [u8]) -> Option<Cow<'a, str>> {
    match nothing {
        NonMessage::Endpoint(uri) => Some(Cow::Borrowed(*uri)),
        NonMessage::OtherEvent => Some(Cow::Owned(safe::bytes(event))),
        _ => None,
    }
}
