//! From the bytes of a whole message to a typed call, or to a typed list of tools.

mod ours;
mod theirs;

use serde_json::{Value, json};

use super::shapes::{LentCall, LentTools, OwnCall, OwnTools, RmcpCall, RmcpTools};
use super::way::{self, Job, Way};
use crate::clock::Times;
use crate::load::Class;

/// The classes, and the ways for each. The first way is what all are as fast as.
const CASES: [(&str, &[Way]); 3] = [("call", CALL), ("write20k", CALL), ("tools_list", TOOLS)];

const CALL: &[Way] = &[
    theirs::CLIENT,
    theirs::typed::<RmcpCall>("serde_json, envelope of rmcp's params"),
    theirs::VALUE,
    ours::parsed::<OwnCall>("rpcslice, params_as own struct"),
    ours::parsed::<RmcpCall>("rpcslice, params_as rmcp's params"),
    ours::parsed::<LentCall>("rpcslice, params_as borrowed struct"),
    ours::simd::<RmcpCall>("rpcslice, decode_simd to rmcp's params"),
    ours::in_place::<RmcpCall>("rpcslice, in place to rmcp's params"),
    ours::PARSE,
    ours::COPY,
];

const TOOLS: &[Way] = &[
    theirs::SERVER,
    theirs::typed::<RmcpTools>("serde_json, envelope of rmcp's result"),
    theirs::VALUE,
    ours::parsed::<OwnTools>("rpcslice, result_as own struct"),
    ours::parsed::<RmcpTools>("rpcslice, result_as rmcp's result"),
    ours::parsed::<LentTools>("rpcslice, result_as borrowed struct"),
    ours::simd::<RmcpTools>("rpcslice, decode_simd to rmcp's result"),
    ours::in_place::<RmcpTools>("rpcslice, in place to rmcp's result"),
    ours::PARSE,
    ours::COPY,
];

/// False if a way finds something else.
pub fn run(classes: &[Class], rounds: usize) -> bool {
    println!(
        "# from a whole message to a typed call, or to a typed list of tools; the value is dropped\n"
    );
    for way in CALL.iter().chain(&TOOLS[..2]) {
        println!("{}: {}", way.name, way.note);
    }
    let mut is_sound = true;
    for (name, ways) in CASES {
        let Some(class) = classes.iter().find(|class| class.name == name) else {
            continue;
        };
        let Some(job) = Job::of(class) else { continue };
        println!("\n## typed {}", class.title());
        let expected = told(expected_id(&job), section(&job));
        for (way, found) in ways.iter().zip(way::look(ways, &job)) {
            let is_same = found.is_some_and(|found| way::is_same(&found, &expected));
            if !is_same && !way.is_floor {
                println!("! {} finds something else", way.name);
                is_sound = false;
            }
        }
        print(ways, &way::measure(ways, &job, rounds));
    }
    println!();
    is_sound
}

/// What there is to find: id, and params or result. Without what `rmcp` has no type for: a tool's `execution`.
fn told(id: Value, mut section: Value) -> Value {
    let tools = section.get_mut("tools").and_then(Value::as_array_mut);
    for tool in tools.into_iter().flatten() {
        if let Some(tool) = tool.as_object_mut() {
            tool.remove("execution");
        }
    }
    json!({"id": id, "section": section})
}

fn section(job: &Job<'_>) -> Value {
    serde_json::from_slice(job.value.as_bytes()).unwrap_or_default()
}

fn expected_id(job: &Job<'_>) -> Value {
    let message: Value = serde_json::from_slice(job.frame).unwrap_or_default();
    message["id"].clone()
}

fn print(ways: &[Way], times: &[Times]) {
    for (way, own) in ways.iter().zip(times) {
        let (time, ratio) = (own.median() * 1e9, own.ratio(&times[0]));
        println!("{:<46} {time:>12.1} ns {ratio:>8.2}x", way.name);
    }
}
