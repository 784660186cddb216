//! Errors about messages that parsing has found good.

use crate::error::{Error, ErrorKind, Shape, Span};
use crate::message::{Kind, Message};
use crate::vocab::{Level, Member};

/// The error for a fault in this piece of the message.
#[cold]
pub(crate) fn at(message: &Message<'_>, kind: ErrorKind, span: Span) -> Error {
    Error {
        kind,
        shape: match message.kind() {
            Kind::Request => Shape::Request,
            Kind::Notification => Shape::Notification,
            Kind::Result | Kind::Error => Shape::Response,
        },
        fault: span,
        id: match message.id() {
            Some(_) => message.span(Member::Id),
            None => Span::default(),
        },
        method: message.span(Member::Method),
    }
}

/// The error for the message as a whole; it stands at the member that makes it what it is.
#[cold]
pub(crate) fn of_message(message: &Message<'_>, kind: ErrorKind) -> Error {
    let member = match message.kind() {
        Kind::Request | Kind::Notification => Member::Method,
        Kind::Result => Member::Result,
        Kind::Error => Member::Error,
    };
    at(message, kind, message.span(member))
}

/// A member is there, and not what it has to be.
#[cold]
pub(crate) fn invalid(message: &Message<'_>, member: Member) -> Error {
    at(message, ErrorKind::Invalid(member), place(message, member))
}

/// A member is not there: the fault is at the brace that closes the innermost object around it that is there.
#[cold]
pub(super) fn missing(message: &Message<'_>, member: Member) -> Error {
    let around = match member.level() {
        Level::Meta => [Member::ParamsMeta, Member::Params].as_slice(),
        Level::Params => &[Member::Params],
        Level::Deeper => match member {
            Member::ClientInfoName | Member::ClientInfoVersion => &[Member::ParamsClientInfo],
            Member::RefType | Member::RefName | Member::RefUri => &[Member::Ref],
            _ => &[Member::Argument],
        },
        Level::Result => &[Member::Result],
        Level::Error => &[Member::Error],
        Level::Top => &[],
    };
    let end = around
        .iter()
        .map(|&object| message.span(object))
        .find(|span| !span.is_none())
        .map_or_else(|| frame_end(message), |span| span.end as usize);
    let brace = end.saturating_sub(1);
    at(message, ErrorKind::Missing(member), Span::new(brace, brace))
}

fn frame_end(message: &Message<'_>) -> usize {
    message
        .frame()
        .trim_end_matches([' ', '\t', '\n', '\r'])
        .len()
}

/// Where a member's value stands. Of those without a span of their own it has to be looked for.
fn place(message: &Message<'_>, member: Member) -> Span {
    let span = message.span(member);
    if !span.is_none() {
        return span;
    }
    let (object, name) = match member {
        Member::ClientInfoName | Member::ClientInfoVersion => {
            (Member::ParamsClientInfo, member.name())
        }
        Member::RefType | Member::RefName | Member::RefUri => (Member::Ref, member.name()),
        Member::ArgumentName | Member::ArgumentValue => (Member::Argument, member.name()),
        Member::PromptArgument => (Member::Arguments, ""),
        Member::SubscriptionFilter => (Member::Notifications, ""),
        _ => match member.level() {
            Level::Params => (Member::Params, member.name()),
            Level::Result => (Member::Result, member.name()),
            _ => return Span::default(),
        },
    };
    let around = message.span(object);
    let found = message.member(object).and_then(|value| value.get(name));
    match found {
        Some(value) => {
            // A slice of the frame: its distance from the start is its place.
            let start = value.raw().as_ptr() as usize - message.frame().as_ptr() as usize;
            Span::new(start, start + value.raw().len())
        }
        None => around,
    }
}
