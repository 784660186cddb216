//! What an intermediary may know without reading the body.

use super::check::{name_member, only};
use super::names;
use super::value::{decode, text};
use super::version::VersionHeader;
use crate::error::{Error, ErrorKind};
use crate::header::Header;
use crate::mcp::{Era, Method, Rules, Version};
use ::http::HeaderMap;
use alloc::borrow::Cow;
use core::fmt;

/// Where a request goes, by its headers alone.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Route<'h> {
    /// The revision that `MCP-Protocol-Version` names; `None` where it is absent or names none that is served.
    pub version: Option<Version>,
    /// `Mcp-Method`; `None` where it can't be [trusted](Self::is_mirrored), or is absent.
    pub method: Option<&'h str>,
    /// `Mcp-Name`, decoded; `None` likewise, and for methods that have none.
    pub name: Option<Cow<'h, str>>,
    /// Whether a reader of the body has to refuse it if it says another thing than these headers: from 2026-07-28 on.
    /// Before, anybody may write them and nobody compares, so a decision that matters needs the body.
    pub is_mirrored: bool,
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
/// Trust it only as far as whoever reads the body [checks](super::check) that it agrees; [`Route::is_mirrored`] says
/// whether the revision demands that. A request and its headers may still be refused together.
///
/// Allocates only to decode a Base64 name.
///
/// # Errors
/// What every reader has to refuse (-32020): under a modern revision a routing header that is there twice or malformed,
/// and a method that has a name without one. The error stands at no byte, for there is no frame.
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
///
/// headers.insert("MCP-Protocol-Version", "2025-11-25".parse().unwrap());
/// let to = route(&Rules::proxy(), &headers)?;
/// assert_eq!((to.method, to.is_mirrored), (None, false));
/// # Ok::<(), rpcslice::Error>(())
/// ```
pub fn route<'h>(rules: &Rules, headers: &'h HeaderMap) -> Result<Route<'h>, Error> {
    let refuse = |kind: fn(Header) -> ErrorKind, header| Err(Error::of_frame(kind(header), 0, 0));
    let header = VersionHeader::of(headers);
    let version = header.name().and_then(|name| rules.served().named(name));
    let mut route = Route {
        version,
        method: None,
        name: None,
        is_mirrored: version.is_some_and(|version| version.era() == Era::Modern),
    };
    if !route.is_mirrored {
        return Ok(route);
    }
    if let VersionHeader::Copies(_) = header {
        return refuse(ErrorKind::HeaderRepeated, Header::ProtocolVersion);
    }
    // A notification may come without.
    let method = match only(headers, &names::MCP_METHOD) {
        Ok(value) => value,
        Err(super::check::Count::None) => return Ok(route),
        Err(count) => return refuse(count.kind(), Header::Method),
    };
    let Ok(method) = text(method) else {
        return refuse(ErrorKind::HeaderInvalid, Header::Method);
    };
    route.method = Some(method);
    let has_name = Method::named(method).and_then(name_member).is_some();
    if has_name {
        route.name = match only(headers, &names::MCP_NAME).map(decode) {
            Ok(Ok(name)) => Some(name),
            Ok(Err(_)) => return refuse(ErrorKind::HeaderInvalid, Header::Name),
            Err(count) => return refuse(count.kind(), Header::Name),
        };
    }
    Ok(route)
}
