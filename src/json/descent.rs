//! A way down into a value that has been checked, one pass whatever is entered and whatever is skipped.

use super::raw::RawJson;
use super::text::JsonStr;
use super::trusted::TrustedScanner;
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
    scanner: TrustedScanner<'a>,
    /// Of each container entered, whether it is an object; at most as many as the value nests.
    open: SmallVec<[bool; 16]>,
    /// The innermost has just been entered.
    is_first: bool,
}

impl<'a> Descent<'a> {
    /// At the start of the value: it is entered, if it is a container.
    pub(crate) fn new(value: RawJson<'a>) -> Option<Self> {
        let mut descent = Self {
            scanner: TrustedScanner::new(value),
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
        let follows = match is_object {
            true => self.scanner.next_member(is_first),
            false => self.scanner.next_element(is_first),
        };
        if !follows {
            self.open.pop();
            return Some(Step::Leave);
        }
        if !is_object {
            return Some(Step::Element);
        }
        self.scanner.name().map(Step::Member)
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
            self.scanner.enter();
            return true;
        }
        let _ = self.scanner.value();
        false
    }

    /// The value that stands here, as a whole.
    pub(crate) fn take(&mut self) -> Option<RawJson<'a>> {
        self.scanner.value()
    }
}
