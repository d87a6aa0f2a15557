//! The simplified Newton iteration for all stages of a step.

use super::super::scheme::{Mixing, OverStages, Scheme};
use super::{Collocation, Measure, combine};
use crate::corrector::Retry;
use crate::formulation::{Formulation, Run};
use crate::implicit::Implicit;
use crate::linear::Singular;
use crate::state::{Link, State, Weights, norm, peak, worse};
use crate::stats::Stats;
use crate::system::{Part, Row, System};

/// Corrections that shrink less than this are not converging.
const MAX_RATE: f64 = 0.99;
/// The second correction may be larger than the first: what that leaked through old constraint
/// normals is put right.
const MAX_GROWTH: f64 = 2.0;
/// Solves that the inertial matrix may fail, and accepted steps with a slow iteration, before it is
/// given up.
const INERTIAL_FAILURES: u32 = 2;
const INERTIAL_SLOW: u32 = 5;
/// A slow iteration.
const SLOW: f64 = 0.3;
/// Roundings of the terms of an equation.
const ROUNDING: f64 = 10.0 * f64::EPSILON;

/// Iterations of one solve: the longer the step, the slower they are, and the better worth it.
fn most_iterations(stages: usize) -> u32 {
    4 + 2 * stages as u32
}

/// How a solve went.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Course {
    pub iterations: u32,
    /// Ratio of the last corrections to those before, at its worst; 0: none was seen.
    pub contraction: f64,
}

impl Collocation {
    /// Solves for the stages from their prediction.
    pub fn solve(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        (scheme, now, measure): (&Scheme, &State, &Measure),
    ) -> Result<Course, Retry> {
        let result = self.iterate(sys, w, stats, (scheme, now, measure));
        match &result {
            Ok(_) => self.in_a_row = 0,
            Err(_) => {
                self.in_a_row += 1;
                stats.newton_failures += 1;
                if !self.full {
                    self.failures += 1;
                    self.full = self.failures >= INERTIAL_FAILURES;
                }
            }
        }
        result
    }

    /// Learns from the solve of a step that was accepted.
    pub fn accepted(&mut self, course: &Course) {
        self.implicit.accepted();
        if !self.full {
            self.slow += u32::from(course.contraction > SLOW);
            self.full = self.slow >= INERTIAL_SLOW;
        }
    }

    fn iterate(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        (scheme, now, measure): (&Scheme, &State, &Measure),
    ) -> Result<Course, Retry> {
        self.discretise(sys.chart(), scheme, now);
        self.give(sys, scheme);
        self.prepare(sys, w, stats, scheme)?;
        let mut has_residual = Some(scheme.stages / 2);
        let mut course = Course::default();
        let mut last = 0.0;
        let most = most_iterations(scheme.stages);
        loop {
            self.correct(sys, stats, (scheme, now), has_residual.take())?;
            self.discretise(sys.chart(), scheme, now);
            self.give(sys, scheme);
            let d = measure.per_weight * self.moved(w, scheme);
            course.iterations += 1;
            stats.newton_iterations += 1;
            let k = course.iterations;
            if !d.is_finite() {
                return Err(self.given_up(w, scheme, f64::INFINITY, k));
            }
            // a first correction says nothing: where the middle stage is stiff and others are not, small
            // ones leave large residuals, and so they did not in the last step
            if k == 1 {
                if d == 0.0 {
                    return Ok(course);
                }
                last = d;
                continue;
            }
            let theta = d / last;
            let remaining = match theta < MAX_RATE {
                true => theta / (1.0 - theta) * d,
                false => f64::INFINITY,
            };
            let ahead = most.saturating_sub(k) as i32;
            let hopeless = match k {
                2 => theta > MAX_GROWTH,
                _ => theta >= MAX_RATE || theta.powi(ahead) / (1.0 - theta) * d > measure.kappa,
            };
            if hopeless {
                // corrections that are rounding tell nothing of the step
                return match d > self.noise(w, scheme, measure) {
                    true => Err(self.given_up(w, scheme, theta, k)),
                    false => Ok(course),
                };
            }
            course.contraction = match k {
                2 | 3 => theta,
                _ => course.contraction.max(theta),
            };
            if remaining <= measure.kappa {
                return Ok(course);
            }
            if k >= most {
                return Err(self.given_up(w, scheme, course.contraction, k));
            }
            last = d;
        }
    }

