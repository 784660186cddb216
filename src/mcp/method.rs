//! The methods of MCP, as a table: what each is, in which revisions, and what its params and results have to hold.

use super::shape::*;
use super::version::Version;
use crate::json::JsonStr;
use crate::vocab::Member;
use core::fmt;

/// Who sends a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The client alone.
    ClientToServer,
    /// The server alone.
    ServerToClient,
    /// Either side.
    Both,
}

/// How a method stands in a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// It is there.
    Active,
    /// It is there, and about to go.
    Deprecated,
    /// It was there in an earlier revision: a request is answered with -32601, a notification ignored.
    Removed,
    /// It belongs to an extension (`io.modelcontextprotocol/tasks`), which has to be negotiated.
    Extension,
}

/// What one revision says of a method.
#[derive(Clone, Copy, Debug)]
pub struct MethodRules {
    pub(crate) since: Version,
    pub(crate) until: Version,
    direction: Direction,
    status: Status,
    pub(crate) params: &'static [Field],
    /// Whether `params` must be there even though no member of it must.
    pub(crate) needs_params: bool,
    pub(crate) deeper: Deeper,
    pub(crate) result: &'static [Field],
    pub(crate) deeper_result: Deeper,
    name_member: Option<Member>,
    is_cacheable: bool,
    may_need_input: bool,
}

impl MethodRules {
    /// Who sends it.
    #[must_use]
    pub const fn direction(&self) -> Direction {
        self.direction
    }

    /// How it stands.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// The members that `params` must have, `_meta` aside.
    pub fn required_params(&self) -> impl Iterator<Item = Member> + use<> {
        required(self.params)
    }

    /// The members that a complete result must have; of a 2026-07-28 result also `resultType`, and
    /// [cache hints](Self::is_cacheable) where it is cacheable.
    pub fn required_result(&self) -> impl Iterator<Item = Member> + use<> {
        required(self.result)
    }

    /// The member of `params` that the message is routed by, and that `Mcp-Name` mirrors (2026-07-28
    /// `basic/transports/streamable-http`, "Standard request headers").
    #[must_use]
    pub const fn name_member(&self) -> Option<Member> {
        self.name_member
    }

    /// Whether complete results carry `ttlMs` and `cacheScope` (2026-07-28 `server/utilities/caching`).
    #[must_use]
    pub const fn is_cacheable(&self) -> bool {
        self.is_cacheable
    }

    /// Whether the answer may be `input_required` (2026-07-28 `basic/patterns/mrtr`).
    #[must_use]
    pub const fn may_need_input(&self) -> bool {
        self.may_need_input
    }
}

fn required(fields: &'static [Field]) -> impl Iterator<Item = Member> + use<> {
    fields
        .iter()
        .filter(|field| field.is_required)
        .map(|field| field.member)
}

macro_rules! methods {
    ($($method:ident = $name:literal, $is_request:literal, [$($rules:expr),* $(,)?];)*) => {
        /// A method that some revision of MCP has, as a request or as a notification.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        #[allow(missing_docs)] // `name` says it all
        pub enum Method {
            $($method,)*
        }

        const COUNT: usize = [$($name,)*].len();

        static TABLE: [Row; COUNT] = [
            $(Row { method: Method::$method, name: $name, is_request: $is_request, rules: &[$($rules,)*] },)*
        ];
    };
}

struct Row {
    method: Method,
    name: &'static str,
    is_request: bool,
    rules: &'static [MethodRules],
}

use Direction::{Both, ClientToServer as C, ServerToClient as S};
use Member as M;
use Version::{V2024_11_05 as V24, V2025_06_18 as V0618, V2025_11_25 as V1125, V2026_07_28 as V26};

const V0326: Version = Version::V2025_03_26;

