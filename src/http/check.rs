//! A message and its headers, in the decided order.

use super::names;
use super::session::SessionId;
use super::value::{says, text};
use super::version::{VersionHeader, held_to};
use crate::error::{Error, ErrorKind};
use crate::header::Header;
use crate::json::space;
use crate::mcp::{Era, Incoming, Method, Role, Rules, Version, fault};
use crate::message::{Kind, Message};
use crate::vocab::Member;
use ::http::{HeaderMap, HeaderName, HeaderValue};

/// Holds a message that came in an HTTP body to the rules and to its headers: the one call that a server makes, or what
/// stands in its place. The order is: the keys of `_meta`, `MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name`, the supported
/// versions, the method table, params; then [`ParamPlan::check`](super::ParamPlan::check), which needs the tool.
///
/// What a header means depends on the revision:
///
/// | message | `MCP-Protocol-Version` | `Mcp-Method`, `Mcp-Name` |
/// |---|---|---|
/// | request that names a modern revision in `_meta` | has to be there, once, and to say the same (-32020) | likewise, `Mcp-Name` for the methods that have one |
/// | request that names none, modern revision in the header | -32602 for what is missing in `_meta` | ignored |
/// | legacy request | puts it under that revision; absent: the one negotiated, or 2025-03-26; unknown: 400 | ignored |
/// | `initialize` without modern `_meta` | ignored: nothing has been agreed on yet | ignored |
/// | modern notification | where it is there, it has to be served and to agree with `_meta` | `Mcp-Method`, where it is there, has to agree |
/// | response | as for a legacy request | ignored |
///
/// Where only modern revisions are served, a request that names none in either place is answered with -32022. To servers of
/// 2024-11-05 and 2025-03-26 alone the header is unknown, and ignored. To clients there are no such headers: theirs are
/// checked by the rules alone.
///
/// Offsets of a header's fault are those of the value in the body that it mirrors. Allocates only to decode a Base64 name.
///
/// # Errors
/// The first fault.
///
/// ```
/// use http::HeaderMap;
/// use rpcslice::mcp::{Rules, Transport};
/// use rpcslice::{ErrorKind, Header, Message};
///
/// let body = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"transfer","_meta":{
///     "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
/// let mut headers = HeaderMap::new();
/// headers.insert("MCP-Protocol-Version", "2026-07-28".parse().unwrap());
/// headers.insert("Mcp-Method", "tools/call".parse().unwrap());
/// headers.insert("Mcp-Name", "harmless".parse().unwrap()); // what a gateway would have gone by
///
/// let rules = Rules::server().transport(Transport::Http);
/// let error = rpcslice::http::check(&rules, &Message::parse(body)?, &headers).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::HeaderMismatch(Header::Name));
/// assert_eq!((error.code(), error.http_status()), (-32020, 400));
/// assert_eq!(&body[error.span()], br#""transfer""#);
/// # Ok::<(), rpcslice::Error>(())
/// ```
pub fn check(rules: &Rules, message: &Message<'_>, headers: &HeaderMap) -> Result<(), Error> {
    if rules.role() == Role::Client {
        return rules.check(message);
    }
    let header = VersionHeader::of(headers);
    let names_itself = message.member(Member::ProtocolVersion).is_some()
        && matches!(message.kind(), Kind::Request | Kind::Notification)
        && rules.served().has(Era::Modern);
    match message.kind() {
        Kind::Request if names_itself => {
            rules.check_mirrored(message, || mirrors(message, headers, &header))
        }
        Kind::Notification if names_itself => {
            rules.check(message)?;
            agrees(message, headers, &header)
        }
        Kind::Request
            if message
                .method()
                .is_some_and(|method| method == "initialize") =>
        {
            rules.check(message)
        }
        kind => {
            let is_request = kind == Kind::Request;
            let fault = |kind| fault::of_message(message, kind);
            let rules = held_to(rules, &header, is_request, fault)?;
            rules.check(message)?;
            let is_modern = rules.in_force().is_some_and(|v| v.era() == Era::Modern);
            match kind {
                Kind::Notification if is_modern => agrees(message, headers, &header),
                _ => Ok(()),
            }
        }
    }
}

/// Parses a body and holds it to the rules and to its headers, as [`Rules::read`] and [`check`] together: one message, or
/// a batch where the headers put it under 2025-03-26.
///
/// # Errors
/// The first fault.
pub fn read<'a>(rules: &Rules, body: &'a [u8], headers: &HeaderMap) -> Result<Incoming<'a>, Error> {
    if space::trim_start(body).starts_with(b"[") {
        let header = VersionHeader::of(headers);
        let fault = |kind| Error::of_frame(kind, 0, 0);
        // No modern revision has batches, so that nobody has to say which one it is under.
        return held_to(rules, &header, rules.served().has(Era::Legacy), fault)?.read(body);
    }
    let message = Message::parse_with(body, &rules.frame_limits(), &rules.frame_policy())?;
    check(rules, &message, headers)?;
    Ok(Incoming::Message(message))
}

