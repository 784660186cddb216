//! `--format lines`: newline-delimited messages.

use bytes::{Bytes, BytesMut};
use rpcslice::frame::{Line, LineDecoder};

use crate::checker::{CUT_OFF, Checker, Ending, Format, counted};
use crate::output::Failure;
use crate::report::{Place, Report};
use crate::session::{Session, Told};

pub(crate) struct Lines {
    decoder: LineDecoder,
    session: Session,
    is_cut_off: bool,
}

impl Lines {
    pub(crate) fn new(told: Told) -> Lines {
        Lines {
            decoder: LineDecoder::new(told.limits, told.policy),
            session: Session::new(told),
            is_cut_off: false,
        }
    }

    fn line(&mut self, line: &Line<Bytes>, checker: &mut Checker<'_>) -> Result<(), Failure> {
        self.is_cut_off = !line.terminated;
        let report = match &line.body {
            Ok(frame) => Report::of(frame, &mut self.session, None),
            Err(oversize) => Report::oversize(oversize),
        };
        checker.show(place(line), report)
    }
}

impl Format for Lines {
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
        let blanks = counted(self.decoder.blanks(), "blank line");
        Ok(Ending {
            beside: format!("{blanks} skipped"),
            notes: Vec::from_iter(self.is_cut_off.then(|| CUT_OFF.to_owned())),
        })
    }
}

/// Where a line stands.
pub(crate) fn place(line: &Line<Bytes>) -> Place {
    Place {
        offset: line.offset,
        len: match &line.body {
            Ok(frame) => frame.len() as u64,
            Err(oversize) => oversize.len,
        },
        record: None,
    }
}
