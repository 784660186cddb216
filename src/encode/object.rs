//! Values built of pieces, in the caller's buffer.

use crate::json::{RawJson, escape};
use alloc::string::String;
use core::fmt::{self, Write};

/// An object written member by member into a string of the caller's, which is then lent as a [`RawJson`]: the params or the
/// result of a message, or anything in one.
///
/// Every value is JSON by its type: text is escaped, raw values are known to be well-formed. Names are written in their
/// order, and nothing looks for one that is there twice; where it would decide something, [`Writer`](super::Writer) refuses
/// it. The string is cleared first and grows as it does; used again, it does not allocate. A function that fills it and panics
/// leaves nothing behind of what it was to fill.
///
/// ```
/// use rpcslice::RawJson;
/// use rpcslice::encode::Object;
///
/// let structured = RawJson::parse(br#"{"n":1.50}"#)?;
/// let mut scratch = String::new();
/// let result = Object::build(&mut scratch, |result| {
///     result.array("content", |blocks| {
///         blocks.object(|block| {
///             block.text("type", "text").format("text", format_args!("{} \"hits\"", 3));
///         });
///     });
///     result.raw("structuredContent", structured).bool("isError", false);
/// });
/// assert_eq!(
///     result.raw(),
///     r#"{"content":[{"type":"text","text":"3 \"hits\""}],"structuredContent":{"n":1.50},"isError":false}"#
/// );
/// # Ok::<(), rpcslice::json::SyntaxError>(())
/// ```
pub struct Object<'s> {
    out: &'s mut String,
    is_empty: bool,
}

/// An array written element by element; see [`Object`].
pub struct Array<'s> {
    out: &'s mut String,
    is_empty: bool,
}

impl Object<'_> {
    /// An object in a string, in place of what was there, filled by the function and lent for as long as the string is left
    /// alone.
    pub fn build(out: &mut String, fill: impl FnOnce(&mut Object<'_>)) -> RawJson<'_> {
        out.clear();
        fill_object(out, fill);
        RawJson::from_checked(out)
    }

    /// As [`build`](Self::build), by a function that may fail.
    ///
    /// # Errors
    /// The function's. The string is empty then.
    pub fn try_build<E>(
        out: &mut String,
        fill: impl FnOnce(&mut Object<'_>) -> Result<(), E>,
    ) -> Result<RawJson<'_>, E> {
        let mut filled = Ok(());
        Self::build(out, |object| filled = fill(object));
        match filled {
            Ok(()) => Ok(RawJson::from_checked(out)),
            Err(error) => {
                out.clear();
                Err(error)
            }
        }
    }

    /// A member: all of it or, where that fails or panics, nothing.
    pub(super) fn member<E>(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut String) -> Result<(), E>,
    ) -> Result<&mut Self, E> {
        let comma = if self.is_empty { "" } else { "," };
        let written = whole(self.out, |out| {
            out.push_str(comma);
            push_text(out, name);
            out.push(':');
            write(out)
        });
        written.map(|()| {
            self.is_empty = false;
            self
        })
    }

    pub(super) fn len(&self) -> usize {
        self.out.len()
    }
}

impl Array<'_> {
    /// An array in a string, in place of what was there, filled by the function and lent for as long as the string is left alone.
    pub fn build(out: &mut String, fill: impl FnOnce(&mut Array<'_>)) -> RawJson<'_> {
        out.clear();
        fill_array(out, fill);
        RawJson::from_checked(out)
    }

    /// An element: all of it or, where that fails or panics, nothing.
    pub(super) fn element<E>(
        &mut self,
        write: impl FnOnce(&mut String) -> Result<(), E>,
    ) -> Result<&mut Self, E> {
        let comma = if self.is_empty { "" } else { "," };
        let written = whole(self.out, |out| {
            out.push_str(comma);
            write(out)
        });
        written.map(|()| {
            self.is_empty = false;
            self
        })
    }

    pub(super) fn len(&self) -> usize {
        self.out.len()
    }
}

/// Writes all of something, or nothing.
fn whole<E>(out: &mut String, write: impl FnOnce(&mut String) -> Result<(), E>) -> Result<(), E> {
    /// Takes back what was written, unless that was all.
    struct Guard<'s> {
        out: &'s mut String,
        before: usize,
        is_whole: bool,
    }

    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            if !self.is_whole {
                self.out.truncate(self.before);
            }
        }
    }

    let mut guard = Guard {
        before: out.len(),
        out,
        is_whole: false,
    };
    write(guard.out)?;
    guard.is_whole = true;
    Ok(())
}

