use super::{Message, Policy};
use crate::error::{Error, ErrorKind, Shape, Span};
use crate::json::scan::Scanner;
use crate::limits::Limits;
use core::fmt;
use smallvec::SmallVec;

/// An array of messages, each good or bad on its own (JSON-RPC 2.0 section 6). Revision 2025-03-26 alone has them.
///
/// Up to four messages are kept in place, and the places of sixteen; more go to the heap, as many as [`Limits::max_batch_len`] allows. The elements'
/// errors count bytes from the start of the whole frame.
///
/// ```
/// use rpcslice::{Batch, Limits, Policy};
///
/// let frame = br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}, 7]"#;
/// let batch = Batch::parse_with(frame, &Limits::new(), &Policy::strict())?;
/// assert!(batch.get(0).unwrap().is_ok());
/// let error = batch.get(1).unwrap().unwrap_err();
/// assert_eq!((error.code(), error.offset()), (-32600, 43));
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone)]
pub struct Batch<'a> {
    frame: &'a [u8],
    items: SmallVec<[Result<Message<'a>, Error>; 4]>,
}

impl<'a> Batch<'a> {
    /// Reads an array. The text is checked as a whole, then each element as a message: two passes.
    ///
    /// # Errors
    /// One for all: a fault of the JSON text, no array, no element ([`ErrorKind::BatchEmpty`]), more elements than
    /// allowed, the frame too long, more than [`Limits::HIGHEST_MAX_DEPTH`] levels. An element over the limit for nesting
    /// spoils itself alone.
    pub fn parse_with(frame: &'a [u8], limits: &Limits, policy: &Policy) -> Result<Self, Error> {
        if frame.len() > limits.max_frame_bytes() {
            let limit = limits.max_frame_bytes();
            return Err(Error::of_frame(ErrorKind::FrameTooLong, limit, limit));
        }
        // As a whole first: a fault anywhere in the text is one for all (JSON-RPC 2.0 section 6). Too deep is none.
        let depth = match limits.max_depth() {
            1 => 1, // no element could be an object
            _ => Limits::HIGHEST_MAX_DEPTH,
        };
        let mut scanner: Scanner<'_> = Scanner::new(frame, depth).map_err(Error::syntax)?;
        let first = scanner.token();
        let start = scanner.at();
        let mut spans: SmallVec<[Span; 16]> = SmallVec::new();
        let mut too_long = None;
        if first == b'[' {
            scanner.enter().map_err(Error::syntax)?;
            let mut is_first = true;
            while scanner.next_element(is_first).map_err(Error::syntax)? {
                let start = scanner.at();
                scanner.value().map_err(Error::syntax)?;
                match spans.len() < limits.max_batch_len() {
                    true => spans.push(Span::new(start, scanner.at())),
                    false => too_long = too_long.or(Some(start)),
                }
                is_first = false;
            }
        } else {
            scanner.value().map_err(Error::syntax)?;
        }
        let end = scanner.at();
        scanner.finish().map_err(Error::syntax)?;
        if first != b'[' {
            return Err(Error::of_frame(ErrorKind::NotObject, start, end));
        }
        if let Some(start) = too_long {
            return Err(Error::of_frame(ErrorKind::BatchTooLong, start, end));
        }
        // The array is one of the containers.
        let limits = limits.with_max_depth(limits.max_depth() - 1);
        let items: SmallVec<_> = spans
            .into_iter()
            .map(|span| {
                let element = frame.get(span.range()).unwrap_or(&[]);
                let item = Message::parse_with(element, &limits, policy);
                item.map_err(|error| in_batch(error, span.start as usize))
            })
            .collect();
        match items.is_empty() {
            true => Err(Error::of_frame(ErrorKind::BatchEmpty, start, end)),
            false => Ok(Self { frame, items }),
        }
    }

    /// The whole frame.
    #[must_use]
    pub const fn frame(&self) -> &'a [u8] {
        self.frame
    }

    /// How many elements there are: at least one.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // it never is
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// The element at an index, from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Result<Message<'a>, Error>> {
        self.items.get(index).copied()
    }

    /// The elements in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Result<Message<'a>, Error>> + '_ {
        self.items.iter().copied()
    }

    /// Refuses each good element for which there is an error.
    pub(crate) fn refuse(&mut self, check: impl Fn(&Message<'a>) -> Result<(), Error>) {
        for item in &mut self.items {
            if let Ok(message) = item {
                let start = message.frame().as_ptr() as usize - self.frame.as_ptr() as usize;
                if let Err(error) = check(message) {
                    *item = Err(in_batch(error, start));
                }
            }
        }
    }
}

/// The error of an element that begins at `start`, seen from the whole frame. An element that is an array is no batch.
fn in_batch(error: Error, start: usize) -> Error {
    let kind = match error.kind {
        ErrorKind::Batch if error.shape == Shape::Unknown => ErrorKind::NotObject,
        kind => kind,
    };
    let moved = |span: Span| match span.is_none() {
        true => span,
        false => span.moved(start),
    };
    Error {
        kind,
        fault: error.fault.moved(start),
        id: moved(error.id),
        method: moved(error.method),
        ..error
    }
}

/// How many, and how many of them good; never payload.
impl fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let good = self.items.iter().filter(|item| item.is_ok()).count();
        write!(f, "Batch({} elements, {good} good)", self.len())
    }
}
