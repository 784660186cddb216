use super::feed::Feed;
use super::oversize::Oversize;
use super::split::{Splitter, Step};
use crate::limits::Limits;
use crate::message::Policy;
use bytes::{Buf, Bytes, BytesMut};
use core::fmt;

/// One line of a stream of newline-delimited JSON (MCP `basic/transports/stdio`): what stands between two LF.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Line<B> {
    /// Where the line begins: bytes from the start of the stream (behind a byte order mark, if one was skipped).
    pub offset: u64,
    /// Whether an LF ended it. The last line of a stream may lack it, and may be cut off.
    pub terminated: bool,
    /// Blank lines skipped since the line before.
    pub blanks_before: u64,
    /// The bytes before the LF, a CR among them; or, of a line over the limit, nothing but its length.
    pub body: Result<B, Oversize>,
}

impl<B> Line<B> {
    fn with<C>(self, body: impl FnOnce(B) -> C) -> Line<C> {
        Line {
            offset: self.offset,
            terminated: self.terminated,
            blanks_before: self.blanks_before,
            body: self.body.map(body),
        }
    }
}

/// Offsets and lengths; never payload.
impl<B: AsRef<[u8]>> fmt::Debug for Line<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line")
            .field("offset", &self.offset)
            .field("terminated", &self.terminated)
            .field("blanks_before", &self.blanks_before)
            .field("len", &self.body.as_ref().map(|b| b.as_ref().len()))
            .finish()
    }
}

/// Cuts a byte stream into lines. Sans-io: it reads nothing itself.
///
/// * A line ends at LF alone. A CR before it is white space of JSON and stays in the line. U+2028 and its like, and
///   NUL, are ordinary bytes.
/// * A blank line (nothing but spaces, tabs, CR) is skipped and counted.
/// * One byte order mark is skipped at the start of the stream; with [`Policy::lenient`], at the start of each line.
/// * A line over [`Limits::max_frame_bytes`] becomes one [`Oversize`] once its end is known. Until then its bytes are
///   dropped as they come ([`discarding`](Self::discarding) tells how many); the next line is read as if nothing
///   had happened.
/// * The last line without LF comes from [`finish`](Self::finish), flagged.
///
/// Any split of the stream into chunks gives the same lines, and every byte is looked at once: the decoder remembers
/// how far it has come. It holds no more of a line than the limit, besides what a cursor that was dropped early left.
///
/// There are two ways in, for one stream one or the other: [`decode`](Self::decode) and [`finish`](Self::finish) with a
/// buffer of the caller's, or [`feed`](Self::feed) and [`end`](Self::end).
///
/// `None` means: no whole line yet, read more. It is never an error.
///
/// ```
/// use bytes::BytesMut;
/// use rpcslice::{Limits, MessageBuf, Policy, frame::LineDecoder};
///
/// let mut lines = LineDecoder::new(Limits::new(), Policy::strict());
/// let mut buf = BytesMut::new();
/// let mut methods = Vec::new();
/// for chunk in ["oops\n{\"jsonrpc\":\"2.0\",\"id\":1,", "\"method\":\"ping\"}\r\n\n{\"jso"] {
///     buf.extend_from_slice(chunk.as_bytes()); // in real life: read into it
///     while let Some(line) = lines.decode(&mut buf) {
///         match MessageBuf::parse(line.body.unwrap()) {
///             Ok(msg) => methods.push(msg.as_message().method().unwrap().raw().to_owned()),
///             Err(rejected) => assert_eq!((line.offset, rejected.error.code()), (0, -32700)),
///         }
///     }
/// }
/// assert_eq!(methods, ["\"ping\""]);
/// assert_eq!(lines.blanks(), 1);
/// let last = lines.finish(&mut buf).unwrap();
/// assert!(!last.terminated);
/// assert_eq!(last.body.unwrap(), "{\"jso");
/// ```
#[derive(Clone)]
pub struct LineDecoder {
    splitter: Splitter,
    limits: Limits,
    policy: Policy,
    /// For [`feed`](Self::feed): a line that straddles chunks, and what a cursor that was dropped early left.
    carry: BytesMut,
    /// How many bytes of `carry` were lent out last, and go next.
    lent: usize,
}

impl LineDecoder {
    /// A decoder at the start of a stream.
    #[must_use]
    pub fn new(limits: Limits, policy: Policy) -> Self {
        Self {
            splitter: Splitter::new(limits, policy),
            limits,
            policy,
            carry: BytesMut::new(),
            lent: 0,
        }
    }

