//! Backward differentiation formulas, variable step, orders 1 to 5.
//!
//! ```text
//!  qdot = qdot0 + (q - q0)/hhat,   vdot = vdot0 + (v - v0)/hhat,   hhat = h / c_k,  s1 = s2 = 1/hhat
//!  error at order j:  h/tau_{j+1} |D'_{j+1}|  over positions and velocities
//! ```
//!
//! Positions, velocities and multipliers share one difference table; multipliers are predicted from
//! it but never enter the error test. In index 3 the velocity error is tested after the filter of
//! the formulation (Fuehrer & Leimkuhler 1991), which removes a part that does not shrink with the
//! step; the history keeps the unfiltered values. Accelerations are off after a change of the step there, which shakes
//! elastic coordinates: their velocities, and what constraints make of them in others, count as the positions that they
//! stand for, by their own frequencies.
//!
//! Where order 2 stays for long its formula takes a share of the next term that keeps it A-stable
//! (`BLEND` in `history.rs`): that is the formula for fast vibrations, where order control is told by
//! its watch (`control/watch.rs`) to go no higher.
//!
//! Bad at: orders above 2 are unstable near the imaginary axis, so vibrations that must be followed
//! hold the step down; restarts begin at order 1.

use super::history::{Coefficients, History, MAX_ORDER};
use super::{Choice, ITERATIONS_REACH, Stepper, Trial};
use crate::chart;
use crate::corrector::Retry;
use crate::implicit::Implicit;
use crate::jacobian::excitation::Following;
use crate::memory::Memory;
use crate::state::{Link, Stage, State, Weights, peak};
use crate::stats::Stats;
use crate::system::{Dims, Row, Rows, System};

/// How the formula follows a change of the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Coefficients of the actual grid: the robust choice, also in index 3.
    #[default]
    VariableStep,
    /// Predictor of the actual grid, leading coefficient of the equidistant one (DASSL).
    FixedLeading,
    /// Differences re-interpolated onto an equidistant grid. Not robust in index 3, where the
    /// re-interpolated positions put noise over `h` into the velocities.
    QuasiConstant,
    /// The same with the modified leading coefficient of Klopfenstein, Shampine & Reichelt (NDF).
    Numerical,
}

impl Form {
    pub(super) fn equidistant(self) -> bool {
        matches!(self, Form::QuasiConstant | Form::Numerical)
    }
}

/// What the filter hides counts in the end: twice the filtered estimate makes one tolerance give
/// the same error along the motion in index 3 and in the stabilised form (seven-body mechanism,
/// 23 tolerances from 1e-3.5 to 1e-9).
const FILTERED: f64 = 2.0;

/// See the [module](self).
pub struct Bdf {
    form: Form,
    implicit: Implicit,
    dims: Dims,
    history: History,
    now: State,
    stage: Stage,
    attempt: Coefficients,
    /// Which entries of `x` have a derivative and are tested.
    differential: Vec<bool>,
    /// Predicted value and derivative of (q, v, x, lambda), then the increment, padded.
    x0: Vec<f64>,
    xdot0: Vec<f64>,
    delta: Vec<f64>,
    /// Error weights of (q, v, x, lambda), padded; 0 where an entry is not tested.
    weight: Vec<f64>,
    filtered: Vec<f64>,
    /// Coordinates that vibrate by themselves, and their frequencies.
    elastic: Vec<(usize, f64)>,
    /// What their vibrations move too fast to be a change of place, in all velocities.
    shaken: Vec<f64>,
    /// Share of what is filtered and tested besides, in the estimate of the last attempt.
    stretch: f64,
    /// Scratch to carry the history to a new base.
    scratch: Vec<f64>,
    /// Entries of `(q, v)` that a new base changes.
    carried: Vec<usize>,
}

impl Bdf {
    /// A BDF stepper over the given parts.
    pub fn new(implicit: Implicit, form: Form) -> Bdf {
        Bdf {
            form,
            implicit,
            dims: Dims::default(),
            history: History::default(),
            now: State::default(),
            stage: Stage::default(),
            attempt: Coefficients::default(),
            differential: Vec::new(),
            x0: Vec::new(),
            xdot0: Vec::new(),
            delta: Vec::new(),
            weight: Vec::new(),
            filtered: Vec::new(),
            elastic: Vec::new(),
            shaken: Vec::new(),
            stretch: 1.0,
            scratch: Vec::new(),
            carried: Vec::new(),
        }
    }

    /// Differences behind the error estimates of the last attempt, `D'_{k-1}` to `D'_{k+2}` of each
    /// unknown, with its error weight: 0 where it is not tested.
    pub fn differences(&self) -> impl Iterator<Item = ([f64; 4], f64)> {
        let differences = self.history.differences(&self.attempt, &self.delta);
        differences.zip(self.weight.iter().copied())
    }

    /// Moves the base of a chart to the newest state and carries the history along.
    fn rebase(&mut self, sys: &mut dyn System) {
        let now = &mut self.now;
        if let Some(chart) = sys.chart_mut()
            && chart.rebase(now.t, &now.q)
        {
            chart.carry(now.t, &mut now.q, &mut now.v);
            let (n, carried) = (self.dims.nv, &self.carried);
            self.history
                .carry(chart, now.t, n, carried, &mut self.scratch);
        }
    }

