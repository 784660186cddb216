//! What the headers of a message have to say.

use super::plans::Plan;
use crate::oracle::mirror::{Mirrored, Said};
use crate::oracle::{plan, tree, value};
use rpcslice::{Header, Kind, Member, Message};

/// Which member `Mcp-Name` mirrors.
const NAMES: [(&str, Member); 6] = [
    ("tools/call", Member::Name),
    ("prompts/get", Member::Name),
    ("resources/read", Member::Uri),
    ("tasks/get", Member::TaskId),
    ("tasks/update", Member::TaskId),
    ("tasks/cancel", Member::TaskId),
];

/// What is known of the arguments that have headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Params {
    Known,
    /// One is there twice, or what it stands in: two readers may take either.
    Twice,
    /// The plan is not known, or odd.
    Unknown,
}

pub struct Body {
    /// A request that names its revision in `_meta`, as a string.
    pub is_mirrored: bool,
    /// A revision is named in `_meta`, as a string: a request or a notification does.
    pub has_version: bool,
    pub method: Option<String>,
    pub has_name: bool,
    /// Version, method and name: as far as the body has them as texts.
    pub standard: Vec<Mirrored>,
    /// By the plan; empty for other methods.
    pub params: Vec<Mirrored>,
    /// Whether those are all.
    pub known: Params,
}

impl Body {
    pub fn of(message: &Message<'_>, plan: Option<&Plan>) -> Self {
        let text = |member| {
            let raw = message.member(member)?.raw();
            tree::text(raw.starts_with('"').then_some(raw)?).ok()
        };
        let method = text(Member::Method);
        // A response names no revision, whatever its `_meta` holds.
        let is_asking = matches!(message.kind(), Kind::Request | Kind::Notification);
        let version = message
            .member(Member::ProtocolVersion)
            .filter(|_| is_asking);
        let is_string = version.is_some_and(|version| version.raw().starts_with('"'));
        let name = NAMES
            .iter()
            .find(|(name, _)| Some(*name) == method.as_deref());
        let name = name.map(|(_, member)| *member);
        let mirrored = [
            (
                Header::ProtocolVersion,
                "mcp-protocol-version",
                version
                    .and_then(|_| text(Member::ProtocolVersion))
                    .map(Said::Exact),
            ),
            (
                Header::Method,
                "mcp-method",
                method.clone().map(Said::Exact),
            ),
            (
                Header::Name,
                "mcp-name",
                name.and_then(text).map(Said::Text),
            ),
        ];
        let standard = mirrored.into_iter().filter_map(|(header, name, said)| {
            let (name, said) = (name.to_owned(), said?);
            Some(Mirrored { header, name, said })
        });
        let (params, known) = match (plan, method.as_deref()) {
            (Some(plan), Some("tools/call")) => params(message, plan),
            _ => (Vec::new(), Params::Known),
        };
        Self {
            is_mirrored: message.kind() == Kind::Request && is_string,
            has_version: is_string,
            has_name: name.is_some(),
            standard: standard.collect(),
            method,
            params,
            known,
        }
    }
}

fn params(message: &Message<'_>, plan: &Plan) -> (Vec<Mirrored>, Params) {
    let Some(annotations) = &plan.annotations else {
        return (Vec::new(), Params::Unknown);
    };
    // A scalar has nothing below it.
    let is_odd = annotations.iter().any(|(path, _)| {
        let below =
            |(other, _): &plan::Annotation| other.len() < path.len() && path.starts_with(other);
        annotations.iter().any(below)
    });
    if is_odd {
        return (Vec::new(), Params::Unknown);
    }
    let is_twice = message.params().is_some_and(|params| {
        let (text, name) = (params.raw(), "arguments".encode_utf16());
        let at = tree::root(text).expect("JSON");
        let members = tree::members(text, &at).unwrap_or_default();
        let is = |member: &&tree::Member| member.name.iter().copied().eq(name.clone());
        members.iter().filter(is).count() > 1
    });
    if is_twice && !annotations.is_empty() {
        return (Vec::new(), Params::Twice);
    }
    let arguments = message.member(Member::Arguments);
    let arguments = arguments.map_or("null", |arguments| arguments.raw());
    let mut params = Vec::new();
    for (number, (path, name)) in annotations.iter().enumerate() {
        let Ok(argument) = argument(arguments, path) else {
            return (Vec::new(), Params::Twice);
        };
        let said = match argument {
            None | Some("null") => Said::Nothing,
            Some(raw) => Said::Scalar(raw.to_owned()),
        };
        params.push(Mirrored {
            header: Header::Param(number as u16),
            name: format!("mcp-param-{}", name.to_ascii_lowercase()),
            said,
        });
    }
    (params, Params::Known)
}

/// The argument at a path. `Err`: on the way there are two of a name.
fn argument<'a>(arguments: &'a str, path: &[String]) -> Result<Option<&'a str>, Twice> {
    let mut at = tree::root(arguments).expect("JSON");
    for step in path {
        let members = tree::members(arguments, &at).unwrap_or_default();
        let is = |name: &[u16]| name.iter().copied().eq(step.encode_utf16());
        let mut found = members.into_iter().filter(|member| is(&member.name));
        at = match (found.next(), found.next()) {
            (None, _) => return Ok(None),
            (Some(member), None) => member.value,
            (Some(_), Some(_)) => return Err(Twice),
        };
    }
    Ok(Some(&arguments[at]))
}

struct Twice;

/// What has no header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsendable;

/// The value that a client writes; `Ok(None)`: none. `Err`: it can't.
pub fn written(said: &Said) -> Result<Option<String>, Unsendable> {
    Ok(Some(match said {
        Said::Nothing => return Ok(None),
        Said::Exact(text) => {
            let is_visible = text.chars().all(|c| (' '..='~').contains(&c)) && text.trim() == text;
            return is_visible.then(|| Some(text.clone())).ok_or(Unsendable);
        }
        Said::Text(text) => value::encode(text),
        Said::Scalar(raw) => match raw.as_bytes()[0] {
            b'"' => value::encode(&tree::text(raw).map_err(|_| Unsendable)?),
            b't' | b'f' => raw.clone(),
            b'[' | b'{' => return Err(Unsendable),
            _ => value::integer(raw).ok_or(Unsendable)?,
        },
    }))
}
