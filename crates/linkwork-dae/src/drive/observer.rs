//! Who looks on: the view of an accepted step and those who see it.

use crate::chart;
use crate::log::Attempt;
use crate::memory::Memory;
use crate::modes::{Change, Modes};
use crate::saddle::{Saddle, SaddleError};
use crate::state::State;
use crate::stats::Stats;
use crate::stepper::Stepper;
use crate::switching::Crossing;
use crate::system::{After, EvalError, Row, System};
use std::error::Error;
use std::sync::Arc;

/// What an observer answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End the run here.
    Stop,
}

/// Why an observer cannot go on; the run ends, and everything seen until then stays.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObserverError {
    /// Accelerations and reactions could not be computed for it.
    #[error(transparent)]
    Motion(#[from] SaddleError),
    /// It has failed itself: a file could not be written, a partner has gone.
    #[error(transparent)]
    Own(OwnError),
}

impl ObserverError {
    /// A failure of the observer itself.
    pub fn own(error: impl Error + Send + Sync + 'static) -> ObserverError {
        ObserverError::Own(OwnError(Arc::new(error)))
    }
}

/// An evaluation without a value, which an observer has met.
impl From<EvalError> for ObserverError {
    fn from(error: EvalError) -> ObserverError {
        ObserverError::Motion(error.into())
    }
}

/// An error of an observer's own making; equal to itself and its copies only.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct OwnError(Arc<dyn Error + Send + Sync>);

