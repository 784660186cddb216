//! A body in pieces gets the verdict of `Message::parse_with` on the whole, however it is cut; and over any other bytes a message
//! that was scanned is refused.

use crate::mutator;
use crate::options;
use crate::oracle::names;
use crate::rng::{Rng, hash};
use rpcslice::mcp::Rules;
use rpcslice::pieces::{KEPT_BYTES, Kept, PieceScan, Scanned};
use rpcslice::{Error, Limits, Message, Policy};

/// The target.
pub fn run(data: &[u8]) {
    let (body, tail) = options::split(data);
    let limits = options::limits(body, tail);
    let mut rng = Rng::of(data);
    let mut signature = 0;
    let mut is_accepted = false;
    for policy in [Policy::strict(), Policy::lenient()] {
        let whole = Message::parse_with(body, &limits, &policy);
        for longest in [1, 1 + rng.below(5), 1 + rng.below(64), body.len().max(1)] {
            let scanned = scan(body, longest, &whole, limits, policy, &mut rng);
            same(body, &whole, scanned, &mut rng);
        }
        is_accepted |= whole.is_ok();
        signature = signature << 8
            | match &whole {
                Ok(msg) => msg.kind() as u64,
                Err(error) => 4 + hash(format!("{:?}", error.kind()).as_bytes()) % 60,
            };
    }
    crate::count::execution(is_accepted, signature);
}

pub fn mutate(data: &[u8], rng: &mut Rng) -> Vec<u8> {
    crate::message::mutate(data, rng)
}

/// For libFuzzer: `size` bytes of `data` to new ones of at most `max`.
pub fn mutate_in_place(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    mutator::in_place(data, size, max, seed, mutate)
}

/// In pieces of up to `longest` bytes, some of them empty; with a look at it now and then.
fn scan(
    body: &[u8],
    longest: usize,
    whole: &Result<Message<'_>, Error>,
    limits: Limits,
    policy: Policy,
    rng: &mut Rng,
) -> Result<Scanned, Error> {
    let mut scan = PieceScan::new(limits, policy);
    let mut rest = body;
    while !rest.is_empty() {
        let most = match longest == body.len() {
            true => longest,
            false => rng.below(longest + 1),
        };
        let (piece, after) = rest.split_at(most.min(rest.len()));
        scan.feed(piece);
        rest = after;
        if rng.once_in(4) {
            peeked(&scan, whole);
        }
    }
    assert_eq!(scan.bytes_seen(), body.len());
    scan.finish()
}

/// What is seen early is what comes out in the end, if anything does.
fn peeked(scan: &PieceScan, whole: &Result<Message<'_>, Error>) {
    let peek = scan.peek();
    let Ok(msg) = whole else {
        // Nothing is shown that is no token.
        let _ = (peek.method(), peek.id(), peek.name(), peek.kind());
        return;
    };
    assert!(!peek.is_refused() && scan.fault().is_none());
    assert!(peek.kind().is_none_or(|kind| kind == msg.kind()));
    if let Kept::Whole(id) = peek.id() {
        assert_eq!(Some(id.raw()), msg.id().map(|id| id.raw()));
    }
    if let Kept::Whole(method) = peek.method() {
        assert_eq!(Some(method.raw()), msg.method().map(|method| method.raw()));
    }
    // The name in `params` beside a result means nothing, which shows when the result comes.
    if let (Kept::Whole(name), Some(_)) = (peek.name(), msg.method()) {
        assert_eq!(Some(name.raw()), msg.name().map(|name| name.raw()));
    }
}

/// Panics if the verdicts differ.
fn same(
    body: &[u8],
    whole: &Result<Message<'_>, Error>,
    scanned: Result<Scanned, Error>,
    rng: &mut Rng,
) {
    let (msg, scanned) = match (whole, scanned) {
        (Ok(msg), Ok(scanned)) => (msg, scanned),
        (Err(want), Err(got)) => return assert_eq!(got, *want),
        (Ok(msg), Err(error)) => panic!("whole it is {msg}, in pieces refused: {error}"),
        (Err(error), Ok(scanned)) => panic!("whole refused: {error}; in pieces it is {scanned}"),
    };
    let lent = scanned.message(body).expect("the body that was scanned");
    assert_eq!(
        (scanned.kind(), scanned.body_len()),
        (msg.kind(), body.len())
    );
    assert_eq!((lent.kind(), lent.frame()), (msg.kind(), msg.frame()));
    for (_, member) in names::ALL.into_iter().flatten() {
        let want = msg.member(*member).map(|value| value.as_bytes());
        let span = scanned.span(*member).map(|span| &body[span]);
        assert_eq!(
            span.map(<[u8]>::as_ptr_range),
            want.map(<[u8]>::as_ptr_range)
        );
        let lent = lent.member(*member).map(|value| value.as_bytes());
        assert_eq!(
            lent.map(<[u8]>::as_ptr_range),
            want.map(<[u8]>::as_ptr_range)
        );
    }
    copied(scanned.id(), |id| id.raw(), msg.id().map(|id| id.raw()));
    copied(
        scanned.method(),
        |text| text.raw(),
        msg.method().map(|text| text.raw()),
    );
    copied(
        scanned.name(),
        |text| text.raw(),
        msg.name().map(|text| text.raw()),
    );
    for rules in [Rules::server(), Rules::client()] {
        assert_eq!(rules.check(&lent), rules.check(msg));
    }
    let mut other = body.to_vec();
    let at = rng.below(other.len());
    other[at] ^= 1 << rng.below(8);
    assert!(scanned.message(&other).is_none());
    other.truncate(at);
    assert!(scanned.message(&other).is_none());
}

fn copied<T>(kept: Kept<T>, raw: impl Fn(&T) -> &str, want: Option<&str>) {
    match (kept, want) {
        (Kept::Absent, None) => {}
        (Kept::Whole(got), Some(want)) => assert_eq!(raw(&got), want),
        (Kept::TooLong, Some(want)) => assert!(want.len() > KEPT_BYTES),
        (kept, want) => panic!("{want:?}, of which is kept: {}", kept.is_there()),
    }
}
