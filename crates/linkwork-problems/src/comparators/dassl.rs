//! Backward differentiation with all the rules of DASSL (Brenan, Campbell & Petzold 1996, chapter 5).
//!
//! Fixed leading coefficient, the first-order form of all equations, its [iteration](corrector), its
//! [step and order control](control), and root mean squares where the library takes the worst
//! unknown. With kept factors much less accurate than `bdf` at the same tolerance.

pub mod control;
pub mod corrector;

use super::mean::InTheMean;
use linkwork_dae::formulation::Formulation;
use linkwork_dae::implicit::Implicit;
use linkwork_dae::state::Weights;
use linkwork_dae::stepper::Trial;
use linkwork_dae::stepper::bdf::{Bdf, Form};

/// The method over the parts of an implicit step; formulation and corrector become its own.
pub fn dassl(mut implicit: Implicit) -> InTheMean<Bdf> {
    implicit.form = Formulation::ggl();
    implicit.corrector = Box::new(corrector::Iteration::default());
    InTheMean::new(Bdf::new(implicit, Form::FixedLeading), in_the_mean)
}

/// The trial with root mean squares in place of largest entries.
fn in_the_mean(bdf: &Bdf, _: &Weights, trial: Trial) -> Trial {
    let (mut sum, mut count) = ([0.0; 4], 0u32);
    for (differences, weight) in bdf.differences() {
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
