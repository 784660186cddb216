//! One file a rival, and the table of them.
//!
//! The job is the same for all: one message in memory, read as strictly as the rival can; out come method, id,
//! protocol version and name or uri, and (where the rival has such a thing) the slices of params and `_meta`.

mod floor;
mod jiter;
mod lineup;
mod ours;
mod rmcp;
mod serde_raw;
mod serde_typed;
mod simd_json;
#[cfg(feature = "simdjson")]
mod simdjson;
mod sonic;

use rpcslice::__variants::{self, Variant};

use crate::digest::Digest;
use crate::load::Frame;

pub use lineup::Lineup;

/// One way of reading a message.
pub struct Rival {
    pub name: &'static str,
    /// How it is set, and what it leaves unchecked even so.
    pub note: &'static str,
    /// None if the message can't be read this way.
    pub run: fn(&Frame, &mut Scratch) -> Option<Digest>,
    pub role: Role,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Role {
    Reader,
    /// rpcslice, made to go by one instruction set.
    Forced(Variant),
    /// A reader in another language, whose allocations `allocs` doesn't see.
    #[cfg_attr(
        not(feature = "simdjson"),
        allow(dead_code, reason = "simdjson has it")
    )]
    Foreign,
    /// A floor finds nothing: it is there to show what merely touching the bytes costs.
    Floor,
}

impl Rival {
    pub fn is_floor(&self) -> bool {
        self.role == Role::Floor
    }

    /// Reads one message, under whatever the rival needs. For timing see `hold`.
    pub fn read(&self, frame: &Frame, scratch: &mut Scratch) -> Option<Digest> {
        let _held = self.hold();
        (self.run)(frame, scratch)
    }

    /// Forces the instruction set, if the rival is one that needs it, until the guard is dropped.
    pub fn hold(&self) -> Held {
        let Role::Forced(variant) = self.role else {
            return Held { is_forced: false };
        };
        assert!(
            __variants::force(variant),
            "the lineup has what the machine has"
        );
        Held { is_forced: true }
    }
}

/// While it lives, rpcslice goes by the instruction set that was forced.
pub struct Held {
    is_forced: bool,
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.is_forced {
            __variants::reset();
        }
    }
}

/// What a caller may keep from one message to the next.
pub struct Scratch {
    pub copy: Vec<u8>,
    pub simd: simd_json::Reused,
    #[cfg(feature = "simdjson")]
    pub simdjson: simdjson::Readers,
}

impl Scratch {
    pub fn new() -> Self {
        Self {
            copy: Vec::new(),
            simd: simd_json::Reused::new(),
            #[cfg(feature = "simdjson")]
            simdjson: simdjson::Readers::new(),
        }
    }
}

/// The rival that all ratios are against.
pub const BASELINE: &str = serde_raw::RIVAL.name;

const RIVALS: &[Rival] = &[
    serde_raw::RIVAL,
    serde_typed::RIVAL,
    simd_json::RIVAL,
    sonic::RIVAL,
    jiter::RIVAL,
    rmcp::RIVAL,
    #[cfg(feature = "simdjson")]
    simdjson::DOM,
    #[cfg(feature = "simdjson")]
    simdjson::ON_DEMAND,
    ours::DISPATCHED,
    ours::AVX512,
    ours::AVX2,
    ours::SSE2,
    ours::PLAIN,
    floor::NOTHING,
    floor::MEMCPY,
    floor::MEMCHR,
];

/// The key of `_meta` that names the protocol version.
pub const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
