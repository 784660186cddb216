//! A way down into a value that has been checked, one pass whatever is entered and whatever is skipped.

use super::raw::RawJson;
use super::scan::Scanner;
use super::text::JsonStr;
use crate::limits::Limits;
use smallvec::SmallVec;

/// What comes next. At a member or an element the caller has to [enter](Descent::enter) its value or to
/// [take](Descent::take) it.
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    Member(JsonStr<'a>),
    Element,
    /// The innermost container that was entered ends.
    Leave,
}

pub(crate) struct Descent<'a> {
    raw: &'a str,
    scanner: Scanner<'a>,
    /// Of each container entered, whether it is an object; at most as many as the value nests.
    open: SmallVec<[bool; 16]>,
    /// The innermost has just been entered.
    is_first: bool,
}

impl<'a> Descent<'a> {
    /// At the start of the value: it is entered, if it is a container.
    pub(crate) fn new(value: RawJson<'a>) -> Option<Self> {
        let mut descent = Self {
            raw: value.raw(),
            scanner: Scanner::new(value.as_bytes(), Limits::HIGHEST_MAX_DEPTH).ok()?,
            open: SmallVec::new(),
            is_first: false,
        };
        descent.enter().then_some(descent)
    }

    /// Where in the value it stands.
    pub(crate) fn at(&self) -> usize {
        self.scanner.at()
    }

    /// `None`: the container that it began with has ended, which [`Step::Leave`] has said.
    pub(crate) fn next(&mut self) -> Option<Step<'a>> {
        let is_object = *self.open.last()?;
        let is_first = core::mem::take(&mut self.is_first);
        let follows = match (is_object, is_first) {
            (true, true) => self.scanner.has_member(),
            (true, false) => self.scanner.has_next_member().ok()?,
            (false, _) => self.scanner.next_element(is_first).ok()?,
        };
        if !follows {
            self.open.pop();
            return Some(Step::Leave);
        }
        if !is_object {
            return Some(Step::Element);
        }
        let name = self.scanner.name().ok()?;
        let raw = self.raw.get(name.at..name.end)?;
        Some(Step::Member(JsonStr::from_checked(raw)))
    }

    /// Whether an object begins here.
    pub(crate) fn is_at_object(&self) -> bool {
        self.scanner.peek() == b'{'
    }

    /// Enters the value that stands here, if it is a container; any other is skipped.
    pub(crate) fn enter(&mut self) -> bool {
        let is_object = self.is_at_object();
        if is_object || self.scanner.peek() == b'[' {
            self.open.push(is_object);
            self.is_first = true;
            return self.scanner.enter().is_ok();
        }
        let _ = self.scanner.value();
        false
    }

    /// The value that stands here, as a whole.
    pub(crate) fn take(&mut self) -> Option<RawJson<'a>> {
        let start = self.scanner.at();
        self.scanner.value().ok()?;
        self.raw
            .get(start..self.scanner.at())
            .map(RawJson::from_checked)
    }
}
