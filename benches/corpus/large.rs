//! The messages that carry the bytes: file contents, tool lists, images, tables.

use super::small::{id, meta, row};
use super::text::{self, WORDS, sentence};
use super::{Json, Rng, Style, object};

/// A file written by a tool call: a long string with an escape every line or so.
pub(crate) fn write(rng: &mut Rng, bytes: usize) -> String {
    let mut content = text::code(rng, bytes);
    content.truncate(bytes);
    let path = format!("/home/user/project/{}.py", rng.pick(&WORDS));
    let params = object! {
        "name": "write_file",
        "arguments": object! {"path": path, "content": content},
        "_meta": meta(object! {}).with("progressToken", "p-9"),
    };
    object! {"jsonrpc": "2.0", "id": id(rng), "method": "tools/call", "params": params}
        .write(Style::Compact)
}

/// A list of tools with their schemas, `bytes` long or a little more: the densest structure there is in practice.
pub(crate) fn tools(rng: &mut Rng, bytes: usize) -> String {
    let tools = some_tools(rng, bytes, Style::Compact);
    let result = object! {
        "resultType": "complete", "tools": tools, "nextCursor": "b64:MTAw", "ttlMs": 3_600_000usize,
        "cacheScope": "public",
    };
    object! {"jsonrpc": "2.0", "id": 2usize, "result": result}.write(Style::Compact)
}

/// The same, indented: two bytes of five are blanks.
pub(crate) fn pretty(rng: &mut Rng, bytes: usize) -> String {
    let tools = some_tools(rng, bytes, Style::Pretty);
    let result = object! {"resultType": "complete", "tools": tools, "nextCursor": "x"};
    object! {"jsonrpc": "2.0", "id": "call-45", "result": result}.write(Style::Pretty)
}

fn some_tools(rng: &mut Rng, bytes: usize, style: Style) -> Json {
    let mut tools = Vec::new();
    let mut total = 0;
    while total < bytes {
        let tool = tool(rng);
        // Indentation two levels further in costs about six bytes a line.
        let text = tool.write(style);
        total += text.len() + 6 * text.matches('\n').count();
        tools.push(tool);
    }
    tools.into()
}

fn tool(rng: &mut Rng) -> Json {
    let first = rng.range(0, WORDS.len());
    let mut properties = object! {};
    let mut required = Vec::new();
    for nth in 0..rng.range(1, 7) {
        let key = WORDS[(first + nth) % WORDS.len()];
        let count = rng.range(4, 14);
        let description = sentence(rng, count);
        let kind = rng.pick(&["string", "string", "number", "boolean", "array"]);
        let mut property = object! {"type": kind, "description": description};
        match kind {
            "array" => property = property.with("items", object! {"type": "string"}),
            "number" if rng.percent(50) => {
                property = property
                    .with("minimum", rng.range(0, 9))
                    .with("maximum", 100usize)
            }
            "string" if rng.percent(25) => {
                let values = (0..3).map(|_| rng.pick(&WORDS).into()).collect::<Vec<_>>();
                property = property.with("enum", values);
            }
            _ => {}
        }
        properties = properties.with(key, property);
        if rng.percent(50) {
            required.push(key.into());
        }
    }
    let schema = object! {
        "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": properties,
        "required": required, "additionalProperties": false,
    };
    let (verb, noun) = (
        rng.pick(&["get", "list", "create", "search"]),
        rng.pick(&WORDS),
    );
    let count = rng.range(8, 40);
    object! {
        "name": format!("{verb}_{noun}"),
        "title": format!("{verb} {noun}"),
        "description": sentence(rng, count),
        "inputSchema": schema,
        "annotations": object! {
            "readOnlyHint": rng.percent(50), "destructiveHint": false, "openWorldHint": rng.percent(50),
        },
        "execution": object! {"taskSupport": "forbidden"},
    }
}

/// Rows of coordinates, counts and measurements: a number every eleven bytes.
pub(crate) fn numbers(rng: &mut Rng, bytes: usize) -> String {
    const SCALES: [f64; 3] = [1e2, 1e4, 1e6];
    let mut rows = Vec::new();
    let mut total = 0;
    while total < bytes {
        let scale = rng.pick(&SCALES);
        let latitude = ((rng.unit() * 360.0 - 180.0) * scale).round() / scale;
        let longitude = ((rng.unit() * 180.0 - 90.0) * 1e6).round() / 1e6;
        let exponent = rng.range(0, 18) as i32 - 9;
        let row = Json::from(vec![
            latitude.into(),
            longitude.into(),
            rng.range(0, 5000).into(),
            (rng.unit() * 10f64.powi(exponent)).into(),
        ]);
        total += row.write(Style::Compact).len() + 1;
        rows.push(row);
    }
    let columns: Vec<Json> = ["lat", "lon", "n", "v"].map(Json::from).into();
    let result = object! {
        "resultType": "complete", "content": Vec::<Json>::new(),
        "structuredContent": object! {"columns": columns, "rows": rows}, "isError": false,
    };
    object! {"jsonrpc": "2.0", "id": 46usize, "result": result}.write(Style::Compact)
}

/// Indented JSON inside a string: every fifth byte is a backslash.
pub(crate) fn escaped(rng: &mut Rng, bytes: usize) -> String {
    let mut count = 0;
    let mut rows = Vec::new();
    let mut total = 0;
    while total < bytes {
        let row = row(rng, count);
        let text = row.write(Style::Pretty);
        total +=
            text.len() + text.matches(['"', '\\', '\n']).count() + 2 * text.matches('\n').count();
        rows.push(row);
        count += 1;
    }
    text_result(43usize.into(), Json::Array(rows).write(Style::Pretty))
}

/// A long text outside ASCII.
pub(crate) fn cjk(rng: &mut Rng, bytes: usize) -> String {
    let text = text::cjk(rng, bytes);
    text_result(44usize.into(), text)
}

/// A picture in base64: one string and nothing in it.
pub(crate) fn blob(rng: &mut Rng, bytes: usize) -> String {
    let content = vec![
        object! {"type": "text", "text": "Screenshot of the page"},
        object! {"type": "image", "data": rng.base64(bytes), "mimeType": "image/png"},
    ];
    let result = object! {"resultType": "complete", "content": content, "isError": false};
    object! {"jsonrpc": "2.0", "id": id(rng), "result": result}.write(Style::Compact)
}

/// What a tool answers that read a file, a table or a page: half a kilobyte to thirty.
pub(crate) fn result(rng: &mut Rng) -> String {
    let text = match rng.range(0, 10) {
        0..5 => {
            let length = rng.range(2_000, 20_000);
            text::code(rng, length)
        }
        5..8 => {
            let rows: Vec<_> = (0..rng.range(10, 60)).map(|nth| row(rng, nth)).collect();
            let style = rng.pick(&[Style::Spaced, Style::Pretty]);
            Json::Array(rows).write(style)
        }
        _ => {
            let length = rng.range(1_000, 12_000);
            text::cjk(rng, length)
        }
    };
    text_result(id(rng), text)
}

fn text_result(id: Json, text: String) -> String {
    let content = vec![object! {"type": "text", "text": text}];
    let result = object! {"resultType": "complete", "content": content, "isError": false};
    object! {"jsonrpc": "2.0", "id": id, "result": result}.write(Style::Compact)
}
