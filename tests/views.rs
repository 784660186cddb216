//! MCP's own shapes as views: what is there, what is not, and what is there twice.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

use rpcslice::mcp::view::{
    ArgumentsError, CallResult, ContentKind, InputRequired, Tool, ToolCall, ToolList,
    call_arguments, call_arguments_text,
};
use rpcslice::{Message, RawJson};

fn raw(text: &str) -> RawJson<'_> {
    RawJson::parse(text.as_bytes()).unwrap()
}

#[test]
fn tools_of_a_list() {
    let text = r#"{"tools":[
        {"inputSchema":{"type": "object"},"n\u0061me":"a\u0062","title":"T","description":"d","outputSchema":{},"annotations":{"x":1},"x":[]},
        7, {"name":7,"title":null,"inputSchema":[]}, {"name":"a","name":"b","title":"t"}, {}],"nextCursor":"\u0063"}"#;
    let list = ToolList::of(raw(text)).unwrap();
    assert_eq!(list.next_cursor().unwrap(), "c");
    let tools: Vec<Tool<'_>> = list.tools().collect();
    assert_eq!(tools.len(), 4);
    let first = &tools[0];
    assert_eq!(first.name.unwrap(), "ab");
    assert_eq!(
        (first.title.unwrap().raw(), first.description.unwrap().raw()),
        ("\"T\"", "\"d\"")
    );
    assert_eq!(first.input_schema.unwrap().raw(), r#"{"type": "object"}"#);
    assert_eq!(first.output_schema.unwrap().raw(), "{}");
    assert_eq!(first.annotations.unwrap().raw(), r#"{"x":1}"#);
    assert!(text.contains(first.raw.raw()));
    for tool in &tools[1..] {
        // Of the wrong type, or twice: nothing.
        assert!(tool.name.is_none() && tool.title.is_none() && tool.input_schema.is_none());
    }
    for none in [
        "{}",
        "[]",
        r#"{"tools":{}}"#,
        r#"{"tools":[],"tools":[]}"#,
        r#"{"tools":[],"nextCursor":"","nextCursor":""}"#,
    ] {
        assert!(ToolList::of(raw(none)).is_none(), "{none}");
    }
    assert!(Tool::of(raw("[]")).is_none());
    assert_eq!(
        ToolList::of(raw(r#"{"tools":[],"nextCursor":7}"#))
            .unwrap()
            .next_cursor(),
        None
    );
    // Debug tells lengths, not payload.
    assert!(!format!("{list:?} {first:?}").contains("ab"));
}

#[test]
fn blocks_of_a_result() {
    let result = CallResult::of(raw(
        r#"{"content":[{"type":"text","text":"t\n"},{"type":"image","data":"AA==","mimeType":"image/png"},
        {"type":"audio","data":"","mimeType":"m"},{"type":"resource_link","uri":"u","name":"n","mimeType":"m"},
        {"type":"resource","resource":{"uri":"u","text":"x"}},{"type":"later","text":"x"},{"text":"x"},
        {"type":"text","text":"a","text":"b"},null],"structuredContent":[ 1],"isError":true}"#,
    ))
    .unwrap();
    use ContentKind::{Audio, Image, Other, Resource, ResourceLink, Text};
    let blocks: Vec<_> = result.content().collect();
    let kinds: Vec<_> = blocks.iter().map(|block| block.kind).collect();
    assert_eq!(
        kinds,
        [
            Text,
            Image,
            Audio,
            ResourceLink,
            Resource,
            Other,
            Other,
            Other
        ]
    );
    assert_eq!(blocks[0].text.unwrap(), "t\n");
    assert_eq!(blocks[1].data.unwrap(), "AA==");
    assert_eq!(blocks[1].mime_type.unwrap(), "image/png");
    assert_eq!(blocks[3].uri.unwrap(), "u");
    assert_eq!(
        blocks[4].resource.unwrap().get("text").unwrap().raw(),
        "\"x\""
    );
    assert!(blocks[5].text.is_some() && blocks[7].text.is_none());
    assert_eq!(result.structured_content().unwrap().raw(), "[ 1]");
    assert!(result.is_error());
    for (text, is_error) in [
        ("{}", Some(false)),
        (r#"{"isError":false}"#, Some(false)),
        (r#"{"isError":"true","content":{}}"#, Some(false)),
        (r#"{"isError":true,"isError":false}"#, None),
        (r#"{"content":[],"c\u006fntent":[]}"#, None),
        ("[]", None),
    ] {
        let result = CallResult::of(raw(text));
        assert_eq!(result.map(|result| result.is_error()), is_error, "{text}");
        assert_eq!(result.map_or(0, |result| result.content().count()), 0);
    }
}

#[test]
fn calls_and_their_arguments() {
    let call = |params: &str, method: &str| {
        let frame = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
        let message = Message::parse(frame.as_bytes()).unwrap();
        ToolCall::of(&message).map(|call| {
            let arguments = call.arguments.map(|arguments| arguments.raw().to_owned());
            (call.name.decode().unwrap().into_owned(), arguments)
        })
    };
    let name = || "n".to_owned();
    assert_eq!(call(r#"{"name":"n"}"#, "tools/call"), Some((name(), None)));
    let with = call(
        r#"{"arguments":{ "a":1.0},"name":"\u006e"}"#,
        "tools\\/call",
    );
    assert_eq!(with, Some((name(), Some(r#"{ "a":1.0}"#.to_owned()))));
    assert_eq!(
        call(r#"{"name":"n","arguments":[]}"#, "tools/call"),
        Some((name(), None))
    );
    assert_eq!(call(r#"{"name":7}"#, "tools/call"), None);
    assert_eq!(
        call(
            r#"{"name":"n","arguments":{},"argument\u0073":{}}"#,
            "tools/call"
        ),
        None
    );
    assert_eq!(call(r#"{"name":"n"}"#, "prompts/get"), None);

    let mut scratch = String::new();
    for (given, expected) in [
        (r#"{"n": 1.50}"#, Ok(r#"{"n": 1.50}"#)),
        (
            r#""{\"n\": 1.50, \"t\":\"\\n\"}""#,
            Ok(r#"{"n": 1.50, "t":"\n"}"#),
        ),
        (r#"" {} ""#, Ok("{}")),
        (r#""""#, Ok("{}")),
        (r#""  \n""#, Ok("{}")),
        (r#""null""#, Ok("{}")),
        ("null", Ok("{}")),
        ("[]", Err(true)),
        ("7", Err(true)),
        (r#""[]""#, Err(true)),
        (r#""{} {}""#, Err(false)),
        (r#""{\"a\":}""#, Err(false)),
        (r#""x""#, Err(false)),
    ] {
        let got = call_arguments(Some(raw(given)), &mut scratch);
        let got = got
            .map(|value| value.raw())
            .map_err(|error| error == ArgumentsError::NotObject);
        assert_eq!(got, expected, "{given}");
    }
    assert_eq!(
        call_arguments(Some(raw(r#""\ud800""#)), &mut scratch),
        Err(ArgumentsError::NotText)
    );
    // With the message and its params that is a reader's default limit.
    for (levels, is_good) in [(125, true), (126, false)] {
        let text = format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        let arguments = call_arguments_text(&text);
        assert_eq!(arguments.is_ok(), is_good, "{levels}");
        let frame = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"n","arguments":{text}}}}}"#
        );
        assert_eq!(Message::parse(frame.as_bytes()).is_ok(), is_good);
    }
}

#[test]
fn what_a_server_needs_to_know() {
    let needed = InputRequired::of(raw(
        r#"{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"},
        "\u0062":{"method":"elicitation/create","params":{"message":"?"}},"c":7,"d":{"method":"m","method":"n"}},
        "requestState":""}"#,
    ))
    .unwrap();
    let requests: Vec<_> = needed.requests().collect();
    assert_eq!(requests.len(), 4);
    assert_eq!(requests[0].1.method.unwrap(), "roots/list");
    assert!(requests[0].1.params.is_none());
    assert_eq!(requests[1].0, "b");
    assert_eq!(requests[1].1.params.unwrap().raw(), r#"{"message":"?"}"#);
    assert!(requests[2].1.method.is_none() && requests[3].1.method.is_none());
    assert_eq!(requests[2].1.raw.raw(), "7");
    assert_eq!(needed.request_state().unwrap(), "");
    for none in [
        r#"{"inputRequests":{}}"#,
        r#"{"resultType":"complete","inputRequests":{}}"#,
        r#"{"resultType":"input_required","requestState":"a","requestState":"b"}"#,
        "[]",
    ] {
        assert!(InputRequired::of(raw(none)).is_none(), "{none}");
    }
    let bare =
        InputRequired::of(raw(r#"{"resultType":"input_required","requestState":7}"#)).unwrap();
    assert_eq!(bare.requests().count(), 0);
    assert!(bare.request_state().is_none());
}
