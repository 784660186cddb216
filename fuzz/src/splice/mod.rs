//! A message edited and then read is what it is read and then edited, and every other byte stays.
//!
//! The input is a message, and behind it edits: see [`edits`]. Without any they are made up. Its tail chooses limits and the
//! policy.

pub mod edits;

use crate::framed::{Fields, Framed};
use crate::mutator::{self, calls, drafts, json};
use crate::options;
use crate::oracle::copied::Copied;
use crate::oracle::envelope::{Accepted, Verdict, judge};
use crate::oracle::spliced::{Changes, Named, Section, change, spliced};
use crate::oracle::{grammar, key, number, tree};
use crate::rng::{Rng, hash};
use bytes::{Buf, BytesMut};
use edits::One;
use rpcslice::encode::{Edit, EncodeError};
use rpcslice::json::RawJson;
use rpcslice::{Id, Kind, Limits, Message, MessageBuf, Policy};

/// The frame and so many edits but one.
const PARTS: usize = 9;

/// The target.
pub fn run(data: &[u8]) {
    let (input, tail) = options::split(data);
    let parts: [_; PARTS] = options::parts(input);
    let frame = parts[0].expect("always there");
    let mut rng = Rng::of(data);
    let limits = options::limits(frame, tail.map(|[depth, _, policy]| [depth, 0, policy]));
    let is_lenient = tail.is_some_and(|[_, _, policy]| policy & 1 == 1);
    let policy = if is_lenient {
        Policy::lenient()
    } else {
        Policy::strict()
    };
    let (Verdict::Accept(accepted), Ok(message)) = (
        judge(frame, &limits, is_lenient),
        MessageBuf::parse_with(frame.to_vec(), &limits, &policy),
    ) else {
        return crate::count::execution(false, 0);
    };
    let made: Vec<Vec<u8>> = match parts[1] {
        Some(_) => Vec::new(),
        None => (0..1 + rng.below(4))
            .map(|_| edits::fresh(frame, &mut rng))
            .collect(),
    };
    let there = parts[1..].iter().flatten().copied();
    let all: Vec<One> = there
        .chain(made.iter().map(Vec::as_slice))
        .filter_map(One::of)
        .collect();
    let fields = Fields::of(Some("e"), rng.once_in(2).then_some(""), &mut rng);
    let framed = Framed::chosen(fields, &mut rng);
    let lent = message.as_message();
    let (edit, changes, is_bad) = edited(&lent, lent.edit(), &all);
    let (owned, ..) = edited(&lent, message.edit(), &all);
    let text = std::str::from_utf8(frame).expect("a message");
    let expected = match is_bad {
        true => None,
        false => spliced(text, accepted.kind, &changes).ok(),
    };
    let written = hold_ways(&edit, &owned, &framed, &mut rng);
    let signature = signature(&accepted, &changes, &written);
    match (&written, expected) {
        (Ok(out), Some(expected)) => {
            let copied = Copied {
                one_line: framed.is_one_line(),
                no_separators: false,
            };
            let body = framed.body(out);
            assert_eq!(body, copied.of(&expected));
            hold_tree(text, &body, accepted.kind, &changes, copied);
            let highest = Limits::new().with_max_depth(Limits::HIGHEST_MAX_DEPTH);
            let again = Message::parse_with(body.as_bytes(), &highest, &policy);
            let again = again.unwrap_or_else(|error| panic!("{error}: {body}"));
            assert_eq!(again.kind(), accepted.kind, "{body}");
        }
        (Err(_), None) => {}
        (Ok(out), None) => panic!("no place, and written: {}", out.escape_ascii()),
        (Err(error), Some(expected)) => panic!("{error}, but a place: {expected}"),
    }
    crate::count::execution(written.is_ok() && !changes.is_empty(), signature);
}

