//! What is written is a message that says what it was given, and what can't be sent is not written.

use super::draft::Draft;
use super::setting::{DRAFT, Setting};
use crate::oracle::added::{Added, find};
use crate::oracle::copied::Copied;
use crate::oracle::{grammar, tree};
use crate::rng::{Rng, hash};
use rpcslice::encode::{EncodeError, ReplyTo};
use rpcslice::json::RawJson;
use rpcslice::mcp::{Direction, Era, Method, Role, Status, Version};
use rpcslice::{Id, Kind, Limits, Message};
use std::ops::Range;

/// What stands in the buffer before.
const BEFORE: &[u8] = b"\xFE before";

/// Panics if it is not; says whether it was written, and what it was like.
pub fn hold(
    setting: &Setting,
    draft: &Draft,
    answered: Option<Method>,
    rng: &mut Rng,
) -> (bool, u64) {
    let mut out = BEFORE.to_vec();
    let written = write(setting, draft, answered, &mut out, rng);
    let added = added(setting, draft, answered);
    let by_hand = by_hand(setting, draft, &added);
    let verdict = can_be_sent(setting, draft, answered, &by_hand);
    let code = match written {
        Ok(()) => {
            assert_eq!(verdict, Ok(()), "written, and not to be sent: {by_hand}");
            let (before, framed) = out.split_at(BEFORE.len());
            assert_eq!(before, BEFORE);
            let body = setting.framed.body(framed);
            hold_body(setting, draft, &added, &body);
            let message =
                Message::parse_with(body.as_bytes(), &highest(), &setting.rules.frame_policy());
            let message = message.unwrap_or_else(|error| panic!("{error}: {body}"));
            let checked = setting.rules.check_outgoing_response(&message, answered);
            assert_eq!(checked, Ok(()), "{body}");
            assert_eq!(message.kind(), draft.kind);
            let id = draft
                .id
                .as_deref()
                .filter(|_| draft.kind != Kind::Notification);
            assert_eq!(message.id(), id.and_then(Id::from_raw));
            0
        }
        Err(error) => {
            assert_eq!(out, BEFORE, "something was written");
            let _ = (error.to_string(), format!("{error:?}"));
            assert!(
                verdict.is_err() || is_for_another(setting, draft, answered),
                "{error}: {by_hand}"
            );
            hash(
                format!("{error:?}")
                    .split('{')
                    .next()
                    .unwrap_or("")
                    .as_bytes(),
            ) & 0xFFFF
        }
    };
    let signature = [
        code,
        draft.kind as u64,
        setting.version as u64,
        setting.rules.role() as u64,
        added.members.len() as u64,
        added.meta.len() as u64,
        u64::from(setting.framed.is_one_line()),
    ];
    let signature = signature.into_iter().fold(0, |all, n| all << 4 ^ n);
    (
        written.is_ok(),
        signature ^ answered.map_or(0, |method| (method as u64) << 40),
    )
}

fn highest() -> Limits {
    Limits::new().with_max_depth(Limits::HIGHEST_MAX_DEPTH)
}

fn parsed(text: &str) -> RawJson<'_> {
    RawJson::parse_with(text.as_bytes(), &highest().with_max_depth(usize::MAX))
        .expect("shallow JSON")
}

fn write(
    setting: &Setting,
    draft: &Draft,
    answered: Option<Method>,
    out: &mut Vec<u8>,
    rng: &mut Rng,
) -> Result<(), EncodeError> {
    let writer = setting.writer();
    let section = draft.section.as_deref().map(parsed);
    let id = draft.id.as_deref().and_then(Id::from_raw);
    let to = id.map(|id| answered.into_iter().fold(ReplyTo::new(id), ReplyTo::method));
    // A text comes in pieces, too.
    let at = (0..=rng.below(draft.message.len() + 1)).rev();
    let at = at
        .clone()
        .find(|at| draft.message.is_char_boundary(*at))
        .unwrap_or(0);
    let (start, end) = draft.message.split_at(at);
    let message = format_args!("{start}{end}");
    let data = draft.data.as_deref().map(parsed);
    match (draft.kind, to) {
        (Kind::Request, _) => writer.request(out, id.expect("an id"), &draft.method, section),
        (Kind::Notification, _) => writer.notification(out, &draft.method, section),
        (Kind::Result, to) => writer.result(out, to.expect("an id"), section.expect("a result")),
        (Kind::Error, Some(to)) => writer.error(out, to, draft.code, message, data),
        (Kind::Error, None) => writer.error_without_id(out, draft.code, message, data),
    }
}

