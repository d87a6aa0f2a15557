//! Linearly implicit methods on the state space: one matrix a step, nothing iterated but the
//! dependent coordinates.
//!
//! With `w` the independent coordinates, `p = (w', x)`, `w'' = f`, `x' = g` and `F = (f, g)`,
//! `J1 = F_w`, `J2 = F_p`, and `S p = w'`,
//!
//! ```text
//!  (1/gamma - h J2 - gamma h^2 J1 S) u_i
//!      = h F(t + alpha_i h, W_i, P_i) + sum_{j<i} c_ij u_j
//!        + gamma_i h^2 (F_t + J1 w') + h^2 J1 S sum_{j<i} delta_ij u_j
//!  W_i = w + alpha_i h w' + h S sum theta_ij u_j     P_i = p + sum a_ij u_j
//!  w_new = w + h w' + h S sum mu_i u_i               p_new = p + sum m_i u_i
//! ```
//!
//! (Negrut, Sandu, Haug, Potra & Sandu 2003, with first-order states added: they have no positions
//! of their own, so the elimination is the same.) On a chart `w` are coordinates about a base at the
//! beginning of the step and `w'` their rates, see [`crate::reduced`]. Rows of `w''` are multiplied by the mass
//! `Z' M Z` of the independent coordinates at the beginning of the step. Where rows of velocities are in force,
//! or friction slides, derivatives are differences of `F` itself (`differenced`).
//!
//! The error estimate covers all coordinates: dependent ones move by `H` times the error of the
//! independent. A stiff direction in which the embedded method is not damped can be taken out of it
//! by one further solve, `(I - gamma h J)^-1 e` (Shampine 1984). The dense output is Hermite's, of
//! order 4. Bad at: large systems, whose dense matrices cost the cube of the freedoms; forces that
//! are stiff and depend on time, where the order falls to 2.

mod differenced;
mod scheme;

pub use scheme::Scheme;

use super::tableau::largest_gap;
use super::track::Track;
use super::{Choice, Stepper, Trial, Tuning};
use crate::corrector::Retry;
use crate::memory::Memory;
use crate::ode::{Ode, measure};
use crate::reduced::slope::Slope;
use crate::reduced::{ARM, Factors};
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::system::{Row, Rows, System};
use scheme::STAGES;

/// What the error test sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorEstimate {
    /// The difference from the embedded method.
    Plain,
    /// The same with stiff directions damped by one further solve.
    Stiff,
}

/// Accepted steps for which a method that allows it keeps its derivatives.
const KEEP: u32 = 10;
/// Points of the dense output.
const POINTS: usize = 2;

/// See the [module](self).
pub struct Rosenbrock {
    scheme: Scheme,
    filter: bool,
    track: Track,
    slope: Slope,
    /// Whether multipliers follow others: friction slides.
    tied: bool,
    /// Accepted steps since the derivatives were renewed; `None`: they cannot be used.
    age: Option<u32>,
    /// Whether the step has been tried before.
    tried: bool,
    matrix: Factors,
    /// Stages `u_i`.
    stages: Vec<Vec<f64>>,
    /// A point of the attempt and its rates, as `y` of the whole system.
    stage: Vec<f64>,
    rates: Vec<f64>,
    /// `F` in the independent coordinates, and sums over stages.
    right: Vec<f64>,
    sum: Vec<f64>,
    error: Vec<f64>,
    error_w: Vec<f64>,
    error_p: Vec<f64>,
}

impl Rosenbrock {
    /// A scheme over equations that hold their constraints by partition.
    pub fn new(ode: Ode, scheme: Scheme, tuning: &Tuning) -> Rosenbrock {
        Rosenbrock {
            scheme,
            filter: tuning.error_estimate == ErrorEstimate::Stiff,
            track: Track::new(ode.of_second_order()),
            slope: Slope::default(),
            tied: false,
            age: None,
            tried: false,
            matrix: Factors::default(),
            stages: Vec::new(),
            stage: Vec::new(),
            rates: Vec::new(),
            right: Vec::new(),
            sum: Vec::new(),
            error: Vec::new(),
            error_w: Vec::new(),
            error_p: Vec::new(),
        }
    }

