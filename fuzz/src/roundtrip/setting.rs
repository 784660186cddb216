//! For whom a message is written, and how.

use crate::framed::{Fields, Framed};
use crate::oracle::added::{Client, Server};
use crate::oracle::copied::Copied;
use crate::oracle::{grammar, tree};
use crate::rng::Rng;
use rpcslice::encode::{CacheScope, ClientProfile, ServerProfile, Writer};
use rpcslice::json::RawJson;
use rpcslice::mcp::{Era, Methods, Rules, Transport, Version, Versions};
use rpcslice::{Limits, Policy};

pub const DRAFT: &str = "DRAFT-\"2027\"";

/// What a profile may say, besides what the input has.
const OBJECTS: [&str; 6] = [
    "{}",
    "{\"sampling\":{\n\"tools\":{}\r}}",
    "{\"name\":\"n\\u0000\",\"version\":\"\u{2028}\"}",
    "{\"name\" : \"n\", \"version\":\"1\",\r\n\"title\":\"\\ud83d\"}",
    "{\"name\":\"n\",\"name\":2,\"version\":\"1\"}",
    "{\"name\":1,\"version\":\"1\",\"\\u006eame\":\"n\"}",
];

pub struct Setting {
    /// Under which the version is negotiated.
    pub rules: Rules,
    pub version: Version,
    pub limits: Limits,
    pub framed: Framed,
    pub copied: Copied,
    pub client: Option<Client>,
    pub server: Server,
    profile: Option<ClientProfile>,
    server_profile: Option<ServerProfile>,
    is_draft: bool,
}

impl Setting {
    /// `object` is what the input has to say in a profile.
    pub fn chosen(object: Option<&str>, fields: Fields, limits: Limits, rng: &mut Rng) -> Self {
        let roles = [Rules::client(), Rules::server(), Rules::proxy()];
        let transports = [Transport::Any, Transport::Http, Transport::Stdio];
        let mut version = *rng.pick(&Version::ALL).expect("five");
        if rng.once_in(3) {
            version = Version::LATEST;
        }
        let is_draft = rng.once_in(8);
        let versions = match rng.below(3) {
            _ if is_draft => Versions::ALL.with_draft(DRAFT),
            0 => Versions::of(&[version]),
            _ => Versions::ALL,
        };
        if is_draft {
            version = Version::LATEST;
        }
        let mut rules = *rng.pick(&roles).expect("three");
        let transport = *rng.pick(&transports).expect("three");
        rules = rules.transport(transport);
        rules = rules.versions(versions).limits(limits);
        if rng.once_in(2) {
            rules = rules.methods(Methods::Core);
        }
        if rng.once_in(4) {
            rules = rules.policy(Policy::lenient());
        }
        if rng.once_in(4) {
            rules = rules.result_types(&["complete", "input_required", "task"]);
        }
        let framed = Framed::chosen(fields, rng);
        let copied = Copied {
            // On stdio a message is a line, however it is framed.
            one_line: framed.is_one_line() || transport == Transport::Stdio,
            no_separators: rng.once_in(3),
        };
        let name = if is_draft { DRAFT } else { version.as_str() };
        let (client, profile) = match rng.once_in(4) {
            true => (None, None),
            false => client(name, object, rng),
        };
        let (server, server_profile) = server(object, rng);
        Self {
            rules: rules.negotiated(version),
            version,
            limits,
            framed,
            copied,
            client,
            server,
            profile,
            server_profile,
            is_draft,
        }
    }

    pub fn writer(&self) -> Writer<'_> {
        let mut writer = Writer::new(self.rules, self.version).framing(self.framed.framing());
        if let Some(profile) = &self.profile {
            writer = writer.client(profile);
        }
        if let Some(profile) = &self.server_profile {
            writer = writer.server(profile);
        }
        if self.is_draft {
            writer = writer.draft(DRAFT);
        }
        match self.copied.no_separators {
            true => writer.escape_line_separators(),
            false => writer,
        }
    }

    pub fn is_modern(&self) -> bool {
        self.version.era() == Era::Modern
    }
}

