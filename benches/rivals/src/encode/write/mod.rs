//! Small messages of a server, written as lines from what a handler has at hand: a text, a few numbers.

mod ours;
mod theirs;

use rpcslice::RawJson;
use serde_json::{Value, json};

use super::way::{self, Buffers, Way};

/// The id of the request that is answered.
pub const ID: u64 = 7;

/// The progress that is told of.
pub const TOKEN: &str = "oivaizmir";
pub const PROGRESS: u32 = 50;
pub const TOTAL: u32 = 100;
pub const NOTE: &str = "Reticulating splines...";

/// Of a server under 2026-07-28.
pub const SERVER: (&str, &str) = ("example", "1.0");

const WAYS: &[Way<Case>] = &[
    theirs::VALUE,
    theirs::TYPED,
    theirs::RMCP,
    ours::OBJECT,
    ours::READY,
    ours::SERIALIZE,
    ours::MODERN,
];

/// What is to be said.
pub struct Case {
    pub name: &'static str,
    pub what: What,
    /// The params or the result, for a way that has it already.
    pub ready: RawJson<'static>,
}

pub enum What {
    /// The result of `tools/call`.
    Text(String),
    /// The result of `ping`.
    Empty,
    Progress,
}

pub fn cases() -> Vec<Case> {
    let line = "\tif path == \"src/lib.rs\" {\n\t\treturn C:\\\\temp; // and so on, without anything to escape\n";
    let long = line.repeat(2048 / line.len() + 1);
    [
        (
            "a short text",
            What::Text("It is 21 °C in New York.".to_owned()),
        ),
        ("a text of 2 KB with escapes", What::Text(long)),
        ("an empty result", What::Empty),
        ("a progress notification", What::Progress),
    ]
    .map(|(name, what)| Case {
        name,
        ready: ready(&what),
        what,
    })
    .into()
}

/// Kept for good: there are four.
fn ready(what: &What) -> RawJson<'static> {
    let message = expected(what);
    let section = message.get("result").or_else(|| message.get("params"));
    let text: &'static str = section.map(Value::to_string).unwrap_or_default().leak();
    RawJson::parse(text.as_bytes()).expect("what serde_json writes")
}

/// The tree of a message as it has to come out.
fn expected(what: &What) -> Value {
    let result = |result: Value| json!({"jsonrpc": "2.0", "id": ID, "result": result});
    match what {
        What::Text(text) => {
            result(json!({"content": [{"type": "text", "text": text}], "isError": false}))
        }
        What::Empty => result(json!({})),
        What::Progress => json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {
            "progressToken": TOKEN, "progress": PROGRESS, "total": TOTAL, "message": NOTE,
        }}),
    }
}

/// The same under 2026-07-28.
fn expected_modern(what: &What) -> Value {
    let mut message = expected(what);
    if let Some(result) = message.get_mut("result") {
        let (name, version) = SERVER;
        result["resultType"] = "complete".into();
        result["_meta"] =
            json!({"io.modelcontextprotocol/serverInfo": {"name": name, "version": version}});
    }
    message
}

pub const fn ways() -> &'static [Way<Case>] {
    WAYS
}

pub fn run(rounds: usize) -> bool {
    println!(
        "# write: a line of a server of 2025-11-25, built and written into a buffer that is reused\n"
    );
    for way in WAYS {
        println!("{}: {}", way.name, way.note);
    }
    let mut buffers = Buffers::new(ID);
    let mut is_sound = true;
    for case in cases() {
        println!("\n## write {}", case.name);
        let expected = |case: &Case, way: &Way<Case>| match way.name == ours::MODERN.name {
            true => expected_modern(&case.what),
            false => expected(&case.what),
        };
        let jobs = std::slice::from_ref(&case);
        let verdict = way::check(WAYS, jobs, expected, &mut buffers);
        let times = way::measure(WAYS, jobs, 1, rounds, &mut buffers);
        for (place, way) in WAYS.iter().enumerate() {
            println!(
                "{:<46} {:>12.1} ns {:>8.2}x{}",
                way.name,
                times[place].median() * 1e9,
                times[place].ratio(&times[0]),
                verdict.mark(place),
            );
        }
        let mut faults = verdict.undone.iter().chain(&verdict.apart);
        is_sound &= faults.all(|count| *count == 0);
    }
    is_sound
}
