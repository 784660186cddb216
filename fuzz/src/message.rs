//! `Message::parse` accepts exactly when the oracle does, and then lends the same slices; otherwise it says the same of
//! what is wrong, where, and what an answer would echo.

use crate::mutator::{self, json};
use crate::options;
use crate::oracle::envelope::{Accepted, Refused, Verdict, Why, judge};
use crate::oracle::{grammar, names, tree};
use crate::rng::{Rng, hash};
use crate::rules;
use rpcslice::json::{JsonKind, JsonStr, RawJson};
use rpcslice::{
    Error, ErrorKind, Kind, Limits, Member, Message, MessageBuf, Meta, Policy, Rejected, View,
};
use std::ops::Range;

/// The target.
pub fn run(data: &[u8]) {
    let (frame, tail) = options::split(data);
    let limits = options::limits(frame, tail);
    let strict = judge(frame, &limits, false);
    let signature = compare(frame, &limits, &Policy::strict(), &strict);
    let lenient = judge(frame, &limits, true);
    compare(frame, &limits, &Policy::lenient(), &lenient);
    rules::hold(frame, &mut Rng::of(data));
    crate::count::execution(matches!(strict, Verdict::Accept(_)), signature);
}

pub fn mutate(data: &[u8], rng: &mut Rng) -> Vec<u8> {
    mutator::with_tail(data, rng, |frame, rng| {
        // What is no JSON any more seldom becomes any again.
        let is_spoilt = grammar::fault(frame, usize::MAX).is_some();
        if rng.once_in(if is_spoilt { 2 } else { 8 }) {
            *frame = json::fresh(rng);
        }
        json::edit(frame, rng);
    })
}

/// For libFuzzer: `size` bytes of `data` to new ones of at most `max`.
pub fn mutate_in_place(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    mutator::in_place(data, size, max, seed, mutate)
}

/// Panics if the library and the oracle differ. Gives what the frame was like, for those who look for new ones.
fn compare(frame: &[u8], limits: &Limits, policy: &Policy, expected: &Verdict) -> u64 {
    let parsed = Message::parse_with(frame, limits, policy);
    hold(frame, &parsed, expected);
    let owned = MessageBuf::parse_with(frame.to_vec(), limits, policy);
    match (parsed, expected) {
        (Err(error), Verdict::Refuse(refused)) => {
            let Rejected { error: again, .. } = owned.expect_err("what `Message` refuses");
            assert_eq!(again, error);
            // Where a fault stands says little; what it is, and behind how many others it came, a little more.
            hash(format!("{:?}{:?}", error.kind(), refused.shape).as_bytes()) ^ 1 << 63
        }
        (_, Verdict::Accept(accepted)) => {
            let owned = owned.expect("what `Message` accepts");
            accepted_the_same(owned.bytes(), &owned.as_message(), accepted);
            let copy = owned.detach();
            accepted_the_same(copy.bytes(), &copy.as_message(), accepted);
            let params = accepted.slots.get(Member::Params);
            assert_eq!(copy.params_bytes().as_deref(), params.map(|at| &frame[at]));
            accepted.slots.bits() | (accepted.kind as u64) << 60
        }
        (Ok(_), Verdict::Refuse(_)) => unreachable!("`hold` has panicked"),
    }
}

/// Panics if what the library said of a frame is not what the oracle says.
pub fn hold(frame: &[u8], parsed: &Result<Message<'_>, Error>, expected: &Verdict) {
    match (parsed, expected) {
        (Ok(message), Verdict::Accept(accepted)) => accepted_the_same(frame, message, accepted),
        (Err(error), Verdict::Refuse(refused)) => refused_the_same(frame, error, refused),
        (Ok(message), Verdict::Refuse(refused)) => {
            panic!("accepted: {message}; the oracle refuses: {refused:?}")
        }
        (Err(error), Verdict::Accept(accepted)) => {
            panic!("refused: {error}; the oracle accepts: {accepted:?}")
        }
    }
}

