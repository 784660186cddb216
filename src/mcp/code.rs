//! Error codes: what each means in which revision, and the shape of their data.

use super::version::{Era, Version};
use crate::json::{JsonKind, JsonStr, RawJson};

pub use crate::error::{
    HEADER_MISMATCH, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND,
    MISSING_REQUIRED_CLIENT_CAPABILITY, PARSE_ERROR, UNSUPPORTED_PROTOCOL_VERSION,
};

/// JSON-RPC 2.0 section 5.1.
pub const INTERNAL_ERROR: i64 = -32603;
/// Up to 2025-11-25; [`INVALID_PARAMS`] from 2026-07-28 on, whose clients still read it.
pub const RESOURCE_NOT_FOUND: i64 = -32002;
/// 2025-11-25 alone: the request needs a visit to a URL first.
pub const URL_ELICITATION_REQUIRED: i64 = -32042;

/// Which part of the numbers a code is of (2026-07-28 `basic/index`, "Error codes").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CodeClass {
    /// -32700 and -32600 to -32603.
    JsonRpc,
    /// Defined by this revision of MCP.
    Mcp,
    /// Defined by an earlier revision; not sent any more.
    Retired,
    /// -32000 to -32019: of older implementations, without a meaning.
    LegacyOpaque,
    /// -32020 to -32099: kept for MCP, undefined so far.
    Reserved,
    /// The rest of -32768 to -32000: kept for JSON-RPC.
    JsonRpcReserved,
    /// Outside of -32768 to -32000: the application's own.
    Application,
}

impl CodeClass {
    /// The class of a code in a revision. The revisions before 2026-07-28 divide nothing between -32000 and -32099.
    #[must_use]
    pub const fn of(code: i64, version: Version) -> Self {
        match (code, version.era()) {
            (PARSE_ERROR | INTERNAL_ERROR..=INVALID_REQUEST, _) => Self::JsonRpc,
            (RESOURCE_NOT_FOUND, Era::Legacy) => Self::Mcp,
            (RESOURCE_NOT_FOUND | URL_ELICITATION_REQUIRED, Era::Modern) => Self::Retired,
            (URL_ELICITATION_REQUIRED, _) if matches!(version, Version::V2025_11_25) => Self::Mcp,
            (UNSUPPORTED_PROTOCOL_VERSION..=HEADER_MISMATCH, Era::Modern) => Self::Mcp,
            (-32019..=-32000, Era::Modern) => Self::LegacyOpaque,
            (-32099..=-32020, Era::Modern) => Self::Reserved,
            (-32099..=-32000, Era::Legacy) => Self::Application,
            (-32768..=-32000, _) => Self::JsonRpcReserved,
            _ => Self::Application,
        }
    }
}

/// Whether a code says by itself that a modern server answered, so that a client does not fall back to `initialize`
/// (2026-07-28 `basic/transports`, "Backward compatibility").
#[must_use]
pub const fn is_modern(code: i64) -> bool {
    matches!(code, UNSUPPORTED_PROTOCOL_VERSION..=HEADER_MISMATCH)
}

/// `error.data` of -32022: what is supported, and what was asked for.
#[derive(Clone, Copy, Debug)]
pub struct UnsupportedVersionData<'a> {
    supported: RawJson<'a>,
    requested: JsonStr<'a>,
}

impl<'a> UnsupportedVersionData<'a> {
    /// Reads it; `None` if it is not `{supported: string[], requested: string}`. Walks it twice.
    #[must_use]
    pub fn read(data: RawJson<'a>) -> Option<Self> {
        let [supported, requested] = data.get_many(["supported", "requested"]);
        let supported = supported.filter(is_array_of_strings)?;
        let requested = requested?.as_string()?;
        Some(Self {
            supported,
            requested,
        })
    }

    /// The revisions that the server has.
    pub fn supported(&self) -> impl Iterator<Item = JsonStr<'a>> + use<'a> {
        self.supported.elements().filter_map(|v| v.as_string())
    }

    /// The revision that the request named.
    #[must_use]
    pub const fn requested(&self) -> JsonStr<'a> {
        self.requested
    }
}

/// `data.requiredCapabilities` of -32021: what the client would have to declare.
#[must_use]
pub fn required_capabilities<'a>(data: RawJson<'a>) -> Option<super::Capabilities<'a>> {
    super::Capabilities::of(data.get("requiredCapabilities")?)
}

