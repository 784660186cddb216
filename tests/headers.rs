//! HTTP headers against bodies: what each means in each revision, alone and for who routes by them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

#[path = "headers/around.rs"]
mod around;
#[path = "headers/check.rs"]
mod checked;
#[path = "headers/params.rs"]
mod params;

use ::http::{HeaderMap, HeaderName, HeaderValue};
use rpcslice::Message;
use rpcslice::http::{check, read, route};
use rpcslice::mcp::{Incoming, Rules, Version, Versions};

const MODERN: Versions = Versions::of(&[Version::V2026_07_28]);
const LEGACY: Versions = Versions::of(&[
    Version::V2024_11_05,
    Version::V2025_03_26,
    Version::V2025_06_18,
    Version::V2025_11_25,
]);
const OLDEST: Versions = Versions::of(&[Version::V2024_11_05, Version::V2025_03_26]);
const NO_ASSUMED: Versions = Versions::of(&[Version::V2025_06_18, Version::V2025_11_25]);

/// `Name: value` a line.
fn headers(text: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').unwrap();
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        // One space behind the colon is for reading; any other goes on the wire.
        let value = value.strip_prefix(' ').unwrap_or(value);
        headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
    }
    headers
}

/// A modern request; `$` in `rest` stands for nothing else.
fn modern(method: &str, rest: &str) -> String {
    named("2026-07-28", method, rest)
}

fn named(version: &str, method: &str, rest: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{rest}"_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    )
}

/// `ok`, or what is wrong: the kind, the header, the code.
fn verdict(rules: &Rules, body: &str, headers: &HeaderMap) -> String {
    let told = match read(rules, body.as_bytes(), headers) {
        Ok(Incoming::Message(_)) => "ok".to_owned(),
        Ok(Incoming::Batch(batch)) => format!("batch of {}", batch.len()),
        Err(error) => {
            let header = error.kind().header();
            let header = header
                .map(|header| format!(" {header}"))
                .unwrap_or_default();
            assert_eq!(
                error.http_status(),
                if error.code() == -32601 { 404 } else { 400 }
            );
            format!("{}{header} {}", error.kind().name(), error.code())
        }
    };
    // The three ways agree.
    if let Ok(message) = Message::parse(body.as_bytes()) {
        let checked = check(rules, &message, headers);
        let is_same = match &checked {
            Ok(()) => told == "ok",
            Err(error) => told.starts_with(error.kind().name()),
        };
        assert!(is_same, "{body}: {told}, {checked:?}");
        if let Ok(route) = route(rules, headers) {
            assert_eq!(route.check(rules, &message), checked, "{body}");
        }
    }
    told
}

const CALL: &str = r#""name":"t","#;
