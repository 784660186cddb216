//! What holds whatever is written: it reads back the same, the sender's rules take it, and an edit is what it would be on a
//! tree.

use bytes::BytesMut;
use proptest::prelude::*;
use proptest::sample::select;
use rpcslice::encode::{
    ClientProfile, EncodeError, EventFields, Framing, ReplyTo, ServerProfile, Writer,
};
use rpcslice::frame::{Lines, SseDecoder};
use rpcslice::json::RawJson;
use rpcslice::mcp::{Direction, Method, Methods, Role, Rules, Status, Version};
use rpcslice::{Id, Limits, Message, MessageBuf, Policy};
use serde_json::{Map, Value};

/// Names and values that the rules look at, and some that nobody does.
const NAMES: [&str; 22] = [
    "_meta",
    "name",
    "uri",
    "arguments",
    "protocolVersion",
    "capabilities",
    "clientInfo",
    "requestId",
    "progressToken",
    "progress",
    "level",
    "data",
    "resultType",
    "ttlMs",
    "cacheScope",
    "tools",
    "content",
    "inputRequests",
    "requestState",
    "k",
    "a\nb",
    "\u{2028}",
];
const META_NAMES: [&str; 8] = [
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/serverInfo",
    "io.modelcontextprotocol/subscriptionId",
    "progressToken",
    "traceparent",
    "k",
];
const VALUES: [&str; 20] = [
    "null",
    "true",
    "0",
    "-0",
    "1.50",
    "1e400",
    "\"\"",
    "\"complete\"",
    "\"input_required\"",
    "\"public\"",
    "\"2026-07-28\"",
    "\"2025-11-25\"",
    "\"\\ud800\"",
    "\"\u{2028}\u{2029}é\\n\"",
    "[]",
    "{}",
    "{\n}",
    "[ 1,\r\n\"\\u0061\" ]",
    "{\"name\":\"n\",\"version\":\"1\"}",
    "{\"name\":\"n\",\"name\":2}",
];

/// White space between tokens.
fn space() -> impl Strategy<Value = &'static str> {
    select(&["", "", "", " ", "\n", "\r\n\t"][..])
}

/// A name as it may be spelt.
fn spelt(name: &str, is_escaped: bool) -> String {
    let plain = serde_json::to_string(name).unwrap();
    match (is_escaped, name.chars().next()) {
        (true, Some(first)) => {
            let rest = serde_json::to_string(&name[first.len_utf8()..]).unwrap();
            format!("\"\\u{:04x}{}", u32::from(first), &rest[1..])
        }
        _ => plain,
    }
}

fn object(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    let member = (
        select(names),
        prop::bool::weighted(0.1),
        select(&VALUES[..]),
        space(),
        space(),
    );
    let member = member.prop_map(|(name, is_escaped, value, before, after)| {
        format!("{before}{}{after}:{value}{after}", spelt(name, is_escaped))
    });
    (prop::collection::vec(member, 0..5), space())
        .prop_map(|(members, end)| format!("{{{}{end}}}", members.join(",")))
}

/// Params or a result, `_meta` more often than not.
fn section() -> impl Strategy<Value = String> {
    let meta = prop::option::weighted(0.6, object(&META_NAMES));
    (object(&NAMES[1..]), meta, any::<bool>()).prop_map(|(section, meta, is_last)| {
        let Some(meta) = meta else { return section };
        let inner = section[1..section.len() - 1].trim();
        let parts = match (inner.is_empty(), is_last) {
            (true, _) => format!("\"_meta\":{meta}"),
            (false, true) => format!("{inner},\"_meta\" :{meta}"),
            (false, false) => format!("\"_meta\": {meta},{inner}"),
        };
        format!("{{{parts}}}")
    })
}

fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
        select(
            &[
                "\"\\u0061\\/\"",
                "123456789012345678901234567890",
                "\"\\ud800\""
            ][..]
        )
        .prop_map(str::to_owned),
    ]
}

