//! The headers of what a client sends.

use super::check::name_member;
use super::names;
use super::param_plan::ParamPlan;
use super::value::{ValueError, encode, stands_as_it_is};
use super::version::has_header;
use crate::header::Header;
use crate::mcp::{Era, Method, Rules, Version};
use crate::message::{Kind, Message};
use crate::vocab::Member;
use ::http::header::{ACCEPT, CONTENT_TYPE};
use ::http::{HeaderMap, HeaderValue};
use core::fmt;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");
const EITHER: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// A message, or an argument of one, that has no headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnsendableError {
    /// The header that can't be written.
    pub header: Header,
    /// Why not.
    pub reason: ValueError,
}

impl fmt::Display for UnsendableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no header `{}`: {}", self.header, self.reason)
    }
}

impl core::error::Error for UnsendableError {}

/// The headers for a message that is to be posted under a revision: `Content-Type`, `Accept` with both media types, and
/// what the revision has: `MCP-Protocol-Version` from 2025-06-18 on (not with `initialize`, which comes before any is agreed
/// on), from 2026-07-28 on also `Mcp-Method` and `Mcp-Name` of requests, and `Mcp-Param-*` by the plan of the tool that is
/// called.
///
/// The session id of the older revisions is for the caller to add. Under a modern `version` the header says what the `_meta`
/// of a request or a notification names, if it names one, so that a draft's headers agree, too.
///
/// # Errors
/// A method, name or argument that can't stand in a header.
///
/// ```
/// use rpcslice::Message;
/// use rpcslice::http::request_headers;
/// use rpcslice::mcp::Version;
///
/// let msg = Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///\u65e5","_meta":{
///     "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#)?;
/// let headers = request_headers(&msg, Version::V2026_07_28, None)?;
/// assert_eq!(headers["Accept"], "application/json, text/event-stream");
/// assert_eq!(headers["MCP-Protocol-Version"], "2026-07-28");
/// assert_eq!(headers["Mcp-Method"], "resources/read");
/// assert_eq!(headers["Mcp-Name"], "=?base64?ZmlsZTovLy/ml6U=?=");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn request_headers(
    message: &Message<'_>,
    version: Version,
    plan: Option<&ParamPlan>,
) -> Result<HeaderMap, UnsendableError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, JSON);
    headers.insert(ACCEPT, EITHER);
    let method = message.method();
    let is_handshake = method.is_some_and(|method| method == "initialize");
    if has_header(version) && !(is_handshake && version.era() == Era::Legacy) {
        // A response names no revision, whatever its `_meta` holds.
        let is_asking = matches!(message.kind(), Kind::Request | Kind::Notification);
        let value = match message.string(Member::ProtocolVersion) {
            Some(named) if is_asking && version.era() == Era::Modern => {
                let text = named.decode().map_err(|_| ValueError::NoText);
                text.and_then(|text| plain(&text))
                    .map_err(|reason| UnsendableError {
                        header: Header::ProtocolVersion,
                        reason,
                    })?
            }
            _ => HeaderValue::from_static(version.as_str()),
        };
        headers.insert(names::MCP_PROTOCOL_VERSION, value);
    }
    let Some(method) =
        method.filter(|_| version.era() == Era::Modern && message.kind() == Kind::Request)
    else {
        return Ok(headers);
    };
    let value = method.decode().map_err(|_| ValueError::NoText);
    let value = value.and_then(|method| plain(&method));
    let value = value.map_err(|reason| UnsendableError {
        header: Header::Method,
        reason,
    })?;
    headers.insert(names::MCP_METHOD, value);
    let member = Method::find(&method).and_then(|method| name_member(&Rules::client(), method));
    if let Some(name) = member.and_then(|member| message.string(member)) {
        let name = name.decode().map_err(|_| UnsendableError {
            header: Header::Name,
            reason: ValueError::NoText,
        })?;
        headers.insert(names::MCP_NAME, encode(&name));
    }
    if let Some(plan) = plan.filter(|_| Method::find(&method) == Some(Method::ToolsCall)) {
        plan.insert_of(message, &mut headers)?;
    }
    Ok(headers)
}

/// A value that has no Base64 form: the text has to be able to stand there, and to be read back.
fn plain(text: &str) -> Result<HeaderValue, ValueError> {
    match stands_as_it_is(text) {
        true => HeaderValue::from_str(text).map_err(|_| ValueError::Characters),
        false => Err(ValueError::Characters),
    }
}

/// The headers of the GET by which a client of 2025-03-26 to 2025-11-25 opens an event stream, or resumes one behind the
/// event of this id (`basic/transports#listening-for-messages-from-the-server`, `#resumability-and-redelivery`). The session
/// id is for the caller to add.
///
/// # Errors
/// An id that can't stand in a header.
pub fn stream_headers(
    version: Version,
    last_event_id: Option<&[u8]>,
) -> Result<HeaderMap, ValueError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, EVENT_STREAM);
    if has_header(version) {
        let value = HeaderValue::from_static(version.as_str());
        headers.insert(names::MCP_PROTOCOL_VERSION, value);
    }
    // An empty id says that there is none (WHATWG HTML section 9.2.3).
    if let Some(id) = last_event_id.filter(|id| !id.is_empty()) {
        let id = HeaderValue::from_bytes(id).map_err(|_| ValueError::Characters)?;
        headers.insert(names::LAST_EVENT_ID, id);
    }
    Ok(headers)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_what_asks_names_its_revision() {
        let meta = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"x"}}"#;
        for (rest, expected) in [
            (
                alloc::format!(r#""id":1,"method":"m","params":{meta}"#),
                "x",
            ),
            (alloc::format!(r#""method":"m","params":{meta}"#), "x"),
            (alloc::format!(r#""id":1,"result":{meta}"#), "2026-07-28"),
        ] {
            let text = alloc::format!(r#"{{"jsonrpc":"2.0",{rest}}}"#);
            let message = Message::parse(text.as_bytes()).unwrap();
            let headers = request_headers(&message, Version::V2026_07_28, None).unwrap();
            assert_eq!(headers[names::MCP_PROTOCOL_VERSION], expected, "{text}");
        }
    }
}
