//! A run in segments: somebody else says how far to go, and with which inputs.

use super::{Cause, Ending, Engine, Failure, Observer};
use crate::state::State;
use crate::stats::Stats;
use crate::system::{Rows, System};

impl<'a> Engine<'a> {
    /// The system.
    pub fn system(&mut self) -> &mut dyn System {
        self.sys
    }

    /// The system, to be asked only.
    pub fn system_ref(&self) -> &dyn System {
        self.sys
    }

    /// Counters so far.
    pub fn counters(&self) -> &Stats {
        &self.stats
    }

    /// Begins a run at a consistent state without going anywhere.
    pub fn begin(
        &mut self,
        s: &State,
        rows: &Rows,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        let t = s.t;
        let first = self
            .start(s, rows)
            .map_err(|cause| self.failure(t, cause))?;
        self.progress = super::Progress::new(first, f64::INFINITY);
        self.uncut = None;
        observer
            .on_start(&mut self.view(t, t, 0))
            .map_err(|e| self.failure(t, e.into()))?;
        let met = self.meet_switches(observer);
        met.map(|_| ()).map_err(|cause| self.failure(t, cause))
    }

    /// Goes on to `t_end`, which is met exactly. Events at `t_end` itself are left to
    /// [`Engine::meet_event`].
    pub fn proceed_to(&mut self, t_end: f64, observer: &mut dyn Observer) -> Ending {
        self.plan.t_end = t_end;
        self.uncut = None;
        self.proceed(observer)
    }

    /// Allows so many further attempts, but not more than `in_all` since the start.
    pub fn allow(&mut self, attempts: u64, in_all: u64) {
        self.plan.max_attempts = self.progress.attempts.saturating_add(attempts).min(in_all);
    }

    /// Inputs of the system have changed by little at the present time: positions, velocities and
    /// states are what they were, forces are not. Multistep methods keep order and step, one-step
    /// methods their step.
    pub fn renew_inputs(&mut self) -> Result<(), Failure> {
        let t = self.stepper.state().t;
        // the end of the segment behind must not cut the step ahead
        self.plan.t_end = f64::MAX;
        self.refresh()
            .and_then(|()| {
                self.saddle
                    .accelerate(self.sys, &mut self.consistent)
                    .map_err(Cause::Output)
            })
            .map_err(|cause| self.failure(t, cause))?;
        if !self.stepper.renew(self.sys, &self.consistent) {
            let h = self.progress.next.h;
            self.progress.next = self.start_stepper(Some(h));
        }
        Ok(())
    }

    /// Lets the time event of the present instant happen.
    pub fn meet_event(&mut self, observer: &mut dyn Observer) -> Result<(), Failure> {
        let h = self.progress.next.h;
        let t = self.stepper.state().t;
        self.plan.t_end = f64::MAX;
        let passed = self.pass_event(h, observer);
        passed.map(|_| ()).map_err(|cause| self.failure(t, cause))
    }

    /// Values of all channels at the present time with the inputs that the system has now.
    /// Accelerations and reactions among them are those of the last step.
    pub fn observe(&mut self, out: &mut [f64]) -> Result<(), Failure> {
        let t = self.stepper.state().t;
        self.refresh().map_err(|cause| self.failure(t, cause))?;
        self.sys.observe(&self.consistent, out);
        Ok(())
    }

    /// The newest state with algebraic states that suit the inputs.
    fn refresh(&mut self) -> Result<(), Cause> {
        if !self.plan.consistent {
            self.consistent.copy_from(self.stepper.state());
        }
        self.algebraic
            .solve(self.sys, &mut self.consistent)
            .map_err(Cause::Restart)
    }

    fn failure(&self, t: f64, cause: Cause) -> Failure {
        Failure {
            t,
            cause,
            recent: self.log.attempts(),
        }
    }
}
