//! What the walk comes by at the levels that matter, put where the pass over a whole frame would put it.
//!
//! The pass knows by where it is in its code which object it reads. Here that is kept in data: which object is open, and of
//! each object around it the member whose value is being read.

use super::KEPT_BYTES;
use super::kept::Buffer;
use crate::error::{Error, ErrorKind, Span};
use crate::json::SyntaxError;
use crate::json::steps::Name;
use crate::message::Type;
use crate::message::envelope::Envelope;
use crate::message::verdict::Judge;
use crate::vocab::{Enters, Level, Member, Row};

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

    /// The name of a member of the innermost object, which begins at `at`.
    pub(super) fn name(&mut self, name: &Name<'_>, at: usize, is_escaped: bool) {
        let (level, object, is_noted) = match self.place {
            Place::Top => (Level::Top, &mut self.top, true),
            Place::Section => (
                section_level(self.top.row),
                &mut self.section,
                self.is_noted,
            ),
            Place::Meta => (Level::Meta, &mut self.meta, self.is_noted),
            Place::Info => return self.info_name(name, is_escaped),
            Place::Outside => return,
        };
        let names = level.names();
        object.row = match names.find(name) {
            None if is_escaped => names.find_escaped(name.raw()),
            row => row,
        };
        let Some(row) = object.row else { return };
        let bit = 1 << row.number;
        if object.names & bit != 0 {
            let span = Span::new(at, at + name.raw_len());
            let envelope = &mut self.envelope;
            if !self.judge.is_good_duplicate(envelope, row, span, is_noted) {
                object.row = None;
                return;
            }
        }
        object.names |= bit;
        self.judge.seen.0 |= bit & names.of_top;
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

    fn info_name(&mut self, name: &Name<'_>, is_escaped: bool) {
        let is = |text| name.is(text) || is_escaped && name.unescapes_to(text);
        self.info = if is("name") {
            InfoName::Name
        } else if is("version") {
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
        let row = self.row().filter(|row| row.is_entered);
        let enters = row.map(|row| row.enters);
        match (self.place, enters) {
            (Place::Outside, _) => self.place = Place::Top,
            (Place::Section, Some(Enters::Level(_))) => {
                self.meta = Object::NEW;
                self.place = Place::Meta;
            }
            (_, Some(Enters::Level(level))) => {
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
            (_, Some(Enters::Implementation)) => {
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
        match (row.member, value.first) {
            (Member::Method, b'"') => {
                keep(&mut self.method, value);
                self.judge.is_named = true;
            }
            (Member::Id, b'"' | b'-' | b'0'..=b'9') => keep(&mut self.id, value),
            _ => {}
        }
        self.note(row, Span::new(self.top.start, end), value, true);
    }

    fn section_value(&mut self, value: &Value<'_>, end: usize) {
        let Some(row) = self.section.row else { return };
        if let (true, Member::Name, b'"') = (self.is_noted, row.member, value.first) {
            keep(&mut self.name, value);
        }
        self.note(
            row,
            Span::new(self.section.start, end),
            value,
            self.is_noted,
        );
    }

    fn meta_value(&mut self, value: &Value<'_>, end: usize) {
        let Some(row) = self.meta.row else { return };
        let is_info = matches!(row.member, Member::ClientInfo | Member::ServerInfo);
        if is_info && self.is_noted && value.first == b'{' {
            let is_implementation = self.has_name && self.has_version;
            self.envelope
                .set_implementation(row.member, is_implementation);
        }
        self.note(row, Span::new(self.meta.start, end), value, self.is_noted);
    }

    /// Notes a member's value.
    fn note(&mut self, row: &Row, span: Span, value: &Value<'_>, is_noted: bool) {
        let (value_type, is_plain) = value.typed();
        if is_noted {
            self.envelope.types.set(row.type_place, value_type);
            self.envelope.set(row.slot, span, is_plain);
        }
        if row.types & value_type.bit() == 0 {
            let is_integral = || value.is_integral;
            self.judge
                .check_value(row.member, value.raw, span, value_type, is_integral);
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