    /// Lets given multipliers have their values at the time and motion of each stage.
    fn give(&mut self, sys: &mut dyn System, scheme: &Scheme) {
        for st in &mut self.stages[..scheme.stages] {
            self.implicit.form.give(sys, st);
        }
    }

    /// Blocks and residual of the middle stage, and factors.
    fn prepare(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        scheme: &Scheme,
    ) -> Result<(), Retry> {
        let middle = scheme.stages / 2;
        let st = &self.stages[middle];
        let Implicit {
            form,
            jacobian,
            matrix,
            ..
        } = &mut self.implicit;
        let needed = form.parts();
        let parts = match self.full {
            true => needed,
            false => (self.patterns.of_constraints() | Part::Mass | Part::Rl).and(needed),
        };
        matrix.valid = false;
        stats.residual_evaluations += 1;
        let mut want = form.request(st, &mut self.rows[middle]);
        let spent = jacobian.fill(sys, &st.s.at(), &mut want, parts, w, &mut matrix.blocks)?;
        form.finish(sys.chart(), st, &mut self.rows[middle]);
        stats.count_blocks(&spent, parts == needed);
        self.frames.reference.copy_from_slice(&st.s.q);
        if let Some(chart) = sys.chart() {
            chart.rate_derivative(&st.s.q, &st.qdot, &mut self.bend);
            self.frames.straighten(&mut self.bend);
        }
        let per_h = st.link.qdot;
        let s = match self.full {
            true => scheme.real * per_h,
            false => f64::INFINITY,
        };
        for (to, raw) in matrix.bend.iter_mut().zip(&self.bend) {
            *to = raw / s;
        }
        let link = Link { qdot: s, vdot: s };
        stats.factorisations += 1;
        let singular = |form: &Formulation, e: Singular| Retry::Singular {
            unknown: form.unknown(e.column),
        };
        let info = matrix.factor(form, link).map_err(|e| singular(form, e))?;
        stats.pivot_searches += u64::from(!info.reused_pivots);
        if !self.full {
            return Ok(());
        }
        let implicit = &self.implicit;
        let pairs = self.pairs.iter_mut().zip(scheme.complex);
        for (pair, lam) in pairs.take(scheme.stages / 2) {
            stats.factorisations += 1;
            let info = pair.factor(implicit, &self.bend, lam.scale(per_h));
            let info = info.map_err(|e| singular(&implicit.form, e))?;
            stats.pivot_searches += u64::from(!info.reused_pivots);
        }
        Ok(())
    }

    /// Corrects all stages once; the residual of `known` has come with the blocks.
    fn correct(
        &mut self,
        sys: &mut dyn System,
        stats: &mut Stats,
        (scheme, now): (&Scheme, &State),
        known: Option<usize>,
    ) -> Result<(), Retry> {
        let n = scheme.stages;
        let Implicit { form, matrix, .. } = &mut self.implicit;
        for i in 0..n {
            let (st, rows) = (&self.stages[i], &mut self.rows[i]);
            if known != Some(i) {
                stats.residual_evaluations += 1;
                sys.eval(&st.s.at(), &mut form.request(st, rows))?;
                form.finish(sys.chart(), st, rows);
            }
            if let Some(chart) = sys.chart()
                && !self.frames.is_empty()
            {
                self.frames.find(chart, i, &st.s.q);
                self.frames.forth(i, rows);
            }
        }
        let Mixing {
            rows,
            unknowns,
            apart,
        } = match self.full {
            true => &scheme.full,
            false => &scheme.inertial,
        };
        let (mixed, own) = (&mut self.mixed[..n], &mut self.rows[..n]);
        mix((rows, *apart), &self.row_runs, own, mixed);
        stats.solves += n as u64;
        if self.full {
            let (real, pairs) = self.mixed[..n].split_at_mut(1);
            matrix.solve(&mut real[0]);
            let (pairs, _) = pairs.as_chunks_mut::<2>();
            for ([re, im], pair) in pairs.iter_mut().zip(&mut self.pairs) {
                pair.solve(re, im);
            }
        } else {
            matrix.solve_all(&mut self.mixed[..n]);
        }
        let (mixed, own) = (&self.mixed[..n], &mut self.rows[..n]);
        mix((unknowns, *apart), &self.unknown_runs, mixed, own);
        for (i, st) in self.stages[..n].iter_mut().enumerate() {
            let d = &mut self.rows[i];
            self.frames.back(i, d);
            form.displace(sys.chart(), d, st);
            let to = self.moves[i].iter_mut().zip(&st.dq).zip(&now.q);
            for (q, ((to, d), from)) in st.s.q.iter_mut().zip(to) {
                *to += d;
                *q = from + *to;
            }
        }
        Ok(())
    }

