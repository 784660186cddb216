//! What looking for lines adds to parsing them.

use std::hint::black_box;

use super::{Stream, Way, ours};
use crate::clock;

/// Seconds at a stretch, fewer than for the rates: what is set against each other here differs by a few per cent, so it
/// has to lie close together.
const SLOT: f64 = 5e-3;

/// Rounds of this for one of the rates.
const ROUNDS: usize = 4;

const KNOWN: Way = ours::PARSE;
const WAYS: [(&str, Way); 4] = [
    ("with feed", ours::FEED_AND_PARSE),
    ("with decode", ours::DECODE_AND_PARSE),
    ("with Lines", ours::LINES_AND_PARSE),
    ("feed alone", ours::FEED),
];

/// The time of lines and parsing, against that of parsing lines known beforehand.
pub fn print(stream: &Stream, chunk: usize, rounds: usize) {
    let units = stream.whole.len();
    let times = clock::measure(WAYS.len() + 1, rounds * ROUNDS, SLOT, units, |nth| {
        let way = match nth {
            0 => &KNOWN,
            _ => &WAYS[nth - 1].1,
        };
        black_box((way.run)(black_box(stream), chunk));
    });
    print!("time of lines and parsing, against parsing lines known beforehand:");
    for ((name, _), own) in WAYS.iter().zip(&times[1..]) {
        print!(" {name} {:.3}", times[0].ratio(own));
    }
    println!();
}
