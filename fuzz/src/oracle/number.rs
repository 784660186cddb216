//! Numbers as text: no float, no machine integer decides.

/// Whether the text of a number is an integer to the letter.
pub fn is_integer(number: &str) -> bool {
    !number.contains(['.', 'e', 'E'])
}

/// Whether the value of a well-formed number is an integer, however it is written.
///
/// All digits without the point, then the point moved by the exponent: nothing but zeros may stand behind it.
pub fn is_integral(number: &str) -> bool {
    let number = number.trim_start_matches('-').to_ascii_lowercase();
    let (mantissa, exponent) = number.split_once('e').unwrap_or((&number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
    if digits.iter().all(|&d| d == b'0') {
        return true;
    }
    // A number too long for i128 has more zeros, before or behind, than a test input has bytes.
    let exponent = exponent
        .parse::<i128>()
        .unwrap_or(match exponent.starts_with('-') {
            true => -(1 << 100),
            false => 1 << 100,
        });
    let point = whole.len() as i128 + exponent;
    let behind = point.clamp(0, digits.len() as i128) as usize;
    digits[behind..].iter().all(|&d| d == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integral_values() {
        for good in [
            "0",
            "-0.0",
            "1e2",
            "1.50e1",
            "120e-1",
            "0e-99",
            "1e99999999999999999999999999999999999999999",
        ] {
            assert!(is_integral(good), "{good}");
        }
        for bad in [
            "1.5",
            "1e-1",
            "1.05e1",
            "0.001e2",
            "1e-99999999999999999999999999999999999999999",
        ] {
            assert!(!is_integral(bad), "{bad}");
        }
    }
}
