//! Recorded HTTP requests as our check takes them, beside what the recorded server said: those beside the checkout.
//!
//! Where the two differ, `KNOWN` says who is right, and by which clause. A difference that is not there fails, and so does
//! a row that no longer occurs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use std::process::ExitCode;
use support::report::Report;
use support::{exchange, files, served};

/// Who is right.
#[derive(Clone, Copy, Debug)]
enum Right {
    /// Our check.
    Ours,
    /// Both: the specification leaves it open, and DESIGN.md decides.
    Open,
    /// Both: theirs is about what no codec knows.
    Theirs,
}
use Right::{Open, Ours, Theirs};

/// Start of the recordings' names, start of our verdict, their verdict, how often, who is right, and why.
type Known = (
    &'static str,
    &'static str,
    &'static str,
    usize,
    Right,
    &'static str,
);

const METHODS: &str = "which methods there are, the application knows";
const ORIGIN: &str =
    "which origins are good, the server knows (streamable-http#security--endpoint)";
const NO_STREAM: &str = "a server may offer no stream, or end no session (basic/transports#listening-for-messages-from-the-server)";
const SESSION: &str =
    "which sessions there are, the server knows (basic/transports#session-management)";
const LEGACY: &str = "the server knows legacy revisions alone; our rules serve all";
const HANDLER: &str = "what params mean, the handler knows: here a resource that is not there";
const CAPABILITY: &str =
    "which capability a tool needs, the server knows (2026-07-28/basic/index#_meta)";
const MOCK: &str = "a mock server of the conformance suite that means to, or has no such path";
const SHAPE: &str =
    "no message: -32700 or -32600 with 400 (JSON-RPC 2.0 section 5.1); 415 is about media types";
const ID: &str = "any integer is an id (basic/index#requests); it keeps 64 bits, or 53";
const BIG_ID: &str =
    "more digits than a double holds: it refuses what it can't echo; DESIGN.md keeps the bytes";
const INTEGER_ID: &str =
    "1.0 and 1e2: an echo has to be the same id; DESIGN.md takes lexical integers";
const TWICE: &str = "two readers read two things (DESIGN.md, duplicate keys)";
const UTF8: &str = "messages are UTF-8 (basic/transports/index#messages)";
const PARAMS: &str =
    "the params break the method's schema: -32602 (basic/index#_meta, JSON-RPC 2.0 section 5.1)";
const TYPE: &str = "the value breaks the schema of `_meta`: -32602 (basic/index#_meta)";

