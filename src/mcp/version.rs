use crate::json::JsonStr;
use core::fmt;

/// A published revision of MCP. Its name is an identifier: it is compared for equality, never by order
/// (2026-07-28 `basic/versioning`). The order of the variants is that of publication, for lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u8)]
pub enum Version {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26, the one with batches
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25
    V2025_11_25,
    /// 2026-07-28, whose requests carry version and capabilities in `_meta`
    V2026_07_28,
}

/// How a connection agrees on a revision (2026-07-28 `basic/versioning`, "Terminology").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// By the `initialize` handshake: up to 2025-11-25.
    Legacy,
    /// By every request for itself: from 2026-07-28 on.
    Modern,
}

impl Version {
    /// All of them, the oldest first.
    pub const ALL: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];

    /// The newest.
    pub const LATEST: Self = Self::V2026_07_28;

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The era it belongs to.
    #[must_use]
    pub const fn era(&self) -> Era {
        match self {
            Self::V2026_07_28 => Era::Modern,
            _ => Era::Legacy,
        }
    }

    /// The revision of this name, as it stands in a message. The text of an unknown one stays where it is.
    #[must_use]
    pub fn find(name: &JsonStr<'_>) -> Option<Self> {
        match name.as_str() {
            Some(text) => Self::ALL.into_iter().find(|v| v.as_str() == text),
            None => Self::ALL.into_iter().find(|v| *name == v.as_str()),
        }
    }

    /// Whether every error has an id, if only `null`: so the schemas before 2025-11-25.
    pub(crate) const fn needs_error_id(self) -> bool {
        !matches!(self, Self::V2025_11_25 | Self::V2026_07_28)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The name is not that of a published revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownVersion;

impl fmt::Display for UnknownVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a published revision of MCP; they are")?;
        Version::ALL.iter().try_for_each(|v| write!(f, " {v}"))
    }
}

impl core::error::Error for UnknownVersion {}

impl core::str::FromStr for Version {
    type Err = UnknownVersion;

    fn from_str(name: &str) -> Result<Self, UnknownVersion> {
        Self::ALL
            .into_iter()
            .find(|version| version.as_str() == name)
            .ok_or(UnknownVersion)
    }
}

/// A set of revisions, and at most one draft of the next. `Copy`.
///
/// ```
/// use rpcslice::mcp::{Version, Versions};
///
/// let served = Versions::of(&[Version::V2025_11_25, Version::V2026_07_28]);
/// assert!(served.contains(Version::V2026_07_28));
/// assert_eq!(served.iter().count(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Versions {
    bits: u8,
    draft: Option<&'static str>,
}

impl Versions {
    /// Every published revision.
    pub const ALL: Self = Self::of(&Version::ALL);

    /// These.
    #[must_use]
    pub const fn of(versions: &[Version]) -> Self {
        let mut bits = 0;
        let mut rest = versions;
        while let [first, after @ ..] = rest {
            bits |= first.bit();
            rest = after;
        }
        Self { bits, draft: None }
    }

    /// These, and a draft of this name, which is held to the rules of [`Version::LATEST`].
    #[must_use]
    pub const fn with_draft(mut self, name: &'static str) -> Self {
        self.draft = Some(name);
        self
    }

