//! The text around a fault, with the column where the caret goes.

use crate::safe::Shown;

/// Enough bytes to fill a column: a character has up to four, and so have its combining marks.
const BYTES_PER_COLUMN: usize = 8;

#[derive(Debug, PartialEq)]
pub(crate) struct Excerpt {
    pub(crate) text: String,
    /// Columns before the fault.
    pub(crate) caret: usize,
}

/// One character as shown: where it begins in the frame, in the shown text, and at which column.
#[derive(Clone, Copy, Default)]
struct Cell {
    at: usize,
    byte: usize,
    column: usize,
}

/// What stands around the byte `at` of `frame`, in at most `columns` columns; the caret at the end of a frame needs one
/// more. Costs the same however long the frame is.
pub(crate) fn excerpt(frame: &[u8], at: usize, columns: usize) -> Excerpt {
    let at = at.min(frame.len());
    let reach = columns * BYTES_PER_COLUMN;
    let start = boundary(frame, at.saturating_sub(reach));
    let end = boundary(frame, at.saturating_add(reach).min(frame.len()));
    let (shown, cells) = show(frame.get(start..end).unwrap_or_default(), start);

    // A fault may lie within a character.
    let fault = cells.iter().rfind(|cell| cell.at <= at);
    let fault = fault.copied().unwrap_or_default();
    let (from, until) = window(shown.columns, fault.column, columns);
    let first = cells.iter().find(|cell| cell.column >= from);
    let first = first.copied().unwrap_or_default();
    let last = cells.iter().rfind(|cell| cell.column <= until);
    let last = last.copied().unwrap_or_default();

    let cut = if first.at > 0 { "…" } else { "" };
    let kept = shown.text.get(first.byte..last.byte).unwrap_or_default();
    let cut_off = if last.at < frame.len() { "…" } else { "" };
    Excerpt {
        text: format!("{cut}{kept}{cut_off}"),
        caret: cut.chars().count() + fault.column.saturating_sub(first.column),
    }
}

/// Which columns of `total` to show: the fault among them, more before it than behind it, and no room wasted. An ellipsis
/// may be put at either end.
fn window(total: usize, fault: usize, columns: usize) -> (usize, usize) {
    if total <= columns {
        return (0, total);
    }
    let room = columns.saturating_sub(2);
    let from = fault.saturating_sub(room * 2 / 3).min(total - room);
    (from, from + room)
}

/// The next index from `at` on that doesn't lie within a UTF-8 sequence, as far as that can be told.
fn boundary(frame: &[u8], at: usize) -> usize {
    if at == 0 {
        return 0;
    }
    let tail = frame.get(at..).unwrap_or_default();
    let inside = tail
        .iter()
        .take(3)
        .take_while(|byte| matches!(byte, 0x80..=0xbf));
    at + inside.count()
}

/// The text of `bytes`, which begin at `start` in the frame, and its cells; one more cell stands for the end.
fn show(bytes: &[u8], start: usize) -> (Shown, Vec<Cell>) {
    let mut shown = Shown::new();
    let mut cells: Vec<Cell> = Vec::new();
    let mut here = Cell {
        at: start,
        ..Cell::default()
    };
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            shown.push(c);
            // A combining mark takes no column and stays with the cell before it.
            if shown.columns > here.column {
                cells.push(here);
            }
            here = Cell {
                at: here.at + c.len_utf8(),
                byte: shown.text.len(),
                column: shown.columns,
            };
        }
        for &byte in chunk.invalid() {
            shown.push_byte(byte);
            cells.push(here);
            here = Cell {
                at: here.at + 1,
                byte: shown.text.len(),
                column: shown.columns,
            };
        }
    }
    cells.push(here);
    (shown, cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frame, the byte at fault, the columns; the text, and what stands over the caret.
    #[test]
    fn caret_under_the_byte() {
        let cases: &[(&[u8], usize, usize, &str, &str)] = &[
            (b"", 0, 20, "", ""),
            (b"{\"a\":tru}", 5, 20, "{\"a\":tru}", "tru}"),
            (b"{\"a\":1", 6, 20, "{\"a\":1", ""),
            (b"short", 99, 20, "short", ""),
            (b"a\tb\x1bc", 4, 20, "a␉b␛c", "c"),
            (b"ok\xff\xfe!", 3, 20, "ok<FF><FE>!", "<FE>!"),
            ("日本x".as_bytes(), 6, 20, "日本x", "x"),
            ("日本x".as_bytes(), 4, 20, "日本x", "本x"),
            ("e\u{301}x".as_bytes(), 2, 20, "e\u{301}x", "e\u{301}x"),
            ("a\u{202e}b".as_bytes(), 1, 20, "a<U+202E>b", "<U+202E>b"),
            (
                b"0123456789abcdefghijklmnop",
                0,
                12,
                "0123456789…",
                "0123456789…",
            ),
            (
                b"0123456789abcdefghijklmnop",
                12,
                12,
                "…6789abcdef…",
                "cdef…",
            ),
            (b"0123456789abcdefghijklmnop", 26, 12, "…ghijklmnop", ""),
        ];
        for &(frame, at, columns, text, over) in cases {
            let found = excerpt(frame, at, columns);
            assert_eq!(found.text, text, "{frame:?} at {at}");
            let mut shown = Shown::new();
            let rest = found.text.chars().skip_while(|&c| {
                let before = shown.columns < found.caret;
                shown.push(c);
                before
            });
            assert_eq!(rest.collect::<String>(), over, "{frame:?} at {at}");
        }
    }

    #[test]
    fn any_bytes_at_any_place() {
        // Continuation bytes come first: they are at fault, too.
        let mut bytes = vec![0x80, 0xbf, 0xff];
        let mut state = 1u32;
        for _ in 0..600 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            bytes.push((state >> 24) as u8);
        }
        bytes.extend("日\u{301}\u{301}\u{301}\u{301}".repeat(50).bytes());
        for at in 0..=bytes.len() + 1 {
            for columns in [20, 40] {
                let found = excerpt(&bytes, at, columns);
                let mut shown = Shown::new();
                let mut over = String::new();
                for c in found.text.chars() {
                    if shown.columns >= found.caret {
                        over.push(c);
                    }
                    shown.push(c);
                }
                assert!(shown.columns <= columns, "{at}: {found:?}");
                let byte = bytes.get(at).copied();
                let expected = match byte {
                    None => {
                        assert_eq!(found.caret, shown.columns, "{at}: {found:?}");
                        continue;
                    }
                    Some(byte @ 0x20..0x7f) => char::from(byte).to_string(),
                    // Never part of UTF-8.
                    Some(byte @ (0xc0 | 0xc1 | 0xf5..)) => format!("<{byte:02X}>"),
                    Some(_) => continue,
                };
                assert!(over.starts_with(&expected), "{at}: {found:?}, {expected:?}");
            }
        }
    }
}
