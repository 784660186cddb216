//! Edits of JSON that leave most of it well-formed, and messages made from nothing.

use super::outline::{Member, Outline};
use super::{dictionary, raw, replace};
use crate::oracle::names;
use crate::rng::Rng;
use std::ops::Range;

/// The first and last of each half, and their neighbours.
const SURROGATES: [u16; 7] = [0xD7FF, 0xD800, 0xD83D, 0xDBFF, 0xDC00, 0xDFFF, 0xE000];

/// One edit. One in eight is [of bytes](raw::edit); so are those for which there is no place.
pub fn edit(input: &mut Vec<u8>, rng: &mut Rng) {
    let outline = Outline::of(input);
    let done = match rng.below(16) {
        0 => duplicate(input, &outline, rng),
        1 => rename(input, &outline, rng),
        2 => swap(input, &outline, rng),
        3 => remove(input, &outline, rng),
        4 | 5 => add_known(input, &outline, rng),
        6 => copy_elsewhere(input, &outline, rng),
        7 | 8 => respell(input, &outline, rng),
        9 => put_value(input, &outline, rng),
        10 => put_number(input, &outline, rng),
        11 => space(input, &outline, rng),
        12 => nest(input, &outline, rng),
        13 => into_string(input, &outline, rng),
        _ => None,
    };
    if done.is_none() {
        raw::edit(input, rng);
    }
}

/// Puts a member in front of another.
fn insert_before(input: &mut Vec<u8>, at: usize, member: &[u8]) {
    let mut text = member.to_vec();
    text.push(b',');
    replace(input, at..at, &text);
}

/// Puts a member first into the object whose brace is before `at`.
fn insert_first(input: &mut Vec<u8>, at: usize, member: &[u8]) {
    let is_empty = input[at..].trim_ascii_start().starts_with(b"}");
    match is_empty {
        true => replace(input, at..at, member),
        false => insert_before(input, at, member),
    }
}

/// A second member of the same name, which may be spelt otherwise and have another value.
fn duplicate(input: &mut Vec<u8>, outline: &Outline, rng: &mut Rng) -> Option<()> {
    let member = rng.pick(&outline.members)?;
    let mut name = input[member.name.clone()].to_vec();
    if rng.once_in(2) {
        name = escaped(&name, rng);
    }
    let value = match rng.once_in(2) {
        true => input[member.value.clone()].to_vec(),
        false => fresh_value(rng),
    };
    let copy = [name.as_slice(), b":", &value].concat();
    let siblings: Vec<&Member> = outline
        .members
        .iter()
        .filter(|m| m.object == member.object)
        .collect();
    let before = rng.pick(&siblings)?;
    insert_before(input, before.name.start, &copy);
    Some(())
}

fn rename(input: &mut Vec<u8>, outline: &Outline, rng: &mut Rng) -> Option<()> {
    let name = rng.pick(&outline.members)?.name.clone();
    replace(input, name, &known_name(rng));
    Some(())
}

fn swap(input: &mut Vec<u8>, outline: &Outline, rng: &mut Rng) -> Option<()> {
    let [a, b] = [rng.pick(&outline.members)?, rng.pick(&outline.members)?].map(Member::whole);
    let (first, second) = if a.start < b.start { (a, b) } else { (b, a) };
    if first.end > second.start {
        return None;
    }
    let moved = input[first.clone()].to_vec();
    let other = input[second.clone()].to_vec();
    replace(input, second, &moved);
    replace(input, first, &other);
    Some(())
}

fn remove(input: &mut Vec<u8>, outline: &Outline, rng: &mut Rng) -> Option<()> {
    let Range { mut start, mut end } = rng.pick(&outline.members)?.whole();
    let after = &input[end..];
    let gap = after.len() - after.trim_ascii_start().len();
    if input.get(end + gap) == Some(&b',') {
        end += gap + 1;
    } else {
        let before = input[..start].trim_ascii_end();
        if before.ends_with(b",") {
            start = before.len() - 1;
        }
    }
    replace(input, start..end, b"");
    Some(())
}

fn add_known(input: &mut Vec<u8>, outline: &Outline, rng: &mut Rng) -> Option<()> {
    let object = *rng.pick(&outline.objects)?;
    let member = [known_name(rng).as_slice(), b":", &fresh_value(rng)].concat();
    insert_first(input, object, &member);
    Some(())
}

/// A member of one object also in another, as `_meta` of params and result.
fn copy_elsewhere(input: &mut Vec<u8>, outline: &Outline, rng: &mut Rng) -> Option<()> {
    let member = input[rng.pick(&outline.members)?.whole()].to_vec();
    insert_first(input, *rng.pick(&outline.objects)?, &member);
    Some(())
}

