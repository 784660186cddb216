//! rpcslice, by the instruction set that it picks and by each that the machine has.

use std::hint::black_box;

use rpcslice::__variants::Variant;
use rpcslice::Message;
use rpcslice::json::JsonStr;

use super::{Rival, Role, Scratch};
use crate::digest::{Digest, mark, mark_number};
use crate::load::Frame;

/// By the instruction set that is picked at run time.
pub const DISPATCHED: Rival = Rival {
    name: "rpcslice",
    note: "Message::parse: default limits, strict policy, instruction set picked at run time",
    run,
    role: Role::Reader,
};

pub const AVX512: Rival = forced("rpcslice AVX-512", Variant::Avx512);
pub const AVX2: Rival = forced("rpcslice AVX2", Variant::Avx2);
pub const SSE2: Rival = forced("rpcslice SSE2", Variant::Sse2);
pub const PLAIN: Rival = forced("rpcslice plain", Variant::Plain);

const fn forced(name: &'static str, variant: Variant) -> Rival {
    Rival {
        name,
        note: "the same, made to go by this one",
        run,
        role: Role::Forced(variant),
    }
}

fn run(frame: &Frame, _: &mut Scratch) -> Option<Digest> {
    let message = Message::parse(&frame.bytes).ok()?;
    let mut found = Digest::default();
    if let Some(method) = message.method() {
        found.method = mark_text(method)?;
    }
    if let Some(id) = message.id() {
        found.id = match id.as_str() {
            Some(text) => mark_text(text)?,
            None => id.as_i64().map_or_else(|| mark(id.raw()), mark_number),
        };
    }
    if let Some(version) = message.protocol_version() {
        found.version = mark_text(version)?;
    }
    if let Some(name) = message.name().or_else(|| message.uri()) {
        found.name = mark_text(name)?;
    }
    // The slice of `_meta`, as the others have it; a `Meta` carries its message along.
    let meta = message.meta().map(|meta| meta.raw());
    black_box((message.params(), message.result(), meta));
    Some(found)
}

#[inline(always)]
fn mark_text(text: JsonStr<'_>) -> Option<u64> {
    match text.as_str() {
        Some(text) => Some(mark(text)),
        None => text.decode().ok().map(|text| mark(&text)),
    }
}