    fn predict(&mut self, next: Choice) {
        let Dims { nv, nx, .. } = self.dims;
        let c = self.history.coefficients(next.h, next.order);
        self.history.predict(&c, &mut self.x0, &mut self.xdot0);
        let st = &mut self.stage;
        st.h = next.h;
        let s = c.lead / next.h;
        st.link = Link { qdot: s, vdot: s };
        st.s.t = self.now.t + next.h;
        st.s.q.copy_from_slice(&self.x0[..nv]);
        st.s.v.copy_from_slice(&self.x0[nv..2 * nv]);
        st.s.x.copy_from_slice(&self.x0[2 * nv..2 * nv + nx]);
        let multipliers = self.x0[2 * nv + nx..].iter();
        for (l, x0) in st.s.lambda.iter_mut().zip(multipliers) {
            *l = *x0;
        }
        st.qdot.copy_from_slice(&self.xdot0[..nv]);
        st.s.a.copy_from_slice(&self.xdot0[nv..2 * nv]);
        st.s.xdot.copy_from_slice(&self.xdot0[2 * nv..2 * nv + nx]);
        st.clear_increments();
        self.attempt = c;
    }

    fn estimate(&mut self, w: &Weights, iterations: u32) -> Trial {
        let Dims { nv, nx, .. } = self.dims;
        let c = &self.attempt;
        self.delta[..nv].copy_from_slice(&self.stage.dq);
        self.delta[nv..2 * nv].copy_from_slice(&self.stage.dv);
        self.delta[2 * nv..2 * nv + nx].copy_from_slice(&self.stage.dx);
        let multipliers = self.delta[2 * nv + nx..].iter_mut();
        let predicted = &self.x0[2 * nv + nx..];
        for ((d, l), x0) in multipliers.zip(&self.stage.s.lambda).zip(predicted) {
            *d = l - x0;
        }
        self.weight[..nv].copy_from_slice(&w.q);
        let filters = self.implicit.form.filters();
        if !filters {
            self.weight[nv..2 * nv].copy_from_slice(&w.v);
        }
        let states = self.weight[2 * nv..].iter_mut().zip(&w.x);
        for ((to, w), _) in states.zip(&self.differential).filter(|(_, d)| **d) {
            *to = *w;
        }
        let norms = self.history.norms(c, &self.delta, &self.weight);
        let mut norm = norms.of;
        let mut worst = if norms.worst < nv {
            Row::Position(norms.worst)
        } else if norms.worst < 2 * nv {
            Row::Velocity(norms.worst - nv)
        } else {
            Row::State(norms.worst - 2 * nv)
        };
        if filters {
            // one filtered vector decides acceptance; the other orders follow the positions
            self.filtered.copy_from_slice(&self.stage.dv);
            self.implicit.filter(&mut self.filtered);
            if !self.elastic.is_empty() {
                self.shaken.fill(0.0);
                for &(i, own) in &self.elastic {
                    // in terms of the rate that velocities are weighed by
                    self.shaken[i] = (1.0 - w.rate() / own).max(0.0) * self.filtered[i];
                }
                for &(i, _) in &self.elastic {
                    self.filtered[i] -= self.shaken[i];
                }
                // the others move with them as constraints have it
                self.implicit.filter(&mut self.shaken);
                for &(i, _) in &self.elastic {
                    self.shaken[i] = 0.0;
                }
                for (e, shaken) in self.filtered.iter_mut().zip(&self.shaken) {
                    *e -= shaken;
                }
            }
            let v = peak(&self.filtered, &w.v);
            if v.norm > norm[2] || v.norm.is_nan() {
                worst = Row::Velocity(v.index);
                let ratio = v.norm / norm[2].max(f64::MIN_POSITIVE);
                norm = norm.map(|n| n * ratio);
                norm[2] = v.norm;
            }
            norm = norm.map(|n| FILTERED * n);
            self.stretch = norm[2] / norms.of[2].max(f64::MIN_POSITIVE);
        }
        let k = c.order;
        let mut err = [f64::INFINITY; 4];
        for (i, e) in err.iter_mut().enumerate() {
            if let Some(j) = (k + i).checked_sub(2).filter(|&j| j >= 1) {
                *e = c.error[j] * norm[i];
            }
        }
        if k >= MAX_ORDER {
            err[3] = f64::INFINITY;
        }
        Trial {
            err,
            difference: norm,
            order: k,
            worst,
            iterations,
            contraction: 0.0,
            rate: w.rate(),
        }
    }
}

