//! `decode`: a message to a value of a type, by whom, and what it costs beside parsing; and what an `IdMap` costs, which
//! is the other thing that is done with a message once it is parsed.

mod idmap;
mod shapes;
mod typed;
mod way;
mod which;

use std::hint::black_box;
use std::process::ExitCode;

use crate::args::Args;
use crate::load::Class;

pub fn run(classes: &[Class], args: &Args) -> ExitCode {
    // See `framing`: without this the figures are page faults of whoever comes first.
    drop(black_box(vec![0u8; 31 << 20]));
    let sound = [
        typed::run(classes, args.rounds),
        which::run(classes, args.rounds),
        idmap::run(args.rounds),
    ];
    match sound.contains(&false) {
        false => ExitCode::SUCCESS,
        true => {
            eprintln!("the ways disagree: see the lines with !");
            ExitCode::FAILURE
        }
    }
}
