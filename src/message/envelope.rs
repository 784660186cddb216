//! What is known of a good message: its kind, where everything stands that the vocabulary keeps, and the types of the rest.

use super::types::{Type, Types};
use crate::error::Span;
use crate::json::JsonStr;
use crate::vocab::{Level, META_SLOTS, Member, Row, SLOTS};

/// What a message is. JSON-RPC 2.0 sections 4, 4.1 and 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `method` and `id`: waits for an answer.
    Request,
    /// `method` without `id`: never answered.
    Notification,
    /// `result` and `id`: the good answer.
    Result,
    /// `error`: the bad answer; without an id where the request could not be read.
    Error,
}

impl Kind {
    /// `request`, `notification`, `result` or `error`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Result => "result",
            Self::Error => "error",
        }
    }
}

impl core::fmt::Display for Kind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What the pass found in a good message: its kind, the spans of what the vocabulary keeps, and the types of the rest.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(Debug))]
pub(crate) struct Envelope {
    spans: [Span; SLOTS],
    pub(super) types: Types,
    /// One bit for each span: it is that of a string without an escape.
    plain: u32,
    pub(crate) kind: Kind,
    /// Whether `clientInfo` and `serverInfo` of `_meta` are what they have to be: objects with the strings `name` and
    /// `version`. Looked at on the way, since nearly every message has one of them.
    pub(crate) has_client: bool,
    pub(crate) has_server: bool,
}

impl Envelope {
    /// To be filled by the pass.
    pub(crate) const EMPTY: Self = Self {
        spans: [Span { start: 0, end: 0 }; SLOTS],
        types: Types::NONE,
        plain: 0,
        kind: Kind::Request,
        has_client: false,
        has_server: false,
    };

    /// Where the member's value stands; none if it isn't there, or means nothing in a message of this kind.
    #[inline(always)]
    pub(crate) fn span(&self, member: Member) -> Span {
        match self.has_level(member.level()) {
            true => self.get(member),
            false => Span::default(),
        }
    }

    /// The string that a member is, if it is one. `frame` is the message's.
    #[inline]
    pub(crate) fn string<'a>(&self, member: Member, frame: &'a str) -> Option<JsonStr<'a>> {
        let raw = frame.get(self.span(member).range())?;
        let bits = self.plain.checked_shr(u32::from(member.slot()));
        let is_plain = bits.is_some_and(|bits| bits & 1 == 1);
        let is_string = raw.starts_with('"');
        is_string.then_some(JsonStr::from_plain(raw, is_plain))
    }

    /// What a member of `params`, `result` or `error` is.
    #[inline(always)]
    pub(crate) fn type_of(&self, member: Member) -> Type {
        match self.has_level(member.level()) {
            true => self.type_at(member.number()),
            false => Type::Absent,
        }
    }

    /// What the member of this number is, in a message of the kind that has its level.
    #[inline(always)]
    pub(crate) fn type_at(&self, number: usize) -> Type {
        self.types.get(number)
    }

    #[inline(always)]
    pub(crate) fn has_level(&self, level: Level) -> bool {
        match level {
            Level::Params => matches!(self.kind, Kind::Request | Kind::Notification),
            Level::Result => self.kind == Kind::Result,
            Level::Error => self.kind == Kind::Error,
            Level::Top | Level::Meta | Level::Deeper => true,
        }
    }

    /// The spans of the members of `_meta`, and which of them are those of strings without an escape.
    #[inline]
    pub(crate) fn meta(&self) -> ([Span; META_SLOTS], u32) {
        let last = self.spans.last_chunk::<META_SLOTS>();
        let plain = self.plain >> (SLOTS - META_SLOTS);
        (last.copied().unwrap_or_default(), plain)
    }

    /// What was there before has to be [cleared](Self::clear).
    #[inline(always)]
    pub(super) fn set(&mut self, slot: u8, span: Span, is_plain: bool) {
        if let Some(place) = self.spans.get_mut(usize::from(slot)) {
            *place = span;
            self.plain |= u32::from(is_plain) << slot;
        }
    }

    /// Forgets what is known of a member.
    #[cold]
    pub(super) fn clear(&mut self, row: &Row) {
        self.types.clear(row.type_place);
        if let Some(place) = self.spans.get_mut(usize::from(row.slot)) {
            *place = Span::default();
            self.plain &= !(1 << row.slot);
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, member: Member) -> Span {
        let slot = usize::from(member.slot());
        self.spans.get(slot).copied().unwrap_or_default()
    }

    /// Whether `clientInfo` or `serverInfo` is what it has to be.
    #[inline(always)]
    pub(super) fn set_implementation(&mut self, info: Member, is: bool) {
        match info {
            Member::ClientInfo => self.has_client = is,
            _ => self.has_server = is,
        }
    }

    /// What stands at the top and is not the message's: a `null` that counts as absent, and `params` beside a result or an
    /// error, which is a member like any unknown one.
    #[cold]
    pub(super) fn forget_top(&mut self) {
        if self.kind != Kind::Error {
            self.clear(Member::Error.row());
        }
        let is_null = self.get(Member::Params).len() == 4;
        if is_null || matches!(self.kind, Kind::Result | Kind::Error) {
            self.clear(Member::Params.row());
        }
    }

    /// Before a section is read: what another that stood before it left.
    #[cold]
    pub(super) fn forget_inner(&mut self) {
        if let Some(slots) = self.spans.get_mut(Member::INNER_SLOTS) {
            slots.fill(Span::default());
        }
        self.types = Types::NONE;
        self.plain &= (1 << Member::INNER_SLOTS.start) - 1;
        self.has_client = false;
        self.has_server = false;
    }
}
