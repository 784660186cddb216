//! What headers say agrees with the body, or is refused: written, read, changed, and made up.
//!
//! The input is a message; behind it, where they are there, lines `name: value` and the `inputSchema` of the tool that
//! is called. Without one the schema is made for the arguments.
//!
//! | module | what |
//! |---|---|
//! | [`coding`] | values for texts, and texts of values |
//! | [`plans`] | what a schema annotates, and lists without bad tools |
//! | [`body`] | what the headers of a message have to say |
//! | [`written`] | what is written passes; any change of it does not |
//! | [`found`] | whatever headers there are: nobody panics, and nobody contradicts another |

pub mod body;
pub mod coding;
pub mod found;
pub mod plans;
pub mod written;

use crate::mutator::{self, calls, fields};
use crate::options;
use crate::oracle::mirror::Mirrored;
use crate::rng::Rng;
use http::{HeaderMap, HeaderName, HeaderValue};
use rpcslice::mcp::{Methods, Rules, Transport, Version, Versions};
use rpcslice::{Header, Member, Message, Policy};

/// The target.
pub fn run(data: &[u8]) {
    let (input, _) = options::split(data);
    let [frame, lines, schema] = options::parts(input);
    let frame = frame.expect("always there");
    let mut rng = Rng::of(data);
    let lines = lines_of(lines.unwrap_or(b""));
    for (_, value) in &lines {
        coding::hold_value(value);
        coding::hold_text(&String::from_utf8_lossy(value.as_bytes()));
    }
    let setting = Setting::chosen(&mut rng);
    let policy = setting.server.frame_policy();
    let message = Message::parse_with(frame, &setting.server.frame_limits(), &policy);
    let arguments = message
        .as_ref()
        .ok()
        .and_then(|m| m.member(Member::Arguments));
    let made = match (schema, arguments) {
        (None, Some(arguments)) => Some(calls::schema_of(arguments.raw(), &mut rng)),
        _ => None,
    };
    let schema = made.as_deref().map(str::as_bytes).or(schema);
    let plan = schema.and_then(|schema| plans::hold(schema, &mut rng));
    let mut signature = u64::from(plan.is_some());
    let Ok(message) = message else {
        found::hold_frame(&setting, frame, &map_of(&lines));
        return crate::count::execution(false, signature);
    };
    for name in [message.name(), message.uri(), message.method()] {
        if let Some(Ok(text)) = name.map(|name| name.decode()) {
            coding::hold_text(&text);
        }
    }
    let body = body::Body::of(&message, plan.as_ref());
    let written = written::hold(&setting, &message, plan.as_ref(), &body, &mut rng);
    let mut headers = match (&written, rng.below(4)) {
        (Some(headers), 1..) => headers.clone(),
        _ => HeaderMap::new(),
    };
    for (name, value) in &lines {
        match rng.once_in(2) {
            true => drop(headers.append(name.clone(), value.clone())),
            false => drop(headers.insert(name.clone(), value.clone())),
        }
    }
    found::hold_frame(&setting, frame, &headers);
    let verdict = found::hold(&setting, &message, plan.as_ref(), &body, &headers);
    let alone = setting.server.check(&message);
    // Then what was written for it was changed, too.
    let is_whole = alone.is_ok() && body.is_mirrored && written.is_some();
    signature = signature << 4 | body.params.len().min(7) as u64;
    signature = signature << 4 | message.kind() as u64;
    signature = signature << 4 | lines.len().min(7) as u64;
    signature = signature << 6 | found::signature(&verdict);
    signature = signature << 6 | found::signature(&alone);
    signature = signature << 1 | u64::from(written.is_some());
    crate::count::execution(is_whole, signature);
}

pub fn mutate(data: &[u8], rng: &mut Rng) -> Vec<u8> {
    mutator::with_tail(data, rng, edit)
}

/// For libFuzzer: `size` bytes of `data` to new ones of at most `max`.
pub fn mutate_in_place(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    mutator::in_place(data, size, max, seed, mutate)
}

fn edit(input: &mut Vec<u8>, rng: &mut Rng) {
    let parts: [_; 3] = options::parts(input);
    let mut parts = parts.map(|part| part.map(<[u8]>::to_vec));
    if rng.once_in(4) {
        parts[1].get_or_insert_with(Vec::new);
    }
    if rng.once_in(8) {
        parts[1].get_or_insert_with(Vec::new);
        parts[2] = match rng.once_in(4) {
            true => None,
            false => Some(calls::fresh_schema(rng, 4).into_bytes()),
        };
    }
    match (rng.below(4), &mut parts) {
        (0, [_, Some(lines), _]) => fields::edit_lines(lines, rng),
        (1, [_, _, Some(schema)]) => calls::edit_schema(schema, rng),
        (_, [Some(call), ..]) => calls::edit(call, rng),
        _ => {}
    }
    *input = options::join_parts(&parts);
}

/// What a message and its headers are held to: by those who receive them, and by those who send them.
pub struct Setting {
    pub server: Rules,
    pub client: Rules,
    /// The server knows no extensions.
    is_core: bool,
}

pub const DRAFT: &str = "DRAFT-2027-v1";

impl Setting {
    fn chosen(rng: &mut Rng) -> Self {
        let mut server = *rng
            .pick(&[Rules::server(), Rules::server(), Rules::proxy()])
            .expect("three");
        server = server.transport(Transport::Http);
        let modern = Versions::of(&[Version::V2026_07_28]);
        server = match rng.below(4) {
            0 => server.versions(modern),
            1 => server.versions(Versions::ALL.with_draft(DRAFT)),
            _ => server,
        };
        let is_core = rng.once_in(4);
        if is_core {
            server = server.methods(Methods::Core);
        }
        if rng.once_in(4) {
            server = server.policy(Policy::lenient());
        }
        let client = Rules::client()
            .versions(server.served())
            .policy(server.frame_policy());
        Self {
            server,
            client,
            is_core,
        }
    }

    /// The headers that a server holds a request to; it can't know what those of an extension mirror.
    pub fn mirrored(&self, body: &body::Body) -> Vec<Mirrored> {
        let is_task = |method: &String| method.starts_with("tasks/");
        let is_unknown = self.is_core && body.method.as_ref().is_some_and(is_task);
        let mut mirrored = body.standard.clone();
        mirrored.retain(|one| !(is_unknown && one.header == Header::Name));
        mirrored
    }
}

/// Lines that are no header fields are none. One space behind the colon is not of the value.
fn lines_of(text: &[u8]) -> Vec<(HeaderName, HeaderValue)> {
    let lines = text.split(|&b| b == b'\n').filter_map(|line| {
        let colon = line.iter().position(|&b| b == b':')?;
        let value = &line[colon + 1..];
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let value = value.strip_suffix(b"\r").unwrap_or(value);
        let name = HeaderName::from_bytes(line[..colon].trim_ascii()).ok()?;
        Some((name, HeaderValue::from_bytes(value).ok()?))
    });
    lines.collect()
}

fn map_of(lines: &[(HeaderName, HeaderValue)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        headers.append(name.clone(), value.clone());
    }
    headers
}
