//! No way of parsing reads a byte before or behind a frame: frames that end exactly at a page which nobody may read, and such
//! as begin right behind one, are parsed by every variant, to the same end as in ordinary memory. A read beyond is a fault,
//! which ends the process.
#![cfg(unix)]
#![allow(
    unsafe_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

#[path = "guard_pages/frames.rs"]
mod frames;
#[path = "guard_pages/guarded.rs"]
mod guarded;

use guarded::Guarded;
use rpcslice::__variants::{self, Variant, is_same, is_taken_by_tokens, parse_by_tokens};
use rpcslice::json::RawJson;
use rpcslice::{Error, Limits, Message, Policy};

/// Up to here every length; then some from about the one on from which AVX2 is taken.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=700).chain(1020..=1090)
}

type Parsed<'a> = Result<Message<'a>, Error>;

fn assert_same(one: &Parsed<'_>, other: &Parsed<'_>, what: &str) {
    match (one, other) {
        (Ok(one), Ok(other)) => assert!(is_same(one, other), "{what}: {one:?}; {other:?}"),
        (Err(one), Err(other)) => assert_eq!(one, other, "{what}"),
        _ => panic!("{what}: {one:?}; {other:?}"),
    }
}

/// What comes of a frame in ordinary memory.
struct Wanted<'a> {
    message: Parsed<'a>,
    value: Option<&'a str>,
    /// By which variants tokens alone take it.
    taken: [Option<bool>; 4],
}

fn value(frame: &[u8]) -> Option<&str> {
    RawJson::parse(frame).ok().map(|value| value.raw())
}

fn taken(frame: &[u8]) -> [Option<bool>; 4] {
    Variant::ALL.map(|variant| is_taken_by_tokens(variant, frame, &Limits::new()))
}

/// Parses it by everything there is.
fn hold(frame: &[u8], wanted: &Wanted<'_>, what: &str) {
    let (limits, policy) = (Limits::new(), Policy::strict());
    assert_same(&Message::parse(frame), &wanted.message, what);
    assert_eq!(value(frame), wanted.value, "{what}");
    assert_eq!(taken(frame), wanted.taken, "{what}");
    for variant in Variant::ALL {
        let what = format!("{variant:?}, {what}");
        if let Some(parsed) = parse_by_tokens(variant, frame, &limits, &policy) {
            assert_same(&parsed, &wanted.message, &what);
        }
        if __variants::force(variant) {
            assert_same(&Message::parse(frame), &wanted.message, &what);
            assert_eq!(value(frame), wanted.value, "{what}");
        }
    }
    __variants::reset();
}

/// Code without optimisation takes long: of the kinds one in so many for each length, and another one for the next.
const ONE_IN: usize = if cfg!(debug_assertions) { 7 } else { 1 };

#[test]
fn frames_beside_a_page_that_nobody_may_read_are_parsed_as_anywhere_else() {
    let mut pages = Guarded::new();
    let (mut frames, mut messages, mut values) = (0, 0, 0);
    for len in lengths() {
        for (kind, frame) in frames::of(len).skip(len % ONE_IN).step_by(ONE_IN) {
            let what = format!("{len} bytes, {kind}");
            let wanted = Wanted {
                message: Message::parse(&frame),
                value: value(&frame),
                taken: taken(&frame),
            };
            hold(pages.put_before_end(&frame), &wanted, &what);
            hold(pages.put_behind_start(&frame), &wanted, &what);
            frames += 1;
            messages += u32::from(wanted.message.is_ok());
            values += u32::from(wanted.value.is_some());
        }
    }
    println!("{frames} frames, {messages} messages, {values} JSON texts");
    assert!(messages * 5 > frames, "{messages} messages of {frames}");
    assert!(messages < values && values < frames);
}

/// What is not checked here would be checked by nothing: that the pages are there.
#[test]
fn a_read_beyond_is_a_fault() {
    let mut pages = Guarded::new();
    for frame in [&b""[..], b"{}", &[b' '; 64]] {
        let placed = pages.put_before_end(frame);
        let range = placed.as_ptr_range();
        assert!(guarded::is_fault(range.end));
        assert!(frame.is_empty() || !guarded::is_fault(range.start));
        let placed = pages.put_behind_start(frame);
        let range = placed.as_ptr_range();
        assert!(guarded::is_fault(range.start.wrapping_sub(1)));
        assert!(frame.is_empty() || !guarded::is_fault(range.end.wrapping_sub(1)));
    }
}