    /// Errors of the last attempt: index, position and velocity of each independent coordinate.
    pub fn errors(&self) -> impl Iterator<Item = (usize, f64, f64)> {
        let independent = self.track.ode.reduced.independent().iter();
        let errors = self.error_w.iter().zip(&self.error_p);
        independent.zip(errors).map(|(i, (w, p))| (*i, *w, *p))
    }

    /// Freedoms, and unknowns of a stage.
    fn sizes(&self) -> (usize, usize) {
        let d = self.track.ode.reduced.independent().len();
        (d, d + self.track.now.x.len())
    }

    /// Renews derivatives where that is due, and factors the matrix of the stages.
    fn prepare(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        h: f64,
    ) -> Result<(), Retry> {
        let chosen = stats.partitions;
        self.track.begin(sys, stats)?;
        let same = stats.partitions == chosen;
        // a step that failed deserves fresh derivatives
        let keep = if self.scheme.rough && !self.tried {
            KEEP
        } else {
            1
        };
        self.tried = true;
        // blocks do not know of shares that follow the motion
        let slides = sys.switching().is_some_and(|k| k.sliding() > 0);
        let differenced = self.tied || slides || self.track.ode.reduced.has_velocity_rows();
        if !same || self.age.is_none_or(|age| age >= keep) {
            self.age = None;
            if differenced {
                self.difference(sys, h, w, stats)?;
            } else {
                let Track { ode, now, .. } = &mut self.track;
                (self.slope).renew(sys, &mut ode.reduced, now, h, w, stats)?;
            }
            self.age = Some(0);
        } else if !differenced && self.age != Some(0) && self.slope.depends_on_time() {
            // old ones leave an error of the first order in directions that are stiff and driven
            let Track { ode, now, .. } = &mut self.track;
            self.slope.renew_by_time(sys, &ode.reduced, now, h)?;
        }
        let (d, p) = self.sizes();
        let (gamma, s) = (self.scheme.gamma, &self.slope);
        let matrix = self.matrix.entries();
        for i in 0..p {
            for j in 0..p {
                let mut x = -h * s.by_p[i * p + j];
                if j < d {
                    x -= gamma * h * h * s.by_w[i * d + j];
                    if i < d {
                        x += s.mass[i * d + j] / gamma;
                    }
                } else if i == j {
                    x += 1.0 / gamma;
                }
                matrix[i * p + j] = x;
            }
        }
        stats.factorisations += 1;
        self.matrix.factor().map_err(|i| Retry::Singular {
            unknown: self.row(i),
        })
    }

    fn row(&self, i: usize) -> Row {
        let independent = self.track.ode.reduced.independent();
        match independent.get(i) {
            Some(&w) => Row::Velocity(w),
            None => Row::State(i - independent.len()),
        }
    }

