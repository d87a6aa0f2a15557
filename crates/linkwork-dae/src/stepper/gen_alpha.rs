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
//! `x = a_{n+1} - vdot_n = (1 + Delta) h q'''`, hence `err = c h^2 x` with `c = kappa/(1 + Delta)`.
//!
//! Bad at: tight tolerances (order 2); rho near 1 leaves multiplier noise undamped in index 3.

use super::{Choice, Stepper, Trial};
use crate::corrector::Retry;
use crate::implicit::Implicit;
use crate::state::{Link, Stage, State, Weights, peak};
use crate::stats::Stats;
use crate::system::{Row, Rows, System};

/// Spectral radius at infinity that serves index 3 best: less damping of the constraint modes
/// costs steps and multiplier noise and gains no accuracy.
pub const DEFAULT_RHO: f64 = 0.6;

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
    error: f64,
}

impl Parameters {
    /// The family member with spectral radius `rho` at infinity.
    pub fn from_rho(rho: f64) -> Parameters {
        let alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        let alpha_f = rho / (rho + 1.0);
        let delta = alpha_m - alpha_f;
        let gamma = 0.5 - delta;
        let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
        Parameters {
            alpha_m,
            alpha_f,
            gamma,
            beta,
            eta: (1.0 - alpha_m) / (1.0 - alpha_f),
            delta,
            error: (beta + 0.5 * delta - 1.0 / 6.0) / (1.0 + delta),
        }
    }
}

/// See the [module](self).
pub struct GenAlpha {
    implicit: Implicit,
    p: Parameters,
    now: State,
    old: State,
    /// Auxiliary acceleration of the newest state, for its own step size.
    aux: Vec<f64>,
    /// The same for the step size of the attempt.
    scaled: Vec<f64>,
    /// Auxiliary acceleration at the end of the attempt.
    aux_next: Vec<f64>,
    /// `a - vdot` before a step, `x` after it.
    increment: Vec<f64>,
    h: f64,
    stage: Stage,
}

impl GenAlpha {
    /// The family member with spectral radius `rho`, over the given parts.
    pub fn new(implicit: Implicit, rho: f64) -> GenAlpha {
        GenAlpha {
            implicit,
            p: Parameters::from_rho(rho),
            now: State::default(),
            old: State::default(),
            aux: Vec::new(),
            scaled: Vec::new(),
            aux_next: Vec::new(),
            increment: Vec::new(),
            h: 0.0,
            stage: Stage::default(),
        }
    }

    /// Auxiliary acceleration for a step of another size.
    fn rescale(&mut self, h: f64) {
        let r = h / self.h;
        self.scaled.copy_from_slice(&self.aux);
        let tangential_only = self.implicit.form.filters();
        if r == 1.0 || (tangential_only && RESCALE_OUTSIDE.contains(&r)) {
            return;
        }
        for (d, (a, vdot)) in self
            .increment
            .iter_mut()
            .zip(self.aux.iter().zip(&self.now.a))
        {
            *d = a - vdot;
        }
        if tangential_only && !self.implicit.filter(&mut self.increment) {
            return;
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
        for i in 0..self.aux.len() {
            let (q, v, vdot, a) = (self.now.q[i], self.now.v[i], self.now.a[i], self.scaled[i]);
            st.s.q[i] = q + h * v + h * h * ((0.5 - p.beta) * a + p.beta * vdot);
            st.s.v[i] = v + h * ((1.0 - p.gamma) * a + p.gamma * vdot);
            st.qdot[i] = st.s.v[i];
            st.s.a[i] = (p.alpha_m * a + (1.0 - p.alpha_m - p.alpha_f) * vdot) / (1.0 - p.alpha_f);
        }
        let span = self.now.t - self.old.t;
        let ahead = if span > 0.0 { h / span } else { 0.0 };
        for (i, l) in st.s.lambda.iter_mut().enumerate() {
            let now = self.now.lambda[i];
            *l = now + ahead * (now - self.old.lambda[i]);
        }
        st.clear_increments();
    }
}

impl Stepper for GenAlpha {
    fn wants_jerk(&self) -> bool {
        true
    }

    fn start(&mut self, sys: &mut dyn System, keep: &Rows, s: &State, jerk: &[f64], h: f64) {
        self.implicit.bind(sys, keep);
        // a_0 approximates the acceleration at t_0 + Delta h; without the shift the multipliers of
        // the stabilised form lose an order at first
        self.aux =
            s.a.iter()
                .zip(jerk)
                .map(|(a, j)| a + self.p.delta * h * j)
                .collect();
        self.scaled = self.aux.clone();
        self.aux_next = self.aux.clone();
        self.increment = self.aux.clone();
        self.now = s.clone();
        self.old = s.clone();
        self.h = h;
        self.stage = Stage::new(sys.dims());
    }

    fn attempt(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        next: Choice,
    ) -> Result<Trial, Retry> {
        let h = next.h;
        self.rescale(h);
        self.predict(h);
        let iterations = self.implicit.solve(sys, w, stats, &mut self.stage)?;
        let per_v = 1.0 / (self.p.gamma * h);
        for i in 0..self.aux.len() {
            let x = per_v * self.stage.dv[i];
            self.increment[i] = x;
            self.aux_next[i] = self.now.a[i] + x;
        }
        let worst = peak(&self.increment, &w.q);
        let err = self.p.error * h * h * worst.norm;
        Ok(Trial {
            err: [f64::INFINITY, f64::INFINITY, err, f64::INFINITY],
            order: 2,
            worst: Row::Position(worst.index),
            iterations,
        })
    }

    fn accept(&mut self) {
        std::mem::swap(&mut self.old, &mut self.now);
        self.now.copy_from(&self.stage.s);
        self.aux.copy_from_slice(&self.aux_next);
        self.h = self.stage.h;
        self.implicit.accepted();
    }

    fn state(&self) -> &State {
        &self.now
    }

    /// Cubic Hermite polynomials: of `q` through positions and velocities, of `v` through
    /// velocities and accelerations.
    fn interpolate(&self, t: f64, out: &mut State) {
        let h = self.now.t - self.old.t;
        let theta = if h > 0.0 { (t - self.old.t) / h } else { 1.0 };
        hermite(
            theta,
            h,
            [&self.old.q, &self.now.q],
            [&self.old.v, &self.now.v],
            &mut out.q,
        );
        hermite(
            theta,
            h,
            [&self.old.v, &self.now.v],
            [&self.old.a, &self.now.a],
            &mut out.v,
        );
        out.a.copy_from_slice(&self.now.a);
        out.lambda.copy_from_slice(&self.now.lambda);
        out.t = t;
    }

    fn max_order(&self) -> usize {
        2
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
