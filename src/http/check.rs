//! A message and its headers, in the decided order.

use super::mirrored::{Mirrored, Values};
use super::value::text;
use super::version::held_to;
use crate::error::{Error, ErrorKind};
use crate::header::Header;
use crate::json::{JsonStr, space};
use crate::mcp::{Era, Incoming, Method, Role, Rules, Status, Version, fault};
use crate::message::{Kind, Message, Type};
use crate::vocab::Member;
use ::http::HeaderMap;

/// Holds a message that came in an HTTP body to the rules and to its headers: the one call that a server makes, or what
/// stands in its place. The order is: the keys of `_meta`, `MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name`, the supported
/// versions, the method table, params; then [`ParamPlan::check`](super::ParamPlan::check), which needs the tool.
///
/// What a header means depends on the revision:
///
/// | message | `MCP-Protocol-Version` | `Mcp-Method`, `Mcp-Name` |
/// |---|---|---|
/// | request that names a modern revision in `_meta` | has to be there, once, and to say the same (-32020) | likewise, `Mcp-Name` for the methods that have one |
/// | request that names none, modern revision in the header | -32602 for what is missing in `_meta`; -32022 to `initialize`, also where the header is malformed or there are several | ignored |
/// | legacy request | puts it under that revision; absent: the one negotiated, or 2025-03-26; unknown: 400 | ignored |
/// | `initialize` otherwise | ignored: nothing has been agreed on yet | ignored |
/// | modern notification | where it is there, it has to be served and to agree with `_meta` | where they are there, they have to agree |
/// | legacy notification, response | as for a legacy request, but absent it says nothing | ignored |
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
    match rules.role() {
        Role::Client => rules.check(message),
        Role::Server | Role::Proxy => check_found(rules, message, &Mirrored::of(headers)),
    }
}

/// As [`check`], with the headers found already.
pub(super) fn check_found(
    rules: &Rules,
    message: &Message<'_>,
    header: &Mirrored<'_>,
) -> Result<(), Error> {
    if rules.role() == Role::Client {
        return rules.check(message);
    }
    let names_itself = message.has(Member::ProtocolVersion)
        && matches!(message.kind(), Kind::Request | Kind::Notification)
        && rules.served().has(Era::Modern);
    match message.kind() {
        Kind::Request if names_itself => {
            rules.check_mirrored(message, || mirrors(rules, message, header))
        }
        Kind::Notification if names_itself => {
            if message.string(Member::ProtocolVersion).is_none() {
                return Err(fault::invalid(message, Member::ProtocolVersion));
            }
            // Whatever it names, a header has to be that of a revision that is served.
            if !matches!(header.version, Values::None | Values::Differing) {
                let fault = |kind| fault::of_message(message, kind);
                held_to(rules, header.version, false, fault)?;
            }
            rules.check(message)?;
            agrees(rules, message, header)
        }
        Kind::Request if is_handshake(rules, message, header) => rules.check(message),
        kind => {
            let is_request = kind == Kind::Request;
            // `_meta` comes before any header.
            let fault = |kind| match message.type_of(Member::ParamsMeta) {
                Type::Absent | Type::Object => fault::of_message(message, kind),
                _ => fault::invalid(message, Member::ParamsMeta),
            };
            let rules = held_to(rules, header.version, is_request, fault)?;
            rules.check(message)?;
            let is_modern = rules.in_force().is_some_and(|v| v.era() == Era::Modern);
            match kind {
                Kind::Notification if is_modern => agrees(&rules, message, header),
                _ => Ok(()),
            }
        }
    }
}

/// Parses a body and holds it to the rules and to its headers, as [`Rules::read`] and [`check`] together: one message, or
/// a batch where the headers put it under 2025-03-26. The body is that of `Content::finish`: a byte order mark is no JSON.
/// `Mcp-Param-*` is for [`ParamPlan::check`](super::ParamPlan::check), which needs the tool; an answer to what is refused is
/// written by the rules that [`held`](super::held) gives.
///
/// Which revision a request is under says `held(&rules, headers).version_of(&message)`: the header may have named it.
///
/// # Errors
/// The first fault.
pub fn read<'a>(rules: &Rules, body: &'a [u8], headers: &HeaderMap) -> Result<Incoming<'a>, Error> {
    match rules.role() {
        Role::Client => rules.read(body),
        Role::Server | Role::Proxy => read_found(rules, body, &Mirrored::of(headers)),
    }
}

/// As [`read`], with the headers found already.
pub(super) fn read_found<'a>(
    rules: &Rules,
    body: &'a [u8],
    header: &Mirrored<'_>,
) -> Result<Incoming<'a>, Error> {
    if rules.role() == Role::Client {
        return rules.read(body);
    }
    if space::trim_start(body).starts_with(b"[") {
        let fault = |kind| Error::of_frame(kind, 0, 0);
        // No modern revision has batches, so that nobody has to say which one it is under.
        let has_legacy = rules.served().has(Era::Legacy);
        return held_to(rules, header.version, has_legacy, fault)?.read(body);
    }
    let message = Message::parse_with(body, &rules.frame_limits(), &rules.frame_policy())?;
    check_found(rules, &message, header)?;
    Ok(Incoming::Message(message))
}

