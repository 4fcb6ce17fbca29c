//! Progress on standard error: a bar on a terminal, otherwise a line every 30 seconds.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is written where no terminal is.
const EVERY: Duration = Duration::from_secs(30);

pub(super) struct Progress {
    bar: Option<ProgressBar>,
    label: String,
    started: Instant,
    said: Instant,
    length: u64,
    done: u64,
}

impl Progress {
    /// A bar of so many steps.
    pub(super) fn new(label: &str, length: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(length);
            let style = "{prefix} {bar:28.green/black} {percent:>3}% {msg}";
            bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_prefix(label.to_string());
            bar
        });
        let now = Instant::now();
        Progress { bar, label: label.into(), started: now, said: now, length, done: 0 }
    }

    /// Sets how far it is, with a message.
    pub(super) fn set(&mut self, done: u64, message: impl FnOnce() -> String) {
        self.done = done.min(self.length);
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.set_message(message());
        } else if self.said.elapsed() >= EVERY {
            self.said = Instant::now();
            let percent = 100 * self.done / self.length.max(1);
            eprintln!("{} {percent}% after {:.0} s, {}", self.label, self.started.elapsed().as_secs_f64(), message());
        }
    }

    /// Advances by so many steps.
    pub(super) fn advance(&mut self, steps: u64) {
        let (done, length) = (self.done + steps, self.length);
        self.set(done, || format!("{done}/{length}"));
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
