//! Before any timing: does everybody read every message, and find the same in it?

use std::collections::BTreeMap;

use crate::digest::Digest;
use crate::load::Class;
use crate::rivals::{Rival, Scratch};

/// What the rivals made of one class, each at its place in the lineup.
pub struct Verdict<'r> {
    rivals: &'r [&'static Rival],
    /// How many messages a rival couldn't read.
    pub unread: Vec<usize>,
    /// How many a rival read otherwise than the others, with the first such case in words.
    pub apart: Vec<(usize, String)>,
}

/// Has every one of `rivals` read every message of `class`.
pub fn check<'r>(
    rivals: &'r [&'static Rival],
    class: &Class,
    scratch: &mut Scratch,
) -> Verdict<'r> {
    let mut verdict = Verdict {
        rivals,
        unread: vec![0; rivals.len()],
        apart: vec![(0, String::new()); rivals.len()],
    };
    for (nth, frame) in class.frames.iter().enumerate() {
        let found: Vec<Option<Digest>> = rivals
            .iter()
            .map(|rival| rival.read(frame, scratch))
            .collect();
        let judged = || {
            rivals
                .iter()
                .zip(&found)
                .filter(|(rival, _)| !rival.is_floor())
        };
        let Some(agreed) = majority(judged().filter_map(|(_, found)| *found)) else {
            // Nobody reads it: for all of them it is unread, and there is nothing to differ about.
            for (rival, unread) in rivals.iter().zip(&mut verdict.unread) {
                *unread += usize::from(!rival.is_floor());
            }
            continue;
        };
        for (place, (rival, found)) in rivals.iter().zip(&found).enumerate() {
            match found {
                _ if rival.is_floor() => {}
                None => verdict.unread[place] += 1,
                Some(found) if *found != agreed => {
                    let (count, first) = &mut verdict.apart[place];
                    if *count == 0 {
                        *first = format!("message {nth}: {}", differences(found, &agreed));
                    }
                    *count += 1;
                }
                Some(_) => {}
            }
        }
    }
    verdict
}

/// What most found; of equals, what was found first.
fn majority(found: impl Iterator<Item = Digest>) -> Option<Digest> {
    let mut votes: BTreeMap<[u64; 4], (usize, Digest)> = BTreeMap::new();
    let mut best: Option<(usize, Digest)> = None;
    for digest in found {
        let key = [digest.method, digest.id, digest.version, digest.name];
        let (count, _) = votes.entry(key).or_insert((0, digest));
        *count += 1;
        if best.is_none_or(|(most, _)| *count > most) {
            best = Some((*count, digest));
        }
    }
    best.map(|(_, digest)| digest)
}

fn differences(found: &Digest, agreed: &Digest) -> String {
    let fields = [
        ("method", found.method, agreed.method),
        ("id", found.id, agreed.id),
        ("version", found.version, agreed.version),
        ("name", found.name, agreed.name),
    ];
    let named: Vec<String> = fields
        .iter()
        .filter(|(_, found, agreed)| found != agreed)
        .map(|(field, found, _)| match found {
            0 => format!("no {field}"),
            _ => format!("another {field}"),
        })
        .collect();
    named.join(", ")
}

impl Verdict<'_> {
    /// Whether all non-floors read all messages and found the same.
    pub fn is_unanimous(&self) -> bool {
        self.unread.iter().all(|count| *count == 0)
            && self.apart.iter().all(|(count, _)| *count == 0)
    }

    /// Whether there is no message in `class` that anybody can read.
    pub fn is_unread(&self, class: &Class) -> bool {
        let judged = self
            .rivals
            .iter()
            .zip(&self.unread)
            .filter(|(rival, _)| !rival.is_floor());
        judged
            .map(|(_, unread)| *unread)
            .all(|unread| unread == class.frames.len())
    }

    /// One line for each rival that stands out.
    pub fn complaints(&self, class: &Class) -> Vec<String> {
        let total = class.frames.len();
        let mut lines = Vec::new();
        for (place, rival) in self.rivals.iter().enumerate() {
            if self.unread[place] > 0 {
                let count = self.unread[place];
                lines.push(format!("{}: cannot read {count} of {total}", rival.name));
            }
            let (count, first) = &self.apart[place];
            if *count > 0 {
                lines.push(format!(
                    "{}: finds something else in {count} of {total} ({first})",
                    rival.name
                ));
            }
        }
        lines
    }
}
