//! What an edited message is, to the byte: `Edit` as it documents itself. All that does not change is copied; what changes is
//! found in a list of members.

use super::added::find;
use super::tree::{self, Member};
use rpcslice::Kind;
use std::ops::Range;

/// What is to be changed. All values are JSON.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub id: Option<String>,
    pub method: Option<String>,
    pub section: Section,
    /// Members of params or of the result to set, or to remove: of each the last change, in the order of the first.
    pub members: Named,
    /// Whether `_meta` goes before its keys change.
    pub drops_meta: bool,
    /// The same for keys of `_meta`.
    pub meta: Named,
}

/// Names, and what becomes of each.
pub type Named = Vec<(String, Option<String>)>;

/// What becomes of params or of the result as a whole: what was said last.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Section {
    #[default]
    Kept,
    Params(String),
    Result(String),
    NoParams,
}

/// There is no place for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPlace;

pub fn change(changes: &mut Named, name: &str, value: Option<String>) {
    match changes.iter_mut().find(|(earlier, _)| earlier == name) {
        Some((_, earlier)) => *earlier = value,
        None => changes.push((name.to_owned(), value)),
    }
}

fn set_any(changes: &Named) -> bool {
    changes.iter().any(|(_, value)| value.is_some())
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        let is_whole = self.id.is_none() && self.method.is_none() && self.section == Section::Kept;
        is_whole && !self.change_section()
    }

    fn change_section(&self) -> bool {
        self.drops_meta || !self.meta.is_empty() || !self.members.is_empty()
    }
}

/// The frame, which is a message of this kind, with its changes.
pub fn spliced(frame: &str, kind: Kind, changes: &Changes) -> Result<String, NoPlace> {
    let is_asking = matches!(kind, Kind::Request | Kind::Notification);
    let is_misplaced = match &changes.section {
        Section::Kept => false,
        Section::Params(_) | Section::NoParams => !is_asking,
        Section::Result(_) => kind != Kind::Result,
    };
    if is_misplaced
        || changes.id.is_some() && kind == Kind::Notification
        || changes.method.is_some() && !is_asking
        || (set_any(&changes.members) || set_any(&changes.meta)) && kind == Kind::Error
    {
        return Err(NoPlace);
    }
    let root = tree::root(frame).expect("a message");
    let members = tree::members(frame, &root).expect("a message");
    let mut new: Vec<(&str, Option<String>)> = Vec::new();
    new.extend(changes.id.clone().map(|id| ("id", Some(id))));
    new.extend(
        changes
            .method
            .clone()
            .map(|method| ("method", Some(method))),
    );
    let name = if kind == Kind::Result {
        "result"
    } else {
        "params"
    };
    let there = find(&members, name).map(|member| &frame[member.value.clone()]);
    // Params may be `null`, under the lenient policy: as if there were none.
    let there = there.filter(|there| *there != "null");
    let sets = set_any(&changes.members) || set_any(&changes.meta);
    let empty = sets.then_some("{}");
    let text = match &changes.section {
        Section::Params(given) | Section::Result(given) => Some(&**given),
        Section::NoParams => empty,
        Section::Kept if !changes.change_section() || kind == Kind::Error => None,
        Section::Kept => there.or(empty),
    };
    match text {
        Some(text) => new.push((name, Some(section(text, changes)?))),
        None if changes.section == Section::NoParams => new.push((name, None)),
        None => {}
    }
    // What is not there comes first, each behind the brace; a message is never empty, so something follows.
    let mut whole = frame.to_owned();
    let mut places: Vec<(Range<usize>, String)> = Vec::new();
    for (name, value) in new {
        match (
            members.iter().position(|member| is_named(member, name)),
            value,
        ) {
            (Some(at), Some(value)) => places.push((members[at].value.clone(), value)),
            (Some(at), None) => places.push((cut(frame, &members, at), String::new())),
            (None, Some(value)) => {
                let at = root.start + 1;
                places.push((at..at, format!("\"{name}\":{value},")));
            }
            (None, None) => {}
        }
    }
    // From behind, so that places stay what they are.
    places.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    for (place, value) in places {
        whole.replace_range(place, &value);
    }
    Ok(whole)
}

fn is_named(member: &Member, name: &str) -> bool {
    name.encode_utf16().eq(member.name.iter().copied())
}

/// What goes with one member: the comma before it and the white space there, or, of the first, the comma behind it.
fn cut(text: &str, members: &[Member], at: usize) -> Range<usize> {
    let member = &members[at];
    match (at, members.get(at + 1)) {
        (0, None) => member.name_at.start..member.value.end,
        (0, Some(next)) => {
            let between = &text[member.value.end..next.name_at.start];
            let comma = between.find(',').expect("a comma");
            member.name_at.start..member.value.end + comma + 1
        }
        _ => members[at - 1].value.end..member.value.end,
    }
}

