//! One HTTP exchange: what was posted, and what came back.

use std::borrow::Cow;

use rpcslice::frame::{Body, Content, ContentError, NonMessage, Oversize, SseDecoder};

use crate::checker::{Checker, counted};
use crate::events;
use crate::output::Failure;
use crate::record::{Headers, Request, Response};
use crate::report::{Place, RecordPlace, Report};
use crate::session::{Direction, Session};

/// The kind of a body of another media type, where that is in order.
const OTHER_BODY: &str = "other-body";

pub(crate) struct Exchange<'a, 'c> {
    /// Of the record, in the input.
    pub(crate) offset: u64,
    pub(crate) number: u64,
    pub(crate) session: Session,
    pub(crate) seen: &'a mut Seen,
    pub(crate) checker: &'a mut Checker<'c>,
}

/// What event streams hold beside events.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) comments: u64,
    /// Those that end within an event: clients that have their answer go away.
    unfinished: u64,
    first: Option<First>,
}

/// The first of them.
struct First {
    record: u64,
    len: u64,
}

impl Seen {
    pub(crate) fn unfinished_note(&self) -> Option<String> {
        let First { record, len } = self.first.as_ref()?;
        let streams = counted(self.unfinished, "event stream");
        let len = counted(*len, "byte");
        Some(format!(
            "{streams} cut off within an event (the first in record {record}, {len} of it): dropped, since no blank line \
             ended it"
        ))
    }
}

impl Exchange<'_, '_> {
    pub(crate) fn request(&mut self, request: &Request) -> Result<(), Failure> {
        let way = Direction::ToServer;
        let body = request.body();
        // To post nothing is a fault; nothing else has to have a body.
        if body.is_empty() && request.method != "POST" {
            let remark = Cow::Borrowed(request.method.as_str());
            let report = Report::nothing(&NonMessage::Empty, Some(remark));
            return self.show(way, 0, report);
        }
        match self.open(&request.headers) {
            Ok(Body::Json(content)) => self.json(way, content, [body].into_iter()),
            Ok(Body::EventStream(_) | Body::Other(_)) => {
                let media_type = request.headers.content_type();
                let report = Report::misplaced(
                    media_type.as_deref(),
                    "a message is posted as application/json",
                );
                self.show(way, body.len(), report)
            }
            Err(error) => self.show(way, body.len(), Report::unreadable(error)),
        }
    }

    pub(crate) fn response(&mut self, response: &Response) -> Result<(), Failure> {
        let way = Direction::ToClient;
        let len = response.chunks().map(<[u8]>::len).sum();
        let status = response.status;
        let body = match len {
            0 => None,
            _ => Some(self.open(&response.headers)),
        };
        match body {
            None => {
                let remark = Cow::Owned(status.to_string());
                let report = Report::nothing(&NonMessage::Empty, Some(remark));
                self.show(way, len, report)
            }
            Some(Ok(Body::Json(content))) => self.json(way, content, response.chunks()),
            Some(Ok(Body::EventStream(decoder))) => self.events(way, decoder, response),
            Some(Ok(Body::Other(_))) => {
                let media_type = response.headers.content_type();
                self.show(way, len, other(status, media_type.as_deref()))
            }
            Some(Err(error)) => self.show(way, len, Report::unreadable(error)),
        }
    }

    fn open(&self, headers: &Headers) -> Result<Body, ContentError> {
        let content_type = headers.content_type();
        let coding = headers.get("content-encoding");
        let limits = self.session.told().limits;
        Body::open(
            content_type.as_deref().map(str::as_bytes),
            coding.as_deref().map(str::as_bytes),
            limits,
        )
    }

    fn json<'b>(
        &mut self,
        way: Direction,
        mut content: Content,
        pieces: impl Iterator<Item = &'b [u8]>,
    ) -> Result<(), Failure> {
        for piece in pieces {
            // Told at the end, with the whole length.
            let _: Result<(), Oversize> = content.push_slice(piece);
        }
        match content.finish() {
            Err(oversize) => {
                let len = usize::try_from(oversize.len).unwrap_or(usize::MAX);
                self.show(way, len, Report::oversize(&oversize))
            }
            Ok(body) if way == Direction::ToClient && body.trim_ascii().is_empty() => {
                self.show(way, body.len(), Report::nothing(&NonMessage::Empty, None))
            }
            Ok(body) => {
                let report = Report::of(&body, &mut self.session, Some(way));
                let place = self.place(way, body.len() as u64);
                self.checker.show(place, report)
            }
        }
    }

    fn events(
        &mut self,
        way: Direction,
        mut decoder: SseDecoder,
        response: &Response,
    ) -> Result<(), Failure> {
        for chunk in response.chunks() {
            let mut events = decoder.feed(chunk);
            while let Some(event) = events.next() {
                let report = events::report(&event, &mut self.session, Some(way));
                let place = self.place(way, events::len(&event));
                self.checker.show(place, report)?;
            }
        }
        self.seen.comments += decoder.comments();
        if let Some(rest) = decoder.end() {
            self.seen.unfinished += 1;
            let record = self.number;
            let len = events::rest_len(&rest);
            self.seen.first.get_or_insert(First { record, len });
        }
        Ok(())
    }

    fn place(&self, way: Direction, len: u64) -> Place {
        Place {
            offset: self.offset,
            len,
            record: Some(RecordPlace {
                number: self.number,
                way: Some(way),
            }),
        }
    }

    fn show(&mut self, way: Direction, len: usize, report: Report<'_>) -> Result<(), Failure> {
        let place = self.place(way, len as u64);
        self.checker.show(place, report)
    }
}

/// A body that is neither JSON nor an event stream: what servers say beside an error or to a notification, which is in
/// order; but no client can read an answer out of it.
fn other(status: u16, media_type: Option<&str>) -> Report<'static> {
    let is_answer = matches!(status, 200..=299) && status != 202;
    match media_type {
        Some(_) if is_answer => Report::misplaced(
            media_type,
            "an answer is application/json or text/event-stream",
        ),
        _ => Report {
            remark: Some(Cow::Owned(
                format!("{status} {}", media_type.unwrap_or_default())
                    .trim_end()
                    .to_owned(),
            )),
            ..Report::word(OTHER_BODY)
        },
    }
}
