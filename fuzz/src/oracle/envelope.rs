//! What a message is, or why it is none: the Decisions of `DESIGN.md`, one after the other, over a list of members.
//!
//! All faults of a message are collected, with the byte of each; the library has to report one of the first.

use super::grammar::{self, Fault};
use super::names::{self, Names};
use super::{number, tree};
use rpcslice::{ErrorKind, Kind, Limits, Member, Shape};
use std::ops::Range;

/// A fault, and where it stands.
type Found = (Range<usize>, ErrorKind);

/// What the library has to say of a frame.
#[derive(Clone, Debug)]
pub enum Verdict {
    Accept(Accepted),
    Refuse(Refused),
}

#[derive(Clone, Debug)]
pub struct Accepted {
    pub kind: Kind,
    pub slots: Slots,
}

#[derive(Clone, Debug)]
pub struct Refused {
    pub why: Why,
    pub offset: usize,
    pub shape: Shape,
    pub id: Option<Range<usize>>,
    pub method: Option<Range<usize>>,
}

#[derive(Clone, Debug)]
pub enum Why {
    /// The bytes are no JSON: -32700.
    Syntax,
    /// One of these, which all stand at the same byte: -32600.
    OneOf(Vec<ErrorKind>),
}

/// Where the value of each member that is there stands.
#[derive(Clone, Debug, Default)]
pub struct Slots(Vec<(Member, Range<usize>)>);

impl Slots {
    pub fn get(&self, member: Member) -> Option<Range<usize>> {
        let (_, at) = self.0.iter().find(|(m, _)| *m == member)?;
        Some(at.clone())
    }

    pub fn has(&self, member: Member) -> bool {
        self.get(member).is_some()
    }

    /// Some bit for each member that is there.
    pub fn bits(&self) -> u64 {
        let bit = |member: &Member| 1 << (*member as u64 % 60);
        self.0
            .iter()
            .fold(0, |bits, (member, _)| bits | bit(member))
    }

    fn set(&mut self, member: Member, at: Range<usize>) {
        self.remove(member);
        self.0.push((member, at));
    }

    fn remove(&mut self, member: Member) {
        self.0.retain(|(m, _)| *m != member);
    }
}

pub fn judge(frame: &[u8], limits: &Limits, lenient: bool) -> Verdict {
    let limit = limits.max_frame_bytes();
    if frame.len() > limit {
        return nothing(Why::OneOf(vec![ErrorKind::FrameTooLong]), limit);
    }
    let depth = limits.max_depth();
    let fault = grammar::fault(frame, depth);
    let deep = grammar::first_too_deep(frame, depth);
    if let Some(at) = deep {
        return judge_deep(frame, at, fault, depth, lenient);
    }
    let text = std::str::from_utf8(frame).ok();
    let root = text.and_then(|text| Some((text, tree::root(text)?)));
    let Some((text, root)) = root else {
        let Some(Fault::Syntax(at)) = fault else {
            panic!("the oracles differ: serde_json refuses, the grammar says {fault:?}");
        };
        return nothing(Why::Syntax, at);
    };
    assert_eq!(fault, None, "the oracles differ: serde_json accepts");
    match frame[root.start] {
        b'{' => {}
        b'[' => return nothing(Why::OneOf(vec![ErrorKind::Batch]), root.start),
        _ => return nothing(Why::OneOf(vec![ErrorKind::NotObject]), root.start),
    }
    let mut reading = Reading::of(text, &root, lenient);
    reading.conclude(root.end - 1);
    match reading.faults.iter().map(|(at, _)| at.start).min() {
        None => Verdict::Accept(reading.accepted()),
        Some(offset) => {
            let first = reading.faults.iter().filter(|(at, _)| at.start == offset);
            let kinds = first.map(|(_, kind)| *kind).collect();
            Verdict::Refuse(Refused {
                why: Why::OneOf(kinds),
                offset,
                shape: reading.shape(),
                id: reading.id_to_echo(),
                method: reading.method(),
            })
        }
    }
}

/// No JSON, or nothing of it may be trusted.
fn nothing(why: Why, offset: usize) -> Verdict {
    Verdict::Refuse(Refused {
        why,
        offset,
        shape: Shape::Unknown,
        id: None,
        method: None,
    })
}

