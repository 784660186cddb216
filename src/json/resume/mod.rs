//! Tokens that come in pieces: a string, a number or a literal whose end is in a later piece than its beginning.
//!
//! A token that stands whole in a piece is found by the functions for whole texts. What is here is for the others: each
//! part keeps, in a few bytes, what has to be known of the token so far, and finds the same end and the same fault as
//! those functions do. Indices go two ways: `i` counts in the piece, faults count from the start of the text, in which the
//! piece begins at `base`.

mod literal;
mod number;
mod string;

pub(crate) use literal::LiteralPart;
pub(crate) use number::NumberPart;
pub(crate) use string::StringPart;

/// How far a token got in a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// It ends before this index of the piece.
    End(usize),
    /// The piece ended first: nothing of it is left.
    PieceEnd,
}
