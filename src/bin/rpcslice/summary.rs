//! What the whole stream held, by kind and method.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;

use crate::checker::{Ending, counted};
use crate::report::Report;
use crate::safe;

/// A stream may name a new method in every message. From here on they share a row: memory is bounded.
const MAX_ROWS: usize = 200;
/// Bytes of a method that tell it from others.
const MAX_LABEL: usize = 120;
const BAD: &str = "bad";
/// In the order of the rows; the words for what is no message follow, and the bad.
const KINDS: [&str; 5] = ["request", "notification", "result", "error", "batch"];

#[derive(Default)]
pub(crate) struct Summary {
    good: u64,
    bad: u64,
    /// Of the good ones, those that are no message.
    nothing: u64,
    rows: BTreeMap<(usize, &'static str), HashMap<String, Tally>>,
    row_count: usize,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    count: u64,
    bytes: u64,
}

impl Summary {
    pub(crate) fn frames(&self) -> u64 {
        self.good + self.bad
    }

    pub(crate) fn all_good(&self) -> bool {
        self.bad == 0
    }

    /// Counts one frame; a bad one by its reason.
    pub(crate) fn add(&mut self, report: &Report<'_>) {
        let (kind, label) = match &report.fault {
            None => {
                self.good += 1;
                self.nothing += u64::from(report.is_nothing);
                let method = report.method.as_deref().unwrap_or_default();
                (report.kind.unwrap_or_default(), shortened(method))
            }
            Some(fault) => {
                self.bad += 1;
                (BAD, Cow::Borrowed(fault.reason))
            }
        };
        let rows = self.rows.entry((rank(kind), kind)).or_default();
        let tally = match rows.get_mut(label.as_ref()) {
            Some(tally) => tally,
            None => {
                let label = if self.row_count < MAX_ROWS || kind == BAD {
                    label.into_owned()
                } else {
                    "(others)".to_owned()
                };
                self.row_count += 1;
                rows.entry(label).or_default()
            }
        };
        tally.count += 1;
        tally.bytes += report.place.len;
    }

    pub(crate) fn print(&self, out: &mut Vec<u8>, ending: &Ending) {
        if self.frames() > 0 {
            let _ = writeln!(
                out,
                "\n{:>9} {:>13}  {:<12} method",
                "count", "bytes", "kind"
            );
        }
        for ((_, kind), rows) in &self.rows {
            let mut rows: Vec<_> = rows.iter().collect();
            rows.sort_by(|(a, x), (b, y)| y.count.cmp(&x.count).then_with(|| a.cmp(b)));
            for (label, tally) in rows {
                let label = safe::fit(label, 60).text;
                let row = format!("{:>9} {:>13}  {kind:<12} {label}", tally.count, tally.bytes);
                let _ = writeln!(out, "{}", row.trim_end());
            }
        }
        if self.frames() > 0 {
            let _ = writeln!(out);
        }
        let _ = write!(
            out,
            "{}: {} good",
            counted(self.frames(), "frame"),
            self.good
        );
        if self.nothing > 0 {
            let _ = write!(out, " ({} of them no message)", self.nothing);
        }
        let _ = writeln!(out, ", {} bad; {}", self.bad, ending.beside);
        for note in &ending.notes {
            let _ = writeln!(out, "{note}");
        }
    }
}

/// Where a kind's rows stand.
fn rank(kind: &str) -> usize {
    match kind {
        BAD => usize::MAX,
        _ => KINDS.iter().position(|k| *k == kind).unwrap_or(KINDS.len()),
    }
}

fn shortened(label: &str) -> Cow<'_, str> {
    if label.len() <= MAX_LABEL {
        return Cow::Borrowed(label);
    }
    let end = (0..=MAX_LABEL)
        .rev()
        .find(|&end| label.is_char_boundary(end));
    let start = label.get(..end.unwrap_or_default()).unwrap_or_default();
    Cow::Owned(format!("{start}…"))
}
