//! What the tables of decoding have in common: ways from one text to one value, which are looked at before they are timed.

use std::hint::black_box;

use rpcslice::decode::{OwnedJson, SimdScratch};
use rpcslice::{Message, MessageBuf, RawJson};
use serde_json::Value;

use crate::clock::{self, Times};
use crate::load::Class;

/// Seconds a way works at a stretch.
const SLOT: f64 = 5e-3;

/// One message, and what is to be decoded of it.
pub struct Job<'a> {
    pub frame: &'a [u8],
    pub is_result: bool,
    /// The params or the result.
    pub value: RawJson<'a>,
    /// The same in bytes of its own, to be copied before each decoding in place.
    pub owned: OwnedJson,
}

/// One way of decoding.
pub struct Way {
    pub name: &'static str,
    /// What it does, and what it spares itself.
    pub note: &'static str,
    /// None if it can't be done this way.
    pub run: fn(&Job<'_>, &mut SimdScratch, &mut Look) -> Option<()>,
    /// A floor has no value to show.
    pub is_floor: bool,
}

/// What is done with a value that was decoded, before it is dropped: all of that is timed.
pub enum Look {
    /// Nothing, where the compiler can't know it.
    Past,
    /// It is told as a tree.
    At(Value),
}

impl Look {
    #[inline(always)]
    pub fn at<T>(&mut self, value: &T, told: impl FnOnce(&T) -> Value) {
        match self {
            Self::Past => {
                black_box(value);
            }
            Self::At(tree) => *tree = told(value),
        }
    }
}

impl<'a> Job<'a> {
    /// Of the first message of a class, if it has params or a result.
    pub fn of(class: &'a Class) -> Option<Self> {
        let frame = &class.frames.first()?.bytes;
        let message = Message::parse(frame).ok()?;
        let owned = MessageBuf::parse(frame.clone()).ok()?;
        let (value, owned) = match message.params() {
            Some(params) => (params, owned.into_params()?),
            None => (message.result()?, owned.into_result()?),
        };
        Some(Self {
            frame,
            is_result: message.params().is_none(),
            value,
            owned,
        })
    }
}

/// What each way finds: `None` if nothing, or if it is a floor.
pub fn look(ways: &[Way], job: &Job<'_>) -> Vec<Option<Value>> {
    let mut scratch = SimdScratch::new();
    let found = ways.iter().map(|way| {
        let mut look = Look::At(Value::Null);
        let done = (way.run)(job, &mut scratch, &mut look);
        match (done, look) {
            (Some(()), Look::At(tree)) if !way.is_floor => Some(tree),
            _ => None,
        }
    });
    found.collect()
}

/// Times the ways. All of them have to be able.
pub fn measure(ways: &[Way], job: &Job<'_>, rounds: usize) -> Vec<Times> {
    let mut scratch = SimdScratch::new();
    clock::measure(ways.len(), rounds, SLOT, 1, |place| {
        black_box((ways[place].run)(
            black_box(job),
            &mut scratch,
            &mut Look::Past,
        ));
    })
}

/// Whether two trees are the same: whatever the order of members, and but for two units in the last place of a fraction,
/// by which `serde_json` may miss the nearest `f64` without its feature `float_roundtrip`.
pub fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let has_same = |(name, value)| other.get(name).is_some_and(|its| is_same(value, its));
            one.len() == other.len() && one.iter().all(has_same)
        }
        (Value::Array(one), Value::Array(other)) => {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.all(|(one, other)| is_same(one, other))
        }
        (Value::Number(one), Value::Number(other)) => {
            let near =
                |(one, other): (f64, f64)| (one - other).abs() <= 2.0 * f64::EPSILON * one.abs();
            one == other || one.as_f64().zip(other.as_f64()).is_some_and(near)
        }
        _ => one == other,
    }
}
