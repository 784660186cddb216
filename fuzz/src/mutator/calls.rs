//! Requests of 2026-07-28, and schemas that annotate their arguments.

use super::{dictionary, json, raw, replace};
use crate::oracle::tree;
use crate::rng::Rng;
use std::collections::HashSet;
use std::ops::Range;

/// Methods, and the member that `Mcp-Name` mirrors.
const METHODS: [(&str, &str); 12] = [
    ("tools/call", "name"),
    ("tools/call", "name"),
    ("tools/call", "name"),
    ("prompts/get", "name"),
    ("resources/read", "uri"),
    ("tasks/get", "taskId"),
    ("tasks/cancel", "taskId"),
    ("tasks/update", "taskId"),
    ("tools/list", "name"),
    ("server/discover", "uri"),
    ("acme/none", "name"),
    ("notifications/cancelled", "name"),
];
const TEXTS: [&str; 16] = [
    "\"a\"",
    "\"us-west1\"",
    "\"\"",
    "\" a\"",
    "\"a \"",
    "\"a\\tb\"",
    "\"\\u0061\"",
    "\"\\u4e16\\u754c\"",
    "\"日本\"",
    "\"=?base64?x?=\"",
    "\"=?base64?=\"",
    "\"=?base64?YQ==?=\"",
    "\"?=\"",
    "\"\\ud83d\"",
    "\"file:///p/c%20d.json\"",
    "\"\\u007f\"",
];
const NUMBERS: [&str; 10] = [
    "0",
    "-0",
    "42",
    "42.0",
    "4.2e1",
    "9007199254740991",
    "-9007199254740991",
    "9007199254740992",
    "1.5",
    "1e400",
];
const KEYS: [&str; 8] = [
    "\"a\"",
    "\"b\"",
    "\"c\"",
    "\"\\u0061\"",
    "\"nest\"",
    "\"a.b\"",
    "\"properties\"",
    "\"x-mcp-header\"",
];
const ANNOTATIONS: [&str; 8] = [
    "\"P0\"",
    "\"p0\"",
    "\"P1\"",
    "\"Region\"",
    "\"\"",
    "\"a b\"",
    "\"\\u0050\\u0032\"",
    "7",
];
const KEYWORDS: [&str; 13] = [
    "properties",
    "properties",
    "properties",
    "items",
    "oneOf",
    "$defs",
    "patternProperties",
    "dependentSchemas",
    "default",
    "enum",
    "const",
    "additionalProperties",
    "not",
];
const TYPES: [&str; 6] = [
    "\"string\"",
    "\"integer\"",
    "\"boolean\"",
    "\"number\"",
    "\"object\"",
    "[\"string\",\"null\"]",
];

