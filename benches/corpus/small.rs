//! The messages most of the traffic consists of: 60 to 700 bytes.

use super::text::{WORDS, sentence, words};
use super::{Json, Rng, Style, object};

/// Who wrote a message. The SDKs put the members of one and the same message in different orders.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Sdk {
    /// Requests `method, params, jsonrpc, id`; results `result, jsonrpc, id`.
    TypeScript,
    /// `jsonrpc, id` first; results in alphabetical order.
    Python,
    /// `jsonrpc, id` first; params in alphabetical order, which puts `_meta` first.
    Rust,
}

/// `count` messages, hardly two of them alike.
pub(crate) fn mix(rng: &mut Rng, count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|_| any(rng).into_bytes()).collect()
}

/// One message of the small mix.
pub(crate) fn any(rng: &mut Rng) -> String {
    let sdk = rng.pick(&[Sdk::TypeScript, Sdk::Python, Sdk::Rust]);
    let message = match rng.range(0, 100) {
        0..22 => any_progress(rng, sdk),
        22..30 => any_log(rng, sdk),
        30..34 => any_event(rng, sdk),
        34..58 => any_call(rng, sdk),
        58..64 => any_read(rng, sdk),
        64..70 => any_query(rng, sdk),
        70..72 => any_initialize(rng, sdk),
        72..97 => any_result(rng, sdk),
        _ => any_error(rng, sdk),
    };
    let style = match rng.range(0, 100) {
        0..86 => Style::Compact,
        86..93 => Style::Spaced,
        _ => Style::Ascii,
    };
    message.write(style)
}

fn any_progress(rng: &mut Rng, sdk: Sdk) -> Json {
    let step = rng.range(0, 100);
    let progress = if sdk == Sdk::Rust {
        Json::Raw(format!("{step}.0"))
    } else {
        step.into()
    };
    let message = format!("{}...", words(rng, 5));
    let subscription = format!("listen-{}", rng.range(0, 9));
    let params = object! {"progressToken": id(rng), "progress": progress, "total": 100usize}
        .with_if(rng.percent(60), "message", message)
        .with_if(
            rng.percent(40),
            "_meta",
            object! {"io.modelcontextprotocol/subscriptionId": subscription},
        );
    notification(sdk, "notifications/progress", params)
}

fn any_log(rng: &mut Rng, sdk: Sdk) -> Json {
    let data =
        object! {"message": words(rng, 8), "elapsedMs": rng.range(0, 9999), "ok": rng.percent(50)};
    let params =
        object! {"level": rng.pick(&["info", "debug", "error"]), "logger": "db", "data": data};
    notification(sdk, "notifications/message", params)
}

fn any_event(rng: &mut Rng, sdk: Sdk) -> Json {
    let subscription = object! {"io.modelcontextprotocol/subscriptionId": "listen-1"};
    match rng.range(0, 4) {
        0 => notification(
            sdk,
            "notifications/tools/list_changed",
            object! {"_meta": subscription},
        ),
        1 => {
            let uri = format!("file:///project/{}.md", rng.pick(&WORDS));
            notification(
                sdk,
                "notifications/resources/updated",
                object! {"uri": uri, "_meta": subscription},
            )
        }
        _ => {
            let params = object! {"requestId": id(rng), "reason": words(rng, 4)};
            notification(sdk, "notifications/cancelled", params)
        }
    }
}

fn any_call(rng: &mut Rng, sdk: Sdk) -> Json {
    const TOOLS: [&str; 10] = [
        "read_file",
        "write_file",
        "get_weather",
        "search_code",
        "list_issues",
        "browser_click",
        "create_entities",
        "echo",
        "list_directory",
        "git_diff",
    ];
    const KEYS: [&str; 10] = [
        "path", "query", "limit", "offset", "ref", "element", "text", "owner", "repo", "headers",
    ];
    let mut arguments = object! {};
    let first = rng.range(0, KEYS.len());
    for nth in 0..rng.range(0, 5) {
        let value = match rng.range(0, 7) {
            0 => Json::null(),
            1 => true.into(),
            2 => rng.range(0, 1000).into(),
            3 => format!("/home/user/project/src/{}.rs", rng.pick(&WORDS)).into(),
            4 => vec![Json::from(rng.pick(&WORDS)), rng.pick(&WORDS).into()].into(),
            _ => {
                let count = rng.range(1, 6);
                words(rng, count).into()
            }
        };
        // Neighbours in KEYS, so that no object names one twice.
        arguments = arguments.with(KEYS[(first + nth) % KEYS.len()], value);
    }
    let name = rng.pick(&TOOLS);
    let meta = any_meta(rng);
    let params = if rng.percent(50) {
        object! {"_meta": meta, "name": name, "arguments": arguments}
    } else {
        object! {"name": name, "arguments": arguments, "_meta": meta}
    };
    request(sdk, id(rng), "tools/call", params)
}

fn any_read(rng: &mut Rng, sdk: Sdk) -> Json {
    let uri = format!(
        "file:///project/{}/{}.md",
        rng.pick(&WORDS),
        rng.range(0, 999)
    );
    let params = object! {"uri": uri, "_meta": any_meta(rng)};
    request(sdk, id(rng), "resources/read", params)
}

