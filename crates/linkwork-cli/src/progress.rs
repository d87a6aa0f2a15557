//! Progress of what takes long, and the wish to stop it.

use crate::printer::Printer;
use indicatif::{ProgressBar, ProgressStyle};
use linkwork::cost::Cost;
use linkwork::observe::StopFlag;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
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

/// A sign of life while something works that cannot say how far it is. It appears when patience ends
/// and goes when it is dropped.
pub struct Waiting {
    done: Option<Sender<()>>,
    sign: Option<JoinHandle<()>>,
}

impl Waiting {
    /// Begins to wait for what these words name.
    pub fn new(printer: &Printer, words: &str) -> Waiting {
        let (done, finished) = mpsc::channel();
        let words = words.to_string();
        let sign = printer.shows_progress().then(|| {
            std::thread::spawn(move || {
                if finished.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                let sign = ProgressBar::new_spinner();
                if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                    sign.set_style(style);
                }
                sign.set_message(words);
                while finished.recv_timeout(2 * BREATH) == Err(RecvTimeoutError::Timeout) {
                    sign.tick();
                }
                sign.finish_and_clear();
            })
        });
        Waiting {
            done: Some(done),
            sign,
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.done.take();
        if let Some(sign) = self.sign.take() {
            // a sign of life that died is no trouble
            let _ = sign.join();
        }
    }
}

/// Says before it begins what something will cost, if that is much.
pub fn announce(printer: &Printer, model: &str, cost: Option<Cost>) {
    if let Some(cost) = cost.filter(Cost::is_long)
        && printer.shows_progress()
    {
        printer.message(&format!("{model}: {cost}\n"));
    }
}
