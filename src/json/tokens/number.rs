//! The number grammar of RFC 8259 section 6, for the numbers of 64 bytes at a time.

use crate::json::simd::NumberMarks;

/// What is carried from one block to the next: each the highest bit of a mask.
#[derive(Clone, Copy, Default)]
pub(super) struct NumberCarry {
    number: u64,
    digit: u64,
    dot: u64,
    exponent: u64,
    sign: u64,
    first_minus: u64,
    first_zero: u64,
    in_fraction: u64,
    in_exponent: u64,
}

/// Which bytes can't stand where they do. `scalar` are the bytes of all tokens that are neither strings nor operators,
/// `first` their first bytes; tokens that begin with neither digit nor minus are none of ours.
#[inline(always)]
pub(super) fn check(marks: &NumberMarks, scalar: u64, first: u64, carry: &mut NumberCarry) -> u64 {
    let first = first & (marks.digit | marks.minus);
    // From each first byte of a number through its token: adding there carries to the first bit that is no scalar's.
    let number = scalar & !(first | carry.number).wrapping_add(scalar);
    let digit = marks.digit & number;
    let dot = marks.dot & number;
    let exponent = marks.exponent & number;
    let sign = (marks.plus | marks.minus) & number;
    let first_minus = first & marks.minus;
    let after_digit = digit << 1 | carry.digit;
    let after_dot = dot << 1 | carry.dot;
    let after_exponent = exponent << 1 | carry.exponent;
    let after_sign = sign << 1 | carry.sign;
    let after_first_minus = first_minus << 1 | carry.first_minus;
    let first_digit = (first & !marks.minus) | after_first_minus;
    let first_zero = marks.zero & number & first_digit;
    let mut faults = (number & !(digit | dot | exponent | sign))
        | ((dot | exponent) & !after_digit)
        | (sign & !(after_exponent | first_minus))
        | ((after_dot | after_sign) & !digit)
        | (after_exponent & !(digit | sign))
        | ((first_zero << 1 | carry.first_zero) & digit);
    // A fraction begins behind a dot, an exponent behind `e` and its sign; each goes through its digits.
    let (fraction, in_fraction) = through(after_dot | carry.in_fraction, digit);
    faults |= fraction & dot;
    let begins = (after_exponent & digit) | (after_sign & !after_first_minus & digit);
    let (power, in_exponent) = through(begins | carry.in_exponent, digit);
    faults |= power & (dot | exponent);
    *carry = NumberCarry {
        number: number >> 63,
        digit: digit >> 63,
        dot: dot >> 63,
        exponent: exponent >> 63,
        sign: sign >> 63,
        first_minus: first_minus >> 63,
        first_zero: first_zero >> 63,
        in_fraction,
        in_exponent,
    };
    faults
}

/// Where the digits end that begin at `starts`, each the first of its run; and whether some go on in the next block.
#[inline(always)]
fn through(starts: u64, digits: u64) -> (u64, u64) {
    let (sum, is_over) = starts.overflowing_add(digits);
    (sum & !digits, u64::from(is_over))
}
