//! The one table of member names that mean something: where each stands, what it is called, what it has to be.
//!
//! The envelope pass is driven by it. A name that a new revision of MCP gives a meaning to is one row more.

use crate::json::JsonStr;
use crate::json::scan::Name;
use core::fmt;

/// An object whose members are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Top,
    Params,
    Result,
    Error,
    /// `params._meta` or `result._meta`.
    Meta,
}

/// A member of a message that means something to JSON-RPC or MCP.
///
/// The variants that name no other place are members of `_meta`, which stands in `params` or in `result`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
#[allow(missing_docs)] // `path` says it all
pub enum Member {
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    ParamsMeta,
    Name,
    Uri,
    TaskId,
    ParamsProtocolVersion,
    ResultMeta,
    ResultType,
    ResultProtocolVersion,
    ErrorCode,
    ErrorMessage,
    ErrorData,
    ProgressToken,
    ProtocolVersion,
    ClientInfo,
    ClientCapabilities,
    LogLevel,
    SubscriptionId,
    ServerInfo,
    Traceparent,
    Tracestate,
    Baggage,
}

/// How many members there are.
pub(crate) const MEMBERS: usize = Member::Baggage as usize + 1;

struct Row {
    member: Member,
    level: Level,
    path: &'static str,
    /// What the envelope pass itself demands; empty where it takes any value.
    expected: &'static str,
    /// The name: the last part of `path`.
    name: &'static str,
    /// The first eight bytes of the name as a little-endian word, zeros where it is shorter.
    first_word: u64,
}

#[rustfmt::skip]
static TABLE: [Row; MEMBERS] = [
    row(Member::Jsonrpc,               Level::Top,    "jsonrpc", "jsonrpc", "the string \"2.0\""),
    row(Member::Id,                    Level::Top,    "id", "id", "a string or an integer"),
    row(Member::Method,                Level::Top,    "method", "method", "a string of Unicode text"),
    row(Member::Params,                Level::Top,    "params", "params", "an object"),
    row(Member::Result,                Level::Top,    "result", "result", "an object"),
    row(Member::Error,                 Level::Top,    "error", "error", "an object"),
    row(Member::ParamsMeta,            Level::Params, "params._meta", "_meta", ""),
    row(Member::Name,                  Level::Params, "params.name", "name", ""),
    row(Member::Uri,                   Level::Params, "params.uri", "uri", ""),
    row(Member::TaskId,                Level::Params, "params.taskId", "taskId", ""),
    row(Member::ParamsProtocolVersion, Level::Params, "params.protocolVersion", "protocolVersion", ""),
    row(Member::ResultMeta,            Level::Result, "result._meta", "_meta", ""),
    row(Member::ResultType,            Level::Result, "result.resultType", "resultType", ""),
    row(Member::ResultProtocolVersion, Level::Result, "result.protocolVersion", "protocolVersion", ""),
    row(Member::ErrorCode,             Level::Error,  "error.code", "code", "an integer of at most 64 bits"),
    row(Member::ErrorMessage,          Level::Error,  "error.message", "message", "a string"),
    row(Member::ErrorData,             Level::Error,  "error.data", "data", ""),
    row(Member::ProgressToken,         Level::Meta,   "_meta.progressToken", "progressToken", ""),
    row(Member::ProtocolVersion,       Level::Meta,   "_meta[\"io.modelcontextprotocol/protocolVersion\"]", "io.modelcontextprotocol/protocolVersion", ""),
    row(Member::ClientInfo,            Level::Meta,   "_meta[\"io.modelcontextprotocol/clientInfo\"]", "io.modelcontextprotocol/clientInfo", ""),
    row(Member::ClientCapabilities,    Level::Meta,   "_meta[\"io.modelcontextprotocol/clientCapabilities\"]", "io.modelcontextprotocol/clientCapabilities", ""),
    row(Member::LogLevel,              Level::Meta,   "_meta[\"io.modelcontextprotocol/logLevel\"]", "io.modelcontextprotocol/logLevel", ""),
    row(Member::SubscriptionId,        Level::Meta,   "_meta[\"io.modelcontextprotocol/subscriptionId\"]", "io.modelcontextprotocol/subscriptionId", ""),
    row(Member::ServerInfo,            Level::Meta,   "_meta[\"io.modelcontextprotocol/serverInfo\"]", "io.modelcontextprotocol/serverInfo", ""),
    row(Member::Traceparent,           Level::Meta,   "_meta.traceparent", "traceparent", ""),
    row(Member::Tracestate,            Level::Meta,   "_meta.tracestate", "tracestate", ""),
    row(Member::Baggage,               Level::Meta,   "_meta.baggage", "baggage", ""),
];

const fn row(
    member: Member,
    level: Level,
    path: &'static str,
    name: &'static str,
    expected: &'static str,
) -> Row {
    let mut first_word = 0;
    let mut rest = name.as_bytes();
    let mut shift = 0;
    while let [b, after @ ..] = rest {
        if shift < 64 {
            first_word |= (*b as u64) << shift;
        }
        shift += 8;
        rest = after;
    }
    Row {
        member,
        level,
        path,
        expected,
        name,
        first_word,
    }
}

/// How many rows stand before those of `level`, and whether a row stands where its member's number says.
#[allow(clippy::indexing_slicing)] // at compile time
const fn rows_before(level: usize) -> usize {
    let mut before = 0;
    let mut i = 0;
    while i < TABLE.len() {
        assert!(TABLE[i].member as usize == i);
        assert!(i == 0 || TABLE[i - 1].level as usize <= TABLE[i].level as usize);
        if (TABLE[i].level as usize) < level {
            before = i + 1;
        }
        i += 1;
    }
    before
}

