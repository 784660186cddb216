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
    let mut text = Text {
        out,
        held: [0; HELD],
        len: 0,
    };
    let written = serde_json::to_writer(&mut text, value);
    let written = written.and_then(|()| text.release().map_err(serde::ser::Error::custom));
    written.inspect_err(|_| text.out.truncate(before))
}

/// Takes what `serde_json` writes: whole pieces of text at a time, most of a few bytes. They are held back until there are
/// enough for it to pay to see that they are UTF-8.
struct Text<'s> {
    out: &'s mut String,
    held: [u8; HELD],
    /// Of what is held back.
    len: usize,
}

/// Bytes that are held back at most.
const HELD: usize = 256;

impl Text<'_> {
    fn release(&mut self) -> io::Result<()> {
        let held = self.held.get(..core::mem::take(&mut self.len));
        push_utf8(self.out, held.unwrap_or(&[]))
    }
}

fn push_utf8(out: &mut String, bytes: &[u8]) -> io::Result<()> {
    let text = core::str::from_utf8(bytes);
    out.push_str(text.map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?);
    Ok(())
}

impl io::Write for Text<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.write_all(piece)?;
        Ok(piece.len())
    }

    #[inline]
    fn write_all(&mut self, piece: &[u8]) -> io::Result<()> {
        let end = self.len + piece.len();
        if let Some(room) = self.held.get_mut(self.len..end) {
            room.copy_from_slice(piece);
            self.len = end;
            return Ok(());
        }
        self.release()?;
        match self.held.get_mut(..piece.len()) {
            Some(room) => {
                room.copy_from_slice(piece);
                self.len = piece.len();
                Ok(())
            }
            None => push_utf8(self.out, piece),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.release()
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
        self.member(name, |out| push(value, out))
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
        self.element(|out| push(value, out))
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes)", self.out.len() + self.len)
    }
}
