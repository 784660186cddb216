//! The messages to measure with, from the built-in corpus or from a folder.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::args::Args;
use crate::corpus;

/// One class of messages, named after its corpus file.
pub struct Class {
    pub name: String,
    pub frames: Vec<Frame>,
}

/// One message and who sends it: typed rivals read a client's messages and a server's with different types, and an
/// endpoint knows which of the two it is.
pub struct Frame {
    pub bytes: Vec<u8>,
    pub from: Side,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Side {
    Client,
    Server,
}

impl Class {
    pub fn bytes(&self) -> usize {
        self.frames.iter().map(|frame| frame.bytes.len()).sum()
    }

    pub fn title(&self) -> String {
        let count = self.frames.len();
        let mean = self.bytes() / count;
        match count {
            1 => format!("{} (1 message, {mean} B)", self.name),
            _ => format!("{} ({count} messages, mean {mean} B)", self.name),
        }
    }
}

pub fn classes(args: &Args) -> Result<Vec<Class>, String> {
    let mut classes = match &args.corpus {
        Some(folder) => from_folder(folder)?,
        None => corpus::CLASSES
            .iter()
            .filter(|name| is_wanted(args, name))
            .map(|name| new_class(name, corpus::class(name)))
            .collect(),
    };
    classes.retain(|class| is_wanted(args, &class.name) && !class.frames.is_empty());
    for name in &args.classes {
        if !classes.iter().any(|class| class.name == *name) {
            return Err(format!("no class `{name}` in the corpus"));
        }
    }
    if classes.is_empty() {
        return Err("no messages in the corpus".to_owned());
    }
    // The order of the built-in corpus; what it doesn't know comes last, by name.
    let place = |name: &str| {
        let known = corpus::CLASSES.iter().position(|known| *known == name);
        known.unwrap_or(corpus::CLASSES.len())
    };
    classes.sort_by(|a, b| (place(&a.name), &a.name).cmp(&(place(&b.name), &b.name)));
    Ok(classes)
}

fn is_wanted(args: &Args, name: &str) -> bool {
    args.classes.is_empty() || args.classes.iter().any(|class| class == name)
}

fn from_folder(folder: &Path) -> Result<Vec<Class>, String> {
    let problem = |path: &Path, error| format!("{}: {error}", path.display());
    let mut classes = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| problem(folder, error))? {
        let path = entry.map_err(|error| problem(folder, error))?.path();
        let is_lines = match path.extension().and_then(|extension| extension.to_str()) {
            Some("json") => false,
            Some("jsonl") => true,
            _ => continue,
        };
        let Some(name) = path.file_stem().and_then(|stem| stem.to_str()) else {
            continue;
        };
        let bytes = fs::read(&path).map_err(|error| problem(&path, error))?;
        let messages = if is_lines {
            let lines = bytes.split(|byte| *byte == b'\n');
            lines
                .filter(|line| !line.is_empty())
                .map(<[u8]>::to_vec)
                .collect()
        } else {
            vec![bytes]
        };
        classes.push(new_class(name, messages));
    }
    Ok(classes)
}

fn new_class(name: &str, messages: Vec<Vec<u8>>) -> Class {
    let frames = messages.into_iter().map(|bytes| Frame {
        from: sender(&bytes),
        bytes,
    });
    Class {
        name: name.to_owned(),
        frames: frames.collect(),
    }
}

/// Servers answer, log and tell of changes; everything else comes from clients. (The few messages that go both ways
/// are read alike by both.)
fn sender(bytes: &[u8]) -> Side {
    const SERVERS_SAY: [&str; 8] = [
        "notifications/message",
        "notifications/resources/",
        "notifications/tools/",
        "notifications/prompts/",
        "notifications/subscriptions/",
        "notifications/progress",
        "sampling/",
        "elicitation/",
    ];
    match serde_json::from_slice::<Value>(bytes) {
        Ok(message) => match message.get("method").and_then(Value::as_str) {
            Some("roots/list") | None => Side::Server,
            Some(method) if SERVERS_SAY.iter().any(|start| method.starts_with(start)) => {
                Side::Server
            }
            Some(_) => Side::Client,
        },
        Err(_) => Side::Client,
    }
}
