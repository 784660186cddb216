//! The one pass over a message: its kind, and where everything stands that the vocabulary knows.
//!
//! One loop for each level that matters, `top`, `section` and `meta`; all below goes through the scanner's own loop.
//! Faults of the JSON text end the pass. Faults of the message don't: it is read to its end, so that the id is known
//! wherever it stands, and of all its faults the first in byte order is reported.

use super::envelope::{Envelope, Kind};
use super::policy::Policy;
use super::types::Type;
use crate::error::{Error, ErrorKind, Shape, Span};
use crate::json::scan::{Name, Scanner};
use crate::json::{JsonStr, RawJson, SyntaxError, SyntaxErrorKind, number};
use crate::limits::Limits;
use crate::vocab::{Level, Member, Row};

impl Envelope {
    /// Checks a frame in full and reads its envelope into `self`, which is empty. The frame comes back as a string.
    ///
    /// In place, since every move of an envelope would copy all of it.
    #[inline]
    pub(crate) fn read<'a>(
        &mut self,
        frame: &'a [u8],
        limits: &Limits,
        policy: &Policy,
    ) -> Result<&'a str, Error> {
        if frame.len() > limits.max_frame_bytes() {
            let limit = limits.max_frame_bytes();
            return Err(Error::of_frame(ErrorKind::FrameTooLong, limit, limit));
        }
        let mut pass = Pass {
            frame,
            scanner: Scanner::new(frame, limits.max_depth()).map_err(Error::syntax)?,
            lenient: policy.lenient,
            envelope: self,
            seen: Seen(0),
            fault: None,
        };
        match pass.scanner.token() {
            b'{' => {}
            first => return Err(not_an_object(pass.scanner, first)),
        }
        let (end, text) = match pass.top() {
            Ok(found) => found,
            Err(error) => return Err(pass.refuse_text(error)),
        };
        let Some(kind) = pass.kind() else {
            return Err(pass.refuse_message(end));
        };
        let seen = pass.seen;
        self.kind = kind;
        let has_null = seen.0 & (Seen::NULL_PARAMS | Seen::NULL_ERROR) != 0;
        if has_null || matches!(kind, Kind::Result | Kind::Error) {
            self.forget_top();
        }
        Ok(text)
    }
}

impl Envelope {
    /// The same for the params (of a request or notification) or the result alone, without the message around them:
    /// `kind` says which. They are an object, and all offsets count within `text`.
    pub(crate) fn read_section(
        &mut self,
        text: RawJson<'_>,
        kind: Kind,
        limits: &Limits,
    ) -> Result<(), Error> {
        let frame = text.as_bytes();
        let (level, member) = match kind {
            Kind::Request | Kind::Notification => (Level::Params, Member::Params),
            Kind::Result | Kind::Error => (Level::Result, Member::Result),
        };
        let shape = match kind {
            Kind::Request => Shape::Request,
            Kind::Notification => Shape::Notification,
            Kind::Result | Kind::Error => Shape::Response,
        };
        let refused = |kind, fault| Error {
            kind,
            shape,
            fault,
            ..Error::of_frame(kind, 0, 0)
        };
        let whole = Span::new(0, frame.len());
        if frame.len() > limits.max_frame_bytes() {
            return Err(refused(ErrorKind::FrameTooLong, whole));
        }
        if !frame.starts_with(b"{") {
            return Err(refused(ErrorKind::Invalid(member), whole));
        }
        // The message around it is one of the containers.
        let depth = limits.max_depth() - 1;
        let mut pass = Pass {
            frame,
            scanner: Scanner::new(frame, depth).map_err(Error::syntax)?,
            lenient: false,
            envelope: self,
            seen: Seen(0),
            fault: None,
        };
        let read = pass.section(level).and_then(|()| pass.scanner.finish());
        read.map_err(|error| Error {
            shape,
            ..Error::syntax(error)
        })?;
        if let Some((kind, span)) = pass.fault {
            return Err(refused(kind, span));
        }
        self.kind = kind;
        self.set(member.slot(), whole, false);
        Ok(())
    }
}

/// One bit for each top-level member met, and a few for what else was met.
#[derive(Clone, Copy)]
struct Seen(u32);