fn added(setting: &Setting, draft: &Draft, answered: Option<Method>) -> Added {
    match (draft.kind, &setting.client) {
        _ if !setting.is_modern() => Added::default(),
        (Kind::Request, Some(client)) => Added::to_params(draft.section.as_deref(), client),
        (Kind::Result, _) => {
            let (result, id) = (draft.section.as_deref(), draft.id.as_deref());
            let (result, id) = (result.expect("a result"), id.expect("an id"));
            Added::to_result(result, &setting.server, id, answered.map(Method::name))
        }
        _ => Added::default(),
    }
}

/// The members of the message and what each has to be, without `jsonrpc`.
fn members(setting: &Setting, draft: &Draft, section: Option<&str>) -> Vec<(&'static str, String)> {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let mut members = Vec::new();
    let needs_id = matches!(
        setting.version,
        Version::V2024_11_05 | Version::V2025_03_26 | Version::V2025_06_18
    );
    match (draft.kind, &draft.id) {
        (Kind::Notification, _) => {}
        (_, Some(id)) => members.push(("id", id.clone())),
        // DESIGN.md: "omitted from 2025-11-25 on, `null` before".
        (_, None) if needs_id => members.push(("id", "null".to_owned())),
        _ => {}
    }
    match draft.kind {
        Kind::Request | Kind::Notification => {
            members.push(("method", text(&draft.method)));
            members.extend(section.map(|params| ("params", params.to_owned())));
        }
        Kind::Result => members.extend(section.map(|result| ("result", result.to_owned()))),
        Kind::Error => {
            let data = draft
                .data
                .as_deref()
                .map(|data| format!(",\"data\":{data}"));
            let (code, message) = (draft.code, text(&draft.message));
            let data = data.unwrap_or_default();
            members.push((
                "error",
                format!("{{\"code\":{code},\"message\":{message}{data}}}"),
            ));
        }
    }
    members
}

fn by_hand(setting: &Setting, draft: &Draft, added: &Added) -> String {
    let section = match draft.kind {
        Kind::Error => None,
        _ => added
            .put(draft.section.as_deref())
            .or_else(|| draft.section.clone()),
    };
    let members = members(setting, draft, section.as_deref());
    let members = members
        .iter()
        .map(|(name, value)| format!(",\"{name}\":{value}"));
    let whole = format!("{{\"jsonrpc\":\"2.0\"{}}}", members.collect::<String>());
    // Under a framing of lines, or where the rules have lines, no line break is sent.
    setting.copied.of(&whole)
}

/// Whether the message by hand passes, and what was given keeps to the limits.
fn can_be_sent(
    setting: &Setting,
    draft: &Draft,
    answered: Option<Method>,
    by_hand: &str,
) -> Result<(), String> {
    let given = match draft.kind {
        Kind::Error => &draft.data,
        _ => &draft.section,
    };
    // The message is a container, and so is its `error`.
    let around = if draft.kind == Kind::Error { 2 } else { 1 };
    if let Some(given) = given {
        let nested = [&b"[".repeat(around), given.as_bytes()].concat();
        if grammar::first_too_deep(&nested, setting.limits.max_depth()).is_some() {
            return Err("too deep".to_owned());
        }
        if given.len() > setting.limits.max_frame_bytes() {
            return Err("too long".to_owned());
        }
        // Also under the lenient policy, which reads `null` as if there were none.
        if draft.kind != Kind::Error && !given.starts_with('{') {
            return Err("no object".to_owned());
        }
    }
    // DESIGN.md, "equality of ids": what can't be decoded is compared by its bytes, and here it would get others.
    let is_bytes = |id: &str| id.starts_with('"') && tree::text(id).is_err();
    if let Some(id) = draft.id.as_deref().filter(|id| is_bytes(id)) {
        if draft.kind != Kind::Notification && setting.copied.of(id) != id {
            return Err("another id".to_owned());
        }
    }
    let policy = setting.rules.frame_policy();
    let message = Message::parse_with(by_hand.as_bytes(), &highest(), &policy);
    let message = message.map_err(|error| error.to_string())?;
    let checked = setting.rules.check_outgoing_response(&message, answered);
    checked.map_err(|error| error.to_string())
}

