//! Where the blocks of an event stream end, and what is in them: a state machine over bytes that somebody else holds.
//!
//! A block is what stands between two blank lines. Lines that are no field and stand before its first field are not part
//! of it. Each byte is searched for a line end once, or twice where a block that looked like the usual one turns out to be
//! another; whether a block is over the limit depends on the bytes alone and not
//! on how they are cut.

use super::field::{
    DATA, Field, ID, USUAL, field, line_end, may_become_field, short_id, usual_line,
};
use super::oversize::{Oversize, Part};
use crate::bounds::passed;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// The bytes that the value of `event`, `id` or `retry` may have.
pub(super) const MAX_FIELD_BYTES: usize = 4096;
/// The bytes that all but the data of a block may have, if the limit for data is lower.
const LEAST_ROOM: usize = 64 << 10;

/// What to do with the bytes.
pub(super) enum Step {
    /// All of them belong to a block whose end is still to come: hold them.
    More,
    /// So many are done with.
    Skip(usize),
    /// So many are a block: take them, and [`dispatch`](Blocks::dispatch).
    Block(usize),
    /// So many are a block, and this is its event.
    Event(usize, Dispatch),
}

/// A block that has an event.
pub(super) struct Dispatch {
    pub(super) offset: u64,
    pub(super) retry: Option<u64>,
    pub(super) data: Result<Data, Oversize>,
}

/// Where the data is in the block.
pub(super) enum Data {
    /// One line's value.
    One(Range<usize>),
    /// Several lines, to be [joined](super::field::join).
    Many,
}

#[derive(Clone)]
pub(super) struct Blocks {
    limit: usize,
    /// For what is not data in a block: names, line ends, comments, other values.
    room: usize,
    /// A byte order mark would be skipped here.
    is_start: bool,
    /// The last byte was a CR that ended a line.
    after_cr: bool,
    /// Where in the stream the held bytes begin.
    position: u64,

    /// Where in the held bytes the line begins; what stands before are lines of the block.
    line: usize,
    /// So many bytes of the line hold no line end.
    scanned: usize,
    /// The rest of the line is dropped as it comes, and what it is.
    dropping: Option<Field>,
    /// Of the value of a line that is dropped.
    dropped: u64,

    /// The block has a field.
    is_begun: bool,
    offset: u64,
    is_oversize: bool,
    data_lines: u64,
    /// Of the data, joined.
    data_len: u64,
    first_data: Range<usize>,
    /// Of the values of `event`, `id` and `retry`.
    longest_field: u64,
    block_retry: Option<u64>,
    /// Empty where it is `message`.
    event: Vec<u8>,
    /// The block sets an id, this one. If it doesn't, it is kept for its memory.
    has_id: bool,
    id: Vec<u8>,

    has_last_event_id: bool,
    last_event_id: Vec<u8>,
    retry: Option<u64>,
    comments: u64,
}

impl Blocks {
    pub(super) const fn new(limit: usize) -> Self {
        Self {
            limit,
            room: if limit < LEAST_ROOM {
                LEAST_ROOM
            } else {
                limit
            },
            is_start: true,
            after_cr: false,
            position: 0,
            line: 0,
            scanned: 0,
            dropping: None,
            dropped: 0,
            is_begun: false,
            offset: 0,
            is_oversize: false,
            data_lines: 0,
            data_len: 0,
            first_data: 0..0,
            longest_field: 0,
            block_retry: None,
            event: Vec::new(),
            has_id: false,
            id: Vec::new(),
            has_last_event_id: false,
            last_event_id: Vec::new(),
            retry: None,
            comments: 0,
        }
    }

    /// How many bytes have to be held.
    #[inline]
    pub(super) const fn held(&self) -> usize {
        self.line + self.scanned
    }

    /// The type of the event that was dispatched last.
    #[inline]
    pub(super) fn event(&self) -> &[u8] {
        match self.event.as_slice() {
            [] => b"message",
            event => event,
        }
    }

    #[inline]
    pub(super) fn last_event_id(&self) -> Option<&[u8]> {
        self.has_last_event_id.then_some(&self.last_event_id)
    }

    pub(super) fn set_last_event_id(&mut self, id: &[u8]) {
        self.has_last_event_id = true;
        self.last_event_id = id.to_vec();
    }

    pub(super) const fn retry(&self) -> Option<u64> {
        self.retry
    }

