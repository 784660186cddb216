//! Parsing takes a few kilobytes of the stack, whatever the frame: released code less than six, code without optimisation more.
#![allow(clippy::unwrap_used, missing_docs)]

use rpcslice::json::RawJson;
use rpcslice::{Limits, Message, Policy};
use std::thread;

/// Threads have pages of their own besides, and the standard library takes some.
const STACK: usize = if cfg!(debug_assertions) { 96 } else { 24 } << 10;

#[test]
fn a_small_stack_is_enough_for_every_length_and_depth() {
    let deep = |n: usize| format!("{}1{}", "[".repeat(n), "]".repeat(n));
    let params = |value: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"a":{value}}}}}"#)
    };
    let frames = [
        params("1"),
        params(&deep(60)),
        params(&deep(1022)),
        params(&deep(100_000)),
        params(&format!("[{}2]", "1.5,".repeat(500_000))),
        params(&format!("\"{}\"", "日本\\u00e9".repeat(200_000))),
        params(&format!("{{{}}}", "\"k\":{\"v\":[]},".repeat(200_000))),
    ];
    let work = move || {
        let limits = Limits::new().with_max_depth(Limits::HIGHEST_MAX_DEPTH);
        let read = frames.iter().map(|frame| {
            let message = Message::parse_with(frame.as_bytes(), &limits, &Policy::strict());
            let value = RawJson::parse_with(frame.as_bytes(), &limits);
            assert_eq!(message.is_ok(), value.is_ok());
            u32::from(message.is_ok())
        });
        read.sum::<u32>()
    };
    let thread = thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .unwrap();
    assert_eq!(thread.join().unwrap(), 5);
}