fn any_query(rng: &mut Rng, sdk: Sdk) -> Json {
    let id = id(rng);
    match rng.range(0, 5) {
        // The older revisions: no params at all.
        0 => match sdk {
            Sdk::TypeScript => object! {"method": "ping", "jsonrpc": "2.0", "id": id},
            _ => object! {"jsonrpc": "2.0", "id": id, "method": "ping"},
        },
        1 => {
            let arguments =
                object! {"language": rng.pick(&WORDS), "style": rng.pick(&["short", "簡潔"])};
            let params = object! {"name": "args", "arguments": arguments, "_meta": any_meta(rng)};
            request(sdk, id, "prompts/get", params)
        }
        _ => {
            let method = rng.pick(&["tools/list", "resources/list", "prompts/list"]);
            request(sdk, id, method, object! {"_meta": any_meta(rng)})
        }
    }
}

fn any_initialize(rng: &mut Rng, sdk: Sdk) -> Json {
    let params = object! {
        "protocolVersion": rng.pick(&["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]),
        "capabilities": object! {"roots": object! {"listChanged": true}, "sampling": object! {}},
        "clientInfo": object! {"name": "ExampleClient", "version": "1.0.0"},
    };
    request(sdk, 0usize.into(), "initialize", params)
}

fn any_result(rng: &mut Rng, sdk: Sdk) -> Json {
    let text = match rng.range(0, 4) {
        0 => format!(
            "Current weather in {}:\nTemperature: 72°F\nConditions: Partly cloudy",
            rng.pick(&WORDS)
        ),
        1 => row(rng, 0).write(Style::Compact),
        _ => {
            let count = rng.range(3, 40);
            sentence(rng, count)
        }
    };
    let content = vec![object! {"type": "text", "text": text}];
    let structured = object! {
        "temperature": rng.unit() * 40.0, "conditions": "Partly cloudy", "humidity": rng.range(0, 100),
    };
    let result = object! {"resultType": "complete", "content": content, "isError": false}.with_if(
        rng.percent(30),
        "structuredContent",
        structured,
    );
    let id = id(rng);
    match sdk {
        Sdk::TypeScript => object! {"result": result, "jsonrpc": "2.0", "id": id},
        Sdk::Python => object! {"jsonrpc": "2.0", "id": id, "result": result.sorted()},
        Sdk::Rust => object! {"jsonrpc": "2.0", "id": id, "result": result},
    }
}

fn any_error(rng: &mut Rng, sdk: Sdk) -> Json {
    let data = object! {
        "supported": vec![Json::from("2026-07-28"), "2025-11-25".into()], "requested": "1900-01-01",
    };
    let error = object! {
        "code": rng.pick(&[-32601i64, -32602, -32022]), "message": "Unsupported protocol version", "data": data,
    };
    match sdk {
        Sdk::TypeScript => object! {"jsonrpc": "2.0", "error": error, "id": id(rng)},
        _ => object! {"jsonrpc": "2.0", "id": id(rng), "error": error},
    }
}

/// One record of the kind that tools answer with: five types of value, quotes, escapes.
pub(crate) fn row(rng: &mut Rng, nth: usize) -> Json {
    object! {
        "id": nth,
        "user": object! {"name": rng.pick(&["alice", "bob", "carol", "dave"]), "email": format!("u{nth}@example.com")},
        "tags": vec![Json::from(rng.pick(&["a", "beta"])), rng.pick(&["gamma", "x y"]).into()],
        "score": rng.unit(),
        "note": format!("line one\nline \"two\"\tand C:\\temp\\{nth}"),
        "ok": rng.percent(50),
        "parent": Json::null(),
    }
}

/// An id as the SDKs make them: mostly small integers.
pub(crate) fn id(rng: &mut Rng) -> Json {
    match rng.range(0, 10) {
        0..7 => rng.range(1, 99_999).into(),
        7..9 => format!("req-{}", rng.range(1, 99_999)).into(),
        _ => format!(
            "{}-{}-4{}-a{}-{}",
            rng.hex(8),
            rng.hex(4),
            rng.hex(3),
            rng.hex(3),
            rng.hex(12)
        )
        .into(),
    }
}

pub(crate) fn meta(capabilities: Json) -> Json {
    object! {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": object! {"name": "ExampleClient", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    }
}

fn any_meta(rng: &mut Rng) -> Json {
    let capabilities = if rng.percent(40) {
        object! {"elicitation": object! {"form": object! {}, "url": object! {}}, "sampling": object! {}}
    } else {
        object! {}
    };
    let trace = format!("00-{}-{}-01", rng.hex(32), rng.hex(16));
    meta(capabilities)
        .with_if(rng.percent(50), "progressToken", id(rng))
        .with_if(rng.percent(20), "traceparent", trace)
}

pub(crate) fn request(sdk: Sdk, id: Json, method: &'static str, params: Json) -> Json {
    match sdk {
        Sdk::TypeScript => object! {"method": method, "params": params, "jsonrpc": "2.0", "id": id},
        Sdk::Python => object! {"jsonrpc": "2.0", "id": id, "method": method, "params": params},
        Sdk::Rust => {
            object! {"jsonrpc": "2.0", "id": id, "method": method, "params": params.sorted()}
        }
    }
}

pub(crate) fn notification(sdk: Sdk, method: &'static str, params: Json) -> Json {
    match sdk {
        Sdk::TypeScript => object! {"method": method, "params": params, "jsonrpc": "2.0"},
        Sdk::Python => object! {"jsonrpc": "2.0", "method": method, "params": params},
        Sdk::Rust => object! {"jsonrpc": "2.0", "method": method, "params": params.sorted()},
    }
}
