use super::fingerprint::Fingerprint;
use super::found::Found;
use super::kept::Buffer;
use super::{KEPT_BYTES, Kept};
use crate::json::JsonStr;
use crate::message::envelope::{Envelope, Kind};
use crate::message::id::Id;
use crate::message::{Message, id};
use crate::vocab::Member;
use core::fmt;
use core::ops::Range;

/// A message that came in pieces and was found in order: what it is and where everything stands, without the bytes.
///
/// About 1 KiB, whatever the message: with copies of its method, its id and its name, of up to
/// [`KEPT_BYTES`] bytes each. Whoever has the body gets the whole [`message`](Self::message).
///
/// ```
/// use rpcslice::pieces::{Kept, PieceScan};
/// use rpcslice::{Kind, Member};
///
/// let mut scan = PieceScan::default();
/// scan.feed(br#"{"jsonrpc":"2.0","method":"x","params":{"uri":"file:"#);
/// scan.feed(br#"///a"}}"#);
/// let scanned = scan.finish()?;
/// assert_eq!(scanned.kind(), Kind::Notification);
/// assert_eq!(scanned.method().whole().unwrap(), "x");
/// assert_eq!(scanned.name(), Kept::Absent);
/// assert_eq!(scanned.span(Member::Uri), Some(46..57)); // with the quotes
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone)]
pub struct Scanned {
    envelope: Envelope,
    len: usize,
    print: u64,
    method: Buffer<KEPT_BYTES>,
    id: Buffer<KEPT_BYTES>,
    name: Buffer<KEPT_BYTES>,
}

impl Scanned {
    /// What was found of a body that is in order, of so many bytes with this hash.
    #[inline]
    pub(super) const fn new(len: usize, print: u64, found: &Found) -> Self {
        Self {
            envelope: *found.envelope(),
            len,
            print,
            method: found.method,
            id: found.id,
            name: found.name,
        }
    }

    /// What the message is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.envelope.kind
    }

    /// The method of a request or notification: its token, which compares after unescaping.
    #[must_use]
    pub fn method(&self) -> Kept<JsonStr<'_>> {
        self.copy(Member::Method, &self.method)
            .map(JsonStr::from_checked)
    }

    /// The id. Absent where [`Message::id`] has none: from a notification, and from an error response whose id is absent
    /// or `null` (JSON-RPC 2.0 section 5).
    #[must_use]
    pub fn id(&self) -> Kept<Id<'_>> {
        self.copy(Member::Id, &self.id).map(Id::from_checked)
    }

    /// `params.name` of a request or notification, if it is a string: what `tools/call` and `prompts/get` are routed by.
    #[must_use]
    pub fn name(&self) -> Kept<JsonStr<'_>> {
        self.copy(Member::Name, &self.name)
            .map(JsonStr::from_checked)
    }

    fn copy<'s>(&self, member: Member, buffer: &'s Buffer<KEPT_BYTES>) -> Kept<&'s str> {
        match self.envelope.span(member).is_none() {
            true => Kept::Absent,
            false => buffer.token(),
        }
    }

    /// Where in the body the value of a member stands, with the quotes of a string, whatever type it has. `None` if it isn't
    /// there, means nothing in a message of this kind, or is one whose place is not kept: those are the members that
    /// [`Message::member`] has no value of.
    #[must_use]
    pub fn span(&self, member: Member) -> Option<Range<usize>> {
        let span = self.envelope.span(member);
        (!span.is_none()).then(|| span.range())
    }

    /// How many bytes the body has.
    #[must_use]
    pub const fn body_len(&self) -> usize {
        self.len
    }

    /// Lends the message over the body that was scanned. `None` if these are other bytes.
    ///
    /// `body` is what was fed, in one piece. It is not scanned again, but not trusted either: its length and a hash of its
    /// bytes have to be those of what was scanned, and it has to be UTF-8. That is two fast passes over it, and no
    /// allocation: half of what [`Message::parse`] takes or less for most JSON in ASCII. Of text that is mostly other
    /// characters, or escapes, or one long string, vectors parse faster than this lends: there, parsing again is the better
    /// way.
    ///
    /// The hash has 64 bits and no key. It finds what was mistaken for the body or changed on the way; it does not stop
    /// whoever may choose both what is scanned and what is handed in here. Even then nothing worse can happen than that
    /// values are malformed: what is lent out is UTF-8 and within `body`, and walks over it end early.
    ///
    /// ```
    /// use rpcslice::pieces::PieceScan;
    ///
    /// let body = br#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    /// let mut scan = PieceScan::default();
    /// scan.feed(body);
    /// let scanned = scan.finish()?;
    /// assert_eq!(scanned.message(body).unwrap().result().unwrap().raw(), "{}");
    /// assert!(scanned.message(br#"{"jsonrpc":"2.0","id":2,"result":{}}"#).is_none());
    /// # Ok::<(), rpcslice::Error>(())
    /// ```
    #[must_use]
    pub fn message<'a>(&self, body: &'a [u8]) -> Option<Message<'a>> {
        let is_same = body.len() == self.len && Fingerprint::of(body) == self.print;
        is_same.then(|| self.lend(body))?
    }

    /// The message over these bytes, whatever they are.
    pub(super) fn lend<'a>(&self, body: &'a [u8]) -> Option<Message<'a>> {
        Some(Message {
            frame: core::str::from_utf8(body).ok()?,
            envelope: self.envelope,
        })
    }
}

/// Kind, method, id and length; never payload.
impl fmt::Display for Scanned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind().as_str())?;
        if let Kept::Whole(method) = self.method() {
            f.write_str(" ")?;
            id::write_short(f, method.raw())?;
        }
        if let Kept::Whole(id) = self.id() {
            write!(f, ", id {id}")?;
        }
        write!(f, ", {} bytes", self.len)
    }
}

/// Kind, method, id and length; never payload.
impl fmt::Debug for Scanned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scanned({self})")
    }
}
