//! The one pass over a message: its kind, and where everything stands that the vocabulary knows.
//!
//! One loop for each level that matters, `top`, `section` and `meta`; all below goes through the scanner's own loop.
//! Faults of the JSON text end the pass. Faults of the message don't: it is read to its end, so that the id is known
//! wherever it stands, and of all its faults the first in byte order is reported.

use super::envelope::{Envelope, Kind};
use super::policy::Policy;
use super::types::Type;
use super::verdict::{Judge, Seen};
use crate::error::{Error, ErrorKind, Shape, Span};
use crate::json::scan::Scanner;
use crate::json::simd::{Blocks, TokenBuffer};
use crate::json::steps::{Name, Scan};
use crate::json::tokens::{TokenScanner, Window};
use crate::json::{RawJson, number};
use crate::limits::Limits;
use crate::vocab::{Enters, Level, Member, Names, Row};

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
        #[cfg(feature = "__variants")]
        if let Some(variant) = crate::__variants::Variant::forced() {
            return match (variant, variant.blocks(frame.len())) {
                (crate::__variants::Variant::Plain, _) if is_too_long(frame, limits).is_none() => {
                    self.read_exactly::<false>(frame, limits, policy)
                }
                (_, blocks) => self.read_like(blocks, frame, limits, policy),
            };
        }
        self.read_like(Blocks::chosen(frame.len()), frame, limits, policy)
    }

    /// The same, with tokens that are found like this, or by the exact scanner.
    #[inline(always)]
    pub(super) fn read_like<'a>(
        &mut self,
        blocks: Option<Blocks>,
        frame: &'a [u8],
        limits: &Limits,
        policy: &Policy,
    ) -> Result<&'a str, Error> {
        if let Some(error) = is_too_long(frame, limits) {
            return Err(error);
        }
        match blocks {
            Some(blocks) => self.read_by(blocks, frame, limits, policy),
            None => self.read_exactly::<true>(frame, limits, policy),
        }
    }

    /// The same by tokens, which are found with these instructions.
    #[inline(never)]
    fn read_by<'a>(
        &mut self,
        blocks: Blocks,
        frame: &'a [u8],
        limits: &Limits,
        policy: &Policy,
    ) -> Result<&'a str, Error> {
        let mut tokens = TokenBuffer::new();
        let mut window = Window::new(frame, blocks, &mut tokens);
        window.fill();
        let scanner = TokenScanner::new(&mut window, limits.max_depth());
        if scanner.peek() == b'{' {
            let mut pass = Pass::new(frame, policy.lenient, self);
            if let Ok((end, text)) = pass.top(scanner) {
                return pass.judge(end, text);
            }
            *self = Self::EMPTY;
        }
        self.read_exactly::<true>(frame, limits, policy)
    }

    /// Whether tokens alone get to the end of the message.
    #[cfg(feature = "__variants")]
    pub(super) fn is_read_by(
        blocks: Blocks,
        frame: &[u8],
        limits: &Limits,
        policy: &Policy,
    ) -> bool {
        let mut tokens = TokenBuffer::new();
        let mut window = Window::new(frame, blocks, &mut tokens);
        window.fill();
        let scanner = TokenScanner::new(&mut window, limits.max_depth());
        let mut envelope = Self::EMPTY;
        scanner.peek() == b'{'
            && Pass::new(frame, policy.lenient, &mut envelope)
                .top(scanner)
                .is_ok()
    }

    /// The same by the exact scanner.
    #[inline(never)]
    fn read_exactly<'a, const VECTORS: bool>(
        &mut self,
        frame: &'a [u8],
        limits: &Limits,
        policy: &Policy,
    ) -> Result<&'a str, Error> {
        let mut scanner: Scanner<'_, VECTORS> =
            Scanner::new(frame, limits.max_depth()).map_err(Error::syntax)?;
        match scanner.token() {
            b'{' => {}
            first => return Err(not_an_object(scanner, first)),
        }
        let mut pass = Pass::new(frame, policy.lenient, self);
        match pass.top(scanner) {
            Ok((end, text)) => pass.judge(end, text),
            Err(error) => Err(pass.told().refuse_text(pass.envelope, error)),
        }
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
        let scanner: Scanner<'_> = Scanner::new(frame, depth).map_err(Error::syntax)?;
        let mut pass = Pass::new(frame, false, self);
        let read = pass
            .walk(scanner, level)
            .and_then(|mut scanner| scanner.finish());
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

/// An object whose members are being looked at.
#[derive(Clone, Copy)]
struct Object {
    names: &'static Names,
    /// One bit for each member met.
    met: u32,
    /// Whether what is in it is kept.
    is_noted: bool,
}

