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
//! | [`media`] | how a body is read, by its type and coding | RFC 9110 sections 8.3 and 8.4 |
//! | [`value`] | what stands in a header for a text, and what a header says | `PROTOCOL.md` (f), "Value encoding" |
//! | [`mirror`] | which header of a request is at fault | `PROTOCOL.md` (f), "Agreement checks" |
//! | [`plan`] | which arguments have headers | `PROTOCOL.md` (f), "x-mcp-header" |
//! | [`copied`] | what becomes of JSON that is copied into a line | the documentation of `Writer` |
//! | [`added`] | what is put into params and results | `PROTOCOL.md` (b), (c), and the documentation of `Writer` |
//! | [`key`] | keys of `_meta` | 2026-07-28 `basic/index`, "Key name format" |
//! | [`spliced`] | an edited message, to the byte | the documentation of `Edit` |
//!
//! [`grammar`] and `serde_json` are held against each other, too.

pub mod added;
pub mod copied;
pub mod envelope;
pub mod events;
pub mod grammar;
pub mod key;
pub mod media;
pub mod mirror;
pub mod names;
pub mod number;
pub mod plan;
pub mod spliced;
pub mod split;
pub mod tree;
pub mod value;

/// An oracle does not know everything: here the library is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsure;
