//! The members that mean something, per object: JSON-RPC 2.0 sections 4 and 5, and MCP's schemas. Written down here once
//! more, so that a slip in `src/vocab.rs` is a difference and not the truth.

use rpcslice::Member;

pub type Names = [(&'static str, Member)];

pub const TOP: &Names = &[
    ("jsonrpc", Member::Jsonrpc),
    ("id", Member::Id),
    ("method", Member::Method),
    ("params", Member::Params),
    ("result", Member::Result),
    ("error", Member::Error),
];

pub const PARAMS: &Names = &[
    ("_meta", Member::ParamsMeta),
    ("name", Member::Name),
    ("uri", Member::Uri),
    ("taskId", Member::TaskId),
    ("protocolVersion", Member::ParamsProtocolVersion),
    ("arguments", Member::Arguments),
    ("ref", Member::Ref),
    ("argument", Member::Argument),
    ("notifications", Member::Notifications),
    ("clientInfo", Member::ParamsClientInfo),
    ("level", Member::Level),
    ("requestId", Member::RequestId),
];

pub const RESULT: &Names = &[
    ("_meta", Member::ResultMeta),
    ("resultType", Member::ResultType),
    ("protocolVersion", Member::ResultProtocolVersion),
    ("inputRequests", Member::InputRequests),
    ("ttlMs", Member::TtlMs),
    ("cacheScope", Member::CacheScope),
];

pub const ERROR: &Names = &[
    ("code", Member::ErrorCode),
    ("message", Member::ErrorMessage),
    ("data", Member::ErrorData),
];

pub const META: &Names = &[
    ("progressToken", Member::ProgressToken),
    (
        "io.modelcontextprotocol/protocolVersion",
        Member::ProtocolVersion,
    ),
    ("io.modelcontextprotocol/clientInfo", Member::ClientInfo),
    (
        "io.modelcontextprotocol/clientCapabilities",
        Member::ClientCapabilities,
    ),
    ("io.modelcontextprotocol/logLevel", Member::LogLevel),
    (
        "io.modelcontextprotocol/subscriptionId",
        Member::SubscriptionId,
    ),
    ("io.modelcontextprotocol/serverInfo", Member::ServerInfo),
    ("traceparent", Member::Traceparent),
    ("tracestate", Member::Tracestate),
    ("baggage", Member::Baggage),
];

/// What may be there twice: of these the last counts.
pub const LAST_COUNTS: &[Member] = &[
    Member::Arguments,
    Member::Ref,
    Member::Argument,
    Member::Notifications,
    Member::ParamsClientInfo,
    Member::Level,
    Member::RequestId,
    Member::InputRequests,
    Member::TtlMs,
    Member::CacheScope,
    Member::ErrorData,
];

/// All lists, for whoever goes through every member.
pub const ALL: [&Names; 5] = [TOP, PARAMS, RESULT, ERROR, META];

/// The member of that name, which is given after unescaping.
pub fn find(names: &Names, name: &[u16]) -> Option<Member> {
    let same = |known: &str| known.encode_utf16().eq(name.iter().copied());
    let (_, member) = names.iter().find(|(known, _)| same(known))?;
    Some(*member)
}
