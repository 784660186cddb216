//! What is written for a message passes; any change of it does not.

use super::body::{self, Body, Params};
use super::found;
use super::plans::Plan;
use super::{Setting, found::same};
use crate::oracle::mirror::{self, Mirrored, Said};
use crate::oracle::value;
use crate::rng::Rng;
use http::{HeaderMap, HeaderName, HeaderValue};
use rpcslice::http::{check, check_outgoing, request_headers};
use rpcslice::mcp::{Era, Version};
use rpcslice::{Error, ErrorKind, Header, Kind, Member, Message};

const VERSION: &str = "mcp-protocol-version";

/// Gives what was written, unless it can't be.
pub fn hold(
    setting: &Setting,
    message: &Message<'_>,
    plan: Option<&Plan>,
    body: &Body,
    rng: &mut Rng,
) -> Option<HeaderMap> {
    for version in Version::ALL {
        if version.era() == Era::Legacy {
            hold_legacy(setting, message, version);
        }
    }
    let version = Version::V2026_07_28;
    let written = request_headers(message, version, plan.map(|plan| &plan.plan));
    let expected = expected(message, body);
    let headers = match (written, expected) {
        (Ok(headers), Some(Ok(expected))) => {
            assert_eq!(headers, expected);
            headers
        }
        (Err(error), Some(Err(header))) => {
            let is_param = |header| matches!(header, Header::Param(_));
            let is_same = match body.known {
                // Which of them is told first is the library's to say.
                Params::Twice => is_param(error.header) == is_param(header),
                _ => error.header == header,
            };
            assert!(is_same, "{error}, but {header}");
            return None;
        }
        (Ok(headers), None) => headers,
        (Err(_), None) => return None,
        (written, expected) => panic!("{written:?}, but {expected:?}"),
    };
    let verdict = check(&setting.server, message, &headers);
    let served = setting.server.served();
    let named = headers[VERSION].to_str().expect("visible ASCII");
    let is_string = message
        .member(Member::ProtocolVersion)
        .map(|version| version.raw().starts_with('"'));
    // Without headers a notification may name what it likes.
    let expected = match (message.kind(), is_string, served.named(named)) {
        (Kind::Notification, Some(false), _) => ErrorKind::Invalid(Member::ProtocolVersion).into(),
        (Kind::Notification, _, None) => Some(ErrorKind::UnsupportedVersion),
        _ => None,
    };
    match expected {
        Some(kind) => assert_eq!(verdict.as_ref().map_err(Error::kind), Err(kind)),
        None => same(&verdict, &alone(setting, message)),
    }
    let outgoing = check_outgoing(&setting.client, message, &headers);
    // The revision in the header is in force, if it is one of theirs.
    let client = served.named(named);
    let client = client.map_or(setting.client, |version| setting.client.negotiated(version));
    let alone = client.check_outgoing(message);
    match expected {
        Some(kind) if alone.is_ok() => {
            let kind = match kind {
                ErrorKind::UnsupportedVersion => ErrorKind::VersionHeader,
                kind => kind,
            };
            assert_eq!(outgoing.map_err(|error| error.kind()), Err(kind));
        }
        _ => same(&outgoing, &alone),
    }
    if let Some(plan) = plan {
        same(
            &plan.plan.check(&setting.server, message, &headers),
            &Ok(()),
        );
    }
    let _ = found::hold(setting, message, plan, body, &headers);
    if verdict.is_ok() && body.is_mirrored {
        for _ in 0..3 {
            hold_change(setting, message, plan, body, &headers, rng);
        }
    }
    Some(headers)
}

/// Without headers: under the revision that was written, where the message names none.
fn alone(setting: &Setting, message: &Message<'_>) -> Result<(), Error> {
    let names_itself = message.member(Member::ProtocolVersion).is_some()
        && matches!(message.kind(), Kind::Request | Kind::Notification);
    let is_handshake = message.kind() == Kind::Request
        && message
            .method()
            .is_some_and(|method| method == "initialize");
    // Where it is served at all, it is held to the header as any other request is.
    let is_alone = is_handshake && !setting.server.served().has(Era::Legacy);
    match names_itself || is_alone {
        true => setting.server.check(message),
        false => setting
            .server
            .negotiated(Version::V2026_07_28)
            .check(message),
    }
}

/// Older revisions have the version header alone, the first two not even that.
fn hold_legacy(setting: &Setting, message: &Message<'_>, version: Version) {
    let headers = request_headers(message, version, None).expect("nothing to encode");
    let is_handshake = message
        .method()
        .is_some_and(|method| method == "initialize");
    let is_old = matches!(version, Version::V2024_11_05 | Version::V2025_03_26);
    let named = headers.get(VERSION);
    match is_handshake || is_old {
        true => assert_eq!(named, None),
        false => assert_eq!(named.expect("has one"), version.as_str()),
    }
    assert_eq!(headers.len(), 2 + usize::from(named.is_some()));
    let is_served = setting.server.served().contains(version);
    if is_served && named.is_some() && message.member(Member::ProtocolVersion).is_none() {
        let expected = setting.server.negotiated(version).check(message);
        same(&check(&setting.server, message, &headers), &expected);
    }
}

