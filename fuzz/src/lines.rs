//! Every way of cutting a stream into lines gives the same lines, whatever the chunks.

use crate::mutator::{self, stream};
use crate::options;
use crate::oracle::split::{self, Line};
use crate::rng::Rng;
use bytes::{Bytes, BytesMut};
use rpcslice::frame::{self, LineDecoder, LineReader, Lines};
use rpcslice::{Limits, Policy};
use std::io::{self, ErrorKind, Read};

/// The target.
pub fn run(data: &[u8]) {
    let (stream, tail) = options::split(data);
    // Chunks and limit depend on nothing but the bytes, so that a saved input does the same again.
    let mut rng = Rng::of(data);
    let [choice, ..] = tail.unwrap_or([rng.word() as u8, 0, 0]);
    let limits = match usize::from(choice) {
        0..=63 => Limits::new(),
        choice => Limits::new().with_max_frame_bytes(choice - 64),
    };
    let (mut has_good, mut signature) = (false, 0);
    for policy in [Policy::strict(), Policy::lenient()] {
        let setting = Setting { limits, policy };
        let whole = setting.expected(&[stream]);
        assert_eq!(setting.iterate(stream), whole, "Lines");
        let styles = [Style::Bytes, Style::Small, Style::Large];
        let style = *rng.pick(&styles).expect("three");
        match rng.below(3) {
            0 => assert_eq!(setting.read(stream, style, &mut rng), whole, "LineReader"),
            1 => assert_eq!(setting.decode(&[stream], style, &mut rng), whole, "decode"),
            _ => assert_eq!(setting.feed(&[stream], style, &mut rng), whole, "feed"),
        }
        // The input may end, and go on.
        let (first, second) = stream.split_at(rng.below(stream.len() + 1));
        let parts = setting.expected(&[first, second]);
        match rng.below(2) {
            0 => assert_eq!(
                setting.decode(&[first, second], style, &mut rng),
                parts,
                "decode in parts"
            ),
            _ => assert_eq!(
                setting.feed(&[first, second], style, &mut rng),
                parts,
                "feed in parts"
            ),
        }
        let over = whole.0.iter().filter(|line| line.body.is_err()).count();
        has_good |= over < whole.0.len();
        for n in [over as u64, whole.0.len() as u64, whole.1] {
            signature = signature << 4 | n.min(9);
        }
    }
    crate::count::execution(has_good, signature);
}

pub fn mutate(data: &[u8], rng: &mut Rng) -> Vec<u8> {
    mutator::with_tail(data, rng, stream::edit)
}

/// For libFuzzer: `size` bytes of `data` to new ones of at most `max`.
pub fn mutate_in_place(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    mutator::in_place(data, size, max, seed, mutate)
}

/// The lines, and how many were blank.
type Found = (Vec<Line>, u64);

/// How large chunks are.
#[derive(Clone, Copy)]
enum Style {
    Bytes,
    Small,
    Large,
}

impl Style {
    fn size(self, rng: &mut Rng) -> usize {
        match self {
            Self::Bytes => 1,
            Self::Small => rng.below(9),
            Self::Large => rng.below(200),
        }
    }
}

/// Takes the next chunk off a part; it may be empty, but not for ever.
fn next_chunk<'a>(part: &mut &'a [u8], style: Style, rng: &mut Rng) -> Option<&'a [u8]> {
    if part.is_empty() {
        return None;
    }
    let (chunk, rest) = part.split_at(style.size(rng).min(part.len()));
    *part = rest;
    Some(chunk)
}

struct Setting {
    limits: Limits,
    policy: Policy,
}

impl Setting {
    fn expected(&self, parts: &[&[u8]]) -> Found {
        let lenient = self.policy == Policy::lenient();
        split::lines(parts, self.limits.max_frame_bytes(), lenient)
    }

    fn iterate(&self, stream: &[u8]) -> Found {
        let mut lines = Lines::with(stream, self.limits, self.policy);
        let found = lines.by_ref().map(seen).collect();
        assert!(lines.next().is_none());
        (found, lines.blanks())
    }