/// Whether a method that the table knows is one of the revision and of this side. A receiver may let others pass.
fn is_sent(setting: &Setting, method: &str, version: Version) -> bool {
    let Some(method) = Method::named(method) else {
        return true;
    };
    let role = setting.rules.role();
    method.rules(version).is_some_and(|row| {
        let is_ours = match row.direction() {
            Direction::Both => true,
            Direction::ClientToServer => role != Role::Server,
            Direction::ServerToClient => role != Role::Client,
        };
        is_ours && row.status() != Status::Removed
    })
}

/// What the rules can't see in a message alone: a result of `subscriptions/listen` says whose it is; and a writer of a legacy
/// revision writes no request of a modern one, as which a request is read that names one.
fn is_for_another(setting: &Setting, draft: &Draft, answered: Option<Method>) -> bool {
    let in_meta = |key: &str| {
        let text = draft.section.as_deref()?;
        let members = tree::members(text, &tree::root(text)?)?;
        let meta = tree::members(text, &find(&members, "_meta")?.value)?;
        Some(&text[find(&meta, key)?.value.clone()])
    };
    let is_asking = matches!(draft.kind, Kind::Request | Kind::Notification);
    // A notification that names a revision is read as one of that.
    let named = in_meta("io.modelcontextprotocol/protocolVersion");
    let named = named.filter(|named| named.starts_with('"')).map(tree::text);
    let named = named
        .and_then(Result::ok)
        .filter(|_| draft.kind == Kind::Notification);
    let named = named.and_then(|name| setting.rules.served().named(&name));
    let named = named.filter(|version| version.era() == Era::Modern);
    if is_asking && !is_sent(setting, &draft.method, named.unwrap_or(setting.version)) {
        return true;
    }
    match draft.kind {
        Kind::Request if !setting.is_modern() => {
            in_meta("io.modelcontextprotocol/protocolVersion").is_some()
        }
        Kind::Result if setting.is_modern() && answered == Some(Method::SubscriptionsListen) => {
            let id = draft.id.as_deref().and_then(Id::from_raw);
            let named = in_meta("io.modelcontextprotocol/subscriptionId");
            named.is_some_and(|named| Id::from_raw(named) != id)
        }
        _ => false,
    }
}

fn hold_body(setting: &Setting, draft: &Draft, added: &Added, body: &str) {
    let copied = setting.copied;
    assert!(copied.holds(body), "{body}");
    let root = tree::root(body).expect("JSON");
    assert_eq!(root, 0..body.len(), "nothing around it");
    let found = tree::members(body, &root).expect("an object");
    let has_section = draft.kind != Kind::Error && (draft.section.is_some() || !added.is_empty());
    let section = draft.section.clone().filter(|_| has_section);
    let section = section.or(has_section.then(|| "{}".to_owned()));
    let expected = members(setting, draft, section.as_deref());
    assert_eq!(found.len(), 1 + expected.len(), "{body}");
    let version = find(&found, "jsonrpc").map(|member| &body[member.value.clone()]);
    assert_eq!(version, Some("\"2.0\""));
    for (name, value) in &expected {
        let at = find(&found, name).unwrap_or_else(|| panic!("no {name}: {body}"));
        let got = &body[at.value.clone()];
        match *name {
            "method" => assert_eq!(tree::text(got).as_deref(), Ok(&*draft.method)),
            "params" | "result" => Section {
                body,
                copied,
                added,
            }
            .hold(&at.value, draft.section.as_deref()),
            "error" => hold_error(draft, copied, body, &at.value),
            _ => assert_eq!(got, copied.of(value), "{name}"),
        }
    }
    let mut added = added.meta.iter();
    let is_draft =
        added.any(|(name, value)| name.ends_with("/protocolVersion") && value.contains("DRAFT"));
    if setting.is_modern() && is_draft {
        assert!(
            body.contains("DRAFT-\\\"2027\\\""),
            "{DRAFT} by its name: {body}"
        );
    }
}

