//! Copies of tokens, of a bounded length.

/// A value of which a copy was made, if it isn't too long: at most [`KEPT_BYTES`](super::KEPT_BYTES) bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept<T> {
    /// It isn't there, or isn't what it has to be.
    Absent,
    /// All of it.
    Whole(T),
    /// It is there, and longer than what is copied.
    TooLong,
}

impl<T> Kept<T> {
    /// The value, if it is there and was copied.
    #[must_use]
    pub fn whole(self) -> Option<T> {
        match self {
            Self::Whole(value) => Some(value),
            Self::Absent | Self::TooLong => None,
        }
    }

    /// Whether it is there, copied or not.
    #[must_use]
    pub const fn is_there(&self) -> bool {
        !matches!(self, Self::Absent)
    }

    pub(super) fn map<U>(self, of: impl FnOnce(T) -> U) -> Kept<U> {
        match self {
            Self::Absent => Kept::Absent,
            Self::Whole(value) => Kept::Whole(of(value)),
            Self::TooLong => Kept::TooLong,
        }
    }
}

/// A token of at most `N` bytes, or the knowledge that there was a longer one.
#[derive(Clone, Copy)]
pub(super) struct Buffer<const N: usize> {
    bytes: [u8; N],
    /// How many there are; more than `N` where they are too many.
    len: u16,
}

impl<const N: usize> Buffer<N> {
    pub(super) const EMPTY: Self = Self {
        bytes: [0; N],
        len: 0,
    };

    const TOO_LONG: u16 = u16::MAX;

    pub(super) fn push(&mut self, piece: &[u8]) {
        let start = usize::from(self.len);
        let end = start.saturating_add(piece.len());
        match self.bytes.get_mut(start..end) {
            Some(room) => {
                room.copy_from_slice(piece);
                self.len = end as u16;
            }
            None => self.len = Self::TOO_LONG,
        }
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn set_too_long(&mut self) {
        self.len = Self::TOO_LONG;
    }

    /// The bytes, if they are not too many.
    pub(super) fn get(&self) -> Option<&[u8]> {
        self.bytes.get(..usize::from(self.len))
    }

    /// The token that they are: out of a checked text, so none of them is no UTF-8.
    pub(super) fn token(&self) -> Kept<&str> {
        match self.get() {
            Some([]) => Kept::Absent,
            Some(token) => core::str::from_utf8(token).map_or(Kept::Absent, Kept::Whole),
            None => Kept::TooLong,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_holds_so_many_and_not_one_more() {
        let mut buffer = Buffer::<4>::EMPTY;
        assert_eq!(buffer.token(), Kept::Absent);
        buffer.push(b"ab");
        buffer.push(b"");
        buffer.push(b"cd");
        assert_eq!(buffer.token(), Kept::Whole("abcd"));
        buffer.push(b"e");
        assert_eq!(buffer.token(), Kept::TooLong);
        buffer.push(b"");
        buffer.push(b"f");
        assert_eq!((buffer.token(), buffer.get()), (Kept::TooLong, None));
        buffer.clear();
        buffer.push(b"x");
        assert_eq!(buffer.token(), Kept::Whole("x"));
        buffer.push(&[b'y'; 70_000]);
        assert_eq!(buffer.token(), Kept::TooLong);
    }
}
