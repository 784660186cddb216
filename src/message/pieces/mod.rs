//! Messages whose bytes come in pieces: checked as they come, in constant memory.
//!
//! A gateway's body filter sees a body chunk by chunk, and may want to know what it is before the last one is there, and that
//! it is in order without a second look at it. [`PieceScan`] takes the pieces, however they are cut. In the end it says what
//! [`Message::parse_with`](crate::Message::parse_with) says of the whole: the same [`Error`](crate::Error), to the byte, or
//! [`Scanned`], which knows where everything stands and lends a [`Message`](crate::Message) over the body without scanning it.
//!
//! | type | what |
//! |---|---|
//! | [`PieceScan`] | takes pieces |
//! | [`Peek`] | what has been seen so far: provisional |
//! | [`Scanned`] | the whole, found in order: kind, spans, copies of method, id and name |
//! | [`Kept`] | a copy, or the knowledge that there was more to copy than is kept |
//!
//! ```
//! use rpcslice::Kind;
//! use rpcslice::pieces::PieceScan;
//!
//! let mut scan = PieceScan::default();
//! scan.feed(br#"{"jsonrpc":"2.0","id":7,"method":"tools/ca"#);
//! scan.feed(br#"ll","params":{"name":"search","argum"#);
//! let peek = scan.peek();
//! assert_eq!(peek.method().whole().unwrap(), "tools/call"); // as far as can be said by now
//! assert_eq!(peek.name().whole().unwrap(), "search");
//! scan.feed(br#"ents":{}}}"#);
//!
//! let scanned = scan.finish()?;
//! assert_eq!(scanned.kind(), Kind::Request);
//! assert_eq!(scanned.id().whole().unwrap().raw(), "7");
//!
//! // Whoever has kept the body gets the message without another scan.
//! let body = br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search","arguments":{}}}"#;
//! let msg = scanned.message(body).unwrap();
//! assert_eq!(msg.params().unwrap().get("arguments").unwrap().raw(), "{}");
//! # Ok::<(), rpcslice::Error>(())
//! ```
//!
//! For a body that is whole anyway, [`Message::parse`](crate::Message::parse) is faster.

mod fingerprint;
mod found;
mod kept;
mod peek;
mod scan;
mod scanned;
mod walk;

pub use kept::Kept;
pub use peek::Peek;
pub use scan::PieceScan;
pub use scanned::Scanned;

/// The bytes that are copied of a method, an id and a name: as they stand in the body, with the quotes of a string.
pub const KEPT_BYTES: usize = 256;

#[cfg(test)]
mod tests;
