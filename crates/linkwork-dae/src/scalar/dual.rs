//! Numbers that carry derivatives along `N` directions (forward differentiation).
//!
//! `x = v + sum_i d_i e_i` with `e_i e_j = 0`. Nesting gives second derivatives: in
//! `Dual<N, Dual<M>>` the inner part of lane `i` holds the mixed derivatives of direction `i` with
//! the `M` inner directions (Griewank & Walther 2008, chapter 3 and section 5.1).
//!
//! Bad at: many directions. The cost grows with the number of lanes, nested numbers with the
//! product; formulas on a hot path are better differentiated by hand.

use super::Scalar;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A value and its derivatives along `N` directions, over any scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const N: usize, S = f64> {
    /// The value.
    pub v: S,
    /// Derivatives along the directions.
    pub d: [S; N],
}

impl<const N: usize, S: Scalar> Dual<N, S> {
    /// A constant.
    #[inline]
    pub fn constant(v: S) -> Self {
        Dual {
            v,
            d: [S::from(0.0); N],
        }
    }

    /// The independent variable of one direction; a constant where `lane` is out of range.
    #[inline]
    pub fn variable(v: S, lane: usize) -> Self {
        let mut x = Dual::constant(v);
        if let Some(d) = x.d.get_mut(lane) {
            *d = S::from(1.0);
        }
        x
    }

    /// `v` with derivative lanes `f(lane)`.
    #[inline]
    fn with(v: S, f: impl FnMut(usize) -> S) -> Self {
        Dual {
            v,
            d: std::array::from_fn(f),
        }
    }
}

impl<const N: usize, S: Scalar> From<f64> for Dual<N, S> {
    #[inline]
    fn from(v: f64) -> Self {
        Dual::constant(S::from(v))
    }
}

impl<const N: usize, S: Scalar> Add for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Dual::with(self.v + o.v, |i| self.d[i] + o.d[i])
    }
}

impl<const N: usize, S: Scalar> Sub for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        Dual::with(self.v - o.v, |i| self.d[i] - o.d[i])
    }
}

impl<const N: usize, S: Scalar> Mul for Dual<N, S> {
    type Output = Self;
    #[allow(clippy::suspicious_arithmetic_impl)] // product rule
    #[inline]
    fn mul(self, o: Self) -> Self {
        Dual::with(self.v * o.v, |i| self.d[i] * o.v + self.v * o.d[i])
    }
}

impl<const N: usize, S: Scalar> Div for Dual<N, S> {
    type Output = Self;
    #[allow(clippy::suspicious_arithmetic_impl)] // quotient rule
    #[inline]
    fn div(self, o: Self) -> Self {
        let v = self.v / o.v;
        Dual::with(v, |i| (self.d[i] - v * o.d[i]) / o.v)
    }
}

impl<const N: usize, S: Scalar> Neg for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Dual::with(-self.v, |i| -self.d[i])
    }
}

impl<const N: usize, S: Scalar> AddAssign for Dual<N, S> {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl<const N: usize, S: Scalar> SubAssign for Dual<N, S> {
    #[inline]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl<const N: usize, S: Scalar> Add<f64> for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn add(self, o: f64) -> Self {
        Dual {
            v: self.v + o,
            ..self
        }
    }
}

impl<const N: usize, S: Scalar> Sub<f64> for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn sub(self, o: f64) -> Self {
        Dual {
            v: self.v - o,
            ..self
        }
    }
}

impl<const N: usize, S: Scalar> Mul<f64> for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn mul(self, o: f64) -> Self {
        Dual::with(self.v * o, |i| self.d[i] * o)
    }
}

impl<const N: usize, S: Scalar> Div<f64> for Dual<N, S> {
    type Output = Self;
    #[inline]
    fn div(self, o: f64) -> Self {
        Dual::with(self.v / o, |i| self.d[i] / o)
    }
}

impl<const N: usize, S: Scalar> Scalar for Dual<N, S> {
    const ORDER: usize = S::ORDER + 1;
    #[inline]
    fn value(self) -> f64 {
        self.v.value()
    }

