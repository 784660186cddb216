//! The progress bar on standard error, for input that takes long enough to want one.

use std::io::{IsTerminal, stderr, stdout};

use indicatif::{ProgressBar, ProgressStyle};

use crate::input::Input;

/// Below this the check is over before a bar could be read.
const WORTH_A_BAR: u64 = 8 << 20;

pub(crate) struct Progress {
    wanted: bool,
    size: Option<u64>,
    read: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(crate) fn new(input: &Input) -> Progress {
        let size = input.size();
        // Without a size there is only a byte count to show. It would sit among the rows where these go to the terminal,
        // and tell less than they do, or among what somebody types.
        let of_use = size.is_some() || !(stdout().is_terminal() || input.is_terminal());
        Progress {
            wanted: of_use && stderr().is_terminal(),
            size,
            read: 0,
            bar: None,
        }
    }

    pub(crate) fn advance(&mut self, bytes: usize) {
        self.read += bytes as u64;
        if !self.wanted || self.read < WORTH_A_BAR {
            return;
        }
        let size = self.size;
        self.bar
            .get_or_insert_with(|| new_bar(size))
            .set_position(self.read);
    }

    /// Runs `write` with the bar out of the way: rows and bar may share the terminal.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) if stdout().is_terminal() => bar.suspend(write),
            _ => write(),
        }
    }

    pub(crate) fn finish(&mut self) {
        self.wanted = false;
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Draws on standard error; indicatif draws nothing where that is no terminal.
fn new_bar(size: Option<u64>) -> ProgressBar {
    let (bar, template) = match size {
        Some(size) => (
            ProgressBar::new(size),
            "{wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} eta {eta}",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {binary_bytes} {binary_bytes_per_sec}",
        ),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