impl Seen {
    const JSONRPC: u32 = Self::bit(Member::Jsonrpc);
    const ID: u32 = Self::bit(Member::Id);
    const METHOD: u32 = Self::bit(Member::Method);
    const RESULT: u32 = Self::bit(Member::Result);
    const ERROR: u32 = Self::bit(Member::Error);
    const ERROR_CODE: u32 = 1 << 8;
    const ERROR_MESSAGE: u32 = 1 << 9;
    /// The id is `null`, which only an error response may have.
    const NULL_ID: u32 = 1 << 10;
    /// The id is there twice or has a wrong type: no answer can name it.
    const BAD_ID: u32 = 1 << 11;
    /// `params` or `error` is `null`, under the lenient policy.
    const NULL_PARAMS: u32 = 1 << 12;
    const NULL_ERROR: u32 = 1 << 13;

    const fn bit(member: Member) -> u32 {
        1 << member.number()
    }

    /// Whether the top-level member is there and not a `null` that counts as absent: that of `params` always does, that
    /// of `error` beside a result.
    #[inline(always)]
    fn has(self, member: Member) -> bool {
        let absent = match member {
            Member::Params => Self::NULL_PARAMS,
            Member::Error if self.0 & Self::RESULT != 0 => Self::NULL_ERROR,
            _ => 0,
        };
        self.0 & Self::bit(member) != 0 && self.0 & absent == 0
    }
}

/// A fault of the message: what, and the piece of the frame.
type Fault = (ErrorKind, Span);

struct Pass<'a, 'e> {
    frame: &'a [u8],
    scanner: Scanner<'a>,
    lenient: bool,
    envelope: &'e mut Envelope,
    seen: Seen,
    /// The first fault that was met on the way, which goes by byte order.
    fault: Option<Fault>,
}

