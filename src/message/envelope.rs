//! The one pass over a message: its kind, and where everything stands that the vocabulary knows.
//!
//! One loop for each level that matters, `top`, `inner` and `meta`; all below goes through the scanner's own loop.
//! Faults of the JSON text end the pass. Faults of the message don't: it is read to its end, so that the id is known
//! wherever it stands, and of all its faults the first in byte order is reported.

use super::policy::Policy;
use crate::error::{Error, ErrorKind, Shape, Span};
use crate::json::scan::{Name, Scanner};
use crate::json::{JsonStr, SyntaxError, SyntaxErrorKind, number};
use crate::limits::Limits;
use crate::vocab::{Level, MEMBERS, Member};

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

/// What the pass found in a good message: its kind, and the span of every member of the vocabulary.
#[derive(Clone, Copy)]
pub(crate) struct Envelope {
    pub(crate) kind: Kind,
    spans: [Span; MEMBERS],
}

impl Envelope {
    /// To be filled by [`read`](Self::read).
    pub(crate) const EMPTY: Self = Self {
        kind: Kind::Notification,
        spans: [Span { start: 0, end: 0 }; MEMBERS],
    };

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
            return Err(Error::of_frame(ErrorKind::FrameTooLong, limit, frame.len()));
        }
        let mut pass = Pass {
            frame,
            scanner: Scanner::new(frame, limits.max_depth())?,
            lenient: policy.lenient,
            spans: &mut self.spans,
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
        let has_stray_params = pass.seen.has(Member::Params);
        self.kind = kind;
        if matches!(kind, Kind::Result | Kind::Error) && has_stray_params {
            self.forget(Level::PARAMS);
        }
        Ok(text)
    }

    /// Where the member's value stands; none if it isn't there, or means nothing in a message of this kind.
    #[inline(always)]
    pub(crate) fn span(&self, member: Member) -> Span {
        self.spans.get(member as usize).copied().unwrap_or_default()
    }

    /// `params` beside a result or an error is a member like any unknown one.
    #[cold]
    fn forget(&mut self, members: &[Member]) {
        for &member in members {
            set(&mut self.spans, member, Span::default());
        }
    }
}

#[inline(always)]
fn set(spans: &mut [Span; MEMBERS], member: Member, span: Span) {
    if let Some(slot) = spans.get_mut(member as usize) {
        *slot = span;
    }
}

/// One bit for each member met, and a few for what else was met.
#[derive(Clone, Copy)]
struct Seen(u32);

impl Seen {
    /// The id is `null`, which only an error response may have.
    const NULL_ID: u32 = 1 << 31;
    /// The id is there twice or has a wrong type: no answer can name it.
    const BAD_ID: u32 = 1 << 30;
    /// `params` or `error` is `null` and so, for the lenient policy, not there.
    const NULL_PARAMS: u32 = 1 << 29;
    const NULL_ERROR: u32 = 1 << 28;

    #[inline(always)]
    fn has(self, member: Member) -> bool {
        self.0 & member.bit() != 0
    }

    /// Whether the member is there and not a `null` that counts as absent.
    #[inline(always)]
    fn counts(self, member: Member) -> bool {
        let absent = match member {
            Member::Params => Self::NULL_PARAMS,
            Member::Error => Self::NULL_ERROR,
            _ => 0,
        };
        self.has(member) && self.0 & absent == 0
    }
}

/// A fault of the message: what, and the piece of the frame.
type Fault = (ErrorKind, Span);

struct Pass<'a, 'e> {
    frame: &'a [u8],
    scanner: Scanner<'a>,
    lenient: bool,
    spans: &'e mut [Span; MEMBERS],
    seen: Seen,
    /// The first fault that was met on the way, which goes by byte order.
    fault: Option<Fault>,
}

