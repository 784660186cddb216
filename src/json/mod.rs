//! RFC 8259, and nothing above it: the validating scanner, string tokens, and values known to be well-formed.
//!
//! | module | what |
//! |---|---|
//! | `scan` | the scanner: one pass, no recursion, no allocation; whoever wants to know what it walks over drives it |
//! | `string` | the end of a string: escapes, control characters and UTF-8 on the way |
//! | `word` | eight bytes at a time |
//! | `number` | the number grammar, and integers |
//! | [`JsonStr`] | a string token that compares and decodes after unescaping |
//! | [`RawJson`] | a value whose bytes are known to be well-formed |

mod error;
pub(crate) mod number;
mod raw;
pub(crate) mod scan;
pub(crate) mod string;
mod text;
pub(crate) mod word;

pub use error::{SyntaxError, SyntaxErrorKind};
pub use raw::{Elements, JsonKind, Members, RawJson};
pub use text::{JsonStr, LoneSurrogate};
