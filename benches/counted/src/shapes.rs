//! Messages of any size, each all of one kind: whatever is done twice for each of something shows in one of them.

/// Every shape there is.
pub const NAMES: [&str; 13] = [
    "blob",
    "strings",
    "escapes",
    "surrogates",
    "numbers",
    "literals",
    "nesting",
    "keys",
    "meta_keys",
    "top_keys",
    "blanks",
    "cjk",
    "pretty",
];

/// A valid message of `bytes`, or a few dozen more, in the shape of that name.
pub fn message(shape: &str, bytes: usize) -> Option<Vec<u8>> {
    let (head, tail) = match shape {
        "blob" | "escapes" | "surrogates" | "cjk" => (result("\""), "\"]}}"),
        "strings" | "numbers" | "literals" | "nesting" | "blanks" | "pretty" => {
            (result(""), "0]}}")
        }
        "keys" => (params("{"), "\"z\":0}}"),
        "meta_keys" => (params("{\"_meta\":{"), "\"z\":0}}}"),
        "top_keys" => (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",".to_owned(),
            "\"z\":0}",
        ),
        _ => return None,
    };
    let mut text = head;
    let mut nth = 0;
    while text.len() + tail.len() < bytes {
        match shape {
            "blob" => text.push('A'),
            "escapes" => text.push_str("\\n\\\"\\u00e9x"),
            "surrogates" => text.push_str("\\ud83d\\ude00"),
            "cjk" => text.push_str("上下文🔧é"),
            "strings" => text.push_str("\"abcdefg\","),
            "numbers" => text.push_str("-12.5e3,"),
            "literals" => text.push_str("true,null,false,"),
            "nesting" => {
                text.push_str(&"[".repeat(100));
                text.push_str(&"]".repeat(100));
                text.push(',');
            }
            "blanks" => text.push_str("1       \r\n\t,    "),
            "pretty" => text.push_str("{\n          \"name\": \"value\"\n        },\n        "),
            _ => text.push_str(&format!("\"key{nth:06}\":1,")),
        }
        nth += 1;
    }
    text.push_str(tail);
    Some(text.into_bytes())
}

fn result(start: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"content\":[{start}")
}

fn params(start: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{start}")
}

/// The id stands before the bulk of the message.
pub fn with_id_first(bytes: usize) -> Vec<u8> {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}}",
        bulk(bytes)
    )
    .into_bytes()
}

/// The id stands behind it, as the TypeScript SDK writes it.
pub fn with_id_last(bytes: usize) -> Vec<u8> {
    format!(
        "{{\"result\":{},\"jsonrpc\":\"2.0\",\"id\":1}}",
        bulk(bytes)
    )
    .into_bytes()
}

fn bulk(bytes: usize) -> String {
    let mut text = "{\"content\":[".to_owned();
    while text.len() < bytes {
        text.push_str("{\"type\":\"text\",\"text\":\"some words in a line\"},");
    }
    text.push_str("0]}");
    text
}
