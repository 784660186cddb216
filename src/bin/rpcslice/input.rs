//! Where the bytes come from: a file or standard input, in chunks.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::path::Path;

use bytes::BytesMut;

use crate::output::Failure;

const CHUNK: usize = 64 * 1024;

pub(crate) struct Input {
    reader: Box<dyn Read>,
    name: String,
    size: Option<u64>,
    terminal: bool,
    chunk: Box<[u8]>,
}

impl Input {
    /// Opens `file`; standard input if it is `-` or absent.
    pub(crate) fn open(file: Option<&Path>) -> Result<Input, Failure> {
        let chunk = vec![0; CHUNK].into_boxed_slice();
        let Some(path) = file.filter(|path| path.as_os_str() != "-") else {
            let stdin = io::stdin();
            return Ok(Input {
                size: stdin_size(&stdin),
                terminal: stdin.is_terminal(),
                reader: Box::new(stdin.lock()),
                name: "standard input".to_owned(),
                chunk,
            });
        };
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| Failure::read(&name, error))?;
        Ok(Input {
            size: regular_size(&file),
            terminal: file.is_terminal(),
            reader: Box::new(file),
            name,
            chunk,
        })
    }

    /// Length in bytes, where it is known beforehand: of a regular file.
    pub(crate) fn size(&self) -> Option<u64> {
        self.size
    }

    /// Whether somebody types the input.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Appends the next chunk to `buffer`, and returns how many bytes that were; 0 at the end.
    pub(crate) fn read(&mut self, buffer: &mut BytesMut) -> Result<usize, Failure> {
        loop {
            match self.reader.read(&mut self.chunk) {
                Ok(read) => {
                    buffer.extend_from_slice(self.chunk.get(..read).unwrap_or_default());
                    return Ok(read);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::read(&self.name, error)),
            }
        }
    }
}

fn regular_size(file: &File) -> Option<u64> {
    let metadata = file.metadata().ok()?;
    // Files of /proc say 0 and hold something.
    (metadata.is_file() && metadata.len() > 0).then_some(metadata.len())
}

/// `check <file` deserves its progress bar as much as `check file`.
#[cfg(unix)]
fn stdin_size(stdin: &io::Stdin) -> Option<u64> {
    use std::os::fd::AsFd;
    let copy = stdin.as_fd().try_clone_to_owned().ok()?;
    regular_size(&File::from(copy))
}

#[cfg(not(unix))]
fn stdin_size(_: &io::Stdin) -> Option<u64> {
    None
}
