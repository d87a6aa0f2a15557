//! Dense output of explicit methods: Hermite interpolation of values and rates over recent steps.
//!
//! ```text
//!  y(t) = sum_i (1 - 2 (t - t_i) L_i'(t_i)) L_i(t)^2 y_i + (t - t_i) L_i(t)^2 y'_i
//! ```
//!
//! `p` points give degree `2p - 1` and an error of order `h^(2p)` at no further right-hand side;
//! two points are the cubic of the last step. The curve is as smooth as its data: continuous, with
//! continuous slope. Points that lie far back in units of the last step are left out, because
//! their factor in the error grows like the square of the distance.

use crate::memory::Memory;

/// Most points in use: degree 15.
pub(super) const MAX_POINTS: usize = 8;
/// A point counts while it is at most this many last steps back per step taken.
const REACH: f64 = 4.0;

/// Recent accepted points, newest first.
#[derive(Default)]
pub(super) struct Dense {
    t: [f64; MAX_POINTS],
    y: Vec<Vec<f64>>,
    ydot: Vec<Vec<f64>>,
    known: usize,
}

impl Dense {
    pub fn memory(&mut self, m: &mut Memory) {
        let Dense { t, y, ydot, known } = self;
        m.slice(t);
        for values in y.iter_mut().chain(ydot) {
            m.slice(values);
        }
        m.index(known, 0..=y.len());
    }

    /// Forgets everything and makes room for `points` points of `n` values.
    pub fn reset(&mut self, points: usize, n: usize) {
        let points = points.clamp(2, MAX_POINTS);
        self.y = vec![vec![0.0; n]; points];
        self.ydot = vec![vec![0.0; n]; points];
        self.known = 0;
    }

    /// Forgets the points.
    pub fn forget(&mut self) {
        self.known = 0;
    }

    /// How many points are kept.
    pub fn known(&self) -> usize {
        self.known
    }

    /// Adds the newest point.
    pub fn push(&mut self, t: f64, y: &[f64], ydot: &[f64]) {
        self.t.rotate_right(1);
        self.y.rotate_right(1);
        self.ydot.rotate_right(1);
        self.t[0] = t;
        self.y[0].copy_from_slice(y);
        self.ydot[0].copy_from_slice(ydot);
        self.known = (self.known + 1).min(self.y.len());
    }

    /// Time, values and rates of all points, to be changed in place.
    pub fn points(&mut self) -> impl Iterator<Item = (f64, &mut Vec<f64>, &mut Vec<f64>)> {
        let values = self.y.iter_mut().zip(&mut self.ydot);
        let points = self.t.iter().zip(values).take(self.known);
        points.map(|(t, (y, ydot))| (*t, y, ydot))
    }

    /// Points that may be used out of `wanted`.
    fn usable(&self, wanted: usize) -> usize {
        let h = self.t[0] - self.t[1];
        let most = wanted.min(self.known);
        let near = |i: &usize| self.t[0] - self.t[*i] <= REACH * *i as f64 * h;
        2.min(most) + (2..most).take_while(near).count()
    }

    /// Weights of values and rates at `t` for up to `points` points.
    pub fn weights(&self, t: f64, points: usize) -> Weights {
        let n = self.usable(points);
        let mut weights = Weights {
            known: n,
            of: [(0.0, 0.0); MAX_POINTS],
        };
        for (i, w) in weights.of[..n].iter_mut().enumerate() {
            let (mut lagrange, mut slope) = (1.0, 0.0);
            for j in (0..n).filter(|&j| j != i) {
                let gap = self.t[i] - self.t[j];
                lagrange *= (t - self.t[j]) / gap;
                slope += 1.0 / gap;
            }
            let square = lagrange * lagrange;
            let dt = t - self.t[i];
            *w = ((1.0 - 2.0 * dt * slope) * square, dt * square);
        }
        weights
    }

    /// How far values at `t`, beyond the newest point, are from what rates there and both at the last two points promise.
    /// `false`: there are no two.
    ///
    /// ```text
    ///  f = f_n + a s + b s^2 + c s^3,  s = (t - t_n)/h,  rho = h_n/h:  f(1) = f_{n+1},  f(-rho) = f_{n-1},  integral from -rho to 0
    ///  y_{n+1} - y_n - h (f_n + alpha (f_{n+1} - f_n) + beta (f_{n-1} - f_n) + gamma ((y_n - y_{n-1})/h - rho f_n))
    /// ```
    ///
    /// With steps of equal length this is what Simpson's rule over both leaves: it is of order `h^5` where the motion is smooth,
    /// and of order `h` where rates have jumped.
    pub fn departure(&self, t: f64, y: &[f64], ydot: &[f64], out: &mut [f64]) -> bool {
        let (h, rho) = (t - self.t[0], (self.t[0] - self.t[1]) / (t - self.t[0]));
        if self.known < 2 || !(h > 0.0 && rho > 0.0) {
            return false;
        }
        let gamma = -(1.0 + 2.0 * rho) / (rho.powi(3) * (rho + 2.0));
        let beta = -(1.0 / (6.0 * rho) + gamma * rho * (rho / 3.0 + 0.5)) / (1.0 + rho);
        let alpha = 0.5 + rho * beta + 0.5 * rho * rho * gamma;
        let ([now, before, ..], [f_now, f_before, ..]) = (self.y.as_slice(), self.ydot.as_slice())
        else {
            return false;
        };
        for (i, o) in out.iter_mut().enumerate() {
            let (f, past) = (f_now[i], now[i] - before[i]);
            let rate = f + alpha * (ydot[i] - f) + beta * (f_before[i] - f) - gamma * rho * f;
            *o = y[i] - now[i] - h * rate - gamma * past;
        }
        true
    }

