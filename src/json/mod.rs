//! RFC 8259, and nothing above it: the validating scanner, string tokens, and values known to be well-formed.
//!
//! | type | what |
//! |---|---|
//! | [`JsonStr`] | a string token that compares and decodes after unescaping |
//! | [`RawJson`] | a value whose bytes are known to be well-formed |
//!
//! Inside: `scan`, the exact scanner, which is driven by whoever wants to know what it walks over, and knows every fault and its
//! byte; `string`, `number` and `word`, eight bytes at a time. `tokens`, the fast way through long texts, which only knows that
//! a text is good, and leaves all others to the exact one; `trusted`, the way through what has been checked; `simd`, the instructions that both stand
//! on. `resume`: tokens that come in pieces.

#[cfg(feature = "http")]
pub(crate) mod descent;
mod error;
mod escape;
pub(crate) mod number;
#[cfg(test)]
mod random;
mod raw;
pub(crate) mod resume;
pub(crate) mod scan;
pub(crate) mod simd;
pub(crate) mod space;
pub(crate) mod steps;
pub(crate) mod string;
mod text;
pub(crate) mod tokens;
mod trusted;
pub(crate) mod word;

pub(crate) use escape::escape;
pub(crate) use raw::offset_in;
pub(crate) use space::SPACE;

pub use error::{SyntaxError, SyntaxErrorKind};
pub use raw::{Elements, JsonKind, Members, RawJson};
pub use text::{JsonStr, LoneSurrogate};
