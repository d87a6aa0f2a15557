//! Generalised-alpha (Chung & Hulbert 1993; DAE form of Arnold & Bruels 2007).
//!
//! ```text
//!  (1-alpha_m) a_{n+1} + alpha_m a_n = (1-alpha_f) vdot_{n+1} + alpha_f vdot_n
//!  v_{n+1} = v_n + h [(1-gamma) a_n + gamma a_{n+1}]
//!  q_{n+1} = q_n + h v_n + h^2 [(1/2-beta) a_n + beta a_{n+1}]
//!  alpha_m = (2 rho - 1)/(rho + 1),  alpha_f = rho/(rho + 1),  gamma = 1/2 - alpha_m + alpha_f
//!  beta = (gamma + 1/2)^2/4,  eta = (1 - alpha_m)/(1 - alpha_f),  Delta = alpha_m - alpha_f
//!  s1 = gamma/(beta h),  s2 = eta/(gamma h);   prediction with a_{n+1} = vdot_n
//! ```
//!
//! `vdot` satisfies the equations of motion at `t_n`; the auxiliary `a_n` approximates the
//! acceleration at `t_n + Delta h`. When the step changes by `r`, `a_n - vdot_n` must change with
//! it or an order is lost. In the stabilised form all of it is scaled; in index 3 scaling the
//! component normal to the constraints is unstable, so only the tangential part is.
//!
//! Local error of the positions: `kappa h^3 q'''`, `kappa = beta + Delta/2 - 1/6`, and
//! `y = a_{n+1} - a_n = ((1 + Delta) h - Delta h_n) q'''`, which stays away from zero for every
//! member; on changing steps the error of the shifted `a_n` adds to it:
//!
//! ```text
//!  err_q = h^2 q''' [ (1/2 - beta) Delta h_n + beta (1 + Delta) h - h/6 ]
//! ```
//!
//! First-order states obey the velocity formula, `x_{n+1} = x_n + h [(1-gamma) b_n + gamma b_{n+1}]`
//! with `b` averaging `xdot` as `a` averages `vdot`; their local error is
//! `h^3 x''' ([(1-gamma) Delta^2 + gamma (1 + Delta)^2]/2 - 1/6)`, with `x'''` from the change of
//! `b_{n+1} - xdot_n` between two steps.
//!
//! Velocities are controlled where their tolerance is given, or where they are of order 1: their local error is
//! that of first-order states, with `h^2 v'' (gamma - 1/2 + Delta)` before it, which vanishes but for Newmark's
//! method with a `gamma` of one's own. In index 3 only the part along the constraints counts.
//!
//! Newmark's method (`alpha_m = alpha_f = 0`) and HHT (`alpha_m = 0`; Hilber, Hughes &
//! Taylor 1977) are members. HHT averages accelerations here instead of residuals, so the order
//! stays 2 when the mass depends on the configuration.
//!
//! On a chart that is re-based in every step `q_n` is 0 and these are the formulas of Bruels, Cardona
//! & Arnold (2012) on a Lie group: `q_{n+1} = q_n exp(h v_n + h^2 [..])`, with velocities and
//! accelerations in body axes.
//!
//! Errors of steps add up to the power 2/3 of what each may be: [`Tolerances`](crate::state::Tolerances) says what that is.
//!
//! Bad at: tight tolerances (order 2); members without damping leave multiplier noise undamped in
//! index 3, so that they take fixed steps there, or the stabilised form.

use super::dense::astray;
use super::{Choice, ITERATIONS_REACH, Stepper, Trial};
use crate::chart::Rates;
use crate::corrector::Retry;
use crate::implicit::Implicit;
use crate::jacobian::excitation::Following;
use crate::memory::Memory;
use crate::state::{Link, Stage, State, Weights, peak};
use crate::stats::Stats;
use crate::system::{Row, Rows, System};

/// Spectral radius at infinity that serves index 3 best: less damping of the constraint modes
/// costs steps and multiplier noise and gains no accuracy.
pub const DEFAULT_RHO: f64 = 0.6;
/// Damping of HHT by default; the range is 0 to 1/3.
pub const DEFAULT_ALPHA: f64 = 0.3;