#[rustfmt::skip]
const KNOWN: &[Known] = &[
    ("", "200", "404 -32601", 31, Theirs, METHODS),
    ("", "200", "403 -32000", 4, Theirs, ORIGIN),
    ("raw-rmcp", "200", "403", 1, Theirs, ORIGIN),
    ("", "200", "405 -32000", 30, Theirs, NO_STREAM),
    ("confclient-sse-retry-ts", "200", "405", 1, Theirs, NO_STREAM),
    ("raw-rmcp", "200", "404", 1, Theirs, SESSION),
    ("raw-rmcp", "200", "400", 1, Theirs, SESSION),
    ("ts1", "200", "400 -32000", 2, Theirs, SESSION),
    ("ts1-py-http-events", "200", "400 -32600", 1, Theirs, SESSION),
    ("ts2-everything-http-auto", "202", "400 -32000", 1, Theirs, SESSION),
    ("py-everything-http-auto", "200", "400 -32000", 1, Theirs, LEGACY),
    ("ts2-everything-http-auto", "200", "400 -32000", 1, Theirs, LEGACY),
    ("confclient-", "200", "400 -32000", 3, Theirs, LEGACY),
    ("confclient-", "200", "400 -32022", 1, Theirs, MOCK),
    ("confclient-", "200", "400 -32700", 1, Theirs, MOCK),
    ("confclient-", "200", "404", 2, Theirs, MOCK),
    ("", "200", "400 -32021", 5, Theirs, CAPABILITY),
    ("py-py-http", "200", "400 -32602", 2, Theirs, HANDLER),
    ("ts2-py-http", "200", "400 -32602", 1, Theirs, HANDLER),
    ("conf-2026-ts2", "400 -32602 invalid-member params.inputResponses", "200", 2, Ours,
        "the values of `inputResponses` are results, which are objects (2026-07-28/basic/patterns/mrtr)"),

    ("raw-rmcp", "200", "400 -32020", 2, Ours,
        "integers compare by value: 5.0 is 5 (streamable-http#server-behavior-for-custom-headers); \
         `resources/subscribe` has no `Mcp-Name` (#standard-request-headers)"),
    ("raw-rmcp", "200", "406", 4, Open,
        "clients list both media types; a server may take `*/*`, an absent `Accept` or one of the two (RFC 9110 section 12.5.1)"),
    ("raw-rmcp", "200", "415", 6, Open,
        "a byte order mark at the start; ids beyond 64 bits; lone surrogates; 1e400: DESIGN.md takes them"),
    ("raw-rmcp", "400 -327", "415", 16, Ours, SHAPE),
    ("raw-rmcp", "400 -32600", "415", 22, Ours, SHAPE),
    ("raw-rmcp", "400 -32602 invalid-member params._meta", "415", 1, Ours, TYPE),
    ("raw-rmcp", "400 -32600 duplicate-member", "200", 1, Ours, TWICE),
    ("raw-rmcp", "400 -32600 invalid-member id", "200", 2, Open, INTEGER_ID),
    ("raw-rmcp", "400 -32600 invalid-member params", "400 -32602", 1, Open, "`params: null` (JSON-RPC 2.0 section 4.2)"),
    ("raw-rmcp", "400 -32022", "200", 1, Ours, "2025-11-25 in `_meta` names no modern revision (2026-07-28/basic/versioning)"),
    ("raw-rmcp", "404 -32601", "200", 1, Ours, "2026-07-28 has no `initialize` (2026-07-28/basic/versioning)"),
    ("raw-rmcp", "400 -32602 invalid-member _meta", "200", 3, Ours, TYPE),
    ("raw-rmcp", "400 -32602", "200 -32602", 1, Open, "the same, with the status of an answer"),
    ("raw-rmcp", "400 -32602", "404 -32601", 4, Ours, PARAMS),

    ("raw-ts2", "200", "400", 1, Open, BIG_ID),
    ("raw-ts2", "200", "400 -32600", 4, Open, ID),
    ("raw-ts2", "400 -327", "200", 3, Ours, UTF8),
    ("raw-ts2", "400 -32600 duplicate-member", "200", 3, Ours, TWICE),
    ("raw-ts2", "400 -32600 duplicate-member method", "400 -32020", 1, Ours, TWICE),
    ("raw-ts2", "400 -32600 invalid-member id", "200", 2, Open, INTEGER_ID),
    ("raw-ts2", "400 -32600 too-deep", "200", 2, Open, "600 and 20,000 containers: a limit of ours, which can be set"),
    ("raw-ts2", "400 -32600 wrong-direction", "400 -32000", 2, Open, "a response posted: the code is nobody's"),
    ("raw-ts2", "400 -32602", "400 -32600", 4, Ours, TYPE),
    ("raw-ts2", "400 -32602", "200 -32602", 4, Open, "the same, with the status of an answer"),
    ("raw-ts2", "400 -32602 missing-member params.uri", "200 -32603", 1, Ours, PARAMS),
];

fn main() -> ExitCode {
    let mut report = Report::default();
    let Some(folder) = files::beside_checkout("recordings/http") else {
        report.absent("../shared/recordings/http");
        return report.finish();
    };
    report.source();
    let mut seen = vec![0; KNOWN.len()];
    let (mut requests, mut same) = (0, 0);
    report.topic("recordings");
    for file in files::listed(&folder, ".jsonl").unwrap() {
        let name = files::name(&file);
        report.run(&name, "", |check| {
            let exchanges = exchange::read(&file);
            let differences = served::differences(&exchanges);
            requests += exchanges.len();
            same += exchanges.len() - differences.len();
            check.holds(!exchanges.is_empty(), "a request", "none");
            for difference in differences {
                let row = KNOWN.iter().position(|(recording, ours, theirs, ..)| {
                    name.starts_with(recording)
                        && difference.ours.starts_with(ours)
                        && difference.theirs == *theirs
                });
                match row {
                    Some(row) => seen[row] += 1,
                    None => check.fault(
                        format!(
                            "{} as the server said: {}",
                            difference.theirs, difference.request
                        ),
                        difference.ours,
                    ),
                }
            }
        });
    }
    report.topic("known differences");
    for ((recording, ours, theirs, times, right, why), seen) in KNOWN.iter().zip(seen) {
        let title = format!("ours {ours}, theirs {theirs}");
        report.run(recording, &title, |check| check.same("times", *times, seen));
        println!("{seen} x {recording}: {title}: {right:?}: {why}");
    }
    println!("{same} of {requests} requests taken as the server took them");
    report.finish()
}
