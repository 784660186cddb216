//! The texts that are edited: each has something that a block, a window or a count of tokens might go wrong on.

use crate::rng::Rng;
use std::sync::OnceLock;

/// Messages of every kind, as they come, and as people write them.
const MESSAGES: [&str; 9] = [
    r#"{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"C","version":"1"},"io.modelcontextprotocol/clientCapabilities":{},"progressToken":"p","traceparent":"00-1-2-01"},"name":"get\u005fweather","arguments":{"a":[1,2.5,{"b":null}],"c":"x\ny"}}}"#,
    r#"{"method":"notifications/progress","params":{"progressToken":94,"progress":0.5,"total":100,"message":"日本","_meta":{}},"jsonrpc":"2.0"}"#,
    "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": \"a\\u0062\",\n  \"result\": {\n    \"resultType\": \"complete\",\n    \"tools\": [],\n    \"ttlMs\": 5,\n    \"_meta\": {\"io.modelcontextprotocol/serverInfo\": {\"name\": \"S\"}}\n  }\n}\n",
    r#"{"error":{"code":-32600,"message":"no","data":{"supported":[]}},"id":null,"jsonrpc":"2.0"}"#,
    r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    r#"{"jsonrpc":"2.0","id":"x","method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"é𝄞","version":"0.1"}}}"#,
    r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"a \"b\" \\ c\r\n"},{"type":"image","data":"aGVsbG8gd29ybGQ=","mimeType":"image/png"}],"isError":false}}"#,
    r#"{"jsonrpc":"2.0","id":1e2,"params":null,"method":"m\ud83d"}"#,
];

/// The first so many are short.
struct Bases {
    all: Vec<Vec<u8>>,
    short: usize,
}

fn bases() -> &'static Bases {
    static BASES: OnceLock<Bases> = OnceLock::new();
    BASES.get_or_init(|| {
        let mut all: Vec<_> = MESSAGES.map(|text| text.as_bytes().to_vec()).into();
        // Messages are what there should be most of.
        all.extend_from_within(..);
        all.extend_from_within(..);
        short(&mut all);
        let short = all.len();
        long(&mut all);
        Bases { all, short }
    })
}

fn short(all: &mut Vec<Vec<u8>>) {
    let mut add = |text: String| all.push(text.into_bytes());
    for count in [5, 20, 60, 120] {
        add(numbers(count));
    }
    // Runs of escapes; and quotes and backslashes at every offset of a block.
    for len in [1, 31, 60, 63, 64, 65, 127, 128, 129] {
        add(format!("[\"{}\"]", "\\\\".repeat(len)));
        add(format!("{{\"{}\":1}}", "\\\"".repeat(len)));
        add(format!("\"{}\\n\"", "\\\\".repeat(len)));
    }
    for at in 48..=72 {
        let pad = "x".repeat(at);
        add(format!("[\"{pad}\\\\\",\"\\\"\",1]"));
        add(format!("[\"{pad}\\u00e9\\ud834\\udd1e\",true]"));
        add(format!("[\"{pad}é日𝄞\",-0.5e-7,null]"));
        add(format!("{{\"{pad}\": -12345678.25E+10, \"\": false}}"));
    }
    for levels in [3, 20, 60, 62, 63, 64, 65, 66, 70] {
        add(nested("[", "1", "]", levels));
        add(nested("{\"k\":", "[]", "}", levels));
        add(nested("[{\"a\":1,\"b\":", "\"\"", "},0]", levels / 2));
    }
    add("[true,false,null,{},[],\"\",0,-0,[{}],{\"a\":{}}]".to_owned());
    add(" \t\r\n{ \"a\" : [ 1 , 2 ] ,\r\n \"b\" : { } } \n".to_owned());
}

/// More than one window, or more than one would want to parse often.
fn long(all: &mut Vec<Vec<u8>>) {
    let mut add = |text: String| all.push(text.into_bytes());
    for tokens in (511..=580).chain([1023, 1024, 1025, 1100]) {
        // Two for each number, and the brackets.
        add(format!("[{}1]", "1,".repeat(tokens / 2 - 1)));
        add(format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"a\":[{}{{}}]}}}}",
            "{\"b\":2},".repeat((tokens - 20) / 6)
        ));
        add(format!("{{{}", ",".repeat(tokens)));
    }
    for count in [300, 600, 1500] {
        add(numbers(count));
        add(format!(
            "{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{{\"v\":{}}}}}",
            numbers(count)
        ));
        add(format!("[{}\"\"]", "[],{},[{\"a\":[]}],".repeat(count / 6)));
    }
    for len in [65_530, 65_600] {
        add(format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"text\":\"{}\"}}}}",
            "z".repeat(len)
        ));
    }
    add(format!("[\"{}\"]", "é\\n".repeat(17_000)));
}

/// Densely packed numbers of several shapes.
fn numbers(count: usize) -> String {
    let shapes = [
        "3.25",
        "-17",
        "1e9",
        "0",
        "12345678901",
        "-0.5E-3",
        "7",
        "100000000",
    ];
    let all: Vec<_> = (0..count).map(|i| shapes[(i * 5 + i / 8) % 8]).collect();
    format!("[{}]", all.join(","))
}

fn nested(open: &str, inner: &str, close: &str, levels: usize) -> String {
    [&open.repeat(levels), inner, &close.repeat(levels)].concat()
}

/// All of them.
pub fn all() -> &'static [Vec<u8>] {
    &bases().all
}

/// Any of them, mostly a short one.
pub fn pick(rng: &mut Rng) -> &'static [u8] {
    let Bases { all, short } = bases();
    let (short, long) = all.split_at(*short);
    let (from, is_last_wanted) = match rng.below(64) {
        0 => (long, rng.once_in(16)),
        _ => (short, true),
    };
    let text = rng.pick(from).map_or(&[][..], Vec::as_slice);
    // The longest are slow.
    match text.len() > 20_000 && !is_last_wanted {
        true => &short[0],
        false => text,
    }
}
