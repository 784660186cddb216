//! Every way of reading an event stream gives the same events, whatever the chunks.

use crate::mutator::{self, events as edits};
use crate::options;
use crate::oracle::events::{self, Event, LEAST_ROOM, MOST_FIELD, Over, Rest};
use crate::rng::Rng;
use bytes::{Bytes, BytesMut};
use rpcslice::Limits;
use rpcslice::frame::{self, Incomplete, Oversize, Part, SseDecoder};

const GROWN_ONCE_IN: usize = 24;

/// The target.
pub fn run(data: &[u8]) {
    let (stream, tail) = options::split(data);
    // Chunks and limit depend on nothing but the bytes, so that a saved input does the same again.
    let mut rng = Rng::of(data);
    let [choice, growth, length] = tail.unwrap_or([rng.word() as u8, 0, 0]);
    let limits = match usize::from(choice) {
        0..=63 => Limits::new(),
        choice => Limits::new().with_max_frame_bytes(choice - 64),
    };
    let grown = grown(stream, limits.max_frame_bytes(), growth, length);
    let stream = grown.as_deref().unwrap_or(stream);
    let resumed = [None, None, Some(&b""[..]), Some(&b"id"[..])];
    let setting = Setting {
        limits,
        resumed: *rng.pick(&resumed).expect("four"),
        style: *rng.pick(&STYLES).expect("four"),
    };
    // The stream may end, and another one begin.
    let (first, second) = stream.split_at(rng.below(stream.len() + 1));
    let (whole, parts) = (&[stream][..], &[first, second][..]);
    let expected = setting.expected(whole);
    for parts in [whole, parts] {
        let found = match rng.below(3) {
            0 => setting.read(parts, Way::Decode, &mut rng),
            1 => setting.read(parts, Way::Feed, &mut rng),
            _ => setting.read(parts, Way::Both, &mut rng),
        };
        setting.assert_same(&found, parts);
    }
    let has_good = expected.events.iter().any(|event| event.data.is_ok());
    crate::count::execution(has_good, signature(&expected));
}

pub fn mutate(data: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mutated = mutator::with_tail(data, rng, edits::edit);
    let (stream, tail) = options::split(&mutated);
    let (mut stream, [mut a, _, _]) = (stream.to_vec(), tail.unwrap_or_default());
    let [limit, growth, length, ..] = rng.word().to_le_bytes();
    if rng.once_in(8) {
        a = limit;
    }
    // What has grown is slow: it does not go on to what comes of it.
    let grown = match rng.once_in(GROWN_ONCE_IN) {
        true => [(growth & !15) | (growth % 7), length],
        false => [0, 0],
    };
    if [a, grown[0]] != [0, 0] {
        options::join(&mut stream, [a, grown[0], grown[1]]);
    }
    stream
}

/// For libFuzzer: `size` bytes of `data` to new ones of at most `max`.
pub fn mutate_in_place(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    mutator::in_place(data, size, max, seed, mutate)
}

/// Inputs are shorter than some limits. So a line may grow close to those: its value to that of a field, or a comment or
/// copies of the line in front of it to that of a block.
fn grown(stream: &[u8], limit: usize, growth: u8, length: u8) -> Option<Vec<u8>> {
    let lines: Vec<&[u8]> = stream.split_inclusive(|&b| b == b'\n').collect();
    let index = usize::from(growth >> 4) % lines.len().max(1);
    let line = *lines.get(index)?;
    let with =
        |line: &[u8]| [&lines[..index].concat(), line, &lines[index + 1..].concat()].concat();
    match growth & 15 {
        1 | 2 => {
            let (text, end) = line.split_at(line.trim_ascii_end().len());
            let fill = text.last().copied().unwrap_or(b':');
            let len = MOST_FIELD + usize::from(length % 16);
            let filled = vec![fill; len.saturating_sub(text.len())];
            Some(with(&[text, &filled, end].concat()))
        }
        3..=5 if limit < LEAST_ROOM => {
            let comment = |len| with(&[b":", &vec![b' '; len][..], b"\n", line].concat());
            // Certainly too long; and then as much less as the oracle says, and a few bytes more or less.
            let found = events::events(&comment(LEAST_ROOM), limit, None);
            let data = found.events.into_iter().map(|event| event.data);
            let beside = data
                .chain(found.rest.map(|rest| rest.bytes))
                .find_map(|d| match d {
                    Err((Part::EventRest, len, _)) => Some(len as usize - LEAST_ROOM),
                    _ => None,
                })?;
            let len = LEAST_ROOM + usize::from(length % 16);
            Some(comment(len.saturating_sub(beside + 8)))
        }
        6 => {
            let times = (LEAST_ROOM + usize::from(length)) / line.len();
            Some(with(&line.repeat(times)))
        }
        _ => None,
    }
}

