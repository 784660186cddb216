//! The one table of member names that mean something: where each stands, what it is called, what the pass keeps of it.
//!
//! The envelope pass is driven by it. A name that a new revision of MCP gives a meaning to is one row more.

use crate::json::JsonStr;
use crate::json::steps::Name;
use crate::json::word::word_of;
use crate::message::Type;
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
    /// The first eight bytes of the name as a little-endian word, zeros where it is shorter; and the last eight.
    first_word: u64,
    last_word: u64,
    /// The name: the last part of `path`.
    name: &'static str,
    pub(crate) member: Member,
    /// Which row of its level it is, from 0.
    pub(crate) number: u8,
    /// Which of a message's spans is its own; [`NO_SLOT`] if it keeps none.
    pub(crate) slot: u8,
    /// Whether a second one is a fault.
    pub(crate) is_unique: bool,
    /// Whether its value is entered, if it is an object; and what for.
    pub(crate) is_entered: bool,
    pub(crate) enters: Enters,
    /// The types that its value may have for all that JSON-RPC says, one bit for each. None if it takes more than a type.
    pub(crate) types: u16,
    /// Where its type is kept: its number in `params`, `result` and `error`, otherwise a place that nobody reads.
    pub(crate) type_place: u8,
    keeps_span: bool,
    level: Level,
    path: &'static str,
    /// What its value has to be, where somebody judges that.
    expected: &'static str,
}

/// What an object is entered for.
#[derive(Clone, Copy)]
pub(crate) enum Enters {
    /// Its members are looked at.
    Level(Level),
    /// Whether it has the strings `name` and `version`.
    Implementation,
}

/// A place among the types for those of members whose types are not kept.
const NO_TYPE: u8 = MOST_ROWS as u8 - 1;

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
    let first_word = word_of(name.as_bytes());
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
        last_word: match name.as_bytes().last_chunk::<8>() {
            Some(last) => u64::from_le_bytes(*last),
            None => first_word,
        },
        name,
        member,
        number: number as u8,
        slot: slot as u8,
        is_unique: matches!(kept, Unique),
        enters: match member {
            Member::Params => Enters::Level(Level::Params),
            Member::Result => Enters::Level(Level::Result),
            Member::Error => Enters::Level(Level::Error),
            Member::ParamsMeta | Member::ResultMeta => Enters::Level(Level::Meta),
            _ => Enters::Implementation,
        },
        is_entered: matches!(
            member,
            Member::Params
                | Member::Result
                | Member::Error
                | Member::ParamsMeta
                | Member::ResultMeta
                | Member::ClientInfo
                | Member::ServerInfo
        ),
        types: match member {
            Member::Id => Type::String.bit() | Type::NoText.bit() | Type::Integer.bit(),
            Member::Method => Type::String.bit(),
            Member::Params | Member::Result | Member::Error => Type::Object.bit(),
            Member::Jsonrpc | Member::ErrorCode | Member::ErrorMessage => 0,
            _ => u16::MAX,
        },
        type_place: match level {
            Level::Params | Level::Result | Level::Error => number as u8,
            _ => NO_TYPE,
        },
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

    /// Where to look for its names.
    #[inline(always)]
    pub(crate) fn names(self) -> &'static Names {
        static NAMES: [Names; 5] = [
            Names::of(Level::Top),
            Names::of(Level::Params),
            Names::of(Level::Result),
            Names::of(Level::Error),
            Names::of(Level::Meta),
        ];
        static NONE: Names = Names::NONE;
        NAMES.get(self as usize).unwrap_or(&NONE)
    }

    /// The member of this very name.
    pub(crate) fn named(self, name: &str) -> Option<Member> {
        let row = self.rows().iter().find(|row| row.name == name)?;
        Some(row.member)
    }
}

