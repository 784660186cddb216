//! The number grammar of RFC 8259 section 6, and what can be said of a number without a float.

use super::error::{SyntaxError, SyntaxErrorKind as Kind};
use super::word::{byte, leading_digits, word};
use crate::bounds::passed;

/// Where a number ends, and whether it is an integer to the letter: no fraction, no exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberEnd {
    /// The index behind the last digit.
    pub(crate) end: usize,
    pub(crate) is_integer: bool,
}

/// Finds the end of the number that begins at `i` with a `-` or a digit.
#[inline(always)]
pub(crate) fn number_end(bytes: &[u8], i: usize) -> Result<NumberEnd, SyntaxError> {
    let start = i;
    let first = i + usize::from(byte(bytes, i) == b'-');
    let mut i = digits_end(bytes, first)?;
    if i > first + 1 && byte(bytes, first) == b'0' {
        return Err(SyntaxError::new(Kind::InvalidNumber, first + 1));
    }
    let whole_end = i;
    if byte(bytes, i) == b'.' {
        i = digits_end(bytes, i + 1)?;
    }
    if byte(bytes, i) | 0x20 == b'e' {
        let sign = matches!(byte(bytes, i + 1), b'+' | b'-');
        i = digits_end(bytes, i + 1 + usize::from(sign))?;
    }
    // The first byte was the token.
    passed(i - start - 1);
    Ok(NumberEnd {
        end: i,
        is_integer: i == whole_end,
    })
}

/// The index behind the digits at `i`, of which there has to be one.
#[inline(always)]
fn digits_end(bytes: &[u8], i: usize) -> Result<usize, SyntaxError> {
    let mut end = i;
    // Most numbers are short: a byte at a time, and words only for what is long.
    while byte(bytes, end).is_ascii_digit() {
        end += 1;
        if end - i == 4 {
            end = many_digits_end(bytes, end);
            break;
        }
    }
    if end == i {
        let kind = if i >= bytes.len() {
            Kind::UnexpectedEnd
        } else {
            Kind::InvalidNumber
        };
        return Err(SyntaxError::new(kind, i.min(bytes.len())));
    }
    Ok(end)
}

#[inline(always)]
fn many_digits_end(bytes: &[u8], mut i: usize) -> usize {
    while let Some(w) = word(bytes, i) {
        let digits = leading_digits(w);
        i += digits;
        if digits < 8 {
            return i;
        }
    }
    while byte(bytes, i).is_ascii_digit() {
        i += 1;
    }
    i
}

/// Whether the text of a well-formed number is an integer to the letter: no fraction, no exponent.
#[inline]
pub(crate) fn is_integer(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether the value of a well-formed number is integral, however it is written: `1.0`, `1e2`, `120e-1`.
pub(crate) fn is_integral(number: &str) -> bool {
    Integral::of(number.as_bytes()).is_integral()
}

/// The same of a number that comes in pieces: what decides it, in a few counts. The value is the digits before the
/// exponent, read as one integer, times ten to the power of `exponent - fraction`; of those digits the last `zeros` are 0.
#[derive(Clone, Copy)]
pub(crate) struct Integral {
    is_nonzero: bool,
    zeros: i64,
    /// The digits behind the point.
    fraction: i64,
    /// One with more digits than fit: its sign alone decides, since the counts are below 4 GiB.
    exponent: i64,
    behind_point: bool,
    behind_e: bool,
    is_negative: bool,
}

impl Integral {
    pub(crate) const NONE: Self = Self {
        is_nonzero: false,
        zeros: 0,
        fraction: 0,
        exponent: 0,
        behind_point: false,
        behind_e: false,
        is_negative: false,
    };

    pub(crate) fn of(number: &[u8]) -> Self {
        let mut digits = Self::NONE;
        digits.push(number);
        digits
    }

    pub(crate) fn push(&mut self, piece: &[u8]) {
        for &b in piece {
            let digit = i64::from(b.wrapping_sub(b'0'));
            match b {
                b'.' => self.behind_point = true,
                b'e' | b'E' => self.behind_e = true,
                b'-' => self.is_negative = self.behind_e,
                b'+' => {}
                _ if self.behind_e => {
                    let exponent = self.exponent.saturating_mul(10);
                    self.exponent = match self.is_negative {
                        true => exponent.saturating_sub(digit),
                        false => exponent.saturating_add(digit),
                    };
                }
                _ => {
                    self.fraction += i64::from(self.behind_point);
                    self.zeros = if digit == 0 { self.zeros + 1 } else { 0 };
                    self.is_nonzero |= digit != 0;
                }
            }
        }
    }

    pub(crate) const fn is_integral(&self) -> bool {
        let lowest = self.zeros - self.fraction;
        !self.is_nonzero || lowest.saturating_add(self.exponent) >= 0
    }
}

/// Whether two well-formed numbers have the same value, however they are written: `42`, `42.0`, `4.2e1`. Exact, whatever
/// the digits; exponents beyond 64 bits are compared as they are written.
#[cfg(feature = "http")]
pub(crate) fn is_equal(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (Some(a), Some(b)) = (Parts::of(a), Parts::of(b)) else {
        return false;
    };
    match (a.is_zero(), b.is_zero()) {
        (true, true) => true,
        (false, false) => {
            let is_same_sign = a.is_negative == b.is_negative;
            is_same_sign && a.lowest() == b.lowest() && a.digits().eq(b.digits())
        }
        _ => false,
    }
}

/// A number taken apart.
#[cfg(feature = "http")]
struct Parts<'a> {
    is_negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
}

