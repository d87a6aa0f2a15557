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

mod estimate;
mod newton;

use super::frames::Frames;
use super::pair::Pair;
use super::past::Past;
use super::scheme::{MOST, OverStages, Scheme};
use crate::auxiliary::Products;
use crate::chart::Chart;
use crate::formulation::{Defect, Run};
use crate::implicit::Implicit;
use crate::jacobian::excitation::Following;
use crate::memory::Memory;
use crate::state::{Link, Stage, State};
use crate::system::{BlockPatterns, Rows, System, stage_form};
pub(super) use estimate::Measure;
pub(super) use newton::Course;
use std::ops::Range;

/// Steps this much longer than the last are not predicted from its polynomials.
const REACH: f64 = 4.0;

/// Some of the values of a state.
type Values = fn(&State) -> &Vec<f64>;

/// See the [module](self).
pub(super) struct Collocation {
    implicit: Implicit,
    pairs: Vec<Pair>,
    row_runs: Vec<Run>,
    unknown_runs: Vec<Run>,
    patterns: BlockPatterns,
    /// In place of patterns, where blocks are handed over as relations.
    products: Option<Products>,
    frames: Frames,
    bend_at: Vec<(u32, u32)>,
    bend: Vec<f64>,
    pub stages: Vec<Stage>,
    rows: Vec<Vec<f64>>,
    mixed: Vec<Vec<f64>>,
    differences: Vec<Vec<f64>>,
    /// How far positions of the stages are from the beginning of the step: corrections are added here, because differences of
    /// positions would have their rounding, and velocities of short steps all of it.
    moves: Vec<Vec<f64>>,
    defect: Defect,
    /// How far the motion departs from the polynomials at the beginning of the step, over `s`: `v_n - q'(0)` as it is,
    /// `a_n - v'(0)` and `xdot_n - x'(0)` without what is stiff in them.
    pub departure: Defect,
    differential: Vec<bool>,
    /// Whether it is known that the inertial matrix will not do, whether it can serve at all, and has been given up.
    stiff: bool,
    rigid: bool,
    full: bool,
    failures: u32,
    slow: u32,
    /// Solves that have failed in a row.
    in_a_row: u32,
}

impl Collocation {
    pub fn new(implicit: Implicit, stiff: bool) -> Collocation {
        Collocation {
            pairs: Vec::new(),
            implicit,
            row_runs: Vec::new(),
            unknown_runs: Vec::new(),
            patterns: BlockPatterns::default(),
            products: None,
            frames: Frames::default(),
            bend_at: Vec::new(),
            bend: Vec::new(),
            stages: Vec::new(),
            rows: Vec::new(),
            mixed: Vec::new(),
            differences: Vec::new(),
            moves: Vec::new(),
            defect: Defect::default(),
            departure: Defect::default(),
            differential: Vec::new(),
            stiff,
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
        self.pairs.clear();
        (self.pairs).extend((0..MOST / 2).map(|_| Pair::new(&self.implicit)));
        self.row_runs = form.row_runs();
        self.unknown_runs = form.unknown_runs();
        self.patterns = sys.patterns().clone();
        let relations = sys.facts().auxiliary.as_deref();
        self.products = relations.map(|r| Products::new(r, dims.nv, dims.nx));
        self.frames = Frames::new(sys, form.tangent_sections(), MOST);
        self.bend_at = sys.chart().map_or(Vec::new(), Chart::pattern);
        self.bend = vec![0.0; self.bend_at.len()];
        let each = |n: usize| vec![vec![0.0; n]; MOST];
        self.stages = vec![Stage::new(dims); MOST];
        (self.rows, self.mixed) = (each(form.size()), each(form.size()));
        self.differences = each(dims.nv.max(dims.nx));
        self.moves = each(dims.nq);
        self.defect = Defect {
            q: vec![0.0; dims.nv],
            v: vec![0.0; dims.nv],
            x: vec![0.0; dims.nx],
        };
        self.departure = self.defect.clone();
        self.differential.clone_from(&sys.facts().differential);
        // force rows over s^2 keep M, and algebraic states have no inertia
        let scaled = self.row_runs.first().is_none_or(|run| run.power == 2);
        self.rigid = form.follows() && scaled && self.differential.iter().all(|d| *d);
        self.full = self.stiff || !self.rigid;
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
        self.in_a_row = 0;
    }

    /// Stages as the last step promises them, else by the first terms of Taylor's series.
    pub fn predict(
        &mut self,
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
        }
        let stages = &self.stages[..scheme.stages];
        differ(stages, &now.q, |s| &s.q, &mut self.moves);
    }

