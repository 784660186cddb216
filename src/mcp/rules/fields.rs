//! Members held to what the method's row wants of them.

use super::fault;
use crate::error::Error;
use crate::json::{JsonKind, JsonStr, RawJson};
use crate::mcp::shape::{Deeper, Field, Want};
use crate::message::{Message, Type};
use crate::vocab::Member;

/// The levels of `notifications/message` and of `io.modelcontextprotocol/logLevel`: those of RFC 5424.
const LOG_LEVELS: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

/// Every field of the row: there if it must be, and of the type it must have. The message is of the kind that has them.
///
/// `is_lenient`: what may be absent may be `null`, as some peers write it.
#[inline]
pub(super) fn check(
    message: &Message<'_>,
    fields: &[Field],
    is_lenient: bool,
) -> Result<(), Error> {
    for field in fields {
        let member = field.member;
        let is_good = match (message.type_at(field.number), field.want) {
            (Type::Absent, _) if field.is_required => return Err(fault::missing(message, member)),
            (Type::Absent, _) | (_, Want::Any) => true,
            (Type::Null, _) if is_lenient && !field.is_required => true,
            (Type::String, Want::String | Want::Token | Want::Text) => true,
            (Type::NoText, Want::String | Want::Token) => true,
            (Type::String, Want::LogLevel) => {
                message.string(member).is_some_and(|s| is_log_level(&s))
            }
            (Type::Integer, Want::Integer | Want::Token | Want::Number | Want::IntegerOrNull) => {
                true
            }
            (Type::Number, Want::Number) => true,
            (Type::Null, Want::IntegerOrNull) => true,
            (Type::Bool, Want::Bool) => true,
            (Type::Array, Want::Array | Want::ObjectOrArray) => true,
            (Type::Object, Want::Object | Want::ObjectOrArray) => true,
            _ => false,
        };
        if !is_good {
            return Err(fault::invalid(message, member));
        }
    }
    Ok(())
}

pub(super) fn is_log_level(text: &JsonStr<'_>) -> bool {
    LOG_LEVELS.iter().any(|level| *text == *level)
}

/// A string or an integer: a request id, a progress token.
#[inline]
pub(super) fn is_token(value: RawJson<'_>) -> bool {
    matches!(value.kind(), JsonKind::String) || value.is_integer()
}

/// What lies deeper than `params` or `result`, for the methods whose row asks for it. Walks that one value, and before it
/// the result.
pub(super) fn check_deeper(message: &Message<'_>, deeper: Deeper) -> Result<(), Error> {
    match deeper {
        Deeper::Nothing => Ok(()),
        Deeper::ClientInfo => strings(
            message,
            Member::ParamsClientInfo,
            [Member::ClientInfoName, Member::ClientInfoVersion],
        ),
        Deeper::StringArguments => values(
            message,
            Member::Arguments,
            Member::PromptArgument,
            |_, value| value.kind() == JsonKind::String,
        ),
        Deeper::Filter => values(
            message,
            Member::Notifications,
            Member::SubscriptionFilter,
            is_filter,
        ),
        Deeper::Completion => {
            strings(
                message,
                Member::Argument,
                [Member::ArgumentName, Member::ArgumentValue],
            )?;
            reference(message)
        }
        Deeper::Elicitation => elicitation(message),
        Deeper::ServerInfo => result(message, Member::ResultServerInfo, |info| {
            let parts = info.get_many(["name", "version"]);
            parts.into_iter().all(|part| part.is_some_and(is_string))
        }),
        Deeper::Values => result(message, Member::Completion, |completion| {
            completion.get("values").is_some_and(is_list_of_strings)
        }),
        Deeper::VersionList => result(message, Member::SupportedVersions, is_list_of_strings),
    }
}

/// `inputResponses` of a request that is sent again: each value is a result (2026-07-28 `basic/patterns/mrtr`).
pub(super) fn check_input_responses(message: &Message<'_>) -> Result<(), Error> {
    if message.type_of(Member::InputResponses) != Type::Object {
        return Ok(());
    }
    let responses = message
        .params()
        .and_then(|params| params.get("inputResponses"));
    let mut members = responses.into_iter().flat_map(|value| value.members());
    match members.all(|(_, value)| value.kind() == JsonKind::Object) {
        true => Ok(()),
        false => Err(fault::invalid(message, Member::InputResponses)),
    }
}

