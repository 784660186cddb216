//! rpcslice beside the other ways of doing the same work, in one process, round about.
//!
//! `table` times the reading of one message, `framing` the cutting of a stream into lines, `events` that of a
//! text/event-stream into events, `encode` the editing and writing of messages, `decode` typed values out of them and ids
//! mapped; `allocs` counts heap allocations. Each checks that all ways find or write the same before it measures anything.
//!
//! With the feature `simdjson` the table has simdjson's own C++ in it, too. Only that needs a C++ compiler and CMake.

mod agree;
mod allocs;
mod args;
mod block_on;
mod clock;
#[path = "../../corpus/mod.rs"]
mod corpus;
mod decode;
mod digest;
mod encode;
mod events;
mod framing;
mod load;
mod rivals;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match args::parse(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(problem) => {
            eprintln!("{problem}\n\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    let classes = match load::classes(&args) {
        Ok(classes) => classes,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::from(2);
        }
    };
    match args.command {
        args::Command::Table => table::run(&classes, &args),
        args::Command::Allocs => allocs::run(&classes),
        args::Command::Framing => framing::run(&classes, &args),
        args::Command::Events => events::run(&classes, &args),
        args::Command::Encode => encode::run(&classes, &args),
        args::Command::Decode => decode::run(&classes, &args),
    }
}
