//! The one table of member names that mean something: where each stands, what it is called, what the pass keeps of it.
//!
//! The envelope pass is driven by it. A name that a new revision of MCP gives a meaning to is one row more.

use crate::json::JsonStr;
use crate::json::scan::Name;
use crate::json::word::word;
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
    /// Below those: named by faults, not looked at by the envelope pass.
    Deeper,
}

/// What the envelope pass keeps of a member besides its type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// Its span, and a second one is a fault: it decides something.
    Unique,
    /// Its span; of several that of the last.
    Last,
    /// Nothing.
    TypeAlone,
}

use Kept::{Last, TypeAlone, Unique};

macro_rules! table {
    ($($level:ident { $($member:ident = $path:literal, $name:literal, $kept:ident, $expected:literal;)* })*) => {
        /// A member of a message that means something to JSON-RPC or MCP.
        ///
        /// [`path`](Self::path) says where it stands. Paths that begin with `_meta` stand in `params` or in `result`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Member {
            $($(#[doc = concat!("`", $path, "`")] $member,)*)*
        }

        static TABLE: [Row; MEMBERS] = [
            $($(row(Member::$member, Level::$level, $path, $name, $kept, $expected),)*)*
        ];

        /// How many rows each level has.
        const COUNTS: [usize; 6] = [$([$($name,)*].len(),)*];
    };
}

#[rustfmt::skip]
table! {
    Top {
        Jsonrpc               = "jsonrpc", "jsonrpc", Unique, "the string `2.0`";
        Id                    = "id", "id", Unique, "a string or an integer";
        Method                = "method", "method", Unique, "a string of Unicode text";
        Params                = "params", "params", Unique, "an object";
        Result                = "result", "result", Unique, "an object";
        Error                 = "error", "error", Unique, "an object";
    }
    Params {
        ParamsMeta            = "params._meta", "_meta", Unique, "an object";
        Name                  = "params.name", "name", Unique, "a string of Unicode text";
        Uri                   = "params.uri", "uri", Unique, "a string of Unicode text";
        TaskId                = "params.taskId", "taskId", Unique, "a string of Unicode text";
        ParamsProtocolVersion = "params.protocolVersion", "protocolVersion", Unique, "a string of Unicode text";
        Arguments             = "params.arguments", "arguments", Last, "an object";
        Ref                   = "params.ref", "ref", Last, "an object";
        Argument              = "params.argument", "argument", Last, "an object";
        Notifications         = "params.notifications", "notifications", Last, "an object";
        ParamsClientInfo      = "params.clientInfo", "clientInfo", Last, "an object";
        Level                 = "params.level", "level", Last, "a log level";
        RequestId             = "params.requestId", "requestId", Last, "a string or an integer";
        Cursor                = "params.cursor", "cursor", TypeAlone, "a string";
        InputResponses        = "params.inputResponses", "inputResponses", TypeAlone, "an object";
        ParamsRequestState    = "params.requestState", "requestState", TypeAlone, "a string";
        ParamsCapabilities    = "params.capabilities", "capabilities", TypeAlone, "an object";
        ParamsProgressToken   = "params.progressToken", "progressToken", TypeAlone, "a string or an integer";
        Progress              = "params.progress", "progress", TypeAlone, "a number";
        Total                 = "params.total", "total", TypeAlone, "a number";
        Message               = "params.message", "message", TypeAlone, "a string";
        Data                  = "params.data", "data", TypeAlone, "a value";
        Messages              = "params.messages", "messages", TypeAlone, "an array";
        MaxTokens             = "params.maxTokens", "maxTokens", TypeAlone, "an integer";
        RequestedSchema       = "params.requestedSchema", "requestedSchema", TypeAlone, "an object";
        Mode                  = "params.mode", "mode", TypeAlone, "`form` or `url`";
        Url                   = "params.url", "url", TypeAlone, "a string";
        ElicitationId         = "params.elicitationId", "elicitationId", TypeAlone, "a string";
        ParamsStatus          = "params.status", "status", TypeAlone, "a string";
        ParamsCreatedAt       = "params.createdAt", "createdAt", TypeAlone, "a string";
        ParamsLastUpdatedAt   = "params.lastUpdatedAt", "lastUpdatedAt", TypeAlone, "a string";
        ParamsTtl             = "params.ttl", "ttl", TypeAlone, "an integer or null";
    }
    Result {
        ResultMeta            = "result._meta", "_meta", Unique, "an object";
        ResultType            = "result.resultType", "resultType", Unique, "a result type that is known";
        ResultProtocolVersion = "result.protocolVersion", "protocolVersion", Unique, "a string of Unicode text";
        InputRequests         = "result.inputRequests", "inputRequests", Last, "an object of requests for input";
        TtlMs                 = "result.ttlMs", "ttlMs", Last, "an integer from 0 on";
        CacheScope            = "result.cacheScope", "cacheScope", Last, "`public` or `private`";
        ResultRequestState    = "result.requestState", "requestState", TypeAlone, "a string";
        Content               = "result.content", "content", TypeAlone, "an array or an object";
        StructuredContent     = "result.structuredContent", "structuredContent", TypeAlone, "an object";
        IsError               = "result.isError", "isError", TypeAlone, "a boolean";
        Tools                 = "result.tools", "tools", TypeAlone, "an array";
        Prompts               = "result.prompts", "prompts", TypeAlone, "an array";
        Resources             = "result.resources", "resources", TypeAlone, "an array";
        ResourceTemplates     = "result.resourceTemplates", "resourceTemplates", TypeAlone, "an array";
        Contents              = "result.contents", "contents", TypeAlone, "an array";
        ResultMessages        = "result.messages", "messages", TypeAlone, "an array";
        Completion            = "result.completion", "completion", TypeAlone, "an object";
        SupportedVersions     = "result.supportedVersions", "supportedVersions", TypeAlone, "an array";
        ResultCapabilities    = "result.capabilities", "capabilities", TypeAlone, "an object";
        ResultServerInfo      = "result.serverInfo", "serverInfo", TypeAlone, "an object";
        NextCursor            = "result.nextCursor", "nextCursor", TypeAlone, "a string";
        Role                  = "result.role", "role", TypeAlone, "a string";
        Model                 = "result.model", "model", TypeAlone, "a string";
        Roots                 = "result.roots", "roots", TypeAlone, "an array";
        Action                = "result.action", "action", TypeAlone, "a string";
        Tasks                 = "result.tasks", "tasks", TypeAlone, "an array";
        ResultTaskId          = "result.taskId", "taskId", TypeAlone, "a string";
        ResultStatus          = "result.status", "status", TypeAlone, "a string";
        ResultCreatedAt       = "result.createdAt", "createdAt", TypeAlone, "a string";
        ResultLastUpdatedAt   = "result.lastUpdatedAt", "lastUpdatedAt", TypeAlone, "a string";
        ResultTtl             = "result.ttl", "ttl", TypeAlone, "an integer or null";
    }
    Error {
        ErrorCode             = "error.code", "code", Unique, "an integer of at most 64 bits";
        ErrorMessage          = "error.message", "message", Unique, "a string";
        ErrorData             = "error.data", "data", Last, "the data that its code demands";
    }
    Meta {
        ProgressToken         = "_meta.progressToken", "progressToken", Unique, "a string or an integer";
        ProtocolVersion       = "_meta[\"io.modelcontextprotocol/protocolVersion\"]", "io.modelcontextprotocol/protocolVersion", Unique, "a string of Unicode text";
        ClientInfo            = "_meta[\"io.modelcontextprotocol/clientInfo\"]", "io.modelcontextprotocol/clientInfo", Unique, "an object with the strings `name` and `version`";
        ClientCapabilities    = "_meta[\"io.modelcontextprotocol/clientCapabilities\"]", "io.modelcontextprotocol/clientCapabilities", Unique, "an object";
        LogLevel              = "_meta[\"io.modelcontextprotocol/logLevel\"]", "io.modelcontextprotocol/logLevel", Unique, "a log level";
        SubscriptionId        = "_meta[\"io.modelcontextprotocol/subscriptionId\"]", "io.modelcontextprotocol/subscriptionId", Unique, "a string or an integer";
        ServerInfo            = "_meta[\"io.modelcontextprotocol/serverInfo\"]", "io.modelcontextprotocol/serverInfo", Unique, "an object with the strings `name` and `version`";
        Traceparent           = "_meta.traceparent", "traceparent", Unique, "a string";
        Tracestate            = "_meta.tracestate", "tracestate", Unique, "a string";
        Baggage               = "_meta.baggage", "baggage", Unique, "a string";
    }
    Deeper {
        ClientInfoName        = "params.clientInfo.name", "name", TypeAlone, "a string";
        ClientInfoVersion     = "params.clientInfo.version", "version", TypeAlone, "a string";
        RefType               = "params.ref.type", "type", TypeAlone, "`ref/prompt` or `ref/resource`";
        RefName               = "params.ref.name", "name", TypeAlone, "a string";
        RefUri                = "params.ref.uri", "uri", TypeAlone, "a string";
        ArgumentName          = "params.argument.name", "name", TypeAlone, "a string";
        ArgumentValue         = "params.argument.value", "value", TypeAlone, "a string";
        PromptArgument        = "params.arguments.*", "*", TypeAlone, "a string";
        SubscriptionFilter    = "params.notifications.*", "*", TypeAlone, "a boolean, and `resourceSubscriptions` an array of strings";
    }
}

/// How many members there are.
pub(crate) const MEMBERS: usize = Member::SubscriptionFilter as usize + 1;

/// How many spans a message keeps: of `id` to `error`; of what stands in `params`, `result` or `error`, which share
/// theirs, since a message has one of the three that matters; and of what stands in `_meta`.
pub(crate) const SLOTS: usize = META_SLOT + META_SLOTS;
/// Those in `_meta`, by the members' numbers; the last ones.
pub(crate) const META_SLOTS: usize = 10;
const SECTION_SLOT: usize = 5;
const META_SLOT: usize = SECTION_SLOT + 12;

pub(crate) struct Row {
    /// The first eight bytes of the name as a little-endian word, zeros where it is shorter.
    first_word: u64,
    /// The name: the last part of `path`.
    name: &'static str,
    pub(crate) member: Member,
    /// Which row of its level it is, from 0.
    pub(crate) number: u8,
    /// Which of a message's spans is its own; [`NO_SLOT`] if it keeps none.
    pub(crate) slot: u8,
    /// Whether a second one is a fault.
    pub(crate) is_unique: bool,
    keeps_span: bool,
    level: Level,
    path: &'static str,
    /// What its value has to be, where somebody judges that.
    expected: &'static str,
}

/// No span is kept.
pub(crate) const NO_SLOT: u8 = u8::MAX;

const fn row(
    member: Member,
    level: Level,
    path: &'static str,
    name: &'static str,
    kept: Kept,
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
    let keeps_span = !matches!(kept, TypeAlone);
    let number = member as usize - level.start();
    let slot = match level {
        // `jsonrpc` needs none: there is one value that it may have.
        Level::Top => number.wrapping_sub(1),
        Level::Params | Level::Result | Level::Error if keeps_span => SECTION_SLOT + number,
        Level::Meta => META_SLOT + number,
        _ => NO_SLOT as usize,
    };
    Row {
        first_word,
        name,
        member,
        number: number as u8,
        slot: slot as u8,
        is_unique: matches!(kept, Unique),
        keeps_span,
        level,
        path,
        expected,
    }
}

impl Level {
    /// The number of the level's first row.
    #[allow(clippy::indexing_slicing)] // at compile time
    const fn start(self) -> usize {
        let mut start = 0;
        let mut level = 0;
        while level < self as usize {
            start += COUNTS[level];
            level += 1;
        }
        start
    }

    #[allow(clippy::indexing_slicing)] // at compile time
    const fn range(self) -> core::ops::Range<usize> {
        self.start()..self.start() + COUNTS[self as usize]
    }

    #[inline(always)]
    fn rows(self) -> &'static [Row] {
        let range = match self {
            Self::Top => const { Self::Top.range() },
            Self::Params => const { Self::Params.range() },
            Self::Result => const { Self::Result.range() },
            Self::Error => const { Self::Error.range() },
            Self::Meta => const { Self::Meta.range() },
            Self::Deeper => const { Self::Deeper.range() },
        };
        TABLE.get(range).unwrap_or(&[])
    }

    #[inline(always)]
    fn index(self) -> &'static Index {
        match self {
            Self::Top => const { &Index::of(Self::Top) },
            Self::Params => const { &Index::of(Self::Params) },
            Self::Result => const { &Index::of(Self::Result) },
            Self::Error => const { &Index::of(Self::Error) },
            Self::Meta => const { &Index::of(Self::Meta) },
            Self::Deeper => const { &Index::EMPTY },
        }
    }

    /// The member that a name means at this level, compared after unescaping. Allocates nothing.
    #[inline(always)]
    pub(crate) fn find(self, name: &Name<'_>) -> Option<&'static Row> {
        let index = self.index();
        let bucket = hash(name.first_word, name.raw.len());
        let mut at = index.first.get(bucket).copied().unwrap_or(0);
        while at != 0 {
            let row = self.rows().get(usize::from(at) - 1)?;
            if row.first_word == name.first_word && row.has_rest_of(name.raw) {
                return Some(row);
            }
            at = index.next.get(usize::from(at) - 1).copied().unwrap_or(0);
        }
        if name.escaped {
            return self.find_escaped(name.raw);
        }
        None
    }

    /// The member of this very name.
    pub(crate) fn named(self, name: &str) -> Option<Member> {
        let row = self.rows().iter().find(|row| row.name == name)?;
        Some(row.member)
    }

    /// As `find`, for a name with an escape in it: unescaped once, as far as a name of the table is long.
    #[cold]
    fn find_escaped(self, raw: &[u8]) -> Option<&'static Row> {
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
        name.is_text().then_some(row)
    }
}

