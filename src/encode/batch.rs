use super::error::EncodeError;
use super::framing::Framing;
use super::reply::{Details, is_due, write};
use super::reply_to::ReplyTo;
use super::writer::Writer;
use crate::error::{Error, ErrorKind};
use crate::json::RawJson;
use crate::mcp::{Rules, Version};
use crate::message::{Kind, Message};
use crate::vocab::Member;
use bytes::BufMut;
use core::fmt::{self, Display};

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
///         Ok(View::Request(request)) => answers.result(&writer, request, Object::build(&mut scratch, |_| {}))?,
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
    /// As there, and a writer of a revision that has no batches.
    pub fn result<'a>(
        &mut self,
        writer: &Writer<'_>,
        to: impl Into<ReplyTo<'a>>,
        result: RawJson<'_>,
    ) -> Result<(), EncodeError> {
        let writer = self.framed(writer)?;
        let (to, section) = writer.result_section(to.into(), result)?;
        self.next();
        writer.put_result(self.out, to, &section);
        self.out.put_u8(b'}');
        Ok(())
    }

    /// The error that an element is answered with, as [`Writer::error`].
    ///
    /// # Errors
    /// As there, and a writer of a revision that has no batches.
    pub fn error<'a>(
        &mut self,
        writer: &Writer<'_>,
        to: impl Into<ReplyTo<'a>>,
        code: i64,
        message: impl Display,
        data: Option<RawJson<'_>>,
    ) -> Result<(), EncodeError> {
        let writer = self.framed(writer)?;
        let id = Some(to.into().id());
        writer.check_error(id, code, data)?;
        self.next();
        writer.put_error(self.out, id, code, message, data);
        self.out.put_u8(b'}');
        Ok(())
    }

    fn framed<'w>(&self, writer: &Writer<'w>) -> Result<Writer<'w>, EncodeError>
    where
        'b: 'w,
    {
        match writer.version() == Version::V2025_03_26 {
            true => Ok(writer.framing(self.framing)),
            false => Err(Error::of_frame(ErrorKind::Batch, 0, 0).into()),
        }
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
    ///
    /// # Errors
    /// What is no response.
    pub fn message(&mut self, response: &Message<'_>) -> Result<(), EncodeError> {
        if !matches!(response.kind(), Kind::Result | Kind::Error) {
            return Err(EncodeError::NoPlace(Member::Method));
        }
        self.next();
        let copying = self.framing.copying();
        copying.copy(response.frame(), |piece| {
            self.out.put_slice(piece.as_bytes())
        });
        Ok(())
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

/// Whether anything is in it; never payload.
impl<B> fmt::Debug for AnswerArray<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerArray")
            .field("framing", &self.framing)
            .field("is_empty", &self.is_empty)
            .finish_non_exhaustive()
    }
}
