//! The independent reading of a message: `std` for UTF-8, `serde_json` for the rest, member by member as raw text and
//! without a recursion limit. Never `serde_json::Value`, which refuses what is well-formed: 128 levels, lone
//! surrogates, `1e400`.

use rpcslice::json::JsonStr;
use rpcslice::{Message, View};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// What a message says, each part in the bytes it came in; names are decoded.
#[derive(Debug, PartialEq)]
pub struct Reading<'a> {
    pub kind: &'static str,
    pub id: Option<&'a str>,
    pub method: Option<String>,
    pub params: Option<&'a str>,
    pub result: Option<&'a str>,
    pub meta: Option<&'a str>,
    pub name: Option<String>,
    pub code: Option<String>,
}

/// The members of an object in order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        let mut found = self.0.iter().filter(|(key, _)| key == name);
        let value = found.next().map(|(_, value)| value.get());
        assert!(found.next().is_none(), "{name} stands there twice");
        value
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Vec<(&'de RawValue, &'de RawValue)>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        let members = deserializer.deserialize_map(Collect)?;
        let named = members
            .into_iter()
            .map(|(name, value)| (text(name.get()), value));
        Ok(Members(named.collect()))
    }
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let value = T::deserialize(&mut deserializer).map_err(|error| error.to_string())?;
    deserializer.end().map_err(|error| error.to_string())?;
    Ok(value)
}

/// The members of a value that may be no object.
fn members(value: Option<&str>) -> Result<Members<'_>, String> {
    match value {
        Some(text) if text.starts_with('{') => parse(text),
        _ => Ok(Members(Vec::new())),
    }
}

/// A string after unescaping. One with a lone surrogate is no text and stands for itself, escapes and quotes included.
fn text(string: &str) -> String {
    parse(string).unwrap_or_else(|_| string.to_owned())
}

/// A value that may be no string.
fn string(value: Option<&str>) -> Option<String> {
    value.filter(|value| value.starts_with('"')).map(text)
}

/// Reads a message.
pub fn read(frame: &[u8]) -> Result<Reading<'_>, String> {
    let text = std::str::from_utf8(frame).map_err(|error| error.to_string())?;
    let top: Members<'_> = parse(text)?;
    let (params, result) = (top.get("params"), top.get("result"));
    let has = |name| top.get(name).is_some();
    let kind = match (has("method"), has("id"), has("result"), has("error")) {
        (true, true, false, false) => "request",
        (true, false, false, false) => "notification",
        (false, true, true, false) => "result",
        (false, _, false, true) => "error",
        _ => return Err("a message of no kind".to_owned()),
    };
    let inner = members(params)?;
    Ok(Reading {
        kind,
        // An error response may say `null` where there is no id.
        id: top.get("id").filter(|id| *id != "null"),
        method: string(top.get("method")),
        params,
        result,
        meta: inner
            .get("_meta")
            .or(members(result)?.get("_meta"))
            .filter(|meta| meta.starts_with('{')),
        name: string(inner.get("name")),
        code: members(top.get("error"))?.get("code").map(str::to_owned),
    })
}

impl<'a> Reading<'a> {
    /// What the crate says of a message.
    pub fn of(message: &Message<'a>) -> Self {
        let code = match message.view() {
            View::Error(error) => Some(error.code()),
            _ => None,
        };
        Self {
            kind: message.kind().as_str(),
            id: message.id().map(|id| id.raw()),
            method: message.method().map(decoded),
            params: message.params().map(|params| params.raw()),
            result: message.result().map(|result| result.raw()),
            meta: message.meta().map(|meta| meta.raw().raw()),
            name: message.name().map(decoded),
            code: code.map(|code| code.to_string()),
        }
    }
}

/// As the independent reading has it: a string that is no text stands for itself.
fn decoded(string: JsonStr<'_>) -> String {
    match string.decode() {
        Ok(text) => text.into_owned(),
        Err(_) => string.raw().to_owned(),
    }
}
