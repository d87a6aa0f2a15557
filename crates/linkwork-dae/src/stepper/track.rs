//! What every explicit stepper carries along: equations, the last points, the trial point.

use super::dense::Dense;
use crate::corrector::Retry;
use crate::memory::Memory;
use crate::ode::{self, Ode};
use crate::state::State;
use crate::stats::Stats;
use crate::system::{Row, Rows, System};

/// The accepted point, the trial point, and the way here.
pub(super) struct Track {
    pub ode: Ode,
    /// Newest accepted state.
    pub now: State,
    /// End of the attempt.
    pub next: State,
    /// `y` and `y'` of the newest accepted state.
    pub y: Vec<f64>,
    pub f: Vec<f64>,
    /// The same at the end of the attempt.
    pub y_next: Vec<f64>,
    pub f_next: Vec<f64>,
    pub dense: Dense,
    /// A velocity.
    flow: Vec<f64>,
}

impl Track {
    pub fn memory(&mut self, m: &mut Memory) {
        let Track {
            ode,
            now,
            next: _,
            y,
            f,
            y_next: _,
            f_next: _,
            dense,
            flow: _,
        } = self;
        ode.memory(m);
        now.memory(m);
        m.slice(y);
        m.slice(f);
        dense.memory(m);
    }

    pub fn new(ode: Ode) -> Track {
        Track {
            ode,
            now: State::default(),
            next: State::default(),
            y: Vec::new(),
            f: Vec::new(),
            y_next: Vec::new(),
            f_next: Vec::new(),
            dense: Dense::default(),
            flow: Vec::new(),
        }
    }

    /// Binds to a system; `points` is the room for dense output.
    pub fn bind(&mut self, sys: &dyn System, keep: &Rows, points: usize) {
        self.ode.bind(sys, keep);
        let dims = sys.dims();
        self.now = State::new(dims);
        self.next = State::new(dims);
        let n = self.ode.size();
        for x in [&mut self.y, &mut self.f, &mut self.y_next, &mut self.f_next] {
            *x = vec![0.0; n];
        }
        self.dense.reset(points, n);
        self.flow = vec![0.0; dims.nv];
    }

    /// Starts at a consistent state.
    pub fn start(&mut self, sys: &dyn System, s: &State) {
        self.ode.advance();
        self.now.copy_from(s);
        self.next.copy_from(s);
        ode::pack(s, &mut self.y);
        ode::pack_rates(sys, s, &mut self.f);
        self.y_next.copy_from_slice(&self.y);
        self.f_next.copy_from_slice(&self.f);
        self.dense.forget();
        self.dense.push(s.t, &self.y, &self.f);
    }

    /// Adds a consistent state as the newest point.
    pub fn push(&mut self, sys: &dyn System, s: &State) {
        self.now.copy_from(s);
        ode::pack(s, &mut self.y);
        ode::pack_rates(sys, s, &mut self.f);
        self.dense.push(s.t, &self.y, &self.f);
    }

    /// Begins an attempt at the newest accepted point.
    pub fn begin(&mut self, sys: &mut dyn System, stats: &mut Stats) -> Result<(), Retry> {
        self.ode.begin(sys, stats, &self.now)
    }

    /// Takes over new rates at the newest point.
    pub fn renew(&mut self, sys: &dyn System, s: &State) {
        self.now.copy_from(s);
        ode::pack_rates(sys, s, &mut self.f);
    }

