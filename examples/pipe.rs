//! A loop over standard input, as a server on stdio has it: bytes in, owned messages out. A bad frame is reported, and the
//! next one is read as if nothing had happened.
//!
//! Run it with `cargo run --example pipe <examples/session.jsonl`.

use std::io::{self, BufRead};

use bytes::{Bytes, BytesMut};
use rpcslice::frame::{Line, LineDecoder};
use rpcslice::{Limits, MessageBuf, Policy};

fn main() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut lines = LineDecoder::new(Limits::default(), Policy::strict());
    let mut buffer = BytesMut::new();
    loop {
        let chunk = input.fill_buf()?;
        let read = chunk.len();
        if read == 0 {
            break;
        }
        buffer.extend_from_slice(chunk);
        input.consume(read);
        // `None` means that the rest of the line has still to come.
        while let Some(line) = lines.decode(&mut buffer) {
            print(line);
        }
    }
    // A last line without a newline.
    while let Some(line) = lines.finish(&mut buffer) {
        print(line);
    }
    Ok(())
}

fn print(line: Line<Bytes>) {
    let frame = match line.body {
        Ok(frame) => frame,
        Err(oversize) => {
            println!("{:>6}  too long: {} bytes", line.offset, oversize.len);
            return;
        }
    };
    match MessageBuf::parse(frame) {
        // `MessageBuf` is 'static and cheap to clone: it could go to another thread from here.
        Ok(message) => {
            let message = message.as_message();
            let kind = message.kind().as_str();
            let id = message.id().map_or("-", |id| id.raw());
            let method = message.method().map_or("", |method| method.raw());
            println!("{:>6}  {kind:<12} {id:<18} {method}", line.offset);
        }
        Err(rejected) => println!("{:>6}  bad: {}", line.offset, rejected.error),
    }
}
