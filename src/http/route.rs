//! What an intermediary may know without reading the body.

use super::check::{check_found, name_member, read_found};
use super::mirrored::{Mirrored, Values};
use super::names::MCP_PROTOCOL_VERSION;
use super::value::{decode, text};
use crate::error::{Error, ErrorKind};
use crate::header::Header;
use crate::mcp::{Era, Incoming, Method, Rules, Version};
use crate::message::Message;
use ::http::{HeaderMap, HeaderValue};
use alloc::borrow::Cow;
use core::fmt;

/// Where a request goes, by its headers alone.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Route<'h> {
    found: Mirrored<'h>,
    /// The revision that `MCP-Protocol-Version` names; `None` where it is absent or names none that is served.
    pub version: Option<Version>,
    /// `Mcp-Method`; `None` where it can't be [trusted](Self::is_mirrored), or is absent: a request is refused then, but a
    /// notification needs none, and what it says is in the body alone.
    pub method: Option<&'h str>,
    /// `Mcp-Name`, decoded; `None` likewise, and for methods that have none.
    pub name: Option<Cow<'h, str>>,
    /// Whether a reader of the body has to refuse it if it says another thing than these headers: from 2026-07-28 on.
    /// Before, anybody may write them and nobody compares, so a decision that matters needs the body.
    pub is_mirrored: bool,
}

impl Route<'_> {
    /// Holds a message to the rules and to the headers that this was read off, as [`check`](super::check) does, without
    /// looking for them again.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self, rules: &Rules, message: &Message<'_>) -> Result<(), Error> {
        check_found(rules, message, &self.found)
    }

    /// Reads a body and holds it to the rules and to the headers that this was read off, as [`read`](super::read()) does:
    /// one message, or a batch where there are any.
    ///
    /// # Errors
    /// The first fault.
    pub fn read<'a>(&self, rules: &Rules, body: &'a [u8]) -> Result<Incoming<'a>, Error> {
        read_found(rules, body, &self.found)
    }
}

/// Lengths; a name may be a path or an address.
impl fmt::Debug for Route<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Route")
            .field("version", &self.version)
            .field("method", &self.method)
            .field("name_len", &self.name.as_ref().map(|name| name.len()))
            .field("is_mirrored", &self.is_mirrored)
            .finish()
    }
}

/// Reads the route of a request off its headers. `rules` say which revisions are served.
///
/// A name may hold any characters, line breaks among them: encode it again before it goes into a header or a log. What
/// `Mcp-Param-*` says is not looked at: only a server that knows the tool can compare it with the body.
///
/// Trust it only as far as whoever reads the body [checks](super::check) that it agrees; [`Route::is_mirrored`] says
/// whether the revision demands that. A request and its headers may still be refused together.
///
/// Allocates only to decode a Base64 name.
///
/// # Errors
/// Under a modern revision a routing header that is there twice or malformed, and a method that has a name without one
/// (-32020). Every reader has to refuse such a request, if not always with this code. The error stands at no byte and has no
/// id, for there is no frame: who wants to answer with the request's id reads the body, and answers what
/// [`read`](super::read()) refuses it for.
///
/// ```
/// use http::HeaderMap;
/// use rpcslice::http::route;
/// use rpcslice::mcp::Rules;
///
/// let mut headers = HeaderMap::new();
/// headers.insert("MCP-Protocol-Version", "2026-07-28".parse().unwrap());
/// headers.insert("Mcp-Method", "tools/call".parse().unwrap());
/// headers.insert("Mcp-Name", "=?base64?5LiW55WM?=".parse().unwrap());
/// let to = route(&Rules::proxy(), &headers)?;
/// assert_eq!((to.method, to.name.as_deref()), (Some("tools/call"), Some("世界")));
/// assert!(to.is_mirrored);
/// // Once the body is there, as the server behind it would read it:
/// let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"世界","_meta":{
///     "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
/// to.read(&Rules::server(), body.as_bytes())?;
///
/// headers.insert("MCP-Protocol-Version", "2025-11-25".parse().unwrap());
/// let to = route(&Rules::proxy(), &headers)?;
/// assert_eq!((to.method, to.is_mirrored), (None, false));
/// # Ok::<(), rpcslice::Error>(())
/// ```
pub fn route<'h>(rules: &Rules, headers: &'h HeaderMap) -> Result<Route<'h>, Error> {
    let refused = |kind: ErrorKind| Error::of_frame(kind, 0, 0);
    let found = Mirrored::of(headers);
    let version = found.version.version(&rules.served());
    let mut route = Route {
        found,
        version,
        method: None,
        name: None,
        is_mirrored: version.is_some_and(|version| version.era() == Era::Modern),
    };
    if !route.is_mirrored {
        return match hidden(rules, headers, found.version) {
            Some(kind) => Err(refused(kind(Header::ProtocolVersion))),
            None => Ok(route),
        };
    }
    if let Err(kind) = found.version.only() {
        return Err(refused(kind(Header::ProtocolVersion)));
    }
    // A notification may come without.
    if let Values::None = found.method {
        return Ok(route);
    }
    let value = found.method.only();
    let value = value.map_err(|kind| refused(kind(Header::Method)))?;
    let method = Method::of_bytes(value.as_bytes());
    route.method = Some(match method {
        Some(method) => method.name(),
        None => text(value).map_err(|_| refused(ErrorKind::HeaderInvalid(Header::Method)))?,
    });
    // White space around a known method does not make it another.
    let method = method.or_else(|| Method::named(route.method?));
    if method
        .and_then(|method| name_member(rules, method))
        .is_some()
    {
        let name = found.name.only();
        let name = name.map_err(|kind| refused(kind(Header::Name)))?;
        let name = decode(name).map_err(|_| refused(ErrorKind::HeaderInvalid(Header::Name)))?;
        route.name = Some(name);
    }
    Ok(route)
}

/// A modern revision that is not all of what the header says, or may be: some reader takes it for that.
#[cold]
fn hidden(
    rules: &Rules,
    headers: &HeaderMap,
    values: Values<'_>,
) -> Option<fn(Header) -> ErrorKind> {
    let served = rules.served();
    let is_modern = |value: &HeaderValue| {
        let named = Values::Once(value).version(&served);
        named.is_some_and(|version| version.era() == Era::Modern)
    };
    match values {
        Values::Differing => {
            let mut values = headers.get_all(MCP_PROTOCOL_VERSION).iter();
            values
                .any(is_modern)
                .then_some(ErrorKind::HeaderRepeated as fn(Header) -> ErrorKind)
        }
        Values::Once(value) if served.has(Era::Modern) && text(value).is_err() => {
            Some(ErrorKind::HeaderInvalid)
        }
        _ => None,
    }
}
