use super::line::{Line, LineDecoder};
use core::fmt;

/// The lines of one chunk, lent out one after the other; see [`LineDecoder::feed`].
///
/// It is no `Iterator`: a line that straddles two chunks is borrowed from the decoder, and only until the next call.
/// Dropped early, it leaves what it has not given out to the decoder, which copies it.
pub struct Feed<'d, 'c> {
    decoder: &'d mut LineDecoder,
    chunk: &'c [u8],
    /// Everything before it has been given out or is carried by the decoder.
    at: usize,
}

impl<'d, 'c> Feed<'d, 'c> {
    #[inline]
    pub(super) fn new(decoder: &'d mut LineDecoder, chunk: &'c [u8]) -> Self {
        Self {
            decoder,
            chunk,
            at: 0,
        }
    }

    /// The next line that ends in this chunk. `None`: feed the next chunk.
    #[inline]
    #[must_use = "the line has been taken off the chunk"]
    #[allow(clippy::should_implement_trait)] // it lends
    pub fn next(&mut self) -> Option<Line<&[u8]>> {
        let found = self.decoder.find(self.chunk, &mut self.at);
        self.decoder.lend(found, self.chunk)
    }
}

impl Drop for Feed<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(rest @ [_, ..]) = self.chunk.get(self.at..) {
            self.decoder.keep(rest);
        }
    }
}

/// How much is left; never payload.
impl fmt::Debug for Feed<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Feed({} bytes left)", self.chunk.len() - self.at)
    }
}
