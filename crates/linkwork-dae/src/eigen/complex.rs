//! Complex numbers.

use std::ops::{Add, Div, Mul, Sub};

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    /// 0
    pub const ZERO: Complex = Complex { re: 0.0, im: 0.0 };
    /// 1
    pub const ONE: Complex = Complex { re: 1.0, im: 0.0 };

    /// A number from its parts.
    pub fn new(re: f64, im: f64) -> Complex {
        Complex { re, im }
    }

    /// Absolute value.
    pub fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }

    /// Angle from the positive real axis, rad.
    pub fn phase(self) -> f64 {
        self.im.atan2(self.re)
    }

    /// The conjugate.
    #[must_use]
    pub fn conj(self) -> Complex {
        Complex::new(self.re, -self.im)
    }

    /// The number times a real one.
    #[must_use]
    pub fn scale(self, c: f64) -> Complex {
        Complex::new(c * self.re, c * self.im)
    }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, o: Complex) -> Complex {
        Complex::new(self.re + o.re, self.im + o.im)
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, o: Complex) -> Complex {
        Complex::new(self.re - o.re, self.im - o.im)
    }
}

impl Mul for Complex {
    type Output = Complex;
    fn mul(self, o: Complex) -> Complex {
        Complex::new(
            self.re * o.re - self.im * o.im,
            self.re * o.im + self.im * o.re,
        )
    }
}

impl Div for Complex {
    type Output = Complex;
    /// Smith (1962): no intermediate is larger than it must be.
    fn div(self, o: Complex) -> Complex {
        if o.re.abs() >= o.im.abs() {
            let r = o.im / o.re;
            let d = o.re + o.im * r;
            Complex::new((self.re + self.im * r) / d, (self.im - self.re * r) / d)
        } else {
            let r = o.re / o.im;
            let d = o.re * r + o.im;
            Complex::new((self.re * r + self.im) / d, (self.im * r - self.re) / d)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_undoes_multiplication() {
        let (a, b) = (Complex::new(2.0, -3.0), Complex::new(-0.5, 4.0));
        let c = a * b / b - a;
        assert!(c.abs() < 1e-15);
        let large = Complex::new(1e300, 1e300);
        assert!(((large / large) - Complex::ONE).abs() < 1e-15);
    }
}
