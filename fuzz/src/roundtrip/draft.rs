//! What is to be written, out of an input that is a message, or was one once.

use crate::oracle::{grammar, number, tree};
use crate::rng::Rng;
use rpcslice::{Id, IdBuf, Kind};

/// Deeper than any limit: what nests deeper is not looked into.
const DEEPEST: usize = 1100;

#[derive(Clone, Debug)]
pub struct Draft {
    pub kind: Kind,
    /// The JSON text of an id, which a message may have; `None` for an error without one, and for nothing else.
    pub id: Option<String>,
    pub method: String,
    /// Params or result.
    pub section: Option<String>,
    pub code: i64,
    /// Of an error.
    pub message: String,
    pub data: Option<String>,
}

impl Draft {
    /// Takes what members there are, whatever else is wrong with them.
    pub fn of(input: &[u8], rng: &mut Rng) -> Self {
        let text = String::from_utf8_lossy(input);
        let is_deep = grammar::first_too_deep(text.as_bytes(), DEEPEST).is_some();
        let root = (!is_deep).then(|| tree::root(&text)).flatten();
        let top = root.map_or_else(Vec::new, |root| members(&text, &root));
        let raw = |name: &str| find(&text, &top, name);
        let error = raw("error").map_or_else(Vec::new, |at| members(&text, &at));
        let of_error = |name: &str| find(&text, &error, name).map(|at| text[at].to_owned());
        let says = |token: Option<String>| match token.as_deref().map(said) {
            Some(said) => said,
            // Anything is a text.
            None => text.chars().take(rng_length(input)).collect(),
        };
        let mut kind = match (raw("result"), raw("error"), raw("method"), raw("id")) {
            (Some(_), ..) => Kind::Result,
            (_, Some(_), ..) => Kind::Error,
            (_, _, Some(_), Some(_)) => Kind::Request,
            (_, _, Some(_), None) => Kind::Notification,
            _ => *rng.pick(&KINDS).expect("four"),
        };
        if rng.once_in(8) {
            kind = *rng.pick(&KINDS).expect("four");
        }
        let member = |name: &str| raw(name).map(|at| text[at].to_owned());
        let section = match kind {
            Kind::Result => member("result")
                .or(member("params"))
                .or(Some("{}".to_owned())),
            _ => member("params").or(member("result")),
        };
        let id = member("id");
        let id = match kind == Kind::Error && (id.is_none() || rng.once_in(4)) {
            true => None,
            false => Some(an_id(id.as_deref(), input, rng)),
        };
        let code = of_error("code").and_then(|code| code.parse().ok());
        let data = of_error("data").or_else(|| section.clone().filter(|_| kind == Kind::Error));
        Self {
            kind,
            id,
            method: says(member("method")),
            section,
            code: code.unwrap_or_else(|| a_code(rng)),
            message: says(of_error("message")),
            data,
        }
    }
}

const KINDS: [Kind; 4] = [Kind::Request, Kind::Notification, Kind::Result, Kind::Error];

fn rng_length(input: &[u8]) -> usize {
    input.len() % 41
}

fn members(text: &str, at: &std::ops::Range<usize>) -> Vec<tree::Member> {
    tree::members(text, at).unwrap_or_default()
}

fn find(text: &str, members: &[tree::Member], name: &str) -> Option<std::ops::Range<usize>> {
    let found = crate::oracle::added::find(members, name)?;
    debug_assert!(text.get(found.value.clone()).is_some());
    Some(found.value.clone())
}

/// The text of a string; of another value, and of a string that is no text, how it is written.
fn said(token: &str) -> String {
    let text = token
        .starts_with('"')
        .then(|| tree::text(token).ok())
        .flatten();
    text.unwrap_or_else(|| token.to_owned())
}

/// The id of the input, where it can be one; or one made of its bytes.
fn an_id(raw: Option<&str>, input: &[u8], rng: &mut Rng) -> String {
    if let Some(raw) = raw {
        let id = Id::from_raw(raw).map(|id| id.raw().to_owned());
        let is_id = match raw.as_bytes()[0] {
            b'"' => true,
            b'-' | b'0'..=b'9' => number::is_integral(raw),
            _ => false,
        };
        assert_eq!(id.as_deref(), is_id.then_some(raw));
        if let Some(id) = id {
            return id;
        }
    }
    let at = rng.below(input.len() + 1);
    let text = String::from_utf8_lossy(&input[at..input.len().min(at + rng.below(60))]);
    let id = IdBuf::from(&*text);
    assert_eq!(
        tree::text(id.raw()).as_deref(),
        Ok(&*text),
        "an id made of a text"
    );
    let same = serde_json::Value::from(&*text).to_string();
    assert_eq!(Some(id.as_id()), Id::from_raw(&same));
    assert_eq!(IdBuf::from(text.len() as u64).raw(), text.len().to_string());
    id.raw().to_owned()
}

fn a_code(rng: &mut Rng) -> i64 {
    match rng.below(4) {
        0 => rng.word() as i64,
        1 => -32_099 + rng.below(110) as i64,
        2 => -32_768 + rng.below(200) as i64,
        _ => rng.below(5) as i64 - 2,
    }
}
