use super::error::EncodeError;
use super::framing::Framing;
use super::reply::{Details, is_due, write};
use super::text::Copying;
use super::writer::{ReplyTo, Writer};
use crate::error::Error;
use crate::json::RawJson;
use crate::mcp::Rules;
use crate::message::Message;
use bytes::BufMut;
use core::fmt::Display;

/// The answers to the elements of a batch, as the one array that they have to be sent in (JSON-RPC 2.0 section 6; of MCP's
/// revisions 2025-03-26 alone has them).
///
/// ```
/// use rpcslice::encode::{AnswerArray, Framing, Object, Writer};
/// use rpcslice::mcp::{Incoming, Rules, Version};
/// use rpcslice::View;
///
/// let rules = Rules::server().negotiated(Version::V2025_03_26);
/// let writer = Writer::new(rules, Version::V2025_03_26);
/// let frame = br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","method":"notifications/initialized"}]"#;
/// let Ok(Incoming::Batch(batch)) = rules.read(frame) else { panic!() };
/// let (mut out, mut scratch) = (Vec::new(), String::new());
/// let mut answers = AnswerArray::new(&mut out, Framing::Body);
/// for item in batch.iter() {
///     match item.map(|message| message.view()) {
///         Ok(View::Request(request)) => answers.result(&writer, request, Object::new(&mut scratch).finish())?,
///         Ok(_) => {}
///         Err(error) => answers.refusal(&error, frame, &rules),
///     }
/// }
/// assert!(answers.finish());
/// assert_eq!(
///     String::from_utf8(out).unwrap(),
///     concat!(
///         r#"[{"jsonrpc":"2.0","id":1,"result":{}},"#,
///         r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message must be an object"}}]"#
///     )
/// );
/// # Ok::<(), rpcslice::encode::EncodeError>(())
/// ```
#[derive(Debug)]
#[must_use = "`finish` closes the array"]
pub struct AnswerArray<'b, B> {
    out: &'b mut B,
    framing: Framing<'b>,
    is_empty: bool,
}

impl<'b, B: BufMut> AnswerArray<'b, B> {
    /// An array into this buffer.
    pub const fn new(out: &'b mut B, framing: Framing<'b>) -> Self {
        Self {
            out,
            framing,
            is_empty: true,
        }
    }

    fn next(&mut self) {
        if core::mem::replace(&mut self.is_empty, false) {
            self.framing.begin(self.out);
            self.out.put_u8(b'[');
        } else {
            self.out.put_u8(b',');
        }
    }

    /// The result of an element, as [`Writer::result`]; the writer's framing counts for nothing.
    ///
    /// # Errors
    /// As there.
    pub fn result<'a>(
        &mut self,
        writer: &Writer<'_>,
        to: impl Into<ReplyTo<'a>>,
        result: RawJson<'_>,
    ) -> Result<(), EncodeError> {
        let writer = self.framed(writer);
        let (to, section) = writer.result_section(to.into(), result)?;
        self.next();
        writer.put_result(self.out, to, &section);
        self.out.put_u8(b'}');
        Ok(())
    }

    /// The error that an element is answered with, as [`Writer::error`].
    ///
    /// # Errors
    /// As there.
    pub fn error<'a>(
        &mut self,
        writer: &Writer<'_>,
        to: impl Into<ReplyTo<'a>>,
        code: i64,
        message: impl Display,
        data: Option<RawJson<'_>>,
    ) -> Result<(), EncodeError> {
        let writer = self.framed(writer);
        let id = Some(to.into().id());
        writer.check_error(id, code, data)?;
        self.next();
        writer.put_error(self.out, id, code, message, data);
        self.out.put_u8(b'}');
        Ok(())
    }

    fn framed<'w>(&self, writer: &Writer<'w>) -> Writer<'w>
    where
        'b: 'w,
    {
        writer.framing(self.framing)
    }

    /// The answer to an element that was refused, if one is due. `frame` is that of the whole batch.
    pub fn refusal(&mut self, error: &Error, frame: &[u8], rules: &Rules) {
        if is_due(error.shape(), rules) {
            self.next();
            // Writing into a `BufMut` does not fail.
            let _ = write(self.out, error, frame, rules, &Details::new());
        }
    }

    /// A response as it is, byte for byte but for line breaks between its tokens where they can't stay.
    pub fn message(&mut self, response: &Message<'_>) {
        self.next();
        let copying = Copying {
            one_line: self.framing.is_one_line(),
            ..Copying::default()
        };
        copying.copy(response.frame(), |piece| {
            self.out.put_slice(piece.as_bytes())
        });
    }

    /// Ends the array. If nothing was written there is none, and nothing to send (JSON-RPC 2.0 section 6).
    pub fn finish(self) -> bool {
        if self.is_empty {
            return false;
        }
        self.out.put_u8(b']');
        self.framing.end(self.out);
        true
    }
}
