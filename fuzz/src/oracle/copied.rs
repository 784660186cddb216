//! What becomes of JSON that is copied into a message, as `Writer` documents it: one character at a time.

#[derive(Clone, Copy, Debug, Default)]
pub struct Copied {
    /// A line break, which can stand between tokens alone, is a space.
    pub one_line: bool,
    /// U+2028 and U+2029, which can stand in strings alone, are escapes.
    pub no_separators: bool,
}

impl Copied {
    pub fn of(self, text: &str) -> String {
        let mut copy = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '\n' | '\r' if self.one_line => copy.push(' '),
                '\u{2028}' if self.no_separators => copy.push_str("\\u2028"),
                '\u{2029}' if self.no_separators => copy.push_str("\\u2029"),
                c => copy.push(c),
            }
        }
        copy
    }

    /// Whether a text is such a copy.
    pub fn holds(self, text: &str) -> bool {
        self.of(text) == text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_and_what_does_not() {
        let text = "[\r\n\"\u{2028}\\n\u{2029}\u{202a}\"]";
        let copied = Copied {
            one_line: true,
            no_separators: true,
        };
        assert_eq!(copied.of(text), "[  \"\\u2028\\n\\u2029\u{202a}\"]");
        assert!(Copied::default().holds(text) && !copied.holds(text));
    }
}
