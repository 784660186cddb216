//! Recorded HTTP exchanges: one JSON object a line with a request and its response, bodies in base64.

use super::files;
use base64::prelude::{BASE64_STANDARD, Engine};
use rpcslice::mcp::Version;
use serde_json::Value;
use std::path::Path;

/// A request and what came back.
pub struct Exchange {
    /// Its number in the recording.
    pub seq: u64,
    pub method: String,
    /// The revision that the request's header names.
    pub version: Option<Version>,
    pub request: Half,
    /// None if the client went away before there was one.
    pub response: Option<Half>,
    pub status: Option<u64>,
}

/// What goes one way.
pub struct Half {
    pub headers: Vec<(String, String)>,
    /// The body as it came.
    pub chunks: Vec<Vec<u8>>,
}

impl Half {
    fn of(record: &Value, chunks: Vec<Vec<u8>>) -> Self {
        let headers = record["headers"].as_array().into_iter().flatten();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            headers: headers
                .map(|pair| (text(&pair[0]), text(&pair[1])))
                .collect(),
            chunks,
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(found, _)| found.eq_ignore_ascii_case(name));
        found.map(|(_, value)| &**value)
    }

    pub fn body(&self) -> Vec<u8> {
        self.chunks.concat()
    }

    pub fn is(&self, media_type: &str) -> bool {
        let kind = self.header("content-type").unwrap_or("");
        let kind = kind.split(';').next().unwrap_or("").trim();
        kind.eq_ignore_ascii_case(media_type)
    }
}

/// The exchanges of a recording, in the order in which they began.
pub fn read(file: &Path) -> Vec<Exchange> {
    let records = files::json_lines(file).unwrap().into_iter();
    records
        .map(|(_, record)| exchange(&record.unwrap()))
        .collect()
}

/// Whether a recording holds HTTP exchanges, by its first line.
pub fn is_in(file: &Path) -> bool {
    let lines = files::json_lines(file).unwrap_or_default();
    let first = lines.first().and_then(|(_, line)| line.as_ref().ok());
    first.is_some_and(|record| record["request"]["headers"].is_array())
}

fn exchange(record: &Value) -> Exchange {
    let decoded = |text: &Value| BASE64_STANDARD.decode(text.as_str().unwrap()).unwrap();
    let request = &record["request"];
    let posted = request["body_b64"]
        .as_str()
        .map(|_| decoded(&request["body_b64"]));
    let request_half = Half::of(request, posted.into_iter().collect());
    let version = request_half.header("mcp-protocol-version");
    let version = version.and_then(|name| name.parse().ok());
    let response = Some(&record["response"]).filter(|response| response.is_object());
    Exchange {
        seq: record["seq"].as_u64().unwrap(),
        method: request["method"].as_str().unwrap().to_owned(),
        version,
        request: request_half,
        response: response.map(|response| {
            let chunks = response["chunks_b64"].as_array().into_iter().flatten();
            Half::of(response, chunks.map(decoded).collect())
        }),
        status: response.and_then(|response| response["status"].as_u64()),
    }
}
