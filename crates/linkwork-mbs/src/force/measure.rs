//! Forces that work on measures: elongations, angles, relative displacements.
//!
//! With measures `z(q)`, `J = z_q` along the tangent and a law `f(z, z')`:
//!
//! ```text
//!  z' = J v        Q = -J' f
//! ```
//!
//! So the power of the force is `-f . z'` whatever the measure, and a law that has a potential
//! `U(z)` with `f = U_z` conserves energy exactly. `J` comes from dual numbers over the scalar.

use crate::geometry::{Frame, Pose, Vector, atan2, dot, nearest_turn, sub};
use crate::joint::Fixture;
use crate::lanes::{COLUMNS, Lanes};
use linkwork_dae::scalar::{Dual, Scalar};

/// `Q = -J' f` of both bodies.
pub(super) fn pull<S: Scalar, const M: usize>(
    a: &Frame<S>,
    b: &Frame<S>,
    measure: impl Fn(&Pose<Dual<COLUMNS, S>>, &Pose<Dual<COLUMNS, S>>) -> [Dual<COLUMNS, S>; M],
    law: impl FnOnce([S; M], [S; M]) -> [S; M],
) -> [S; COLUMNS] {
    pull_and_tell(a, b, measure, |z, rate| (law(z, rate), ())).0
}

/// The same with something else that the law tells.
pub(super) fn pull_and_tell<S: Scalar, T, const M: usize>(
    a: &Frame<S>,
    b: &Frame<S>,
    measure: impl Fn(&Pose<Dual<COLUMNS, S>>, &Pose<Dual<COLUMNS, S>>) -> [Dual<COLUMNS, S>; M],
    law: impl FnOnce([S; M], [S; M]) -> ([S; M], T),
) -> ([S; COLUMNS], T) {
    pull_along(&Lanes::ALL, [a, b], measure, law)
}

/// The same for the angle of a fixture, which knows the turns of the bodies alone; in the x-y plane it is linear in
/// their angles.
pub(super) fn pull_angle<S: Scalar, T>(
    fixture: &Fixture,
    a: &Frame<S>,
    b: &Frame<S>,
    turn: f64,
    law: impl FnOnce(S, S) -> (S, T),
) -> ([S; COLUMNS], T) {
    if fixture.counts() {
        let measure = |a: &Pose<Dual<6, S>>, b: &Pose<Dual<6, S>>| [angle(fixture, a, b, turn)];
        return pull_along(&Lanes::TURNS, [a, b], measure, |[z], [rate]| {
            let (f, told) = law(z, rate);
            ([f], told)
        });
    }
    let about = |x: S| match fixture.axis_a.direction[2] < 0.0 {
        true => -x,
        false => x,
    };
    let rate = about(b.omega[2] - a.omega[2]);
    let (f, told) = law(fixture.angle(&a.pose, &b.pose, turn), rate);
    let mut load = [S::from(0.0); COLUMNS];
    (load[TURN_A], load[TURN_B]) = (about(f), about(-f));
    (load, told)
}

/// Columns of the turns about z.
const TURN_A: usize = 5;
const TURN_B: usize = 11;

/// Along the columns that the measures depend on, of which there are `N`.
fn pull_along<const N: usize, S: Scalar, T, const M: usize>(
    lanes: &Lanes,
    [a, b]: [&Frame<S>; 2],
    measure: impl Fn(&Pose<Dual<N, S>>, &Pose<Dual<N, S>>) -> [Dual<N, S>; M],
    law: impl FnOnce([S; M], [S; M]) -> ([S; M], T),
) -> ([S; COLUMNS], T) {
    let [of_a, of_b] = &lanes.of;
    let z = measure(&Pose::seeded(&a.pose, of_a), &Pose::seeded(&b.pose, of_b));
    let v = [a.velocity, a.omega, b.velocity, b.omega];
    let v = v.as_flattened();
    let zero = S::from(0.0);
    let columns = || lanes.columns().iter().map(|j| usize::from(*j));
    let rate = |z: &Dual<N, S>| {
        let mut sum = zero;
        for (d, j) in z.d.iter().zip(columns()) {
            sum += *d * v[j];
        }
        sum
    };
    let (f, told) = law(z.map(|z| z.v), std::array::from_fn(|i| rate(&z[i])));
    let mut load = [zero; COLUMNS];
    for (lane, j) in columns().enumerate() {
        for (z, f) in z.iter().zip(f) {
            load[j] -= z.d[lane] * f;
        }
    }
    (load, told)
}

/// Measures and their rates in numbers.
pub(crate) fn observe<const M: usize>(
    a: &Frame,
    b: &Frame,
    measure: impl Fn(&Pose<Dual<1>>, &Pose<Dual<1>>) -> [Dual<1>; M],
) -> [(f64, f64); M] {
    let moving = |frame: &Frame| Pose::moving(&frame.pose, frame.velocity, frame.omega);
    measure(&moving(a), &moving(b)).map(|z| (z.v, z.d[0]))
}

