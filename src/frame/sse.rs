use super::block::{Blocks, Data, Dispatch, MAX_FIELD_BYTES, Step};
use super::event::{Event, Incomplete};
use super::field::{join, trim_line_end};
use super::oversize::Oversize;
use crate::bounds::passed;
use crate::limits::Limits;
use bytes::{Buf, Bytes, BytesMut};
use core::fmt;
use core::mem;
use core::ops::Range;

/// Reads the events of a `text/event-stream` (WHATWG HTML section 9.2). Sans-io: it reads nothing itself.
///
/// * LF, CR, and CR with LF end a line, also when they are cut between chunks. A CR ends it at once: an event is never held
///   back to see whether an LF follows. U+2028 and its like are ordinary bytes.
/// * One byte order mark is skipped at the start of the stream.
/// * Comments are counted as they come ([`comments`](Self::comments)): they are how servers keep a connection alive.
/// * A block with a `data` line is an event, also where the data is empty; one without is none, but its `id` and `retry`
///   count. An `id` stays in force until the next; one with a NUL is ignored, as is a `retry` that is not all digits. One
///   beyond 64 bits means 2^64 - 1.
/// * [`Limits::max_frame_bytes`] counts the bytes of the data, its lines joined, and is inclusive. The values of `event`,
///   `id` and `retry` may have [`MAX_FIELD_BYTES`](Self::MAX_FIELD_BYTES) each, and everything in a block but its
///   data as much as its data, or 64 KiB if that is more. An event over a limit becomes one [`Oversize`] once its end is
///   known, also where it has no data. Until then its bytes are dropped as they come; its `id`, if not too long itself,
///   counts, so that whoever resumes does not get it again; the next event is read as if nothing had happened.
/// * What stands unfinished at the end of the stream is no event. [`finish`](Self::finish) gives it, from its first field on;
///   a comment or an unknown name alone is nothing.
///
/// Any split of the stream into chunks gives the same events. Bytes are searched for line ends once, those of a first data
/// line that others follow twice, and are moved once more where an event has several data lines.
///
/// There are two ways in, for one stream one or the other: [`decode`](Self::decode) and [`finish`](Self::finish) with a
/// buffer of the caller's, or [`feed`](Self::feed) and [`end`](Self::end).
///
/// `None` means: no whole event yet, read more. It is never an error.
///
/// ```
/// use bytes::BytesMut;
/// use rpcslice::{Limits, frame::SseDecoder};
///
/// let mut events = SseDecoder::new(Limits::new());
/// let mut buf = BytesMut::new();
/// let mut found = Vec::new();
/// for chunk in [": hello\n\nid: 1\r", "\ndata: {\"a\":\ndata: 1}\n\nretry: 500\ndat"] {
///     buf.extend_from_slice(chunk.as_bytes()); // in real life: read into it
///     while let Some(event) = events.decode(&mut buf) {
///         assert_eq!(event.event, b"message");
///         assert_eq!(event.last_event_id, Some(&b"1"[..]));
///         found.push(event.data.unwrap());
///     }
/// }
/// assert_eq!(found, ["{\"a\":\n1}"]);
/// assert_eq!((events.comments(), events.retry()), (1, Some(500)));
/// let rest = events.finish(&mut buf).unwrap();
/// assert_eq!(rest.bytes.unwrap(), "retry: 500\ndat");
/// ```
#[derive(Clone)]
pub struct SseDecoder {
    blocks: Blocks,
    limits: Limits,
    /// For [`feed`](Self::feed): a block that straddles chunks, and what a cursor that was dropped early left.
    carry: BytesMut,
    /// How many bytes of `carry` were lent out last, and go next.
    lent: usize,
}

impl SseDecoder {
    /// The bytes that the value of an event's `event`, `id` or `retry` may have.
    pub const MAX_FIELD_BYTES: usize = MAX_FIELD_BYTES;