    /// How far the last correction has moved the stages, in the weights of the run.
    fn moved(&self, w: &Weights, scheme: &Scheme) -> f64 {
        let mut most = 0.0f64;
        for st in &self.stages[..scheme.stages] {
            for (x, w) in [(&st.dq, &w.q), (&st.dv, &w.v), (&st.dx, &w.x)] {
                let d = norm(x, w);
                most = if d > most || d.is_nan() { d } else { most };
                if d.is_nan() {
                    return d;
                }
            }
        }
        most
    }

    /// Size of corrections that roundings make: of positions, all of which feel how far the farthest of them is from the origin in
    /// its typical size, and of velocities, across the constraints all that those of positions make of them.
    fn noise(&self, w: &Weights, scheme: &Scheme, measure: &Measure) -> f64 {
        let last = scheme.stages - 1;
        let st = &self.stages[last];
        let magnified: f64 = scheme.w[last].iter().map(|w| w.abs()).sum();
        let per_place = match self.implicit.form.follows() {
            true => magnified * st.link.qdot,
            false => 0.0,
        };
        let sizes =
            st.s.q
                .iter()
                .zip(w.scale())
                .filter(|(_, scale)| **scale > 0.0);
        let farthest = sizes.fold(1.0f64, |m, (q, scale)| m.max(q.abs() / scale));
        let mut most = 0.0f64;
        for (i, scale) in w.scale().iter().enumerate() {
            let place = farthest * scale;
            let speed = st.s.v[i].abs().max(per_place * place);
            most = most.max(place * w.q[i]).max(speed * w.v[i]);
        }
        measure.per_weight * ROUNDING * most
    }

    fn given_up(&self, w: &Weights, scheme: &Scheme, rate: f64, iterations: u32) -> Retry {
        let mut worst = (0.0, Row::Position(0));
        for st in &self.stages[..scheme.stages] {
            let found = worse(peak(&st.dq, &w.q), peak(&st.dv, &w.v));
            let x = peak(&st.dx, &w.x);
            let of_states = (x.norm, Row::State(x.index));
            for found in [found, of_states] {
                if found.0 > worst.0 || found.0.is_nan() {
                    worst = found;
                }
            }
        }
        let worst = worst.1;
        match rate >= MAX_RATE {
            true => Retry::Diverged { rate, worst },
            false => Retry::Slow { iterations, worst },
        }
    }
}

/// `out_i = sum_j m_ij x_j`, with the matrix of the power that a run of entries has.
fn mix(
    (matrices, apart): (&[OverStages], bool),
    runs: &[Run],
    x: &[Vec<f64>],
    out: &mut [Vec<f64>],
) {
    for run in runs {
        let range = run.range.clone();
        let parts = out.iter_mut().map(|out| &mut out[range.clone()]);
        if apart && run.power == 0 {
            for (out, x) in parts.zip(x) {
                out.copy_from_slice(&x[range.clone()]);
            }
            continue;
        }
        combine(&matrices[run.power], 1.0, x, range.clone(), parts);
    }
}