/// The containers around a member of `_meta`, which a reader with the default limits counts, too.
const AROUND: usize = 3;

fn is_shallow(text: &str) -> bool {
    grammar::first_too_deep(text.as_bytes(), Limits::DEFAULT_MAX_DEPTH - AROUND).is_none()
}

/// A profile is written once, for lines, too.
fn flat(text: &str) -> String {
    let copied = Copied {
        one_line: true,
        no_separators: false,
    };
    copied.of(text)
}

fn parsed(text: &str) -> RawJson<'_> {
    let limits = Limits::new().with_max_depth(Limits::HIGHEST_MAX_DEPTH);
    RawJson::parse_with(text.as_bytes(), &limits).expect("JSON")
}

fn one_of<'a>(object: Option<&'a str>, rng: &mut Rng) -> &'a str {
    match object {
        Some(object) if rng.once_in(2) => object,
        _ => rng.pick(&OBJECTS).expect("six"),
    }
}

fn client(
    version: &'static str,
    object: Option<&str>,
    rng: &mut Rng,
) -> (Option<Client>, Option<ClientProfile>) {
    let capabilities = one_of(object, rng);
    let profile = ClientProfile::new(parsed(capabilities));
    let is_good = capabilities.starts_with('{') && is_shallow(capabilities);
    assert_eq!(profile.is_ok(), is_good, "as capabilities: {profile:?}");
    let Ok(profile) = profile else {
        return (None, None);
    };
    let (info, profile) = match rng.below(3) {
        0 => (None, profile),
        1 => (
            Some("{\"name\":\"\\n\u{2029}\",\"version\":\"\"}".to_owned()),
            profile.named("\n\u{2029}", ""),
        ),
        _ => {
            let info = one_of(object, rng);
            let with = profile.clone().info(parsed(info));
            match held_info(info, with) {
                Some(with) => (Some(flat(info)), with),
                None => (None, profile),
            }
        }
    };
    let client = Client {
        version,
        capabilities: flat(capabilities),
        info,
    };
    (Some(client), Some(profile))
}

fn server(object: Option<&str>, rng: &mut Rng) -> (Server, Option<ServerProfile>) {
    // What is said where nobody says anything.
    let mut server = Server {
        info: None,
        ttl_ms: 0,
        scope: "private",
    };
    let mut profile = ServerProfile::new();
    match rng.below(4) {
        0 => return (server, None),
        1 => {
            profile = profile.named("a\"", "\u{2028}");
            server.info = Some("{\"name\":\"a\\\"\",\"version\":\"\u{2028}\"}".to_owned());
        }
        2 => {
            let info = one_of(object, rng);
            if let Some(with) = held_info(info, profile.clone().info(parsed(info))) {
                (profile, server.info) = (with, Some(flat(info)));
            }
        }
        _ => {}
    }
    if rng.once_in(2) {
        let ttl_ms = rng.word() >> rng.below(64);
        profile = profile.cache(ttl_ms, CacheScope::Public);
        (server.ttl_ms, server.scope) = (ttl_ms, "public");
    }
    (server, Some(profile))
}

/// "An object with the strings `name` and `version`"; of one that is there twice the oracle does not know which counts.
fn held_info<T, E: std::fmt::Debug>(info: &str, profile: Result<T, E>) -> Option<T> {
    let members = tree::root(info).and_then(|at| tree::members(info, &at));
    let members = members.unwrap_or_default();
    let values = |name: &str| -> Vec<bool> {
        let is_named = |member: &&tree::Member| name.encode_utf16().eq(member.name.iter().copied());
        let named = members.iter().filter(is_named);
        named
            .map(|member| info[member.value.clone()].starts_with('"'))
            .collect()
    };
    let both = [values("name"), values("version")];
    let may_be = is_shallow(info) && both.iter().all(|values| values.contains(&true));
    let must_be = may_be && !both.iter().any(|values| values.contains(&false));
    assert!(profile.is_ok() || !must_be, "refused: {info}");
    assert!(profile.is_err() || may_be, "accepted: {info}");
    profile.ok()
}
