//! Values that have been checked and are looked into: members by name, the elements of an array.

use std::hint::black_box;

use rpcslice::RawJson;

/// What is done, by the name of the way and of what it is done with.
pub const ALL: [(&str, &str, Walk); 5] = [
    ("get", "call", Walk::Get(&["params", "arguments"])),
    (
        "get",
        "write20k",
        Walk::Get(&["params", "arguments", "content"]),
    ),
    ("get", "numbers200k", Walk::Get(&["jsonrpc"])),
    ("get", "blob1m", Walk::Get(&["jsonrpc"])),
    ("elements", "tools_list", Walk::Elements("result", "tools")),
];

#[derive(Clone, Copy)]
pub enum Walk {
    /// The member of that name, and in it the next, from the whole message on.
    Get(&'static [&'static str]),
    /// The elements of the array that the second is in the first.
    Elements(&'static str, &'static str),
}

impl Walk {
    // Apart, so that how the other ways are compiled doesn't depend on these.
    #[inline(never)]
    pub fn work(self, frames: &[Vec<u8>], repeats: usize) {
        let messages: Vec<RawJson<'_>> = frames
            .iter()
            .map(|frame| RawJson::parse(frame).expect("a value"))
            .collect();
        for _ in 0..repeats {
            for message in &messages {
                self.once(black_box(*message));
            }
        }
    }

    fn once(self, message: RawJson<'_>) {
        match self {
            Self::Get(path) => {
                let found = path.iter().try_fold(message, |value, name| value.get(name));
                black_box(found.expect("a member"));
            }
            Self::Elements(first, second) => {
                let array = message.get(first).and_then(|value| value.get(second));
                for element in array.expect("an array").elements() {
                    black_box(element);
                }
            }
        }
    }
}
