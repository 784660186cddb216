//! Timing: every way in every round, each round in another order, so that a slow moment hits all alike.

use std::time::Instant;

/// What one way took, per unit of work, in seconds: one figure a round.
pub struct Times(Vec<f64>);

impl Times {
    /// The fastest round.
    pub fn best(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// How many times as fast as `base`: the median of the ratios within each round.
    pub fn ratio(&self, base: &Times) -> f64 {
        let pairs = self.0.iter().zip(&base.0);
        median(pairs.map(|(own, base)| base / own).collect())
    }

    /// What half of the rounds stayed below.
    pub fn median(&self) -> f64 {
        median(self.0.clone())
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Times `count` ways for `rounds` rounds. `work(way)` does the work of one pass; a pass is repeated until it fills
/// `slot` seconds, and its time is divided by `units`.
pub fn measure(
    count: usize,
    rounds: usize,
    slot: f64,
    units: usize,
    work: impl FnMut(usize),
) -> Vec<Times> {
    measure_held(count, rounds, slot, units, |_| (), work)
}

/// As `measure`, for ways that need something set while they work: `hold(way)` sets it before the clock starts, and
/// what it returns is dropped after the clock has stopped.
pub fn measure_held<Held>(
    count: usize,
    rounds: usize,
    slot: f64,
    units: usize,
    hold: impl Fn(usize) -> Held,
    mut work: impl FnMut(usize),
) -> Vec<Times> {
    let mut pass = |way: usize, repeats: usize| {
        let held = hold(way);
        let start = Instant::now();
        for _ in 0..repeats {
            work(way);
        }
        let seconds = start.elapsed().as_secs_f64();
        drop(held);
        seconds
    };
    let repeats: Vec<usize> = (0..count)
        .map(|way| {
            let mut repeats = 1;
            loop {
                // The first passes also warm caches, predictors and the rival's own buffers. The best of three: one
                // that was interrupted would leave too few repeats for every round to come.
                let seconds = (0..3)
                    .map(|_| pass(way, repeats))
                    .fold(f64::INFINITY, f64::min);
                if seconds > slot / 2.0 {
                    return ((repeats as f64 * slot / seconds) as usize).max(1);
                }
                repeats *= 2;
            }
        })
        .collect();
    let mut times: Vec<Times> = (0..count).map(|_| Times(Vec::new())).collect();
    for round in 0..rounds {
        for place in 0..count {
            let way = (place + round) % count;
            let seconds = pass(way, repeats[way]);
            times[way].0.push(seconds / (repeats[way] * units) as f64);
        }
    }
    times
}
