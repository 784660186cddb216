//! What a client says in every request, and a server in every result, written once.

use super::error::EncodeError;
use super::object::push_text;
use super::text::Copying;
use crate::json::{JsonKind, RawJson};
use crate::limits::Limits;
use crate::vocab::Member;
use alloc::string::String;
use core::fmt;

/// What a client says of itself in `_meta` of every request from 2026-07-28 on (`basic/index`, "`_meta`"): its
/// capabilities, and its name. The revision is the writer's.
///
/// ```
/// use rpcslice::RawJson;
/// use rpcslice::encode::{ClientProfile, EncodeError};
///
/// let capabilities = RawJson::parse(br#"{"elicitation":{}}"#).unwrap();
/// let profile = ClientProfile::new(capabilities)?.named("my-host", "1.0");
/// assert!(ClientProfile::new(RawJson::parse(b"[]").unwrap()).is_err());
/// # let _ = profile;
/// # Ok::<(), EncodeError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ClientProfile {
    pub(super) capabilities: String,
    pub(super) info: Option<String>,
}

impl ClientProfile {
    /// With these capabilities: an object, `{}` if there are none.
    ///
    /// # Errors
    /// If they are no object, or nest deeper than a reader's default limit.
    pub fn new(capabilities: RawJson<'_>) -> Result<Self, EncodeError> {
        match capabilities.kind() {
            JsonKind::Object => Ok(Self {
                capabilities: one_line(capabilities)?,
                info: None,
            }),
            _ => Err(EncodeError::Invalid(Member::ClientCapabilities)),
        }
    }

    /// Sets `clientInfo` to an object with just a name and a version.
    #[must_use]
    pub fn named(mut self, name: &str, version: &str) -> Self {
        self.info = Some(implementation(name, version));
        self
    }

    /// Sets `clientInfo`: an object with the strings `name` and `version`, and what else there is.
    ///
    /// # Errors
    /// If it is none, or nests deeper than a reader's default limit.
    pub fn info(mut self, info: RawJson<'_>) -> Result<Self, EncodeError> {
        self.info = Some(checked(info, Member::ClientInfo)?);
        Ok(self)
    }
}

/// What a server says in every result from 2026-07-28 on: its name, and for how long lists may be kept.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerProfile {
    pub(super) info: Option<String>,
    pub(super) ttl_ms: u64,
    pub(super) scope: CacheScope,
}

/// Who may share a cached result (2026-07-28 `server/utilities/caching`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CacheScope {
    /// Anybody.
    Public,
    /// The one who asked.
    Private,
}

impl CacheScope {
    /// `public` or `private`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}

impl ServerProfile {
    /// Nameless, and nothing may be kept: `ttlMs` 0, `cacheScope` `private`.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            info: None,
            ttl_ms: 0,
            scope: CacheScope::Private,
        }
    }

    /// Sets `serverInfo` to an object with just a name and a version.
    #[must_use]
    pub fn named(mut self, name: &str, version: &str) -> Self {
        self.info = Some(implementation(name, version));
        self
    }

    /// Sets `serverInfo`: an object with the strings `name` and `version`, and what else there is.
    ///
    /// # Errors
    /// If it is none, or nests deeper than a reader's default limit.
    pub fn info(mut self, info: RawJson<'_>) -> Result<Self, EncodeError> {
        self.info = Some(checked(info, Member::ServerInfo)?);
        Ok(self)
    }

    /// Sets for how many milliseconds the results of cacheable methods may be kept, and by whom. A result that says so
    /// itself keeps what it says.
    #[must_use]
    pub const fn cache(mut self, ttl_ms: u64, scope: CacheScope) -> Self {
        self.ttl_ms = ttl_ms;
        self.scope = scope;
        self
    }
}

impl Default for ServerProfile {
    fn default() -> Self {
        Self::new()
    }
}

/// The containers that are open around a member of `_meta`: the message, its params or result, `_meta`.
const AROUND: usize = 3;

fn one_line(value: RawJson<'_>) -> Result<String, EncodeError> {
    let limits = Limits::of_depth(Limits::DEFAULT_MAX_DEPTH - AROUND);
    RawJson::parse_with(value.as_bytes(), &limits).map_err(|_| EncodeError::TooDeep)?;
    let mut text = String::with_capacity(value.raw().len());
    let copying = Copying {
        one_line: true,
        ..Copying::default()
    };
    copying.copy(value.raw(), |piece| text.push_str(piece));
    Ok(text)
}

fn implementation(name: &str, version: &str) -> String {
    let mut info = String::from("{\"name\":");
    push_text(&mut info, name);
    info.push_str(",\"version\":");
    push_text(&mut info, version);
    info.push('}');
    info
}

fn checked(info: RawJson<'_>, member: Member) -> Result<String, EncodeError> {
    let parts = info.get_many(["name", "version"]);
    let is_string =
        |part: Option<RawJson<'_>>| part.is_some_and(|part| part.kind() == JsonKind::String);
    match parts.into_iter().all(is_string) {
        true => one_line(info),
        false => Err(EncodeError::Invalid(member)),
    }
}

/// Lengths.
impl fmt::Debug for ClientProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientProfile")
            .field("capabilities", &self.capabilities.len())
            .field("info", &self.info.as_ref().map(String::len))
            .finish()
    }
}

/// Its numbers, and lengths.
impl fmt::Debug for ServerProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerProfile")
            .field("info", &self.info.as_ref().map(String::len))
            .field("ttl_ms", &self.ttl_ms)
            .field("scope", &self.scope)
            .finish()
    }
}
