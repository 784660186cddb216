//! RFC 8259, and nothing above it: the validating scanner, string tokens, and values known to be well-formed.
//!
//! | type | what |
//! |---|---|
//! | [`JsonStr`] | a string token that compares and decodes after unescaping |
//! | [`RawJson`] | a value whose bytes are known to be well-formed |
//!
//! Inside: `scan`, the scanner, which is driven by whoever wants to know what it walks over; `string`, `number` and
//! `word`, eight bytes at a time; `tokens`, the fast way through what has to be checked; `trusted`, the way through what has
//! been.

#[cfg(feature = "http")]
pub(crate) mod descent;
mod error;
mod escape;
pub(crate) mod number;
mod raw;
pub(crate) mod scan;
pub(crate) mod simd;
pub(crate) mod space;
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