/// In index 3 the rescale pays only for large changes of the step.
const RESCALE_OUTSIDE: std::ops::RangeInclusive<f64> = 0.8..=1.25;

/// Coefficients of the scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    alpha_m: f64,
    alpha_f: f64,
    gamma: f64,
    beta: f64,
    eta: f64,
    delta: f64,
}

impl Parameters {
    /// The generalised-alpha member with spectral radius `rho` at infinity, 0 to 1.
    pub fn from_rho(rho: f64) -> Parameters {
        Parameters::averaging((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0))
    }

    /// HHT with damping `alpha`, 0 to 1/3.
    pub fn hht(alpha: f64) -> Parameters {
        Parameters::averaging(0.0, alpha)
    }

    /// Newmark's method (1959): the trapezoidal rule for `beta = 1/4`, `gamma = 1/2`, of order 1 for any other
    /// `gamma`.
    pub fn newmark(beta: f64, gamma: f64) -> Parameters {
        Parameters {
            beta,
            gamma,
            ..Parameters::averaging(0.0, 0.0)
        }
    }

    /// Second order and optimal damping for given averages (Chung & Hulbert 1993, eqs. 17, 18).
    fn averaging(alpha_m: f64, alpha_f: f64) -> Parameters {
        let delta = alpha_m - alpha_f;
        let gamma = 0.5 - delta;
        Parameters {
            alpha_m,
            alpha_f,
            gamma,
            beta: 0.25 * (gamma + 0.5) * (gamma + 0.5),
            eta: (1.0 - alpha_m) / (1.0 - alpha_f),
            delta,
        }
    }

    /// Local position error over `a_{n+1} - a_n` for steps `h` after `h_n`.
    fn position_error(&self, h: f64, h_n: f64) -> f64 {
        let (beta, delta) = (self.beta, self.delta);
        let error = (0.5 - beta) * delta * h_n + beta * (1.0 + delta) * h - h / 6.0;
        h * h * error / ((1.0 + delta) * h - delta * h_n)
    }

    /// Local error of first-order states over `h` times the change of `b_{n+1} - xdot_n`.
    fn state_error(&self) -> f64 {
        let (gamma, delta) = (self.gamma, self.delta);
        let mean = (1.0 - gamma) * delta * delta + gamma * (1.0 + delta) * (1.0 + delta);
        (0.5 * mean - 1.0 / 6.0) / (1.0 + delta).max(0.1)
    }
}

/// See the [module](self).
pub struct GenAlpha {
    implicit: Implicit,
    p: Parameters,
    now: State,
    old: State,
    /// Auxiliary rates (a of v, b of x) of the newest state, for its own step size.
    aux: Vec<f64>,
    /// The same for the step size of the attempt.
    scaled: Vec<f64>,
    /// The same at the end of the attempt.
    aux_next: Vec<f64>,
    /// `a - vdot` before a step; its change over the step after it.
    increment: Vec<f64>,
    /// `b_{n+1} - xdot_n` of the last accepted step and of the attempt, and the same of accelerations.
    state_change: [Vec<f64>; 2],
    rate_change: [Vec<f64>; 2],
    error: Vec<f64>,
    differential: Vec<bool>,
    h: f64,
    stage: Stage,
    /// Rates of the coordinates of a chart at the old, the newest and the trial state, for dense
    /// output; empty without a chart.
    slopes: [Vec<f64>; 3],
}

impl GenAlpha {
    /// A member of the family, over the given parts.
    pub fn new(implicit: Implicit, p: Parameters) -> GenAlpha {
        GenAlpha {
            implicit,
            p,
            now: State::default(),
            old: State::default(),
            aux: Vec::new(),
            scaled: Vec::new(),
            aux_next: Vec::new(),
            increment: Vec::new(),
            state_change: Default::default(),
            rate_change: Default::default(),
            error: Vec::new(),
            differential: Vec::new(),
            h: 0.0,
            stage: Stage::default(),
            slopes: Default::default(),
        }
    }

