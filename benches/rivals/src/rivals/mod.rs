//! One file a rival, and the table of them.
//!
//! The job is the same for all: one message in memory, read as strictly as the rival can; out come method, id,
//! protocol version and name or uri, and (where the rival has such a thing) the slices of params and `_meta`.

mod floor;
mod jiter;
mod ours;
mod rmcp;
mod serde_raw;
mod serde_typed;
mod simd_json;
mod sonic;

use crate::digest::Digest;
use crate::load::Frame;

/// One way of reading a message.
pub struct Rival {
    pub name: &'static str,
    /// How it is set, and what it leaves unchecked even so.
    pub note: &'static str,
    /// None if the message can't be read this way.
    pub run: fn(&Frame, &mut Scratch) -> Option<Digest>,
    /// A floor finds nothing: it is there to show what merely touching the bytes costs.
    pub is_floor: bool,
}

/// What a caller may keep from one message to the next.
pub struct Scratch {
    pub copy: Vec<u8>,
    pub simd: simd_json::Reused,
}

impl Scratch {
    pub fn new() -> Self {
        Self {
            copy: Vec::new(),
            simd: simd_json::Reused::new(),
        }
    }
}

/// The rival that all ratios are against.
pub const BASELINE: &str = serde_raw::RIVAL.name;

pub const RIVALS: &[Rival] = &[
    serde_raw::RIVAL,
    serde_typed::RIVAL,
    simd_json::RIVAL,
    sonic::RIVAL,
    jiter::RIVAL,
    rmcp::RIVAL,
    ours::PLAIN,
    floor::MEMCPY,
    floor::MEMCHR,
];

/// The key of `_meta` that names the protocol version.
pub const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
