//! serde_json: the whole as a tree, and an envelope that leaves what it passes on as it is.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::{Frame, KEY, NEW_ID, TRACEPARENT};
use crate::encode::way::{Buffers, Way};

pub const VALUE: Way<Frame> = Way {
    name: "serde_json Value",
    note: "from_slice, members set in the tree, to_writer",
    run: value,
    is_floor: false,
};

pub const RAW: Way<Frame> = Way {
    name: "serde_json RawValue",
    note: "envelope, params or result, and _meta as maps of names and &RawValue, to_writer; drops other members",
    run: raw,
    is_floor: false,
};

fn value(frame: &Frame, buffers: &mut Buffers) -> bool {
    let Ok(mut message) = serde_json::from_slice::<Value>(&frame.bytes) else {
        return false;
    };
    change(&mut message);
    serde_json::to_writer(&mut buffers.out, &message).is_ok()
}

pub fn change(message: &mut Value) {
    let Some(members) = message.as_object_mut() else {
        return;
    };
    if let Some(id) = members.get_mut("id") {
        *id = Value::from(NEW_ID);
    }
    let section = match members.contains_key("method") {
        true => Some(
            members
                .entry("params")
                .or_insert_with(|| Value::Object(Map::new())),
        ),
        false => members.get_mut("result"),
    };
    if let Some(section) = section.and_then(Value::as_object_mut) {
        let meta = section
            .entry("_meta")
            .or_insert_with(|| Value::Object(Map::new()));
        if let Some(meta) = meta.as_object_mut() {
            meta.insert(KEY.to_owned(), TRACEPARENT.into());
        }
    }
}

/// A name, borrowed unless it holds an escape.
#[derive(Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

type Members<'a> = BTreeMap<Name<'a>, &'a RawValue>;

#[derive(Deserialize, Serialize)]
pub struct Envelope<'a> {
    jsonrpc: Name<'a>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    method: Option<&'a RawValue>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    params: Option<Members<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    result: Option<Members<'a>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    error: Option<&'a RawValue>,
}

/// The values that are put in: made once.
static ID: LazyLock<Box<RawValue>> = LazyLock::new(|| to_raw_value(&NEW_ID).expect("a number"));
static TEXT: LazyLock<Box<RawValue>> =
    LazyLock::new(|| to_raw_value(TRACEPARENT).expect("a string"));

fn raw(frame: &Frame, buffers: &mut Buffers) -> bool {
    let Ok(envelope) = serde_json::from_slice::<Envelope<'_>>(&frame.bytes) else {
        return false;
    };
    write_changed(envelope, &mut buffers.out).is_some()
}

pub fn write_changed(mut envelope: Envelope<'_>, out: &mut Vec<u8>) -> Option<()> {
    if envelope.id.is_some() {
        envelope.id = Some(&ID);
    }
    // Owns `_meta`, which is written anew, and outlives the members that refer to it.
    let meta;
    let mut sections = (envelope.params.take(), envelope.result.take());
    if envelope.method.is_some() {
        sections.0.get_or_insert_default();
    }
    let section = sections.0.as_mut().or(sections.1.as_mut());
    if let Some(section) = section {
        let name = || Name(Cow::Borrowed("_meta"));
        let mut members = match section.get(&name()) {
            Some(meta) => serde_json::from_str::<Members<'_>>(meta.get()).ok()?,
            None => Members::new(),
        };
        members.insert(Name(Cow::Borrowed(KEY)), &TEXT);
        meta = to_raw_value(&members).ok()?;
        section.insert(name(), &meta);
        let changed = Envelope {
            params: sections.0,
            result: sections.1,
            ..envelope
        };
        return serde_json::to_writer(out, &changed).ok();
    }
    serde_json::to_writer(out, &envelope).ok()
}