/// The same values as members of an object and as elements of an array.
macro_rules! values {
    ($($(#[$doc:meta])* $method:ident($value:ident: $type:ty) $write:expr;)*) => {
        impl Object<'_> {
            $(
                $(#[$doc])*
                pub fn $method(&mut self, name: &str, $value: $type) -> &mut Self {
                    let written = self.member(name, |out| {
                        $write(out, $value);
                        Ok::<(), core::convert::Infallible>(())
                    });
                    match written {
                        Ok(object) => object,
                        Err(never) => match never {},
                    }
                }
            )*
        }

        impl Array<'_> {
            $(
                $(#[$doc])*
                pub fn $method(&mut self, $value: $type) -> &mut Self {
                    let written = self.element(|out| {
                        $write(out, $value);
                        Ok::<(), core::convert::Infallible>(())
                    });
                    match written {
                        Ok(array) => array,
                        Err(never) => match never {},
                    }
                }
            )*
        }
    };
}

values! {
    /// Writes a value as it is, byte for byte.
    raw(value: RawJson<'_>) |out: &mut String, value: RawJson<'_>| out.push_str(value.raw());
    /// Writes a string, escaped.
    text(value: &str) push_text;
    /// Writes what is formatted, as a string, escaped. What an implementation of `Display` writes before it fails stays.
    format(value: fmt::Arguments<'_>) push_formatted;
    /// Writes an integer.
    integer(value: i64) |out: &mut String, value: i64| { let _ = write!(out, "{value}"); };
    /// Writes an integer.
    unsigned(value: u64) |out: &mut String, value: u64| { let _ = write!(out, "{value}"); };
    /// Writes a number that reads back as the same one; `null` if it is none that JSON has (RFC 8259 section 6), as most
    /// libraries do.
    float(value: f64) push_float;
    /// Writes `true` or `false`.
    bool(value: bool) |out: &mut String, value: bool| out.push_str(if value { "true" } else { "false" });
    /// Writes an object that is filled by the function.
    object(fill: impl FnOnce(&mut Object<'_>)) |out: &mut String, fill: _| fill_object(out, fill);
    /// Writes an array that is filled by the function.
    array(fill: impl FnOnce(&mut Array<'_>)) |out: &mut String, fill: _| fill_array(out, fill);
}

impl Object<'_> {
    /// Writes `null`.
    pub fn null(&mut self, name: &str) -> &mut Self {
        self.raw(name, RawJson::from_checked("null"))
    }
}

impl Array<'_> {
    /// Writes `null`.
    pub fn null(&mut self) -> &mut Self {
        self.raw(RawJson::from_checked("null"))
    }
}

fn fill_object(out: &mut String, fill: impl FnOnce(&mut Object<'_>)) {
    out.push('{');
    fill(&mut Object {
        out,
        is_empty: true,
    });
    // Into this string, whatever the function has made of the object.
    out.push('}');
}

fn fill_array(out: &mut String, fill: impl FnOnce(&mut Array<'_>)) {
    out.push('[');
    fill(&mut Array {
        out,
        is_empty: true,
    });
    out.push(']');
}

/// A string token.
pub(super) fn push_text(out: &mut String, text: &str) {
    out.push('"');
    escape(text, |piece| out.push_str(piece));
    out.push('"');
}

fn push_formatted(out: &mut String, text: fmt::Arguments<'_>) {
    struct Inside<'a>(&'a mut String);

    impl fmt::Write for Inside<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            escape(text, |piece| self.0.push_str(piece));
            Ok(())
        }
    }

    out.push('"');
    let _ = Inside(out).write_fmt(text);
    out.push('"');
}

/// The `Debug` form of a finite number is one of JSON: `1.0`, `-0.5`, `1e300`.
fn push_float(out: &mut String, number: f64) {
    let _ = match number.is_finite() {
        true => write!(out, "{number:?}"),
        false => out.write_str("null"),
    };
}

/// Its length: what is in it is payload.
impl fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Object({} bytes)", self.len())
    }
}

/// Its length: what is in it is payload.
impl fmt::Debug for Array<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({} bytes)", self.len())
    }
}
