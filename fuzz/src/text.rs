//! `RawJson`, `JsonStr` and `Id` against `serde_json` and the oracle: what is well-formed, where members and elements
//! stand, what strings say, which of them are equal.

use crate::mutator::{self, json};
use crate::options;
use crate::oracle::grammar::{self, Fault};
use crate::oracle::{number, tree};
use crate::rng::Rng;
use rpcslice::json::{JsonKind, JsonStr, RawJson, SyntaxErrorKind};
use rpcslice::{Id, IdBuf};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// Containers that are walked, and strings or ids of which each pair is compared: so many of a text at most.
const MOST_CONTAINERS: usize = 64;
const MOST_COMPARED: usize = 8;

/// The target.
pub fn run(data: &[u8]) {
    let (bytes, tail) = options::split(data);
    let limits = options::limits(bytes, tail);
    let parsed = RawJson::parse_with(bytes, &limits);
    let fault = grammar::fault(bytes, limits.max_depth());
    if bytes.len() > limits.max_frame_bytes() {
        let error = parsed.expect_err("too long");
        assert_eq!(error.kind(), SyntaxErrorKind::TooLong);
        assert_eq!(error.at(), limits.max_frame_bytes());
        return crate::count::execution(false, 0);
    }
    let is_deep = grammar::first_too_deep(bytes, limits.max_depth()).is_some();
    let text = std::str::from_utf8(bytes).ok().filter(|_| !is_deep);
    let root = text.and_then(|text| Some((text, tree::root(text)?)));
    match (parsed, root) {
        (Ok(value), Some((text, root))) => {
            assert_eq!(fault, None);
            let signature = Walk::of(text).run(value, root);
            crate::count::execution(true, signature);
        }
        (Err(error), None) => {
            let expected = match error.kind() {
                SyntaxErrorKind::TooDeep => Fault::TooDeep(error.at()),
                _ => Fault::Syntax(error.at()),
            };
            assert_eq!(fault, Some(expected), "{error}");
            let is_end = error.kind() == SyntaxErrorKind::UnexpectedEnd;
            assert_eq!(is_end, error.at() == bytes.len(), "{error}");
            if error.kind() == SyntaxErrorKind::InvalidUtf8 {
                let from_there = std::str::from_utf8(&bytes[error.at()..]);
                assert_eq!(from_there.map_err(|e| e.valid_up_to()), Err(0), "{error}");
            }
            assert!(!error.to_string().is_empty());
            crate::count::execution(false, error.kind() as u64);
        }
        (Ok(_), None) => panic!("accepted; the oracle refuses: {fault:?}"),
        (Err(error), Some(_)) => panic!("refused: {error}; the oracle accepts"),
    }
}

pub fn mutate(data: &[u8], rng: &mut Rng) -> Vec<u8> {
    mutator::with_tail(data, rng, |text, rng| {
        if rng.once_in(12) {
            *text = json::fresh_value(rng);
        }
        json::edit(text, rng);
    })
}

/// For libFuzzer: `size` bytes of `data` to new ones of at most `max`.
pub fn mutate_in_place(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    mutator::in_place(data, size, max, seed, mutate)
}

/// A walk over a well-formed text, with both at once.
struct Walk<'a> {
    text: &'a str,
    strings: Vec<JsonStr<'a>>,
    ids: Vec<Id<'a>>,
    /// What was met, a bit each.
    met: u64,
}

