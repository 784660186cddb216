//! [`RawJson`] and `serde_json`'s `RawValue`, which is the same thing by another name: both ways, byte for byte.

use crate::json::{RawJson, SyntaxError};
use crate::limits::Limits;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

/// A `RawValue` is well-formed JSON, but may nest deeper than any reader here goes. Checked in one pass.
impl<'a> TryFrom<&'a RawValue> for RawJson<'a> {
    type Error = SyntaxError;

    fn try_from(value: &'a RawValue) -> Result<Self, SyntaxError> {
        let limits = Limits::of_depth(Limits::HIGHEST_MAX_DEPTH);
        Self::parse_with(value.get().as_bytes(), &limits)
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

/// Borrowed, byte for byte, where the deserializer is one of `serde_json` over bytes that it can lend. Checked again, since no
/// other deserializer is to be trusted with what this type is known for.
impl<'de: 'a, 'a> Deserialize<'de> for RawJson<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = <&RawValue>::deserialize(deserializer)?;
        Self::try_from(value).map_err(D::Error::custom)
    }
}
