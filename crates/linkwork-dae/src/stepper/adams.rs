//! Adams methods of variable step and order 1 to 12, as predictor and corrector with local
//! extrapolation (PECE), in modified divided differences (Shampine & Gordon 1975).
//!
//! ```text
//!  psi_1 = h, psi_{i+1} = h + psi_i(old)      alpha_i = h / psi_i
//!  beta_1 = 1, beta_{i+1} = beta_i psi_i / psi_i(old)         phi*_i = beta_i phi_i
//!  g_{1,q} = 1/q, g_{2,q} = 1/(q (q+1)), g_{i,q} = g_{i-1,q} - alpha_{i-1} g_{i-1,q+1}
//!
//!  P  p = y + h sum_{i<=k} g_{i,1} phi*_i          E  e = f(p) - sum_{i<=k} phi*_i
//!  C  y = p + h g_{k+1,1} e                        E  f(y), after the projection
//!  error = h (g_{k+1,1} - g_{k,1}) e
//! ```
//!
//! The result has order k+1. The projection moves `y` by the local error of the step at most, and
//! the history holds the rates *at* the projected points. Bad at: stiff systems (it says so), and
//! motions with frequent restarts.

use super::dense::MAX_POINTS;
use super::stiffness::Stiffness;
use super::track::Track;
use super::{Choice, Stepper, Trial};
use crate::corrector::Retry;
use crate::memory::Memory;
use crate::ode::{Ode, measure};
use crate::state::{State, Weights};
use crate::stats::Stats;
use crate::system::{Row, Rows, System};

/// Highest order of the predictor.
pub const MAX_ORDER: usize = 12;
/// Differences kept: two more than the order.
const TERMS: usize = MAX_ORDER + 2;
/// Steps at the limit of stability that count as evidence (Shampine & Gordon 1975, chapter 8).
const PATIENCE: u32 = 50;
/// `h |lambda|` at that limit: where accuracy rules the step the rate that predictor and corrector
/// show stays below 0.5 per step, at the limit it is around 0.8.
const STABILITY: f64 = 0.7;

/// Coefficients of a step.
struct Coefficients {
    psi: [f64; TERMS],
    beta: [f64; TERMS],
    /// `g_{i,1}`, from index 0 on.
    g: [f64; TERMS],
    /// Factors `sigma_i` of the error at constant step.
    sigma: [f64; TERMS],
}

impl Coefficients {
    /// For order `k` and a step `h` after steps with sums `psi`.
    fn new(k: usize, h: f64, old: &[f64; TERMS]) -> Coefficients {
        let mut c = Coefficients {
            psi: [h; TERMS],
            beta: [1.0; TERMS],
            g: [1.0; TERMS],
            sigma: [1.0; TERMS],
        };
        let mut alpha = [1.0; TERMS];
        for i in 1..=k {
            c.psi[i] = h + old[i - 1];
            c.beta[i] = c.beta[i - 1] * c.psi[i - 1] / old[i - 1];
            alpha[i] = h / c.psi[i];
            c.sigma[i] = i as f64 * alpha[i - 1] * c.sigma[i - 1];
        }
        let mut column = [0.0; TERMS + 2];
        for (q, x) in (1..).zip(&mut column) {
            *x = 1.0 / f64::from(q);
        }
        c.g[0] = column[0];
        for i in 1..=k {
            for q in 0..=k + 1 - i {
                column[q] = if i == 1 {
                    1.0 / ((q + 1) * (q + 2)) as f64
                } else {
                    column[q] - alpha[i - 1] * column[q + 1]
                };
            }
            c.g[i] = column[0];
        }
        c
    }
}

/// `|gamma*_k|`, the error constants at constant step: `sum_{j<=m} gamma*_j / (m + 1 - j) = 0`.
fn error_constants() -> [f64; TERMS] {
    let mut gamma = [1.0; TERMS];
    for m in 1..TERMS {
        gamma[m] = -(0..m).map(|j| gamma[j] / (m + 1 - j) as f64).sum::<f64>();
    }
    gamma.map(f64::abs)
}

