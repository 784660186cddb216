use super::{of_kind, unique};
use crate::json::{JsonKind, JsonStr, RawJson};
use core::fmt;

/// An `input_required` result: what a server needs to know before it can go on (2026-07-28 `basic/patterns/mrtr`).
///
/// ```
/// use rpcslice::Message;
/// use rpcslice::mcp::view::InputRequired;
///
/// let msg = Message::parse(br#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required",
///     "inputRequests":{"who":{"method":"elicitation/create","params":{"message":"?"}}},"requestState":"s"}}"#)?;
/// let needed = InputRequired::of(msg.result().unwrap()).unwrap();
/// let (key, request) = needed.requests().next().unwrap();
/// assert_eq!(key, "who");
/// assert_eq!(request.method.unwrap(), "elicitation/create");
/// assert_eq!(needed.request_state().unwrap().raw(), r#""s""#); // goes back as it came
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct InputRequired<'a> {
    requests: Option<RawJson<'a>>,
    state: Option<JsonStr<'a>>,
}

/// A request for input.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct InputRequest<'a> {
    /// All of it, byte for byte.
    pub raw: RawJson<'a>,
    /// The method; `None` where that is no string or is there twice.
    pub method: Option<JsonStr<'a>>,
    /// The params: an object.
    pub params: Option<RawJson<'a>>,
}

impl<'a> InputRequired<'a> {
    /// A view over a result. `None` if its `resultType` is another, or one of its members is there twice. Walks the result once.
    #[must_use]
    pub fn of(result: RawJson<'a>) -> Option<Self> {
        let [kind, requests, state] =
            unique(result, ["resultType", "inputRequests", "requestState"])?;
        let kind = kind.and_then(|kind| kind.as_string())?;
        (kind == "input_required").then(|| Self {
            requests: of_kind(requests, JsonKind::Object),
            state: state.and_then(|state| state.as_string()),
        })
    }

    /// The requests in their order, each by the key that its answer has to have. A key that is there twice comes twice.
    pub fn requests(&self) -> impl Iterator<Item = (JsonStr<'a>, InputRequest<'a>)> + use<'a> {
        let requests = self.requests.into_iter();
        let requests = requests.flat_map(|requests| requests.members());
        requests.map(|(key, raw)| {
            let [method, params] = unique(raw, ["method", "params"]).unwrap_or_default();
            let request = InputRequest {
                raw,
                method: method.and_then(|method| method.as_string()),
                params: of_kind(params, JsonKind::Object),
            };
            (key, request)
        })
    }

    /// What the server wants back unchanged with the answers.
    #[must_use]
    pub const fn request_state(&self) -> Option<JsonStr<'a>> {
        self.state
    }
}

/// Lengths: what is in it is payload.
impl fmt::Debug for InputRequired<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputRequired")
            .field("requests", &self.requests)
            .field("state", &self.state)
            .finish()
    }
}

/// Its length: what is in it is payload.
impl fmt::Debug for InputRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InputRequest({} bytes)", self.raw.raw().len())
    }
}
