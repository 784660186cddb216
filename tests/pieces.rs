//! A body in pieces gets the verdict that it gets as a whole, to the byte, however it is cut.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use rpcslice::json::RawJson;
use rpcslice::pieces::{KEPT_BYTES, Kept, PieceScan, Scanned};
use rpcslice::{Error, ErrorKind, Kind, Limits, Member, Message, Policy};
use std::collections::BTreeSet;
use std::fs;
use support::{files, input};

const POLICIES: [Policy; 2] = [Policy::strict(), Policy::lenient()];

/// Everything that a message says of itself, by place.
fn told(msg: &Message<'_>) -> Vec<(Member, &'static str, usize, usize)> {
    let at = |text: &str| text.as_ptr() as usize - msg.frame().as_ptr() as usize;
    let mut told = Vec::new();
    for member in MEMBERS {
        if let Some(value) = msg.member(member) {
            let start = at(value.raw());
            told.push((member, "raw", start, start + value.raw().len()));
        }
    }
    told
}

/// Those that keep their places, which is what a message may differ in.
const MEMBERS: [Member; 36] = [
    Member::Jsonrpc,
    Member::Id,
    Member::Method,
    Member::Params,
    Member::Result,
    Member::Error,
    Member::ParamsMeta,
    Member::Name,
    Member::Uri,
    Member::TaskId,
    Member::ParamsProtocolVersion,
    Member::Arguments,
    Member::Ref,
    Member::Argument,
    Member::Notifications,
    Member::ParamsClientInfo,
    Member::Level,
    Member::RequestId,
    Member::Cursor,
    Member::ResultMeta,
    Member::ResultType,
    Member::ResultProtocolVersion,
    Member::InputRequests,
    Member::TtlMs,
    Member::CacheScope,
    Member::Content,
    Member::ErrorCode,
    Member::ErrorMessage,
    Member::ErrorData,
    Member::ProtocolVersion,
    Member::ClientInfo,
    Member::ClientCapabilities,
    Member::LogLevel,
    Member::ProgressToken,
    Member::ServerInfo,
    Member::Traceparent,
];

fn kept<T>(kept: Kept<T>, raw: impl Fn(&T) -> &str, expected: Option<&str>) {
    match (kept, expected) {
        (Kept::Absent, None) => {}
        (Kept::Whole(got), Some(expected)) => assert_eq!(raw(&got), expected),
        (Kept::TooLong, Some(expected)) => assert!(expected.len() > KEPT_BYTES),
        (got, expected) => panic!("{expected:?}, but kept {}", got.is_there()),
    }
}

/// Holds the verdict on the pieces to that on the whole.
fn hold(body: &[u8], whole: &Result<Message<'_>, Error>, got: Result<Scanned, Error>) {
    let about = || String::from_utf8_lossy(&body[..body.len().min(300)]).into_owned();
    match (whole, got) {
        (Err(want), Err(got)) => assert_eq!(*want, got, "{}", about()),
        (Ok(msg), Ok(scanned)) => {
            assert_eq!(scanned.kind(), msg.kind());
            assert_eq!(scanned.body_len(), body.len());
            kept(scanned.id(), |id| id.raw(), msg.id().map(|id| id.raw()));
            let method = msg.method().map(|method| method.raw());
            kept(scanned.method(), |method| method.raw(), method);
            kept(
                scanned.name(),
                |name| name.raw(),
                msg.name().map(|name| name.raw()),
            );
            let lent = scanned.message(body).expect("the same bytes");
            assert_eq!(told(&lent), told(msg), "{}", about());
            assert_eq!(format!("{lent:?}"), format!("{msg:?}"));
            for member in MEMBERS {
                let raw = scanned.span(member).map(|span| &body[span]);
                assert_eq!(raw, msg.member(member).as_ref().map(RawJson::as_bytes));
            }
            // The types of members, which rules ask for.
            for rules in RULES {
                assert_eq!(rules.check(&lent), rules.check(msg), "{}", about());
            }
        }
        (want, got) => panic!("{:?}, in pieces {got:?}: {}", want.as_ref().err(), about()),
    }
}

const RULES: [rpcslice::mcp::Rules; 2] = [
    rpcslice::mcp::Rules::server(),
    rpcslice::mcp::Rules::client(),
];

fn scan<'p>(
    pieces: impl Iterator<Item = &'p [u8]>,
    limits: Limits,
    policy: Policy,
) -> Result<Scanned, Error> {
    let mut scan = PieceScan::new(limits, policy);
    for piece in pieces {
        scan.feed(piece);
    }
    scan.finish()
}