    /// A point with the given weights of the stages, its dependent positions predicted:
    ///
    /// ```text
    ///  u = u_n + H (W - w_n) + dt (u' - H w') + dt^2/2 (u'' - H w'')
    /// ```
    fn point(&mut self, dt: f64, h: f64, positions: &[f64; STAGES], velocities: &[f64; STAGES]) {
        let (d, _) = self.sizes();
        let nv = self.track.now.v.len();
        self.sum_up(velocities);
        let s = &self.track.now;
        let reduced = &self.track.ode.reduced;
        self.stage[nv..2 * nv].copy_from_slice(&s.v);
        for (k, &w) in reduced.independent().iter().enumerate() {
            self.stage[nv + w] = s.v[w] + self.sum[k];
        }
        for (k, x) in s.x.iter().enumerate() {
            self.stage[2 * nv + k] = x + self.sum[d + k];
        }
        self.sum_up(positions);
        let s = &self.track.now;
        let reduced = &self.track.ode.reduced;
        for (k, &w) in reduced.independent().iter().enumerate() {
            self.stage[w] = s.q[w] + dt * s.v[w] + h * self.sum[k];
        }
        for (i, &u) in reduced.dependent().iter().enumerate() {
            let (mut q, mut v, mut a) = (s.q[u], s.v[u], s.a[u]);
            let row = &reduced.tangent()[i * d..(i + 1) * d];
            for (slope, &w) in row.iter().zip(reduced.independent()) {
                q += slope * (self.stage[w] - s.q[w]);
                v -= slope * s.v[w];
                a -= slope * s.a[w];
            }
            self.stage[u] = q + dt * (v + 0.5 * dt * a);
        }
    }

    /// The end of the step.
    fn land(&mut self, sys: &mut dyn System, stats: &mut Stats, h: f64) -> Result<(), Retry> {
        let (mu, m) = (self.scheme.mu, self.scheme.m);
        self.point(h, h, &mu, &m);
        self.track.y_next.copy_from_slice(&self.stage);
        self.track.land(sys, stats, h)
    }

    /// Sum of the stages with the given weights.
    fn sum_up(&mut self, weights: &[f64; STAGES]) {
        self.sum.fill(0.0);
        let terms = weights.iter().zip(&self.stages);
        for (w, u) in terms.filter(|(w, _)| **w != 0.0) {
            for (sum, u) in self.sum.iter_mut().zip(u) {
                *sum += w * u;
            }
        }
    }

    /// Takes `F` in the independent coordinates from the rates of the whole system.
    fn take_right(&mut self) {
        let nv = self.track.now.v.len();
        let independent = self.track.ode.reduced.independent();
        let (mechanical, states) = self.right.split_at_mut(independent.len());
        for (f, &w) in mechanical.iter_mut().zip(independent) {
            *f = self.rates[nv + w];
        }
        states.copy_from_slice(&self.rates[2 * nv..]);
    }

    /// `out = mass x`, unit mass for first-order states.
    fn weigh(&self, x: &[f64], factor: f64, out: &mut [f64]) {
        let (d, p) = self.sizes();
        for i in 0..d {
            let row = self.slope.mass[i * d..(i + 1) * d].iter().zip(x);
            out[i] += factor * row.map(|(m, x)| m * x).sum::<f64>();
        }
        for i in d..p {
            out[i] += factor * x[i];
        }
    }

    /// Solves for stage `i`.
    fn solve_stage(&mut self, i: usize, h: f64, stats: &mut Stats) {
        let (d, _) = self.sizes();
        let scheme = self.scheme.clone();
        let mut u = std::mem::take(&mut self.stages[i]);
        u.fill(0.0);
        self.weigh(&self.right, h, &mut u);
        self.sum_up(&scheme.c[i]);
        self.weigh(&self.sum, 1.0, &mut u);
        // only earlier stages are there
        let mut delta = scheme.delta[i];
        delta[i..].fill(0.0);
        self.sum_up(&delta);
        let gamma = scheme.gamma_sum[i];
        let independent = self.track.ode.reduced.independent();
        for (k, &w) in independent.iter().enumerate() {
            self.sum[k] += gamma * self.track.now.v[w];
        }
        for (r, u) in u.iter_mut().enumerate() {
            let row = self.slope.by_w[r * d..(r + 1) * d].iter().zip(&self.sum);
            let along: f64 = row.map(|(j, x)| j * x).sum();
            *u += h * h * (along + gamma * self.slope.by_t[r]);
        }
        self.matrix.solve(&mut u, 1);
        stats.solves += 1;
        self.stages[i] = u;
    }

