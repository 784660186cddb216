//! Bytes to frames, sans-io: the caller reads, the decoder cuts.
//!
//! Newline-delimited JSON, as on pipes:
//!
//! | from | with | lines are |
//! |---|---|---|
//! | a `BytesMut` that the caller reads into | [`LineDecoder::decode`] | `Bytes` that share the buffer, for messages that outlive it |
//! | chunks that the caller holds | [`LineDecoder::feed`] | borrowed; only a line that straddles two chunks is copied |
//! | any `std::io::Read` | `LineReader` | borrowed until the next call |
//! | a whole buffer | [`Lines`] | borrowed |
//!
//! HTTP:
//!
//! | what | with | gives |
//! |---|---|---|
//! | a body by its `Content-Type` (feature `http`) | `Body` | one of the next two, or a text that is no message |
//! | `application/json`, in pieces | `Content`, `Payload::of_body` | a message, a batch, or nothing |
//! | `text/event-stream` | [`SseDecoder::decode`], [`SseDecoder::feed`], [`Event::message`] | events, and what each holds |
//!
//! All of them give the same, however the stream is cut into chunks, and hold no more than their limit.

mod block;
#[cfg(feature = "http")]
mod body;
mod event;
mod feed;
mod field;
mod line;
mod oversize;
#[cfg(feature = "std")]
mod reader;
mod split;
mod sse;

#[cfg(feature = "http")]
pub use body::{Body, Content, ContentError};
pub use event::{Event, Incomplete, NonMessage, Payload};
pub use feed::Feed;
pub use line::{Line, LineDecoder, Lines};
pub use oversize::{Oversize, Part};
#[cfg(feature = "std")]
pub use reader::LineReader;
pub use sse::{SseDecoder, SseFeed};
