//! A clamp with rounded corners.
//!
//! ```text
//!  s(z) = w [ln(1 + e^((z+1)/w)) - ln(1 + e^((z-1)/w))] - 1        between -1 and 1
//!  s'(z) = 1/(1 + e^(-(z+1)/w)) - 1/(1 + e^(-(z-1)/w))
//! ```
//!
//! Smooth to any order: an integrator passes into saturation without an event. Inside the limits
//! it differs from `z` by `w e^(-(1-|z|)/w)`, which is a rounding for most of the range.

/// Limits `-limit` and `limit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saturation {
    /// Largest magnitude of the output.
    pub limit: f64,
    /// Width `w` of the corners as a share of the limit.
    pub rounding: f64,
}

impl Saturation {
    /// Corners that take the last tenth of the range or so.
    pub const DEFAULT_ROUNDING: f64 = 0.02;

    /// The limited value and its derivative.
    pub fn eval(&self, u: f64) -> (f64, f64) {
        let (z, w) = (u / self.limit, self.rounding);
        // ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|); the first parts add up to the sharp clamp
        let corner = |x: f64| (-x.abs()).exp().ln_1p();
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let (above, below) = ((z + 1.0) / w, (z - 1.0) / w);
        let value = z.clamp(-1.0, 1.0) + w * (corner(above) - corner(below));
        (self.limit * value, sigmoid(above) - sigmoid(below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_identity_inside_and_the_limit_outside() {
        let s = Saturation {
            limit: 5.0,
            rounding: 0.02,
        };
        for u in [-4.0, -0.3, 0.0, 2.0, 4.0] {
            let (y, slope) = s.eval(u);
            // e^(-0.2/0.02) = 5e-5 of w at 4/5 of the limit
            assert!((y - u).abs() < 1e-5 && (slope - 1.0).abs() < 1e-4, "{u}");
        }
        for u in [-1e6, -7.0, 7.0, 1e300] {
            let (y, slope) = s.eval(u);
            assert!((y - 5.0f64.copysign(u)).abs() < 1e-8 && slope < 1e-8, "{u}");
        }
    }
}
