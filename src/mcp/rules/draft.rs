//! What is to be written, before it is: params or a result without the message around it, and without what the writer
//! fills in. Whatever passes here passes [`Rules::check_outgoing_response`] once it is written.

use super::response::sent_code;
use super::{By, Role, Rules, fault};
use crate::error::{Error, ErrorKind};
use crate::json::RawJson;
use crate::mcp::method::{Direction, Method, MethodRules, Status};
use crate::mcp::version::{Era, Version};
use crate::message::{Kind, Message};
use crate::vocab::Member;

impl Rules {
    /// The params of a request of this method. `is_filled`: the writer adds the keys of `_meta` that are demanded.
    pub(crate) fn draft_request(
        &self,
        params: &Message<'_>,
        method: &str,
        version: Version,
        is_filled: bool,
    ) -> Result<(), Error> {
        let method = Method::named(method);
        self.draft_direction(params, version)?;
        self.is_no_notification(params, method)?;
        self.is_sent(params, method, version)?;
        self.has_object_meta(params)?;
        let mut version = version;
        match version.era() {
            // It would be read as one of the revision that it names.
            Era::Legacy
                if self.versions.has(Era::Modern) && params.has(Member::ProtocolVersion) =>
            {
                return Err(fault::invalid(params, Member::ProtocolVersion));
            }
            Era::Legacy => self.has_token(params, Member::ProgressToken)?,
            Era::Modern => {
                match params.string(Member::ProtocolVersion) {
                    Some(named) => version = self.served_version(params, &named)?,
                    None if params.has(Member::ProtocolVersion) => {
                        return Err(fault::invalid(params, Member::ProtocolVersion));
                    }
                    None if !is_filled => {
                        let member = match params.meta() {
                            Some(_) => Member::ProtocolVersion,
                            None => Member::ParamsMeta,
                        };
                        return Err(fault::missing(params, member));
                    }
                    None => {}
                }
                if !is_filled && !params.has(Member::ClientCapabilities) {
                    return Err(fault::missing(params, Member::ClientCapabilities));
                }
                self.modern_keys(params)?;
            }
        }
        self.of_receiver().asked(params, method, Some(version))
    }

    /// The params of a notification of this method.
    pub(crate) fn draft_notification(
        &self,
        params: &Message<'_>,
        method: &str,
        version: Version,
    ) -> Result<(), Error> {
        self.has_object_meta(params)?;
        // One that names a revision is read as one of that.
        let version = self.version_of(params).unwrap_or(version);
        let method = Method::named(method);
        self.told(params, method, version, By::Writer)?;
        self.is_sent(params, method, version)
    }

    /// The result that answers a request of this method.
    pub(crate) fn draft_result(
        &self,
        result: &Message<'_>,
        method: Option<Method>,
        version: Version,
    ) -> Result<(), Error> {
        self.draft_direction(result, version)?;
        self.result_under(result, method, version, By::Writer)
    }

    /// An error of this code and data. Only data can be at fault in itself.
    pub(crate) fn draft_error(
        &self,
        code: i64,
        data: Option<RawJson<'_>>,
        version: Version,
    ) -> Result<(), ErrorKind> {
        match version.era() == Era::Modern && self.is_wrong_way(Kind::Error) {
            true => Err(ErrorKind::WrongDirection),
            false => sent_code(code, data, version),
        }
    }

    /// A method that the table knows is one of the revision, and of this side: what a receiver may let pass is no reason to
    /// send it.
    fn is_sent(
        &self,
        params: &Message<'_>,
        method: Option<Method>,
        version: Version,
    ) -> Result<(), Error> {
        let Some(method) = method else { return Ok(()) };
        let rules = method.rules(version);
        let is_ours = |direction| match direction {
            Direction::Both => true,
            Direction::ClientToServer => self.role() != Role::Server,
            Direction::ServerToClient => self.role() != Role::Client,
        };
        let is_there = |rules: &&MethodRules| rules.status() != Status::Removed;
        match rules
            .filter(is_there)
            .is_some_and(|rules| is_ours(rules.direction()))
        {
            true => Ok(()),
            false => Err(fault::of_message(params, ErrorKind::MethodNotFound)),
        }
    }

    fn draft_direction(&self, draft: &Message<'_>, version: Version) -> Result<(), Error> {
        match version.era() == Era::Modern && self.is_wrong_way(draft.kind()) {
            true => Err(fault::of_message(draft, ErrorKind::WrongDirection)),
            false => Ok(()),
        }
    }
}
