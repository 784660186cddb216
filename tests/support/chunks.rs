//! A stream in pieces: ways of cutting it, and the lines that come out.
//!
//! A chunking is a list of sizes of which the last repeats, as in the vectors.

use super::report::Check;
use bytes::{Bytes, BytesMut};
use rpcslice::frame::{Line, LineDecoder, Lines, Oversize};
use rpcslice::{Limits, Policy};
use std::fmt;

/// The pieces of a stream under a chunking.
pub fn pieces<'a>(bytes: &'a [u8], sizes: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let mut rest = bytes;
    let mut next = 0;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let size = sizes.get(next).or(sizes.last()).copied().unwrap_or(0);
        // A piece may be empty, but a repeated one has to lead on.
        let size = if next + 1 >= sizes.len() && size == 0 {
            rest.len()
        } else {
            size
        };
        next += 1;
        let (piece, later) = rest.split_at(size.min(rest.len()));
        rest = later;
        Some(piece)
    })
}

/// Byte by byte, and in two pieces cut at every place.
pub fn byte_by_byte_and_every_split(len: usize) -> Vec<Vec<usize>> {
    let whole = len.max(1);
    let splits = (0..=len).map(|at| vec![at, whole]);
    std::iter::once(vec![1]).chain(splits).collect()
}

/// Sizes from 1 to `most`, the same for the same seed (xorshift).
pub fn random_sizes(seed: u64, most: usize, len: usize) -> Vec<usize> {
    let mut state = seed | 1;
    let mut left = len;
    let mut sizes = Vec::new();
    while left > 0 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let size = 1 + usize::try_from(state % most as u64).unwrap_or(0);
        sizes.push(size);
        left = left.saturating_sub(size);
    }
    sizes
}

/// A line as it was cut.
#[derive(Clone, PartialEq)]
pub struct Cut {
    pub offset: u64,
    pub terminated: bool,
    pub blanks_before: u64,
    pub body: Result<Bytes, Oversize>,
}

impl Cut {
    fn of<B>(line: Line<B>, own: impl Fn(B) -> Bytes) -> Self {
        Self {
            offset: line.offset,
            terminated: line.terminated,
            blanks_before: line.blanks_before,
            body: line.body.map(own),
        }
    }
}

impl fmt::Debug for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            offset,
            terminated,
            blanks_before,
            body,
        } = self;
        write!(
            f,
            "line at {offset}, terminated {terminated}, blanks {blanks_before}: "
        )?;
        match body {
            Ok(body) if body.len() > 60 => {
                write!(f, "{:?}.. {} bytes", body.slice(..60), body.len())
            }
            Ok(body) => write!(f, "{body:?}"),
            Err(oversize) => write!(f, "{oversize}"),
        }
    }
}

/// What a stream was cut into.
#[derive(Clone, PartialEq)]
pub struct Cuts {
    pub lines: Vec<Cut>,
    pub blanks: u64,
}

/// How the decoder cut a stream, and what stood in the buffer on the way.
pub struct Decoded {
    pub cuts: Cuts,
    /// What was held for a line without its LF when the input paused or ended.
    pub held: Vec<u8>,
    /// Blank lines that had ended by then.
    pub ended_blanks: u64,
    /// The most bytes that stood in the buffer before a call.
    pub peak: usize,
}

/// Feeds pieces to a decoder; `ended` says whether the input ends after them.
pub fn decode<'a>(
    pieces: impl Iterator<Item = &'a [u8]>,
    limits: &Limits,
    policy: &Policy,
    ended: bool,
) -> Decoded {
    let mut decoder = LineDecoder::new(*limits, *policy);
    let mut buffer = BytesMut::new();
    let (mut lines, mut peak) = (Vec::new(), 0);
    for piece in pieces {
        buffer.extend_from_slice(piece);
        peak = peak.max(buffer.len());
        while let Some(line) = decoder.decode(&mut buffer) {
            lines.push(Cut::of(line, |bytes| bytes));
        }
    }
    let (held, ended_blanks) = (buffer.to_vec(), decoder.blanks());
    if ended {
        while let Some(line) = decoder.finish(&mut buffer) {
            lines.push(Cut::of(line, |bytes| bytes));
        }
    }
    let blanks = decoder.blanks();
    Decoded {
        cuts: Cuts { lines, blanks },
        held,
        ended_blanks,
        peak,
    }
}

