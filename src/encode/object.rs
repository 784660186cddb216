//! Values built of pieces, in the caller's buffer.

use crate::json::{RawJson, escape};
use alloc::string::String;
use core::fmt::{self, Write};

/// An object written member by member into a string of the caller's, which is then lent as a [`RawJson`]: the params or the
/// result of a message, or anything in one.
///
/// Every value is JSON by its type: text is escaped, raw values are known to be well-formed. Names are written in their
/// order, and nothing looks for one that is there twice; where it would decide something, [`Writer`](super::Writer) refuses
/// it. The string is cleared first and grows as it does; used again, it does not allocate.
///
/// ```
/// use rpcslice::RawJson;
/// use rpcslice::encode::Object;
///
/// let mut scratch = String::new();
/// let mut result = Object::new(&mut scratch);
/// result.array("content", |blocks| {
///     blocks.object(|block| {
///         block.text("type", "text").format("text", format_args!("{} \"hits\"", 3));
///     });
/// });
/// result.raw("structuredContent", RawJson::parse(br#"{"n":1.50}"#)?).bool("isError", false);
/// assert_eq!(
///     result.finish().raw(),
///     r#"{"content":[{"type":"text","text":"3 \"hits\""}],"structuredContent":{"n":1.50},"isError":false}"#
/// );
/// # Ok::<(), rpcslice::json::SyntaxError>(())
/// ```
#[must_use = "`finish` gives the object"]
pub struct Object<'s> {
    pub(super) out: &'s mut String,
    pub(super) is_empty: bool,
}

/// An array written element by element; see [`Object`].
pub struct Array<'s> {
    pub(super) out: &'s mut String,
    pub(super) is_empty: bool,
}

impl<'s> Object<'s> {
    /// Begins an object in a string, in place of what was there.
    pub fn new(out: &'s mut String) -> Self {
        out.clear();
        Self::open(out)
    }

    /// An object in a string, in place of what was there, filled by the function and lent.
    ///
    /// ```
    /// use rpcslice::encode::Object;
    ///
    /// let mut scratch = String::new();
    /// let params = Object::build(&mut scratch, |params| {
    ///     params.text("uri", "file:///x");
    /// });
    /// assert_eq!(params.raw(), r#"{"uri":"file:///x"}"#);
    /// ```
    pub fn build(out: &'s mut String, fill: impl FnOnce(&mut Object<'_>)) -> RawJson<'s> {
        out.clear();
        fill_object(out, fill);
        RawJson::from_checked(out)
    }

    fn open(out: &'s mut String) -> Self {
        out.push('{');
        Self {
            out,
            is_empty: true,
        }
    }

    /// Ends it, and lends it for as long as the string is left alone.
    #[must_use]
    pub fn finish(self) -> RawJson<'s> {
        self.out.push('}');
        RawJson::from_checked(self.out)
    }

    pub(super) fn name(&mut self, name: &str) {
        if !core::mem::replace(&mut self.is_empty, false) {
            self.out.push(',');
        }
        push_text(self.out, name);
        self.out.push(':');
    }
}

impl<'s> Array<'s> {
    /// Begins an array in a string, in place of what was there.
    pub fn new(out: &'s mut String) -> Self {
        out.clear();
        Self::open(out)
    }

    fn open(out: &'s mut String) -> Self {
        out.push('[');
        Self {
            out,
            is_empty: true,
        }
    }

    /// Ends it, and lends it for as long as the string is left alone.
    #[must_use]
    pub fn finish(self) -> RawJson<'s> {
        self.out.push(']');
        RawJson::from_checked(self.out)
    }

    pub(super) fn place(&mut self) {
        if !core::mem::replace(&mut self.is_empty, false) {
            self.out.push(',');
        }
    }
}

/// The same values as members of an object and as elements of an array.
macro_rules! values {
    ($($(#[$doc:meta])* $method:ident($value:ident: $type:ty) $write:expr;)*) => {
        impl Object<'_> {
            $(
                $(#[$doc])*
                pub fn $method(&mut self, name: &str, $value: $type) -> &mut Self {
                    self.name(name);
                    $write(self.out, $value);
                    self
                }
            )*
        }

        impl Array<'_> {
            $(
                $(#[$doc])*
                pub fn $method(&mut self, $value: $type) -> &mut Self {
                    self.place();
                    $write(self.out, $value);
                    self
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
        self.name(name);
        self.out.push_str("null");
        self
    }
}

impl Array<'_> {
    /// Writes `null`.
    pub fn null(&mut self) -> &mut Self {
        self.place();
        self.out.push_str("null");
        self
    }
}

fn fill_object(out: &mut String, fill: impl FnOnce(&mut Object<'_>)) {
    fill(&mut Object::open(out));
    // Into this string, whatever the function has made of the object.
    out.push('}');
}

fn fill_array(out: &mut String, fill: impl FnOnce(&mut Array<'_>)) {
    fill(&mut Array::open(out));
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
        write!(f, "Object({} bytes)", self.out.len())
    }
}

/// Its length: what is in it is payload.
impl fmt::Debug for Array<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({} bytes)", self.out.len())
    }
}
