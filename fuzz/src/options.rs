//! How an input chooses limits: by a tail of four bytes, of which the first is 0xFF.
//!
//! It stands at the end, so that every file that holds a message is a good seed as it is. 0xFF is no byte of UTF-8.

use rpcslice::Limits;

pub const TAIL: usize = 4;
const MARK: u8 = 0xFF;

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
