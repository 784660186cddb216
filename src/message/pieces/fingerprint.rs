//! What tells one body from another: a hash of its bytes, the same however they were cut into pieces.

/// The hash as far as the bytes have come. Four lanes, which a processor can multiply at once, take turns of sixteen bytes.
#[derive(Clone, Copy)]
pub(super) struct Fingerprint {
    lanes: [u64; LANES],
    /// The bytes that make no block yet, `held_len` of them, fewer than a block; zeros behind.
    held: [u8; BLOCK],
    held_len: usize,
    len: u64,
}

const LANES: usize = 4;
const BLOCK: usize = 16 * LANES;
/// Digits of pi, as many before: nothing up the sleeve.
const FACTOR: u64 = 0x243F_6A88_85A3_08D3;
const SEEDS: [u64; LANES] = [
    0x1319_8A2E_0370_7344,
    0xA409_3822_299F_31D0,
    0x082E_FA98_EC4E_6C89,
    0x4528_21E6_38D0_1377,
];

impl Fingerprint {
    pub(super) const NONE: Self = Self {
        lanes: SEEDS,
        held: [0; BLOCK],
        held_len: 0,
        len: 0,
    };

    /// That of a whole body.
    pub(super) fn of(body: &[u8]) -> u64 {
        let mut print = Self::NONE;
        print.push(body);
        print.finish()
    }

    pub(super) fn push(&mut self, mut piece: &[u8]) {
        self.len += piece.len() as u64;
        if self.held_len > 0 {
            piece = self.fill(piece);
            if self.held_len < BLOCK {
                return;
            }
            self.lanes = mixed(self.lanes, &self.held);
            self.held_len = 0;
        }
        let mut lanes = self.lanes;
        while let Some((block, rest)) = piece.split_first_chunk::<BLOCK>() {
            lanes = mixed(lanes, block);
            piece = rest;
        }
        self.lanes = lanes;
        self.fill(piece);
    }

    /// Takes what there is room for; gives what is left.
    fn fill<'p>(&mut self, piece: &'p [u8]) -> &'p [u8] {
        let room = self.held.get_mut(self.held_len..).unwrap_or(&mut []);
        let taken = room.len().min(piece.len());
        let (new, rest) = piece.split_at(taken);
        for (place, &b) in room.iter_mut().zip(new) {
            *place = b;
        }
        self.held_len += taken;
        rest
    }

    pub(super) fn finish(mut self) -> u64 {
        if let Some(room) = self.held.get_mut(self.held_len..) {
            room.fill(0);
        }
        let all = mixed(self.lanes, &self.held).into_iter();
        all.fold(self.len, |hash, lane| fold(hash ^ lane, FACTOR))
    }
}

/// The lanes behind one more block. What a lane was is added to what it becomes, so that no block makes it forget the ones
/// before. And no first word makes the second count for nothing: the bytes of the factor are in no text in UTF-8.
#[inline(always)]
fn mixed([a, b, c, d]: [u64; LANES], block: &[u8; BLOCK]) -> [u64; LANES] {
    [
        turn(a, block, 0),
        turn(b, block, 16),
        turn(c, block, 32),
        turn(d, block, 48),
    ]
}

/// A lane behind sixteen more bytes. As one number of 128 bits, or compilers pair the lanes up in vectors, which can't
/// multiply 64 bits: half as fast.
#[inline(always)]
fn turn(lane: u64, block: &[u8; BLOCK], at: usize) -> u64 {
    let words = match block.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
        Some(bytes) => u128::from_le_bytes(*bytes),
        None => 0,
    };
    let mixed = words ^ (u128::from(lane) << 64 | FACTOR as u128);
    fold(mixed as u64, (mixed >> 64) as u64).wrapping_add(lane)
}

/// Both halves of the product, one over the other.
#[inline(always)]
const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_is_in_no_text() {
        assert!(core::str::from_utf8(&FACTOR.to_le_bytes()[..2]).is_err());
    }

    #[test]
    fn pieces_change_nothing_and_every_byte_does() {
        for len in (0..=200).chain([1000, 4096]) {
            let body: Vec<u8> = (0..len).map(|i: usize| (i * 7 % 251) as u8).collect();
            let whole = Fingerprint::of(&body);
            for size in [1, 2, 3, 15, 16, 17, 63, 64, 65, 130] {
                let mut print = Fingerprint::NONE;
                for piece in body.chunks(size) {
                    print.push(piece);
                    print.push(b"");
                }
                assert_eq!(print.finish(), whole, "{len} by {size}");
            }
            for at in 0..len {
                for bit in [0, 5, 7] {
                    let mut other = body.clone();
                    other[at] ^= 1 << bit;
                    assert_ne!(Fingerprint::of(&other), whole, "{len} at {at}");
                }
            }
            assert_ne!(Fingerprint::of(&[&body[..], &[0]].concat()), whole);
            if len >= 32 {
                let mut turned = body.clone();
                turned.rotate_left(16);
                assert_ne!(Fingerprint::of(&turned), whole, "{len}");
            }
        }
    }
}
