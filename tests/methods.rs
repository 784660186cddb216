//! The table of methods against `spec/methods.json` beside the checkout, which was made from the schemas of the five
//! revisions.
//!
//! What the file says otherwise than the table:
//! * it lists `_meta` among required params and results, `resultType` among results, `ttlMs` and `cacheScope` among
//!   results that are cacheable; of the table these are no members but rules, and `is_cacheable`;
//! * what exists in 2026-07-28 as an input request alone (`kind: input-request`) is removed as a message.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use rpcslice::mcp::{Direction, Method, MethodRules, Role, Rules, Status, Version, Versions};
use rpcslice::{Member, Message};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

type Entry = Map<String, Value>;

/// Required by a rule of all params or results.
const RULED: &[&str] = &["_meta", "resultType"];
const CACHE_HINTS: &[&str] = &["ttlMs", "cacheScope"];

/// The file's word.
const DIRECTIONS: &[(Direction, &str)] = &[
    (Direction::ClientToServer, "client-to-server"),
    (Direction::ServerToClient, "server-to-client"),
    (Direction::Both, "both"),
];
/// The file's status, and whether it is an input request.
const STATUSES: &[(Status, &str, bool)] = &[
    (Status::Active, "active", false),
    (Status::Deprecated, "deprecated", false),
    (Status::Removed, "removed", false),
    (Status::Extension, "extension", false),
    (Status::Removed, "active", true),
    (Status::Removed, "deprecated", true),
];

/// The entries of each version, if the file is here.
fn file() -> Option<Vec<(Version, Vec<Entry>)>> {
    let Some(path) = support::files::beside_checkout("spec/methods.json") else {
        println!("../shared/spec/methods.json is not here: left out");
        return None;
    };
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let versions = file["versions"].as_object().unwrap();
    let entries = |entries: &Value| {
        let entries = entries.as_array().unwrap().iter();
        entries
            .map(|entry| entry.as_object().unwrap().clone())
            .collect()
    };
    Some(
        versions
            .iter()
            .map(|(version, listed)| (version.parse().unwrap(), entries(listed)))
            .collect(),
    )
}

fn text<'a>(entry: &'a Entry, key: &str) -> &'a str {
    entry[key].as_str().unwrap()
}

fn names<'a>(entry: &'a Entry, key: &str, but: &[&str]) -> BTreeSet<&'a str> {
    let listed = entry.get(key).and_then(Value::as_array);
    let names = listed
        .into_iter()
        .flatten()
        .map(|name| name.as_str().unwrap());
    names.filter(|name| !but.contains(name)).collect()
}

fn found(entry: &Entry) -> Option<Method> {
    Method::all().find(|method| method.name() == text(entry, "method"))
}

/// The names of members, which all stand where they should.
fn members(members: impl Iterator<Item = Member>, object: &str) -> BTreeSet<&'static str> {
    members
        .map(|member| {
            assert_eq!(member.path(), format!("{object}.{}", member.name()));
            member.name()
        })
        .collect()
}

#[test]
fn each_method_is_as_the_file_has_it() {
    let Some(versions) = file() else { return };
    assert_eq!(versions.len(), Version::ALL.len());
    for (version, entries) in &versions {
        assert!(!entries.is_empty());
        for entry in entries {
            let at = format!("{version} {}", text(entry, "method"));
            let method = found(entry).unwrap_or_else(|| panic!("{at}: not in the table"));
            let rules = method
                .rules(*version)
                .unwrap_or_else(|| panic!("{at}: not in this version"));
            assert_same(&at, entry, method, rules);
        }
    }
}

fn assert_same(at: &str, entry: &Entry, method: Method, rules: &MethodRules) {
    let direction = DIRECTIONS
        .iter()
        .find(|(ours, _)| *ours == rules.direction());
    assert_eq!(direction.unwrap().1, text(entry, "direction"), "{at}");
    assert_eq!(
        method.is_request(),
        text(entry, "kind") != "notification",
        "{at}"
    );
    let is_input_request = text(entry, "kind") == "input-request";
    let status = (rules.status(), text(entry, "status"), is_input_request);
    assert!(STATUSES.contains(&status), "{at}: {status:?}");

    let name = rules.name_member().map(Member::path);
    assert_eq!(name, entry["name_source"].as_str(), "{at}");
    let flag = |key| entry.get(key).and_then(Value::as_bool).unwrap_or(false);
    assert_eq!(rules.is_cacheable(), flag("cacheable"), "{at}");
    assert_eq!(
        rules.may_need_input(),
        flag("input_required_allowed"),
        "{at}"
    );
    let all = names(entry, "required_result", &[]);
    let has_hints = CACHE_HINTS.iter().all(|hint| all.contains(hint));
    assert_eq!(rules.is_cacheable(), has_hints, "{at}");

    if rules.status() == Status::Removed {
        // Nothing is asked of what does not exist.
        assert_eq!(
            rules.required_params().count() + rules.required_result().count(),
            0,
            "{at}"
        );
        return;
    }
    let params = members(rules.required_params(), "params");
    assert_eq!(params, names(entry, "required_params", RULED), "{at}");
    let result = members(rules.required_result(), "result");
    let expected = names(entry, "required_result", &[RULED, CACHE_HINTS].concat());
    assert_eq!(result, expected, "{at}");
}

#[test]
fn the_table_has_nothing_that_the_file_lacks() {
    let Some(versions) = file() else { return };
    for (version, entries) in &versions {
        for method in Method::all().filter(|method| method.rules(*version).is_some()) {
            let is_there = entries
                .iter()
                .any(|entry| text(entry, "method") == method.name());
            assert!(is_there, "{version} {method}");
        }
    }
}

#[test]
fn params_may_be_left_out_where_the_file_says_so() {
    let Some(versions) = file() else { return };
    for (version, entries) in &versions {
        for entry in entries {
            let Some(is_required) = entry["params_required"].as_bool() else {
                continue;
            };
            if text(entry, "kind") == "input-request" {
                continue;
            }
            let name = text(entry, "method");
            let id = if found(entry).unwrap().is_request() {
                r#""id":1,"#
            } else {
                ""
            };
            let frame = format!(r#"{{"jsonrpc":"2.0",{id}"method":"{name}"}}"#);
            let message = Message::parse(frame.as_bytes()).unwrap();
            for role in receivers(text(entry, "direction")) {
                let rules = match role {
                    Role::Server => Rules::server(),
                    _ => Rules::client(),
                };
                let checked = rules.versions(Versions::of(&[*version])).check(&message);
                assert_eq!(checked.is_err(), is_required, "{version} {name}");
            }
        }
    }
}

fn receivers(direction: &str) -> &'static [Role] {
    match direction {
        "client-to-server" => &[Role::Server],
        "server-to-client" => &[Role::Client],
        _ => &[Role::Server, Role::Client],
    }
}
