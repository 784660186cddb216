//! Members of an object set and removed, everything else of it kept.

use super::script::{Part, Script};
use crate::json::{JsonKind, RawJson, SPACE, offset_in};
use crate::message::Message;
use crate::vocab::Level;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// What becomes of the member of one name.
#[derive(Clone, Copy)]
pub(super) struct Change<'a> {
    key: &'a str,
    new: New<'a>,
}

#[derive(Clone, Copy)]
enum New<'a> {
    Raw(&'a str),
    Text(&'a str),
    /// It is removed.
    Nothing,
}

impl<'a> Change<'a> {
    pub(super) const fn raw(key: &'a str, value: RawJson<'a>) -> Self {
        Self {
            key,
            new: New::Raw(value.raw()),
        }
    }

    pub(super) const fn text(key: &'a str, text: &'a str) -> Self {
        Self {
            key,
            new: New::Text(text),
        }
    }

    pub(super) const fn removal(key: &'a str) -> Self {
        Self {
            key,
            new: New::Nothing,
        }
    }

    pub(super) fn is_of(&self, name: &str) -> bool {
        self.key == name
    }

    /// Whether the member is there afterwards.
    const fn sets(&self) -> bool {
        !matches!(self.new, New::Nothing)
    }

    fn push_value(&self, script: &mut Script<'a, '_>) {
        match self.new {
            New::Raw(raw) => script.push(Part::Raw(raw)),
            New::Text(text) => script.push(Part::Text(text)),
            New::Nothing => {}
        }
    }
}

/// So many changes to an object need no allocation.
const IN_PLACE: usize = 4;

/// Changes to one object: of several to the same name the last counts. The first few stand in place; a list that has nothing
/// to drop, unlike a `SmallVec`, lets an edit borrow what is declared behind it.
#[derive(Clone)]
pub(super) struct Changes<'a> {
    first: [Change<'a>; IN_PLACE],
    /// How many of those are there; all of them before there is one more.
    count: usize,
    more: Vec<Change<'a>>,
}

impl<'a> Changes<'a> {
    pub(super) const NONE: Self = Self {
        first: [Change::removal(""); IN_PLACE],
        count: 0,
        more: Vec::new(),
    };

    pub(super) fn push(&mut self, change: Change<'a>) {
        let first = self.first.get_mut(..self.count).unwrap_or_default();
        let mut all = first.iter_mut().chain(&mut self.more);
        if let Some(earlier) = all.find(|earlier| earlier.key == change.key) {
            *earlier = change;
            return;
        }
        match self.first.get_mut(self.count) {
            Some(place) => {
                *place = change;
                self.count += 1;
            }
            None => self.more.push(change),
        }
    }

    fn iter(&self) -> impl Iterator<Item = &Change<'a>> {
        let first = self.first.get(..self.count).unwrap_or_default();
        first.iter().chain(&self.more)
    }

    pub(super) fn len(&self) -> usize {
        self.count + self.more.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn set_any(&self) -> bool {
        self.iter().any(Change::sets)
    }

    /// Whether none of the keys is in `_meta`, as far as that is seen without a walk: most of the time what is set is new.
    /// `message` is the one that `_meta` was read in.
    pub(super) fn are_new(&self, message: &Message<'_>, meta: RawJson<'_>) -> bool {
        self.iter()
            .all(|change| match Level::Meta.named(change.key) {
                // The parser has looked out for it.
                Some(member) => !message.has(member),
                None => stands_nowhere(change.key, meta),
            })
    }

    /// Sets them, all new, behind the last member of an object that begins at `at`.
    pub(super) fn append_last(&self, script: &mut Script<'a, '_>, object: RawJson<'a>, at: usize) {
        let members = object.raw().strip_suffix('}').unwrap_or("{");
        let members = members.trim_end_matches(SPACE);
        script.keep_to(at + members.len());
        append(script, self, |_| true, members.len() > 1);
    }
}

/// The bytes of the name stand nowhere, and neither does an escape, by which it could be spelt otherwise.
fn stands_nowhere(name: &str, object: RawJson<'_>) -> bool {
    memchr::memchr(b'\\', object.as_bytes()).is_none()
        && memchr::memmem::find(object.as_bytes(), name.as_bytes()).is_none()
}

/// Changes to `_meta`, within those to params or a result.
#[derive(Clone)]
pub(super) struct MetaChanges<'a> {
    pub(super) keys: Changes<'a>,
    /// Whether the object that is there goes first, with all that is in it.
    pub(super) is_dropped: bool,
}

