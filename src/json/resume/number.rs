//! A number that comes in pieces.

use super::Reached;
use crate::bounds::passed;
use crate::json::error::{SyntaxError, SyntaxErrorKind as Kind};

/// A number as far as it has come: what its last character was (RFC 8259 section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberPart {
    /// Nothing yet.
    Start,
    Minus,
    /// A zero in front, behind which no digit may stand.
    Zero,
    Whole,
    Point,
    Fraction,
    E,
    /// The sign of the exponent.
    Sign,
    Exponent,
}

impl NumberPart {
    /// What a further character makes of it, if the number goes on with it.
    const fn next(self, b: u8) -> Option<Self> {
        match (self, b) {
            (Self::Start, b'-') => Some(Self::Minus),
            (Self::Start | Self::Minus, b'0') => Some(Self::Zero),
            (Self::Start | Self::Minus | Self::Whole, b'0'..=b'9') => Some(Self::Whole),
            (Self::Zero | Self::Whole, b'.') => Some(Self::Point),
            (Self::Point | Self::Fraction, b'0'..=b'9') => Some(Self::Fraction),
            (Self::Zero | Self::Whole | Self::Fraction, b'e' | b'E') => Some(Self::E),
            (Self::E, b'+' | b'-') => Some(Self::Sign),
            (Self::E | Self::Sign | Self::Exponent, b'0'..=b'9') => Some(Self::Exponent),
            _ => None,
        }
    }

    /// Whether it may end here.
    pub(crate) const fn is_whole(self) -> bool {
        matches!(
            self,
            Self::Zero | Self::Whole | Self::Fraction | Self::Exponent
        )
    }

    /// Whether it is, ending here, an integer to the letter: no fraction, no exponent.
    pub(crate) const fn is_integer(self) -> bool {
        matches!(self, Self::Zero | Self::Whole)
    }

    /// Goes on at `i`.
    pub(crate) fn feed(
        &mut self,
        piece: &[u8],
        i: usize,
        base: usize,
    ) -> Result<Reached, SyntaxError> {
        for (i, &b) in piece.iter().enumerate().skip(i) {
            if let Some(next) = self.next(b) {
                passed(1);
                *self = next;
                continue;
            }
            let is_good = self.is_whole() && !(*self == Self::Zero && b.is_ascii_digit());
            return match is_good {
                true => Ok(Reached::End(i)),
                false => Err(SyntaxError::new(Kind::InvalidNumber, base + i)),
            };
        }
        Ok(Reached::PieceEnd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::number::number_end;

    /// Behind the last digit, and whether it is an integer; or the fault.
    type Verdict = Result<(usize, bool), (Kind, usize)>;

    fn in_pieces(text: &[u8], size: usize) -> Verdict {
        let (mut part, mut base) = (NumberPart::Start, 0);
        for piece in text.chunks(size) {
            match part.feed(piece, 0, base) {
                Ok(Reached::End(end)) => return Ok((base + end, part.is_integer())),
                Ok(Reached::PieceEnd) => base += piece.len(),
                Err(error) => return Err((error.kind(), error.at())),
            }
        }
        match part.is_whole() {
            true => Ok((base, part.is_integer())),
            false => Err((Kind::UnexpectedEnd, base)),
        }
    }

    #[test]
    fn every_text_of_six_characters_is_read_as_whole() {
        let alphabet = *b"-+019.eE,";
        let mut texts: Vec<Vec<u8>> = alphabet.iter().map(|&b| vec![b]).collect();
        texts.retain(|text| text[0] == b'-' || text[0].is_ascii_digit());
        for _ in 1..6 {
            let longer = texts.iter().flat_map(|text| {
                alphabet.iter().map(move |&b| {
                    let mut text = text.clone();
                    text.push(b);
                    text
                })
            });
            texts = longer.collect();
            for text in &texts {
                let want = match number_end(text, 0) {
                    Ok(number) => Ok((number.end, number.is_integer)),
                    Err(error) => Err((error.kind(), error.at())),
                };
                for size in [1, 2, 99] {
                    assert_eq!(in_pieces(text, size), want, "{text:?} by {size}");
                }
            }
        }
    }
}
