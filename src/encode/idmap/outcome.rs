use crate::message::IdBuf;
use alloc::vec::Vec;
use core::fmt;

/// To whom a message of the upstream goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination<C> {
    /// To this client, whose request it answers or is about.
    Client(C),
    /// It is a request: choose a client, and give it to
    /// [`IdMap::upstream_request`](super::IdMap::upstream_request). It is not remembered yet.
    Choose,
    /// It names no request: a notification for whom it concerns, or an error about what could not be read, which is best kept
    /// from clients, since it may be about another's message.
    Unaddressed,
}

/// Why a message can't be passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdMapError {
    /// A request of the same sender with the same id is in flight. That one goes on.
    InFlight,
    /// It answers, cancels or is about a request that is not in flight, or not for this client: drop it.
    Nobody,
    /// A progress token or another id that is neither string nor integer, or missing where there has to be one.
    BadId,
    /// The id or the progress token of a request has more bytes than allowed.
    IdTooLong,
    /// So many requests of this client are in flight already.
    ClientFull,
    /// So many requests of all clients are in flight already.
    Full,
}

impl fmt::Display for IdMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InFlight => "a request with this id is in flight already",
            Self::Nobody => "no request in flight is meant by this message",
            Self::BadId => "an id or progress token must be a string or an integer",
            Self::IdTooLong => "an id or progress token is too long",
            Self::ClientFull => "too many requests of this client are in flight",
            Self::Full => "too many requests are in flight",
        })
    }
}

impl core::error::Error for IdMapError {}

/// What is left open when a client goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Abandoned {
    /// The ids, upstream, of what it had asked: the upstream can be told to cancel these, by a `notifications/cancelled` each
    /// with the id as its `requestId`.
    pub asked: Vec<IdBuf>,
    /// The ids, upstream, of what it had been asked: nobody is going to answer these.
    pub asking: Vec<IdBuf>,
}
