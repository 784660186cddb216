//! What it costs to be measured, to copy a message, and to look for a byte in it.

use std::hint::black_box;

use super::{Rival, Role, Scratch};
use crate::digest::Digest;
use crate::load::Frame;

pub const NOTHING: Rival = Rival {
    name: "floor: nothing",
    note: "is called and returns: what measuring costs, and is in every figure",
    run: |_, _| Some(Digest::default()),
    role: Role::Floor,
};

pub const MEMCPY: Rival = Rival {
    name: "floor: memcpy",
    note: "copies the message into a buffer that is reused",
    run: copy,
    role: Role::Floor,
};

pub const MEMCHR: Rival = Rival {
    name: "floor: memchr newline",
    note: "looks for line ends from the first byte to the last",
    run: search,
    role: Role::Floor,
};

fn copy(frame: &Frame, scratch: &mut Scratch) -> Option<Digest> {
    scratch.copy.clear();
    scratch.copy.extend_from_slice(&frame.bytes);
    black_box(&scratch.copy);
    Some(Digest::default())
}

fn search(frame: &Frame, _: &mut Scratch) -> Option<Digest> {
    for at in memchr::memchr_iter(b'\n', &frame.bytes) {
        black_box(at);
    }
    Some(Digest::default())
}
