//! Frames of a given length.

const START: &str = r#"{"jsonrpc":"2.0","id":17,"method":"m","params":{"a":"#;
const META: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":{"progressToken":"p","#;

/// What a frame begins with, what is repeated as far as it goes, and what it ends with. The middle is cut wherever the length
/// wants it, so many are bad, each in its way.
const KINDS: [(&str, &str, &str); 32] = [
    // Good from a certain length on.
    (START, " ", "1}}"),
    (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, " ", ""),
    (
        "",
        "\n\t \r",
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":""}}"#,
    ),
    (r#"{"jsonrpc":"2.0","id":"x","method":""#, "m", "\"}"),
    (
        r#"{"jsonrpc":"2.0","id":""#,
        "7",
        "\",\"result\":{\"b\":[]}}",
    ),
    (r#"{"jsonrpc":"2.0","method":"m","id":1"#, "0", "}"),
    (
        r#"{"jsonrpc":"2.0","method":"m","params":{"v":[0."#,
        "5",
        "]}}",
    ),
    (META, " ", r#""traceparent":"00-1-2-01"}}}"#),
    // Good if the middle happens to be cut well.
    (
        r#"{"jsonrpc":"2.0","id":1,"result":{"text":""#,
        r"\n\\\u00e9\ud834\udd1e",
        "\"}}",
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"result":{"text":""#,
        r#"\""#,
        "\"}}",
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"result":{"text":""#,
        "é日𝄞",
        "\"}}",
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"result":{"v":["#,
        "1,-25,3.5e-7,",
        "0]}}",
    ),
    (r#"{"jsonrpc":"2.0","id":1,"result":{"v":["#, "1,", "0]}}"),
    (
        r#"{"jsonrpc":"2.0","id":1,"result":{"v":["#,
        "true,null,false,",
        "true]}}",
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"result":{"v":["#,
        "{},[],\"\",",
        "1]}}",
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"result":{"#,
        r#""k":{"v":1},"#,
        "\"z\":[]}}",
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"#,
        r#""x" : 1 , "#,
        "\"result\":{}}",
    ),
    // Cut within something.
    (START, "[{\"a\":", "0"),
    (START, "\"", "\\"),
    (r#"{"jsonrpc":"2.0","id":1,"method":""#, "m", "\\u12"),
    (r#"{"jsonrpc":"2.0","id":1,"method":""#, "日", ""),
    (START, "1,", "-"),
    (START, "12345678", ""),
    (START, "[", "tru"),
    // Anything else.
    ("", " ", ""),
    ("", "\"", ""),
    ("", "\\", ""),
    ("{", ",", ""),
    ("[", "1,", "2]"),
    ("[\"", "x", "\"]"),
    ("", "[", ""),
    ("-", "9", ""),
];

/// The last bytes of a frame that is bad because of them.
const LAST: [&[u8]; 6] = [
    b"\xF0\x9D\x84",
    b"\xE6\x97",
    b"\xC3",
    b"\0",
    b"\x0C",
    b"\xFF",
];

/// A frame of each kind, cut or grown to the length.
pub(crate) fn of(len: usize) -> impl Iterator<Item = (String, Vec<u8>)> {
    let kinds = KINDS.into_iter().map(move |(start, middle, end)| {
        let kind = format!("{start:?} {middle:?} {end:?}");
        (kind, frame(len, start, middle, end.as_bytes()))
    });
    let bad = LAST.into_iter().map(move |end| {
        let kind = format!("\"{}\" at the end", end.escape_ascii());
        (kind, frame(len, START, "\"é\",", end))
    });
    kinds.chain(bad)
}

fn frame(len: usize, start: &str, middle: &str, end: &[u8]) -> Vec<u8> {
    let middles = middle.bytes().cycle();
    let most = len.saturating_sub(start.len() + end.len());
    let mut frame: Vec<u8> = start.bytes().chain(middles.take(most)).collect();
    frame.extend_from_slice(end);
    frame.truncate(len);
    frame
}
