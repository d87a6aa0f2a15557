//! Progress of what takes long, and the wish to stop it.

use crate::printer::Printer;
use indicatif::{ProgressBar, ProgressStyle};
use linkwork::observe::StopFlag;
use std::time::{Duration, Instant};

/// Runs shorter than this need no progress bar.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between two drawings of the bar.
const BREATH: Duration = Duration::from_millis(50);
/// Resolution of the bar.
const TICKS: u64 = 10_000;

/// Ctrl-C asks for a stop; a second one ends the program at once.
pub fn listen(stop: &StopFlag) {
    let flag = stop.clone();
    // without a handler Ctrl-C still ends the program, only less gently
    let _ = ctrlc::set_handler(move || {
        if flag.is_raised() {
            std::process::exit(130);
        }
        flag.raise();
    });
}

/// A progress bar that appears only when a run takes long. indicatif hides it when stderr is no
/// terminal.
pub struct Bar {
    allowed: bool,
    since: Instant,
    drawn: Instant,
    bar: Option<ProgressBar>,
}

impl Bar {
    pub fn new(printer: &Printer) -> Bar {
        let now = Instant::now();
        Bar {
            allowed: printer.shows_progress(),
            since: now,
            drawn: now,
            bar: None,
        }
    }

    /// Draws the share that is done, with a few words.
    pub fn tell_words(&mut self, share: f64, words: impl FnOnce() -> String) {
        if !self.allowed || self.drawn.elapsed() < BREATH || self.since.elapsed() < PATIENCE {
            return;
        }
        self.drawn = Instant::now();
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(TICKS);
            if let Ok(style) =
                ProgressStyle::with_template("{bar:40} {percent} %  {msg}  {eta} left")
            {
                bar.set_style(style);
            }
            bar
        });
        bar.set_position((share * TICKS as f64) as u64);
        bar.set_message(words());
    }

    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
