//! The equations of all stages of a step, solved together by a simplified Newton iteration.
//!
//! ```text
//!  q'_i = (1/h) sum_j w_ij (q_j - q_n)      v'_i, x'_i likewise;      index 3: v_i = T(q_i) q'_i
//! ```
//!
//! All stages share blocks, those of the middle one at its prediction. With eigenvectors of `w` the
//! equations fall apart into one real system with `s = lam_0/h` and complex ones: the matrix of a
//! [formulation](crate::formulation) each, for other numbers (Hairer & Wanner 1996, IV.8). Where
//! nothing is stiff `D/s` and `K/s^2` matter so little that `s = infinity` will do: one real matrix
//! `[M C_q'; C_q 0]` for all stages and steps (*inertial*).

use super::frames::Frames;
use super::past::Past;
use super::scheme::{MOST, Mixing, OverStages, Scheme};
use crate::chart::Chart;
use crate::corrector::Retry;
use crate::eigen::Complex;
use crate::formulation::{Defect, Formulation, Run};
use crate::implicit::Implicit;
use crate::jacobian::excitation::Following;
use crate::linear::{Doubled, Singular};
use crate::memory::Memory;
use crate::state::{Link, Stage, State, Weights, norm, peak, worse};
use crate::stats::Stats;
use crate::system::{BlockPatterns, Part, Row, Rows, System, stage_form};

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
/// Steps this much longer than the last are not predicted from its polynomials.
const REACH: f64 = 4.0;

/// Share of the tolerances in which steps are measured: the estimate is of order `s + 1` in the step and
/// the error of order `2s`, so that error and tolerance go together for `rt = 0.1 rtol^((s+1)/2s)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    /// What norms in the weights of the run are multiplied by.
    pub per_weight: f64,
    /// Remaining error of an iteration, in these tolerances.
    kappa: f64,
}

impl Measure {
    pub fn new(rtol: f64, stages: usize) -> Measure {
        let s = stages as f64;
        let own = 0.1 * rtol.powf((s + 1.0) / (2.0 * s));
        let floor = 10.0 * f64::EPSILON / own;
        Measure {
            per_weight: rtol / own,
            kappa: own.sqrt().min(0.03).max(floor),
        }
    }
}

/// Iterations of one solve: the longer the step, the slower they are, and the better worth it.
fn most_iterations(stages: usize) -> u32 {
    4 + 2 * stages as u32
}

/// Some of the values of a state.
type Values = fn(&State) -> &Vec<f64>;

/// How a solve went.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Course {
    pub iterations: u32,
    /// Ratio of the last corrections to those before, at its worst; 0: none was seen.
    pub contraction: f64,
}

/// See the [module](self).
pub(super) struct Collocation {
    implicit: Implicit,
    complex: Vec<Doubled>,
    row_runs: Vec<Run>,
    unknown_runs: Vec<Run>,
    patterns: BlockPatterns,
    frames: Frames,
    bend_at: Vec<(u32, u32)>,
    bend: Vec<f64>,
    bend_complex: Vec<Complex>,
    pub stages: Vec<Stage>,
    rows: Vec<Vec<f64>>,
    mixed: Vec<Vec<f64>>,
    differences: Vec<Vec<f64>>,
    weight: Vec<f64>,
    defect: Defect,
    differential: Vec<bool>,
    /// What the last solve has left of a first correction, see `iterate`.
    eta: f64,
    /// Whether the inertial matrix can serve at all, and has been given up.
    rigid: bool,
    full: bool,
    failures: u32,
    slow: u32,
    /// Solves that have failed in a row.
    in_a_row: u32,
}

impl Collocation {
    pub fn new(implicit: Implicit) -> Collocation {
        let another = || Doubled::new(implicit.matrix.solver.another());
        Collocation {
            complex: (0..MOST / 2).map(|_| another()).collect(),
            implicit,
            row_runs: Vec::new(),
            unknown_runs: Vec::new(),
            patterns: BlockPatterns::default(),
            frames: Frames::default(),
            bend_at: Vec::new(),
            bend: Vec::new(),
            bend_complex: Vec::new(),
            stages: Vec::new(),
            rows: Vec::new(),
            mixed: Vec::new(),
            differences: Vec::new(),
            weight: Vec::new(),
            defect: Defect::default(),
            differential: Vec::new(),
            eta: 1.0,
            rigid: false,
            full: true,
            failures: 0,
            slow: 0,
            in_a_row: 0,
        }
    }

