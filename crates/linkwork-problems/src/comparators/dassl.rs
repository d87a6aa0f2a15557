//! Backward differentiation with all the rules of DASSL (Brenan, Campbell & Petzold 1996, chapter 5).
//!
//! Fixed leading coefficient, the first-order form of all equations, its [iteration](corrector), its
//! [step and order control](control), and root mean squares where the library takes the worst
//! unknown. With kept factors much less accurate than `bdf` at the same tolerance.

pub mod control;
pub mod corrector;

use linkwork_dae::corrector::Retry;
use linkwork_dae::formulation::Formulation;
use linkwork_dae::implicit::Implicit;
use linkwork_dae::jacobian::excitation::Following;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::{State, Weights};
use linkwork_dae::stats::Stats;
use linkwork_dae::stepper::bdf::{Bdf, Form};
use linkwork_dae::stepper::{Choice, Stepper, Trial};
use linkwork_dae::system::{Rows, System};

/// See the [module](self).
pub struct Dassl(Bdf);

impl Dassl {
    /// The method over the parts of an implicit step; formulation and corrector become its own.
    pub fn new(mut implicit: Implicit) -> Dassl {
        implicit.form = Formulation::ggl();
        implicit.corrector = Box::new(corrector::Iteration::default());
        Dassl(Bdf::new(implicit, Form::FixedLeading))
    }

    /// The trial with root mean squares in place of largest entries.
    fn in_the_mean(&self, trial: Trial) -> Trial {
        let (mut sum, mut count) = ([0.0; 4], 0u32);
        for (differences, weight) in self.0.differences() {
            for (sum, d) in sum.iter_mut().zip(differences) {
                *sum += (d * weight) * (d * weight);
            }
            count += u32::from(weight != 0.0);
        }
        let mut mean = trial;
        for (i, sum) in sum.into_iter().enumerate() {
            let largest = trial.difference[i];
            if largest.is_finite() && largest > 0.0 {
                mean.difference[i] = (sum / f64::from(count.max(1))).sqrt();
            }
            if trial.err[i].is_finite() && largest > 0.0 {
                mean.err[i] = trial.err[i] / largest * mean.difference[i];
            }
        }
        mean
    }
}

impl Stepper for Dassl {
    fn bind(&mut self, sys: &mut dyn System, keep: &Rows) {
        self.0.bind(sys, keep);
    }

    fn start(&mut self, sys: &dyn System, s: &State, jerk: &[f64], h: f64) {
        self.0.start(sys, s, jerk, h);
    }

    fn renew(&mut self, sys: &dyn System, s: &State) -> bool {
        self.0.renew(sys, s)
    }

    fn attempt(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        next: Choice,
    ) -> Result<Trial, Retry> {
        let trial = self.0.attempt(sys, w, stats, next)?;
        Ok(self.in_the_mean(trial))
    }

    fn accept(&mut self) {
        self.0.accept();
    }

    fn error_at(&self, order: usize) -> f64 {
        self.0.error_at(order)
    }

    fn state(&self) -> &State {
        self.0.state()
    }

    fn interpolate(&self, t: f64, out: &mut State) {
        self.0.interpolate(t, out);
    }

    fn reach(&self) -> f64 {
        self.0.reach()
    }

    fn extrapolate(&self, t: f64, out: &mut State) -> f64 {
        self.0.extrapolate(t, out)
    }

    fn span(&self, order: usize) -> usize {
        self.0.span(order)
    }

    fn max_order(&self) -> usize {
        self.0.max_order()
    }

    fn following(&self) -> Option<Following> {
        self.0.following()
    }

    fn memory(&mut self, m: &mut Memory) {
        self.0.memory(m);
    }
}
