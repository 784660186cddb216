//! Tables by which pairs of bytes are found that UTF-8 has not (Unicode table 3-7).
//!
//! A bit stands for one way in which two neighbours can be wrong. It is in all three tables, at the high and the low half
//! of the first byte and at the high half of the second, if and only if that pair is wrong in that way. Whether a third or
//! fourth byte belongs to a character is not a matter of pairs: [`TWO_CONTINUATIONS`] marks them, and whoever uses the tables
//! compares that with where leads of three and four bytes stand.

/// A lead without a continuation.
const TOO_SHORT: u8 = 1 << 0;
/// A continuation without a lead.
const TOO_LONG: u8 = 1 << 1;
/// E0 80..9F
const OVERLONG_3: u8 = 1 << 2;
/// F4 90..BF, F5..FF
const TOO_LARGE: u8 = 1 << 3;
/// ED A0..BF
const SURROGATE: u8 = 1 << 4;
/// C0, C1
const OVERLONG_2: u8 = 1 << 5;
/// F0 80..8F, and F5..FF 80..8F
const OVERLONG_4: u8 = 1 << 6;
/// Two continuations: right behind a lead of three or four bytes alone.
const TWO_CONTINUATIONS: u8 = 1 << 7;

/// What the low half of the first byte says nothing about.
const ANY_LOW: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;

pub(super) const LEAD_OF_THREE: u8 = 0xE0;
pub(super) const LEAD_OF_FOUR: u8 = 0xF0;

const fn first_high(half: u8) -> u8 {
    match half {
        0x0..=0x7 => TOO_LONG,
        0x8..=0xB => TWO_CONTINUATIONS,
        0xC => TOO_SHORT | OVERLONG_2,
        0xD => TOO_SHORT,
        0xE => TOO_SHORT | OVERLONG_3 | SURROGATE,
        _ => TOO_SHORT | TOO_LARGE | OVERLONG_4,
    }
}

const fn first_low(half: u8) -> u8 {
    ANY_LOW
        | match half {
            0x0 => OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
            0x1 => OVERLONG_2,
            0x2 | 0x3 => 0,
            0x4 => TOO_LARGE,
            0xD => TOO_LARGE | OVERLONG_4 | SURROGATE,
            _ => TOO_LARGE | OVERLONG_4,
        }
}

const fn second_high(half: u8) -> u8 {
    const CONTINUATION: u8 = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS;
    match half {
        0x8 => CONTINUATION | OVERLONG_3 | OVERLONG_4,
        0x9 => CONTINUATION | OVERLONG_3 | TOO_LARGE,
        0xA | 0xB => CONTINUATION | SURROGATE | TOO_LARGE,
        _ => TOO_SHORT,
    }
}

macro_rules! by_half {
    ($of:ident) => {{
        #[allow(clippy::indexing_slicing)] // at compile time
        const TABLE: [u8; 16] = {
            let mut table = [0; 16];
            let mut half = 0;
            while half < 16 {
                table[half] = $of(half as u8);
                half += 1;
            }
            table
        };
        TABLE
    }};
}

pub(super) static FIRST_HIGH: [u8; 16] = by_half!(first_high);
pub(super) static FIRST_LOW: [u8; 16] = by_half!(first_low);
pub(super) static SECOND_HIGH: [u8; 16] = by_half!(second_high);