/// A frame whose bracket `at` is one too many, if all before it is in order. "Over the nesting limit: the top-level id
/// if it stood before the fault." The first fault of the message, if one was whole before it, is what is reported.
fn judge_deep(
    frame: &[u8],
    at: usize,
    fault: Option<Fault>,
    depth: usize,
    lenient: bool,
) -> Verdict {
    let whole = grammar::completed(frame, at);
    let text = std::str::from_utf8(&whole).ok();
    let root = text.and_then(|text| Some((text, tree::root(text)?)));
    let Some((text, root)) = root else {
        let Some(Fault::Syntax(at)) = fault else {
            panic!("the oracles differ: serde_json refuses what is before {at}, not so {fault:?}");
        };
        return nothing(Why::Syntax, at);
    };
    assert_eq!(fault, Some(Fault::TooDeep(at)), "the oracles differ");
    assert_eq!(grammar::fault(&whole, depth + 1), None);
    if whole[root.start] != b'{' {
        return nothing(Why::OneOf(vec![ErrorKind::TooDeep]), at);
    }
    let reading = Reading::of(text, &root, lenient);
    let is_met = |(place, kind): &&Found| {
        let is_of_a_value = matches!(kind, ErrorKind::Duplicate(_) | ErrorKind::Invalid(_));
        is_of_a_value && place.end <= at
    };
    let met = reading.faults.iter().filter(is_met);
    let (offset, kind) = match met.min_by_key(|(place, _)| place.start) {
        Some((place, kind)) => (place.start, *kind),
        None => (at, ErrorKind::TooDeep),
    };
    let before = |found: Option<Range<usize>>| found.filter(|range| range.end <= at);
    Verdict::Refuse(Refused {
        why: Why::OneOf(vec![kind]),
        offset,
        // An id may still follow.
        shape: match reading.shape() {
            Shape::Notification => Shape::Unknown,
            shape => shape,
        },
        id: before(reading.id_to_echo()),
        method: before(reading.method()),
    })
}

/// An object read as a message.
struct Reading<'a> {
    text: &'a str,
    lenient: bool,
    slots: Slots,
    faults: Vec<Found>,
    /// There are two, or it is of a wrong type.
    is_id_spoilt: bool,
}

impl<'a> Reading<'a> {
    fn of(text: &'a str, root: &Range<usize>, lenient: bool) -> Self {
        let mut reading = Self {
            text,
            lenient,
            slots: Slots::default(),
            faults: Vec::new(),
            is_id_spoilt: false,
        };
        let two_ids = |fault: &Found| fault.1 == ErrorKind::Duplicate(Member::Id);
        reading.collect(names::TOP, root);
        reading.is_id_spoilt = reading.faults.iter().any(two_ids);
        for (_, member) in names::TOP {
            if let Some(at) = reading.slots.get(*member) {
                reading.check(*member, at);
            }
        }
        reading
    }

