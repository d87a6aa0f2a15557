//! Andrews' squeezing mechanism in the coordinates of four points: 8 coordinates, 7 constraints.
//!
//! ```text
//!  q = (E, F, G, H);   C_k = (|r_i - r_j|^2 - L_k^2) / (2 L_k)
//!  L: |OF|, |FE|, |BE|, |GE|, |AG|, |HE|, |AH|;   O, A, B fixed
//!
//!  body with ends r_1, r_2 a distance L apart, centre of mass x_c along r_1 r_2, inertia I_1 about r_1:
//!
//!  [ (m - 2 m x_c/L + I_1/L^2) 1    (m x_c/L - I_1/L^2) 1 ] [ r_1'' ]
//!  [ (m x_c/L - I_1/L^2) 1          I_1/L^2 1             ] [ r_2'' ]
//! ```
//!
//! The mass matrix is constant and nothing depends on velocities: all stiffness is in the
//! constraints, whose multipliers are the forces along the rods. This is the mechanism in the form
//! in which Bottasso, Dopico & Trainelli (2008) study the rounding of index-3 equations; data and
//! start are those of [`crate::andrews`]. The third corner of the triangle, D, follows B and E
//! rigidly; the torque of the motor is a force on F across OF.
//!
//! Source of the coordinates: Garcia de Jalon & Bayo, Kinematic and Dynamic Simulation of Multibody
//! Systems (1994), 4.2.

use crate::andrews as data;
use crate::small::Equations;
use linkwork_dae::system::{At, Energy};

const N: usize = 8;
/// Places of the points in `q`.
const E: usize = 0;
const F: usize = 2;
const G: usize = 4;
const H: usize = 6;

/// An end of a rod.
#[derive(Clone, Copy)]
enum End {
    Fixed([f64; 2]),
    Free(usize),
}

impl End {
    fn at(self, q: &[f64]) -> [f64; 2] {
        match self {
            End::Fixed(r) => r,
            End::Free(i) => [q[i], q[i + 1]],
        }
    }

    fn velocity(self, v: &[f64]) -> [f64; 2] {
        match self {
            End::Fixed(_) => [0.0; 2],
            End::Free(i) => [v[i], v[i + 1]],
        }
    }
}

struct Rod {
    ends: [End; 2],
    length: f64,
}

const fn rod(from: End, to: End, length: f64) -> Rod {
    Rod {
        ends: [from, to],
        length,
    }
}

const RODS: [Rod; 7] = [
    rod(End::Fixed([0.0; 2]), End::Free(F), data::RR),
    rod(End::Free(F), End::Free(E), data::D),
    rod(End::Fixed(data::B), End::Free(E), data::SS),
    rod(End::Free(G), End::Free(E), data::E),
    rod(End::Fixed(data::A), End::Free(G), data::ZT),
    rod(End::Free(H), End::Free(E), data::ZF),
    rod(End::Fixed(data::A), End::Free(H), data::U),
];

impl Rod {
    /// From the first end to the second, per length.
    fn direction(&self, ends: [[f64; 2]; 2]) -> [f64; 2] {
        let [a, b] = ends;
        [(b[0] - a[0]) / self.length, (b[1] - a[1]) / self.length]
    }

    fn along(&self, q: &[f64]) -> [f64; 2] {
        self.direction(self.ends.map(|e| e.at(q)))
    }

    fn rate(&self, v: &[f64]) -> [f64; 2] {
        self.direction(self.ends.map(|e| e.velocity(v)))
    }

    /// Places of the free ends, with the sign of their share in the direction.
    fn free(&self) -> impl Iterator<Item = (usize, f64)> {
        let place = |(end, sign): (End, f64)| match end {
            End::Free(i) => Some((i, sign)),
            End::Fixed(_) => None,
        };
        self.ends.into_iter().zip([-1.0, 1.0]).filter_map(place)
    }

    /// Row of a constraint Jacobian: `direction` on the second end, its negative on the first.
    fn row(&self, direction: [f64; 2], out: &mut [f64]) {
        out.fill(0.0);
        for (i, sign) in self.free() {
            out[i] = sign * direction[0];
            out[i + 1] = sign * direction[1];
        }
    }
}

/// Mass of a point on the far end of a body that turns about a fixed one: inertia over length^2.
const fn swinging(body: usize, reach_squared: f64, length: f64) -> f64 {
    (data::I[body] + data::M[body] * reach_squared) / (length * length)
}

/// A body between two points: masses of both ends and their coupling.
const fn between(body: usize, centre: f64, length: f64) -> [f64; 3] {
    let m = data::M[body];
    let far = swinging(body, centre * centre, length);
    let share = m * centre / length;
    [m - 2.0 * share + far, share - far, far]
}

const ROD_FE: [f64; 3] = between(1, data::DA, data::D);
const ROD_GE: [f64; 3] = between(3, data::A4, data::E);
const ROD_HE: [f64; 3] = between(5, data::B6, data::ZF);
const CRANK: f64 = swinging(0, data::RA * data::RA, data::RR);
const TRIANGLE: f64 = swinging(2, data::SA * data::SA + data::SB * data::SB, data::SS);
const ARM_G: f64 = swinging(4, data::TA * data::TA + data::TB * data::TB, data::ZT);
const ARM_H: f64 = swinging(6, data::UA * data::UA + data::UB * data::UB, data::U);

