//! Makes the seeds: what the vectors and cases of `tests/` have as input, cut to what each target takes.
//!
//! `seeds TESTS CORPUS` reads `TESTS/vectors/*.jsonl` and `TESTS/cases/*.jsonl`, and writes `CORPUS/<target>/seed-*`.

use base64::prelude::{BASE64_STANDARD, Engine};
use rpcslice_fuzz::{options, rng};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs, io};

/// The longest seed: what is long is slow, and seldom better.
const LONGEST: usize = 4096;

#[derive(Default)]
struct Seeds {
    message: BTreeSet<Vec<u8>>,
    lines: BTreeSet<Vec<u8>>,
    sse: BTreeSet<Vec<u8>>,
    text: BTreeSet<Vec<u8>>,
}

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [tests, corpus] = words.as_slice() else {
        eprintln!("seeds TESTS CORPUS");
        std::process::exit(2);
    };
    let (mut inputs, mut events) = (Vec::new(), Vec::new());
    for folder in ["vectors", "cases"] {
        let folder = Path::new(tests).join(folder);
        let listed = fs::read_dir(&folder)?.collect::<io::Result<Vec<_>>>()?;
        for file in listed.iter().map(fs::DirEntry::path) {
            if file.extension().is_some_and(|e| e == "jsonl") {
                for line in fs::read_to_string(&file)?.lines() {
                    let case: Map<String, Value> = serde_json::from_str(line)?;
                    let Some(input) = input(&case).filter(|input| input.len() <= LONGEST) else {
                        continue;
                    };
                    if case.get("expect").and_then(|e| e.get("events")).is_some() {
                        events.push(input.clone());
                    }
                    inputs.push(input);
                }
            }
        }
    }
    let mut seeds = Seeds::default();
    for input in &inputs {
        seeds.take(input);
    }
    seeds.take_streams(&inputs);
    seeds.take_events(&events);
    for (target, seeds) in [
        ("message", seeds.message),
        ("lines", seeds.lines),
        ("sse", seeds.sse),
        ("text", seeds.text),
    ] {
        let folder = Path::new(corpus).join(target);
        fs::create_dir_all(&folder)?;
        for seed in &seeds {
            fs::write(folder.join(format!("seed-{:016x}", rng::hash(seed))), seed)?;
        }
        eprintln!("{} seeds for {target}", seeds.len());
    }
    Ok(())
}

/// The bytes that a vector or case is about, in whichever way they are written.
fn input(case: &Map<String, Value>) -> Option<Vec<u8>> {
    let text = |value: &Value| Some(value.as_str()?.as_bytes().to_vec());
    let base64 = |value: &Value| BASE64_STANDARD.decode(value.as_str()?).ok();
    let joined = |value: &Value, piece: &dyn Fn(&Value) -> Option<Vec<u8>>| {
        let pieces: Option<Vec<_>> = value.as_array()?.iter().map(piece).collect();
        Some(pieces?.concat())
    };
    if let Some(value) = case.get("input") {
        return text(value);
    }
    if let Some(value) = case.get("input_b64") {
        return base64(value);
    }
    if let Some(value) = case.get("chunks_b64") {
        return joined(value, &base64);
    }
    if let Some(value) = case.get("chunks") {
        return joined(value, &text);
    }
    case.get("gen")?.as_object().map(generated)
}

/// What a rule generates, with counts so small that it fits.
fn generated(rule: &Map<String, Value>) -> Vec<u8> {
    let text = |key: &str| rule.get(key).and_then(Value::as_str).unwrap_or("");
    let times = |key: &str| rule.get(key).and_then(Value::as_u64).unwrap_or(0).min(150) as usize;
    [
        text("prefix"),
        &text("repeat").repeat(times("count")),
        text("mid"),
        &text("repeat2").repeat(times("count2")),
        text("suffix"),
    ]
    .concat()
    .into_bytes()
}

impl Seeds {
    fn take(&mut self, input: &[u8]) {
        self.lines.insert(input.to_vec());
        for line in [input].into_iter().chain(input.split(|&b| b == b'\n')) {
            // Of an event stream, the data.
            let frame = line.strip_prefix(b"data: ").unwrap_or(line);
            if frame.is_empty() {
                continue;
            }
            self.message.insert(frame.to_vec());
            self.text.insert(frame.to_vec());
            // A few of them with limits: one container, a few, and a frame limit close by.
            let limits = match frame.len() % 16 {
                0 => [1, 0, 0],
                1 => [3, 0, 0],
                2 => [0, 255, 0],
                3 => [0, 1, 0],
                _ => continue,
            };
            let mut limited = frame.to_vec();
            options::join(&mut limited, limits);
            self.message.insert(limited);
        }
    }

    /// Streams of several inputs, joined in several ways.
    fn take_streams(&mut self, inputs: &[Vec<u8>]) {
        let ends: [&[u8]; 4] = [b"\n", b"\r\n", b"\n\n \t\r\n", b"\n\xEF\xBB\xBF"];
        let short: Vec<_> = inputs.iter().filter(|input| input.len() < 300).collect();
        for (group, end) in short.chunks(4).zip(ends.iter().cycle()) {
            let mut stream = Vec::new();
            for input in group {
                stream.extend_from_slice(input);
                stream.extend_from_slice(end);
            }
            self.lines.insert(stream);
        }
    }

    /// Event streams, and streams joined of several, of which one may go on with what another left; a few of them with
    /// limits, and grown.
    fn take_events(&mut self, streams: &[Vec<u8>]) {
        let short: Vec<_> = streams.iter().filter(|s| s.len() < 1000).collect();
        let joined = short.chunks(3).map(|group| group.iter().copied().flatten());
        let joined = joined.map(|bytes| bytes.copied().collect::<Vec<u8>>());
        let tails = [[64, 0, 0], [80, 0, 0], [255, 0x11, 6], [255, 0x13, 9]];
        for (stream, tail) in joined
            .chain(streams.iter().cloned())
            .zip(tails.into_iter().cycle())
        {
            let mut limited = stream.clone();
            options::join(&mut limited, tail);
            self.sse.extend([stream, limited]);
        }
    }
}
