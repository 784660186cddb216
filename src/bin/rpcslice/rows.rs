//! The table that people read: a row per frame, and for a bad one the reason and a caret under the byte.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::excerpt::excerpt;
use crate::report::{Fault, Report};
use crate::safe;
use crate::session::Direction;

const NUMBER: usize = 5;
const SIZE: usize = 7;
const KIND: usize = 12;
const REVISION: usize = 10;
/// Of a recorded exchange: its number, and which way the frame went.
const RECORD: usize = 5;
const WAY: usize = 3;
/// Under the number; the reason and the excerpt of a bad frame begin behind it.
const INDENT: usize = NUMBER + 1;
/// A name gets this much of the room before a long method is cut.
const NAME_AT_LEAST: usize = 8;
/// Longer excerpts don't help the eye.
const EXCERPT_AT_MOST: usize = 100;

/// How wide the columns are that depend on the terminal and the input. The rows are printed as they come, so nothing can
/// be measured beforehand.
pub(crate) struct Table {
    offset: usize,
    id: usize,
    /// Method and name share this room: a row without a name lends all of it to the method.
    method_and_name: usize,
    method: usize,
    excerpt: usize,
    has_records: bool,
    header_due: bool,
    line: String,
}

impl Table {
    /// For so many columns, and input of so many bytes if that is known; of recorded exchanges or not.
    pub(crate) fn new(columns: usize, size: Option<u64>, has_records: bool) -> Table {
        let offset = size.map_or(9, |size| size.to_string().len().max(6));
        // The spaces: two before the kind, one before each other column.
        let fixed = 1 + NUMBER + 1 + offset + 1 + SIZE + 2 + KIND + 1 + 1 + 1 + REVISION;
        let fixed = fixed + if has_records { RECORD + WAY + 2 } else { 0 };
        let id = (columns / 10).clamp(6, 16);
        // On a very wide terminal the eye would lose its row between method and revision.
        let method_and_name = columns.saturating_sub(fixed + id).clamp(16, 72);
        Table {
            offset,
            id,
            method_and_name,
            method: (method_and_name / 2).min(24),
            excerpt: columns.saturating_sub(INDENT + 2).min(EXCERPT_AT_MOST),
            has_records,
            header_due: true,
            line: String::new(),
        }
    }

    pub(crate) fn row(&mut self, out: &mut Vec<u8>, report: &Report<'_>) {
        if self.header_due {
            self.header_due = false;
            self.header(out);
        }
        self.line.clear();
        let mark = if report.fault.is_some() { '!' } else { ' ' };
        let kind = report.kind.unwrap_or("-");
        let _ = write!(self.line, "{mark}{:>NUMBER$} ", report.number);
        if let Some(record) = report.place.record {
            let way = record.way.map_or("-", Direction::as_str);
            let _ = write!(self.line, "{:>RECORD$} {way:<WAY$} ", record.number);
        }
        let _ = write!(
            self.line,
            "{:>width$} {:>SIZE$}  {kind:<KIND$} ",
            report.place.offset,
            report.place.len,
            width = self.offset,
        );
        self.cell(report.id.unwrap_or("-"), self.id);
        self.line.push(' ');
        self.method_and_name(report);
        self.line.push(' ');
        self.cell(report.revision.as_deref().unwrap_or_default(), REVISION);
        self.end_line(out);
        if let Some(fault) = &report.fault {
            self.fault(out, fault);
        }
    }

    fn header(&mut self, out: &mut Vec<u8>) {
        self.line.clear();
        let _ = write!(self.line, " {:>NUMBER$} ", "#");
        if self.has_records {
            let _ = write!(self.line, "{:>RECORD$} {:<WAY$} ", "rec", "way");
        }
        let _ = write!(
            self.line,
            "{:>width$} {:>SIZE$}  {:<KIND$} ",
            "offset",
            "size",
            "kind",
            width = self.offset,
        );
        self.cell("id", self.id);
        self.line.push(' ');
        self.cell("method", self.method);
        self.line.push(' ');
        self.cell("name", self.method_and_name - self.method - 1);
        self.line.push(' ');
        self.cell("revision", REVISION);
        self.end_line(out);
    }

    fn method_and_name(&mut self, report: &Report<'_>) {
        let room = self.method_and_name;
        let method = match (&report.method, &report.remark) {
            (Some(method), _) => Cow::Borrowed(method.as_ref()),
            (None, Some(remark)) => Cow::Owned(format!("({remark})")),
            (None, None) => Cow::Borrowed(""),
        };
        let Some(name) = &report.name else {
            return self.cell(&method, room);
        };
        let wanted = safe::fit(name, NAME_AT_LEAST).columns;
        let method = safe::fit(&method, room - 1 - wanted);
        self.line.push_str(&method.text);
        self.pad(method.columns, self.method);
        self.line.push(' ');
        self.cell(name, room - 1 - method.columns.max(self.method));
    }

    fn fault(&mut self, out: &mut Vec<u8>, fault: &Fault<'_>) {
        self.line.clear();
        self.pad(0, INDENT);
        let _ = write!(self.line, "{} {}", fault.code, fault.reason);
        if let Some(offset) = fault.offset {
            let _ = write!(self.line, ", byte {offset}");
        }
        // It may quote the input.
        let _ = write!(self.line, ": {}", safe::text(&fault.message));
        self.end_line(out);
        if let Some(clause) = fault.clause {
            self.line.clear();
            self.pad(0, INDENT);
            let _ = write!(self.line, "by {clause}");
            self.end_line(out);
        }
        let (Some(frame), Some(offset)) = (fault.frame, fault.offset) else {
            return;
        };
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        let excerpt = excerpt(frame, at, self.excerpt);
        self.line.clear();
        self.pad(0, INDENT);
        self.line.push_str("| ");
        self.line.push_str(&excerpt.text);
        self.end_line(out);
        self.line.clear();
        self.pad(0, INDENT);
        self.line.push_str("| ");
        self.pad(0, excerpt.caret);
        self.line.push('^');
        self.end_line(out);
    }

    /// `text` made safe, cut to so many columns, and filled up to them.
    fn cell(&mut self, text: &str, columns: usize) {
        let shown = safe::fit(text, columns);
        self.line.push_str(&shown.text);
        self.pad(shown.columns, columns);
    }

    fn pad(&mut self, taken: usize, columns: usize) {
        self.line
            .extend(std::iter::repeat_n(' ', columns.saturating_sub(taken)));
    }

    fn end_line(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.line.trim_end_matches(' ').as_bytes());
        out.push(b'\n');
    }
}
