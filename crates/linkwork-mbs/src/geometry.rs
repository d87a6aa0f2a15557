//! Geometry of space: vectors, poses, moving frames, points and directions of a body.
//!
//! ```text
//!  pose          x   position of the centre of mass, global components
//!                R   takes body components to global ones
//!  small motion  dx (global), theta (body axes):   R -> R exp(theta^)
//!  velocity      x' (global), omega (body axes):   R' = R omega^
//! ```
//!
//! Everything is written for any scalar, so that one formula serves values, derivatives along small
//! motions and derivatives along a motion in time.

mod place;
mod pose;

pub use linkwork_dae::vector::{
    IDENTITY, Matrix, Vector, add, apply, apply_transposed, cross, dot, hat, norm, product, scaled,
    sub, times_hat, transposed_product, two_hats,
};
pub use place::{Axis, Components, Given, Marker, Site, Turning};
pub use pose::{Frame, Pose};

use linkwork_dae::scalar::Scalar;

/// A vector of plain numbers as one of another scalar.
#[inline]
pub fn lifted<S: Scalar>(a: Vector) -> Vector<S> {
    a.map(S::from)
}

/// Values without derivatives.
#[inline]
pub fn values<S: Scalar>(a: Vector<S>) -> Vector {
    a.map(S::value)
}

/// The vector as one of length one; as it is where it has no length.
pub fn unit(a: Vector) -> Vector {
    let length = norm(a);
    if length > 0.0 && length.is_finite() && (length - 1.0).abs() > 4.0 * f64::EPSILON {
        a.map(|x| x / length)
    } else {
        a
    }
}

/// Two unit vectors that make a right-handed triad with a unit vector: `p x q = axis`.
///
/// The first is the coordinate axis after the one nearest to the given direction, made
/// perpendicular: for z it is x, and the second y. Close directions have close triads but for a
/// switch where two components are equal.
pub fn perpendiculars(axis: Vector) -> [Vector; 2] {
    let mut nearest = 0;
    for i in 1..3 {
        if axis[i].abs() > axis[nearest].abs() {
            nearest = i;
        }
    }
    let mut e = [0.0; 3];
    e[(nearest + 1) % 3] = 1.0;
    let p = unit(sub(e, scaled(axis, dot(e, axis))));
    [p, cross(axis, p)]
}

/// The angle of the plane vector `(x, y)` from the x axis, between -pi and pi.
///
/// Turned back by its own value, the vector lies on the axis, where the arc tangent is smooth.
pub fn atan2<S: Scalar>(y: S, x: S) -> S {
    let angle = y.value().atan2(x.value());
    let (sin, cos) = angle.sin_cos();
    let tangent = (y * cos - x * sin) / (x * cos + y * sin);
    let z = tangent.value();
    let r = 1.0 / (1.0 + z * z);
    let f = [
        z.atan(),
        r,
        -2.0 * z * r * r,
        (6.0 * z * z - 2.0) * r * r * r,
    ];
    tangent.lift(f) + angle
}

/// The angle that equals `angle` but for whole turns and is nearest to `reference`.
pub fn nearest_turn<S: Scalar>(angle: S, reference: f64) -> S {
    use std::f64::consts::TAU;
    angle + ((reference - angle.value()) / TAU).round() * TAU
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::scalar::Dual;

    #[test]
    fn triads_are_right_handed_and_orthonormal() {
        for axis in [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.6, 0.0, 0.8]] {
            let [p, q] = perpendiculars(axis);
            let r = cross(p, q);
            for i in 0..3 {
                assert!((r[i] - axis[i]).abs() < 1e-15);
            }
            assert!(dot(p, axis).abs() < 1e-15 && (norm(p) - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn angles_have_exact_derivatives() {
        // d angle = (x dy - y dx) / r^2; the second derivative by y is -2 x y / r^4.
        type Number = Dual<2, Dual<2>>;
        for (x, y) in [(0.3, 0.4), (-1.0, 0.2), (-0.5, -2.0), (0.0, 1.5)] {
            let number = |v: f64, lane: usize| Number::variable(Dual::variable(v, lane), lane);
            let a = atan2(number(y, 1), number(x, 0));
            let r2: f64 = x * x + y * y;
            assert!((a.value() - f64::atan2(y, x)).abs() < 1e-15);
            assert!((a.d[0].v + y / r2).abs() < 1e-14);
            assert!((a.d[1].v - x / r2).abs() < 1e-14);
            assert!((a.d[1].d[1] + 2.0 * x * y / (r2 * r2)).abs() < 1e-13);
        }
    }

    #[test]
    fn whole_turns_are_kept() {
        use std::f64::consts::TAU;
        assert!((nearest_turn(0.1, 3.0 * TAU) - (0.1 + 3.0 * TAU)).abs() < 1e-14);
        assert!((nearest_turn(-3.0, 3.3) - (TAU - 3.0)).abs() < 1e-14);
    }
}
