//! The command line: one command and a handful of options.

use std::iter::Peekable;
use std::path::PathBuf;

pub const USAGE: &str = "\
rpcslice-rivals table   [--corpus DIR] [--class NAME..] [--rounds N] [--only PART..] [--json]
rpcslice-rivals framing [--corpus DIR] [--class NAME..] [--rounds N]
rpcslice-rivals events  [--corpus DIR] [--class NAME..] [--rounds N]
rpcslice-rivals encode  [--corpus DIR] [--class NAME..] [--rounds N]
rpcslice-rivals decode  [--corpus DIR] [--class NAME..] [--rounds N]
rpcslice-rivals allocs  [--corpus DIR] [--class NAME..]

--corpus DIR   the *.json (one message) and *.jsonl (one message a line) of DIR instead of the built-in corpus
--class NAME   only these classes, each the stem of a corpus file; if none is named, framing takes
               `session`, events `session`, `small` and `progress`, encode `call`, `small` and `tools_list`,
               decode seven, one of each kind that it tells apart
--rounds N     rounds to take the median of (table 61, else 15)
--only PART    only rows whose label contains this, in whatever case, beside `serde_json RawValue`, the base of all
               ratios
--json         one object a line on standard output, everything else on standard error";

#[derive(Clone, Copy, PartialEq)]
pub enum Command {
    Table,
    Framing,
    Events,
    Encode,
    Decode,
    Allocs,
}

pub struct Args {
    pub command: Command,
    pub corpus: Option<PathBuf>,
    pub classes: Vec<String>,
    pub rounds: usize,
    pub only: Vec<String>,
    pub json: bool,
}

pub fn parse(words: impl Iterator<Item = String>) -> Result<Args, String> {
    let mut words = words.peekable();
    let command = match words.next().as_deref() {
        Some("table") => Command::Table,
        Some("framing") => Command::Framing,
        Some("events") => Command::Events,
        Some("encode") => Command::Encode,
        Some("decode") => Command::Decode,
        Some("allocs") => Command::Allocs,
        Some(other) => return Err(format!("no command `{other}`")),
        None => return Err("no command given".to_owned()),
    };
    let mut args = Args {
        command,
        corpus: None,
        classes: Vec::new(),
        // The table's are short; see there.
        rounds: if command == Command::Table { 61 } else { 15 },
        only: Vec::new(),
        json: false,
    };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--json" if command == Command::Table => args.json = true,
            "--corpus" => args.corpus = Some(words.next().ok_or("--corpus needs a folder")?.into()),
            "--class" => args.classes.extend(names(&word, &mut words)?),
            "--only" if command == Command::Table => {
                args.only.extend(names(&word, &mut words)?);
            }
            "--rounds" if command != Command::Allocs => {
                args.rounds = words
                    .next()
                    .and_then(|number| number.parse().ok())
                    .filter(|rounds| *rounds > 0)
                    .ok_or("--rounds needs a number above 0")?;
            }
            other => return Err(format!("no option `{other}` here")),
        }
    }
    if args.classes.is_empty() {
        let classes = defaults(command).iter().copied();
        args.classes.extend(classes.map(str::to_owned));
    }
    Ok(args)
}

/// The words up to the next option.
fn names(
    option: &str,
    words: &mut Peekable<impl Iterator<Item = String>>,
) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    while let Some(name) = words.next_if(|word| !word.starts_with("--")) {
        names.push(name);
    }
    match names.is_empty() {
        true => Err(format!("{option} needs a name")),
        false => Ok(names),
    }
}

/// What a command takes if no class is named; where there is nothing, it takes all.
fn defaults(command: Command) -> &'static [&'static str] {
    match command {
        Command::Framing => &["session"],
        Command::Events => &["session", "small", "progress"],
        Command::Encode => &["call", "small", "tools_list"],
        Command::Decode => &[
            "call",
            "write20k",
            "tools_list",
            "numbers200k",
            "escaped200k",
            "cjk100k",
            "blob1m",
        ],
        Command::Table | Command::Allocs => &[],
    }
}
