//! A message comes in as bytes and goes out as bytes, with another id and one more key of `_meta`: what a gateway does.

mod batch;
mod ours;
mod theirs;
mod typed;

use bytes::Bytes;
use serde_json::{Map, Value};

use super::way::{self, Buffers, Verdict, Way};
use crate::clock::Times;
use crate::load::{Class, Side};

/// The id that a message gets, if it has one.
pub const NEW_ID: u64 = 1_000_017;

/// The key of `_meta` that is added to all that have params or a result, and its value.
pub const KEY: &str = "traceparent";
pub const TRACEPARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// The classes to edit: one small message, many, and a large one.
const CLASSES: [&str; 3] = ["call", "small", "tools_list"];

/// Calls of the class `small` that are sent as one array.
const BATCH: usize = 50;

const WAYS: &[Way<Frame>] = &[
    theirs::VALUE,
    theirs::RAW,
    typed::RMCP,
    ours::BODY,
    ours::LINE,
    ours::PIECES,
    ours::COPY,
];

const BATCH_WAYS: &[Way<Frame>] = &[batch::VALUE, batch::RAW, batch::OURS, batch::COPY];

/// A message, or a batch of them.
pub struct Frame {
    pub bytes: Bytes,
    pub from: Side,
}

impl Frame {
    fn parsed(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_default()
    }
}

/// Frames that are edited, as single messages or as batches.
pub struct Task {
    pub title: String,
    pub ways: &'static [Way<Frame>],
    pub frames: Vec<Frame>,
    pub messages: usize,
}

/// What is to be done with the corpus.
pub fn tasks(classes: &[Class]) -> Vec<Task> {
    let named = |name: &str| classes.iter().find(|class| class.name == name);
    let mut tasks: Vec<Task> = CLASSES.into_iter().filter_map(named).map(single).collect();
    tasks.extend(named("small").map(batched));
    tasks
}

fn single(class: &Class) -> Task {
    let frame = |frame: &crate::load::Frame| Frame {
        bytes: Bytes::copy_from_slice(&frame.bytes),
        from: frame.from,
    };
    Task {
        title: class.title(),
        ways: WAYS,
        messages: class.frames.len(),
        frames: class.frames.iter().map(frame).collect(),
    }
}

fn batched(class: &Class) -> Task {
    let is_call = |bytes: &[u8]| {
        let message: Value = serde_json::from_slice(bytes).unwrap_or_default();
        message.get("method").and_then(Value::as_str) == Some("tools/call")
    };
    let all = class.frames.iter().map(|frame| frame.bytes.as_slice());
    let calls: Vec<&[u8]> = all.filter(|bytes| is_call(bytes)).take(BATCH).collect();
    let bytes = [b"[", calls.join(&b","[..]).as_slice(), b"]"].concat();
    Task {
        title: format!("batch of {} calls ({} B)", calls.len(), bytes.len()),
        ways: BATCH_WAYS,
        messages: calls.len(),
        frames: vec![Frame {
            bytes: bytes.into(),
            from: Side::Client,
        }],
    }
}

pub fn run(classes: &[Class], rounds: usize) -> bool {
    println!(
        "# edit: parse, another id, one more key of `_meta`, write into a buffer that is reused\n"
    );
    for way in WAYS.iter().chain(BATCH_WAYS) {
        println!("{}: {}", way.name, way.note);
    }
    let mut buffers = Buffers::new(NEW_ID);
    let mut is_sound = true;
    for task in tasks(classes) {
        println!("\n## edit {}", task.title);
        let expected = |frame: &Frame, _: &Way<Frame>| match frame.parsed() {
            Value::Array(messages) => messages.into_iter().map(edited).collect(),
            message => edited(message),
        };
        let verdict = way::check(task.ways, &task.frames, expected, &mut buffers);
        let times = way::measure(task.ways, &task.frames, task.messages, rounds, &mut buffers);
        print(&task, &verdict, &times);
        is_sound &= is_ours_sound(&task, &verdict);
    }
    println!();
    is_sound
}

/// The tree of a message as it has to come out: nobody's way, but slow and plain.
fn edited(mut message: Value) -> Value {
    let Some(members) = message.as_object_mut() else {
        return message;
    };
    if let Some(id) = members.get_mut("id") {
        *id = NEW_ID.into();
    }
    if members.contains_key("method") {
        members.entry("params").or_insert_with(|| Map::new().into());
    }
    for section in ["params", "result"] {
        if let Some(section) = members.get_mut(section) {
            section["_meta"][KEY] = TRACEPARENT.into();
        }
    }
    message
}

/// Types that know no member besides their own lose some, which is marked and no fault here; with any other way it is one.
fn is_ours_sound(task: &Task, verdict: &Verdict) -> bool {
    let all = task.ways.iter().enumerate();
    all.filter(|(_, way)| way.name != typed::RMCP.name)
        .all(|(place, _)| verdict.undone[place] == 0 && verdict.apart[place] == 0)
}

/// The first way is what all are as fast as, the last is the floor.
fn print(task: &Task, verdict: &Verdict, times: &[Times]) {
    let floor = times.len() - 1;
    for (place, way) in task.ways.iter().enumerate() {
        println!(
            "{:<46} {:>12.1} ns {:>8.2}x {:>8.3} of parse + copy{}",
            way.name,
            times[place].median() * 1e9,
            times[place].ratio(&times[0]),
            times[floor].ratio(&times[place]),
            verdict.mark(place),
        );
    }
}
