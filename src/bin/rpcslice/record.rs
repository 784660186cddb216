//! One recorded HTTP exchange: a line of JSON. What isn't read here may hold anything.

use ::http::{HeaderMap, HeaderName, HeaderValue};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use rpcslice::json::{JsonKind, RawJson};
use rpcslice::mcp::Version;
use rpcslice::{ErrorKind, Limits};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use crate::report::{Fault, QUOTED};
use crate::safe;

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(crate) struct Record {
    pub(crate) request: Request,
    /// `null` where the client went away before there was one; but it has to be there.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) response: Option<Response>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object with method and headers")]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) headers: Headers,
    #[serde(rename = "body_b64", default)]
    body: Option<Base64>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object with status and headers")]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    #[serde(rename = "chunks_b64", default)]
    chunks: Vec<Base64>,
}

/// Names and values, in the order of the wire.
#[derive(Debug, Deserialize)]
pub(crate) struct Headers(Vec<(String, String)>);

#[derive(Debug)]
struct Base64(Vec<u8>);

impl Record {
    /// Reads a line, or says why it is none.
    pub(crate) fn read(line: &[u8]) -> Result<Record, Fault<'_>> {
        // The limits of messages don't hold for what is around them.
        let limits = Limits::new().with_max_frame_bytes(usize::MAX);
        let json = RawJson::parse_with(line, &limits).map_err(|error| Fault {
            offset: Some(error.at() as u64),
            frame: Some(line),
            ..Fault::of_kind(ErrorKind::Syntax(error.kind()))
        })?;
        if json.kind() != JsonKind::Object {
            return Err(no_record(line, 0, "no object".to_owned()));
        }
        serde_json::from_slice(line).map_err(|error| {
            let sentence = error.to_string();
            let (sentence, _) = sentence.rsplit_once(" at line ").unwrap_or((&sentence, ""));
            // It quotes what it found, however long that is.
            let sentence = safe::fit(sentence, QUOTED);
            no_record(line, error.column().saturating_sub(1), sentence.text)
        })
    }
}

fn no_record(line: &[u8], at: usize, why: String) -> Fault<'_> {
    Fault {
        reason: "no-record",
        offset: Some(at as u64),
        message: format!("not the record of an HTTP exchange: {why}"),
        clause: None,
        frame: Some(line),
        ..Fault::of_kind(ErrorKind::NotObject)
    }
}

impl Request {
    /// Empty where there is none.
    pub(crate) fn body(&self) -> &[u8] {
        self.body.as_ref().map_or(&[], |body| &body.0)
    }
}

impl Response {
    /// The body in the pieces in which it came.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        self.chunks.iter().map(|chunk| chunk.0.as_slice())
    }
}

impl Headers {
    /// The value of a field, whatever the letter case of its name. Lines of one name are one list (RFC 9110 section 5.3).
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        let lines = self.0.iter().filter(|(n, _)| n.eq_ignore_ascii_case(name));
        let values: Vec<_> = lines.map(|(_, value)| value.trim()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// As [`get`](Self::get); an empty type is none.
    pub(crate) fn content_type(&self) -> Option<String> {
        self.get("content-type").filter(|name| !name.is_empty())
    }

    /// For the library. What no HTTP stack would have let through is left out.
    pub(crate) fn map(&self) -> HeaderMap {
        let fields = self.0.iter().filter_map(|(name, value)| {
            let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
            let value = HeaderValue::from_bytes(value.as_bytes()).ok()?;
            Some((name, value))
        });
        let mut map = HeaderMap::new();
        for (name, value) in fields {
            map.append(name, value);
        }
        map
    }

    pub(crate) fn version(&self) -> Option<Version> {
        self.get("mcp-protocol-version")?.parse().ok()
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        let bytes = BASE64_STANDARD.decode(text.as_bytes());
        bytes
            .map(Base64)
            .map_err(|error| D::Error::custom(format!("no base64: {error}")))
    }
}
