//! A batch, each of its messages changed, written as one array. `rmcp` has no batches.

use bytes::BufMut;
use rpcslice::encode::Framing;
use rpcslice::{Batch, Limits, Message, Policy};
use serde_json::Value;

use super::{Frame, ours, theirs};
use crate::encode::way::{Buffers, Way};

pub const VALUE: Way<Frame> = Way {
    name: "serde_json Value, batch",
    note: "as above, the array as one tree",
    run: value,
    is_floor: false,
};

pub const RAW: Way<Frame> = Way {
    name: "serde_json RawValue, batch",
    note: "as above, the array as a Vec of envelopes",
    run: raw,
    is_floor: false,
};

pub const OURS: Way<Frame> = Way {
    name: "rpcslice edit, batch",
    note: "Batch::parse_with, Edit::write of each as a body, brackets and commas by the caller",
    run: ours,
    is_floor: false,
};

pub const COPY: Way<Frame> = Way {
    name: "floor: Batch::parse_with + memcpy",
    note: "changes nothing",
    run: copy,
    is_floor: true,
};

fn value(frame: &Frame, buffers: &mut Buffers) -> bool {
    let Ok(mut messages) = serde_json::from_slice::<Vec<Value>>(&frame.bytes) else {
        return false;
    };
    messages.iter_mut().for_each(theirs::change);
    serde_json::to_writer(&mut buffers.out, &messages).is_ok()
}

fn raw(frame: &Frame, buffers: &mut Buffers) -> bool {
    let Ok(messages) = serde_json::from_slice::<Vec<theirs::Envelope<'_>>>(&frame.bytes) else {
        return false;
    };
    array(messages, &mut buffers.out, |message, out| {
        theirs::write_changed(message, out).is_some()
    })
}

fn ours(frame: &Frame, buffers: &mut Buffers) -> bool {
    let Ok(batch) = Batch::parse_with(&frame.bytes, &Limits::new(), &Policy::strict()) else {
        return false;
    };
    let Buffers { id, out, .. } = buffers;
    array(batch.iter(), out, |message, out| {
        let Ok(message) = message else { return false };
        let edit = ours::changes(message.edit(), message.kind(), id);
        edit.is_some_and(|edit| edit.write(out, Framing::Body).is_ok())
    })
}

fn copy(frame: &Frame, buffers: &mut Buffers) -> bool {
    let batch = Batch::parse_with(&frame.bytes, &Limits::new(), &Policy::strict());
    let Ok(batch) = batch else { return false };
    buffers.out.extend_from_slice(batch.frame());
    batch
        .iter()
        .all(|message: Result<Message<'_>, _>| message.is_ok())
}

/// Whether all elements could be written.
fn array<T>(
    elements: impl IntoIterator<Item = T>,
    out: &mut Vec<u8>,
    mut write: impl FnMut(T, &mut Vec<u8>) -> bool,
) -> bool {
    for (nth, element) in elements.into_iter().enumerate() {
        out.put_u8(if nth == 0 { b'[' } else { b',' });
        if !write(element, out) {
            return false;
        }
    }
    out.put_u8(b']');
    true
}
