use super::Framing;
use super::text::{Copying, Escaped, Plain};
use crate::error::{Error, ErrorKind, Shape};
use crate::json::RawJson;
use crate::mcp::{Era, Role, Rules, Version};
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
    framing: Framing<'_>,
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
    framing: Framing<'_>,
    required_capabilities: Option<RawJson<'_>>,
) -> Reply {
    let is_due = is_due(error.shape(), rules);
    if is_due {
        framing.begin(out);
        // Writing into a `BufMut` does not fail.
        let _ = write(out, error, frame, rules, required_capabilities);
        framing.end(out);
    }
    Reply {
        status: error.http_status(),
        is_written: is_due,
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
    write!(Escaped(out, Copying::default()), "{}", error.kind())?;
    out.put_slice(b"\"");
    match error.kind() {
        ErrorKind::UnsupportedVersion => {
            out.put_slice(br#","data":{"supported":["#);
            for (i, name) in rules.served().names().enumerate() {
                out.put_slice(if i == 0 { b"\"" } else { b",\"" });
                Escaped(out, Copying::default()).write_str(name)?;
                out.put_slice(b"\"");
            }
            write!(Plain(out), r#"],"requested":{}}}"#, requested(error, frame))?;
        }
        ErrorKind::MissingCapability => {
            let required = required_capabilities.map_or("{}", |value| value.raw());
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