/// See the [module](self).
pub struct Adams {
    track: Track,
    /// Modified divided differences of the rates at the newest point, and those scaled for the
    /// attempt.
    phi: Vec<Vec<f64>>,
    scaled: Vec<Vec<f64>>,
    /// How many differences are known.
    known: usize,
    psi: [f64; TERMS],
    psi_next: [f64; TERMS],
    error_constant: [f64; TERMS],
    predicted: Vec<f64>,
    predicted_rates: Vec<f64>,
    /// Sum of the scaled differences: the rates that the history predicts.
    expected: Vec<f64>,
    error: Vec<f64>,
    /// Equal steps in a row.
    constant: usize,
    h: f64,
    h_next: f64,
    order: usize,
    stiffness: Stiffness,
    rate: f64,
    /// Positions and velocities behind the differences, newest first; empty without a chart.
    nodes: Vec<Vec<f64>>,
}

impl Adams {
    /// Adams methods over the given equations.
    pub fn new(ode: Ode) -> Adams {
        Adams {
            track: Track::new(ode),
            phi: Vec::new(),
            scaled: Vec::new(),
            known: 0,
            psi: [0.0; TERMS],
            psi_next: [0.0; TERMS],
            error_constant: error_constants(),
            predicted: Vec::new(),
            predicted_rates: Vec::new(),
            expected: Vec::new(),
            error: Vec::new(),
            constant: 0,
            h: 0.0,
            h_next: 0.0,
            order: 1,
            stiffness: Stiffness::default(),
            rate: 0.0,
            nodes: Vec::new(),
        }
    }

    /// Moves the base of a chart to the newest point. Differences of rates follow from the points
    /// they are differences of, so the change of coordinates is exact.
    fn rebase(&mut self, sys: &mut dyn System) {
        if !self.track.rebase(sys) {
            return;
        }
        let Some(chart) = sys.chart() else {
            return;
        };
        let nv = self.track.now.v.len();
        let mut t = self.track.now.t;
        for (j, node) in self.nodes[..self.known].iter_mut().enumerate() {
            let (q, v) = node.split_at_mut(nv);
            chart.carry(t, q, v);
            chart.rate(q, v, &mut self.phi[j][..nv]);
            t = self.track.now.t - self.psi[j];
        }
        // phi_i = psi_1 .. psi_{i-1} [f_n, .., f_{n-i+1}]
        let psi = |j: usize| if j == 0 { 0.0 } else { self.psi[j - 1] };
        for level in 1..self.known {
            for j in (level..self.known).rev() {
                let per_gap = 1.0 / (psi(j) - psi(j - level));
                let (newer, older) = self.phi.split_at_mut(j);
                for (older, newer) in older[0][..nv].iter_mut().zip(&newer[j - 1]) {
                    *older = per_gap * (newer - *older);
                }
            }
        }
        let mut product = 1.0;
        for j in 1..self.known {
            product *= psi(j);
            for x in &mut self.phi[j][..nv] {
                *x *= product;
            }
        }
    }

    /// Adds the newest point to those behind the differences.
    fn note_point(&mut self) {
        if let Some(mut oldest) = self.nodes.pop() {
            let width = oldest.len();
            oldest.copy_from_slice(&self.track.y[..width]);
            self.nodes.insert(0, oldest);
        }
    }

    fn predict(&mut self, k: usize, c: &Coefficients) {
        let terms = self.known.min(k + 1);
        for i in 0..terms {
            for (s, phi) in self.scaled[i].iter_mut().zip(&self.phi[i]) {
                *s = c.beta[i] * phi;
            }
        }
        self.predicted.copy_from_slice(&self.track.y);
        self.expected.fill(0.0);
        // from the smallest term up
        for i in (0..k).rev() {
            let g = self.h_next * c.g[i];
            let sums = self.predicted.iter_mut().zip(&mut self.expected);
            for ((p, e), s) in sums.zip(&self.scaled[i]) {
                *p += g * s;
                *e += s;
            }
        }
    }

    /// Weighted norm of `e` plus the last `terms` scaled differences of order `k`.
    fn size(&mut self, k: usize, terms: usize, w: &Weights) -> (f64, Row) {
        let rates = self.predicted_rates.iter().zip(&self.expected);
        for (o, (f, e)) in self.error.iter_mut().zip(rates) {
            *o = f - e;
        }
        for s in &self.scaled[k - terms..k] {
            for (o, s) in self.error.iter_mut().zip(s) {
                *o += s;
            }
        }
        measure(&self.error, w)
    }

