//! The types of members, which is all that most rules ask for, in few bits.

/// What a value is, as far as the rules ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Type {
    Absent,
    Null,
    Bool,
    /// A number written as an integer.
    Integer,
    /// Any other number.
    Number,
    /// A string of Unicode text.
    String,
    /// A string with half a surrogate pair.
    NoText,
    Array,
    Object,
}

impl Type {
    const ALL: [Self; 9] = [
        Self::Absent,
        Self::Null,
        Self::Bool,
        Self::Integer,
        Self::Number,
        Self::String,
        Self::NoText,
        Self::Array,
        Self::Object,
    ];

    /// One bit for each type.
    pub(crate) const fn bit(self) -> u16 {
        1 << self as u16
    }

    /// By the first byte of a value that is neither string nor number.
    #[inline(always)]
    pub(super) const fn of(first: u8) -> Self {
        match first {
            b'{' => Self::Object,
            b'[' => Self::Array,
            b'n' => Self::Null,
            _ => Self::Bool,
        }
    }
}

/// The types of the members of `params`, `result` or `error`: four bits each, by their number in their level.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(Debug))]
pub(super) struct Types([u64; 2]);

impl Types {
    pub(super) const NONE: Self = Self([0; 2]);

    /// What was there before has to be cleared.
    #[inline(always)]
    pub(super) fn set(&mut self, place: u8, value: Type) {
        if let Some(word) = self.0.get_mut(usize::from(place / 16)) {
            *word |= (value as u64) << (place % 16 * 4);
        }
    }

    pub(super) fn clear(&mut self, place: u8) {
        if let Some(word) = self.0.get_mut(usize::from(place / 16)) {
            *word &= !(0xF << (place % 16 * 4));
        }
    }

    #[inline(always)]
    pub(super) fn get(self, number: usize) -> Type {
        let word = self.0.get(number / 16).copied().unwrap_or(0);
        let value = word >> (number % 16 * 4) & 0xF;
        Type::ALL
            .get(value as usize)
            .copied()
            .unwrap_or(Type::Absent)
    }
}
