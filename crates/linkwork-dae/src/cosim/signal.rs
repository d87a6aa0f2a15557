//! One coupling variable: its values at the last macro points, and what they say of the next step.
//!
//! ```text
//!  extrapolation   through u at T_{N-k} .. T_N                                k + 1 points
//!  prediction      value at T_{N+1} of the polynomial through T_{N-k-1} .. T_N, by Neville-Aitken
//!  interpolation   through u at T_{N-k+1} .. T_N and the prediction at T_{N+1}  k + 1 points
//!
//!  L^i(t) = prod_{j<i} (t - T_{N-j}) / (T_{N+1} - T_{N-j})
//!  C^i = int int L^i,   D^i = int L^i        over the macro step, once and twice
//! ```
//!
//! With `Dp` the distance of extrapolation and prediction at `T_{N+1}`, a force that follows the
//! extrapolation differs from the true one by `L^{k+1} Dp` to leading order, and the two
//! approximations from one another by `L^k Dp`. Integrated once and twice along the macro step,
//!
//! ```text
//!  v_ext - v = D^{k+1} a_p Dp      v_ext - v_int = D^k a_p Dp
//!  q_ext - q = C^{k+1} a_p Dp      q_ext - q_int = C^k a_p Dp
//! ```
//!
//! so the ratios of the constants turn the distance of two runs into the error of each, on any grid
//! and without knowing `a_p` (Meyer et al. on error estimation and macro-step control of explicit co-simulation;
//! the constants are theirs on equal steps: C^i/H^2 = 1/2, 1/6, 1/8, 19/180, 3/32).

use super::polynomial::{MAX_DEGREE, Polynomial};
use crate::memory::Memory;

/// Points that are remembered.
const POINTS: usize = MAX_DEGREE + 2;

/// Values of a coupling variable at macro points, newest first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signal {
    t: [f64; POINTS],
    u: [f64; POINTS],
    known: usize,
}

/// What a step over the next macro interval is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approximation {
    /// Degree of both polynomials.
    pub degree: usize,
    /// The prediction.
    pub predicted: f64,
    /// From the values so far.
    pub extrapolation: Polynomial,
    /// From the values so far and the prediction.
    pub interpolation: Polynomial,
    /// Ratios of the error constants.
    pub shares: Shares,
}

/// Error of the extrapolated run as a share of the distance of the two runs. That of the
/// interpolated run is what is missing to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// `C^{k+1}/C^k`, for positions.
    pub position: f64,
    /// `D^{k+1}/D^k`, for velocities.
    pub velocity: f64,
    /// `D^{k+1}`, s: what a defect of the force at the end of the step, times the velocity, gives in
    /// energy.
    pub time: f64,
}

impl Signal {
    /// Forgets the past and begins at a value.
    pub fn restart(&mut self, t: f64, u: f64) {
        self.known = 0;
        self.push(t, u);
    }

    /// Adds the value at a later macro point.
    pub fn push(&mut self, t: f64, u: f64) {
        self.t.copy_within(..POINTS - 1, 1);
        self.u.copy_within(..POINTS - 1, 1);
        (self.t[0], self.u[0]) = (t, u);
        self.known = (self.known + 1).min(POINTS);
    }

    /// The newest value.
    pub fn value(&self) -> f64 {
        self.u[0]
    }

    /// How many values are known.
    pub fn known(&self) -> usize {
        self.known
    }

    /// Saves or restores the values.
    pub fn memory(&mut self, m: &mut Memory) {
        let Signal { t, u, known } = self;
        m.slice(t);
        m.slice(u);
        m.index(known, 0..=POINTS);
    }

    /// Degree that is possible where `k` is wanted; `None` where a prediction has no basis.
    pub fn degree(&self, k: usize) -> Option<usize> {
        Some(k.min(MAX_DEGREE).min(self.known.checked_sub(2)?))
    }

    /// The polynomial of degree `k` through the newest values.
    pub fn extrapolation(&self, k: usize) -> Polynomial {
        let n = (k + 1).min(self.known);
        Polynomial::through(self.t[0], &self.t[..n], &self.u[..n])
    }

    /// The value at `t` of the polynomial through the newest `k + 2` values.
    pub fn predict(&self, k: usize, t: f64) -> f64 {
        let n = (k + 2).min(self.known);
        let mut p = self.u;
        for level in 1..n {
            for i in 0..n - level {
                let (a, b) = (self.t[i], self.t[i + level]);
                p[i] = ((t - b) * p[i] - (t - a) * p[i + 1]) / (a - b);
            }
        }
        p[0]
    }

    /// The polynomial of degree `k` through a value at `t` and the newest `k` values.
    pub fn interpolation(&self, k: usize, t: f64, u: f64) -> Polynomial {
        let (mut times, mut values) = ([t; MAX_DEGREE + 1], [u; MAX_DEGREE + 1]);
        let n = k.min(self.known).min(MAX_DEGREE);
        times[1..=n].copy_from_slice(&self.t[..n]);
        values[1..=n].copy_from_slice(&self.u[..n]);
        Polynomial::through(self.t[0], &times[..=n], &values[..=n])
    }