    /// Moves the base of a chart to the newest state.
    fn rebase(&mut self, sys: &mut dyn System) {
        let GenAlpha {
            now, old, slopes, ..
        } = self;
        if let Some(chart) = sys.chart_mut()
            && chart.rebase(now.t, &now.q)
        {
            for (s, slope) in [old, now].into_iter().zip(slopes) {
                chart.carry(s.t, &mut s.q, &mut s.v);
                chart.rate(&s.q, &s.v, slope);
            }
        }
    }

    /// Auxiliary rates for a step of another size.
    fn rescale(&mut self, h: f64) {
        let r = h / self.h;
        self.scaled.copy_from_slice(&self.aux);
        if r == 1.0 {
            return;
        }
        let nv = self.now.v.len();
        let rates = self.now.a.iter().chain(&self.now.xdot);
        for (d, (a, rate)) in self.increment.iter_mut().zip(self.aux.iter().zip(rates)) {
            *d = a - rate;
        }
        if self.implicit.form.filters() {
            let (mechanical, _) = self.increment.split_at_mut(nv);
            if RESCALE_OUTSIDE.contains(&r) || !self.implicit.filter(mechanical) {
                mechanical.fill(0.0);
            }
        }
        for (s, d) in self.scaled.iter_mut().zip(&self.increment) {
            *s += (r - 1.0) * d;
        }
    }

    fn predict(&mut self, h: f64) {
        let p = self.p;
        let st = &mut self.stage;
        st.h = h;
        st.link = Link {
            qdot: p.gamma / (p.beta * h),
            vdot: p.eta / (p.gamma * h),
        };
        st.s.t = self.now.t + h;
        let rate = |a: f64, rate: f64| {
            (p.alpha_m * a + (1.0 - p.alpha_m - p.alpha_f) * rate) / (1.0 - p.alpha_f)
        };
        let (aux_v, aux_x) = self.scaled.split_at(self.now.v.len());
        for (i, &a) in aux_v.iter().enumerate() {
            let (q, v, vdot) = (self.now.q[i], self.now.v[i], self.now.a[i]);
            st.s.q[i] = q + h * v + h * h * ((0.5 - p.beta) * a + p.beta * vdot);
            st.s.v[i] = v + h * ((1.0 - p.gamma) * a + p.gamma * vdot);
            st.qdot[i] = st.s.v[i];
            st.s.a[i] = rate(a, vdot);
        }
        let span = self.now.t - self.old.t;
        let ahead = if span > 0.0 { h / span } else { 0.0 };
        for (i, &b) in aux_x.iter().enumerate() {
            let (x, xdot) = (self.now.x[i], self.now.xdot[i]);
            if self.differential[i] {
                st.s.x[i] = x + h * ((1.0 - p.gamma) * b + p.gamma * xdot);
                st.s.xdot[i] = rate(b, xdot);
            } else {
                st.s.x[i] = x + ahead * (x - self.old.x[i]);
            }
        }
        for (i, l) in st.s.lambda.iter_mut().enumerate() {
            let now = self.now.lambda[i];
            *l = now + ahead * (now - self.old.lambda[i]);
        }
        st.clear_increments();
    }

    /// Error over tolerance and the unknown that rules it.
    fn estimate(&mut self, w: &Weights) -> (f64, Row) {
        let h = self.stage.h;
        let nv = self.now.v.len();
        let per_v = 1.0 / (self.p.gamma * h);
        let factor = self.p.position_error(h, self.h);
        for i in 0..nv {
            let x = per_v * self.stage.dv[i];
            self.aux_next[i] = self.now.a[i] + x;
            self.error[i] = factor * (self.aux_next[i] - self.scaled[i]);
        }
        let q = peak(&self.error[..nv], &w.q);
        let mut worst = (q.norm, Row::Position(q.index));
        let v = self.velocity_error(h, w);
        if v.0 > worst.0 || v.0.is_nan() {
            worst = v;
        }
        if self.now.x.is_empty() {
            return worst;
        }
        let r = h / self.h;
        for i in 0..self.now.x.len() {
            let x = per_v * self.stage.dx[i];
            self.aux_next[nv + i] = self.now.xdot[i] + x;
            self.state_change[1][i] = x;
            let change = if self.differential[i] {
                x - r * self.state_change[0][i]
            } else {
                0.0
            };
            self.error[nv + i] = self.p.state_error() * h * change;
        }
        let x = peak(&self.error[nv..], &w.x);
        if x.norm > worst.0 || x.norm.is_nan() {
            worst = (x.norm, Row::State(x.index));
        }
        worst
    }
}

