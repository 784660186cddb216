//! sonic-rs with its counterpart of `RawValue`. It chooses its instruction set when it is compiled, so a default build
//! gets SSE2.

use std::borrow::Cow;
use std::hint::black_box;

use serde::Deserialize;
use sonic_rs::LazyValue;

use super::serde_raw::Text;
use super::{Rival, Role, Scratch};
use crate::digest::{Digest, mark, mark_id};
use crate::load::Frame;

pub const RIVAL: Rival = Rival {
    name: "sonic-rs LazyValue",
    note: "from_slice, with its UTF-8 check. What it passes over isn't fully checked",
    run,
    role: Role::Reader,
};

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow)]
    id: Option<LazyValue<'a>>,
    #[serde(borrow)]
    method: Option<Text<'a>>,
    #[serde(borrow)]
    params: Option<LazyValue<'a>>,
    #[serde(borrow)]
    result: Option<LazyValue<'a>>,
    #[serde(borrow)]
    error: Option<LazyValue<'a>>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, rename = "_meta")]
    meta: Option<LazyValue<'a>>,
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
    let envelope: Envelope<'_> = sonic_rs::from_slice(&frame.bytes).ok()?;
    if envelope.jsonrpc != "2.0" {
        return None;
    }
    let mut found = Digest::default();
    if let Some(method) = &envelope.method {
        found.method = mark(&method.0);
    }
    if let Some(id) = &envelope.id {
        found.id = mark_id(id.as_raw_str())?;
    }
    if let Some(params) = &envelope.params {
        let params: Params<'_> = sonic_rs::from_str(params.as_raw_str()).ok()?;
        if let Some(meta) = &params.meta {
            let meta: Meta<'_> = sonic_rs::from_str(meta.as_raw_str()).ok()?;
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
    black_box((&envelope.params, &envelope.result, &envelope.error));
    Some(found)
}
