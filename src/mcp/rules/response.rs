//! Results and errors.

use super::{Rules, fault, fields};
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

impl Rules {
    /// `is_sent`: what binds the sender, too.
    pub(super) fn response(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
        is_sent: bool,
    ) -> Result<(), Error> {
        let version = self.in_force().or_else(|| told_by(message, method));
        match message.view() {
            View::Response(_) => self.result(message, method, version, is_sent),
            View::Error(error) if is_sent => {
                if let Some(version) = version {
                    has_id_if_it_must(message, version)?;
                }
                let is_code =
                    |class| version.is_some_and(|v| CodeClass::of(error.code(), v) == class);
                let span = message.span(Member::ErrorCode);
                if is_code(CodeClass::Retired) {
                    return Err(fault::at(message, ErrorKind::RetiredCode, span));
                }
                if is_code(CodeClass::Reserved) {
                    return Err(fault::at(message, ErrorKind::ReservedCode, span));
                }
                match (is_code(CodeClass::Mcp), error.data()) {
                    (true, data) if !code::has_good_data(error.code(), data) => match data {
                        Some(_) => Err(fault::invalid(message, Member::ErrorData)),
                        None => Err(fault::missing(message, Member::ErrorData)),
                    },
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn result(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
        version: Option<Version>,
        is_sent: bool,
    ) -> Result<(), Error> {
        match message.type_of(Member::ResultMeta) {
            Type::Absent | Type::Object => {}
            _ => return Err(fault::invalid(message, Member::ResultMeta)),
        }
        match version {
            Some(version) => self.result_of(message, method, version, is_sent),
            None => self.any_version(|version| self.result_of(message, method, version, is_sent)),
        }
    }

    fn result_of(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
        version: Version,
        is_sent: bool,
    ) -> Result<(), Error> {
        let rules = method
            .filter(|method| method.is_request())
            .and_then(|method| method.rules(version));
        if version.era() == Era::Legacy {
            return self.members(message, rules, version);
        }
        self.has_token(message, Member::SubscriptionId)?;
        let has_info = message.member(Member::ServerInfo).is_some();
        if is_sent && has_info && !message.has_implementation(Member::ServerInfo) {
            return Err(fault::invalid(message, Member::ServerInfo));
        }
        match self.result_type(message, is_sent)? {
            ResultType::InputRequired => {
                if is_sent && rules.is_some_and(|rules| !rules.may_need_input()) {
                    let span = message.span(Member::ResultType);
                    return Err(fault::at(message, ErrorKind::InputNotAllowed, span));
                }
                self.input_required(message, is_sent)
            }
            ResultType::Complete => {
                self.members(message, rules, version)?;
                if is_sent {
                    self.sent(message, method, rules)?;
                }
                Ok(())
            }
            ResultType::Other => Ok(()),
        }
    }

    /// A client reads an absent type as `complete`, and takes one it does not know for an invalid response (2026-07-28
    /// `basic/index`, "Result responses").
    fn result_type(&self, message: &Message<'_>, is_sent: bool) -> Result<ResultType, Error> {
        match message.type_of(Member::ResultType) {
            Type::Absent if is_sent => return Err(fault::missing(message, Member::ResultType)),
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

    fn input_required(&self, message: &Message<'_>, is_sent: bool) -> Result<(), Error> {
        match message.member(Member::InputRequests) {
            Some(value) => {
                let is_object = value.kind() == JsonKind::Object;
                if !is_object || !value.members().all(|(_, value)| is_input_request(value)) {
                    return Err(fault::invalid(message, Member::InputRequests));
                }
            }
            None if is_sent && message.type_of(Member::ResultRequestState) == Type::Absent => {
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
        // In 2025-11-25 a request may be answered with the task that it has become.
        let is_task = version == Version::V2025_11_25
            && message
                .result()
                .is_some_and(|result| result.get("task").is_some());
        match is_task {
            true => Ok(()),
            false => {
                fields::check(message, rules.result, self.policy.lenient)?;
                fields::check_deeper(message, rules.deeper_result)
            }
        }
    }

    /// What binds the sender of a complete result.
    fn sent(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
        rules: Option<&'static MethodRules>,
    ) -> Result<(), Error> {
        if method == Some(Method::SubscriptionsListen)
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
                    None => return Err(fault::missing(message, member)),
                    Some(_) if !is_good => return Err(fault::invalid(message, member)),
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }
}

enum ResultType {
    Complete,
    InputRequired,
    /// Of an extension.
    Other,
}
