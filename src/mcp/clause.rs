//! Where each rule stands that an error is about.

use crate::error::ErrorKind;
use crate::json::SyntaxErrorKind;
use crate::vocab::{Level, Member};

impl ErrorKind {
    /// The clause of the specification that the fault breaks: a page of MCP's specification (`#` names the section) or
    /// another standard. For the limits, which are the reader's own, it says so.
    #[must_use]
    pub fn clause(&self) -> &'static str {
        match *self {
            Self::Syntax(SyntaxErrorKind::InvalidUtf8) => "RFC 8259 section 8.1",
            Self::Syntax(SyntaxErrorKind::InvalidNumber) => "RFC 8259 section 6",
            Self::Syntax(SyntaxErrorKind::InvalidEscape | SyntaxErrorKind::ControlCharacter) => {
                "RFC 8259 section 7"
            }
            Self::Syntax(_) => "RFC 8259 section 2",
            Self::FrameTooLong | Self::TooDeep | Self::BatchTooLong => "a limit of the reader",
            Self::NotObject | Self::NoKind => "JSON-RPC 2.0 section 4",
            Self::Batch => "2025-06-18/changelog, batching removed",
            Self::BatchEmpty => "JSON-RPC 2.0 section 6",
            Self::BatchMixed => "2025-03-26/basic/index#batching",
            Self::BatchInitialize => "2025-03-26/basic/lifecycle#initialization",
            Self::Conflict(..) => "JSON-RPC 2.0 sections 4 and 5",
            Self::Duplicate(_) => "RFC 8259 section 4, names should be unique",
            Self::WrongDirection => "2026-07-28/basic/transports/index#messages",
            Self::MethodNotFound => "JSON-RPC 2.0 section 5.1",
            Self::UnsupportedVersion => "2026-07-28/basic/versioning",
            Self::MissingCapability => "2026-07-28/basic/index#_meta",
            Self::RetiredCode | Self::ReservedCode => "2026-07-28/basic/index#error-codes",
            Self::InputNotAllowed => "2026-07-28/basic/patterns/mrtr#supported-requests",
            Self::LineBreak => "basic/transports/stdio",
            Self::HeaderInvalid(_) => "2026-07-28/basic/transports/streamable-http#value-encoding",
            Self::HeaderMissing(_) | Self::HeaderMismatch(_) | Self::HeaderRepeated(_) => {
                "2026-07-28/basic/transports/streamable-http#server-validation"
            }
            Self::VersionHeader => "basic/transports#protocol-version-header",
            Self::SessionId => "basic/transports#session-management",
            Self::Missing(member) | Self::Invalid(member) => of_member(member),
        }
    }
}

fn of_member(member: Member) -> &'static str {
    use Member as M;
    match member {
        M::Jsonrpc | M::Method => "JSON-RPC 2.0 section 4",
        M::Params => "JSON-RPC 2.0 section 4.2; basic/index#requests",
        M::Id => "basic/index#requests",
        M::Result => "basic/index#responses",
        M::Error | M::ErrorCode | M::ErrorMessage => "JSON-RPC 2.0 section 5.1",
        M::ErrorData => "basic/index#error-codes",
        M::ParamsMeta | M::ResultMeta => "basic/index#_meta",
        M::ProgressToken | M::ParamsProgressToken | M::Progress => "basic/patterns/progress",
        M::SubscriptionId => "2026-07-28/basic/patterns/subscriptions",
        M::LogLevel | M::Level => "server/utilities/logging",
        M::ResultType => "2026-07-28/basic/index#result-responses",
        M::InputRequests | M::ResultRequestState | M::InputResponses | M::ParamsRequestState => {
            "2026-07-28/basic/patterns/mrtr"
        }
        M::TtlMs | M::CacheScope => "2026-07-28/server/utilities/caching#cacheable-results",
        M::Cursor | M::NextCursor => "server/utilities/pagination",
        M::RequestId => "basic/patterns/cancellation",
        M::ParamsProtocolVersion | M::ParamsCapabilities | M::ParamsClientInfo => {
            "basic/lifecycle#initialization"
        }
        M::ClientInfoName | M::ClientInfoVersion => "basic/lifecycle#initialization",
        _ => match member.level() {
            Level::Meta => "2026-07-28/basic/index#_meta",
            _ => "the method's params or result in the revision's schema",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_names_a_clause() {
        let kinds = [
            ErrorKind::Syntax(SyntaxErrorKind::InvalidUtf8),
            ErrorKind::Missing(Member::ClientCapabilities),
            ErrorKind::Invalid(Member::Tools),
            ErrorKind::WrongDirection,
        ];
        let clauses = kinds.map(|kind| kind.clause());
        assert_eq!(clauses[0], "RFC 8259 section 8.1");
        assert_eq!(clauses[1], "2026-07-28/basic/index#_meta");
        assert!(clauses[2].contains("schema") && clauses[3].contains("transports"));
    }
}
