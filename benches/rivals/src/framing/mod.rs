//! `framing`: a stream of lines, in chunks as a pipe delivers them, cut into messages.

mod ours;
mod share;
mod source;
mod theirs;

use std::hint::black_box;
use std::process::ExitCode;

use bytes::Bytes;

use crate::args::Args;
use crate::clock;
use crate::load::{Class, Side};

/// One way of cutting a stream.
pub struct Way {
    pub name: &'static str,
    /// Cuts the stream, handed over in chunks of so many bytes.
    pub run: fn(&Stream, usize) -> Tally,
    /// A floor cuts nothing.
    pub is_floor: bool,
    /// Takes the whole stream at once, so chunks mean nothing to it.
    pub is_whole: bool,
}

/// The way all ratios are against.
pub const BASELINE: &str = theirs::READ_UNTIL.name;

pub const WAYS: &[Way] = &[
    theirs::READ_UNTIL,
    theirs::TOKIO_READ_UNTIL,
    theirs::LINES_CODEC,
    theirs::RMCP,
    ours::FEED,
    ours::DECODE,
    ours::READER,
    ours::LINES,
    ours::FEED_AND_PARSE,
    ours::DECODE_AND_PARSE,
    ours::LINES_AND_PARSE,
    ours::PARSE,
    theirs::MEMCPY,
    theirs::MEMCHR,
];

/// Seconds a way works at a stretch: enough that the first pass, over buffers that others drove from the caches, counts
/// little.
const SLOT: f64 = 20e-3;

/// What a way found. Lines and their bytes are compared before anything is timed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    pub lines: usize,
    /// Bytes of the lines without their ends; none where a way hands out no bytes.
    pub bytes: Option<usize>,
}

impl Tally {
    /// Starts a count for a way that hands out bytes.
    pub fn of_bytes() -> Self {
        Self {
            lines: 0,
            bytes: Some(0),
        }
    }

    #[inline(always)]
    pub fn line(&mut self, line: &[u8]) {
        black_box(line);
        self.lines += 1;
        self.bytes = self.bytes.map(|bytes| bytes + line.len());
    }
}

/// A class as a stream, and the two streams it consists of: an SDK's endpoint reads only what its peer says.
pub struct Stream {
    pub whole: Bytes,
    pub from_client: Bytes,
    pub from_server: Bytes,
    pub count: usize,
    /// Of the whole, for who needs not look for them.
    pub lines: Vec<Bytes>,
}

impl Stream {
    pub fn new(class: &Class) -> Self {
        let lines = |wanted: &dyn Fn(Side) -> bool| {
            let frames = class.frames.iter().filter(|frame| wanted(frame.from));
            let mut stream = Vec::new();
            for frame in frames {
                stream.extend_from_slice(&frame.bytes);
                stream.push(b'\n');
            }
            Bytes::from(stream)
        };
        let whole = lines(&|_| true);
        Self {
            lines: cut(&whole),
            whole,
            from_client: lines(&|side| side == Side::Client),
            from_server: lines(&|side| side == Side::Server),
            count: class.frames.len(),
        }
    }

    /// One message of `megabytes`, from a server.
    fn single(megabytes: usize) -> Self {
        let head = br#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","mimeType":"image/png","data":""#;
        let tail = b"\"}]}}\n";
        let mut line = head.to_vec();
        line.resize((megabytes << 20) - tail.len(), b'A');
        line.extend_from_slice(tail);
        let line = Bytes::from(line);
        Self {
            lines: cut(&line),
            whole: line.clone(),
            from_client: Bytes::new(),
            from_server: line,
            count: 1,
        }
    }

    fn expected(&self) -> Tally {
        Tally {
            lines: self.count,
            bytes: Some(self.whole.len() - self.count),
        }
    }
}

fn cut(whole: &Bytes) -> Vec<Bytes> {
    let lines = whole.split(|byte| *byte == b'\n');
    lines
        .filter(|line| !line.is_empty())
        .map(|line| whole.slice_ref(line))
        .collect()
}

pub fn run(classes: &[Class], args: &Args) -> ExitCode {
    // glibc takes large blocks from fresh pages, and gives them back, until it has seen one of that size go. Without
    // this the figures are page faults of whoever comes first, as no process has them that runs for long.
    drop(black_box(vec![0u8; 31 << 20]));
    let mut is_apart = false;
    for class in classes {
        let stream = Stream::new(class);
        for chunk in [64 * 1024, 4 * 1024] {
            println!("## {} in chunks of {} KiB", class.title(), chunk >> 10);
            is_apart |= !agree(&stream, chunk);
            print_rates(&stream, chunk, args.rounds);
            share::print(&stream, chunk, args.rounds);
            println!();
        }
    }
    print_growth(args.rounds);
    if is_apart {
        eprintln!("the ways disagree: see the lines with !");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn agree(stream: &Stream, chunk: usize) -> bool {
    let expected = stream.expected();
    let mut is_unanimous = true;
    for way in WAYS.iter().filter(|way| !way.is_floor) {
        let found = (way.run)(stream, chunk);
        let is_same = found.lines == expected.lines
            && found
                .bytes
                .is_none_or(|bytes| Some(bytes) == expected.bytes);
        if !is_same {
            println!("! {}: {found:?} instead of {expected:?}", way.name);
        }
        is_unanimous &= is_same;
    }
    is_unanimous
}

fn print_rates(stream: &Stream, chunk: usize, rounds: usize) {
    let times = clock::measure(WAYS.len(), rounds, SLOT, stream.whole.len(), |way| {
        black_box((WAYS[way].run)(black_box(stream), chunk));
    });
    let base = WAYS
        .iter()
        .position(|way| way.name == BASELINE)
        .unwrap_or(0);
    for (way, times_of_it) in WAYS.iter().zip(&times) {
        println!(
            "{:<46} {:>9.0} MB/s best {:>9.0} median {:>8.2}x",
            way.name,
            1e-6 / times_of_it.best(),
            1e-6 / times_of_it.median(),
            times_of_it.ratio(&times[base])
        );
    }
}

/// One message, ever longer: whoever looks at its beginning again with every chunk shows here.
fn print_growth(rounds: usize) {
    const MEGABYTES: [usize; 5] = [1, 2, 4, 8, 16];
    let ways: Vec<&Way> = WAYS.iter().filter(|way| !way.is_whole).collect();
    let columns: Vec<Vec<f64>> = MEGABYTES
        .iter()
        .map(|megabytes| {
            let stream = Stream::single(*megabytes);
            let times = clock::measure(ways.len(), rounds.min(5), SLOT, 1, |way| {
                black_box((ways[way].run)(black_box(&stream), 4 * 1024));
            });
            times.iter().map(|times| times.best() * 1e3).collect()
        })
        .collect();
    println!("## one message of 1 to 16 MiB in chunks of 4 KiB, ms");
    print!("{:<46}", "");
    for megabytes in MEGABYTES {
        print!(" {megabytes:>8}M");
    }
    println!("   16M / 1M");
    for (nth, way) in ways.iter().enumerate() {
        print!("{:<46}", way.name);
        for column in &columns {
            print!(" {:>9.3}", column[nth]);
        }
        println!(" {:>10.1}", columns[4][nth] / columns[0][nth]);
    }
}