impl<'a> Pass<'a, '_> {
    /// The message itself, to the end of the frame. Gives the index of its closing brace, and the frame as a string.
    #[inline(always)]
    fn top(&mut self) -> Result<(usize, &'a str), SyntaxError> {
        self.scanner.enter()?;
        let mut next = self.scanner.first_name()?;
        while let Some(name) = next {
            match Level::Top.find(&name) {
                Some(member) if self.is_first(member, &name) => self.top_value(member)?,
                _ => self.scanner.value()?,
            }
            next = self.scanner.next_name()?;
        }
        let end = self.scanner.at() - 1;
        Ok((end, self.scanner.finish()?))
    }

    /// The value of a top-level member: walked, checked, noted.
    #[inline(always)]
    fn top_value(&mut self, member: Member) -> Result<(), SyntaxError> {
        let start = self.scanner.at();
        let first = self.scanner.peek();
        let is_good = match (member, first) {
            (Member::Params, b'{') => self.inner(Level::Params).map(|()| true)?,
            (Member::Result, b'{') => {
                self.forget_meta();
                self.inner(Level::Result).map(|()| true)?
            }
            (Member::Error, b'{') => {
                self.forget_meta();
                self.inner(Level::Error).map(|()| true)?
            }
            (Member::Method, b'"') => self.scanner.string()?,
            (Member::Id, b'-' | b'0'..=b'9') => {
                self.scanner.number()? || self.is_integral_id(start)
            }
            _ => {
                self.scanner.value()?;
                self.is_good_scalar(member, start)
            }
        };
        let span = Span::new(start, self.scanner.at());
        if self.seen.counts(member) {
            set(self.spans, member, span);
        }
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

    /// `params`, `result` or `error`.
    fn inner(&mut self, level: Level) -> Result<(), SyntaxError> {
        // What stands in `params` beside a result or an error means nothing, but is held to the same rules.
        let has_meta = level == Level::Result
            || (level == Level::Params
                && !self.seen.counts(Member::Result)
                && !self.seen.counts(Member::Error));
        self.scanner.enter()?;
        let mut next = self.scanner.first_name()?;
        while let Some(name) = next {
            match level.find(&name) {
                Some(member) if self.is_first(member, &name) => {
                    let start = self.scanner.at();
                    let is_meta = matches!(member, Member::ParamsMeta | Member::ResultMeta);
                    if is_meta && self.scanner.peek() == b'{' {
                        self.meta(has_meta)?;
                    } else {
                        self.scanner.value()?;
                    }
                    let span = Span::new(start, self.scanner.at());
                    set(self.spans, member, span);
                    if level == Level::Error {
                        self.check_error_member(member, span);
                    }
                }
                _ => self.scanner.value()?,
            }
            next = self.scanner.next_name()?;
        }
        Ok(())
    }

    /// `_meta` of `params` or `result`. Its keys are noted only if they are those of the message.
    fn meta(&mut self, is_noted: bool) -> Result<(), SyntaxError> {
        let outside = self.seen;
        self.scanner.enter()?;
        let mut next = self.scanner.first_name()?;
        while let Some(name) = next {
            let member = Level::Meta
                .find(&name)
                .filter(|&member| self.is_first(member, &name));
            let start = self.scanner.at();
            self.scanner.value()?;
            if let (Some(member), true) = (member, is_noted) {
                let span = Span::new(start, self.scanner.at());
                set(self.spans, member, span);
            }
            next = self.scanner.next_name()?;
        }
        // A message may have two of them, `params` being unknown in a response.
        self.seen = outside;
        Ok(())
    }

    /// Before a `result` or an `error`: what `params._meta` held before it isn't the message's.
    #[inline(always)]
    fn forget_meta(&mut self) {
        if self.seen.has(Member::ParamsMeta) {
            for &member in Level::META {
                set(self.spans, member, Span::default());
            }
        }
    }

    #[cold]
    fn check_error_member(&mut self, member: Member, span: Span) {
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

    /// Notes that the member is there. Not if it was before, and decides something: that is a fault.
    #[inline(always)]
    fn is_first(&mut self, member: Member, name: &Name<'_>) -> bool {
        if self.seen.has(member) && member.is_unique() {
            self.note_duplicate(member, name);
            return false;
        }
        self.seen.0 |= member.bit();
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
        const BASE: u32 = Member::Jsonrpc.bit();
        const ID: u32 = Member::Id.bit();
        const METHOD: u32 = Member::Method.bit();
        const RESULT: u32 = Member::Result.bit();
        const ERROR: u32 =
            Member::Error.bit() | Member::ErrorCode.bit() | Member::ErrorMessage.bit();
        const ALL: u32 = BASE | ID | METHOD | RESULT | ERROR | Seen::NULL_ID;
        if self.fault.is_some() {
            return None;
        }
        let mut seen = self.seen.0;
        if seen & Seen::NULL_ERROR != 0 {
            seen &= !ERROR;
        }
        match seen & ALL {
            x if x == BASE | ID | METHOD => Some(Kind::Request),
            x if x == BASE | METHOD => Some(Kind::Notification),
            x if x == BASE | ID | RESULT => Some(Kind::Result),
            x if x & !(ID | Seen::NULL_ID) == BASE | ERROR => Some(Kind::Error),
            _ => None,
        }
    }

    /// The error for a text that is no JSON or too deep.
    #[cold]
    fn refuse_text(&self, error: SyntaxError) -> Error {
        let mut refused = Error::syntax(error);
        if error.kind() == SyntaxErrorKind::TooDeep {
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
        let has = |member| self.seen.counts(member);
        let span = |member: Member| self.spans.get(member as usize).copied().unwrap_or_default();
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
        let is_error = has(Member::Error) && !has(Member::Method) && !has(Member::Result);
        if self.seen.0 & Seen::NULL_ID != 0 && !is_error {
            consider(ErrorKind::Invalid(Member::Id), span(Member::Id));
        }
        if has(Member::Error) {
            let error_end = span(Member::Error).end.saturating_sub(1);
            for member in [Member::ErrorCode, Member::ErrorMessage] {
                if !has(member) {
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
        let has = |member| self.seen.counts(member);
        match (has(Member::Method), has(Member::Id)) {
            (true, true) => Shape::Request,
            (true, false) => Shape::Notification,
            _ if has(Member::Result) || has(Member::Error) => Shape::Response,
            _ => Shape::Unknown,
        }
    }

    fn id_to_echo(&self) -> Span {
        if self.seen.0 & (Seen::NULL_ID | Seen::BAD_ID) != 0 {
            return Span::default();
        }
        self.spans
            .get(Member::Id as usize)
            .copied()
            .unwrap_or_default()
    }

    fn method(&self) -> Span {
        self.spans
            .get(Member::Method as usize)
            .copied()
            .unwrap_or_default()
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
