//! How a body is read, by its `Content-Type` and `Content-Encoding`: simple spellings alone, the library may know more.

use super::Unsure;

/// What a body is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Json,
    Events,
    Other,
    BadCharset,
}

/// `None`: no spelling that this knows, which may be refused or not.
pub fn class(content_type: Option<&[u8]>) -> Option<Class> {
    let text = content_type.unwrap_or(b"").to_ascii_lowercase();
    let text = std::str::from_utf8(text.trim_ascii()).ok()?;
    if text.is_empty() {
        return Some(Class::Other);
    }
    let (name, mut rest) = text.split_at(text.find(';').unwrap_or(text.len()));
    let (ty, subtype) = name.trim_end_matches([' ', '\t']).split_once('/')?;
    let is_word = |word: &str| {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._".contains(&b);
        word.starts_with(|c: char| c.is_ascii_alphanumeric())
            && word.bytes().all(plain)
            && word.len() < 100
    };
    // What follows a plus is a type of its own; what is in front of it, none.
    let (main, suffix) = subtype.split_once('+').unwrap_or((subtype, "x"));
    if ![ty, main, suffix].into_iter().all(is_word) {
        return None;
    }
    let mut is_utf8 = true;
    while let Some(parameter) = rest.strip_prefix(';') {
        let (name, value) = parameter.split_once('=')?;
        let name = name.trim_start_matches([' ', '\t']);
        if !is_word(name) {
            return None;
        }
        let (value, after) = value_of(value)?;
        if name == "charset" {
            is_utf8 &= value == "utf-8" || value == "utf8";
        }
        rest = after.trim_start_matches([' ', '\t']);
    }
    let class = match (ty, subtype) {
        ("application", "json") => Class::Json,
        ("text", "event-stream") => Class::Events,
        _ => return rest.is_empty().then_some(Class::Other),
    };
    match (rest, is_utf8) {
        ("", true) => Some(class),
        ("", false) => Some(Class::BadCharset),
        _ => None,
    }
}

/// A parameter's value, a token or a quoted string, and what follows it.
fn value_of(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '.' && c != '_';
        let (value, after) = text.split_at(text.find(is_end).unwrap_or(text.len()));
        return (!value.is_empty()).then(|| (value.to_owned(), after));
    };
    let (mut value, mut chars) = (String::new(), quoted.chars());
    loop {
        match chars.next()? {
            '"' => return Some((value, chars.as_str())),
            '\\' => value.push(chars.next().filter(char::is_ascii_graphic)?),
            c if c == ' ' || c.is_ascii_graphic() => value.push(c),
            _ => return None,
        }
    }
}

/// The first coding that has to be undone, in lower case. White space is that of RFC 9110; where there is other,
/// `Err`.
pub fn coding(list: Option<&[u8]>) -> Result<Option<String>, Unsure> {
    let list = list.unwrap_or(b"").to_ascii_lowercase();
    if list.iter().any(|b| b.is_ascii_control() && *b != b'\t') {
        return Err(Unsure);
    }
    let list = String::from_utf8(list).map_err(|_| Unsure)?;
    let names = list.split(',').map(|name| name.trim_matches([' ', '\t']));
    let mut names = names.filter(|name| !name.is_empty() && *name != "identity");
    Ok(names.next().map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_spellings() {
        for (text, expected) in [
            ("Application/JSON", Some(Class::Json)),
            ("application/json ; Charset=\"Ut\\f-8\"", Some(Class::Json)),
            ("application/json; charset=latin1", Some(Class::BadCharset)),
            ("text/event-stream;a=b;c=\";\"", Some(Class::Events)),
            ("application/json+xml", Some(Class::Other)),
            ("text/plain; charset=latin1", Some(Class::Other)),
            ("", Some(Class::Other)),
            ("application", None),
            ("application/json; charset", None),
            ("application/json+", None),
        ] {
            assert_eq!(class(Some(text.as_bytes())), expected, "{text}");
        }
        assert_eq!(
            coding(Some(b" Identity ,, GZip,br")),
            Ok(Some("gzip".into()))
        );
    }
}