impl MetaChanges<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty() && !self.is_dropped
    }
}

/// A walk over an object of the script's source, which begins at `at` there.
///
/// Each name of the changes is there once at most afterwards: where it first stood, or last. A member that is removed takes
/// the comma before it along, with the white space around that; one with none before it that stays, the comma behind it. So a
/// member that was put in is removed without a trace.
struct Walk<'a> {
    object: RawJson<'a>,
    at: usize,
    /// Where the last member that stays ends.
    stays: Option<usize>,
    /// Where the first member begins, as long as none stays and it is to go.
    removed: Option<usize>,
    /// Where the last member ends.
    end: usize,
}

impl<'a> Walk<'a> {
    fn new(object: RawJson<'a>, at: usize) -> Self {
        Self {
            object,
            at,
            stays: None,
            removed: None,
            end: at + 1,
        }
    }

    fn place(&self, part: &str) -> usize {
        self.at + offset_in(self.object.raw(), part)
    }

    /// The member from `start` to `end` is removed.
    fn remove(&mut self, script: &mut Script<'a, '_>, start: usize, end: usize) {
        match self.stays {
            Some(stays) => {
                script.keep_to(stays);
                script.skip_to(end);
            }
            None => drop(self.removed.get_or_insert(start)),
        }
        self.end = end;
    }

    /// The next member stays; what is removed before it is cut now.
    fn stay(&mut self, script: &mut Script<'a, '_>, start: usize) {
        let Some(removed) = self.removed.take() else {
            return;
        };
        // Nothing but white space and a comma parts two members.
        let between = self.object.raw().get(self.end - self.at..start - self.at);
        let comma = between.and_then(|between| between.find(','));
        script.keep_to(removed);
        script.skip_to(self.end + comma.map_or(0, |comma| comma + 1));
    }

    fn has_stayed(&mut self, end: usize) {
        self.stays = Some(end);
        self.end = end;
    }

    /// Behind the last member: what was removed, if all of them were. The cursor is where another can be put.
    fn finish(&self, script: &mut Script<'a, '_>) {
        if let Some(removed) = self.removed {
            script.keep_to(removed);
            script.skip_to(self.end);
        }
        script.keep_to(self.end);
    }
}

/// Goes over an object as far as its closing brace, which is left to be kept.
pub(super) fn apply<'a>(
    script: &mut Script<'a, '_>,
    object: RawJson<'a>,
    at: usize,
    changes: &Changes<'a>,
) {
    apply_with(script, object, at, changes, None);
}

/// The same for params or a result, whose `_meta` changes too.
pub(super) fn apply_section<'a>(
    script: &mut Script<'a, '_>,
    (section, has_meta): (RawJson<'a>, bool),
    changes: &Changes<'a>,
    meta: &MetaChanges<'a>,
) {
    if !has_meta && meta.keys.set_any() {
        // In front, where it is put without a walk, too.
        let stays = |(name, _): (_, RawJson<'a>)| {
            let change = changes.iter().find(|change| name == change.key);
            change.is_none_or(Change::sets)
        };
        let follows = changes.set_any() || section.members().any(stays);
        script.keep_to(1);
        put_meta(script, meta, follows);
    }
    apply_with(script, section, 0, changes, Some(meta));
}

/// `_meta` of what is set in it, as the first member of several or the only one.
pub(super) fn put_meta<'a>(script: &mut Script<'a, '_>, meta: &MetaChanges<'a>, follows: bool) {
    script.push(Part::Literal("\"_meta\":{"));
    append(script, &meta.keys, |_| true, false);
    script.push(Part::Literal(if follows { "}," } else { "}" }));
}

