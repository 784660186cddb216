//! Makes the seeds: what the vectors and cases of `tests/` have as input, cut to what each target takes.
//!
//! `seeds TESTS CORPUS` reads `TESTS/vectors/*.jsonl` and `TESTS/cases/*.jsonl`, and writes `CORPUS/<target>/seed-*`.

use base64::prelude::{BASE64_STANDARD, Engine};
use rpcslice_fuzz::{options, rng, variants};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs, io};

/// The longest seed: what is long is slow, and seldom better.
const LONGEST: usize = 4096;

#[derive(Default)]
struct Seeds {
    message: BTreeSet<Vec<u8>>,
    lines: BTreeSet<Vec<u8>>,
    sse: BTreeSet<Vec<u8>>,
    body: BTreeSet<Vec<u8>>,
    headers: BTreeSet<Vec<u8>>,
    text: BTreeSet<Vec<u8>>,
    roundtrip: BTreeSet<Vec<u8>>,
    splice: BTreeSet<Vec<u8>>,
    variants: BTreeSet<Vec<u8>>,
}

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [tests, corpus] = words.as_slice() else {
        eprintln!("seeds TESTS CORPUS");
        std::process::exit(2);
    };
    let (mut inputs, mut events) = (Vec::new(), Vec::new());
    let mut seeds = Seeds::default();
    for folder in ["vectors", "cases"] {
        let folder = Path::new(tests).join(folder);
        let listed = fs::read_dir(&folder)?.collect::<io::Result<Vec<_>>>()?;
        for file in listed.iter().map(fs::DirEntry::path) {
            if file.extension().is_some_and(|e| e == "jsonl") {
                for line in fs::read_to_string(&file)?.lines() {
                    let case: Map<String, Value> = serde_json::from_str(line)?;
                    let Some(input) = input(&case).filter(|input| input.len() <= LONGEST) else {
                        continue;
                    };
                    seeds.take_http(&case, &input);
                    seeds.take_answer(&case, &input);
                    if case.get("expect").and_then(|e| e.get("events")).is_some() {
                        events.push(input.clone());
                    }
                    inputs.push(input);
                }
            }
        }
    }
    for input in &inputs {
        seeds.take(input);
    }
    seeds.take_variants();
    seeds.take_streams(&inputs);
    seeds.take_events(&events);
    for (target, seeds) in [
        ("pieces", seeds.message.clone()),
        ("message", seeds.message),
        ("lines", seeds.lines),
        ("sse", seeds.sse),
        ("body", seeds.body),
        ("headers", seeds.headers),
        ("text", seeds.text),
        ("roundtrip", seeds.roundtrip),
        ("splice", seeds.splice),
        ("idmap", operations()),
        ("variants", seeds.variants),
    ] {
        let folder = Path::new(corpus).join(target);
        fs::create_dir_all(&folder)?;
        for seed in &seeds {
            fs::write(folder.join(format!("seed-{:016x}", rng::hash(seed))), seed)?;
        }
        eprintln!("{} seeds for {target}", seeds.len());
    }
    Ok(())
}

/// For `idmap`: any bytes are operations. Some of each, for a start.
fn operations() -> BTreeSet<Vec<u8>> {
    let mut rng = rng::Rng::new(1);
    let seed = |length: usize, rng: &mut rng::Rng| -> Vec<u8> {
        (0..3 * length).map(|_| rng.word() as u8).collect()
    };
    (1..60).map(|length| seed(length, &mut rng)).collect()
}

/// The bytes that a vector or case is about, in whichever way they are written.
fn input(case: &Map<String, Value>) -> Option<Vec<u8>> {
    let text = |value: &Value| Some(value.as_str()?.as_bytes().to_vec());
    let base64 = |value: &Value| BASE64_STANDARD.decode(value.as_str()?).ok();
    let joined = |value: &Value, piece: &dyn Fn(&Value) -> Option<Vec<u8>>| {
        let pieces: Option<Vec<_>> = value.as_array()?.iter().map(piece).collect();
        Some(pieces?.concat())
    };
    if let Some(value) = case.get("input") {
        return text(value);
    }
    if let Some(value) = case.get("input_b64") {
        return base64(value);
    }
    if let Some(value) = case.get("chunks_b64") {
        return joined(value, &base64);
    }
    if let Some(value) = case.get("chunks") {
        return joined(value, &text);
    }
    case.get("gen")?.as_object().map(generated)
}

