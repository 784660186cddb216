//! Where in a message an edit changes something, and what comes there.

use crate::json::{RawJson, offset_in};
use crate::message::Message;
use crate::vocab::Member;
use smallvec::SmallVec;

/// Everything that changes: at most the id, the method and the section.
#[derive(Default)]
pub(super) struct Places<'a> {
    /// What is put in, in front of everything else.
    pub(super) absent: SmallVec<[Place<'a>; 2]>,
    /// What takes the place of something, in the order of the frame.
    pub(super) there: SmallVec<[Place<'a>; 3]>,
}

impl<'a> Places<'a> {
    pub(super) fn put(&mut self, place: Place<'a>) {
        match place.at {
            Some(_) => self.there.push(place),
            None => self.absent.push(place),
        }
    }
}

/// What comes where a member's value stands, or where it has to be put in.
pub(super) struct Place<'a> {
    pub(super) member: Member,
    /// Where the value stands in the frame: its start and end.
    pub(super) at: Option<(usize, usize)>,
    pub(super) new: New<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum New<'a> {
    Raw(&'a str),
    Text(&'a str),
    Section(Section<'a>),
    Nothing,
}

/// Params or a result.
#[derive(Clone, Copy)]
pub(super) struct Section<'a> {
    pub(super) text: &'a str,
    /// A slice of the text.
    pub(super) meta: Option<RawJson<'a>>,
    /// Whether they are those of the message, and not the caller's.
    pub(super) is_kept: bool,
    /// Whether no key of the changes is in `_meta`, as far as that is seen without a walk.
    pub(super) are_new: bool,
}

impl<'a> Place<'a> {
    pub(super) fn new(message: &Message<'a>, member: Member, new: New<'a>) -> Self {
        let range = message.span(member).range();
        Self {
            member,
            at: message.has(member).then_some((range.start, range.end)),
            new,
        }
    }
}

/// `_meta`, whatever it is.
pub(super) fn meta_of<'a>(message: &Message<'a>) -> Option<RawJson<'a>> {
    let of_params = message.member(Member::ParamsMeta);
    of_params.or_else(|| message.member(Member::ResultMeta))
}

/// Where `params` stand that were taken for absent. Walks the message.
#[cold]
pub(super) fn null_params(message: &Message<'_>) -> Option<(usize, usize)> {
    let mut members = message.as_raw().members();
    let (_, value) = members.find(|(name, _)| *name == "params")?;
    let start = offset_in(message.frame(), value.raw());
    Some((start, start + value.raw().len()))
}