    pub(super) const fn comments(&self) -> u64 {
        self.comments
    }

    /// What is held may become a byte order mark, or another would be skipped yet.
    pub(super) const fn is_at_start(&self) -> bool {
        self.is_start
    }

    /// Within a block over the limit.
    pub(super) const fn is_discarding(&self) -> bool {
        self.is_oversize
    }

    /// Takes what comes next for the start of a block: the held bytes are gone.
    pub(super) fn restart(&mut self) {
        self.position += self.held() as u64;
        self.end_block();
    }

    /// Tells that the held bytes have no line end in the line that goes on, up to here.
    #[inline]
    pub(super) fn is_searched(&mut self, to: usize) {
        if to > self.held() && self.dropping.is_none() {
            self.scanned = to - self.line;
            self.after_cr = false;
        }
    }

    /// Goes over the held bytes from where it stopped, up to the first thing to do.
    #[inline(always)]
    pub(super) fn step(&mut self, held: &[u8]) -> Step {
        if self.is_start
            && let Some(step) = self.mark(held)
        {
            return step;
        }
        if let Some(field) = self.dropping {
            return self.drop_more(held, field);
        }
        if !self.is_begun
            && self.scanned == 0
            && !self.after_cr
            && let Some(step) = self.usual_block(held)
        {
            return step;
        }
        loop {
            let rest = held.get(self.line..).unwrap_or(&[]);
            if self.scanned == 0 {
                match rest {
                    [] => return Step::More,
                    [b'\n', ..] if self.after_cr => {
                        self.after_cr = false;
                        self.line += 1;
                        match self.is_begun && !self.is_oversize {
                            true => continue,
                            false => return self.skip(self.line),
                        }
                    }
                    // The two line ends of servers, where they stand alone: no search.
                    [b'\n', ..] => {
                        passed(1);
                        return self.blank(self.line + 1);
                    }
                    [b'\r', b'\n', ..] => {
                        passed(2);
                        self.after_cr = false;
                        return self.blank(self.line + 2);
                    }
                    _ => self.after_cr = false,
                }
                if let Some(next) = usual_line(rest) {
                    passed(next);
                    self.begin();
                    self.event.clear();
                    self.is_oversize |= self.is_without_room(USUAL.len(), self.data_len);
                    self.line += next;
                    match self.is_oversize {
                        true => return self.skip(self.line),
                        false => continue,
                    }
                }
            }
            let Some(end) = line_end(rest.get(self.scanned..).unwrap_or(&[])) else {
                passed(rest.len() - self.scanned);
                self.scanned = rest.len();
                return self.unfinished(rest);
            };
            passed(end.next);
            self.after_cr = end.is_open;
            let next = self.held() + end.next;
            let line = rest.get(..self.scanned + end.at).unwrap_or(&[]);
            self.scanned = 0;
            if line.is_empty() {
                return self.blank(next);
            }
            self.finish_line(line);
            self.line = next;
            if !self.is_begun || self.is_oversize {
                return self.skip(next);
            }
        }
    }

    /// The block that nearly all are, if all of it is there: an `id: ` that is short and `event: message` or neither, one
    /// `data: ` line, an empty line. It needs none of the state of the others.
    #[inline(always)]
    fn usual_block(&mut self, held: &[u8]) -> Option<Step> {
        let (mut at, mut id, mut has_event) = (0, None, false);
        // Each once: more of them could be more than a block may hold.
        let rest = loop {
            let rest = held.get(at..)?;
            if let (false, Some(next)) = (has_event, usual_line(rest)) {
                has_event = true;
                at += next;
            } else if let (None, Some(end)) = (&id, short_id(rest)) {
                id = Some(at + ID.len()..at + end.at);
                at += end.next;
            } else {
                break rest.strip_prefix(DATA)?;
            }
        };
        let len = memchr::memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
        passed(at + DATA.len() + len);
        let end = match rest.get(len..) {
            Some([b'\n', b'\n', ..]) => 2,
            Some([b'\r', b'\n', b'\r', b'\n', ..]) => 4,
            _ => return None,
        };
        if len > self.limit {
            return None;
        }
        passed(end);
        if let Some(id) = id {
            self.has_last_event_id = true;
            self.last_event_id.clear();
            self.last_event_id
                .extend_from_slice(held.get(id).unwrap_or(&[]));
        }
        self.event.clear();
        let (start, offset) = (at + DATA.len(), self.position);
        let next = start + len + end;
        self.position += next as u64;
        Some(Step::Event(
            next,
            Dispatch {
                offset,
                retry: None,
                data: Ok(Data::One(start..start + len)),
            },
        ))
    }