    /// See [`astray`].
    pub fn astray(&self, t: f64, points: usize) -> f64 {
        let n = self.usable(points);
        astray(&self.t[..n], 2, t)
    }

    /// Entry `k` at the time of the weights.
    pub fn value(&self, weights: &Weights, k: usize) -> f64 {
        let points = weights.of[..weights.known].iter().enumerate();
        points
            .map(|(i, (value, rate))| value * self.y[i][k] + rate * self.ydot[i][k])
            .sum()
    }
}

/// How fast the derivative of an interpolant goes astray at `t` beyond its nodes, newest first, compared
/// with the last step: `|w'|`, `w` being the product over the nodes that the error has as a factor, to
/// the power 1 where values are interpolated, to the power 2 where rates are too.
pub(super) fn astray(nodes: &[f64], power: u32, t: f64) -> f64 {
    let slope = |t: f64| {
        let (mut product, mut slope) = (1.0, 0.0);
        for node in nodes {
            slope = slope * (t - node) + product;
            product *= t - node;
        }
        let w = if power == 1 { slope } else { product * slope };
        w.abs()
    };
    let &[end, begin, ..] = nodes else {
        return 1.0;
    };
    let within = [0.0, 0.21, 0.79, 1.0].map(|share| slope(end + share * (begin - end)));
    let largest = within.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(*x));
    (slope(t) / largest).max(1.0)
}

/// Weights of the values and rates of recent points.
pub(super) struct Weights {
    known: usize,
    of: [(f64, f64); MAX_POINTS],
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polynomials up to degree `2p - 1` come back exactly.
    #[test]
    fn reproduces_polynomials_up_to_its_degree() {
        for points in 2..=MAX_POINTS {
            let degree = 2 * points as i32 - 1;
            let mut dense = Dense::default();
            dense.reset(points, 1);
            let grid: Vec<f64> = (0..points).map(|i| 0.1 * (i as f64).powf(1.1)).collect();
            for &t in &grid {
                let rate = f64::from(degree) * t.powi(degree - 1);
                dense.push(t, &[t.powi(degree)], &[rate]);
            }
            let (a, b) = (grid[points - 2], grid[points - 1]);
            for share in [0.0, 0.3, 0.8, 1.0] {
                let t = a + share * (b - a);
                let x = dense.value(&dense.weights(t, points), 0);
                let error = (x - t.powi(degree)).abs();
                assert!(error < 1e-12 * b.powi(degree), "{points}: {error:.1e}");
            }
        }
    }

    /// Polynomials of degree 4 depart from nothing, those of degree 5 do; a rate that has jumped does.
    #[test]
    fn departs_from_the_past_where_the_past_does_not_go_on() {
        let [a, b, c] = [0.3, 0.5, 0.93];
        let off = |degree: i32, push: f64| {
            let mut dense = Dense::default();
            dense.reset(3, 1);
            let at = |t: f64| ([t.powi(degree)], [f64::from(degree) * t.powi(degree - 1)]);
            assert!(!dense.departure(c, &[0.0], &[0.0], &mut [0.0]));
            for t in [a, b] {
                dense.push(t, &at(t).0, &at(t).1);
            }
            let (mut y, mut rate) = at(c);
            // another rate from the middle of the step
            y[0] += 0.5 * (c - b) * push;
            rate[0] += push;
            let mut out = [0.0];
            assert!(dense.departure(c, &y, &rate, &mut out));
            out[0].abs()
        };
        for degree in 0..=4 {
            assert!(off(degree, 0.0) < 1e-14, "{degree}");
            assert!(off(degree, 1.0) > 0.02, "{degree}");
        }
        assert!(off(5, 0.0) > 1e-4);
    }

    #[test]
    fn distant_points_are_left_out() {
        let mut dense = Dense::default();
        dense.reset(3, 1);
        for t in [0.0, 1.0, 1.01] {
            dense.push(t, &[t], &[1.0]);
        }
        assert_eq!(dense.usable(3), 2);
    }
}