/// Whether it is an `initialize` that the header is no matter to: nothing has been agreed on yet. One that has a modern
/// revision in the header, or may have, is held to it; else an intermediary that goes by headers would take it for another.
fn is_handshake(rules: &Rules, message: &Message<'_>, header: &Mirrored<'_>) -> bool {
    let is_modern = || match header.version {
        Values::Differing => true,
        Values::Once(value) if text(value).is_err() => true,
        values => {
            let named = values.version(&rules.served());
            named.is_some_and(|version| version.era() == Era::Modern)
        }
    };
    message
        .method()
        .is_some_and(|method| method == "initialize")
        && !(rules.served().has(Era::Legacy) && rules.served().has(Era::Modern) && is_modern())
}

/// The headers of a request that names a modern revision.
pub(super) fn mirrors(
    rules: &Rules,
    message: &Message<'_>,
    headers: &Mirrored<'_>,
) -> Result<(), Error> {
    let version = message.string(Member::ProtocolVersion);
    let method = message.method();
    // Nearly always it is the newest revision and a method of the table: names that are compared as they are.
    let newest = Version::LATEST.as_str();
    let is_newest = version.is_some_and(|version| version.inner() == newest);
    if !(is_newest && headers.version.are(newest)) {
        let member = Member::ProtocolVersion;
        agree(
            message,
            Header::ProtocolVersion,
            member,
            version,
            headers.version,
        )?;
    }
    let known = match (headers.method, method) {
        (Values::Once(value), Some(method)) => {
            Method::of_bytes(value.as_bytes()).filter(|known| method.inner() == known.name())
        }
        _ => None,
    };
    let known = match known {
        Some(known) => Some(known),
        None => {
            agree(
                message,
                Header::Method,
                Member::Method,
                method,
                headers.method,
            )?;
            method.and_then(|name| Method::find(&name))
        }
    };
    match known.and_then(|method| name_member(rules, method)) {
        Some(member) => has_name(message, member, headers.name),
        None => Ok(()),
    }
}

fn has_name(message: &Message<'_>, member: Member, values: Values<'_>) -> Result<(), Error> {
    let name = message.string(member);
    if values.are_plainly(name) {
        return Ok(());
    }
    // Without a text in the body there is nothing to mirror: that is for the rules to refuse.
    let name = name.filter(|name| name.is_text());
    agree(message, Header::Name, member, name, values)
}

/// The headers of a modern notification: the specification defines none, so only what is there has to agree.
pub(super) fn agrees(
    rules: &Rules,
    message: &Message<'_>,
    headers: &Mirrored<'_>,
) -> Result<(), Error> {
    let version = message.string(Member::ProtocolVersion);
    match (headers.version, version) {
        (Values::None, _) => {}
        // Where `_meta` names none, there is nothing to compare the header with; but it has to be one.
        (values, None) => {
            if let Err(kind) = values.only() {
                return Err(fault::of_message(message, kind(Header::ProtocolVersion)));
            }
        }
        (values, version) => {
            agree(
                message,
                Header::ProtocolVersion,
                Member::ProtocolVersion,
                version,
                values,
            )?;
        }
    }
    if !matches!(headers.method, Values::None) {
        agree(
            message,
            Header::Method,
            Member::Method,
            message.method(),
            headers.method,
        )?;
    }
    let method = message.method().and_then(|name| Method::find(&name));
    match method.and_then(|method| name_member(rules, method)) {
        Some(member) if !matches!(headers.name, Values::None) => {
            // What the header names has to be there: after a notification nothing else looks for it.
            match message.string(member).is_some_and(|name| name.is_text()) {
                true => has_name(message, member, headers.name),
                false => Err(fault::of_message(
                    message,
                    ErrorKind::HeaderMismatch(Header::Name),
                )),
            }
        }
        _ => Ok(()),
    }
}

/// Holds a header to the member that it mirrors; where there is none, there is nothing to say.
#[cold]
fn agree(
    message: &Message<'_>,
    header: Header,
    member: Member,
    string: Option<JsonStr<'_>>,
    values: Values<'_>,
) -> Result<(), Error> {
    let Some(string) = string else {
        return Ok(());
    };
    values
        .says(&string, header == Header::Name)
        .map_err(|kind| fault::at(message, kind(header), message.span(member)))
}

/// The member that `Mcp-Name` mirrors, if the receiver has the method. All modern revisions have the same.
pub(super) fn name_member(rules: &Rules, method: Method) -> Option<Member> {
    let row = method.rules(Version::LATEST)?;
    let is_there = rules.has_extensions() || row.status() != Status::Extension;
    row.name_member().filter(|_| is_there)
}
