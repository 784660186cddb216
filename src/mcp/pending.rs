use super::method::Method;
use super::version::Version;
use crate::message::{Id, IdBuf, Message, View};
use crate::vocab::Member;
use alloc::collections::BTreeMap;
use core::fmt;

/// Which request an id belongs to, on one connection: for the requests of both sides, whose ids are two spaces, and with
/// the revision that the handshake has fixed. So responses can be checked against what they answer, and ids in flight
/// twice, and responses to nobody, are noticed.
///
/// *Sent* and *received* are as one end sees them; what stands between two takes the side of one, and sticks to it. Note
/// messages before the rules judge them: a refused request is answered too. A cancelled request stays until its answer,
/// which may still come (`basic/utilities/cancellation`), or until it is [forgotten](Self::cancelled).
///
/// It remembers ids and methods, no payload. It is bounded in requests and in bytes of ids: at the bound a request is
/// not remembered, and [`PendingError::Full`] says so; its response will be one to nobody. What to do then, wait, refuse
/// or drop, is the caller's to decide. O(log n) a message; allocates for what it remembers.
///
/// ```
/// use rpcslice::Message;
/// use rpcslice::mcp::{Exchange, Method, Pending, PendingError};
///
/// let mut pending = Pending::new();
/// let ask = Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)?;
/// let answer = Message::parse(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#)?;
/// assert_eq!(pending.sent(&ask), Ok(Exchange::Request));
/// assert_eq!(pending.sent(&ask), Err(PendingError::InFlight));
/// let Ok(Exchange::Response { method, .. }) = pending.received(&answer) else { panic!() };
/// assert_eq!(method, Some(Method::Ping));
/// assert_eq!(pending.received(&answer), Err(PendingError::Nobody));
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pending {
    ours: Asked,
    theirs: Asked,
    negotiated: Option<Version>,
    most: usize,
    most_bytes: usize,
}

/// The requests of one side that have no answer yet.
#[derive(Clone, Debug, Default)]
struct Asked {
    requests: BTreeMap<IdBuf, Request>,
    id_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct Request {
    method: Option<Method>,
    version: Named,
}

/// The revision that a request names.
#[derive(Clone, Copy, Debug)]
enum Named {
    /// None: it is that of the connection.
    Nothing,
    /// One that is published, or another.
    This(Option<Version>),
}

/// What a message is to the exchange on its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// A request, remembered until its response.
    Request,
    /// A notification.
    Notification,
    /// The response to a request, which is forgotten now.
    Response {
        /// The request's method, if the table knows it.
        method: Option<Method>,
        /// The revision in force for the request: its own, or the negotiated one. `None` if there is none, or its own is
        /// none that is published.
        version: Option<Version>,
    },
    /// An error without id: about something that could not be read.
    Unrelated,
}

/// What is wrong with a message's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PendingError {
    /// A request of this side with this id waits already. The first one stays.
    InFlight,
    /// No request waits for this response.
    Nobody,
    /// As many requests wait as are remembered, or their ids are as long as allowed.
    Full,
}

impl fmt::Display for PendingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InFlight => "a request with this id waits for its response already",
            Self::Nobody => "no request waits for this response",
            Self::Full => "too many requests wait for their responses",
        })
    }
}

impl core::error::Error for PendingError {}

impl Pending {
    /// The requests remembered for each side by default.
    pub const DEFAULT_MOST: usize = 4096;
    /// The bytes of their ids by default: 1 MiB.
    pub const DEFAULT_MOST_BYTES: usize = 1 << 20;

