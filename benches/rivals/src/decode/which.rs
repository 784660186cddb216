//! `serde_json` or `simd-json` for a value that was parsed: trees and types, of values of four kinds.

use rpcslice::decode::SimdScratch;
use serde::Serialize;
use serde_json::{Value, to_value};

use super::shapes::{Blocks, Numbers, RmcpTools, Shape, SimdTree, Tree, WeatherCall, WriteCall};
use super::way::{self, Job, Look, Way};
use crate::load::Class;

/// What a value is decoded into, and the three ways to it.
type Target = (&'static str, [Way; 4]);

/// What is in its params or result, and the type that fits.
const KINDS: [(&str, &str, Target); 7] = [
    ("call", "small", target::<WeatherCall>("struct")),
    (
        "tools_list",
        "large, mixed",
        target::<RmcpTools>("rmcp type"),
    ),
    (
        "write20k",
        "a string with escapes",
        target::<WriteCall>("struct"),
    ),
    (
        "escaped200k",
        "a string full of escapes",
        target::<Blocks>("struct"),
    ),
    (
        "cjk100k",
        "a string beyond ASCII",
        target::<Blocks>("struct"),
    ),
    (
        "blob1m",
        "a string without escapes",
        target::<Blocks>("struct"),
    ),
    ("numbers200k", "numbers", target::<Numbers>("struct")),
];

const TREES: [Target; 2] = [
    target::<Tree>("serde_json::Value"),
    target::<SimdTree>("simd_json::OwnedValue"),
];

const fn target<S: Shape>(name: &'static str) -> Target {
    (name, ways::<S>())
}

const fn ways<S: Shape>() -> [Way; 4] {
    [
        Way {
            name: "serde_json",
            note: "RawJson::decode",
            run: by_serde_json::<S>,
            is_floor: false,
        },
        Way {
            name: "simd-json",
            note: "RawJson::decode_simd, with its copy into the scratch",
            run: by_simd_json::<S>,
            is_floor: false,
        },
        Way {
            name: "in place",
            note: "a copy of an OwnedJson, decoded by OwnedJson::decode_simd",
            run: in_place::<S>,
            is_floor: false,
        },
        Way {
            name: "own copy",
            note: "the copy of the OwnedJson alone: a floor, taken off in the last column",
            run: copy,
            is_floor: true,
        },
    ]
}

fn by_serde_json<S: Shape>(job: &Job<'_>, _: &mut SimdScratch, look: &mut Look) -> Option<()> {
    let value: S::Of<'_> = job.value.decode().ok()?;
    look.at(&value, tell);
    Some(())
}

fn by_simd_json<S: Shape>(job: &Job<'_>, scratch: &mut SimdScratch, look: &mut Look) -> Option<()> {
    let value: S::Of<'_> = job.value.decode_simd(scratch).ok()?;
    look.at(&value, tell);
    Some(())
}

fn in_place<S: Shape>(job: &Job<'_>, scratch: &mut SimdScratch, look: &mut Look) -> Option<()> {
    let mut owned = job.owned.clone();
    let value: S::Of<'_> = owned.decode_simd(scratch).ok()?;
    look.at(&value, tell);
    Some(())
}

fn copy(job: &Job<'_>, _: &mut SimdScratch, look: &mut Look) -> Option<()> {
    look.at(&job.owned.clone(), |_| Value::Null);
    Some(())
}

fn tell<T: Serialize>(value: &T) -> Value {
    to_value(value).unwrap_or_default()
}

/// False if two ways decode different values.
pub fn run(classes: &[Class], rounds: usize) -> bool {
    println!("# which decoder, for a value of a message that was parsed; the value is dropped\n");
    for way in &TREES[0].1 {
        println!("{}: {}", way.name, way.note);
    }
    println!("(n) how many times as fast as serde_json\n");
    println!(
        "{:<26} {:>9} {:<22} {:>12} {:>18} {:>18} {:>10} {:>8}",
        "kind", "bytes", "into", "serde_json", "simd-json", "in place", "own copy", "without"
    );
    let mut is_sound = true;
    for (name, kind, fitting) in &KINDS {
        let Some(class) = classes.iter().find(|class| class.name == *name) else {
            continue;
        };
        let Some(job) = Job::of(class) else { continue };
        for (target, ways) in TREES.iter().chain([fitting]) {
            is_sound &= is_agreed(ways, &job, class, target);
            let [serde_json, simd_json, in_place, copy] = &*way::measure(ways, &job, rounds) else {
                continue;
            };
            let without = serde_json.median() / (in_place.median() - copy.median());
            println!(
                "{kind:<26} {:>9} {target:<22} {:>9.0} ns {:>9.0} ({:>5.2}) {:>10.0} ({:>5.2}) {:>10.0} {without:>8.2}",
                job.value.as_bytes().len(),
                serde_json.median() * 1e9,
                simd_json.median() * 1e9,
                simd_json.ratio(serde_json),
                in_place.median() * 1e9,
                in_place.ratio(serde_json),
                copy.median() * 1e9,
            );
        }
    }
    println!();
    is_sound
}

fn is_agreed(ways: &[Way], job: &Job<'_>, class: &Class, target: &str) -> bool {
    let found = way::look(ways, job);
    let Some(Some(first)) = found.first() else {
        println!("! {} of {}: can't be decoded", target, class.name);
        return false;
    };
    let mut is_sound = true;
    for (way, found) in ways.iter().zip(&found).filter(|(way, _)| !way.is_floor) {
        let is_same = found.as_ref().is_some_and(|it| way::is_same(it, first));
        if !is_same {
            println!("! {} of {}: {} finds another", target, class.name, way.name);
            is_sound = false;
        }
    }
    is_sound
}
