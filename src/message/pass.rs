//! The one pass over a message: its kind, and where everything stands that the vocabulary knows.
//!
//! One loop for each level that matters, `top`, `section` and `meta`; all below goes through the scanner's own loop.
//! Faults of the JSON text end the pass. Faults of the message don't: it is read to its end, so that the id is known
//! wherever it stands, and of all its faults the first in byte order is reported.

use super::envelope::{Envelope, Kind};
use super::policy::Policy;
use super::types::Type;
use crate::error::{Error, ErrorKind, Shape, Span};
use crate::json::scan::{Name, Scan, Scanner};
use crate::json::simd::{Blocks, TokenBuffer};
use crate::json::tokens::{TokenScanner, Window};
use crate::json::{JsonStr, RawJson, SyntaxError, SyntaxErrorKind, number};
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
            Err(error) => Err(pass.refuse_text(error)),
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
    lenient: bool,
    envelope: &'e mut Envelope,
    seen: Seen,
    /// The first fault that was met on the way, which goes by byte order.
    fault: Option<Fault>,
    by: core::marker::PhantomData<S>,
}

impl<'a, 'e, S: Scan<'a>> Pass<'a, 'e, S> {
    #[inline(always)]
    fn new(frame: &'a [u8], lenient: bool, envelope: &'e mut Envelope) -> Self {
        Self {
            by: core::marker::PhantomData,
            frame,
            lenient,
            envelope,
            seen: Seen(0),
            fault: None,
        }
    }

    /// What is said of a text that is good: of which kind the message is, or its first fault. `end` is the index of its
    /// closing brace.
    #[inline(always)]
    fn judge(&mut self, end: usize, text: &'a str) -> Result<&'a str, Error> {
        let Some(kind) = self.kind() else {
            return Err(self.refuse_message(end));
        };
        self.envelope.kind = kind;
        let has_null = self.seen.0 & (Seen::NULL_PARAMS | Seen::NULL_ERROR) != 0;
        if has_null || matches!(kind, Kind::Result | Kind::Error) {
            self.envelope.forget_top();
        }
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
                    self.seen.0 |= Seen::JSONRPC;
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
                self.seen.0 |= object.met & object.names.of_top;
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
        self.seen.0 |= around.met & around.names.of_top;
        let is_noted = match level {
            // `params` beside a result or an error mean nothing, but are held to the same rules.
            Level::Params => !self.seen.has(Member::Result) && !self.seen.has(Member::Error),
            Level::Result | Level::Error => {
                if self.seen.has(Member::Params) {
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

    /// A value that may be wrong: `jsonrpc`, `error.code` and `error.message` always, others if they have none of the types
    /// that they may have.
    fn check_value(&mut self, member: Member, span: Span, value: Type) {
        let raw = self.frame.get(span.range()).unwrap_or(&[]);
        let is_good = match member {
            Member::Jsonrpc => raw == b"\"2.0\"" || equals(raw, "2.0"),
            Member::Id => self.is_good_id(raw, value),
            Member::Params if value == Type::Null && self.lenient => {
                self.seen.0 |= Seen::NULL_PARAMS;
                true
            }
            Member::Error if value == Type::Null && self.lenient => {
                self.seen.0 |= Seen::NULL_ERROR;
                true
            }
            // The longest is i64::MIN; no fraction and no exponent parses.
            Member::ErrorCode => {
                self.seen.0 |= Seen::ERROR_CODE;
                raw.len() <= 20
                    && core::str::from_utf8(raw).is_ok_and(|raw| raw.parse::<i64>().is_ok())
            }
            Member::ErrorMessage => {
                self.seen.0 |= Seen::ERROR_MESSAGE;
                matches!(value, Type::String | Type::NoText)
            }
            _ => false,
        };
        if !is_good {
            self.note(ErrorKind::Invalid(member), span);
        }
    }

    /// Whether an id that is neither a string nor an integer to the letter passes all the same.
    #[cold]
    fn is_good_id(&mut self, raw: &[u8], value: Type) -> bool {
        match value {
            Type::Null => {
                self.seen.0 |= Seen::NULL_ID;
                true
            }
            Type::Number if self.lenient => {
                core::str::from_utf8(raw).is_ok_and(number::is_integral) || self.spoil_id()
            }
            _ => self.spoil_id(),
        }
    }

    #[cold]
    fn spoil_id(&mut self) -> bool {
        self.seen.0 |= Seen::BAD_ID;
        false
    }

    /// Notes that the member is there. Not if it was before, and decides something: that is a fault.
    #[inline(always)]
    fn is_first(&mut self, row: &Row, name: &Name<'_>, object: &mut Object) -> bool {
        let bit = 1 << row.number;
        if object.met & bit != 0 && !self.is_good_duplicate(row, name, object.is_noted) {
            return false;
        }
        object.met |= bit;
        if S::IS_EXACT {
            self.seen.0 |= bit & object.names.of_top;
        }
        true
    }

    /// Whether a second one may take the place of the first.
    #[cold]
    fn is_good_duplicate(&mut self, row: &Row, name: &Name<'_>, is_noted: bool) -> bool {
        if !row.is_unique {
            if is_noted {
                self.envelope.clear(row);
            }
            return true;
        }
        if row.member == Member::Id {
            self.spoil_id();
        }
        self.note(
            ErrorKind::Duplicate(row.member),
            Span::new(name.at, name.end),
        );
        false
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

/// Whether the token is a string of this text.
#[cold]
fn equals(raw: &[u8], text: &str) -> bool {
    raw.starts_with(b"\"")
        && core::str::from_utf8(raw).is_ok_and(|raw| JsonStr::from_checked(raw) == text)
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