/// What the input was like.
fn signature(stream: &events::Stream) -> u64 {
    let over = |part| {
        let is = |event: &&Event| matches!(event.data, Err((of, ..)) if of == part);
        stream.events.iter().filter(is).count() as u64
    };
    let rest = match &stream.rest {
        None => 0,
        Some(Rest { bytes: Ok(_), .. }) => 1,
        Some(_) => 2,
    };
    let joined = stream.places.iter().filter(|place| place.is_none()).count() as u64;
    [
        (stream.events.len() as u64, 9),
        (joined, 3),
        (over(Part::EventData), 3),
        (over(Part::EventField), 3),
        (over(Part::EventRest), 3),
        (stream.comments, 3),
        (rest, 2),
        (stream.retry.map_or(0, |retry| retry / 1000 + 1), 3),
        (stream.last_event_id.as_ref().map_or(0, Vec::len) as u64, 3),
    ]
    .into_iter()
    .fold(0, |all, (n, most)| all << 4 | n.min(most))
}

/// How large chunks are.
#[derive(Clone, Copy)]
enum Style {
    Bytes,
    Small,
    Large,
    Whole,
}

const STYLES: [Style; 4] = [Style::Bytes, Style::Small, Style::Large, Style::Whole];

impl Style {
    fn size(self, part: &[u8], rng: &mut Rng) -> usize {
        // What a stream has grown by goes fast, and what follows it as slowly as ever.
        let filled = part.iter().take_while(|&b| *b == part[0]).count();
        match self {
            Self::Whole => usize::MAX,
            _ if filled > 256 => rng.below(filled),
            Self::Bytes => 1,
            Self::Small => rng.below(9),
            Self::Large => rng.below(200),
        }
    }

    /// Takes the next chunk off a part; it may be empty, but not for ever.
    fn next<'a>(self, part: &mut &'a [u8], rng: &mut Rng) -> Option<&'a [u8]> {
        if part.is_empty() {
            return None;
        }
        let (chunk, rest) = part.split_at(self.size(part, rng).min(part.len()));
        *part = rest;
        Some(chunk)
    }
}

/// How a stream is read.
#[derive(Clone, Copy)]
enum Way {
    Decode,
    Feed,
    /// Fed at first, then decoded: what was fed goes to the front of the buffer.
    Both,
}

/// What a decoder gave, and what it says at the end of each part.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    events: Vec<Event>,
    ends: Vec<End>,
}

#[derive(Debug, PartialEq, Eq)]
struct End {
    comments: u64,
    last_event_id: Option<Vec<u8>>,
    retry: Option<u64>,
    rest: Option<Rest>,
}

impl End {
    fn of(decoder: &SseDecoder, rest: Option<Rest>) -> Self {
        Self {
            comments: decoder.comments(),
            last_event_id: decoder.last_event_id().map(<[u8]>::to_vec),
            retry: decoder.retry(),
            rest,
        }
    }
}

#[derive(Clone, Copy)]
struct Setting<'a> {
    limits: Limits,
    resumed: Option<&'a [u8]>,
    style: Style,
}

