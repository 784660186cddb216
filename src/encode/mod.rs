//! Messages out. So far: the answer to a frame that was refused.

mod reply;
mod text;

pub use reply::{AnswerArray, Reply, reply, reply_with};

/// How a message is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Framing {
    /// As it is: an HTTP body.
    Body,
    /// As a line, ended by LF.
    Line,
}
