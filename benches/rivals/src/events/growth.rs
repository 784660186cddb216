//! One event, ever longer or in ever smaller chunks: whoever looks at its beginning again with every chunk shows here.

use std::hint::black_box;
use std::time::Instant;

use super::stream::{Chunks, Stream};
use super::{WAYS, Way};

/// Nobody waits longer for a figure: a way that has taken more is spared the columns that follow, all of them harder.
const PATIENCE: f64 = 1.0;

/// Passes to take the best of, as far as patience lasts.
const PASSES: usize = 5;

struct Column {
    title: &'static str,
    megabytes: usize,
    chunk: usize,
}

const fn column(title: &'static str, megabytes: usize, chunk: usize) -> Column {
    Column {
        title,
        megabytes,
        chunk,
    }
}

const LONGER: &[Column] = &[
    column("1M", 1, 4 << 10),
    column("2M", 2, 4 << 10),
    column("4M", 4, 4 << 10),
    column("8M", 8, 4 << 10),
    column("16M", 16, 4 << 10),
];

const SMALLER: &[Column] = &[
    column("64 KiB", 16, 64 << 10),
    column("4 KiB", 16, 4 << 10),
    column("64 B", 16, 64),
    column("1 B", 16, 1),
];

pub fn print() {
    print_table(
        "one event of 1 to 16 MiB in chunks of 4 KiB, ms",
        LONGER,
        "16M / 1M",
    );
    print_table(
        "one event of 16 MiB in ever smaller chunks, ms",
        SMALLER,
        "1 B / 64 KiB",
    );
}

fn print_table(title: &str, columns: &[Column], ratio: &str) {
    let streams: Vec<Stream> = columns
        .iter()
        .map(|column| Stream::single(column.megabytes << 20))
        .collect();
    println!("## {title}");
    print!("{:<42}", "");
    for column in columns {
        print!(" {:>9}", column.title);
    }
    println!(" {ratio:>13}");
    for way in WAYS {
        print!("{:<42}", way.name);
        let mut times = Vec::new();
        for (column, stream) in columns.iter().zip(&streams) {
            if times.last().is_some_and(|seconds| *seconds > PATIENCE) {
                break;
            }
            let seconds = best(way, stream, column.chunk);
            print!(" {:>9.3}", seconds * 1e3);
            times.push(seconds);
        }
        for _ in times.len()..columns.len() {
            print!(" {:>9}", "-");
        }
        match times.len() == columns.len() {
            true => println!(" {:>13.1}", times[times.len() - 1] / times[0]),
            false => println!(" {:>13}", "-"),
        }
    }
    println!();
}

fn best(way: &Way, stream: &Stream, chunk: usize) -> f64 {
    let (mut best, mut spent) = (f64::INFINITY, 0.0);
    for _ in 0..PASSES {
        let start = Instant::now();
        black_box((way.run)(black_box(stream), Chunks::Bytes(chunk)));
        let seconds = start.elapsed().as_secs_f64();
        (best, spent) = (seconds.min(best), spent + seconds);
        if spent > PATIENCE {
            break;
        }
    }
    best
}
