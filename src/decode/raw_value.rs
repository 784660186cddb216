//! [`RawJson`] and `serde_json`'s `RawValue`, which is the same thing by another name: both ways, byte for byte.

use crate::json::RawJson;
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

/// A `RawValue` is well-formed JSON without white space around: `serde_json` has checked it.
impl<'a> From<&'a RawValue> for RawJson<'a> {
    fn from(value: &'a RawValue) -> Self {
        Self::from_checked(value.get())
    }
}

impl<'a> RawJson<'a> {
    /// The value as `serde_json` has it. It can't take our word for it, and checks it: one pass, no allocation.
    ///
    /// # Errors
    /// None in practice: it takes whatever this crate takes.
    pub fn to_raw_value(&self) -> Result<&'a RawValue, serde_json::Error> {
        serde_json::from_str(self.raw())
    }
}

/// Byte for byte, where the serializer is one of `serde_json`; see [`RawJson::to_raw_value`] for the cost.
impl Serialize for RawJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_raw_value()
            .map_err(S::Error::custom)?
            .serialize(serializer)
    }
}

/// Borrowed, byte for byte, where the deserializer is one of `serde_json` over bytes that it can lend.
impl<'de: 'a, 'a> Deserialize<'de> for RawJson<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(Self::from)
    }
}
