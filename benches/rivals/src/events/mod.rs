//! `events`: a long text/event-stream, in chunks as HTTP delivers them, cut into events.

mod growth;
mod ours;
mod stream;
mod theirs;

use std::hint::black_box;
use std::process::ExitCode;

use crate::args::Args;
use crate::clock::{self, Times};
use crate::load::Class;
use stream::{Chunks, Stream, WRITERS};

/// One way of reading a stream.
pub struct Way {
    pub name: &'static str,
    pub run: fn(&Stream, Chunks) -> Tally,
    /// A floor finds no events.
    pub is_floor: bool,
}

pub const WAYS: &[Way] = &[
    theirs::EVENTSOURCE_STREAM,
    theirs::SSE_STREAM,
    theirs::SSE_CORE,
    ours::FEED,
    ours::DECODE,
    ours::FEED_AND_UTF8,
    ours::FEED_AND_PARSE,
    ours::DECODE_AND_PARSE,
    theirs::MEMCPY,
    theirs::MEMCHR2,
];

/// So many of them, the first, are crates to compare with. The very first is what all ratios are against.
const RIVALS: usize = 3;

/// Which of them the goals speak of.
const FEED: usize = RIVALS;

const CHUNKS: [(&str, Chunks); 3] = [
    ("chunks of 64 KiB", Chunks::Bytes(64 << 10)),
    ("chunks of 4 KiB", Chunks::Bytes(4 << 10)),
    ("one chunk an event", Chunks::Events),
];

/// Seconds a way works at a stretch: enough for a pass or more over the whole stream by any that is not slow.
const SLOT: f64 = 20e-3;

/// What a way found, compared before anything is timed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    pub events: usize,
    /// Of the data.
    pub bytes: usize,
}

impl Tally {
    #[inline(always)]
    pub fn event(&mut self, data: &[u8]) {
        black_box(data);
        self.events += 1;
        self.bytes += data.len();
    }
}

pub fn run(classes: &[Class], args: &Args) -> ExitCode {
    // See `framing`: without this the figures are page faults of whoever comes first.
    drop(black_box(vec![0u8; 31 << 20]));
    let mut is_apart = false;
    for class in classes {
        for writer in &WRITERS {
            let stream = Stream::new(class, writer);
            for (title, chunks) in CHUNKS {
                println!("## {}, {}, {title}", class.title(), writer.name);
                match agree(&stream, chunks) {
                    true => print_rates(&stream, chunks, args.rounds),
                    false => is_apart = true,
                }
                println!();
            }
        }
    }
    growth::print();
    if is_apart {
        eprintln!("the ways disagree: see the lines with !");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn agree(stream: &Stream, chunks: Chunks) -> bool {
    let expected = Tally {
        events: stream.events(),
        bytes: stream.data,
    };
    let mut is_unanimous = true;
    for way in WAYS.iter().filter(|way| !way.is_floor) {
        let found = (way.run)(stream, chunks);
        if found != expected {
            println!("! {}: {found:?} instead of {expected:?}", way.name);
            is_unanimous = false;
        }
    }
    is_unanimous
}

fn print_rates(stream: &Stream, chunks: Chunks, rounds: usize) {
    let times = clock::measure(WAYS.len(), rounds, SLOT, stream.whole.len(), |way| {
        black_box((WAYS[way].run)(black_box(stream), chunks));
    });
    let event = stream.whole.len() as f64 / stream.events() as f64;
    for (way, times_of_it) in WAYS.iter().zip(&times) {
        println!(
            "{:<42} {:>8.0} MB/s best {:>8.0} median {:>9.1} ns an event {:>7.2}x",
            way.name,
            1e-6 / times_of_it.best(),
            1e-6 / times_of_it.median(),
            1e9 * times_of_it.best() * event,
            times_of_it.ratio(&times[0]),
        );
    }
    print_goals(&times);
}

/// What the goals are set for: `feed` against each rival.
fn print_goals(times: &[Times]) {
    let ratios = WAYS[..RIVALS].iter().zip(times).map(|(rival, theirs)| {
        let ratio = times[FEED].ratio(theirs);
        format!("{ratio:.2}x {}", rival.name)
    });
    println!("feed is {}", ratios.collect::<Vec<_>>().join(", "));
}
