//! The lines of an event stream, each on its own: where they end, and which field they are (WHATWG HTML section 9.2.6).

use crate::bounds::passed;
use core::ops::Range;

const CR: u8 = b'\r';
const LF: u8 = b'\n';

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    /// It begins with a colon.
    Comment,
    Data,
    Event,
    Id,
    Retry,
    /// A name that means nothing; such lines are ignored.
    Unknown,
}

/// Names with the colon and the space that servers write.
pub(super) const DATA: &[u8] = b"data: ";
pub(super) const ID: &[u8] = b"id: ";

const NAMES: [&[u8]; 4] = [b"data", b"event", b"id", b"retry"];

const DATA_NAME: u32 = u32::from_ne_bytes(*b"data");
const EVEN: u32 = u32::from_ne_bytes(*b"even");
const RETR: u32 = u32::from_ne_bytes(*b"retr");

/// Which field a line is, and where its value begins. Names are compared as they are: case and spaces count.
#[inline]
pub(super) fn field(line: &[u8]) -> (Field, usize) {
    // As servers write it.
    if line.starts_with(DATA) {
        return (Field::Data, 6);
    }
    // Four bytes at once; only what of a name is longer is looked at by itself.
    let (field, name) = match line.first_chunk().copied().map(u32::from_ne_bytes) {
        Some(DATA_NAME) => (Field::Data, 4),
        Some(EVEN) if line.get(4) == Some(&b't') => (Field::Event, 5),
        Some(RETR) if line.get(4) == Some(&b'y') => (Field::Retry, 5),
        _ => match line {
            [b'i', b'd', ..] => (Field::Id, 2),
            [b':', ..] => return (Field::Comment, 1),
            _ => return (Field::Unknown, line.len()),
        },
    };
    match line.get(name..) {
        Some([b':', b' ', ..]) => (field, name + 2),
        Some([b':', ..]) => (field, name + 1),
        // A name without a colon has an empty value.
        Some([]) => (field, name),
        _ => (Field::Unknown, line.len()),
    }
}

/// Whether a line that goes on may become a field that means something.
pub(super) fn may_become_field(line: &[u8]) -> bool {
    NAMES.iter().any(|name| name.starts_with(line))
}

/// A line's end.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// How many bytes stand before it.
    pub(super) at: usize,
    /// Where what comes next begins.
    pub(super) next: usize,
    /// It is a CR and the last byte there is: an LF that comes next belongs to it.
    pub(super) is_open: bool,
}

/// What servers write before the data of nearly every event.
pub(super) const USUAL: &[u8] = b"event: message";

/// Where the next line begins, if this one is the usual one: sooner seen than searched for its end.
#[inline]
pub(super) fn usual_line(bytes: &[u8]) -> Option<usize> {
    let (line, rest) = bytes.split_at_checked(USUAL.len())?;
    let end = match rest {
        [LF, ..] => 1,
        [CR, LF, ..] => 2,
        _ => return None,
    };
    (line == USUAL).then_some(USUAL.len() + end)
}

/// The first line end: LF, CR, or CR and LF.
#[inline]
pub(super) fn line_end(bytes: &[u8]) -> Option<End> {
    let at = match bytes {
        // Every block ends with an empty line: shorter than a search takes to begin.
        [CR | LF, ..] => 0,
        _ => memchr::memchr2(CR, LF, bytes)?,
    };
    let (next, is_open) = match bytes.get(at..) {
        Some([CR, LF, ..]) => (at + 2, false),
        // `fuzz/prove` shows that fuzzing finds what that flag does here: an LF that is cut off its CR is a blank line.
        Some([CR]) => (at + 1, !cfg!(rpcslice_planted_bug)),
        _ => (at + 1, false),
    };
    Some(End { at, next, is_open })
}

/// The end of a line with an id that is shorter than a search is worth, and has no NUL.
#[inline]
pub(super) fn short_id(line: &[u8]) -> Option<End> {
    const SHORT: usize = 48;
    if !line.starts_with(ID) {
        return None;
    }
    let at = line
        .iter()
        .take(SHORT)
        .position(|&b| matches!(b, CR | LF | 0))?;
    let next = match line.get(at..) {
        Some([LF, ..]) => at + 1,
        Some([CR, LF, ..]) => at + 2,
        _ => return None,
    };
    Some(End {
        at,
        next,
        is_open: false,
    })
}

/// Without the line end that it ends with, if it does.
pub(super) fn trim_line_end(bytes: &[u8]) -> &[u8] {
    match bytes {
        [rest @ .., CR, LF] | [rest @ .., CR | LF] => rest,
        _ => bytes,
    }
}

/// Moves the values of a block's data lines together, joined by LF, to its front, and gives their length.
///
/// Values only move forward: in front of each stand at least a name of four bytes and, but for the first, a line end, and
/// only one byte is put between two values.
pub(super) fn join(block: &mut [u8]) -> usize {
    let (mut from, mut to, mut is_first) = (0, 0, true);
    while let Some(end) = line_end(block.get(from..).unwrap_or(&[])) {
        passed(end.next);
        let line = from..from + end.at;
        if let Some(value) = data(block, line) {
            if !is_first {
                if let Some(byte) = block.get_mut(to) {
                    *byte = LF;
                }
                to += 1;
            }
            is_first = false;
            let len = value.len();
            block.copy_within(value, to);
            to += len;
        }
        from += end.next;
    }
    to
}

fn data(block: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    match field(block.get(line.clone())?) {
        (Field::Data, value) => Some(line.start + value..line.end),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn fields() {
        for (line, expected, value) in [
            ("data: x", Field::Data, "x"),
            ("data:x", Field::Data, "x"),
            ("data:  x", Field::Data, " x"),
            ("data:\tx", Field::Data, "\tx"),
            ("data", Field::Data, ""),
            ("data:", Field::Data, ""),
            ("event: a:b", Field::Event, "a:b"),
            ("id", Field::Id, ""),
            ("retry:1", Field::Retry, "1"),
            (":", Field::Comment, ""),
            (": x", Field::Comment, " x"),
            ("database: x", Field::Unknown, ""),
            ("Data: x", Field::Unknown, ""),
            (" data: x", Field::Unknown, ""),
            ("data : x", Field::Unknown, ""),
            ("ids: x", Field::Unknown, ""),
            ("\u{feff}data: x", Field::Unknown, ""),
        ] {
            let (found, at) = field(line.as_bytes());
            assert_eq!((found, &line[at..]), (expected, value), "{line:?}");
        }
    }

    #[test]
    fn what_goes_on_may_become_a_field() {
        for (line, may) in [
            ("", true),
            ("d", true),
            ("dat", true),
            ("retr", true),
            ("retry", true),
            ("data:", false), // it is one
            ("D", false),
            ("datb", false),
            (":", false),
        ] {
            assert_eq!(may_become_field(line.as_bytes()), may, "{line:?}");
        }
    }

    #[test]
    fn values_are_joined_in_place() {
        for (block, joined) in [
            ("data\ndata\n\n", "\n"),
            ("data: a\rdata: b\r\ndata\n: x\ndata:c\r\n\r\n", "a\nb\n\nc"),
            ("id: 1\ndata:\ndata:\ndata:\n\n", "\n\n"),
            (
                "data:aaaaaaaaaaaaaaaaaaaa\ndata:b\n\n",
                "aaaaaaaaaaaaaaaaaaaa\nb",
            ),
        ] {
            let mut bytes = block.as_bytes().to_vec();
            let len = join(&mut bytes);
            assert_eq!(&bytes[..len], joined.as_bytes(), "{block:?}");
        }
    }
}