fn one_of(table: &[&'static str], rng: &mut Rng) -> &'static str {
    rng.pick(table).copied().unwrap_or_default()
}

/// A request that is mostly in order.
pub fn fresh(rng: &mut Rng) -> Vec<u8> {
    let (method, member) = *rng.pick(&METHODS).unwrap_or(&METHODS[0]);
    let version = match rng.below(12) {
        0 => "DRAFT-2027-v1",
        1 => "2025-11-25",
        2 => "2026-07\\u002d28",
        _ => "2026-07-28",
    };
    if rng.once_in(12) {
        return fresh_legacy(rng);
    }
    let mut meta = vec![format!(
        "\"io.modelcontextprotocol/protocolVersion\":\"{version}\""
    )];
    meta.push("\"io.modelcontextprotocol/clientCapabilities\":{}".into());
    if rng.once_in(4) {
        meta.push("\"progressToken\":1".into());
    }
    let mut params = vec![
        format!("\"{member}\":{}", one_of(&TEXTS, rng)),
        format!("\"_meta\":{{{}}}", meta.join(",")),
        format!("\"arguments\":{}", arguments(rng, 3)),
    ];
    if member == "taskId" {
        params.push("\"inputResponses\":{}".into());
    }
    shuffle(&mut params, rng);
    let mut members = vec![
        "\"jsonrpc\":\"2.0\"".to_owned(),
        format!("\"id\":{}", rng.below(100)),
        format!(
            "\"method\":\"{}\"",
            method.replace('/', one_of(&["/", "\\/"], rng))
        ),
        format!("\"params\":{{{}}}", params.join(",")),
    ];
    shuffle(&mut members, rng);
    format!("{{{}}}", members.join(",")).into_bytes()
}

/// A message that names no revision.
fn fresh_legacy(rng: &mut Rng) -> Vec<u8> {
    let rest = match rng.below(4) {
        0 => {
            r#""id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#
        }
        1 => r#""id":1,"method":"tools/call","params":{"name":"a"}"#,
        2 => r#""method":"notifications/initialized""#,
        _ => r#""id":1,"result":{}"#,
    };
    let message = format!("{{\"jsonrpc\":\"2.0\",{rest}}}");
    match rng.once_in(8) {
        true => format!("[{message}]").into_bytes(),
        false => message.into_bytes(),
    }
}

fn shuffle(members: &mut [String], rng: &mut Rng) {
    for i in (1..members.len()).rev() {
        members.swap(i, rng.below(i + 1));
    }
}

/// An object of arguments, which may hold others. Names are seldom there twice.
fn arguments(rng: &mut Rng, depth: usize) -> String {
    let mut names = HashSet::new();
    let members = (0..rng.below(4)).filter_map(|_| {
        let name = one_of(&KEYS, rng);
        if !names.insert(name) && !rng.once_in(8) {
            return None;
        }
        let value = match rng.below(8) {
            0 => "null".into(),
            1 => "true".into(),
            2 | 3 => one_of(&NUMBERS, rng).into(),
            4 if depth > 0 => arguments(rng, depth - 1),
            5 => "[1]".into(),
            _ => one_of(&TEXTS, rng).into(),
        };
        Some(format!("{name}:{value}"))
    });
    let members: Vec<String> = members.collect();
    format!("{{{}}}", members.join(","))
}

/// A schema that annotates some of the arguments: a good one, if the arguments can have headers at all.
pub fn schema_of(arguments: &str, rng: &mut Rng) -> String {
    let mut count = 0;
    match tree::root(arguments) {
        Some(root) => object_schema(arguments, &root, &mut count, rng),
        None => "{}".into(),
    }
}

fn object_schema(text: &str, at: &Range<usize>, count: &mut usize, rng: &mut Rng) -> String {
    let mut names = HashSet::new();
    let mut properties = Vec::new();
    for member in tree::members(text, at).unwrap_or_default() {
        // Neither two of one name, nor what is no text: those are no properties.
        if String::from_utf16(&member.name).is_err() || !names.insert(member.name.clone()) {
            continue;
        }
        let value = &text[member.value.clone()];
        let schema = match value.as_bytes()[0] {
            b'{' => object_schema(text, &member.value, count, rng),
            _ if rng.once_in(4) => "{\"type\":\"string\"}".into(),
            first => {
                let ty = match first {
                    b'"' => "string",
                    b't' | b'f' => "boolean",
                    _ => "integer",
                };
                *count += 1;
                format!("{{\"type\":\"{ty}\",\"x-mcp-header\":\"P{}\"}}", *count - 1)
            }
        };
        properties.push(format!("{}:{schema}", &text[member.name_at.clone()]));
    }
    if rng.once_in(4) {
        // An argument that is not there.
        *count += 1;
        let absent =
            format!("\"absent{count}\":{{\"type\":\"string\",\"x-mcp-header\":\"A{count}\"}}");
        properties.push(absent);
    }
    format!(
        "{{\"type\":\"object\",\"properties\":{{{}}}}}",
        properties.join(",")
    )
}

/// A schema of any kind, good or bad.
pub fn fresh_schema(rng: &mut Rng, depth: usize) -> String {
    let mut members = Vec::new();
    if rng.once_in(2) {
        members.push(format!("\"type\":{}", one_of(&TYPES, rng)));
        if rng.once_in(2) {
            members.push(format!("\"x-mcp-header\":{}", one_of(&ANNOTATIONS, rng)));
        }
    }
    for _ in 0..rng.below(3).min(depth) {
        let keyword = one_of(&KEYWORDS, rng);
        let inner = fresh_schema(rng, depth - 1);
        let value = match rng.below(6) {
            0 => inner,
            1 => format!("[{inner}]"),
            _ => format!("{{{}:{inner}}}", one_of(&KEYS, rng)),
        };
        members.push(format!("\"{keyword}\":{value}"));
    }
    shuffle(&mut members, rng);
    format!("{{{}}}", members.join(","))
}

/// An edit of a schema.
pub fn edit_schema(schema: &mut Vec<u8>, rng: &mut Rng) {
    match rng.below(8) {
        0 => *schema = fresh_schema(rng, 4).into_bytes(),
        1..=4 => {
            // A member more, behind some brace.
            let braces = schema.iter().enumerate().filter(|(_, b)| **b == b'{');
            let braces: Vec<usize> = braces.map(|(at, _)| at + 1).collect();
            let Some(&at) = rng.pick(&braces) else {
                return *schema = fresh_schema(rng, 4).into_bytes();
            };
            let mut member = match rng.below(4) {
                0 => format!("\"type\":{}", one_of(&TYPES, rng)),
                1 => format!("\"x-mcp-header\":{}", one_of(&ANNOTATIONS, rng)),
                2 => format!("{}:{}", one_of(&KEYS, rng), fresh_schema(rng, 2)),
                _ => format!(
                    "\"{}\":{{\"a\":{}}}",
                    one_of(&KEYWORDS, rng),
                    fresh_schema(rng, 2)
                ),
            };
            if !schema[at..].trim_ascii_start().starts_with(b"}") {
                member.push(',');
            }
            replace(schema, at..at, member.as_bytes());
        }
        _ => json::edit(schema, rng),
    }
}

/// An edit of a request: most of the time of what has a header.
pub fn edit(call: &mut Vec<u8>, rng: &mut Rng) {
    let outline = super::outline::Outline::of(call);
    let is_mirrored = |member: &&super::outline::Member| {
        let name = &call[member.name.clone()];
        [
            &b"\"name\""[..],
            b"\"uri\"",
            b"\"taskId\"",
            b"\"method\"",
            b"\"a\"",
            b"\"b\"",
        ]
        .contains(&name)
    };
    let mirrored: Vec<_> = outline.members.iter().filter(is_mirrored).collect();
    match (rng.below(8), rng.pick(&mirrored)) {
        (0 | 1, Some(member)) => {
            let value = match rng.below(4) {
                0 => one_of(&NUMBERS, rng).as_bytes().to_vec(),
                1 => rng.pick(&dictionary().strings).cloned().unwrap_or_default(),
                2 => format!("\"{}\"", METHODS[rng.below(METHODS.len())].0).into_bytes(),
                _ => one_of(&TEXTS, rng).as_bytes().to_vec(),
            };
            replace(call, member.value.clone(), &value);
        }
        (2, Some(member)) if call[member.value.start] == b'"' => {
            let at = member.value.start + 1;
            let piece = raw::piece(rng);
            replace(call, at..at, &piece);
        }
        (3, _) => *call = fresh(rng),
        _ => json::edit(call, rng),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rpcslice::json::RawJson;
    use rpcslice::mcp::Rules;

    #[test]
    fn fresh_requests_are_mostly_good() {
        let mut rng = Rng::new(1);
        let good = (0..1000).filter(|_| Rules::server().read(&fresh(&mut rng)).is_ok());
        assert!(good.count() > 500);
    }

    #[test]
    fn schemas_are_json() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let mut schema = fresh_schema(&mut rng, 4).into_bytes();
            assert!(RawJson::parse(&schema).is_ok());
            edit_schema(&mut schema, &mut rng);
            edit(&mut schema, &mut rng);
            let arguments = arguments(&mut rng, 3);
            let schema = schema_of(&arguments, &mut rng);
            let schema = RawJson::parse(schema.as_bytes()).unwrap();
            assert!(rpcslice::http::ParamPlan::compile(schema).is_ok());
        }
    }
}
