//! How a vector meets the API: the rules it is run under, once per version listed.

use super::expect::Seen;
#[cfg(feature = "http")]
use super::headers::{self, Fields};
use rpcslice::encode::{self, Framing};
#[cfg(feature = "http")]
use rpcslice::http::ParamPlan;
use rpcslice::mcp::{Era, Incoming, Method, Methods, Rules, Transport, Version, Versions};
use rpcslice::{Error, Limits, Message, Policy};
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// What a vector is run under.
#[derive(Clone)]
pub struct Setting {
    pub version: Version,
    rules: Rules,
    limits: Limits,
    /// Whose rules they are.
    is_server: bool,
    /// Whether the message is checked before sending.
    is_sent: bool,
    /// The method of the request that a response answers.
    method: Option<Method>,
    /// Of the response that it came with.
    response_status: Option<u16>,
    /// On HTTP, what goes with the body.
    #[cfg(feature = "http")]
    http: Option<Http>,
}

/// What stands around a body.
#[cfg(feature = "http")]
#[derive(Clone)]
struct Http {
    fields: Fields,
    method: ::http::Method,
    plan: ParamPlan,
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
                limits: limits(vector),
                is_server: *side == Rules::server(),
                is_sent,
                method: option(vector, "for_method").map(method),
                response_status: option(vector, "response_status")
                    .map(|status| u16::try_from(status.as_u64().unwrap()).unwrap()),
                #[cfg(feature = "http")]
                // One without headers is about the body alone.
                http: vector.get("headers").filter(|_| transport(vector) == Transport::Http).map(|fields| Http {
                    fields: Fields::of(Some(fields)),
                    method: string(vector, "http_method")
                        .unwrap_or("POST")
                        .parse()
                        .unwrap(),
                    plan: headers::plan(option(vector, "input_schema")),
                }),
            };
            settings.push(setting(rules));
            if served.len() > 1 {
                settings.push(setting(rules.negotiated(version)));
            }
        }
        settings
    }

    /// What a receiver, or a sender, would call.
    pub fn read<'a>(&self, frame: &'a [u8]) -> Seen<'a> {
        #[cfg(feature = "http")]
        if let Some(Http {
            fields,
            method,
            plan,
        }) = self.http.as_ref().filter(|_| !self.is_sent)
        {
            if fields.is_broken {
                return Seen::Turned(400);
            }
            // The body of a 202 or of a 405: none, or nothing that means anything.
            if !self.is_server && frame.is_empty() {
                return Seen::Nothing;
            }
            if self.is_server {
                return match headers::serve(&self.rules, method, &fields.headers, frame, plan) {
                    Ok(seen) => seen,
                    Err(refusal) => Seen::Turned(refusal.status().as_u16()),
                };
            }
        }
        match self.checked(frame) {
            Ok(Incoming::Message(message)) => Seen::Accepted(message),
            Ok(Incoming::Batch(batch)) => Seen::Batch(batch),
            Err(error) => Seen::Refused(error, frame),
        }
    }

    fn checked<'a>(&self, frame: &'a [u8]) -> Result<Incoming<'a>, Error> {
        if self.is_sent {
            let message = Message::parse_with(frame, &self.limits, &Policy::strict())?;
            self.rules.check_outgoing_response(&message, self.method)?;
            #[cfg(feature = "http")]
            if let Some(http) = &self.http {
                rpcslice::http::check_outgoing(&self.rules, &message, &http.fields.headers)?;
                http.plan
                    .check(&self.rules, &message, &http.fields.headers)?;
            }
            return Ok(Incoming::Message(message));
        }
        let incoming = self.rules.read(frame)?;
        if let (Incoming::Message(message), Some(_)) = (&incoming, self.method) {
            self.rules.check_response(message, self.method)?;
        }
        Ok(incoming)
    }

    /// The answer to a frame that was refused, where one is due.
    pub fn answer(&self, error: &Error, frame: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let reply = encode::reply(&mut out, error, frame, &self.rules, Framing::Body);
        assert_eq!(reply.status, error.http_status());
        assert_eq!(reply.is_written, !out.is_empty());
        reply.is_written.then_some(out)
    }

    /// Whether the answer of this status says that the server is modern.
    #[cfg(feature = "http")]
    pub fn is_modern(&self, message: &Message<'_>) -> Option<bool> {
        let status = ::http::StatusCode::from_u16(self.response_status?).unwrap();
        Some(rpcslice::http::server_era(status, Some(message)) == Some(Era::Modern))
    }

    /// The status of what is accepted.
    #[cfg(feature = "http")]
    pub fn accepted_status(&self, message: &Message<'_>) -> u16 {
        rpcslice::http::accepted_status(message).as_u16()
    }

    /// The revision that is assumed since no header names one.
    #[cfg(feature = "http")]
    pub fn assumed_version(&self) -> Option<&'static str> {
        let headers = &self.http.as_ref()?.fields.headers;
        let revision = rpcslice::http::revision(&self.rules, headers)?;
        revision.is_assumed.then(|| revision.version.as_str())
    }

    /// Whether the receiver may send responses at all: clients of 2026-07-28 may not.
    pub fn may_answer(&self) -> bool {
        self.is_server || self.version.era() == Era::Legacy
    }

    /// What binds the sender of a message, here of an answer.
    pub fn may_send(&self, message: &Message<'_>) -> Result<(), Error> {
        self.rules.check_outgoing(message)
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
