//! MCP over HTTP: what headers say, and that they agree with the body (feature `http`).
//!
//! From 2026-07-28 on `MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name` and `Mcp-Param-*` repeat parts of the body, so that
//! what stands between client and server can route without reading it. That is safe only if whoever reads the body refuses
//! a request whose headers say another thing.
//!
//! | who | asks |
//! |---|---|
//! | a server, before it reads the body | [`Negotiation::of_request`]: method, `Accept`, `Content-Type`, length |
//! | a server, with the body that `frame::Content` has collected | [`read`] or [`check`]; [`ParamPlan::check`] for the tool that is called |
//! | a server of sessions | [`SessionId::of`], [`last_event_id`] |
//! | a server, to answer | [`held`], [`accepted_status`], [`status`], [`event_stream_headers`], `encode::reply` |
//! | an intermediary | [`route`], then [`Route::read`] by the rules of the server behind it |
//! | a client, to send | [`request_headers`], [`stream_headers`]; [`ParamPlan`] for the tools it was told of |
//! | a client, with the answer | [`Answer::of_response`], [`server_era`] |
//!
//! On the types of the `http` crate, of which those of these signatures are given out here again. Import items rather than
//! this module: after `use rpcslice::http` the crate's own name is `::http`. Nothing is read or sent here. `examples/http.rs`
//! has a server, a gateway and a client.

mod answer;
mod check;
mod mirrored;
mod negotiate;
mod outgoing;
mod param_check;
mod param_compile;
mod param_plan;
mod request;
mod route;
mod session;
mod tools;
mod value;
mod version;

pub use answer::{Answer, Posted, server_era};
pub use check::{check, read};
pub use negotiate::{Accepts, Negotiation, Refusal, accepted_status, event_stream_headers, status};
pub use outgoing::check_outgoing;
pub use param_plan::{ParamPlan, PlanError, PlanErrorKind};
pub use request::{UnsendableError, request_headers, stream_headers};
pub use route::{Route, route};
pub use session::{SessionId, SessionIdError, last_event_id};
pub use tools::{Tool, filter_tools, tools};
pub use value::{ValueError, decode, encode, encode_value};
pub use version::{Revision, held, revision};

pub use ::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

/// The names of MCP's headers, in lower case as the `http` crate has them.
pub mod names {
    use ::http::HeaderName;

    /// `MCP-Protocol-Version`
    pub const MCP_PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
    /// `Mcp-Method`
    pub const MCP_METHOD: HeaderName = HeaderName::from_static("mcp-method");
    /// `Mcp-Name`
    pub const MCP_NAME: HeaderName = HeaderName::from_static("mcp-name");
    /// `Mcp-Session-Id`, up to 2025-11-25
    pub const MCP_SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
    /// `Last-Event-ID`, up to 2025-11-25
    pub const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
    /// What the name of an argument's header begins with.
    pub const MCP_PARAM_PREFIX: &str = "mcp-param-";
    /// `X-Accel-Buffering`
    pub(crate) const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
}
