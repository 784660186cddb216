//! Counting what passed, and saying what did not.

use std::fmt::{self, Debug, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Values are quoted up to so many characters.
const QUOTED: usize = 240;

/// The assertions of one test. A test that made none fails.
#[derive(Default)]
pub struct Check {
    made: usize,
    faults: Vec<String>,
}

impl Check {
    /// Asserts that two values are equal.
    pub fn same<T: PartialEq + Debug>(&mut self, what: &str, expected: T, got: T) {
        let told = |value| format!("{value:?}");
        if expected == got {
            self.made += 1;
        } else {
            self.fault(format!("{what} {}", told(expected)), told(got));
        }
    }

    /// Asserts that something holds, whose opposite is told in `got`.
    pub fn holds(&mut self, held: bool, expected: impl Display, got: impl Display) {
        if held {
            self.made += 1;
        } else {
            self.fault(expected, got);
        }
    }

    /// An assertion that did not hold.
    pub fn fault(&mut self, expected: impl Display, got: impl Display) {
        self.made += 1;
        let (expected, got) = (clipped(&expected), clipped(&got));
        self.faults.push(format!("expected {expected} got {got}"));
    }

    /// The first faults; a decoder that is wrong is wrong at every cut.
    fn told(&self) -> String {
        const MOST: usize = 4;
        let mut told = self.faults.clone();
        if told.len() > MOST {
            told.truncate(MOST);
            told.push(format!("{} more", self.faults.len() - MOST));
        }
        told.join("; ")
    }

    /// Whether nothing has failed so far.
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Cut to a length that can be read, on one line.
fn clipped(value: &impl Display) -> String {
    let text = value.to_string().replace('\n', "\\n");
    match text.char_indices().nth(QUOTED) {
        Some((at, _)) => format!("{}.. ({} bytes)", &text[..at], text.len()),
        None => text,
    }
}

/// So many tests.
#[derive(Clone, Copy, Default)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            passed,
            failed,
            skipped,
        } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped")
    }
}

/// The counts of a harness, in all and by topic.
#[derive(Default)]
pub struct Report {
    all: Counts,
    topics: Vec<(String, Counts)>,
    /// Which of them it is now.
    topic: usize,
    absent: u64,
    sources: u64,
}

impl Report {
    /// What follows is counted under this topic, too.
    pub fn topic(&mut self, name: &str) {
        let known = self.topics.iter().position(|(topic, _)| topic == name);
        self.topic = known.unwrap_or(self.topics.len());
        if known.is_none() {
            self.topics.push((name.to_owned(), Counts::default()));
        }
    }

    fn count(&mut self, add: impl Fn(&mut Counts)) {
        add(&mut self.all);
        if let Some((_, counts)) = self.topics.get_mut(self.topic) {
            add(counts);
        }
    }

    /// Runs one test.
    pub fn run(&mut self, id: &str, title: &str, test: impl FnOnce(&mut Check)) {
        let asserting = |check: &mut Check| {
            test(check);
            if check.made == 0 {
                check.fault("at least one assertion", "none");
            }
        };
        if self.holds(id, title, asserting) {
            self.count(|counts| counts.passed += 1);
        }
    }

    /// A test that has to wait. What can be said of it already is said in `test`, and fails like any other.
    pub fn skip(&mut self, id: &str, title: &str, why: &str, test: impl FnOnce(&mut Check)) {
        if self.holds(id, title, test) {
            self.count(|counts| counts.skipped += 1);
            println!("SKIP {id}: {why}");
        }
    }

    /// Whether a test holds; counted and told if not. A panic fails the test and not the harness.
    fn holds(&mut self, id: &str, title: &str, test: impl FnOnce(&mut Check)) -> bool {
        let mut check = Check::default();
        let ended = catch_unwind(AssertUnwindSafe(|| test(&mut check)));
        if ended.is_err() {
            check.fault("no panic", "the panic told above");
        }
        if !check.is_clean() {
            self.count(|counts| counts.failed += 1);
            println!("FAIL {id} {title}: {}", check.told());
        }
        check.is_clean()
    }

    /// A file or folder that was read.
    pub fn source(&mut self) {
        self.sources += 1;
    }

    /// Something that lies beside the checkout on some machines only. Its absence is no failure.
    pub fn absent(&mut self, what: &str) {
        self.absent += 1;
        println!("{what} is not here: left out");
    }

    /// The folder of that name beside the checkout, if it is there, and those that the variable names.
    pub fn folders(&mut self, beside: &str, variable: &str) -> Vec<PathBuf> {
        let found = super::files::beside_checkout(beside);
        if found.is_none() {
            self.absent(&format!("../shared/{beside}"));
        }
        let named = super::files::named_in(variable);
        found.into_iter().chain(named).collect()
    }

    /// A file or folder that has to be there, because somebody named it or because it is in the repository.
    pub fn unreadable(&mut self, path: &Path, why: impl Display) {
        self.all.failed += 1;
        println!(
            "FAIL {} to be read: expected tests got {why}",
            path.display()
        );
    }

    /// Prints the counts. The exit code is good if something passed and nothing failed; where there was nothing to
    /// read and nobody had asked for it, passing nothing is good, too.
    pub fn finish(self) -> ExitCode {
        let nothing_to_read = self.sources == 0 && self.absent > 0;
        for (topic, counts) in &self.topics {
            println!("{topic}: {counts}");
        }
        println!("{}", self.all);
        if self.all.failed == 0 && (self.all.passed > 0 || nothing_to_read) {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}