/// Entries of the mass matrix by points (both triangles); each stands for a 2x2 unit matrix.
const MASS: [(usize, usize, f64); 10] = [
    (E, E, ROD_FE[2] + TRIANGLE + ROD_GE[2] + ROD_HE[2]),
    (F, F, CRANK + ROD_FE[0]),
    (G, G, ROD_GE[0] + ARM_G),
    (H, H, ROD_HE[0] + ARM_H),
    (E, F, ROD_FE[1]),
    (F, E, ROD_FE[1]),
    (E, G, ROD_GE[1]),
    (G, E, ROD_GE[1]),
    (E, H, ROD_HE[1]),
    (H, E, ROD_HE[1]),
];

/// The corner D relative to E, both seen from B: a rotation and a stretch `[[a, -b], [b, a]]`.
const CORNER: [f64; 2] = [data::SC / data::SS, data::SD / data::SS];

/// The spring from D to C, with C the origin.
struct Spring {
    d: [f64; 2],
    length: f64,
}

impl Spring {
    fn new(q: &[f64]) -> Spring {
        let [a, b] = CORNER;
        let (x, y) = (q[E] - data::B[0], q[E + 1] - data::B[1]);
        let d = [
            data::B[0] + a * x - b * y - data::C[0],
            data::B[1] + b * x + a * y - data::C[1],
        ];
        Spring {
            d,
            length: d[0].hypot(d[1]),
        }
    }

    /// Force on D per distance from C.
    fn density(&self) -> f64 {
        -data::STIFFNESS * (1.0 - data::FREE_LENGTH / self.length)
    }

    /// Derivative of the force on E by the position of E.
    fn stiffness(&self) -> [f64; 4] {
        let [a, b] = CORNER;
        let [x, y] = on_e(self.d);
        // the part along the spring, in coordinates of E
        let along = -data::STIFFNESS * data::FREE_LENGTH / self.length.powi(3);
        let both = self.density() * (a * a + b * b);
        [
            both + along * x * x,
            along * x * y,
            along * x * y,
            both + along * y * y,
        ]
    }
}

/// A force on D as a force on E.
fn on_e(f: [f64; 2]) -> [f64; 2] {
    let [a, b] = CORNER;
    [a * f[0] + b * f[1], a * f[1] - b * f[0]]
}

/// Force across OF that makes the torque, per distance from O.
const DRIVE: f64 = data::TORQUE / (data::RR * data::RR);

