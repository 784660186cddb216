//! Results and errors.

use super::{By, Rules, fault, fields};
use crate::error::{Error, ErrorKind};
use crate::json::{JsonKind, RawJson};
use crate::mcp::code::{self, CodeClass};
use crate::mcp::method::{Method, MethodRules};
use crate::mcp::version::{Era, Version};
use crate::message::{Message, Type, View};
use crate::vocab::Member;

type IsGood = fn(RawJson<'_>) -> bool;

/// The requests that a server may ask for with `input_required` (2026-07-28 `basic/patterns/mrtr`): the method, and of its
/// params each member that must be there. Where none must, `params` may be left out.
const INPUT_REQUESTS: [(&str, &[(&str, IsGood)]); 3] = [
    ("elicitation/create", &[("message", fields::is_string)]),
    (
        "sampling/createMessage",
        &[
            ("messages", |value| value.kind() == JsonKind::Array),
            ("maxTokens", |value| value.is_integer()),
        ],
    ),
    ("roots/list", &[]),
];

fn is_input_request(value: RawJson<'_>) -> bool {
    let [method, params] = value.get_many(["method", "params"]);
    let Some(method) = method.and_then(|method| method.as_string()) else {
        return false;
    };
    let Some((_, needed)) = INPUT_REQUESTS.iter().find(|(name, _)| method == *name) else {
        return false;
    };
    let has = |(name, is_good): &(&str, IsGood)| {
        let member = params.and_then(|params| params.get(name));
        member.is_some_and(is_good)
    };
    let is_object = params.is_none_or(|params| params.kind() == JsonKind::Object);
    let is_whole = needed.iter().all(has);
    is_object && is_whole && (method != "elicitation/create" || params.is_some_and(is_elicitation))
}

/// By form, which is what no `mode` means, with its schema; or by URL.
fn is_elicitation(params: RawJson<'_>) -> bool {
    let [mode, schema, url] = params.get_many(["mode", "requestedSchema", "url"]);
    let has_schema = schema.is_some_and(|schema| schema.kind() == JsonKind::Object);
    match mode.map(|mode| mode.as_string()) {
        None => has_schema,
        Some(Some(mode)) if mode == "form" => has_schema,
        Some(Some(mode)) if mode == "url" => url.is_some_and(fields::is_string),
        Some(_) => false,
    }
}

/// The revision of a response that nothing else tells: one to `initialize` names it, and some methods are in one era only.
fn told_by(message: &Message<'_>, method: Option<Method>) -> Option<Version> {
    let method = method?;
    if method == Method::Initialize {
        let named = message.string(Member::ResultProtocolVersion);
        let named = named.and_then(|name| Version::find(&name));
        return named.or(Some(Version::V2025_11_25));
    }
    let is_new = method.rules(Version::V2025_11_25).is_none();
    is_new.then_some(Version::LATEST)
}

/// Where an error answers what could not be read: since 2025-11-25 it has no id, before that `null`, since the schemas
/// demand one and JSON-RPC has that (section 5). Receivers take both.
fn has_id_if_it_must(message: &Message<'_>, version: Version) -> Result<(), Error> {
    let id = message.member(Member::Id);
    match (id.is_some_and(|id| id.is_null()), version.needs_error_id()) {
        (true, false) => Err(fault::invalid(message, Member::Id)),
        (false, true) if id.is_none() => Err(fault::missing(message, Member::Id)),
        _ => Ok(()),
    }
}

fn has_object_meta(message: &Message<'_>) -> Result<(), Error> {
    match message.type_of(Member::ResultMeta) {
        Type::Absent | Type::Object => Ok(()),
        _ => Err(fault::invalid(message, Member::ResultMeta)),
    }
}

impl Rules {
    pub(super) fn response(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
        by: By,
    ) -> Result<(), Error> {
        let version = self.in_force().or_else(|| told_by(message, method));
        match message.view() {
            View::Response(_) => self.result(message, method, version, by),
            View::Error(error) if by.is_sender() => {
                if let Some(version) = version {
                    has_id_if_it_must(message, version)?;
                }
                let found = version.map_or(Ok(()), |v| sent_code(error.code(), error.data(), v));
                found.map_err(|kind| match kind {
                    ErrorKind::Invalid(member) => fault::invalid(message, member),
                    ErrorKind::Missing(member) => fault::missing(message, member),
                    kind => fault::at(message, kind, message.span(Member::ErrorCode)),
                })
            }
            _ => Ok(()),
        }
    }

    fn result(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
        version: Option<Version>,
        by: By,
    ) -> Result<(), Error> {
        match version {
            Some(version) => self.result_under(message, method, version, by),
            None => {
                has_object_meta(message)?;
                self.any_version(|version| self.result_of(message, method, version, by))
            }
        }
    }

    /// The result under a revision.
    pub(super) fn result_under(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
        version: Version,
        by: By,
    ) -> Result<(), Error> {
        has_object_meta(message)?;
        self.result_of(message, method, version, by)
    }

    fn result_of(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
        version: Version,
        by: By,
    ) -> Result<(), Error> {
        let rules = method
            .filter(|method| method.is_request())
            .and_then(|method| method.rules(version));
        if version.era() == Era::Legacy {
            return self.members(message, rules, version);
        }
        self.has_token(message, Member::SubscriptionId)?;
        let has_info = message.member(Member::ServerInfo).is_some();
        if by.is_sender() && has_info && !message.has_implementation(Member::ServerInfo) {
            return Err(fault::invalid(message, Member::ServerInfo));
        }
        match self.result_type(message, by)? {
            ResultType::InputRequired => {
                if by.is_sender() && rules.is_some_and(|rules| !rules.may_need_input()) {
                    let span = message.span(Member::ResultType);
                    return Err(fault::at(message, ErrorKind::InputNotAllowed, span));
                }
                self.input_required(message, by)
            }
            ResultType::Complete => {
                self.members(message, rules, version)?;
                if by.is_sender() {
                    self.sent(message, method, rules, by)?;
                }
                Ok(())
            }
            ResultType::Other => Ok(()),
        }
    }

    /// A client reads an absent type as `complete`, and takes one it does not know for an invalid response (2026-07-28
    /// `basic/index`, "Result responses").
    fn result_type(&self, message: &Message<'_>, by: By) -> Result<ResultType, Error> {
        match message.type_of(Member::ResultType) {
            Type::Absent if by == By::Sender => {
                return Err(fault::missing(message, Member::ResultType));
            }
            Type::Absent => return Ok(ResultType::Complete),
            _ => {}
        }
        let text = message.string(Member::ResultType);
        let known = |name: &str| text.is_some_and(|text| text == name);
        if !self.result_types.iter().any(|name| known(name)) {
            return Err(fault::invalid(message, Member::ResultType));
        }
        Ok(match () {
            () if known("complete") => ResultType::Complete,
            () if known("input_required") => ResultType::InputRequired,
            () => ResultType::Other,
        })
    }

    fn input_required(&self, message: &Message<'_>, by: By) -> Result<(), Error> {
        match message.member(Member::InputRequests) {
            Some(value) => {
                let is_object = value.kind() == JsonKind::Object;
                if !is_object || !value.members().all(|(_, value)| is_input_request(value)) {
                    return Err(fault::invalid(message, Member::InputRequests));
                }
            }
            None if by.is_sender()
                && message.type_of(Member::ResultRequestState) == Type::Absent =>
            {
                return Err(fault::missing(message, Member::InputRequests));
            }
            None => {}
        }
        match message.type_of(Member::ResultRequestState) {
            Type::Absent | Type::String | Type::NoText => Ok(()),
            _ => Err(fault::invalid(message, Member::ResultRequestState)),
        }
    }

    /// What the method's result has to have (the schema's required members).
    fn members(
        &self,
        message: &Message<'_>,
        rules: Option<&'static MethodRules>,
        version: Version,
    ) -> Result<(), Error> {
        let Some(rules) = rules else { return Ok(()) };
        let checked = fields::check(message, rules.result, self.policy.lenient)
            .and_then(|()| fields::check_deeper(message, rules.deeper_result));
        // In 2025-11-25 a request may be answered with the task that it has become. It has no place in the message, so it is
        // looked for last.
        let is_task = || {
            let has_task = |result: RawJson<'_>| result.get("task").is_some();
            version == Version::V2025_11_25 && message.result().is_some_and(has_task)
        };
        match checked {
            Err(_) if is_task() => Ok(()),
            checked => checked,
        }
    }

    /// What binds the sender of a complete result.
    fn sent(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
        rules: Option<&'static MethodRules>,
        by: By,
    ) -> Result<(), Error> {
        let is_whole = by == By::Sender;
        if is_whole
            && method == Some(Method::SubscriptionsListen)
            && message.member(Member::SubscriptionId).is_none()
        {
            return Err(fault::missing(message, Member::SubscriptionId));
        }
        if rules.is_some_and(MethodRules::is_cacheable) {
            let ttl = message.member(Member::TtlMs);
            let scope = message.member(Member::CacheScope);
            let is_ttl = |value: RawJson<'_>| match value.raw() {
                "-0" => true,
                raw => value.is_integer() && !raw.starts_with("-"),
            };
            let is_scope = |value: RawJson<'_>| {
                let scope = value.as_string();
                scope.is_some_and(|scope| scope == "public" || scope == "private")
            };
            for (member, value, is_good) in [
                (Member::TtlMs, ttl, ttl.is_some_and(is_ttl)),
                (Member::CacheScope, scope, scope.is_some_and(is_scope)),
            ] {
                match value {
                    None if is_whole => return Err(fault::missing(message, member)),
                    Some(_) if !is_good => return Err(fault::invalid(message, member)),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// What may be sent as an error under a revision (2026-07-28 `basic/index`, "Error codes").
pub(super) fn sent_code(
    code: i64,
    data: Option<RawJson<'_>>,
    version: Version,
) -> Result<(), ErrorKind> {
    match (CodeClass::of(code, version), data) {
        (CodeClass::Retired, _) => Err(ErrorKind::RetiredCode),
        (CodeClass::Reserved, _) => Err(ErrorKind::ReservedCode),
        (CodeClass::Mcp, data) if !code::has_good_data(code, data) => Err(match data {
            Some(_) => ErrorKind::Invalid(Member::ErrorData),
            None => ErrorKind::Missing(Member::ErrorData),
        }),
        _ => Ok(()),
    }
}

enum ResultType {
    Complete,
    InputRequired,
    /// Of an extension.
    Other,
}
