//! A stream that delivers its bytes in chunks, as `Read` and as `AsyncRead`.

use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, ReadBuf};

/// Always ready, never more than a chunk at once.
pub struct Source {
    left: Bytes,
    chunk: usize,
}

impl Source {
    pub fn new(stream: &Bytes, chunk: usize) -> Self {
        Self {
            left: stream.clone(),
            chunk,
        }
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.left.len().min(buffer.len()).min(self.chunk);
        self.left.copy_to_slice(&mut buffer[..count]);
        Ok(count)
    }
}

impl AsyncRead for Source {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let count = self.left.len().min(buffer.remaining()).min(self.chunk);
        buffer.put_slice(&self.left[..count]);
        self.left.advance(count);
        Poll::Ready(Ok(()))
    }
}