/// Where to look for a name among a level's rows: by hash, then along a short chain. Rows are numbered from 1 within
/// their level; 0 ends a chain.
struct Index {
    first: [u8; BUCKETS],
    next: [u8; MOST_ROWS],
}

const BUCKETS: usize = 64;
/// As many as a message keeps types of.
const MOST_ROWS: usize = 32;

/// The first eight bytes and the length tell almost all names apart. The factor was chosen so that no chain is longer
/// than two; the table is checked for that at compile time.
#[inline(always)]
const fn hash(first_word: u64, raw_len: usize) -> usize {
    const FACTOR: u64 = 0x5F01_7A80_819D_B881;
    (first_word ^ (raw_len as u64) << 56).wrapping_mul(FACTOR) as usize >> 58
}

impl Index {
    const EMPTY: Self = Self {
        first: [0; BUCKETS],
        next: [0; MOST_ROWS],
    };

    #[allow(clippy::indexing_slicing)] // at compile time
    const fn of(level: Level) -> Self {
        assert!(is_sound());
        let mut index = Self::EMPTY;
        let range = level.range();
        assert!(range.end - range.start < MOST_ROWS);
        let mut at = range.start;
        while at < range.end {
            let row = &TABLE[at];
            let number = at - range.start + 1;
            let bucket = hash(row.first_word, row.name.len() + 2);
            let other = index.first[bucket] as usize;
            if other != 0 {
                assert!(
                    index.next[other - 1] == 0,
                    "a chain of three: choose another factor"
                );
            }
            index.next[number - 1] = index.first[bucket];
            index.first[bucket] = number as u8;
            at += 1;
        }
        index
    }
}

