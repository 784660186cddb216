//! What a `text/event-stream` holds, a line at a time over a stream that is there as a whole: WHATWG HTML section 9.2.6,
//! and the limits as the documentation of `SseDecoder` has them.

use rpcslice::frame::Part;
use std::ops::Range;

/// The bytes that a value of `event`, `id` or `retry` may have.
pub const MOST_FIELD: usize = 4096;
/// The bytes that a block may have beside its data, if the limit for data is lower.
pub const LEAST_ROOM: usize = 64 << 10;

const FIELDS: [&str; 4] = ["data", "event", "id", "retry"];

/// What was too long, how long it was, and how long it might have been.
pub type Over = (Part, u64, usize);

#[derive(Clone, PartialEq, Eq)]
pub struct Event {
    pub offset: u64,
    pub event: Vec<u8>,
    pub data: Result<Vec<u8>, Over>,
    pub last_event_id: Option<Vec<u8>>,
    pub retry: Option<u64>,
}

/// What is left at the end, and where it begins.
#[derive(Clone, PartialEq, Eq)]
pub struct Rest {
    pub offset: u64,
    pub bytes: Result<Vec<u8>, Over>,
}

/// All there is to know of a stream.
#[derive(Debug, Default)]
pub struct Stream {
    pub events: Vec<Event>,
    /// Of each event, where its data stands in the stream, if that is one line.
    pub places: Vec<Option<usize>>,
    pub comments: u64,
    pub last_event_id: Option<Vec<u8>>,
    pub retry: Option<u64>,
    pub rest: Option<Rest>,
}

/// A line: where its text is, without the line end.
struct Line {
    text: Range<usize>,
    is_ended: bool,
}

/// The events of a stream that resumes one in which this id was in force.
pub fn events(stream: &[u8], limit: usize, last_event_id: Option<Vec<u8>>) -> Stream {
    let mut found = Stream {
        last_event_id,
        ..Stream::default()
    };
    let mut block: Vec<Line> = Vec::new();
    for line in lines(stream) {
        let text = &stream[line.text.clone()];
        if line.is_ended && text.is_empty() {
            if !block.is_empty() {
                let whole = Block::of(stream, &block, line.text.start, limit);
                found.dispatch(whole);
            }
            block.clear();
            continue;
        }
        let (name, value) = split(text);
        if line.is_ended {
            found.comments += u64::from(text[0] == b':');
            if name == b"retry" {
                // Unlike an id, it is in force at once.
                found.retry = number(value).or(found.retry);
            }
        }
        let begins = match line.is_ended {
            true => FIELDS.iter().any(|field| field.as_bytes() == name),
            false => may_be_field(text),
        };
        // What is no field and stands before the first one belongs to no block.
        if begins || !block.is_empty() {
            block.push(line);
        }
    }
    if let (Some(first), Some(last)) = (block.first(), block.last()) {
        let Block { offset, data, .. } = Block::of(stream, &block, stream.len(), limit);
        let bytes = match data {
            Some(Err(over)) => Err(over),
            _ => Ok(stream[first.text.start..last.text.end].to_vec()),
        };
        found.rest = Some(Rest { offset, bytes });
    }
    found
}

impl Stream {
    fn dispatch(&mut self, block: Block) {
        if block.id.is_some() {
            self.last_event_id = block.id;
        }
        if let Some(data) = block.data {
            self.events.push(Event {
                offset: block.offset,
                event: block.event,
                data,
                last_event_id: self.last_event_id.clone(),
                retry: block.retry,
            });
            self.places.push(block.place);
        }
    }
}

/// What the lines of a block say.
struct Block {
    offset: u64,
    event: Vec<u8>,
    /// `None`: it has no line of data, and nothing in it is too long.
    data: Option<Result<Vec<u8>, Over>>,
    place: Option<usize>,
    id: Option<Vec<u8>>,
    retry: Option<u64>,
}

