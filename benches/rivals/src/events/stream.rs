//! A text/event-stream, and the chunks in which it comes.

use std::iter;

use crate::load::Class;

/// A class that is shorter is sent again and again, up to so many bytes: the goals are about long streams.
const LEAST: usize = 10_000_000;

/// How a server writes an event.
pub struct Writer {
    pub name: &'static str,
    line_end: &'static str,
    has_ids: bool,
}

pub const WRITERS: [Writer; 2] = [
    Writer {
        name: "LF",
        line_end: "\n",
        has_ids: false,
    },
    // As the Python SDK does where an event store gives ids.
    Writer {
        name: "ids, CRLF",
        line_end: "\r\n",
        has_ids: true,
    },
];

#[derive(Clone, Copy)]
pub enum Chunks {
    Bytes(usize),
    /// Servers flush after every event, and often it comes as it was flushed.
    Events,
}

pub struct Stream {
    pub whole: Vec<u8>,
    /// Where each event ends.
    ends: Vec<usize>,
    /// Bytes of the data of all events.
    pub data: usize,
}

impl Stream {
    /// Every message of the class one event.
    pub fn new(class: &Class, writer: &Writer) -> Self {
        let mut stream = Self::empty();
        while stream.whole.len() < LEAST {
            for frame in &class.frames {
                stream.push(&frame.bytes, writer);
            }
        }
        stream
    }

    /// One event of so many bytes in all: a buffer that doubles holds it without going over a power of two, where glibc
    /// would hand out fresh pages each time.
    pub fn single(bytes: usize) -> Self {
        let mut stream = Self::empty();
        stream.push(b"", &WRITERS[0]);
        let around = stream.whole.len();
        let mut stream = Self::empty();
        stream.push(&vec![b'A'; bytes - around], &WRITERS[0]);
        stream
    }

    fn empty() -> Self {
        Self {
            whole: Vec::new(),
            ends: Vec::new(),
            data: 0,
        }
    }

    fn push(&mut self, message: &[u8], writer: &Writer) {
        let mut line = |field: &str, value: &[u8]| {
            for part in [field.as_bytes(), value, writer.line_end.as_bytes()] {
                self.whole.extend_from_slice(part);
            }
        };
        if writer.has_ids {
            line("id: ", self.ends.len().to_string().as_bytes());
        }
        line("event: ", b"message");
        for value in message.split(|byte| *byte == b'\n') {
            line("data: ", value);
        }
        line("", b"");
        self.data += message.len();
        self.ends.push(self.whole.len());
    }

    pub fn events(&self) -> usize {
        self.ends.len()
    }

    /// The chunks, each a slice. HTTP clients hand over `Bytes`; a slice is a `Buf` and `AsRef<[u8]>` just as well, and
    /// counts no references.
    pub fn chunks(&self, chunks: Chunks) -> impl Iterator<Item = &[u8]> {
        let (mut at, mut nth) = (0, 0);
        iter::from_fn(move || {
            let rest = &self.whole[at..];
            let len = match chunks {
                Chunks::Bytes(bytes) => bytes.min(rest.len()),
                Chunks::Events => self.ends.get(nth)? - at,
            };
            at += len;
            nth += 1;
            (len > 0).then(|| &rest[..len])
        })
    }
}