/// The points of a configuration given in angles, in the order of `q`.
pub fn points(angles: &[f64; 7]) -> [f64; 8] {
    let [beta, theta, _, _, delta, _, epsilon] = *angles;
    let f = [data::RR * beta.cos(), data::RR * beta.sin()];
    let rod = beta + theta;
    [
        f[0] - data::D * rod.cos(),
        f[1] - data::D * rod.sin(),
        f[0],
        f[1],
        data::A[0] + data::ZT * delta.cos(),
        data::A[1] + data::ZT * delta.sin(),
        data::A[0] + data::U * epsilon.sin(),
        data::A[1] - data::U * epsilon.cos(),
    ]
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct SqueezerPoints;

impl Equations for SqueezerPoints {
    const N: usize = N;
    const C: usize = 7;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        ["e.x", "e.y", "f.x", "f.y", "g.x", "g.y", "h.x", "h.y"]
            .map(|name| (name, "m"))
            .to_vec()
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (points(&data::START).to_vec(), vec![0.0; N], Vec::new())
    }

    /// A rod of the mechanism.
    fn scale(&self, _: usize) -> f64 {
        data::D
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m.fill(0.0);
        for (i, j, mass) in MASS {
            m[i * N + j] = mass;
            m[(i + 1) * N + j + 1] = mass;
        }
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        f.fill(0.0);
        let spring = Spring::new(at.q);
        let pull = spring.d.map(|d| spring.density() * d);
        f[E..E + 2].copy_from_slice(&on_e(pull));
        f[F] = -DRIVE * at.q[F + 1];
        f[F + 1] = DRIVE * at.q[F];
    }

    fn force_q(&self, at: &At<'_>, f_q: &mut [f64], _: &mut [f64], _: &mut [f64]) {
        let [xx, xy, yx, yy] = Spring::new(at.q).stiffness();
        f_q[E * N + E] = xx;
        f_q[E * N + E + 1] = xy;
        f_q[(E + 1) * N + E] = yx;
        f_q[(E + 1) * N + E + 1] = yy;
        f_q[F * N + F + 1] = -DRIVE;
        f_q[(F + 1) * N + F] = DRIVE;
    }

    fn constraint(&self, q: &[f64], _: f64, c: &mut [f64]) {
        for (c, rod) in c.iter_mut().zip(&RODS) {
            let [x, y] = rod.along(q);
            *c = 0.5 * rod.length * (x * x + y * y - 1.0);
        }
    }

    fn c_q(&self, q: &[f64], _: f64, c_q: &mut [f64]) {
        for (row, rod) in c_q.chunks_exact_mut(N).zip(&RODS) {
            rod.row(rod.along(q), row);
        }
    }

    fn cv_q(&self, _: &[f64], v: &[f64], _: f64, out: &mut [f64]) {
        for (row, rod) in out.chunks_exact_mut(N).zip(&RODS) {
            rod.row(rod.rate(v), row);
        }
    }

    fn lambda_q(&self, _: &[f64], lambda: &[f64], _: f64, out: &mut [f64]) {
        for (lambda, rod) in lambda.iter().zip(&RODS) {
            let stiffness = lambda / rod.length;
            for (i, one) in rod.free() {
                for (j, other) in rod.free() {
                    out[i * N + j] += one * other * stiffness;
                    out[(i + 1) * N + j + 1] += one * other * stiffness;
                }
            }
        }
    }

    fn gamma(&self, _: &[f64], v: &[f64], _: f64, gamma: &mut [f64]) {
        for (gamma, rod) in gamma.iter_mut().zip(&RODS) {
            let [x, y] = rod.rate(v);
            *gamma = -rod.length * (x * x + y * y);
        }
    }

    fn energy(&self, q: &[f64], v: &[f64], _: f64) -> Option<Energy> {
        let pair = |(i, j, m): (usize, usize, f64)| m * (v[i] * v[j] + v[i + 1] * v[j + 1]);
        let stretch = Spring::new(q).length - data::FREE_LENGTH;
        Some(Energy {
            kinetic: 0.5 * MASS.into_iter().map(pair).sum::<f64>(),
            potential: 0.5 * data::STIFFNESS * stretch * stretch,
            power: DRIVE * (q[F] * v[F + 1] - q[F + 1] * v[F]),
            ..Energy::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::Small;
    use crate::study::Setup;
    use linkwork_dae::drive::Ending;
    use linkwork_dae::system::EnergyAccount;

    /// Points of the solution in angles, which a quadruple-precision run of order 16 gave to 17
    /// digits; the tolerance of 1e-10 leaves errors of some 1e-8 m after 15.8 rad of the crank.
    #[test]
    #[allow(clippy::excessive_precision)]
    fn follows_the_solution_in_angles() {
        let at = |t_end: f64| {
            let setup = Setup::new("bdf", "ggl", t_end, 1e-10);
            let out = setup.run(&mut Small::new(SqueezerPoints), &mut ());
            let out = out.expect("parts exist");
            assert_eq!(out.ending, Ending::Finished);
            out.state.q
        };
        let expected = [
            (
                0.02,
                [
                    -2.9069756243049631e-02,
                    -1.5044570694408001e-03,
                    -2.2744209241604981e-03,
                    6.6201970861705398e-03,
                    -3.4677766213389265e-02,
                    1.7693204876029832e-02,
                    -3.3944077608723080e-02,
                    -2.0901389590438529e-02,
                ],
            ),
            (
                0.03,
                [
                    -3.4921618395303122e-02,
                    -2.2408410821267433e-03,
                    -6.9630394270468515e-03,
                    -7.1838843071910191e-04,
                    -3.4715219049883908e-02,
                    1.7758093872270466e-02,
                    -3.4681333564428376e-02,
                    -2.2239397610037739e-02,
                ],
            ),
        ];
        for (t, points) in expected {
            for (i, (q, exact)) in at(t).iter().zip(points).enumerate() {
                let error = (q - exact).abs();
                assert!(error < 1e-7, "t = {t}, coordinate {i}: {error:.1e}");
            }
        }
    }

    /// Both forms of the mechanism have the same kinetic energy in the same motion.
    #[test]
    fn mass_is_that_of_the_bodies() {
        use crate::andrews::Andrews;
        use linkwork_dae::state::State;
        use linkwork_dae::system::System;
        let mut angles = Andrews::default();
        let mut s = State::new(angles.facts().dims);
        s.q.copy_from_slice(&[0.3, -0.4, 0.5, 0.2, 0.6, -0.1, 1.1]);
        // E is carried by the rod here, so the chains beyond it must rest for it to be one point
        s.v[0] = 3.0;
        let by_angles = angles.energy(&s).unwrap().kinetic;
        let array = |q: &[f64]| -> [f64; 7] { q.try_into().unwrap() };
        let q = points(&array(&s.q));
        let mut v = [0.0; 8];
        let (x, y) = (q[0], q[1]);
        (v[0], v[1]) = (-3.0 * y, 3.0 * x);
        (v[2], v[3]) = (-3.0 * q[3], 3.0 * q[2]);
        let pair = |i: usize, j: usize, m: f64| m * (v[i] * v[j] + v[i + 1] * v[j + 1]);
        let rod = pair(E, E, ROD_FE[2]) + 2.0 * pair(E, F, ROD_FE[1]) + pair(F, F, ROD_FE[0]);
        let by_points = 0.5 * (rod + pair(F, F, CRANK));
        assert!((by_points / by_angles - 1.0).abs() < 1e-12);
    }
}
