//! Whatever headers there are: nobody panics, and nobody contradicts another.

use super::Setting;
use super::body::{Body, Params};
use super::plans::Plan;
use crate::oracle::value::trimmed;
use crate::oracle::{Unsure, mirror};
use http::{HeaderMap, Method, StatusCode};
use rpcslice::http::{
    Accepts, Answer, Negotiation, Posted, Refusal, SessionId, SessionIdError, check,
    check_outgoing, last_event_id, read, revision, route,
};
use rpcslice::mcp::{Incoming, Role, Version};
use rpcslice::{Error, ErrorKind, Header, Kind, Limits, Member, Message};

/// Gives the verdict of [`check`].
pub fn hold(
    setting: &Setting,
    message: &Message<'_>,
    plan: Option<&Plan>,
    body: &Body,
    headers: &HeaderMap,
) -> Result<(), Error> {
    let rules = &setting.server;
    let verdict = check(rules, message, headers);
    if let Err(error) = &verdict {
        hold_span(message, error);
    }
    if body.is_mirrored {
        hold_mirrored(setting, message, body, headers, &verdict);
    }
    hold_route(setting, message, body, headers, &verdict);
    let _ = hold_params(setting, message, plan, body, headers);
    for rules in [&setting.client, rules] {
        if let Err(error) = check_outgoing(rules, message, headers) {
            hold_span(message, &error);
        }
    }
    verdict
}

fn hold_span(message: &Message<'_>, error: &Error) {
    assert!(message.frame().get(error.span()).is_some(), "{error}");
}

/// Errors are the same; what is accepted is.
pub fn same(found: &Result<(), Error>, expected: &Result<(), Error>) {
    assert_eq!(found, expected);
}

/// What needs no message, and slow: once is enough.
pub fn hold_frame(setting: &Setting, frame: &[u8], headers: &HeaderMap) {
    let rules = &setting.server;
    let found = read(rules, frame, headers);
    let parsed = Message::parse_with(frame, &rules.frame_limits(), &rules.frame_policy());
    let text = frame.iter().find(|b| !b" \t\r\n".contains(b));
    let is_array = text == Some(&b'[');
    match (found, parsed) {
        (Ok(Incoming::Message(found)), Ok(message)) => {
            assert_eq!(found.frame(), message.frame());
            same(&check(rules, &message, headers), &Ok(()));
        }
        (Ok(Incoming::Batch(_)), Err(_)) => assert!(is_array),
        (Err(error), Ok(message)) => same(&check(rules, &message, headers), &Err(error)),
        (Err(found), Err(expected)) => assert!(is_array || found == expected),
        (found, parsed) => panic!("{found:?}, but parsed {parsed:?}"),
    }
    hold_negotiation(setting, headers);
    hold_session(headers);
    hold_revision(setting, headers);
    let _ = last_event_id(headers);
    for posted in [Posted::Request, Posted::Other, Posted::Stream, Posted::End] {
        for status in [200, 202, 204, 400, 405, 500] {
            let status = StatusCode::from_u16(status).expect("a status");
            match Answer::of_response(posted, status, headers, Limits::new()) {
                Ok(Answer::Message(_)) => assert!(posted == Posted::Request && status == 200),
                Ok(Answer::Refused(found, _)) => assert!(!found.is_success()),
                Ok(Answer::Unanswered(found, _)) => assert!(found.is_success()),
                Ok(Answer::NotOffered) => assert_eq!(status, 405),
                _ => {}
            }
        }
    }
}

fn hold_negotiation(setting: &Setting, headers: &HeaderMap) {
    let accepts = Accepts::of(headers);
    for method in [Method::POST, Method::GET, Method::DELETE, Method::PUT] {
        match Negotiation::of_request(&setting.server, &method, headers) {
            Ok(Negotiation::Post(found)) => assert_eq!(found, accepts),
            Ok(_) => assert!(method == Method::GET || method == Method::DELETE),
            Err(refusal) => {
                let is_method = matches!(refusal, Refusal::Method { .. });
                assert_eq!(refusal.allow().is_some(), is_method);
                assert!(!refusal.status().is_success());
                assert!(!is_method || method != Method::POST);
            }
        }
    }
}

fn hold_session(headers: &HeaderMap) {
    let ids: Vec<_> = headers.get_all("mcp-session-id").iter().collect();
    let texts: Vec<_> = ids.iter().map(|id| trimmed(id.as_bytes())).collect();
    let is_good = |id: &str| !id.is_empty() && id.bytes().all(|b| b.is_ascii_graphic());
    match (SessionId::of(headers), &*texts) {
        (Ok(None), []) => {}
        (Ok(Some(found)), [Some(id), ..]) => {
            assert!(texts.iter().all(|text| text == &texts[0]));
            assert!(is_good(id) && found.as_str() == *id);
        }
        (Err(SessionIdError::Repeated), [_, _, ..]) => {
            assert!(texts.iter().any(|text| text != &texts[0]));
        }
        (Err(SessionIdError::Characters), [first, ..]) => {
            assert!(!first.is_some_and(is_good));
        }
        (found, _) => panic!("{found:?} of {ids:?}"),
    }
}