    /// For a new connection.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limits(Self::DEFAULT_MOST, Self::DEFAULT_MOST_BYTES)
    }

    /// For a new connection: at most so many requests for each side, and so many bytes of ids.
    #[must_use]
    pub fn with_limits(most: usize, most_bytes: usize) -> Self {
        Self {
            ours: Asked::default(),
            theirs: Asked::default(),
            negotiated: None,
            most,
            most_bytes,
        }
    }

    /// Notes a message that this side sends.
    ///
    /// # Errors
    /// If its id does not fit what is in flight. A response to nobody changes nothing.
    pub fn sent(&mut self, message: &Message<'_>) -> Result<Exchange, PendingError> {
        self.note(message, true)
    }

    /// Notes a message that the other side has sent.
    ///
    /// # Errors
    /// If its id does not fit what is in flight. A response to nobody changes nothing.
    pub fn received(&mut self, message: &Message<'_>) -> Result<Exchange, PendingError> {
        self.note(message, false)
    }

    fn note(&mut self, message: &Message<'_>, is_sent: bool) -> Result<Exchange, PendingError> {
        let (own, other) = match is_sent {
            true => (&mut self.ours, &mut self.theirs),
            false => (&mut self.theirs, &mut self.ours),
        };
        let id = message.id().map(IdBuf::from);
        match (message.view(), id) {
            (View::Request(request), Some(id)) => {
                let named = message.string(Member::ProtocolVersion);
                let request = Request {
                    method: Method::find(&request.method()),
                    version: match named {
                        Some(name) => Named::This(Version::find(&name)),
                        None => Named::Nothing,
                    },
                };
                own.add(id, request, self.most, self.most_bytes)?;
                Ok(Exchange::Request)
            }
            (View::Response(_) | View::Error(_), Some(id)) => {
                let request = other.take(&id).ok_or(PendingError::Nobody)?;
                let fixed = message.string(Member::ResultProtocolVersion);
                if let (Some(Method::Initialize), Some(name)) = (request.method, fixed) {
                    self.negotiated = Version::find(&name);
                }
                Ok(Exchange::Response {
                    method: request.method,
                    version: match request.version {
                        Named::This(version) => version,
                        Named::Nothing => self.negotiated,
                    },
                })
            }
            (View::Notification(_), _) => Ok(Exchange::Notification),
            _ => Ok(Exchange::Unrelated),
        }
    }

    /// The revision that the answer to `initialize` has fixed; `None` before, and if it is none that is published.
    #[must_use]
    pub const fn negotiated(&self) -> Option<Version> {
        self.negotiated
    }

    /// How many requests of this side, and of the other, wait for their responses.
    #[must_use]
    pub fn waiting(&self) -> (usize, usize) {
        (self.ours.requests.len(), self.theirs.requests.len())
    }

    /// Forgets a request of this side: it was given up, and its response, should it come, is one to nobody. Whether there
    /// was one.
    pub fn give_up(&mut self, id: Id<'_>) -> bool {
        self.ours.take(&IdBuf::from(id)).is_some()
    }

    /// Forgets a request of the other side: it was cancelled, and will not be answered. Whether there was one.
    ///
    /// The id is [`params.requestId`](crate::Member::RequestId) of `notifications/cancelled`, by [`Id::from_raw`].
    pub fn cancelled(&mut self, id: Id<'_>) -> bool {
        self.theirs.take(&IdBuf::from(id)).is_some()
    }
}

impl Default for Pending {
    fn default() -> Self {
        Self::new()
    }
}

impl Asked {
    fn add(
        &mut self,
        id: IdBuf,
        request: Request,
        most: usize,
        most_bytes: usize,
    ) -> Result<(), PendingError> {
        if self.requests.contains_key(&id) {
            return Err(PendingError::InFlight);
        }
        let bytes = self.id_bytes + id.raw().len();
        if self.requests.len() >= most || bytes > most_bytes {
            return Err(PendingError::Full);
        }
        self.id_bytes = bytes;
        self.requests.insert(id, request);
        Ok(())
    }