impl<'a> Pass<'a, '_> {
    /// The message itself, to the end of the frame. Gives the index of its closing brace, and the frame as a string.
    #[inline(always)]
    fn top(&mut self) -> Result<(usize, &'a str), SyntaxError> {
        self.scanner.enter()?;
        let mut follows = self.scanner.has_member();
        let mut names = 0;
        while follows {
            let name = self.scanner.name()?;
            match Level::Top.find(&name) {
                Some(row) if self.is_first(row, &name, &mut names) => {
                    self.seen.0 |= 1 << row.number;
                    self.top_value(row)?;
                }
                _ => self.scanner.value()?,
            }
            follows = self.scanner.has_next_member()?;
        }
        let end = self.scanner.at() - 1;
        Ok((end, self.scanner.finish()?))
    }

    /// The value of a top-level member: walked, checked, noted.
    #[inline(always)]
    fn top_value(&mut self, row: &Row) -> Result<(), SyntaxError> {
        let member = row.member;
        let start = self.scanner.at();
        let first = self.scanner.peek();
        let mut is_plain = false;
        let is_good = match (member, first) {
            (Member::Params, b'{') => self.params().map(|()| true)?,
            (Member::Result, b'{') => self.result().map(|()| true)?,
            (Member::Error, b'{') => self.error().map(|()| true)?,
            (Member::Method, b'"') => {
                let end = self.scanner.string()?;
                is_plain = !end.is_escaped();
                end.is_text()
            }
            (Member::Id, b'-' | b'0'..=b'9') => {
                self.scanner.number()? || self.is_integral_id(start)
            }
            _ => {
                self.scanner.value()?;
                self.is_good_scalar(member, start)
            }
        };
        let span = Span::new(start, self.scanner.at());
        self.envelope.set(row.slot, span, is_plain);
        if !is_good {
            self.note(ErrorKind::Invalid(member), span);
        }
        Ok(())
    }

    /// Whether the value from `start` to here may be that of `jsonrpc` or `id`. No other top-level member that comes
    /// here may have its value, but for a `null` that counts as absent.
    #[inline(always)]
    fn is_good_scalar(&mut self, member: Member, start: usize) -> bool {
        let raw = self.frame.get(start..self.scanner.at()).unwrap_or(&[]);
        match member {
            Member::Jsonrpc => raw == b"\"2.0\"" || equals(raw, "2.0"),
            Member::Id => match raw {
                [b'"', ..] => true,
                b"null" => {
                    self.seen.0 |= Seen::NULL_ID;
                    true
                }
                _ => self.spoil_id(),
            },
            Member::Params if raw == b"null" && self.lenient => {
                self.seen.0 |= Seen::NULL_PARAMS;
                true
            }
            Member::Error if raw == b"null" && self.lenient => {
                self.seen.0 |= Seen::NULL_ERROR;
                true
            }
            _ => false,
        }
    }

    /// Whether an id with a fraction or an exponent, from `start` to here, passes all the same.
    #[cold]
    fn is_integral_id(&mut self, start: usize) -> bool {
        let raw = self.frame.get(start..self.scanner.at()).unwrap_or(&[]);
        let is_integral = core::str::from_utf8(raw).is_ok_and(number::is_integral);
        (self.lenient && is_integral) || self.spoil_id()
    }

    #[cold]
    fn spoil_id(&mut self) -> bool {
        self.seen.0 |= Seen::BAD_ID;
        false
    }

    fn params(&mut self) -> Result<(), SyntaxError> {
        self.section(Level::Params)
    }

    fn result(&mut self) -> Result<(), SyntaxError> {
        self.section(Level::Result)
    }

    fn error(&mut self) -> Result<(), SyntaxError> {
        self.section(Level::Error)
    }

    /// `params`, `result` or `error`; each has code of its own, so that its level is known there.
    #[inline(always)]
    fn section(&mut self, level: Level) -> Result<(), SyntaxError> {
        // `params` beside a result or an error mean nothing, but are held to the same rules.
        let is_noted = match level {
            Level::Params => !self.seen.has(Member::Result) && !self.seen.has(Member::Error),
            _ => true,
        };
        if level != Level::Params && self.seen.has(Member::Params) {
            self.envelope.forget_inner();
        }
        self.scanner.enter()?;
        let mut follows = self.scanner.has_member();
        let mut names = 0;
        while follows {
            let name = self.scanner.name()?;
            match level.find(&name) {
                Some(row) if self.is_first(row, &name, &mut names) => {
                    let start = self.scanner.at();
                    let is_meta = matches!(row.member, Member::ParamsMeta | Member::ResultMeta);
                    let (value, is_plain) = if is_meta && self.scanner.peek() == b'{' {
                        self.meta(is_noted)?;
                        (Type::Object, false)
                    } else {
                        self.typed_value()?
                    };
                    let span = Span::new(start, self.scanner.at());
                    if is_noted {
                        self.envelope.types.set(row.number, value);
                        self.envelope.set(row.slot, span, is_plain);
                    }
                    if level == Level::Error {
                        self.check_error_member(row.member, span);
                    }
                }
                _ => self.scanner.value()?,
            }
            follows = self.scanner.has_next_member()?;
        }
        Ok(())
    }

    /// `_meta` of `params` or `result`.
    fn meta(&mut self, is_noted: bool) -> Result<(), SyntaxError> {
        self.scanner.enter()?;
        let mut follows = self.scanner.has_member();
        let mut names = 0;
        while follows {
            let name = self.scanner.name()?;
            let row = Level::Meta
                .find(&name)
                .filter(|row| self.is_first(row, &name, &mut names));
            let start = self.scanner.at();
            let Some(row) = row else {
                self.scanner.value()?;
                follows = self.scanner.has_next_member()?;
                continue;
            };
            let is_info = matches!(row.member, Member::ClientInfo | Member::ServerInfo);
            let (is_plain, is_implementation) = match is_info && self.scanner.peek() == b'{' {
                true => (false, self.implementation()?),
                false => (self.typed_value()?.1, false),
            };
            if is_noted {
                let span = Span::new(start, self.scanner.at());
                self.envelope.set(row.slot, span, is_plain);
                match row.member {
                    Member::ClientInfo => self.envelope.has_client = is_implementation,
                    Member::ServerInfo => self.envelope.has_server = is_implementation,
                    _ => {}
                }
            }
            follows = self.scanner.has_next_member()?;
        }
        Ok(())
    }

    /// An object; whether it has the strings `name` and `version`.
    fn implementation(&mut self) -> Result<bool, SyntaxError> {
        let (mut name, mut version) = (false, false);
        self.scanner.enter()?;
        let mut follows = self.scanner.has_member();
        while follows {
            let found = self.scanner.name()?;
            let is_string = self.scanner.peek() == b'"';
            if found.is("name") {
                name = is_string;
            } else if found.is("version") {
                version = is_string;
            }
            self.scanner.value()?;
            follows = self.scanner.has_next_member()?;
        }
        Ok(name && version)
    }

    /// Checks the value that stands here and goes behind it; what it is, and whether it is a string without an escape.
    #[inline(always)]
    fn typed_value(&mut self) -> Result<(Type, bool), SyntaxError> {
        match self.scanner.peek() {
            b'-' | b'0'..=b'9' => match self.scanner.number()? {
                true => Ok((Type::Integer, false)),
                false => Ok((Type::Number, false)),
            },
            b'"' => {
                let end = self.scanner.string()?;
                match end.is_text() {
                    true => Ok((Type::String, !end.is_escaped())),
                    false => Ok((Type::NoText, false)),
                }
            }
            first => {
                self.scanner.value()?;
                Ok((Type::of(first), false))
            }
        }
    }

    #[cold]
    fn check_error_member(&mut self, member: Member, span: Span) {
        self.seen.0 |= match member {
            Member::ErrorCode => Seen::ERROR_CODE,
            Member::ErrorMessage => Seen::ERROR_MESSAGE,
            _ => 0,
        };
        let raw = self.frame.get(span.range()).unwrap_or(&[]);
        let is_good = match member {
            // The longest is i64::MIN; no fraction and no exponent parses.
            Member::ErrorCode if raw.len() <= 20 => {
                core::str::from_utf8(raw).is_ok_and(|raw| raw.parse::<i64>().is_ok())
            }
            Member::ErrorCode => false,
            Member::ErrorMessage => raw.starts_with(b"\""),
            _ => true,
        };
        if !is_good {
            self.note(ErrorKind::Invalid(member), span);
        }
    }

    /// Notes among the names of one object that the member is there. Not if it was before, and decides something: that
    /// is a fault.
    #[inline(always)]
    fn is_first(&mut self, row: &Row, name: &Name<'_>, names: &mut u32) -> bool {
        let bit = 1 << row.number;
        if *names & bit != 0 && row.is_unique {
            self.note_duplicate(row.member, name);
            return false;
        }
        *names |= bit;
        true
    }

    #[cold]
    fn note_duplicate(&mut self, member: Member, name: &Name<'_>) {
        if member == Member::Id {
            self.spoil_id();
        }
        self.note(ErrorKind::Duplicate(member), Span::new(name.at, name.end()));
    }

    #[cold]
    fn note(&mut self, kind: ErrorKind, span: Span) {
        if self.fault.is_none() {
            self.fault = Some((kind, span));
        }
    }

    /// The kind of the message, if nothing speaks against it. `None` leaves it to the slow path to say what does.
    #[inline(always)]
    fn kind(&self) -> Option<Kind> {
        const REQUEST: u32 = Seen::JSONRPC | Seen::METHOD | Seen::ID;
        const NOTIFICATION: u32 = Seen::JSONRPC | Seen::METHOD;
        const RESULT: u32 = Seen::JSONRPC | Seen::RESULT | Seen::ID;
        const WHOLE_ERROR: u32 = Seen::ERROR | Seen::ERROR_CODE | Seen::ERROR_MESSAGE;
        const ERROR: u32 = Seen::JSONRPC | WHOLE_ERROR;
        const ALL: u32 = REQUEST | RESULT | ERROR | Seen::NULL_ID;
        if self.fault.is_some() {
            return None;
        }
        let mut seen = self.seen.0;
        if seen & Seen::NULL_ERROR != 0 && seen & Seen::RESULT != 0 {
            seen &= !Seen::ERROR;
        }
        match seen & ALL {
            REQUEST => Some(Kind::Request),
            NOTIFICATION => Some(Kind::Notification),
            RESULT => Some(Kind::Result),
            x if x & !(Seen::ID | Seen::NULL_ID) == ERROR => Some(Kind::Error),
            _ => None,
        }
    }

    /// The error for a text that is no JSON or too deep. Too deep ends the reading, as nothing of the message does; so a
    /// fault of the message that stands before it is the first.
    #[cold]
    fn refuse_text(&self, error: SyntaxError) -> Error {
        let mut refused = Error::syntax(error);
        if error.kind() == SyntaxErrorKind::TooDeep {
            if let Some((kind, span)) = self.fault {
                refused.kind = kind;
                refused.fault = span;
            }
            refused.id = self.id_to_echo();
            refused.method = self.method();
            refused.shape = match self.shape() {
                // The id may stand behind the fault.
                Shape::Notification => Shape::Unknown,
                shape => shape,
            };
        }
        refused
    }

    /// The error for a message that was read to its end: its first fault. `end` is the index of its closing brace.
    #[cold]
    fn refuse_message(&self, end: usize) -> Error {
        let end = Span::new(end, end);
        let mut first = self.fault;
        let mut consider = |kind, span: Span| {
            if first.is_none_or(|(_, earliest)| span.start < earliest.start) {
                first = Some((kind, span));
            }
        };
        let has = |member| self.seen.has(member);
        let span = |member| self.envelope.get(member);
        let kinds = [Member::Method, Member::Result, Member::Error];
        for (i, &a) in kinds.iter().enumerate() {
            for &b in kinds.iter().skip(i + 1).filter(|&&b| has(a) && has(b)) {
                let (earlier, later) = match span(a).start < span(b).start {
                    true => (a, b),
                    false => (b, a),
                };
                consider(ErrorKind::Conflict(earlier, later), span(later));
            }
        }
        if self.seen.0 & Seen::NULL_ERROR != 0 && has(Member::Error) {
            consider(ErrorKind::Invalid(Member::Error), span(Member::Error));
        }
        let is_error = has(Member::Error) && !has(Member::Method) && !has(Member::Result);
        if self.seen.0 & Seen::NULL_ID != 0 && !is_error {
            consider(ErrorKind::Invalid(Member::Id), span(Member::Id));
        }
        let is_object = self.seen.0 & Seen::NULL_ERROR == 0;
        if has(Member::Error) && is_object {
            let error_end = span(Member::Error).end.saturating_sub(1);
            for (member, bit) in [
                (Member::ErrorCode, Seen::ERROR_CODE),
                (Member::ErrorMessage, Seen::ERROR_MESSAGE),
            ] {
                if self.seen.0 & bit == 0 {
                    let at = error_end as usize;
                    consider(ErrorKind::Missing(member), Span::new(at, at));
                }
            }
        }
        if !has(Member::Jsonrpc) {
            consider(ErrorKind::Missing(Member::Jsonrpc), end);
        }
        if !kinds.into_iter().any(has) {
            consider(ErrorKind::NoKind, end);
        }
        if has(Member::Result) && !has(Member::Id) {
            consider(ErrorKind::Missing(Member::Id), end);
        }
        let (kind, fault) = first.unwrap_or((ErrorKind::NoKind, end));
        Error {
            kind,
            shape: self.shape(),
            fault,
            id: self.id_to_echo(),
            method: self.method(),
        }
    }

    fn shape(&self) -> Shape {
        let has = |member| self.seen.has(member);
        match (has(Member::Method), has(Member::Id)) {
            (true, true) => Shape::Request,
            // Without a method that is a string it is no notification, but a request that can't be one.
            (true, false) if self.has_string_method() => Shape::Notification,
            (true, false) => Shape::Unknown,
            _ if has(Member::Result) || has(Member::Error) => Shape::Response,
            _ => Shape::Unknown,
        }
    }

    fn id_to_echo(&self) -> Span {
        match self.seen.0 & (Seen::NULL_ID | Seen::BAD_ID) {
            0 => self.envelope.get(Member::Id),
            _ => Span::default(),
        }
    }

    fn method(&self) -> Span {
        self.envelope.get(Member::Method)
    }

    fn has_string_method(&self) -> bool {
        let start = self.method().start as usize;
        self.frame.get(start) == Some(&b'"')
    }
}

/// Whether the token is a string of this text.
#[cold]
fn equals(raw: &[u8], text: &str) -> bool {
    raw.starts_with(b"\"")
        && core::str::from_utf8(raw).is_ok_and(|raw| JsonStr::from_checked(raw) == text)
}

/// The error for a frame whose first token begins no object: of its JSON, if that is bad.
#[cold]
fn not_an_object(mut scanner: Scanner<'_>, first: u8) -> Error {
    let start = scanner.at();
    let checked = scanner.value();
    let end = scanner.at();
    match checked.and_then(|()| scanner.finish()) {
        Err(error) => Error::syntax(error),
        Ok(_) if first == b'[' => Error::of_frame(ErrorKind::Batch, start, end),
        Ok(_) => Error::of_frame(ErrorKind::NotObject, start, end),
    }
}
