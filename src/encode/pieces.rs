use super::framing::Framing;
use super::script::Part;
use super::text::Copying;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use core::fmt;
use core::ops::Range;
use smallvec::SmallVec;

/// An edited message in pieces that share the bytes of the original: a [`Buf`] to be written as it is, vectored where the
/// writer can ([`Buf::chunks_vectored`]); or piece by piece. From [`Edit::pieces`](super::Edit::pieces).
///
/// `Send` and `'static`, so that it can wait in a queue. As long as it is kept, so is the original.
#[derive(Clone)]
pub struct Pieces {
    pieces: SmallVec<[Bytes; 8]>,
    /// All before are used up. The piece here, if there is one, is not empty.
    first: usize,
    /// The bytes that are left.
    remaining: usize,
}

/// Shorter stretches are copied: that costs less than to share them and to write one slice more.
const SHORTEST_SHARED: usize = 128;

/// A piece that is to be: of the scratch, or of the original.
enum Piece {
    Scratch(Range<usize>),
    Shared(Range<usize>),
}

/// Pieces that are being made.
pub(super) struct Building<'s> {
    scratch: &'s mut BytesMut,
    frame: &'s str,
    shared: Option<&'s Bytes>,
    framing: Framing<'s>,
    plan: SmallVec<[Piece; 8]>,
    /// Everything in the scratch before is in the plan.
    planned: usize,
}

impl<'s> Building<'s> {
    /// `shared` are the bytes of the frame, if the message owns them.
    pub(super) fn new(
        scratch: &'s mut BytesMut,
        (frame, shared): (&'s str, Option<&'s Bytes>),
        framing: Framing<'s>,
    ) -> Self {
        scratch.clear();
        framing.begin(scratch);
        Self {
            scratch,
            frame,
            shared,
            framing,
            plan: SmallVec::new(),
            planned: 0,
        }
    }

    pub(super) fn add(&mut self, part: &Part<'_>, copying: Copying) {
        match part {
            Part::Kept(range) if is_shared(self.frame, range, self.shared, copying) => {
                self.plan_scratch();
                self.plan.push(Piece::Shared(range.clone()));
            }
            part => part.put(self.frame, copying, |piece| {
                self.scratch.put_slice(piece.as_bytes());
            }),
        }
    }

    fn plan_scratch(&mut self) {
        let end = self.scratch.len();
        if end > self.planned {
            self.plan.push(Piece::Scratch(self.planned..end));
            self.planned = end;
        }
    }

    pub(super) fn finish(mut self) -> Pieces {
        self.framing.end(self.scratch);
        self.plan_scratch();
        let scratch = self.scratch.split().freeze();
        let pieces = self.plan.into_iter().map(|piece| match piece {
            Piece::Scratch(range) => scratch.slice(range),
            Piece::Shared(range) => self
                .shared
                .map_or_else(Bytes::new, |bytes| bytes.slice(range)),
        });
        let pieces: SmallVec<[Bytes; 8]> = pieces.collect();
        Pieces {
            remaining: pieces.iter().map(Bytes::len).sum(),
            pieces,
            first: 0,
        }
    }
}

impl Pieces {
    /// What is left of it, piece by piece. None is empty.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Bytes> {
        self.pieces.get(self.first..).unwrap_or(&[]).iter()
    }
}

#[cfg(feature = "std")]
impl Pieces {
    /// Writes all of it, in as few calls as the writer makes of it: vectored, where it can. Interrupted ones are repeated.
    ///
    /// # Errors
    /// The writer's; what it has taken by then is used up. [`WriteZero`](std::io::ErrorKind::WriteZero) if it takes nothing.
    pub fn write_to(&mut self, writer: &mut impl std::io::Write) -> std::io::Result<()> {
        use std::io::{ErrorKind, IoSlice};
        const SLICES: usize = 16;
        while self.has_remaining() {
            let mut slices = [IoSlice::new(&[]); SLICES];
            let count = self.chunks_vectored(&mut slices);
            match writer.write_vectored(slices.get(..count).unwrap_or(&[])) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(taken) => self.advance(taken),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn is_shared(frame: &str, range: &Range<usize>, shared: Option<&Bytes>, copying: Copying) -> bool {
    let text = frame.get(range.clone()).unwrap_or("");
    shared.is_some() && text.len() >= SHORTEST_SHARED && !copying.changes(text)
}

impl Buf for Pieces {
    fn remaining(&self) -> usize {
        self.remaining
    }

    fn chunk(&self) -> &[u8] {
        self.iter().next().map_or(&[], |piece| piece)
    }

    fn advance(&mut self, mut count: usize) {
        assert!(
            count <= self.remaining,
            "advanced beyond the end of the pieces"
        );
        self.remaining -= count;
        while let Some(piece) = self.pieces.get_mut(self.first) {
            let taken = count.min(piece.len());
            piece.advance(taken);
            count -= taken;
            if !piece.is_empty() {
                break;
            }
            self.first += 1;
        }
    }

    #[cfg(feature = "std")]
    fn chunks_vectored<'a>(&'a self, slices: &mut [std::io::IoSlice<'a>]) -> usize {
        let mut count = 0;
        for (slice, piece) in slices.iter_mut().zip(self.iter()) {
            *slice = std::io::IoSlice::new(piece);
            count += 1;
        }
        count
    }
}

/// How many pieces, and how many bytes.
impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pieces, bytes) = (self.iter().len(), self.remaining());
        write!(f, "Pieces({pieces}, {bytes} bytes)")
    }
}
