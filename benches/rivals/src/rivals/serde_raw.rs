//! What a careful Rust gateway does today: the envelope with `&RawValue` for what it passes on, then
//! params, then `_meta`.

use std::borrow::Cow;
use std::hint::black_box;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Rival, Role, Scratch};
use crate::digest::{Digest, mark, mark_id};
use crate::load::Frame;

pub const RIVAL: Rival = Rival {
    name: "serde_json RawValue",
    note: "from_slice: envelope, params, _meta. Checks no UTF-8 in what it passes over",
    run,
    role: Role::Reader,
};

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Text<'a>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<Text<'a>>,
    #[serde(borrow)]
    uri: Option<Text<'a>>,
    #[serde(borrow, rename = "protocolVersion")]
    version: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<Text<'a>>,
}

/// A string, borrowed unless it holds an escape. (Inside an `Option`, serde would copy a bare `Cow` every time.)
#[derive(Deserialize)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

fn run(frame: &Frame, _: &mut Scratch) -> Option<Digest> {
    let envelope: Envelope<'_> = serde_json::from_slice(&frame.bytes).ok()?;
    if envelope.jsonrpc != "2.0" {
        return None;
    }
    let mut found = Digest::default();
    if let Some(method) = &envelope.method {
        found.method = mark(&method.0);
    }
    if let Some(id) = envelope.id {
        found.id = mark_id(id.get())?;
    }
    if let Some(params) = envelope.params {
        let params: Params<'_> = serde_json::from_str(params.get()).ok()?;
        if let Some(meta) = params.meta {
            let meta: Meta<'_> = serde_json::from_str(meta.get()).ok()?;
            found.version = meta.version.map_or(0, |version| mark(&version.0));
        }
        if found.version == 0
            && let (Some(version), Some(method)) = (&params.version, &envelope.method)
            && method.0 == "initialize"
        {
            found.version = mark(&version.0);
        }
        found.name = params.name.or(params.uri).map_or(0, |name| mark(&name.0));
    }
    black_box((envelope.params, envelope.result, envelope.error));
    Some(found)
}
