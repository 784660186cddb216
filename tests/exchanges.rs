//! Recorded HTTP exchanges: those beside the checkout, and in the folders named in `RPCSLICE_RECORDINGS` (separated by
//! colons), in their `http/` or directly inside.
//!
//! Each body is put together from its chunks, each event stream is cut, at the recorded chunk boundaries and at others;
//! what comes out is what a slow decoder finds, and each message is read as the independent reading has it. A test is a
//! file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use bytes::Bytes;
use rpcslice::frame::{Body, Content, NonMessage, Payload};
use rpcslice::mcp::Rules;
use rpcslice::{Error, ErrorKind, Limits, Member, Message};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fmt, io};
use support::chunks::{pieces, random_sizes};
use support::events::{self, Kept, Stream};
use support::exchange::{self, Exchange, Half};
use support::files;
use support::reading::{self, Reading};
use support::report::{Check, Report};

/// Requests made by hand, most of them to be refused.
const BY_HAND: &[&str] = &["raw-", "conf-"];

/// Responses that are no messages, by what is wrong with them; `tests/sessions.rs` says who sends them.
const BAD_RESPONSES: &[(&str, ErrorKind)] = &[
    ("confclient-", ErrorKind::Missing(Member::Id)),
    ("raw-ts2", ErrorKind::Invalid(Member::Id)),
];

/// Beside the recorded chunks: every one has this size, ..
const SIZES: &[usize] = &[1, 2, 7, 64, 1000, 65_536];
/// .. or sizes at random: seed and largest size.
const RANDOM: &[(u64, usize)] = &[(1, 5), (2, 60), (3, 3000)];

/// What was there.
#[derive(Default)]
struct Tally {
    exchanges: usize,
    messages: usize,
    refused: usize,
    nothing: usize,
    streams: usize,
    events: usize,
    comments: u64,
    unfinished: usize,
    other: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            exchanges,
            messages,
            refused,
            nothing,
            streams,
            events,
            comments,
            unfinished,
            other,
        } = self;
        write!(
            f,
            "{exchanges} exchanges: {messages} messages, {refused} refused, {nothing} that are none; {streams} event \
             streams with {events} events, {comments} comments, {unfinished} unfinished; {other} other bodies"
        )
    }
}

fn main() -> ExitCode {
    let mut report = Report::default();
    let mut tally = Tally::default();
    for folder in report.folders("recordings", "RPCSLICE_RECORDINGS") {
        match recordings(&folder) {
            Ok(recordings) => {
                report.source();
                for file in recordings {
                    report.run(&files::name(&file), "", |check| {
                        run_file(check, &file, &mut tally)
                    });
                }
            }
            Err(error) => report.unreadable(&folder, error),
        }
    }
    println!("{tally}");
    report.finish()
}

/// The recordings of a folder: all in `http/`, where there is one, else those directly inside that are of HTTP.
fn recordings(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let http = folder.join("http");
    if http.is_dir() {
        return files::listed(&http, ".jsonl");
    }
    let mut found = files::listed(folder, ".jsonl")?;
    found.retain(|file| exchange::is_in(file));
    Ok(found)
}

fn run_file(check: &mut Check, file: &Path, tally: &mut Tally) {
    let name = files::name(file);
    let is_by_hand = BY_HAND.iter().any(|prefix| name.starts_with(prefix));
    let is_known = |error: &Error| {
        let mut rows = BAD_RESPONSES.iter();
        rows.any(|(prefix, kind)| name.starts_with(prefix) && *kind == error.kind())
    };
    for exchange in exchange::read(file) {
        let Exchange {
            seq,
            request,
            response,
            ..
        } = &exchange;
        tally.exchanges += 1;
        run_half(
            check,
            &format!("request {seq}"),
            request,
            &|_| is_by_hand,
            tally,
        );
        if let Some(response) = response {
            run_half(
                check,
                &format!("response {seq}"),
                response,
                &is_known,
                tally,
            );
        }
    }
}

