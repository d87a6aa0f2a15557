//! Numbers that carry a motion: value, first and second time derivative.
//!
//! Pushing a motion `q(t)` through a constraint gives `C`, `C' = C_q v + C_t` and
//! `C'' = C_q a - gamma`; with `a = 0` the last one is `-gamma`.

use super::Scalar;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A quantity along a motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet {
    /// Value.
    pub v: f64,
    /// First time derivative.
    pub d: f64,
    /// Second time derivative.
    pub dd: f64,
}

impl Jet {
    /// A quantity with its first and second time derivative.
    #[inline]
    pub fn new(v: f64, d: f64, dd: f64) -> Jet {
        Jet { v, d, dd }
    }

    /// Time itself.
    #[inline]
    pub fn time(t: f64) -> Jet {
        Jet::new(t, 1.0, 0.0)
    }
}

impl From<f64> for Jet {
    #[inline]
    fn from(v: f64) -> Jet {
        Jet::new(v, 0.0, 0.0)
    }
}

impl Add for Jet {
    type Output = Jet;
    #[inline]
    fn add(self, o: Jet) -> Jet {
        Jet::new(self.v + o.v, self.d + o.d, self.dd + o.dd)
    }
}

impl Sub for Jet {
    type Output = Jet;
    #[inline]
    fn sub(self, o: Jet) -> Jet {
        Jet::new(self.v - o.v, self.d - o.d, self.dd - o.dd)
    }
}

impl Mul for Jet {
    type Output = Jet;
    #[inline]
    fn mul(self, o: Jet) -> Jet {
        Jet::new(
            self.v * o.v,
            self.d * o.v + self.v * o.d,
            self.dd * o.v + 2.0 * self.d * o.d + self.v * o.dd,
        )
    }
}

impl Div for Jet {
    type Output = Jet;
    /// From `x = z y` differentiated twice: `z'' = (x'' - 2 z' y' - z y'') / y`.
    #[inline]
    fn div(self, o: Jet) -> Jet {
        let v = self.v / o.v;
        let d = (self.d - v * o.d) / o.v;
        Jet::new(v, d, (self.dd - 2.0 * d * o.d - v * o.dd) / o.v)
    }
}

impl Neg for Jet {
    type Output = Jet;
    #[inline]
    fn neg(self) -> Jet {
        Jet::new(-self.v, -self.d, -self.dd)
    }
}

impl AddAssign for Jet {
    #[inline]
    fn add_assign(&mut self, o: Jet) {
        *self = *self + o;
    }
}

impl SubAssign for Jet {
    #[inline]
    fn sub_assign(&mut self, o: Jet) {
        *self = *self - o;
    }
}

impl Add<f64> for Jet {
    type Output = Jet;
    #[inline]
    fn add(self, o: f64) -> Jet {
        Jet::new(self.v + o, self.d, self.dd)
    }
}

impl Sub<f64> for Jet {
    type Output = Jet;
    #[inline]
    fn sub(self, o: f64) -> Jet {
        Jet::new(self.v - o, self.d, self.dd)
    }
}

impl Mul<f64> for Jet {
    type Output = Jet;
    #[inline]
    fn mul(self, o: f64) -> Jet {
        Jet::new(self.v * o, self.d * o, self.dd * o)
    }
}

impl Div<f64> for Jet {
    type Output = Jet;
    #[inline]
    fn div(self, o: f64) -> Jet {
        Jet::new(self.v / o, self.d / o, self.dd / o)
    }
}

impl Scalar for Jet {
    const ORDER: usize = 2;
    #[inline]
    fn value(self) -> f64 {
        self.v
    }

    /// `(f(x))'' = f'(x) x'' + f''(x) x'^2`.
    #[inline]
    fn lift(self, f: [f64; 4]) -> Jet {
        Jet::new(f[0], f[1] * self.d, f[1] * self.dd + f[2] * self.d * self.d)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms() {
        for t in [0.3, 1.7, -0.9] {
            let x = Jet::time(t);
            // sin(t)^2 / exp(t): derivatives by the product rule.
            let s = x.sin_cos().0;
            let f = s * s / x.exp();
            let e = (-t).exp();
            let g = t.sin().powi(2);
            let (dg, ddg) = ((2.0 * t).sin(), 2.0 * (2.0 * t).cos());
            assert!((f.v - g * e).abs() < 1e-14);
            assert!((f.d - (dg - g) * e).abs() < 1e-14);
            assert!((f.dd - (ddg - 2.0 * dg + g) * e).abs() < 1e-14);
        }
    }

    #[test]
    fn motion_matches_central_differences() {
        let position = |t: f64| (2.0 + t.cos(), 0.5 + t * t);
        let f = |x: f64, y: f64| ((x * x + y * y).sqrt() - (x / y).ln()) * 0.5 - 1.0;
        let generic = |x: Jet, y: Jet| ((x * x + y * y).sqrt() - (x / y).ln()) * 0.5 - 1.0;
        let along = |t: f64| {
            let (x, y) = position(t);
            f(x, y)
        };
        for t in [0.1, 0.8, 2.0] {
            let time = Jet::time(t);
            let got = generic(time.sin_cos().1 + 2.0, time * time + 0.5);
            let h = 1e-4;
            let d = (along(t + h) - along(t - h)) / (2.0 * h);
            let dd = (along(t + h) - 2.0 * along(t) + along(t - h)) / (h * h);
            assert!((got.v - along(t)).abs() < 1e-14);
            // Truncation h^2 = 1e-8 times a third derivative of order 10.
            assert!((got.d - d).abs() < 2e-7, "{} {d}", got.d);
            // Truncation h^2 times a fourth derivative of order 50, rounding 1e-16 / h^2 = 1e-8.
            assert!((got.dd - dd).abs() < 2e-6, "{} {dd}", got.dd);
        }
    }
}
