//! Requests and notifications.

use super::{By, Methods, Role, Rules, fault, fields};
use crate::error::{Error, ErrorKind};
use crate::json::JsonStr;
use crate::mcp::method::{Direction, Method, MethodRules, Status};
use crate::mcp::version::{Era, Version};
use crate::message::{Message, Type};
use crate::vocab::Member;

impl Rules {
    pub(super) fn request(
        &self,
        message: &Message<'_>,
        mirror: impl Fn() -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.has_object_meta(message)?;
        let method = message.method().and_then(|name| Method::find(&name));
        let version = match self.versions.has(Era::Modern) {
            true => self.asked_version(message, method, mirror)?,
            false => self.legacy(message)?,
        };
        self.asked(message, method, version)
    }

    /// The params of a request under its revision.
    #[inline(always)]
    pub(super) fn asked(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
        version: Option<Version>,
    ) -> Result<(), Error> {
        let rules = method.filter(|method| method.is_request());
        let rules = rules.and_then(|method| version.and_then(|version| method.rules(version)));
        self.params(message, rules)?;
        // The handshake is gone: a modern message can't ask for it.
        let is_modern = version.is_some_and(|version| version.era() == Era::Modern);
        if is_modern && method == Some(Method::Initialize) {
            return Err(fault::of_message(message, ErrorKind::MethodNotFound));
        }
        Ok(())
    }

    /// The revision that a request is held to, where a modern one is served (2026-07-28 `basic/versioning`).
    #[inline]
    fn asked_version(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
        mirror: impl Fn() -> Result<(), Error>,
    ) -> Result<Option<Version>, Error> {
        if message.has(Member::ProtocolVersion) {
            return self.modern(message, mirror).map(Some);
        }
        let is_agreed = self.negotiated.is_some_and(|v| v.era() == Era::Modern);
        if self.versions.has(Era::Legacy) && !is_agreed {
            return self.legacy(message);
        }
        if method == Some(Method::Initialize) {
            let offered = message.span(Member::ParamsProtocolVersion);
            return Err(match offered.is_none() {
                true => fault::of_message(message, ErrorKind::UnsupportedVersion),
                false => fault::at(message, ErrorKind::UnsupportedVersion, offered),
            });
        }
        let member = match message.meta() {
            Some(_) => Member::ProtocolVersion,
            None => Member::ParamsMeta,
        };
        Err(fault::missing(message, member))
    }

    /// The keys of a modern request's `_meta` (2026-07-28 `basic/index`, "`_meta`"), then its version.
    #[inline]
    fn modern(
        &self,
        message: &Message<'_>,
        mirror: impl Fn() -> Result<(), Error>,
    ) -> Result<Version, Error> {
        let Some(named) = message.string(Member::ProtocolVersion) else {
            return Err(fault::invalid(message, Member::ProtocolVersion));
        };
        if message.first_byte(Member::ClientCapabilities).is_none() {
            return Err(fault::missing(message, Member::ClientCapabilities));
        }
        self.modern_keys(message)?;
        mirror()?;
        self.served_version(message, &named)
    }

    /// The revision that a request names.
    #[inline]
    pub(super) fn served_version(
        &self,
        message: &Message<'_>,
        named: &JsonStr<'_>,
    ) -> Result<Version, Error> {
        self.versions.modern(named).ok_or_else(|| {
            let span = message.span(Member::ProtocolVersion);
            match named.is_text() {
                true => fault::at(message, ErrorKind::UnsupportedVersion, span),
                false => fault::invalid(message, Member::ProtocolVersion),
            }
        })
    }

    /// The keys of a modern request's `_meta` besides its version, as far as they are there.
    #[inline(always)]
    pub(super) fn modern_keys(&self, message: &Message<'_>) -> Result<(), Error> {
        if !matches!(
            message.first_byte(Member::ClientCapabilities),
            Some(b'{') | None
        ) {
            return Err(fault::invalid(message, Member::ClientCapabilities));
        }
        let has_info = message.has(Member::ClientInfo);
        if has_info && !message.has_implementation(Member::ClientInfo) && !self.policy.lenient {
            return Err(fault::invalid(message, Member::ClientInfo));
        }
        if let Some(level) = message.member(Member::LogLevel)
            && !level
                .as_string()
                .is_some_and(|level| fields::is_log_level(&level))
        {
            return Err(fault::invalid(message, Member::LogLevel));
        }
        self.has_token(message, Member::ProgressToken)?;
        self.has_token(message, Member::SubscriptionId)
    }

