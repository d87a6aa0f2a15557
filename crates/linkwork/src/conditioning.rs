//! The condition of the iteration matrix along a run, and what rounding leaves of its corrections.
//!
//! ```text
//!  cond(A) = |R A|_1 |(R A)^-1|_1,     R: each row divided by its largest entry
//! ```
//!
//! Looked at about a hundred times, for the length of the step at hand: unknowns and rows are in units of positions, so
//! that it should hardly depend on it (Bottasso, Dopico & Trainelli 2008). It takes derivatives, a factorisation and a solve for
//! each unknown, of a copy of the system, and the run does not notice.

use crate::settings::Settings;
use crate::sparsity;
use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::system::Rows;
use serde::Serialize;

/// How often a run is looked at.
const LOOKS: f64 = 100.0;

/// The worst that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Conditioning {
    /// Condition number in the 1-norm.
    pub condition: f64,
    /// What rounding leaves of a correction: the condition number in units of the last place of one.
    pub rounding: f64,
    /// When.
    pub t: f64,
    /// The step there, s.
    pub step: f64,
    /// The smallest condition number that was seen.
    pub least: f64,
}

impl Conditioning {
    /// In words.
    pub fn words(&self) -> String {
        let Conditioning {
            condition,
            rounding,
            t,
            step,
            least,
        } = self;
        format!(
            "{least:.1e} to {condition:.1e}, most at {t:.4} s (step {step:.1e} s); rounding leaves {rounding:.0e} of a correction"
        )
    }
}

/// Looks on.
pub(crate) struct Watch<'a> {
    settings: &'a Settings,
    rows: &'a Rows,
    /// Time between two looks, and of the next one.
    every: f64,
    next: f64,
    pub found: Option<Conditioning>,
}

impl<'a> Watch<'a> {
    /// Over a run from here on.
    pub fn new(settings: &'a Settings, rows: &'a Rows, from: f64) -> Watch<'a> {
        Watch {
            settings,
            rows,
            every: (settings.t_end() - from) / LOOKS,
            next: from,
            found: None,
        }
    }
}

impl Observer for Watch<'_> {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let (t, step) = (view.to, view.to - view.from);
        if t < self.next || step <= 0.0 {
            return Ok(Flow::Continue);
        }
        self.next = t + self.every;
        let mut copy = view.sys.fork();
        let found =
            sparsity::condition_at(&mut *copy, self.settings, view.state(), self.rows, step);
        if let Some(condition) = found {
            let worst = self.found.map_or(0.0, |f| f.condition);
            let least = self.found.map_or(condition, |f| f.least.min(condition));
            let here = Conditioning {
                condition,
                rounding: condition * f64::EPSILON,
                t,
                step,
                least,
            };
            self.found = Some(match self.found {
                Some(before) if condition <= worst => Conditioning { least, ..before },
                _ => here,
            });
        }
        Ok(Flow::Continue)
    }
}
