use super::{of_kind, unique};
use crate::json::{JsonKind, JsonStr, RawJson};
use core::fmt;

/// A `tools/list` result (`server/tools`, "Listing Tools").
///
/// ```
/// use rpcslice::Message;
/// use rpcslice::mcp::view::ToolList;
///
/// let msg = Message::parse(br#"{"jsonrpc":"2.0","id":1,"result":{"tools":[
///     {"name":"search","description":"finds \u0041","inputSchema":{"type": "object"}}],"nextCursor":""}}"#)?;
/// let list = ToolList::of(msg.result().unwrap()).unwrap();
/// let tool = list.tools().next().unwrap();
/// assert_eq!(tool.name.unwrap(), "search");
/// assert_eq!(tool.description.unwrap(), "finds A");
/// assert_eq!(tool.input_schema.unwrap().raw(), r#"{"type": "object"}"#);
/// assert_eq!(list.next_cursor().unwrap(), ""); // there is another page
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ToolList<'a> {
    tools: RawJson<'a>,
    next_cursor: Option<JsonStr<'a>>,
}

impl<'a> ToolList<'a> {
    /// A view over a result. `None` if it has no array `tools`, or two. Walks the result once.
    #[must_use]
    pub fn of(result: RawJson<'a>) -> Option<Self> {
        let [tools, cursor] = unique(result, ["tools", "nextCursor"])?;
        Some(Self {
            tools: of_kind(tools, JsonKind::Array)?,
            next_cursor: cursor.and_then(|cursor| cursor.as_string()),
        })
    }

    /// The tools in their order; those that are no objects are left out. Walks each twice.
    pub fn tools(&self) -> impl Iterator<Item = Tool<'a>> + use<'a> {
        self.tools.elements().filter_map(Tool::of)
    }

    /// Where the next page begins, if there is one; the empty string is a cursor like any other (`server/utilities/pagination`).
    #[must_use]
    pub const fn next_cursor(&self) -> Option<JsonStr<'a>> {
        self.next_cursor
    }
}

/// A tool of a list.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Tool<'a> {
    /// All of it, byte for byte.
    pub raw: RawJson<'a>,
    /// What it is called by; `None` where that is no string or is there twice.
    pub name: Option<JsonStr<'a>>,
    /// What it is called for people.
    pub title: Option<JsonStr<'a>>,
    /// What it does, for a model.
    pub description: Option<JsonStr<'a>>,
    /// The schema of its arguments: an object.
    pub input_schema: Option<RawJson<'a>>,
    /// The schema of its structured results: an object.
    pub output_schema: Option<RawJson<'a>>,
    /// Hints about it, not to be trusted: an object.
    pub annotations: Option<RawJson<'a>>,
}

impl<'a> Tool<'a> {
    /// A view over one tool; without anything in it if a member is there twice. `None` if it is no object.
    #[must_use]
    pub fn of(raw: RawJson<'a>) -> Option<Self> {
        const NAMES: [&str; 6] = [
            "name",
            "title",
            "description",
            "inputSchema",
            "outputSchema",
            "annotations",
        ];
        if raw.kind() != JsonKind::Object {
            return None;
        }
        let [name, title, description, input, output, annotations] =
            unique(raw, NAMES).unwrap_or_default();
        let text = |value: Option<RawJson<'a>>| value.and_then(|value| value.as_string());
        Some(Self {
            raw,
            name: text(name),
            title: text(title),
            description: text(description),
            input_schema: of_kind(input, JsonKind::Object),
            output_schema: of_kind(output, JsonKind::Object),
            annotations: of_kind(annotations, JsonKind::Object),
        })
    }
}

/// Its length: what is in it is payload.
impl fmt::Debug for ToolList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToolList({} bytes)", self.tools.raw().len())
    }
}

/// Its length: what is in it is payload.
impl fmt::Debug for Tool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tool({} bytes)", self.raw.raw().len())
    }
}
