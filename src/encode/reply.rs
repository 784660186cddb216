use super::Framing;
use super::text::{Escaped, OneLine, Plain};
use crate::error::{Error, ErrorKind, Shape};
use crate::json::RawJson;
use crate::mcp::{Era, Role, Rules, Version};
use crate::message::Message;
use bytes::BufMut;
use core::fmt::Write;

/// What became of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status that goes with it.
    pub status: u16,
    /// Whether anything was written: nothing is where no answer is due.
    pub is_written: bool,
}

/// Writes the answer to a frame that was refused, or nothing where none may be sent: notifications and responses are
/// never answered (JSON-RPC 2.0 section 4.1).
///
/// The id is echoed to the byte. Where none is known it is left out from 2025-11-25 on, and `null` before, by the
/// revision in force, or by the newest one served. -32022 carries as data `supported`, all revisions served of either
/// era, and `requested`, which is `""` if the request names none. A proxy answers as a server does. Allocates nothing of
/// its own; the buffer grows as it does.
///
/// `frame` is what was refused; of a line over the limit there is none, and `b""` does.
///
/// # Panics
/// If the buffer can't grow and is full, as every [`BufMut`] does.
///
/// # When to stay silent
///
/// A frame of which nothing can be read gets an answer without id from a server, and none from a client: what a client
/// reads there is a server's log line more often than not, and it has nobody to tell. Even a server is wise to send no
/// such answers on a pipe whose other end may do the same: two peers that answer each other's parse errors never stop.
/// To leave those out and no others, ask [`Error::kind`] for [`ErrorKind::Syntax`] and [`ErrorKind::NotObject`].
///
/// ```
/// use rpcslice::encode::{Framing, reply};
/// use rpcslice::mcp::{Rules, Version, Versions};
///
/// let rules = Rules::server().versions(Versions::of(&[Version::V2026_07_28]));
/// let frame = br#"{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}"#;
/// let error = rules.read(frame).unwrap_err();
/// let mut out = Vec::new();
/// let said = reply(&mut out, &error, frame, &rules, Framing::Line);
/// assert_eq!((said.status, said.is_written), (400, true));
/// assert_eq!(
///     String::from_utf8(out).unwrap(),
///     concat!(
///         r#"{"jsonrpc":"2.0","id":"a","error":{"code":-32600,"message":"`params` must be an object"}}"#,
///         "\n"
///     )
/// );
/// ```
pub fn reply(
    out: &mut impl BufMut,
    error: &Error,
    frame: &[u8],
    rules: &Rules,
    framing: Framing,
) -> Reply {
    reply_with(out, error, frame, rules, framing, None)
}

/// As [`reply`], with what only the caller knows: for [`ErrorKind::MissingCapability`] the capabilities that are needed,
/// an object, which become `data.requiredCapabilities` (2026-07-28 `basic/index`, "Error codes"); `{}` if not given.
pub fn reply_with(
    out: &mut impl BufMut,
    error: &Error,
    frame: &[u8],
    rules: &Rules,
    framing: Framing,
    required_capabilities: Option<RawJson<'_>>,
) -> Reply {
    let is_due = is_due(error.shape(), rules);
    if is_due {
        // Writing into a `BufMut` does not fail.
        let _ = write(out, error, frame, rules, required_capabilities);
        if framing == Framing::Line {
            out.put_u8(b'\n');
        }
    }
    Reply {
        status: error.http_status(),
        is_written: is_due,
    }
}

fn is_due(shape: Shape, rules: &Rules) -> bool {
    match (shape, rules.role()) {
        // From 2026-07-28 on clients send no responses at all.
        (Shape::Request, Role::Client) => rules.in_force().is_none_or(|v| v.era() == Era::Legacy),
        (Shape::Unknown, Role::Client) => false,
        (Shape::Request | Shape::Unknown, _) => true,
        (Shape::Notification | Shape::Response, _) => false,
    }
}

