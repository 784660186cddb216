//! `allocs`: heap allocations per message read, cut, edited or written, counted by the allocator itself. What is written in
//! C++ has another one, and is left out.

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::encode;
use crate::framing;
use crate::load::Class;
use crate::rivals::{Lineup, Role, Scratch};

/// The system's allocator, with a count while `IS_ON`. Off, it costs the timings one relaxed load an allocation.
struct Counting;

static IS_ON: AtomicBool = AtomicBool::new(false);
static CALLS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn note(bytes: usize) {
    if IS_ON.load(Relaxed) {
        CALLS.fetch_add(1, Relaxed);
        BYTES.fetch_add(bytes as u64, Relaxed);
    }
}

// SAFETY: every call goes on to the system's allocator unchanged; counting touches no memory it hands out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promise about `layout` is the one asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from the system's allocator with this layout, for all of ours do.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        // SAFETY: as for `dealloc`, and the caller's promise about `size` is the one asked for.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Allocations and bytes asked for while `work` runs.
fn count(work: impl FnOnce()) -> (u64, u64) {
    let before = (CALLS.load(Relaxed), BYTES.load(Relaxed));
    IS_ON.store(true, Relaxed);
    work();
    IS_ON.store(false, Relaxed);
    (
        CALLS.load(Relaxed) - before.0,
        BYTES.load(Relaxed) - before.1,
    )
}

pub fn run(classes: &[Class]) -> ExitCode {
    let mut scratch = Scratch::new();
    let is_counted = |role| !matches!(role, Role::Floor | Role::Foreign);
    let mut rivals = Lineup::all().rivals;
    rivals.retain(|rival| is_counted(rival.role));
    for class in classes {
        println!("## {}", class.title());
        let messages = class.frames.len() as f64;
        for rival in &rivals {
            let mut pass = || {
                let read = class
                    .frames
                    .iter()
                    .filter(|frame| rival.read(frame, &mut scratch).is_some());
                read.count()
            };
            // Once before, so that buffers that are kept have grown already.
            let read = pass();
            let (calls, bytes) = count(|| {
                pass();
            });
            let mark = match class.frames.len() - read {
                0 => String::new(),
                unread => format!("  ! cannot read {unread}"),
            };
            print_line(rival.name, "message", calls, bytes, messages, &mark);
        }
        println!();
    }
    for class in classes.iter().filter(|class| class.frames.len() > 1) {
        let stream = framing::Stream::new(class);
        println!("## {} as lines in chunks of 64 KiB", class.name);
        for way in framing::WAYS.iter().filter(|way| !way.is_floor) {
            let (calls, bytes) = count(|| {
                (way.run)(&stream, 64 * 1024);
            });
            print_line(way.name, "line", calls, bytes, stream.count as f64, "");
        }
        println!();
    }
    encode::print_allocs(
        classes,
        |work| count(work),
        |name, (calls, bytes), messages| {
            print_line(name, "message", calls, bytes, messages as f64, "");
        },
    );
    ExitCode::SUCCESS
}

fn print_line(name: &str, unit: &str, calls: u64, bytes: u64, units: f64, mark: &str) {
    println!(
        "{name:<46} {:>10.3} allocations/{unit} {:>12.1} B/{unit}{mark}",
        calls as f64 / units,
        bytes as f64 / units
    );
}
