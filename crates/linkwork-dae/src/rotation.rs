//! Rotations in space: quaternions, rotation vectors and the tangent operator between them.
//!
//! ```text
//!  exp(psi) = I + a K + b K^2,   K = hat(psi),  theta = |psi|,  a = sin(theta)/theta,  b = (1 - cos theta)/theta^2
//!  T(psi)   = I - b K + c K^2,   c = (theta - sin theta)/theta^3:     exp(psi)' d/dt exp(psi) = hat(T(psi) psi')
//!  T(psi)^-1 = I + K/2 + d K^2,  d = (1 - theta/2 cot(theta/2))/theta^2
//! ```
//!
//! (Bottasso & Borri 1998; Geradin & Cardona 2001.) Angular velocities are in body axes. Quaternions
//! are scalar first and turn body axes into space axes. `T` is singular at a whole turn.

mod vectors;

pub use vectors::RotationVectors;

pub use crate::vector::{Matrix, Vector, apply, apply_transposed, cross, dot, hat, product};

/// `cos(theta/2)`, then `sin(theta/2)` times the axis.
pub type Quaternion = [f64; 4];

/// No rotation.
pub const IDENTITY: Quaternion = [1.0, 0.0, 0.0, 0.0];

/// Below this square of the angle series are used; their first neglected term is below rounding.
const SERIES: f64 = 0.25;

/// The rotation `a` after `b`, both in body axes: `R(a) R(b)`.
pub fn compose(a: Quaternion, b: Quaternion) -> Quaternion {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + (a[2] * b[3] - a[3] * b[2]),
        a[0] * b[2] + a[2] * b[0] + (a[3] * b[1] - a[1] * b[3]),
        a[0] * b[3] + a[3] * b[0] + (a[1] * b[2] - a[2] * b[1]),
    ]
}

/// The inverse rotation.
pub fn inverse(a: Quaternion) -> Quaternion {
    [a[0], -a[1], -a[2], -a[3]]
}

/// The quaternion of length 1 in the same direction.
pub fn normalise(a: Quaternion) -> Quaternion {
    let length = (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]).sqrt();
    a.map(|x| x / length)
}

/// The rotation matrix of a unit quaternion: body to space axes.
pub fn matrix(q: Quaternion) -> Matrix {
    let [w, x, y, z] = q;
    [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
        ],
        [
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
        ],
        [
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ]
}

/// The quaternion of a rotation vector.
pub fn exp(psi: Vector) -> Quaternion {
    let square = dot(psi, psi);
    let (cosine, factor) = if square < SERIES {
        // histories are full of small rotations: this is several times faster than the library's
        let x = 0.25 * square;
        let cosine = [
            1.0,
            -1.0 / 2.0,
            1.0 / 24.0,
            -1.0 / 720.0,
            1.0 / 40_320.0,
            -1.0 / 3_628_800.0,
            1.0 / 479_001_600.0,
        ];
        let half_sinc = [
            1.0 / 2.0,
            -1.0 / 12.0,
            1.0 / 240.0,
            -1.0 / 10_080.0,
            1.0 / 725_760.0,
            -1.0 / 79_833_600.0,
        ];
        (polynomial(x, cosine), polynomial(x, half_sinc))
    } else {
        let half = 0.5 * square.sqrt();
        let (sine, cosine) = half.sin_cos();
        (cosine, 0.5 * sine / half)
    };
    [cosine, factor * psi[0], factor * psi[1], factor * psi[2]]
}

/// The rotation vector of a quaternion of any length, at most half a turn.
pub fn log(q: Quaternion) -> Vector {
    let axis = [q[1], q[2], q[3]];
    let square = dot(axis, axis);
    // of the two quaternions of a rotation the one that turns less
    let factor = if square < SERIES / 4.0 * q[0] * q[0] {
        // atan(x)/x for x up to 1/4
        let x = square / (q[0] * q[0]);
        let atan: [f64; 13] = std::array::from_fn(|k| {
            let c = 1.0 / (2 * k + 1) as f64;
            if k % 2 == 0 { c } else { -c }
        });
        2.0 / q[0] * polynomial(x, atan)
    } else if square > 0.0 {
        let sine = square.sqrt();
        2.0 * sine.atan2(q[0].abs()) / sine * 1.0f64.copysign(q[0])
    } else {
        0.0
    };
    axis.map(|x| factor * x)
}

/// `sum_k c_k x^k`.
fn polynomial<const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| c + x * sum)
}

