//! Smooth stand-ins for functions with corners; corners cost error control its order.

use linkwork_dae::scalar::Scalar;

/// Hyperbolic tangent.
pub(super) fn tanh<S: Scalar>(x: S) -> S {
    let t = x.value().tanh();
    let d = 1.0 - t * t;
    x.lift([t, d, -2.0 * t * d, d * (6.0 * t * t - 2.0)])
}

/// A step from 0 to 1 over the unit interval, second derivative continuous.
pub(super) fn step<S: Scalar>(x: S) -> S {
    let v = x.value();
    if v <= 0.0 {
        S::from(0.0)
    } else if v >= 1.0 {
        S::from(1.0)
    } else {
        x * x * x * (x * (x * 6.0 - 15.0) + 10.0)
    }
}

/// `x` between two limits, either of which may be infinite. The corners are rounded over a
/// twentieth of the range (of the limit, where there is only one), second derivative continuous.
pub(super) fn limit<S: Scalar>(x: S, [least, most]: [f64; 2]) -> S {
    let range = most - least;
    let width = |corner: f64| {
        0.05 * if range.is_finite() {
            range
        } else {
            corner.abs().max(1e-3)
        }
    };
    let mut y = x;
    if most.is_finite() {
        y = below(y, most, width(most));
    }
    if least.is_finite() {
        y = -below(-y, -least, width(least));
    }
    y
}

/// The smaller of `x` and `top`: its slope falls from 1 to 0 as `1 - 3 s^2 + 2 s^3`.
fn below<S: Scalar>(x: S, top: f64, w: f64) -> S {
    let v = x.value();
    if v <= top - w {
        x
    } else if v >= top + w {
        S::from(top)
    } else {
        let s = (x - (top - w)) / (2.0 * w);
        (s - s * s * s + s * s * s * s * 0.5) * (2.0 * w) + (top - w)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::scalar::Jet;

    #[test]
    fn limits_hold_and_have_no_corner() {
        let f = |x: f64| limit(Jet::time(x), [-2.0, 3.0]);
        assert_eq!((f(10.0).v, f(-10.0).v, f(0.5).v), (3.0, -2.0, 0.5));
        for corner in [2.75, 3.25, -1.75, -2.25] {
            let (a, b) = (f(corner - 1e-7), f(corner + 1e-7));
            assert!((a.v - b.v).abs() < 1e-6 && (a.d - b.d).abs() < 1e-6);
            // the second derivative is continuous: its slope times the gap
            assert!((a.dd - b.dd).abs() < 1e-4);
        }
        assert_eq!(limit(7.0, [f64::NEG_INFINITY, f64::INFINITY]), 7.0);
        assert_eq!(limit(7.0, [f64::NEG_INFINITY, 1.0]), 1.0);
    }

    #[test]
    fn derivatives_of_the_tangent_match_differences() {
        let h = 1e-5;
        let at = |x: f64| tanh(Jet::time(x));
        let x = 0.4;
        assert!(((at(x + h).v - at(x - h).v) / (2.0 * h) - at(x).d).abs() < 1e-9);
        assert!(((at(x + h).d - at(x - h).d) / (2.0 * h) - at(x).dd).abs() < 1e-9);
    }
}
