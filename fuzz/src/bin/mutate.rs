//! The way to fuzz where libFuzzer isn't: a seeded loop of random mutations over the seeds, on any toolchain.
//!
//! `mutate TARGET SECONDS SEED ARTIFACTS FOLDER..` runs every file of the folders once, then mutates for that time.
//! An input that makes the target panic (or take more than ten seconds) is kept in ARTIFACTS, and the process ends
//! with 1. It has no coverage to go by, so it keeps inputs with a signature that is new.

use rpcslice_fuzz::rng::{Rng, hash};
use rpcslice_fuzz::{TARGETS, Target, count};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{env, fs, io, panic, process, thread};

const MOST_INPUTS: usize = 20_000;
const LONGEST: usize = 4096;
const TIMEOUT: Duration = Duration::from_secs(10);

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [target, seconds, seed, artifacts, folders @ ..] = words.as_slice() else {
        usage();
    };
    let Some(target) = TARGETS.into_iter().find(|t| t.name == target) else {
        usage();
    };
    let (Ok(seconds), Ok(seed)) = (seconds.parse(), seed.parse()) else {
        usage();
    };
    let mut inputs = Vec::new();
    for folder in folders {
        let mut files: Vec<PathBuf> = fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<io::Result<_>>()?;
        // The order of a folder is the file system's; a seed has to mean the same run everywhere.
        files.sort();
        for file in files {
            inputs.push(fs::read(file)?);
        }
    }
    let mut run = Loop {
        target,
        current: Arc::default(),
        artifacts: artifacts.into(),
    };
    run.watch();
    let until = Instant::now() + Duration::from_secs(seconds);
    run.run(inputs, until, Rng::new(seed));
    done()
}

fn usage() -> ! {
    let names = TARGETS.map(|t| t.name).join("|");
    eprintln!("mutate {names} SECONDS SEED ARTIFACTS FOLDER..");
    process::exit(2)
}

fn done() -> ! {
    eprintln!("{}", count::report());
    eprintln!("stat::number_of_executed_units: {}", count::executions());
    process::exit(0)
}

struct Loop {
    target: Target,
    /// The input that is running, for the watchdog.
    current: Arc<Mutex<Vec<u8>>>,
    artifacts: PathBuf,
}

impl Loop {
    fn run(&mut self, mut inputs: Vec<Vec<u8>>, until: Instant, mut rng: Rng) {
        let mut met = HashSet::new();
        for input in &inputs {
            self.execute(input);
            met.insert(count::signature());
        }
        while Instant::now() < until {
            for _ in 0..64 {
                let Some(input) = rng.pick(&inputs) else {
                    return;
                };
                let mut mutated = (self.target.mutate)(input, &mut rng);
                mutated.truncate(LONGEST);
                self.execute(&mutated);
                if met.insert(count::signature()) {
                    match inputs.len() < MOST_INPUTS {
                        true => inputs.push(mutated),
                        false => {
                            let old = rng.below(inputs.len());
                            inputs[old] = mutated;
                        }
                    }
                }
            }
        }
    }

    fn execute(&self, input: &[u8]) {
        if let Ok(mut current) = self.current.lock() {
            current.clear();
            current.extend_from_slice(input);
        }
        let run = self.target.run;
        if panic::catch_unwind(|| run(input)).is_err() {
            fail(&self.artifacts, "crash", input);
        }
    }

    /// Ends the process if one input takes too long.
    fn watch(&self) {
        let (current, artifacts) = (Arc::clone(&self.current), self.artifacts.clone());
        thread::spawn(move || {
            let mut before = count::executions();
            loop {
                thread::sleep(TIMEOUT);
                let now = count::executions();
                if now == before {
                    let input = current.lock().map(|input| input.clone());
                    fail(&artifacts, "timeout", &input.unwrap_or_default());
                }
                before = now;
            }
        });
    }
}

/// Keeps the input, says where, and ends.
fn fail(artifacts: &Path, what: &str, input: &[u8]) -> ! {
    let file = artifacts.join(format!("{what}-{:016x}", hash(input)));
    let kept = fs::create_dir_all(artifacts).and_then(|()| fs::write(&file, input));
    match kept {
        Ok(()) => eprintln!("Test unit written to {}", file.display()),
        Err(error) => eprintln!("{}: {error}", file.display()),
    }
    eprintln!("input: \"{}\"", input.escape_ascii());
    eprintln!(
        "stat::number_of_executed_units: {}",
        count::executions() + 1
    );
    process::exit(1)
}
