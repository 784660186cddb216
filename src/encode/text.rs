use bytes::BufMut;
use core::fmt;

/// Writes what is formatted as the inside of a JSON string.
pub(super) struct Escaped<'a, B>(pub(super) &'a mut B);

impl<B: BufMut> fmt::Write for Escaped<'_, B> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for b in text.bytes() {
            match b {
                b'"' | b'\\' => self.0.put_slice(&[b'\\', b]),
                0..0x20 => {
                    let digit = |d: u8| if d < 10 { b'0' + d } else { b'a' + d - 10 };
                    self.0
                        .put_slice(&[b'\\', b'u', b'0', b'0', digit(b >> 4), digit(b & 15)]);
                }
                _ => self.0.put_u8(b),
            }
        }
        Ok(())
    }
}

/// Writes what is formatted as it is.
pub(super) struct Plain<'a, B>(pub(super) &'a mut B);

impl<B: BufMut> fmt::Write for Plain<'_, B> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.put_slice(text.as_bytes());
        Ok(())
    }
}

/// Writes well-formed JSON as it is, but with spaces in place of line breaks: those can only stand between tokens.
pub(super) struct OneLine<'a, B>(pub(super) &'a mut B);

impl<B: BufMut> fmt::Write for OneLine<'_, B> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text.as_bytes();
        while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
            let (line, after) = rest.split_at(at);
            self.0.put_slice(line);
            self.0.put_u8(b' ');
            rest = after.get(1..).unwrap_or(&[]);
        }
        self.0.put_slice(rest);
        Ok(())
    }
}
