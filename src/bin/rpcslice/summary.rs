//! What the whole stream held, by kind and method.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write as _;

use crate::report::Report;
use crate::safe;

/// A stream may name a new method in every message. From here on they share a row: memory is bounded.
const MAX_ROWS: usize = 200;
/// Bytes of a method that tell it from others.
const MAX_LABEL: usize = 120;
const BAD: &str = "bad";
/// In the order of the rows.
const KINDS: [&str; 6] = ["request", "notification", "result", "error", "batch", BAD];

#[derive(Default)]
pub(crate) struct Summary {
    good: u64,
    bad: u64,
    cut_off: bool,
    rows: HashMap<&'static str, HashMap<String, Tally>>,
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
    pub(crate) fn add(&mut self, report: &Report<'_>, terminated: bool) {
        self.cut_off = !terminated;
        let (kind, label) = match &report.fault {
            None => {
                self.good += 1;
                let method = report.method.as_deref().unwrap_or_default();
                (report.kind.unwrap_or_default(), shortened(method))
            }
            Some(fault) => {
                self.bad += 1;
                (BAD, Cow::Borrowed(fault.reason))
            }
        };
        let rows = self.rows.entry(kind).or_default();
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
        tally.bytes += report.len;
    }

    pub(crate) fn print(&self, out: &mut Vec<u8>, blanks: u64) {
        if self.frames() > 0 {
            let _ = writeln!(
                out,
                "\n{:>9} {:>13}  {:<12} method",
                "count", "bytes", "kind"
            );
        }
        for kind in KINDS {
            let Some(rows) = self.rows.get(kind) else {
                continue;
            };
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
        let _ = writeln!(
            out,
            "{}: {} good, {} bad; {} skipped",
            counted(self.frames(), "frame"),
            self.good,
            self.bad,
            counted(blanks, "blank line")
        );
        if self.cut_off {
            let _ = writeln!(out, "the last line has no LF: it may have been cut off");
        }
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
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
