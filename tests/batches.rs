//! Elements of a batch under the rules: each is good or bad on its own, and its error counts bytes in the whole frame.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use rpcslice::encode::{AnswerArray, Framing};
use rpcslice::mcp::{Incoming, Rules, Version, Versions};
use rpcslice::{Batch, Error, ErrorKind, Limits, Member, Policy};

const FRAME: &[u8] = br#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}},
 {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":5}},
 {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{}},
 {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}]"#;

#[test]
fn an_element_that_breaks_a_rule_spoils_only_itself() {
    let rules = Rules::server().versions(Versions::of(&[Version::V2025_03_26]));
    let Ok(Incoming::Batch(batch)) = rules.read(FRAME) else {
        panic!("not a batch");
    };
    let told = |error: Error| {
        let id = error.id(FRAME).map(|id| id.raw());
        let at = FRAME.get(error.offset()..).unwrap();
        (error.kind(), error.code(), id, *at.first().unwrap())
    };
    let got: Vec<_> = batch
        .iter()
        .map(|item| item.map(|_| ()).map_err(told))
        .collect();
    let expected = [
        Ok(()),
        Err((ErrorKind::Invalid(Member::Name), -32602, Some("2"), b'5')),
        Err((ErrorKind::Missing(Member::Uri), -32602, Some("3"), b'}')),
        Err((ErrorKind::Missing(Member::Progress), -32602, None, b'}')),
    ];
    assert_eq!(got, expected);
}

#[test]
fn in_a_batch_a_client_answers_what_a_client_answers() {
    let frame = br#"[{"jsonrpc":"2.0","id":1,"result":{}},3,{"jsonrpc":"2.0","id":2}]"#;
    for (rules, is_due) in [(Rules::client(), false), (Rules::server(), true)] {
        let rules = rules.negotiated(Version::V2025_03_26);
        let Ok(Incoming::Batch(batch)) = rules.read(frame) else {
            panic!("a batch");
        };
        let mut out = Vec::new();
        let mut answers = AnswerArray::new(&mut out, Framing::Body);
        for error in batch.iter().filter_map(Result::err) {
            answers.refusal(&error, frame, &rules);
        }
        assert_eq!(answers.finish(), is_due);
    }
}

#[test]
fn in_a_batch_an_element_that_is_too_deep_spoils_itself_alone() {
    let deep = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!(
            r#"[{{"jsonrpc":"2.0","id":1,"method":"ping"}},{{"jsonrpc":"2.0","id":2,"method":"x","params":{{"a":{open}{close}}}}}]"#
        )
    };
    // The array of the batch, the message and its params are three.
    let limits = Limits::new().with_max_depth(10);
    for (levels, is_good) in [(7, true), (8, false), (1021, false)] {
        let frame = deep(levels);
        let batch = Batch::parse_with(frame.as_bytes(), &limits, &Policy::strict()).unwrap();
        assert!(batch.get(0).unwrap().is_ok());
        match batch.get(1).unwrap() {
            Ok(_) => assert!(is_good, "{levels}"),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::TooDeep, "{levels}");
                assert_eq!(error.id(frame.as_bytes()).unwrap().raw(), "2");
                assert!(!is_good);
            }
        }
    }
    for (levels, limit) in [(1022, 10), (1, 1)] {
        let (frame, limits) = (deep(levels), Limits::new().with_max_depth(limit));
        let all = Batch::parse_with(frame.as_bytes(), &limits, &Policy::strict());
        assert_eq!(all.unwrap_err().kind(), ErrorKind::TooDeep);
    }
}
