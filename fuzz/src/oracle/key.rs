//! Which texts are keys of `_meta`: 2026-07-28 `basic/index`, "Key name format".

/// An optional prefix of labels, parted by dots and ended by a slash, and a name, which may be empty.
pub fn is_key(key: &str) -> bool {
    let (labels, name) = match key.find('/') {
        Some(slash) => (key[..slash].split('.').collect(), &key[slash + 1..]),
        None => (Vec::new(), key),
    };
    labels.into_iter().all(is_label) && (name.is_empty() || is_name(name))
}

fn is_label(label: &str) -> bool {
    let first = label.chars().next();
    let inner = label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    first.is_some_and(|c| c.is_ascii_alphabetic()) && inner && !label.ends_with('-')
}

fn is_name(name: &str) -> bool {
    let ends = [name.chars().next(), name.chars().next_back()];
    let is_end = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    ends.into_iter().all(is_end) && name.chars().all(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_what_is_none() {
        for good in ["", "a", "9", "a_b-c.d", "x/", "com.example/k", "A-1.b/9"] {
            assert!(is_key(good), "{good}");
        }
        for bad in [
            "_x", "x_", "a b", "\u{e9}", "/x", "a//x", "1a/x", "a-/x", "a./x", "a_b/x",
        ] {
            assert!(!is_key(bad), "{bad}");
        }
    }
}