/// The edit, the changes as the oracle has them, and whether one of them is none for any message.
fn edited<'a>(
    message: &Message<'_>,
    mut edit: Edit<'a>,
    all: &'a [One],
) -> (Edit<'a>, Changes, bool) {
    let mut changes = Changes::default();
    for one in all {
        match one {
            One::Id(text) => {
                let Some(id) = Id::from_raw(text).filter(|id| is_good_id(id.raw())) else {
                    continue;
                };
                changes.id = Some(id.raw().to_owned());
                edit = edit.id(id);
            }
            One::Method(text) => {
                changes.method = Some(quoted(text));
                edit = edit.method(text);
            }
            One::Params(text) => {
                let Some(params) = parsed(text) else { continue };
                changes.section = Section::Params(params.raw().to_owned());
                edit = edit.params(params);
            }
            One::Result(text) => {
                let Some(result) = parsed(text) else { continue };
                changes.section = Section::Result(result.raw().to_owned());
                edit = edit.result(result);
            }
            One::MetaText(key, text) => {
                let with = edit.clone().meta_text(key, text);
                assert_eq!(with.is_ok(), key::is_key(key), "{key:?}");
                if let Ok(with) = with {
                    change(&mut changes.meta, key, Some(quoted(text)));
                    edit = with;
                }
            }
            One::MetaRaw(key, value) => {
                let Some(value) = parsed(value) else { continue };
                let with = edit.clone().meta_raw(key, value);
                let deepest = Limits::HIGHEST_MAX_DEPTH - 3;
                let is_deep = grammar::first_too_deep(value.as_bytes(), deepest).is_some();
                assert_eq!(with.is_ok(), key::is_key(key) && !is_deep, "{key:?}");
                if let Ok(with) = with {
                    change(&mut changes.meta, key, Some(value.raw().to_owned()));
                    edit = with;
                }
            }
            One::MetaRemoved(key) => {
                change(&mut changes.meta, key, None);
                edit = edit.remove_meta(key);
            }
            One::MetaDropped => {
                changes.meta.clear();
                changes.drops_meta = true;
                edit = edit.without_meta();
            }
            One::MemberText(name, text) => {
                let with = edit.clone().member_text(name, text);
                edit = member(with, edit, &mut changes, name, Some(quoted(text)), false);
            }
            One::MemberRaw(name, value) => {
                let Some(value) = parsed(value) else { continue };
                let deepest = Limits::HIGHEST_MAX_DEPTH - 2;
                let is_deep = grammar::first_too_deep(value.as_bytes(), deepest).is_some();
                let with = edit.clone().member_raw(name, value);
                let value = Some(value.raw().to_owned());
                edit = member(with, edit, &mut changes, name, value, is_deep);
            }
            One::MemberRemoved(name) => {
                let with = edit.clone().remove_member(name);
                edit = member(with, edit, &mut changes, name, None, false);
            }
            One::NoParams => {
                changes.section = Section::NoParams;
                edit = edit.without_params();
            }
        }
    }
    let given = match &changes.section {
        Section::Params(given) => Some((given, "\"method\":\"x\",\"params\"")),
        Section::Result(given) => Some((given, "\"id\":1,\"result\"")),
        Section::Kept | Section::NoParams => None,
    };
    let is_bad = given.is_some_and(|(section, name)| {
        let whole = format!("{{\"jsonrpc\":\"2.0\",{name}:{section}}}");
        let highest = Limits::new().with_max_depth(Limits::HIGHEST_MAX_DEPTH);
        !matches!(judge(whole.as_bytes(), &highest, false), Verdict::Accept(_))
    });
    let _ = format!("{edit:?} of {message}");
    (edit, changes, is_bad)
}

/// A member of params or of the result is changed, if it can be.
fn member<'a>(
    with: Result<Edit<'a>, EncodeError>,
    without: Edit<'a>,
    changes: &mut Changes,
    name: &str,
    value: Option<String>,
    is_deep: bool,
) -> Edit<'a> {
    assert_eq!(with.is_ok(), name != "_meta" && !is_deep, "{name:?}");
    match with {
        Ok(with) => {
            change(&mut changes.members, name, value);
            with
        }
        Err(_) => without,
    }
}