    /// The name of the draft, if there is one.
    #[must_use]
    pub const fn draft(&self) -> Option<&'static str> {
        self.draft
    }

    /// Whether the revision is among them.
    #[must_use]
    pub const fn contains(&self, version: Version) -> bool {
        self.bits & version.bit() != 0
    }

    /// The published ones, the oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Version> + Clone + use<> {
        let versions = *self;
        Version::ALL
            .into_iter()
            .filter(move |&version| versions.contains(version))
    }

    /// The names of all, the draft last.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let published = Version::ALL.map(|version| (version, version.as_str()));
        let versions = *self;
        published
            .into_iter()
            .filter(move |&(version, _)| versions.contains(version))
            .map(|(_, name)| name)
            .chain(self.draft)
    }

    /// What a server answers to `initialize`: the revision offered, if it is among these and has that handshake, or else
    /// the newest of them that has (`basic/lifecycle`, "Version negotiation"). `None` if none has.
    #[must_use]
    pub fn negotiate(&self, offered: Option<&JsonStr<'_>>) -> Option<Version> {
        let mut legacy = self.iter().filter(|v| v.era() == Era::Legacy);
        let offered = offered.and_then(Version::find);
        let same = legacy.clone().find(|&version| Some(version) == offered);
        same.or_else(|| legacy.next_back())
    }

    /// Whether one of that era is among them.
    #[must_use]
    pub const fn has(&self, era: Era) -> bool {
        const MODERN: u8 = Version::V2026_07_28.bit();
        match era {
            Era::Modern => self.draft.is_some() || self.bits & MODERN != 0,
            Era::Legacy => self.bits & !MODERN != 0,
        }
    }

    /// The rules that a name asks for, if it is among these: a published revision, or a draft.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Version> {
        if self.draft == Some(name) {
            return Some(Version::LATEST);
        }
        self.iter().find(|version| version.as_str() == name)
    }

    /// The rules that a name in a message's `_meta` asks for, if they are among these: of the modern era, or a draft.
    pub(crate) fn modern(&self, name: &JsonStr<'_>) -> Option<Version> {
        let is = |version: &str| match name.as_str() {
            Some(text) => text == version,
            None => *name == version,
        };
        if self.draft.is_some_and(is) {
            return Some(Version::LATEST);
        }
        // The newest first: that is what most name.
        let mut modern = Version::ALL.into_iter().rev();
        modern.find(|v| v.era() == Era::Modern && self.contains(*v) && is(v.as_str()))
    }

    /// The only one, if there is one only.
    pub(crate) fn single(&self) -> Option<Version> {
        match (self.draft, self.bits.count_ones()) {
            (None, 1) => self.iter().next(),
            (Some(_), 0) => Some(Version::LATEST),
            _ => None,
        }
    }
}

impl Default for Versions {
    fn default() -> Self {
        Self::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(raw: &str) -> JsonStr<'_> {
        JsonStr::from_checked(raw)
    }

    #[test]
    fn names_and_sets() {
        for version in Version::ALL {
            let raw = format!("\"{version}\"");
            assert_eq!(Version::find(&token(&raw)), Some(version));
            assert_eq!(version.as_str().parse(), Ok(version));
            assert_eq!(Versions::of(&[version]).single(), Some(version));
            let is_modern = version.era() == Era::Modern;
            for era in [Era::Legacy, Era::Modern] {
                assert_eq!(Versions::of(&[version]).has(era), version.era() == era);
            }
            assert_eq!(Versions::ALL.modern(&token(&raw)).is_some(), is_modern);
        }
        assert_eq!(
            Version::find(&token("\"2026\\u002d07-28\"")),
            Some(Version::LATEST)
        );
        for unknown in ["\"\"", "\"2026-7-28\"", "\"1900-01-01\"", "\"2026-07-28 \""] {
            assert_eq!(Version::find(&token(unknown)), None);
        }
        assert_eq!("x".parse::<Version>(), Err(UnknownVersion));
        let draft = Versions::of(&[]).with_draft("DRAFT-2027");
        assert_eq!(
            draft.modern(&token("\"DRAFT-2027\"")),
            Some(Version::LATEST)
        );
        assert_eq!(draft.single(), Some(Version::LATEST));
        assert!(draft.has(Era::Modern) && !draft.has(Era::Legacy));
        assert!(Versions::ALL.has(Era::Legacy) && Versions::ALL.single().is_none());
        assert_eq!(draft.names().collect::<Vec<_>>(), ["DRAFT-2027"]);
        assert_eq!(Versions::ALL.names().count(), 5);
    }

    #[test]
    fn initialize_is_answered_with_what_was_offered_or_the_newest_that_has_it() {
        use Version::*;
        let old = Versions::of(&[V2024_11_05, V2025_06_18]);
        let table = [
            (Versions::ALL, Some("\"2025-03-26\""), Some(V2025_03_26)),
            (Versions::ALL, Some("\"2026-07-28\""), Some(V2025_11_25)),
            (Versions::ALL, Some("\"1900-01-01\""), Some(V2025_11_25)),
            (Versions::ALL, None, Some(V2025_11_25)),
            (old, Some("\"2024-11-05\""), Some(V2024_11_05)),
            (old, Some("\"2025-03-26\""), Some(V2025_06_18)),
            (Versions::of(&[V2026_07_28]), Some("\"2026-07-28\""), None),
            (Versions::of(&[]).with_draft("d"), Some("\"d\""), None),
        ];
        for (served, offered, answer) in table {
            let offered = offered.map(token);
            assert_eq!(served.negotiate(offered.as_ref()), answer, "{offered:?}");
        }
    }
}