/// Under both policies, in pieces of these sizes.
fn same_by(body: &[u8], limits: Limits, sizes: &[usize]) {
    for policy in POLICIES {
        let whole = Message::parse_with(body, &limits, &policy);
        for &size in sizes {
            hold(body, &whole, scan(body.chunks(size.max(1)), limits, policy));
        }
    }
}

/// Under both policies, cut in two at every place.
fn same_in_two(body: &[u8], limits: Limits) {
    for policy in POLICIES {
        let whole = Message::parse_with(body, &limits, &policy);
        for at in 0..=body.len() {
            let (a, b) = body.split_at(at);
            hold(body, &whole, scan([a, b"", b].into_iter(), limits, policy));
        }
    }
}

/// Every input that the tests know: as a whole, and by lines.
fn inputs() -> BTreeSet<Vec<u8>> {
    let mut streams = vec![fs::read(files::in_repository("examples/session.jsonl")).unwrap()];
    let mut folders = vec![
        files::in_repository("tests/vectors"),
        files::in_repository("tests/cases"),
    ];
    folders.extend(files::beside_checkout("vectors"));
    for folder in folders {
        for file in files::listed(&folder, ".jsonl").unwrap() {
            for (_, line) in files::json_lines(&file).unwrap() {
                let line = line.unwrap();
                streams.extend(input::of(line.as_object().unwrap()).map(|input| input.bytes));
            }
        }
    }
    for (folder, suffix) in [
        ("jsontestsuite/test_parsing", ".json"),
        ("jsontestsuite/test_transform", ".json"),
        ("recordings/stdio", ".jsonl"),
    ] {
        match files::beside_checkout(folder) {
            Some(folder) => {
                let texts = files::listed(&folder, suffix).unwrap();
                streams.extend(texts.iter().map(|file| fs::read(file).unwrap()));
            }
            None => println!("no {folder} beside the checkout"),
        }
    }
    let mut inputs = BTreeSet::new();
    for stream in streams {
        inputs.extend(stream.split(|&b| b == b'\n').map(<[u8]>::to_vec));
        // As a value within a message, too.
        if stream.len() < 4096 {
            let before = br#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"#;
            inputs.insert([before, &stream[..], b"}}"].concat());
        }
        inputs.insert(stream);
    }
    inputs
}

#[test]
fn every_known_input_in_pieces_of_every_size() {
    let (mut number, mut in_two) = (0, 0);
    for body in inputs() {
        number += 1;
        let sizes: &[usize] = match body.len() {
            0..2000 => &[1, 2, 3, 7, 16, 64, 1000, usize::MAX],
            2000..50_000 => &[1, 61, 1000, usize::MAX],
            _ => &[997, 16_384],
        };
        same_by(&body, Limits::new(), sizes);
        if body.len() <= 130 {
            in_two += 1;
            same_in_two(&body, Limits::new());
        }
    }
    println!("{number} inputs, {in_two} of them cut in two everywhere");
    assert!(in_two > 500);
}