    /// The revision of a legacy request: the one negotiated, if it is known. `initialize` is the same in all of them.
    fn legacy(&self, message: &Message<'_>) -> Result<Option<Version>, Error> {
        self.has_token(message, Member::ProgressToken)?;
        let negotiated = self
            .negotiated
            .filter(|version| version.era() == Era::Legacy);
        let newest = self.versions.iter().rfind(|v| v.era() == Era::Legacy);
        Ok(negotiated.or(newest))
    }

    #[inline(always)]
    fn params(
        &self,
        message: &Message<'_>,
        rules: Option<&'static MethodRules>,
    ) -> Result<(), Error> {
        let is_there = |rules: &&MethodRules| {
            let is_ours = match rules.direction() {
                Direction::Both => true,
                Direction::ClientToServer => self.role != Role::Client,
                Direction::ServerToClient => self.role != Role::Server,
            };
            is_ours && rules.status() != Status::Removed
        };
        let is_core = |rules: &&MethodRules| rules.status() != Status::Extension;
        match rules.filter(is_there) {
            Some(rules) if self.methods == Methods::Any || is_core(&rules) => {
                self.has_params(message, rules)
            }
            _ if self.methods == Methods::Core => {
                Err(fault::of_message(message, ErrorKind::MethodNotFound))
            }
            _ => Ok(()),
        }
    }

    #[inline]
    fn has_params(&self, message: &Message<'_>, rules: &MethodRules) -> Result<(), Error> {
        if rules.needs_params && message.params().is_none() {
            return Err(fault::missing(message, Member::Params));
        }
        fields::check(message, rules.params, self.policy.lenient)?;
        fields::check_deeper(message, rules.deeper)?;
        match rules.may_need_input() {
            true => fields::check_input_responses(message),
            false => Ok(()),
        }
    }

    /// Notifications are never answered, and unknown ones are no fault.
    pub(super) fn notification(&self, message: &Message<'_>, by: By) -> Result<(), Error> {
        self.has_object_meta(message)?;
        let method = message.method().and_then(|name| Method::find(&name));
        match self.version_of(message) {
            Some(version) => self.told(message, method, version, by),
            None => self.any_version(|version| self.told(message, method, version, by)),
        }
    }

    /// The params of a notification under a revision.
    pub(super) fn told(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
        version: Version,
        by: By,
    ) -> Result<(), Error> {
        let is_sent = by.is_sender();
        if is_sent && method.is_some_and(Method::is_request) {
            return Err(fault::missing(message, Member::Id));
        }
        let rules = method
            .filter(|method| !method.is_request())
            .and_then(|method| method.rules(version))
            .filter(|rules| rules.status() != Status::Removed);
        if version.era() == Era::Modern {
            self.has_token(message, Member::SubscriptionId)?;
            let has_id = message.member(Member::SubscriptionId).is_some();
            if is_sent && !has_id && method.is_some_and(is_of_listen_stream) {
                return Err(fault::missing(message, Member::SubscriptionId));
            }
        }
        match rules {
            Some(rules) => self.has_params(message, rules),
            None => Ok(()),
        }
    }

    /// Before sending: the method of a notification is none of a request.
    pub(super) fn is_no_notification(
        &self,
        message: &Message<'_>,
        method: Option<Method>,
    ) -> Result<(), Error> {
        match method.is_some_and(|method| !method.is_request()) {
            true => Err(fault::of_message(message, ErrorKind::MethodNotFound)),
            false => Ok(()),
        }
    }

    #[inline]
    pub(super) fn has_object_meta(&self, message: &Message<'_>) -> Result<(), Error> {
        match message.type_of(Member::ParamsMeta) {
            Type::Absent | Type::Object => Ok(()),
            _ => Err(fault::invalid(message, Member::ParamsMeta)),
        }
    }

    /// A member of `_meta` that, where it is there, has to be a string or an integer.
    #[inline]
    pub(super) fn has_token(&self, message: &Message<'_>, member: Member) -> Result<(), Error> {
        if !message.has(member) {
            return Ok(());
        }
        match message.member(member) {
            Some(value) if !fields::is_token(value) => Err(fault::invalid(message, member)),
            _ => Ok(()),
        }
    }
}

/// From 2026-07-28 on these travel on the stream of a `subscriptions/listen` alone, and say of which.
fn is_of_listen_stream(method: Method) -> bool {
    matches!(
        method,
        Method::NotificationsSubscriptionsAcknowledged
            | Method::NotificationsResourcesUpdated
            | Method::NotificationsResourcesListChanged
            | Method::NotificationsToolsListChanged
            | Method::NotificationsPromptsListChanged
    )
}