    /// Moves the base of a chart to the newest accepted point and carries all points along;
    /// `false`: it is there, and nothing changes.
    pub fn rebase(&mut self, sys: &mut dyn System) -> bool {
        let now = &mut self.now;
        let Some(chart) = sys.chart_mut() else {
            return false;
        };
        if !chart.rebase(now.t, &now.q) {
            return false;
        }
        let nv = now.v.len();
        chart.carry(now.t, &mut now.q, &mut now.v);
        // what relaxes has rates that are not those of its velocities alone
        let relaxes = self.ode.relaxes();
        let newest = [(now.t, &mut self.y, &mut self.f)];
        for (t, y, f) in newest.into_iter().chain(self.dense.points()) {
            let (q, rest) = y.split_at_mut(nv);
            let qdot = &mut f[..nv];
            if relaxes {
                chart.tangent(q, qdot, &mut self.flow);
            }
            chart.carry(t, q, &mut rest[..nv]);
            if !relaxes {
                self.flow.copy_from_slice(&rest[..nv]);
            }
            chart.rate(q, &self.flow, qdot);
        }
        true
    }

    /// The right-hand side at a point of the attempt.
    pub fn rates(
        &mut self,
        sys: &mut dyn System,
        stats: &mut Stats,
        t: f64,
        y: &[f64],
        ydot: &mut [f64],
    ) -> Result<(), Retry> {
        self.check(y)?;
        self.ode.rates(sys, stats, t, y, ydot)
    }

    /// Holds the constraints at `y_next` and evaluates there.
    pub fn land(&mut self, sys: &mut dyn System, stats: &mut Stats, h: f64) -> Result<(), Retry> {
        self.check(&self.y_next)?;
        let t = self.now.t + h;
        self.ode.land(
            sys,
            stats,
            t,
            &mut self.y_next,
            &mut self.f_next,
            &mut self.next,
        )
    }

    /// A step that is far too large grows beyond all numbers within its stages.
    fn check(&self, y: &[f64]) -> Result<(), Retry> {
        match y.iter().position(|x| !x.is_finite()) {
            None => Ok(()),
            Some(i) => Err(Retry::Diverged {
                rate: f64::INFINITY,
                worst: self.row(i),
            }),
        }
    }

    fn row(&self, i: usize) -> Row {
        let nv = self.now.v.len();
        match i.checked_sub(2 * nv) {
            Some(k) => Row::State(k),
            None if i < nv => Row::Position(i),
            None => Row::Velocity(i - nv),
        }
    }

    /// Makes the attempt the newest accepted point.
    pub fn accept(&mut self) {
        self.ode.advance();
        std::mem::swap(&mut self.now, &mut self.next);
        std::mem::swap(&mut self.y, &mut self.y_next);
        std::mem::swap(&mut self.f, &mut self.f_next);
        self.dense.push(self.now.t, &self.y, &self.f);
    }

    /// The motion within the last step from up to `points` points.
    pub fn interpolate(&self, t: f64, points: usize, out: &mut State) {
        let weights = self.dense.weights(t, points);
        self.fill(t, out, |i, _| self.dense.value(&weights, i));
    }

    /// The motion that up to `points` points promise beyond the last step, and how far it is astray.
    pub fn extrapolate(&self, t: f64, points: usize, out: &mut State) -> f64 {
        self.interpolate(t, points, out);
        self.dense.astray(t, points)
    }

    /// A state at `t` from a function of the index and the newest value of each entry of `y`.
    pub fn fill(&self, t: f64, out: &mut State, value: impl Fn(usize, f64) -> f64) {
        out.copy_from(&self.now);
        out.t = t;
        let parts = [&mut out.q, &mut out.v, &mut out.x];
        let entries = parts.into_iter().flatten();
        for (i, (o, y)) in entries.zip(&self.y).enumerate() {
            *o = value(i, *y);
        }
    }
}

/// `out = y + h sum_j w_j k_j`, zero weights skipped.
pub(super) fn combine(y: &[f64], h: f64, weights: &[f64], k: &[Vec<f64>], out: &mut [f64]) {
    out.copy_from_slice(y);
    for (w, k) in weights.iter().zip(k).filter(|(w, _)| **w != 0.0) {
        let c = h * w;
        for (o, k) in out.iter_mut().zip(k) {
            *o += c * k;
        }
    }
}
