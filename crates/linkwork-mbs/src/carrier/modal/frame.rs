//! Frames on points of a flexible body: where modes move them, and the derivatives of that.

use super::ModalPoint;
use super::floating::Floating;
use crate::carrier::four::{Operators, Wide};
use crate::carrier::{CarrierPoint, FrameMap};
use crate::geometry::{
    Matrix, Vector, add, apply, apply_transposed, cross, dot, hat, product, scaled, sub,
};
use linkwork_dae::rotation::{Quaternion, matrix, normalise};

impl ModalPoint {
    pub(super) fn pose(&self, z: &[f64]) -> (Vector, Quaternion) {
        let [x, y, w] = sum(&self.rotation, z);
        let turn = normalise([1.0, 0.5 * x, 0.5 * y, 0.5 * w]);
        (self.displaced(z), turn)
    }

    /// `c + Phi z - e_x z' B z/2`.
    fn displaced(&self, z: &[f64]) -> Vector {
        let mut u = add(self.place, sum(&self.displacement, z));
        u[0] -= 0.5 * self.short(z, z);
        u
    }

    /// `a' B b`.
    fn short(&self, a: &[f64], b: &[f64]) -> f64 {
        (0..a.len()).map(|k| a[k] * self.short_by(k, b)).sum()
    }

    /// `(B b)_k`.
    fn short_by(&self, k: usize, b: &[f64]) -> f64 {
        let row = self.shortening.get(k * b.len()..(k + 1) * b.len());
        let row = row.unwrap_or(&[]);
        row.iter().zip(b).map(|(x, b)| x * b).sum()
    }

    /// How a mode moves it from here.
    fn shape(&self, k: usize, z: &[f64]) -> Vector {
        let mut phi = self.displacement[k];
        phi[0] -= self.short_by(k, z);
        phi
    }
}

/// What a frame on a point does.
pub(super) struct Node<'a> {
    floating: Floating,
    point: &'a ModalPoint,
    /// Amplitudes, their rates and accelerations.
    modes: [&'a [f64]; 3],
    r: Matrix,
    /// From the axes of the frame to those of the body.
    e: Matrix,
    /// Place, and its velocity and acceleration in the body.
    u: Vector,
    rate: Vector,
    second: Vector,
    turn: Operators,
    /// Angular velocity of the body, and its rate.
    w: Vector,
    wd: Vector,
}

/// The sum of some shapes.
pub(super) fn sum(shapes: &[Vector], z: &[f64]) -> Vector {
    let all = shapes.iter().zip(z);
    all.fold([0.0; 3], |sum, (shape, z)| add(sum, scaled(*shape, *z)))
}

fn three(x: &[f64], first: usize) -> Vector {
    [x[first], x[first + 1], x[first + 2]]
}

/// `X Psi` for a shape: the columns of the last three numbers, which are half of the rotation.
fn spread(x: &Wide, shape: Vector) -> Vector {
    x.map(|row| 0.5 * (row[1] * shape[0] + row[2] * shape[1] + row[3] * shape[2]))
}