    /// Cuts the next whole line off the front of `buf`, which holds what has been read and not been cut off yet.
    ///
    /// Append to `buf` and call again, until it gives `None`; don't take anything out of it. The line shares the memory
    /// of `buf`, without a copy, and keeps that whole buffer alive: so drop lines soon, or copy what is kept long.
    ///
    /// What was [fed](Self::feed) before and is part of a line still goes to the front of `buf`, by a copy.
    #[inline]
    #[must_use = "the line has been taken off the buffer"]
    pub fn decode(&mut self, buf: &mut BytesMut) -> Option<Line<Bytes>> {
        if !self.carry.is_empty() {
            self.join(buf);
        }
        loop {
            let held = self.splitter.held();
            if held > buf.len() {
                // The caller has taken the line's beginning away: what is left is looked at as a line of its own.
                self.splitter.restart();
                continue;
            }
            let fresh = buf.get(held..).unwrap_or(&[]);
            if fresh.is_empty() {
                return None;
            }
            match self.splitter.step(fresh) {
                Step::More => return None,
                Step::Skip(to) => buf.advance(held + to),
                Step::Line(to, line) => {
                    let body = buf.split_to(held + to);
                    buf.advance(1);
                    return Some(line.with(|()| body.freeze()));
                }
            }
        }
    }

    /// Puts what is carried in front of what the caller has.
    #[cold]
    fn join(&mut self, buf: &mut BytesMut) {
        self.carry.advance(core::mem::take(&mut self.lent));
        let mut joined = self.carry.split();
        joined.extend_from_slice(buf);
        *buf = joined;
    }

    /// At the end of the input: the lines that are left in `buf`, the last of them perhaps without LF. Call it until
    /// it gives `None`. The decoder then stands at the start of a line, and may go on with another part of the stream.
    #[must_use = "the line has been taken off the buffer"]
    pub fn finish(&mut self, buf: &mut BytesMut) -> Option<Line<Bytes>> {
        if let Some(line) = self.decode(buf) {
            return Some(line);
        }
        let line = self.splitter.finish();
        let body = buf.split();
        line.map(|line| line.with(|()| body.freeze()))
    }

    /// Lends out the lines of a chunk that the caller holds.
    ///
    /// Lines that lie whole in the chunk are borrowed from it. Only one that straddles two chunks is copied, into a
    /// buffer that is used again. Dropping the cursor early keeps the rest for the next call; who always does holds more
    /// and more.
    ///
    /// ```
    /// use rpcslice::{Limits, Policy, frame::LineDecoder};
    ///
    /// let mut lines = LineDecoder::new(Limits::new(), Policy::strict());
    /// let mut found = Vec::new();
    /// for chunk in ["1\n2\n3", "4\n", "5"] {
    ///     let mut cursor = lines.feed(chunk.as_bytes());
    ///     while let Some(line) = cursor.next() {
    ///         found.push(line.body.unwrap().to_vec());
    ///     }
    /// }
    /// while let Some(line) = lines.end() {
    ///     found.push(line.body.unwrap().to_vec());
    /// }
    /// assert_eq!(found, [&b"1"[..], b"2", b"34", b"5"]);
    /// ```
    #[inline]
    pub fn feed<'d, 'c>(&'d mut self, chunk: &'c [u8]) -> Feed<'d, 'c> {
        Feed::new(self, chunk)
    }

    /// At the end of the input that was [fed](Self::feed): the lines that are left, as [`finish`](Self::finish). What
    /// stands in a buffer that was given to [`decode`](Self::decode) only `finish` can give.
    #[must_use = "the line has been taken off the decoder"]
    pub fn end(&mut self) -> Option<Line<&[u8]>> {
        let found = self.find(&[], &mut 0).or_else(|| self.find_last());
        self.lend(found, &[])
    }

    /// The next line out of what is carried over and then of `chunk` from `at` on, which goes behind what is done with.
    #[inline]
    pub(super) fn find(&mut self, chunk: &[u8], at: &mut usize) -> Option<Found> {
        if !self.carry.is_empty()
            && let Some(found) = self.find_carried()
        {
            return Some(found);
        }
        while let Some(fresh @ [_, ..]) = chunk.get(*at..) {
            let start = *at;
            match self.splitter.step(fresh) {
                Step::More => {
                    self.carry.extend_from_slice(fresh);
                    *at = chunk.len();
                }
                Step::Skip(to) => {
                    self.carry.clear();
                    *at += to;
                }
                Step::Line(to, line) => {
                    *at += to + 1;
                    let end = start + to;
                    if self.carry.is_empty() {
                        return Some((Place::Chunk { start, end }, line));
                    }
                    if line.body.is_ok() {
                        self.keep(chunk.get(start..end).unwrap_or(&[]));
                    }
                    let len = self.carry.len();
                    return Some((Place::Carry { len, next: len }, line));
                }
            }
        }
        None
    }

    /// After the last chunk: the line without LF.
    pub(super) fn find_last(&mut self) -> Option<Found> {
        let len = self.carry.len();
        if self.splitter.held() > len {
            return None;
        }
        self.lent = len;
        let line = self.splitter.finish()?;
        Some((Place::Carry { len, next: len }, line))
    }

