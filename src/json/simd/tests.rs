//! Every instruction set, mask for mask, against its plain twin.

use super::buffer::TokenBuffer;
use super::chosen::Blocks;
use super::isa::{BLOCK, Isa};
use super::plain::Plain;

fn is_as_its_twin<I: Isa>(isa: I, bytes: &[u8; BLOCK], bits: u64) {
    let (block, twin) = (isa.load(bytes), Plain.load(bytes));
    assert_eq!(
        isa.string_marks(block),
        Plain.string_marks(twin),
        "{bytes:x?}"
    );
    assert_eq!(
        isa.has_string_mark(block),
        Plain.has_string_mark(twin),
        "{bytes:x?}"
    );
    assert_eq!(
        isa.structure_marks(block),
        Plain.structure_marks(twin),
        "{bytes:x?}"
    );
    assert_eq!(
        isa.number_marks(block),
        Plain.number_marks(twin),
        "{bytes:x?}"
    );
    assert_eq!(
        isa.escape_marks(block),
        Plain.escape_marks(twin),
        "{bytes:x?}"
    );
    assert_eq!(isa.u_marks(block), Plain.u_marks(twin), "{bytes:x?}");
    assert_eq!(isa.hex_marks(block), Plain.hex_marks(twin), "{bytes:x?}");
    assert_eq!(
        isa.token_marks(bytes),
        Plain.token_marks(bytes),
        "{bytes:x?}"
    );
    assert_eq!(isa.prefix_xor(bits), Plain.prefix_xor(bits), "{bits:x}");
    let (mut tokens, mut others) = (TokenBuffer::new(), TokenBuffer::new());
    for base in [0, 64, u32::MAX - 63] {
        tokens.append(isa, block, bits, base);
        others.append(Plain, twin, bits, base);
    }
    assert_eq!(tokens.len(), 3 * bits.count_ones() as usize);
    assert_eq!(tokens.len(), others.len());
    for i in 0..=tokens.len() {
        assert_eq!(tokens.kind(i), others.kind(i), "{i} of {bits:x}");
        assert_eq!(tokens.offset(i), others.offset(i), "{i} of {bits:x}");
        assert_eq!(tokens.four(i), others.four(i), "{i} of {bits:x}");
    }
    let len = (bits % 64) as usize;
    let mut padded = [b' '; BLOCK];
    padded[..len].copy_from_slice(&bytes[..len]);
    let last = isa.load_last(&bytes[..len]);
    assert_eq!(isa.string_marks(last), Plain.string_marks(padded), "{len}");
    assert_eq!(
        isa.structure_marks(last),
        Plain.structure_marks(padded),
        "{len}"
    );
}

fn all_are_as_their_twin(bytes: &[u8; BLOCK], bits: u64) {
    for blocks in Blocks::all() {
        match blocks {
            #[cfg(target_arch = "x86_64")]
            Blocks::Avx512(isa) => is_as_its_twin(isa, bytes, bits),
            #[cfg(target_arch = "x86_64")]
            Blocks::Avx2(isa) => is_as_its_twin(isa, bytes, bits),
            Blocks::Plain(isa) => is_as_its_twin(isa, bytes, bits),
        }
    }
}

#[test]
fn every_byte_at_every_place() {
    for place in 0..BLOCK {
        for b in 0..=255u8 {
            let mut bytes = [b'~'; BLOCK];
            bytes[place] = b;
            all_are_as_their_twin(&bytes, 1 << place);
        }
    }
}

#[test]
fn bytes_and_bits_at_random() {
    let mut seed = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed.wrapping_mul(0x2545_F491_4F6C_DD1D)
    };
    for round in 0..20_000 {
        let text = b"\"\\{}[]:, \n\t\r0123456789abcdefu-+.eEtrn\x0c\x1a\x1f\x7f\x80\xff";
        let bytes = std::array::from_fn(|_| match round % 2 {
            0 => random() as u8,
            _ => text[random() as usize % text.len()],
        });
        let bits = match round % 4 {
            0 => random(),
            1 => random() & random() & random(),
            2 => random() | random(),
            _ => u64::MAX << (random() % 64),
        };
        all_are_as_their_twin(&bytes, bits);
    }
}

/// What the tables are for: a byte is bad where `core` says so, behind any three others.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_tables_know_every_pair_that_is_not_utf8() {
    let continues = |b: u8| (0x80..0xC0).contains(&b);
    for first in 0..=255u8 {
        for second in 0..=255u8 {
            let pair = super::utf8::FIRST_HIGH[usize::from(first >> 4)]
                & super::utf8::FIRST_LOW[usize::from(first & 0x0F)]
                & super::utf8::SECOND_HIGH[usize::from(second >> 4)];
            // The beginnings of characters of two to four bytes, or none.
            let text = [first, second, 0x80, 0x80];
            let is_good = match (first < 0x80 || continues(first), continues(second)) {
                (true, true) => first >= 0x80,
                (true, false) => true,
                (false, false) => false,
                (false, true) => (2..=4).any(|len| core::str::from_utf8(&text[..len]).is_ok()),
            };
            // Two continuations are told apart from the others, by the highest bit.
            let is_told_good = pair & 0x7F == 0 && (pair & 0x80 == 0 || continues(first));
            assert_eq!(is_told_good, is_good, "{first:x} {second:x}");
        }
    }
}
