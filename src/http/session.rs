//! Sessions of the revisions 2025-03-26 to 2025-11-25 (`basic/transports#session-management`).

use super::names;
use super::value::text;
use ::http::{HeaderMap, HeaderValue};
use core::fmt;

/// A session id: visible ASCII, and some of it. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SessionId(HeaderValue);

/// Not a session id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionIdError {
    /// Nothing, or other characters than visible ASCII (0x21 to 0x7E).
    Characters,
    /// The header is there more than once, with other values.
    Repeated,
}

impl SessionId {
    /// Takes an id that a server has made.
    ///
    /// # Errors
    /// It is empty, or has other characters than visible ASCII.
    pub fn new(id: &str) -> Result<Self, SessionIdError> {
        match is_visible(id) {
            true => HeaderValue::from_str(id)
                .map(Self)
                .map_err(|_| SessionIdError::Characters),
            false => Err(SessionIdError::Characters),
        }
    }

    /// The id that the headers have, if they have one. Equal copies count as one.
    ///
    /// # Errors
    /// What is there is none.
    pub fn of(headers: &HeaderMap) -> Result<Option<Self>, SessionIdError> {
        let mut values = headers.get_all(names::MCP_SESSION_ID).iter();
        let Some(first) = values.next() else {
            return Ok(None);
        };
        let id = text(first).map_err(|_| SessionIdError::Characters)?;
        let is_same = |other: &HeaderValue| text(other).is_ok_and(|other| other == id);
        match values.all(is_same) {
            true => Self::new(id).map(Some),
            false => Err(SessionIdError::Repeated),
        }
    }

    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or("")
    }

    /// The id as a header's value.
    #[must_use]
    pub const fn value(&self) -> &HeaderValue {
        &self.0
    }
}

fn is_visible(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|b| matches!(b, b'!'..=b'~'))
}

/// An id opens a session to whoever has it: only its length.
impl fmt::Debug for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionId({} characters)", self.0.len())
    }
}

impl fmt::Display for SessionIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Characters => "a session id must be visible ASCII characters, and not empty",
            Self::Repeated => "`Mcp-Session-Id` is there more than once",
        })
    }
}

impl core::error::Error for SessionIdError {}

/// The id of the last event that a client has got, by which it resumes a stream with GET
/// (`basic/transports#resumability-and-redelivery`). `None` where the header is absent or repeated. Bytes, since event
/// ids may be any UTF-8.
#[must_use]
pub fn last_event_id(headers: &HeaderMap) -> Option<&[u8]> {
    let mut values = headers.get_all(names::LAST_EVENT_ID).iter();
    match (values.next(), values.next()) {
        (Some(id), None) => Some(id.as_bytes()),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn session_ids() {
        for (values, expected) in [
            (&[][..], Ok(None)),
            (&["1868a90c-6d7e_~!"], Ok(Some("1868a90c-6d7e_~!"))),
            (&[" a "], Ok(Some("a"))),
            (&["a", "a"], Ok(Some("a"))),
            (&["a", "b"], Err(SessionIdError::Repeated)),
            (&["18 68"], Err(SessionIdError::Characters)),
            (&["18\t68"], Err(SessionIdError::Characters)),
            (&["séance"], Err(SessionIdError::Characters)),
            (&[""], Err(SessionIdError::Characters)),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
                headers.append(names::MCP_SESSION_ID, value);
            }
            let got = SessionId::of(&headers);
            let got = got.as_ref().map(|id| id.as_ref().map(SessionId::as_str));
            assert_eq!(got, expected.as_ref().copied(), "{values:?}");
        }
        assert!(SessionId::new("a\u{7f}").is_err());
        assert!(!format!("{:?}", SessionId::new("secret").unwrap()).contains("secret"));
    }

    #[test]
    fn one_last_event_id() {
        let mut headers = HeaderMap::new();
        assert_eq!(last_event_id(&headers), None);
        headers.append("Last-Event-ID", HeaderValue::from_static("1_7"));
        assert_eq!(last_event_id(&headers), Some(&b"1_7"[..]));
        headers.append("last-event-id", HeaderValue::from_static("1_8"));
        assert_eq!(last_event_id(&headers), None);
    }
}