/// A method as it stood from one revision to another.
const fn at(
    since: Version,
    until: Version,
    direction: Direction,
    params: &'static [Field],
    result: &'static [Field],
) -> MethodRules {
    MethodRules {
        since,
        until,
        direction,
        status: Status::Active,
        params,
        needs_params: false,
        deeper: Deeper::Nothing,
        result,
        deeper_result: Deeper::Nothing,
        name_member: None,
        is_cacheable: false,
        may_need_input: false,
    }
}

const fn removed(direction: Direction) -> MethodRules {
    at(V26, V26, direction, &[], &[]).status_is(Status::Removed)
}

impl MethodRules {
    const fn status_is(mut self, status: Status) -> Self {
        self.status = status;
        self
    }

    const fn deeper(mut self, deeper: Deeper) -> Self {
        self.deeper = deeper;
        self
    }

    const fn deeper_result(mut self, deeper: Deeper) -> Self {
        self.deeper_result = deeper;
        self
    }

    const fn with_params(mut self) -> Self {
        self.needs_params = true;
        self
    }

    const fn named(mut self, member: Member) -> Self {
        self.name_member = Some(member);
        self
    }

    const fn cacheable(mut self) -> Self {
        self.is_cacheable = true;
        self
    }

    const fn input(mut self) -> Self {
        self.may_need_input = true;
        self
    }
}

