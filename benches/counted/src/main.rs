//! Does one portion of work a given number of times, for `scripts/instructions` to count what it takes.
//!
//! `counted list` prints one portion a line: name, messages, bytes, repeats that give a steady figure.
//! `counted NAME REPEATS` makes its messages ready and then works. Getting ready costs the same whatever the number
//! of repeats, so the difference between two runs is the work alone.

#[path = "../../corpus/mod.rs"]
mod corpus;
mod portions;
mod shapes;
mod walked;
mod written;

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["list"] => {
            for name in portions::names() {
                if let Some(portion) = portions::named(&name) {
                    let (messages, bytes) = (portion.messages(), portion.bytes());
                    println!("{name}\t{messages}\t{bytes}\t{}", portion.repeats());
                }
            }
            ExitCode::SUCCESS
        }
        [name, repeats] => match (portions::named(name), repeats.parse()) {
            (Some(portion), Ok(repeats)) => {
                portion.work(repeats);
                ExitCode::SUCCESS
            }
            _ => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("counted list | counted NAME REPEATS");
    ExitCode::from(2)
}