impl GenAlpha {
    /// Error of the velocities over their tolerance, where they are controlled.
    fn velocity_error(&mut self, h: f64, w: &Weights) -> (f64, Row) {
        let nv = self.now.v.len();
        let (r, per_v) = (h / self.h, 1.0 / (self.p.gamma * h));
        let first = self.p.gamma - 0.5 + self.p.delta;
        for i in 0..nv {
            self.rate_change[1][i] = per_v * self.stage.dv[i];
        }
        // rounding of the coefficients is no error of order 1
        let of_order_1 = first.abs() > 1e-12;
        if !of_order_1 && !w.controls_velocities() {
            return (0.0, Row::Velocity(0));
        }
        let second = self.p.state_error();
        for (i, d) in self.increment[..nv].iter_mut().enumerate() {
            let [before, now] = [self.rate_change[0][i], self.rate_change[1][i]];
            *d = h * second * (now - r * before);
            if of_order_1 {
                *d += h * first * now;
            }
        }
        if self.implicit.form.filters() {
            let _ = self.implicit.filter(&mut self.increment[..nv]);
        }
        let v = peak(&self.increment[..nv], &w.v);
        (v.norm, Row::Velocity(v.index))
    }
}

impl Stepper for GenAlpha {
    fn wants_jerk(&self) -> bool {
        true
    }

    fn keeps_step(&self) -> bool {
        true
    }

    fn bind(&mut self, sys: &mut dyn System, keep: &Rows) {
        self.implicit.bind(sys, keep);
        let dims = sys.dims();
        self.aux = vec![0.0; dims.nv + dims.nx];
        self.scaled = self.aux.clone();
        self.aux_next = self.aux.clone();
        self.increment = self.aux.clone();
        self.error = self.aux.clone();
        self.state_change = [vec![0.0; dims.nx], vec![0.0; dims.nx]];
        self.rate_change = [vec![0.0; dims.nv], vec![0.0; dims.nv]];
        self.differential.clone_from(&sys.facts().differential);
        self.now = State::new(dims);
        self.old = State::new(dims);
        self.stage = Stage::new(dims);
        self.stage.rates = Rates::Tangent;
        let slopes = if sys.chart().is_some() { dims.nv } else { 0 };
        self.slopes = std::array::from_fn(|_| vec![0.0; slopes]);
    }

    fn start(&mut self, sys: &dyn System, s: &State, jerk: &[f64], h: f64) {
        self.implicit.restart();
        // a_0 approximates the acceleration at t_0 + Delta h; without the shift the multipliers of
        // the stabilised form and the first-order states lose an order at first
        let shift = self.p.delta * h;
        let rates = s.a.iter().chain(&s.xdot).zip(jerk);
        for (aux, (rate, change)) in self.aux.iter_mut().zip(rates) {
            *aux = rate + shift * change;
        }
        // as if a step of this size lay behind: b_{n+1} - xdot_n = (1 + Delta) h xddot
        let ahead = (1.0 + self.p.delta) * h;
        let of_states = &jerk[s.v.len().min(jerk.len())..];
        for (change, xddot) in self.state_change[0].iter_mut().zip(of_states) {
            *change = ahead * xddot;
        }
        for (change, jerk) in self.rate_change[0].iter_mut().zip(jerk) {
            *change = ahead * jerk;
        }
        if let Some(chart) = sys.chart() {
            for slope in &mut self.slopes {
                chart.rate(&s.q, &s.v, slope);
            }
        }
        self.now.copy_from(s);
        self.old.copy_from(s);
        self.h = h;
    }