/// A string spelt otherwise, mostly a name.
fn respell(input: &mut Vec<u8>, outline: &Outline, rng: &mut Rng) -> Option<()> {
    let token = match rng.once_in(4) {
        true => rng.pick(&outline.strings)?.clone(),
        false => rng.pick(&outline.members)?.name.clone(),
    };
    let spelt = escaped(&input[token.clone()], rng);
    replace(input, token, &spelt);
    Some(())
}

/// The string token with an ASCII character or two written as escapes.
fn escaped(token: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut spelt = Vec::new();
    let chosen = [rng.below(token.len().max(1)), rng.below(token.len().max(1))];
    let mut in_escape = 0usize;
    for (i, &b) in token.iter().enumerate() {
        let is_plain = matches!(b, 0x20..=0x7E) && b != b'"' && b != b'\\' && in_escape == 0;
        if is_plain && chosen.contains(&i) {
            match (b, rng.below(3)) {
                (b'/', 0) => spelt.extend_from_slice(b"\\/"),
                (_, 1) => spelt.extend_from_slice(format!("\\u{b:04X}").as_bytes()),
                _ => spelt.extend_from_slice(format!("\\u{b:04x}").as_bytes()),
            }
        } else {
            spelt.push(b);
        }
        in_escape = match b {
            b'\\' if in_escape == 0 => 5,
            _ if in_escape == 5 && b != b'u' => 0,
            _ => in_escape.saturating_sub(1),
        };
    }
    spelt
}

fn put_value(input: &mut Vec<u8>, outline: &Outline, rng: &mut Rng) -> Option<()> {
    let value = rng.pick(&outline.values)?.clone();
    replace(input, value, &fresh_value(rng));
    Some(())
}

fn put_number(input: &mut Vec<u8>, outline: &Outline, rng: &mut Rng) -> Option<()> {
    let number = rng.pick(&outline.numbers)?.clone();
    replace(input, number, &fresh_number(rng));
    Some(())
}

fn space(input: &mut Vec<u8>, outline: &Outline, rng: &mut Rng) -> Option<()> {
    let at = *rng.pick(&outline.gaps)?;
    let spaces: &[u8] = match rng.below(4) {
        0 => b"\n",
        1 => b"\r\n\t",
        2 => b" ",
        _ => &vec![b' '; raw::length(rng)],
    };
    replace(input, at..at, spaces);
    Some(())
}

/// A value a few containers deeper.
fn nest(input: &mut Vec<u8>, outline: &Outline, rng: &mut Rng) -> Option<()> {
    let value = rng.pick(&outline.values)?.clone();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    // Up to the highest limit there is, and a little beyond.
    let levels = match rng.below(16) {
        0 => rng.below(1100),
        1..=4 => raw::length(rng),
        _ => 1 + rng.below(3),
    };
    for _ in 0..levels {
        let (open, close): (&[u8], &[u8]) = match rng.below(4) {
            0 => (b"{\"\":", b"}"),
            1 if levels < 20 => (b"{\"a\":1,\"b\":", b",\"a\":[]}"),
            2 if levels < 20 => (b"[", b",0]"),
            _ => (b"[", b"]"),
        };
        before.extend_from_slice(open);
        after.splice(0..0, close.iter().copied());
    }
    let wrapped = [&before, &input[value.clone()], &after].concat();
    replace(input, value, &wrapped);
    Some(())
}

/// Characters, escapes, what looks like them, or many plain characters at some place of a string.
fn into_string(input: &mut Vec<u8>, outline: &Outline, rng: &mut Rng) -> Option<()> {
    let token = rng.pick(&outline.strings)?.clone();
    let inner = token.start + 1..token.end.saturating_sub(1).max(token.start + 1);
    let at = inner.start + rng.below(inner.len() + 1);
    let piece = match rng.below(10) {
        0 | 1 => {
            // Around the surrogates; a pair, as it may come out.
            let edge = |rng: &mut Rng| {
                let unit = *rng.pick(&SURROGATES).unwrap_or(&0xD800);
                format!("\\u{unit:04x}")
            };
            [edge(rng), edge(rng)].concat().into_bytes()
        }
        2 | 3 => vec![b'a' + rng.below(26) as u8; raw::length(rng)],
        4 => char::from_u32(rng.below(0x11_0000) as u32)?
            .to_string()
            .into_bytes(),
        5 => vec![rng.below(0x20) as u8],
        _ => rng.pick(&dictionary().pieces)?.clone(),
    };
    replace(input, at..at, &piece);
    Some(())
}

fn known_name(rng: &mut Rng) -> Vec<u8> {
    let names = rng.pick(&names::ALL).copied().unwrap_or(names::TOP);
    let (name, _) = rng.pick(names).copied().unwrap_or(names::TOP[0]);
    let token = format!("\"{name}\"").into_bytes();
    match rng.below(6) {
        0 => escaped(&token, rng),
        1 => rng.pick(&dictionary().strings).cloned().unwrap_or(token),
        _ => token,
    }
}

