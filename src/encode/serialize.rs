//! The user's types as values, by `serde_json`.

use super::object::{Array, Object};
use crate::json::RawJson;
use alloc::string::String;
use core::fmt;
use serde::Serialize;
use std::io;

/// Writes a value of a user's type as JSON into a string of the caller's, in place of what was there, and lends it: to be the
/// params, the result or the data of a message. Compact, as [`serde_json::to_writer`] writes it; used again, the string does
/// not allocate.
///
/// # Errors
/// What the type's implementation of `Serialize` says, or a map whose keys are no strings. The string is empty then.
///
/// ```
/// use rpcslice::encode::serialize;
///
/// let mut scratch = String::new();
/// let value = serialize(&vec![("a", 1.5)], &mut scratch)?;
/// assert_eq!(value.raw(), r#"[["a",1.5]]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn serialize<'s, T: Serialize + ?Sized>(
    value: &T,
    scratch: &'s mut String,
) -> Result<RawJson<'s>, serde_json::Error> {
    scratch.clear();
    push(value, scratch)?;
    Ok(RawJson::from_checked(scratch))
}

/// Behind what is there, which is all that is left after an error.
fn push<T: Serialize + ?Sized>(value: &T, out: &mut String) -> Result<(), serde_json::Error> {
    let before = out.len();
    serde_json::to_writer(Text(out), value).inspect_err(|_| out.truncate(before))
}

/// Takes what `serde_json` writes: whole pieces of text at a time.
struct Text<'s>(&'s mut String);

impl io::Write for Text<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let text = core::str::from_utf8(piece);
        let text = text.map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        self.0.push_str(text);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Object<'_> {
    /// Writes a value of a user's type, as [`serialize`] does.
    ///
    /// # Errors
    /// As there. The member is not written then.
    pub fn serialize<T: Serialize + ?Sized>(
        &mut self,
        name: &str,
        value: &T,
    ) -> Result<&mut Self, serde_json::Error> {
        let before = (self.out.len(), self.is_empty);
        self.name(name);
        if let Err(error) = push(value, self.out) {
            self.out.truncate(before.0);
            self.is_empty = before.1;
            return Err(error);
        }
        Ok(self)
    }
}

impl Array<'_> {
    /// Writes a value of a user's type, as [`serialize`] does.
    ///
    /// # Errors
    /// As there. The element is not written then.
    pub fn serialize<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
    ) -> Result<&mut Self, serde_json::Error> {
        let before = (self.out.len(), self.is_empty);
        self.place();
        if let Err(error) = push(value, self.out) {
            self.out.truncate(before.0);
            self.is_empty = before.1;
            return Err(error);
        }
        Ok(self)
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes)", self.0.len())
    }
}