/// The same place, not only the same text.
fn same_place(what: &str, frame: &[u8], got: Option<&str>, expected: Option<Range<usize>>) {
    let got = got.map(|text| {
        let start = (text.as_ptr() as usize).wrapping_sub(frame.as_ptr() as usize);
        start..start.wrapping_add(text.len())
    });
    assert_eq!(got, expected, "{what}");
}

fn accepted_the_same(frame: &[u8], message: &Message<'_>, expected: &Accepted) {
    let slots = &expected.slots;
    let text = |at: &Range<usize>| std::str::from_utf8(&frame[at.clone()]).expect("checked");
    let string = |member| slots.get(member).filter(|at| frame[at.start] == b'"');
    assert_eq!(message.kind(), expected.kind);
    same_place("frame", frame, Some(message.frame()), Some(0..frame.len()));
    for (_, member) in names::ALL.into_iter().flatten() {
        let got = message.member(*member).map(raw);
        // There is one value that `jsonrpc` may have, so nobody keeps where it stands.
        let expected = slots.get(*member).filter(|_| *member != Member::Jsonrpc);
        same_place(member.path(), frame, got, expected);
    }
    let id = slots.get(Member::Id).filter(|at| text(at) != "null");
    same_place("id", frame, message.id().map(|id| id.raw()), id.clone());
    let method = slots.get(Member::Method);
    same_place("method", frame, message.method().map(token), method.clone());
    same_place(
        "params",
        frame,
        message.params().map(raw),
        slots.get(Member::Params),
    );
    same_place(
        "result",
        frame,
        message.result().map(raw),
        slots.get(Member::Result),
    );
    same_place(
        "name",
        frame,
        message.name().map(token),
        string(Member::Name),
    );
    same_place("uri", frame, message.uri().map(token), string(Member::Uri));
    same_place(
        "taskId",
        frame,
        message.task_id().map(token),
        string(Member::TaskId),
    );
    let is_initialize =
        method.is_some_and(|at| tree::text(text(&at)).as_deref() == Ok("initialize"));
    let offered = string(Member::ParamsProtocolVersion)
        .filter(|_| is_initialize && expected.kind == Kind::Request);
    let version = match slots.has(Member::ProtocolVersion) {
        true => string(Member::ProtocolVersion),
        false => offered,
    };
    same_place(
        "version",
        frame,
        message.protocol_version().map(token),
        version,
    );
    let meta = slots
        .get(Member::ParamsMeta)
        .or(slots.get(Member::ResultMeta));
    let meta = meta.filter(|at| frame[at.start] == b'{');
    same_place(
        "_meta",
        frame,
        message.meta().map(|meta| meta.raw().raw()),
        meta.clone(),
    );
    if let (Some(got), Some(at)) = (message.meta(), meta) {
        meta_the_same(frame, &got, &at, expected);
    }
    let kind = match message.view() {
        View::Request(view) => {
            same_place("request.id", frame, Some(view.id().raw()), id);
            assert_eq!(Some(view.method()), message.method());
            Kind::Request
        }
        View::Notification(view) => {
            assert_eq!(Some(view.method()), message.method());
            Kind::Notification
        }
        View::Response(view) => {
            assert_eq!(Some(view.result()), message.result());
            let result_type = string(Member::ResultType);
            same_place(
                "resultType",
                frame,
                view.result_type().map(token),
                result_type,
            );
            Kind::Result
        }
        View::Error(view) => {
            let code = slots.get(Member::ErrorCode).expect("an error has one");
            assert_eq!(Ok(view.code()), text(&code).parse());
            let said = string(Member::ErrorMessage);
            same_place("error.message", frame, Some(token(view.message())), said);
            same_place(
                "error.data",
                frame,
                view.data().map(raw),
                slots.get(Member::ErrorData),
            );
            assert_eq!(view.id(), message.id());
            Kind::Error
        }
    };
    assert_eq!(kind, expected.kind, "view");
    let _ = format!("{message} {message:?}");
}