/// Angle about the axis of body a from its normal to that of body b, nearest to `turn`.
pub(super) fn angle<S: Scalar>(fixture: &Fixture, a: &Pose<S>, b: &Pose<S>, turn: f64) -> S {
    if !fixture.counts() {
        return fixture.angle(a, b, turn);
    }
    let [normal, third, _] = fixture.triad(0);
    let to = b.direction(fixture.triad(1)[0]);
    let (x, y) = (dot(a.direction(normal), to), dot(a.direction(third), to));
    nearest_turn(atan2(y, x), turn)
}

/// Displacement of the point of body b along the axis of body a.
pub(super) fn displacement<S: Scalar>(fixture: &Fixture, a: &Pose<S>, b: &Pose<S>) -> S {
    let d = sub(b.point(fixture.b.point), a.point(fixture.a.point));
    dot(d, a.direction(fixture.triad(0)[2]))
}

/// Displacement of the point of body b from that of body a, in the triad of body a.
pub(crate) fn displacements<S: Scalar>(fixture: &Fixture, a: &Pose<S>, b: &Pose<S>) -> Vector<S> {
    let d = sub(b.point(fixture.b.point), a.point(fixture.a.point));
    fixture.triad(0).map(|u| dot(a.direction(u), d))
}

/// Displacement of the point of body b and rotation vector of body b, both in the triad of body a
/// and relative to the triad of body b: zero where the triads coincide.
pub(super) fn offset<S: Scalar>(fixture: &Fixture, a: &Pose<S>, b: &Pose<S>) -> [S; 6] {
    let axes = |pose: &Pose<S>, side: usize| -> [Vector<S>; 3] {
        // rows are the directions of the triad, in global components
        fixture.triad(side).map(|u| pose.direction(u))
    };
    let (ta, tb) = (axes(a, 0), axes(b, 1));
    let d = sub(b.point(fixture.b.point), a.point(fixture.a.point));
    let d = ta.map(|u| dot(u, d));
    // R = Ta Tb': columns are the axes of b as seen in a
    let r: [Vector<S>; 3] = ta.map(|u| tb.map(|w| dot(u, w)));
    let psi = rotation_vector(&r);
    [d[0], d[1], d[2], psi[0], psi[1], psi[2]]
}

/// The rotation vector of a rotation by less than half a turn.
///
/// `psi = f(c) vee(R - R')/2` with `c = cos(angle) = (trace R - 1)/2` and `f = angle/sin(angle)`,
/// a smooth function of `c` at `c = 1`: it satisfies `(1 - c^2) f' = c f - 1`, from which its
/// derivatives and its series in `1 - c` follow.
pub(super) fn rotation_vector<S: Scalar>(r: &[Vector<S>; 3]) -> Vector<S> {
    let c = (r[0][0] + r[1][1] + r[2][2] - 1.0) * 0.5;
    let half = |i: usize, j: usize| (r[i][j] - r[j][i]) * 0.5;
    let factor = c.lift(angle_over_sine(c.value()));
    [
        half(2, 1) * factor,
        half(0, 2) * factor,
        half(1, 0) * factor,
    ]
}

/// `angle/sin(angle)` and its first three derivatives as functions of the cosine.
fn angle_over_sine(c: f64) -> [f64; 4] {
    let e = 1.0 - c;
    if e < 0.05 {
        // coefficients n!/(2n+1)!! of e^n; the terms fall faster than (e/2)^n
        let (mut f, mut coefficient) = ([0.0; 4], 1.0);
        for n in 0..16 {
            let n_f = f64::from(n);
            let power = |k: i32| if n >= k { e.powi(n - k) } else { 0.0 };
            f[0] += coefficient * power(0);
            f[1] -= coefficient * n_f * power(1);
            f[2] += coefficient * n_f * (n_f - 1.0) * power(2);
            f[3] -= coefficient * n_f * (n_f - 1.0) * (n_f - 2.0) * power(3);
            coefficient *= (n_f + 1.0) / (2.0 * n_f + 3.0);
        }
        return f;
    }
    let s2 = 1.0 - c * c;
    let f = c.clamp(-1.0, 1.0).acos() / s2.sqrt();
    let d = (c * f - 1.0) / s2;
    let dd = (f + 3.0 * c * d) / s2;
    [f, d, dd, (4.0 * d + 5.0 * c * dd) / s2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orientation::rotation_by;

    #[test]
    fn series_and_closed_form_meet() {
        let near = |e: f64| angle_over_sine(1.0 - e);
        let (low, high) = (near(0.05 - 1e-9), near(0.05 + 1e-9));
        for (k, (a, b)) in low.iter().zip(high).enumerate() {
            // closed forms lose about e^-k of their digits
            assert!((a - b).abs() < 1e-8 * (1.0 + b.abs()), "derivative {k}");
        }
        assert_eq!(near(0.0)[0], 1.0);
    }

    #[test]
    fn rotation_vectors_come_back() {
        for psi in [
            [0.0, 0.0, 0.0],
            [1e-5, -2e-5, 3e-5],
            [0.3, -0.2, 0.9],
            [1.0, 2.0, 1.0],
        ] {
            let found: Vector = rotation_vector(&rotation_by(psi));
            for (x, y) in found.iter().zip(psi) {
                assert!((x - y).abs() < 1e-13, "{found:?} {psi:?}");
            }
        }
    }
}
