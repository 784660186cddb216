//! Pieces against the whole: megabytes a second of `PieceScan` beside `Message::parse`, on files and their lines.
//!
//! `cargo run --release --example pieces -- FILE..`; a file `*.jsonl` is taken line by line.

use rpcslice::Message;
use rpcslice::pieces::PieceScan;
use std::hint::black_box;
use std::time::Instant;

fn rate(bytes: usize, mut work: impl FnMut()) -> f64 {
    let mut best = f64::MAX;
    let rounds = (20_000_000 / bytes.max(1)).clamp(1, 20_000);
    for _ in 0..7 {
        let start = Instant::now();
        for _ in 0..rounds {
            work();
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    (bytes * rounds) as f64 / best / 1e6
}

fn scan(body: &[u8], size: usize) -> bool {
    let mut scan = PieceScan::default();
    for piece in body.chunks(size) {
        scan.feed(piece);
    }
    scan.finish().is_ok()
}

fn main() {
    println!(
        "{:18} {:>9} {:>7} {:>7} {:>7} {:>7} {:>9}",
        "MB/s", "parse", "whole", "16K", "1K", "64", "lend"
    );
    for file in std::env::args().skip(1) {
        let text = std::fs::read(&file).expect("a file that is there");
        let bodies: Vec<&[u8]> = match file.ends_with(".jsonl") {
            true => text
                .split(|&b| b == b'\n')
                .filter(|line| !line.is_empty())
                .collect(),
            false => vec![&text],
        };
        let bytes = bodies.iter().map(|body| body.len()).sum();
        let parse = rate(bytes, || {
            for body in &bodies {
                black_box(Message::parse(black_box(body)).is_ok());
            }
        });
        let pieces = [usize::MAX, 16 << 10, 1 << 10, 64].map(|size| {
            rate(bytes, || {
                for body in &bodies {
                    black_box(scan(black_box(body), size));
                }
            })
        });
        let scanned: Vec<_> = bodies
            .iter()
            .filter_map(|body| {
                let mut scan = PieceScan::default();
                scan.feed(body);
                Some((scan.finish().ok()?, body))
            })
            .collect();
        let lend = rate(bytes, || {
            for (scanned, body) in &scanned {
                black_box(scanned.message(black_box(body)).is_some());
            }
        });
        let name = file.rsplit('/').next().unwrap_or("");
        let [whole, large, small, tiny] = pieces;
        println!("{name:18} {parse:9.0} {whole:7.0} {large:7.0} {small:7.0} {tiny:7.0} {lend:9.0}");
    }
}
