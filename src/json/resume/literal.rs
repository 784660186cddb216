//! A literal that comes in pieces.

use super::Reached;
use crate::bounds::passed;
use crate::json::error::{SyntaxError, SyntaxErrorKind as Kind};
use crate::json::scan::literal_of;

/// `true`, `false` or `null`, as far as it has come.
#[derive(Clone, Copy)]
pub(crate) struct LiteralPart {
    literal: &'static [u8],
    /// So many of its bytes have come.
    len: u8,
}

impl LiteralPart {
    /// The literal that begins with this byte, if one does. Nothing of it has come yet.
    pub(crate) fn of(first: u8) -> Option<Self> {
        Some(Self {
            literal: literal_of(first)?,
            len: 0,
        })
    }

    /// The literal, whole.
    pub(crate) const fn text(&self) -> &'static [u8] {
        self.literal
    }

    /// Goes on at `i`.
    pub(crate) fn feed(
        &mut self,
        piece: &[u8],
        i: usize,
        base: usize,
    ) -> Result<Reached, SyntaxError> {
        for (i, &b) in piece.iter().enumerate().skip(i) {
            match self.literal.get(usize::from(self.len)) {
                None => return Ok(Reached::End(i)),
                Some(&want) if want == b => self.len += 1,
                Some(_) => return Err(SyntaxError::new(Kind::InvalidLiteral, base + i)),
            }
            passed(1);
        }
        match usize::from(self.len) == self.literal.len() {
            true => Ok(Reached::End(piece.len())),
            false => Ok(Reached::PieceEnd),
        }
    }
}
