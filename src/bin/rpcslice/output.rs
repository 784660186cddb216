//! Where the output goes, what may go wrong on the way, and how the program ends.

use std::io::{self, ErrorKind, StdoutLock, Write};
use std::process::ExitCode;

use crate::progress::Progress;
use crate::safe;

/// Above this the buffer is written out, so that a chunk of very many tiny frames can't make it grow.
const FLUSH_AT: usize = 64 * 1024;

/// Standard output, locked once, with a buffer that is written in whole rows.
pub(crate) struct Out {
    buffer: Vec<u8>,
    stdout: StdoutLock<'static>,
    pub(crate) progress: Progress,
}

impl Out {
    pub(crate) fn new(progress: Progress) -> Out {
        Out {
            buffer: Vec::with_capacity(FLUSH_AT + FLUSH_AT / 4),
            stdout: io::stdout().lock(),
            progress,
        }
    }

    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    pub(crate) fn row_done(&mut self) -> Result<(), Failure> {
        if self.buffer.len() < FLUSH_AT {
            return Ok(());
        }
        self.flush()
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let Out {
            buffer,
            stdout,
            progress,
        } = self;
        let written = progress.aside(|| stdout.write_all(buffer).and_then(|()| stdout.flush()));
        buffer.clear();
        // A frame of many megabytes may have had an id of that size.
        buffer.shrink_to(2 * FLUSH_AT);
        written.map_err(Failure::Write)
    }
}

/// An I/O error that ends the program.
#[derive(Debug)]
pub(crate) enum Failure {
    Read(String, io::Error),
    Write(io::Error),
}

impl Failure {
    pub(crate) fn read(name: &str, error: io::Error) -> Failure {
        Failure::Read(name.to_owned(), error)
    }
}

/// The exit status; an I/O error is told in one line on standard error.
pub(crate) fn exit(done: Result<(), Failure>, all_good: bool) -> ExitCode {
    let sentence = match done {
        // Whoever read our output has seen enough. That is no error.
        Err(Failure::Write(error)) if error.kind() == ErrorKind::BrokenPipe => None,
        Ok(()) => None,
        Err(Failure::Read(name, error)) => {
            Some(format!("cannot read {}: {error}", safe::text(&name)))
        }
        Err(Failure::Write(error)) => Some(format!("cannot write the output: {error}")),
    };
    if let Some(sentence) = sentence {
        // Not `eprintln!`, which panics if standard error is closed.
        let _ = writeln!(io::stderr(), "rpcslice: {sentence}");
        return ExitCode::from(2);
    }
    ExitCode::from(u8::from(!all_good))
}

/// How wide the table may be: what the environment says, or the terminal, or what a log line may take.
pub(crate) fn columns() -> usize {
    let told = std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok());
    let terminal =
        || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into());
    told.or_else(terminal).unwrap_or(120).clamp(60, 400)
}
