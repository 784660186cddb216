//! RFC 8259, a byte at a time.

/// Where a text stops being the beginning of a JSON text within the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// At this byte; the length of the text if it ends too early. Of bad UTF-8, the first byte of the bad sequence.
    Syntax(usize),
    /// At this bracket, which opens one container too many. Everything before it is in order.
    TooDeep(usize),
}

/// The first fault of a text, if it isn't well-formed and at most `depth` containers deep.
pub fn fault(text: &[u8], depth: usize) -> Option<Fault> {
    let mut open: Vec<u8> = Vec::new();
    let mut i = spaces(text, 0);
    // Each round takes one value, or the opening bracket of one, and then everything up to where the next value begins.
    loop {
        let first = text.get(i).copied();
        let mut ended = true;
        match first {
            Some(b'{' | b'[') if open.len() == depth => return Some(Fault::TooDeep(i)),
            Some(bracket @ (b'{' | b'[')) => {
                open.push(bracket);
                i = spaces(text, i + 1);
                // An empty container ends like any other, below.
                ended = text.get(i) == Some(&closing(bracket));
            }
            _ => match scalar(text, i) {
                Ok(end) => i = end,
                Err(at) => return Some(Fault::Syntax(at)),
            },
        }
        while ended {
            i = spaces(text, i);
            let Some(&container) = open.last() else {
                return (i < text.len()).then_some(Fault::Syntax(i));
            };
            match text.get(i) {
                Some(&b) if b == closing(container) => {
                    open.pop();
                    i += 1;
                }
                Some(b',') => {
                    i = spaces(text, i + 1);
                    ended = false;
                }
                _ => return Some(Fault::Syntax(i)),
            }
        }
        if open.last() == Some(&b'{') {
            match name(text, i) {
                Ok(value) => i = value,
                Err(at) => return Some(Fault::Syntax(at)),
            }
        }
    }
}

fn closing(bracket: u8) -> u8 {
    if bracket == b'{' { b'}' } else { b']' }
}

fn spaces(text: &[u8], mut i: usize) -> usize {
    while matches!(text.get(i), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        i += 1;
    }
    i
}

/// A name and its colon: where the value begins, or where the fault is.
fn name(text: &[u8], i: usize) -> Result<usize, usize> {
    if text.get(i) != Some(&b'"') {
        return Err(i);
    }
    let colon = spaces(text, string(text, i)?);
    match text.get(colon) {
        Some(b':') => Ok(spaces(text, colon + 1)),
        _ => Err(colon),
    }
}

fn scalar(text: &[u8], i: usize) -> Result<usize, usize> {
    match text.get(i) {
        Some(b'"') => string(text, i),
        Some(b't') => literal(text, i, "true"),
        Some(b'f') => literal(text, i, "false"),
        Some(b'n') => literal(text, i, "null"),
        _ => number(text, i),
    }
}

fn literal(text: &[u8], i: usize, word: &str) -> Result<usize, usize> {
    for (at, b) in (i..).zip(word.bytes()) {
        if text.get(at) != Some(&b) {
            return Err(at);
        }
    }
    Ok(i + word.len())
}

fn number(text: &[u8], mut i: usize) -> Result<usize, usize> {
    if text.get(i) == Some(&b'-') {
        i += 1;
    }
    if text.get(i) == Some(&b'0') {
        i += 1;
        if text.get(i).is_some_and(u8::is_ascii_digit) {
            return Err(i);
        }
    } else {
        i = digits(text, i)?;
    }
    if text.get(i) == Some(&b'.') {
        i = digits(text, i + 1)?;
    }
    if let Some(b'e' | b'E') = text.get(i) {
        i += 1;
        if let Some(b'+' | b'-') = text.get(i) {
            i += 1;
        }
        i = digits(text, i)?;
    }
    Ok(i)
}

fn digits(text: &[u8], mut i: usize) -> Result<usize, usize> {
    if !text.get(i).is_some_and(u8::is_ascii_digit) {
        return Err(i);
    }
    while text.get(i).is_some_and(u8::is_ascii_digit) {
        i += 1;
    }
    Ok(i)
}

