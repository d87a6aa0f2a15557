//! Real and complex numbers as entries of matrices.

use crate::eigen::Complex;
use crate::memory::Memory;
use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Sub};

/// What matrices have as entries: real or complex numbers.
pub trait Field:
    Copy
    + Default
    + Send
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + 'static
{
    /// A real number.
    fn real(x: f64) -> Self;
    /// The product with a real number.
    #[must_use]
    fn scaled(self, c: f64) -> Self;
    /// The reciprocal.
    #[must_use]
    fn inverse(self) -> Self;
    /// A power.
    #[must_use]
    fn power(self, n: i32) -> Self;
    /// The absolute value, or something between it and its double that takes no root.
    fn size(self) -> f64;
    /// Saves or restores numbers.
    fn memory(m: &mut Memory, values: &mut [Self]);
}

impl Field for f64 {
    #[inline]
    fn real(x: f64) -> f64 {
        x
    }
    #[inline]
    fn scaled(self, c: f64) -> f64 {
        self * c
    }
    #[inline]
    fn inverse(self) -> f64 {
        1.0 / self
    }
    #[inline]
    fn power(self, n: i32) -> f64 {
        self.powi(n)
    }
    #[inline]
    fn size(self) -> f64 {
        self.abs()
    }
    fn memory(m: &mut Memory, values: &mut [f64]) {
        m.slice(values);
    }
}

impl Field for Complex {
    #[inline]
    fn real(x: f64) -> Complex {
        Complex::new(x, 0.0)
    }
    #[inline]
    fn scaled(self, c: f64) -> Complex {
        self.scale(c)
    }
    #[inline]
    fn inverse(self) -> Complex {
        Complex::ONE / self
    }
    fn power(self, n: i32) -> Complex {
        let base = if n < 0 { self.inverse() } else { self };
        (0..n.abs()).fold(Complex::ONE, |power, _| power * base)
    }
    #[inline]
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
    fn memory(m: &mut Memory, values: &mut [Complex]) {
        for z in values {
            m.f64(&mut z.re);
            m.f64(&mut z.im);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_powers_undo_each_other() {
        let z = Complex::new(0.3, -2.0);
        for n in 0..4 {
            let one = z.power(n) * z.power(-n);
            assert!((one - Complex::ONE).abs() < 1e-15, "{n}");
        }
    }
}
