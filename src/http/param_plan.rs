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
    annotation: Box<str>,
    /// Of the property.
    node: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    name: Box<str>,
    parent: usize,
    /// At most as many as there are annotations.
    children: Vec<usize>,
    /// The number of the annotation that stands here.
    pub(super) param: Option<usize>,
}

impl ParamPlan {
    /// Whether no argument goes into a header.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.params.is_empty()
    }

    /// How many arguments of a tool may have a header. HTTP servers take about a hundred headers at most.
    pub const MAX_ANNOTATIONS: usize = 128;

    /// The annotations, in their order: the property's path joined by dots, and the name as it is annotated, which goes
    /// behind `Mcp-Param-`. Their numbers are those of [`Header::Param`](crate::Header::Param).
    pub fn annotations(&self) -> impl Iterator<Item = (String, &str)> {
        self.params.iter().map(|param| {
            let mut path: Vec<&str> = Vec::new();
            let mut at = param.node;
            while let Some(node) = self.nodes.get(at).filter(|_| at > 0) {
                path.push(&node.name);
                at = node.parent;
            }
            path.reverse();
            (path.join("."), &*param.annotation)
        })
    }

    /// The header of the annotation of this number, as an error names it.
    #[must_use]
    pub fn header_name(&self, number: u16) -> Option<&HeaderName> {
        Some(&self.params.get(usize::from(number))?.header)
    }

    /// The property of this name below a node.
    pub(super) fn child(&self, of: usize, name: &JsonStr<'_>) -> Option<usize> {
        let text = name.as_str();
        self.child_that(of, |child| match text {
            Some(text) => child == text,
            None => *name == *child,
        })
    }

    fn child_that(&self, of: usize, is: impl Fn(&str) -> bool) -> Option<usize> {
        // The last is the one that a schema is at.
        let mut children = self.nodes.get(of)?.children.iter().rev();
        children
            .find(|&&child| self.nodes.get(child).is_some_and(|node| is(&node.name)))
            .copied()
    }

    /// The first annotation at a node or below it.
    pub(super) fn first_below(&self, mut at: usize) -> usize {
        while let Some(node) = self.nodes.get(at) {
            match (node.param, node.children.first()) {
                (Some(param), _) => return param,
                (None, Some(&child)) => at = child,
                (None, None) => break,
            }
        }
        0
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
            node,
        });
    }

    /// The node at a path, made where there is none.
    fn node(&mut self, path: &[Box<str>]) -> usize {
        if self.nodes.is_empty() {
            self.nodes.push(Node::default());
        }
        let mut at = 0;
        for name in path {
            at = match self.child_that(at, |child| child == &**name) {
                Some(node) => node,
                None => {
                    let new = self.nodes.len();
                    self.nodes.push(Node {
                        name: name.clone(),
                        parent: at,
                        ..Node::default()
                    });
                    if let Some(node) = self.nodes.get_mut(at) {
                        node.children.push(new);
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
    /// More than [`ParamPlan::MAX_ANNOTATIONS`].
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
            Self::TooMany => "more arguments have an `x-mcp-header` than a request has headers",
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