/// What a client writes, or the first header that it can't. `None`: this can't tell.
fn expected(message: &Message<'_>, body: &Body) -> Option<Result<HeaderMap, Header>> {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    let both = "application/json, text/event-stream";
    headers.insert("accept", HeaderValue::from_static(both));
    if !body.has_version {
        let name = Version::V2026_07_28.as_str();
        headers.insert(VERSION, HeaderValue::from_static(name));
    } else if body
        .standard
        .iter()
        .all(|one| one.header != Header::ProtocolVersion)
    {
        return Some(Err(Header::ProtocolVersion)); // no text
    }
    let is_request = message.kind() == Kind::Request;
    for one in &body.standard {
        if one.header == Header::ProtocolVersion || is_request {
            if let Err(header) = write(one, &mut headers) {
                return Some(Err(header));
            }
        }
    }
    if !is_request {
        return Some(Ok(headers));
    }
    let has_text = body.standard.iter().any(|one| one.header == Header::Name);
    if body.has_name && !has_text && has_string_name(message, body) {
        return Some(Err(Header::Name)); // no text
    }
    match body.known {
        Params::Known => {}
        Params::Twice => return Some(Err(Header::Param(0))),
        Params::Unknown => return None,
    }
    for one in &body.params {
        if let Err(header) = write(one, &mut headers) {
            return Some(Err(header));
        }
    }
    Some(Ok(headers))
}

fn has_string_name(message: &Message<'_>, body: &Body) -> bool {
    let member = match body.method.as_deref() {
        Some("resources/read") => Member::Uri,
        Some(method) if method.starts_with("tasks/") => Member::TaskId,
        _ => Member::Name,
    };
    message
        .member(member)
        .is_some_and(|name| name.raw().starts_with('"'))
}

fn write(one: &Mirrored, headers: &mut HeaderMap) -> Result<(), Header> {
    let value = body::written(&one.said).map_err(|_| one.header)?;
    if let Some(value) = value {
        let name = HeaderName::from_bytes(one.name.as_bytes()).expect("a token");
        headers.insert(name, value.parse().expect("visible ASCII"));
    }
    Ok(())
}

/// One header changed: refused, unless it still says the same.
fn hold_change(
    setting: &Setting,
    message: &Message<'_>,
    plan: Option<&Plan>,
    body: &Body,
    written: &HeaderMap,
    rng: &mut Rng,
) {
    let standard = setting.mirrored(body);
    let all: Vec<&Mirrored> = standard.iter().chain(&body.params).collect();
    let Some(one) = rng.pick(&all) else {
        return;
    };
    let name = HeaderName::from_bytes(one.name.as_bytes()).expect("a token");
    let mut headers = written.clone();
    let is_standard = !matches!(one.header, Header::Param(_));
    let Some(value) = written.get(&name).map(|value| value.as_bytes().to_vec()) else {
        // It has no argument to say anything of.
        headers.insert(name, HeaderValue::from_static("a"));
        let verdict = found::hold_params(setting, message, plan, body, &headers);
        return assert!(verdict.is_err_and(|error| error.kind().header() == Some(one.header)));
    };
    let mut must_be = None;
    let changed = match rng.below(8) {
        0 => {
            headers.remove(&name);
            must_be = Some(true);
            None
        }
        1 => {
            headers.append(
                name.clone(),
                HeaderValue::from_bytes(&value).expect("was one"),
            );
            must_be = Some(true);
            None
        }
        2 => {
            must_be = Some(false);
            Some([b" \t", &value[..], b"\t "].concat())
        }
        3 => {
            // Of a version and a method there is no other form.
            must_be = Some(matches!(one.said, Said::Exact(_)));
            let text = match one.said {
                Said::Exact(_) => value::trimmed(&value).map(str::to_owned),
                _ => value::decode(&value),
            };
            let text = text.expect("was written");
            Some(value::base64_form(&text).into_bytes())
        }
        _ => {
            let mut changed = value.clone();
            change(&mut changed, rng);
            Some(changed)
        }
    };
    if let Some(changed) = changed {
        let Ok(changed) = HeaderValue::from_bytes(&changed) else {
            return;
        };
        let Ok(says) = mirror::says(changed.as_bytes(), &one.said) else {
            return;
        };
        assert!(must_be.is_none_or(|is_fault| is_fault == (says != Some(true))));
        must_be = Some(says != Some(true));
        headers.insert(name, changed);
    }
    let verdict = match is_standard {
        true => found::hold(setting, message, plan, body, &headers),
        false => found::hold_params(setting, message, plan, body, &headers),
    };
    match (verdict, must_be.expect("set")) {
        (Ok(()), false) => {}
        (Err(error), true) => {
            assert_eq!((error.code(), error.http_status()), (-32020, 400));
            assert_eq!(error.kind().header(), Some(one.header));
        }
        (verdict, is_fault) => panic!("{verdict:?}, but {is_fault} of {}", one.name),
    }
}

fn change(value: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(value.len() + 1);
    match rng.below(5) {
        0 => value.insert(at, rng.word() as u8),
        1 if at < value.len() => drop(value.remove(at)),
        2 if at < value.len() => value[at] ^= 1 << rng.below(8),
        3 if at < value.len() => value[at] ^= 0x20,
        _ => crate::mutator::fields::edit_value(value, rng),
    }
}
