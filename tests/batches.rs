//! Elements of a batch under the rules: each is good or bad on its own, and its error counts bytes in the whole frame.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use rpcslice::mcp::{Incoming, Rules, Version, Versions};
use rpcslice::{Error, ErrorKind, Member};

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
