use super::word::{escape_marks, first_mark, word};

/// Gives out `text` piece by piece as the inside of a JSON string (RFC 8259 section 7): quotes, backslashes and control
/// characters escaped, by the short forms where there are any, and nothing else. One pass.
pub(crate) fn escape(text: &str, mut put: impl FnMut(&str)) {
    let mut rest = text;
    loop {
        let (plain, found) = rest.split_at(plain_end(rest.as_bytes()));
        if !plain.is_empty() {
            put(plain);
        }
        let Some(&b) = found.as_bytes().first() else {
            return;
        };
        match b {
            b'"' => put("\\\""),
            b'\\' => put("\\\\"),
            b'\n' => put("\\n"),
            b'\r' => put("\\r"),
            b'\t' => put("\\t"),
            0x08 => put("\\b"),
            0x0C => put("\\f"),
            _ => {
                const DIGITS: &str = "0123456789abcdef";
                let digit = |d: u8| DIGITS.get(usize::from(d)..=usize::from(d)).unwrap_or("0");
                put("\\u00");
                put(digit(b >> 4));
                put(digit(b & 15));
            }
        }
        rest = found.get(1..).unwrap_or("");
    }
}

/// The index of the first byte that has to be escaped; the length if none has.
///
/// Invariant of the loop: no byte before `i` has to be.
fn plain_end(bytes: &[u8]) -> usize {
    let mut i = 0;
    while let Some(w) = word(bytes, i) {
        let marks = escape_marks(w);
        if marks != 0 {
            return i + first_mark(marks);
        }
        i += 8;
    }
    if let Some(last) = bytes.last_chunk::<8>() {
        // Those of them before `i` need no escape.
        let marks = escape_marks(u64::from_le_bytes(*last));
        return match marks {
            0 => bytes.len(),
            _ => bytes.len() - 8 + first_mark(marks),
        };
    }
    let rest = bytes.get(i..).unwrap_or(&[]);
    let found = rest
        .iter()
        .position(|b| matches!(b, 0..0x20 | b'"' | b'\\'));
    i + found.unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        escape(text, |piece| out.push_str(piece));
        out
    }

    #[test]
    fn what_has_to_be_is_escaped_wherever_it_stands() {
        for b in 0..0x80u8 {
            let c = char::from(b);
            for before in 0..20 {
                let text = format!("{}{c}é日\u{1d11e}", "x".repeat(before));
                let raw = format!("\"{}\"", escaped(&text));
                assert_eq!(serde_json::from_str::<String>(&raw).unwrap(), text);
                let must = matches!(b, 0..0x20 | b'"' | b'\\');
                assert_eq!(raw.contains('\\'), must, "{b}");
            }
        }
    }

    #[test]
    fn the_short_forms_and_no_others() {
        assert_eq!(
            escaped("\0\u{8}\t\n\u{b}\u{c}\r\u{1f}\u{7f}</&\"\\\u{2028}"),
            "\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u{7f}</&\\\"\\\\\u{2028}"
        );
    }
}