impl Stepper for Bdf {
    fn bind(&mut self, sys: &mut dyn System, keep: &Rows) {
        let dims = sys.dims();
        self.implicit.bind(sys, keep);
        self.history = History::new(self.form, 2 * dims.nv + dims.nx + dims.rows());
        let width = self.history.width();
        self.x0 = vec![0.0; width];
        self.xdot0 = vec![0.0; width];
        self.delta = vec![0.0; width];
        self.weight = vec![0.0; width];
        self.differential.clone_from(&sys.facts().differential);
        self.filtered = vec![0.0; dims.nv];
        let rates = sys.facts().rate.iter().copied().enumerate();
        self.elastic = rates.filter(|(_, own)| *own > 0.0).collect();
        self.shaken = vec![0.0; dims.nv];
        self.carried = sys.chart().map_or(Vec::new(), |chart| chart.carried());
        self.scratch = vec![0.0; History::scratch(dims.nv, self.carried.len())];
        self.now = State::new(dims);
        self.stage = Stage::new(dims);
        self.dims = dims;
    }

    fn start(&mut self, sys: &dyn System, s: &State, _: &[f64], h: f64) {
        let Dims { nv, nx, .. } = self.dims;
        self.implicit.restart();
        let values = [&s.q[..], &s.v, &s.x, &s.lambda];
        let rates = [&s.a[..], &s.xdot];
        let firsts = [0, nv, 2 * nv, 2 * nv + nx];
        // multipliers have no rate: the last part of the table stays at zero
        self.x0.fill(0.0);
        self.xdot0.fill(0.0);
        for (first, value) in firsts.into_iter().zip(values) {
            self.x0[first..first + value.len()].copy_from_slice(value);
        }
        chart::rate(sys, &s.q, &s.v, &mut self.xdot0[..nv]);
        for (first, rate) in firsts[1..].iter().copied().zip(rates) {
            self.xdot0[first..first + rate.len()].copy_from_slice(rate);
        }
        self.history.start(h, &self.x0, &self.xdot0);
        self.now.copy_from(s);
    }

    /// The history holds positions, velocities and states, which do not jump; multipliers are only
    /// predicted from it.
    fn renew(&mut self, _: &dyn System, _: &State) -> bool {
        true
    }

    fn attempt(
        &mut self,
        sys: &mut dyn System,
        w: &Weights,
        stats: &mut Stats,
        next: Choice,
    ) -> Result<Trial, Retry> {
        self.rebase(sys);
        let order = next.order.clamp(1, self.history.known().min(MAX_ORDER));
        self.predict(Choice { h: next.h, order });
        let iterations = self.implicit.solve(sys, w, stats, &mut self.stage)?;
        Ok(self.estimate(w, iterations))
    }

    fn accept(&mut self) {
        self.history.accept(&self.attempt, &self.x0, &self.delta);
        self.now.copy_from(&self.stage.s);
        self.implicit.accepted();
    }

    fn error_at(&self, order: usize) -> f64 {
        self.stretch * self.history.error_at(order, &self.weight)
    }

    fn state(&self) -> &State {
        &self.now
    }

    fn interpolate(&self, t: f64, out: &mut State) {
        let nv = self.dims.nv;
        let dt = t - self.now.t;
        self.history.interpolate(dt, 0, &mut out.q);
        self.history.interpolate(dt, nv, &mut out.v);
        self.history.interpolate(dt, 2 * nv, &mut out.x);
        out.xdot.copy_from_slice(&self.now.xdot);
        out.a.copy_from_slice(&self.now.a);
        out.lambda.copy_from_slice(&self.now.lambda);
        out.t = t;
    }

    fn reach(&self) -> f64 {
        ITERATIONS_REACH
    }

    fn extrapolate(&self, t: f64, out: &mut State) -> f64 {
        self.interpolate(t, out);
        self.history.astray(t - self.now.t)
    }

    fn takes_history(&self) -> bool {
        true
    }

    fn seed(&mut self, _: &dyn System, states: &[State], h: f64) {
        let Some(newest) = states.last() else {
            return;
        };
        let Dims { nv, nx, .. } = self.dims;
        self.implicit.restart();
        self.x0.fill(0.0);
        self.history.clear(h);
        for s in states {
            self.x0[..nv].copy_from_slice(&s.q);
            self.x0[nv..2 * nv].copy_from_slice(&s.v);
            self.x0[2 * nv..2 * nv + nx].copy_from_slice(&s.x);
            let multipliers = self.x0[2 * nv + nx..].iter_mut();
            for (x, lambda) in multipliers.zip(&s.lambda) {
                *x = *lambda;
            }
            self.history.push(&self.x0);
        }
        self.history.seal();
        self.now.copy_from(newest);
    }

    fn span(&self, order: usize) -> usize {
        order + 1
    }

    fn max_order(&self) -> usize {
        MAX_ORDER
    }

    fn adds_up(&self, _: usize) -> bool {
        true
    }

    fn following(&self) -> Option<Following> {
        self.implicit.jacobian.following()
    }

    fn memory(&mut self, m: &mut Memory) {
        let Bdf {
            form,
            implicit,
            dims: _,
            history,
            now,
            // all of these are made by the next attempt before they are used
            stage: _,
            attempt: _,
            differential: _,
            x0: _,
            xdot0: _,
            delta: _,
            weight: _,
            filtered: _,
            elastic: _,
            shaken: _,
            stretch: _,
            scratch: _,
            carried: _,
        } = self;
        m.section("bdf");
        m.same(*form as u64);
        history.memory(m);
        now.memory(m);
        implicit.memory(m);
    }
}