fn method() -> impl Strategy<Value = String> {
    let known: Vec<_> = Method::all()
        .map(|method| method.name().to_owned())
        .collect();
    prop_oneof![select(known), any::<String>(), Just("x".to_owned())]
}

fn framing() -> impl Strategy<Value = u8> {
    0..3u8
}

fn framed(number: u8) -> Framing<'static> {
    match number {
        0 => Framing::Body,
        1 => Framing::Line,
        _ => Framing::Event(EventFields::new().event("message").unwrap()),
    }
}

/// What is in the frame, however it is framed, and whether it could be cut out.
fn body(out: &[u8], framing: Framing<'_>) -> Vec<u8> {
    match framing {
        Framing::Line => {
            let lines: Vec<_> = Lines::new(out).collect();
            assert_eq!(lines.len(), 1);
            assert!(lines[0].terminated);
            let line = lines[0].body.unwrap();
            assert!(!line.contains(&b'\r') && !line.contains(&b'\n'));
            line.to_vec()
        }
        Framing::Event(_) => {
            let mut decoder = SseDecoder::new(Limits::new());
            let mut buf = BytesMut::from(out);
            let event = decoder.decode(&mut buf).unwrap();
            let data = event.data.unwrap().to_vec();
            assert!(decoder.decode(&mut buf).is_none() && decoder.finish(&mut buf).is_none());
            data
        }
        _ => out.to_vec(),
    }
}

