//! `--format http`: recorded HTTP exchanges, a JSON object a line.

use bytes::{Bytes, BytesMut};
use rpcslice::frame::{Line, LineDecoder};
use rpcslice::{Limits, Policy};

use crate::checker::{CUT_OFF, Checker, Ending, Format, counted};
use crate::exchange::{Exchange, Seen};
use crate::lines;
use crate::output::Failure;
use crate::record::Record;
use crate::report::{Place, RecordPlace, Report};
use crate::session::{Session, Told};

/// A record is longer than the frames in it: base64 makes four bytes of three, and an event stream has many of them.
const RECORD_PER_FRAME: usize = 4;
/// For header fields and times.
const RECORD_BESIDE: usize = 1 << 20;

pub(crate) struct Exchanges {
    told: Told,
    decoder: LineDecoder,
    is_cut_off: bool,
    records: u64,
    seen: Seen,
}

impl Exchanges {
    pub(crate) fn new(told: Told) -> Exchanges {
        let most = told.limits.max_frame_bytes();
        let most = most.saturating_mul(RECORD_PER_FRAME);
        let limits = Limits::new().with_max_frame_bytes(most.saturating_add(RECORD_BESIDE));
        Exchanges {
            told,
            decoder: LineDecoder::new(limits, Policy::strict()),
            is_cut_off: false,
            records: 0,
            seen: Seen::default(),
        }
    }

    fn line(&mut self, line: &Line<Bytes>, checker: &mut Checker<'_>) -> Result<(), Failure> {
        self.is_cut_off = !line.terminated;
        self.records += 1;
        let number = self.records;
        let place = Place {
            record: Some(RecordPlace { number, way: None }),
            ..lines::place(line)
        };
        let record = match &line.body {
            Ok(line) => Record::read(line).map_err(Report::faulty),
            Err(oversize) => Err(Report::oversize(oversize)),
        };
        let record = match record {
            Ok(record) => record,
            Err(report) => return checker.show(place, report),
        };
        let version = record.request.headers.version();
        let mut exchange = Exchange {
            offset: line.offset,
            number,
            session: Session::of_exchange(self.told, version, record.request.headers.map()),
            seen: &mut self.seen,
            checker,
        };
        exchange.request(&record.request)?;
        match &record.response {
            Some(response) => exchange.response(response),
            None => Ok(()),
        }
    }
}

impl Format for Exchanges {
    fn read(&mut self, buffer: &mut BytesMut, checker: &mut Checker<'_>) -> Result<(), Failure> {
        while let Some(line) = self.decoder.decode(buffer) {
            self.line(&line, checker)?;
        }
        Ok(())
    }

    fn end(&mut self, buffer: &mut BytesMut, checker: &mut Checker<'_>) -> Result<Ending, Failure> {
        while let Some(line) = self.decoder.finish(buffer) {
            self.line(&line, checker)?;
        }
        let cut_off = self.is_cut_off.then(|| CUT_OFF.to_owned());
        Ok(Ending {
            beside: format!(
                "{}, {}, {} skipped",
                counted(self.records, "record"),
                counted(self.seen.comments, "comment"),
                counted(self.decoder.blanks(), "blank line"),
            ),
            notes: [self.seen.unfinished_note(), cut_off]
                .into_iter()
                .flatten()
                .collect(),
        })
    }
}