    fn attempt(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        next: Choice,
    ) -> Result<Trial, Retry> {
        self.rebase(sys);
        self.rescale(next.h);
        self.predict(next.h);
        let iterations = self.implicit.solve(sys, w, stats, &mut self.stage)?;
        if let Some(chart) = sys.chart() {
            let s = &self.stage.s;
            chart.rate(&s.q, &s.v, &mut self.slopes[2]);
        }
        let (err, worst) = self.estimate(w);
        Ok(Trial {
            err: [f64::INFINITY, f64::INFINITY, err, f64::INFINITY],
            difference: [f64::INFINITY, f64::INFINITY, err, f64::INFINITY],
            order: 2,
            worst,
            iterations,
            contraction: 0.0,
            rate: w.rate(),
        })
    }

    fn accept(&mut self) {
        std::mem::swap(&mut self.old, &mut self.now);
        self.now.copy_from(&self.stage.s);
        self.aux.copy_from_slice(&self.aux_next);
        let [old, now, next] = &mut self.slopes;
        if !next.is_empty() {
            std::mem::swap(old, now);
            std::mem::swap(now, next);
        }
        self.state_change.swap(0, 1);
        self.rate_change.swap(0, 1);
        self.h = self.stage.h;
        self.implicit.accepted();
    }

    fn state(&self) -> &State {
        &self.now
    }

    /// Cubic Hermite polynomials: of `q` through positions and velocities, of `v` and `x` through
    /// themselves and their rates.
    fn interpolate(&self, t: f64, out: &mut State) {
        let (old, now) = (&self.old, &self.now);
        let h = now.t - old.t;
        let theta = if h > 0.0 { (t - old.t) / h } else { 1.0 };
        let slopes = match &self.slopes {
            [old, now, _] if !now.is_empty() => [&old[..], now],
            _ => [&old.v[..], &now.v],
        };
        hermite(theta, h, [&old.q, &now.q], slopes, &mut out.q);
        hermite(theta, h, [&old.v, &now.v], [&old.a, &now.a], &mut out.v);
        hermite(
            theta,
            h,
            [&old.x, &now.x],
            [&old.xdot, &now.xdot],
            &mut out.x,
        );
        out.a.copy_from_slice(&now.a);
        out.xdot.copy_from_slice(&now.xdot);
        out.lambda.copy_from_slice(&now.lambda);
        out.t = t;
    }

    fn reach(&self) -> f64 {
        ITERATIONS_REACH
    }

    fn extrapolate(&self, t: f64, out: &mut State) -> f64 {
        self.interpolate(t, out);
        astray(&[self.now.t, self.old.t], 2, t)
    }

    fn max_order(&self) -> usize {
        2
    }

    fn following(&self) -> Option<Following> {
        self.implicit.jacobian.following()
    }

    fn memory(&mut self, m: &mut Memory) {
        let GenAlpha {
            implicit,
            p,
            now,
            old,
            aux,
            // all of these are made by the next attempt before they are used
            scaled: _,
            aux_next: _,
            increment: _,
            error: _,
            differential: _,
            stage: _,
            slopes: [slope_old, slope_now, _],
            state_change: [state_change, _],
            rate_change: [rate_change, _],
            h,
        } = self;
        m.section("alpha");
        m.same(p.alpha_m.to_bits());
        m.same(p.alpha_f.to_bits());
        m.same(p.beta.to_bits());
        m.same(p.gamma.to_bits());
        now.memory(m);
        old.memory(m);
        m.slice(aux);
        m.slice(state_change);
        m.slice(rate_change);
        m.slice(slope_old);
        m.slice(slope_now);
        m.f64(h);
        implicit.memory(m);
    }
}

fn hermite(theta: f64, h: f64, x: [&[f64]; 2], xdot: [&[f64]; 2], out: &mut [f64]) {
    let back = theta - 1.0;
    let to_new = theta * theta * (3.0 - 2.0 * theta);
    let slope_old = h * theta * back * back;
    let slope_new = h * theta * theta * back;
    for (i, o) in out.iter_mut().enumerate() {
        *o = x[0][i]
            + to_new * (x[1][i] - x[0][i])
            + slope_old * xdot[0][i]
            + slope_new * xdot[1][i];
    }
}
