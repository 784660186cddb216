//! One pass into types that name all that is read and ignore the rest: no slice of params, `_meta` or result.

use std::hint::black_box;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::serde_raw::Text;
use super::{Rival, Role, Scratch};
use crate::digest::{Digest, mark, mark_id};
use crate::load::Frame;

pub const RIVAL: Rival = Rival {
    name: "serde_json typed, one pass",
    note: "simdutf8, then from_str; lends no slices of params, _meta and result",
    run,
    role: Role::Reader,
};

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Text<'a>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Text<'a>>,
    #[serde(borrow)]
    params: Option<Params<'a>>,
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, rename = "_meta")]
    meta: Option<Meta<'a>>,
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

fn run(frame: &Frame, _: &mut Scratch) -> Option<Digest> {
    let text = simdutf8::basic::from_utf8(&frame.bytes).ok()?;
    let envelope: Envelope<'_> = serde_json::from_str(text).ok()?;
    if envelope.jsonrpc.0 != "2.0" {
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
        let version = params.meta.and_then(|meta| meta.version);
        found.version = version.map_or(0, |version| mark(&version.0));
        if found.version == 0
            && let (Some(version), Some(method)) = (&params.version, &envelope.method)
            && method.0 == "initialize"
        {
            found.version = mark(&version.0);
        }
        found.name = params.name.or(params.uri).map_or(0, |name| mark(&name.0));
    }
    black_box((envelope.result, envelope.error));
    Some(found)
}
