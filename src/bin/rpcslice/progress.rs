//! The progress bar on standard error, for input that takes long enough to want one.

use std::io::{IsTerminal, stderr, stdout};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::input::Input;

/// Below this the check is over before a bar could be read.
const WORTH_A_BAR: u64 = 8 << 20;

pub(crate) struct Progress {
    read: u64,
    /// `None`: nobody would see it, or it would be in the way.
    bar: Option<ProgressBar>,
    shown: bool,
}

impl Progress {
    pub(crate) fn new(input: &Input) -> Progress {
        let size = input.size();
        // Without a size there is only a byte count to show. It would sit among the rows where these go to the
        // terminal, and tell less than they do, or among what somebody types.
        let of_use = size.is_some() || !(stdout().is_terminal() || input.is_terminal());
        Progress {
            read: 0,
            bar: (of_use && stderr().is_terminal()).then(|| hidden_bar(size)),
            shown: false,
        }
    }

    pub(crate) fn advance(&mut self, bytes: usize) {
        let Some(bar) = &self.bar else { return };
        self.read += bytes as u64;
        if !self.shown && self.read >= WORTH_A_BAR {
            self.shown = true;
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_position(self.read);
    }

    /// Runs `write` with the bar out of the way: rows and bar may share the terminal.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) if self.shown && stdout().is_terminal() => bar.suspend(write),
            _ => write(),
        }
    }

    pub(crate) fn finish(&mut self) {
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

/// It measures the speed from the start.
fn hidden_bar(size: Option<u64>) -> ProgressBar {
    let template = match size {
        Some(_) => {
            "{wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} eta {eta}"
        }
        None => "{spinner} {binary_bytes} {binary_bytes_per_sec}",
    };
    let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::hidden());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