/// What a rule generates, with counts so small that it fits.
fn generated(rule: &Map<String, Value>) -> Vec<u8> {
    let text = |key: &str| rule.get(key).and_then(Value::as_str).unwrap_or("");
    let times = |key: &str| rule.get(key).and_then(Value::as_u64).unwrap_or(0).min(150) as usize;
    [
        text("prefix"),
        &text("repeat").repeat(times("count")),
        text("mid"),
        &text("repeat2").repeat(times("count2")),
        text("suffix"),
    ]
    .concat()
    .into_bytes()
}

impl Seeds {
    fn take(&mut self, input: &[u8]) {
        self.lines.insert(input.to_vec());
        for line in [input].into_iter().chain(input.split(|&b| b == b'\n')) {
            // Of an event stream, the data.
            let frame = line.strip_prefix(b"data: ").unwrap_or(line);
            if frame.is_empty() {
                continue;
            }
            self.message.insert(frame.to_vec());
            self.variants.insert(frame.to_vec());
            self.text.insert(frame.to_vec());
            self.roundtrip.insert(frame.to_vec());
            self.take_splice(frame);
            // A few of them with limits: one container, a few, and a frame limit close by.
            let limits = match frame.len() % 16 {
                0 => [1, 0, 0],
                1 => [3, 0, 0],
                2 => [0, 255, 0],
                3 => [0, 1, 0],
                _ => continue,
            };
            let mut limited = frame.to_vec();
            options::join(&mut limited, limits);
            self.variants.insert(limited.clone());
            self.message.insert(limited);
        }
    }

    /// The texts that `fuzz/agree` edits. What is too long comes of a short one by its wrapping.
    fn take_variants(&mut self) {
        let bases = variants::bases::all().iter();
        let short = bases.filter(|base| base.len() <= LONGEST);
        self.variants.extend(short.cloned());
    }

    /// A response with the method that it answers.
    fn take_answer(&mut self, case: &Map<String, Value>, input: &[u8]) {
        let options = case.get("options");
        let method = options.and_then(|options| options.get("for_method"));
        if let Some(method) = method.and_then(Value::as_str) {
            let parts = [
                Some(input),
                Some(method.as_bytes()),
                Some(b"message"),
                Some(b"7"),
            ];
            self.roundtrip.insert(options::join_parts(&parts));
        }
    }