/// Without line breaks and the separators: what two spellings of the same bytes have in common.
fn flat(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn version() -> impl Strategy<Value = Version> {
    select(&Version::ALL[..])
}

fn rules() -> impl Strategy<Value = Rules> {
    let roles = [Rules::client(), Rules::server(), Rules::proxy()];
    (select(roles.to_vec()), any::<bool>()).prop_map(|(rules, is_core)| match is_core {
        true => rules.methods(Methods::Core),
        false => rules,
    })
}

/// Holds what was written to the parser and to the sender's rules.
fn accepted(out: &[u8], framing: Framing<'_>, rules: Rules, method: Option<Method>) -> MessageBuf {
    let message = MessageBuf::parse(body(out, framing)).expect("what was written is a message");
    let checked = rules.check_outgoing_response(&message.as_message(), method);
    assert_eq!(checked, Ok(()), "{}", message.as_message().frame());
    message
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn requests_and_notifications_read_back_the_same(
        (rules, version, number) in (rules(), version(), framing()),
        (id, method) in (id(), method()),
        params in prop::option::of(section()),
        has_profile: bool,
    ) {
        let framing = framed(number);
        let capabilities = RawJson::parse(b"{\"a\":[\n]}").unwrap();
        let profile = ClientProfile::new(capabilities).unwrap().named("n\n", "1");
        let mut writer = Writer::new(rules, version).framing(framing);
        if has_profile {
            writer = writer.client(&profile);
        }
        let rules = rules.negotiated(version);
        let id = Id::from_raw(&id).unwrap();
        let raw = params.as_deref().map(|text| RawJson::parse(text.as_bytes()).unwrap());
        for is_request in [true, false] {
            let mut out = Vec::new();
            let written = match is_request {
                true => writer.request(&mut out, id, &method, raw),
                false => writer.notification(&mut out, &method, raw),
            };
            // By hand, and without what the writer adds.
            let by_hand = format!(
                "{{\"jsonrpc\":\"2.0\",{}\"method\":{}{}}}",
                if is_request { format!("\"id\":{},", id.raw()) } else { String::new() },
                Value::from(&*method),
                params.as_deref().map_or_else(String::new, |raw| format!(",\"params\":{raw}")),
            );
            let hand = Message::parse(by_hand.as_bytes())
                .map_err(EncodeError::from)
                .and_then(|message| Ok(rules.check_outgoing(&message)?));
            match &written {
                Ok(()) => {
                    let message = accepted(&out, framing, rules, None);
                    let message = message.as_message();
                    prop_assert_eq!(message.method().unwrap(), &*method);
                    prop_assert_eq!(message.id().map(|id| id.raw()), is_request.then_some(id.raw()));
                    if hand.is_ok() {
                        // Nothing was needed, so nothing was added but what had a place.
                        for (name, value) in raw.into_iter().flat_map(|raw| raw.members()) {
                            let mut members = message.params().unwrap().members();
                            let found = members.any(|(other, same)| {
                                other.raw() == name.raw() && flat(same.raw()) == flat(value.raw())
                            });
                            prop_assert!(found || name == "_meta");
                        }
                    }
                }
                Err(error) => {
                    prop_assert!(out.is_empty());
                    // Nothing is refused that could be sent, but for what a receiver may let pass.
                    // One that names a revision is read as one of that.
                    let read = Message::parse(by_hand.as_bytes()).ok();
                    let read_as = read.and_then(|message| rules.version_of(&message));
                    let is_sent = is_sent(&rules, &method, read_as.unwrap_or(version));
                    prop_assert!(hand.is_err() || !is_sent, "{} but {}", error, by_hand);
                }
            }
        }
    }

    #[test]
    fn results_and_errors_read_back_the_same(
        (rules, version, number) in (rules(), version(), framing()),
        (id, method) in (id(), method()),
        result in section(),
        code in prop_oneof![any::<i64>(), -32_800..-31_900i64],
        message_text: String,
        data in prop::option::of(select(&VALUES[..])),
        has_id: bool,
    ) {
        let framing = framed(number);
        let profile = ServerProfile::new().named("s", "\r1");
        let writer = Writer::new(rules, version).framing(framing).server(&profile);
        let rules = rules.negotiated(version);
        let id = Id::from_raw(&id).unwrap();
        let method = Method::named(&method);
        let to = method.into_iter().fold(ReplyTo::new(id), ReplyTo::method);
        let raw = RawJson::parse(result.as_bytes()).unwrap();
        let by_hand = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{result}}}", id.raw());
        let hand = Message::parse(by_hand.as_bytes())
            .map_err(EncodeError::from)
            .and_then(|message| Ok(rules.check_outgoing_response(&message, method)?));
        let mut out = Vec::new();
        match writer.result(&mut out, to, raw) {
            Ok(()) => {
                let message = accepted(&out, framing, rules, method);
                prop_assert_eq!(message.as_message().id().unwrap().raw(), id.raw());
            }
            Err(error) => {
                prop_assert!(out.is_empty());
                let is_other_subscription = method == Some(Method::SubscriptionsListen);
                prop_assert!(hand.is_err() || is_other_subscription, "{} but {}", error, by_hand);
            }
        }

        let data = data.map(|text| RawJson::parse(text.as_bytes()).unwrap());
        let mut out = Vec::new();
        let written = match has_id {
            true => writer.error(&mut out, to, code, &message_text, data),
            false => writer.error_without_id(&mut out, code, &message_text, data),
        };
        if written.is_ok() {
            let message = accepted(&out, framing, rules, method);
            let message = message.as_message();
            let rpcslice::View::Error(error) = message.view() else {
                panic!("an error");
            };
            prop_assert_eq!(error.code(), code);
            prop_assert_eq!(error.message(), &*message_text);
            let got = error.data().map(|data| flat(data.raw()));
            prop_assert_eq!(got, data.map(|data| flat(data.raw())));
            prop_assert_eq!(error.id().map(|id| id.raw()), has_id.then_some(id.raw()));
        } else {
            prop_assert!(out.is_empty());
        }
    }

    #[test]
    fn an_edit_is_what_it_would_be_on_a_tree(
        (kind, number, old_id, new_id) in (0..4u8, framing(), id(), id()),
        (section, has_section, other) in (section(), any::<bool>(), prop::option::of(section())),
        (order, new_method, sets_id) in (0..6usize, prop::option::of(method()), any::<bool>()),
        changes in prop::collection::vec(
            (select(&META_NAMES[..]), prop::option::of(select(&VALUES[..]))), 0..4),
    ) {
        let framing = framed(number);
        let has_section = has_section || kind == 2;
        let mut parts = vec!["\"jsonrpc\":\"2.0\"".to_owned(), " \"x\":{\"id\":7}".to_owned()];
        if kind != 1 {
            parts.push(format!("\"id\" : {old_id}"));
        }
        match kind {
            0 | 1 => parts.push("\"method\":\"m\"".to_owned()),
            3 => parts.push("\"error\":{\"code\":1,\"message\":\"\\n\"}".to_owned()),
            _ => {}
        }
        if has_section && kind != 3 {
            let name = if kind == 2 { "result" } else { "params" };
            parts.push(format!("\"{name}\": {section}"));
        }
        let count = parts.len();
        parts.rotate_left(order % count);
        let frame = format!("\n{{{}}} ", parts.join(","));
        let Ok(owned) = MessageBuf::parse(frame.clone()) else {
            // Two members that decide something.
            return Ok(());
        };
        let message = owned.as_message();
        let id = Id::from_raw(&new_id).unwrap();
        let other = other.as_deref().map(|text| RawJson::parse(text.as_bytes()).unwrap());

        let mut edit = owned.edit();
        let mut tree: Value = lossless(&frame);
        let top = tree.as_object_mut().unwrap();
        if sets_id && kind != 1 {
            edit = edit.id(id);
            top.insert("id".to_owned(), lossless(id.raw()));
        }
        if let (Some(method), 0 | 1) = (&new_method, kind) {
            edit = edit.method(method);
            top.insert("method".to_owned(), Value::from(format!("s{method}")));
        }
        let name = if kind == 2 { "result" } else { "params" };
        if let (Some(other), 0..3) = (other, kind) {
            edit = if kind == 2 { edit.result(other) } else { edit.params(other) };
            top.insert(name.to_owned(), lossless(other.raw()));
        }
        let mut is_bad = false;
        for (key, value) in changes.iter().filter(|_| kind != 3) {
            let section = top.get_mut(name);
            edit = match value {
                Some(value) => {
                    let entry = top.entry(name).or_insert_with(|| Value::Object(Map::new()));
                    let meta = entry.as_object_mut().unwrap();
                    let meta = meta.entry("_meta").or_insert_with(|| Value::Object(Map::new()));
                    match meta.as_object_mut() {
                        Some(meta) => drop(meta.insert((*key).to_owned(), lossless(value))),
                        None => is_bad = true,
                    }
                    edit.meta_raw(key, RawJson::parse(value.as_bytes()).unwrap()).unwrap()
                }
                None => {
                    let meta = section.and_then(|section| section.get_mut("_meta"));
                    if let Some(meta) = meta.and_then(Value::as_object_mut) {
                        meta.shift_remove(*key);
                    }
                    edit.remove_meta(key)
                }
            };
        }
        let mut out = Vec::new();
        let written = edit.write(&mut out, framing);
        let mut scratch = BytesMut::new();
        match (edit.pieces(&mut scratch, framing), &written) {
            (Ok(pieces), Ok(())) => {
                let joined: Vec<u8> = pieces.iter().flat_map(|piece| piece.to_vec()).collect();
                prop_assert_eq!(joined, &out[..]);
            }
            (Err(error), Err(same)) => prop_assert_eq!(error, *same),
            _ => prop_assert!(false, "`pieces` and `write` disagree"),
        }
        if let Err(error) = written {
            prop_assert!(out.is_empty());
            let is_refused = other.is_some() && matches!(error, EncodeError::Rule(_));
            prop_assert!(is_bad || is_refused, "{}", error);
            return Ok(());
        }
        let text = body(&out, framing);
        let got = Message::parse(&text).expect("an edited message is one");
        prop_assert_eq!(got.kind(), message.kind());
        // A key that is set and then removed leaves an empty `_meta` in the tree, and nothing in the bytes.
        let mut expected = tree;
        let mut got_tree = lossless(got.frame());
        for tree in [&mut expected, &mut got_tree] {
            drop_empty_meta(tree, name);
        }
        prop_assert_eq!(got_tree, expected, "{} became {}", frame, got.frame());
        // Members that were not edited have their bytes, but for line breaks in lines.
        let same = |before: RawJson<'_>, after: RawJson<'_>| match framing {
            Framing::Body => before.raw() == after.raw(),
            _ => flat(before.raw()) == after.raw(),
        };
        let whole = |message: &Message<'_>| -> Vec<(String, String)> {
            let raw = RawJson::parse(message.frame().trim().as_bytes()).unwrap().raw().to_owned();
            RawJson::parse(raw.as_bytes())
                .unwrap()
                .members()
                .map(|(name, value)| (name.raw().to_owned(), value.raw().to_owned()))
                .collect()
        };
        for (name, value) in whole(&message) {
            let is_edited = ["\"id\"", "\"method\"", "\"params\"", "\"result\""].contains(&&*name);
            let value = RawJson::parse(value.as_bytes()).unwrap();
            let found = whole(&got).iter().any(|(other, after)| {
                *other == name && same(value, RawJson::parse(after.as_bytes()).unwrap())
            });
            prop_assert!(found || is_edited, "{} is gone", name);
        }
    }
}