impl OwnError {
    /// The error as the observer has made it.
    pub fn get(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl PartialEq for OwnError {
    fn eq(&self, other: &OwnError) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What happened at an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Occasion<'a> {
    /// The clock has reached an instant that the system named.
    Clock,
    /// Switching functions have crossed.
    Switches {
        /// Those of the system.
        crossed: &'a [Crossing],
        /// What became of rows with laws.
        changes: &'a [Change],
    },
    /// A discontinuity that the system did not name, between two times, seen most in one equation.
    Found {
        /// The last time before and the first one behind it.
        between: [f64; 2],
        /// The velocity or state whose rate jumps most.
        row: Row,
        /// Whose force it is, where the system can tell.
        whose: Option<&'a str>,
    },
}

/// A look at the step that has just been accepted.
pub struct View<'a> {
    /// Beginning of the step.
    pub from: f64,
    /// End of the step.
    pub to: f64,
    /// Order of the step; 0 at the start of a run.
    pub order: usize,
    /// Steps that are shown as one: several where a history was made of them, behind an event.
    pub steps: usize,
    /// What happened, when an event is looked at.
    pub occasion: Option<Occasion<'a>>,
    /// Counters so far.
    pub stats: &'a Stats,
    /// The system.
    pub sys: &'a mut dyn System,
    pub(super) stepper: &'a mut dyn Stepper,
    /// The ends of a stretch that no step of the stepper led over.
    pub(super) between: Option<[&'a State; 2]>,
    pub(super) saddle: &'a mut Saddle,
    pub(super) modes: &'a Modes,
    pub(super) scratch: &'a mut State,
    pub(super) now: &'a State,
}

impl View<'_> {
    /// The accepted state at the end of the step, with the accelerations and multipliers of the
    /// discrete equations (in index 1: of the acceleration level).
    pub fn state(&self) -> &State {
        self.now
    }

    /// Whether a constraint row is in force: those of contacts and friction may not be, see [`crate::law`].
    pub fn holds(&self, row: usize) -> bool {
        self.modes.holds(row as u32)
    }

    /// Kinetic energy lost in impacts so far, J.
    pub fn lost_in_impacts(&self) -> f64 {
        self.modes.lost()
    }

    /// Positions and velocities at `t` within the step.
    pub fn motion(&mut self, t: f64) -> &State {
        self.interpolate(t);
        self.scratch
    }

    /// The state at `t` within the step, with consistent accelerations and multipliers: those that
    /// satisfy the equations of motion and the constraints at the acceleration level.
    pub fn consistent(&mut self, t: f64) -> Result<&State, SaddleError> {
        self.interpolate(t);
        if t != self.to && self.between.is_none() && self.stepper.put_back(self.sys, self.scratch) {
            self.saddle.accelerate(self.sys, self.scratch)?;
            return Ok(self.scratch);
        }
        let leaves = self.between.is_some() || self.stepper.leaves_constraints();
        if t != self.to && leaves && !self.saddle.rows().is_empty() {
            if self.saddle.put_back(self.sys, self.scratch).is_ok() {
                return Ok(self.scratch);
            }
            // where there is no way back, what the polynomials say
            self.interpolate(t);
        }
        self.saddle.accelerate(self.sys, self.scratch)?;
        Ok(self.scratch)
    }

    /// Stage `i` of the step and its weight in integrals over it, of methods whose stages are states of the
    /// motion: stiff forces, which magnify what interpolation is off, are as solved there. Where it is to be `consistent`,
    /// with accelerations and multipliers of the acceleration level, as far as these are determined.
    pub fn stage(&mut self, i: usize, consistent: bool) -> Option<(f64, &State)> {
        if self.between.is_some() {
            return None;
        }
        let span = [self.from, self.to];
        let weight = self.stepper.stage(span, i, self.scratch)?;
        if consistent {
            // at a singular pose the multipliers of the stage are all there is
            let _ = self.saddle.accelerate(self.sys, self.scratch);
        }
        Some((weight, self.scratch))
    }

    fn interpolate(&mut self, t: f64) {
        if t == self.to {
            self.scratch.copy_from(self.now);
        } else if let Some(ends) = self.between {
            hermite(self.sys, ends, t, self.scratch);
        } else {
            self.stepper.interpolate(t, self.scratch);
        }
    }
}

/// Cubics with the values and rates of two states at both ends; what has no rate goes straight.
fn hermite(sys: &dyn System, [a, b]: [&State; 2], t: f64, out: &mut State) {
    let h = b.t - a.t;
    let c = (t - a.t) / h;
    let value = [(1.0 + 2.0 * c) * (1.0 - c).powi(2), c * c * (3.0 - 2.0 * c)];
    let slope = [h * c * (1.0 - c).powi(2), h * c * c * (c - 1.0)];
    out.copy_from(b);
    out.t = t;
    out.q.fill(0.0);
    out.v.fill(0.0);
    for ((s, value), slope) in [a, b].into_iter().zip(value).zip(slope) {
        // accelerations are solved for afterwards: until then they are the rates of the coordinates
        chart::rate(sys, &s.q, &s.v, &mut out.a);
        for (i, q) in out.q.iter_mut().enumerate() {
            *q += value * s.q[i] + slope * out.a[i];
        }
        for (i, v) in out.v.iter_mut().enumerate() {
            *v += value * s.v[i] + slope * s.a[i];
        }
    }
    for (i, differential) in sys.facts().differential.iter().enumerate() {
        out.x[i] = match differential {
            true => {
                value[0] * a.x[i] + value[1] * b.x[i] + slope[0] * a.xdot[i] + slope[1] * b.xdot[i]
            }
            false => (1.0 - c) * a.x[i] + c * b.x[i],
        };
    }
}

/// Sees the start and every accepted step of a run.
pub trait Observer {
    /// The start of the run.
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        let _ = view;
        Ok(())
    }

    /// An attempted step, accepted or not, with the counters after it. An accepted one is seen by
    /// [`Observer::on_step`] as well, later.
    fn on_attempt(&mut self, attempt: &Attempt, stats: &Stats) {
        let _ = (attempt, stats);
    }

    /// An accepted step.
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError>;

    /// The run goes on from a saved state at `t`; what was kept by [`Observer::memory`] is back.
    fn on_resume(&mut self, t: f64) {
        let _ = t;
    }

    /// Saves or restores what later answers depend on.
    fn memory(&mut self, m: &mut Memory) {
        let _ = m;
    }

    /// The other side of an event, see [`View::occasion`]; the step onto it has been seen.
    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        let _ = (view, after);
        Ok(())
    }
}

/// An observer that looks away.
impl Observer for () {
    fn on_step(&mut self, _: &mut View<'_>) -> Result<Flow, ObserverError> {
        Ok(Flow::Continue)
    }
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        (**self).on_start(view)
    }

    fn on_attempt(&mut self, attempt: &Attempt, stats: &Stats) {
        (**self).on_attempt(attempt, stats);
    }

    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        (**self).on_step(view)
    }

    fn on_resume(&mut self, t: f64) {
        (**self).on_resume(t);
    }

    fn memory(&mut self, m: &mut Memory) {
        (**self).memory(m);
    }

    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        (**self).on_event(view, after)
    }
}
