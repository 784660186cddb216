//! `table`: nanoseconds per message, and how many times as fast as the baseline.

use std::hint::black_box;
use std::process::ExitCode;

use serde_json::json;

use crate::agree::{self, Verdict};
use crate::args::Args;
use crate::clock;
use crate::load::Class;
use crate::rivals::{BASELINE, RIVALS, Scratch};

/// Seconds a rival works at a stretch.
const SLOT: f64 = 2e-3;

/// One figure of the table.
struct Cell {
    class: usize,
    rival: usize,
    nanoseconds: f64,
    ratio: f64,
    /// Messages that were given up early, which makes the figure look better than it is.
    unread: usize,
}

pub fn run(classes: &[Class], args: &Args) -> ExitCode {
    let say = |line: String| match args.json {
        true => eprintln!("{line}"),
        false => println!("{line}"),
    };
    for rival in RIVALS {
        say(format!("{}: {}", rival.name, rival.note));
    }
    let mut scratch = Scratch::new();
    let mut cells = Vec::new();
    let mut is_apart = false;
    for (nth, class) in classes.iter().enumerate() {
        say(format!("\n## {}", class.title()));
        let verdict = agree::check(class, &mut scratch);
        for complaint in verdict.complaints(class) {
            say(format!("! {complaint}"));
        }
        if verdict.is_unanimous() {
            say("all find the same method, id, version and name".to_owned());
        }
        is_apart |= verdict.apart.iter().any(|(count, _)| *count > 0);
        if verdict.is_unread(class) {
            continue;
        }
        for cell in measure(nth, class, &verdict, args.rounds, &mut scratch) {
            say(line(class, &cell));
            if args.json {
                println!("{}", object(class, &cell));
            }
            cells.push(cell);
        }
    }
    if !args.json && classes.len() > 1 {
        print_matrix(classes, &cells);
    }
    // Figures of rivals that disagree about what a message says compare nothing.
    if is_apart {
        eprintln!("\nthe rivals disagree: see the lines with !");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn measure(
    nth: usize,
    class: &Class,
    verdict: &Verdict,
    rounds: usize,
    scratch: &mut Scratch,
) -> Vec<Cell> {
    let total = class.frames.len();
    let able: Vec<usize> = (0..RIVALS.len())
        .filter(|place| verdict.unread[*place] < total)
        .collect();
    let times = clock::measure(able.len(), rounds, SLOT, total, |way| {
        let run = RIVALS[able[way]].run;
        for frame in &class.frames {
            black_box(run(black_box(frame), scratch));
        }
    });
    let base = able
        .iter()
        .position(|place| RIVALS[*place].name == BASELINE);
    let cell = |(way, place): (usize, &usize)| Cell {
        class: nth,
        rival: *place,
        nanoseconds: times[way].best() * 1e9,
        ratio: base.map_or(f64::NAN, |base| times[way].ratio(&times[base])),
        unread: verdict.unread[*place],
    };
    able.iter().enumerate().map(cell).collect()
}

fn line(class: &Class, cell: &Cell) -> String {
    let gigabytes = class.bytes() as f64 / class.frames.len() as f64 / cell.nanoseconds;
    let mark = match cell.unread {
        0 => String::new(),
        count => format!("  ! without {count} it cannot read"),
    };
    format!(
        "{:<46} {:>12.1} ns {:>8.2} GB/s {:>7.2}x{mark}",
        RIVALS[cell.rival].name, cell.nanoseconds, gigabytes, cell.ratio
    )
}

fn object(class: &Class, cell: &Cell) -> String {
    let mut object = json!({
        "class": class.name,
        "impl": RIVALS[cell.rival].name,
        "ns": (cell.nanoseconds * 10.0).round() / 10.0,
        "ratio": (cell.ratio * 1000.0).round() / 1000.0,
    });
    if cell.unread > 0 {
        object["unread"] = json!(cell.unread);
    }
    object.to_string()
}

/// All ratios at a glance.
fn print_matrix(classes: &[Class], cells: &[Cell]) {
    println!("\n## times as fast as {BASELINE}");
    print!("{:<46}", "");
    for class in classes {
        print!(" {:>12.12}", class.name);
    }
    println!();
    for (place, rival) in RIVALS.iter().enumerate() {
        print!("{:<46}", rival.name);
        for nth in 0..classes.len() {
            let of_both = |cell: &&Cell| cell.class == nth && cell.rival == place;
            match cells.iter().find(of_both) {
                Some(cell) if cell.unread > 0 => print!(" {:>11.2}!", cell.ratio),
                Some(cell) => print!(" {:>12.2}", cell.ratio),
                None => print!(" {:>12}", "-"),
            }
        }
        println!();
    }
}