/// Holds a message that is to be sent, and the headers that go with it, to what binds the sender.
///
/// A client of a modern revision has to send the headers that a server [checks](check); a server of an older one, that
/// assigns a session id, one of visible ASCII characters (`basic/transports#session-management`).
///
/// # Errors
/// The first fault.
pub fn check_outgoing(
    rules: &Rules,
    message: &Message<'_>,
    headers: &HeaderMap,
) -> Result<(), Error> {
    rules.check_outgoing(message)?;
    match (message.kind(), rules.role()) {
        (Kind::Request, Role::Client | Role::Proxy) => {
            let is_modern = message.member(Member::ProtocolVersion).is_some()
                && rules.served().has(Era::Modern);
            match is_modern {
                true => mirrors(message, headers, &VersionHeader::of(headers)),
                false => Ok(()),
            }
        }
        (_, Role::Server) => match SessionId::of(headers) {
            Ok(_) => Ok(()),
            Err(_) => Err(fault::of_message(message, ErrorKind::SessionId)),
        },
        _ => Ok(()),
    }
}

/// The headers of a request that names a modern revision.
fn mirrors(
    message: &Message<'_>,
    headers: &HeaderMap,
    version: &VersionHeader<'_>,
) -> Result<(), Error> {
    let Some(named) = message.string(Member::ProtocolVersion) else {
        return Ok(()); // the rules have refused it
    };
    let kind = match *version {
        VersionHeader::Absent => ErrorKind::HeaderMissing,
        VersionHeader::Copies(_) | VersionHeader::Differing => ErrorKind::HeaderRepeated,
        VersionHeader::Invalid => ErrorKind::HeaderInvalid,
        VersionHeader::Once(name) if named == *name => {
            has_method(message, headers, true)?;
            return has_name(message, headers);
        }
        VersionHeader::Once(_) => ErrorKind::HeaderMismatch,
    };
    let span = message.span(Member::ProtocolVersion);
    Err(fault::at(message, kind(Header::ProtocolVersion), span))
}

/// The headers of a modern notification: the specification defines none, so only what is there has to agree.
fn agrees(
    message: &Message<'_>,
    headers: &HeaderMap,
    version: &VersionHeader<'_>,
) -> Result<(), Error> {
    let named = message.string(Member::ProtocolVersion);
    let kind: fn(Header) -> ErrorKind = match (version, named) {
        (VersionHeader::Copies(_) | VersionHeader::Differing, _) => ErrorKind::HeaderRepeated,
        (VersionHeader::Invalid, _) => ErrorKind::HeaderInvalid,
        (VersionHeader::Once(name), Some(named)) if named != **name => ErrorKind::HeaderMismatch,
        _ => return has_method(message, headers, false),
    };
    let span = message.span(Member::ProtocolVersion);
    Err(fault::at(message, kind(Header::ProtocolVersion), span))
}

fn has_method(message: &Message<'_>, headers: &HeaderMap, is_required: bool) -> Result<(), Error> {
    let Some(method) = message.method() else {
        return Ok(());
    };
    let kind = match only(headers, &names::MCP_METHOD) {
        Ok(value) => match text(value) {
            Ok(text) if method == *text => return Ok(()),
            Ok(_) => ErrorKind::HeaderMismatch,
            Err(_) => ErrorKind::HeaderInvalid,
        },
        Err(Count::None) if !is_required => return Ok(()),
        Err(count) => count.kind(),
    };
    Err(fault::at(
        message,
        kind(Header::Method),
        message.span(Member::Method),
    ))
}

fn has_name(message: &Message<'_>, headers: &HeaderMap) -> Result<(), Error> {
    let method = message.method().and_then(|name| Method::find(&name));
    let Some(member) = method.and_then(name_member) else {
        return Ok(());
    };
    // Without a text in the body there is nothing to mirror: that is for the rules to refuse.
    let name = message.string(member).filter(|name| name.is_text());
    let Some(name) = name else {
        return Ok(());
    };
    let kind = match only(headers, &names::MCP_NAME) {
        Ok(value) => match says(value, &name) {
            Ok(true) => return Ok(()),
            Ok(false) => ErrorKind::HeaderMismatch,
            Err(_) => ErrorKind::HeaderInvalid,
        },
        Err(count) => count.kind(),
    };
    Err(fault::at(message, kind(Header::Name), message.span(member)))
}

/// The member that `Mcp-Name` mirrors. All modern revisions have the same.
pub(super) fn name_member(method: Method) -> Option<Member> {
    method.rules(Version::LATEST)?.name_member()
}

/// How often a header is there that should be there once.
pub(super) enum Count {
    None,
    Several,
}

impl Count {
    pub(super) const fn kind(&self) -> fn(Header) -> ErrorKind {
        match self {
            Self::None => ErrorKind::HeaderMissing,
            Self::Several => ErrorKind::HeaderRepeated,
        }
    }
}

/// The only value of a header.
pub(super) fn only<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<&'h HeaderValue, Count> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => Ok(value),
        (None, _) => Err(Count::None),
        (Some(_), Some(_)) => Err(Count::Several),
    }
}
