//! Real and complex numbers as entries of matrices.

use crate::eigen::Complex;

/// What matrices have as entries.
pub(crate) trait Field: Copy + Default + Send + std::fmt::Debug {
    /// A real number.
    fn real(x: f64) -> Self;
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The product.
    fn times(self, other: Self) -> Self;
    /// The product with a real number.
    fn scaled(self, c: f64) -> Self;
    /// The reciprocal.
    fn inverse(self) -> Self;
    /// A power.
    fn power(self, n: i32) -> Self;
}

impl Field for f64 {
    #[inline]
    fn real(x: f64) -> f64 {
        x
    }
    #[inline]
    fn plus(self, other: f64) -> f64 {
        self + other
    }
    #[inline]
    fn times(self, other: f64) -> f64 {
        self * other
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
}

impl Field for Complex {
    #[inline]
    fn real(x: f64) -> Complex {
        Complex::new(x, 0.0)
    }
    #[inline]
    fn plus(self, other: Complex) -> Complex {
        self + other
    }
    #[inline]
    fn times(self, other: Complex) -> Complex {
        self * other
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_powers_undo_each_other() {
        let z = Complex::new(0.3, -2.0);
        for n in 0..4 {
            let one = z.power(n).times(z.power(-n));
            assert!((one - Complex::ONE).abs() < 1e-15, "{n}");
        }
    }
}
