//! Keys of `_meta` set and removed, everything else of it kept.

use super::script::{Part, Script};
use crate::json::RawJson;
use smallvec::SmallVec;

/// What becomes of a key.
#[derive(Clone, Copy)]
pub(super) struct MetaChange<'a> {
    pub(super) key: &'a str,
    new: New<'a>,
}

#[derive(Clone, Copy)]
enum New<'a> {
    Raw(&'a str),
    Text(&'a str),
    /// It is removed.
    Nothing,
}

impl<'a> MetaChange<'a> {
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

    /// Whether the key is there afterwards.
    pub(super) const fn sets(&self) -> bool {
        !matches!(self.new, New::Nothing)
    }

    fn push_value(&self, script: &mut Script<'a>) {
        match self.new {
            New::Raw(raw) => script.push(Part::Raw(raw)),
            New::Text(text) => script.push(Part::Text(text)),
            New::Nothing => {}
        }
    }
}

/// Goes over `_meta`, an object that begins at `at`, to its closing brace, which is left to be kept. Each key of the changes is
/// there once at most afterwards: where it first stood, or last.
///
/// A member that is removed takes the comma behind it along, up to the next name; the last one that before it. So what is
/// removed can only be cut once it is known whether anything stays behind it.
pub(super) fn apply<'a>(
    script: &mut Script<'a>,
    meta: RawJson<'a>,
    at: usize,
    changes: &[MetaChange<'a>],
) {
    let place = |part: &str| at + part.as_ptr() as usize - meta.raw().as_ptr() as usize;
    // Whether the key of each change has been met.
    let mut met: SmallVec<[bool; 8]> = SmallVec::from_elem(false, changes.len());
    // Where the last member that stays ends.
    let mut stays: Option<usize> = None;
    // Where the run of removed members began that stands here, and where it ends so far.
    let mut removed: Option<(usize, usize)> = None;
    for (name, value) in meta.members() {
        let (start, end) = (place(name.raw()), place(value.raw()) + value.raw().len());
        // `fuzz/prove` shows that fuzzing finds what that flag does here: a key that is spelt otherwise stays.
        let is_lost = cfg!(rpcslice_planted_bug) && name.raw().contains('\\');
        let found = (changes.iter()).position(|change| name == change.key && !is_lost);
        let change = found.and_then(|index| changes.get(index));
        let met = found.and_then(|index| met.get_mut(index));
        let is_again = met.is_some_and(|met| core::mem::replace(met, true));
        if change.is_some_and(|change| is_again || !change.sets()) {
            removed = Some((removed.map_or(start, |(first, _)| first), end));
            continue;
        }
        if let Some((first, _)) = removed.take() {
            script.keep_to(first);
            script.skip_to(start);
        }
        if let Some(change) = change {
            script.keep_to(place(value.raw()));
            change.push_value(script);
            script.skip_to(end);
        }
        stays = Some(end);
    }
    if let Some((first, end)) = removed {
        script.keep_to(stays.unwrap_or(first));
        script.skip_to(end);
    }
    let is_new = |index: usize| met.get(index) == Some(&false);
    let mut numbered = changes.iter().enumerate();
    if numbered.any(|(index, change)| change.sets() && is_new(index)) {
        script.keep_to(stays.unwrap_or(at + 1));
        append(script, changes, is_new, stays.is_some());
    }
}

/// Members for the changes that are new, behind what is there.
pub(super) fn append<'a>(
    script: &mut Script<'a>,
    changes: &[MetaChange<'a>],
    is_new: impl Fn(usize) -> bool,
    follows: bool,
) {
    let mut follows = follows;
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
