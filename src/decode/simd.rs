//! The same by `simd-json`, which is faster on text with escapes and needs bytes of its own to write into.

use super::DecodeError;
use crate::json::RawJson;
use crate::message::MessageBuf;
use alloc::vec::Vec;
use bytes::BytesMut;
use core::fmt;
use serde::Deserialize;
use simd_json::Buffers;

/// What [`RawJson::decode_simd`] works in: made once and used again, it does not allocate.
pub struct SimdScratch {
    copy: Vec<u8>,
    buffers: Buffers,
}

impl SimdScratch {
    /// Empty.
    #[must_use]
    pub fn new() -> Self {
        Self {
            copy: Vec::new(),
            buffers: Buffers::default(),
        }
    }
}

impl Default for SimdScratch {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for SimdScratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SimdScratch({} bytes)", self.copy.capacity())
    }
}

impl<'a> RawJson<'a> {
    /// Decodes the value by `simd-json`, out of a copy in the scratch, from which the type can borrow. A copy and two passes.
    ///
    /// # Errors
    /// As [`decode`](Self::decode), and integers that neither `i64` nor `u64` can hold.
    ///
    /// ```
    /// use rpcslice::RawJson;
    /// use rpcslice::decode::SimdScratch;
    ///
    /// let mut scratch = SimdScratch::new();
    /// let value = RawJson::parse(br#"{"a":[1,2],"\u0062":"c\n"}"#)?;
    /// let tree: simd_json::OwnedValue = value.decode_simd(&mut scratch).unwrap();
    /// assert_eq!(tree, simd_json::json!({"a": [1, 2], "b": "c\n"}));
    /// # Ok::<(), rpcslice::json::SyntaxError>(())
    /// ```
    pub fn decode_simd<'s, T>(&self, scratch: &'s mut SimdScratch) -> Result<T, DecodeError>
    where
        T: Deserialize<'s>,
        'a: 's,
    {
        let SimdScratch { copy, buffers } = scratch;
        copy.clear();
        copy.extend_from_slice(self.as_bytes());
        simd_json::serde::from_slice_with_buffers(copy, buffers).map_err(|error| {
            // `serde_json` knows the path, but of what it would have taken.
            let found = DecodeError::find::<T>(self.raw());
            found.unwrap_or_else(|| DecodeError::new("", error.index(), error))
        })
    }
}

/// JSON that was checked and is owned: the params or the result of a [`MessageBuf`], to be decoded in place.
#[derive(Clone)]
pub struct OwnedJson {
    bytes: BytesMut,
    is_spent: bool,
}

impl MessageBuf {
    /// The params alone, as bytes of their own: without a copy if nothing else shares the frame's memory, or else by one.
    #[must_use]
    pub fn into_params(self) -> Option<OwnedJson> {
        let params = self.params_bytes()?;
        Some(OwnedJson::of(self, params))
    }

    /// The result alone, as [`into_params`](Self::into_params).
    #[must_use]
    pub fn into_result(self) -> Option<OwnedJson> {
        let result = self.result_bytes()?;
        Some(OwnedJson::of(self, result))
    }
}

impl OwnedJson {
    fn of(message: MessageBuf, part: bytes::Bytes) -> Self {
        // Now `part` may be the only one that has the memory.
        drop(message);
        let bytes = part
            .try_into_mut()
            .unwrap_or_else(|shared| BytesMut::from(&shared[..]));
        Self {
            bytes,
            is_spent: false,
        }
    }

    /// Decodes the value in place: its bytes are written over, and what the type borrows is borrowed from them. No copy.
    ///
    /// # Errors
    /// What is not what the type expects; without a path, since the bytes are no JSON any more. A second time.
    pub fn decode_simd<'b, T: Deserialize<'b>>(
        &'b mut self,
        scratch: &mut SimdScratch,
    ) -> Result<T, DecodeError> {
        if core::mem::replace(&mut self.is_spent, true) {
            return Err(DecodeError::new("", 0, "the value was decoded before"));
        }
        simd_json::serde::from_slice_with_buffers(&mut self.bytes, &mut scratch.buffers)
            .map_err(|error| DecodeError::new("", error.index(), error))
    }
}

impl fmt::Debug for OwnedJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OwnedJson({} bytes)", self.bytes.len())
    }
}
