//! `src/mcp/requirements.md`, the table of what the specification demands: that it is complete, that what it names
//! exists, and that what it says is given is given.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod support;

use base64::prelude::{BASE64_STANDARD, Engine};
use rpcslice::mcp::{Method, Rules, Transport, Version, Versions};
use rpcslice::{Error, ErrorKind, Message};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use support::expect::Seen;
use support::files;
use support::setting::{Setting, versions};

const SECTIONS: &str = "abcdefgh";

/// Vectors that demand something and are named by no row, with the reason.
const UNNAMED: &[(&str, &str)] = &[];

struct Row {
    number: String,
    marks: Vec<usize>,
    cells: Vec<String>,
}

impl Row {
    fn given(&self) -> &str {
        &self.cells[5]
    }

    fn vectors(&self) -> Vec<&str> {
        let words = self.cells[6].split(' ');
        words.filter(|word| *word != "–").collect()
    }

    /// What stands between backticks: error kinds, calls, members.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.cells[5].split('`').skip(1).step_by(2)
    }

    /// The error kinds, as `Debug` writes them.
    fn kinds(&self) -> impl Iterator<Item = &str> {
        let kinds = error_kinds();
        self.names()
            .filter(move |name| kinds.contains(base(name)) && !name.contains("::"))
    }

    fn waits(&self) -> bool {
        self.given().contains("not yet")
    }
}

/// The rows of each section, in order.
fn table() -> Vec<(char, Vec<Row>)> {
    let text = fs::read_to_string(files::in_repository("src/mcp/requirements.md")).unwrap();
    let mut sections: Vec<(char, Vec<Row>)> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## (") {
            sections.push((title.chars().next().unwrap(), Vec::new()));
        }
        if !line.starts_with('|') || line.starts_with("| # |") || line.starts_with("|---") {
            continue;
        }
        let cells: Vec<_> = line.split('|').map(|cell| cell.trim().to_owned()).collect();
        assert_eq!(cells.len(), 10, "eight cells and two borders: {line}");
        let cells = cells[1..9].to_vec();
        let marks = cells[1].split(", ").filter(|mark| *mark != "–");
        let row = Row {
            number: cells[0].clone(),
            marks: marks.map(|mark| mark.parse().unwrap()).collect(),
            cells,
        };
        sections.last_mut().unwrap().1.push(row);
    }
    sections
}

fn rows() -> Vec<Row> {
    table().into_iter().flat_map(|(_, rows)| rows).collect()
}

/// The vectors of this repository, and with `all` those of the specification's examples, where they are.
fn vectors(all: bool) -> BTreeMap<String, Map<String, Value>> {
    let mut found = BTreeMap::new();
    let mut read = |folder: &Path, prefix: &str| {
        for file in files::listed(folder, ".jsonl").unwrap() {
            if !files::name(&file).starts_with(prefix) {
                continue;
            }
            for (_, line) in files::json_lines(&file).unwrap() {
                let vector = line.unwrap().as_object().unwrap().clone();
                found.insert(vector["id"].as_str().unwrap().to_owned(), vector);
            }
        }
    };
    read(&files::in_repository("tests/vectors"), "");
    if let Some(folder) = files::beside_checkout("vectors").filter(|_| all) {
        read(&folder, "official-");
    }
    found
}

fn is_official(id: &str) -> bool {
    id.starts_with("off")
}

/// `Missing` of `Missing(Params)`.
fn base(kind: &str) -> &str {
    kind.split('(').next().unwrap()
}

/// The names of an enum's variants in a source file.
fn variants(path: &str, name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(files::in_repository(path)).unwrap();
    let body = text.split_once(&format!("pub enum {name} {{")).unwrap().1;
    let body = body.split_once("\n}").unwrap().0;
    let lines = body.lines().map(str::trim);
    let words = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    words
        .map(|line| base(line.trim_end_matches(',')).to_owned())
        .collect()
}