    /// A decoder at the start of a stream.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            blocks: Blocks::new(limits.max_frame_bytes()),
            limits,
            carry: BytesMut::new(),
            lent: 0,
        }
    }

    /// A decoder for a stream that resumes another: this id is in force until the stream sets one.
    #[must_use]
    pub fn with_last_event_id(mut self, id: &[u8]) -> Self {
        self.blocks.set_last_event_id(id);
        self
    }

    /// Cuts the next whole event off the front of `buf`, which holds what has been read and not been cut off yet.
    ///
    /// Append to `buf` and call again, until it gives `None`; don't take anything out of it. The data shares the memory of
    /// `buf` and keeps that whole buffer alive: so drop it soon, or copy what is kept long. One data line is not copied;
    /// several are moved together where they are.
    ///
    /// What was [fed](Self::feed) before and is part of an event still goes to the front of `buf`, by a copy.
    #[inline]
    #[must_use = "the event has been taken off the buffer"]
    pub fn decode(&mut self, buf: &mut BytesMut) -> Option<Event<'_, Bytes>> {
        if !self.carry.is_empty() {
            self.join(buf);
        }
        let (to, dispatch) = loop {
            if self.blocks.held() > buf.len() {
                // The caller has taken the block's beginning away: what is left is looked at as one of its own.
                self.blocks.restart();
            }
            if buf.is_empty() {
                return None;
            }
            let (to, dispatch) = match self.blocks.step(buf) {
                Step::More => return None,
                Step::Skip(to) => (to, None),
                Step::Block(to) => (to, self.blocks.dispatch(to)),
                Step::Event(to, dispatch) => (to, Some(dispatch)),
            };
            match dispatch {
                None => buf.advance(to),
                Some(dispatch) => break (to, dispatch),
            }
        };
        let data = match &dispatch.data {
            Ok(Data::One(place)) => {
                buf.advance(place.start);
                let data = buf.split_to(place.len());
                buf.advance(to - place.end);
                data
            }
            Ok(Data::Many) => {
                let mut block = buf.split_to(to);
                let len = join(&mut block);
                block.truncate(len);
                block
            }
            Err(_) => {
                buf.advance(to);
                BytesMut::new()
            }
        };
        Some(self.event(&dispatch).with(|()| data.freeze()))
    }

    /// Puts what is carried in front of what the caller has.
    #[cold]
    fn join(&mut self, buf: &mut BytesMut) {
        self.carry.advance(mem::take(&mut self.lent));
        let mut joined = self.carry.split();
        joined.extend_from_slice(buf);
        *buf = joined;
    }

    /// At the end of the stream, once [`decode`](Self::decode) gives `None`: what is left in `buf`, which is no event, if
    /// anything is. The decoder then stands at the start of another stream, with the last event ID, the reconnection time and
    /// the count of comments as they are.
    #[must_use = "these bytes have been taken off the buffer"]
    pub fn finish(&mut self, buf: &mut BytesMut) -> Option<Incomplete<Bytes>> {
        if !self.carry.is_empty() {
            self.join(buf);
        }
        let mut rest = buf.split();
        let (offset, bytes) = self.blocks.end(&rest)?;
        rest.truncate(trim_line_end(&rest).len());
        Some(Incomplete { offset, bytes }.with(|()| rest.freeze()))
    }

    /// Lends out the events of a chunk that the caller holds.
    ///
    /// The data of an event that lies whole in the chunk is borrowed from it, if it is one line. What straddles two chunks
    /// is copied, into a buffer that is used again, and so is data of several lines. Dropping the cursor early keeps the
    /// rest for the next call; who always does holds more and more, and a loop over `feed(chunk).next()` feeds the same
    /// chunk for ever.
    ///
    /// ```
    /// use rpcslice::{Limits, frame::SseDecoder};
    ///
    /// let mut decoder = SseDecoder::new(Limits::new());
    /// let mut found = Vec::new();
    /// for chunk in ["data: 1\n\nda", "ta: 2\n\n"] {
    ///     let mut events = decoder.feed(chunk.as_bytes());
    ///     while let Some(event) = events.next() {
    ///         found.push(event.data.unwrap().to_vec());
    ///     }
    /// }
    /// assert_eq!(found, [b"1", b"2"]);
    /// assert!(decoder.end().is_none());
    /// ```
    #[inline]
    pub fn feed<'d, 'c>(&'d mut self, chunk: &'c [u8]) -> SseFeed<'d, 'c> {
        SseFeed {
            decoder: self,
            chunk,
            at: 0,
        }
    }

    /// At the end of a stream that was [fed](Self::feed), as [`finish`](Self::finish): also where it was cut off by an error,
    /// else the next stream would go on in the event that was cut. Events that are still whole, since a
    /// cursor was dropped early, an empty chunk gives out.
    #[must_use = "these bytes have been taken off the decoder"]
    pub fn end(&mut self) -> Option<Incomplete<&[u8]>> {
        self.carry.advance(mem::take(&mut self.lent));
        self.lent = self.carry.len();
        let (offset, bytes) = self.blocks.end(&self.carry)?;
        Some(Incomplete { offset, bytes }.with(|()| trim_line_end(&self.carry)))
    }

    /// The limits in force: those that messages out of these events should be parsed with.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// The last event ID in force: what `Last-Event-ID` says to a server when a stream is resumed.
    #[must_use]
    pub fn last_event_id(&self) -> Option<&[u8]> {
        self.blocks.last_event_id()
    }

    /// The reconnection time that the stream has set last, in milliseconds.
    #[must_use]
    pub const fn retry(&self) -> Option<u64> {
        self.blocks.retry()
    }

    /// Comments so far. A count that grows says that the server is there.
    #[must_use]
    pub const fn comments(&self) -> u64 {
        self.blocks.comments()
    }

    /// Whether it is within an event over a limit, the bytes of which are dropped.
    #[must_use]
    pub const fn is_discarding(&self) -> bool {
        self.blocks.is_discarding()
    }

    /// The next event out of what is carried over and then of `chunk` from `at` on, which goes behind what is done with.
    #[inline]
    fn find(&mut self, chunk: &[u8], at: &mut usize) -> Option<Found> {
        if !self.carry.is_empty()
            && let Some(found) = self.find_carried(chunk, at)
        {
            return Some(found);
        }
        while let Some(rest @ [_, ..]) = chunk.get(*at..) {
            let start = *at;
            let (to, dispatch) = match self.blocks.step(rest) {
                Step::More => {
                    self.carry.extend_from_slice(rest);
                    *at = chunk.len();
                    return None;
                }
                Step::Skip(to) => (to, None),
                Step::Block(to) => (to, self.blocks.dispatch(to)),
                Step::Event(to, dispatch) => (to, Some(dispatch)),
            };
            *at += to;
            let Some(dispatch) = dispatch else {
                continue;
            };
            let place = match &dispatch.data {
                Ok(Data::One(place)) => Place::Chunk(start + place.start..start + place.end),
                Ok(Data::Many) => {
                    self.carry.extend_from_slice(rest.get(..to).unwrap_or(&[]));
                    self.lent = to;
                    Place::Carry(0..join(&mut self.carry))
                }
                Err(_) => Place::Carry(0..0),
            };
            return Some((place, dispatch));
        }
        None
    }

    /// The next event out of what is carried over, and of the lines of `chunk` that its block goes on with.
    #[inline(never)]
    fn find_carried(&mut self, chunk: &[u8], at: &mut usize) -> Option<Found> {
        self.carry.advance(mem::take(&mut self.lent));
        // All of it has been gone over where a chunk just ended.
        let mut is_done = self.blocks.held() == self.carry.len();
        while !self.carry.is_empty() {
            let step = match mem::take(&mut is_done) {
                true => Step::More,
                false => self.blocks.step(&self.carry),
            };
            let (to, dispatch) = match step {
                Step::More => {
                    let rest @ [_, ..] = chunk.get(*at..).unwrap_or(&[]) else {
                        return None;
                    };
                    // Of a byte order mark no more than itself is carried: the first event is lent out of the chunk.
                    let rest = match self.blocks.is_at_start() {
                        true => rest.get(..1).unwrap_or(rest),
                        false => rest,
                    };
                    let line = memchr::memchr2(b'\r', b'\n', rest);
                    let searched = self.carry.len() + line.unwrap_or(rest.len());
                    let taken = line.map_or(rest.len(), |line| line + 1);
                    passed(taken);
                    self.keep(rest.get(..taken).unwrap_or(&[]));
                    *at += taken;
                    self.blocks.is_searched(searched);
                    continue;
                }
                Step::Skip(to) => (to, None),
                Step::Block(to) => (to, self.blocks.dispatch(to)),
                Step::Event(to, dispatch) => (to, Some(dispatch)),
            };
            let Some(dispatch) = dispatch else {
                self.carry.advance(to);
                continue;
            };
            self.lent = to;
            let place = match &dispatch.data {
                Ok(Data::One(place)) => place.clone(),
                Ok(Data::Many) => 0..join(self.carry.get_mut(..to).unwrap_or(&mut [])),
                Err(_) => 0..0,
            };
            return Some((Place::Carry(place), dispatch));
        }
        None
    }

    /// The event that was found, out of the same chunk.
    #[inline]
    fn lend<'a>(&'a self, found: Option<Found>, chunk: &'a [u8]) -> Option<Event<'a, &'a [u8]>> {
        let (place, dispatch) = found?;
        let data = match place {
            Place::Chunk(place) => chunk.get(place),
            Place::Carry(place) => self.carry.get(place),
        };
        Some(self.event(&dispatch).with(|()| data.unwrap_or(&[])))
    }

    #[inline]
    fn event(&self, dispatch: &Dispatch) -> Event<'_, ()> {
        Event {
            offset: dispatch.offset,
            event: self.blocks.event(),
            data: dispatch
                .data
                .as_ref()
                .map(drop)
                .map_err(|oversize: &Oversize| *oversize),
            last_event_id: self.blocks.last_event_id(),
            retry: dispatch.retry,
        }
    }

    /// Keeps a chunk's bytes for the next call.
    fn keep(&mut self, bytes: &[u8]) {
        self.carry.extend_from_slice(bytes);
    }
}