/// Params or a result with the changes to its members and to `_meta`.
fn section(text: &str, changes: &Changes) -> Result<String, NoPlace> {
    let root = tree::root(text).expect("JSON");
    let text = &text[root];
    let at = 0..text.len();
    let members = tree::members(text, &at).ok_or(NoPlace)?;
    let mut all = changes.members.clone();
    let sets = set_any(&changes.meta);
    let fresh = || changed("{}", &(0..2), &[], &changes.meta);
    let mut first = String::new();
    match find(&members, "_meta") {
        Some(_) if changes.drops_meta => all.push(("_meta".to_owned(), sets.then(fresh))),
        Some(_) if changes.meta.is_empty() => {}
        Some(meta) => match tree::members(text, &meta.value) {
            Some(members) => {
                let new = changed(text, &meta.value, &members, &changes.meta);
                all.push(("_meta".to_owned(), Some(new)));
            }
            None if sets => return Err(NoPlace),
            None => {}
        },
        None if sets => first = format!("\"_meta\":{}", fresh()),
        None => {}
    }
    let mut whole = changed(text, &at, &members, &all);
    if !first.is_empty() {
        let rest = tree::members(&whole, &(0..whole.len())).expect("an object");
        first.push_str(if rest.is_empty() { "" } else { "," });
        whole.insert_str(1, &first);
    }
    Ok(whole)
}

/// An object of these members: of each name that is set the first has the new value, where it stands, and is the only one; new
/// ones come last. What stands between two that stay is what stood before the second of them; before the first, the white
/// space that the object begins with, and of what goes before it what stands behind its comma.
fn changed(text: &str, at: &Range<usize>, members: &[Member], changes: &Named) -> String {
    let inside = at.start + 1..at.end - 1;
    let (front, back) = match (members.first(), members.last()) {
        (Some(first), Some(last)) => (
            &text[inside.start..first.name_at.start],
            &text[last.value.end..inside.end],
        ),
        _ => ("", &text[inside]),
    };
    let mut met: Vec<&str> = Vec::new();
    let mut whole = front.to_owned();
    let mut is_first = true;
    for (index, member) in members.iter().enumerate() {
        let value = match changes.iter().find(|(name, _)| is_named(member, name)) {
            None => &text[member.value.clone()],
            Some((_, None)) => continue,
            Some((name, Some(_))) if met.contains(&&**name) => continue,
            Some((name, Some(value))) => {
                met.push(name);
                value
            }
        };
        if index > 0 {
            let before = &text[members[index - 1].value.end..member.name_at.start];
            let behind = before.split_once(',').expect("a comma").1;
            whole.push_str(if is_first { behind } else { before });
        }
        whole.push_str(&text[member.name_at.start..member.value.start]);
        whole.push_str(value);
        is_first = false;
    }
    for (name, value) in changes {
        if let (Some(value), false) = (value, met.contains(&&**name)) {
            whole.push_str(if is_first { "" } else { "," });
            whole.push_str(&format!("{}:{value}", serde_json::Value::from(&**name)));
            is_first = false;
        }
    }
    format!("{{{whole}{back}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_go_with_one_comma() {
        let mut changes = Changes::default();
        change(&mut changes.members, "a", None);
        change(&mut changes.members, "n", Some("1".to_owned()));
        changes.drops_meta = true;
        for (before, after) in [
            (
                r#"{"params":{ "a":0 , "_meta":{} ,"b":[] , "a":2 }}"#,
                r#"{"params":{ "b":[],"n":1 }}"#,
            ),
            (
                r#"{"params":{ "b":0 , "a":0, "n" : 2 ,"_meta":7}}"#,
                r#"{"params":{ "b":0, "n" : 1}}"#,
            ),
            (r#"{"id":0}"#, r#"{"params":{"n":1},"id":0}"#),
        ] {
            let got = spliced(before, Kind::Request, &changes);
            assert_eq!(got.as_deref(), Ok(after));
        }
        let changes = Changes {
            section: Section::NoParams,
            ..Changes::default()
        };
        for (before, after) in [
            (r#"{ "params":{} , "id":0}"#, r#"{  "id":0}"#),
            (r#"{ "id":0 , "params":{} }"#, r#"{ "id":0 }"#),
            (r#"{ "id":0 , "params":{} , "x":1}"#, r#"{ "id":0 , "x":1}"#),
        ] {
            let got = spliced(before, Kind::Request, &changes);
            assert_eq!(got.as_deref(), Ok(after));
        }
        assert_eq!(spliced("{}", Kind::Result, &changes), Err(NoPlace));
    }

    #[test]
    fn members_change_where_they_stand() {
        let mut changes = Changes::default();
        change(&mut changes.meta, "a", Some("0".to_owned()));
        change(&mut changes.meta, "c", None);
        change(&mut changes.meta, "a", Some("1".to_owned()));
        changes.id = Some("9".to_owned());
        for (before, after) in [
            (
                r#"{ "id" : 1,"params":{"_meta":{ "c" : 0 }}}"#,
                r#"{ "id" : 9,"params":{"_meta":{ "a":1 }}}"#,
            ),
            (
                r#"{"params":{"_meta":{"x":0, "\u0063":0 , "c":1,"a" : [], "a":2 }},"id":1}"#,
                r#"{"params":{"_meta":{"x":0,"a" : 1 }},"id":9}"#,
            ),
            (
                r#"{"id":1,"params":{ }}"#,
                r#"{"id":9,"params":{"_meta":{"a":1} }}"#,
            ),
            (r#"{"id":1}"#, r#"{"params":{"_meta":{"a":1}},"id":9}"#),
        ] {
            assert_eq!(
                spliced(before, Kind::Request, &changes).as_deref(),
                Ok(after)
            );
        }
        assert_eq!(
            spliced(r#"{"params":{}}"#, Kind::Notification, &changes),
            Err(NoPlace)
        );
        changes.id = None;
        let bad = r#"{"result":{"_meta":[]}}"#;
        assert_eq!(spliced(bad, Kind::Result, &changes), Err(NoPlace));
    }
}
