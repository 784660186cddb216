//! One upstream shared among 1,000 clients with 10,000 requests in flight: a request forwarded under another id, and a
//! response given back to who asked under the id that it had chosen.

mod proxies;
mod traffic;

use std::hint::black_box;

use crate::clock;
use proxies::{Bare, Frames, Ours, Proxy, Stateless, Tree};
use traffic::Traffic;

/// Seconds a way works at a stretch.
const SLOT: f64 = 5e-3;

/// Round trips before anything is timed, each of which is looked at.
const LOOKED_AT: usize = 20_000;

/// Round trips a pass.
const PASS: usize = 1_000;

/// False if a proxy gives a response to the wrong client, or under another id.
pub fn run(rounds: usize) -> bool {
    println!(
        "# a request forwarded and a response restored: parsed, renamed, written into a buffer that is reused\n"
    );
    let mut proxies: [Box<dyn Proxy>; 5] = [
        Box::new(Tree::default()),
        Box::new(Ours::default()),
        Box::new(Bare::default()),
        Box::new(Stateless),
        Box::new(Frames),
    ];
    let mut traffics = Vec::new();
    let mut is_sound = true;
    for proxy in &mut proxies {
        let mut traffic = Traffic::new(proxy.as_mut());
        let right = (0..LOOKED_AT).filter(|_| traffic.trip_and_look(proxy.as_mut()));
        let wrong = LOOKED_AT - right.count();
        if wrong > 0 && !proxy.is_floor() {
            println!("! {}: {wrong} of {LOOKED_AT} wrong", proxy.name());
            is_sound = false;
        }
        traffics.push(traffic);
    }
    let times = clock::measure(proxies.len(), rounds, SLOT, PASS, |place| {
        for _ in 0..PASS {
            black_box(traffics[place].trip(proxies[place].as_mut()));
        }
    });
    for (proxy, own) in proxies.iter().zip(&times) {
        let (time, ratio) = (own.median() * 1e9, own.ratio(&times[0]));
        println!("{:<46} {time:>12.1} ns {ratio:>8.2}x", proxy.name());
    }
    is_sound
}
