//! What a rival found in a message, in a form that is cheap to make and can be compared.

/// The four things everybody has to find; 0 where the message has none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Digest {
    pub method: u64,
    pub id: u64,
    pub version: u64,
    /// `params.name`, else `params.uri`.
    pub name: u64,
}

/// Stands for a text: its length, first and last eight bytes. Two that differ get the same mark only if they differ
/// in the middle alone; a real hash would cost more than the fastest rival needs for a whole message.
#[inline(always)]
pub fn mark(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let word = |part: &[u8; 8]| u64::from_le_bytes(*part);
    let half = |part: &[u8; 4]| u64::from(u32::from_le_bytes(*part));
    let (first, last) = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => (word(first), word(last)),
        _ => match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => (half(first), half(last)),
            _ => match bytes {
                [] => (0, 0),
                [first, .., last] => (
                    u64::from(*first),
                    u64::from(bytes[1]) << 8 | u64::from(*last),
                ),
                [only] => (u64::from(*only), 0),
            },
        },
    };
    let mixed = (first ^ last.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ bytes.len() as u64).max(1)
}

/// Stands for an id that is a number. Never equal to the mark of a string but by accident.
#[inline(always)]
pub fn mark_number(number: i64) -> u64 {
    (number as u64 ^ 0x5555_0000_0000_0000).max(1)
}

/// Stands for an id given as its JSON text.
#[inline(always)]
pub fn mark_id(text: &str) -> Option<u64> {
    match text.strip_prefix('"') {
        // Larger than any integer here: the digits themselves.
        None => Some(text.parse().map_or_else(|_| mark(text), mark_number)),
        Some(rest) if !rest.contains('\\') => rest.strip_suffix('"').map(mark),
        Some(_) => serde_json::from_str::<String>(text)
            .ok()
            .map(|text| mark(&text)),
    }
}
