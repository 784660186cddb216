//! The tools of a `tools/list` result, with the plans of their arguments.

use super::param_plan::{ParamPlan, PlanError, PlanErrorKind};
use crate::json::{JsonKind, JsonStr, RawJson};
use alloc::string::String;
use bytes::BufMut;

/// A tool of a list.
#[derive(Clone, Debug)]
pub struct Tool<'a> {
    /// All of it.
    pub raw: RawJson<'a>,
    /// Its name, if it has one that is a string.
    pub name: Option<JsonStr<'a>>,
    /// Its plan, or why its annotations are bad.
    pub plan: Result<ParamPlan, PlanError>,
}

impl<'a> Tool<'a> {
    fn of(raw: RawJson<'a>) -> Self {
        let (mut name, mut schema, mut is_twice) = (None, None, false);
        for (member, value) in raw.members() {
            let seen = match member {
                member if member == "name" => &mut name,
                member if member == "inputSchema" => &mut schema,
                _ => continue,
            };
            is_twice |= seen.replace(value).is_some();
        }
        let plan = match schema {
            // Which of the two is called, and with which headers?
            _ if is_twice => Err(PlanError {
                kind: PlanErrorKind::Duplicate,
                at: 0,
                property: String::new(),
            }),
            Some(schema) => ParamPlan::compile(schema),
            None => Ok(ParamPlan::default()),
        };
        Self {
            raw,
            name: name.and_then(|name| name.as_string()),
            plan,
        }
    }
}

/// The arrays of tools of a result. Readers differ in which they take if there are several.
fn lists<'a>(result: RawJson<'a>) -> impl Iterator<Item = RawJson<'a>> + use<'a> {
    let members = result.members().filter(|(name, _)| *name == "tools");
    let lists = members.map(|(_, list)| list);
    lists.filter(|list| list.kind() == JsonKind::Array)
}

/// The tools of a `tools/list` result; none if it has no array of them. One that has its name or its schema twice has a bad
/// plan. Walks each tool three times.
pub fn tools<'a>(result: RawJson<'a>) -> impl Iterator<Item = Tool<'a>> + use<'a> {
    lists(result).flat_map(|list| list.elements()).map(Tool::of)
}

/// Writes a `tools/list` result without the tools whose annotations are bad, as a client on HTTP has to read it
/// (2026-07-28 `server/tools#x-mcp-header`), and gives how many were dropped. `on_drop` gets each of those, for a log. All
/// other bytes stay as they are. Walks each tool four times, and allocates for its plan.
///
/// # Panics
/// If the buffer can't grow and is full, as every [`BufMut`] does.
pub fn filter_tools<'a>(
    result: RawJson<'a>,
    out: &mut impl BufMut,
    mut on_drop: impl FnMut(&Tool<'a>),
) -> usize {
    let text = result.raw();
    let mut put = |piece: Option<&str>| out.put_slice(piece.unwrap_or("").as_bytes());
    // What has been written, or dropped.
    let (mut done, mut dropped) = (0, 0);
    for list in lists(result) {
        let mut is_first = true;
        // The first element was dropped, and all since.
        let mut is_gap = false;
        for tool in list.elements().map(Tool::of) {
            let start = tool.raw.raw().as_ptr() as usize - text.as_ptr() as usize;
            let end = start + tool.raw.raw().len();
            if tool.plan.is_err() {
                on_drop(&tool);
                dropped += 1;
                if is_first {
                    put(text.get(done..start));
                    is_gap = true;
                }
            } else {
                // What takes the place of the first has no comma before it.
                let from = if is_gap { start } else { done };
                put(text.get(from..end));
                is_gap = false;
            }
            is_first = false;
            done = end;
        }
    }
    put(text.get(done..));
    dropped
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn bad_tools_are_dropped_and_nothing_else_changes() {
        let good = |name: &str| format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#);
        let bad = r#"{"name":"bad","inputSchema":{"x-mcp-header":"A"}}"#.to_owned();
        let (a, b) = (good("a"), good("b"));
        for (list, expected, dropped) in [
            ("[]".to_owned(), "[]".to_owned(), 0),
            (format!("[ {a} , {b} ]"), format!("[ {a} , {b} ]"), 0),
            (format!("[{bad}]"), "[]".to_owned(), 1),
            (format!("[ {bad} , {bad} ]"), "[  ]".to_owned(), 2),
            (format!("[{bad}, {a}, {b}]"), format!("[{a}, {b}]"), 1),
            (format!("[{bad},{bad}, {a}]"), format!("[{a}]"), 2),
            (format!("[{a}, {bad}, {b}]"), format!("[{a}, {b}]"), 1),
            (format!("[{a}, {bad},\n{bad} ]"), format!("[{a} ]"), 2),
            (
                format!("[{bad},{a}, {bad},{b},{bad}]"),
                format!("[{a},{b}]"),
                3,
            ),
            ("7".to_owned(), "7".to_owned(), 0),
        ] {
            let result = format!(r#"{{"x":1.50, "tools": {list} ,"nextCursor":"c"}}"#);
            let mut out = Vec::new();
            let mut names = 0;
            let count = filter_tools(
                RawJson::parse(result.as_bytes()).unwrap(),
                &mut out,
                |tool| {
                    assert_eq!(tool.name.unwrap(), "bad");
                    names += 1;
                },
            );
            let expected = format!(r#"{{"x":1.50, "tools": {expected} ,"nextCursor":"c"}}"#);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{list}");
            assert_eq!((count, names), (dropped, dropped));
        }
        let twice = format!(r#"{{"tools":[{bad}],"tools":[{a},{{"name":"x","name":"bad"}}]}}"#);
        let mut out = Vec::new();
        filter_tools(RawJson::parse(twice.as_bytes()).unwrap(), &mut out, |_| {});
        let expected = format!(r#"{{"tools":[],"tools":[{a}]}}"#);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        let mut out = Vec::new();
        filter_tools(RawJson::parse(b"{}").unwrap(), &mut out, |_| {});
        assert_eq!(out, b"{}");
    }

    #[test]
    fn each_tool_with_its_plan() {
        let result = br#"{"tools":[{"name":"a","inputSchema":{"properties":{"r":{"type":"string","x-mcp-header":"R"}}}},
            {"inputSchema":{"x-mcp-header":"A"}},7]}"#;
        let found: Vec<_> = tools(RawJson::parse(result).unwrap()).collect();
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].name.unwrap(), "a");
        assert_eq!(found[0].plan.as_ref().unwrap().annotations().count(), 1);
        assert!(found[1].name.is_none() && found[1].plan.is_err());
        assert!(found[2].plan.as_ref().unwrap().is_empty());
        assert_eq!(tools(RawJson::parse(b"{}").unwrap()).count(), 0);
    }
}