/// Messages that have everything, and what is nearly one.
const BODIES: [&str; 40] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"caf\u00e9","_meta":{"progressToken":"p","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}},"arguments":{"a":[1,{"b":null}]}}}"#,
    r#"{"jsonrpc":"2.0","id":"a","result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"version":"1","name":"s","name":2}},"resultType":"complete","ttlMs":1.5,"tools":[]}}"#,
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m","data":[]}}"#,
    r#"{"jsonrpc":"2.0","error":{"code":9223372036854775808,"message":1}}"#,
    r#"{"jsonrpc":"2.0","error":{"code":-9223372036854775808,"message":""}}"#,
    r#"{"jsonrpc":"2.0","error":{"code":0000000000000000000000000000000001,"message":""}}"#,
    r#"{"jsonrpc":"2.0","error":{"code":1.0}}"#,
    r#"{"params":{"name":"n","_meta":{"progressToken":1}},"jsonrpc":"2.0","result":{},"id":1}"#,
    r#"{"result":{"_meta":{}},"params":{"name":"n","name":1},"jsonrpc":"2.0","id":1}"#,
    r#"{"params":null,"error":null,"jsonrpc":"2.0","id":1.0,"result":{}}"#,
    r#"{"params":null,"error":null,"jsonrpc":"2.0","id":100e-2,"method":"m"}"#,
    r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#,
    r#"{"jsonrpc":"\u0032\u002e\u0030","i\u0064":1,"m\u0065thod":"\u006d"}"#,
    r#"{"jsonrpc":"\u0032\u002e\u0030\ud83d","id":1,"method":"m"}"#,
    r#"{"jsonrpc":"2.0","method":"\ud83d","id":"\ud83d\ude00\ud83d"}"#,
    r#"{"jsonrpc":"2.0","method":"m","id":1,"id":2}"#,
    r#"{"jsonrpc":"2.0","method":"m","id":[],"method":{}}"#,
    r#"{"jsonrpc":"2.0","method":5,"id":true,"params":[]}"#,
    r#"{"jsonrpc":2.0,"method":"m","result":{},"error":{}}"#,
    r#"{"jsonrpc":"2.0","method":"m","params":{"_meta":{"progressToken":1,"progressToken":2},"name":1,"uri":null,"n\u0061me":2}}"#,
    r#"{"id":1,"jsonrpc":"2.0","params":{"a":[[["deep"]]]},"method":"m"}"#,
    r#"{"id":[[[["deep"]]]],"jsonrpc":"2.0","method":"m"}"#,
    r#"{"id":1,"id":1,"method":[[[["deep"]]]],"jsonrpc":"2.0"}"#,
    r#"{"method":"m","result":[[[[[["deep"]]]]]]}"#,
    r#"{"method":"m","params":{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":{}}}}}"#,
    r#"{"jsonrpc":"2.0","method":"m","params":{"_meta":{"io.modelcontextprotocol/clientInfo":{"n\u0061me":"","version":""}}}}"#,
    r#"{"jsonrpc":"2.0","method":"m","params":{"_meta":[],"arguments":5,"arguments":{}}}"#,
    r#" [ {"jsonrpc":"2.0","method":"m"} , 1 ] "#,
    r#"[[[[[[[[1]]]]]]]]"#,
    " 12.50e+3 ",
    "-0",
    "true",
    "nul",
    "nulL",
    "\"\\u12",
    "\u{feff}{}",
    "{} {}",
    "",
    "\t\r\n ",
    r#"{"a" 1}"#,
];

#[test]
fn small_bodies_and_their_beginnings_cut_in_two_everywhere() {
    for body in BODIES {
        for depth in [3, 4, 5, 128] {
            same_in_two(body.as_bytes(), Limits::new().with_max_depth(depth));
        }
        for end in 0..body.len() {
            let cut = &body.as_bytes()[..end];
            same_by(cut, Limits::new(), &[1, 2, 5, 1000]);
            same_by(cut, Limits::new().with_max_depth(4), &[1, 1000]);
        }
    }
}

struct Rng(u64);

impl Rng {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// What is put in the place of a few bytes.
const PIECES: [&[u8]; 34] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b" ",
    b"\"",
    b"\\",
    b"\\u",
    b"\\u00e9",
    b"\\ud83d",
    b"\\ude00",
    b"\0",
    b"\x1f",
    b"\xc3",
    b"\xc3\xa9",
    b"\xe6\x97\xa5",
    b"\xf0\x9d\x84\x9e",
    b"\xff",
    b"0",
    b"1.0",
    b"-",
    b"e5",
    b"null",
    b"true",
    b"\"id\":1,",
    b"\"method\":\"m\",",
    b"\"params\":{",
    b"\"_meta\":{",
    b"\"name\":\"n\",",
    b"\"error\":null,",
    b"\"result\":{},",
    b"seventeen and more plain bytes",
];

#[test]
fn random_mutations_in_random_pieces() {
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    let mut accepted = 0;
    for round in 0..60_000 {
        let mut body = BODIES[rng.below(BODIES.len())].as_bytes().to_vec();
        for _ in 0..rng.below(4) {
            let start = rng.below(body.len() + 1);
            let end = (start + rng.below(3)).min(body.len());
            let with = PIECES[rng.below(PIECES.len())];
            body.splice(start..end, with.iter().copied());
        }
        let mut limits = Limits::new();
        if rng.below(4) == 0 {
            limits = limits.with_max_depth(1 + rng.below(6));
        }
        if rng.below(8) == 0 {
            limits = limits.with_max_frame_bytes(rng.below(body.len() + 4));
        }
        let policy = POLICIES[rng.below(2)];
        let whole = Message::parse_with(&body, &limits, &policy);
        accepted += usize::from(whole.is_ok());
        let mut scan = PieceScan::new(limits, policy);
        let (mut rest, longest) = (&body[..], 1 + rng.below(40));
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rng.below(longest + 1).min(rest.len()));
            scan.feed(piece);
            rest = after;
            assert!(scan.fault().is_none() || whole.is_err(), "{round}");
            assert!(!scan.peek().is_refused() || whole.is_err(), "{round}");
        }
        hold(&body, &whole, scan.finish());
    }
    assert!(accepted > 2000, "{accepted}");
}