    /// What follows a [`Step::Block`] of so many bytes: the event, if the block has one.
    #[inline]
    pub(super) fn dispatch(&mut self, block: usize) -> Option<Dispatch> {
        if mem::take(&mut self.has_id) {
            // An id is in force once its block has ended, with or without data.
            self.has_last_event_id = true;
            mem::swap(&mut self.last_event_id, &mut self.id);
        }
        let data = match self.data_lines {
            _ if self.is_oversize => Err(self.oversize()),
            0 => Ok(None),
            1 => Ok(Some(Data::One(self.first_data.clone()))),
            _ => Ok(Some(Data::Many)),
        };
        // Not before: the blank line counts for no length, since an LF may follow its CR or be cut off.
        self.position += block as u64;
        let (offset, retry) = (self.offset, self.block_retry);
        self.end_block();
        Some(Dispatch {
            offset,
            retry,
            data: data.transpose()?,
        })
    }

    /// The stream ends, and another may begin: what stands unfinished in the held bytes, and where it began.
    pub(super) fn end(&mut self, held: &[u8]) -> Option<(u64, Result<(), Oversize>)> {
        let is_mark = self.is_start && MARK.starts_with(held);
        let offset = match self.is_begun {
            true => self.offset,
            false => self.position,
        };
        self.position += held.len() as u64;
        let unfinished = match self.is_oversize {
            true => Some(Err(self.oversize())),
            false => (!held.is_empty() && !is_mark).then_some(Ok(())),
        };
        self.end_block();
        self.event.clear();
        (self.has_id, self.position) = (false, 0);
        (self.is_start, self.after_cr) = (true, false);
        Some((offset, unfinished?))
    }

    fn end_block(&mut self) {
        (self.line, self.scanned) = (0, 0);
        self.dropping = None;
        self.is_begun = false;
        self.is_oversize = false;
        (self.data_lines, self.data_len, self.longest_field) = (0, 0, 0);
        self.block_retry = None;
    }

    /// The start of the stream: a byte order mark is skipped.
    #[cold]
    fn mark(&mut self, held: &[u8]) -> Option<Step> {
        if held.starts_with(&MARK) {
            self.is_start = false;
            return Some(self.skip(MARK.len()));
        }
        if MARK.starts_with(held) {
            return Some(Step::More);
        }
        self.is_start = false;
        None
    }

    /// An empty line, behind which so many bytes are done with.
    #[inline]
    fn blank(&mut self, next: usize) -> Step {
        if !self.is_begun {
            return self.skip(next);
        }
        Step::Block(next)
    }

    fn skip(&mut self, bytes: usize) -> Step {
        self.position += bytes as u64;
        (self.line, self.scanned) = (0, 0);
        Step::Skip(bytes)
    }

    fn begin(&mut self) {
        if !self.is_begun {
            self.is_begun = true;
            self.offset = self.position;
            self.event.clear();
        }
    }

    /// A line that has not ended, all of it held.
    fn unfinished(&mut self, line: &[u8]) -> Step {
        // Undecided is also whether a space belongs to the value of `data:`.
        let is_undecided = may_become_field(line) || line == b"data:";
        let (field, start) = match is_undecided {
            true => (Field::Unknown, line.len()),
            false => field(line),
        };
        let value = (line.len() - start) as u64;
        let is_content = is_undecided || !matches!(field, Field::Comment | Field::Unknown);
        let data_len = match field {
            Field::Data => self.data_len_with(value),
            // Whatever becomes of it, the line end in front of it will be one of the data's.
            _ if is_undecided && line.starts_with(b"data") => self.data_len_with(0),
            _ => self.data_len,
        };
        let is_too_long = match field {
            Field::Data => data_len > self.limit as u64,
            Field::Event | Field::Id | Field::Retry => value > MAX_FIELD_BYTES as u64,
            Field::Comment | Field::Unknown => false,
        };
        if is_too_long {
            self.begin();
        }
        self.is_oversize |= is_too_long || self.is_without_room(line.len(), data_len);
        let is_dropped = match self.is_oversize {
            true => is_too_long || field == Field::Data || !is_content,
            // What is no field belongs to no block that has not begun.
            false => !self.is_begun && !is_content,
        };
        if is_dropped {
            if field == Field::Data {
                (self.data_len, self.data_lines) = (data_len, self.data_lines + 1);
            }
            (self.dropping, self.dropped) = (Some(field), value);
            return self.skip(self.held());
        }
        if self.is_oversize && self.line > 0 {
            // Only this line is of interest any more.
            let scanned = self.scanned;
            let step = self.skip(self.line);
            self.scanned = scanned;
            return step;
        }
        Step::More
    }

