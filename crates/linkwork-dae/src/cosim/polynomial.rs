//! The course of a coupling variable over one macro step: a polynomial of degree 3 at most.

use crate::memory::Memory;

/// Highest degree of an approximation polynomial.
pub const MAX_DEGREE: usize = 3;

/// `c0 + c1 s + c2 s^2 + c3 s^3` with `s = t - origin`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Polynomial {
    /// Where `s` is zero.
    pub origin: f64,
    /// Coefficients, lowest first.
    pub c: [f64; MAX_DEGREE + 1],
}

impl Polynomial {
    /// The same value at all times.
    pub fn constant(value: f64) -> Polynomial {
        let mut c = [0.0; MAX_DEGREE + 1];
        c[0] = value;
        Polynomial { origin: 0.0, c }
    }

    /// The polynomial of lowest degree through at most [`MAX_DEGREE`]` + 1` points, of which the
    /// times differ; further points are left out.
    ///
    /// Newton's divided differences, multiplied out about `origin`. Kept about the newest macro
    /// point, where it is exact, and not about zero: late in a run powers of the time would cancel.
    pub fn through(origin: f64, times: &[f64], values: &[f64]) -> Polynomial {
        let n = times.len().min(values.len()).min(MAX_DEGREE + 1);
        let mut s = [0.0; MAX_DEGREE + 1];
        let mut difference = [0.0; MAX_DEGREE + 1];
        for i in 0..n {
            s[i] = times[i] - origin;
            difference[i] = values[i];
        }
        for level in 1..n {
            for i in (level..n).rev() {
                difference[i] = (difference[i] - difference[i - 1]) / (s[i] - s[i - level]);
            }
        }
        let mut c = [0.0; MAX_DEGREE + 1];
        for i in (0..n).rev() {
            for j in (1..=MAX_DEGREE).rev() {
                c[j] = c[j - 1] - s[i] * c[j];
            }
            c[0] = difference[i] - s[i] * c[0];
        }
        Polynomial { origin, c }
    }

    /// The value at time `t`.
    pub fn at(&self, t: f64) -> f64 {
        let s = t - self.origin;
        let [c0, c1, c2, c3] = self.c;
        c0 + s * (c1 + s * (c2 + s * c3))
    }

    /// Its rate of change at time `t`.
    pub fn rate(&self, t: f64) -> f64 {
        let s = t - self.origin;
        let [_, c1, c2, c3] = self.c;
        c1 + s * (2.0 * c2 + s * 3.0 * c3)
    }

    /// Saves or restores origin and coefficients.
    pub fn memory(&mut self, m: &mut Memory) {
        let Polynomial { origin, c } = self;
        m.f64(origin);
        m.slice(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A polynomial of the degree in question is met everywhere, not only at the points; rounding
    /// alone is left.
    #[test]
    fn polynomials_of_each_degree_come_back() {
        let times = [5.0, 4.7, 4.45, 3.9];
        for n in 1..=4 {
            let exact = |t: f64| (0..n).map(|i| (t - 4.0).powi(i) * f64::from(i + 1)).sum();
            let values = times.map(exact);
            let count = n as usize;
            let p = Polynomial::through(5.0, &times[..count], &values[..count]);
            for t in [3.9, 4.2, 5.0, 5.3] {
                let (p, e): (f64, f64) = (p.at(t), exact(t));
                assert!((p - e).abs() < 1e-12, "degree {}: {p} {e}", n - 1);
            }
        }
        assert_eq!(Polynomial::constant(2.5).at(1e9), 2.5);
    }
}
