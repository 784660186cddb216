//! Bytes classified by the block, with the best instructions that the processor has. The only home of vector instructions. What
//! follows from the masks is worked out elsewhere, once for all of them.
//!
//! | file | what |
//! |---|---|
//! | `isa` | what an instruction set does with 64 bytes |
//! | `avx512`, `avx2` | the two that do it fast enough |
//! | `plain` | their plain twin, to which tests hold them |
//! | `with`, `by_low_bits`, `utf8` | functions with features; tables to look up sixteen bytes in |
//! | `buffer` | where the tokens go that are found |
//! | `sixteen` | sixteen bytes of a string, for the exact scanner and for the one that trusts |
//! | `escapes` | which bytes of a block a backslash escapes |
//! | `chosen` | which of them is taken |

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod buffer;
#[cfg(target_arch = "x86_64")]
mod by_low_bits;
pub(crate) mod chosen;
mod escapes;
mod isa;
#[cfg(any(test, feature = "__variants"))]
mod plain;
mod sixteen;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod utf8;
#[cfg(target_arch = "x86_64")]
mod with;

pub(crate) use buffer::{CAPACITY, TokenBuffer};
pub(crate) use chosen::Blocks;
pub(crate) use escapes::escapes;
pub(crate) use isa::{BLOCK, Isa, NumberMarks, TokenMarks};
pub(crate) use sixteen::{first_string_mark, quotes};