/// Whether rows stand where their numbers say, and those that keep a span before the others of their level.
#[allow(clippy::indexing_slicing)] // at compile time
const fn is_sound() -> bool {
    let mut i = 0;
    while i < TABLE.len() {
        let row = &TABLE[i];
        let range = row.level.range();
        let keeps_late = i > range.start && !TABLE[i - 1].keeps_span && row.keeps_span;
        if row.member as usize != i || i < range.start || i >= range.end || keeps_late {
            return false;
        }
        i += 1;
    }
    true
}

impl Row {
    /// Whether this is the name in the quotes of `raw`, of which the first eight bytes are known to be the same. A name
    /// of up to sixteen by one more word, which overlaps: too short for a call to pay.
    #[inline(always)]
    fn has_rest_of(&self, raw: &[u8]) -> bool {
        let name = self.name.as_bytes();
        name.len() + 2 == raw.len()
            && match name.len() {
                0..=8 => true,
                len @ 9..=16 => word(name, len - 8) == word(raw, len - 7),
                len => name.get(8..) == raw.get(9..=len),
            }
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

    /// What its value has to be, where somebody judges that.
    pub(crate) fn expected(self) -> &'static str {
        self.row().expected
    }

    /// The object that the member stands in.
    pub(crate) const fn level(self) -> Level {
        const PARAMS: usize = Level::Params.start();
        const RESULT: usize = Level::Result.start();
        const ERROR: usize = Level::Error.start();
        const META: usize = Level::Meta.start();
        const DEEPER: usize = Level::Deeper.start();
        match self as usize {
            ..PARAMS => Level::Top,
            PARAMS..RESULT => Level::Params,
            RESULT..ERROR => Level::Result,
            ERROR..META => Level::Error,
            META..DEEPER => Level::Meta,
            _ => Level::Deeper,
        }
    }

