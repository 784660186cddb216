//! Where members and elements stand, by `serde_json`, and what strings say.

use serde::Deserialize;
use serde::de::{Deserializer as _, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Deserializer;
use serde_json::value::RawValue;
use std::fmt;
use std::ops::Range;

/// A member of an object. Ranges are bytes of the whole text.
#[derive(Clone, Debug)]
pub struct Member {
    /// After unescaping: surrogates may be alone.
    pub name: Vec<u16>,
    /// With the quotes.
    pub name_at: Range<usize>,
    pub value: Range<usize>,
}

/// The one value that a text is, without the white space around it. `None` if `serde_json` doesn't take it.
pub fn root(text: &str) -> Option<Range<usize>> {
    let mut json = Deserializer::from_str(text);
    json.disable_recursion_limit();
    let value = <&RawValue>::deserialize(&mut json).ok()?;
    json.end().ok()?;
    Some(range(text, value))
}

/// The members of the object at `at`, in their order; `None` if there is none.
pub fn members(text: &str, at: &Range<usize>) -> Option<Vec<Member>> {
    let mut json = Deserializer::from_str(&text[at.clone()]);
    json.disable_recursion_limit();
    json.deserialize_map(Members(text)).ok()
}

/// The elements of the array at `at`, in their order; `None` if there is none.
pub fn elements(text: &str, at: &Range<usize>) -> Option<Vec<Range<usize>>> {
    let mut json = Deserializer::from_str(&text[at.clone()]);
    json.disable_recursion_limit();
    json.deserialize_seq(Elements(text)).ok()
}

fn range(text: &str, part: &RawValue) -> Range<usize> {
    let start = part.get().as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.get().len()
}

struct Members<'a>(&'a str);

impl<'a> Visitor<'a> for Members<'a> {
    type Value = Vec<Member>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Vec<Member>, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<&RawValue>()? {
            let value = map.next_value::<&RawValue>()?;
            let units = units(name.get()).ok_or_else(|| A::Error::custom("no string"))?;
            members.push(Member {
                name: units.into_iter().map(|unit| unit.value).collect(),
                name_at: range(self.0, name),
                value: range(self.0, value),
            });
        }
        Ok(members)
    }
}

struct Elements<'a>(&'a str);

impl<'a> Visitor<'a> for Elements<'a> {
    type Value = Vec<Range<usize>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<Vec<Range<usize>>, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = seq.next_element::<&RawValue>()? {
            elements.push(range(self.0, element));
        }
        Ok(elements)
    }
}

/// A UTF-16 unit of a string, and the index in the token of what stands for it.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    pub value: u16,
    pub at: usize,
}

/// What a string token says. `serde_json` can't tell: it refuses lone surrogates. `None` if it is no string token.
pub fn units(token: &str) -> Option<Vec<Unit>> {
    let inner = token.strip_prefix('"')?.strip_suffix('"')?;
    let mut units = Vec::new();
    let mut rest = inner;
    while let Some(c) = rest.chars().next() {
        let at = token.len() - 1 - rest.len();
        let mut taken = c.len_utf8();
        if c == '\\' {
            taken = 2;
            let value = match rest.as_bytes().get(1)? {
                b'b' => 8,
                b't' => 9,
                b'n' => 10,
                b'f' => 12,
                b'r' => 13,
                b'u' => {
                    taken = 6;
                    u16::from_str_radix(rest.get(2..6)?, 16).ok()?
                }
                &quoted => u16::from(quoted),
            };
            units.push(Unit { value, at });
        } else {
            let mut buf = [0; 2];
            let encoded = c.encode_utf16(&mut buf);
            units.extend(encoded.iter().map(|&value| Unit { value, at }));
        }
        rest = rest.get(taken..)?;
    }
    Some(units)
}

/// The text of a string token, or the index of the first surrogate without its other half.
pub fn text(token: &str) -> Result<String, usize> {
    let units = units(token).expect("a string token");
    let values: Vec<u16> = units.iter().map(|unit| unit.value).collect();
    if let Ok(text) = String::from_utf16(&values) {
        return Ok(text);
    }
    let mut i = 0;
    while i < units.len() {
        let pair = values
            .get(i..i + 2)
            .is_some_and(|p| String::from_utf16(p).is_ok());
        match values[i] {
            0xD800..=0xDBFF if pair => i += 2,
            0xD800..=0xDFFF => return Err(units[i].at),
            _ => i += 1,
        }
    }
    unreachable!("no Unicode text, and no surrogate in it is alone")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_stand_where_they_stand() {
        let text = r#" { "\u0061" : [ 1 ] ,"\ud83d":{"x":2}} "#;
        let at = root(text).unwrap();
        assert_eq!(&text[at.clone()], text.trim());
        let members = members(text, &at).unwrap();
        assert_eq!(members.len(), 2);
        assert_eq!(members[0].name, [0x61]);
        assert_eq!(&text[members[0].name_at.clone()], r#""\u0061""#);
        assert_eq!(&text[members[0].value.clone()], "[ 1 ]");
        assert_eq!(members[1].name, [0xD83D]);
        let elements = elements(text, &members[0].value).unwrap();
        assert_eq!(&text[elements[0].clone()], "1");
    }

    #[test]
    fn strings_say_what_they_say() {
        assert_eq!(text(r#""a\/\u00e9\ud834\udd1e""#).unwrap(), "a/é𝄞");
        assert_eq!(text(r#""é\ud83dx""#), Err(3));
        assert_eq!(text(r#""\ud83d\ud83d\ude00""#), Err(1));
    }
}
