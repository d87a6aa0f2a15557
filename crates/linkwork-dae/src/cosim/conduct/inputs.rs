//! Courses of the inputs over a macro step.

use super::super::Polynomial;
use super::super::plan::Approach;
use super::super::workers::hold;
use super::Conductor;

/// A defect that is larger than the announced one by this factor is a surprise.
const SURPRISE: f64 = 4.0;
/// Inputs below this share of the largest of their connection are rounding.
const ROUNDING: f64 = 1e-9;

impl Conductor<'_, '_, '_> {
    /// Approximations of all inputs over the step to `to`, handed to both runs of every member. Tells
    /// whether one of them has no past.
    pub(super) fn approximate(&mut self, to: f64) -> bool {
        let mut without_past = false;
        for (i, signal) in self.signals.iter().enumerate() {
            self.steps[i] = if self.held[i] {
                None
            } else {
                signal.approximate(self.plan.degree, to)
            };
            without_past |= !self.held[i] && self.steps[i].is_none();
            let extrapolation = match &self.steps[i] {
                Some(step) => step.extrapolation,
                None => Polynomial::constant(signal.value()),
            };
            self.extrapolated[i] = extrapolation.at(to);
        }
        let approach = if without_past {
            Approach::Extrapolation
        } else {
            self.plan.approach
        };
        for (runs, range) in self.workers.members().iter().zip(&self.inputs_of) {
            for (post, first) in [(Some(&runs.main), true), (runs.twin.as_ref(), false)] {
                let Some(post) = post else { continue };
                let mut post = hold(post);
                post.to = to;
                let extrapolates = (approach == Approach::Extrapolation) == first;
                for (p, i) in post.inputs.iter_mut().zip(range.clone()) {
                    *p = match &self.steps[i] {
                        Some(step) if extrapolates => step.extrapolation,
                        Some(step) => step.interpolation,
                        None => Polynomial::constant(self.signals[i].value()),
                    };
                    if first {
                        self.used[i] = p.at(to);
                    }
                }
                post.back |= !first;
            }
        }
        without_past
    }

    /// Whether an input has become something that its past did not announce, so that the two runs
    /// tell nothing about the error: a bump within the step, say.
    ///
    /// Judged by connections: where one of its inputs happens to be announced as it was extrapolated,
    /// the others are not.
    pub(super) fn is_surprised(&self) -> bool {
        self.coupling.connections().iter().any(|connection| {
            let size_of = |i: usize| self.largest[i].max(self.inputs[i].abs());
            let sizes = connection.inputs.iter().map(|&i| size_of(i));
            // inputs that are zero but for rounding have no scale of their own
            let least = ROUNDING * sizes.fold(f64::MIN_POSITIVE, f64::max);
            let (mut announced, mut defect) = (0.0f64, 0.0f64);
            for &i in &connection.inputs {
                let Some(step) = &self.steps[i] else { continue };
                let u = self.inputs[i];
                let size = size_of(i).max(least);
                announced = announced.max((self.extrapolated[i] - step.predicted).abs() / size);
                defect = defect.max((self.extrapolated[i] - u).abs() / size);
            }
            defect > SURPRISE * announced && defect > self.plan.rtol * self.share
        })
    }

    /// The second run is to take the values that the first one led to.
    pub(super) fn look_back(&mut self, to: f64) {
        for (runs, range) in self.workers.members().iter().zip(&self.inputs_of) {
            let Some(twin) = &runs.twin else { continue };
            for (p, i) in hold(twin).inputs.iter_mut().zip(range.clone()) {
                let u = self.inputs[i];
                match &self.steps[i] {
                    Some(step) => *p = self.signals[i].interpolation(step.degree, to, u),
                    None if !self.held[i] => *p = Polynomial::constant(u),
                    None => {}
                }
            }
        }
    }
}