/// Whether a method that the table knows is one of the revision and of this side.
fn is_sent(rules: &Rules, method: &str, version: Version) -> bool {
    let Some(method) = Method::named(method) else {
        return true;
    };
    let role = rules.role();
    method.rules(version).is_some_and(|row| {
        let is_ours = match row.direction() {
            Direction::Both => true,
            Direction::ClientToServer => role != Role::Server,
            Direction::ServerToClient => role != Role::Client,
        };
        is_ours && row.status() != Status::Removed
    })
}

/// A tree that keeps numbers as they are: each becomes a text of its own kind.
fn lossless(text: &str) -> Value {
    let raw = RawJson::parse_with(text.as_bytes(), &Limits::new()).unwrap();
    tree(raw)
}

fn tree(raw: RawJson<'_>) -> Value {
    use rpcslice::json::JsonKind;
    match raw.kind() {
        JsonKind::Object => raw
            .members()
            .map(|(name, value)| (name.decode().unwrap().into_owned(), tree(value)))
            .collect::<Map<_, _>>()
            .into(),
        JsonKind::Array => raw.elements().map(tree).collect(),
        JsonKind::String => match raw.as_string().unwrap().decode() {
            Ok(text) => Value::from(format!("s{text}")),
            Err(_) => Value::from(format!("r{}", raw.raw())),
        },
        _ => Value::from(format!("n{}", raw.raw())),
    }
}

fn drop_empty_meta(tree: &mut Value, name: &str) {
    let top = tree.as_object_mut().unwrap();
    let Some(section) = top.get_mut(name).and_then(Value::as_object_mut) else {
        return;
    };
    if section
        .get("_meta")
        .is_some_and(|meta| meta.as_object().is_some_and(Map::is_empty))
    {
        section.shift_remove("_meta");
    }
    if section.is_empty() {
        top.shift_remove(name);
    }
}

#[test]
fn the_policy_is_the_rules_own() {
    let lenient = Rules::client().policy(Policy::lenient());
    let writer = Writer::new(lenient, Version::V2025_11_25);
    let mut out = Vec::new();
    writer
        .request(&mut out, Id::from_raw("1.0").unwrap(), "x", None)
        .unwrap();
    assert!(Message::parse(&out).is_err());
    assert!(Message::parse_with(&out, &Limits::new(), &Policy::lenient()).is_ok());
}
