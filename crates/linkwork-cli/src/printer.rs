//! Where words go: results to stdout, everything else to stderr.

use std::cell::Cell;
use std::io::{self, ErrorKind, IsTerminal, Write};

/// Knows what may be printed and how.
pub struct Printer {
    quiet: bool,
    json: bool,
    colour: bool,
    lost: Cell<bool>,
}

/// Colours of a verdict.
#[derive(Clone, Copy)]
pub enum Tone {
    /// All is well.
    Good,
    /// With doubts.
    Doubtful,
    /// Failed.
    Bad,
}

impl Printer {
    /// A printer for the given flags.
    pub fn new(quiet: bool, json: bool) -> Printer {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        Printer {
            quiet,
            json,
            colour: wanted && io::stdout().is_terminal(),
            lost: Cell::new(false),
        }
    }

    /// Whether words for people are wanted on stdout.
    pub fn speaks(&self) -> bool {
        !self.quiet && !self.json
    }

    /// Whether progress may be shown.
    pub fn shows_progress(&self) -> bool {
        !self.quiet
    }

    /// Prints a result. A reader that has gone (`| head`) is no error; a full disk is.
    pub fn result(&self, text: &str) {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(e) if e.kind() != ErrorKind::BrokenPipe => {
                self.lost.set(true);
                self.message(&format!("the result could not be printed: {e}\n"));
            }
            _ => {}
        }
    }

    /// Whether a result could not be printed.
    pub fn lost(&self) -> bool {
        self.lost.get()
    }

    /// Prints a message that is no result.
    pub fn message(&self, text: &str) {
        let mut out = io::stderr().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    /// A word in colour, if stdout is a terminal.
    pub fn toned(&self, word: &str, tone: Tone) -> String {
        let code = match tone {
            Tone::Good => 32,
            Tone::Doubtful => 33,
            Tone::Bad => 31,
        };
        if self.colour {
            format!("\x1b[1;{code}m{word}\x1b[0m")
        } else {
            word.to_string()
        }
    }
}