/// The string whose opening quote is at `i`.
fn string(text: &[u8], mut i: usize) -> Result<usize, usize> {
    i += 1;
    loop {
        match text.get(i) {
            Some(b'"') => return Ok(i + 1),
            Some(b'\\') => i = escape(text, i + 1)?,
            Some(0x20..=0x7F) => i += 1,
            Some(0x80..) => i += character(text, i)?,
            Some(_) | None => return Err(i),
        }
    }
}

fn escape(text: &[u8], i: usize) -> Result<usize, usize> {
    match text.get(i) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(i + 1),
        Some(b'u') => {
            for digit in i + 1..i + 5 {
                if !text.get(digit).is_some_and(u8::is_ascii_hexdigit) {
                    return Err(digit);
                }
            }
            Ok(i + 5)
        }
        _ => Err(i),
    }
}

/// How many bytes the character at `i` has, as `std` sees it.
fn character(text: &[u8], i: usize) -> Result<usize, usize> {
    for end in i + 2..=i + 4 {
        if text
            .get(i..end)
            .is_some_and(|b| std::str::from_utf8(b).is_ok())
        {
            return Ok(end - i);
        }
    }
    Err(i)
}

/// The highest number of containers open at once, strings left out, or the first bracket that is one too many. This
/// one knows nothing of grammar: it stands before `serde_json`, so that no text can make that nest without bound.
pub fn first_too_deep(text: &[u8], depth: usize) -> Option<usize> {
    let (mut open, mut in_string, mut escaped) = (0usize, false, false);
    for (i, &b) in text.iter().enumerate() {
        match b {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' if open == depth => return Some(i),
            b'{' | b'[' => open += 1,
            b'}' | b']' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The text before the bracket `at` made whole: an empty array in the bracket's place, and everything open closed. What
/// comes out is well-formed exactly if nothing is wrong before the bracket.
pub fn completed(text: &[u8], at: usize) -> Vec<u8> {
    let mut whole = text.get(..at).unwrap_or(text).to_vec();
    let mut open = Vec::new();
    let (mut in_string, mut escaped) = (false, false);
    for &b in &whole {
        match b {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => open.push(closing(b)),
            b'}' | b']' => drop(open.pop()),
            _ => {}
        }
    }
    whole.extend_from_slice(b"[]");
    whole.extend(open.into_iter().rev());
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_stand_where_they_are_said_to() {
        let table: [(&[u8], Option<Fault>); 20] = [
            (
                b" {\"a\":[1,-0.5e+3,true,null,\"\\u00e9\"],\"b\":{}}\n",
                None,
            ),
            (b"0", None),
            (b"[]", None),
            (b"", Some(Fault::Syntax(0))),
            (b"[", Some(Fault::Syntax(1))),
            (b"[1,]", Some(Fault::Syntax(3))),
            (b"[1 2]", Some(Fault::Syntax(3))),
            (b"[,1]", Some(Fault::Syntax(1))),
            (b"{\"a\"}", Some(Fault::Syntax(4))),
            (b"{\"a\":}", Some(Fault::Syntax(5))),
            (b"{\"a\":1,}", Some(Fault::Syntax(7))),
            (b"{1:1}", Some(Fault::Syntax(1))),
            (b"01", Some(Fault::Syntax(1))),
            (b"1.", Some(Fault::Syntax(2))),
            (b"tru", Some(Fault::Syntax(3))),
            (b"\"\xed\xa0\x80\"", Some(Fault::Syntax(1))),
            (b"\"\\ud83d\"", None),
            (b"\"\x1f\"", Some(Fault::Syntax(1))),
            (b"[[[[]]]]", Some(Fault::TooDeep(3))),
            (b"1 1", Some(Fault::Syntax(2))),
        ];
        for (text, expected) in table {
            assert_eq!(fault(text, 3), expected, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn a_text_that_is_cut_before_a_bracket_is_made_whole() {
        assert_eq!(first_too_deep(b"{\"[[[\\\"\":[{}]}", 2), Some(10));
        assert_eq!(completed(b"{\"[[[\\\"\":[{}]}", 10), b"{\"[[[\\\"\":[[]]}");
    }
}
