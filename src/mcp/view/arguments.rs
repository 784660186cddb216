use super::{of_kind, unique};
use crate::json::{JsonKind, JsonStr, RawJson, SPACE, SyntaxError};
use crate::limits::Limits;
use crate::mcp::Method;
use crate::message::{Kind, Message};
use alloc::string::String;
use core::fmt;

/// A `tools/call` request (`server/tools`, "Calling Tools").
///
/// ```
/// use rpcslice::Message;
/// use rpcslice::mcp::view::ToolCall;
///
/// let msg = Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"n": 1.50}}}"#)?;
/// let call = ToolCall::of(&msg).unwrap();
/// assert_eq!(call.name, "x");
/// assert_eq!(call.arguments.unwrap().raw(), r#"{"n": 1.50}"#);
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ToolCall<'a> {
    /// The tool.
    pub name: JsonStr<'a>,
    /// The arguments: an object.
    pub arguments: Option<RawJson<'a>>,
}

impl<'a> ToolCall<'a> {
    /// A view over a message. `None` if it is no such request, or one without a name or with `arguments` twice. Walks the
    /// params once.
    #[must_use]
    pub fn of(message: &Message<'a>) -> Option<Self> {
        let is_call = |method| Method::find(&method) == Some(Method::ToolsCall);
        if message.kind() != Kind::Request || !message.method().is_some_and(is_call) {
            return None;
        }
        let [arguments] = unique(message.params()?, ["arguments"])?;
        Some(Self {
            name: message.name()?,
            arguments: of_kind(arguments, JsonKind::Object),
        })
    }
}

/// What is no arguments of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArgumentsError {
    /// The text is no JSON, or nests deeper than a reader's default limit.
    Syntax(SyntaxError),
    /// It is JSON, and no object.
    NotObject,
    /// The string is no Unicode text.
    NotText,
}

impl fmt::Display for ArgumentsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => write!(f, "the arguments are no JSON: {error}"),
            Self::NotObject => f.write_str("the arguments must be an object"),
            Self::NotText => f.write_str("the arguments are no Unicode text"),
        }
    }
}

impl core::error::Error for ArgumentsError {}

/// The arguments of a tool as a model's tool call gives them: an object, or a string that holds the text of one, as the
/// interfaces of most models have it. Nothing, `null` or an empty text is no arguments: `{}`.
///
/// They are checked and not changed: what is lent goes into a request as it is, by [`Object::raw`](crate::encode::Object::raw).
/// A text is unescaped into `scratch`, if there is an escape in it. One pass, and one more over a text.
///
/// # Errors
/// What is neither.
///
/// ```
/// use rpcslice::RawJson;
/// use rpcslice::mcp::view::call_arguments;
///
/// let call = RawJson::parse(br#"{"function":{"name":"x","arguments":"{\"n\": 1.50}"}}"#)?;
/// let given = call.get("function").unwrap().get("arguments");
/// let mut scratch = String::new();
/// assert_eq!(call_arguments(given, &mut scratch)?.raw(), r#"{"n": 1.50}"#);
/// assert_eq!(call_arguments(None, &mut scratch)?.raw(), "{}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn call_arguments<'a>(
    given: Option<RawJson<'a>>,
    scratch: &'a mut String,
) -> Result<RawJson<'a>, ArgumentsError> {
    let Some(given) = given.filter(|given| !given.is_null()) else {
        return Ok(RawJson::from_checked("{}"));
    };
    let Some(text) = given.as_string() else {
        return checked(given.raw());
    };
    match text.as_str() {
        Some(text) => call_arguments_text(text),
        None if text.is_text() => {
            scratch.clear();
            scratch.extend(text.chars());
            call_arguments_text(scratch)
        }
        None => Err(ArgumentsError::NotText),
    }
}

/// The same of a text that is decoded already.
///
/// # Errors
/// What is not the text of an object.
pub fn call_arguments_text(text: &str) -> Result<RawJson<'_>, ArgumentsError> {
    match text.trim_matches(SPACE) {
        "" | "null" => Ok(RawJson::from_checked("{}")),
        text => checked(text),
    }
}

fn checked(text: &str) -> Result<RawJson<'_>, ArgumentsError> {
    // The message and its params are two of the containers.
    let limits = Limits::of_depth(Limits::DEFAULT_MAX_DEPTH - 2);
    let value = RawJson::parse_with(text.as_bytes(), &limits).map_err(ArgumentsError::Syntax)?;
    match value.kind() {
        JsonKind::Object => Ok(value),
        _ => Err(ArgumentsError::NotObject),
    }
}
