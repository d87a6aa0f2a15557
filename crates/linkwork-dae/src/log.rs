//! The last attempts of a run, kept to explain a failure.

use crate::corrector::Retry;
use crate::system::Row;

/// How an attempt went.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The step counts.
    Accepted {
        /// Error over tolerance.
        err: f64,
        /// The unknown that ruled it.
        worst: Row,
    },
    /// The error test failed.
    Rejected {
        /// Error over tolerance.
        err: f64,
        /// The unknown that ruled it.
        worst: Row,
    },
    /// The corrector failed.
    Unsolved(Retry),
}

/// One attempted step.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// Time before the step.
    pub t: f64,
    /// Step size.
    pub h: f64,
    /// Order.
    pub order: usize,
    /// How it went.
    pub outcome: Outcome,
}

/// Number of attempts that are remembered.
pub const REMEMBERED: usize = 20;

/// A ring of the last attempts.
#[derive(Clone, Debug, Default)]
pub struct Log {
    ring: Vec<Attempt>,
    next: usize,
}

impl Log {
    /// An empty log with room for all it will ever hold.
    pub fn new() -> Log {
        Log {
            ring: Vec::with_capacity(REMEMBERED),
            next: 0,
        }
    }

    /// Forgets all attempts.
    pub fn clear(&mut self) {
        self.ring.clear();
        self.next = 0;
    }

    /// Remembers an attempt in place of the oldest.
    pub fn push(&mut self, attempt: Attempt) {
        if self.ring.len() < REMEMBERED {
            self.ring.push(attempt);
        } else {
            self.ring[self.next] = attempt;
        }
        self.next = (self.next + 1) % REMEMBERED;
    }

    /// The last attempt.
    pub fn last(&self) -> Option<&Attempt> {
        self.ring.get((self.next + REMEMBERED - 1) % REMEMBERED)
    }

    /// The attempts, oldest first.
    pub fn attempts(&self) -> Vec<Attempt> {
        let split = if self.ring.len() < REMEMBERED {
            0
        } else {
            self.next
        };
        let (new, old) = self.ring.split_at(split);
        [old, new].concat()
    }
}
