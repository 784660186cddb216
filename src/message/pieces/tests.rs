//! What only the inside shows: the same envelope, bit for bit; a bounded state; nothing bad over other bytes.

use super::{PieceScan, Scanned};
use crate::json::RawJson;
use crate::message::envelope::Envelope;
use crate::message::{Message, Policy, View};
use crate::{Limits, Member};

/// A state is kept for each body that is on its way, so it is told.
#[test]
fn the_state_is_small_and_has_one_size() {
    assert!(size_of::<PieceScan>() <= 2048, "{}", size_of::<PieceScan>());
    assert!(size_of::<Scanned>() <= 1088, "{}", size_of::<Scanned>());
}

const BODIES: [&str; 9] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"caf\u00e9","_meta":{"progressToken":"p","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"traceparent":7},"arguments":{"a":[1,{"b":null}]},"uri":1.5,"cursor":true,"data":null,"level":"\ud83d"}}"#,
    r#"{"params":{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"a","version":"b"}},"name":"n","cursor":""},"jsonrpc":"2.0","id":"\n","result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"version":"1","name":"s","name":2}},"resultType":"complete","ttlMs":1.5,"tools":[]}}"#,
    r#"{"jsonrpc":"2.0","id":7,"result":{"cacheScope":"private","nextCursor":"\\"},"params":{"name":"n","uri":"u","_meta":{"progressToken":1}}}"#,
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m","data":{"supported":[]}}}"#,
    r#"{"params":{"uri":"u"},"error":{"code":1,"message":"m\n"},"jsonrpc":"2.0"}"#,
    r#"{"params":null,"error":null,"jsonrpc":"2.0","id":1.0,"result":{"resultType":"x"}}"#,
    r#"{"jsonrpc":"\u0032.0","m\u0065thod":"\u006d","params":{"name":5,"arguments":{},"arguments":[]}}"#,
    r#"{"jsonrpc":"2.0","method":"m","params":{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":{},"version":""}}}}"#,
    r#"{"jsonrpc":"2.0","method":"m","params":{"ref":{"type":"t"},"protocolVersion":"2025-06-18","clientInfo":{}}}"#,
];

fn scanned(body: &[u8], size: usize) -> Option<Scanned> {
    let mut scan = PieceScan::new(Limits::new(), Policy::lenient());
    body.chunks(size).for_each(|piece| scan.feed(piece));
    scan.finish().ok()
}

/// Without the place of the types that nobody reads.
fn told(mut envelope: Envelope) -> Envelope {
    envelope.types.clear(31);
    envelope
}

#[test]
fn the_envelope_is_the_same_bit_for_bit() {
    // Each body, and each without a few of its bytes: some of those are messages still.
    let mut good = 0;
    for body in BODIES {
        for start in 0..body.len() {
            for len in [0, 1, 2, 3, 5, 9, 17, 33] {
                let end = (start + len).min(body.len());
                let body = [&body.as_bytes()[..start], &body.as_bytes()[end..]].concat();
                let whole = Message::parse_with(&body, &Limits::new(), &Policy::lenient());
                for size in [1, 13, 4096] {
                    let got = scanned(&body, size);
                    let got = got
                        .map(|got| *got.message(&body).map(|msg| msg.envelope).as_ref().unwrap());
                    good += usize::from(got.is_some());
                    let want = whole.as_ref().ok().map(|msg| msg.envelope);
                    assert_eq!(got.map(told), want.map(told));
                }
            }
        }
    }
    assert!(good > 1000, "{good}");
}

/// Everything that may be asked of a message.
fn exercise(msg: &Message<'_>) -> usize {
    let mut told = format!("{msg} {:?} {:?}", msg.id(), msg.protocol_version()).len();
    let mut values: Vec<RawJson<'_>> = vec![msg.as_raw()];
    for member in [
        Member::Id,
        Member::Method,
        Member::Params,
        Member::Result,
        Member::Error,
        Member::Name,
        Member::ParamsMeta,
        Member::Arguments,
        Member::ErrorData,
        Member::ClientInfo,
    ] {
        values.extend(msg.member(member));
    }
    if let Some(meta) = msg.meta() {
        told += meta.iter().count() + usize::from(meta.get("progressToken").is_some());
        values.push(meta.raw());
    }
    match msg.view() {
        View::Error(error) => told += format!("{:?} {:?}", error.code(), error.message()).len(),
        View::Request(request) => told += request.method().raw().len(),
        View::Notification(note) => told += note.method().raw().len(),
        View::Response(response) => values.push(response.result()),
    }
    for value in values {
        told += value.members().count() + value.elements().count();
        told += value.get_many(["name", "a"]).into_iter().flatten().count();
        told += usize::from(value.as_i64().is_some() | value.is_integer() | value.is_null());
        if let Some(text) = value.as_string() {
            told += text.decode().map_or(0, |text| text.len()) + usize::from(text == "x");
        }
    }
    let mut out = Vec::new();
    let id = crate::Id::from_raw("7").unwrap();
    let edit = msg.edit().id(id).meta_text("k", "v");
    let edit = edit.map(|edit| edit.write(&mut out, crate::encode::Framing::Line));
    told += out.len() + usize::from(edit.is_ok());
    for rules in [crate::mcp::Rules::server(), crate::mcp::Rules::client()] {
        told += usize::from(rules.check(msg).is_ok());
    }
    told
}

/// As if the hash had been that of the body: nothing panics, loops, or leaves the body.
#[test]
fn a_message_over_any_other_text_is_harmless() {
    let other_pieces = [
        "\"", "{", "}", "[", "\\", "\\u", "\0", "é", "日", "1", ",", ":", " ",
    ];
    let (mut lent, mut refused) = (0, 0);
    for body in BODIES {
        let Some(scanned) = scanned(body.as_bytes(), 64) else {
            continue;
        };
        let mut hold = |other: &[u8]| match scanned.lend(other) {
            Some(msg) => {
                assert_eq!(msg.frame().as_bytes(), other);
                exercise(&msg);
                lent += 1;
            }
            None => refused += 1,
        };
        hold(b"");
        hold("日".repeat(body.len() / 3).as_bytes());
        hold("é".repeat(body.len()).as_bytes());
        hold("{\"a\":".repeat(body.len()).as_bytes());
        hold(&vec![b'['; body.len()]);
        hold(&vec![b'"'; body.len()]);
        hold(&vec![b'\\'; body.len()]);
        hold(&vec![0xC3; body.len()]);
        for at in 0..body.len() {
            hold(&body.as_bytes()[..at]);
            for piece in other_pieces {
                let mut other = body.as_bytes().to_vec();
                let end = (at + piece.len()).min(other.len());
                other.splice(at..end, piece.bytes());
                hold(&other);
                // Everything behind stands a little elsewhere.
                let moved = [
                    &body.as_bytes()[..at],
                    piece.as_bytes(),
                    &body.as_bytes()[at..],
                ];
                hold(&moved.concat());
            }
        }
    }
    assert!(lent > 1000 && refused > 0, "{lent} {refused}");
}