fn run_half(
    check: &mut Check,
    at: &str,
    half: &Half,
    may_be_bad: &dyn Fn(&Error) -> bool,
    tally: &mut Tally,
) {
    let header = |name| half.header(name).map(str::as_bytes);
    let opened = Body::open(
        header("content-type"),
        header("content-encoding"),
        Limits::new(),
    );
    let body = match opened {
        Ok(body) => body,
        Err(error) => return check.fault(format!("{at}: a body that is read"), error),
    };
    let kinds = [
        matches!(body, Body::Json(_)),
        matches!(body, Body::EventStream(_)),
    ];
    let expected = [half.is("application/json"), half.is("text/event-stream")];
    check.same(&format!("{at}: json, event stream"), expected, kinds);
    let chunkings = chunkings(half);
    match body {
        Body::EventStream(_) => run_stream(check, at, half, &chunkings, may_be_bad, tally),
        Body::Json(content) => {
            let Some(body) = joined(check, at, half, content, &chunkings) else {
                return;
            };
            match Payload::of_body(&body, &Rules::proxy()) {
                Ok(Payload::Nothing(NonMessage::Empty)) => {
                    check.holds(
                        body.trim_ascii().is_empty(),
                        format!("{at}: a body"),
                        "none",
                    );
                    tally.nothing += 1;
                }
                _ => run_message(check, at, &body, may_be_bad, tally),
            }
        }
        Body::Other(content) => {
            joined(check, at, half, content, &chunkings);
            tally.other += usize::from(!half.body().is_empty());
        }
    }
}

fn chunkings(half: &Half) -> Vec<Vec<usize>> {
    let len = half.body().len();
    let recorded = half.chunks.iter().map(Vec::len).collect();
    let random = RANDOM
        .iter()
        .map(|&(seed, most)| random_sizes(seed, most, len));
    let even = SIZES.iter().map(|&size| vec![size]);
    [recorded, vec![len]]
        .into_iter()
        .chain(even)
        .chain(random)
        .collect()
}

/// The same body from all chunkings: all bytes, but for a byte order mark.
fn joined(
    check: &mut Check,
    at: &str,
    half: &Half,
    mut content: Content,
    chunkings: &[Vec<usize>],
) -> Option<Bytes> {
    let all = half.body();
    let expected = all.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&all);
    let mut body = None;
    for sizes in chunkings {
        for piece in pieces(&all, sizes) {
            content.push(Bytes::copy_from_slice(piece)).unwrap();
        }
        let got = content.finish().unwrap();
        check.holds(
            got == expected,
            format!("{at}: its body"),
            format!("{} bytes", got.len()),
        );
        body = Some(got);
    }
    body
}

fn run_stream(
    check: &mut Check,
    at: &str,
    half: &Half,
    chunkings: &[Vec<usize>],
    may_be_bad: &dyn Fn(&Error) -> bool,
    tally: &mut Tally,
) {
    let bytes = half.body();
    let expected: Stream = events::slow(&bytes);
    for sizes in chunkings {
        events::assert_same(check, &expected, (&bytes, true), sizes, Limits::new());
    }
    tally.streams += 1;
    tally.events += expected.events.len();
    tally.comments += expected.comments;
    tally.unfinished += usize::from(expected.incomplete.is_some());
    for event in &expected.events {
        let data = &event.data.as_ref().unwrap().0;
        let payload = event.lent();
        let payload = payload.message(&Rules::proxy());
        let nothing = match payload {
            Ok(Payload::Nothing(nothing)) => Some(nothing.as_str()),
            _ => None,
        };
        check.same(
            &format!("{at}: what an event is"),
            no_message(event),
            nothing,
        );
        match nothing {
            Some(_) => tally.nothing += 1,
            None => run_message(check, at, data, may_be_bad, tally),
        }
    }
}

/// Why an event is no message, if it is none.
fn no_message(event: &Kept) -> Option<&'static str> {
    let data = &event.data.as_ref().unwrap().0;
    match (&*event.event.0, &**data) {
        (b"endpoint", _) => Some("endpoint"),
        (b"message", b"") => Some("empty"),
        (b"message", b"{}") => Some("empty-object"),
        (b"message", _) => None,
        _ => Some("other-event"),
    }
}

/// A message is read as the independent reading has it; one that is refused may be bad.
fn run_message(
    check: &mut Check,
    at: &str,
    frame: &[u8],
    may_be_bad: &dyn Fn(&Error) -> bool,
    tally: &mut Tally,
) {
    match Message::parse(frame) {
        Ok(message) => {
            tally.messages += 1;
            let expected = reading::read(frame);
            check.same(at, expected, Ok(Reading::of(&message)));
        }
        Err(error) => {
            tally.refused += 1;
            let text = String::from_utf8_lossy(frame);
            check.holds(may_be_bad(&error), format!("{at}: {text}"), error);
        }
    }
}
