//! White space of JSON: four characters, and no form feed (RFC 8259 section 2).

/// The four, to trim a `str` by: its own methods would take more.
pub(crate) const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

const fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r')
}

/// The bytes without the white space in front of them.
pub(crate) const fn trim_start(mut bytes: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = bytes {
        if !is_space(*first) {
            break;
        }
        bytes = rest;
    }
    bytes
}

/// The bytes without the white space around them.
pub(crate) const fn trim(bytes: &[u8]) -> &[u8] {
    let mut bytes = trim_start(bytes);
    while let [rest @ .., last] = bytes {
        if !is_space(*last) {
            break;
        }
        bytes = rest;
    }
    bytes
}