    fn raw(&self, at: &Range<usize>) -> &'a str {
        &self.text[at.clone()]
    }

    /// The members of an object that are on the list. "Duplicate keys: rejected where they decide something": a second
    /// one is a fault at its name, and the first counts; elsewhere the last counts.
    fn collect(&mut self, names: &Names, object: &Range<usize>) {
        for found in tree::members(self.text, object).expect("an object") {
            let Some(member) = names::find(names, &found.name) else {
                continue;
            };
            if self.slots.has(member) && !names::LAST_COUNTS.contains(&member) {
                let duplicate = ErrorKind::Duplicate(member);
                self.faults.push((found.name_at, duplicate));
            } else {
                self.slots.set(member, found.value);
            }
        }
    }

    fn check(&mut self, member: Member, at: Range<usize>) {
        let raw = self.raw(&at);
        let is_good = match member {
            Member::Jsonrpc => raw.starts_with('"') && tree::text(raw).as_deref() == Ok("2.0"),
            Member::Id => self.is_id(raw) || raw == "null",
            Member::Method => raw.starts_with('"') && tree::text(raw).is_ok(),
            Member::Params if raw == "null" && self.lenient => return self.slots.remove(member),
            Member::Error if raw == "null" && self.lenient => {
                // Beside a result it counts as absent. Else `conclude` has something to say.
                if self.slots.has(Member::Result) {
                    self.slots.remove(member);
                }
                return;
            }
            Member::Params | Member::Result | Member::Error => raw.starts_with('{'),
            _ => unreachable!("not at the top level"),
        };
        if !is_good {
            self.is_id_spoilt |= member == Member::Id;
            return self.faults.push((at, ErrorKind::Invalid(member)));
        }
        match member {
            Member::Params => self.check_inner(names::PARAMS, Member::ParamsMeta, &at),
            Member::Result => self.check_inner(names::RESULT, Member::ResultMeta, &at),
            Member::Error => self.check_error(&at),
            _ => {}
        }
    }

    /// "Lexical integers only, any number of digits [accepted if the value is integral]", or any string.
    fn is_id(&self, raw: &str) -> bool {
        match raw.as_bytes()[0] {
            b'"' => true,
            b'-' | b'0'..=b'9' if self.lenient => number::is_integral(raw),
            b'-' | b'0'..=b'9' => number::is_integer(raw),
            _ => false,
        }
    }

    /// `params` or `result`, and its `_meta`. The keys of a `_meta` are those of the message only if what it stands in
    /// is; `accepted` sorts that out, so they are kept apart here.
    fn check_inner(&mut self, names: &Names, meta: Member, at: &Range<usize>) {
        self.collect(names, at);
        let Some(meta) = self.slots.get(meta) else {
            return;
        };
        if self.raw(&meta).starts_with('{') {
            let mut alone = Reading {
                slots: Slots::default(),
                faults: Vec::new(),
                ..*self
            };
            alone.collect(names::META, &meta);
            self.faults.extend(alone.faults);
        }
    }

    /// "Error code: a lexical integer within i64; else rejected". The message is a string (JSON-RPC 2.0 section 5.1).
    fn check_error(&mut self, at: &Range<usize>) {
        self.collect(names::ERROR, at);
        for member in [Member::ErrorCode, Member::ErrorMessage] {
            let Some(value) = self.slots.get(member) else {
                let brace = at.end - 1..at.end;
                self.faults.push((brace, ErrorKind::Missing(member)));
                continue;
            };
            let raw = self.raw(&value);
            let is_good = match member {
                Member::ErrorCode => number::is_integer(raw) && raw.parse::<i64>().is_ok(),
                _ => raw.starts_with('"'),
            };
            if !is_good {
                let invalid = ErrorKind::Invalid(member);
                self.faults.push((value, invalid));
            }
        }
    }

    /// What can be said only of the message as a whole, whose closing brace is at `brace`.
    fn conclude(&mut self, brace: usize) {
        let brace = brace..brace + 1;
        let kinds = [Member::Method, Member::Result, Member::Error];
        let present: Vec<_> = kinds.into_iter().filter(|&m| self.slots.has(m)).collect();
        for &a in &present {
            for &b in &present {
                let (first, second) = (self.slots.get(a), self.slots.get(b));
                if let (Some(first), Some(second)) = (first, second) {
                    if first.start < second.start {
                        let conflict = ErrorKind::Conflict(a, b);
                        self.faults.push((second, conflict));
                    }
                }
            }
        }
        if present.is_empty() {
            self.faults.push((brace.clone(), ErrorKind::NoKind));
        }
        if !self.slots.has(Member::Jsonrpc) {
            let missing = ErrorKind::Missing(Member::Jsonrpc);
            self.faults.push((brace.clone(), missing));
        }
        if let Some(error) = self.slots.get(Member::Error) {
            if self.raw(&error) == "null" && self.lenient {
                let invalid = ErrorKind::Invalid(Member::Error);
                self.faults.push((error, invalid));
            }
        }
        match self.slots.get(Member::Id) {
            None if present.contains(&Member::Result) => {
                let missing = ErrorKind::Missing(Member::Id);
                self.faults.push((brace, missing));
            }
            // "Id in an error response absent or null: both read as no id."
            Some(id) if self.raw(&id) == "null" && present != [Member::Error] => {
                let invalid = ErrorKind::Invalid(Member::Id);
                self.faults.push((id, invalid));
            }
            _ => {}
        }
    }

    fn accepted(mut self) -> Accepted {
        let kind = if self.slots.has(Member::Method) {
            match self.slots.has(Member::Id) {
                true => Kind::Request,
                false => Kind::Notification,
            }
        } else if self.slots.has(Member::Result) {
            Kind::Result
        } else {
            Kind::Error
        };
        let meta = match kind {
            Kind::Request | Kind::Notification => Some(Member::ParamsMeta),
            Kind::Result => Some(Member::ResultMeta),
            Kind::Error => None,
        };
        if matches!(kind, Kind::Result | Kind::Error) {
            // `params` beside a result or an error is a member like any unknown one.
            self.slots.remove(Member::Params);
            for (_, member) in names::PARAMS {
                self.slots.remove(*member);
            }
        }
        let meta = meta.and_then(|meta| self.slots.get(meta));
        if let Some(meta) = meta.filter(|at| self.raw(at).starts_with('{')) {
            self.collect(names::META, &meta);
        }
        Accepted {
            kind,
            slots: self.slots,
        }
    }

    /// "A bad request; never a notification", where any id is there or the method is no string.
    fn shape(&self) -> Shape {
        match (self.slots.has(Member::Method), self.slots.has(Member::Id)) {
            (true, true) => Shape::Request,
            (true, false) if self.method().is_some() => Shape::Notification,
            (true, false) => Shape::Unknown,
            _ if self.slots.has(Member::Result) || self.slots.has(Member::Error) => Shape::Response,
            _ => Shape::Unknown,
        }
    }

    /// "None if the id is bad or there are two; after every other fault the id is given wherever it stands."
    fn id_to_echo(&self) -> Option<Range<usize>> {
        let id = self.slots.get(Member::Id)?;
        (!self.is_id_spoilt && self.raw(&id) != "null").then_some(id)
    }

    /// For logs: the first, if it is a string.
    fn method(&self) -> Option<Range<usize>> {
        let method = self.slots.get(Member::Method)?;
        self.raw(&method).starts_with('"').then_some(method)
    }
}