fn error_kinds() -> BTreeSet<String> {
    variants("src/error.rs", "ErrorKind")
}

/// The names in the table of members: all that stands before `= "`.
fn members() -> BTreeSet<String> {
    let text = fs::read_to_string(files::in_repository("src/vocab.rs")).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once("= \""));
    lines.map(|(name, _)| name.trim().to_owned()).collect()
}

/// An error's kind as the table writes it, with its code.
fn exactly(error: &Error) -> String {
    format!("`{:?}` {}", error.kind(), error.code())
}

/// The same, whatever the fault of the text is.
fn told(error: &Error) -> String {
    match error.kind() {
        ErrorKind::Syntax(_) => format!("`Syntax(..)` {}", error.code()),
        _ => exactly(error),
    }
}

#[test]
fn numbers_are_consecutive_and_cells_are_filled() {
    let table = table();
    let sections: String = table.iter().map(|(letter, _)| *letter).collect();
    assert_eq!(sections, SECTIONS);
    for (letter, rows) in table {
        for (row, number) in rows.iter().zip(1..) {
            assert_eq!(row.number, format!("{letter}{number}"));
            let said = |cell: usize| !matches!(row.cells[cell].as_str(), "" | "–");
            assert!((2..=4).all(said), "{}: rule, clause, revisions", row.number);
            assert!(said(6) || said(7), "{}: a vector or a reason", row.number);
            assert!(said(5) || said(7), "{}: an error or a reason", row.number);
        }
    }
}

/// Fails when a mark is added to the digest, or dropped from it or from the table.
#[test]
fn every_mark_of_the_digest_has_a_row() {
    let path = files::beside_checkout("spec/PROTOCOL.md");
    let digest = path.map(|path| fs::read_to_string(path).unwrap());
    if digest.is_none() {
        println!("../shared/spec/PROTOCOL.md is not here: marks are not counted");
    }
    for (letter, rows) in table() {
        let marks: BTreeSet<_> = rows.iter().flat_map(|row| row.marks.clone()).collect();
        let most = marks.len();
        assert!(marks.into_iter().eq(1..=most), "({letter}) has a gap");
        if let Some(digest) = &digest {
            let start = digest.find(&format!("\n## ({letter})")).unwrap();
            let section = &digest[start + 1..];
            let section = &section[..section.find("\n## (").unwrap()];
            let count = section.matches("[M]").count() + section.matches("[M ").count();
            assert_eq!(most, count, "marks of ({letter})");
        }
    }
}

#[test]
fn vectors_named_exist_and_those_that_demand_are_named() {
    let (vectors, rows) = (vectors(true), rows());
    let named: BTreeSet<_> = rows.iter().flat_map(Row::vectors).collect();
    let is_here = vectors.keys().any(|id| is_official(id));
    for id in &named {
        let is_known = vectors.contains_key(*id) || (is_official(id) && !is_here);
        assert!(is_known, "no vector {id}");
    }
    for (id, vector) in &vectors {
        let is_exception = UNNAMED.iter().any(|(unnamed, _)| unnamed == id);
        let is_named = named.contains(id.as_str());
        assert!(!(is_named && is_exception), "{id} is named after all");
        let is_due = vector["level"] == "MUST" && !is_exception;
        assert!(is_named || !is_due, "no row names {id}");
    }
}