/// A member of the result passes.
fn result(
    message: &Message<'_>,
    member: Member,
    is_good: fn(RawJson<'_>) -> bool,
) -> Result<(), Error> {
    let value = message
        .result()
        .and_then(|result| result.get(member.name()));
    match value.is_none_or(is_good) {
        true => Ok(()),
        false => Err(fault::invalid(message, member)),
    }
}

pub(super) fn is_string(value: RawJson<'_>) -> bool {
    value.kind() == JsonKind::String
}

fn is_list_of_strings(value: RawJson<'_>) -> bool {
    value.kind() == JsonKind::Array && value.elements().all(is_string)
}

/// Both members of the object are there and strings.
fn strings(message: &Message<'_>, object: Member, members: [Member; 2]) -> Result<(), Error> {
    let Some(value) = message.member(object) else {
        return Ok(());
    };
    let found = value.get_many(members.map(Member::name));
    for (member, value) in members.into_iter().zip(found) {
        match value {
            None => return Err(fault::missing(message, member)),
            Some(value) if value.kind() != JsonKind::String => {
                return Err(fault::invalid(message, member));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Every member of the object passes.
fn values(
    message: &Message<'_>,
    object: Member,
    fault: Member,
    is_good: fn(JsonStr<'_>, RawJson<'_>) -> bool,
) -> Result<(), Error> {
    let value = message.member(object);
    let mut members = value.into_iter().flat_map(|value| value.members());
    match members.all(|(name, value)| is_good(name, value)) {
        true => Ok(()),
        false => Err(fault::invalid(message, fault)),
    }
}

/// Extensions add members of their own to the filter.
fn is_filter(name: JsonStr<'_>, value: RawJson<'_>) -> bool {
    const FLAGS: [&str; 3] = [
        "toolsListChanged",
        "promptsListChanged",
        "resourcesListChanged",
    ];
    if FLAGS.iter().any(|flag| name == *flag) {
        return value.kind() == JsonKind::Bool;
    }
    if name == "resourceSubscriptions" {
        return is_list_of_strings(value);
    }
    true
}

/// `ref` of `completion/complete`: to a prompt by name, or to a resource by URI.
fn reference(message: &Message<'_>) -> Result<(), Error> {
    let Some(value) = message.member(Member::Ref) else {
        return Ok(());
    };
    let [kind, name, uri] = value.get_many(["type", "name", "uri"]);
    let Some(kind) = kind else {
        return Err(fault::missing(message, Member::RefType));
    };
    let (target, value) = match kind.as_string() {
        Some(kind) if kind == "ref/prompt" => (Member::RefName, name),
        Some(kind) if kind == "ref/resource" => (Member::RefUri, uri),
        _ => return Err(fault::invalid(message, Member::RefType)),
    };
    match value {
        None => Err(fault::missing(message, target)),
        Some(value) if value.kind() != JsonKind::String => Err(fault::invalid(message, target)),
        Some(_) => Ok(()),
    }
}

/// `elicitation/create` of 2025-11-25: a form with its schema, or a URL with its id. Without `mode` it is a form.
fn elicitation(message: &Message<'_>) -> Result<(), Error> {
    let mode = message
        .params()
        .filter(|_| message.type_of(Member::Mode) == Type::String)
        .and_then(|params| params.get("mode")?.as_string());
    let needed: &[Member] = match mode {
        None => &[Member::RequestedSchema],
        Some(mode) if mode == "form" => &[Member::RequestedSchema],
        Some(mode) if mode == "url" => &[Member::Url, Member::ElicitationId],
        Some(_) => return Err(fault::invalid(message, Member::Mode)),
    };
    match needed.iter().find(|&&m| message.type_of(m) == Type::Absent) {
        Some(&member) => Err(fault::missing(message, member)),
        None => Ok(()),
    }
}
