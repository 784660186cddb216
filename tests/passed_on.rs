//! Recorded traffic passed on by a proxy: every message through [`IdMap`] and an edit of `_meta`, and back. Two clients play
//! each recording at once over one upstream, so that every id is in flight twice; what each of them sends and gets is the
//! recording, byte for byte.
//!
//! The recordings are those beside the checkout (`stdio/` and `http/`), and those in the folders named in
//! `RPCSLICE_RECORDINGS`, which are laid out alike or have the stdio files directly inside.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use rpcslice::encode::{Destination, Edit, Framing, IdMap, IdMapError, Renames};
use rpcslice::json::RawJson;
use rpcslice::{Id, IdBuf, Kind, Member, Message};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;
use support::recorded::Frame;
use support::report::{Check, Report};
use support::{files, recorded};

/// The key that the proxy adds on the way, and takes out on the way back.
const KEY: &str = "com.example.proxy/hop";
const COPIES: [usize; 2] = [0, 1];

fn main() -> ExitCode {
    let mut report = Report::default();
    let mut counts = Counts::default();
    for folder in report.folders("recordings", "RPCSLICE_RECORDINGS") {
        match recordings(&folder) {
            Ok(recordings) => {
                report.source();
                for (name, frames) in recordings {
                    report.run(&name, "", |check| play(check, &frames, &mut counts));
                }
            }
            Err(error) => report.unreadable(&folder, error),
        }
    }
    println!("{counts:?}");
    report.finish()
}

#[derive(Debug, Default)]
struct Counts {
    requests: usize,
    responses: usize,
    notifications: usize,
    /// Refused by the map, and rightly: twice in flight, or to nobody.
    refused: usize,
}

fn recordings(folder: &Path) -> std::io::Result<Vec<(String, Vec<Frame>)>> {
    let mut found = Vec::new();
    let stdio = folder.join("stdio");
    let lines = if stdio.is_dir() { &stdio } else { folder };
    for order in files::listed(lines, ".order.jsonl").unwrap_or_default() {
        found.push((files::name(&order), recorded::stdio(&order)));
    }
    let http = folder.join("http");
    if http.is_dir() {
        for file in files::listed(&http, ".jsonl")? {
            let frames = recorded::http(&file).into_iter().flat_map(|one| one.frames);
            found.push((files::name(&file), frames.collect()));
        }
    }
    match found.is_empty() {
        true => Err(std::io::Error::other("no recording in it")),
        false => Ok(found),
    }
}

/// What both copies of a recording have in flight, as plain lists.
#[derive(Default)]
struct InFlight {
    /// Of each copy: its own ids and the ids upstream.
    asked: [BTreeMap<IdBuf, IdBuf>; 2],
    /// Those of them that are subscriptions.
    listening: [BTreeSet<IdBuf>; 2],
    /// Of each copy: the recorded ids of the server's requests, and the ids that the clients got.
    asking: [BTreeMap<IdBuf, IdBuf>; 2],
    /// Tokens, in the same way.
    tokens: [BTreeMap<IdBuf, IdBuf>; 2],
    their_tokens: [BTreeMap<IdBuf, IdBuf>; 2],
}

fn play(check: &mut Check, frames: &[Frame], counts: &mut Counts) {
    let mut map = IdMap::new();
    let mut in_flight = InFlight::default();
    for frame in frames {
        let Ok(message) = Message::parse(&frame.bytes) else {
            continue; // `tests/recordings.rs` is about those
        };
        match message.kind() {
            Kind::Request => counts.requests += 1,
            Kind::Notification => counts.notifications += 1,
            _ => counts.responses += 1,
        }
        for copy in COPIES {
            let refused = match (frame.is_from_client, message.kind()) {
                (true, _) => from_client(check, &mut map, &mut in_flight, copy, &message),
                (false, Kind::Request) => {
                    asked_by_server(check, &mut map, &mut in_flight, copy, &message)
                }
                (false, _) => from_server(check, &mut map, &mut in_flight, copy, &message),
            };
            counts.refused += usize::from(refused);
        }
    }
}

fn id_of(value: Option<RawJson<'_>>) -> Option<IdBuf> {
    value.and_then(Id::of).map(IdBuf::from)
}

fn param<'a>(message: &Message<'a>, method: &str, name: &str) -> Option<RawJson<'a>> {
    let is_it = message.method().is_some_and(|found| found == method);
    message.params().filter(|_| is_it)?.get(name)
}

fn cancelled(message: &Message<'_>) -> Option<IdBuf> {
    id_of(param(message, "notifications/cancelled", "requestId"))
}

fn progress(message: &Message<'_>) -> Option<IdBuf> {
    id_of(param(message, "notifications/progress", "progressToken"))
}

/// Adds the key and the new ids, writes a line, and takes all of it back: the recorded bytes have to come out. Gives what was
/// passed on.
fn there_and_back(check: &mut Check, message: &Message<'_>, renames: &Renames) -> Vec<u8> {
    let mut there = Vec::new();
    let mut edit = renames.apply(message.edit()).unwrap();
    if has_place(message) {
        edit = edit.meta_text(KEY, "1").unwrap();
    }
    edit.write(&mut there, Framing::Body).unwrap();
    let passed = Message::parse(&there).unwrap();
    let mut back = Vec::new();
    restored(message, &passed)
        .write(&mut back, Framing::Body)
        .unwrap();
    check.same(
        "there and back",
        message.frame(),
        String::from_utf8_lossy(&back).as_ref(),
    );
    there
}