#[rustfmt::skip]
methods! {
    Initialize = "initialize", true, [
        at(V24, V1125, C, INITIALIZE, INITIALIZE_RESULT).deeper(Deeper::ClientInfo).deeper_result(Deeper::ServerInfo), removed(C)];
    Ping = "ping", true, [at(V24, V1125, Both, NONE, NONE), removed(Both)];
    ServerDiscover = "server/discover", true, [at(V26, V26, C, NONE, DISCOVERED).deeper_result(Deeper::VersionList).cacheable()];
    ToolsList = "tools/list", true, [at(V24, V1125, C, CURSOR, TOOLS), at(V26, V26, C, CURSOR, TOOLS).cacheable()];
    ToolsCall = "tools/call", true, [
        at(V24, V0326, C, NAMED, CONTENT), at(V0618, V1125, C, NAMED, STRUCTURED),
        at(V26, V26, C, RETRIED_NAMED, CONTENT).named(M::Name).input()];
    PromptsList = "prompts/list", true, [at(V24, V1125, C, CURSOR, PROMPTS), at(V26, V26, C, CURSOR, PROMPTS).cacheable()];
    PromptsGet = "prompts/get", true, [
        at(V24, V1125, C, NAMED, MESSAGES).deeper(Deeper::StringArguments),
        at(V26, V26, C, RETRIED_NAMED, MESSAGES).deeper(Deeper::StringArguments).named(M::Name).input()];
    ResourcesList = "resources/list", true, [
        at(V24, V1125, C, CURSOR, RESOURCES), at(V26, V26, C, CURSOR, RESOURCES).cacheable()];
    ResourcesTemplatesList = "resources/templates/list", true, [
        at(V24, V1125, C, CURSOR, TEMPLATES), at(V26, V26, C, CURSOR, TEMPLATES).cacheable()];
    ResourcesRead = "resources/read", true, [
        at(V24, V1125, C, URI, CONTENTS), at(V26, V26, C, RETRIED_URI, CONTENTS).named(M::Uri).input().cacheable()];
    ResourcesSubscribe = "resources/subscribe", true, [at(V24, V1125, C, URI, NONE), removed(C)];
    ResourcesUnsubscribe = "resources/unsubscribe", true, [at(V24, V1125, C, URI, NONE), removed(C)];
    CompletionComplete = "completion/complete", true, [at(V24, V26, C, COMPLETION, COMPLETED).deeper(Deeper::Completion).deeper_result(Deeper::Values)];
    LoggingSetLevel = "logging/setLevel", true, [at(V24, V1125, C, LEVEL, NONE), removed(C)];
    SubscriptionsListen = "subscriptions/listen", true, [at(V26, V26, C, FILTER, NONE).deeper(Deeper::Filter)];
    SamplingCreateMessage = "sampling/createMessage", true, [
        at(V24, V1125, S, SAMPLING, SAMPLED), removed(S)];
    RootsList = "roots/list", true, [at(V24, V1125, S, NONE, ROOTS), removed(S)];
    ElicitationCreate = "elicitation/create", true, [
        at(V0618, V0618, S, FORM, ELICITED), at(V1125, V1125, S, FORM_OR_URL, ELICITED).deeper(Deeper::Elicitation), removed(S)];
    TasksGet = "tasks/get", true, [
        at(V1125, V1125, Both, TASK_ID, TASK), at(V26, V26, C, TASK_ID, NONE).status_is(Status::Extension).named(M::TaskId)];
    TasksResult = "tasks/result", true, [at(V1125, V1125, Both, TASK_ID, NONE), removed(Both)];
    TasksCancel = "tasks/cancel", true, [
        at(V1125, V1125, Both, TASK_ID, TASK), at(V26, V26, C, TASK_ID, NONE).status_is(Status::Extension).named(M::TaskId)];
    TasksList = "tasks/list", true, [at(V1125, V1125, Both, CURSOR, TASKS), removed(Both)];
    TasksUpdate = "tasks/update", true, [at(V26, V26, C, TASK_UPDATE, NONE).status_is(Status::Extension).named(M::TaskId)];
    NotificationsInitialized = "notifications/initialized", false, [at(V24, V1125, C, NONE, NONE), removed(C)];
    NotificationsCancelled = "notifications/cancelled", false, [
        at(V24, V0618, Both, CANCELLED, NONE), at(V1125, V1125, Both, CANCELLED_1125, NONE).with_params(), at(V26, V26, Both, CANCELLED, NONE)];
    NotificationsProgress = "notifications/progress", false, [
        at(V24, V24, Both, PROGRESS_V24, NONE), at(V0326, V1125, Both, PROGRESS, NONE), at(V26, V26, S, PROGRESS, NONE)];
    NotificationsMessage = "notifications/message", false, [
        at(V24, V1125, S, LOG, NONE), at(V26, V26, S, LOG, NONE).status_is(Status::Deprecated)];
    NotificationsResourcesUpdated = "notifications/resources/updated", false, [at(V24, V26, S, URI, NONE)];
    NotificationsResourcesListChanged = "notifications/resources/list_changed", false, [at(V24, V26, S, NONE, NONE)];
    NotificationsToolsListChanged = "notifications/tools/list_changed", false, [at(V24, V26, S, NONE, NONE)];
    NotificationsPromptsListChanged = "notifications/prompts/list_changed", false, [at(V24, V26, S, NONE, NONE)];
    NotificationsRootsListChanged = "notifications/roots/list_changed", false, [at(V24, V1125, C, NONE, NONE), removed(C)];
    NotificationsElicitationComplete = "notifications/elicitation/complete", false, [
        at(V1125, V1125, S, ELICITATION_ID, NONE), removed(S)];
    NotificationsTasksStatus = "notifications/tasks/status", false, [at(V1125, V1125, Both, TASK_STATUS, NONE), removed(Both)];
    NotificationsTasks = "notifications/tasks", false, [
        at(V26, V26, S, TASK_NOTIFICATION, NONE).status_is(Status::Extension)];
    NotificationsSubscriptionsAcknowledged = "notifications/subscriptions/acknowledged", false, [
        at(V26, V26, S, FILTER, NONE).deeper(Deeper::Filter)];
}

/// Where to look for a name: by hash, then along a short chain. Rows are numbered from 1; 0 ends a chain.
struct Index {
    first: [u8; BUCKETS],
    next: [u8; COUNT],
}

const BUCKETS: usize = 128;

