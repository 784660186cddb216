//! What a message is framed in when it is written, and the message out of it again: by our decoder, and by the oracle.

use crate::oracle::events::{self, MOST_FIELD};
use crate::rng::Rng;
use bytes::BytesMut;
use rpcslice::Limits;
use rpcslice::encode::{EventFields, Framing};
use rpcslice::frame::{Lines, SseDecoder};

#[derive(Clone, Debug)]
pub enum Framed {
    Body,
    Line,
    Event(Fields),
}

/// The fields of an event, such as can stand in one.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    event: Option<String>,
    id: Option<String>,
    retry: Option<u64>,
}

impl Fields {
    /// Of these texts, those that can stand there; panics if the library thinks otherwise of one.
    pub fn of(event: Option<&str>, id: Option<&str>, rng: &mut Rng) -> Self {
        let (event, id) = (
            event.map(|text| grown(text, rng)),
            id.map(|text| grown(text, rng)),
        );
        let is_field = |text: &String| text.len() <= MOST_FIELD && !text.contains(['\r', '\n']);
        let is_id = |text: &String| is_field(text) && !text.contains('\0');
        for text in event.iter().chain(&id) {
            let as_event = EventFields::new().event(text);
            assert_eq!(
                as_event.is_ok(),
                is_field(text),
                "as an event: {as_event:?}"
            );
            let as_id = EventFields::new().id(text);
            assert_eq!(as_id.is_ok(), is_id(text), "as an id: {as_id:?}");
        }
        Self {
            event: event.filter(is_field),
            id: id.filter(is_id),
            retry: rng.once_in(4).then(|| rng.word() >> rng.below(64)),
        }
    }

    fn fields(&self) -> EventFields<'_> {
        let mut fields = EventFields::new();
        if let Some(event) = &self.event {
            fields = fields.event(event).expect("a field");
        }
        if let Some(id) = &self.id {
            fields = fields.id(id).expect("an id");
        }
        self.retry
            .into_iter()
            .fold(fields, |fields, retry| fields.retry_ms(retry))
    }

    /// The data of the one event in a stream, which has these fields.
    fn data(&self, stream: &[u8]) -> Vec<u8> {
        let found = events::events(stream, usize::MAX >> 1, None);
        assert!(
            found.comments == 0 && found.rest.is_none(),
            "more than an event: {found:?}"
        );
        let [event] = found.events.as_slice() else {
            panic!("one event: {found:?}");
        };
        let named = self.event.as_deref().filter(|event| !event.is_empty());
        assert_eq!(event.event, named.unwrap_or("message").as_bytes());
        assert_eq!(
            event.last_event_id.as_deref(),
            self.id.as_deref().map(str::as_bytes)
        );
        assert_eq!(event.retry, self.retry);

        let mut decoder = SseDecoder::new(Limits::new());
        let mut buf = BytesMut::from(stream);
        let ours = decoder.decode(&mut buf).expect("an event");
        assert_eq!(ours.event, event.event);
        assert_eq!(ours.last_event_id, event.last_event_id.as_deref());
        assert_eq!(ours.retry, event.retry);
        let data = ours.data.expect("data below the limit").to_vec();
        assert_eq!(Ok(&data), event.data.as_ref());
        assert!(decoder.decode(&mut buf).is_none() && decoder.finish(&mut buf).is_none());
        data
    }

    /// An event with these fields and no data is one all the same.
    pub fn hold_empty(&self) {
        let mut out = Vec::new();
        self.fields().put_empty(&mut out);
        assert_eq!(self.data(&out), b"");
    }
}

impl Framed {
    pub fn chosen(fields: Fields, rng: &mut Rng) -> Self {
        match rng.below(4) {
            0 => Self::Body,
            1 => Self::Line,
            _ => Self::Event(fields),
        }
    }

    pub fn framing(&self) -> Framing<'_> {
        match self {
            Self::Body => Framing::Body,
            Self::Line => Framing::Line,
            Self::Event(fields) => Framing::Event(fields.fields()),
        }
    }

    pub fn is_one_line(&self) -> bool {
        !matches!(self, Self::Body)
    }

    /// The one message that was written.
    pub fn body(&self, out: &[u8]) -> String {
        let body = match self {
            Self::Body => out.to_vec(),
            Self::Line => {
                let lines: Vec<_> = Lines::new(out).collect();
                assert_eq!(lines.len(), 1);
                assert!(lines[0].terminated);
                let line = lines[0].body.expect("below the limit").to_vec();
                assert_eq!(out, [&line[..], b"\n"].concat());
                line
            }
            Self::Event(fields) => fields.data(out),
        };
        let breaks = body.iter().any(|b| matches!(b, b'\r' | b'\n'));
        assert!(!breaks || !self.is_one_line(), "a line break in a line");
        String::from_utf8(body).expect("text")
    }
}

/// Inputs are shorter than a field may be: so some texts grow to about that.
fn grown(text: &str, rng: &mut Rng) -> String {
    let len = MOST_FIELD + rng.below(4);
    match !text.is_empty() && rng.once_in(64) {
        false => text.to_owned(),
        true => {
            let mut long = text.repeat(len / text.len());
            let left = len - long.len();
            long.push_str(&"~".repeat(left.saturating_sub(1)));
            long
        }
    }
}
