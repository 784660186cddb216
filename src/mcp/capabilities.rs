use crate::json::{JsonKind, JsonStr, RawJson};
use core::fmt;

/// What a client or server declares that it can do: a view over the raw object. Nothing is decoded or remembered, so each
/// question walks the object.
///
/// ```
/// use rpcslice::Message;
/// use rpcslice::mcp::Capabilities;
///
/// let msg = Message::parse(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
///     "io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"extensions":{"com.example/x":{}}}}}}"#)?;
/// let declared = Capabilities::of(msg.meta().unwrap().client_capabilities().unwrap()).unwrap();
/// assert!(declared.has("elicitation") && declared.has_path(&["elicitation", "form"]));
/// assert!(!declared.has("sampling"));
/// assert!(declared.has_extension("com.example/x"));
/// # Ok::<(), rpcslice::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Capabilities<'a> {
    raw: RawJson<'a>,
}

impl<'a> Capabilities<'a> {
    /// A view over the value of `capabilities`; `None` if it is no object.
    #[must_use]
    pub fn of(raw: RawJson<'a>) -> Option<Self> {
        (raw.kind() == JsonKind::Object).then_some(Self { raw })
    }

    /// The object, byte for byte.
    #[must_use]
    pub const fn raw(&self) -> RawJson<'a> {
        self.raw
    }

    /// Whether a capability is declared: an object stands there, `{}` included.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        let value = self.raw.get(name);
        value.is_some_and(|value| value.kind() == JsonKind::Object)
    }

    /// Whether a sub-capability is declared: an object or `true` at the end of the path, and objects on the way.
    #[must_use]
    pub fn has_path(&self, path: &[&str]) -> bool {
        let mut value = self.raw;
        for name in path {
            match value.get(name) {
                Some(inner) => value = inner,
                None => return false,
            }
        }
        is_declared(value)
    }

    /// Whether an extension is declared, by its identifier (2026-07-28 `basic/versioning`, "Extension negotiation").
    #[must_use]
    pub fn has_extension(&self, identifier: &str) -> bool {
        self.has_path(&["extensions", identifier])
    }

    /// The extensions that are declared: identifier and settings.
    pub fn extensions(&self) -> impl Iterator<Item = (JsonStr<'a>, RawJson<'a>)> + use<'a> {
        let extensions = self.raw.get("extensions");
        extensions.into_iter().flat_map(|value| value.members())
    }

    /// Whether all that `required` has is declared here, too, with its sub-capabilities (or, of extensions, their
    /// identifiers): what -32021 is about. What lies deeper than that is settings, and not compared. A capability is
    /// declared by an object, a sub-capability also by `true`; where `required` has something else, it asks for nothing.
    ///
    /// Walks this object once for every capability in the other, so keep `required` small.
    #[must_use]
    pub fn cover(&self, required: &Capabilities<'_>) -> bool {
        required.raw.members().all(|(name, wanted)| {
            let found = find(self.raw, name);
            let has = |sub| find(found?, sub);
            let mut subs = wanted.members().filter(|(_, wanted)| is_declared(*wanted));
            !is_declared(wanted)
                || found.is_some_and(is_declared)
                    && subs.all(|(sub, _)| has(sub).is_some_and(is_declared))
        })
    }
}

fn find<'a>(object: RawJson<'a>, name: JsonStr<'_>) -> Option<RawJson<'a>> {
    let (_, value) = object.members().find(|(other, _)| *other == name)?;
    Some(value)
}

fn is_declared(value: RawJson<'_>) -> bool {
    value.kind() == JsonKind::Object || value.as_bool() == Some(true)
}

impl fmt::Debug for Capabilities<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Capabilities({} bytes)", self.raw.raw().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Capabilities<'_> {
        Capabilities::of(RawJson::parse(text.as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn what_is_declared_and_what_covers_what() {
        let declared = of(
            r#"{"roots":{"listChanged":true,"x":false},"elicitation":{},"odd":1,"extensions":{"a/b":{"c":{}}}}"#,
        );
        let has: [(&[&str], bool); 8] = [
            (&["roots"], true),
            (&["roots", "listChanged"], true),
            (&["roots", "x"], false),
            (&["roots", "y"], false),
            (&["elicitation"], true),
            (&["odd"], false),
            (&["odd", "deeper"], false),
            (&["sampling"], false),
        ];
        for (path, expected) in has {
            assert_eq!(declared.has_path(path), expected, "{path:?}");
        }
        assert_eq!(
            declared
                .extensions()
                .map(|(name, _)| name.raw())
                .collect::<Vec<_>>(),
            ["\"a/b\""]
        );
        let covered = [
            ("{}", true),
            (r#"{"roots":{}}"#, true),
            (r#"{"elicitation":{"form":{}}}"#, false),
            (r#"{"extensions":{"a/b":{}}}"#, true),
            (r#"{"extensions":{"a/c":{}}}"#, false),
            (r#"{"sampling":{}}"#, false),
            (r#"{"roots":{"listChanged":true}}"#, true),
            (r#"{"roots":{"listChanged":{}}}"#, true),
            (r#"{"roots":{"x":true}}"#, false),
            (r#"{"roots":{"x":false}}"#, true),
            (r#"{"odd":{}}"#, false),
            (r#"{"odd":1}"#, true),
        ];
        for (required, expected) in covered {
            assert_eq!(declared.cover(&of(required)), expected, "{required}");
        }
        assert!(Capabilities::of(RawJson::parse(b"[]").unwrap()).is_none());
    }
}