fn hold_error(draft: &Draft, copied: Copied, body: &str, at: &Range<usize>) {
    let members = tree::members(body, at).expect("an object");
    assert_eq!(members.len(), 2 + usize::from(draft.data.is_some()));
    let value = |name: &str| find(&members, name).map(|member| &body[member.value.clone()]);
    assert_eq!(value("code"), Some(&*draft.code.to_string()));
    let message = value("message").map(tree::text);
    assert_eq!(message, Some(Ok(draft.message.clone())));
    let data = draft.data.as_deref().map(|data| copied.of(data));
    assert_eq!(value("data"), data.as_deref());
}

/// Params or a result in what was written.
struct Section<'a> {
    body: &'a str,
    copied: Copied,
    added: &'a Added,
}

impl Section<'_> {
    fn hold(&self, at: &Range<usize>, given: Option<&str>) {
        let (body, copied) = (self.body, self.copied);
        let text = given.unwrap_or("{}");
        if self.added.is_empty() {
            return assert_eq!(&body[at.clone()], copied.of(text));
        }
        let root = tree::root(text).expect("JSON");
        let before = tree::members(text, &root).expect("an object");
        let meta = find(&before, "_meta");
        let mut after = tree::members(body, at).expect("an object");
        let mut added = self.added.members.clone();
        if meta.is_none() && !self.added.meta.is_empty() {
            let at = find(&after, "_meta")
                .expect("`_meta` was put in")
                .value
                .clone();
            let mut members = tree::members(body, &at).expect("an object");
            self.take(&mut members, &self.added.meta);
            assert!(members.is_empty(), "more in `_meta`: {body}");
            added.push(("_meta", body[at].to_owned()));
        }
        self.take(&mut after, &added);
        self.same(
            &before,
            text,
            &after,
            meta.filter(|_| !self.added.meta.is_empty()),
        );
        // And the white space: all that stands behind a place where something may have come.
        match meta.filter(|_| !self.added.meta.is_empty()) {
            None => assert!(body[at.clone()].ends_with(&copied.of(&text[root.start + 1..]))),
            Some(meta) => {
                let place = meta.value.start + 1;
                assert!(body[at.clone()].ends_with(&copied.of(&text[place..])));
                let there = find(&after, "_meta").expect("kept").value.start + 1;
                let front = copied.of(&text[root.start + 1..place]);
                assert!(body[at.start..there].ends_with(&front));
            }
        }
    }

    /// Each is there once, and is taken out.
    fn take(&self, members: &mut Vec<tree::Member>, added: &[(&'static str, String)]) {
        for (name, value) in added {
            let at = members
                .iter()
                .position(|member| name.encode_utf16().eq(member.name.iter().copied()));
            let found = members.remove(at.unwrap_or_else(|| panic!("no {name}: {}", self.body)));
            let got = &self.body[found.value];
            let is_same = got == self.copied.of(value)
                || (got.starts_with('"') && tree::text(got) == tree::text(value));
            assert!(is_same, "{name}: {got} and not {value}");
        }
    }

    /// The members that were given, in their order; but for `_meta`, if something was added in there.
    fn same(
        &self,
        before: &[tree::Member],
        text: &str,
        after: &[tree::Member],
        meta: Option<&tree::Member>,
    ) {
        assert_eq!(before.len(), after.len(), "{}", self.body);
        for (given, got) in before.iter().zip(after) {
            let name = self.copied.of(&text[given.name_at.clone()]);
            assert_eq!(self.body[got.name_at.clone()], name);
            if meta.is_some_and(|meta| meta.value == given.value) {
                let before = tree::members(text, &given.value).expect("an object");
                let mut after = tree::members(self.body, &got.value).expect("an object");
                self.take(&mut after, &self.added.meta);
                self.same(&before, text, &after, None);
            } else {
                let value = self.copied.of(&text[given.value.clone()]);
                assert_eq!(self.body[got.value.clone()], value);
            }
        }
    }
}
