//! The screw motion that leads from one frame to another: strains are read from it, and loads follow by its derivative.

use crate::force::measure::rotation_vector;
use crate::geometry::{IDENTITY, Pose, Vector, add, apply, cross, dot, scaled, sub};
use linkwork_dae::scalar::Scalar;

/// `zeta(2 k)` for k = 1, 2 and so on; beyond, 1.
const ZETA: [f64; 13] = [
    1.644_934_066_848_226_4,
    1.082_323_233_711_138_1,
    1.017_343_061_984_449_2,
    1.004_077_356_197_944_4,
    1.000_994_575_127_818,
    1.000_246_086_553_308,
    1.000_061_248_135_058_8,
    1.000_015_282_259_408_6,
    1.000_003_817_293_265,
    1.000_000_953_962_033_8,
    1.000_000_238_450_502_7,
    1.000_000_059_608_189,
    1.000_000_014_901_554_9,
];

/// `g1 = (1 - gamma)/t^2` with `gamma = t/2 cot(t/2)`, and `g2 = 2 dg1/dt^2`, of the square of the angle `t`.
fn curvatures<S: Scalar>(square: S) -> [S; 2] {
    let turn = 4.0 * std::f64::consts::PI * std::f64::consts::PI;
    if square.value() < 2.0 {
        // g1 = 2/(2 pi)^2 sum_k zeta(2k) x^(k-1) with x = t^2/(2 pi)^2 < 0.051
        let x = square * (1.0 / turn);
        let (mut g1, mut g2) = (S::from(0.0), S::from(0.0));
        for zeta in ZETA.iter().rev() {
            g2 = g2 * x + g1;
            g1 = g1 * x + *zeta;
        }
        return [g1 * (2.0 / turn), g2 * (4.0 / (turn * turn))];
    }
    let t = square.sqrt();
    let (sin, cos) = t.sin_cos();
    // gamma = t/2 sin/(1 - cos),  1/beta = t^2/(2 (1 - cos))
    let versed = -cos + 1.0;
    let gamma = t * sin / versed * 0.5;
    let g1 = (-gamma + 1.0) / square;
    let g2 = (square / versed * 0.5 + gamma - 2.0) / (square * square);
    [g1, g2]
}

/// The screw motion between the ends, and what its derivatives are made of.
pub(super) struct Screw<S> {
    pub u: Vector<S>,
    pub phi: Vector<S>,
    g1: S,
    g2: S,
    /// Cosine of the angle between the ends; close to half a turn `phi` tells nothing.
    pub cosine: f64,
    /// Axes of the ends in global components: rows are the directions.
    pub axes: [[Vector<S>; 3]; 2],
}

fn half<S: Scalar>(x: Vector<S>) -> Vector<S> {
    x.map(|x| x * 0.5)
}

impl<S: Scalar> Screw<S> {
    /// From the axes of both ends and the way from the one to the other, all in global components.
    pub fn new([ta, tb]: [[Vector<S>; 3]; 2], way: Vector<S>) -> Screw<S> {
        let seen = apply(&ta, way);
        let turn = ta.map(|u| tb.map(|w| dot(u, w)));
        let trace = turn[0][0] + turn[1][1] + turn[2][2];
        let phi = rotation_vector(&turn);
        let [g1, g2] = curvatures(dot(phi, phi));
        let mut screw = Screw {
            u: seen,
            phi,
            g1,
            g2,
            cosine: 0.5 * (trace.value() - 1.0),
            axes: [ta, tb],
        };
        // T^-1(-phi) r
        screw.u = sub(screw.even(seen), half(cross(phi, seen)));
        screw
    }

    /// `(1 + g1 phi^2) x`.
    fn even(&self, x: Vector<S>) -> Vector<S> {
        let twice = cross(self.phi, cross(self.phi, x));
        add(x, scaled(twice, self.g1))
    }

    /// `(g1 (u^ phi^ + phi^ u^) + (phi.u) g2 phi^2) x`.
    fn coupled(&self, x: Vector<S>) -> Vector<S> {
        let (u, phi) = (self.u, self.phi);
        let by_phi = cross(phi, x);
        let both = add(cross(u, by_phi), cross(phi, cross(u, x)));
        let twice = scaled(cross(phi, by_phi), dot(phi, u) * self.g2);
        add(scaled(both, self.g1), twice)
    }

    /// `T6^-1(d) hb - T6^-1(-d) ha`.
    pub fn rate(&self, ends: &[[Vector<S>; 2]; 2]) -> [Vector<S>; 2] {
        let [[xa, ra], [xb, rb]] = *ends;
        let (dx, dr) = (sub(xb, xa), sub(rb, ra));
        let (mx, mr) = (half(add(xb, xa)), half(add(rb, ra)));
        let u = add(self.even(dx), cross(self.phi, mx));
        let u = add(u, add(self.coupled(dr), cross(self.u, mr)));
        [u, add(self.even(dr), cross(self.phi, mr))]
    }

    /// `T6^-1(-d)' n` and `-T6^-1(d)' n`: force and moment on both ends, in their axes.
    pub fn loads(&self, force: Vector<S>, moment: Vector<S>) -> [[Vector<S>; 2]; 2] {
        let (push, across) = (self.even(force), half(cross(self.phi, force)));
        let turn = add(self.coupled(force), self.even(moment));
        let aside = add(half(cross(self.u, force)), half(cross(self.phi, moment)));
        [
            [add(push, across), add(turn, aside)],
            [sub(across, push), sub(aside, turn)],
        ]
    }
}

/// The screw motion `(u, phi)` from one pose to another, in the axes of the first.
pub(crate) fn screw_motion(from: &Pose, to: &Pose) -> [Vector; 2] {
    let axes = |pose: &Pose| IDENTITY.map(|u| pose.direction(u));
    let way = sub(to.position, from.position);
    let screw = Screw::new([axes(from), axes(to)], way);
    [screw.u, screw.phi]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_and_closed_form_meet() {
        let (low, high) = (curvatures(2.0 - 1e-12), curvatures(2.0 + 1e-12));
        for (a, b) in low.iter().zip(high) {
            assert!((a - b).abs() < 1e-13 * (1.0 + b.abs()), "{a} {b}");
        }
        let [g1, g2] = curvatures(0.0);
        assert!((g1 - 1.0 / 12.0).abs() < 1e-16 && (g2 - 1.0 / 360.0).abs() < 1e-17);
    }
}
