//! Where lines end: a state machine over fresh bytes, which it looks at once and never again.

use super::line::Line;
use super::oversize::{Oversize, Part};
use crate::bounds::passed;
use crate::limits::Limits;
use crate::message::Policy;

const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// What the bytes of the line so far are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The first bytes of a byte order mark, or none yet, where one would be skipped.
    Mark,
    /// White space only.
    Blank,
    /// Something else.
    Body,
    /// More than the limit: nothing of it is held.
    Discard,
}

/// What to do with the bytes.
pub(super) enum Step {
    /// All fresh bytes belong to a line whose end is still to come: hold them.
    More,
    /// Everything held, and the fresh bytes up to this index, is done with.
    Skip(usize),
    /// What is held and the fresh bytes up to this index, where the LF is, are a line.
    Line(usize, Line<()>),
}

#[derive(Clone, Debug)]
pub(super) struct Splitter {
    limit: usize,
    mark_on_every_line: bool,
    state: State,
    /// Where in the stream the line begins, behind its byte order mark.
    offset: u64,
    /// The bytes of the line so far: held by the caller, unless they are discarded.
    len: u64,
    blanks_before: u64,
    blanks: u64,
}

impl Splitter {
    pub(super) const fn new(limits: Limits, policy: Policy) -> Self {
        Self {
            limit: limits.max_frame_bytes(),
            mark_on_every_line: policy.lenient,
            state: State::Mark,
            offset: 0,
            len: 0,
            blanks_before: 0,
            blanks: 0,
        }
    }

    /// How many bytes of the line the caller holds.
    #[inline]
    pub(super) const fn held(&self) -> usize {
        match self.state {
            State::Discard => 0,
            // Within the limit, which is below 4 GiB.
            _ => self.len as usize,
        }
    }

    /// Takes what comes next for the start of a line: the held bytes are gone.
    pub(super) fn restart(&mut self) {
        self.offset += self.len;
        self.len = 0;
        self.state = self.start();
    }

    /// The state at the start of any line but the stream's first.
    #[inline(always)]
    const fn start(&self) -> State {
        match self.mark_on_every_line {
            true => State::Mark,
            false => State::Blank,
        }
    }

    pub(super) const fn blanks(&self) -> u64 {
        self.blanks
    }

    pub(super) const fn discarded(&self) -> Option<u64> {
        match self.state {
            State::Discard => Some(self.len),
            _ => None,
        }
    }

    /// Goes over fresh bytes, up to the first that ends something.
    #[inline]
    pub(super) fn step(&mut self, fresh: &[u8]) -> Step {
        let step = self.look_over(fresh);
        passed(match step {
            Step::More => fresh.len(),
            Step::Skip(to) => to,
            Step::Line(to, _) => to + 1,
        });
        step
    }

    #[inline(always)]
    fn look_over(&mut self, fresh: &[u8]) -> Step {
        let mut i = 0;
        if self.state == State::Mark {
            // At most three rounds: each matches one more byte of the mark.
            loop {
                let matched = self.len as usize + i;
                if matched == MARK.len() {
                    self.offset += MARK.len() as u64;
                    (self.len, self.state) = (0, State::Blank);
                    return Step::Skip(i);
                }
                match fresh.get(i) {
                    Some(b) if MARK.get(matched) == Some(b) => i += 1,
                    Some(_) if matched == 0 => self.state = State::Blank,
                    Some(_) => self.state = State::Body,
                    None => return self.more(i),
                }
                if self.state != State::Mark {
                    break;
                }
            }
        }
        if self.state == State::Blank {
            loop {
                match fresh.get(i) {
                    Some(b' ' | b'\t' | b'\r') => i += 1,
                    Some(b'\n') => return self.end(i, true),
                    Some(_) => break self.state = State::Body,
                    None => return self.more(i),
                }
            }
        }
        match memchr::memchr(b'\n', fresh.get(i..).unwrap_or(&[])) {
            Some(lf) => self.end(i + lf, true),
            None => self.more(fresh.len()),
        }
    }

    /// The line goes on behind `fresh` more bytes.
    fn more(&mut self, fresh: usize) -> Step {
        self.len += fresh as u64;
        // The first bytes of a mark may still turn out to be none of the line's.
        if self.len > self.limit as u64 && self.state != State::Mark {
            self.state = State::Discard;
        }
        match self.state {
            State::Discard => Step::Skip(fresh),
            _ => Step::More,
        }
    }

    /// The line ends before the fresh byte `i`.
    #[inline]
    fn end(&mut self, i: usize, terminated: bool) -> Step {
        let len = self.len + i as u64;
        let offset = self.offset;
        let is_blank = self.state == State::Blank && len <= self.limit as u64;
        self.offset += len + u64::from(terminated);
        self.len = 0;
        self.state = self.start();
        if is_blank {
            self.blanks += 1;
            self.blanks_before += 1;
            return Step::Skip(i + usize::from(terminated));
        }
        let body = match len > self.limit as u64 {
            true => Err(Oversize {
                part: Part::Line,
                len,
                limit: self.limit,
            }),
            false => Ok(()),
        };
        let blanks_before = core::mem::take(&mut self.blanks_before);
        Step::Line(
            i,
            Line {
                offset,
                terminated,
                blanks_before,
                body,
            },
        )
    }

    /// The input ends here: the line that stands without LF, if it is one.
    pub(super) fn finish(&mut self) -> Option<Line<()>> {
        if self.len == 0 {
            // A mark alone was no line; what comes next begins one.
            if self.state != State::Mark {
                self.state = self.start();
            }
            return None;
        }
        match self.end(0, false) {
            Step::Line(_, line) => Some(line),
            _ => None,
        }
    }
}
