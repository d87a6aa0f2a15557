//! Numbers that element formulas are written in: `f64`, duals, time jets.

pub mod dual;
pub mod jet;

pub use dual::Dual;
pub use jet::Jet;

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number with the functions that element formulas use.
pub trait Scalar:
    Copy
    + std::fmt::Debug
    + From<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// Order of the highest derivatives that it carries.
    const ORDER: usize;
    /// The value without derivatives.
    fn value(self) -> f64;
    /// `f(x)` given the value and first three derivatives of `f` at `x.value()`:
    /// the one place where derivatives of functions enter (nested scalars need the higher ones).
    fn lift(self, f: [f64; 4]) -> Self;

    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.value().sin_cos();
        (self.lift([s, c, -s, -c]), self.lift([c, -s, -c, s]))
    }
    /// Square root.
    fn sqrt(self) -> Self {
        let x = self.value();
        let r = x.sqrt();
        self.lift([r, 0.5 / r, -0.25 / (x * r), 0.375 / (x * x * r)])
    }
    /// Exponential.
    fn exp(self) -> Self {
        let e = self.value().exp();
        self.lift([e, e, e, e])
    }
    /// Natural logarithm.
    fn ln(self) -> Self {
        let x = self.value();
        let r = 1.0 / x;
        self.lift([x.ln(), r, -r * r, 2.0 * r * r * r])
    }
}

impl Scalar for f64 {
    const ORDER: usize = 0;
    fn value(self) -> f64 {
        self
    }
    fn lift(self, f: [f64; 4]) -> f64 {
        f[0]
    }
}
