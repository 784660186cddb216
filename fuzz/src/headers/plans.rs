//! What a schema annotates, and lists without bad tools.

use crate::oracle::plan::{self, Annotation, Bad};
use crate::oracle::tree;
use crate::rng::Rng;
use rpcslice::http::{ParamPlan, filter_tools, tools};
use rpcslice::json::RawJson;

/// A plan, and what the oracle says it has to hold; `None` where it can't tell.
pub struct Plan {
    pub plan: ParamPlan,
    pub annotations: Option<Vec<Annotation>>,
}

/// Holds the plan of a schema to the oracle, and lists of tools that have it. `None`: no plan.
pub fn hold(schema: &[u8], rng: &mut Rng) -> Option<Plan> {
    let schema = RawJson::parse(schema).ok()?;
    // It may be a list of tools itself.
    hold_list(schema.raw());
    hold_list(&list(schema.raw(), rng));
    let expected = plan::annotations(schema.raw());
    let compiled = ParamPlan::compile(schema);
    match (&compiled, &expected) {
        (_, None) => {}
        (Ok(plan), Some(Ok(annotations))) => {
            let found = plan
                .annotations()
                .map(|(path, name)| (path, name.to_owned()));
            let expected = annotations
                .iter()
                .map(|(path, name)| (path.join("."), name.clone()));
            let (mut found, mut expected) = (Vec::from_iter(found), Vec::from_iter(expected));
            found.sort();
            expected.sort();
            assert_eq!(found, expected);
            assert_eq!(plan.is_empty(), expected.is_empty());
        }
        (Err(_), Some(Err(Bad))) => {}
        (found, expected) => panic!("{found:?}, but {expected:?} in {}", schema.raw()),
    }
    match compiled {
        Ok(plan) => {
            // In the plan's order, so that numbers mean the same.
            let names: Vec<_> = plan
                .annotations()
                .map(|(_, name)| name.to_ascii_lowercase())
                .collect();
            let annotations = expected.and_then(Result::ok).map(|mut annotations| {
                let place = |name: &str| names.iter().position(|n| *n == name.to_ascii_lowercase());
                annotations.sort_by_key(|(_, name)| place(name));
                annotations
            });
            Some(Plan { plan, annotations })
        }
        Err(error) => {
            assert!(error.at() <= schema.raw().len());
            None
        }
    }
}

/// A `tools/list` result with that schema in it, and others.
fn list(schema: &str, rng: &mut Rng) -> String {
    let good = r#"{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}"#;
    let bad = r#"{"properties":{"a":{"type":"string","x-mcp-header":""}}}"#;
    let gap = |rng: &mut Rng| [" ", "\n\t", "", ""][rng.below(4)];
    let mut tools = Vec::new();
    for _ in 0..rng.below(5) {
        let schema = *rng.pick(&[schema, good, bad]).expect("three");
        let tool = match rng.below(8) {
            0 => "{\"name\":\"none\"}".to_owned(),
            1 => schema.to_owned(),
            _ => format!("{{\"name\":\"t\",{}\"inputSchema\":{schema}}}", gap(rng)),
        };
        tools.push(format!("{}{tool}{}", gap(rng), gap(rng)));
    }
    format!(
        "{{\"a\":1,\"tools\"{}:[{}]{},\"z\":[]}}",
        gap(rng),
        tools.join(","),
        gap(rng)
    )
}

/// What is left of a list is a list, of the good tools and nothing else.
fn hold_list(text: &str) {
    let result = RawJson::parse(text.as_bytes());
    let Ok(result) = result else {
        return;
    };
    let mut out = Vec::new();
    let mut told = 0;
    let dropped = filter_tools(result, &mut out, |tool| {
        assert!(tool.plan.is_err());
        told += 1;
    });
    assert_eq!(told, dropped);
    let out = String::from_utf8(out).expect("of a text");
    if dropped == 0 {
        assert_eq!(out, result.raw(), "nothing is bad");
    }
    let left = RawJson::parse(out.as_bytes()).expect("JSON still");
    assert_eq!(tools(left).count() + dropped, tools(result).count());
    assert!(tools(left).all(|tool| tool.plan.is_ok()));
    let root = tree::root(text).expect("JSON");
    let found = tools_of(text, &root).zip(tools_of(&out, &(0..out.len())));
    let Some(((before, list, after), (before_left, left, after_left))) = found else {
        return;
    };
    assert_eq!(
        (before, after),
        (before_left, after_left),
        "what is around the list"
    );
    let good = list.into_iter().filter(|tool| is_good(tool) != Some(false));
    let may_be_more = left.len();
    let good = Vec::from_iter(good);
    match good.iter().all(|tool| is_good(tool).is_some()) {
        true => assert_eq!(left, good),
        false => assert!(may_be_more <= good.len()),
    }
}

/// The text in front of the list, its elements, and the text behind; `None` if there is no list, or two.
fn tools_of<'a>(
    text: &'a str,
    at: &std::ops::Range<usize>,
) -> Option<(&'a str, Vec<&'a str>, &'a str)> {
    let members = tree::members(text, at)?;
    let named = |name: &[u16]| name.iter().copied().eq("tools".encode_utf16());
    let mut lists = members.iter().filter(|member| named(&member.name));
    let (Some(list), None) = (lists.next(), lists.next()) else {
        return None;
    };
    let elements = tree::elements(text, &list.value)?;
    let elements = elements.into_iter().map(|at| &text[at]).collect();
    Some((
        &text[at.start..list.value.start],
        elements,
        &text[list.value.end..at.end],
    ))
}

fn is_good(tool: &str) -> Option<bool> {
    let root = tree::root(tool).expect("an element");
    let members = tree::members(tool, &root).unwrap_or_default();
    let all = |text: &str| {
        let is = |member: &&tree::Member| member.name.iter().copied().eq(text.encode_utf16());
        Vec::from_iter(members.iter().filter(is))
    };
    match (&*all("name"), &*all("inputSchema")) {
        // Two readers may take either.
        ([_, _, ..], _) | (_, [_, _, ..]) => Some(false),
        (_, [schema]) => plan::annotations(&tool[schema.value.clone()]).map(|found| found.is_ok()),
        (_, []) => Some(true),
    }
}
