//! Recorded traffic: the stdio streams in the recordings beside the checkout and in the folders named in
//! `RPCSLICE_RECORDINGS` (separated by colons), each laid out like that one or with its `*.jsonl` directly inside.
//!
//! Each line is read as the independent reading has it, and each way of cutting a stream into chunks gives the same
//! lines. A test is a file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use bytes::Bytes;
use rpcslice::{Limits, Message, MessageBuf, Policy};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};
use support::chunks::{Cuts, assert_cut, assert_iterated, random_sizes, split};
use support::reading::{self, Reading};
use support::report::{Check, Report};
use support::{exchange, files};

/// Every read of a stream has one size, ..
const SIZES: &[usize] = &[1, 2, 3, 7, 64, 1000, 4096, 65536];
/// .. or sizes at random: seed and largest size.
const RANDOM: &[(u64, usize)] = &[(1, 50), (2, 900), (3, 20_000), (4, 200_000)];

fn main() -> ExitCode {
    let mut report = Report::default();
    let mut lines = 0;
    for folder in report.folders("recordings", "RPCSLICE_RECORDINGS") {
        match streams(&folder) {
            Ok(streams) => {
                report.source();
                for stream in streams {
                    report.run(&files::name(&stream), "", |check| {
                        lines += run_stream(check, &stream);
                    });
                }
            }
            Err(error) => report.unreadable(&folder, error),
        }
    }
    println!("{lines} lines");
    report.finish()
}

/// The recorded streams of a folder: those in `stdio/` where there is one, else those directly inside.
fn streams(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let stdio = folder.join("stdio");
    let folder = if stdio.is_dir() { &stdio } else { folder };
    let mut streams = files::listed(folder, ".jsonl")?;
    streams.retain(|file| !files::name(file).ends_with(".order.jsonl") && !exchange::is_in(file));
    match streams.is_empty() {
        true => Err(io::Error::other("no stream in it")),
        false => Ok(streams),
    }
}

/// Gives the number of lines.
fn run_stream(check: &mut Check, file: &Path) -> usize {
    let stream = Bytes::from(fs::read(file).unwrap());
    let lines = split(&stream);
    for (n, line) in (1..).zip(&lines.lines) {
        assert_same_reading(check, n, line.body.as_ref().unwrap());
    }
    assert_same_lines(check, &stream, &lines, recorded_sizes(file));
    lines.lines.len()
}

fn assert_same_reading(check: &mut Check, n: usize, frame: &Bytes) {
    let expected = match reading::read(frame) {
        Ok(reading) => reading,
        Err(error) => return check.fault(format!("line {n} to be a message"), error),
    };
    let message = match Message::parse(frame) {
        Ok(message) => message,
        Err(error) => return check.fault(format!("line {n} to be accepted"), error),
    };
    check.same(&format!("line {n}"), expected, Reading::of(&message));
    match MessageBuf::parse(frame.clone()) {
        Ok(owned) => check.same(
            &format!("line {n} owned"),
            Reading::of(&message),
            Reading::of(&owned.as_message()),
        ),
        Err(rejected) => check.fault(format!("line {n} owned to be accepted"), rejected.error),
    }
}

fn assert_same_lines(
    check: &mut Check,
    stream: &Bytes,
    lines: &Cuts,
    recorded: Option<Vec<usize>>,
) {
    let setting = (&Limits::new(), &Policy::strict());
    let random = RANDOM
        .iter()
        .map(|&(seed, most)| random_sizes(seed, most, stream.len()));
    let chunkings = SIZES
        .iter()
        .map(|&size| vec![size])
        .chain([vec![stream.len()]])
        .chain(random)
        .chain(recorded);
    for sizes in chunkings {
        assert_cut(check, lines, (stream, true), &sizes, setting);
    }
    assert_iterated(check, lines, stream, setting);
}

/// The sizes of the reads as they were recorded, where they were: `[milliseconds, direction, offset, size]` a line.
fn recorded_sizes(file: &Path) -> Option<Vec<usize>> {
    let name = files::name(file);
    let (stem, direction) = name.strip_suffix(".jsonl")?.rsplit_once('.')?;
    let order = file.with_file_name(format!("{stem}.order.jsonl"));
    if !order.is_file() {
        return None;
    }
    let mut sizes = Vec::new();
    for (_, line) in files::json_lines(&order).unwrap() {
        let line = line.unwrap();
        if line[1] == direction {
            assert_eq!(
                line[2].as_u64(),
                Some(sizes.iter().sum::<usize>() as u64),
                "reads follow each other"
            );
            sizes.push(usize::try_from(line[3].as_u64().unwrap()).unwrap());
        }
    }
    (!sizes.is_empty()).then_some(sizes)
}
