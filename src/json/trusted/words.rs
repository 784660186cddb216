//! Over numbers, and where there are no blocks over containers, eight bytes at a time.

use super::string;
use crate::bounds::passed;
use crate::json::word::{bracket_marks, byte, first_mark, number_end_marks, word, word_or_zeros};

/// The index behind the number at `i`.
#[inline(always)]
pub(super) fn number_end(bytes: &[u8], mut i: usize) -> usize {
    // Behind the end of the text there are zeros, which end numbers.
    loop {
        let marks = number_end_marks(word_or_zeros(bytes, i));
        if marks != 0 {
            return i + first_mark(marks);
        }
        i += 8;
    }
}

/// The index behind the container whose opening bracket stands before `start`: where more brackets have closed than
/// opened, those in strings not counted.
#[inline(never)]
pub(super) fn container_end(bytes: &[u8], start: usize) -> usize {
    let mut i = start;
    let mut open = 1;
    let mut strings = 0;
    loop {
        i = next_mark(bytes, i);
        match byte(bytes, i) {
            b'"' => {
                let end = string::end(bytes, i + 1, None).0;
                strings += end - (i + 1);
                i = end;
            }
            b'{' | b'[' => {
                open += 1;
                i += 1;
            }
            b'}' | b']' => {
                open -= 1;
                i += 1;
                if open == 0 {
                    break;
                }
            }
            _ => break,
        }
    }
    passed(i.saturating_sub(start + strings));
    i
}

/// The index of the next quote or bracket from `i` on, or the length of the text.
#[inline(always)]
fn next_mark(bytes: &[u8], mut i: usize) -> usize {
    while let Some(w) = word(bytes, i) {
        let marks = bracket_marks(w);
        if marks != 0 {
            return i + first_mark(marks);
        }
        i += 8;
    }
    while let Some(b) = bytes.get(i) {
        if matches!(b, b'"' | b'{' | b'[' | b'}' | b']') {
            break;
        }
        i += 1;
    }
    i
}
