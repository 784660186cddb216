//! Text as it stands in a message: escaped within a string, or copied in front of a weak reader.

use crate::json;
use bytes::BufMut;
use core::fmt;

/// What may not stay as it is in what is copied, although it is well-formed JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Copying {
    /// Line breaks become spaces. In well-formed JSON they stand between tokens alone.
    pub(super) one_line: bool,
    /// U+2028 and U+2029 become escapes. In well-formed JSON they stand in strings alone.
    pub(super) no_separators: bool,
}

impl Copying {
    /// Gives out `text`, which is well-formed JSON or the inside of a string of it. One pass, or none.
    #[inline]
    pub(super) fn copy(self, text: &str, mut put: impl FnMut(&str)) {
        match self.changes(text) {
            false => put(text),
            true => self.copy_changed(text, put),
        }
    }

    /// Whether any byte of `text` becomes another. One pass, or none.
    #[inline]
    pub(super) fn changes(self, text: &str) -> bool {
        self.next_change(text.as_bytes()).is_some()
    }

    #[inline]
    fn next_change(self, bytes: &[u8]) -> Option<usize> {
        match (self.one_line, self.no_separators) {
            (false, false) => None,
            (true, false) => memchr::memchr2(b'\n', b'\r', bytes),
            (false, true) => memchr::memmem::find(bytes, "\u{2028}".as_bytes().split_last()?.1),
            (true, true) => {
                // `fuzz/prove` shows that fuzzing finds what that flag does here: a CR stays where no separator may.
                let cr = if cfg!(rpcslice_planted_bug) {
                    b'\n'
                } else {
                    b'\r'
                };
                memchr::memchr3(b'\n', cr, 0xE2, bytes)
            }
        }
    }

    #[cold]
    fn copy_changed(self, text: &str, mut put: impl FnMut(&str)) {
        // `rest` begins with a character; everything before `from` in it stays as it is.
        let (mut rest, mut from) = (text, 0);
        while let Some(at) = self.next_change(rest.as_bytes().get(from..).unwrap_or(&[])) {
            let at = from + at;
            let (kept, found) = rest.split_at(at);
            let (instead, len) = match found.as_bytes() {
                [b'\n' | b'\r', ..] => (" ", 1),
                _ if found.starts_with('\u{2028}') => (r"\u2028", 3),
                _ if found.starts_with('\u{2029}') => (r"\u2029", 3),
                // Another character of three bytes, of which the first is the same.
                _ => {
                    from = at + 3;
                    continue;
                }
            };
            put(kept);
            put(instead);
            rest = found.get(len..).unwrap_or("");
            from = 0;
        }
        put(rest);
    }
}

/// Gives out `text` as the inside of a JSON string, with U+2028 and U+2029 as escapes where they are not wanted. One pass.
pub(super) fn escape(text: &str, copying: Copying, mut put: impl FnMut(&str)) {
    match copying.no_separators {
        false => json::escape(text, put),
        true => json::escape(text, |piece| {
            let copying = Copying {
                one_line: false,
                ..copying
            };
            copying.copy(piece, &mut put);
        }),
    }
}

/// Writes what is formatted as the inside of a JSON string.
pub(super) struct Escaped<'a, B>(pub(super) &'a mut B, pub(super) Copying);

impl<B: BufMut> fmt::Write for Escaped<'_, B> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(text, self.1, |piece| self.0.put_slice(piece.as_bytes()));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str, no_separators: bool) -> String {
        let mut out = String::new();
        let copying = Copying {
            one_line: true,
            no_separators,
        };
        escape(text, copying, |piece| out.push_str(piece));
        out
    }

    #[test]
    fn separators_are_escaped_on_wish_and_their_neighbours_never() {
        let text = "\u{2027}\u{2028}\u{2029}\u{202a}\u{2028}x\u{e2}\u{20ac}\u{2029}";
        assert_eq!(escaped(text, false), text);
        let expected = "\u{2027}\\u2028\\u2029\u{202a}\\u2028x\u{e2}\u{20ac}\\u2029";
        assert_eq!(escaped(text, true), expected);
    }

    #[test]
    fn copies_change_what_they_are_told_to_and_nothing_else() {
        let text = "{\r\n\"a\":\t\"\u{2028}\u{20ac}\\n\"\n}";
        for (one_line, no_separators, expected) in [
            (false, false, text),
            (true, false, "{  \"a\":\t\"\u{2028}\u{20ac}\\n\" }"),
            (false, true, "{\r\n\"a\":\t\"\\u2028\u{20ac}\\n\"\n}"),
            (true, true, "{  \"a\":\t\"\\u2028\u{20ac}\\n\" }"),
        ] {
            let copying = Copying {
                one_line,
                no_separators,
            };
            let mut out = String::new();
            copying.copy(text, |piece| out.push_str(piece));
            assert_eq!(out, expected);
            assert_eq!(copying.changes(text), out != text);
        }
    }
}
