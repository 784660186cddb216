//! What params and results are made of: the lists of members that the table of methods names.

use crate::vocab::Member;
use Member as M;

/// What a member has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    Any,
    String,
    /// A string that is Unicode text: it is compared with headers and names.
    Text,
    /// A string or an integer: a request id or progress token.
    Token,
    Integer,
    IntegerOrNull,
    Number,
    Bool,
    Array,
    Object,
    ObjectOrArray,
    LogLevel,
}

/// A member of `params` or `result`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) member: Member,
    /// The member's, in its level.
    pub(crate) number: u8,
    pub(crate) want: Want,
    pub(crate) is_required: bool,
}

const fn need(member: Member, want: Want) -> Field {
    Field {
        member,
        number: member.number() as u8,
        want,
        is_required: true,
    }
}

const fn may(member: Member, want: Want) -> Field {
    Field {
        member,
        number: member.number() as u8,
        want,
        is_required: false,
    }
}

/// What lies deeper than a member of `params` or `result`, for the few methods that ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deeper {
    Nothing,
    /// `clientInfo` with name and version.
    ClientInfo,
    /// `arguments` whose values are strings.
    StringArguments,
    /// `ref` of a known type, `argument` with name and value.
    Completion,
    /// `notifications`, a filter of booleans and a list of strings.
    Filter,
    /// A form, or a URL with what that needs.
    Elicitation,
    /// Of a result: `serverInfo` with name and version.
    ServerInfo,
    /// Of a result: `completion` with `values`, an array of strings.
    Values,
    /// Of a result: `supportedVersions`, an array of strings.
    VersionList,
}

pub(super) const NONE: &[Field] = &[];
pub(super) const CURSOR: &[Field] = &[may(M::Cursor, Want::String)];
pub(super) const URI: &[Field] = &[need(M::Uri, Want::Text)];
pub(super) const RETRIED_URI: &[Field] = &[need(M::Uri, Want::Text), RESPONSES, STATE];
pub(super) const NAMED: &[Field] = &[need(M::Name, Want::Text), may(M::Arguments, Want::Object)];
pub(super) const RETRIED_NAMED: &[Field] = &[
    need(M::Name, Want::Text),
    may(M::Arguments, Want::Object),
    RESPONSES,
    STATE,
];
pub(super) const RESPONSES: Field = may(M::InputResponses, Want::Object);
pub(super) const STATE: Field = may(M::ParamsRequestState, Want::String);
pub(super) const COMPLETION: &[Field] =
    &[need(M::Ref, Want::Object), need(M::Argument, Want::Object)];
pub(super) const LEVEL: &[Field] = &[need(M::Level, Want::LogLevel)];
pub(super) const FILTER: &[Field] = &[need(M::Notifications, Want::Object)];
pub(super) const SAMPLING: &[Field] = &[
    need(M::Messages, Want::Array),
    need(M::MaxTokens, Want::Integer),
];
pub(super) const FORM: &[Field] = &[
    need(M::Message, Want::String),
    need(M::RequestedSchema, Want::Object),
];
pub(super) const FORM_OR_URL: &[Field] = &[
    need(M::Message, Want::String),
    may(M::RequestedSchema, Want::Object),
    may(M::Mode, Want::String),
    may(M::Url, Want::String),
    may(M::ElicitationId, Want::String),
];
pub(super) const TASK_ID: &[Field] = &[need(M::TaskId, Want::Text)];
pub(super) const TASK_UPDATE: &[Field] = &[
    need(M::TaskId, Want::Text),
    need(M::InputResponses, Want::Object),
];
pub(super) const INITIALIZE: &[Field] = &[
    need(M::ParamsProtocolVersion, Want::Text),
    need(M::ParamsCapabilities, Want::Object),
    need(M::ParamsClientInfo, Want::Object),
];
pub(super) const CANCELLED: &[Field] = &[need(M::RequestId, Want::Token)];
/// Optional in this schema alone: cancelling tasks needs no request.
pub(super) const CANCELLED_1125: &[Field] = &[may(M::RequestId, Want::Token)];
pub(super) const PROGRESS_V24: &[Field] = &[
    need(M::ParamsProgressToken, Want::Token),
    need(M::Progress, Want::Number),
    may(M::Total, Want::Number),
];
pub(super) const PROGRESS: &[Field] = &[
    need(M::ParamsProgressToken, Want::Token),
    need(M::Progress, Want::Number),
    may(M::Total, Want::Number),
    may(M::Message, Want::String),
];
pub(super) const LOG: &[Field] = &[need(M::Level, Want::LogLevel), need(M::Data, Want::Any)];
pub(super) const ELICITATION_ID: &[Field] = &[need(M::ElicitationId, Want::String)];
pub(super) const TASK_STATUS: &[Field] = &[
    need(M::TaskId, Want::Text),
    need(M::ParamsStatus, Want::String),
    need(M::ParamsCreatedAt, Want::String),
    need(M::ParamsLastUpdatedAt, Want::String),
    need(M::ParamsTtl, Want::IntegerOrNull),
];
pub(super) const TASK_NOTIFICATION: &[Field] = &[
    need(M::TaskId, Want::Text),
    need(M::ParamsStatus, Want::String),
];

pub(super) const INITIALIZE_RESULT: &[Field] = &[
    need(M::ResultProtocolVersion, Want::Text),
    need(M::ResultCapabilities, Want::Object),
    need(M::ResultServerInfo, Want::Object),
];
pub(super) const RESOURCES: &[Field] = &[need(M::Resources, Want::Array), NEXT];
pub(super) const TEMPLATES: &[Field] = &[need(M::ResourceTemplates, Want::Array), NEXT];
pub(super) const PROMPTS: &[Field] = &[need(M::Prompts, Want::Array), NEXT];
pub(super) const TOOLS: &[Field] = &[need(M::Tools, Want::Array), NEXT];
pub(super) const NEXT: Field = may(M::NextCursor, Want::String);
pub(super) const CONTENTS: &[Field] = &[need(M::Contents, Want::Array)];
pub(super) const MESSAGES: &[Field] = &[need(M::ResultMessages, Want::Array)];
pub(super) const CONTENT: &[Field] = &[need(M::Content, Want::Array), may(M::IsError, Want::Bool)];
pub(super) const STRUCTURED: &[Field] = &[
    need(M::Content, Want::Array),
    may(M::IsError, Want::Bool),
    may(M::StructuredContent, Want::Object),
];
pub(super) const COMPLETED: &[Field] = &[need(M::Completion, Want::Object)];
pub(super) const SAMPLED: &[Field] = &[
    need(M::Role, Want::String),
    need(M::Content, Want::ObjectOrArray),
    need(M::Model, Want::String),
];
pub(super) const ROOTS: &[Field] = &[need(M::Roots, Want::Array)];
pub(super) const ELICITED: &[Field] = &[need(M::Action, Want::String)];
pub(super) const TASK: &[Field] = &[
    need(M::ResultTaskId, Want::String),
    need(M::ResultStatus, Want::String),
    need(M::ResultCreatedAt, Want::String),
    need(M::ResultLastUpdatedAt, Want::String),
    need(M::ResultTtl, Want::IntegerOrNull),
];
pub(super) const TASKS: &[Field] = &[need(M::Tasks, Want::Array), NEXT];
pub(super) const DISCOVERED: &[Field] = &[
    need(M::SupportedVersions, Want::Array),
    need(M::ResultCapabilities, Want::Object),
];
