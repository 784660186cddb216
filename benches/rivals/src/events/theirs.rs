//! The crates that people read event streams with today, each as its documentation says, and floors.

use std::convert::Infallible;
use std::hint::black_box;
use std::num::NonZeroUsize;

use eventsource_stream::Eventsource;
use futures_util::{StreamExt, stream};
use sse_core::SseEvent;
use sse_stream::SseByteStream;

use super::stream::{Chunks, Stream};
use super::{Tally, Way};
use crate::block_on::block_on;

pub const EVENTSOURCE_STREAM: Way = Way {
    name: "eventsource-stream",
    run: eventsource_stream,
    is_floor: false,
};

pub const SSE_STREAM: Way = Way {
    name: "sse-stream SseByteStream",
    run: sse_stream,
    is_floor: false,
};

pub const SSE_CORE: Way = Way {
    name: "sse-core SseDecoder::next",
    run: sse_core,
    is_floor: false,
};

pub const MEMCPY: Way = Way {
    name: "floor: memcpy",
    run: copy,
    is_floor: true,
};

pub const MEMCHR2: Way = Way {
    name: "floor: memchr2 CR and LF",
    run: search,
    is_floor: true,
};

/// The default, 512 KiB, refuses the longer events of the growth table.
const SSE_CORE_LIMIT: NonZeroUsize = NonZeroUsize::new(64 << 20).unwrap();

fn eventsource_stream(stream: &Stream, chunks: Chunks) -> Tally {
    block_on(async {
        let chunks = stream.chunks(chunks).map(Ok::<_, Infallible>);
        let mut events = stream::iter(chunks).eventsource();
        let mut tally = Tally::default();
        while let Some(Ok(event)) = events.next().await {
            tally.event(event.data.as_bytes());
            black_box(event);
        }
        tally
    })
}

/// Its documentation prefers this to `SseStream`, which goes by way of HTTP frames.
fn sse_stream(stream: &Stream, chunks: Chunks) -> Tally {
    block_on(async {
        let chunks = stream.chunks(chunks).map(Ok::<_, Infallible>);
        let mut events = SseByteStream::new(stream::iter(chunks));
        let mut tally = Tally::default();
        while let Some(Ok(event)) = events.next().await {
            if let Some(data) = &event.data {
                tally.event(data.as_bytes());
            }
            black_box(event);
        }
        tally
    })
}

/// Sans-io: it needs no stream.
fn sse_core(stream: &Stream, chunks: Chunks) -> Tally {
    let mut decoder = sse_core::SseDecoder::with_limit(SSE_CORE_LIMIT);
    let mut tally = Tally::default();
    for mut chunk in stream.chunks(chunks) {
        while let Some(event) = decoder.next(&mut chunk) {
            if let Ok(SseEvent::Message(message)) = &event {
                tally.event(message.data.as_bytes());
            }
            let _ = black_box(event);
        }
    }
    tally
}

fn copy(stream: &Stream, chunks: Chunks) -> Tally {
    let mut buffer = Vec::new();
    for chunk in stream.chunks(chunks) {
        buffer.clear();
        buffer.extend_from_slice(chunk);
        black_box(&buffer);
    }
    Tally::default()
}

fn search(stream: &Stream, chunks: Chunks) -> Tally {
    let chunks = stream.chunks(chunks);
    let ends = chunks.map(|chunk| {
        let ends = memchr::memchr2_iter(b'\r', b'\n', chunk);
        ends.map(black_box).count()
    });
    Tally {
        events: ends.sum(),
        bytes: 0,
    }
}
