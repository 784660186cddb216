//! jiter's iterator, driven by hand: one pass, and slices where they are wanted.

use std::hint::black_box;

use jiter::{Jiter, JiterError};

use super::{Rival, Role, Scratch, VERSION_KEY};
use crate::digest::{Digest, mark, mark_id};
use crate::load::Frame;

pub const RIVAL: Rival = Rival {
    name: "jiter + simdutf8",
    note: "simdutf8 first, for jiter's skip doesn't check UTF-8; infinities and NaN refused",
    run,
    role: Role::Reader,
};

fn run(frame: &Frame, _: &mut Scratch) -> Option<Digest> {
    simdutf8::basic::from_utf8(&frame.bytes).ok()?;
    read(&frame.bytes).ok()?
}

/// What an object is walked for. A key borrows the iterator, so it has to become one of these before the value is read.
#[derive(Clone, Copy)]
enum Member {
    Jsonrpc,
    Id,
    Method,
    Params,
    Meta,
    Name,
    Uri,
    Version,
    Other,
}

fn of_envelope(key: &str) -> Member {
    match key {
        "jsonrpc" => Member::Jsonrpc,
        "id" => Member::Id,
        "method" => Member::Method,
        "params" => Member::Params,
        _ => Member::Other,
    }
}

fn of_params(key: &str) -> Member {
    match key {
        "_meta" => Member::Meta,
        "name" => Member::Name,
        "uri" => Member::Uri,
        "protocolVersion" => Member::Version,
        _ => Member::Other,
    }
}

fn of_meta(key: &str) -> Member {
    match key {
        VERSION_KEY => Member::Version,
        _ => Member::Other,
    }
}

fn read(bytes: &[u8]) -> Result<Option<Digest>, JiterError> {
    let mut json = Jiter::new(bytes);
    let mut found = Digest::default();
    let (mut is_versioned, mut is_initialize) = (false, false);
    let mut inside = Inside::default();
    let mut key = json.next_object()?.map(of_envelope);
    while let Some(member) = key {
        match member {
            Member::Jsonrpc => is_versioned = json.next_str()? == "2.0",
            Member::Method => {
                let method = json.next_str()?;
                is_initialize = method == "initialize";
                found.method = mark(method);
            }
            Member::Id => {
                let text = skip(&mut json)?;
                match std::str::from_utf8(text).ok().and_then(mark_id) {
                    Some(id) => found.id = id,
                    None => return Ok(None),
                }
            }
            Member::Params => inside = params(&mut json)?,
            _ => {
                black_box(skip(&mut json)?);
            }
        }
        key = json.next_key()?.map(of_envelope);
    }
    json.finish()?;
    found.version = match inside.meta_version {
        0 if is_initialize => inside.version,
        version => version,
    };
    found.name = match inside.name {
        0 => inside.uri,
        name => name,
    };
    Ok(is_versioned.then_some(found))
}

#[derive(Default)]
struct Inside {
    name: u64,
    uri: u64,
    version: u64,
    meta_version: u64,
}

fn params(json: &mut Jiter<'_>) -> Result<Inside, JiterError> {
    let mut inside = Inside::default();
    json.peek()?;
    let start = json.current_index();
    let mut key = json.next_object()?.map(of_params);
    while let Some(member) = key {
        match member {
            Member::Name => inside.name = mark(json.next_str()?),
            Member::Uri => inside.uri = mark(json.next_str()?),
            Member::Version => inside.version = mark(json.next_str()?),
            Member::Meta => inside.meta_version = meta(json)?,
            _ => json.next_skip()?,
        }
        key = json.next_key()?.map(of_params);
    }
    black_box(json.slice_to_current(start));
    Ok(inside)
}

fn meta(json: &mut Jiter<'_>) -> Result<u64, JiterError> {
    let mut version = 0;
    json.peek()?;
    let start = json.current_index();
    let mut key = json.next_object()?.map(of_meta);
    while let Some(member) = key {
        match member {
            Member::Version => version = mark(json.next_str()?),
            _ => json.next_skip()?,
        }
        key = json.next_key()?.map(of_meta);
    }
    black_box(json.slice_to_current(start));
    Ok(version)
}

/// The bytes of the next value, passed over.
fn skip<'j>(json: &mut Jiter<'j>) -> Result<&'j [u8], JiterError> {
    json.peek()?;
    let start = json.current_index();
    json.next_skip()?;
    Ok(json.slice_to_current(start))
}