fn apply_with<'a>(
    script: &mut Script<'a, '_>,
    object: RawJson<'a>,
    at: usize,
    changes: &Changes<'a>,
    meta: Option<&MetaChanges<'a>>,
) {
    let mut walk = Walk::new(object, at);
    // Whether the name of each change has been met.
    let mut met: SmallVec<[bool; IN_PLACE]> = SmallVec::from_elem(false, changes.len());
    for (name, value) in object.members() {
        let (start, value_start) = (walk.place(name.raw()), walk.place(value.raw()));
        let end = value_start + value.raw().len();
        // `fuzz/prove` shows that fuzzing finds what that flag does here: a key that is spelt otherwise stays.
        let is_lost = cfg!(rpcslice_planted_bug) && name.raw().contains('\\');
        let mut numbered = changes.iter().enumerate();
        let found = numbered.find(|(_, change)| name == change.key && !is_lost);
        let change = found.map(|(_, change)| change);
        let met = found.and_then(|(index, _)| met.get_mut(index));
        let is_again = met.is_some_and(|met| core::mem::replace(met, true));
        let within = meta.filter(|meta| !meta.is_empty() && name == "_meta");
        let is_removed = match (change, within) {
            (Some(change), _) => is_again || !change.sets(),
            (None, Some(meta)) => meta.is_dropped && !meta.keys.set_any(),
            (None, None) => false,
        };
        if is_removed {
            walk.remove(script, start, end);
            continue;
        }
        walk.stay(script, start);
        if let Some(change) = change {
            script.keep_to(value_start);
            change.push_value(script);
            script.skip_to(end);
        } else if let Some(meta) = within {
            script.keep_to(value_start);
            change_meta(script, value, value_start, meta);
        }
        walk.has_stayed(end);
    }
    let is_new = |index: usize| met.get(index) == Some(&false);
    let mut numbered = changes.iter().enumerate();
    if numbered.any(|(index, change)| change.sets() && is_new(index)) {
        walk.finish(script);
        append(script, changes, is_new, walk.stays.is_some());
    } else if walk.stays.is_none() {
        walk.finish(script);
    }
}

/// `_meta` where it stands, to its end. One that is no object stays: no key of it is set, and none can be there.
pub(super) fn change_meta<'a>(
    script: &mut Script<'a, '_>,
    value: RawJson<'a>,
    at: usize,
    meta: &MetaChanges<'a>,
) {
    let end = at + value.raw().len();
    if meta.is_dropped {
        script.push(Part::Literal("{"));
        append(script, &meta.keys, |_| true, false);
        script.push(Part::Literal("}"));
        script.skip_to(end);
    } else if value.kind() == JsonKind::Object {
        apply(script, value, at, &meta.keys);
    }
    script.keep_to(end);
}

/// Members for the changes that are new, behind what is there.
fn append<'a>(
    script: &mut Script<'a, '_>,
    changes: &Changes<'a>,
    is_new: impl Fn(usize) -> bool,
    mut follows: bool,
) {
    for (index, change) in changes.iter().enumerate() {
        if change.sets() && is_new(index) {
            if follows {
                script.push(Part::Literal(","));
            }
            script.push(Part::Name(change.key));
            change.push_value(script);
            follows = true;
        }
    }
}

/// What is cut out of an object, in its own text, if the member of this name goes.
pub(super) fn cut(object: RawJson<'_>, name: &str) -> Option<(usize, usize)> {
    let place = |part: &str| offset_in(object.raw(), part);
    let mut before = None;
    let mut members = object.members();
    loop {
        let (found, value) = members.next()?;
        let (start, end) = (place(found.raw()), place(value.raw()) + value.raw().len());
        if found != name {
            before = Some(end);
            continue;
        }
        return Some(match (before, members.next()) {
            (Some(before), _) => (before, end),
            (None, Some((next, _))) => {
                let between = object.raw().get(end..place(next.raw()));
                let comma = between.and_then(|between| between.find(','));
                (start, end + comma.map_or(0, |comma| comma + 1))
            }
            (None, None) => (start, end),
        });
    }
}