/// Length, last and middle byte tell most names apart.
#[allow(clippy::indexing_slicing)] // both indexes are below the length
const fn hash(name: &[u8]) -> usize {
    if name.is_empty() {
        return 0;
    }
    let last = name[name.len() - 1] as usize;
    let middle = name[name.len() / 2] as usize;
    (name.len().wrapping_mul(29) ^ last.wrapping_mul(5) ^ middle.wrapping_mul(67)) % BUCKETS
}

impl Index {
    #[allow(clippy::indexing_slicing)] // at compile time
    const fn of() -> Self {
        let mut index = Self {
            first: [0; BUCKETS],
            next: [0; COUNT],
        };
        let mut at = 0;
        while at < COUNT {
            let bucket = hash(TABLE[at].name.as_bytes());
            index.next[at] = index.first[bucket];
            index.first[bucket] = at as u8 + 1;
            at += 1;
        }
        index
    }
}

impl Method {
    /// Every method, in the table's order.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.method)
    }

    fn row(self) -> &'static Row {
        let [first, ..] = &TABLE;
        TABLE.get(self as usize).unwrap_or(first)
    }

    /// The method of this name, compared after unescaping; `None` for one that no revision knows, which is no fault: the
    /// codec lets it pass. Allocates nothing.
    #[must_use]
    pub fn find(name: &JsonStr<'_>) -> Option<Self> {
        let Some(text) = name.as_str() else {
            let row = TABLE.iter().find(|row| *name == row.name)?;
            return Some(row.method);
        };
        Self::named(text)
    }

    /// As [`find`](Self::find), of a name that stands in no message.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        Self::of_bytes(text.as_bytes())
    }

    #[inline]
    pub(crate) fn of_bytes(text: &[u8]) -> Option<Self> {
        let index = const { &Index::of() };
        let mut at = *index.first.get(hash(text))?;
        while at != 0 {
            let row = TABLE.get(usize::from(at) - 1)?;
            if row.name.as_bytes() == text {
                return Some(row.method);
            }
            at = *index.next.get(usize::from(at) - 1)?;
        }
        None
    }

    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether it is sent with an id, and answered.
    #[must_use]
    pub fn is_request(self) -> bool {
        self.row().is_request
    }

    /// What a revision says of it; `None` where it does not exist, and has not existed before.
    #[must_use]
    pub fn rules(self, version: Version) -> Option<&'static MethodRules> {
        self.row()
            .rules
            .iter()
            .find(|rules| rules.since <= version && version <= rules.until)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_found_by_its_name_however_it_is_spelt() {
        for method in Method::all() {
            let name = method.name();
            let plain = format!("\"{name}\"");
            let escaped = format!(
                "\"{}\"",
                name.replace('/', "\\/").replacen('t', "\\u0074", 1)
            );
            for raw in [&plain, &escaped] {
                assert_eq!(Method::find(&JsonStr::from_checked(raw)), Some(method));
            }
            assert!(!name.starts_with("notifications/") || !method.is_request());
        }
        for unknown in [
            "\"\"",
            "\"tools/List\"",
            "\"tools/list \"",
            "\"acme/do\"",
            "\"initialized\"",
        ] {
            assert_eq!(Method::find(&JsonStr::from_checked(unknown)), None);
        }
    }

    #[test]
    fn no_chain_of_the_index_is_longer_than_three() {
        let index = Index::of();
        for &start in &index.first {
            let mut length = 0;
            let mut at = start;
            while at != 0 {
                length += 1;
                at = index.next[usize::from(at) - 1];
            }
            assert!(length <= 3, "{length}");
        }
    }

    #[test]
    fn the_ranges_of_a_method_do_not_overlap_and_leave_no_gap() {
        for row in &TABLE {
            assert_eq!(
                row.method as usize,
                TABLE.iter().position(|r| r.name == row.name).unwrap()
            );
            for pair in row.rules.windows(2) {
                assert_eq!(pair[0].until as u8 + 1, pair[1].since as u8, "{}", row.name);
            }
            assert_eq!(
                row.rules.last().unwrap().until,
                Version::LATEST,
                "{}",
                row.name
            );
        }
    }
}