/// The decoder's other way in: chunks that the caller holds, lent out line by line.
fn feed<'a>(
    pieces: impl Iterator<Item = &'a [u8]>,
    limits: &Limits,
    policy: &Policy,
    ended: bool,
) -> Cuts {
    let mut decoder = LineDecoder::new(*limits, *policy);
    let mut lines = Vec::new();
    for piece in pieces {
        let mut cursor = decoder.feed(piece);
        while let Some(line) = cursor.next() {
            lines.push(Cut::of(line, Bytes::copy_from_slice));
        }
    }
    while let Some(line) = ended.then(|| decoder.end()).flatten() {
        lines.push(Cut::of(line, Bytes::copy_from_slice));
    }
    let blanks = decoder.blanks();
    Cuts { lines, blanks }
}

/// How the iterator over a whole buffer cuts it.
fn iterate(bytes: &[u8], limits: &Limits, policy: &Policy) -> Cuts {
    let mut iterator = Lines::with(bytes, *limits, *policy);
    let lines = iterator
        .by_ref()
        .map(|line| Cut::of(line, Bytes::copy_from_slice))
        .collect();
    Cuts {
        lines,
        blanks: iterator.blanks(),
    }
}

/// The same by nothing but `slice::split`: no limit, no byte order mark.
pub fn split(stream: &Bytes) -> Cuts {
    let (mut lines, mut blanks, mut blanks_before, mut offset) = (Vec::new(), 0, 0, 0);
    for line in stream.split(|&byte| byte == b'\n') {
        let end = offset + line.len();
        let terminated = end < stream.len();
        if line.iter().all(|byte| b" \t\r".contains(byte)) {
            // Nothing at all after the last LF is no line.
            let counted = u64::from(terminated || !line.is_empty());
            blanks += counted;
            blanks_before += counted;
        } else {
            lines.push(Cut {
                offset: offset as u64,
                terminated,
                blanks_before,
                body: Ok(stream.slice(offset..end)),
            });
            blanks_before = 0;
        }
        offset = end + 1;
    }
    Cuts { lines, blanks }
}

/// The two places where two ways of cutting differ first, if they do.
fn first_difference(expected: &Cuts, got: &Cuts) -> Option<(String, String)> {
    if expected == got {
        return None;
    }
    let ends = expected.lines.len().max(got.lines.len());
    let differing = (0..ends).find(|&n| expected.lines.get(n) != got.lines.get(n));
    let told = |cuts: &Cuts| match differing {
        Some(n) => match cuts.lines.get(n) {
            Some(cut) => format!("{cut:?} (number {n})"),
            None => format!("the end after {} lines", cuts.lines.len()),
        },
        None => format!("{} blank lines in all", cuts.blanks),
    };
    Some((told(expected), told(got)))
}

/// Asserts that a stream in pieces of these sizes is cut as expected, by both of the decoder's ways in.
pub fn assert_cut(
    check: &mut Check,
    expected: &Cuts,
    (bytes, ended): (&[u8], bool),
    sizes: &[usize],
    (limits, policy): (&Limits, &Policy),
) {
    let decoded = decode(pieces(bytes, sizes), limits, policy, ended).cuts;
    let fed = feed(pieces(bytes, sizes), limits, policy, ended);
    let told = &sizes[..sizes.len().min(4)];
    for (way, got) in [("decode", decoded), ("feed", fed)] {
        assert_same(check, &format!("{way} at {told:?}"), expected, &got);
    }
}

/// Asserts that the iterator cuts a stream as expected.
pub fn assert_iterated(
    check: &mut Check,
    expected: &Cuts,
    bytes: &[u8],
    (limits, policy): (&Limits, &Policy),
) {
    let got = iterate(bytes, limits, policy);
    assert_same(check, "Lines", expected, &got);
}

fn assert_same(check: &mut Check, way: &str, expected: &Cuts, got: &Cuts) {
    match first_difference(expected, got) {
        Some((expected, got)) => check.fault(format!("from {way} {expected}"), got),
        None => check.holds(true, "", ""),
    }
}
