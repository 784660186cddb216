use super::Peek;
use super::fingerprint::Fingerprint;
use super::found::Found;
use super::scanned::Scanned;
use super::walk::Walk;
use crate::error::{Error, ErrorKind};
use crate::json::SyntaxError;
use crate::limits::Limits;
use crate::message::Policy;
use core::fmt;

/// Checks a message whose bytes come in pieces.
///
/// Feed it the pieces in their order, as large or small as they come; [`finish`](Self::finish) it behind the last. What it
/// says then is what [`Message::parse_with`](crate::Message::parse_with) says of the whole with the same limits and policy,
/// wherever it was cut: in a number, in an escape, in the midst of a character.
///
/// It is less than 2 KiB, whatever the message, and allocates nothing. Each byte is gone over once, and once more by a hash;
/// where a piece ends within a string, the part of that string in the piece twice. The pieces are not kept.
///
/// As for a frame, a byte order mark is no part of a body: who expects one strips it.
///
/// ```
/// use rpcslice::pieces::PieceScan;
/// use rpcslice::{Limits, Message, Policy};
///
/// let body = br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":nil}"#;
/// let (limits, policy) = (Limits::new(), Policy::strict());
/// let mut scan = PieceScan::new(limits, policy);
/// for piece in body.chunks(5) {
///     scan.feed(piece);
/// }
/// let error = scan.finish().unwrap_err();
/// assert_eq!(error.to_string(), "no valid JSON: expected `true`, `false` or `null` (-32700, byte 50)");
/// assert_eq!(Err(error), Message::parse_with(body, &limits, &policy).map(drop));
/// ```
#[derive(Clone)]
pub struct PieceScan {
    max_bytes: usize,
    /// How many bytes have come. It stops at what can be counted.
    len: usize,
    /// The fault of the text that ended the walk.
    fault: Option<SyntaxError>,
    walk: Walk,
    found: Found,
    print: Fingerprint,
}

impl PieceScan {
    /// For one message, within these limits: what [`Limits::max_frame_bytes`] and [`Limits::max_depth`] say holds for the
    /// whole body.
    #[must_use]
    #[inline]
    pub const fn new(limits: Limits, policy: Policy) -> Self {
        Self {
            max_bytes: limits.max_frame_bytes(),
            len: 0,
            fault: None,
            walk: Walk::new(limits.max_depth()),
            found: Found::new(policy.lenient),
            print: Fingerprint::NONE,
        }
    }

    /// Takes the next piece; an empty one changes nothing.
    ///
    /// Never fails: what is wrong shows in [`fault`](Self::fault) and [`peek`](Self::peek), and comes out of
    /// [`finish`](Self::finish). Linear in the piece; behind a fault of the text and over the limit it only counts.
    pub fn feed(&mut self, piece: &[u8]) {
        let base = self.len;
        self.len = base.saturating_add(piece.len());
        if self.fault.is_some() || self.is_too_long() {
            return;
        }
        self.print.push(piece);
        if let Err(error) = self.walk.feed(piece, base, &mut self.found) {
            self.fault = Some(error);
        }
    }

    /// How many bytes have come.
    #[must_use]
    pub const fn bytes_seen(&self) -> usize {
        self.len
    }

    /// What has been seen so far. Provisional: nothing of it is checked before [`finish`](Self::finish) has said so.
    #[must_use]
    pub const fn peek(&self) -> Peek<'_> {
        Peek::of(self)
    }

    /// The fault that has ended the scan, if one has: of the text, too many containers, or too many bytes.
    ///
    /// Whoever has it need not wait for the rest of the body. Further pieces change one thing about it: if they make the body
    /// too long, [`finish`](Self::finish) says that, as of a body that is too long nothing else is said.
    ///
    /// ```
    /// use rpcslice::pieces::PieceScan;
    ///
    /// let mut scan = PieceScan::default();
    /// scan.feed(b"<html>");
    /// assert_eq!(scan.fault().unwrap().to_string(), "no valid JSON: expected a JSON value (-32700, byte 0)");
    /// ```
    #[must_use]
    pub fn fault(&self) -> Option<Error> {
        if self.is_too_long() {
            let limit = self.max_bytes;
            return Some(Error::of_frame(ErrorKind::FrameTooLong, limit, limit));
        }
        let found = &self.found;
        let error = self.fault?;
        Some(found.judge.refuse_text(found.envelope(), error))
    }

    const fn is_too_long(&self) -> bool {
        self.len > self.max_bytes
    }

    pub(super) const fn found(&self) -> &Found {
        &self.found
    }

    pub(super) fn is_over(&self) -> bool {
        self.walk.is_over()
    }

    /// The body has ended.
    ///
    /// # Errors
    /// What [`Message::parse_with`](crate::Message::parse_with) would say of the whole body: the same value, with the same
    /// offsets. [`Error::id`] and the other methods that take a frame want the body as well.
    #[inline]
    pub fn finish(mut self) -> Result<Scanned, Error> {
        if let Some(error) = self.fault() {
            return Err(error);
        }
        let read = self.walk.finish(self.len, &mut self.found);
        self.found.verdict(read)?;
        Ok(Scanned::new(self.len, self.print.finish(), &self.found))
    }
}

/// The default [`Limits`] and [`Policy::strict`].
impl Default for PieceScan {
    #[inline]
    fn default() -> Self {
        Self::new(Limits::new(), Policy::strict())
    }
}

/// The bytes that have come; never payload.
impl fmt::Debug for PieceScan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PieceScan")
            .field("bytes_seen", &self.len)
            .field("fault", &self.fault())
            .finish_non_exhaustive()
    }
}
