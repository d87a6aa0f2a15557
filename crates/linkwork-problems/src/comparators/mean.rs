//! A stepper whose attempts are judged by root mean squares where the library takes the worst unknown.

use linkwork_dae::corrector::Retry;
use linkwork_dae::jacobian::excitation::Following;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::{State, Weights};
use linkwork_dae::stats::Stats;
use linkwork_dae::stepper::{Choice, Stepper, Trial};
use linkwork_dae::system::{Rows, System};

/// See the [module](self).
pub struct InTheMean<S> {
    inner: S,
    /// An attempt of the inner stepper with means in place of largest entries.
    mean: fn(&S, &Weights, Trial) -> Trial,
}

impl<S: Stepper> InTheMean<S> {
    /// A stepper, and how its attempts are judged.
    pub fn new(inner: S, mean: fn(&S, &Weights, Trial) -> Trial) -> InTheMean<S> {
        InTheMean { inner, mean }
    }
}

impl<S: Stepper> Stepper for InTheMean<S> {
    fn bind(&mut self, sys: &mut dyn System, keep: &Rows) {
        self.inner.bind(sys, keep);
    }

    fn start(&mut self, sys: &dyn System, s: &State, jerk: &[f64], h: f64) {
        self.inner.start(sys, s, jerk, h);
    }

    fn keeps_step(&self) -> bool {
        self.inner.keeps_step()
    }

    fn renew(&mut self, sys: &dyn System, s: &State) -> bool {
        self.inner.renew(sys, s)
    }

    fn attempt(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        next: Choice,
    ) -> Result<Trial, Retry> {
        let trial = self.inner.attempt(sys, w, stats, next)?;
        Ok((self.mean)(&self.inner, w, trial))
    }

    fn accept(&mut self) {
        self.inner.accept();
    }

    fn state(&self) -> &State {
        self.inner.state()
    }

    fn interpolate(&self, t: f64, out: &mut State) {
        self.inner.interpolate(t, out);
    }

    fn largest_gap(&self) -> f64 {
        self.inner.largest_gap()
    }

    fn reach(&self) -> f64 {
        self.inner.reach()
    }

    fn looks_back(&self) -> f64 {
        self.inner.looks_back()
    }

    fn extrapolate(&self, t: f64, out: &mut State) -> f64 {
        self.inner.extrapolate(t, out)
    }

    fn span(&self, order: usize) -> usize {
        self.inner.span(order)
    }

    fn max_order(&self) -> usize {
        self.inner.max_order()
    }

    fn following(&self) -> Option<Following> {
        self.inner.following()
    }

    fn memory(&mut self, m: &mut Memory) {
        self.inner.memory(m);
    }
}