impl<'a> Walk<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            text,
            strings: Vec::new(),
            ids: Vec::new(),
            met: 0,
        }
    }

    fn run(mut self, value: RawJson<'a>, root: Range<usize>) -> u64 {
        let mut waiting = vec![(value, root)];
        let mut containers = 0;
        while let Some((value, at)) = waiting.pop() {
            self.value(value, &at);
            if matches!(value.kind(), JsonKind::Object | JsonKind::Array) {
                containers += 1;
                if containers <= MOST_CONTAINERS {
                    self.members(value, &at, &mut waiting);
                    self.elements(value, &at, &mut waiting);
                }
            }
        }
        for a in &self.strings {
            for b in &self.strings {
                compare_strings(*a, *b);
            }
        }
        for a in &self.ids {
            for b in &self.ids {
                compare_ids(*a, *b);
            }
        }
        self.met
    }

    fn same_place(&self, got: &str, at: &Range<usize>) {
        let start = (got.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        assert_eq!(start..start.wrapping_add(got.len()), *at);
    }

    fn value(&mut self, value: RawJson<'a>, at: &Range<usize>) {
        self.same_place(value.raw(), at);
        let raw = &self.text[at.clone()];
        let kind = match raw.as_bytes()[0] {
            b'{' => JsonKind::Object,
            b'[' => JsonKind::Array,
            b'"' => JsonKind::String,
            b'n' => JsonKind::Null,
            b't' | b'f' => JsonKind::Bool,
            _ => JsonKind::Number,
        };
        assert_eq!(value.kind(), kind);
        assert_eq!(value.is_null(), raw == "null");
        assert_eq!(value.as_bool(), serde_json::from_str(raw).ok());
        assert_eq!(value.as_string().is_some(), kind == JsonKind::String);
        let is_integer = kind == JsonKind::Number && number::is_integer(raw);
        assert_eq!(value.is_integer(), is_integer);
        assert_eq!(value.as_i64(), raw.parse().ok().filter(|_| is_integer));
        let unsigned = if raw == "-0" { "0" } else { raw };
        assert_eq!(value.as_u64(), unsigned.parse().ok().filter(|_| is_integer));
        self.met |= 1 << kind as u64;
        let is_id = match kind {
            JsonKind::String => true,
            JsonKind::Number => number::is_integral(raw),
            _ => false,
        };
        let id = Id::from_raw(raw);
        assert_eq!(id.is_some(), is_id, "as an id");
        if let Some(id) = id {
            assert_eq!(id.raw(), raw);
            assert_eq!(id.as_i64(), value.as_i64());
            assert_eq!(id.as_str(), value.as_string());
            if self.ids.len() < MOST_COMPARED {
                self.ids.push(id);
            }
        }
        if let Some(string) = value.as_string() {
            self.string(string);
        }
    }

    fn members(
        &mut self,
        value: RawJson<'a>,
        at: &Range<usize>,
        waiting: &mut Vec<(RawJson<'a>, Range<usize>)>,
    ) {
        let expected = match value.kind() {
            JsonKind::Object => tree::members(self.text, at).expect("an object"),
            _ => Vec::new(),
        };
        let got: Vec<_> = value.members().collect();
        assert_eq!(got.len(), expected.len(), "members");
        for ((name, value), member) in got.iter().zip(&expected) {
            self.same_place(name.raw(), &member.name_at);
            self.same_place(value.raw(), &member.value);
            self.string(*name);
            waiting.push((*value, member.value.clone()));
        }
        let last = |name: &str| {
            let mut backwards = expected.iter().rev();
            let member = backwards.find(|m| name.encode_utf16().eq(m.name.iter().copied()))?;
            Some(&self.text[member.value.clone()])
        };
        let names: Vec<String> = got
            .iter()
            .filter_map(|(name, _)| tree::text(name.raw()).ok())
            .collect();
        for name in names.iter().take(MOST_COMPARED) {
            assert_eq!(value.get(name).map(|v| v.raw()), last(name), "get");
            let absent = format!("{name}x");
            let asked = [name.as_str(), &absent, "_meta", name];
            let many = value.get_many(asked).map(|v| v.map(|v| v.raw()));
            assert_eq!(many, asked.map(last), "get_many");
        }
    }

    fn elements(
        &mut self,
        value: RawJson<'a>,
        at: &Range<usize>,
        waiting: &mut Vec<(RawJson<'a>, Range<usize>)>,
    ) {
        let expected = match value.kind() {
            JsonKind::Array => tree::elements(self.text, at).expect("an array"),
            _ => Vec::new(),
        };
        let got: Vec<_> = value.elements().collect();
        assert_eq!(got.len(), expected.len(), "elements");
        for (value, at) in got.into_iter().zip(expected) {
            self.same_place(value.raw(), &at);
            waiting.push((value, at));
        }
    }

    /// A string on its own: what it says, and that it is that and nothing else.
    fn string(&mut self, string: JsonStr<'a>) {
        let raw = string.raw();
        let by_serde: Option<String> = serde_json::from_str(raw).ok();
        let inner = &raw[1..raw.len() - 1];
        assert_eq!(string.inner(), inner);
        assert_eq!(string.as_str(), (!inner.contains('\\')).then_some(inner));
        match tree::text(raw) {
            Ok(text) => {
                assert_eq!(string.decode().as_deref(), Ok(text.as_str()));
                assert_eq!(by_serde.as_ref(), Some(&text), "the oracles differ");
                assert!(string.is_text());
                assert!(string == *text && string == text.as_str());
                assert_ne!(string, format!("{text}x").as_str());
                assert_ne!(string, format!("x{text}").as_str());
                if let Some((last, _)) = text.char_indices().next_back() {
                    assert_ne!(string, &text[..last]);
                }
            }
            Err(lone) => {
                assert_eq!(string.decode().map_err(|e| e.at()), Err(lone));
                assert_eq!(by_serde, None, "the oracles differ");
                assert!(!string.is_text());
                assert_ne!(string, "");
                assert_ne!(string, inner);
                self.met |= 1 << 8;
            }
        }
        self.met |= u64::from(inner.contains('\\')) << 9 | u64::from(!inner.is_ascii()) << 10;
        self.met |= 1 << (11 + inner.len().min(256) / 8);
        if self.strings.len() < MOST_COMPARED {
            self.strings.push(string);
        }
    }
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// By text where both have one, else by raw bytes.
fn equal_strings(a: &str, b: &str) -> bool {
    match (tree::text(a), tree::text(b)) {
        (Ok(a), Ok(b)) => a == b,
        (Err(_), Err(_)) => a == b,
        _ => false,
    }
}

fn compare_strings(a: JsonStr<'_>, b: JsonStr<'_>) {
    let expected = equal_strings(a.raw(), b.raw());
    assert_eq!(a == b, expected, "{} and {}", a.raw(), b.raw());
    if expected {
        assert_eq!(hash(&a), hash(&b), "{} and {}", a.raw(), b.raw());
    }
    if let Ok(text) = tree::text(b.raw()) {
        assert_eq!(a == *text, expected, "{} and the text {text:?}", a.raw());
    }
}

/// "Strings by their decoded text (by raw bytes where it can't be decoded), integers by their digits (`-0` = `0`), floats
/// by raw text; a string never equals a number."
fn compare_ids(a: Id<'_>, b: Id<'_>) {
    let [x, y] = [a, b].map(|id| if id.raw() == "-0" { "0" } else { id.raw() });
    let expected = match (x.starts_with('"'), y.starts_with('"')) {
        (true, true) => equal_strings(x, y),
        (false, false) => x == y,
        _ => false,
    };
    let (owned, other) = (IdBuf::from(a), IdBuf::from(b));
    assert_eq!(owned.raw(), a.raw());
    assert_eq!(a == b, expected, "ids {x} and {y}");
    assert_eq!(owned == other, expected, "owned ids {x} and {y}");
    assert_eq!(owned == b, expected, "ids {x} (owned) and {y}");
    assert_eq!(hash(&owned), hash(&a));
    if expected {
        assert_eq!(hash(&a), hash(&b), "ids {x} and {y}");
    }
}
