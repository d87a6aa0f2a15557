//! What a step is worth: the embedded error estimate, in tolerances that suit its order.

use super::super::scheme::Scheme;
use super::{Collocation, Values};
use crate::implicit::Implicit;
use crate::state::{State, Weights, peak, worse};
use crate::stats::Stats;
use crate::system::Row;

/// Share of the tolerances in which steps are measured: the estimate is of order `s + 1` in the step and
/// the error of order `2s`, so that error and tolerance go together for `rt = 0.1 r^((s+1)/2s)`. A step may take a tenth of
/// the tolerance, `r = rtol/10`: errors of all steps add up, and with `r = rtol` runs ended 5 to 50 tolerances off where other one-step
/// methods end 1 to 5 off.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Measure {
    /// What norms in the weights of the run are multiplied by.
    pub per_weight: f64,
    /// Remaining error of an iteration, in these tolerances.
    pub(super) kappa: f64,
}

/// What of the tolerance a step may take. Chosen on vibrating systems; on 36 other models and problems from 1e-3 to 1e-8 rows of runs
/// are then off by 0.2 tolerances in the middle and 2.4 in nine of ten, those of `dop853` by 0.4 and 8.9.
const SHARE: f64 = 0.1;

impl Measure {
    pub fn new(rtol: f64, stages: usize) -> Measure {
        let s = stages as f64;
        let own = 0.1 * (SHARE * rtol).powf((s + 1.0) / (2.0 * s));
        let floor = 10.0 * f64::EPSILON / own;
        Measure {
            per_weight: rtol / own,
            kappa: own.sqrt().min(0.03).max(floor),
        }
    }
}

impl Collocation {
    /// Error over tolerance of the solved step, and the unknown that rules it.
    pub fn estimate(
        &mut self,
        w: &Weights,
        stats: &mut Stats,
        (scheme, now, measure): (&Scheme, &State, &Measure),
    ) -> (f64, Row) {
        let s = scheme.real * self.stages[0].link.qdot;
        let e = &mut self.defect;
        let stages = &self.stages[..scheme.stages];
        let begin = |rate: &[f64], e: &mut [f64]| {
            for (e, rate) in e.iter_mut().zip(rate) {
                *e = rate / s;
            }
        };
        let embedded = |of: Values, [rate, from]: [&[f64]; 2], e: &mut [f64]| {
            begin(rate, e);
            for (st, c) in stages.iter().zip(scheme.error) {
                for (e, (x, from)) in e.iter_mut().zip(of(&st.s).iter().zip(from)) {
                    *e += c * (x - from);
                }
            }
        };
        begin(&now.v, &mut e.q);
        for (moves, c) in self.moves.iter().zip(scheme.error) {
            for (e, x) in e.q.iter_mut().zip(moves) {
                *e += c * x;
            }
        }
        embedded(|s| &s.v, [&now.a, &now.v], &mut e.v);
        embedded(|s| &s.x, [&now.xdot, &now.x], &mut e.x);
        self.departure.q.copy_from_slice(&e.q);
        let Implicit { form, matrix, .. } = &mut self.implicit;
        let solution = &mut self.mixed[0];
        let blocks = (&self.patterns, self.products.as_mut(), &matrix.blocks);
        form.load_defect(blocks, (s, self.full), e, solution);
        matrix.solve(solution);
        stats.solves += 1;
        form.store_defect(&matrix.bend, &self.bend_at, s, solution, e);
        if form.filters() {
            form.filter(matrix, &mut e.v);
            stats.solves += 1;
        }
        self.departure.v.copy_from_slice(&e.v);
        self.departure.x.copy_from_slice(&e.x);
        let (mut err, mut worst) = worse(peak(&e.q, &w.q), peak(&e.v, &w.v));
        let x = peak(&e.x, &w.x);
        if x.norm > err || x.norm.is_nan() {
            (err, worst) = (x.norm, Row::State(x.index));
        }
        (err * measure.per_weight, worst)
    }
}
