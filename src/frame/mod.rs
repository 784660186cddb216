//! Bytes to frames, sans-io: the caller reads, the decoder cuts.
//!
//! | from | with | lines are |
//! |---|---|---|
//! | a `BytesMut` that the caller reads into | [`LineDecoder::decode`] | `Bytes` that share the buffer, for messages that outlive it |
//! | chunks that the caller holds | [`LineDecoder::feed`] | borrowed; only a line that straddles two chunks is copied |
//! | any `std::io::Read` | `LineReader` | borrowed until the next call |
//! | a whole buffer | [`Lines`] | borrowed |
//!
//! All of them give the same lines, however the stream is cut into chunks, and look at each byte once.

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
