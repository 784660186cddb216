//! The fast way through a text: tokens are found a block of 64 bytes at a time, and checked 64 tokens at a time.
//!
//! | file | what |
//! |---|---|
//! | `window` | the text as tokens, as far as they have been found; what is carried from block to block |
//! | `fill` | bytes into tokens: strings, escapes, UTF-8, where tokens begin |
//! | `number` | the number grammar, 64 bytes at a time |
//! | `grammar` | which token may follow which |
//! | `skip` | over a whole object or array |
//! | `scan` | the steps for whoever drives it |
//!
//! It only says that a text is good. What is wrong with one that is not, and where, the exact [scanner](super::scan) finds out,
//! by going over it once more; also with the few texts that are good and too unusual for this one.

mod fill;
mod grammar;
mod number;
mod scan;
mod skip;
#[cfg(test)]
mod tests;
mod window;

pub(in crate::json) use fill::fill;
pub(crate) use grammar::Word;
pub(crate) use scan::TokenScanner;
pub(crate) use window::Window;

/// Either the text is bad, or it is more than the fast way is made for: the exact scanner knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unsure;
