use super::{of_kind, unique};
use crate::json::{JsonKind, JsonStr, RawJson};
use core::fmt;

/// A `tools/call` result (`server/tools`, "Tool Result").
///
/// ```
/// use rpcslice::Message;
/// use rpcslice::mcp::view::{CallResult, ContentKind};
///
/// let msg = Message::parse(br#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no\n"}],"isError":true}}"#)?;
/// let result = CallResult::of(msg.result().unwrap()).unwrap();
/// let block = result.content().next().unwrap();
/// assert_eq!((block.kind, result.is_error()), (ContentKind::Text, true));
/// assert_eq!(block.text.unwrap(), "no\n");
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct CallResult<'a> {
    content: Option<RawJson<'a>>,
    structured: Option<RawJson<'a>>,
    is_error: bool,
}

impl<'a> CallResult<'a> {
    /// A view over a result. `None` if it is no object, or has `content`, `structuredContent` or `isError` twice. Walks the
    /// result once.
    #[must_use]
    pub fn of(result: RawJson<'a>) -> Option<Self> {
        let [content, structured, is_error] =
            unique(result, ["content", "structuredContent", "isError"])?;
        Some(Self {
            content: of_kind(content, JsonKind::Array),
            structured,
            is_error: is_error.is_some_and(|value| value.as_bool() == Some(true)),
        })
    }

    /// The blocks of content in their order; those that are no objects are left out. Walks each twice.
    pub fn content(&self) -> impl Iterator<Item = ContentBlock<'a>> + use<'a> {
        let content = self.content.into_iter();
        content
            .flat_map(|content| content.elements())
            .filter_map(ContentBlock::of)
    }

    /// The structured content: an object, from 2026-07-28 on any value.
    #[must_use]
    pub const fn structured_content(&self) -> Option<RawJson<'a>> {
        self.structured
    }

    /// Whether the tool says that it has failed. Its absence means that it has not.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        self.is_error
    }
}

/// What kind a block of content is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContentKind {
    /// `text`
    Text,
    /// `image`
    Image,
    /// `audio`
    Audio,
    /// `resource_link`
    ResourceLink,
    /// `resource`: one that is embedded
    Resource,
    /// A type that is not known, or none.
    Other,
}

/// A block of content.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct ContentBlock<'a> {
    /// All of it, byte for byte.
    pub raw: RawJson<'a>,
    /// What kind it is.
    pub kind: ContentKind,
    /// The text of a text.
    pub text: Option<JsonStr<'a>>,
    /// The Base64 of an image or of audio.
    pub data: Option<JsonStr<'a>>,
    /// The media type of that, or of what a link leads to.
    pub mime_type: Option<JsonStr<'a>>,
    /// The URI of a link.
    pub uri: Option<JsonStr<'a>>,
    /// The embedded resource: an object.
    pub resource: Option<RawJson<'a>>,
}

impl<'a> ContentBlock<'a> {
    /// A view over one block; of no known kind and without anything in it if a member is there twice. `None` if it is no object.
    #[must_use]
    pub fn of(raw: RawJson<'a>) -> Option<Self> {
        const NAMES: [&str; 6] = ["type", "text", "data", "mimeType", "uri", "resource"];
        const KINDS: [(&str, ContentKind); 5] = [
            ("text", ContentKind::Text),
            ("image", ContentKind::Image),
            ("audio", ContentKind::Audio),
            ("resource_link", ContentKind::ResourceLink),
            ("resource", ContentKind::Resource),
        ];
        if raw.kind() != JsonKind::Object {
            return None;
        }
        let [kind, text, data, mime_type, uri, resource] = unique(raw, NAMES).unwrap_or_default();
        let string = |value: Option<RawJson<'a>>| value.and_then(|value| value.as_string());
        let kind = string(kind).and_then(|kind| KINDS.into_iter().find(|(name, _)| kind == *name));
        Some(Self {
            raw,
            kind: kind.map_or(ContentKind::Other, |(_, kind)| kind),
            text: string(text),
            data: string(data),
            mime_type: string(mime_type),
            uri: string(uri),
            resource: of_kind(resource, JsonKind::Object),
        })
    }
}

/// Lengths: what is in it is payload.
impl fmt::Debug for CallResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallResult")
            .field("content", &self.content)
            .field("structured", &self.structured)
            .field("is_error", &self.is_error)
            .finish()
    }
}

/// Kind and length: what is in it is payload.
impl fmt::Debug for ContentBlock<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ContentBlock({:?}, {} bytes)",
            self.kind,
            self.raw.raw().len()
        )
    }
}