    /// Ratios of the constants of a step to `t` at degree `k`.
    pub fn shares(&self, k: usize, t: f64) -> Shares {
        let (c, d) = self.constants(k, t);
        let (c1, d1) = self.constants(k + 1, t);
        Shares {
            position: c1 / c,
            velocity: d1 / d,
            time: d1,
        }
    }

    /// `C^i` and `D^i` of a step to `t`: the product is multiplied out in `s = t - T_N` and
    /// integrated term by term, which is exact.
    fn constants(&self, i: usize, t: f64) -> (f64, f64) {
        let mut c = [0.0; POINTS + 1];
        c[0] = 1.0;
        for j in 0..i.min(self.known).min(POINTS - 1) {
            let (node, width) = (self.t[j] - self.t[0], t - self.t[j]);
            for m in (0..POINTS).rev() {
                let below = if m > 0 { c[m - 1] } else { 0.0 };
                c[m] = (below - node * c[m]) / width;
            }
        }
        let h = t - self.t[0];
        let (mut once, mut twice) = (0.0, 0.0);
        let mut power = h;
        for (m, c) in (1u32..).zip(&c[..POINTS]) {
            let m = f64::from(m);
            once += c * power / m;
            twice += c * power * h / (m * (m + 1.0));
            power *= h;
        }
        (twice, once)
    }

    /// Both approximations of a step to `t`; `None` where a prediction has no basis.
    pub fn approximate(&self, k: usize, t: f64) -> Option<Approximation> {
        let degree = self.degree(k)?;
        let predicted = self.predict(degree, t);
        Some(Approximation {
            degree,
            predicted,
            extrapolation: self.extrapolation(degree),
            interpolation: self.interpolation(degree, t, predicted),
            shares: self.shares(degree, t),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(times: &[f64], u: impl Fn(f64) -> f64) -> Signal {
        let mut s = Signal::default();
        for &t in times {
            s.push(t, u(t));
        }
        s
    }

    #[test]
    fn constants_of_equal_steps_are_the_published_ones() {
        let s = signal(&[-4.0, -3.0, -2.0, -1.0, 0.0], |_| 0.0);
        let c = [0.5, 1.0 / 6.0, 1.0 / 8.0, 19.0 / 180.0, 3.0 / 32.0];
        let d = [1.0, 0.5, 5.0 / 12.0, 3.0 / 8.0, 251.0 / 720.0];
        for i in 0..5 {
            let (ci, di) = s.constants(i, 1.0);
            assert!((ci - c[i]).abs() < 1e-14, "C^{i} = {ci}");
            assert!((di - d[i]).abs() < 1e-14, "D^{i} = {di}");
        }
    }

    /// Against Gauss quadrature of the product itself; three points are exact to degree 5.
    #[test]
    fn constants_of_an_irregular_grid_are_integrals() {
        let times = [0.0, 0.4, 0.5, 1.1, 1.3];
        let (s, t0, t1) = (signal(&times, |_| 0.0), 1.3, 2.0);
        for i in 0..5 {
            let newest = |j: usize| times[4 - j];
            let l =
                |t: f64| -> f64 { (0..i).map(|j| (t - newest(j)) / (t1 - newest(j))).product() };
            let (middle, half) = (0.5 * (t0 + t1), 0.5 * (t1 - t0));
            let x = 0.6f64.sqrt();
            let nodes = [(-x, 5.0 / 9.0), (0.0, 8.0 / 9.0), (x, 5.0 / 9.0)];
            let (mut once, mut twice) = (0.0, 0.0);
            for (x, w) in nodes {
                let t = middle + half * x;
                once += half * w * l(t);
                // the double integral is that of (t1 - t) L
                twice += half * w * (t1 - t) * l(t);
            }
            let (c, d) = s.constants(i, t1);
            assert!((c - twice).abs() < 1e-13 && (d - once).abs() < 1e-13, "{i}");
        }
    }

    /// A polynomial of degree k + 1 is predicted exactly, one of degree k extrapolated exactly.
    #[test]
    fn prediction_is_exact_one_degree_higher() {
        let times = [0.0, 0.3, 0.7, 0.8, 1.2];
        for k in 0..=MAX_DEGREE {
            let power = |n: usize| move |t: f64| (t - 0.2).powi(n as i32);
            let s = signal(&times, power(k + 1));
            assert!((s.predict(k, 1.9) - power(k + 1)(1.9)).abs() < 1e-12);
            let both = s.approximate(k, 1.9).unwrap();
            assert!((both.interpolation.at(1.9) - power(k + 1)(1.9)).abs() < 1e-12);
            let s = signal(&times, power(k));
            assert!((s.extrapolation(k).at(1.9) - power(k)(1.9)).abs() < 1e-12);
        }
    }

    #[test]
    fn the_degree_rises_with_the_points() {
        let mut s = Signal::default();
        s.restart(0.0, 1.0);
        assert_eq!(s.degree(3), None);
        for (n, t) in [0.1, 0.2, 0.3, 0.4, 0.5, 0.6].into_iter().enumerate() {
            s.push(t, 1.0);
            assert_eq!(s.degree(3), Some(n.min(3)));
            assert_eq!(s.degree(1), Some(n.min(1)));
        }
        s.restart(0.7, 2.0);
        assert_eq!((s.degree(3), s.value()), (None, 2.0));
        assert_eq!(s.extrapolation(3), Polynomial::through(0.7, &[0.7], &[2.0]));
    }
}
