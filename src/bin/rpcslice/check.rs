//! `rpcslice check`: every message of a recorded or live stream, good and bad.

use std::path::PathBuf;
use std::process::ExitCode;

use bytes::{Bytes, BytesMut};
use clap::builder::RangedU64ValueParser;
use rpcslice::frame::{Line, LineDecoder};
use rpcslice::mcp::{Role, Transport, Version};
use rpcslice::{Limits, Policy};

use crate::input::Input;
use crate::json;
use crate::output::{self, Failure, Out};
use crate::progress::Progress;
use crate::report::Report;
use crate::rows::Table;
use crate::session::Session;
use crate::summary::Summary;

/// A frame's spans are 32-bit numbers.
const MAX_FRAME_BYTES: u64 = u32::MAX as u64;
const MAX_DEPTH: u64 = 1024;

const LONG_ABOUT: &str = "\
Check a stream of newline-delimited messages.

Each line that isn't blank is one frame. Each frame is checked in full: well-formed JSON in valid UTF-8, then the shape of \
a JSON-RPC 2.0 message as MCP has it, then the rules of its revision of MCP. With --revision those are the revisions served. \
Without, a message that names a revision is held to that one, another to what the session agreed on before it, and one \
of which neither is known to JSON-RPC alone. Responses are checked without knowing what they answer. A batch is read where \
2025-03-26 is the revision; it is one frame, with the first fault of any of its messages. A bad frame never stops the stream; the next line is read as if nothing had happened.

The table has a row per frame: its number, the byte offset of its line in the stream, its length in bytes without the LF, \
kind (request, notification, result, error, batch), id as it is written, method, routing name (params.name, else params.uri, else \
params.taskId) and the protocol revision it names. For an error response the code and the message stand where a method would, \
in parentheses. A bad frame is marked with `!` and followed by the reason, the clause of the specification and the text around the fault, with a caret under \
the byte. What could harm a terminal is shown as a stand-in: control characters as pictures, invisible ones as <U+202E>, \
bytes that aren't UTF-8 as <FF>. The summary at the end counts by kind and method.

The input may be larger than memory: what is held is one line, never more than --max-frame-bytes of it.";

const AFTER_HELP: &str = "\
JSON:
  --json prints one object per frame and nothing else:
    {\"frame\":1,\"offset\":0,\"len\":40,\"verdict\":\"accept\",\"kind\":\"request\",\"id\":\"1\",\"method\":\"ping\",
     \"name\":null,\"protocol_version\":null,\"error\":null}
  `frame` counts from 1 without blank lines, `id` holds the JSON text of the id, `error` is null or
  {\"code\":..,\"reason\":..,\"offset\":..,\"message\":..} with the offset within the frame.

Exit status:
  0  every frame is good (also if there is none)
  1  some frame is bad
  2  wrong usage, or the input can't be read or the output not written
  When the reader of the output goes away (as `head` does), the status tells of what was read until then.

Environment:
  COLUMNS  width of the table, at least 60; without it 80 on a terminal, else 120

Examples:
  rpcslice check session.jsonl
  my-server 2>/dev/null <requests.jsonl | rpcslice check
  rpcslice check --json session.jsonl | jq -c 'select(.verdict == \"reject\")'
  rpcslice check --revision 2026-07-28 --role server requests.jsonl
  rpcslice check --max-frame-bytes 1048576 --max-depth 64 session.jsonl";

/// Check a stream of newline-delimited messages
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_HELP)]
pub(crate) struct Args {
    /// File to read; standard input if it is `-` or absent
    file: Option<PathBuf>,

    /// Print one JSON object per frame instead of the table and its summary
    #[arg(long)]
    json: bool,

    /// Longest frame that is read, in bytes without the LF; a longer line is one bad frame
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

    /// Whose input this is: a server's (requests), a client's (responses), or both directions in one stream
    #[arg(long, value_enum, default_value_t = Side::Both)]
    role: Side,

    /// How the messages travelled
    #[arg(long, value_enum, default_value_t = Carrier::Any)]
    transport: Carrier,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Side {
    Server,
    Client,
    #[value(alias = "proxy")]
    Both,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Carrier {
    Any,
    Stdio,
    Http,
}

impl Args {
    fn session(&self, limits: Limits, policy: Policy) -> Session {
        let role = match self.role {
            Side::Server => Role::Server,
            Side::Client => Role::Client,
            Side::Both => Role::Proxy,
        };
        let transport = match self.transport {
            Carrier::Any => Transport::Any,
            Carrier::Stdio => Transport::Stdio,
            Carrier::Http => Transport::Http,
        };
        Session::new(role, transport, &self.revision, limits, policy)
    }
}

pub(crate) fn run(args: &Args) -> ExitCode {
    let mut summary = Summary::default();
    let done = check(args, &mut summary);
    output::exit(done, summary.all_good())
}

fn check(args: &Args, summary: &mut Summary) -> Result<(), Failure> {
    let limits = Limits::new()
        .with_max_frame_bytes(args.max_frame_bytes)
        .with_max_depth(args.max_depth);
    let policy = if args.lenient {
        Policy::lenient()
    } else {
        Policy::strict()
    };

    let mut input = Input::open(args.file.as_deref())?;
    let mut checker = Checker {
        limits,
        policy,
        session: args.session(limits, policy),
        summary,
        table: (!args.json).then(|| Table::new(output::columns(), input.size())),
        out: Out::new(Progress::new(&input)),
    };
    let mut lines = LineDecoder::new(limits, policy);
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
        while let Some(line) = lines.decode(&mut buffer) {
            checker.line(&line)?;
        }
        // A live stream is shown as it comes: nothing waits in our buffer while we wait for input.
        checker.out.flush()?;
        checker.out.progress.advance(read);
    }
    while let Some(line) = lines.finish(&mut buffer) {
        checker.line(&line)?;
    }
    checker.end(lines.blanks())
}

struct Checker<'a> {
    limits: Limits,
    policy: Policy,
    session: Session,
    summary: &'a mut Summary,
    /// `None`: JSON is wanted.
    table: Option<Table>,
    out: Out,
}

impl Checker<'_> {
    fn line(&mut self, line: &Line<Bytes>) -> Result<(), Failure> {
        let number = self.summary.frames() + 1;
        let report = Report::of(number, line, &self.limits, &self.policy, &mut self.session);
        self.summary.add(&report, line.terminated);
        match &mut self.table {
            Some(table) => table.row(self.out.buffer(), &report),
            None => json::object(self.out.buffer(), &report)?,
        }
        self.out.row_done()
    }

    fn end(&mut self, blanks: u64) -> Result<(), Failure> {
        self.out.progress.finish();
        if self.table.is_some() {
            self.summary.print(self.out.buffer(), blanks);
        }
        self.out.flush()
    }
}