/// `data.elicitations` of -32042: objects of mode `url`, each with its `elicitationId`. `None` if it is anything else.
#[must_use]
pub fn url_elicitations<'a>(
    data: RawJson<'a>,
) -> Option<impl Iterator<Item = RawJson<'a>> + use<'a>> {
    let list = data.get("elicitations")?;
    let is_good = |entry: RawJson<'_>| {
        let [mode, id, url] = entry.get_many(["mode", "elicitationId", "url"]);
        let is_string = |value: Option<RawJson<'_>>| value.is_some_and(|v| v.as_string().is_some());
        mode.and_then(|v| v.as_string())
            .is_some_and(|mode| mode == "url")
            && is_string(id)
            && is_string(url)
    };
    let is_list = list.kind() == JsonKind::Array;
    (is_list && list.elements().all(is_good)).then(|| list.elements())
}

fn is_array_of_strings(value: &RawJson<'_>) -> bool {
    value.kind() == JsonKind::Array && value.elements().all(|v| v.as_string().is_some())
}

/// Whether `error.data` has the shape that its code demands of a sender.
pub(crate) fn has_good_data(code: i64, data: Option<RawJson<'_>>) -> bool {
    match code {
        UNSUPPORTED_PROTOCOL_VERSION => data.and_then(UnsupportedVersionData::read).is_some(),
        MISSING_REQUIRED_CLIENT_CAPABILITY => data.and_then(required_capabilities).is_some(),
        URL_ELICITATION_REQUIRED => data.and_then(url_elicitations).is_some(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_partition() {
        use CodeClass as K;
        let legacy = Version::V2025_11_25;
        let table = [
            (-32700, K::JsonRpc, K::JsonRpc),
            (-32600, K::JsonRpc, K::JsonRpc),
            (-32603, K::JsonRpc, K::JsonRpc),
            (-32604, K::JsonRpcReserved, K::JsonRpcReserved),
            (-32768, K::JsonRpcReserved, K::JsonRpcReserved),
            (-32769, K::Application, K::Application),
            (-31999, K::Application, K::Application),
            (-32000, K::LegacyOpaque, K::Application),
            (-32002, K::Retired, K::Mcp),
            (-32019, K::LegacyOpaque, K::Application),
            (-32020, K::Mcp, K::Application),
            (-32021, K::Mcp, K::Application),
            (-32022, K::Mcp, K::Application),
            (-32023, K::Reserved, K::Application),
            (-32042, K::Retired, K::Mcp),
            (-32099, K::Reserved, K::Application),
            (-32100, K::JsonRpcReserved, K::JsonRpcReserved),
            (0, K::Application, K::Application),
            (i64::MIN, K::Application, K::Application),
        ];
        for (code, modern, old) in table {
            assert_eq!(CodeClass::of(code, Version::LATEST), modern, "{code}");
            assert_eq!(CodeClass::of(code, legacy), old, "{code}");
        }
        assert_eq!(CodeClass::of(-32042, Version::V2024_11_05), K::Application);
    }

    #[test]
    fn data_is_read_or_refused() {
        let raw = |text: &'static str| RawJson::parse(text.as_bytes()).unwrap();
        let data = UnsupportedVersionData::read(raw(r#"{"requested":"x","supported":["a","b"]}"#))
            .unwrap();
        assert_eq!(data.requested(), "x");
        assert_eq!(
            data.supported().map(|v| v.raw()).collect::<Vec<_>>(),
            ["\"a\"", "\"b\""]
        );
        for bad in [
            "{}",
            "[]",
            r#"{"supported":[1],"requested":"x"}"#,
            r#"{"supported":[],"requested":null}"#,
        ] {
            assert!(UnsupportedVersionData::read(raw(bad)).is_none(), "{bad}");
        }
        assert!(
            required_capabilities(raw(r#"{"requiredCapabilities":{"roots":{}}}"#))
                .unwrap()
                .has("roots")
        );
        assert!(required_capabilities(raw(r#"{"requiredCapabilities":[]}"#)).is_none());
        let good = r#"{"elicitations":[{"mode":"url","elicitationId":"e","url":"u"}]}"#;
        assert_eq!(url_elicitations(raw(good)).unwrap().count(), 1);
        for bad in [
            "{}",
            r#"{"elicitations":{}}"#,
            r#"{"elicitations":[{"mode":"form"}]}"#,
        ] {
            assert!(url_elicitations(raw(bad)).is_none(), "{bad}");
        }
    }
}
