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
    pub params: Option<String>,
    pub result: Option<String>,
    /// Keys to set, or to remove: of each the last change, in the order in which those were made.
    pub meta: Vec<(String, Option<String>)>,
}

/// There is no place for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPlace;

impl Changes {
    pub fn change_meta(&mut self, key: &str, value: Option<String>) {
        self.meta.retain(|(earlier, _)| earlier != key);
        self.meta.push((key.to_owned(), value));
    }

    pub fn is_empty(&self) -> bool {
        let members = [&self.id, &self.method, &self.params, &self.result];
        members.into_iter().all(Option::is_none) && self.meta.is_empty()
    }

    fn sets_meta(&self) -> bool {
        self.meta.iter().any(|(_, value)| value.is_some())
    }
}

/// The frame, which is a message of this kind, with its changes.
pub fn spliced(frame: &str, kind: Kind, changes: &Changes) -> Result<String, NoPlace> {
    let is_asking = matches!(kind, Kind::Request | Kind::Notification);
    let is_misplaced = [
        changes.id.is_some() && kind == Kind::Notification,
        changes.method.is_some() && !is_asking,
        changes.params.is_some() && !is_asking,
        changes.result.is_some() && kind != Kind::Result,
        !changes.meta.is_empty() && kind == Kind::Error,
    ];
    if is_misplaced.contains(&true) {
        return Err(NoPlace);
    }
    let root = tree::root(frame).expect("a message");
    let members = tree::members(frame, &root).expect("a message");
    let mut new: Vec<(&str, String)> = Vec::new();
    new.extend(changes.id.clone().map(|id| ("id", id)));
    new.extend(changes.method.clone().map(|method| ("method", method)));
    let section = if kind == Kind::Result {
        "result"
    } else {
        "params"
    };
    let given = changes.params.as_deref().or(changes.result.as_deref());
    let there = find(&members, section).map(|member| &frame[member.value.clone()]);
    // Params may be `null`, under the lenient policy: as if there were none.
    let there = there.filter(|there| *there != "null");
    let empty = changes.sets_meta().then_some("{}");
    match given.or(there).or(empty) {
        Some(text) if given.is_some() || !changes.meta.is_empty() => {
            new.push((section, with_meta(text, &changes.meta)?));
        }
        _ => {}
    }
    let mut whole = frame.to_owned();
    // From behind, so that places stay what they are.
    let mut places: Vec<(Range<usize>, String)> = Vec::new();
    for (name, value) in new {
        places.push(match find(&members, name) {
            Some(member) => (member.value.clone(), value),
            // A message is never empty: something follows.
            None => (
                root.start + 1..root.start + 1,
                format!("\"{name}\":{value},"),
            ),
        });
    }
    places.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    for (place, value) in places {
        whole.replace_range(place, &value);
    }
    Ok(whole)
}

/// Params or a result, of which keys of `_meta` change.
fn with_meta(section: &str, changes: &[(String, Option<String>)]) -> Result<String, NoPlace> {
    let root = tree::root(section).expect("JSON");
    let section = &section[root];
    let at = 0..section.len();
    let members = tree::members(section, &at).ok_or(NoPlace)?;
    let sets: Vec<_> = changes
        .iter()
        .filter(|(_, value)| value.is_some())
        .collect();
    let mut whole = section.to_owned();
    match find(&members, "_meta") {
        Some(meta) => match tree::members(section, &meta.value) {
            Some(members) => {
                let changed = changed(section, &meta.value, &members, changes);
                whole.replace_range(meta.value.clone(), &changed);
            }
            None if sets.is_empty() => {}
            None => return Err(NoPlace),
        },
        None if sets.is_empty() => {}
        None => {
            let comma = if members.is_empty() { "" } else { "," };
            let meta = changed("{}", &(0..2), &[], changes);
            whole.insert_str(1, &format!("\"_meta\":{meta}{comma}"));
        }
    }
    Ok(whole)
}

/// `_meta` of these members: of each key that is set the first has the new value, where it stands, and is the only one; what
/// is removed takes with it what stands behind it, up to the next name; the last that stays has nothing behind it but what stood
/// behind the last there was; new keys come last.
fn changed(
    text: &str,
    at: &Range<usize>,
    members: &[Member],
    changes: &[(String, Option<String>)],
) -> String {
    let inner = &text[at.start + 1..at.end - 1];
    let start = members
        .first()
        .map_or(at.start + 1, |first| first.name_at.start);
    let (front, back) = match members.last() {
        Some(last) => (
            &text[at.start + 1..start],
            &text[last.value.end..at.end - 1],
        ),
        None => ("", inner),
    };
    let mut met: Vec<&str> = Vec::new();
    // Each with what parts it from the next.
    let mut kept: Vec<(String, &str)> = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let next = members
            .get(index + 1)
            .map_or(member.value.end, |next| next.name_at.start);
        let parting = &text[member.value.end..next];
        let is_key = |(key, _): &&(String, Option<String>)| {
            key.encode_utf16().eq(member.name.iter().copied())
        };
        let value = match changes.iter().find(is_key) {
            None => &text[member.value.clone()],
            Some((_, None)) => continue,
            Some((key, Some(_))) if met.contains(&&**key) => continue,
            Some((key, Some(value))) => {
                met.push(key);
                value
            }
        };
        let name = &text[member.name_at.start..member.value.start];
        kept.push((format!("{name}{value}"), parting));
    }
    let mut whole = front.to_owned();
    let count = kept.len();
    for (index, (member, parting)) in kept.into_iter().enumerate() {
        whole.push_str(&member);
        if index + 1 < count {
            whole.push_str(parting);
        }
    }
    let mut is_first = count == 0;
    for (key, value) in changes {
        if let (Some(value), false) = (value, met.contains(&&**key)) {
            whole.push_str(if is_first { "" } else { "," });
            whole.push_str(&format!("{}:{value}", serde_json::Value::from(&**key)));
            is_first = false;
        }
    }
    format!("{{{whole}{back}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_change_where_they_stand() {
        let mut changes = Changes::default();
        changes.change_meta("a", Some("0".to_owned()));
        changes.change_meta("c", None);
        changes.change_meta("a", Some("1".to_owned()));
        changes.id = Some("9".to_owned());
        for (before, after) in [
            (
                r#"{ "id" : 1,"params":{"_meta":{ "c" : 0 }}}"#,
                r#"{ "id" : 9,"params":{"_meta":{ "a":1 }}}"#,
            ),
            (
                r#"{"params":{"_meta":{"x":0, "\u0063":0 , "c":1,"a" : [], "a":2 }},"id":1}"#,
                r#"{"params":{"_meta":{"x":0, "a" : 1 }},"id":9}"#,
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
