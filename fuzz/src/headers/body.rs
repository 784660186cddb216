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

pub struct Body {
    /// A request that names its revision in `_meta`, as a string.
    pub is_mirrored: bool,
    pub method: Option<String>,
    pub has_name: bool,
    /// Version, method and name: as far as the body has them as texts.
    pub standard: Vec<Mirrored>,
    /// By the plan; empty for other methods.
    pub params: Vec<Mirrored>,
    /// There are no two arguments of a name, nor any the plan of which this can't tell.
    pub are_params_known: bool,
}

impl Body {
    pub fn of(message: &Message<'_>, plan: Option<&Plan>) -> Self {
        let text = |member| {
            let raw = message.member(member)?.raw();
            tree::text(raw.starts_with('"').then_some(raw)?).ok()
        };
        let method = text(Member::Method);
        let version = message.member(Member::ProtocolVersion);
        let is_string = version.is_some_and(|version| version.raw().starts_with('"'));
        let name = NAMES
            .iter()
            .find(|(name, _)| Some(*name) == method.as_deref());
        let name = name.map(|(_, member)| *member);
        let mirrored = [
            (
                Header::ProtocolVersion,
                "mcp-protocol-version",
                text(Member::ProtocolVersion).map(Said::Exact),
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
        let (params, are_params_known) = match (plan, method.as_deref()) {
            (Some(plan), Some("tools/call")) => params(message, plan),
            _ => (Vec::new(), true),
        };
        Self {
            is_mirrored: message.kind() == Kind::Request && is_string,
            has_name: name.is_some(),
            standard: standard.collect(),
            method,
            params,
            are_params_known,
        }
    }
}

fn params(message: &Message<'_>, plan: &Plan) -> (Vec<Mirrored>, bool) {
    let Some(annotations) = &plan.annotations else {
        return (Vec::new(), false);
    };
    // A scalar has nothing below it.
    let is_odd = annotations.iter().any(|(path, _)| {
        let below =
            |(other, _): &plan::Annotation| other.len() < path.len() && path.starts_with(other);
        annotations.iter().any(below)
    });
    let arguments = message
        .member(Member::Arguments)
        .map_or("null", |a| a.raw());
    let root = tree::root(arguments).expect("JSON");
    if is_odd || plan::has_duplicates(arguments, &root) {
        return (Vec::new(), false);
    }
    let params = annotations
        .iter()
        .enumerate()
        .map(|(number, (path, name))| {
            let mut at = Some(root.clone());
            for step in path {
                at = at.and_then(|at| {
                    let members = tree::members(arguments, &at)?;
                    let is = |name: &[u16]| name.iter().copied().eq(step.encode_utf16());
                    Some(members.into_iter().find(|member| is(&member.name))?.value)
                });
            }
            let said = match at.map(|at| &arguments[at]) {
                None | Some("null") => Said::Nothing,
                Some(raw) => Said::Scalar(raw.to_owned()),
            };
            Mirrored {
                header: Header::Param(number as u16),
                name: format!("mcp-param-{}", name.to_ascii_lowercase()),
                said,
            }
        });
    (params.collect(), true)
}

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
