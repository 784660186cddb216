//! The params or the result of a message that is to be written: what the caller gives, and what the writer adds to it.

use super::text::{Copying, Plain, escape};
use crate::json::{SPACE, offset_in};
use crate::message::Message;
use crate::vocab::Member;
use bytes::BufMut;
use core::fmt::Write;

/// Members that are added in front of what stands there.
pub(super) type Added<'a> = [Option<(Member, Value<'a>)>; 3];

/// The value of a member that is added.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Json(&'a str),
    Text(&'a str),
    Number(u64),
}

/// What is added, at each of the two levels.
#[derive(Clone, Copy, Default)]
pub(super) struct Additions<'a> {
    pub(super) members: Added<'a>,
    pub(super) meta: Added<'a>,
}

impl Additions<'_> {
    pub(super) fn is_empty(&self) -> bool {
        let mut all = self.members.iter().chain(&self.meta);
        all.all(Option::is_none)
    }

    /// What the caller has given stays what it is.
    pub(super) fn leave_out_what_is_in(&mut self, section: &Message<'_>) {
        for added in self.members.iter_mut().chain(&mut self.meta) {
            if added.is_some_and(|(member, _)| section.has(member)) {
                *added = None;
            }
        }
    }
}

/// Writes the section. `section` is what was read of it, and may be nothing.
pub(super) fn put(
    out: &mut impl BufMut,
    section: &Message<'_>,
    additions: &Additions<'_>,
    copying: Copying,
) {
    let text = section.frame();
    let given = text.strip_prefix('{').unwrap_or("}");
    let meta = section.meta();
    out.put_u8(b'{');
    let mut is_first = put_members(out, &additions.members, true, copying);
    let has_meta = additions.meta.iter().any(Option::is_some);
    if meta.is_none() && has_meta {
        out.put_slice(if is_first {
            br#""_meta":{"#
        } else {
            br#","_meta":{"#
        });
        put_members(out, &additions.meta, true, copying);
        out.put_u8(b'}');
        is_first = false;
    }
    if !is_first && !is_empty(given) {
        out.put_u8(b',');
    }
    let Some(meta) = meta.filter(|_| has_meta) else {
        return copying.copy(given, |piece| out.put_slice(piece.as_bytes()));
    };
    // `_meta` is a slice of the text, and begins with a brace.
    let at = offset_in(given, meta.raw().raw());
    let (before, after) = given.split_at(at + 1);
    copying.copy(before, |piece| out.put_slice(piece.as_bytes()));
    put_members(out, &additions.meta, true, copying);
    if !is_empty(after) {
        out.put_u8(b',');
    }
    copying.copy(after, |piece| out.put_slice(piece.as_bytes()));
}

/// Whether nothing is left to come but the closing brace.
pub(super) fn is_empty(rest: &str) -> bool {
    rest.trim_start_matches(SPACE).starts_with('}')
}

/// Whether the next member is still the first.
fn put_members(
    out: &mut impl BufMut,
    members: &Added<'_>,
    mut is_first: bool,
    copying: Copying,
) -> bool {
    for (member, value) in members.iter().flatten() {
        out.put_slice(if is_first { b"\"" } else { b",\"" });
        out.put_slice(member.name().as_bytes());
        out.put_slice(b"\":");
        let mut put = |piece: &str| out.put_slice(piece.as_bytes());
        match *value {
            Value::Json(raw) => copying.copy(raw, put),
            Value::Text(text) => {
                put("\"");
                escape(text, copying, &mut put);
                put("\"");
            }
            // Writing into a `BufMut` does not fail.
            Value::Number(number) => drop(write!(Plain(out), "{number}")),
        }
        is_first = false;
    }
    is_first
}