fn hold_revision(setting: &Setting, headers: &HeaderMap) {
    let values = headers.get_all("mcp-protocol-version").iter();
    let names: Vec<_> = values.map(|name| trimmed(name.as_bytes())).collect();
    let found = revision(&setting.server, headers);
    let served = setting.server.served();
    let Some(first) = names.first() else {
        let assumed = Version::V2025_03_26;
        let expected = setting.server.in_force();
        let expected = expected.or(served.contains(assumed).then_some(assumed));
        assert_eq!(
            found.map(|found| (found.version, found.is_assumed)),
            expected.map(|v| (v, true))
        );
        return;
    };
    let name = first.filter(|_| names.iter().all(|name| name == first));
    let expected = name.and_then(|name| served.named(name));
    assert_eq!(
        found.map(|found| (found.version, found.is_assumed)),
        expected.map(|v| (v, false))
    );
}

/// A request that names its revision: refused for the first header at fault, unless its `_meta` is.
fn hold_mirrored(
    setting: &Setting,
    message: &Message<'_>,
    body: &Body,
    headers: &HeaderMap,
    found: &Result<(), Error>,
) {
    let Ok(fault) = mirror::first_fault(&setting.mirrored(body), headers) else {
        return;
    };
    let alone = setting.server.check(message);
    let is_before = alone.as_ref().is_err_and(is_before_headers);
    let has_version = body
        .standard
        .iter()
        .any(|one| one.name == "mcp-protocol-version");
    match (fault, found) {
        // A version that is no text agrees with nothing.
        _ if !has_version => assert!(found.is_err()),
        (Some((header, kinds)), Err(error)) if !is_before => {
            assert!(kinds.contains(&error.kind()), "{error}, but {kinds:?}");
            assert_eq!(error.kind().header(), Some(header));
            assert_eq!((error.code(), error.http_status()), (-32020, 400));
        }
        _ => same(found, &alone),
    }
}

/// `_meta` is looked at before the headers are, and all else after.
fn is_before_headers(error: &Error) -> bool {
    const KEYS: [Member; 6] = [
        Member::ParamsMeta,
        Member::ClientCapabilities,
        Member::ClientInfo,
        Member::LogLevel,
        Member::ProgressToken,
        Member::SubscriptionId,
    ];
    match error.kind() {
        ErrorKind::WrongDirection => true,
        ErrorKind::Missing(member) | ErrorKind::Invalid(member) => KEYS.contains(&member),
        _ => false,
    }
}

/// Who goes by the headers and who goes by the body see the same request, or one of them refuses it.
fn hold_route(
    setting: &Setting,
    message: &Message<'_>,
    body: &Body,
    headers: &HeaderMap,
    verdict: &Result<(), Error>,
) {
    let rules = &setting.server;
    let route = route(rules, headers);
    if let Err(error) = &route {
        assert_eq!((error.code(), error.offset()), (-32020, 0));
    }
    if verdict.is_err() || !matches!(message.kind(), Kind::Request | Kind::Notification) {
        return;
    }
    if body.is_mirrored {
        let route = route.as_ref().expect("what the body's reader accepts");
        assert!(route.is_mirrored);
        assert_eq!(route.version, rules.version_of(message));
        assert_eq!(route.method, body.method.as_deref());
        let mirrored = setting.mirrored(body);
        let name = mirrored.iter().find(|one| one.header == Header::Name);
        let name = name.map(|one| match &one.said {
            mirror::Said::Text(name) => name,
            said => panic!("{said:?}"),
        });
        assert_eq!(route.name.as_deref(), name.map(String::as_str));
        assert_eq!(route.name.is_some(), name.is_some());
    }
    let route = route.ok().filter(|route| route.is_mirrored);
    if let Some(method) = route.and_then(|route| route.method) {
        assert_eq!(Some(method), body.method.as_deref(), "trusted, and another");
    }
    assert_ne!(rules.role(), Role::Client);
}

/// The arguments of a call, against the oracle. Gives the verdict of the plan.
pub fn hold_params(
    setting: &Setting,
    message: &Message<'_>,
    plan: Option<&Plan>,
    body: &Body,
    headers: &HeaderMap,
) -> Result<(), Error> {
    let Some(plan) = plan else {
        return Ok(());
    };
    let verdict = plan.plan.check(&setting.server, message, headers);
    if let Err(error) = &verdict {
        hold_span(message, error);
        assert_eq!((error.code(), error.http_status()), (-32020, 400));
    }
    let has_version = message.member(Member::ProtocolVersion).is_some();
    if message.kind() != Kind::Request || !has_version {
        same(&verdict, &Ok(()));
    } else if body.known == Params::Twice {
        assert!(verdict.is_err(), "there twice");
    } else if body.known == Params::Known {
        match (mirror::first_fault(&body.params, headers), &verdict) {
            (Err(Unsure), _) | (Ok(None), Ok(())) => {}
            (Ok(Some((_, kinds))), Err(error)) => assert!(kinds.contains(&error.kind())),
            (expected, found) => panic!("{found:?}, but {expected:?}"),
        }
    }
    verdict
}

/// Which kind of verdict, in six bits.
pub fn signature(verdict: &Result<(), Error>) -> u64 {
    match verdict {
        Ok(()) => 0,
        Err(error) => {
            let header = error.kind().header().map_or(0, |header| match header {
                rpcslice::Header::Param(_) => 3,
                rpcslice::Header::Name => 2,
                _ => 1,
            });
            1 + (crate::rng::hash(error.kind().name().as_bytes()) % 15) * 4 + header
        }
    }
}
