//! `x-mcp-header`: which arguments of a tool go into headers
//! (2026-07-28 `basic/transports/streamable-http#schema-extension`, `server/tools#x-mcp-header`).

use crate::json::JsonStr;
use ::http::HeaderName;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The headers of a tool's arguments. Made once for a tool, used for each call.
///
/// ```
/// use rpcslice::http::ParamPlan;
/// use rpcslice::json::RawJson;
///
/// let schema = br#"{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}"#;
/// let plan = ParamPlan::compile(RawJson::parse(schema)?)?;
/// assert_eq!(plan.annotations().collect::<Vec<_>>(), [("region".to_owned(), "Region")]);
///
/// let arguments = RawJson::parse(br#"{"region":"us-west1","q":"x"}"#)?;
/// let headers = plan.headers(Some(arguments))?;
/// assert_eq!(headers["Mcp-Param-Region"], "us-west1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ParamPlan {
    pub(super) params: Vec<Param>,
    /// The properties on the way to annotated ones; the root is the first.
    pub(super) nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
pub(super) struct Param {
    /// `mcp-param-..`
    pub(super) header: HeaderName,
    pub(super) annotation: Box<str>,
    pub(super) path: Vec<Box<str>>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// Properties by name.
    children: Vec<(Box<str>, usize)>,
    /// The number of the annotation that stands here.
    pub(super) param: Option<usize>,
}

impl Node {
    pub(super) fn child(&self, name: &JsonStr<'_>) -> Option<usize> {
        let mut children = self.children.iter();
        let found = match name.as_str() {
            Some(text) => children.find(|(child, _)| **child == *text),
            None => children.find(|(child, _)| *name == **child),
        };
        found.map(|&(_, node)| node)
    }

    pub(super) fn first_child(&self) -> Option<usize> {
        self.children.first().map(|&(_, node)| node)
    }
}

impl ParamPlan {
    /// Whether no argument goes into a header.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.params.is_empty()
    }

    /// The annotations, in their order: the property's path joined by dots, and the name as it is annotated, which goes
    /// behind `Mcp-Param-`. Their numbers are those of [`Header::Param`](crate::Header::Param).
    pub fn annotations(&self) -> impl Iterator<Item = (String, &str)> {
        self.params
            .iter()
            .map(|param| (param.path.join("."), &*param.annotation))
    }

    /// Adds an annotation at a path that has none.
    pub(super) fn add(&mut self, path: &[Box<str>], annotation: Box<str>, header: HeaderName) {
        let number = self.params.len();
        let node = self.node(path);
        if let Some(node) = self.nodes.get_mut(node) {
            node.param = Some(number);
        }
        self.params.push(Param {
            header,
            annotation,
            path: path.to_vec(),
        });
    }

    /// The node at a path, made where there is none.
    fn node(&mut self, path: &[Box<str>]) -> usize {
        if self.nodes.is_empty() {
            self.nodes.push(Node::default());
        }
        let mut at = 0;
        for name in path {
            let children = self.nodes.get(at).map(|node| node.children.as_slice());
            // The last is the one that the schema is at.
            let mut children = children.unwrap_or(&[]).iter().rev();
            at = match children.find(|(child, _)| child == name) {
                Some(&(_, node)) => node,
                None => {
                    let new = self.nodes.len();
                    self.nodes.push(Node::default());
                    if let Some(node) = self.nodes.get_mut(at) {
                        node.children.push((name.clone(), new));
                    }
                    new
                }
            };
        }
        at
    }
}

/// Why a tool's annotations are bad: a client on HTTP drops the tool from its list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError {
    pub(super) kind: PlanErrorKind,
    pub(super) at: usize,
    pub(super) property: String,
}

/// What is wrong with an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlanErrorKind {
    /// Not at a property that is reached by `properties` alone: under `items`, `oneOf`, `$defs` and their like, or at the
    /// root.
    Place,
    /// Its value is no string, or no token (RFC 9110 section 5.6.2).
    Name,
    /// Another has the same name, letter case aside.
    Repeated,
    /// The property's `type` is not `integer`, `string` or `boolean`.
    Type,
    /// A member that decides stands there twice: two readers may take different ones.
    Duplicate,
    /// More annotations than 65,536.
    TooMany,
}

impl PlanErrorKind {
    const fn sentence(self) -> &'static str {
        match self {
            Self::Place => "`x-mcp-header` stands where no `properties` alone lead",
            Self::Name => "`x-mcp-header` is no token",
            Self::Repeated => "`x-mcp-header` has a name that another has",
            Self::Type => "`x-mcp-header` is for `integer`, `string` and `boolean` alone",
            Self::Duplicate => "a property, its `type` or its `x-mcp-header` is there twice",
            Self::TooMany => "more arguments have an `x-mcp-header` than can be told apart",
        }
    }
}

impl PlanError {
    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> PlanErrorKind {
        self.kind
    }

    /// The byte of the schema close to which it is: behind the object that has the annotation.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// The property, its path joined by dots as far as `properties` alone lead.
    #[must_use]
    pub fn property(&self) -> &str {
        &self.property
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, at, .. } = self;
        write!(f, "{} (byte {at})", kind.sentence())
    }
}

impl core::error::Error for PlanError {}
