//! How an input chooses limits: by a tail of four bytes, of which the first is 0xFF. And how it holds several texts: one
//! behind the other, with 0xFE between.
//!
//! What chooses stands at the end, so that every file that holds a message is a good seed as it is. Neither is a byte of
//! UTF-8.

use rpcslice::Limits;

pub const TAIL: usize = 4;
const MARK: u8 = 0xFF;
const SEPARATOR: u8 = 0xFE;

/// The input without its tail, and the three bytes that choose.
pub fn split(data: &[u8]) -> (&[u8], Option<[u8; 3]>) {
    match data.split_last_chunk::<TAIL>() {
        Some((input, &[MARK, a, b, c])) => (input, Some([a, b, c])),
        _ => (data, None),
    }
}

/// Appends a tail.
pub fn join(input: &mut Vec<u8>, [a, b, c]: [u8; 3]) {
    input.extend_from_slice(&[MARK, a, b, c]);
}

/// The limits for a frame: the first byte chooses the depth, the second the frame length, close to that of the frame.
pub fn limits(frame: &[u8], tail: Option<[u8; 3]>) -> Limits {
    let [depth, length, _] = tail.unwrap_or_default();
    let mut limits = Limits::new();
    if depth > 0 {
        let far = usize::from(depth.saturating_sub(140)) * 8;
        limits = limits.with_max_depth(usize::from(depth) + far);
    }
    if length > 0 {
        let length = isize::from(i8::from_le_bytes([length]));
        limits = limits.with_max_frame_bytes(frame.len().saturating_add_signed(length));
    }
    limits
}

/// The texts of an input without its tail: the first is always there.
pub fn parts<const N: usize>(input: &[u8]) -> [Option<&[u8]>; N] {
    let mut parts = input.splitn(N, |&b| b == SEPARATOR);
    [(); N].map(|()| parts.next())
}

/// The input that has these parts. A part behind one that is absent is absent, too.
pub fn join_parts<P: AsRef<[u8]>>(parts: &[Option<P>]) -> Vec<u8> {
    let there = parts.iter().map_while(Option::as_ref);
    let there: Vec<&[u8]> = there.map(AsRef::as_ref).collect();
    there.join(&SEPARATOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_joined_and_split() {
        let parts = [Some("{}"), Some(""), Some("x")];
        let joined = join_parts(&parts);
        assert_eq!(super::parts(&joined), parts.map(|p| p.map(str::as_bytes)));
        assert_eq!(super::parts(b"{}"), [Some(&b"{}"[..]), None]);
        assert_eq!(join_parts(&[Some("a"), None, Some("b")]), b"a");
    }
}
