//! However tokens are found, the same is said of a text: by every instruction set, by the exact scanner, by the oracles.
//!
//! | module | what |
//! |---|---|
//! | [`wrap`] | what an input is wrapped in, so that it comes to stand at the borders of blocks and windows |
//! | [`edit`] | edits that are quick, and mostly of what tokens depend on |
//! | [`bases`] | the texts that are edited |
//! | [`made`] | an input made of all that, by its number |

pub mod bases;
pub mod edit;
pub mod made;
pub mod wrap;

use crate::oracle::envelope::judge;
use crate::oracle::grammar::{self, Fault};
use crate::rng::{Rng, hash};
use crate::{message, mutator, options};
use rpcslice::__variants::{
    self, Variant, is_read_by_tokens, is_same, is_taken_by_tokens, parse_by_tokens,
};
use rpcslice::json::RawJson;
use rpcslice::{Error, Limits, Message, Policy};
use serde::de::IgnoredAny;

/// Tokens are made for so many containers, and a few more: what is nested deeper may be left to the exact scanner.
const SHALLOW: usize = 60;

/// What was found of a text that all agree on.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// It is well-formed, within the limits.
    pub good: bool,
    /// Tokens alone said so, by every instruction set there is here.
    pub taken: bool,
    /// It is a message, by the strict policy.
    pub accepted: bool,
}

/// The target.
pub fn run(data: &[u8]) {
    let (input, tail) = options::split(data);
    let text = wrap::wrapped(input);
    let limits = options::limits(&text, tail);
    let found = hold(&text, &limits);
    judged(&text, &limits);
    for variant in Variant::ALL {
        if __variants::force(variant) {
            for policy in [Policy::strict(), Policy::lenient()] {
                let exact = parse_exactly(&text, &limits, &policy);
                same(
                    variant,
                    &exact,
                    &Message::parse_with(&text, &limits, &policy),
                );
            }
        }
    }
    __variants::reset();
    crate::count::execution(found.good, signature(&text, found));
}

pub fn mutate(data: &[u8], rng: &mut Rng) -> Vec<u8> {
    let (head, rest) = wrap::split(data);
    let mut heads = head.to_vec();
    if rng.once_in(4) {
        wrap::edit(&mut heads, rng);
    }
    let rest = mutator::with_tail(rest, rng, |text, rng| {
        if rng.once_in(8) {
            *text = bases::pick(rng).to_vec();
        }
        edit::edit(text, rng);
    });
    [heads, rest].concat()
}

/// For libFuzzer: `size` bytes of `data` to new ones of at most `max`.
pub fn mutate_in_place(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    let mut rng = Rng::new(u64::from(seed));
    let mutated = mutate(&data[..size], &mut rng);
    let len = mutated.len().min(max).min(data.len());
    data[..len].copy_from_slice(&mutated[..len]);
    len
}

/// What the text was like: how it begins, how long it is, and what was said of it.
fn signature(text: &[u8], found: Found) -> u64 {
    let start = &text[..text.len().min(4)];
    let said = [found.good, found.taken, found.accepted].map(u8::from);
    hash(&[start, &said, &[text.len().ilog2_or_zero()]].concat())
}

trait Log {
    fn ilog2_or_zero(self) -> u8;
}

impl Log for usize {
    fn ilog2_or_zero(self) -> u8 {
        self.checked_ilog2().map_or(0, |log| log as u8)
    }
}