impl<'a> Node<'a> {
    pub(super) fn new(
        floating: Floating,
        point: &'a ModalPoint,
        at: &CarrierPoint<'a>,
    ) -> Node<'a> {
        let own = floating.count();
        let (z, v, a) = (&at.q[own..], &at.v[own..], &at.a[own..]);
        let half = |first: f64, z: &[f64]| {
            let [x, y, w] = sum(&point.rotation, z);
            [first, 0.5 * x, 0.5 * y, 0.5 * w]
        };
        let e = half(1.0, z);
        let mut rate = sum(&point.displacement, v);
        rate[0] -= point.short(z, v);
        let mut second = sum(&point.displacement, a);
        second[0] -= point.short(z, a);
        Node {
            floating,
            point,
            modes: [z, v, a],
            r: matrix(floating.orientation(at)),
            e: matrix(normalise(e)),
            u: point.displaced(z),
            rate,
            second,
            turn: Operators::new(e, half(0.0, v), half(0.0, a)),
            w: floating.three(at.v, 3),
            wd: floating.three(at.a, 3),
        }
    }

    /// Angular velocity of the body in the axes of the frame, and its rate but for the turn of these.
    fn seen(&self) -> [Vector; 2] {
        [self.w, self.wd].map(|w| apply_transposed(&self.e, w))
    }

    /// What of the acceleration of the place is none of coordinates: `w x (w x u) + 2 w x u' - e_x z'' B z'`.
    fn bias(&self) -> Vector {
        let swing = cross(self.w, cross(self.w, self.u));
        let mut bias = add(swing, scaled(cross(self.w, self.rate), 2.0));
        bias[0] -= self.point.short(self.modes[1], self.modes[1]);
        bias
    }

    pub(super) fn fill(&self, out: &mut FrameMap) {
        let floating = self.floating;
        let n = floating.count() + self.point.displacement.len();
        let turned = |m: &Matrix| product(&self.r, m);
        let minus_hat = |a: Vector| hat(scaled(a, -1.0));
        let (w, wd, u) = (self.w, self.wd, self.u);
        let [seen, seen_rate] = self.seen();
        let relative = self.turn.omega;
        let bias = self.bias();
        let speed = add(cross(w, u), self.rate);
        let acceleration = add(add(cross(wd, u), self.second), bias);
        let by_w: Matrix = {
            let (a, b) = (hat(cross(w, u)), product(&hat(w), &hat(u)));
            let c = hat(self.rate);
            std::array::from_fn(|i| std::array::from_fn(|j| -a[i][j] - b[i][j] - 2.0 * c[i][j]))
        };
        let back: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| self.e[j][i]));
        for i in 0..3 {
            if let Some(column) = floating.at(i) {
                out.j[i * n + column] = 1.0;
            }
        }
        let put = |to: &mut [f64], row: usize, block: &Matrix| floating.put(to, n, row, block);
        put(&mut out.j, 0, &turned(&minus_hat(u)));
        put(&mut out.j, 3, &back);
        put(&mut out.w, 0, &turned(&minus_hat(speed)));
        put(&mut out.a, 0, &turned(&minus_hat(acceleration)));
        put(&mut out.bias_v, 0, &turned(&by_w));
        put(&mut out.bias_v, 3, &product(&minus_hat(relative), &back));
        let place = apply(&self.r, bias);
        let turn = sub(self.turn.bias, cross(relative, seen));
        out.bias = [place[0], place[1], place[2], turn[0], turn[1], turn[2]];
        let [z, v, a] = self.modes;
        for (k, &psi) in self.point.rotation.iter().enumerate() {
            let phi = self.point.shape(k, z);
            // derivatives of the shapes by the mode, along x, with rates and accelerations
            let shorter = |x: &[f64]| [-self.point.short_by(k, x), 0.0, 0.0];
            let (by_rate, by_second) = (shorter(v), shorter(a));
            let column = floating.count() + k;
            let delta = spread(&self.turn.b, psi);
            let faster = spread(&self.turn.w, psi);
            let across = cross(w, phi);
            let both = |to: &mut [f64], place: Vector, turn: Vector| {
                let place = apply(&self.r, place);
                for i in 0..3 {
                    to[i * n + column] = place[i];
                    to[(3 + i) * n + column] = turn[i];
                }
            };
            both(&mut out.j, phi, delta);
            let speed = add(across, by_rate);
            both(&mut out.w, speed, add(cross(seen, delta), faster));
            let turn = add(cross(seen_rate, delta), spread(&self.turn.a, psi));
            let turn = sub(turn, cross(faster, seen));
            let turn = sub(turn, cross(relative, cross(seen, delta)));
            let place = add(cross(wd, phi), cross(w, across));
            let place = add(place, add(by_second, scaled(cross(w, by_rate), 2.0)));
            both(&mut out.a, place, turn);
            let turn = add(cross(seen, delta), spread(&self.turn.bias_v, psi));
            both(&mut out.bias_v, scaled(add(across, by_rate), 2.0), turn);
        }
    }

    /// `(J' l)_q` but for the coordinates of the position.
    pub(super) fn bend(&self, load: &[f64; 6], out: &mut [f64]) {
        // rows and columns from the turns on
        let turns = self.floating.count() - self.floating.turns();
        let n = turns + self.point.displacement.len();
        let turn = |i: usize| self.floating.turn(i);
        let force = apply_transposed(&self.r, three(load, 0));
        let torque = three(load, 3);
        let arm = product(&hat(self.u), &hat(force));
        for (i, row) in arm.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                if let (Some(i), Some(j)) = (turn(i), turn(j)) {
                    out[i * n + j] = *x;
                }
            }
        }
        let bent = self.turn.pull_by_e(torque);
        let psi = &self.point.rotation;
        let count = psi.len();
        for (k, own) in psi.iter().enumerate() {
            let phi = self.point.shape(k, self.modes[0]);
            let moment = cross(phi, force);
            let turned = cross(spread(&self.turn.b, *own), torque);
            let column = add(moment, apply(&self.e, turned));
            for i in 0..3 {
                if let Some(row) = turn(i) {
                    out[row * n + turns + k] = column[i];
                    out[(turns + k) * n + row] = moment[i];
                }
            }
            let by_own: Vector = std::array::from_fn(|i| dot(three(&bent[1 + i], 1), *own));
            for (j, other) in psi.iter().enumerate() {
                let short = self.point.shortening.get(j * count + k);
                let straight = short.map_or(0.0, |b| b * force[0]);
                out[(turns + j) * n + turns + k] = 0.25 * dot(*other, by_own) - straight;
            }
        }
    }
}