    /// More of a line that is dropped as it comes.
    fn drop_more(&mut self, fresh: &[u8], field: Field) -> Step {
        let end = line_end(fresh);
        let len = end.map_or(fresh.len(), |end| end.at);
        let next = end.map_or(fresh.len(), |end| end.next);
        passed(next);
        self.dropped += len as u64;
        if field == Field::Data {
            self.data_len += len as u64;
        }
        if let Some(end) = end {
            self.after_cr = end.is_open;
            self.dropping = None;
            match field {
                Field::Comment => self.comments += 1,
                Field::Event | Field::Id | Field::Retry => {
                    self.longest_field = self.longest_field.max(self.dropped);
                }
                Field::Data | Field::Unknown => {}
            }
        }
        self.skip(next)
    }

    #[inline]
    fn finish_line(&mut self, line: &[u8]) {
        let (field, start) = field(line);
        let value = line.get(start..).unwrap_or(&[]);
        match field {
            Field::Comment => self.comments += 1,
            Field::Unknown => {}
            Field::Data => {
                self.begin();
                if self.data_lines == 0 {
                    self.first_data = self.line + start..self.line + line.len();
                }
                self.data_len = self.data_len_with(value.len() as u64);
                self.data_lines += 1;
                self.is_oversize |= self.data_len > self.limit as u64;
            }
            Field::Event | Field::Id | Field::Retry => {
                self.begin();
                self.longest_field = self.longest_field.max(value.len() as u64);
                match value.len() <= MAX_FIELD_BYTES {
                    true => self.set(field, value),
                    false => self.is_oversize = true,
                }
            }
        }
        self.is_oversize |= self.is_without_room(line.len(), self.data_len);
    }

    #[inline]
    fn set(&mut self, field: Field, value: &[u8]) {
        match field {
            Field::Event => {
                self.event.clear();
                if value != b"message" {
                    self.event.extend_from_slice(value);
                }
            }
            // Most ids are too short for `memchr`.
            Field::Id if !value.contains(&0) => {
                self.has_id = true;
                self.id.clear();
                self.id.extend_from_slice(value);
            }
            Field::Retry if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let digits = value.iter().map(|digit| u64::from(digit - b'0'));
                let retry =
                    digits.fold(0u64, |n, digit| n.saturating_mul(10).saturating_add(digit));
                (self.block_retry, self.retry) = (Some(retry), Some(retry));
            }
            _ => {}
        }
    }

    /// The length of the data with one more line.
    #[inline]
    fn data_len_with(&self, value: u64) -> u64 {
        let joint = u64::from(self.data_lines > 0);
        self.data_len + joint + value
    }

    /// Whether a block that is held, with so many bytes of its last line, has too much beside its data.
    #[inline]
    fn is_without_room(&self, line: usize, data_len: u64) -> bool {
        let held = (self.line + line) as u64;
        self.is_begun && held.saturating_sub(data_len) > self.room as u64
    }

    /// What is over its limit, of several the data first.
    #[cold]
    fn oversize(&self) -> Oversize {
        let longest = match self.dropping {
            Some(Field::Event | Field::Id | Field::Retry) => self.longest_field.max(self.dropped),
            _ => self.longest_field,
        };
        let (part, len, limit) = if self.data_len > self.limit as u64 {
            (Part::EventData, self.data_len, self.limit)
        } else if longest > MAX_FIELD_BYTES as u64 {
            (Part::EventField, longest, MAX_FIELD_BYTES)
        } else {
            let all = self.position - self.offset;
            (
                Part::EventRest,
                all.saturating_sub(self.data_len),
                self.room,
            )
        };
        Oversize { part, len, limit }
    }
}
