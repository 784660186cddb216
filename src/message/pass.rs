//! The one pass over a message: its kind, and where everything stands that the vocabulary knows.
//!
//! One loop for each level that matters, `top`, `section` and `meta`; all below goes through the scanner's own loop.
//! Faults of the JSON text end the pass. Faults of the message don't: it is read to its end, so that the id is known
//! wherever it stands, and of all its faults the first in byte order is reported.

use super::envelope::{Envelope, Kind};
use super::policy::Policy;
use super::types::Type;
use super::verdict::Judge;
use crate::error::{Error, ErrorKind, Shape, Span};
use crate::json::scan::Scanner;
use crate::json::{RawJson, SyntaxError, number};
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
            envelope: self,
            judge: Judge::new(policy.lenient),
        };
        match pass.scanner.token() {
            b'{' => {}
            first => return Err(not_an_object(pass.scanner, first)),
        }
        let (end, text) = match pass.top() {
            Ok(found) => found,
            Err(error) => return Err(pass.named().refuse_text(self, error)),
        };
        let Some(kind) = pass.judge.kind() else {
            return Err(pass.named().refuse_message(self, end));
        };
        let judge = pass.judge;
        judge.settle(self, kind);
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
            envelope: self,
            judge: Judge::new(false),
        };
        let read = pass.section(level).and_then(|()| pass.scanner.finish());
        read.map_err(|error| Error {
            shape,
            ..Error::syntax(error)
        })?;
        if let Some((kind, span)) = pass.judge.fault {
            return Err(refused(kind, span));
        }
        self.kind = kind;
        self.set(member.slot(), whole, false);
        Ok(())
    }
}

struct Pass<'a, 'e> {
    frame: &'a [u8],
    scanner: Scanner<'a>,
    envelope: &'e mut Envelope,
    judge: Judge,
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
                Some(row) if self.judge.is_first(row, &name, &mut names) => {
                    self.judge.seen.0 |= 1 << row.number;
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
            self.judge.note(ErrorKind::Invalid(member), span);
        }
        Ok(())
    }

    #[inline(always)]
    fn is_good_scalar(&mut self, member: Member, start: usize) -> bool {
        let raw = self.frame.get(start..self.scanner.at()).unwrap_or(&[]);
        self.judge.is_good_scalar(member, raw)
    }

    /// Whether an id with a fraction or an exponent, from `start` to here, passes all the same.
    #[cold]
    fn is_integral_id(&mut self, start: usize) -> bool {
        let raw = self.frame.get(start..self.scanner.at()).unwrap_or(&[]);
        let is_integral = core::str::from_utf8(raw).is_ok_and(number::is_integral);
        self.judge.is_good_number(is_integral)
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
            Level::Params => {
                !self.judge.seen.has(Member::Result) && !self.judge.seen.has(Member::Error)
            }
            _ => true,
        };
        if level != Level::Params && self.judge.seen.has(Member::Params) {
            self.envelope.forget_inner();
        }
        self.scanner.enter()?;
        let mut follows = self.scanner.has_member();
        let mut names = 0;
        while follows {
            let name = self.scanner.name()?;
            match level.find(&name) {
                Some(row) if self.judge.is_first(row, &name, &mut names) => {
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
                        let raw = self.frame.get(span.range()).unwrap_or(&[]);
                        self.judge.check_error_member(row.member, raw, span);
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
                .filter(|row| self.judge.is_first(row, &name, &mut names));
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

    /// The judge, told before a refusal whether the method is a string.
    #[cold]
    fn named(&self) -> Judge {
        let start = self.envelope.get(Member::Method).start as usize;
        Judge {
            is_named: self.frame.get(start) == Some(&b'"'),
            ..self.judge
        }
    }
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
