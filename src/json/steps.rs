//! The steps through a text, and the names met on the way.

use super::string::StringEnd;
use super::text::JsonStr;
use super::word::{word_of, word_or_zeros};

/// The steps through a text, for who wants to know what stands in it. Two go them: [`Scanner`](super::scan::Scanner), which knows every fault and
/// its place, and [`TokenScanner`](super::tokens::TokenScanner), which is faster and knows no more than that there is one.
///
/// What a step gives holds if `finish` has said so in the end.
pub(crate) trait Scan<'a> {
    type Fault;
    /// Whether anybody asks what was met before a fault.
    const IS_EXACT: bool;

    /// The same scanner. Compilers keep in registers what is made where it is used, and not what was handed in.
    fn in_registers(self) -> Self;

    /// Where the token begins that stands here.
    fn start(&self) -> usize;

    /// The index behind the last byte of the value that has just been gone over.
    fn end(&self) -> usize;

    /// The first byte of the token that stands here, or 0 at the end.
    fn peek(&self) -> u8;

    /// Enters the object or array whose bracket stands here, and goes to the token after the bracket.
    fn enter(&mut self) -> Result<(), Self::Fault>;

    /// Behind [`enter`](Self::enter) at a brace: whether a member follows; otherwise the object is left.
    fn has_member(&mut self) -> Result<bool, Self::Fault>;

    /// Behind a member's value: whether another member follows; otherwise the object is left.
    fn has_next_member(&mut self) -> Result<bool, Self::Fault>;

    /// The name that stands here, and its colon; goes to the first byte of the value.
    fn name(&mut self) -> Result<Name<'a>, Self::Fault>;

    /// Goes over the member that stands here, if it is these very bytes: a name, a colon, and a value of one token. No more
    /// than sixteen of them.
    fn passes(&mut self, member: &[u8; 15]) -> bool;

    /// Whether there may be an escape in the name that has just been gone over.
    fn may_be_escaped(&self, name: &Name<'a>) -> bool;

    /// Checks the value that begins here, whatever it is, and goes behind it.
    fn value(&mut self) -> Result<(), Self::Fault>;

    /// Checks the string that begins here, and goes behind it.
    fn string(&mut self) -> Result<StringEnd, Self::Fault>;

    /// Checks the number that begins here, and goes behind it. Whether it is an integer to the letter.
    fn number(&mut self) -> Result<bool, Self::Fault>;

    /// Checks that nothing but white space follows. What comes back is the whole text.
    fn finish(&mut self) -> Result<&'a str, Self::Fault>;
}

/// A member name of the text.
#[derive(Clone, Copy)]
pub(crate) struct Name<'a> {
    pub(crate) text: &'a [u8],
    /// The index of the opening quote.
    pub(crate) at: usize,
    /// The index behind the closing quote.
    pub(crate) end: usize,
    /// The first eight bytes between the quotes as a little-endian word, zeros where there are fewer.
    pub(crate) first_word: u64,
    /// The last eight; where there are fewer, the same as the first.
    pub(crate) last_word: u64,
}

impl<'a> Name<'a> {
    /// The string token from `at` to `end`.
    #[inline(always)]
    pub(crate) fn new(text: &'a [u8], at: usize, end: usize) -> Self {
        let len = end.wrapping_sub(at + 2);
        // Without a branch on the length. An empty name gets all eight bytes; it is none that anybody looks for.
        let few = len.min(8);
        let mask = u64::MAX.wrapping_shr(64 - 8 * few as u32);
        let first_word = word_or_zeros(text, at + 1) & mask;
        let last_word = word_or_zeros(text, at + 1 + (len - few)) & mask;
        Self {
            text,
            at,
            end,
            first_word,
            last_word,
        }
    }

    /// The string token, with its quotes.
    #[inline(always)]
    pub(crate) fn raw(&self) -> &'a [u8] {
        self.text.get(self.at..self.end).unwrap_or(&[])
    }

    /// How many bytes the token has, with its quotes.
    #[inline(always)]
    pub(crate) fn raw_len(&self) -> usize {
        self.end.wrapping_sub(self.at)
    }

    /// Whether it is this name, of at most eight bytes, written without an escape.
    #[inline(always)]
    pub(crate) fn is(&self, name: &str) -> bool {
        self.raw_len() == name.len() + 2 && self.first_word == word_of(name.as_bytes())
    }

    /// Whether it is this name, compared after unescaping.
    #[cold]
    pub(crate) fn unescapes_to(&self, name: &str) -> bool {
        // Six bytes stand for one at the most.
        self.raw_len() <= 2 + 6 * name.len()
            && core::str::from_utf8(self.raw())
                .is_ok_and(|raw| raw.len() >= 2 && JsonStr::from_checked(raw) == name)
    }
}