    /// Errors over tolerance at orders k-2, k-1, k and k+1.
    fn errors(&mut self, k: usize, c: &Coefficients, w: &Weights) -> ([f64; 4], Row) {
        let h = self.h_next.abs();
        let mut err = [f64::INFINITY; 4];
        let (size, worst) = self.size(k, 0, w);
        let at_constant_step = c.sigma[k] * self.error_constant[k];
        err[2] = h * size * at_constant_step.max((c.g[k] - c.g[k - 1]).abs());
        if k >= 2 {
            let factor = h * c.sigma[k - 1] * self.error_constant[k - 1];
            err[1] = factor * self.size(k, 1, w).0;
        }
        if k >= 3 {
            let factor = h * c.sigma[k - 2] * self.error_constant[k - 2];
            err[0] = factor * self.size(k, 2, w).0;
        }
        // only on a constant grid is the next difference worth something
        if self.constant_with(self.h_next) > k && self.known > k && k < MAX_ORDER {
            let rates = self.track.f_next.iter().zip(&self.expected);
            for ((o, (f, e)), s) in self.error.iter_mut().zip(rates).zip(&self.scaled[k]) {
                *o = f - e - s;
            }
            err[3] = h * self.error_constant[k + 1] * measure(&self.error, w).0;
        }
        (err, worst)
    }

    /// Equal steps in a row if the next is `h`.
    fn constant_with(&self, h: f64) -> usize {
        if (h - self.h).abs() <= 1e-12 * h.abs() {
            self.constant + 1
        } else {
            1
        }
    }
}

impl Stepper for Adams {
    fn memory(&mut self, m: &mut Memory) {
        let Adams {
            track,
            phi,
            scaled: _,
            known,
            psi,
            psi_next: _,
            error_constant: _,
            predicted: _,
            predicted_rates: _,
            expected: _,
            error: _,
            constant,
            h,
            h_next: _,
            order,
            stiffness,
            rate,
            nodes,
        } = self;
        m.section("adams");
        track.memory(m);
        for differences in phi.iter_mut() {
            m.slice(differences);
        }
        m.index(known, 0..=phi.len());
        m.slice(psi);
        m.usize(constant);
        m.f64(h);
        m.index(order, 1..=MAX_ORDER);
        stiffness.memory(m);
        m.f64(rate);
        for node in nodes {
            m.slice(node);
        }
    }

    fn bind(&mut self, sys: &mut dyn System, keep: &Rows) {
        self.track.bind(sys, keep, MAX_POINTS);
        let n = self.track.y.len();
        self.phi = vec![vec![0.0; n]; TERMS];
        self.scaled = vec![vec![0.0; n]; TERMS];
        self.predicted = vec![0.0; n];
        self.predicted_rates = vec![0.0; n];
        self.expected = vec![0.0; n];
        self.error = vec![0.0; n];
        self.stiffness.reset(n, Some(PATIENCE));
        let width = 2 * sys.dims().nv;
        let points = if sys.chart().is_some() { TERMS } else { 0 };
        self.nodes = vec![vec![0.0; width]; points];
    }

    fn start(&mut self, sys: &dyn System, s: &State, _: &[f64], h: f64) {
        self.track.start(sys, s);
        self.note_point();
        for differences in &mut self.phi {
            differences.fill(0.0);
        }
        self.phi[0].copy_from_slice(&self.track.f);
        self.known = 1;
        // the sums before the first step are never used with a difference that is not zero
        self.psi = [h; TERMS];
        self.constant = 0;
        self.h = 0.0;
        self.order = 1;
    }

    /// Every modified divided difference has the newest rates with weight 1.
    fn renew(&mut self, sys: &dyn System, s: &State) -> bool {
        self.expected.copy_from_slice(&self.track.f);
        self.track.renew(sys, s);
        for differences in &mut self.phi[..self.known] {
            let rates = self.track.f.iter().zip(&self.expected);
            for (d, (new, old)) in differences.iter_mut().zip(rates) {
                *d += new - old;
            }
        }
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
        let k = next.order.clamp(1, MAX_ORDER.min(self.known));
        let h = next.h;
        let before = stats.right_hand_sides;
        let c = Coefficients::new(k, h, &self.psi);
        self.psi_next = c.psi;
        self.h_next = h;
        self.order = k;
        self.predict(k, &c);
        let t = self.track.now.t + h;
        self.track.begin(sys, stats)?;
        self.track
            .rates(sys, stats, t, &self.predicted, &mut self.predicted_rates)?;
        let g = h * c.g[k];
        for i in 0..self.predicted.len() {
            let e = self.predicted_rates[i] - self.expected[i];
            self.track.y_next[i] = self.predicted[i] + g * e;
        }
        self.track.land(sys, stats, h)?;
        stats.count_step(before);
        let y = [&self.track.y_next[..], &self.predicted];
        let f = [&self.track.f_next[..], &self.predicted_rates];
        self.rate = self.stiffness.rate(y, f, w);
        let (err, worst) = self.errors(k, &c, w);
        Ok(Trial {
            err,
            difference: [f64::INFINITY; 4],
            order: k,
            worst,
            iterations: 0,
            contraction: 0.0,
            rate: w.rate(),
            second: f64::INFINITY,
        })
    }