    pub fn bind(&mut self, sys: &dyn System, keep: &Rows) {
        self.implicit.bind(sys, keep);
        let sys = stage_form(sys);
        let (dims, form) = (sys.dims(), &self.implicit.form);
        for complex in &mut self.complex {
            complex.analyse(&self.implicit.matrix.pattern, &form.groups());
        }
        self.row_runs = form.row_runs();
        self.unknown_runs = form.unknown_runs();
        self.patterns = sys.patterns().clone();
        self.frames = Frames::new(sys, form.tangent_sections(), MOST);
        self.bend_at = sys.chart().map_or(Vec::new(), Chart::pattern);
        self.bend = vec![0.0; self.bend_at.len()];
        self.bend_complex = vec![Complex::ZERO; self.bend_at.len()];
        let each = |n: usize| vec![vec![0.0; n]; MOST];
        self.stages = vec![Stage::new(dims); MOST];
        (self.rows, self.mixed) = (each(form.size()), each(form.size()));
        self.differences = each(dims.nv.max(dims.nx));
        self.weight = vec![0.0; form.size()];
        self.defect = Defect {
            q: vec![0.0; dims.nv],
            v: vec![0.0; dims.nv],
            x: vec![0.0; dims.nx],
        };
        self.differential.clone_from(&sys.facts().differential);
        // force rows over s^2 keep M, and algebraic states have no inertia
        let scaled = self.row_runs.first().is_none_or(|run| run.power == 2);
        self.rigid = form.follows() && scaled && self.differential.iter().all(|d| *d);
        self.full = !self.rigid;
        (self.failures, self.slow) = (0, 0);
        self.restart();
    }

    /// What has come of following the excitations.
    pub fn following(&self) -> Option<Following> {
        self.implicit.jacobian.following()
    }

    /// Forgets what the last solves have taught about the next.
    pub fn restart(&mut self) {
        self.implicit.restart();
        self.eta = 1.0;
        self.in_a_row = 0;
    }

    /// Stages as the last step promises them, else by the first terms of Taylor's series.
    pub fn predict(
        &mut self,
        sys: &mut dyn System,
        (scheme, last): (&Scheme, &Scheme),
        past: &Past,
        now: &State,
        h: f64,
    ) {
        let link = Link {
            qdot: 1.0 / h,
            vdot: 1.0 / h,
        };
        let promised = past.known && h <= REACH * past.h && self.in_a_row < 3;
        for (st, c) in self.stages.iter_mut().zip(scheme.nodes) {
            st.clear_increments();
            (st.h, st.link) = (h, link);
            let dt = c * h;
            let s = &mut st.s;
            s.t = now.t + dt;
            if promised {
                past.along(last, s.t, &mut s.q, &mut s.v, &mut s.x);
                past.multipliers(last, s.t, &mut s.lambda);
                self.implicit.form.give(sys, st);
                continue;
            }
            for i in 0..now.v.len() {
                s.q[i] = now.q[i] + dt * (now.v[i] + 0.5 * dt * now.a[i]);
                s.v[i] = now.v[i] + dt * now.a[i];
            }
            for (x, (now, rate)) in s.x.iter_mut().zip(now.x.iter().zip(&now.xdot)) {
                *x = now + dt * rate;
            }
            for ((x, now), _) in
                s.x.iter_mut()
                    .zip(&now.x)
                    .zip(&self.differential)
                    .filter(|e| !e.1)
            {
                *x = *now;
            }
            s.lambda.copy_from_slice(&now.lambda);
            self.implicit.form.give(sys, st);
        }
    }