impl Block {
    /// `end` is where the blank line begins, or the end of the stream.
    fn of(stream: &[u8], lines: &[Line], end: usize, limit: usize) -> Self {
        let start = lines[0].text.start;
        let (mut event, mut id, mut retry) = (Vec::new(), None, None);
        let mut data: Vec<Range<usize>> = Vec::new();
        let (mut len, mut longest, mut most_beside) = (0, 0, 0);
        for line in lines {
            let text = &stream[line.text.clone()];
            let (name, value) = split(text);
            // As long as a line goes on and its value has not begun, it adds nothing to the data.
            let is_open = !line.is_ended && matches!(text, b"data" | b"data:");
            // But the line end before it stands between two lines of data, whatever comes.
            let joint = usize::from(name == b"data" && !data.is_empty());
            len += joint;
            match name {
                b"data" if is_open => {}
                b"data" => {
                    data.push(line.text.end - value.len()..line.text.end);
                    len += value.len();
                }
                b"event" | b"id" | b"retry" => {
                    longest = longest.max(value.len());
                    match name {
                        _ if value.len() > MOST_FIELD => {}
                        b"event" => event = value.to_vec(),
                        b"id" if !value.contains(&0) => id = Some(value.to_vec()),
                        b"retry" => retry = number(value).or(retry),
                        _ => {}
                    }
                }
                _ => {}
            }
            most_beside = most_beside.max(line.text.end - start - len);
            // An open line is the last.
            len -= if is_open { joint } else { 0 };
        }
        let room = limit.max(LEAST_ROOM);
        let over = if len > limit {
            Some((Part::EventData, len as u64, limit))
        } else if longest > MOST_FIELD {
            Some((Part::EventField, longest as u64, MOST_FIELD))
        } else if most_beside > room {
            // The blank line is not part of it: whether an LF follows its CR is not known in time.
            Some((Part::EventRest, (end - start - len) as u64, room))
        } else {
            None
        };
        if event.is_empty() {
            event = b"message".to_vec();
        }
        let values: Vec<_> = data.iter().map(|value| &stream[value.clone()]).collect();
        Self {
            offset: start as u64,
            event,
            place: match (&over, data.as_slice()) {
                (None, [value]) => Some(value.start),
                _ => None,
            },
            data: match over {
                Some(over) => Some(Err(over)),
                None => (!data.is_empty()).then(|| Ok(values.join(&b'\n'))),
            },
            id,
            retry,
        }
    }
}

/// The lines of a stream behind its byte order mark. Nothing behind the last line end is no line.
fn lines(stream: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = match stream.starts_with(b"\xEF\xBB\xBF") {
        true => 3,
        false => 0,
    };
    while start < stream.len() {
        let rest = &stream[start..];
        let len = rest.iter().position(|&b| b == b'\r' || b == b'\n');
        let end = start + len.unwrap_or(rest.len());
        lines.push(Line {
            text: start..end,
            is_ended: len.is_some(),
        });
        start = match &stream[end..] {
            [b'\r', b'\n', ..] => end + 2,
            _ => end + 1,
        };
    }
    lines
}

/// The name of a line and its value: "collect the characters before the first colon", and one space less.
fn split(text: &[u8]) -> (&[u8], &[u8]) {
    let Some(colon) = text.iter().position(|&b| b == b':') else {
        return (text, b"");
    };
    let value = &text[colon + 1..];
    (&text[..colon], value.strip_prefix(b" ").unwrap_or(value))
}

/// Whether a line that goes on is a field, or the beginning of one's name.
fn may_be_field(text: &[u8]) -> bool {
    match text.contains(&b':') {
        true => FIELDS.iter().any(|field| field.as_bytes() == split(text).0),
        false => FIELDS
            .iter()
            .any(|field| field.as_bytes().starts_with(text)),
    }
}

/// "If the field value consists of only ASCII digits": none is not only digits. What is beyond 64 bits is as much as fits.
fn number(value: &[u8]) -> Option<u64> {
    if value.is_empty() || value.len() > MOST_FIELD || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digits = std::str::from_utf8(value).ok()?;
    Some(digits.parse().unwrap_or(u64::MAX))
}

/// Bytes in a panic's message: the beginning of what is long.
fn shown(bytes: &[u8]) -> String {
    match bytes.get(..200) {
        Some(beginning) => format!("\"{}\".. {}", beginning.escape_ascii(), bytes.len()),
        None => format!("\"{}\"", bytes.escape_ascii()),
    }
}

impl std::fmt::Debug for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let data = self.data.as_ref().map(|data| shown(data));
        let id = self.last_event_id.as_deref().map(shown);
        let Self { offset, retry, .. } = self;
        let event = shown(&self.event);
        write!(
            f,
            "[{offset}, {event} {data:?}, id {id:?}, retry {retry:?}]"
        )
    }
}

impl std::fmt::Debug for Rest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = self.bytes.as_ref().map(|bytes| shown(bytes));
        write!(f, "[{}, {bytes:?}]", self.offset)
    }
}