    fn accept(&mut self) {
        let k = self.order;
        self.track.accept();
        self.note_point();
        // the newest difference, one more where the history reaches, then those below
        let further = self.known > k;
        for i in 0..self.expected.len() {
            let last = self.track.f[i] - self.expected[i];
            if further {
                self.phi[k + 1][i] = last - self.scaled[k][i];
            }
            self.phi[k][i] = last;
            let mut sum = last;
            for j in (0..k).rev() {
                sum += self.scaled[j][i];
                self.phi[j][i] = sum;
            }
        }
        self.known = if further { k + 2 } else { k + 1 };
        self.constant = self.constant_with(self.h_next);
        self.h = self.h_next;
        // sums beyond the order of the step follow from those before it
        for i in k + 1..TERMS {
            self.psi_next[i] = self.h + self.psi[i - 1];
        }
        self.psi = self.psi_next;
        let at_limit = self.h * self.rate > STABILITY;
        self.stiffness
            .step(self.track.now.t, self.h, self.rate, at_limit);
    }

    fn state(&self) -> &State {
        &self.track.now
    }

    /// Degree `k + 1` at least, as soon as there are points enough.
    fn interpolate(&self, t: f64, out: &mut State) {
        self.track.interpolate(t, self.order / 2 + 2, out);
    }

    fn extrapolate(&self, t: f64, out: &mut State) -> f64 {
        self.track.extrapolate(t, self.order / 2 + 2, out)
    }

    fn takes_history(&self) -> bool {
        true
    }

    /// On an equidistant grid the modified divided differences are backward differences of the rates.
    fn seed(&mut self, sys: &dyn System, states: &[State], h: f64) {
        let Some((first, others)) = states.split_first() else {
            return;
        };
        self.start(sys, first, &[], h);
        for s in others {
            // newest first: every row takes the difference from the one above
            self.track.push(sys, s);
            self.note_point();
            for i in 0..self.expected.len() {
                let mut new = self.track.f[i];
                for differences in &mut self.phi[..=self.known] {
                    let old = std::mem::replace(&mut differences[i], new);
                    new -= old;
                }
            }
            self.known += 1;
        }
        for (i, psi) in self.psi.iter_mut().enumerate() {
            *psi = (i + 1) as f64 * h;
        }
        self.constant = others.len();
        self.h = h;
        // dense output over all of them
        self.order = 2 * (states.len() - 2);
    }

    fn span(&self, order: usize) -> usize {
        order + 1
    }

    fn max_order(&self) -> usize {
        MAX_ORDER
    }

    fn notes(&self, out: &mut Vec<String>) {
        self.stiffness.note(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_constants_are_the_classical_ones() {
        let c = error_constants();
        let known = [0.5, 1.0 / 12.0, 1.0 / 24.0, 19.0 / 720.0, 3.0 / 160.0];
        for (c, known) in c[1..].iter().zip(known) {
            assert!((c - known).abs() < 1e-15);
        }
    }

    /// On a constant grid the sums `g` are the Adams-Bashforth coefficients
    /// 1, 1/2, 5/12, 3/8, 251/720.
    #[test]
    fn constant_steps_give_the_classical_predictor() {
        let h = 0.1;
        let mut psi = [0.0; TERMS];
        for (i, p) in psi.iter_mut().enumerate() {
            *p = (i + 1) as f64 * h;
        }
        let c = Coefficients::new(12, h, &psi);
        let known = [1.0, 0.5, 5.0 / 12.0, 3.0 / 8.0, 251.0 / 720.0];
        for (i, known) in known.iter().enumerate() {
            assert!((c.g[i] - known).abs() < 1e-14, "{i}: {}", c.g[i]);
            assert!((c.beta[i] - 1.0).abs() < 1e-14 && (c.sigma[i] - 1.0).abs() < 1e-14);
        }
    }
}
