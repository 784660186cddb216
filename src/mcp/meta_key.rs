use super::version::Version;
use core::fmt;

/// A key of `_meta` that keeps to the grammar: `[prefix "/"] name` (2026-07-28 `basic/index`, "`_meta`", "Key name
/// format"; the same since 2025-06-18). Senders must keep to it; nothing is said of receivers, and parsing takes any key.
///
/// ```
/// use rpcslice::mcp::{MetaKey, Version};
///
/// let key = MetaKey::parse("com.example/trace-id")?;
/// assert_eq!((key.prefix(), key.name()), (Some("com.example"), "trace-id"));
/// assert!(!key.is_reserved(Version::LATEST));
/// assert!(MetaKey::parse("io.modelcontextprotocol/x")?.is_reserved(Version::LATEST));
/// assert_eq!(MetaKey::parse("com_example/x").unwrap_err().at(), 3);
/// # Ok::<(), rpcslice::mcp::MetaKeyError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MetaKey<'a> {
    prefix: Option<&'a str>,
    name: &'a str,
}

/// A key breaks the grammar, at this byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetaKeyError {
    at: usize,
}

impl MetaKeyError {
    /// The index of the first byte at fault; the length of the key where it may not end.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }
}

impl fmt::Display for MetaKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "not a key of `_meta`: expected labels of letters, digits and inner hyphens, parted by dots and ended by a \
             slash, then a name of letters, digits and inner hyphens, underscores and dots (byte {})",
            self.at
        )
    }
}

impl core::error::Error for MetaKeyError {}

impl<'a> MetaKey<'a> {
    /// Reads a key (unescaped). One pass.
    ///
    /// # Errors
    /// The first byte that breaks the grammar.
    pub fn parse(key: &'a str) -> Result<Self, MetaKeyError> {
        let (prefix, name) = match key.split_once('/') {
            Some((prefix, name)) => (Some(prefix), name),
            None => (None, key),
        };
        let mut at = 0;
        if let Some(prefix) = prefix {
            for label in prefix.split('.') {
                check(label, at, u8::is_ascii_alphabetic, |b| b == b'-')?;
                at += label.len() + 1;
            }
        }
        if !name.is_empty() {
            check(name, at, u8::is_ascii_alphanumeric, |b| {
                matches!(b, b'-' | b'_' | b'.')
            })?;
        }
        Ok(Self { prefix, name })
    }

    /// What stands before the slash, if there is one.
    #[must_use]
    pub const fn prefix(&self) -> Option<&'a str> {
        self.prefix
    }

    /// What stands behind the slash; may be empty.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Whether the prefix is kept for MCP: from 2025-11-25 on if its second label is `mcp` or `modelcontextprotocol`, in
    /// 2025-06-18 if any label but the last is. Earlier revisions keep none.
    #[must_use]
    pub fn is_reserved(&self, version: Version) -> bool {
        let Some(prefix) = self.prefix else {
            return false;
        };
        let is_ours = |label: &str| matches!(label, "mcp" | "modelcontextprotocol");
        match version {
            Version::V2024_11_05 | Version::V2025_03_26 => false,
            Version::V2025_06_18 => {
                let mut labels = prefix.rsplit('.').skip(1);
                labels.any(is_ours)
            }
            _ => prefix.split('.').nth(1).is_some_and(is_ours),
        }
    }

    /// Reads the identifier of an extension: the same grammar, but with a prefix (2026-07-28 `basic/versioning`,
    /// "Extension negotiation").
    ///
    /// # Errors
    /// The first byte that breaks the grammar; the end, if there is no prefix.
    pub fn parse_extension(identifier: &'a str) -> Result<Self, MetaKeyError> {
        let key = Self::parse(identifier)?;
        match key.prefix {
            Some(_) => Ok(key),
            None => Err(MetaKeyError {
                at: identifier.len(),
            }),
        }
    }
}

/// Letters and digits, `inner` characters only between others, and a first character of its own.
fn check(
    part: &str,
    start: usize,
    first: fn(&u8) -> bool,
    inner: fn(u8) -> bool,
) -> Result<(), MetaKeyError> {
    let fault = |i: usize| Err(MetaKeyError { at: start + i });
    let bytes = part.as_bytes();
    for (i, b) in bytes.iter().enumerate() {
        let is_good = match i {
            0 => first(b),
            _ => b.is_ascii_alphanumeric() || inner(*b),
        };
        if !is_good {
            return fault(i);
        }
    }
    match bytes.last() {
        Some(last) if last.is_ascii_alphanumeric() => Ok(()),
        _ => fault(bytes.len().saturating_sub(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar() {
        for good in [
            "",
            "a",
            "9",
            "a_b-c.d",
            "x/",
            "com.example/",
            "a1.b2-c3/x",
            "mcp/x",
            "A.B/9",
        ] {
            assert!(MetaKey::parse(good).is_ok(), "{good:?}");
        }
        let bad = [
            ("_x", 0),
            ("x_", 1),
            ("a b", 1),
            ("é", 0),
            ("/x", 0),
            ("a//x", 2),
            ("1a/x", 0),
            ("a.1/x", 2),
            ("a-/x", 1),
            ("a../x", 2),
            ("a_b/x", 1),
            ("com.example/x-", 13),
            ("com.example/_", 12),
        ];
        for (key, at) in bad {
            assert_eq!(MetaKey::parse(key), Err(MetaKeyError { at }), "{key:?}");
        }
        assert!(MetaKey::parse_extension("io.modelcontextprotocol/tasks").is_ok());
        assert_eq!(MetaKey::parse_extension("tasks").unwrap_err().at(), 5);
    }

    #[test]
    fn reserved_prefixes_by_revision() {
        let table = [
            ("io.modelcontextprotocol/x", false, true),
            ("dev.mcp/x", false, true),
            ("com.mcp.tools/x", true, true),
            ("com.example.mcp/x", false, false),
            ("mcp.dev/x", true, false),
            ("tools.mcp.com/x", true, true),
            ("mcp/x", false, false),
            ("x", false, false),
        ];
        for (key, in_0618, later) in table {
            let key = MetaKey::parse(key).unwrap();
            assert_eq!(key.is_reserved(Version::V2025_06_18), in_0618, "{key:?}");
            assert_eq!(key.is_reserved(Version::V2025_11_25), later, "{key:?}");
            assert_eq!(key.is_reserved(Version::V2026_07_28), later, "{key:?}");
            assert!(!key.is_reserved(Version::V2024_11_05));
        }
    }
}
