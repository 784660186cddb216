//! Params, results and other values into the user's types, through `serde`.
//!
//! A message that was parsed is well-formed, so what can go wrong here is that it is not what the type expects; the error
//! says which member. Everything is decoded out of the frame's own bytes: strings without an escape can be borrowed from it
//! (`&str`, or `Cow<str>` with `#[serde(borrow)]`), and a part that is not to be decoded yet can be kept as a [`RawJson`].
//! That is what pays most: of a `tools/call`, or of a list of tools, with what is open kept so, decoding takes a fraction of
//! what trees of it take.
//!
//! # Which decoder
//! `decode` (by `serde_json`) unless most of the value is text with escapes. How many times as fast `decode_simd` (feature
//! `simd-json`) is, with its copy, into `serde_json::Value` and into a type that fits:
//!
//! | value | tree | type |
//! |---|---|---|
//! | small: a call's params, 277 B | 0.8 | 0.7 |
//! | large and mixed: 74 KB of tools and their schemas | 1.0 | 1.0 |
//! | text with some escapes: source code, 21 KB | 1.0 | 1.1 |
//! | text full of escapes: JSON in a string, 183 KB | 1.5 | 1.6 |
//! | text beyond ASCII, 100 KB | 0.8 | 0.8 |
//! | text without escapes: base64, 1 MB | 0.6 | 0.6 |
//! | numbers, 200 KB | 0.9 | 1.0 |
//!
//! In place (`OwnedJson`) only the copy is saved, at most a tenth of the time. Measured by `cargo run --release
//! --manifest-path benches/rivals/Cargo.toml -- decode --rounds 41` on a Zen 5, with the project's corpus and `serde_json`'s
//! own features. Other processors have other figures; on this one, kept busy by others, those for escapes came out higher by
//! 0.2.
//!
//! They differ in fractions: `simd-json` takes the nearest `f64`; `serde_json` may take one beside it, unless some crate of
//! the build turns on its feature `float_roundtrip`. Of 17,424 numbers of the corpus 602 were off, by two units in the last
//! place at most.

//!
//! # Trees
//! Where a message is judged by a tree and passed on by its bytes, take [`RawJson::to_value`] and not `decode::<Value>()`: the
//! tree of `serde_json` takes an object with a member by the name `$serde_json::private::RawValue` for the value that is
//! written in it, which nobody else does.

mod error;
mod raw_value;
#[cfg(feature = "simd-json")]
mod simd;
mod tree;

pub use error::{DecodeError, DecodeErrorKind};
#[cfg(feature = "simd-json")]
pub use simd::{OwnedJson, SimdScratch};

use crate::json::RawJson;
use crate::message::Message;
use serde::Deserialize;
use tree::Tree;

impl<'a> RawJson<'a> {
    /// Decodes the value by `serde_json`, borrowing from it where the type can. One pass; a second one that looks for the
    /// member at fault, if there is one.
    ///
    /// # Errors
    /// The first member that is not what the type expects; also one that nests deeper than the 128 levels of `serde_json`.
    ///
    /// ```
    /// use rpcslice::RawJson;
    ///
    /// let value = RawJson::parse(br#"{"at":[1,2,"x"]}"#)?;
    /// let error = value.decode::<std::collections::HashMap<&str, [u8; 3]>>().unwrap_err();
    /// assert_eq!((error.path(), error.at(), error.code()), ("at[2]", 13, -32602));
    /// # Ok::<(), rpcslice::json::SyntaxError>(())
    /// ```
    pub fn decode<T: Deserialize<'a>>(&self) -> Result<T, DecodeError> {
        serde_json::from_str(self.raw()).map_err(|error| {
            let found = DecodeError::find::<T>(self.raw());
            found.unwrap_or_else(|| DecodeError::new("", 0, error))
        })
    }

    /// A tree of it, for those who want one. Numbers are those that `serde_json` has: integers beyond 64 bits, and fractions,
    /// become an `f64`; [not always the nearest](crate::decode#which-decoder).
    ///
    /// # Errors
    /// More than 128 levels, numbers beyond every `f64`, half a surrogate pair.
    pub fn to_value(&self) -> Result<serde_json::Value, DecodeError> {
        self.decode().map(|Tree(value)| value)
    }
}

impl<'a> Message<'a> {
    /// Decodes the params, as [`RawJson::decode`]; `{}` where there are none.
    ///
    /// # Errors
    /// The member of the params that is not what the type expects. Its [code](DecodeError::code) is that of invalid params.
    ///
    /// ```
    /// use rpcslice::{Message, RawJson};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Call<'a> {
    ///     name: &'a str,
    ///     #[serde(borrow)]
    ///     arguments: Option<RawJson<'a>>,
    /// }
    ///
    /// let msg = Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"n": 1.50}}}"#)?;
    /// let call: Call = msg.params_as().unwrap();
    /// assert_eq!((call.name, call.arguments.unwrap().raw()), ("x", r#"{"n": 1.50}"#));
    /// # Ok::<(), rpcslice::Error>(())
    /// ```
    pub fn params_as<T: Deserialize<'a>>(&self) -> Result<T, DecodeError> {
        let params = self.params();
        params.unwrap_or(RawJson::from_checked("{}")).decode()
    }

    /// Decodes the result, as [`RawJson::decode`]; `{}` in a message of another kind.
    ///
    /// # Errors
    /// The member of the result that is not what the type expects.
    pub fn result_as<T: Deserialize<'a>>(&self) -> Result<T, DecodeError> {
        let result = self.result();
        result.unwrap_or(RawJson::from_checked("{}")).decode()
    }

    /// A tree of the whole message, for those who want one; see [`RawJson::to_value`].
    ///
    /// # Errors
    /// As there.
    pub fn to_value(&self) -> Result<serde_json::Value, DecodeError> {
        self.as_raw().to_value()
    }
}
