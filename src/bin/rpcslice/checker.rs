//! What all formats share: a frame's report is numbered, counted and printed.

use crate::json;
use crate::output::{Failure, Out};
use crate::report::{Place, Report};
use crate::rows::Table;
use crate::summary::Summary;

pub(crate) struct Checker<'a> {
    pub(crate) summary: &'a mut Summary,
    /// `None`: JSON is wanted.
    pub(crate) table: Option<Table>,
    pub(crate) out: Out,
}

impl Checker<'_> {
    pub(crate) fn show(&mut self, place: Place, report: Report<'_>) -> Result<(), Failure> {
        let report = Report {
            number: self.summary.frames() + 1,
            place,
            ..report
        };
        self.summary.add(&report);
        match &mut self.table {
            Some(table) => table.row(self.out.buffer(), &report),
            None => json::object(self.out.buffer(), &report)?,
        }
        self.out.row_done()
    }

    pub(crate) fn end(&mut self, ending: &Ending) -> Result<(), Failure> {
        self.out.progress.finish();
        if self.table.is_some() {
            self.summary.print(self.out.buffer(), ending);
        }
        self.out.flush()
    }
}

/// What a format has to say at the end, in the summary.
#[derive(Default)]
pub(crate) struct Ending {
    /// Behind the counts of frames: what else was there.
    pub(crate) beside: String,
    /// A line each; nothing in them that could harm a terminal.
    pub(crate) notes: Vec<String>,
}

/// How a format drives the reading.
pub(crate) trait Format {
    /// Cuts off the front of `buffer` what is whole, and shows it.
    fn read(
        &mut self,
        buffer: &mut bytes::BytesMut,
        checker: &mut Checker<'_>,
    ) -> Result<(), Failure>;

    /// At the end of the input: what is left in `buffer`.
    fn end(
        &mut self,
        buffer: &mut bytes::BytesMut,
        checker: &mut Checker<'_>,
    ) -> Result<Ending, Failure>;
}

/// The number with its noun.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Why the last line may be only a part of one.
pub(crate) const CUT_OFF: &str = "the last line has no LF: it may have been cut off";