/// With the default [`Limits`].
impl Default for SseDecoder {
    fn default() -> Self {
        Self::new(Limits::new())
    }
}

/// Where the decoder stands; never payload.
impl fmt::Debug for SseDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SseDecoder")
            .field("limits", &self.limits)
            .field("held", &self.blocks.held())
            .field("is_discarding", &self.is_discarding())
            .field("comments", &self.comments())
            .field("carried", &self.carry.len())
            .finish()
    }
}

/// An event that was found, and where its data is.
type Found = (Place, Dispatch);

enum Place {
    Chunk(Range<usize>),
    Carry(Range<usize>),
}

/// The events of one chunk, lent out one after the other; see [`SseDecoder::feed`].
///
/// It is no `Iterator`: what an event lends lasts until the next call. Dropped early, it leaves what it has not given out
/// to the decoder, which copies it.
pub struct SseFeed<'d, 'c> {
    decoder: &'d mut SseDecoder,
    chunk: &'c [u8],
    /// Everything before it has been given out or is carried by the decoder.
    at: usize,
}

impl SseFeed<'_, '_> {
    /// The next event that ends in this chunk. `None`: feed the next chunk.
    #[inline]
    #[must_use = "the event has been taken off the chunk"]
    #[allow(clippy::should_implement_trait)] // it lends
    pub fn next(&mut self) -> Option<Event<'_, &[u8]>> {
        let found = self.decoder.find(self.chunk, &mut self.at);
        self.decoder.lend(found, self.chunk)
    }
}

impl Drop for SseFeed<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(rest @ [_, ..]) = self.chunk.get(self.at..) {
            self.decoder.keep(rest);
        }
    }
}

/// How much is left; never payload.
impl fmt::Debug for SseFeed<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SseFeed({} bytes left)", self.chunk.len() - self.at)
    }
}