    /// Discrete derivatives of all stages.
    fn discretise(&mut self, chart: Option<&dyn Chart>, scheme: &Scheme, now: &State) {
        let Collocation {
            stages,
            differences,
            implicit,
            ..
        } = self;
        let stages = &mut stages[..scheme.stages];
        differ(stages, &now.q, |s| &s.q, differences);
        for (st, w) in stages.iter_mut().zip(&scheme.w) {
            weigh(w, st.link.qdot, differences, &mut st.qdot);
            implicit.form.predict(chart, st);
        }
        differ(stages, &now.v, |s| &s.v, differences);
        for (st, w) in stages.iter_mut().zip(&scheme.w) {
            weigh(w, st.link.vdot, differences, &mut st.s.a);
        }
        if now.x.is_empty() {
            return;
        }
        differ(stages, &now.x, |s| &s.x, differences);
        for (st, w) in stages.iter_mut().zip(&scheme.w) {
            weigh(w, st.link.vdot, differences, &mut st.s.xdot);
            let algebraic = st.s.xdot.iter_mut().zip(&self.differential);
            for (rate, _) in algebraic.filter(|e| !e.1) {
                *rate = 0.0;
            }
        }
    }

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
                self.eta = 1.0;
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
        self.prepare(sys, w, stats, scheme)?;
        let mut has_residual = Some(scheme.stages / 2);
        let mut course = Course::default();
        let mut last = 0.0;
        let most = most_iterations(scheme.stages);
        self.eta = self.eta.max(f64::EPSILON).powf(0.8);
        loop {
            self.correct(sys, stats, scheme, has_residual.take())?;
            self.discretise(sys.chart(), scheme, now);
            let d = measure.per_weight * self.moved(w, scheme);
            course.iterations += 1;
            stats.newton_iterations += 1;
            let k = course.iterations;
            if !d.is_finite() {
                return Err(self.given_up(w, scheme, f64::INFINITY, k));
            }
            let mut hopeless = false;
            if k > 1 {
                let theta = d / last;
                course.contraction = match k {
                    2 | 3 => theta,
                    _ => course.contraction.max(theta),
                };
                self.eta = if theta < MAX_RATE {
                    theta / (1.0 - theta)
                } else {
                    1e3
                };
                hopeless = match k {
                    2 => theta > MAX_GROWTH,
                    _ => {
                        let ahead = most.saturating_sub(k);
                        theta >= MAX_RATE
                            || theta.powi(ahead as i32) / (1.0 - theta) * d > measure.kappa
                    }
                };
                if hopeless && d <= self.noise(w, scheme, measure) {
                    return Ok(course);
                }
                if hopeless {
                    return Err(self.given_up(w, scheme, theta, k));
                }
            }
            if self.eta * d <= measure.kappa && !hopeless {
                return Ok(course);
            }
            if k >= most {
                return Err(self.given_up(w, scheme, course.contraction, k));
            }
            last = d;
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
        for (complex, lam) in self
            .complex
            .iter_mut()
            .zip(scheme.complex)
            .take(scheme.stages / 2)
        {
            let s = lam.scale(per_h);
            for (to, raw) in self.bend_complex.iter_mut().zip(&self.bend) {
                *to = Complex::new(*raw, 0.0) / s;
            }
            form.combine_complex(&matrix.blocks, &self.bend_complex, s, &mut complex.values);
            stats.factorisations += 1;
            let reused = complex.factor().map_err(|e| singular(form, e))?;
            stats.pivot_searches += u64::from(!reused);
        }
        Ok(())
    }