/// `b` and `c` of the tangent operator for the square of the angle.
fn tangent_coefficients(square: f64) -> (f64, f64) {
    if square < SERIES {
        let b = [
            1.0 / 2.0,
            -1.0 / 24.0,
            1.0 / 720.0,
            -1.0 / 40_320.0,
            1.0 / 3_628_800.0,
            -1.0 / 479_001_600.0,
        ];
        let c = [
            1.0 / 6.0,
            -1.0 / 120.0,
            1.0 / 5040.0,
            -1.0 / 362_880.0,
            1.0 / 39_916_800.0,
            -1.0 / 6_227_020_800.0,
        ];
        return (polynomial(square, b), polynomial(square, c));
    }
    let theta = square.sqrt();
    let (sine, half) = (theta.sin(), (0.5 * theta).sin());
    (
        2.0 * half * half / square,
        (theta - sine) / (square * theta),
    )
}

/// `(db/dtheta)/theta` and `(dc/dtheta)/theta`.
fn tangent_slopes(square: f64) -> (f64, f64) {
    if square < SERIES {
        let b = [
            -2.0 / 24.0,
            4.0 / 720.0,
            -6.0 / 40_320.0,
            8.0 / 3_628_800.0,
            -10.0 / 479_001_600.0,
            0.0,
        ];
        let c = [
            -2.0 / 120.0,
            4.0 / 5040.0,
            -6.0 / 362_880.0,
            8.0 / 39_916_800.0,
            -10.0 / 6_227_020_800.0,
            0.0,
        ];
        return (polynomial(square, b), polynomial(square, c));
    }
    let theta = square.sqrt();
    let (b, c) = tangent_coefficients(square);
    let (sine, cosine) = theta.sin_cos();
    (
        (sine / theta - 2.0 * b) / square,
        ((1.0 - cosine) / square - 3.0 * c) / square,
    )
}

/// `d` of the inverse tangent operator.
fn inverse_coefficient(square: f64) -> f64 {
    if square < SERIES {
        let d = [
            1.0 / 12.0,
            1.0 / 720.0,
            1.0 / 30_240.0,
            1.0 / 1_209_600.0,
            1.0 / 47_900_160.0,
            691.0 / 1_307_674_368_000.0,
        ];
        return polynomial(square, d);
    }
    let half = 0.5 * square.sqrt();
    (1.0 - half / half.tan()) / square
}

/// `T(psi) rate`.
pub fn tangent(psi: Vector, rate: Vector) -> Vector {
    let (b, c) = tangent_coefficients(dot(psi, psi));
    let once = cross(psi, rate);
    let twice = cross(psi, once);
    std::array::from_fn(|i| rate[i] - b * once[i] + c * twice[i])
}

/// `T(psi)^-1 v`.
pub fn tangent_inverse(psi: Vector, v: Vector) -> Vector {
    let d = inverse_coefficient(dot(psi, psi));
    let once = cross(psi, v);
    let twice = cross(psi, once);
    std::array::from_fn(|i| v[i] + 0.5 * once[i] + d * twice[i])
}

/// `T(psi)^-1 - I`.
pub fn inverse_excess(psi: Vector) -> Matrix {
    let d = inverse_coefficient(dot(psi, psi));
    let once = hat(psi);
    let twice = product(&once, &once);
    std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * once[i][j] + d * twice[i][j]))
}

/// `T(psi) - I`.
pub fn tangent_excess(psi: Vector) -> Matrix {
    let (b, c) = tangent_coefficients(dot(psi, psi));
    let once = hat(psi);
    let twice = product(&once, &once);
    std::array::from_fn(|i| std::array::from_fn(|j| c * twice[i][j] - b * once[i][j]))
}

/// The rate at `psi = 0` of the derivative of `T(psi) psi'` by `psi`, where `psi' = v`, `psi'' = a`.
///
/// From `T = I - psi^/2 + psi^^2/6 - ..` with `x^` the matrix of the cross product, the derivative is
/// `psi'^/2 + (psi'^ psi^ - 2 psi^ psi'^)/6 + ..`, and its rate `a^/2 - v^^2/6`.
pub fn bend_rate(v: Vector, a: Vector) -> Matrix {
    let (of_v, of_a) = (hat(v), hat(a));
    let square = product(&of_v, &of_v);
    std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * of_a[i][j] - square[i][j] / 6.0))
}

