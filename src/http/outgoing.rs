//! A message that is to be sent, and its headers.

use super::check::{agrees, mirrors};
use super::mirrored::{Mirrored, Values};
use super::negotiate::Accepts;
use super::session::SessionId;
use super::version::has_header;
use crate::error::{Error, ErrorKind};
use crate::header::Header;
use crate::mcp::{Era, Role, Rules, fault};
use crate::message::{Kind, Message};
use crate::vocab::Member;
use ::http::HeaderMap;
use ::http::header::ACCEPT;

/// Holds a message that is to be sent, and the headers that go with it, to what binds the sender.
///
/// A client has to list both media types in `Accept`, and to send `MCP-Protocol-Version` from 2025-06-18 on, once
/// `initialize` is over; from 2026-07-28 on the other headers that a server [checks](super::check()), and what a modern
/// revision in the header demands of the body. A server of an older revision that assigns a session id takes one of visible
/// ASCII characters (`basic/transports#session-management`). [`ParamPlan::check`](super::ParamPlan::check) knows about
/// arguments.
///
/// # Errors
/// The first fault.
pub fn check_outgoing(
    rules: &Rules,
    message: &Message<'_>,
    headers: &HeaderMap,
) -> Result<(), Error> {
    let found = Mirrored::of(headers);
    let header = found.version.version(&rules.served());
    let header =
        header.filter(|version| version.era() == Era::Modern && rules.role() != Role::Server);
    // A modern revision in the header binds what names none itself.
    let rules = header.map_or(*rules, |version| rules.negotiated(version));
    rules.check_outgoing(message)?;
    if rules.role() == Role::Server {
        return match SessionId::of(headers) {
            Ok(_) => Ok(()),
            Err(_) => Err(fault::of_message(message, ErrorKind::SessionId)),
        };
    }
    if rules.role() == Role::Client {
        let accepts = Accepts::of(headers);
        let is_listed = headers.contains_key(ACCEPT) && accepts.json && accepts.event_stream;
        if !is_listed {
            let kind = ErrorKind::HeaderMissing(Header::Accept);
            return Err(fault::of_message(message, kind));
        }
    }
    let fault = |kind| Err(fault::of_message(message, kind));
    let is_absent = matches!(found.version, Values::None);
    // To a client a proxy passes messages on without headers: what is not there can only be missing for one who sends.
    if is_absent && rules.role() == Role::Proxy && message.kind() != Kind::Request {
        return Ok(());
    }
    let is_handshake = message.method().is_some_and(|name| name == "initialize");
    let version = rules.version_of(message);
    let is_modern = version.is_some_and(|version| version.era() == Era::Modern);
    match message.kind() {
        Kind::Request
            if message.has(Member::ProtocolVersion) && rules.served().has(Era::Modern) =>
        {
            return mirrors(&rules, message, &found);
        }
        Kind::Request if is_handshake => return Ok(()),
        Kind::Notification if message.has(Member::ProtocolVersion) || is_modern => {
            if message.has(Member::ProtocolVersion)
                && message.string(Member::ProtocolVersion).is_none()
            {
                return Err(fault::invalid(message, Member::ProtocolVersion));
            }
            if is_absent {
                return fault(ErrorKind::HeaderMissing(Header::ProtocolVersion));
            }
            agrees(&rules, message, &found)?;
        }
        _ => {}
    }
    // Of what has no revision of its own the header names the one that is in force, or one that is served.
    let named = found.version.version(&rules.served());
    let is_right = match version {
        Some(version) if has_header(version) => named == Some(version),
        _ => is_absent || named.is_some(),
    };
    match is_right {
        true => Ok(()),
        false => fault(ErrorKind::VersionHeader),
    }
}