    /// Chain rule. The derivative of `f` is itself a function of the inner number, so the table
    /// shifts by one; its missing last entry belongs to a fourth derivative, out of reach for
    /// three levels of nesting, and is NaN so that a deeper nest cannot pass unnoticed.
    #[inline]
    fn lift(self, f: [f64; 4]) -> Self {
        let slope = self.v.lift([f[1], f[2], f[3], f64::NAN]);
        Dual::with(self.v.lift(f), |i| slope * self.d[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Touches every operation of the trait.
    fn sample<S: Scalar>(x: S, y: S) -> S {
        let (s, c) = (x * y).sin_cos();
        let mut z = (s + 2.0) / (c + 3.0) - (x * 0.5).exp() * y.ln();
        z += (x * x + y * y + 1.0).sqrt();
        z -= (x - 0.25) / 4.0;
        -z
    }

    const POINTS: [(f64, f64); 4] = [(0.3, 0.7), (-1.1, 2.0), (2.5, 0.4), (0.0, 1.0)];

    #[test]
    fn lanes_match_central_differences() {
        let h = 1e-6;
        for (x, y) in POINTS {
            let f = sample::<Dual<2>>(Dual::variable(x, 0), Dual::variable(y, 1));
            let dx = (sample(x + h, y) - sample(x - h, y)) / (2.0 * h);
            let dy = (sample(x, y + h) - sample(x, y - h)) / (2.0 * h);
            assert!((f.v - sample(x, y)).abs() < 1e-15 * 10.0);
            // Truncation h^2 ~ 1e-12 times a third derivative of order 10 or more for y = 0.4,
            // rounding 1e-16 / h = 1e-10.
            assert!((f.d[0] - dx).abs() < 1e-9, "{} {dx}", f.d[0]);
            assert!((f.d[1] - dy).abs() < 1e-9, "{} {dy}", f.d[1]);
        }
    }

    #[test]
    fn nested_lanes_are_second_derivatives() {
        // f = x^2 y^3 + sin(x y), all second derivatives in closed form.
        for (x, y) in POINTS {
            let lift = |v: f64, lane: usize| {
                Dual::<2, Dual<2>>::variable(Dual::<2>::variable(v, lane), lane)
            };
            let (a, b) = (lift(x, 0), lift(y, 1));
            let f = a * a * b * b * b + (a * b).sin_cos().0;
            let (s, c) = (x * y).sin_cos();
            let xx = 2.0 * y * y * y - y * y * s;
            let xy = 6.0 * x * y * y + c - x * y * s;
            let yy = 6.0 * x * x * y - x * x * s;
            for (got, want) in [
                (f.d[0].d[0], xx),
                (f.d[0].d[1], xy),
                (f.d[1].d[0], xy),
                (f.d[1].d[1], yy),
            ] {
                // Exact but for rounding of a handful of operations.
                assert!((got - want).abs() < 1e-13 * (1.0 + want.abs()));
            }
        }
    }

    #[test]
    fn nested_functions_match_differences_of_single_ones() {
        let h = 1e-6;
        for (x, y) in POINTS {
            let f = sample::<Dual<2, Dual<1>>>(
                Dual::variable(Dual::variable(x, 0), 0),
                Dual::variable(Dual::constant(y), 1),
            );
            let slope = |x: f64| sample::<Dual<2>>(Dual::variable(x, 0), Dual::variable(y, 1)).d;
            let (hi, lo) = (slope(x + h), slope(x - h));
            for lane in 0..2 {
                let want = (hi[lane] - lo[lane]) / (2.0 * h);
                assert!(
                    (f.d[lane].d[0] - want).abs() < 1e-8,
                    "truncation h^2, rounding eps/h"
                );
            }
        }
    }

    #[test]
    fn a_lane_out_of_range_is_a_constant() {
        let x = Dual::<2>::variable(3.0, 7);
        assert_eq!(x.d, [0.0, 0.0]);
    }
}