/// The derivative of `T(psi) rate` along `R exp(theta)` at constant `rate`.
pub fn tangent_derivative(psi: Vector, rate: Vector) -> Matrix {
    let square = dot(psi, psi);
    let (b, c) = tangent_coefficients(square);
    let (b_slope, c_slope) = tangent_slopes(square);
    let once = cross(psi, rate);
    let twice = cross(psi, once);
    let (of_rate, of_once) = (hat(rate), hat(once));
    let mixed = product(&hat(psi), &of_rate);
    // by psi: of the two explicit places of psi, then of the coefficients
    let by_psi: Matrix = std::array::from_fn(|i| {
        let outer = -b_slope * once[i] + c_slope * twice[i];
        std::array::from_fn(|j| {
            b * of_rate[i][j] - c * (of_once[i][j] + mixed[i][j]) + outer * psi[j]
        })
    });
    let excess = product(&by_psi, &inverse_excess(psi));
    std::array::from_fn(|i| std::array::from_fn(|j| by_psi[i][j] + excess[i][j]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXIS: Vector = [0.36, -0.48, 0.8];

    fn distance(a: Vector, b: Vector) -> f64 {
        (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max)
    }

    fn angles() -> impl Iterator<Item = f64> {
        [0.0, 1e-300, 1e-9, 1e-3, 0.1, 0.4999, 0.5001, 1.0, 2.0, 3.0].into_iter()
    }

    #[test]
    fn log_undoes_exp() {
        let near_half_turn = [std::f64::consts::PI - 1e-9, std::f64::consts::PI];
        for angle in angles().chain(near_half_turn) {
            let psi = AXIS.map(|x| angle * x);
            let back = log(exp(psi));
            assert!(
                distance(psi, back) <= 1e-15 * angle.max(1e-300) + 1e-15 * angle,
                "{angle}"
            );
            // the other quaternion and any length mean the same rotation
            assert!(distance(back, log(exp(psi).map(|x| -3.0 * x))) < 4e-15);
        }
    }

    #[test]
    fn a_rotation_undone_is_exactly_none() {
        let q = exp(AXIS.map(|x| 1.234 * x));
        assert_eq!(log(compose(inverse(q), q)), [0.0; 3]);
    }

    #[test]
    fn quaternions_and_matrices_agree() {
        let (a, b) = (exp([0.3, -0.7, 1.1]), exp([-1.2, 0.4, 0.9]));
        let both = product(&matrix(a), &matrix(b));
        let composed = matrix(compose(a, b));
        for i in 0..3 {
            assert!(distance(both[i], composed[i]) < 4e-16 * 4.0);
        }
    }

    /// Against differences of the rotation itself: steps of 1e-5 leave 1e-10.
    #[test]
    fn the_tangent_operator_is_the_derivative_of_exp() {
        let rate = [0.2, 0.5, -0.4];
        for angle in angles() {
            let psi = AXIS.map(|x| angle * x);
            let e = 1e-5;
            let moved = |e: f64| exp(std::array::from_fn(|i| psi[i] + e * rate[i]));
            let turned = log(compose(inverse(moved(-e)), moved(e))).map(|x| x / (2.0 * e));
            // the mean of both sides is the body axes in the middle to second order
            assert!(distance(turned, tangent(psi, rate)) < 2e-10, "{angle}");
            let back = tangent_inverse(psi, tangent(psi, rate));
            assert!(distance(back, rate) < 4e-15, "{angle}");
            let excess = apply(&inverse_excess(psi), rate);
            let sum = std::array::from_fn(|i| rate[i] + excess[i]);
            assert!(distance(sum, tangent_inverse(psi, rate)) < 4e-15, "{angle}");
        }
    }

    #[test]
    fn the_derivative_of_the_tangent_operator_is_along_the_tangent() {
        let rate = [0.2, 0.5, -0.4];
        for angle in angles() {
            let psi = AXIS.map(|x| angle * x);
            let derivative = tangent_derivative(psi, rate);
            for j in 0..3 {
                let e = 1e-5;
                let along = |e: f64| {
                    let mut d = [0.0; 3];
                    d[j] = e;
                    tangent(log(compose(exp(psi), exp(d))), rate)
                };
                let (high, low) = (along(e), along(-e));
                for i in 0..3 {
                    let difference = (high[i] - low[i]) / (2.0 * e);
                    assert!((difference - derivative[i][j]).abs() < 1e-9, "{angle}");
                }
            }
        }
    }
}
