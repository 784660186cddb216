//! Messages to measure with: the same bytes on every machine, for every release.
//!
//! The classes carry the names of the corpus they are modelled on: single messages from 100 bytes to 1 MB, each
//! leaning on another part of a parser, and two mixes, `small` and `session`, in which no branch can be learned by
//! heart. Nothing here needs a crate, so the benches, the rivals and the instruction counts share it by `#[path]`.

// Each of the three uses a part of this.
#![allow(dead_code, reason = "shared by several binaries")]
#![allow(
    clippy::indexing_slicing,
    reason = "a bench, and every index is drawn from the length"
)]

mod fixed;
pub(crate) mod json;
mod large;
mod rng;
mod small;
mod text;

pub(crate) use json::{Json, Style, object};
pub(crate) use rng::Rng;

/// Every class, smallest message first, the mixes where their mean belongs.
pub(crate) const CLASSES: [&str; 14] = [
    "ping",
    "progress",
    "discover_req",
    "call",
    "discover_res",
    "small",
    "write20k",
    "pretty20k",
    "tools_list",
    "numbers200k",
    "escaped200k",
    "cjk100k",
    "blob1m",
    "session",
];

/// Bytes of `session`, about.
pub(crate) const SESSION: usize = 6_000_000;

/// Messages in `small`: more than a branch predictor remembers.
pub(crate) const SMALL: usize = 8_000;

/// The messages of one class, without line ends; none if there is no such class.
pub(crate) fn class(name: &str) -> Vec<Vec<u8>> {
    // One seed a class: a change to one leaves the others as they are.
    let rng = &mut Rng::new(
        name.bytes()
            .fold(7, |seed, byte| seed * 31 + u64::from(byte)),
    );
    let one = |message: String| vec![message.into_bytes()];
    match name {
        "ping" => one(fixed::ping()),
        "progress" => one(fixed::progress()),
        "discover_req" => one(fixed::discover_request()),
        "call" => one(fixed::call()),
        "discover_res" => one(fixed::discover_result()),
        "small" => small::mix(rng, SMALL),
        "write20k" => one(large::write(rng, 20_000)),
        "pretty20k" => one(large::pretty(rng, 26_000)),
        "tools_list" => one(large::tools(rng, 74_000)),
        "numbers200k" => one(large::numbers(rng, 200_000)),
        "escaped200k" => one(large::escaped(rng, 183_000)),
        "cjk100k" => one(large::cjk(rng, 100_000)),
        "blob1m" => one(large::blob(rng, 1 << 20)),
        "session" => session(SESSION),
        _ => Vec::new(),
    }
}

/// About `bytes` of mixed traffic: mostly small, with the file reads, writes, lists and images that make up its bytes.
pub(crate) fn session(bytes: usize) -> Vec<Vec<u8>> {
    let rng = &mut Rng::new(2026);
    let mut messages = Vec::new();
    let mut total = 0;
    while total < bytes {
        // In thousandths: 943 small ones, 42 results of a few kilobytes, 10 writes, 3.5 tool lists, 1.5 images.
        let message = match rng.range(0, 2000) {
            0..1886 => small::any(rng),
            1886..1970 => large::result(rng),
            1970..1990 => {
                let length = rng.range(1_000, 15_000);
                large::write(rng, length)
            }
            1990..1997 => {
                let length = rng.range(3_000, 60_000);
                large::tools(rng, length)
            }
            _ => {
                let length = rng.range(27_000, 400_000);
                large::blob(rng, length)
            }
        }
        .into_bytes();
        total += message.len() + 1;
        messages.push(message);
    }
    messages
}

/// The messages as a stream of lines.
pub(crate) fn lines(messages: &[Vec<u8>]) -> Vec<u8> {
    let mut stream = Vec::new();
    for message in messages {
        stream.extend_from_slice(message);
        stream.push(b'\n');
    }
    stream
}

/// The messages as an event stream, each an event in one line as servers write it. None of them may have a line end.
pub(crate) fn events(messages: &[Vec<u8>]) -> Vec<u8> {
    let mut stream = Vec::new();
    for message in messages {
        stream.extend_from_slice(b"event: message\ndata: ");
        stream.extend_from_slice(message);
        stream.extend_from_slice(b"\n\n");
    }
    stream
}