/// Whether a key of `_meta` can be set: not in an error, nor in a `_meta` that is no object.
fn has_place(message: &Message<'_>) -> bool {
    let meta = message
        .member(Member::ParamsMeta)
        .or(message.member(Member::ResultMeta));
    message.kind() != Kind::Error && meta.is_some() == message.meta().is_some()
}

/// What was passed on, with the ids of the original and without the key.
fn restored<'a>(original: &Message<'a>, passed: &Message<'a>) -> Edit<'a> {
    let mut edit = passed.edit();
    if let Some(id) = original.id() {
        edit = edit.id(id);
    }
    for (member, value) in [
        (
            "requestId",
            param(original, "notifications/cancelled", "requestId"),
        ),
        (
            "progressToken",
            param(original, "notifications/progress", "progressToken"),
        ),
    ] {
        if let Some(value) = value {
            edit = edit.member_raw(member, value).unwrap();
        }
    }
    let section = original.params().or(original.result());
    match (section, original.meta()) {
        _ if !has_place(original) => edit,
        (_, Some(meta)) => {
            for (key, member) in [
                ("progressToken", Member::ProgressToken),
                (
                    "io.modelcontextprotocol/subscriptionId",
                    Member::SubscriptionId,
                ),
            ] {
                if let Some(value) = original.member(member).filter(|_| meta.get(key).is_some()) {
                    edit = edit.meta_raw(key, value).unwrap();
                }
            }
            edit.remove_meta(KEY)
        }
        (Some(_), None) => edit.without_meta(),
        (None, None) => edit.without_params(),
    }
}

/// A client sends what was recorded. Whether it was refused.
fn from_client(
    check: &mut Check,
    map: &mut IdMap<usize>,
    in_flight: &mut InFlight,
    copy: usize,
    message: &Message<'_>,
) -> bool {
    let id = message.id().map(IdBuf::from);
    let is_response = matches!(message.kind(), Kind::Result | Kind::Error);
    let answered = id.as_ref().filter(|_| is_response);
    let answered = answered.and_then(|id| in_flight.asking[copy].remove(id));
    let named = cancelled(message);
    let is_known = match message.kind() {
        Kind::Request => {
            let token = message.member(Member::ProgressToken);
            let is_token = token.is_none_or(|token| Id::of(token).is_some());
            is_token && !in_flight.asked[copy].contains_key(id.as_ref().unwrap())
        }
        Kind::Notification => {
            let is_cancelled = named
                .as_ref()
                .map(|id| in_flight.asked[copy].contains_key(id));
            let token = progress(message);
            let is_progress = token.map(|token| in_flight.their_tokens[copy].contains_key(&token));
            is_cancelled.or(is_progress).unwrap_or(true)
        }
        _ => answered.is_some(),
    };
    // What the client answers goes by the id, and the token, that the map gave to it.
    let token =
        progress(message).and_then(|token| in_flight.their_tokens[copy].get(&token).cloned());
    let mut text = Vec::new();
    let mut edit = message.edit();
    // An answer to what travelled on a stream that was not recorded is one to nobody.
    let unseen = IdBuf::from("unseen");
    if is_response {
        edit = edit.id(answered.as_ref().unwrap_or(&unseen).as_id());
    }
    if let Some(given) = &token {
        edit = edit
            .member_raw(
                "progressToken",
                RawJson::parse(given.raw().as_bytes()).unwrap(),
            )
            .unwrap();
    }
    edit.write(&mut text, Framing::Body).unwrap();
    let said = Message::parse(&text).unwrap();
    let renames = match map.client_message(&copy, &said) {
        Ok(renames) => renames,
        Err(error) => {
            check.holds(!is_known, format!("{message} passed on"), error);
            return true;
        }
    };
    check.holds(is_known, "a refusal", message);
    let there = there_and_back(check, message, &renames);
    let there = Message::parse(&there).unwrap();
    match message.kind() {
        Kind::Request => {
            let number = IdBuf::from(there.id().unwrap());
            if let Some(token) = id_of(message.member(Member::ProgressToken)) {
                in_flight.tokens[copy].insert(token, number.clone());
            }
            let id = id.unwrap();
            match message.method().unwrap() == "subscriptions/listen" {
                true => in_flight.listening[copy].insert(id.clone()),
                false => in_flight.listening[copy].remove(&id),
            };
            in_flight.asked[copy].insert(id, number);
        }
        Kind::Notification => {
            if let Some(named) = named {
                let number = in_flight.asked[copy].remove(&named);
                check.same("requestId", number, cancelled(&there));
            }
        }
        // The upstream had asked under the recorded id, with the copy's mark.
        _ => check.same(
            "id",
            marked(message.id().unwrap(), copy).raw(),
            there.id().unwrap().raw(),
        ),
    }
    false
}