    /// The line that was found, out of the same chunk.
    #[inline]
    pub(super) fn lend<'a>(
        &'a mut self,
        found: Option<Found>,
        chunk: &'a [u8],
    ) -> Option<Line<&'a [u8]>> {
        let (place, line) = found?;
        let body = match place {
            Place::Chunk { start, end } => chunk.get(start..end),
            Place::Carry { len, next } => {
                self.lent = next;
                self.carry.get(..len)
            }
        };
        Some(line.with(|()| body.unwrap_or(&[])))
    }

    /// The next line out of what is carried over: there is one only after a cursor was dropped early.
    #[inline(never)]
    fn find_carried(&mut self) -> Option<Found> {
        self.carry.advance(core::mem::take(&mut self.lent));
        loop {
            let held = self.splitter.held().min(self.carry.len());
            let fresh = self.carry.get(held..).unwrap_or(&[]);
            if fresh.is_empty() {
                return None;
            }
            match self.splitter.step(fresh) {
                Step::More => return None,
                Step::Skip(to) => self.carry.advance(held + to),
                Step::Line(to, line) => {
                    let len = held + to;
                    return Some((Place::Carry { len, next: len + 1 }, line));
                }
            }
        }
    }

    /// The limits in force: those that messages out of these lines should be parsed with.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// The policy in force.
    #[must_use]
    pub const fn policy(&self) -> Policy {
        self.policy
    }

    /// Keeps a chunk's rest for the next call.
    pub(super) fn keep(&mut self, rest: &[u8]) {
        self.carry.extend_from_slice(rest);
    }

    /// Blank lines that were skipped so far.
    #[must_use]
    pub const fn blanks(&self) -> u64 {
        self.splitter.blanks()
    }

    /// Within a line over the limit: how many bytes of it have been dropped so far.
    #[must_use]
    pub const fn discarding(&self) -> Option<u64> {
        self.splitter.discarded()
    }
}

/// With the default [`Limits`] and [`Policy::strict`].
impl Default for LineDecoder {
    fn default() -> Self {
        Self::new(Limits::new(), Policy::strict())
    }
}

/// Where the decoder stands; never payload.
impl fmt::Debug for LineDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineDecoder")
            .field("splitter", &self.splitter)
            .field("carried", &self.carry.len())
            .finish()
    }
}

/// A line that was found, and where.
pub(super) type Found = (Place, Line<()>);

pub(super) enum Place {
    /// These bytes of the chunk.
    Chunk { start: usize, end: usize },
    /// The first `len` bytes carried; `next` are done with once the line is given back.
    Carry { len: usize, next: usize },
}

/// The lines of a whole stream that is in memory, borrowed from it; the last may lack its LF. The rules are those of
/// [`LineDecoder`].
///
/// ```
/// use rpcslice::{Message, frame::Lines};
///
/// let stream = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\nnoise\n";
/// let good = Lines::new(stream)
///     .filter_map(|line| Message::parse(line.body.ok()?).ok())
///     .count();
/// assert_eq!(good, 1);
/// ```
#[derive(Clone)]
pub struct Lines<'a> {
    splitter: Splitter,
    /// From the start of the line on.
    rest: &'a [u8],
}

impl<'a> Lines<'a> {
    /// With the default [`Limits`] and [`Policy::strict`].
    #[must_use]
    pub const fn new(stream: &'a [u8]) -> Self {
        Self::with(stream, Limits::new(), Policy::strict())
    }

    /// With other limits, or another policy.
    #[must_use]
    pub const fn with(stream: &'a [u8], limits: Limits, policy: Policy) -> Self {
        Self {
            splitter: Splitter::new(limits, policy),
            rest: stream,
        }
    }

    /// Blank lines that were skipped so far.
    #[must_use]
    pub const fn blanks(&self) -> u64 {
        self.splitter.blanks()
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<&'a [u8]>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            match self.splitter.step(self.rest) {
                // Everything that there is: the rest is the last line, unless it is blank.
                Step::More => break,
                Step::Skip(to) => self.rest = self.rest.get(to..).unwrap_or(&[]),
                Step::Line(to, line) => {
                    let body = self.rest.get(..to).unwrap_or(&[]);
                    self.rest = self.rest.get(to + 1..).unwrap_or(&[]);
                    return Some(line.with(|()| body));
                }
            }
        }
        let body = core::mem::take(&mut self.rest);
        let line = self.splitter.finish()?;
        Some(line.with(|()| body))
    }
}

impl core::iter::FusedIterator for Lines<'_> {}

/// How much is left; never payload.
impl fmt::Debug for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lines({} bytes left)", self.rest.len())
    }
}
