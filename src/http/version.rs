//! What `MCP-Protocol-Version` says, and what it means that it is absent.

use super::mirrored::{Mirrored, Values};
use crate::error::{Error, ErrorKind};
use crate::mcp::{Era, Rules, Version};
use ::http::HeaderMap;

/// The rules with the revision in force that the header names, for what does not name one itself. `fault` makes an error
/// of its kind. `is_request`: only a request has to say under which revision it is.
pub(super) fn held_to(
    rules: &Rules,
    header: Values<'_>,
    is_request: bool,
    fault: impl FnOnce(ErrorKind) -> Error,
) -> Result<Rules, Error> {
    let served = rules.served();
    let has_legacy = served.has(Era::Legacy);
    if !served.has(Era::Modern) && !served.iter().any(has_header) {
        // To these revisions it is a header like any other.
        return Ok(*rules);
    }
    if let Values::None = header {
        return match (has_legacy, rules.in_force()) {
            (false, _) if is_request => Err(fault(ErrorKind::UnsupportedVersion)),
            (false, _) | (true, Some(_)) => Ok(*rules),
            (true, None) => Ok(match assumed(rules) {
                Some(version) if is_request => rules.negotiated(version),
                _ => *rules,
            }),
        };
    }
    match header.version(&served) {
        Some(version) => Ok(rules.negotiated(version)),
        // A modern error says to a client that it may speak 2026-07-28: not for a server that does not.
        None if served.has(Era::Modern) => Err(fault(ErrorKind::UnsupportedVersion)),
        None => Err(fault(ErrorKind::VersionHeader)),
    }
}

/// Whether clients of a revision send the header.
pub(super) const fn has_header(version: Version) -> bool {
    !matches!(version, Version::V2024_11_05 | Version::V2025_03_26)
}

/// Without the header a client is taken for one of 2025-03-26 (2025-06-18 and 2025-11-25
/// `basic/transports#protocol-version-header`), where that is served.
fn assumed(rules: &Rules) -> Option<Version> {
    let version = Version::V2025_03_26;
    rules.served().contains(version).then_some(version)
}

/// A revision, and whether the header named it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The revision.
    pub version: Version,
    /// The header is absent: it is the one in force of the connection, or 2025-03-26.
    pub is_assumed: bool,
}

/// The revision that the headers put a message under which names none itself: a request of the legacy revisions, a
/// notification, a response. `None` where the header names no revision that is served, or is absent and nothing can be
/// assumed.
///
/// ```
/// use http::HeaderMap;
/// use rpcslice::http::revision;
/// use rpcslice::mcp::{Rules, Version};
///
/// let mut headers = HeaderMap::new();
/// let assumed = revision(&Rules::server(), &headers).unwrap();
/// assert_eq!((assumed.version, assumed.is_assumed), (Version::V2025_03_26, true));
/// headers.insert("MCP-Protocol-Version", "2025-11-25".parse().unwrap());
/// assert_eq!(revision(&Rules::server(), &headers).unwrap().version, Version::V2025_11_25);
/// ```
#[must_use]
pub fn revision(rules: &Rules, headers: &HeaderMap) -> Option<Revision> {
    let header = Mirrored::of(headers).version;
    let is_assumed = matches!(header, Values::None);
    let version = match is_assumed {
        true => rules.in_force().or_else(|| assumed(rules)),
        false => header.version(&rules.served()),
    };
    version.map(|version| Revision {
        version,
        is_assumed,
    })
}