/// The names of a level, by hash, which is another for each of them.
pub(crate) struct Names {
    /// All ones for the message's own, zeros for others.
    pub(crate) of_top: u32,
    rows: [&'static Row; MOST_ROWS],
    factor: u64,
    /// The row that a name may be.
    buckets: [u8; BUCKETS],
}

const BUCKETS: usize = 128;
/// The place of a row that has no name of its own: the last one, which no level fills.
const NO_ROW: u8 = MOST_ROWS as u8 - 1;
/// As many as a message keeps types of.
const MOST_ROWS: usize = 32;

/// The first and the last eight bytes tell all names of a level apart.
#[inline(always)]
const fn hash(first_word: u64, last_word: u64, factor: u64) -> usize {
    (first_word ^ last_word.rotate_left(29)).wrapping_mul(factor) as usize >> (64 - BUCKETS.ilog2())
}

impl Names {
    /// No name is any of these rows'.
    const NONE: Self = Self {
        of_top: 0,
        rows: [&TABLE[MEMBERS - 1]; MOST_ROWS],
        factor: 0,
        buckets: [NO_ROW; BUCKETS],
    };

    /// Tries factors until no two names have the same hash.
    #[allow(clippy::indexing_slicing)] // at compile time
    const fn of(level: Level) -> Self {
        assert!(is_sound());
        let range = level.range();
        assert!(range.end - range.start < MOST_ROWS);
        let count = range.end - range.start;
        let mut factor = 0x5F01_7A80_819D_B881u64;
        loop {
            let mut names = Self {
                of_top: if level as u8 == Level::Top as u8 {
                    u32::MAX
                } else {
                    0
                },
                factor,
                ..Self::NONE
            };
            let mut number = 0;
            while number < count {
                let row = &TABLE[range.start + number];
                let bucket = hash(row.first_word, row.last_word, factor);
                if names.buckets[bucket] != NO_ROW {
                    break;
                }
                names.buckets[bucket] = number as u8;
                names.rows[number] = row;
                number += 1;
            }
            if number == count {
                return names;
            }
            // Any other odd number.
            factor = factor.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(2) | 1;
        }
    }

    /// The member that a name means at this level, written without an escape.
    #[inline(always)]
    pub(crate) fn find(&self, name: &Name<'_>) -> Option<&'static Row> {
        let bucket = hash(name.first_word, name.last_word, self.factor);
        let number = self.buckets.get(bucket).copied().unwrap_or(NO_ROW);
        let row = *self.rows.get(usize::from(number) % MOST_ROWS)?;
        row.is(name).then_some(row)
    }

    /// As `find`, for a name with an escape in it: unescaped once, as far as a name of the table is long.
    #[cold]
    pub(crate) fn find_escaped(&self, raw: &[u8]) -> Option<&'static Row> {
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
        let row = self.rows.iter().find(|row| row.name.as_bytes() == text)?;
        name.is_text().then_some(*row)
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
    /// Whether this is the name. Its first and last eight bytes are all of one of up to sixteen.
    #[inline(always)]
    fn is(&self, other: &Name<'_>) -> bool {
        let len = self.name.len();
        self.first_word == other.first_word
            && self.last_word == other.last_word
            && len + 2 == other.raw_len()
            && (len <= 16 || self.has_middle_of(other))
    }

    /// Whether the rest is the same, of a name of more than sixteen bytes.
    #[inline(always)]
    fn has_middle_of(&self, other: &Name<'_>) -> bool {
        let len = self.name.len();
        let middle = other
            .text
            .get(other.at + 9..(other.at + len).saturating_sub(7));
        self.name.as_bytes().get(8..len - 8) == middle
    }
}

impl Member {
    pub(crate) fn row(self) -> &'static Row {
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
        let mut scanner: crate::json::scan::Scanner<'_> =
            crate::json::scan::Scanner::new(text.as_bytes(), 2).unwrap();
        scanner.enter().unwrap();
        assert!(scanner.has_member());
        let name = scanner.name().unwrap();
        let names = level.names();
        let row = names.find(&name).or_else(|| names.find_escaped(name.raw()));
        row.map(|row| row.member)
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