#[test]
fn what_is_peeked_at_stays_if_the_message_is_good() {
    let null_first = r#"{"jsonrpc":"2.0","id":1,"error":null,"result":{}}"#;
    for body in BODIES.into_iter().chain([null_first]) {
        let (limits, policy) = (Limits::new(), Policy::lenient());
        let Ok(msg) = Message::parse_with(body.as_bytes(), &limits, &policy) else {
            continue;
        };
        let mut scan = PieceScan::new(limits, policy);
        for (i, piece) in body.as_bytes().chunks(1).enumerate() {
            scan.feed(piece);
            let peek = scan.peek();
            assert_eq!((peek.bytes_seen(), peek.is_refused()), (i + 1, false));
            assert!(peek.kind().is_none_or(|kind| kind == msg.kind()));
            if let Kept::Whole(method) = peek.method() {
                assert_eq!(method, msg.method().unwrap());
            }
            if let Kept::Whole(id) = peek.id() {
                assert_eq!(id, msg.id().unwrap());
            }
            // `params` that turn out to stand beside a result have no name.
            if let (Kept::Whole(name), Kind::Request) = (peek.name(), msg.kind()) {
                assert_eq!(name, msg.name().unwrap());
            }
        }
        assert_eq!(scan.peek().kind(), Some(msg.kind()));
    }
}

#[test]
fn copies_are_as_long_as_said() {
    for (len, is_whole) in [(KEPT_BYTES, true), (KEPT_BYTES + 1, false), (10_000, false)] {
        let token = format!("\"{}\"", "x".repeat(len - 2));
        let number = "7".repeat(len);
        let body = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{number},\"method\":{token},\"params\":{{\"name\":{token}}}}}"
        );
        same_by(body.as_bytes(), Limits::new(), &[1, 100, 1_000_000]);
        for size in [1, 100, 1_000_000] {
            let got = scan(
                body.as_bytes().chunks(size),
                Limits::new(),
                Policy::strict(),
            )
            .unwrap();
            for (is_there, copied) in [
                (got.id().is_there(), got.id().whole().is_some()),
                (got.method().is_there(), got.method().whole().is_some()),
                (got.name().is_there(), got.name().whole().is_some()),
            ] {
                assert_eq!((is_there, copied), (true, is_whole));
            }
        }
    }
}

#[test]
fn long_ids_are_judged_in_constant_memory() {
    let zeros = "0".repeat(5000);
    for (id, is_integral) in [
        (format!("1.{zeros}"), true),
        (format!("1.{zeros}1"), false),
        (format!("1{zeros}e-5000"), true),
        (format!("1{zeros}e-5001"), false),
        (format!("1.{zeros}1e{zeros}5001"), true),
        (format!("0.{zeros}e-{}", "9".repeat(400)), true),
        (format!("1e-{}", "9".repeat(400)), false),
    ] {
        let body = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"m\"}}");
        same_by(body.as_bytes(), Limits::new(), &[1, 999, 1_000_000]);
        let lenient = scan(body.as_bytes().chunks(10), Limits::new(), Policy::lenient());
        assert_eq!(lenient.is_ok(), is_integral);
    }
}

#[test]
fn a_token_leaves_nothing_to_the_next() {
    // Names around the longest that may mean something, behind those that do.
    for len in [40, 48, 286, 287, 288, 289, 400] {
        let long = "x".repeat(len);
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"{long}":"a","method":"m","{long}":2,"params":{{"name":"n","{long}":5,"_meta":{{
            "progressToken":1,"{long}":{{}},"io.modelcontextprotocol/clientInfo":{{"name":"a","{long}":1,"version":"b",
            "{long}":2}},"{long}":3}},"{long}":4}}}}"#
        );
        assert!(Message::parse(body.as_bytes()).is_ok());
        same_by(body.as_bytes(), Limits::new(), &[1, 7, 100, 1000]);
    }
    for number in ["0.5", "-1e5", "0", "7.25E-2"] {
        let body =
            format!(r#"{{"x":{number},"jsonrpc":"2.0","id":1.0,"method":"m","y":{number}}}"#);
        assert!(Message::parse_with(body.as_bytes(), &Limits::new(), &Policy::lenient()).is_ok());
        same_in_two(body.as_bytes(), Limits::new());
        same_by(body.as_bytes(), Limits::new(), &[1, 2, 3]);
    }
}

