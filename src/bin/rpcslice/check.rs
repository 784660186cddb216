//! `rpcslice check`: every message of a recorded or live stream, good and bad. What the options mean.

use std::path::PathBuf;
use std::process::ExitCode;

use bytes::BytesMut;
use clap::Args as _;
use clap::builder::RangedU64ValueParser;
use clap::error::ErrorKind;
use rpcslice::mcp::{Role, Transport, Version, Versions};
use rpcslice::{Limits, Policy};

use crate::checker::{Checker, Format};
use crate::events::Events;
use crate::exchanges::Exchanges;
use crate::help;
use crate::input::Input;
use crate::lines::Lines;
use crate::output::{self, Failure, Out};
use crate::progress::Progress;
use crate::rows::Table;
use crate::session::Told;
use crate::summary::Summary;

/// A frame's spans are 32-bit numbers.
const MAX_FRAME_BYTES: u64 = u32::MAX as u64;
const MAX_DEPTH: u64 = 1024;

/// Check a stream of messages: lines, an event stream, or recorded HTTP exchanges
#[derive(Debug, clap::Args)]
#[command(long_about = help::LONG_ABOUT, after_long_help = help::AFTER_HELP)]
pub(crate) struct Args {
    /// File to read; standard input if it is `-` or absent
    file: Option<PathBuf>,

    /// What the input is
    #[arg(long, value_enum, default_value_t = InputFormat::Lines)]
    format: InputFormat,

    /// Print one JSON object per frame instead of the table and its summary
    #[arg(long)]
    json: bool,

    /// Longest frame that is read, in bytes (of a line without the LF, of an event its data); a longer one is one bad
    /// frame
    #[arg(long, value_name = "N", default_value_t = Limits::new().max_frame_bytes(),
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_FRAME_BYTES))]
    max_frame_bytes: usize,

    /// Deepest nesting of objects and arrays, 1 to 1024
    #[arg(long, value_name = "N", default_value_t = Limits::new().max_depth(),
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_DEPTH))]
    max_depth: usize,

    /// Accept what is wrong but harmless: ids like 1.0, `"params":null`, `"error":null` beside a result, a byte order
    /// mark on any line
    #[arg(long)]
    lenient: bool,

    /// A revision that is served, such as 2025-11-25; may be given several times
    #[arg(long, value_name = "REVISION")]
    revision: Vec<Version>,

    /// Whose input this is: a server's (requests), a client's (responses), or both directions in one stream; with
    /// `--format http` the records say it
    #[arg(long, value_enum, default_value_t = Side::Both)]
    role: Side,

    /// How the messages travelled; with `--format http` it is that
    #[arg(long, value_enum, default_value_t = Carrier::Any)]
    transport: Carrier,
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum InputFormat {
    /// A message a line
    Lines,
    /// The body of a text/event-stream
    Sse,
    /// Recorded HTTP exchanges, one JSON object a line (see above)
    Http,
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum Side {
    Server,
    Client,
    #[value(alias = "proxy")]
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum Carrier {
    Any,
    Stdio,
    Http,
}

impl Args {
    fn told(&self) -> Told {
        let limits = Limits::new()
            .with_max_frame_bytes(self.max_frame_bytes)
            .with_max_depth(self.max_depth);
        Told {
            role: match self.role {
                Side::Server => Role::Server,
                Side::Client => Role::Client,
                Side::Both => Role::Proxy,
            },
            transport: match (self.format, self.transport) {
                (InputFormat::Http, _) | (_, Carrier::Http) => Transport::Http,
                (_, Carrier::Any) => Transport::Any,
                (_, Carrier::Stdio) => Transport::Stdio,
            },
            served: (!self.revision.is_empty()).then(|| Versions::of(&self.revision)),
            limits,
            policy: match self.lenient {
                true => Policy::lenient(),
                false => Policy::strict(),
            },
        }
    }

    fn format(&self) -> Box<dyn Format> {
        let told = self.told();
        match self.format {
            InputFormat::Lines => Box::new(Lines::new(told)),
            InputFormat::Sse => Box::new(Events::new(told)),
            InputFormat::Http => Box::new(Exchanges::new(told)),
        }
    }

    /// What of the options contradicts the format, which says it by itself.
    fn contradiction(&self) -> Option<&'static str> {
        if self.format != InputFormat::Http {
            return None;
        }
        match (self.role, self.transport) {
            (Side::Server | Side::Client, _) => Some("--role"),
            (_, Carrier::Stdio) => Some("--transport stdio"),
            _ => None,
        }
    }
}

pub(crate) fn run(args: &Args) -> ExitCode {
    if let Some(option) = args.contradiction() {
        let sentence = format!("{option} cannot be used with --format http");
        Args::augment_args(clap::Command::new("rpcslice check"))
            .error(ErrorKind::ArgumentConflict, sentence)
            .exit();
    }
    let mut summary = Summary::default();
    let done = check(args, &mut summary);
    output::exit(done, summary.all_good())
}

fn check(args: &Args, summary: &mut Summary) -> Result<(), Failure> {
    let mut input = Input::open(args.file.as_deref())?;
    let has_records = args.format == InputFormat::Http;
    let mut checker = Checker {
        summary,
        table: (!args.json).then(|| Table::new(output::columns(), input.size(), has_records)),
        out: Out::new(Progress::new(&input)),
    };
    let mut format = args.format();
    let mut buffer = BytesMut::new();
    loop {
        let read = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(failure) => {
                // The frames read so far were promised a row each.
                checker.out.flush()?;
                return Err(failure);
            }
        };
        format.read(&mut buffer, &mut checker)?;
        // A live stream is shown as it comes: nothing waits in our buffer while we wait for input.
        checker.out.flush()?;
        checker.out.progress.advance(read);
    }
    let ending = format.end(&mut buffer, &mut checker)?;
    checker.end(&ending)
}