/// A number with a fraction is an id under the lenient policy alone; an edit takes what it is given.
fn is_good_id(raw: &str) -> bool {
    raw.starts_with('"') || number::is_integer(raw)
}

fn parsed(text: &str) -> Option<RawJson<'_>> {
    let limits = Limits::new().with_max_depth(Limits::HIGHEST_MAX_DEPTH);
    RawJson::parse_with(text.as_bytes(), &limits).ok()
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Written, in pieces, and in pieces that are shared: the same.
fn hold_ways<'a>(
    edit: &Edit<'a>,
    owned: &Edit<'a>,
    framed: &Framed,
    rng: &mut Rng,
) -> Result<Vec<u8>, EncodeError> {
    let mut out = b"before".to_vec();
    let written = edit.write(&mut out, framed.framing());
    let out = out.split_off("before".len());
    let mut scratch = BytesMut::from("before");
    for edit in [edit, owned] {
        match (edit.pieces(&mut scratch, framed.framing()), &written) {
            (Ok(mut pieces), Ok(())) => {
                assert_eq!(pieces.remaining(), out.len());
                assert!(pieces.iter().all(|piece| !piece.is_empty()));
                let joined: Vec<u8> = pieces.iter().flat_map(|piece| piece.to_vec()).collect();
                assert_eq!(joined, out);
                let mut taken = Vec::new();
                while pieces.has_remaining() {
                    let count = 1 + rng.below(pieces.chunk().len());
                    taken.extend_from_slice(&pieces.chunk()[..count]);
                    let ahead = rng.below(pieces.remaining() - count + 1).min(70);
                    let mut rest = pieces.clone();
                    rest.advance(count);
                    taken.extend_from_slice(&rest.copy_to_bytes(ahead));
                    pieces.advance(count + ahead);
                }
                assert_eq!(taken, out);
            }
            (Err(error), Err(same)) => assert_eq!(error, *same),
            (pieces, written) => panic!("{pieces:?}, but {written:?}"),
        }
    }
    match written {
        Ok(()) => Ok(out),
        Err(error) => {
            assert!(out.is_empty(), "something was written");
            Err(error)
        }
    }
}

/// On trees: each change has taken place, once; all else is there as it was, in its order.
fn hold_tree(before: &str, after: &str, kind: Kind, changes: &Changes, copied: Copied) {
    let section = if kind == Kind::Result {
        "result"
    } else {
        "params"
    };
    let is_changed = |name: &str| match name {
        "id" => changes.id.is_some(),
        "method" => changes.method.is_some(),
        name => {
            name == section
                && kind != Kind::Error
                && (changes.section != Section::Kept
                    || changes.drops_meta
                    || !changes.members.is_empty()
                    || !changes.meta.is_empty())
        }
    };
    let kept = |text: &str, copied: Copied| -> Vec<(String, String)> {
        let members = members(text, None).expect("a message");
        let kept = members
            .iter()
            .filter(|member| !is_changed(&String::from_utf16_lossy(&member.name)));
        let parts = kept.map(|m| {
            (
                copied.of(&text[m.name_at.clone()]),
                copied.of(&text[m.value.clone()]),
            )
        });
        parts.collect()
    };
    assert_eq!(kept(after, Copied::default()), kept(before, copied));
    let top = members(after, None).expect("a message");
    let value =
        |name: &str| crate::oracle::added::find(&top, name).map(|m| &after[m.value.clone()]);
    if let Some(id) = &changes.id {
        assert_eq!(value("id"), Some(&**id));
    }
    if let Some(method) = &changes.method {
        assert_eq!(value("method").map(tree::text), Some(tree::text(method)));
    }
    // What stands beside an error is nobody's params.
    let section = value(section).filter(|_| kind != Kind::Error);
    let meta = section.and_then(|section| {
        let members = members(section, None)?;
        let at = crate::oracle::added::find(&members, "_meta")?.value.clone();
        Some(&section[at])
    });
    hold_named(section.unwrap_or("{}"), &changes.members, copied);
    hold_named(meta.unwrap_or("{}"), &changes.meta, copied);
}