impl Setting<'_> {
    fn expected(&self, parts: &[&[u8]]) -> events::Stream {
        let id = self.resumed.map(<[u8]>::to_vec);
        events::events(parts[0], self.limits.max_frame_bytes(), id)
    }

    /// Each part is a stream of its own, with the ID that was in force.
    fn assert_same(&self, found: &Found, parts: &[&[u8]]) {
        let mut expected = Found::default();
        let mut id = self.resumed.map(<[u8]>::to_vec);
        let (mut comments, mut retry) = (0, None);
        for part in parts {
            let stream = events::events(part, self.limits.max_frame_bytes(), id);
            id = stream.last_event_id;
            comments += stream.comments;
            retry = stream.retry.or(retry);
            expected.events.extend(stream.events);
            expected.ends.push(End {
                comments,
                last_event_id: id.clone(),
                retry,
                rest: stream.rest,
            });
        }
        for (found, expected) in found.events.iter().zip(&expected.events) {
            assert_eq!(found, expected, "an event");
        }
        assert_eq!(found.events.len(), expected.events.len(), "events");
        assert_eq!(found.ends, expected.ends, "what is left");
    }

    fn read(&self, parts: &[&[u8]], way: Way, rng: &mut Rng) -> Found {
        let mut decoder = SseDecoder::new(self.limits);
        if let Some(id) = self.resumed {
            decoder = decoder.with_last_event_id(id);
        }
        let mut found = Found::default();
        let is_patient = rng.once_in(2);
        for part in parts {
            let (fed, decoded) = match way {
                Way::Decode => part.split_at(0),
                Way::Feed => part.split_at(part.len()),
                Way::Both => part.split_at(rng.below(part.len() + 1)),
            };
            let before = found.events.len();
            self.feed(&mut decoder, fed, is_patient, rng, &mut found.events);
            let rest = match way {
                Way::Feed => {
                    if !is_patient {
                        let mut cursor = decoder.feed(&[]);
                        while let Some(event) = cursor.next() {
                            found.events.push(seen(event));
                        }
                    }
                    decoder.end().map(rest)
                }
                Way::Decode | Way::Both => {
                    self.decode(&mut decoder, decoded, rng, &mut found.events)
                }
            };
            assert!(found.events[before..].is_sorted_by_key(|event| event.offset));
            found.ends.push(End::of(&decoder, rest));
        }
        found
    }

    fn feed(
        &self,
        decoder: &mut SseDecoder,
        part: &[u8],
        is_patient: bool,
        rng: &mut Rng,
        found: &mut Vec<Event>,
    ) {
        // The place of each event's data, where it must not be copied.
        let places = match is_patient {
            true => events::events(part, self.limits.max_frame_bytes(), None).places,
            false => Vec::new(),
        };
        let mut places = places.into_iter();
        let (mut rest, mut start) = (part, 0);
        while let Some(chunk) = self.style.next(&mut rest, rng) {
            let mut cursor = decoder.feed(chunk);
            while let Some(event) = cursor.next() {
                if let Some(Some(place)) = places.next() {
                    assert_borrowed(&event, place, chunk, start);
                }
                found.push(seen(event));
                if !is_patient && rng.once_in(4) {
                    break;
                }
            }
            start += chunk.len();
        }
    }

    fn decode(
        &self,
        decoder: &mut SseDecoder,
        mut part: &[u8],
        rng: &mut Rng,
        found: &mut Vec<Event>,
    ) -> Option<Rest> {
        let mut buf = BytesMut::new();
        // Data is kept while the buffer goes on, as a client does that hands it to tasks.
        let mut kept: Vec<(Event, Result<Bytes, Over>)> = Vec::new();
        while let Some(chunk) = self.style.next(&mut part, rng) {
            buf.extend_from_slice(chunk);
            // Whoever stops early finds the rest at the next call.
            while let Some(event) = decoder.decode(&mut buf) {
                kept.push(keep(event));
                if rng.once_in(4) {
                    break;
                }
            }
            if rng.once_in(2) {
                while let Some(event) = decoder.decode(&mut buf) {
                    kept.push(keep(event));
                }
                self.assert_bounded(decoder, buf.len());
            }
        }
        while let Some(event) = decoder.decode(&mut buf) {
            kept.push(keep(event));
        }
        self.assert_bounded(decoder, buf.len());
        let rest = decoder.finish(&mut buf).map(rest);
        assert!(buf.is_empty());
        found.extend(kept.into_iter().map(|(event, data)| Event {
            data: data.map(|data| data.to_vec()),
            ..event
        }));
        rest
    }

    /// Nothing is held beyond the limits, once there are no more events to be had: the line end of the last line and the
    /// colon of `data:` are in neither of them.
    fn assert_bounded(&self, decoder: &SseDecoder, held: usize) {
        let limit = self.limits.max_frame_bytes();
        let most = match decoder.is_discarding() {
            // One line, the value of which may still be short enough.
            true => "event: ".len() + MOST_FIELD,
            false => limit + limit.max(LEAST_ROOM) + 3,
        };
        assert!(held <= most, "{held} held, {most} allowed");
    }
}

/// Data that lies whole in the chunk, and its block too, is borrowed from it. `start` is where in the stream the chunk
/// begins, `place` where the data does.
fn assert_borrowed(event: &frame::Event<&[u8]>, place: usize, chunk: &[u8], start: usize) {
    if let (Ok(data), true) = (event.data, event.offset >= start as u64) {
        let there = chunk[place - start..].as_ptr();
        assert_eq!(data.as_ptr(), there, "a copy of what is in the chunk");
    }
}

fn over(over: Oversize) -> Over {
    (over.part, over.len, over.limit)
}

/// The event without its data, and the data.
fn keep<B>(event: frame::Event<B>) -> (Event, Result<B, Over>) {
    let without = Event {
        offset: event.offset,
        event: event.event.to_vec(),
        data: Ok(Vec::new()),
        last_event_id: event.last_event_id.map(<[u8]>::to_vec),
        retry: event.retry,
    };
    (without, event.data.map_err(over))
}

fn seen(event: frame::Event<&[u8]>) -> Event {
    let (event, data) = keep(event);
    Event {
        data: data.map(<[u8]>::to_vec),
        ..event
    }
}

fn rest<B: AsRef<[u8]>>(incomplete: Incomplete<B>) -> Rest {
    Rest {
        offset: incomplete.offset,
        bytes: match incomplete.bytes {
            Ok(bytes) => Ok(bytes.as_ref().to_vec()),
            Err(oversize) => Err(over(oversize)),
        },
    }
}
