//! What the walk comes by at the levels that matter, put where the pass over a whole frame would put it.
//!
//! The pass knows by where it is in its code which object it reads. Here that is kept in data: which object is open, and of
//! each object around it the member whose value is being read.

use super::KEPT_BYTES;
use super::kept::Buffer;
use crate::error::{Error, ErrorKind, Span};
use crate::json::SyntaxError;
use crate::json::scan::Name;
use crate::message::Type;
use crate::message::envelope::Envelope;
use crate::message::verdict::Judge;
use crate::vocab::{Level, Member, Row};

/// The innermost open object that matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// None: before the message or behind it, or there is another value in its place.
    Outside,
    Top,
    /// `params`, `result` or `error`: which of them is the member of the top.
    Section,
    Meta,
    /// `clientInfo` or `serverInfo`.
    Info,
}

/// An object that matters.
#[derive(Clone, Copy)]
struct Object {
    /// A bit for each member met.
    names: u32,
    /// The member whose value comes or is being read, if it means something.
    row: Option<&'static Row>,
    /// Where that value begins.
    start: usize,
}

impl Object {
    const NEW: Self = Self {
        names: 0,
        row: None,
        start: 0,
    };
}

/// A value that has ended.
#[derive(Clone, Copy)]
pub(super) struct Value<'v> {
    /// The byte that it begins with; of a number any digit.
    pub(super) first: u8,
    /// The token. Of one that is too long to be kept, a quote alone for a string and nothing for a number, which no rule
    /// takes for any other. Nothing for a container.
    pub(super) raw: &'v [u8],
    /// `raw` is all of it.
    pub(super) is_whole: bool,
    /// Of a string.
    pub(super) is_escaped: bool,
    pub(super) is_text: bool,
    /// Of a number: to the letter, and by value. The latter is known where an id stands.
    pub(super) is_integer: bool,
    pub(super) is_integral: bool,
}

impl Value<'_> {
    pub(super) const OBJECT: Self = Self::other(b'{', b"");
    pub(super) const ARRAY: Self = Self::other(b'[', b"");
}

impl<'v> Value<'v> {
    pub(super) const fn other(first: u8, raw: &'v [u8]) -> Self {
        Self {
            first,
            raw,
            is_whole: true,
            is_escaped: false,
            is_text: true,
            is_integer: false,
            is_integral: false,
        }
    }

