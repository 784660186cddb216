//! `--json`: one object a line. The keys and their order are a promise to scripts.

use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::output::Failure;
use crate::report::Report;
use crate::safe;
use crate::session::Direction;

#[derive(Serialize)]
struct Object<'a> {
    frame: u64,
    offset: u64,
    len: u64,
    verdict: &'static str,
    kind: Option<&'static str>,
    id: Option<&'a str>,
    method: Option<&'a str>,
    name: Option<&'a str>,
    protocol_version: Option<&'a str>,
    error: Option<Refusal<'a>>,
    #[serde(flatten)]
    record: Option<OfRecord>,
}

/// Only where exchanges are read.
#[derive(Serialize)]
struct OfRecord {
    record: u64,
    direction: Option<&'static str>,
}

#[derive(Serialize)]
struct Refusal<'a> {
    code: i64,
    reason: &'static str,
    offset: u64,
    message: &'a str,
}

pub(crate) fn object(out: &mut Vec<u8>, report: &Report<'_>) -> Result<(), Failure> {
    let object = Object {
        frame: report.number,
        offset: report.place.offset,
        len: report.place.len,
        verdict: if report.fault.is_none() {
            "accept"
        } else {
            "reject"
        },
        kind: report.kind,
        id: report.id,
        method: report.method.as_deref(),
        name: report.name.as_deref(),
        protocol_version: report.revision.as_deref(),
        error: report.fault.as_ref().map(|fault| Refusal {
            code: fault.code,
            reason: fault.reason,
            offset: fault.offset.unwrap_or_default(),
            message: &fault.message,
        }),
        record: report.place.record.map(|place| OfRecord {
            record: place.number,
            direction: place.way.map(Direction::as_str),
        }),
    };
    let mut serializer = Serializer::with_formatter(&mut *out, Escaping);
    let written = object.serialize(&mut serializer);
    out.push(b'\n');
    written.map_err(|error| Failure::Write(error.into()))
}

/// Compact, with escapes for all that a terminal might act upon: people look at JSON in terminals.
struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, odd)) = rest.char_indices().find(|&(_, c)| !safe::is_printable(c)) {
            let (plain, tail) = rest.split_at(at);
            out.write_all(plain.as_bytes())?;
            for unit in odd.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = tail.get(odd.len_utf8()..).unwrap_or_default();
        }
        out.write_all(rest.as_bytes())
    }
}