    /// Which member of its level it is, from 0.
    #[inline(always)]
    pub(crate) const fn number(self) -> usize {
        self as usize - self.level().start()
    }

    /// Which of a message's spans is its own, if it keeps one.
    #[inline(always)]
    pub(crate) fn slot(self) -> u8 {
        self.row().slot
    }

    /// The slots of `params`, `result` or `error`, and of `_meta` in them.
    pub(crate) const INNER_SLOTS: core::ops::Range<usize> = SECTION_SLOT..SLOTS;
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
        assert!(scanner.has_member());
        let name = scanner.name().unwrap();
        level.find(&name).map(|row| row.member)
    }

    #[test]
    fn every_row_is_found_at_its_level_alone_however_it_is_spelt() {
        let mut found = 0;
        for level in LEVELS {
            for row in level.rows() {
                assert_eq!(row.level, level);
                assert_eq!(row.member.level(), level);
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
                    format!("\"{}\"", row.name.to_uppercase()),
                    format!("\"{}\\u0000\"", row.name),
                    format!("\"{}\\ud83d\"", row.name),
                ] {
                    assert_eq!(find(level, &near), None, "{near}");
                }
            }
        }
        assert!(found > MEMBERS);
    }

    #[test]
    fn slots_are_shared_by_sections_alone() {
        for a in &TABLE {
            assert!(a.slot == NO_SLOT || usize::from(a.slot) < SLOTS);
            assert!(!a.is_unique || a.slot != NO_SLOT || a.member == Member::Jsonrpc);
            for b in &TABLE {
                let share = a.slot != NO_SLOT && a.slot == b.slot && a.member != b.member;
                assert!(!share || a.level != b.level, "{} {}", a.member, b.member);
            }
        }
        assert!(Level::Params.rows().len() < MOST_ROWS && Level::Result.rows().len() < MOST_ROWS);
    }

    #[test]
    fn paths_end_in_the_name() {
        for row in &TABLE {
            assert!(row.path.trim_end_matches("\"]").ends_with(row.name));
        }
    }
}
