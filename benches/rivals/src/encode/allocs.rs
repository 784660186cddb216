//! Heap allocations per message that is edited or written, with buffers that have grown already.

use super::way::{Buffers, Way};
use super::{edit, write};
use crate::load::Class;

/// `count` says how many allocations some work makes, and of how many bytes; `print` says so of a way.
pub fn print(
    classes: &[Class],
    count: impl Fn(&mut dyn FnMut()) -> (u64, u64),
    print: impl Fn(&str, (u64, u64), usize),
) {
    let of_all = |ways: &[Way<edit::Frame>], frames: &[edit::Frame], messages| {
        each(ways, frames, edit::NEW_ID, &count, |name, counted| {
            print(name, counted, messages);
        });
    };
    for task in edit::tasks(classes) {
        println!("## edit {}", task.title);
        of_all(task.ways, &task.frames, task.messages);
        println!();
    }
    for case in write::cases() {
        println!("## write {}", case.name);
        let jobs = std::slice::from_ref(&case);
        each(write::ways(), jobs, write::ID, &count, |name, counted| {
            print(name, counted, 1);
        });
        println!();
    }
}

fn each<Job>(
    ways: &[Way<Job>],
    jobs: &[Job],
    id: u64,
    count: impl Fn(&mut dyn FnMut()) -> (u64, u64),
    print: impl Fn(&str, (u64, u64)),
) {
    for way in ways.iter().filter(|way| !way.is_floor) {
        let mut buffers = Buffers::new(id);
        let mut pass = || {
            for job in jobs {
                buffers.clear();
                (way.run)(job, &mut buffers);
            }
        };
        pass();
        print(way.name, count(&mut pass));
    }
}