    fn decode(&self, parts: &[&[u8]], style: Style, rng: &mut Rng) -> Found {
        let mut decoder = LineDecoder::new(self.limits, self.policy);
        let mut buf = BytesMut::new();
        let mut found = Vec::new();
        // Lines are kept while the buffer goes on, as a server does that hands them to tasks.
        let mut kept: Vec<frame::Line<Bytes>> = Vec::new();
        for mut part in parts.iter().copied() {
            while let Some(chunk) = next_chunk(&mut part, style, rng) {
                buf.extend_from_slice(chunk);
                // Whoever stops early finds the rest at the next call.
                while let Some(line) = decoder.decode(&mut buf) {
                    kept.push(line);
                    if rng.once_in(4) {
                        break;
                    }
                }
                if rng.once_in(2) {
                    kept.extend(std::iter::from_fn(|| decoder.decode(&mut buf)));
                    self.assert_bounded(&decoder, buf.len());
                }
            }
            kept.extend(std::iter::from_fn(|| decoder.finish(&mut buf)));
            assert!(buf.is_empty());
        }
        found.extend(kept.into_iter().map(seen));
        (found, decoder.blanks())
    }

    fn feed(&self, parts: &[&[u8]], style: Style, rng: &mut Rng) -> Found {
        let mut decoder = LineDecoder::new(self.limits, self.policy);
        let mut found = Vec::new();
        let is_patient = rng.once_in(2);
        let mut start = 0;
        for part in parts {
            let mut rest = *part;
            while let Some(chunk) = next_chunk(&mut rest, style, rng) {
                let mut cursor = decoder.feed(chunk);
                while let Some(line) = cursor.next() {
                    if is_patient {
                        assert_borrowed(&line, chunk, start);
                    }
                    found.push(seen(line));
                    if !is_patient && rng.once_in(4) {
                        break;
                    }
                }
                start += chunk.len() as u64;
            }
            while let Some(line) = decoder.end() {
                found.push(seen(line));
            }
        }
        (found, decoder.blanks())
    }

    fn read(&self, stream: &[u8], style: Style, rng: &mut Rng) -> Found {
        let reader = Unreliable {
            rest: stream,
            style,
            rng: Rng::new(rng.word()),
        };
        let mut lines = LineReader::with(reader, self.limits, self.policy);
        let mut found = Vec::new();
        loop {
            match lines.next() {
                Ok(Some(line)) => found.push(seen(line)),
                Ok(None) => break,
                // "An error of the reader loses nothing: call again."
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
            }
        }
        assert!(matches!(lines.next(), Ok(None)), "the end is the end");
        (found, lines.blanks())
    }

    /// Nothing is held beyond the limit, once there are no more lines to be had. (Two bytes of a byte order mark are no
    /// bytes of a line yet.)
    fn assert_bounded(&self, decoder: &LineDecoder, held: usize) {
        let limit = self.limits.max_frame_bytes();
        assert!(held <= limit.max(2), "{held} held, {limit} allowed");
        if let Some(discarded) = decoder.discarding() {
            assert!(discarded > limit as u64 && held == 0);
        }
    }
}

/// A line that lies whole in the chunk is borrowed from it. `start` is where in the stream the chunk begins.
fn assert_borrowed(line: &frame::Line<&[u8]>, chunk: &[u8], start: u64) {
    if let (Ok(body), Some(at)) = (line.body, line.offset.checked_sub(start)) {
        let there = chunk[at as usize..].as_ptr();
        assert_eq!(body.as_ptr(), there, "a copy of what is in the chunk");
    }
}

fn seen<B: AsRef<[u8]>>(line: frame::Line<B>) -> Line {
    Line {
        offset: line.offset,
        terminated: line.terminated,
        blanks_before: line.blanks_before,
        body: match line.body {
            Ok(body) => Ok(body.as_ref().to_vec()),
            Err(over) => Err((over.len, over.limit)),
        },
    }
}

/// A reader that gives little at a time and fails now and then.
struct Unreliable<'a> {
    rest: &'a [u8],
    style: Style,
    rng: Rng,
}

impl Read for Unreliable<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self.rng.below(12) {
            0 => return Err(ErrorKind::Interrupted.into()),
            1 => return Err(ErrorKind::WouldBlock.into()),
            _ => {}
        }
        let most = self.style.size(&mut self.rng).max(1);
        let (chunk, rest) = self.rest.split_at(most.min(self.rest.len()).min(buf.len()));
        buf[..chunk.len()].copy_from_slice(chunk);
        self.rest = rest;
        Ok(chunk.len())
    }
}