/// Each name is there once, with its value, or not at all.
fn hold_named(object: &str, changes: &Named, copied: Copied) {
    let there = members(object, None).unwrap_or_default();
    for (name, value) in changes {
        let is_it = |member: &&tree::Member| name.encode_utf16().eq(member.name.iter().copied());
        let found = there.iter().filter(is_it);
        let found: Vec<_> = found
            .map(|member| object[member.value.clone()].to_owned())
            .collect();
        let expected: Vec<String> = value.iter().map(|value| copied.of(value)).collect();
        assert_eq!(found, expected, "{name}");
    }
}

fn members(text: &str, at: Option<std::ops::Range<usize>>) -> Option<Vec<tree::Member>> {
    let at = at.or_else(|| tree::root(text))?;
    tree::members(text, &at)
}

fn signature(
    accepted: &Accepted,
    changes: &Changes,
    written: &Result<Vec<u8>, EncodeError>,
) -> u64 {
    let error = written.as_ref().err().map(|error| format!("{error:?}"));
    let error = error.map_or(0, |error| {
        hash(error.split('{').next().unwrap_or("").as_bytes()) & 0xFF
    });
    let count = |changes: &Named| {
        let sets = changes.iter().filter(|(_, value)| value.is_some()).count();
        (sets.min(3) << 2 | (changes.len() - sets).min(3)) as u64
    };
    let section = match changes.section {
        Section::Kept => 0,
        Section::Params(_) => 1,
        Section::Result(_) => 2,
        Section::NoParams => 3,
    };
    let bits = [
        changes.id.is_some(),
        changes.method.is_some(),
        changes.drops_meta,
    ];
    let bits = bits
        .into_iter()
        .fold(section, |bits, one| bits << 1 | u64::from(one));
    let counts = count(&changes.meta) << 5 | count(&changes.members) << 9;
    accepted.slots.bits() ^ (bits | counts | error << 13 | (accepted.kind as u64) << 21) << 40
}

pub fn mutate(data: &[u8], rng: &mut Rng) -> Vec<u8> {
    mutator::with_tail(data, rng, edit)
}

/// For libFuzzer: `size` bytes of `data` to new ones of at most `max`.
pub fn mutate_in_place(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    mutator::in_place(data, size, max, seed, mutate)
}

fn edit(input: &mut Vec<u8>, rng: &mut Rng) {
    let parts: [_; PARTS] = options::parts(input);
    let mut parts: Vec<Vec<u8>> = parts.into_iter().flatten().map(<[u8]>::to_vec).collect();
    let is_spoilt = grammar::fault(&parts[0], usize::MAX).is_some();
    if is_spoilt && rng.once_in(2) {
        parts[0] = drafts::fresh(rng).0;
    }
    let some = rng.below(parts.len());
    match rng.below(12) {
        0 => parts[0] = drafts::fresh(rng).0,
        1 => parts[0] = calls::fresh(rng),
        2 => parts[0] = json::fresh(rng),
        3 | 4 if parts.len() < PARTS => {
            let fresh = edits::fresh(&parts[0], rng);
            parts.push(fresh);
        }
        5 if some > 0 => drop(parts.remove(some)),
        6 if some > 0 => {
            let (letter, operand) = parts[some].split_at(1.min(parts[some].len()));
            let mut operand = operand.to_vec();
            json::edit(&mut operand, rng);
            parts[some] = [letter, &operand].concat();
        }
        7 if some > 0 => {
            let fresh = edits::fresh(&parts[0], rng);
            parts[some] = fresh;
        }
        _ => json::edit(&mut parts[0], rng),
    }
    let parts: Vec<_> = parts.into_iter().map(Some).collect();
    *input = options::join_parts(&parts);
}
