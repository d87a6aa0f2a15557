//! Mass matrix of the car: composite bodies, from the wheels inwards (Walker & Orin 1982).
//!
//! A unit rate of a coordinate moves the bodies that it carries by twists; their momentum is a force
//! `F` and a moment `N` about the centre of mass of the chassis, in its axes:
//!
//! ```text
//!  M_ij = sum over bodies  m v_i . v_j + w_i . I w_j
//!  rows of the chassis     F_j and N_j, along its coordinates
//!  chassis with all of it  m, first moment s, inertia J about its centre:  F = w x s,  N = J w
//! ```

use super::corner::{CORNERS, Carried, OWN};
use super::{CHASSIS, Car, INERTIA, MASS, N, RACK, RACK_INERTIA, RACK_MASS, three};
use crate::spatial::{Pose, V3, cross, dot, minus, plus};
use linkwork_dae::system::Part;

/// Mass, first moment and inertia about the centre of mass of the chassis.
struct Composite {
    mass: f64,
    first: V3,
    inertia: [V3; 3],
}

impl Composite {
    /// Adds a body with its centre of mass at `p`; `inertia` has its rows.
    fn add(&mut self, mass: f64, p: V3, inertia: &[V3; 3]) {
        self.mass += mass;
        self.first = plus(self.first, mass, p);
        let square = dot(p, p);
        for (k, (to, from)) in self.inertia.iter_mut().zip(inertia).enumerate() {
            *to = plus(plus(*to, 1.0, *from), -mass * p[k], p);
            to[k] += mass * square;
        }
    }
}

pub(super) fn times(rows: &[V3; 3], x: V3) -> V3 {
    rows.map(|row| dot(row, x))
}

fn diagonal(i: V3) -> [V3; 3] {
    [[i[0], 0.0, 0.0], [0.0, i[1], 0.0], [0.0, 0.0, i[2]]]
}

impl Car {
    /// Values of the mass matrix in the order of its pattern.
    pub(super) fn mass(&self, q: &[f64], t: f64, out: &mut [f64]) {
        let mut m = [[0.0; N]; N];
        let pose = Pose::new(three(q, 0), [0.0; 3], three(q, 3), [0.0; 3]);
        // force and moment in axes of the chassis, along its coordinates
        let along = |force: V3, moment: V3| {
            let (f, n) = (pose.outward(force), pose.moments(pose.outward(moment)));
            [f[0], f[1], f[2], n[0], n[1], n[2]]
        };
        let mut all = Composite {
            mass: MASS,
            first: [0.0; 3],
            inertia: diagonal(INERTIA),
        };
        let rack = plus(RACK, self.rack(t).v, [0.0, 1.0, 0.0]);
        all.add(RACK_MASS, rack, &diagonal(RACK_INERTIA));
        for (c, corner) in CORNERS.iter().enumerate() {
            let first = CHASSIS + OWN * c;
            let mut momentum = [([0.0; 3], [0.0; 3]); OWN];
            for body in corner.carried(&q[first..first + OWN]) {
                let Carried {
                    mass,
                    centre,
                    inertia,
                    twists,
                } = &body;
                all.add(*mass, *centre, inertia);
                for (j, v, w) in twists.iter().flatten() {
                    let (force, spin) = (v.map(|v| mass * v), times(inertia, *w));
                    let (f, n) = &mut momentum[*j];
                    *f = plus(*f, 1.0, force);
                    *n = plus(plus(*n, 1.0, spin), 1.0, cross(*centre, force));
                    for (i, vi, wi) in twists.iter().flatten() {
                        m[first + i][first + j] += dot(*vi, force) + dot(*wi, spin);
                    }
                }
            }
            for (j, (force, moment)) in (first..).zip(momentum) {
                for (i, x) in along(force, moment).into_iter().enumerate() {
                    (m[i][j], m[j][i]) = (x, x);
                }
            }
        }
        for i in 0..3 {
            m[i][i] = all.mass;
        }
        for (j, axis) in (3..).zip([pose.roll, pose.pitch, [0.0, 0.0, 1.0]]) {
            let w = pose.inward(axis);
            let column = along(cross(w, all.first), times(&all.inertia, w));
            for (i, x) in column.into_iter().enumerate() {
                (m[i][j], m[j][i]) = (x, x);
            }
        }
        for (x, &(i, j)) in out.iter_mut().zip(&self.facts.patterns[Part::Mass]) {
            *x = m[i as usize][j as usize];
        }
    }
}

/// `R I R'` from the images of the unit vectors under `R` and the moments along them.
pub(super) fn turned_inertia(axes: [V3; 3], i: V3) -> [V3; 3] {
    let mut rows = [[0.0; 3]; 3];
    for (axis, i) in axes.into_iter().zip(i) {
        for (row, x) in rows.iter_mut().zip(axis) {
            *row = plus(*row, i * x, axis);
        }
    }
    rows
}

/// A twist about an axis through a point, seen at another point.
pub(super) fn about(coordinate: usize, axis: V3, through: V3, at: V3) -> Option<(usize, V3, V3)> {
    Some((coordinate, cross(axis, minus(at, through)), axis))
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::system::{At, System, Terms};

    /// Columns of the mass matrix are differences of the residual by whole accelerations, in which
    /// it is linear: equal to the rounding of forces of 1e4 N.
    #[test]
    fn columns_are_what_unit_accelerations_take() {
        let mut car = Car::new(0.01);
        let wave = |i: usize| 0.3 * (1.0 + 2.3 * i as f64).sin();
        let q: Vec<f64> = (0..N).map(wave).collect();
        let (v, lambda, t) = (vec![0.2; N], vec![0.0; 16], 0.7);
        let mut residual = |a: &[f64]| {
            let mut r = vec![0.0; N];
            let at = At {
                t,
                q: &q,
                v: &v,
                a,
                lambda: &lambda,
                x: &[],
            };
            let mut want = Terms {
                r: Some(&mut r),
                ..Terms::default()
            };
            car.eval(&at, &mut want).unwrap();
            r
        };
        let still = residual(&[0.0; N]);
        let mut full = [[0.0; N]; N];
        for j in 0..N {
            let mut a = [0.0; N];
            a[j] = 1.0;
            let moved = residual(&a);
            for i in 0..N {
                full[i][j] = moved[i] - still[i];
            }
        }
        let mut mass = vec![0.0; car.facts.patterns[Part::Mass].len()];
        car.mass(&q, t, &mut mass);
        let mut listed = [[false; N]; N];
        for (x, &(i, j)) in mass.iter().zip(&car.facts.patterns[Part::Mass]) {
            let (i, j) = (i as usize, j as usize);
            assert!((x - full[i][j]).abs() < 1e-9, "{i} {j}: {x} {}", full[i][j]);
            listed[i][j] = true;
        }
        for i in 0..N {
            for j in 0..N {
                assert!(listed[i][j] || full[i][j].abs() < 1e-9, "{i} {j}");
            }
        }
    }
}
