use super::line::{Line, LineDecoder};
use crate::limits::Limits;
use crate::message::Policy;
use std::boxed::Box;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::vec;

/// Lines from anything that can be read, blocking.
///
/// Reads 64 KiB at a time; lines are borrowed from what was read, under the rules of [`LineDecoder`]. An error of the
/// reader loses nothing: call again (`Interrupted` is retried here).
///
/// ```
/// use rpcslice::{Message, frame::LineReader};
///
/// let mut lines = LineReader::new(&b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"[..]);
/// while let Some(line) = lines.next()? {
///     let msg = Message::parse(line.body?)?;
///     assert_eq!(msg.method().unwrap(), "ping");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LineReader<R> {
    reader: R,
    decoder: LineDecoder,
    chunk: Box<[u8]>,
    /// What of `chunk` has been read and not given out: `at <= end <= chunk.len()`.
    at: usize,
    end: usize,
    is_at_end: bool,
}

impl<R: Read> LineReader<R> {
    /// With the default [`Limits`] and [`Policy::strict`].
    pub fn new(reader: R) -> Self {
        Self::with(reader, Limits::new(), Policy::strict())
    }

    /// With other limits, or another policy.
    pub fn with(reader: R, limits: Limits, policy: Policy) -> Self {
        Self {
            reader,
            decoder: LineDecoder::new(limits, policy),
            chunk: vec![0; 64 << 10].into_boxed_slice(),
            at: 0,
            end: 0,
            is_at_end: false,
        }
    }

    /// The limits in force: those that messages out of these lines should be parsed with.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.decoder.limits()
    }

    /// The policy in force.
    #[must_use]
    pub const fn policy(&self) -> Policy {
        self.decoder.policy()
    }

    /// The next line, or `None` at the end of the input, after which nothing is read any more.
    ///
    /// # Errors
    /// Those of the reader.
    #[allow(clippy::should_implement_trait)] // it lends
    pub fn next(&mut self) -> io::Result<Option<Line<&[u8]>>> {
        let found = loop {
            let chunk = self.chunk.get(..self.end).unwrap_or(&[]);
            if let Some(found) = self.decoder.find(chunk, &mut self.at) {
                break Some(found);
            }
            if self.is_at_end {
                break self.decoder.find_last();
            }
            self.fill()?;
        };
        Ok(self.decoder.lend(found, &self.chunk))
    }

    /// The reader.
    pub const fn get_ref(&self) -> &R {
        &self.reader
    }

    /// The reader back; what was read ahead is lost.
    pub fn into_inner(self) -> R {
        self.reader
    }

    /// Blank lines that were skipped so far.
    #[must_use]
    pub const fn blanks(&self) -> u64 {
        self.decoder.blanks()
    }

    /// Reads the next chunk; everything of the last one has been given out or is carried by the decoder.
    fn fill(&mut self) -> io::Result<()> {
        (self.at, self.end) = (0, 0);
        let read = loop {
            match self.reader.read(&mut self.chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.is_at_end = read == 0;
        self.end = read.min(self.chunk.len());
        Ok(())
    }
}

/// Where the decoder stands; never payload.
impl<R> fmt::Debug for LineReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineReader")
            .field("decoder", &self.decoder)
            .field("unread", &(self.end - self.at))
            .finish_non_exhaustive()
    }
}
