//! Derivatives of the measured quantities.
//!
//! ```text
//!  columns     x_a y_a angle_a  x_b y_b angle_b | the same of the velocities
//!  point       p = r + s,  w = r' + omega s^       dp/dangle = s^,  dw/dangle = -omega s,  dw/domega = s^
//!  distance    l = |d|,  l' = n . w                dl = n . dd,     dl' = (w - l' n)/l . dd + n . dw
//! ```

use super::Sensor;
use crate::joint::COLUMNS;
use crate::space::{Frame, Vector, dot, perp};

/// Columns: coordinates of both bodies, then their velocities.
pub const GRADIENT_COLUMNS: usize = 2 * COLUMNS;
/// Quantities of a sensor.
pub const MAX_QUANTITIES: usize = 4;

/// Derivatives of the quantities of a sensor.
pub type Gradient = [[f64; GRADIENT_COLUMNS]; MAX_QUANTITIES];

/// `row += weight . d(point)/dq` of the body in columns `first..first + 3`.
fn add_point(row: &mut [f64], first: usize, weight: Vector, arm: Vector) {
    row[first] += weight[0];
    row[first + 1] += weight[1];
    row[first + 2] += dot(weight, perp(arm));
}

impl Sensor {
    /// Fills the derivatives of the quantities in the order of [`Sensor::channels`]. Where a
    /// distance is zero they are zero.
    pub fn gradient(&self, a: &Frame, b: &Frame, out: &mut Gradient) {
        *out = [[0.0; GRADIENT_COLUMNS]; MAX_QUANTITIES];
        let [pa, pb] = self.markers();
        let (sa, sb) = (a.pose.direction(pa.point), b.pose.direction(pb.point));
        match self {
            Sensor::Point { .. } => {
                for (i, axis) in [[1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
                    add_point(&mut out[i], 3, axis, sb);
                    out[2 + i][5] = -b.omega * sb[i];
                    add_point(&mut out[2 + i], COLUMNS + 3, axis, sb);
                }
            }
            Sensor::Distance { .. } => {
                let (p, q) = (a.pose.point(pa.point), b.pose.point(pb.point));
                let (va, vb) = (a.velocity_at(sa), b.velocity_at(sb));
                let d = [q[0] - p[0], q[1] - p[1]];
                let w = [vb[0] - va[0], vb[1] - va[1]];
                let length = dot(d, d).sqrt();
                if length == 0.0 {
                    return;
                }
                let n = d.map(|x| x / length);
                let back = n.map(|x| -x);
                let rate = dot(n, w);
                let turning: Vector = std::array::from_fn(|i| (w[i] - rate * n[i]) / length);
                let turned_back = turning.map(|x| -x);
                add_point(&mut out[0], 0, back, sa);
                add_point(&mut out[0], 3, n, sb);
                add_point(&mut out[1], 0, turned_back, sa);
                add_point(&mut out[1], 3, turning, sb);
                out[1][2] += a.omega * dot(n, sa);
                out[1][5] -= b.omega * dot(n, sb);
                add_point(&mut out[1], COLUMNS, back, sa);
                add_point(&mut out[1], COLUMNS + 3, n, sb);
            }
            Sensor::Angle { .. } => {
                (out[0][2], out[0][5]) = (-1.0, 1.0);
                (out[1][COLUMNS + 2], out[1][COLUMNS + 5]) = (-1.0, 1.0);
            }
        }
    }

    /// Columns in which the derivative of a quantity can be nonzero.
    pub fn gradient_columns(&self, quantity: usize) -> Vec<usize> {
        let [pa, pb] = self.markers().map(|m| m.point != [0.0; 2]);
        match (self, quantity) {
            (Sensor::Point { .. }, 0 | 1) if pb => vec![3 + quantity, 5],
            (Sensor::Point { .. }, 0 | 1) => vec![3 + quantity],
            (Sensor::Point { .. }, i) if pb => vec![5, COLUMNS + 1 + i, COLUMNS + 5],
            (Sensor::Point { .. }, i) => vec![COLUMNS + 1 + i],
            (Sensor::Distance { .. }, i) => {
                let moves = |c: &usize| match c % 6 {
                    2 => pa,
                    5 => pb,
                    _ => true,
                };
                (0..COLUMNS * (1 + i)).filter(moves).collect()
            }
            (Sensor::Angle { .. }, i) => vec![i * COLUMNS + 2, i * COLUMNS + 5],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::BodyRef;
    use crate::space::{Marker, Pose};

    /// Central differences with increment 1e-6 at values of order one: error about 1e-9.
    #[test]
    fn gradients_equal_differences_and_stay_in_their_columns() {
        const H: f64 = 1e-6;
        let (a, b) = (BodyRef::from_index(0), BodyRef::from_index(1));
        let point = Marker::body([0.4, -0.7]);
        let sensors = [
            Sensor::Point { body: b, point },
            Sensor::Point {
                body: b,
                point: Marker::ORIGIN,
            },
            Sensor::Distance {
                a,
                point_a: Marker::body([0.2, 0.1]),
                b,
                point_b: point,
            },
            Sensor::Distance {
                a,
                point_a: Marker::ORIGIN,
                b,
                point_b: point,
            },
            Sensor::Angle { a, b },
        ];
        let at = [
            0.1, -0.4, 0.6, 1.5, 0.8, -1.1, 0.3, 0.9, -0.5, -1.2, 0.7, 2.0,
        ];
        let frames = |z: &[f64; 12]| {
            [0, 3].map(|k| Frame {
                pose: Pose::new([z[k], z[k + 1]], z[k + 2]),
                velocity: [z[k + 6], z[k + 7]],
                omega: z[k + 8],
            })
        };
        for sensor in sensors {
            let count = sensor.channels().len();
            let values = |z: &[f64; 12]| {
                let [a, b] = frames(z);
                let mut out = [0.0; MAX_QUANTITIES];
                sensor.observe(&a, &b, &mut out[..count]);
                out
            };
            let [fa, fb] = frames(&at);
            let mut gradient = [[f64::NAN; GRADIENT_COLUMNS]; MAX_QUANTITIES];
            sensor.gradient(&fa, &fb, &mut gradient);
            for j in 0..GRADIENT_COLUMNS {
                let (mut hi, mut lo) = (at, at);
                hi[j] += H;
                lo[j] -= H;
                let (hi, lo) = (values(&hi), values(&lo));
                for i in 0..count {
                    let d = (hi[i] - lo[i]) / (2.0 * H);
                    let got = gradient[i][j];
                    assert!((got - d).abs() < 1e-8, "{sensor:?} {i} {j}: {got} {d}");
                    let listed = sensor.gradient_columns(i).contains(&j);
                    assert!(listed || got == 0.0, "{sensor:?} {i} {j}");
                }
            }
        }
    }
}
