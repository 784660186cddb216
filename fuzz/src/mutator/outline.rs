//! Where members, values and strings stand. Takes any bytes: what has been mutated once is often no JSON any more.

use std::ops::Range;

/// So many tokens are looked at.
const MOST: usize = 4096;

#[derive(Clone, Debug)]
pub struct Member {
    /// The index behind the brace of the object it is in.
    pub object: usize,
    pub name: Range<usize>,
    pub value: Range<usize>,
}

impl Member {
    pub fn whole(&self) -> Range<usize> {
        self.name.start..self.value.end
    }
}

#[derive(Clone, Debug, Default)]
pub struct Outline {
    pub members: Vec<Member>,
    /// Values of any kind, wherever they stand.
    pub values: Vec<Range<usize>>,
    /// String tokens, names among them.
    pub strings: Vec<Range<usize>>,
    pub numbers: Vec<Range<usize>>,
    /// The indices behind the opening braces.
    pub objects: Vec<usize>,
    /// Where white space may stand.
    pub gaps: Vec<usize>,
}

struct Container {
    start: usize,
    is_object: bool,
    name: Option<Range<usize>>,
}

impl Outline {
    pub fn of(input: &[u8]) -> Self {
        let mut outline = Self::default();
        let mut open: Vec<Container> = Vec::new();
        let mut i = 0;
        while i < input.len() && outline.gaps.len() < MOST {
            let start = i;
            let b = input[i];
            i = token_end(input, i);
            if matches!(b, b' ' | b'\t' | b'\r' | b'\n') {
                continue;
            }
            outline.gaps.extend([start, i]);
            match b {
                b'{' | b'[' => {
                    let is_object = b == b'{';
                    if is_object {
                        outline.objects.push(i);
                    }
                    open.push(Container {
                        start,
                        is_object,
                        name: None,
                    });
                }
                b'}' | b']' => {
                    if let Some(closed) = open.pop() {
                        outline.value(closed.start..i, open.last_mut());
                    }
                }
                b':' | b',' => {}
                b'"' => {
                    outline.strings.push(start..i);
                    let after = input[i..].trim_ascii_start();
                    match open.last_mut() {
                        Some(object) if object.is_object && after.starts_with(b":") => {
                            object.name = Some(start..i);
                        }
                        container => outline.value(start..i, container),
                    }
                }
                _ => {
                    if matches!(b, b'-' | b'0'..=b'9') {
                        outline.numbers.push(start..i);
                    }
                    outline.value(start..i, open.last_mut());
                }
            }
        }
        outline
    }

    fn value(&mut self, value: Range<usize>, container: Option<&mut Container>) {
        self.values.push(value.clone());
        if let Some(object) = container {
            if let Some(name) = object.name.take() {
                self.members.push(Member {
                    object: object.start + 1,
                    name,
                    value,
                });
            }
        }
    }
}

/// The end of a string (or of the input), of a run of white space, of a bracket, comma or colon, or of anything else.
fn token_end(input: &[u8], start: usize) -> usize {
    let rest = &input[start + 1..];
    let mut escaped = false;
    let more = match input[start] {
        b'{' | b'}' | b'[' | b']' | b':' | b',' => Some(0),
        b'"' => rest
            .iter()
            .position(|&b| {
                let is_end = b == b'"' && !escaped;
                escaped = b == b'\\' && !escaped;
                is_end
            })
            .map(|quote| quote + 1),
        b' ' | b'\t' | b'\r' | b'\n' => rest.iter().position(|b| !b.is_ascii_whitespace()),
        _ => rest.iter().position(|b| b"{}[]:,\" \t\r\n".contains(b)),
    };
    more.map_or(input.len(), |more| start + 1 + more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_a_message_and_of_what_is_left_of_one() {
        let text = br#"{"a\"" : [1,{"b":"x"}], "c":tru}"#;
        let outline = Outline::of(text);
        let members: Vec<_> = outline
            .members
            .iter()
            .map(|m| (m.object, text[m.whole()].escape_ascii().to_string()))
            .collect();
        assert_eq!(members[0], (13, r#"\"b\":\"x\""#.to_owned()));
        assert_eq!(members[2], (1, r#"\"c\":tru"#.to_owned()));
        assert_eq!(members.len(), 3);
        assert_eq!(outline.values.len(), 6);
        for end in 0..text.len() {
            Outline::of(&text[..end]);
            Outline::of(&text[end..]);
        }
    }
}
