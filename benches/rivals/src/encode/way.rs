//! What the two tables have in common: ways of doing a job, held to one outcome and then timed.

use std::hint::black_box;

use bytes::{Buf, BytesMut};
use rpcslice::IdBuf;
use rpcslice::encode::Pieces;
use serde_json::Value;

use super::tree;
use crate::clock::{self, Times};

/// Seconds a way works at a stretch.
const SLOT: f64 = 5e-3;

/// One way of doing jobs of a kind.
pub struct Way<Job: 'static> {
    pub name: &'static str,
    /// What it does, and what it spares itself.
    pub note: &'static str,
    /// Leaves the message in the buffers. False if it can't be done this way.
    pub run: fn(&Job, &mut Buffers) -> bool,
    /// A floor writes no message of its own, so nothing of it is compared.
    pub is_floor: bool,
}

/// What a caller keeps from one message to the next.
pub struct Buffers {
    pub out: Vec<u8>,
    /// Of a message that is left in pieces.
    pub pieces: Option<Pieces>,
    pub scratch: BytesMut,
    pub text: String,
    /// The id that messages get.
    pub id: IdBuf,
}

impl Buffers {
    pub fn new(id: u64) -> Self {
        Self {
            out: Vec::new(),
            pieces: None,
            scratch: BytesMut::new(),
            text: String::new(),
            id: IdBuf::from(id),
        }
    }

    /// Empty, but for their room. What takes pieces has to let go of the last ones first.
    pub fn clear(&mut self) {
        self.out.clear();
        self.pieces = None;
    }

    /// The message that the last run has left.
    fn message(&mut self) -> Option<Value> {
        let joined = match self.pieces.take() {
            Some(mut pieces) => pieces.copy_to_bytes(pieces.remaining()),
            None => self.out.clone().into(),
        };
        serde_json::from_slice(&joined).ok()
    }
}

/// What the ways made of the jobs, each at its place.
pub struct Verdict {
    /// How many jobs a way couldn't do.
    pub undone: Vec<usize>,
    /// How many it did, with another message as the outcome.
    pub apart: Vec<usize>,
}

/// Does every job in every way and compares what is written with what is expected.
pub fn check<Job>(
    ways: &[Way<Job>],
    jobs: &[Job],
    expected: impl Fn(&Job, &Way<Job>) -> Value,
    buffers: &mut Buffers,
) -> Verdict {
    let mut verdict = Verdict {
        undone: vec![0; ways.len()],
        apart: vec![0; ways.len()],
    };
    for job in jobs {
        for (place, way) in ways.iter().enumerate() {
            buffers.clear();
            if !(way.run)(job, buffers) {
                verdict.undone[place] += 1;
            } else if !way.is_floor {
                let written = buffers.message();
                let wanted = expected(job, way);
                let is_same = written.is_some_and(|written| tree::is_same(&written, &wanted));
                verdict.apart[place] += usize::from(!is_same);
            }
        }
    }
    verdict
}

/// Times all ways over all jobs, which are so many messages.
pub fn measure<Job>(
    ways: &[Way<Job>],
    jobs: &[Job],
    messages: usize,
    rounds: usize,
    buffers: &mut Buffers,
) -> Vec<Times> {
    clock::measure(ways.len(), rounds, SLOT, messages, |place| {
        for job in jobs {
            buffers.clear();
            black_box((ways[place].run)(black_box(job), buffers));
            black_box((&buffers.out, &buffers.pieces));
        }
    })
}

impl Verdict {
    /// What has to be said of a way behind its figures.
    pub fn mark(&self, place: usize) -> String {
        let mut mark = String::new();
        if self.undone[place] > 0 {
            mark += &format!("  ! without {} it cannot do", self.undone[place]);
        }
        if self.apart[place] > 0 {
            mark += &format!("  ! another message in {}", self.apart[place]);
        }
        mark
    }
}
