//! Whatever the rules say of a frame, it is about that frame, and the answer to it is itself a message.

use crate::rng::Rng;
use rpcslice::encode::{Framing, reply};
use rpcslice::mcp::{Incoming, Methods, Pending, Role, Rules, Transport, Version, Versions};
use rpcslice::{Error, Kind, Limits, Message, Policy, Shape};

const ROLES: [Rules; 3] = [Rules::server(), Rules::client(), Rules::proxy()];
const TRANSPORTS: [Transport; 3] = [Transport::Any, Transport::Stdio, Transport::Http];

/// Panics if what comes of the frame under some rules, of which chance chooses, can't be.
pub fn hold(frame: &[u8], rng: &mut Rng) {
    let rules = chosen(rng);
    match rules.read(frame) {
        Ok(Incoming::Message(message)) => checked(&rules, &message),
        Ok(Incoming::Batch(batch)) => {
            for element in batch.iter() {
                match element {
                    Ok(message) => checked(&rules, &message),
                    Err(error) => refused(&rules, frame, &error),
                }
            }
        }
        Err(error) => refused(&rules, frame, &error),
    }
}

fn chosen(rng: &mut Rng) -> Rules {
    let rules = rng.pick(&ROLES).expect("three");
    let mut rules = rules.transport(*rng.pick(&TRANSPORTS).expect("three"));
    if rng.once_in(2) {
        rules = rules.methods(Methods::Core);
    }
    if rng.once_in(4) {
        rules = rules.policy(Policy::lenient());
    }
    let version = *rng.pick(&Version::ALL).expect("five");
    match rng.below(3) {
        0 => rules,
        1 => rules.negotiated(version),
        _ => rules.versions(Versions::of(&[version])),
    }
}

fn checked(rules: &Rules, message: &Message<'_>) {
    assert_eq!(rules.check(message), Ok(()), "what `read` lets pass");
    // A sender is held to more, and may be refused.
    if let Err(error) = rules.check_outgoing(message) {
        in_frame(message.frame().as_bytes(), &error);
    }
    let mut pending = Pending::with_limits(1, 64);
    let noted = pending.received(message);
    if message.kind() == Kind::Request && message.id().is_some_and(|id| id.raw().len() <= 64) {
        assert!(noted.is_ok());
        assert!(pending.received(message).is_err(), "in flight twice");
    }
}

fn refused(rules: &Rules, frame: &[u8], error: &Error) {
    in_frame(frame, error);
    let mut answer = Vec::new();
    let said = reply(&mut answer, error, frame, rules, Framing::Line);
    assert_eq!(said.is_written, !answer.is_empty());
    let is_due = match error.shape() {
        Shape::Notification | Shape::Response => false,
        _ => rules.role() != Role::Client,
    };
    assert!(said.is_written || !is_due);
    let Some((b'\n', line)) = answer.split_last() else {
        assert!(!said.is_written);
        return;
    };
    assert!(!line.contains(&b'\n'));
    // An id such as `1.0` passes where the policy is lenient, and is echoed as it is.
    let answer = Message::parse_with(line, &Limits::new(), &rules.frame_policy());
    let answer = answer.expect("the answer is a message");
    assert_eq!(answer.kind(), Kind::Error);
    let (echoed, id) = (answer.id().map(|id| id.raw()), error.id(frame));
    assert_eq!(echoed, id.map(|id| id.raw()), "the id, to the byte");
}

fn in_frame(frame: &[u8], error: &Error) {
    let span = error.span();
    assert!(
        span.start <= span.end && span.end <= frame.len(),
        "{error}: {span:?} of {}",
        frame.len()
    );
    assert!(
        frame.is_ascii() || std::str::from_utf8(frame).is_err() || {
            let text = std::str::from_utf8(frame).expect("just seen");
            text.is_char_boundary(span.start)
        }
    );
}
