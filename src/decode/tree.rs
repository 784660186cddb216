//! A tree of a value as it is read by everybody. That of `serde_json` takes an object with one member of a certain name for
//! something else, where its feature `raw_value` is on: `{"$serde_json::private::RawValue":"[1]"}` becomes `[1]`. Who judges a
//! message by such a tree judges another one than is passed on.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

pub(super) struct Tree(pub(super) Value);

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor).map(Self)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Tree(value)) = elements.next_element()? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((name, Tree(value))) = members.next_entry::<String, Tree>()? {
            if let (NUMBER, Value::String(digits)) = (&*name, &value)
                && let Some(number) = exact(digits)
            {
                return Ok(number);
            }
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}

/// By this name `serde_json` gives numbers to visitors, where some crate of the build turns on its `arbitrary_precision`.
const NUMBER: &str = "$serde_json::private::Number";

#[cold]
fn exact(digits: &str) -> Option<Value> {
    // No other build reads this as a number, and there the name is one like any other.
    let is_on = serde_json::from_str::<Value>("1e999").is_ok();
    let number = is_on.then(|| digits.parse().ok())??;
    Some(Value::Number(number))
}