fn fresh_number(rng: &mut Rng) -> Vec<u8> {
    let digits = |rng: &mut Rng| rng.word().to_string()[..1 + rng.below(8)].to_owned();
    let sign = if rng.once_in(4) { "-" } else { "" };
    let text = match rng.below(9) {
        0 => format!("{sign}{}", rng.word()),
        1 => format!("{sign}0"),
        2 => format!("{sign}{}.{}", digits(rng), "0".repeat(1 + rng.below(9))),
        3 => format!("{sign}{}e{sign}{}", digits(rng), rng.below(12)),
        4 => {
            let exponents = [
                "9223372036854775807",
                "-9223372036854775808",
                "18446744073709551616",
            ];
            let exponent = rng.pick(&exponents).unwrap_or(&"0");
            format!("{}e{exponent}", digits(rng))
        }
        5 => format!("{sign}{}.{}E+{}", digits(rng), digits(rng), rng.below(12)),
        6 => format!("{sign}1{}", "0".repeat(rng.below(70))),
        _ => format!("{sign}{}", digits(rng)),
    };
    text.into_bytes()
}

/// A small value of any kind.
pub fn fresh_value(rng: &mut Rng) -> Vec<u8> {
    let all = dictionary();
    match rng.below(10) {
        0 | 1 => rng.pick(&all.values).cloned().unwrap_or_default(),
        2..=4 => rng.pick(&all.strings).cloned().unwrap_or_default(),
        5 => fresh_number(rng),
        6 => b"{}".to_vec(),
        7 => [b"[", &fresh_value(rng)[..], b"]"].concat(),
        _ => object(rng, names::META, 2),
    }
}

/// An object of up to so many members, mostly of these names.
fn object(rng: &mut Rng, names: &names::Names, most: usize) -> Vec<u8> {
    let members: Vec<Vec<u8>> = (0..rng.below(most + 1))
        .map(|_| {
            let name = match (rng.pick(names), rng.once_in(4)) {
                (Some((name, _)), false) => format!("\"{name}\"").into_bytes(),
                _ => known_name(rng),
            };
            let value = match name == b"\"_meta\"" {
                true => object(rng, names::META, 4),
                false => fresh_value(rng),
            };
            [name, value].join(&b':')
        })
        .collect();
    [b"{", &members.join(&b',')[..], b"}"].concat()
}

/// A message in good order, but for names that happen to be there twice. Its members stand in any order.
pub fn fresh(rng: &mut Rng) -> Vec<u8> {
    let id = match rng.once_in(2) {
        true => rng.below(1000).to_string().into_bytes(),
        false => b"\"a\\/\\ud83d\"".to_vec(),
    };
    let member = |name: &str, value: Vec<u8>| [name.as_bytes(), &value].join(&b':');
    let mut members = vec![member("\"jsonrpc\"", b"\"2.0\"".to_vec())];
    let kind = rng.below(4);
    if kind > 0 {
        members.push(member("\"id\"", id));
    }
    match kind {
        0 | 1 => {
            let method = ["\"tools/call\"", "\"initialize\"", "\"notifications\\/x\""];
            let method = rng.pick(&method).copied().unwrap_or("\"ping\"");
            members.push(member("\"method\"", method.into()));
            members.push(member("\"params\"", object(rng, names::PARAMS, 4)));
        }
        2 => members.push(member("\"result\"", object(rng, names::RESULT, 3))),
        _ => {
            let error = b"{\"code\":-32601,\"message\":\"?\",\"data\":[null]}";
            members.push(member("\"error\"", error.to_vec()));
        }
    }
    if kind > 1 && rng.once_in(3) {
        members.push(member("\"params\"", object(rng, names::PARAMS, 4)));
    }
    if rng.once_in(3) {
        members.push(member("\"x\"", fresh_value(rng)));
    }
    for i in (1..members.len()).rev() {
        members.swap(i, rng.below(i + 1));
    }
    [b"{", &members.join(&b',')[..], b"}"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_change_the_spelling_and_not_the_text() {
        let mut rng = Rng::new(1);
        for token in ["\"io.x/y\"", "\"\"", "\"a\\n\\u0041\\\\b\"", "\"\\\"\""] {
            for _ in 0..200 {
                let spelt = String::from_utf8(escaped(token.as_bytes(), &mut rng)).unwrap();
                let text = crate::oracle::tree::text(&spelt);
                assert_eq!(text, crate::oracle::tree::text(token), "{spelt}");
            }
        }
    }

    #[test]
    fn fresh_messages_are_mostly_good() {
        let mut rng = Rng::new(1);
        let good = (0..1000).filter(|_| rpcslice::Message::parse(&fresh(&mut rng)).is_ok());
        assert!(good.count() > 600);
    }

    #[test]
    fn any_bytes_can_be_edited() {
        let mut rng = Rng::new(1);
        for _ in 0..300 {
            let mut input = fresh(&mut rng);
            for _ in 0..30 {
                edit(&mut input, &mut rng);
                input.truncate(2000);
            }
        }
    }
}
