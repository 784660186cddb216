//! Edits as they stand in an input: a letter for what changes, and what comes in its place.

use crate::mutator::{dictionary, json, raw};
use crate::oracle::{names, tree};
use crate::rng::Rng;

#[derive(Clone, Debug)]
pub enum One {
    Id(String),
    Method(String),
    Params(String),
    Result(String),
    MetaText(String, String),
    MetaRaw(String, String),
    MetaRemoved(String),
    MetaDropped,
    MemberText(String, String),
    MemberRaw(String, String),
    MemberRemoved(String),
    NoParams,
}

impl One {
    /// `None` if it is none. Whether values are what they have to be is not looked at.
    pub fn of(part: &[u8]) -> Option<Self> {
        let (letter, operand) = part.split_first()?;
        let text = std::str::from_utf8(operand).ok()?.to_owned();
        let pair = || {
            let (key, value) = text.split_once('=')?;
            Some((key.to_owned(), value.to_owned()))
        };
        Some(match letter {
            b'i' => Self::Id(text),
            b'm' => Self::Method(text),
            b'p' => Self::Params(text),
            b'r' => Self::Result(text),
            b't' => {
                let (key, value) = pair()?;
                Self::MetaText(key, value)
            }
            b'j' => {
                let (key, value) = pair()?;
                Self::MetaRaw(key, value)
            }
            b'x' => Self::MetaRemoved(text),
            b'd' => Self::MetaDropped,
            b'T' => {
                let (name, value) = pair()?;
                Self::MemberText(name, value)
            }
            b'J' => {
                let (name, value) = pair()?;
                Self::MemberRaw(name, value)
            }
            b'X' => Self::MemberRemoved(text),
            b'n' => Self::NoParams,
            _ => return None,
        })
    }
}

/// An edit of this frame: mostly one for which there is a place.
pub fn fresh(frame: &[u8], rng: &mut Rng) -> Vec<u8> {
    let Shape {
        keys,
        names,
        is_response,
        has_id,
    } = shape(frame);
    let letters = match (is_response, has_id) {
        _ if rng.once_in(64) => "imprtjxdTJXn",
        (true, _) => "irtjxtjxdTJX",
        (false, true) => "imptjxtjxdTJXn",
        (false, false) => "mptjxtjxdTJXn",
    };
    let letter = *rng.pick(letters.as_bytes()).unwrap_or(&b'x');
    let operand = match letter {
        b'i' => match rng.below(3) {
            0 => rng.word().to_string().into_bytes(),
            _ => rng.pick(&dictionary().strings).cloned().unwrap_or_default(),
        },
        b'm' => raw::piece(rng),
        b'p' | b'r' => section(frame, rng),
        b'd' | b'n' => Vec::new(),
        letter => {
            let there = if letter.is_ascii_uppercase() {
                &names
            } else {
                &keys
            };
            let key = key(there, rng).into_bytes();
            match letter.to_ascii_lowercase() {
                b't' => [key, raw::piece(rng)].join(&b'='),
                b'j' => [key, json::fresh_value(rng)].join(&b'='),
                _ => key,
            }
        }
    };
    [&[letter], &operand[..]].concat()
}

/// What there is to be edited in a frame.
struct Shape {
    /// Of its `_meta`.
    keys: Vec<String>,
    /// Of its params or result.
    names: Vec<String>,
    is_response: bool,
    has_id: bool,
}

fn shape(frame: &[u8]) -> Shape {
    let mut shape = Shape {
        keys: Vec::new(),
        names: Vec::new(),
        is_response: false,
        has_id: true,
    };
    let Some((text, root)) = std::str::from_utf8(frame)
        .ok()
        .and_then(|text| Some((text, tree::root(text)?)))
    else {
        return shape;
    };
    let members = tree::members(text, &root).unwrap_or_default();
    let has = |name: &str| crate::oracle::added::find(&members, name);
    let named = |member: &tree::Member| String::from_utf16_lossy(&member.name);
    for section in has("params").into_iter().chain(has("result")) {
        let members = tree::members(text, &section.value).unwrap_or_default();
        shape.names.extend(members.iter().map(named));
        let meta = crate::oracle::added::find(&members, "_meta");
        let keys = meta.and_then(|meta| tree::members(text, &meta.value));
        shape
            .keys
            .extend(keys.unwrap_or_default().iter().map(named));
    }
    shape.is_response = has("result").or(has("error")).is_some();
    shape.has_id = has("id").is_some();
    shape
}

fn key(there: &[String], rng: &mut Rng) -> String {
    let reserved = names::META[rng.below(names::META.len())].0;
    match (rng.below(8), rng.pick(there)) {
        (0..=4, Some(key)) => key.clone(),
        (5, _) => String::from_utf8_lossy(&raw::piece(rng)).into_owned(),
        (6, _) => ["k", "", "a.b/c", "_x", "com.example/k"][rng.below(5)].to_owned(),
        _ => reserved.to_owned(),
    }
}

/// Params or a result: some, or those of the frame changed.
fn section(frame: &[u8], rng: &mut Rng) -> Vec<u8> {
    let text = String::from_utf8_lossy(frame);
    let there = tree::root(&text).and_then(|root| {
        let members = tree::members(&text, &root)?;
        let names = ["params", "result"].into_iter();
        let mut found = names.filter_map(|name| crate::oracle::added::find(&members, name));
        Some(text[found.next()?.value.clone()].as_bytes().to_vec())
    });
    match there {
        Some(mut there) if rng.once_in(2) => {
            json::edit(&mut there, rng);
            there
        }
        _ => match rng.below(4) {
            0 => b"{ }".to_vec(),
            1 => b"{\"_meta\": {\"k\":[1, 2],\r\n\"progressToken\" : 1 }}".to_vec(),
            2 => b"{ \"a\":1.50,\"_m\\u0065ta\":{}}".to_vec(),
            _ => json::fresh_value(rng),
        },
    }
}
