//! Recorded sessions under the rules: each message as its receiver holds it to them, and as its sender should have, under
//! the revision in force, responses with the method that they answer.
//!
//! Everything is clean, or the breach is real and stands in `KNOWN`: a breach that does not fails, and so does a row
//! that no longer occurs. The recordings are those beside the checkout (`stdio/` and `http/`), and those in the folders
//! named in `RPCSLICE_RECORDINGS`, which are laid out alike or have the stdio files directly inside.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use std::path::Path;
use std::process::ExitCode;
use support::recorded::Frame;
use support::report::{Check, Report};
use support::session::{Breach, Session};
use support::{files, recorded};

/// A breach that is real.
struct Known {
    /// Part of the recordings' names, from their start.
    recordings: &'static str,
    /// Who breaks the rule.
    who: &'static str,
    is_client: bool,
    about: &'static str,
    fault: &'static str,
    clause: &'static str,
    times: usize,
    why: &'static str,
}

const fn server(recordings: &'static str, who: &'static str) -> Known {
    Known {
        recordings,
        who,
        is_client: false,
        about: "",
        fault: "",
        clause: "",
        times: 0,
        why: "",
    }
}

const fn client(recordings: &'static str, who: &'static str) -> Known {
    Known {
        is_client: true,
        ..server(recordings, who)
    }
}

impl Known {
    const fn breaks(
        self,
        times: usize,
        about: &'static str,
        fault: &'static str,
        clause: &'static str,
        why: &'static str,
    ) -> Self {
        Self {
            about,
            fault,
            clause,
            times,
            why,
            ..self
        }
    }

    fn is(&self, recording: &str, is_client: bool, breach: &Breach) -> bool {
        recording.starts_with(self.recordings)
            && self.is_client == is_client
            && self.about == breach.about
            && self.fault == breach.fault
            && self.clause == breach.clause
    }
}

const RMCP: Known = server("raw-rmcp", "rmcp 3.11.0");
const RMCP_RMCP: Known = server("rmcp-rmcp-stdio", "rmcp 3.11.0");
const TS2_RMCP: Known = server("ts2-rmcp-stdio", "rmcp 3.11.0");
const PY_RMCP: Known = server("py-rmcp-http-json", "rmcp 3.11.0");
const NO_SUBSCRIPTION: &str = "missing-member _meta[\"io.modelcontextprotocol/subscriptionId\"]";
const UNASKED: &str =
    "sent without a listen stream: the application asks for it, and the SDK lets it out";
const TS2: Known = server("raw-ts2", "TypeScript SDK 2.4.0");
const MOCK: Known = server(
    "confclient-",
    "mock servers of the conformance suite 0.2.0-alpha.12",
);
const SUITE: Known = client("conf-2026", "conformance suite 0.2.0-alpha.12");

const RMCP_CLIENT: Known = client("rmcp-", "rmcp 3.11.0");
const EVERYTHING: Known = server(
    "ts2-everything-stdio-2024-11-05",
    "server-everything 2026.8.31",
);

const TS2_SUITE: Known = server("conf-2026-ts2", "TypeScript SDK 2.4.0");
const TS2_LEGACY_SUITE: Known = server("conf-20251125-ts2", "TypeScript SDK 2.4.0");
const TS2_STATELESS: Known = server("ts2-ts2-http-legacy-stateless", "TypeScript SDK 2.4.0");
const EVERYTHING_PY: Known = server("py-everything-http", "server-everything 2026.8.31");
const EVERYTHING_TS1: Known = server("ts1-everything-http", "server-everything 2026.8.31");
const EVERYTHING_TS2: Known = server("ts2-everything-http", "server-everything 2026.8.31");
const PY: Known = server("ts1-py-http", "Python mcp 2.3.0");
const REQUESTS: &str = "basic/index#requests";
const NULL: &str =
    "`null` for the id that was not read, which the schemas since 2025-11-25 don't have";

const SENDERS: &str = "the messages of either side in the revision's schema";
const GONE: &str = "a method of another revision";
const SCHEMA: &str = "the method's params or result in the revision's schema";
const ANY: &str = "they answer what they do not know with a result that is all but empty";
const MEANT: &str = "the suite means to";

