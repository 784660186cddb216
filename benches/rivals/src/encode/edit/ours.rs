//! rpcslice's ways, and the floor that they are held to.

use rpcslice::encode::{Edit, Framing};
use rpcslice::{IdBuf, Kind, Message, MessageBuf};

use super::{Frame, KEY, TRACEPARENT};
use crate::encode::way::{Buffers, Way};

pub const BODY: Way<Frame> = Way {
    name: "rpcslice edit, write as a body",
    note: "Message::parse, Edit::write with Framing::Body",
    run: |frame, buffers| write(frame, buffers, Framing::Body),
    is_floor: false,
};

pub const LINE: Way<Frame> = Way {
    name: "rpcslice edit, write as a line",
    note: "the same with Framing::Line: what is kept is searched for line breaks",
    run: |frame, buffers| write(frame, buffers, Framing::Line),
    is_floor: false,
};

pub const PIECES: Way<Frame> = Way {
    name: "rpcslice edit, pieces",
    note: "MessageBuf::parse of Bytes, Edit::pieces; ends with the slices, copies no long stretch",
    run: pieces,
    is_floor: false,
};

pub const COPY: Way<Frame> = Way {
    name: "floor: Message::parse + memcpy",
    note: "changes nothing",
    run: copy,
    is_floor: true,
};

fn write(frame: &Frame, buffers: &mut Buffers, framing: Framing<'_>) -> bool {
    let Ok(message) = Message::parse(&frame.bytes) else {
        return false;
    };
    let edit = changes(message.edit(), message.kind(), &buffers.id);
    edit.is_some_and(|edit| edit.write(&mut buffers.out, framing).is_ok())
}

fn pieces(frame: &Frame, buffers: &mut Buffers) -> bool {
    let Ok(message) = MessageBuf::parse(frame.bytes.clone()) else {
        return false;
    };
    let kind = message.as_message().kind();
    let edit = changes(message.edit(), kind, &buffers.id);
    buffers.pieces = edit.and_then(|edit| edit.pieces(&mut buffers.scratch, Framing::Body).ok());
    buffers.pieces.is_some()
}

/// As far as a message of its kind has a place for them.
#[inline(always)]
pub fn changes<'a>(edit: Edit<'a>, kind: Kind, id: &'a IdBuf) -> Option<Edit<'a>> {
    let edit = match kind {
        Kind::Notification => edit,
        _ => edit.id(id.as_id()),
    };
    match kind {
        Kind::Error => Some(edit),
        _ => edit.meta_text(KEY, TRACEPARENT).ok(),
    }
}

fn copy(frame: &Frame, buffers: &mut Buffers) -> bool {
    let Ok(message) = Message::parse(&frame.bytes) else {
        return false;
    };
    buffers.out.extend_from_slice(message.frame().as_bytes());
    true
}