fn write(
    out: &mut impl BufMut,
    error: &Error,
    frame: &[u8],
    rules: &Rules,
    required_capabilities: Option<RawJson<'_>>,
) -> core::fmt::Result {
    out.put_slice(br#"{"jsonrpc":"2.0","#);
    match error.id(frame) {
        Some(id) => write!(Plain(out), r#""id":{},"#, id.raw())?,
        None if needs_null(rules) => out.put_slice(br#""id":null,"#),
        None => {}
    }
    write!(
        Plain(out),
        r#""error":{{"code":{},"message":""#,
        error.code()
    )?;
    write!(Escaped(out), "{}", error.kind())?;
    out.put_slice(b"\"");
    match error.kind() {
        ErrorKind::UnsupportedVersion => {
            out.put_slice(br#","data":{"supported":["#);
            for (i, name) in rules.served().names().enumerate() {
                out.put_slice(if i == 0 { b"\"" } else { b",\"" });
                write!(Escaped(out), "{name}")?;
                out.put_slice(b"\"");
            }
            write!(Plain(out), r#"],"requested":{}}}"#, requested(error, frame))?;
        }
        ErrorKind::MissingCapability => {
            let required = required_capabilities.map_or("{}", |value| value.raw());
            out.put_slice(br#","data":{"requiredCapabilities":"#);
            OneLine(out).write_str(required)?;
            out.put_slice(b"}");
        }
        _ => {}
    }
    out.put_slice(b"}}");
    Ok(())
}

/// The version that the refused request names, as it stands there: what the error is about. It may name none; the data
/// has to.
fn requested<'f>(error: &Error, frame: &'f [u8]) -> &'f str {
    let named = frame.get(error.span());
    let named = named.filter(|raw| raw.starts_with(b"\"") && error.fault != error.method);
    named
        .and_then(|raw| core::str::from_utf8(raw).ok())
        .unwrap_or("\"\"")
}

/// Whether an error without id has to say `null`.
fn needs_null(rules: &Rules) -> bool {
    let version = rules.in_force().or_else(|| rules.served().iter().last());
    version.is_some_and(Version::needs_error_id)
}

/// The answers to the elements of a batch, as the one array that they have to be sent in (JSON-RPC 2.0 section 6).
///
/// ```
/// use rpcslice::encode::{AnswerArray, Framing};
/// use rpcslice::mcp::{Incoming, Rules, Version};
/// use rpcslice::{Message, View};
///
/// let rules = Rules::server().negotiated(Version::V2025_03_26);
/// let frame = br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","method":"notifications/initialized"}]"#;
/// let Ok(Incoming::Batch(batch)) = rules.read(frame) else { panic!() };
/// let mut out = Vec::new();
/// let mut answers = AnswerArray::new(&mut out);
/// for item in batch.iter() {
///     match item.map(|message| message.view()) {
///         Ok(View::Request(_)) => answers.message(&Message::parse(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#)?),
///         Ok(_) => {}
///         Err(error) => answers.error(&error, frame, &rules),
///     }
/// }
/// assert!(answers.finish(Framing::Body));
/// assert_eq!(
///     String::from_utf8(out).unwrap(),
///     concat!(
///         r#"[{"jsonrpc":"2.0","id":1,"result":{}},"#,
///         r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message must be an object"}}]"#
///     )
/// );
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Debug)]
pub struct AnswerArray<'b, B> {
    out: &'b mut B,
    is_empty: bool,
}

impl<'b, B: BufMut> AnswerArray<'b, B> {
    /// An array into this buffer.
    pub fn new(out: &'b mut B) -> Self {
        Self {
            out,
            is_empty: true,
        }
    }

    fn next(&mut self) {
        self.out.put_u8(if self.is_empty { b'[' } else { b',' });
        self.is_empty = false;
    }

    /// The answer to a bad element, if one is due. `frame` is that of the whole batch.
    pub fn error(&mut self, error: &Error, frame: &[u8], rules: &Rules) {
        if is_due(error.shape(), rules) {
            self.next();
            let _ = write(self.out, error, frame, rules, None);
        }
    }

    /// A response, byte for byte but for line breaks between its tokens, which become spaces.
    pub fn message(&mut self, response: &Message<'_>) {
        self.next();
        let _ = OneLine(self.out).write_str(response.frame());
    }

    /// Ends the array. If nothing was written there is none, and nothing to send (JSON-RPC 2.0 section 6).
    pub fn finish(self, framing: Framing) -> bool {
        if self.is_empty {
            return false;
        }
        self.out.put_u8(b']');
        if framing == Framing::Line {
            self.out.put_u8(b'\n');
        }
        true
    }
}