impl Level {
    /// `params` and all its members.
    pub(crate) const PARAMS: &'static [Member] = &[
        Member::Params,
        Member::ParamsMeta,
        Member::Name,
        Member::Uri,
        Member::TaskId,
        Member::ParamsProtocolVersion,
    ];

    /// All members of `_meta`.
    pub(crate) const META: &'static [Member] = &[
        Member::ProgressToken,
        Member::ProtocolVersion,
        Member::ClientInfo,
        Member::ClientCapabilities,
        Member::LogLevel,
        Member::SubscriptionId,
        Member::ServerInfo,
        Member::Traceparent,
        Member::Tracestate,
        Member::Baggage,
    ];

    #[inline(always)]
    fn rows(self) -> &'static [Row] {
        const fn range(level: Level) -> core::ops::Range<usize> {
            rows_before(level as usize)..rows_before(level as usize + 1)
        }
        let range = match self {
            Self::Top => const { range(Self::Top) },
            Self::Params => const { range(Self::Params) },
            Self::Result => const { range(Self::Result) },
            Self::Error => const { range(Self::Error) },
            Self::Meta => const { range(Self::Meta) },
        };
        TABLE.get(range).unwrap_or(&[])
    }

    /// The member that a name means at this level, compared after unescaping. Allocates nothing.
    #[inline(always)]
    pub(crate) fn find(self, name: &Name<'_>) -> Option<Member> {
        for row in self.rows() {
            if row.first_word == name.first_word && row.has_rest_of(name.raw) {
                return Some(row.member);
            }
        }
        if name.escaped {
            return self.find_escaped(name.raw);
        }
        None
    }

    /// The same for a name with an escape in it: unescaped once, as far as a name of the table is long.
    #[cold]
    fn find_escaped(self, raw: &[u8]) -> Option<Member> {
        const LONGEST_NAME: usize = 48;
        // Six bytes stand for one at the most.
        if raw.len() > 2 + 6 * LONGEST_NAME {
            return None;
        }
        let name = JsonStr::from_checked(core::str::from_utf8(raw).ok()?);
        let mut text = [0; LONGEST_NAME];
        let mut len = 0;
        for c in name.chars() {
            // All names of the table are ASCII; a lone surrogate ends the characters early, before the quote.
            *text.get_mut(len)? = u8::try_from(c).ok().filter(u8::is_ascii)?;
            len += 1;
        }
        let text = text.get(..len)?;
        let row = self.rows().iter().find(|row| row.name.as_bytes() == text)?;
        name.is_text().then_some(row.member)
    }
}

impl Row {
    /// Whether this is the name in the quotes of `raw`, of which the first eight bytes are known to be the same.
    #[inline(always)]
    fn has_rest_of(&self, raw: &[u8]) -> bool {
        self.name.len() + 2 == raw.len()
            && self.name.as_bytes().get(8..) == raw.get(9..raw.len() - 1)
    }
}

impl Member {
    fn row(self) -> &'static Row {
        let [first, ..] = &TABLE;
        TABLE.get(self as usize).unwrap_or(first)
    }

    /// Where the member stands and what it is called: `method`, `params.name`, `_meta.progressToken`.
    #[must_use]
    pub fn path(self) -> &'static str {
        self.row().path
    }

    /// What the member is called, without its place.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What the envelope pass demands of its value; empty where it takes any.
    pub(crate) fn expected(self) -> &'static str {
        self.row().expected
    }

    /// Whether the envelope pass refuses a second one: it decides something. `error.data` does not.
    #[inline(always)]
    pub(crate) const fn is_unique(self) -> bool {
        !matches!(self, Self::ErrorData)
    }

    #[inline(always)]
    pub(crate) const fn bit(self) -> u32 {
        1 << self as u32
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVELS: [Level; 5] = [
        Level::Top,
        Level::Params,
        Level::Result,
        Level::Error,
        Level::Meta,
    ];

    fn find(level: Level, raw: &str) -> Option<Member> {
        let text = format!("{{{raw}:0}}");
        let mut scanner = crate::json::scan::Scanner::new(text.as_bytes(), 2).unwrap();
        scanner.enter().unwrap();
        let name = scanner.first_name().unwrap().unwrap();
        level.find(&name)
    }

    #[test]
    fn every_row_is_found_at_its_level_alone_however_it_is_spelt() {
        let mut found = 0;
        for level in LEVELS {
            for row in level.rows() {
                assert_eq!(row.level, level);
                assert_eq!(row.member.name(), row.name);
                let spelt = |escape: usize| -> String {
                    row.name
                        .chars()
                        .enumerate()
                        .map(|(i, c)| match i == escape {
                            true => format!("\\u{:04x}", u32::from(c)),
                            false => c.to_string(),
                        })
                        .collect()
                };
                for escape in 0..=row.name.len() {
                    let raw = format!("\"{}\"", spelt(escape));
                    assert_eq!(find(level, &raw), Some(row.member), "{raw}");
                    found += 1;
                    for other in LEVELS {
                        if !other.rows().iter().any(|r| r.name == row.name) {
                            assert_eq!(find(other, &raw), None, "{raw} in {other:?}");
                        }
                    }
                }
                for near in [
                    format!("\"{}x\"", row.name),
                    format!("\" {}\"", row.name),
                    format!("\"{}\"", &row.name[1..]),
                    format!("\"{}\"", &row.name[..row.name.len() - 1]),
                    format!("\"{}\"", row.name.to_uppercase()),
                    format!("\"{}\\u0000\"", row.name),
                ] {
                    assert_eq!(find(level, &near), None, "{near}");
                }
            }
        }
        assert!(found > MEMBERS);
    }

    #[test]
    fn paths_end_in_the_name() {
        for row in &TABLE {
            assert!(row.path.trim_end_matches("\"]").ends_with(row.name));
        }
    }
}