    /// Corrects all stages once; the residual of `known` has come with the blocks.
    fn correct(
        &mut self,
        sys: &mut dyn System,
        stats: &mut Stats,
        scheme: &Scheme,
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
        let Mixing { rows, unknowns } = match self.full {
            true => &scheme.full,
            false => &scheme.inertial,
        };
        mix(rows, &self.row_runs, &self.rows[..n], &mut self.mixed[..n]);
        stats.solves += n as u64;
        if self.full {
            let (real, pairs) = self.mixed[..n].split_at_mut(1);
            matrix.solve(&mut real[0]);
            let (pairs, _) = pairs.as_chunks_mut::<2>();
            for ([re, im], complex) in pairs.iter_mut().zip(&mut self.complex) {
                complex.solve(re, im);
            }
        } else {
            for rows in &mut self.mixed[..n] {
                matrix.solve(rows);
            }
        }
        mix(
            unknowns,
            &self.unknown_runs,
            &self.mixed[..n],
            &mut self.rows[..n],
        );
        for (i, st) in self.stages[..n].iter_mut().enumerate() {
            let d = &mut self.rows[i];
            self.frames.back(i, d);
            for x in [&mut st.dq, &mut st.dv, &mut st.dx] {
                x.fill(0.0);
            }
            form.apply(sys.chart(), d, st);
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

    /// Size of corrections that the rounding of the unknowns makes.
    fn noise(&mut self, w: &Weights, scheme: &Scheme, measure: &Measure) -> f64 {
        let st = &self.stages[scheme.stages - 1];
        let form = &self.implicit.form;
        form.weigh(w, st.link, &mut self.weight);
        // differences over stages magnify roundings
        let magnified: f64 = scheme.w[scheme.stages - 1].iter().map(|w| w.abs()).sum();
        measure.per_weight * magnified * form.noise(st, &self.weight)
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
        let embedded = |of: Values, [rate, from]: [&[f64]; 2], e: &mut [f64]| {
            for (e, rate) in e.iter_mut().zip(rate) {
                *e = rate / s;
            }
            for (st, c) in stages.iter().zip(scheme.error) {
                for (e, (x, from)) in e.iter_mut().zip(of(&st.s).iter().zip(from)) {
                    *e += c * (x - from);
                }
            }
        };
        embedded(|s| &s.q, [&now.v, &now.q], &mut e.q);
        embedded(|s| &s.v, [&now.a, &now.v], &mut e.v);
        embedded(|s| &s.x, [&now.xdot, &now.x], &mut e.x);
        let Implicit { form, matrix, .. } = &mut self.implicit;
        let solution = &mut self.mixed[0];
        form.load_defect(&self.patterns, &matrix.blocks, (s, self.full), e, solution);
        matrix.solve(solution);
        stats.solves += 1;
        form.store_defect(&matrix.bend, &self.bend_at, s, solution, e);
        if form.filters() {
            form.filter(matrix, &mut e.v);
            stats.solves += 1;
        }
        let (mut err, mut worst) = worse(peak(&e.q, &w.q), peak(&e.v, &w.v));
        let x = peak(&e.x, &w.x);
        if x.norm > err || x.norm.is_nan() {
            (err, worst) = (x.norm, Row::State(x.index));
        }
        err *= measure.per_weight;
        // velocities of a step too short for positions to resolve them are rounding; longer ones
        // are not
        if err > 0.5 && err <= self.noise(w, scheme, measure) {
            err = 0.5;
        }
        (err, worst)
    }

    pub fn memory(&mut self, m: &mut Memory) {
        let Collocation {
            implicit,
            complex,
            eta,
            full,
            failures,
            slow,
            in_a_row,
            // laid out by `bind`
            row_runs: _,
            unknown_runs: _,
            patterns: _,
            bend_at: _,
            differential: _,
            rigid: _,
            // made by the next attempt before they are used
            frames: _,
            bend: _,
            bend_complex: _,
            stages: _,
            rows: _,
            mixed: _,
            differences: _,
            weight: _,
            defect: _,
        } = self;
        m.section("colloc");
        implicit.memory(m);
        for complex in complex {
            complex.memory(m);
        }
        m.f64(eta);
        m.bool(full);
        for count in [failures, slow, in_a_row] {
            m.u32(count);
        }
    }
}

/// What the stages have moved since the beginning of the step.
fn differ(stages: &[Stage], from: &[f64], of: Values, out: &mut [Vec<f64>]) {
    for (st, out) in stages.iter().zip(out) {
        for (out, (x, from)) in out.iter_mut().zip(of(&st.s).iter().zip(from)) {
            *out = x - from;
        }
    }
}

/// `out = per_h sum_j w_j d_j`.
fn weigh(w: &[f64; MOST], per_h: f64, differences: &[Vec<f64>], out: &mut [f64]) {
    out.fill(0.0);
    for (w, d) in w.iter().zip(differences).filter(|(w, _)| **w != 0.0) {
        let c = per_h * w;
        for (out, d) in out.iter_mut().zip(d) {
            *out += c * d;
        }
    }
}

/// `out_i = sum_j m_ij x_j`, with the matrix of the power that a run of entries has.
fn mix(matrices: &[OverStages], runs: &[Run], x: &[Vec<f64>], out: &mut [Vec<f64>]) {
    for (i, out) in out.iter_mut().enumerate() {
        out.fill(0.0);
        for run in runs {
            let out = &mut out[run.range.clone()];
            for (c, x) in matrices[run.power][i].iter().zip(x) {
                for (out, x) in out.iter_mut().zip(&x[run.range.clone()]) {
                    *out += c * x;
                }
            }
        }
    }
}
