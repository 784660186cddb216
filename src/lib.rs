//! Zero-copy JSON-RPC 2.0 for the Model Context Protocol (MCP): byte streams cut into frames, each frame checked in
//! full in one pass, and what is in it lent out as slices of those same bytes.
//!
//! # What it promises
//!
//! * **One reading.** What is accepted is RFC 8259 in UTF-8 to the last byte, and every conforming parser that can hold the
//!   values reads the same kind, id, method, params, `_meta` and name out of it: a second member of a name that decides
//!   something is refused, however it is spelt.
//! * **Exact bytes.** What is lent out is what came in. An id is given back to the byte, with all its digits.
//! * **Bounded.** One pass, no recursion, no allocation in parsing, limits for length and depth ([`Limits`]). Linear in
//!   the bytes however they are cut into chunks.
//! * **Never stuck.** A bad frame is an item in the stream with the member, the byte, the JSON-RPC code and the id where
//!   it can be known ([`Error`]). The next frame is read as if nothing had happened.
//!
//! # Four programs
//!
//! A message that is in memory:
//!
//! ```
//! use rpcslice::{Kind, Message};
//!
//! let msg = Message::parse(br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search"}}"#)?;
//! assert_eq!(msg.kind(), Kind::Request);
//! assert_eq!(msg.id().unwrap().raw(), "7");
//! assert_eq!(msg.method().unwrap(), "tools/call");
//! assert_eq!(msg.params().unwrap().raw(), r#"{"name":"search"}"#);
//! # Ok::<(), rpcslice::Error>(())
//! ```
//!
//! A stream of lines, with noise in it:
//!
//! ```
//! use rpcslice::{Message, frame::Lines};
//!
//! let stream = b"Server started\n{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}\n";
//! for line in Lines::new(stream) {
//!     match Message::parse(line.body.unwrap()) {
//!         Ok(msg) => assert_eq!(msg.id().unwrap().raw(), "\"a\""),
//!         Err(error) => assert_eq!(
//!             error.to_string(),
//!             "no valid JSON: expected a JSON value (-32700, byte 0)"
//!         ),
//!     }
//! }
//! ```
//!
//! A message that is kept, without a copy, and one that is refused:
//!
//! ```
//! use rpcslice::MessageBuf;
//!
//! let msg = MessageBuf::parse(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).unwrap();
//! std::thread::spawn(move || assert!(msg.as_message().params().is_none())).join().unwrap();
//!
//! let rejected = MessageBuf::parse(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#).unwrap_err();
//! assert_eq!(rejected.error.to_string(), "`id` is there twice (-32600, byte 24)");
//! assert_eq!(rejected.error.id(&rejected.frame), None); // which of the two?
//! ```
//!
//! A message that is passed on under another id, with one more key of `_meta`, every other byte as it was:
//!
//! ```
//! use rpcslice::encode::Framing;
//! use rpcslice::{Id, Message};
//!
//! let msg = Message::parse(br#"{"id":"a","jsonrpc":"2.0","result":{"n": 1.50}}"#)?;
//! let mut out = Vec::new();
//! let edit = msg.edit().id(Id::from_raw("7").unwrap()).meta_text("traceparent", "00-4bf9-00f0-01")?;
//! edit.write(&mut out, Framing::Line)?;
//! assert_eq!(out, br#"{"id":7,"jsonrpc":"2.0","result":{"_meta":{"traceparent":"00-4bf9-00f0-01"},"n": 1.50}}
//! "#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Storeys
//!
//! | module | knows |
//! |---|---|
//! | [`json`] | RFC 8259: the scanner, string tokens, raw values |
//! | the root | JSON-RPC 2.0, and where MCP puts things: [`Message`], [`Id`], [`Meta`], [`Error`] |
//! | [`pieces`] | the same of a body that comes in pieces, checked as they come |
//! | [`mcp`] | MCP: revisions, methods, error codes, and the rules for receivers and senders |
//! | [`frame`] | newline-delimited streams, event streams, HTTP bodies |
//! | `http` (feature) | the headers of HTTP: checked against the body, written for a message, negotiated |
//! | [`encode`] | messages written, edited without being written anew, and the answers to what was refused |
//! | `decode` (feature `serde`) | params and results into the user's types |
//!
//! # Features
//!
//! * `std` (default): run-time processor detection for the scanner and for newline search, and `frame::LineReader`. Without it the
//!   crate is `no_std` with `alloc`, and uses the instructions that it is compiled for.
//! * `serde`: values of the user's types through `serde_json`: decoded (module `decode`), and written (`encode::serialize`).
//! * `simd-json`: decoded by `simd-json`, which some values make faster (`RawJson::decode_simd`).
//! * `http`: HTTP bodies by their media type (`frame::Body`), and headers (module `http`), on the types of the `http` crate.
//! * `cli`: the `rpcslice` command. Not for libraries.