    /// A message with edits for which it may have a place, and under either policy.
    fn take_splice(&mut self, frame: &[u8]) {
        self.splice.insert(frame.to_vec());
        let parts = [
            Some(frame),
            Some(b"i\"new\""),
            Some(b"ttraceparent=00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
            Some(b"xprogressToken"),
        ];
        let mut edited = options::join_parts(&parts);
        options::join(&mut edited, [0, 0, (frame.len() % 2) as u8]);
        self.splice.insert(edited);
    }

    /// Streams of several inputs, joined in several ways.
    fn take_streams(&mut self, inputs: &[Vec<u8>]) {
        let ends: [&[u8]; 4] = [b"\n", b"\r\n", b"\n\n \t\r\n", b"\n\xEF\xBB\xBF"];
        let short: Vec<_> = inputs.iter().filter(|input| input.len() < 300).collect();
        for (group, end) in short.chunks(4).zip(ends.iter().cycle()) {
            let mut stream = Vec::new();
            for input in group {
                stream.extend_from_slice(input);
                stream.extend_from_slice(end);
            }
            self.lines.insert(stream);
        }
    }

    /// Event streams, and streams joined of several, of which one may go on with what another left; a few of them with
    /// limits, and grown.
    fn take_events(&mut self, streams: &[Vec<u8>]) {
        let short: Vec<_> = streams.iter().filter(|s| s.len() < 1000).collect();
        let joined = short.chunks(3).map(|group| group.iter().copied().flatten());
        let joined = joined.map(|bytes| bytes.copied().collect::<Vec<u8>>());
        let tails = [[64, 0, 0], [80, 0, 0], [255, 0x11, 6], [255, 0x13, 9]];
        for (stream, tail) in joined
            .chain(streams.iter().cloned())
            .zip(tails.into_iter().cycle())
        {
            let mut limited = stream.clone();
            options::join(&mut limited, tail);
            if stream.len() < 300 {
                let parts = [Some(stream.as_slice()), Some(b"text/event-stream")];
                self.body.insert(options::join_parts(&parts));
            }
            self.sse.extend([stream, limited]);
        }
    }

    /// Bodies with what their header fields say of them, and messages with their headers and the schema of their tool.
    fn take_http(&mut self, case: &Map<String, Value>, input: &[u8]) {
        let fields = fields(case.get("headers"));
        if !fields.is_empty() {
            let value = |name: &str| {
                let mut fields = fields.iter();
                let (_, value) = fields.find(|(found, _)| found.eq_ignore_ascii_case(name))?;
                Some(value.as_bytes())
            };
            let coding = value("content-encoding").or(Some(b""));
            let parts = [Some(input), value("content-type").or(Some(b"")), coding];
            self.body.insert(options::join_parts(&parts));
            let lines = fields
                .iter()
                .map(|(name, value)| format!("{name}: {value}\n"));
            let options = case.get("options");
            let schema = options.and_then(|options| options.get("input_schema"));
            let schema = schema.map(|schema| schema.to_string().into_bytes());
            let lines = lines.collect::<String>().into_bytes();
            self.take_call(input, Some(lines), schema);
            self.take_call(input, None, None);
        }
        match case.get("unit").and_then(Value::as_str) {
            Some("header-encode") => {
                let input = String::from_utf8_lossy(input);
                let call = CALL.replace("NAME", &input).replace("ARGUMENT", &input);
                self.take_call(call.as_bytes(), None, None);
            }
            Some("header-decode") => {
                let lines = [b"Mcp-Name: ", input, b"\n"].concat();
                self.take_call(plain_call().as_bytes(), Some(lines), None);
            }
            Some("x-mcp-header") => {
                self.take_call(
                    plain_call().as_bytes(),
                    Some(Vec::new()),
                    Some(input.to_vec()),
                );
            }
            _ => {}
        }
        if input.len() < 200 {
            self.body.insert(input.to_vec());
        }
    }

    fn take_call(&mut self, call: &[u8], lines: Option<Vec<u8>>, schema: Option<Vec<u8>>) {
        let parts = [Some(call.to_vec()), lines, schema];
        self.headers.insert(options::join_parts(&parts));
    }
}

const CALL: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":NAME,"arguments":{"a":ARGUMENT},"#,
    r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientCapabilities":{}}}}"#
);

fn plain_call() -> String {
    CALL.replace("NAME", "\"t\"").replace("ARGUMENT", "\"x\"")
}

/// Header fields, as an object or as a list of pairs.
fn fields(headers: Option<&Value>) -> Vec<(String, String)> {
    let text = |value: &Value| Some(value.as_str()?.to_owned());
    match headers {
        Some(Value::Object(fields)) => {
            let pairs = fields.iter();
            pairs
                .filter_map(|(name, value)| Some((name.clone(), text(value)?)))
                .collect()
        }
        Some(Value::Array(fields)) => {
            let pairs = fields.iter();
            pairs
                .filter_map(|pair| Some((text(pair.get(0)?)?, text(pair.get(1)?)?)))
                .collect()
        }
        _ => Vec::new(),
    }
}