#[test]
fn the_limits_are_inclusive() {
    let body = r#"{"jsonrpc":"2.0","method":"m"}"#.as_bytes();
    for (limit, is_good) in [(body.len(), true), (body.len() - 1, false), (0, false)] {
        let limits = Limits::new().with_max_frame_bytes(limit);
        same_by(body, limits, &[1, 7, 100]);
        // A fault that stands before the limit yields to it.
        same_by(&[b"{]", body].concat(), limits, &[1, 7, 100]);
        let mut scan = PieceScan::new(limits, Policy::strict());
        for (i, piece) in body.chunks(1).enumerate() {
            scan.feed(piece);
            let is_over = scan.fault().map(|e| e.kind()) == Some(ErrorKind::FrameTooLong);
            assert_eq!(is_over, i + 1 > limit);
        }
        assert_eq!(scan.finish().is_ok(), is_good);
    }
    for depth in [1, 2, 3, 63, 64, 65, 128, 129, 1023, 1024] {
        for (open, close) in [("[", "]"), ("{\"name\":", "}")] {
            for (inner, is_good) in [(depth - 1, true), (depth, false)] {
                let value = format!("{}1{}", open.repeat(inner), close.repeat(inner));
                let body = format!("{{\"x\":{value},\"method\":\"m\",\"jsonrpc\":\"2.0\"}}");
                let limits = Limits::new().with_max_depth(depth);
                same_by(body.as_bytes(), limits, &[1, 50, 1_000_000]);
                let got = scan(body.as_bytes().chunks(9), limits, Policy::strict());
                assert_eq!(got.is_ok(), is_good, "{depth}");
            }
        }
    }
}

/// Long enough for the tokens of a whole text to be found first; in each object that is looked at.
#[test]
fn an_empty_container_is_one_more_too() {
    let id = "i".repeat(3000);
    for value in ["[]", "{}", "[ ]", "{\n}"] {
        for (before, after, depth) in [
            ("\"x\":", "", 1),
            ("\"method\":", "", 1),
            ("\"params\":{\"x\":", "}", 2),
            ("\"params\":{\"_meta\":{\"x\":", "}}", 3),
        ] {
            let body = format!("{{\"jsonrpc\":\"2.0\",\"id\":\"{id}\",{before}{value}{after}}}");
            for (limit, is_deep) in [(depth, true), (depth + 1, false)] {
                let limits = Limits::new().with_max_depth(limit);
                same_by(body.as_bytes(), limits, &[7, 1000]);
                let got = scan(body.as_bytes().chunks(50), limits, Policy::strict());
                let kind = got.err().map(|error| error.kind());
                assert_eq!(kind == Some(ErrorKind::TooDeep), is_deep, "{body}");
            }
        }
    }
}

#[test]
fn behind_a_fault_nothing_changes() {
    let mut scan = PieceScan::default();
    scan.feed(br#"{"jsonrpc":"2.0","id":1,"method":"m"]"#);
    let fault = scan.fault().unwrap();
    assert!(scan.peek().is_refused());
    for _ in 0..1000 {
        scan.feed(br#","id":2,"method":"n"}"#);
    }
    assert_eq!(scan.fault(), Some(fault));
    assert_eq!(scan.peek().method().whole().unwrap(), "m");
    assert_eq!(scan.finish().unwrap_err(), fault);
}

#[test]
fn other_bytes_are_not_taken_for_the_body() {
    let body = BODIES[0].as_bytes();
    let scanned = scan(body.chunks(7), Limits::new(), Policy::strict()).unwrap();
    assert!(scanned.message(body).is_some());
    for at in 0..body.len() {
        for with in [0, b' ', b'"', b'x', 0x80, 0xFF] {
            let mut other = body.to_vec();
            let is_same = std::mem::replace(&mut other[at], with) == with;
            assert_eq!(scanned.message(&other).is_some(), is_same);
        }
        assert!(scanned.message(&body[..at]).is_none());
    }
    assert!(scanned.message(&[body, b" "].concat()).is_none());
}

#[test]
fn nothing_shows_payload() {
    let body = br#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"secret","x":"secret"}}"#;
    let mut scan = PieceScan::default();
    scan.feed(body);
    let told = format!("{scan:?} {:?}", scan.peek());
    let scanned = scan.finish().unwrap();
    let told = format!("{told} {scanned:?} {scanned} {:?}", scanned.name());
    assert!(!told.contains("secret"), "{told}");
    assert_eq!(scanned.to_string(), "request \"m\", id 1, 77 bytes");
}
