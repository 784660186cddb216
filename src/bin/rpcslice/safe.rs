//! Text from the wire made safe to show in a terminal, and how many columns it takes there.
//!
//! Nothing gets through that moves the cursor, sets a colour, reorders text or can't be seen.

use unicode_width::UnicodeWidthChar;

/// More combining marks on one character than any language needs; zalgo stops here.
const MAX_MARKS: usize = 3;

enum Class {
    /// Shown as it is, in so many columns.
    Plain(usize),
    /// Joins the character before it.
    Mark,
    /// A stand-in is shown.
    Hidden,
}

/// Whether a terminal shows `c` and does nothing else with it.
pub(crate) fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~') || !matches!(class(c), Class::Hidden)
}

/// Characters that Unicode counts as letters, marks or symbols and that show as nothing or as a blank.
const BLANK: [std::ops::RangeInclusive<char>; 9] = [
    '\u{34f}'..='\u{34f}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{e0100}'..='\u{e01ef}',
];

fn class(c: char) -> Class {
    match c {
        ' '..='~' => Class::Plain(1),
        _ if c.is_control() || BLANK.iter().any(|range| range.contains(&c)) => Class::Hidden,
        // What takes no column and joins nothing can't be seen either.
        _ if c.escape_debug().len() == 1 && c.width() == Some(0) => Class::Hidden,
        // The standard library's table of what is printable knows controls, format characters (bidi, zero width, tags),
        // odd spaces, private use and unassigned. On its own a combining mark is escaped as well.
        _ if c.escape_debug().len() == 1 => Class::Plain(c.width().unwrap_or(1)),
        _ if joins(c) => Class::Mark,
        _ => Class::Hidden,
    }
}

/// Whether `c` is printable behind another character.
fn joins(c: char) -> bool {
    let pair = String::from_iter(['x', c]);
    pair.escape_debug().count() == 2
}

/// Collects shown text and counts its columns.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) text: String,
    pub(crate) columns: usize,
    marks: usize,
}

impl Shown {
    pub(crate) fn new() -> Shown {
        Shown {
            text: String::new(),
            columns: 0,
            // There is nothing yet that a mark could join.
            marks: MAX_MARKS,
        }
    }

    pub(crate) fn push(&mut self, c: char) {
        match class(c) {
            Class::Plain(columns) => {
                self.text.push(c);
                self.columns += columns;
                self.marks = 0;
            }
            Class::Mark if self.marks < MAX_MARKS => {
                self.text.push(c);
                self.marks += 1;
            }
            Class::Mark | Class::Hidden => self.stand_in(c),
        }
    }

    /// A byte that is no part of UTF-8.
    pub(crate) fn push_byte(&mut self, byte: u8) {
        self.ascii(&format!("<{byte:02X}>"));
    }

    fn stand_in(&mut self, c: char) {
        let picture = match u32::from(c) {
            code @ 0..=0x1f => char::from_u32(0x2400 + code),
            0x7f => Some('\u{2421}'),
            _ => None,
        };
        match picture {
            Some(picture) => {
                self.text.push(picture);
                self.columns += 1;
                self.marks = MAX_MARKS;
            }
            None => self.ascii(&format!("<U+{:04X}>", u32::from(c))),
        }
    }

    fn ascii(&mut self, text: &str) {
        self.text.push_str(text);
        self.columns += text.len();
        self.marks = MAX_MARKS;
    }
}

/// All of `text`.
pub(crate) fn text(text: &str) -> String {
    let mut shown = Shown::new();
    text.chars().for_each(|c| shown.push(c));
    shown.text
}

/// All of `bytes`, which may be no UTF-8.
pub(crate) fn bytes(bytes: &[u8]) -> String {
    let mut shown = Shown::new();
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|c| shown.push(c));
        chunk.invalid().iter().for_each(|&b| shown.push_byte(b));
    }
    shown.text
}

/// As much of `text` as goes into so many columns (at least one); an ellipsis stands for the rest. Looks at no more of it
/// than that takes.
pub(crate) fn fit(text: &str, columns: usize) -> Shown {
    let mut shown = Shown::new();
    // Where to cut if it turns out that not all of it fits: there is room for the ellipsis.
    let mut cut = (0, 0);
    for c in text.chars() {
        shown.push(c);
        if shown.columns > columns {
            shown.text.truncate(cut.0);
            shown.text.push('…');
            shown.columns = cut.1 + 1;
            break;
        }
        if shown.columns < columns {
            cut = (shown.text.len(), shown.columns);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins() {
        for (raw, shown) in [
            ("plain ~", "plain ~"),
            ("\u{1b}[31mred", "␛[31mred"),
            ("a\0b\tc\rd\ne\u{7f}", "a␀b␉c␍d␊e␡"),
            ("\u{9b}2J", "<U+009B>2J"),
            ("\u{202e}evil\u{2066}", "<U+202E>evil<U+2066>"),
            (
                "\u{200b}\u{200d}\u{feff}\u{e0041}",
                "<U+200B><U+200D><U+FEFF><U+E0041>",
            ),
            ("\u{2028}\u{85}\u{a0}", "<U+2028><U+0085><U+00A0>"),
            ("é日本😀", "é日本😀"),
            ("e\u{301}", "e\u{301}"),
            ("\u{301}", "<U+0301>"),
            (
                "a\u{34f}\u{115f}\u{3164}\u{2800}",
                "a<U+034F><U+115F><U+3164><U+2800>",
            ),
            ("\u{1161}\u{fe0f}", "<U+1161><U+FE0F>"),
            (
                "e\u{301}\u{301}\u{301}\u{301}",
                "e\u{301}\u{301}\u{301}<U+0301>",
            ),
        ] {
            assert_eq!(text(raw), shown, "{raw:?}");
            assert_eq!(bytes(raw.as_bytes()), shown, "{raw:?}");
            // So that what is shown may be cut to its columns afterwards.
            assert_eq!(text(shown), shown);
        }
        assert_eq!(bytes(b"a\xff\x1b\xc3"), "a<FF>␛<C3>");
    }

    #[test]
    fn fits_to_the_column() {
        for (raw, columns, shown, taken) in [
            ("", 4, "", 0),
            ("abcd", 4, "abcd", 4),
            ("abcde", 4, "abc…", 4),
            ("日本", 4, "日本", 4),
            ("日本語", 4, "日…", 3),
            ("日本語", 5, "日本…", 5),
            ("a\u{202e}", 5, "a…", 2),
            ("a\u{202e}", 9, "a<U+202E>", 9),
            ("abc", 1, "…", 1),
            ("e\u{301}e\u{301}e", 2, "e\u{301}…", 2),
        ] {
            let fitted = fit(raw, columns);
            assert_eq!(
                (fitted.text.as_str(), fitted.columns),
                (shown, taken),
                "{raw:?}"
            );
        }
    }
}
