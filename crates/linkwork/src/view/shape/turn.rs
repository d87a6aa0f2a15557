//! Turns as quaternions, scalar part first.

use crate::view::scene::{Quaternion, Vector};

/// No turn.
pub(super) const UPRIGHT: Quaternion = [1.0, 0.0, 0.0, 0.0];

/// The second turn, then the first.
pub(super) fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    let [w, x, y, z] = a;
    let [s, i, j, k] = b;
    [
        w * s - x * i - y * j - z * k,
        w * i + x * s + y * k - z * j,
        w * j - x * k + y * s + z * i,
        w * k + x * j - y * i + z * s,
    ]
}

/// A turn about z.
pub(super) fn about_z(angle: f64) -> Quaternion {
    [(0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()]
}

/// The shortest turn of z into a direction.
pub(crate) fn from_z(direction: Vector) -> Quaternion {
    let [x, y, z] = direction;
    let length = (x * x + y * y + z * z).sqrt();
    if !(length > 0.0) {
        return UPRIGHT;
    }
    let w = length + z;
    if w < 1e-9 * length {
        return [0.0, 1.0, 0.0, 0.0];
    }
    let norm = (w * w + x * x + y * y).sqrt();
    [w / norm, -y / norm, x / norm, 0.0]
}

/// The turn into three perpendicular axes.
pub(super) fn of_axes(axes: [Vector; 3]) -> Quaternion {
    // columns of the matrix are the axes
    let m = |i: usize, j: usize| axes[j][i];
    let trace = m(0, 0) + m(1, 1) + m(2, 2);
    let quaternion = if trace > 0.0 {
        let s = 2.0 * (trace + 1.0).sqrt();
        [
            0.25 * s,
            (m(2, 1) - m(1, 2)) / s,
            (m(0, 2) - m(2, 0)) / s,
            (m(1, 0) - m(0, 1)) / s,
        ]
    } else {
        let largest = |a: usize, b: usize| if m(b, b) > m(a, a) { b } else { a };
        let i = largest(largest(0, 1), 2);
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let s = 2.0 * (1.0 + m(i, i) - m(j, j) - m(k, k)).max(1e-12).sqrt();
        let mut q = [0.0; 4];
        q[0] = (m(k, j) - m(j, k)) / s;
        q[1 + i] = 0.25 * s;
        q[1 + j] = (m(j, i) + m(i, j)) / s;
        q[1 + k] = (m(k, i) + m(i, k)) / s;
        q
    };
    let norm = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    quaternion.map(|x| x / norm)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::scene::turn;

    #[test]
    fn z_turns_into_any_direction() {
        for direction in [
            [0.0, 0.0, 2.0],
            [0.0, 0.0, -1.0],
            [3.0, -4.0, 12.0],
            [1.0, 0.0, 0.0],
        ] {
            let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
            let z = turn(from_z(direction), [0.0, 0.0, 1.0]);
            for k in 0..3 {
                assert!(
                    (z[k] - direction[k] / length).abs() < 1e-12,
                    "{direction:?}"
                );
            }
        }
    }

    #[test]
    fn axes_and_quaternions_agree() {
        let s = 0.5f64.sqrt();
        let axes = [[s, s, 0.0], [0.0, 0.0, 1.0], [s, -s, 0.0]];
        let q = of_axes(axes);
        for (k, axis) in axes.iter().enumerate() {
            let mut unit = [0.0; 3];
            unit[k] = 1.0;
            let turned = turn(q, unit);
            for i in 0..3 {
                assert!((turned[i] - axis[i]).abs() < 1e-12, "{q:?}");
            }
        }
    }
}
