use super::Framing;
use super::text::{Copying, Escaped, Plain};
use crate::error::{Error, ErrorKind, Shape};
use crate::header::Header;
use crate::json::RawJson;
use crate::limits::Limits;
use crate::mcp::{Capabilities, Era, Role, Rules, Version};
use bytes::BufMut;
use core::fmt::{self, Write};

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
/// era, and `requested`, which is `""` if the request names none ([`Details`] can say what its header does). A proxy answers as a server does. Allocates nothing of
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
    framing: Framing<'_>,
) -> Reply {
    reply_with(out, error, frame, rules, framing, &Details::new())
}

/// As [`reply`], with what only the caller knows.
pub fn reply_with(
    out: &mut impl BufMut,
    error: &Error,
    frame: &[u8],
    rules: &Rules,
    framing: Framing<'_>,
    details: &Details<'_>,
) -> Reply {
    let is_due = is_due(error.shape(), rules);
    if is_due {
        framing.begin(out);
        // Writing into a `BufMut` does not fail.
        let _ = write(out, error, frame, rules, details);
        framing.end(out);
    }
    Reply {
        status: error.http_status(),
        is_written: is_due,
    }
}

/// What an answer says besides the error, where the frame does not hold it.
#[derive(Clone, Copy, Default)]
pub struct Details<'a> {
    required_capabilities: Option<Capabilities<'a>>,
    requested: Option<&'a str>,
    header: Option<&'a str>,
}

impl<'a> Details<'a> {
    /// Nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            required_capabilities: None,
            requested: None,
            header: None,
        }
    }

    /// Sets `data.requiredCapabilities` of [`ErrorKind::MissingCapability`] (2026-07-28 `basic/index`, "Error codes"); `{}` if
    /// not set.
    #[must_use]
    pub const fn required_capabilities(mut self, required: Capabilities<'a>) -> Self {
        self.required_capabilities = Some(required);
        self
    }

    /// Sets `data.requested` of [`ErrorKind::UnsupportedVersion`] where the message names no version itself: that of the header
    /// `MCP-Protocol-Version`.
    #[must_use]
    pub const fn requested(mut self, version: &'a str) -> Self {
        self.requested = Some(version);
        self
    }

    /// Sets the name of the header that [`Header::Param`](crate::Header::Param) stands for, as the plan has it.
    #[must_use]
    pub const fn header(mut self, name: &'a str) -> Self {
        self.header = Some(name);
        self
    }
}

/// Which of them there are, and lengths; never payload.
impl fmt::Debug for Details<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Details")
            .field("required_capabilities", &self.required_capabilities)
            .field("requested", &self.requested.map(str::len))
            .field("header", &self.header.map(str::len))
            .finish()
    }
}

/// Writes the sentence of an error, with the name of the header that it is about.
struct Sentence<'a, B> {
    out: &'a mut B,
    header: Option<&'a str>,
}

impl<B: BufMut> fmt::Write for Sentence<'_, B> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let text = match self.header {
            Some(name) if text == Header::ANY_PARAM => name,
            _ => text,
        };
        Escaped(self.out, Copying::default()).write_str(text)
    }
}

pub(super) fn is_due(shape: Shape, rules: &Rules) -> bool {
    match (shape, rules.role()) {
        // From 2026-07-28 on clients send no responses at all.
        (Shape::Request, Role::Client) => rules.in_force().is_none_or(|v| v.era() == Era::Legacy),
        (Shape::Unknown, Role::Client) => false,
        (Shape::Request | Shape::Unknown, _) => true,
        (Shape::Notification | Shape::Response, _) => false,
    }
}

pub(super) fn write(
    out: &mut impl BufMut,
    error: &Error,
    frame: &[u8],
    rules: &Rules,
    details: &Details<'_>,
) -> fmt::Result {
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
    let header = details.header;
    write!(Sentence { out, header }, "{}", error.kind())?;
    out.put_slice(b"\"");
    match error.kind() {
        ErrorKind::UnsupportedVersion => {
            out.put_slice(br#","data":{"supported":["#);
            for (i, name) in rules.served().names().enumerate() {
                out.put_slice(if i == 0 { b"\"" } else { b",\"" });
                Escaped(out, Copying::default()).write_str(name)?;
                out.put_slice(b"\"");
            }
            out.put_slice(br#"],"requested":"#);
            match (requested(error, frame), details.requested) {
                (Some(raw), _) => Plain(out).write_str(raw)?,
                (None, named) => {
                    out.put_slice(b"\"");
                    Escaped(out, Copying::default()).write_str(named.unwrap_or(""))?;
                    out.put_slice(b"\"");
                }
            }
            out.put_slice(b"}");
        }
        ErrorKind::MissingCapability => {
            let required = details.required_capabilities;
            let required = required.map_or("{}", |required| required.raw().raw());
            out.put_slice(br#","data":{"requiredCapabilities":"#);
            let copying = Copying {
                one_line: true,
                ..Copying::default()
            };
            copying.copy(required, |piece| out.put_slice(piece.as_bytes()));
            out.put_slice(b"}");
        }
        _ => {}
    }
    out.put_slice(b"}}");
    Ok(())
}

/// The version that the refused request names, as it stands there: what the error is about. It may name none.
fn requested<'f>(error: &Error, frame: &'f [u8]) -> Option<&'f str> {
    let named = frame.get(error.span());
    let named = named.filter(|raw| raw.starts_with(b"\"") && error.fault != error.method);
    // Another frame may have been given than the one that was refused.
    let checked = RawJson::parse_with(named?, &Limits::new().with_max_frame_bytes(usize::MAX));
    checked.ok().map(|value| value.raw())
}

/// Whether an error without id has to say `null`.
fn needs_null(rules: &Rules) -> bool {
    let version = rules.in_force().or_else(|| rules.served().iter().last());
    version.is_some_and(Version::needs_error_id)
}
