//! What should come out. Slow, simple, and independent: nothing in here calls into `rpcslice`, but for the names of its
//! members, kinds and shapes.
//!
//! | module | what | from |
//! |---|---|---|
//! | [`grammar`] | is it JSON, and if not, at which byte not any more | RFC 8259, a byte at a time |
//! | [`tree`] | where members and elements stand; strings after unescaping | `serde_json` over `&RawValue` |
//! | [`number`] | integers and integral values | digits as text |
//! | [`envelope`] | what a message is, or why it is none | `DESIGN.md`, Decisions |
//! | [`split`] | where lines end | `DESIGN.md`, Decisions |
//! | [`events`] | what an event stream holds | WHATWG HTML section 9.2, and the documentation of `SseDecoder` |
//!
//! [`grammar`] and `serde_json` are held against each other, too.

pub mod envelope;
pub mod events;
pub mod grammar;
pub mod names;
pub mod number;
pub mod split;
pub mod tree;
