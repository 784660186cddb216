//! What stands in a header for a text, and what a header says; Base64 by hand.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Whether a text stands for itself.
pub fn is_plain(text: &str) -> bool {
    text.chars().all(|c| (' '..='~').contains(&c))
        && text.trim() == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="))
}

/// The value for a text.
pub fn encode(text: &str) -> String {
    match is_plain(text) {
        true => text.to_owned(),
        false => base64_form(text),
    }
}

pub fn base64_form(text: &str) -> String {
    let mut form = String::from("=?base64?");
    for group in text.as_bytes().chunks(3) {
        let bits =
            group.iter().fold(0u32, |all, &b| all << 8 | u32::from(b)) << (8 * (3 - group.len()));
        for i in 0..4 {
            match i <= group.len() {
                true => form.push(char::from(ALPHABET[(bits >> (18 - 6 * i)) as usize & 63])),
                false => form.push('='),
            }
        }
    }
    form + "?="
}

/// A value without the white space around it; `None` if it has other characters than visible ASCII, space and TAB.
pub fn trimmed(value: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(value).ok()?;
    let text = text.trim_matches([' ', '\t']);
    text.chars()
        .all(|c| c == '\t' || (' '..='~').contains(&c))
        .then_some(text)
}

/// The text that a value stands for; `None` if it is malformed.
pub fn decode(value: &[u8]) -> Option<String> {
    let text = trimmed(value)?;
    // Both marks, and they may not share a character.
    let inner = text
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="));
    let Some(inner) = inner else {
        return Some(text.to_owned());
    };
    let mut bytes = Vec::new();
    for group in inner.as_bytes().chunks(4) {
        let digits = group.iter().take_while(|b| **b != b'=').count();
        let mut bits = 0;
        for b in &group[..digits] {
            bits = bits << 6 | ALPHABET.iter().position(|a| a == b)?;
        }
        bits <<= 6 * (4 - digits);
        bytes.extend((0..digits.max(1) - 1).map(|i| (bits >> (16 - 8 * i)) as u8));
    }
    // There is one spelling only: padding, zero bits and all.
    let decoded = String::from_utf8(bytes).ok()?;
    (base64_form(&decoded) == text).then_some(decoded)
}

/// A number as its sign, digits without zeros at either end, and exponent. `None` for what is no JSON number, and where
/// the exponent fits in nothing.
fn normal(number: &str) -> Option<(bool, String, i128)> {
    serde_json::from_str::<serde_json::Number>(number)
        .ok()
        .or_else(|| {
            // Over the range of an f64, and yet a number.
            let value: &serde_json::value::RawValue = serde_json::from_str(number).ok()?;
            value
                .get()
                .starts_with(|c: char| c == '-' || c.is_ascii_digit())
                .then(|| 0.into())
        })?;
    let (is_negative, text) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let text = text.to_ascii_lowercase();
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let significant = digits.trim_end_matches('0');
    let behind = digits.len() - significant.len();
    let significant = significant.trim_start_matches('0');
    if significant.is_empty() {
        return Some((false, String::new(), 0));
    }
    let exponent: i128 = exponent.parse().ok()?;
    let exponent = exponent
        .checked_sub(fraction.len() as i128)?
        .checked_add(behind as i128)?;
    Some((is_negative, significant.to_owned(), exponent))
}

/// Whether two numbers are the same; `None` if this can't tell.
pub fn is_equal(a: &str, b: &str) -> Option<bool> {
    let is_number = |text: &str| {
        let value = super::tree::root(text);
        value == Some(0..text.len()) && text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
    };
    if !is_number(a) || !is_number(b) {
        return Some(false);
    }
    Some(normal(a)? == normal(b)?)
}

/// The integer that a header may carry, as it is written there: `None` for what is none, or is beyond 2^53 - 1.
pub fn integer(number: &str) -> Option<String> {
    let (is_negative, digits, exponent) = normal(number)?;
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    if !(0..=16).contains(&exponent) {
        return None;
    }
    let digits = digits + &"0".repeat(exponent as usize);
    let value: i128 = digits.parse().ok()?;
    let sign = if is_negative { "-" } else { "" };
    (value < 1 << 53).then(|| format!("{sign}{value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_texts() {
        for text in ["", "a", "ab", "abc", "世界", " a", "=?base64?x?="] {
            assert_eq!(decode(encode(text).as_bytes()).as_deref(), Some(text));
            assert_eq!(decode(base64_form(text).as_bytes()).as_deref(), Some(text));
        }
        assert_eq!(encode("世界"), "=?base64?5LiW55WM?=");
        for bad in [
            "SGVsbG8",
            "SGVsbG9=",
            "SGVsbG8==",
            "SGVs bG8=",
            "//79",
            "=",
            "A===",
        ] {
            assert_eq!(
                decode(format!("=?base64?{bad}?=").as_bytes()),
                None,
                "{bad}"
            );
        }
    }

    #[test]
    fn numbers_by_value() {
        for (a, b, expected) in [
            ("42", "42.0", Some(true)),
            ("4.2e1", "420E-1", Some(true)),
            ("-0", "0.0e7", Some(true)),
            ("1e400", "10e399", Some(true)),
            ("1", "-1", Some(false)),
            ("042", "42", Some(false)),
            ("+42", "42", Some(false)),
            ("42 ", "42", Some(false)),
        ] {
            assert_eq!(is_equal(a, b), expected, "{a} {b}");
        }
        assert_eq!(integer("4.2e1").as_deref(), Some("42"));
        assert_eq!(integer("-0").as_deref(), Some("0"));
        assert_eq!(
            integer("9007199254740991.0").as_deref(),
            Some("9007199254740991")
        );
        assert_eq!(integer("9007199254740992"), None);
        assert_eq!(integer("1.5"), None);
    }
}