    /// Weighted norm of the error of the step.
    fn estimate(&mut self, h: f64, w: &Weights, stats: &mut Stats) -> (f64, Row) {
        let (d, p) = self.sizes();
        let nv = self.track.now.v.len();
        if p == 0 {
            // a mechanism that follows the clock alone: how well it was predicted
            for (e, (y, s)) in
                (self.error.iter_mut()).zip(self.track.y_next.iter().zip(&self.stage))
            {
                *e = y - s;
            }
            self.error[nv..].fill(0.0);
            return measure(&self.error, w);
        }
        let (m, mu) = (self.scheme.m_error, self.scheme.mu_error);
        self.sum_up(&mu);
        for (e, s) in self.error_w.iter_mut().zip(&self.sum) {
            *e = h * s;
        }
        self.sum_up(&m);
        self.error_p.copy_from_slice(&self.sum);
        if self.filter {
            self.damp(h);
            stats.solves += 1;
        }
        self.error.fill(0.0);
        let reduced = &self.track.ode.reduced;
        for (k, &w) in reduced.independent().iter().enumerate() {
            self.error[w] = self.error_w[k];
            self.error[nv + w] = self.error_p[k];
        }
        for (i, &u) in reduced.dependent().iter().enumerate() {
            let row = reduced.tangent()[i * d..(i + 1) * d].iter();
            for (slope, (q, v)) in row.zip(self.error_w.iter().zip(&self.error_p)) {
                self.error[u] += slope * q;
                self.error[nv + u] += slope * v;
            }
        }
        self.error[2 * nv..].copy_from_slice(&self.error_p[d..]);
        self.add_prescribed(h);
        measure(&self.error, w)
    }

    /// Coordinates that follow the clock alone have no error, but the dense output of their steps has:
    ///
    /// ```text
    ///  cubic - quintic Hermite in the middle = h^2/64 (a0 + a1 - 2 (v1 - v0)/h)
    /// ```
    fn add_prescribed(&mut self, h: f64) {
        let (d, _) = self.sizes();
        let Track {
            ode,
            y,
            f,
            y_next,
            f_next,
            ..
        } = &self.track;
        let nv = self.track.now.v.len();
        for (i, &u) in ode.reduced.dependent().iter().enumerate() {
            let row = &ode.reduced.tangent()[i * d..(i + 1) * d];
            if row.iter().all(|slope| *slope == 0.0) {
                let v = nv + u;
                let defect = f[v] + f_next[v] - 2.0 * (y_next[v] - y[v]) / h;
                self.error[u] = h * h / 64.0 * defect;
            }
        }
    }

    /// `(I - gamma h J)^-1 e` in the unknowns `(w, p)`:
    ///
    /// ```text
    ///  e_w' = e_w + gamma h S e_p'     (1/gamma - h J2 - gamma h^2 J1 S) e_p' = e_p/gamma + h J1 e_w
    /// ```
    fn damp(&mut self, h: f64) {
        let (d, _) = self.sizes();
        let gamma = self.scheme.gamma;
        let mut e = std::mem::take(&mut self.sum);
        e.fill(0.0);
        self.weigh(&self.error_p, 1.0 / gamma, &mut e);
        for (r, e) in e.iter_mut().enumerate() {
            let row = self.slope.by_w[r * d..(r + 1) * d].iter();
            *e += h * row.zip(&self.error_w).map(|(j, x)| j * x).sum::<f64>();
        }
        self.matrix.solve(&mut e, 1);
        self.error_p.copy_from_slice(&e);
        for (w, p) in self.error_w.iter_mut().zip(&e) {
            *w += gamma * h * p;
        }
        self.sum = e;
    }
}