fn raw<'a>(value: RawJson<'a>) -> &'a str {
    value.raw()
}

fn token<'a>(value: JsonStr<'a>) -> &'a str {
    value.raw()
}

fn meta_the_same(frame: &[u8], got: &Meta<'_>, at: &Range<usize>, expected: &Accepted) {
    let text = std::str::from_utf8(frame).expect("checked");
    let members = tree::members(text, at).expect("an object");
    let pairs: Vec<_> = got
        .iter()
        .map(|(name, value)| (name.raw(), value.raw()))
        .collect();
    let parts = members
        .iter()
        .map(|m| (&text[m.name_at.clone()], &text[m.value.clone()]));
    assert!(pairs.into_iter().eq(parts), "the members of _meta");
    let keys = [
        (got.progress_token(), Member::ProgressToken),
        (got.subscription_id(), Member::SubscriptionId),
        (got.client_info(), Member::ClientInfo),
        (got.client_capabilities(), Member::ClientCapabilities),
        (got.server_info(), Member::ServerInfo),
    ];
    for (value, member) in keys {
        let value = value.map(|value| value.raw());
        same_place(member.path(), frame, value, expected.slots.get(member));
        let walked = got.get(member.name()).map(|v| v.raw());
        same_place(member.path(), frame, walked, expected.slots.get(member));
    }
    let keys = [
        (got.protocol_version(), Member::ProtocolVersion),
        (got.log_level(), Member::LogLevel),
        (got.traceparent(), Member::Traceparent),
        (got.tracestate(), Member::Tracestate),
        (got.baggage(), Member::Baggage),
    ];
    for (value, member) in keys {
        let string = expected
            .slots
            .get(member)
            .filter(|at| frame[at.start] == b'"');
        let value = value.map(|value| value.raw());
        same_place(member.path(), frame, value, string);
    }
    assert_eq!(got.raw().kind(), JsonKind::Object);
}

fn refused_the_same(frame: &[u8], error: &Error, expected: &Refused) {
    let (kind, span) = (error.kind(), error.span());
    match &expected.why {
        Why::Syntax => {
            assert_eq!(error.code(), -32700, "{error}; the oracle: {expected:?}");
            assert!(matches!(kind, ErrorKind::Syntax(_)), "{error}");
        }
        Why::OneOf(kinds) => {
            assert_eq!(error.code(), -32600, "{error}; the oracle: {expected:?}");
            assert!(kinds.contains(&kind), "{error}; the oracle: {expected:?}");
        }
    }
    assert_eq!(
        error.offset(),
        expected.offset,
        "{error}; the oracle: {expected:?}"
    );
    assert_eq!(span.start, expected.offset);
    assert!(
        span.start <= span.end && span.end <= frame.len(),
        "{error}: {span:?}"
    );
    assert_eq!(
        error.shape(),
        expected.shape,
        "{error}; the oracle: {expected:?}"
    );
    assert_eq!(
        error.id_span(),
        expected.id,
        "{error}; the oracle: {expected:?}"
    );
    let id = error.id(frame).map(|id| id.raw());
    same_place("id", frame, id, expected.id.clone());
    let method = error.method(frame).map(|m| m.raw());
    same_place("method", frame, method, expected.method.clone());
    let status = if kind == ErrorKind::FrameTooLong {
        413
    } else {
        400
    };
    assert_eq!(error.http_status(), status);
    let before = &frame[..expected.offset];
    let (line, column) = error.line_column(frame);
    assert_eq!(line, before.split(|&b| b == b'\n').count());
    // Where bytes are no UTF-8, each counts; the oracle leaves that.
    if let Ok(before) = std::str::from_utf8(before) {
        let last = before.rsplit('\n').next().unwrap_or("");
        assert_eq!(column, last.chars().count() + 1);
    }
    let shown = error.to_string();
    assert!(shown.len() < 200, "payload in {shown:?}");
}
