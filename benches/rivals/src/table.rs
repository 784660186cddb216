//! `table`: nanoseconds per message, and how many times as fast as the baseline.

use std::hint::black_box;
use std::process::ExitCode;

use serde_json::json;

use crate::agree::{self, Verdict};
use crate::args::Args;
use crate::clock;
use crate::load::Class;
use crate::rivals::{BASELINE, Lineup, Rival, Scratch};

/// Seconds a rival works at a stretch. Short, with many rounds: where others use the machine too, its speed changes within
/// milliseconds, and what is set against each other has to lie close together.
const SLOT: f64 = 5e-4;

/// One figure of the table.
struct Cell {
    class: usize,
    rival: &'static Rival,
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
    let lineup = match Lineup::of(&args.only) {
        Ok(lineup) => lineup,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::from(2);
        }
    };
    for rival in &lineup.rivals {
        say(format!("{}: {}", rival.name, rival.note));
    }
    for line in &lineup.left_out {
        say(format!("left out: {line}"));
    }
    let mut scratch = Scratch::new();
    let mut cells = Vec::new();
    let mut is_apart = false;
    for (nth, class) in classes.iter().enumerate() {
        say(format!("\n## {}", class.title()));
        let verdict = agree::check(&lineup.rivals, class, &mut scratch);
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
        for cell in measure(
            nth,
            class,
            &lineup.rivals,
            &verdict,
            args.rounds,
            &mut scratch,
        ) {
            say(line(class, &cell));
            if args.json {
                println!("{}", object(class, &cell));
            }
            cells.push(cell);
        }
    }
    if !args.json && classes.len() > 1 {
        print_matrix(classes, &lineup.rivals, &cells);
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
    rivals: &[&'static Rival],
    verdict: &Verdict<'_>,
    rounds: usize,
    scratch: &mut Scratch,
) -> Vec<Cell> {
    let total = class.frames.len();
    // Each rival that can read something, with how many messages it can't.
    let able: Vec<(&'static Rival, usize)> = rivals
        .iter()
        .zip(&verdict.unread)
        .map(|(rival, unread)| (*rival, *unread))
        .filter(|(_, unread)| *unread < total)
        .collect();
    let times = clock::measure_held(
        able.len(),
        rounds,
        SLOT,
        total,
        |way| able[way].0.hold(),
        |way| {
            let run = able[way].0.run;
            for frame in &class.frames {
                // By reference: by value it would be copied for every message.
                black_box(&run(black_box(frame), scratch));
            }
        },
    );
    let base = able.iter().position(|(rival, _)| rival.name == BASELINE);
    let cells = able.iter().zip(&times).map(|((rival, unread), own)| Cell {
        class: nth,
        rival,
        nanoseconds: own.best() * 1e9,
        ratio: base.map_or(f64::NAN, |base| own.ratio(&times[base])),
        unread: *unread,
    });
    cells.collect()
}

fn line(class: &Class, cell: &Cell) -> String {
    let gigabytes = class.bytes() as f64 / class.frames.len() as f64 / cell.nanoseconds;
    let mark = match cell.unread {
        0 => String::new(),
        count => format!("  ! without {count} it cannot read"),
    };
    format!(
        "{:<46} {:>12.1} ns {:>8.2} GB/s {:>7.2}x{mark}",
        cell.rival.name, cell.nanoseconds, gigabytes, cell.ratio
    )
}

fn object(class: &Class, cell: &Cell) -> String {
    let mut object = json!({
        "class": class.name,
        "impl": cell.rival.name,
        "ns": (cell.nanoseconds * 10.0).round() / 10.0,
        "ratio": (cell.ratio * 1000.0).round() / 1000.0,
    });
    if cell.unread > 0 {
        object["unread"] = json!(cell.unread);
    }
    object.to_string()
}

/// All ratios at a glance.
fn print_matrix(classes: &[Class], rivals: &[&Rival], cells: &[Cell]) {
    println!("\n## times as fast as {BASELINE}");
    print!("{:<46}", "");
    for class in classes {
        print!(" {:>12.12}", class.name);
    }
    println!();
    for rival in rivals {
        print!("{:<46}", rival.name);
        for nth in 0..classes.len() {
            let of_both = |cell: &&Cell| cell.class == nth && cell.rival.name == rival.name;
            match cells.iter().find(of_both) {
                Some(cell) if cell.unread > 0 => print!(" {:>11.2}!", cell.ratio),
                Some(cell) => print!(" {:>12.2}", cell.ratio),
                None => print!(" {:>12}", "-"),
            }
        }
        println!();
    }
}