#[test]
fn kinds_members_and_calls_exist() {
    let (kinds, members) = (error_kinds(), members());
    let headers = variants("src/header.rs", "Header");
    let mut sources = String::new();
    for folder in [
        "src",
        "src/encode",
        "src/frame",
        "src/http",
        "src/mcp",
        "src/mcp/rules",
        "src/message",
    ] {
        for file in files::listed(&files::in_repository(folder), ".rs").unwrap() {
            sources += &fs::read_to_string(file).unwrap();
        }
    }
    let is_item = |name: &str| {
        let words = [
            "pub struct ",
            "pub enum ",
            "pub fn ",
            "pub const fn ",
            "pub const ",
            "\n    ",
        ];
        let is_end = |c: char| !c.is_alphanumeric() && c != '_';
        words.iter().any(|word| {
            let start = format!("{word}{name}");
            let mut rests = sources.split(start.as_str()).skip(1);
            rests.any(|rest| rest.starts_with(is_end))
        })
    };
    for row in rows() {
        for name in row.names() {
            let at = &row.number;
            if let Some((path, item)) = name.split_once("::") {
                assert!(sources.contains(path) && is_item(item), "{at}: no `{name}`");
            } else if let Some((kind, inner)) = name.split_once('(') {
                assert!(kinds.contains(kind), "{at}: no kind `{name}`");
                for member in inner.trim_end_matches(')').split(", ") {
                    let is_syntax = kind == "Syntax";
                    let is_member = members.contains(member) || headers.contains(base(member));
                    assert!(is_syntax || is_member, "{at}: no `{name}`");
                }
            } else if name.starts_with(|c: char| c.is_ascii_uppercase()) {
                assert!(kinds.contains(name) || is_item(name), "{at}: no `{name}`");
            }
        }
    }
}

/// What a row says is given is what its vectors get; a row that waits for a later part may get nothing yet.
#[test]
fn vectors_get_what_their_rows_give() {
    let vectors = vectors(true);
    let mut ran = 0;
    for row in rows() {
        for id in row.vectors() {
            let Some(vector) = vectors.get(id) else {
                continue;
            };
            let is_rejected = vector["expect"]["verdict"] == "reject";
            for (seen, version) in readings(vector) {
                ran += 1;
                let place = format!("{} {id} under {version}", row.number);
                match seen {
                    None => assert!(!is_rejected || row.waits(), "{place}: passes"),
                    Some(error) => {
                        let told = [exactly(&error), told(&error)];
                        let is_said = told.iter().any(|told| row.given().contains(told));
                        assert!(is_said || row.waits(), "{place}: gives {}", told[0]);
                        assert!(is_rejected, "{place}: gives {}, and should pass", told[0]);
                    }
                }
            }
        }
    }
    println!("{ran} readings");
    assert!(ran > 500);
}

/// What comes of a vector that is a message: once for each version, and each side that may receive it.
fn readings(vector: &Map<String, Value>) -> Vec<(Option<Error>, Version)> {
    let is_message = !vector.contains_key("unit")
        && ["events", "frames"]
            .iter()
            .all(|key| vector["expect"].get(key).is_none());
    if !is_message {
        return Vec::new();
    }
    let frame = match (vector.get("input"), vector.get("input_b64")) {
        (Some(text), _) => text.as_str().unwrap().into(),
        (_, Some(base64)) => BASE64_STANDARD.decode(base64.as_str().unwrap()).unwrap(),
        _ => panic!("no input"),
    };
    let mut seen = Vec::new();
    for version in versions(vector) {
        for setting in Setting::all(vector, version) {
            let error = match setting.read(&frame) {
                Seen::Refused(error, _) => Some(error),
                Seen::Accepted(_) | Seen::Batch(_) => None,
                // By a status alone.
                Seen::Turned(_) | Seen::Nothing => continue,
            };
            seen.push((error, version));
        }
    }
    seen
}

enum Call {
    /// `Rules::check`, of a server.
    Server,
    /// `Rules::check` of a client, or `Rules::check_response` where a method is asked about.
    Client(Option<Method>),
    /// `Rules::check_outgoing_response`.
    Sent(Option<Method>),
}

use Call::{Client, Sent, Server};
use Version::{V2025_11_25 as V1125, V2026_07_28 as V26};

