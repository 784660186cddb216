//! Recorded HTTP requests, as our check takes them beside what the recorded server said.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use std::collections::BTreeMap;
use std::process::ExitCode;
use support::{exchange, files, served};

fn main() -> ExitCode {
    let folder = files::beside_checkout("recordings/http").unwrap();
    let mut groups: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for file in files::listed(&folder, ".jsonl").unwrap() {
        let name = files::name(&file);
        for difference in served::differences(&exchange::read(&file)) {
            let key = format!(
                "{name}: ours {} theirs {}",
                difference.ours, difference.theirs
            );
            let entry = groups.entry(key).or_insert((0, difference.request));
            entry.0 += 1;
        }
    }
    for (key, (count, request)) in groups {
        println!(
            "{count} x {key} | {}",
            request.chars().take(230).collect::<String>()
        );
    }
    ExitCode::SUCCESS
}
