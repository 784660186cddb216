//! simd-json's tape. It unescapes in place, so a caller who keeps the bytes has to copy them first.

use simd_json::prelude::*;
use simd_json::{Buffers, INPUT_PADDING, Tape, fill_tape_padded};

use super::{Rival, Role, Scratch, VERSION_KEY};
use crate::digest::{Digest, mark, mark_number};
use crate::load::Frame;

pub const RIVAL: Rival = Rival {
    name: "simd-json tape, reused buffers, with its copy",
    note: "fill_tape_padded, instruction set picked at run time. Lends no raw slices",
    run,
    role: Role::Reader,
};

/// Buffers and tape that outlive a message. The tape is emptied in between, so that it borrows from none.
pub struct Reused {
    buffers: Buffers,
    tape: Tape<'static>,
}

impl Reused {
    pub fn new() -> Self {
        Self {
            buffers: Buffers::new(1 << 20),
            tape: Tape::null(),
        }
    }
}

fn run(frame: &Frame, scratch: &mut Scratch) -> Option<Digest> {
    let length = frame.bytes.len();
    scratch.copy.clear();
    scratch.copy.extend_from_slice(&frame.bytes);
    scratch.copy.resize(length + INPUT_PADDING, 0);
    let mut tape = std::mem::replace(&mut scratch.simd.tape, Tape(Vec::new())).reset();
    let filled = fill_tape_padded(
        &mut scratch.copy,
        length,
        &mut scratch.simd.buffers,
        &mut tape,
    );
    let found = filled.ok().and_then(|()| walk(&tape));
    scratch.simd.tape = tape.reset();
    found
}

fn walk(tape: &Tape<'_>) -> Option<Digest> {
    let root = tape.as_value();
    let envelope = root.as_object()?;
    if envelope.get("jsonrpc")?.as_str() != Some("2.0") {
        return None;
    }
    let mut found = Digest::default();
    let mut is_initialize = false;
    if let Some(method) = envelope.get("method") {
        let method = method.as_str()?;
        is_initialize = method == "initialize";
        found.method = mark(method);
    }
    if let Some(id) = envelope.get("id") {
        found.id = match id.as_str() {
            Some(text) => mark(text),
            None => mark_number(id.as_i64()?),
        };
    }
    if let Some(params) = envelope.get("params") {
        let params = params.as_object()?;
        if let Some(meta) = params.get("_meta") {
            let version = meta.as_object()?.get(VERSION_KEY);
            found.version = version.map_or(0, |version| version.as_str().map_or(0, mark));
        }
        if found.version == 0 && is_initialize {
            let version = params.get("protocolVersion");
            found.version = version.map_or(0, |version| version.as_str().map_or(0, mark));
        }
        let name = params.get("name").or_else(|| params.get("uri"));
        found.name = name.map_or(0, |name| name.as_str().map_or(0, mark));
    }
    Some(found)
}