    /// Discrete derivatives of all stages.
    fn discretise(&mut self, chart: Option<&dyn Chart>, scheme: &Scheme, now: &State) {
        let Collocation {
            stages,
            differences,
            moves,
            implicit,
            ..
        } = self;
        let n = scheme.stages;
        let stages = &mut stages[..n];
        let differences = &mut differences[..n];
        let Link { qdot, vdot } = stages[0].link;
        let w = &scheme.w;
        let rates = stages.iter_mut().map(|st| &mut st.qdot[..]);
        combine(w, qdot, &moves[..n], 0..now.v.len(), rates);
        for st in &mut *stages {
            implicit.form.follow(chart, st);
        }
        differ(stages, &now.v, |s| &s.v, differences);
        let rates = stages.iter_mut().map(|st| &mut st.s.a[..]);
        combine(w, vdot, differences, 0..now.v.len(), rates);
        if now.x.is_empty() {
            return;
        }
        differ(stages, &now.x, |s| &s.x, differences);
        let rates = stages.iter_mut().map(|st| &mut st.s.xdot[..]);
        combine(w, vdot, differences, 0..now.x.len(), rates);
        for st in stages {
            let algebraic = st.s.xdot.iter_mut().zip(&self.differential);
            for (rate, _) in algebraic.filter(|e| !e.1) {
                *rate = 0.0;
            }
        }
    }

    pub fn memory(&mut self, m: &mut Memory) {
        let Collocation {
            implicit,
            pairs,
            full,
            failures,
            slow,
            in_a_row,
            // laid out by `bind`
            row_runs: _,
            unknown_runs: _,
            patterns: _,
            products: _,
            bend_at: _,
            differential: _,
            stiff: _,
            rigid: _,
            // made by the next attempt before they are used
            frames: _,
            bend: _,
            stages: _,
            rows: _,
            mixed: _,
            differences: _,
            moves: _,
            defect: _,
            departure: _,
        } = self;
        m.section("colloc");
        implicit.memory(m);
        for pair in pairs {
            pair.memory(m);
        }
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

/// `out_i = factor sum_j c_ij x_j` over the stages, of the entries in a range.
///
/// Sums over stages, whose number the compiler knows, are the inner loops, for two entries at once: the vectors are short,
/// and sums of vectors would spend most of their time on beginning and ending.
fn combine<'a>(
    c: &OverStages,
    factor: f64,
    x: &[Vec<f64>],
    range: Range<usize>,
    out: impl Iterator<Item = &'a mut [f64]>,
) {
    match x.len() {
        0..=3 => combine_stages::<3>(c, factor, x, range, out),
        4..=5 => combine_stages::<5>(c, factor, x, range, out),
        _ => combine_stages::<MOST>(c, factor, x, range, out),
    }
}

fn combine_stages<'a, const N: usize>(
    c: &OverStages,
    factor: f64,
    x: &[Vec<f64>],
    range: Range<usize>,
    mut out: impl Iterator<Item = &'a mut [f64]>,
) {
    let c: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|j| factor * c[i][j]));
    let n = range.len();
    let x: [&[f64]; N] = std::array::from_fn(|j| &x[j][range.clone()][..n]);
    let mut out: [&mut [f64]; N] = std::array::from_fn(|_| match out.next() {
        Some(out) => &mut out[..n],
        None => &mut [],
    });
    let pairs = x.map(|x| &x.as_chunks::<2>().0[..n / 2]);
    for e in 0..n / 2 {
        let x = pairs.map(|x| x[e]);
        for (out, c) in out.iter_mut().zip(&c) {
            let mut sum = [0.0; 2];
            for j in 0..N {
                for l in 0..2 {
                    sum[l] += c[j] * x[j][l];
                }
            }
            if let Some(out) = out.as_chunks_mut::<2>().0.get_mut(e) {
                *out = sum;
            }
        }
    }
    if n % 2 == 1 {
        let x = x.map(|x| x[n - 1]);
        for (out, c) in out.iter_mut().zip(&c) {
            if let Some(out) = out.last_mut() {
                *out = (0..N).fold(0.0, |sum, j| sum + c[j] * x[j]);
            }
        }
    }
}