#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

#[cfg(feature = "__variants")]
#[doc(hidden)]
#[path = "variants.rs"]
pub mod __variants;
mod bounds;
#[cfg(feature = "serde")]
pub mod decode;
pub mod encode;
mod error;
pub mod frame;
mod header;
#[cfg(feature = "http")]
pub mod http;
pub mod json;
mod limits;
pub mod mcp;
mod message;
mod vocab;

// Some of its programs need a feature.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../README.md")]
mod readme {}

pub use error::{Error, ErrorKind, INVALID_REQUEST, PARSE_ERROR, Shape};
pub use header::Header;
pub use json::{JsonStr, RawJson};
pub use limits::Limits;
pub use message::{
    Batch, ErrorResponse, Id, IdBuf, Kind, Message, MessageBuf, Meta, Notification, Policy,
    Rejected, Request, Response, View, pieces,
};
pub use vocab::Member;

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes, and what users rely on when they send these things to other threads.
    #[test]
    fn sizes_and_auto_traits() {
        fn is_shared<T: Send + Sync + 'static>() {}
        assert!(
            size_of::<Message<'_>>() <= 256,
            "{}",
            size_of::<Message<'_>>()
        );
        assert!(size_of::<Error>() <= 40, "{}", size_of::<Error>());
        is_shared::<Message<'static>>();
        is_shared::<MessageBuf>();
        is_shared::<Rejected>();
        is_shared::<Error>();
        is_shared::<View<'static>>();
        is_shared::<Meta<'static>>();
        is_shared::<pieces::PieceScan>();
        is_shared::<pieces::Scanned>();
        is_shared::<pieces::Peek<'static>>();
        is_shared::<Id<'static>>();
        is_shared::<IdBuf>();
        is_shared::<Limits>();
        is_shared::<Policy>();
        is_shared::<Member>();
        is_shared::<json::RawJson<'static>>();
        is_shared::<json::JsonStr<'static>>();
        is_shared::<json::Members<'static>>();
        is_shared::<json::Elements<'static>>();
        is_shared::<json::SyntaxError>();
        is_shared::<frame::LineDecoder>();
        is_shared::<frame::Lines<'static>>();
        is_shared::<frame::Line<bytes::Bytes>>();
        is_shared::<frame::Oversize>();
        is_shared::<frame::SseDecoder>();
        is_shared::<frame::Event<'static, bytes::Bytes>>();
        is_shared::<frame::Incomplete<bytes::Bytes>>();
        is_shared::<frame::Payload<'static>>();
        is_shared::<frame::NonMessage<'static>>();
        is_shared::<encode::Writer<'static>>();
        is_shared::<encode::Edit<'static>>();
        is_shared::<encode::Pieces>();
        is_shared::<encode::ClientProfile>();
        is_shared::<encode::ServerProfile>();
        is_shared::<encode::EncodeError>();
        #[cfg(feature = "http")]
        is_shared::<frame::Body>();
    }
}