/// Panics if not all say the same of the text.
pub fn hold(text: &[u8], limits: &Limits) -> Found {
    let good = is_good(text, limits);
    let is_shallow = grammar::first_too_deep(text, SHALLOW).is_none();
    let mut taken = good;
    for variant in Variant::ALL {
        let Some(says) = is_taken_by_tokens(variant, text, limits) else {
            continue;
        };
        assert!(good || !says, "{variant:?} takes what is bad");
        let has_to = is_shallow || variant == Variant::Sse2;
        assert!(says || !good || !has_to, "{variant:?} leaves what is good");
        taken &= says;
    }
    let raw = RawJson::parse_with(text, limits);
    let is_too_long = text.len() > limits.max_frame_bytes();
    assert_eq!(raw.is_ok(), good && !is_too_long, "RawJson: {raw:?}");
    let mut accepted = false;
    for policy in [Policy::strict(), Policy::lenient()] {
        accepted |= messages(text, limits, &policy, good) && policy == Policy::strict();
    }
    if good && is_shallow && !is_too_long {
        let is_object = text.trim_ascii_start().first() == Some(&b'{');
        for variant in Variant::ALL {
            let read = is_read_by_tokens(variant, text, limits, &Policy::strict());
            let is_exact = variant == Variant::Sse2;
            assert!(
                read.is_none_or(|read| read == (is_object && !is_exact)),
                "{variant:?}"
            );
        }
    }
    Found {
        good,
        taken,
        accepted,
    }
}

/// Panics if the message oracle says otherwise. It is slow.
pub fn judged(text: &[u8], limits: &Limits) {
    for (policy, lenient) in [(Policy::strict(), false), (Policy::lenient(), true)] {
        let exact = parse_exactly(text, limits, &policy);
        message::hold(text, &exact, &judge(text, limits, lenient));
    }
}

/// Whether the oracles say that the text is well-formed, and not too deep. Its length is not looked at.
fn is_good(text: &[u8], limits: &Limits) -> bool {
    let fault = grammar::fault(text, limits.max_depth());
    // `serde_json` has a limit of its own, beyond which it knows nothing.
    let is_deep = matches!(fault, Some(Fault::TooDeep(_)));
    if !is_deep && grammar::first_too_deep(text, 100).is_none() {
        let says = core::str::from_utf8(text)
            .is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok());
        assert_eq!(says, fault.is_none(), "the oracles differ");
    }
    fault.is_none()
}

/// By the exact scanner.
fn parse_exactly<'a>(
    text: &'a [u8],
    limits: &Limits,
    policy: &Policy,
) -> Result<Message<'a>, Error> {
    // Where there is no SSE2, there is nothing but the exact scanner.
    parse_by_tokens(Variant::Sse2, text, limits, policy)
        .unwrap_or_else(|| Message::parse_with(text, limits, policy))
}

/// Holds every way of parsing to the exact scanner. Whether it is a message.
fn messages(text: &[u8], limits: &Limits, policy: &Policy, good: bool) -> bool {
    let exact = parse_exactly(text, limits, policy);
    assert!(
        good || exact.is_err(),
        "a message that is no JSON: {exact:?}"
    );
    for variant in Variant::ALL {
        if variant != Variant::Sse2
            && let Some(parsed) = parse_by_tokens(variant, text, limits, policy)
        {
            same(variant, &exact, &parsed);
        }
    }
    // What is taken at run time, or has been forced for the whole process.
    same(
        Variant::Sse2,
        &exact,
        &Message::parse_with(text, limits, policy),
    );
    exact.is_ok()
}

fn same(variant: Variant, exact: &Result<Message<'_>, Error>, got: &Result<Message<'_>, Error>) {
    match (exact, got) {
        (Ok(exact), Ok(got)) => assert!(is_same(exact, got), "{variant:?}: {exact:?}; {got:?}"),
        (Err(exact), Err(got)) => assert_eq!(exact, got, "{variant:?}"),
        _ => panic!("{variant:?}: exactly {exact:?}; {got:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bases_are_held() {
        let mut good = 0;
        for base in bases::all() {
            let found = hold(base, &Limits::new());
            judged(base, &Limits::new());
            good += usize::from(found.good);
        }
        assert!(good * 10 > bases::all().len() * 9);
    }

    #[test]
    fn mutated_inputs_are_held() {
        let mut rng = Rng::new(1);
        let mut data = Vec::new();
        for _ in 0..3000 {
            data = mutate(&data, &mut rng);
            data.truncate(3000);
            run(&data);
        }
    }
}