/// The two servers of a recording are one upstream here, which has to have other ids for each.
fn marked(id: Id<'_>, copy: usize) -> IdBuf {
    IdBuf::from(format!("{copy}:{}", id.raw()).as_str())
}

fn asked_by_server(
    check: &mut Check,
    map: &mut IdMap<usize>,
    in_flight: &mut InFlight,
    copy: usize,
    message: &Message<'_>,
) -> bool {
    let id = message.id().unwrap();
    let upstream = marked(id, copy);
    let mut text = Vec::new();
    message
        .edit()
        .id(upstream.as_id())
        .write(&mut text, Framing::Body)
        .unwrap();
    let asked = Message::parse(&text).unwrap();
    let chosen = map.upstream_message(&asked).map(|(to, _)| to);
    check.same("destination", Ok(Destination::Choose), chosen);
    let is_known = !in_flight.asking[copy].contains_key(&IdBuf::from(id));
    let renames = match map.upstream_request(&copy, &asked) {
        Ok(renames) => renames,
        Err(error) => {
            check.holds(
                !is_known && error == IdMapError::InFlight,
                "passed on",
                error,
            );
            return true;
        }
    };
    there_and_back(check, message, &renames);
    let given = renames.id().unwrap().clone();
    if let Some(token) = id_of(message.member(Member::ProgressToken)) {
        in_flight.their_tokens[copy].insert(token, given.clone());
    }
    in_flight.asking[copy].insert(IdBuf::from(id), given);
    false
}

/// The server of a copy answers, or tells something: under the ids upstream. The client has to get the recorded bytes.
fn from_server(
    check: &mut Check,
    map: &mut IdMap<usize>,
    in_flight: &mut InFlight,
    copy: usize,
    message: &Message<'_>,
) -> bool {
    let raw = |id: &IdBuf| id.raw().to_owned();
    let number = message
        .id()
        .map(|id| in_flight.asked[copy].remove(&IdBuf::from(id)));
    let subscription = id_of(message.member(Member::SubscriptionId));
    let its_number = subscription.as_ref().map(|id| match &number {
        Some(Some(number)) if message.id() == Some(id.as_id()) => Some(number.clone()),
        _ => in_flight.asked[copy].get(id).cloned(),
    });
    // Only as long as its request is.
    let token = progress(message).map(|token| {
        let number = in_flight.tokens[copy].get(&token).cloned();
        number.filter(|number| in_flight.asked[copy].values().any(|asked| asked == number))
    });
    let ended = cancelled(message).map(|id| match in_flight.asking[copy].remove(&id) {
        Some(_) => Some(marked(id.as_id(), copy)),
        None if in_flight.listening[copy].contains(&id) => in_flight.asked[copy].remove(&id),
        None => None,
    });
    let names = [&number, &its_number, &token, &ended];
    let is_known = names.iter().all(|name| !matches!(name, Some(None)));
    let is_addressed = names.iter().any(|name| name.is_some());
    let texts = [
        number.flatten().as_ref().map(raw),
        its_number.flatten().as_ref().map(raw),
        token.flatten().as_ref().map(raw),
        ended.flatten().as_ref().map(raw),
    ];
    let mut edit = message.edit();
    if let Some(id) = &texts[0] {
        edit = edit.id(Id::from_raw(id).unwrap());
    }
    if let Some(id) = &texts[1] {
        let id = RawJson::parse(id.as_bytes()).unwrap();
        edit = edit
            .meta_raw("io.modelcontextprotocol/subscriptionId", id)
            .unwrap();
    }
    for (name, id) in [("progressToken", &texts[2]), ("requestId", &texts[3])] {
        if let Some(id) = id {
            let id = RawJson::parse(id.as_bytes()).unwrap();
            edit = edit.member_raw(name, id).unwrap();
        }
    }
    let mut text = Vec::new();
    edit.write(&mut text, Framing::Body).unwrap();
    let said = Message::parse(&text).unwrap();
    match map.upstream_message(&said) {
        Ok((to, renames)) => {
            check.holds(is_known, "a refusal", message);
            let expected = if is_addressed {
                Destination::Client(copy)
            } else {
                Destination::Unaddressed
            };
            check.same("destination", expected, to);
            let mut back = Vec::new();
            renames
                .apply(said.edit())
                .unwrap()
                .write(&mut back, Framing::Body)
                .unwrap();
            let back = String::from_utf8(back).unwrap();
            // The server's own cancellation has, at the client, the id that the client was asked under.
            if cancelled(message).is_none() {
                // Under the client's own spelling of its id, should the server have used another.
                let mut expected = message.frame().to_owned();
                if let (Some(own), Some(said)) = (renames.id(), message.id()) {
                    let from = format!("\"id\":{}", said.raw());
                    expected = expected.replacen(&from, &format!("\"id\":{}", own.raw()), 1);
                    check.same("id by value", said, own.as_id());
                }
                check.same("what the client gets", &*expected, &*back);
            }
            false
        }
        Err(error) => {
            check.holds(!is_known, "passed on", error);
            true
        }
    }
}
