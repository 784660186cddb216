//! What `MCP-Protocol-Version` says, and what it means that it is absent.

use super::mirrored::{Mirrored, Values};
use crate::error::{Error, ErrorKind};
use crate::mcp::{Era, Rules, Version};
use ::http::HeaderMap;

/// What the header says, or does not.
pub(super) enum Stated {
    Named(Version),
    /// It is absent, or unknown to all revisions that are served: the one in force of the connection, or 2025-03-26
    /// (2025-06-18 and 2025-11-25 `basic/transports#protocol-version-header`), if one of them is served.
    Assumed(Option<Version>),
    /// No revision that is served.
    Unknown,
}

impl Stated {
    pub(super) fn of(rules: &Rules, header: Values<'_>) -> Self {
        let served = rules.served();
        let is_known = served.has(Era::Modern) || served.iter().any(has_header);
        if let (Values::None, _) | (_, false) = (header, is_known) {
            let oldest = Version::V2025_03_26;
            let assumed = served.contains(oldest).then_some(oldest);
            return Self::Assumed(rules.in_force().or(assumed));
        }
        match header.version(&served) {
            Some(version) => Self::Named(version),
            None => Self::Unknown,
        }
    }
}

/// The rules with the revision in force that the header names, for what does not name one itself. `fault` makes an error
/// of its kind. `has_to_say`: a request is under some revision, other messages may be under any.
pub(super) fn held_to(
    rules: &Rules,
    header: Values<'_>,
    has_to_say: bool,
    fault: impl FnOnce(ErrorKind) -> Error,
) -> Result<Rules, Error> {
    let has_legacy = rules.served().has(Era::Legacy);
    match Stated::of(rules, header) {
        Stated::Named(version) => Ok(rules.negotiated(version)),
        Stated::Assumed(_) if has_to_say && !has_legacy => {
            Err(fault(ErrorKind::UnsupportedVersion))
        }
        Stated::Assumed(Some(version)) if has_to_say => Ok(rules.negotiated(version)),
        Stated::Assumed(_) => Ok(*rules),
        // A modern error says to a client that it may speak 2026-07-28: not for a server that does not.
        Stated::Unknown if rules.served().has(Era::Modern) => {
            Err(fault(ErrorKind::UnsupportedVersion))
        }
        Stated::Unknown => Err(fault(ErrorKind::VersionHeader)),
    }
}

/// Whether clients of a revision send the header.
pub(super) const fn has_header(version: Version) -> bool {
    !matches!(version, Version::V2024_11_05 | Version::V2025_03_26)
}

/// A revision, and whether the header named it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The revision.
    pub version: Version,
    /// The header is absent: it is the one in force of the connection, or 2025-03-26.
    pub is_assumed: bool,
}

/// The revision that the headers put a request under which names none itself; a notification or a response only if they
/// name it. `None` where they name none that is served, or nothing is said and nothing can be assumed.
///
/// ```
/// use rpcslice::http::{HeaderMap, revision};
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
    let (version, is_assumed) = match Stated::of(rules, Mirrored::of(headers).version) {
        Stated::Named(version) => (version, false),
        Stated::Assumed(version) => (version?, true),
        Stated::Unknown => return None,
    };
    Some(Revision {
        version,
        is_assumed,
    })
}

/// The rules with that [revision](revision()) in force. By them [`Rules::version_of`] knows the revision of a request that
/// names none itself (other messages without the header may be under any), and an [answer](crate::encode::reply) is written
/// to what [`read`](super::read()) has refused: an error without id says `null` before 2025-11-25 and leaves it out since.
#[must_use]
pub fn held(rules: &Rules, headers: &HeaderMap) -> Rules {
    match revision(rules, headers) {
        Some(found) => rules.negotiated(found.version),
        None => *rules,
    }
}