#[rustfmt::skip]
const KNOWN: &[Known] = &[
    TS2.breaks(2, "?", "invalid-member id", "basic/index#requests",
        "the id 1.5 comes back, and one of forty digits comes back rounded to 1.1111111111111112e+39"),
    RMCP.breaks(1, "result of initialize", "missing-member result.resultType", "2026-07-28/basic/index#result-responses",
        "a request of 2026-07-28 for a method that is gone is answered as before"),
    RMCP.breaks(1, "result of logging/setLevel", "missing-member result.resultType", "2026-07-28/basic/index#result-responses",
        "a request of 2026-07-28 for a method that is gone is answered as before"),
    RMCP_RMCP.breaks(1, "notifications/tools/list_changed", NO_SUBSCRIPTION, "2026-07-28/basic/patterns/subscriptions", UNASKED),
    RMCP_RMCP.breaks(1, "notifications/resources/updated", NO_SUBSCRIPTION, "2026-07-28/basic/patterns/subscriptions", UNASKED),
    TS2_RMCP.breaks(2, "notifications/tools/list_changed", NO_SUBSCRIPTION, "2026-07-28/basic/patterns/subscriptions", UNASKED),
    TS2_RMCP.breaks(2, "notifications/resources/updated", NO_SUBSCRIPTION, "2026-07-28/basic/patterns/subscriptions", UNASKED),
    PY_RMCP.breaks(1, "notifications/tools/list_changed", NO_SUBSCRIPTION, "2026-07-28/basic/patterns/subscriptions", UNASKED),
    PY_RMCP.breaks(1, "notifications/resources/updated", NO_SUBSCRIPTION, "2026-07-28/basic/patterns/subscriptions", UNASKED),
    RMCP_CLIENT.breaks(2, "notifications/progress", "a method of the other side", SENDERS,
        "clients of 2026-07-28 have no progress to tell, but it lets the application send it"),
    EVERYTHING.breaks(1, "elicitation/create", GONE, SENDERS, "2024-11-05 has no elicitation"),
    MOCK.breaks(3, "?", "missing-member id", "basic/index#requests", "they answer notifications, without id"),
    MOCK.breaks(14, "result of completion/complete", "missing-member result.completion", SCHEMA, ANY),
    MOCK.breaks(28, "result of prompts/get", "missing-member result.messages", SCHEMA, ANY),
    MOCK.breaks(30, "result of resources/read", "missing-member result.contents", SCHEMA, ANY),
    MOCK.breaks(3, "result of tools/call", "missing-member result.content", SCHEMA, ANY),
    MOCK.breaks(9, "result of subscriptions/listen", "missing-member _meta[\"io.modelcontextprotocol/subscriptionId\"]",
        "2026-07-28/basic/patterns/subscriptions", ANY),
    MOCK.breaks(2, "result of tools/call", "missing-member result.resultType", "2026-07-28/basic/index#result-responses", MEANT),
    SUITE.breaks(1, "initialize", "method-not-found", "JSON-RPC 2.0 section 5.1", MEANT),
    SUITE.breaks(1, "server/discover", "missing-member params._meta", "basic/index#_meta", MEANT),
    SUITE.breaks(1, "server/discover", "missing-member _meta[\"io.modelcontextprotocol/clientCapabilities\"]",
        "2026-07-28/basic/index#_meta", MEANT),
    SUITE.breaks(1, "server/discover", "missing-member _meta[\"io.modelcontextprotocol/protocolVersion\"]",
        "2026-07-28/basic/index#_meta", MEANT),
    SUITE.breaks(2, "server/discover", "unsupported-version", "2026-07-28/basic/versioning", MEANT),
    SUITE.breaks(1, "ping", GONE, SENDERS, MEANT),
    SUITE.breaks(1, "logging/setLevel", GONE, SENDERS, MEANT),
    SUITE.breaks(1, "resources/subscribe", GONE, SENDERS, MEANT),
    SUITE.breaks(1, "resources/unsubscribe", GONE, SENDERS, MEANT),
    SUITE.breaks(1, "tasks/result", GONE, SENDERS, MEANT),
    SUITE.breaks(1, "tasks/list", GONE, SENDERS, MEANT),
    TS2.breaks(36, "error to ?", "invalid-member id", REQUESTS, NULL),
    TS2_SUITE.breaks(1, "error to ?", "invalid-member id", REQUESTS, NULL),
    TS2_LEGACY_SUITE.breaks(29, "error to ?", "invalid-member id", REQUESTS, NULL),
    TS2_STATELESS.breaks(1, "error to ?", "invalid-member id", REQUESTS, NULL),
    MOCK.breaks(3, "error to ?", "invalid-member id", REQUESTS, NULL),
    EVERYTHING_PY.breaks(1, "error to ?", "invalid-member id", REQUESTS, NULL),
    EVERYTHING_TS1.breaks(1, "error to ?", "invalid-member id", REQUESTS, NULL),
    EVERYTHING_TS2.breaks(1, "error to ?", "invalid-member id", REQUESTS, NULL),
    PY.breaks(1, "error to ?", "invalid-member id", REQUESTS, NULL),
    SUITE.breaks(2, "tools/call", "invalid-member params.inputResponses", "2026-07-28/basic/patterns/mrtr", MEANT),
];

