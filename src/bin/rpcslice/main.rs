//! The `rpcslice` command. One module per subcommand; the others are what they share.

#![forbid(unsafe_code)]

mod check;
mod checker;
mod events;
mod excerpt;
mod exchange;
mod exchanges;
mod help;
mod input;
mod json;
mod lines;
mod output;
mod progress;
mod record;
mod report;
mod rows;
mod safe;
mod session;
mod summary;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Reads JSON-RPC 2.0 as the Model Context Protocol uses it, and says what is wrong with it and where.
#[derive(Debug, Parser)]
#[command(name = "rpcslice", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Args),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Check(args) => check::run(&args),
    }
}
