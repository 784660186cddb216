//! The ways people cut lines today, each with a buffer of 64 KiB where one can be set.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Read};

use futures_util::StreamExt;
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleClient, RoleServer};
use tokio::io::AsyncBufReadExt;
use tokio_util::codec::{FramedRead, LinesCodec};

use super::source::Source;
use super::{Stream, Tally, Way};
use crate::block_on::block_on;

const BUFFER: usize = 64 * 1024;

pub const READ_UNTIL: Way = Way {
    name: "std read_until",
    run: read_until,
    is_floor: false,
    is_whole: false,
};

pub const TOKIO_READ_UNTIL: Way = Way {
    name: "tokio read_until",
    run: tokio_read_until,
    is_floor: false,
    is_whole: false,
};

pub const LINES_CODEC: Way = Way {
    name: "tokio-util LinesCodec",
    run: lines_codec,
    is_floor: false,
    is_whole: false,
};

pub const RMCP: Way = Way {
    name: "rmcp AsyncRwTransport::receive (with types)",
    run: rmcp,
    is_floor: false,
    is_whole: false,
};

pub const MEMCPY: Way = Way {
    name: "floor: memcpy",
    run: copy,
    is_floor: true,
    is_whole: false,
};

pub const MEMCHR: Way = Way {
    name: "floor: memchr newline",
    run: search,
    is_floor: true,
    is_whole: false,
};

fn read_until(stream: &Stream, chunk: usize) -> Tally {
    let mut reader = BufReader::with_capacity(BUFFER, Source::new(&stream.whole, chunk));
    let mut line = Vec::new();
    let mut tally = Tally::of_bytes();
    while reader
        .read_until(b'\n', &mut line)
        .is_ok_and(|count| count > 0)
    {
        tally.line(line.strip_suffix(b"\n").unwrap_or(&line));
        line.clear();
    }
    tally
}

fn tokio_read_until(stream: &Stream, chunk: usize) -> Tally {
    block_on(async {
        let source = Source::new(&stream.whole, chunk);
        let mut reader = tokio::io::BufReader::with_capacity(BUFFER, source);
        let mut line = Vec::new();
        let mut tally = Tally::of_bytes();
        while reader
            .read_until(b'\n', &mut line)
            .await
            .is_ok_and(|count| count > 0)
        {
            tally.line(line.strip_suffix(b"\n").unwrap_or(&line));
            line.clear();
        }
        tally
    })
}

fn lines_codec(stream: &Stream, chunk: usize) -> Tally {
    block_on(async {
        let source = Source::new(&stream.whole, chunk);
        let mut lines = FramedRead::with_capacity(source, LinesCodec::new(), BUFFER);
        let mut tally = Tally::of_bytes();
        while let Some(Ok(line)) = lines.next().await {
            tally.line(line.as_bytes());
        }
        tally
    })
}

/// Both ends of the conversation, each with the role that receives it.
fn rmcp(stream: &Stream, chunk: usize) -> Tally {
    async fn receive<Role: rmcp::service::ServiceRole>(source: Source) -> usize {
        let transport = AsyncRwTransport::<Role, _, _>::new(source, tokio::io::sink());
        let mut transport = transport.with_max_line_length(usize::MAX);
        let mut messages = 0;
        while let Some(message) = transport.receive().await {
            black_box(message);
            messages += 1;
        }
        messages
    }
    block_on(async {
        let from_client = receive::<RoleServer>(Source::new(&stream.from_client, chunk)).await;
        let from_server = receive::<RoleClient>(Source::new(&stream.from_server, chunk)).await;
        Tally {
            lines: from_client + from_server,
            bytes: None,
        }
    })
}

fn copy(stream: &Stream, chunk: usize) -> Tally {
    let mut source = Source::new(&stream.whole, chunk);
    let mut buffer = vec![0; chunk];
    while source.read(&mut buffer).is_ok_and(|count| count > 0) {
        black_box(&buffer);
    }
    Tally::default()
}

fn search(stream: &Stream, chunk: usize) -> Tally {
    let chunks = stream.whole.chunks(chunk);
    let lines = chunks.map(|chunk| memchr::memchr_iter(b'\n', chunk).map(black_box).count());
    Tally {
        lines: lines.sum(),
        bytes: None,
    }
}