#[cfg(feature = "http")]
impl<'a> Parts<'a> {
    fn of(number: &'a str) -> Option<Self> {
        let (is_negative, rest) = match number.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, number),
        };
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        Some(Self {
            is_negative,
            whole,
            fraction,
            exponent: exponent
                .strip_prefix('+')
                .unwrap_or(exponent)
                .parse()
                .ok()?,
        })
    }

    /// Without zeros at either end.
    fn digits(&self) -> impl Iterator<Item = u8> + use<'a> {
        let all = self.whole.bytes().chain(self.fraction.bytes());
        let zeros = self.zeros_at_end();
        let len = self.whole.len() + self.fraction.len() - zeros;
        all.take(len).skip_while(|&digit| digit == b'0')
    }

    fn is_zero(&self) -> bool {
        self.digits().next().is_none()
    }

    fn zeros_at_end(&self) -> usize {
        let all = self.whole.bytes().chain(self.fraction.bytes());
        all.rev().take_while(|&digit| digit == b'0').count()
    }

    /// The power of ten of the last digit that is not zero.
    fn lowest(&self) -> i64 {
        let places = self.zeros_at_end() as i64 - self.fraction.len() as i64;
        self.exponent.saturating_add(places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar() {
        let good = [
            "0",
            "-0",
            "7",
            "10",
            "1234",
            "12345",
            "123456789012345678901234567890",
            "0.5",
            "-0.10",
            "1e5",
            "1E+5",
            "1e-05",
            "0e0",
            "1.5e10",
            "12345.67890e12345",
        ];
        for text in good {
            for tail in ["", ",", "}", " ", "        "] {
                let bytes = format!("{text}{tail}");
                let want = NumberEnd {
                    end: text.len(),
                    is_integer: is_integer(text),
                };
                assert_eq!(number_end(bytes.as_bytes(), 0), Ok(want), "{bytes:?}");
            }
        }
        let bad = [
            ("-", Kind::UnexpectedEnd, 1),
            ("-,", Kind::InvalidNumber, 1),
            ("01", Kind::InvalidNumber, 1),
            ("-012345678", Kind::InvalidNumber, 2),
            ("1.", Kind::UnexpectedEnd, 2),
            ("1.,", Kind::InvalidNumber, 2),
            ("1.e1", Kind::InvalidNumber, 2),
            ("1e", Kind::UnexpectedEnd, 2),
            ("1e+", Kind::UnexpectedEnd, 3),
            ("1e+x", Kind::InvalidNumber, 3),
            ("-Infinity", Kind::InvalidNumber, 1),
        ];
        for (text, kind, at) in bad {
            assert_eq!(
                number_end(text.as_bytes(), 0),
                Err(SyntaxError::new(kind, at)),
                "{text:?}"
            );
        }
    }

    #[test]
    fn integers_to_the_letter_and_by_value() {
        let integers = [
            "0",
            "-0",
            "12",
            "-9223372036854775809",
            "18446744073709551617",
        ];
        for text in integers {
            assert!(is_integer(text) && is_integral(text), "{text}");
        }
        let integral = [
            "1.0",
            "1e2",
            "120e-1",
            "1.50e1",
            "0.0",
            "-0e-9",
            "1e400",
            "0e99999999999999999999",
            "1e99999999999999999999",
            "10.00e-1",
            "100E-2",
            "1.0e+0",
            "5e+3",
        ];
        for text in integral {
            assert!(!is_integer(text) && is_integral(text), "{text}");
        }
        let fractions = [
            "1.5",
            "15e-1",
            "0.1",
            "1e-1",
            "1.05e1",
            "1e-99999999999999999999",
            "1001e-2",
            "0.001e2",
        ];
        for text in fractions {
            assert!(!is_integer(text) && !is_integral(text), "{text}");
        }
    }

    #[cfg(feature = "http")]
    #[test]
    fn numbers_are_equal_by_value() {
        for (a, b, equal) in [
            ("42", "42", true),
            ("42", "42.0", true),
            ("42", "4.2e1", true),
            ("42", "420E-1", true),
            ("42", "0.42e+2", true),
            ("0", "-0", true),
            ("0", "0.00e7", true),
            ("0", "1e-400", false),
            ("42", "-42", false),
            ("42", "43", false),
            ("42", "4.2", false),
            ("42", "420", false),
            ("10", "1", false),
            ("100", "1e2", true),
            ("9007199254740993", "9007199254740992", false),
            ("9007199254740993", "9007199254740993.0", true),
            ("1e400", "10e399", true),
            ("1e99999999999999999999", "1e99999999999999999999", true),
            ("1e99999999999999999999", "10e99999999999999999998", false),
        ] {
            assert_eq!(is_equal(a, b), equal, "{a} {b}");
            assert_eq!(is_equal(b, a), equal, "{b} {a}");
        }
    }
}
