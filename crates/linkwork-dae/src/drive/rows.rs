//! Which of several redundant rows are kept, chosen anew where those at work have become dependent.
//!
//! Rows that say the same at the start may say different things later: of three parallel arms any two hold
//! their platform, but not two that have come into one line. Steps fail close to such a pose, whatever the
//! method. Then rows are chosen at the newest state as they were at the start, and the run goes on from there.

use super::{Cause, Engine};
use crate::corrector::Retry;
use crate::initial;
use crate::log::Outcome;
use crate::system::{After, Part, Terms};

impl Engine<'_> {
    /// Whether there are rows to choose from. Those that the system lets go and takes hold of are its own affair.
    pub(super) fn is_redundant(&self) -> bool {
        let facts = self.sys.facts();
        let held = facts.laws.iter().any(|law| law.law.is_held());
        !held && self.modes.kept().len() < facts.lasting().count()
    }

    /// After an attempt that failed: goes on with other rows where those in force are nearly dependent and
    /// others are not; `uncut` is the step that would have been taken. Tells whether it does.
    pub(super) fn exchange_rows(&mut self, uncut: f64) -> Result<bool, Cause> {
        // an error that is too large may be the noise of rows that are nearly dependent
        let failed = self.log.last().map(|attempt| &attempt.outcome);
        let lost = !matches!(failed, Some(Outcome::Unsolved(Retry::Eval(_))));
        if !lost || !self.is_redundant() {
            return Ok(false);
        }
        let s = self.stepper.state();
        let mut c_q = vec![0.0; self.sys.patterns()[Part::Cq].len()];
        let mut want = Terms {
            c_q: Some(&mut c_q),
            ..Terms::default()
        };
        if self.sys.eval(&s.at(), &mut want).is_err() {
            return Ok(false);
        }
        let in_force: Vec<usize> = (self.sys.facts().lasting())
            .filter(|&row| self.modes.holds(row as u32))
            .collect();
        let Some(rows) = initial::other_rows(self.sys, &c_q, &in_force, self.modes.kept()) else {
            return Ok(false);
        };
        if !self.plan.consistent {
            self.consistent.copy_from(self.stepper.state());
        }
        self.modes.keep(self.sys, rows);
        self.stats.exchanges += 1;
        self.refresh_other_side(After::Restart)?;
        self.go_on(After::Restart, uncut)?;
        Ok(true)
    }
}