/// Requests made by hand, most of them to be refused: only the servers' side is looked at.
const BY_HAND: &str = "raw-";

struct Seen {
    frames: usize,
    /// By row of `KNOWN`.
    breaches: [usize; KNOWN.len()],
}

fn main() -> ExitCode {
    let mut report = Report::default();
    let mut seen = Seen {
        frames: 0,
        breaches: [0; KNOWN.len()],
    };
    match files::beside_checkout("recordings") {
        Some(folder) => {
            run_folder(&mut report, &folder, &mut seen);
            report.topic("known breaches");
            for (row, times) in KNOWN.iter().zip(seen.breaches) {
                let title = format!("{}: {}", row.about, row.fault);
                report.run(row.who, &title, |check| {
                    check.same("times", row.times, times)
                });
                println!(
                    "{times} x {}: {}: {} ({}): {}",
                    row.who, row.about, row.fault, row.clause, row.why
                );
            }
        }
        None => report.absent("../shared/recordings"),
    }
    for folder in files::named_in("RPCSLICE_RECORDINGS") {
        run_folder(&mut report, &folder, &mut seen);
    }
    println!("{} messages", seen.frames);
    report.finish()
}

fn run_folder(report: &mut Report, folder: &Path, seen: &mut Seen) {
    let (stdio, http) = (folder.join("stdio"), folder.join("http"));
    let lines = if stdio.is_dir() { &stdio } else { folder };
    report.topic("stdio");
    match files::listed(lines, ".order.jsonl") {
        Ok(listed) => {
            report.source();
            for file in listed {
                report.run(&files::name(&file), "", |check| {
                    let mut session = Session::new();
                    for frame in recorded::stdio(&file) {
                        seen.pass(check, &file, &mut session, &frame);
                    }
                });
            }
        }
        Err(error) => report.unreadable(lines, error),
    }
    if !http.is_dir() {
        return;
    }
    report.topic("http");
    for file in files::listed(&http, ".jsonl").unwrap() {
        report.run(&files::name(&file), "", |check| {
            let mut negotiated = None;
            for exchange in recorded::http(&file) {
                let mut session = Session::exchange(exchange.version.or(negotiated));
                for frame in exchange.frames {
                    seen.pass(check, &file, &mut session, &frame);
                }
                negotiated = session.negotiated().or(negotiated);
            }
        });
    }
}

impl Seen {
    fn pass(&mut self, check: &mut Check, file: &Path, session: &mut Session, frame: &Frame) {
        self.frames += 1;
        let name = files::name(file);
        let is_client = frame.is_from_client;
        let breach = session.pass(&frame.bytes, is_client);
        let breach = breach.filter(|_| !(is_client && name.starts_with(BY_HAND)));
        let row = breach.as_ref().and_then(|breach| {
            KNOWN
                .iter()
                .position(|row| row.is(&name, is_client, breach))
        });
        match (breach, row) {
            (Some(breach), None) => {
                let text = String::from_utf8_lossy(&frame.bytes);
                check.fault("no breach", format!("{breach:?} in {text}"));
            }
            (_, Some(row)) => self.breaches[row] += 1,
            (None, None) => check.holds(true, "", ""),
        }
    }
}