    /// What it is, and whether it is a string without an escape.
    fn typed(&self) -> (Type, bool) {
        match self.first {
            b'-' | b'0'..=b'9' if self.is_integer => (Type::Integer, false),
            b'-' | b'0'..=b'9' => (Type::Number, false),
            b'"' if self.is_text => (Type::String, !self.is_escaped),
            b'"' => (Type::NoText, false),
            first => (Type::of(first), false),
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Found {
    envelope: Envelope,
    pub(super) judge: Judge,
    place: Place,
    /// The value that is the whole text: what it begins with, and where it stands.
    first: u8,
    whole: Span,
    top: Object,
    section: Object,
    /// `params` beside a result or an error mean nothing, but are held to the same rules.
    is_noted: bool,
    /// `error` is an object: no `null` that may count as absent.
    pub(super) has_error: bool,
    meta: Object,
    /// Of an implementation: the member whose value comes, and which it has as strings.
    info: InfoName,
    has_name: bool,
    has_version: bool,
    pub(super) method: Buffer<KEPT_BYTES>,
    pub(super) id: Buffer<KEPT_BYTES>,
    pub(super) name: Buffer<KEPT_BYTES>,
}

#[derive(Clone, Copy)]
enum InfoName {
    Name,
    Version,
    Other,
}

impl Found {
    #[inline]
    pub(super) const fn new(lenient: bool) -> Self {
        Self {
            envelope: Envelope::EMPTY,
            judge: Judge::new(lenient),
            place: Place::Outside,
            first: 0,
            whole: Span { start: 0, end: 0 },
            top: Object::NEW,
            section: Object::NEW,
            is_noted: true,
            has_error: false,
            meta: Object::NEW,
            info: InfoName::Other,
            has_name: false,
            has_version: false,
            method: Buffer::EMPTY,
            id: Buffer::EMPTY,
            name: Buffer::EMPTY,
        }
    }

    /// The name of a member of the innermost object.
    pub(super) fn name(&mut self, name: &Name<'_>) {
        let (level, object) = match self.place {
            Place::Top => (Level::Top, &mut self.top),
            Place::Section => (section_level(self.top.row), &mut self.section),
            Place::Meta => (Level::Meta, &mut self.meta),
            Place::Info => return self.info_name(name),
            Place::Outside => return,
        };
        let row = level.find(name);
        object.row = row.filter(|row| self.judge.is_first(row, name, &mut object.names));
        if let (Place::Top, Some(row)) = (self.place, object.row) {
            self.judge.seen.0 |= 1 << row.number;
        }
    }

    /// The same of a name that is longer than any that means something.
    pub(super) fn long_name(&mut self) {
        match self.place {
            Place::Top => self.top.row = None,
            Place::Section => self.section.row = None,
            Place::Meta => self.meta.row = None,
            Place::Info => self.info = InfoName::Other,
            Place::Outside => {}
        }
    }

    fn info_name(&mut self, name: &Name<'_>) {
        self.info = if name.is("name") {
            InfoName::Name
        } else if name.is("version") {
            InfoName::Version
        } else {
            InfoName::Other
        };
    }

    /// The member whose value comes, if it means something.
    fn row(&self) -> Option<&'static Row> {
        match self.place {
            Place::Top => self.top.row,
            Place::Section => self.section.row,
            Place::Meta => self.meta.row,
            Place::Info | Place::Outside => None,
        }
    }

    /// Whether the value that comes is the id.
    pub(super) fn is_at_id(&self) -> bool {
        let row = self.row();
        self.place == Place::Top && row.is_some_and(|row| row.member == Member::Id)
    }

    /// A value begins in the innermost object.
    pub(super) fn begin(&mut self, at: usize, first: u8) {
        match self.place {
            Place::Top => self.top.start = at,
            Place::Section => self.section.start = at,
            Place::Meta => self.meta.start = at,
            Place::Info => {}
            Place::Outside => {
                self.first = first;
                self.whole = Span::new(at, at);
            }
        }
    }

    /// Enters the object that has begun, if it is one that matters.
    pub(super) fn enter(&mut self) -> bool {
        let member = self.row().map(|row| row.member);
        match (self.place, member) {
            (Place::Outside, _) => {
                self.place = Place::Top;
            }
            (Place::Top, Some(Member::Params | Member::Result | Member::Error)) => {
                let level = section_level(self.top.row);
                let seen = self.judge.seen;
                self.has_error |= level == Level::Error;
                self.is_noted =
                    level != Level::Params || !seen.has(Member::Result) && !seen.has(Member::Error);
                if level != Level::Params && seen.has(Member::Params) {
                    self.envelope.forget_inner();
                    self.name.clear();
                }
                self.section = Object::NEW;
                self.place = Place::Section;
            }
            (Place::Section, Some(Member::ParamsMeta | Member::ResultMeta)) => {
                self.meta = Object::NEW;
                self.place = Place::Meta;
            }
            (Place::Meta, Some(Member::ClientInfo | Member::ServerInfo)) => {
                (self.has_name, self.has_version) = (false, false);
                self.place = Place::Info;
            }
            _ => return false,
        }
        true
    }

    /// The innermost object ends before `end`; and with it the value of a member of the one around it.
    pub(super) fn leave(&mut self, end: usize) {
        self.place = match self.place {
            Place::Outside | Place::Top => Place::Outside,
            Place::Section => Place::Top,
            Place::Meta => Place::Section,
            Place::Info => Place::Meta,
        };
        self.end(&Value::OBJECT, end);
    }

    /// A value of the innermost object has ended before `end`.
    pub(super) fn end(&mut self, value: &Value<'_>, end: usize) {
        match self.place {
            Place::Top => self.top_value(value, end),
            Place::Section => self.section_value(value, end),
            Place::Meta => self.meta_value(value, end),
            Place::Info => match self.info {
                InfoName::Name => self.has_name = value.first == b'"',
                InfoName::Version => self.has_version = value.first == b'"',
                InfoName::Other => {}
            },
            Place::Outside => self.whole = Span::new(self.whole.start as usize, end),
        }
    }

    fn top_value(&mut self, value: &Value<'_>, end: usize) {
        let Some(row) = self.top.row else { return };
        let member = row.member;
        let mut is_plain = false;
        let is_good = match (member, value.first) {
            (Member::Params | Member::Result | Member::Error, b'{') => true,
            (Member::Method, b'"') => {
                keep(&mut self.method, value);
                self.judge.is_named = true;
                is_plain = !value.is_escaped;
                value.is_text
            }
            (Member::Id, b'-' | b'0'..=b'9') => {
                keep(&mut self.id, value);
                value.is_integer || self.judge.is_good_number(value.is_integral)
            }
            _ => {
                if let (Member::Id, b'"') = (member, value.first) {
                    keep(&mut self.id, value);
                }
                self.judge.is_good_scalar(member, value.raw)
            }
        };
        let span = Span::new(self.top.start, end);
        self.envelope.set(row.slot, span, is_plain);
        if !is_good {
            self.judge.note(ErrorKind::Invalid(member), span);
        }
    }

    fn section_value(&mut self, value: &Value<'_>, end: usize) {
        let Some(row) = self.section.row else { return };
        let span = Span::new(self.section.start, end);
        if self.is_noted {
            let (value_type, is_plain) = value.typed();
            self.envelope.types.set(row.number, value_type);
            self.envelope.set(row.slot, span, is_plain);
            if let (Member::Name, b'"') = (row.member, value.first) {
                keep(&mut self.name, value);
            }
        }
        if matches!(section_level(self.top.row), Level::Error) {
            self.judge.check_error_member(row.member, value.raw, span);
        }
    }

    fn meta_value(&mut self, value: &Value<'_>, end: usize) {
        let Some(row) = self.meta.row else { return };
        if !self.is_noted {
            return;
        }
        let span = Span::new(self.meta.start, end);
        let is_implementation = value.first == b'{' && self.has_name && self.has_version;
        self.envelope.set(row.slot, span, value.typed().1);
        match row.member {
            Member::ClientInfo => self.envelope.has_client = is_implementation,
            Member::ServerInfo => self.envelope.has_server = is_implementation,
            _ => {}
        }
    }

    pub(super) const fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    /// The verdict on a text that has been read to its end, or to a fault of its JSON. The envelope of a good message is
    /// settled then.
    pub(super) fn verdict(&mut self, read: Result<(), SyntaxError>) -> Result<(), Error> {
        read.map_err(|error| self.judge.refuse_text(&self.envelope, error))?;
        let Span { start, end } = self.whole;
        let of_whole = |kind| Error::of_frame(kind, start as usize, end as usize);
        match self.first {
            b'{' => {}
            b'[' => return Err(of_whole(ErrorKind::Batch)),
            _ => return Err(of_whole(ErrorKind::NotObject)),
        }
        let Some(kind) = self.judge.kind() else {
            let brace = (end as usize).saturating_sub(1);
            return Err(self.judge.refuse_message(&self.envelope, brace));
        };
        self.judge.settle(&mut self.envelope, kind);
        Ok(())
    }
}

/// Which object a member of the top is.
fn section_level(row: Option<&Row>) -> Level {
    match row.map(|row| row.member) {
        Some(Member::Params) => Level::Params,
        Some(Member::Result) => Level::Result,
        _ => Level::Error,
    }
}

fn keep(buffer: &mut Buffer<KEPT_BYTES>, value: &Value<'_>) {
    buffer.clear();
    match value.is_whole {
        true => buffer.push(value.raw),
        false => buffer.set_too_long(),
    }
}
