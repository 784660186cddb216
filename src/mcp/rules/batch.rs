//! What a batch of 2025-03-26 may hold (`basic/index`, "Batching"; `basic/lifecycle`, "Initialization").

use super::fault;
use crate::error::{Error, ErrorKind, Shape, Span};
use crate::message::{Batch, Kind};

/// Refuses a batch as a whole. Bad elements count for neither side.
pub(super) fn check(batch: &Batch<'_>) -> Result<(), Error> {
    let is_response = |kind| matches!(kind, Kind::Result | Kind::Error);
    let mut first = None;
    for message in batch.iter().flatten() {
        let side = is_response(message.kind());
        let kind = if *first.get_or_insert(side) != side {
            ErrorKind::BatchMixed
        } else if message
            .method()
            .is_some_and(|method| method == "initialize")
        {
            ErrorKind::BatchInitialize
        } else {
            continue;
        };
        let start = message.frame().as_ptr() as usize - batch.frame().as_ptr() as usize;
        let span = Span::new(start, start + message.frame().len());
        // The error is about the whole: an answer has no id.
        return Err(Error {
            shape: Shape::Unknown,
            id: Span::default(),
            method: Span::default(),
            ..fault::at(&message, kind, span)
        });
    }
    Ok(())
}
