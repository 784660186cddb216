//! How a vector meets the API: the rules it is run under, once per version listed.

use super::expect::Seen;
use rpcslice::mcp::{Method, Methods, Rules, Transport, Version, Versions};
use rpcslice::{Limits, Message, Policy};
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// What a vector is run under.
#[derive(Clone, Copy)]
pub struct Setting {
    pub version: Version,
    pub rules: Rules,
    /// Whether the message is checked before sending.
    is_sent: bool,
    /// The method of the request that a response answers.
    method: Option<Method>,
}

impl Setting {
    /// The ways to run a vector under one version: for each receiver that its direction allows, and where more than one
    /// version is served, before and after one is agreed on.
    pub fn all(vector: &Object, version: Version) -> Vec<Self> {
        let served = option(vector, "supported_versions").map_or(vec![version], |names| {
            let names = names.as_array().unwrap().iter();
            names
                .map(|name| name.as_str().unwrap().parse().unwrap())
                .collect()
        });
        assert!(
            served.contains(&version),
            "the version under test is served"
        );
        let base = |rules: Rules| {
            let rules = rules
                .versions(Versions::of(&served))
                .transport(transport(vector))
                .limits(limits(vector));
            match option(vector, "methods").and_then(Value::as_str) {
                Some("core-2026-07-28") => rules.methods(Methods::Core),
                Some(other) => panic!("no such methods: {other}"),
                None => rules,
            }
        };
        let is_sent = string(vector, "role") == Some("send");
        let sides: &[Rules] = match (string(vector, "direction"), is_sent) {
            (Some("client-to-server"), false) | (Some("server-to-client"), true) => {
                &[Rules::server()]
            }
            (Some("server-to-client"), false) | (Some("client-to-server"), true) => {
                &[Rules::client()]
            }
            _ => &[Rules::server(), Rules::client()],
        };
        let result_types = option(vector, "result_types").map(leaked);
        let mut settings = Vec::new();
        for side in sides {
            let mut rules = base(*side);
            if let Some(known) = result_types {
                rules = rules.result_types(known);
            }
            let setting = |rules| Self {
                version,
                rules,
                is_sent,
                method: option(vector, "for_method").map(method),
            };
            settings.push(setting(rules));
            if served.len() > 1 {
                settings.push(setting(rules.negotiated(version)));
            }
        }
        settings
    }

    /// What a receiver, or a sender, would call.
    pub fn read<'a>(&self, frame: &'a [u8], limits: &Limits) -> Seen<'a> {
        let message = match Message::parse_with(frame, limits, &Policy::strict()) {
            Ok(message) => message,
            Err(error) => return Seen::Refused(error, frame),
        };
        let checked = match (self.is_sent, self.method) {
            (true, method) => self.rules.check_outgoing_response(&message, method),
            (false, Some(method)) => self.rules.check_response(&message, Some(method)),
            (false, None) => self.rules.check(&message),
        };
        match checked {
            Ok(()) => Seen::Accepted(message),
            Err(error) => Seen::Refused(error, frame),
        }
    }
}

fn string<'a>(vector: &'a Object, key: &str) -> Option<&'a str> {
    vector.get(key).and_then(Value::as_str)
}

fn option<'a>(vector: &'a Object, key: &str) -> Option<&'a Value> {
    vector.get("options")?.get(key)
}

/// The versions that a vector lists.
pub fn versions(vector: &Object) -> Vec<Version> {
    let names = vector["versions"].as_array().unwrap().iter();
    names
        .map(|name| name.as_str().unwrap().parse().unwrap())
        .collect()
}

/// The limits that a vector sets.
pub fn limits(vector: &Object) -> Limits {
    match option(vector, "max_frame_bytes").map(|most| most.as_u64().unwrap()) {
        Some(most) => Limits::new().with_max_frame_bytes(usize::try_from(most).unwrap()),
        None => Limits::new(),
    }
}

fn transport(vector: &Object) -> Transport {
    match string(vector, "transport") {
        Some("stdio") => Transport::Stdio,
        Some("http") => Transport::Http,
        _ => Transport::Any,
    }
}

fn method(name: &Value) -> Method {
    let found = Method::all().find(|method| *name == method.name());
    found.expect("a method of the table")
}

/// `Rules` wants names that live for ever; a test program ends soon.
fn leaked(names: &Value) -> &'static [&'static str] {
    let names = names.as_array().unwrap().iter();
    let names = names.map(|name| &*name.as_str().unwrap().to_owned().leak());
    names.collect::<Vec<_>>().leak()
}