impl Object {
    #[inline(always)]
    fn of(level: Level, is_noted: bool) -> Self {
        Self {
            names: level.names(),
            met: 0,
            is_noted,
        }
    }
}

/// Where one stands in the object around another: at the value of this row.
#[derive(Clone, Copy)]
struct Outer {
    object: Object,
    row: &'static Row,
    start: usize,
}

/// The message and its `params`, `result` or `error`, around `_meta`.
const MOST_OUTER: usize = 2;

const VERSION: &[u8; 15] = br#""jsonrpc":"2.0""#;

struct Pass<'a, 'e, S> {
    frame: &'a [u8],
    envelope: &'e mut Envelope,
    judge: Judge,
    by: core::marker::PhantomData<S>,
}

impl<'a, 'e, S: Scan<'a>> Pass<'a, 'e, S> {
    #[inline(always)]
    fn new(frame: &'a [u8], lenient: bool, envelope: &'e mut Envelope) -> Self {
        Self {
            by: core::marker::PhantomData,
            frame,
            envelope,
            judge: Judge::new(lenient),
        }
    }

    /// What is said of a text that is good: of which kind the message is, or its first fault. `end` is the index of its
    /// closing brace.
    #[inline(always)]
    fn judge(&mut self, end: usize, text: &'a str) -> Result<&'a str, Error> {
        let Some(kind) = self.judge.kind() else {
            return Err(self.told().refuse_message(self.envelope, end));
        };
        self.judge.settle(self.envelope, kind);
        Ok(text)
    }

    /// The message itself, to the end of the frame. Gives the index of its closing brace, and the frame as a string.
    #[inline(always)]
    fn top(&mut self, scan: S) -> Result<(usize, &'a str), S::Fault> {
        let mut scan = self.walk(scan, Level::Top)?;
        let end = scan.end() - 1;
        Ok((end, scan.finish()?))
    }

    /// An object of this level, and those in it that matter: one loop for all of them, which remembers where it came from.
    /// What is below goes through the scanner's own loop.
    #[inline(always)]
    fn walk(&mut self, scan: S, level: Level) -> Result<S, S::Fault> {
        let mut scan = scan.in_registers();
        let mut object = Object::of(level, true);
        let mut outer = [None; MOST_OUTER];
        let mut depth = 0;
        scan.enter()?;
        let mut follows = scan.has_member()?;
        loop {
            while follows {
                // Nearly every message has this member to the letter.
                if object.names.of_top & !object.met & Seen::JSONRPC != 0 && scan.passes(VERSION) {
                    object.met |= Seen::JSONRPC;
                    self.judge.seen.0 |= Seen::JSONRPC;
                    follows = scan.has_next_member()?;
                    continue;
                }
                let name = scan.name()?;
                let mut row = object.names.find(&name);
                if row.is_none() && scan.may_be_escaped(&name) {
                    row = object.names.find_escaped(name.raw());
                }
                match row {
                    Some(row) if self.is_first(row, &name, &mut object) => {
                        let start = scan.start();
                        if !row.is_entered || scan.peek() != b'{' {
                            let value = typed_value(&mut scan)?;
                            self.keep(row, start, scan.end(), value, object.is_noted);
                        } else if let (Enters::Level(level), Some(place)) =
                            (row.enters, outer.get_mut(depth))
                        {
                            *place = Some(Outer { object, row, start });
                            depth += 1;
                            object = self.begin(level, object);
                            scan.enter()?;
                            follows = scan.has_member()?;
                            continue;
                        } else {
                            let is_implementation = implementation(&mut scan)?;
                            if object.is_noted {
                                self.envelope
                                    .set_implementation(row.member, is_implementation);
                            }
                            self.keep(
                                row,
                                start,
                                scan.end(),
                                (Type::Object, false),
                                object.is_noted,
                            );
                        }
                    }
                    _ => scan.value()?,
                }
                follows = scan.has_next_member()?;
            }
            // Behind the end of an object.
            let around = depth
                .checked_sub(1)
                .and_then(|depth| outer.get(depth).copied().flatten());
            let Some(Outer {
                object: around,
                row,
                start,
            }) = around
            else {
                self.judge.seen.0 |= object.met & object.names.of_top;
                return Ok(scan);
            };
            depth -= 1;
            object = around;
            let value = (Type::Object, false);
            self.keep(row, start, scan.end(), value, object.is_noted);
            follows = scan.has_next_member()?;
        }
    }

    /// Before a section or a `_meta` is entered.
    #[inline(always)]
    fn begin(&mut self, level: Level, around: Object) -> Object {
        self.judge.seen.0 |= around.met & around.names.of_top;
        let is_noted = match level {
            // `params` beside a result or an error mean nothing, but are held to the same rules.
            Level::Params => {
                !self.judge.seen.has(Member::Result) && !self.judge.seen.has(Member::Error)
            }
            Level::Result | Level::Error => {
                if self.judge.seen.has(Member::Params) {
                    self.envelope.forget_inner();
                }
                true
            }
            _ => around.is_noted,
        };
        Object::of(level, is_noted)
    }

    /// Notes a member's value.
    #[inline(always)]
    fn keep(
        &mut self,
        row: &Row,
        start: usize,
        end: usize,
        (value, is_plain): (Type, bool),
        is_noted: bool,
    ) {
        let span = Span::new(start, end);
        if is_noted {
            self.envelope.types.set(row.type_place, value);
            self.envelope.set(row.slot, span, is_plain);
        }
        if row.types & value.bit() == 0 {
            self.check_value(row.member, span, value);
        }
    }

    fn check_value(&mut self, member: Member, span: Span, value: Type) {
        let raw = self.frame.get(span.range()).unwrap_or(&[]);
        let is_integral = || core::str::from_utf8(raw).is_ok_and(number::is_integral);
        self.judge
            .check_value(member, raw, span, value, is_integral);
    }

    /// Notes that the member is there. Not if it was before, and decides something: that is a fault.
    #[inline(always)]
    fn is_first(&mut self, row: &Row, name: &Name<'_>, object: &mut Object) -> bool {
        let bit = 1 << row.number;
        if object.met & bit != 0 {
            let name = Span::new(name.at, name.end);
            let envelope = &mut *self.envelope;
            if !self
                .judge
                .is_good_duplicate(envelope, row, name, object.is_noted)
            {
                return false;
            }
        }
        object.met |= bit;
        if S::IS_EXACT {
            self.judge.seen.0 |= bit & object.names.of_top;
        }
        true
    }

    /// The judge, told before a refusal whether the method is a string.
    #[cold]
    fn told(&self) -> Judge {
        let start = self.envelope.get(Member::Method).start as usize;
        Judge {
            is_named: self.frame.get(start) == Some(&b'"'),
            ..self.judge
        }
    }
}