/// Kinds that the table names and no vector of their row gets: a message that gets each. `$META` is a good `_meta`.
#[rustfmt::skip]
const MESSAGES: &[(&str, Version, Call, &str)] = &[
    ("Syntax(..)", V26, Server, "Server started"),
    ("Missing(ErrorMessage)", V1125, Client(None), r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#),
    ("Conflict(Result, Error)", V1125, Client(None), r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#),
    ("Invalid(ProtocolVersion)", V26, Server, r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":1}}}"#),
    ("Invalid(ClientInfo)", V26, Server, r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{$KEYS,"io.modelcontextprotocol/clientInfo":{"name":"a"}}}}"#),
    ("Invalid(LogLevel)", V26, Server, r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":{$KEYS,"io.modelcontextprotocol/logLevel":"loud"}}}"#),
    ("Invalid(ServerInfo)", V26, Sent(None), r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{}}}}"#),
    ("MethodNotFound", V1125, Sent(None), r#"{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"requestId":1}}"#),
    ("Missing(Id)", V1125, Sent(None), r#"{"jsonrpc":"2.0","method":"ping"}"#),
    ("Missing(SubscriptionId)", V26, Sent(None), r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#),
    ("Invalid(InputRequests)", V26, Client(None), r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":""}}}}}"#),
    ("Missing(SubscriptionId)", V26, Sent(Some(Method::SubscriptionsListen)), r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}"#),
    ("Missing(RequestedSchema)", V1125, Client(None), r#"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":""}}"#),
    ("Invalid(InputResponses)", V26, Server, r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","inputResponses":[],$META}}"#),
    ("Invalid(ParamsRequestState)", V26, Server, r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","requestState":{},$META}}"#),
    ("Invalid(NextCursor)", V26, Client(Some(Method::ToolsList)), r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[],"nextCursor":1}}"#),
    ("Invalid(StructuredContent)", V1125, Client(Some(Method::ToolsCall)), r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":[]}}"#),
    ("Invalid(ParamsProtocolVersion)", V1125, Server, r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"capabilities":{},"clientInfo":{"name":"a","version":""}}}"#),
    ("Missing(ParamsCapabilities)", V1125, Server, r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"","clientInfo":{"name":"a","version":""}}}"#),
    ("Missing(ClientInfoName)", V1125, Server, r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"","capabilities":{},"clientInfo":{"version":""}}}"#),
    ("Missing(ResultProtocolVersion)", V1125, Client(Some(Method::Initialize)), r#"{"jsonrpc":"2.0","id":1,"result":{"capabilities":{},"serverInfo":{}}}"#),
    ("Missing(ResultCapabilities)", V1125, Client(Some(Method::Initialize)), r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"","serverInfo":{}}}"#),
    ("Missing(ResultServerInfo)", V1125, Client(Some(Method::Initialize)), r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"","capabilities":{}}}"#),
    ("Invalid(Name)", V26, Server, r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":1,$META}}"#),
    ("Missing(ArgumentName)", V26, Server, r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"a"},"argument":{"value":""},$META}}"#),
    ("Missing(Level)", V1125, Server, r#"{"jsonrpc":"2.0","id":1,"method":"logging/setLevel"}"#),
    ("Invalid(Level)", V1125, Server, r#"{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"loud"}}"#),
    ("Missing(Messages)", V1125, Client(None), r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"maxTokens":1}}"#),
    ("Missing(MaxTokens)", V1125, Client(None), r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[]}}"#),
    ("Missing(Message)", V1125, Client(None), r#"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"requestedSchema":{}}}"#),
    ("Missing(Url)", V1125, Client(None), r#"{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"","mode":"url","elicitationId":""}}"#),
    ("Missing(ElicitationId)", V1125, Client(None), r#"{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{}}"#),
    ("Missing(TaskId)", V1125, Server, r#"{"jsonrpc":"2.0","id":1,"method":"tasks/result","params":{}}"#),
    ("Invalid(TaskId)", V1125, Server, r#"{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":1}}"#),
    ("Missing(Data)", V26, Client(None), r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}"#),
    ("Missing(Uri)", V26, Client(None), r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{}}"#),
    ("Invalid(Uri)", V26, Client(None), r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":1}}"#),
];

const KEYS: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;

fn filled(text: &str) -> String {
    text.replace("$META", "\"_meta\":{$KEYS}")
        .replace("$KEYS", KEYS)
}

/// What becomes of a message.
fn outcome(rules: Rules, call: &Call, text: &str) -> Result<(), Error> {
    let message = Message::parse(text.as_bytes())?;
    match *call {
        Server | Client(None) => rules.check(&message),
        Client(method) => rules.check_response(&message, method),
        Sent(method) => rules.check_outgoing_response(&message, method),
    }
}

/// The fault of a message where one revision is served.
fn fault(version: Version, call: &Call, text: &str) -> Error {
    let rules = match call {
        Client(_) => Rules::client(),
        Server | Sent(_) => Rules::server(),
    };
    let rules = rules.versions(Versions::of(&[version]));
    outcome(rules, call, text).expect_err(text)
}

const ONE: Versions = Versions::of(&[V26]);

/// What passes, though the specification forbids it: each with the row whose note says that it is not checked.
#[rustfmt::skip]
const UNCHECKED: &[(&str, Rules, Call, &str)] = &[
    ("b1", Rules::client().versions(ONE), Sent(None), r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{$KEYS,"_x":1}}}"#),
    ("b2", Rules::client().versions(ONE), Sent(None), r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{$KEYS,"dev.mcp/x":1}}}"#),
    ("b3", Rules::client().versions(ONE), Sent(None), r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"x":{}}}}}}"#),
    ("b14", Rules::server().versions(ONE), Sent(Some(Method::SubscriptionsListen)), r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}"#),
    ("b15", Rules::client().versions(ONE), Sent(None), r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{$KEYS,"traceparent":5}}}"#),
    ("f16", Rules::client().versions(ONE).transport(Transport::Http), Sent(None), r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#),
];

/// A note that says so is taken back with the first message that is refused after all.
#[test]
fn what_is_not_checked_passes() {
    for (number, rules, call, text) in UNCHECKED {
        let text = filled(text);
        let checked = outcome(*rules, call, &text);
        assert_eq!(checked, Ok(()), "{number} is checked after all: {text}");
    }
    let by_rules = |row: &Row| UNCHECKED.iter().any(|(number, ..)| row.number == *number);
    for row in rows() {
        let is_said = row.cells[7].contains("ot checked");
        assert_eq!(is_said, by_rules(&row), "{}", row.number);
    }
}

/// Every kind that the table names is given to a vector of that row, or to one of the messages above.
#[test]
fn every_kind_named_is_given() {
    // What a caller says, and what a limit or the transport decides: no message alone gets these (tests/rules.rs).
    let told_by_code = |kind: ErrorKind| format!("`{kind:?}` {}", kind.code());
    let alone = [
        ErrorKind::MissingCapability,
        ErrorKind::FrameTooLong,
        ErrorKind::LineBreak,
    ];
    let mut given = BTreeSet::from(alone.map(told_by_code));
    for (kind, version, call, text) in MESSAGES {
        let error = fault(*version, call, &filled(text));
        assert!(told(&error).starts_with(&format!("`{kind}` ")), "{text}");
        given.insert(told(&error));
    }
    let (vectors, mut missed) = (vectors(false), Vec::new());
    for row in rows() {
        let named = row.vectors().into_iter().filter_map(|id| vectors.get(id));
        let mut here = given.clone();
        for error in named.flat_map(readings).filter_map(|(error, _)| error) {
            here.insert(told(&error));
            here.insert(exactly(&error));
        }
        for kind in row.kinds() {
            let start = format!("`{kind}` ");
            let mut told = here.iter().filter(|told| told.starts_with(&start));
            if !told.any(|told| row.given().contains(told.as_str())) {
                missed.push(format!("{} {kind}", row.number));
            }
        }
    }
    assert!(
        missed.is_empty(),
        "nothing is given these, with the code said: {missed:?}"
    );
}
