//! Five messages that are always the same: examples of the specification, a hundred bytes to six hundred.

use super::small::{Sdk, meta, notification, request};
use super::{Json, Style, object};

pub(crate) fn ping() -> String {
    let params = object! {"requestId": "123", "reason": "User cancelled"};
    notification(Sdk::Python, "notifications/cancelled", params).write(Style::Compact)
}

pub(crate) fn progress() -> String {
    let params = object! {
        "progressToken": "oivaizmir", "progress": 50.5, "total": 100usize, "message": "Reticulating splines...",
        "_meta": object! {"io.modelcontextprotocol/subscriptionId": "listen-1"},
    };
    notification(Sdk::Python, "notifications/progress", params).write(Style::Compact)
}

pub(crate) fn discover_request() -> String {
    let params = object! {"_meta": meta(object! {})};
    request(Sdk::Python, "discover-1".into(), "server/discover", params).write(Style::Compact)
}

pub(crate) fn call() -> String {
    let params = object! {
        "_meta": meta(object! {}), "name": "get_weather",
        "arguments": object! {"location": "New York", "units": "metric", "days": 3usize},
    };
    request(Sdk::Python, 17usize.into(), "tools/call", params).write(Style::Compact)
}

pub(crate) fn discover_result() -> String {
    let server = object! {
        "name": "ExampleServer", "title": "Example Server Display Name", "version": "1.0.0",
        "websiteUrl": "https://example.com/server",
    };
    let result = object! {
        "resultType": "complete",
        "supportedVersions": vec![Json::from("2026-07-28"), "2025-11-25".into()],
        "capabilities": object! {
            "tools": object! {"listChanged": true},
            "resources": object! {"subscribe": true, "listChanged": true},
            "prompts": object! {}, "logging": object! {},
            "extensions": object! {
                "io.modelcontextprotocol/ui": object! {"mimeTypes": vec!["text/html;profile=mcp-app".into()]},
            },
        },
        "instructions": "Use the search tool first; then call `read`. Paths are relative to the project root.",
        "_meta": object! {"io.modelcontextprotocol/serverInfo": server},
        "ttlMs": 3_600_000usize, "cacheScope": "public",
    };
    object! {"jsonrpc": "2.0", "id": "discover-1", "result": result}.write(Style::Compact)
}
