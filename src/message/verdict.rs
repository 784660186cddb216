//! The verdict on a message: what of it has been met, and what that makes of it. The rules of JSON-RPC are here, for whoever
//! goes over a frame: the pass over a whole one, and the scan of one that comes in pieces.

use super::envelope::{Envelope, Kind};
use super::types::Type;
use crate::error::{Error, ErrorKind, Shape, Span};
use crate::json::{JsonStr, SyntaxError, SyntaxErrorKind};
use crate::vocab::{Member, Row};

/// One bit for each top-level member met, and a few for what else was met.
#[derive(Clone, Copy)]
pub(super) struct Seen(pub(super) u32);

impl Seen {
    pub(super) const JSONRPC: u32 = Self::bit(Member::Jsonrpc);
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
    pub(super) fn has(self, member: Member) -> bool {
        let absent = match member {
            Member::Params => Self::NULL_PARAMS,
            Member::Error if self.0 & Self::RESULT != 0 => Self::NULL_ERROR,
            _ => 0,
        };
        self.0 & Self::bit(member) != 0 && self.0 & absent == 0
    }
}

/// A fault of the message: what, and the piece of the frame.
pub(super) type Fault = (ErrorKind, Span);

/// What has been met of a message.
#[derive(Clone, Copy)]
pub(super) struct Judge {
    pub(super) lenient: bool,
    pub(super) seen: Seen,
    /// The first fault that was met on the way, which goes by byte order.
    pub(super) fault: Option<Fault>,
    /// The method is a string.
    pub(super) is_named: bool,
}

impl Judge {
    #[inline(always)]
    pub(super) const fn new(lenient: bool) -> Self {
        Self {
            lenient,
            seen: Seen(0),
            fault: None,
            is_named: false,
        }
    }

    /// A value that may be wrong: `jsonrpc`, `error.code` and `error.message` always, others if they have none of the types
    /// that they may have. `raw` is its token, where that is a scalar; `is_integral` is asked of a number.
    pub(super) fn check_value(
        &mut self,
        member: Member,
        raw: &[u8],
        span: Span,
        value: Type,
        is_integral: impl FnOnce() -> bool,
    ) {
        let is_good = match member {
            Member::Jsonrpc => raw == b"\"2.0\"" || equals(raw, "2.0"),
            Member::Id => self.is_good_id(value, is_integral),
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
    fn is_good_id(&mut self, value: Type, is_integral: impl FnOnce() -> bool) -> bool {
        match value {
            Type::Null => {
                self.seen.0 |= Seen::NULL_ID;
                true
            }
            Type::Number if self.lenient => is_integral() || self.spoil_id(),
            _ => self.spoil_id(),
        }
    }

    #[cold]
    fn spoil_id(&mut self) -> bool {
        self.seen.0 |= Seen::BAD_ID;
        false
    }

    /// Whether a second member, whose name stands at `name`, may take the place of the first.
    #[cold]
    pub(super) fn is_good_duplicate(
        &mut self,
        envelope: &mut Envelope,
        row: &Row,
        name: Span,
        is_noted: bool,
    ) -> bool {
        if !row.is_unique {
            if is_noted {
                envelope.clear(row);
            }
            return true;
        }
        if row.member == Member::Id {
            self.spoil_id();
        }
        self.note(ErrorKind::Duplicate(row.member), name);
        false
    }

    #[cold]
    pub(super) fn note(&mut self, kind: ErrorKind, span: Span) {
        if self.fault.is_none() {
            self.fault = Some((kind, span));
        }
    }

    /// The kind of the message, if nothing speaks against it. `None` leaves it to the slow path to say what does.
    #[inline(always)]
    pub(super) fn kind(&self) -> Option<Kind> {
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

    /// Ends a good message: its envelope gets the kind, and loses what is not the message's.
    #[inline(always)]
    pub(super) fn settle(&self, envelope: &mut Envelope, kind: Kind) {
        envelope.kind = kind;
        let has_null = self.seen.0 & (Seen::NULL_PARAMS | Seen::NULL_ERROR) != 0;
        if has_null || matches!(kind, Kind::Result | Kind::Error) {
            envelope.forget_top();
        }
    }

    /// The error for a text that is no JSON or too deep. Too deep ends the reading, as nothing of the message does; so a
    /// fault of the message that stands before it is the first.
    #[cold]
    pub(super) fn refuse_text(&self, envelope: &Envelope, error: SyntaxError) -> Error {
        let mut refused = Error::syntax(error);
        if error.kind() == SyntaxErrorKind::TooDeep {
            if let Some((kind, span)) = self.fault {
                refused.kind = kind;
                refused.fault = span;
            }
            refused.id = self.id_to_echo(envelope);
            refused.method = envelope.get(Member::Method);
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
    pub(super) fn refuse_message(&self, envelope: &Envelope, end: usize) -> Error {
        let end = Span::new(end, end);
        let mut first = self.fault;
        let mut consider = |kind, span: Span| {
            if first.is_none_or(|(_, earliest)| span.start < earliest.start) {
                first = Some((kind, span));
            }
        };
        let has = |member| self.seen.has(member);
        let span = |member| envelope.get(member);
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
            id: self.id_to_echo(envelope),
            method: envelope.get(Member::Method),
        }
    }

    fn shape(&self) -> Shape {
        let has = |member| self.seen.has(member);
        match (has(Member::Method), has(Member::Id)) {
            (true, true) => Shape::Request,
            // Without a method that is a string it is no notification, but a request that can't be one.
            (true, false) if self.is_named => Shape::Notification,
            (true, false) => Shape::Unknown,
            _ if has(Member::Result) || has(Member::Error) => Shape::Response,
            _ => Shape::Unknown,
        }
    }

    pub(super) fn id_to_echo(&self, envelope: &Envelope) -> Span {
        match self.seen.0 & (Seen::NULL_ID | Seen::BAD_ID) {
            0 => envelope.get(Member::Id),
            _ => Span::default(),
        }
    }
}

/// Whether the token is a string of this text.
#[cold]
fn equals(raw: &[u8], text: &str) -> bool {
    raw.starts_with(b"\"")
        && core::str::from_utf8(raw).is_ok_and(|raw| JsonStr::from_checked(raw) == text)
}