impl Stepper for Rosenbrock {
    fn memory(&mut self, m: &mut Memory) {
        let Rosenbrock {
            scheme,
            filter,
            track,
            slope,
            tied: _,
            age,
            tried,
            matrix: _,
            stages: _,
            stage: _,
            rates: _,
            right: _,
            sum: _,
            error: _,
            error_w: _,
            error_p: _,
        } = self;
        m.section("rosenbrk");
        m.same(scheme.order as u64);
        m.same(u64::from(*filter));
        track.memory(m);
        let mut known = age.is_some();
        m.bool(&mut known);
        let mut count = age.unwrap_or(0);
        m.u32(&mut count);
        *age = known.then_some(count);
        m.bool(tried);
        if known {
            slope.memory(m);
        }
    }

    fn bind(&mut self, sys: &mut dyn System, keep: &Rows) {
        self.track.bind(sys, keep, POINTS);
        self.tied = !keep.ties.is_empty();
        self.slope.bind(sys, &self.track.ode.reduced);
        let (d, p) = self.sizes();
        let n = self.track.y.len();
        self.matrix = Factors::new(p);
        self.stages = vec![vec![0.0; p]; self.scheme.stages];
        (self.right, self.sum, self.error_p) = (vec![0.0; p], vec![0.0; p], vec![0.0; p]);
        self.error_w = vec![0.0; d];
        (self.stage, self.rates, self.error) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    }

    fn start(&mut self, sys: &dyn System, s: &State, _: &[f64], _: f64) {
        self.track.start(sys, s);
        self.age = None;
        self.tried = false;
    }

    fn keeps_step(&self) -> bool {
        true
    }

    fn attempt(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        next: Choice,
    ) -> Result<Trial, Retry> {
        let (h, before) = (next.h, stats.right_hand_sides);
        self.track.rebase(sys);
        self.prepare(sys, w, stats, h)?;
        for i in 0..self.scheme.stages {
            if i == 0 {
                self.rates.copy_from_slice(&self.track.f);
            } else if self.scheme.lands && i + 1 == self.scheme.stages {
                self.land(sys, stats, h)?;
                let Track { ode, next, .. } = &mut self.track;
                ode.rates_of(sys, next, &mut self.rates);
            } else if !self.scheme.repeats[i] {
                let dt = self.scheme.alpha[i] * h;
                let (theta, a) = (self.scheme.theta[i], self.scheme.a[i]);
                self.point(dt, h, &theta, &a);
                let t = self.track.now.t + dt;
                (self.track).rates(sys, stats, t, &self.stage, &mut self.rates)?;
            }
            self.take_right();
            self.solve_stage(i, h, stats);
        }
        if !self.scheme.lands {
            self.land(sys, stats, h)?;
        }
        stats.count_step(before);
        let (err, worst) = self.estimate(h, w, stats);
        Ok(Trial {
            err: [f64::INFINITY, f64::INFINITY, err, f64::INFINITY],
            difference: [f64::INFINITY; 4],
            order: self.scheme.estimate,
            worst,
            iterations: 0,
            contraction: 0.0,
            rate: w.rate(),
        })
    }

    fn accept(&mut self) {
        self.track.accept();
        self.age = self.age.map(|age| age + 1);
        self.tried = false;
    }

    fn state(&self) -> &State {
        &self.track.now
    }

    fn interpolate(&self, t: f64, out: &mut State) {
        self.track.interpolate(t, POINTS, out);
    }

    fn put_back(&mut self, sys: &mut dyn System, s: &mut State) -> bool {
        self.track.ode.put_back(sys, s)
    }

    fn extrapolate(&self, t: f64, out: &mut State) -> f64 {
        self.track.extrapolate(t, POINTS, out)
    }

    fn reach(&self) -> f64 {
        self.scheme.alpha.iter().fold(1.0, |m: f64, a| m.max(*a))
    }

    /// For derivatives by time.
    fn looks_back(&self) -> f64 {
        ARM
    }

    fn largest_gap(&self) -> f64 {
        largest_gap(&self.scheme.alpha[..self.scheme.stages])
    }

    fn max_order(&self) -> usize {
        self.scheme.order
    }
}
