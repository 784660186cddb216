//! The way through bytes that this process has checked before: it looks for ends, and checks nothing.
//!
//! | file | what |
//! |---|---|
//! | `scan` | the steps, for whoever drives them |
//! | `string` | over a string, by its closing quote |
//! | `words` | over a container by counting brackets, and over a number, eight bytes at a time |
//! | `blocks` | over containers and long strings, 64 bytes at a time |
//!
//! Only a [`RawJson`](super::RawJson) may be walked so: its bytes have gone through one of the two scanners that check, and
//! are borrowed, so they can't have changed since. Bytes that just came in never come here.
//!
//! That is what the results rest on, and nothing else is. This is safe Rust that takes every byte by `get`, and the blocks
//! are references to 64 bytes. Each step goes forward or ends the walk. So bytes that nobody has checked would give values
//! that are none, but no panic, no read out of bounds and no endless loop; the tests walk over noise.

mod blocks;
mod scan;
mod string;
#[cfg(test)]
mod tests;
mod words;

pub(super) use blocks::{container_end, string_end};
pub(super) use scan::TrustedScanner;
