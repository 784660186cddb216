//! `agree N SEED`: the inputs of the numbers 0 to N, by every instruction set there is here, the exact scanner and the oracles,
//! on all cores. Ends with 1 and the input in hexadecimal digits at the first difference. The same from the same seed, on
//! however many cores.

use rpcslice::__variants::{self, Variant};
use rpcslice_fuzz::variants::{hold, judged, made};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{env, panic, process, thread};

/// So many inputs are taken by a thread at a time.
const SHARE: u64 = 4096;
/// The oracle for messages is slow: one in so many is given to it.
const JUDGED: u64 = 16;

/// What there was.
#[derive(Default)]
struct Counts {
    next: AtomicU64,
    inputs: AtomicU64,
    bytes: AtomicU64,
    good: AtomicU64,
    taken: AtomicU64,
    accepted: AtomicU64,
}

fn main() {
    let words: Vec<u64> = env::args().skip(1).filter_map(|w| w.parse().ok()).collect();
    let &[most, seed] = words.as_slice() else {
        eprintln!("agree N SEED");
        process::exit(2);
    };
    let known: Vec<_> = Variant::ALL
        .into_iter()
        .filter(|v| v.is_supported())
        .collect();
    let names: Vec<_> = known.iter().map(|v| v.name()).collect();
    println!("seed {seed}, {most} inputs, by {}", names.join(", "));
    // What is parsed as the library would choose, is parsed by the exact scanner in plain Rust.
    __variants::force(Variant::Plain);
    let (counts, is_over) = (Counts::default(), AtomicBool::new(false));
    let failed: Mutex<Option<u64>> = Mutex::new(None);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let start = Instant::now();
    thread::scope(|scope| {
        let work = || work(&counts, &failed, most, seed);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        scope.spawn(|| tell(&counts, &is_over, start));
        for worker in workers {
            worker.join().expect("it catches all panics");
        }
        is_over.store(true, Relaxed);
    });
    println!("{}", told(&counts, start));
    if let Ok(Some(number)) = failed.into_inner() {
        let (text, limits) = made::input(seed, number);
        println!("input {number} of seed {seed}, {limits:?}:");
        println!("\"{}\"", text.escape_ascii());
        let hex: String = text.iter().map(|b| format!("{b:02x}")).collect();
        println!("{hex}");
        process::exit(1);
    }
    println!("all agree");
}

/// Takes shares until there are no more, or a difference has been found.
fn work(counts: &Counts, failed: &Mutex<Option<u64>>, most: u64, seed: u64) {
    loop {
        let first = counts.next.fetch_add(SHARE, Relaxed);
        for number in first..most.min(first.saturating_add(SHARE)) {
            let held = panic::catch_unwind(|| one(counts, seed, number));
            if held.is_err()
                && let Ok(mut failed) = failed.lock()
            {
                // The other threads end what they have: what is told is the lowest number.
                *failed = Some(failed.map_or(number, |other| other.min(number)));
                counts.next.store(most, Relaxed);
                return;
            }
        }
        if first >= most {
            return;
        }
    }
}

fn one(counts: &Counts, seed: u64, number: u64) {
    let (text, limits) = made::input(seed, number);
    let found = hold(&text, &limits);
    if number % JUDGED == 0 {
        judged(&text, &limits);
    }
    counts.inputs.fetch_add(1, Relaxed);
    counts.bytes.fetch_add(text.len() as u64, Relaxed);
    counts.good.fetch_add(found.good.into(), Relaxed);
    counts.taken.fetch_add(found.taken.into(), Relaxed);
    counts.accepted.fetch_add(found.accepted.into(), Relaxed);
}

/// Says how far it is, now and then.
fn tell(counts: &Counts, is_over: &AtomicBool, start: Instant) {
    let mut seconds = 0;
    while !is_over.load(Relaxed) {
        thread::sleep(Duration::from_millis(50));
        if start.elapsed().as_secs() >= seconds + 60 {
            seconds += 60;
            eprintln!("{}", told(counts, start));
        }
    }
}

fn told(counts: &Counts, start: Instant) -> String {
    let inputs = counts.inputs.load(Relaxed);
    let share = |of: &AtomicU64| {
        let n = of.load(Relaxed);
        format!("{n} ({:.1} %)", 100.0 * n as f64 / inputs.max(1) as f64)
    };
    let seconds = start.elapsed().as_secs_f64();
    format!(
        "{inputs} inputs of {} bytes on average, in {seconds:.0} s, {:.0} a second; good {}, taken by tokens {}, messages {}",
        counts.bytes.load(Relaxed) / inputs.max(1),
        inputs as f64 / seconds,
        share(&counts.good),
        share(&counts.taken),
        share(&counts.accepted),
    )
}
