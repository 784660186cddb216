//! simdjson itself, in C++, by way of two small readers of our own (`dom.cpp`, `on_demand.cpp`), compiled for any x86-64 as
//! Rust is by default. Its first stage picks the instruction set at run time; the DOM does so for all it does.
//!
//! It reads past the end, so a caller whose message lies in a buffer of its own size has to copy it first. Copy and parser
//! are kept from one message to the next.

mod ffi;

use std::hint::black_box;

use super::{Rival, Role};
use crate::digest::{Digest, mark, mark_number};
use ffi::{Found, IdKind};

pub use ffi::Readers;

pub const DOM: Rival = Rival {
    name: "simdjson C++ DOM, with its copy",
    note: "dom::parser, reused. Lends no raw slices; no look at members that are there twice",
    run: |frame, scratch| digest(&scratch.simdjson.dom(&frame.bytes)?),
    role: Role::Foreign,
};

pub const ON_DEMAND: Rival = Rival {
    name: "simdjson C++ On-Demand (skims), with its copy",
    note: "ondemand::parser, reused. Unread values unchecked but for UTF-8, control characters and the count of brackets",
    run: |frame, scratch| digest(&scratch.simdjson.on_demand(&frame.bytes)?),
    role: Role::Foreign,
};

#[inline(always)]
fn digest(found: &Found<'_>) -> Option<Digest> {
    let mut digest = Digest {
        method: found.method.as_str().map_or(0, mark),
        id: match found.id_kind {
            IdKind::None => 0,
            IdKind::Number => mark_number(found.number),
            IdKind::Text | IdKind::Digits => mark(found.id.as_str()?),
        },
        version: found.version.as_str().map_or(0, mark),
        name: found.name.as_str().or(found.uri.as_str()).map_or(0, mark),
    };
    if digest.version == 0 && found.method.as_str() == Some("initialize") {
        digest.version = found.params_version.as_str().map_or(0, mark);
    }
    black_box((found.kind, found.params.as_str(), found.meta.as_str()));
    Some(digest)
}