    fn take(&mut self, id: &IdBuf) -> Option<Request> {
        let (own, request) = self.requests.remove_entry(id)?;
        self.id_bytes -= own.raw().len();
        Some(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Message<'_> {
        Message::parse(text.as_bytes()).unwrap()
    }

    fn ask(id: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#)
    }

    fn answer(id: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
    }

    #[test]
    fn both_sides_have_their_own_ids() {
        let mut pending = Pending::new();
        let (one, text) = (ask("1"), ask("\"1\""));
        assert_eq!(pending.sent(&message(&one)), Ok(Exchange::Request));
        assert_eq!(pending.received(&message(&one)), Ok(Exchange::Request));
        assert_eq!(pending.sent(&message(&text)), Ok(Exchange::Request));
        assert_eq!(pending.waiting(), (2, 1));
        let spelt = answer("\"\\u0031\"");
        assert!(matches!(
            pending.received(&message(&spelt)),
            Ok(Exchange::Response { .. })
        ));
        assert_eq!(
            pending.received(&message(&spelt)),
            Err(PendingError::Nobody)
        );
        assert_eq!(pending.waiting(), (1, 1));
        let error = r#"{"jsonrpc":"2.0","error":{"code":1,"message":""}}"#;
        assert_eq!(pending.received(&message(error)), Ok(Exchange::Unrelated));
        assert!(pending.give_up(message(&one).id().unwrap()));
        assert!(pending.cancelled(message(&one).id().unwrap()));
        assert_eq!(pending.waiting(), (0, 0));
    }

    #[test]
    fn the_handshake_fixes_the_revision_and_a_modern_request_has_its_own() {
        let mut pending = Pending::new();
        let initialize = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
        let fixed = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}"#;
        pending.sent(&message(initialize)).unwrap();
        assert_eq!(pending.negotiated(), None);
        let exchange = pending.received(&message(fixed)).unwrap();
        let method = Some(Method::Initialize);
        let version = Some(Version::V2025_06_18);
        assert_eq!(exchange, Exchange::Response { method, version });
        let modern = r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        pending.sent(&message(modern)).unwrap();
        let exchange = pending.received(&message(&answer("1"))).unwrap();
        let version = Some(Version::V2026_07_28);
        assert_eq!(
            exchange,
            Exchange::Response {
                method: None,
                version
            }
        );
    }

    #[test]
    fn a_revision_that_nobody_published_is_not_the_negotiated_one() {
        let mut pending = Pending::new();
        let initialize = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#;
        let fixed = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}"#;
        pending.sent(&message(initialize)).unwrap();
        pending.received(&message(fixed)).unwrap();
        let unknown = r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027"}}}"#;
        for (asked, version) in [(unknown, None), (&ask("1"), Some(Version::V2025_06_18))] {
            pending.sent(&message(asked)).unwrap();
            let exchange = pending.received(&message(&answer("1"))).unwrap();
            assert!(matches!(exchange, Exchange::Response { version: v, .. } if v == version));
        }
    }

    #[test]
    fn bounds_are_inclusive_in_number_and_in_bytes() {
        let mut pending = Pending::with_limits(2, 100);
        for id in ["1", "2"] {
            assert_eq!(pending.sent(&message(&ask(id))), Ok(Exchange::Request));
        }
        assert_eq!(pending.sent(&message(&ask("3"))), Err(PendingError::Full));
        assert_eq!(
            pending.sent(&message(&ask("1"))),
            Err(PendingError::InFlight)
        );
        pending.received(&message(&answer("1"))).unwrap();
        assert_eq!(pending.sent(&message(&ask("3"))), Ok(Exchange::Request));
        let mut pending = Pending::with_limits(9, 10);
        assert_eq!(
            pending.sent(&message(&ask("1234567890"))),
            Ok(Exchange::Request)
        );
        assert_eq!(pending.sent(&message(&ask("2"))), Err(PendingError::Full));
        assert_eq!(
            pending.received(&message(&ask("12345678901"))),
            Err(PendingError::Full)
        );
    }
}