/// An object; whether it has the strings `name` and `version`.
#[inline(always)]
fn implementation<'a, S: Scan<'a>>(scan: &mut S) -> Result<bool, S::Fault> {
    let (mut name, mut version) = (false, false);
    scan.enter()?;
    let mut follows = scan.has_member()?;
    while follows {
        let found = scan.name()?;
        let is_string = scan.peek() == b'"';
        let is = |name| found.is(name) || scan.may_be_escaped(&found) && found.unescapes_to(name);
        if is("name") {
            name = is_string;
        } else if is("version") {
            version = is_string;
        }
        scan.value()?;
        follows = scan.has_next_member()?;
    }
    Ok(name && version)
}

/// Checks the value that stands here and goes behind it; what it is, and whether it is a string without an escape.
#[inline(always)]
fn typed_value<'a, S: Scan<'a>>(scan: &mut S) -> Result<(Type, bool), S::Fault> {
    match scan.peek() {
        b'-' | b'0'..=b'9' => match scan.number()? {
            true => Ok((Type::Integer, false)),
            false => Ok((Type::Number, false)),
        },
        b'"' => {
            let end = scan.string()?;
            match end.is_text() {
                true => Ok((Type::String, !end.is_escaped())),
                false => Ok((Type::NoText, false)),
            }
        }
        first => {
            scan.value()?;
            Ok((Type::of(first), false))
        }
    }
}

#[inline(always)]
fn is_too_long(frame: &[u8], limits: &Limits) -> Option<Error> {
    let limit = limits.max_frame_bytes();
    (frame.len() > limit).then(|| Error::of_frame(ErrorKind::FrameTooLong, limit, limit))
}

/// The error for a frame whose first token begins no object: of its JSON, if that is bad.
#[cold]
fn not_an_object<const VECTORS: bool>(mut scanner: Scanner<'_, VECTORS>, first: u8) -> Error {
    let start = scanner.at();
    let checked = scanner.value();
    let end = scanner.at();
    match checked.and_then(|()| scanner.finish()) {
        Err(error) => Error::syntax(error),
        Ok(_) if first == b'[' => Error::of_frame(ErrorKind::Batch, start, end),
        Ok(_) => Error::of_frame(ErrorKind::NotObject, start, end),
    }
}
