//! `encode`: messages out. One that came in is changed and passed on; a small one is written anew.

mod allocs;
mod edit;
mod tree;
mod way;
mod write;

use std::hint::black_box;
use std::process::ExitCode;

pub use allocs::print as print_allocs;

use crate::args::Args;
use crate::load::Class;

pub fn run(classes: &[Class], args: &Args) -> ExitCode {
    // See `framing`: without this the figures are page faults of whoever comes first.
    drop(black_box(vec![0u8; 31 << 20]));
    let is_edit_sound = edit::run(classes, args.rounds);
    let is_write_sound = write::run(args.rounds);
    match is_edit_sound && is_write_sound {
        true => ExitCode::SUCCESS,
        false => {
            eprintln!("the ways disagree: see the lines with !");
            ExitCode::FAILURE
        }
    }
}
