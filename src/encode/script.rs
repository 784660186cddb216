//! What is written of an edited message, in order: stretches that stay, and what comes between them.

use super::text::{Copying, escape};
use core::ops::Range;

#[derive(Clone, Debug)]
pub(super) enum Part<'a> {
    /// A stretch of the message that stays.
    Kept(Range<usize>),
    /// JSON of the caller's.
    Raw(&'a str),
    /// A text of the caller's, as a string.
    Text(&'a str),
    /// The same and a colon.
    Name(&'a str),
    Literal(&'static str),
}

/// What the cursor goes over.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// The frame, or a part of it that begins at this byte.
    Part(&'a str, usize),
    /// A text of the caller's.
    Given(&'a str),
}

impl<'a> Source<'a> {
    const fn text(self) -> &'a str {
        match self {
            Self::Part(text, _) | Self::Given(text) => text,
        }
    }
}

/// A cursor over the text that an edited message is made of; it gives out one part after the other. Places only ever go
/// forward.
pub(super) struct Script<'a, 'g> {
    give: &'g mut dyn FnMut(Part<'a>),
    source: Source<'a>,
    /// Everything before has been kept or skipped.
    at: usize,
}

impl<'a, 'g> Script<'a, 'g> {
    pub(super) fn new(source: Source<'a>, give: &'g mut dyn FnMut(Part<'a>)) -> Self {
        Self {
            give,
            source,
            at: 0,
        }
    }

    /// Keeps what stands between the cursor and this place.
    pub(super) fn keep_to(&mut self, place: usize) {
        let kept = self.at..place;
        if !kept.is_empty() {
            (self.give)(match self.source {
                Source::Part(_, at) => Part::Kept(kept.start + at..kept.end + at),
                Source::Given(text) => Part::Raw(text.get(kept).unwrap_or("")),
            });
        }
        self.at = self.at.max(place);
    }

    /// Leaves out what stands between the cursor and this place.
    pub(super) fn skip_to(&mut self, place: usize) {
        self.at = self.at.max(place);
    }

    pub(super) fn push(&mut self, part: Part<'a>) {
        (self.give)(part);
    }

    /// Goes over another text, from its start to its end, and then comes back.
    pub(super) fn inside(&mut self, source: Source<'a>, go_over: impl FnOnce(&mut Self)) {
        let outside = (self.source, self.at);
        (self.source, self.at) = (source, 0);
        go_over(self);
        self.keep_to(source.text().len());
        (self.source, self.at) = outside;
    }
}

impl Part<'_> {
    pub(super) fn put(&self, frame: &str, copying: Copying, mut put: impl FnMut(&str)) {
        match self {
            Self::Kept(range) => copying.copy(frame.get(range.clone()).unwrap_or(""), put),
            Self::Raw(raw) => copying.copy(raw, put),
            Self::Text(text) | Self::Name(text) => {
                put("\"");
                escape(text, copying, &mut put);
                put(match self {
                    Self::Name(_) => "\":",
                    _ => "\"",
                });
            }
            Self::Literal(text) => put(text),
        }
    }
}
