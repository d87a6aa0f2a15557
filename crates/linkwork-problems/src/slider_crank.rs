//! Slider crank with an elastic connecting rod in 7 coordinates and 3 constraints.
//!
//! ```text
//!  crank   phi1 = Omega t, driven        rod   phi2, q1..q4        block   x3
//!  rod, lateral  v = q1 sin(pi s) + q2 sin(2 pi s);  longitudinal  u quadratic, q3 mid, q4 end
//!
//!  C1 = l1 sin phi1 + (l2 + q4) sin phi2,   C2 = x3 - l1 cos phi1 - (l2 + q4) cos phi2
//!  C3 = phi1 - Omega t
//! ```
//!
//! The elastic frequencies (about 1.3e3, 5.1e3, 6.6e3 and 2.3e4 rad/s) lie far above that of the drive
//! (150 rad/s): the motion is smooth where the start is, and high orders of backward
//! differentiation are unstable on it unless every vibration is resolved.
//!
//! Source: Simeon, Math. Modelling of Systems 2 (1996) 1-18; Test Set for IVP Solvers, "crank". Two
//! peculiarities of the published model are kept, because its reference contains them: the mass of
//! the longitudinal coordinates lacks the factor 1/15 of a quadratic bar, and pi has 8 digits.

use crate::small::Equations;
use linkwork_dae::system::At;

#[allow(clippy::approx_constant)]
const PI: f64 = 3.1415927;
const M2: f64 = 0.151104;
const M3: f64 = 0.075552;
const L1: f64 = 0.15;
const L2: f64 = 0.30;
const J1: f64 = 0.002727;
const J2: f64 = 0.0045339259;
const YOUNG: f64 = 2.0e11;
const WIDTH: f64 = 0.008;
const HEIGHT: f64 = 0.008;
const RHO: f64 = 7870.0;
/// Speed of the drive, rad/s.
const OMEGA: f64 = 150.0;

const F_M: f64 = RHO * WIDTH * HEIGHT * L2;
const F_K: f64 = YOUNG * WIDTH * HEIGHT / L2;
const F_B: f64 = WIDTH * HEIGHT * L2;
const PI2: f64 = PI * PI;
const SLENDER: f64 = (HEIGHT / L2) * (HEIGHT / L2);

type Matrix = [[f64; 4]; 4];

const MASS: Matrix = [
    [F_M / 2.0, 0.0, 0.0, 0.0],
    [0.0, F_M / 2.0, 0.0, 0.0],
    [0.0, 0.0, 8.0 * F_M, F_M],
    [0.0, 0.0, F_M, 2.0 * F_M],
];
const STIFFNESS: Matrix = [
    [F_K * PI2 * PI2 / 24.0 * SLENDER, 0.0, 0.0, 0.0],
    [0.0, F_K * 2.0 * PI2 * PI2 / 3.0 * SLENDER, 0.0, 0.0],
    [0.0, 0.0, 16.0 / 3.0 * F_K, -8.0 / 3.0 * F_K],
    [0.0, 0.0, -8.0 / 3.0 * F_K, 7.0 / 3.0 * F_K],
];
/// Half a per cent.
const DAMPING: Matrix = [
    [5.0, 0.0, 0.0, 0.0],
    [0.0, 25.0, 0.0, 0.0],
    [0.0, 0.0, 0.5 * 230.8375455264791, -0.5 * 262.6884879920526],
    [0.0, 0.0, -0.5 * 262.6884879920526, 0.5 * 421.7421837156818],
];
/// Coriolis coupling of lateral and longitudinal motion, skew.
const COUPLING: Matrix = {
    let b13 = -16.0 * F_B / (PI2 * PI);
    let b14 = F_B * (8.0 / (PI2 * PI) - 1.0 / PI);
    let b24 = F_B / (2.0 * PI);
    [
        [0.0, 0.0, b13, b14],
        [0.0, 0.0, 0.0, b24],
        [-b13, 0.0, 0.0, 0.0],
        [-b14, -b24, 0.0, 0.0],
    ]
};
/// Integrals of the shape functions: longitudinal, lateral, and both weighted with the place.
const C1: [f64; 4] = [0.0, 0.0, 2.0 / 3.0 * F_B, F_B / 6.0];
const C2: [f64; 4] = [2.0 / PI * F_B, 0.0, 0.0, 0.0];
const C12: [f64; 4] = [0.0, 0.0, L2 * F_B / 3.0, L2 * F_B / 6.0];
const C21: [f64; 4] = [L2 * F_B / PI, -L2 * F_B / (2.0 * PI), 0.0, 0.0];
/// Coupling of stretch and bending energy.
const KAPPA: f64 = YOUNG * WIDTH * HEIGHT * PI2 / (2.0 * L2 * L2);
const BETA: f64 = 80.0 / (9.0 * PI2);

/// How the motion begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The published one, close to the smooth motion, given with 9 digits; velocities are its
    /// mass-orthogonal projection onto the constraints, and the assembly moves the block alone.
    Published,
    /// Undeformed rod: all vibrations are excited.
    Rest,
    /// The published elastic coordinates with everything else consistent to the last digit.
    Consistent,
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct SliderCrank {
    /// Start.
    pub start: Start,
    /// Whether stretching stiffens bending.
    pub nonlinear: bool,
    /// Whether the rod damps its vibrations.
    pub damped: bool,
}

impl Default for SliderCrank {
    fn default() -> SliderCrank {
        SliderCrank {
            start: Start::Consistent,
            nonlinear: false,
            damped: false,
        }
    }
}

fn dot(a: &[f64; 4], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn times(m: &Matrix, x: &[f64]) -> [f64; 4] {
    [0, 1, 2, 3].map(|i| dot(&m[i], x))
}

/// Sine and cosine of the angle between crank and rod and the sums over elastic coordinates.
struct Pose<'a> {
    q: &'a [f64],
    s: f64,
    c: f64,
    c1q: f64,
    c2q: f64,
}

impl Pose<'_> {
    fn new(q: &[f64]) -> Pose<'_> {
        let (s, c) = (q[0] - q[1]).sin_cos();
        let q = &q[3..];
        Pose {
            q,
            s,
            c,
            c1q: dot(&C1, q),
            c2q: dot(&C2, q),
        }
    }

    /// `M12`; its derivative by `phi1` is that by `-phi2`.
    fn m12(&self) -> f64 {
        L1 * L2 * M2 / 2.0 * self.c + RHO * L1 * (self.s * self.c2q + self.c * self.c1q)
    }

    fn m12_angle(&self) -> f64 {
        -L1 * L2 * M2 / 2.0 * self.s + RHO * L1 * (self.c * self.c2q - self.s * self.c1q)
    }

    /// The projection of the shape integrals on the crank's path, and across it.
    fn along(&self, i: usize) -> f64 {
        RHO * L1 * (self.c * C1[i] + self.s * C2[i])
    }

    fn across(&self, i: usize) -> f64 {
        RHO * L1 * (self.c * C2[i] - self.s * C1[i])
    }

    /// `M2q`.
    fn m2q(&self) -> [f64; 4] {
        let b = times(&COUPLING, self.q);
        // B' = -B
        [0, 1, 2, 3].map(|i| RHO * (C21[i] - b[i]))
    }
}

/// Gradient of the bending-stretching energy, row by row of its Hessian for the second.
fn gradient(q: &[f64]) -> [f64; 4] {
    let stretch = -4.0 * q[2] + 2.0 * q[3];
    [
        KAPPA * (q[0] * q[3] - BETA * q[1] * stretch),
        KAPPA * (4.0 * q[1] * q[3] - BETA * q[0] * stretch),
        KAPPA * 4.0 * BETA * q[0] * q[1],
        KAPPA * (0.5 * q[0] * q[0] + 2.0 * q[1] * q[1] - 2.0 * BETA * q[0] * q[1]),
    ]
}

fn hessian(q: &[f64]) -> Matrix {
    let w12 = -BETA * (-4.0 * q[2] + 2.0 * q[3]);
    let (w13, w23) = (4.0 * BETA * q[1], 4.0 * BETA * q[0]);
    let (w14, w24) = (q[0] - 2.0 * BETA * q[1], 4.0 * q[1] - 2.0 * BETA * q[0]);
    [
        [q[3], w12, w13, w14],
        [w12, 4.0 * q[3], w23, w24],
        [w13, w23, 0.0, 0.0],
        [w14, w24, 0.0, 0.0],
    ]
    .map(|row| row.map(|w| KAPPA * w))
}

const N: usize = 7;

impl Equations for SliderCrank {
    const N: usize = N;
    const C: usize = 3;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        let (rad, m) = ("rad", "m");
        vec![
            ("phi1", rad),
            ("phi2", rad),
            ("x3", m),
            ("q1", m),
            ("q2", m),
            ("q3", m),
            ("q4", m),
        ]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        const Q3: f64 = 0.103339863e-4;
        const Q4: f64 = 0.169327969e-4;
        const V3: f64 = -0.178591076e-5;
        const V4: f64 = -0.268938672e-5;
        let (x3, q, phi2, v) = match self.start {
            Start::Published => (
                0.450016933,
                [0.0, 0.0, Q3, Q4],
                -74.995_767_039_694_52,
                [0.444_896_112_581_599_9, 0.004_634_339_319_238_302, V3, V4],
            ),
            Start::Rest => (L1 + L2, [0.0; 4], -L1 * OMEGA / L2, [0.0; 4]),
            Start::Consistent => (
                L1 + L2 + Q4,
                [0.0, 0.0, Q3, Q4],
                -L1 * OMEGA / (L2 + Q4),
                [0.444896105, 0.463434311e-2, V3, V4],
            ),
        };
        (
            [&[0.0, 0.0, x3][..], &q].concat(),
            [&[OMEGA, phi2, v[3]][..], &v].concat(),
            Vec::new(),
        )
    }

    /// All but the position of the block are meant as given.
    fn weight(&self, i: usize) -> f64 {
        if i == 2 { 1.0 } else { 1e8 }
    }

    /// Elastic coordinates add up to one displacement of the rod, at most 2 mm: they share a scale.
    fn scale(&self, i: usize) -> f64 {
        if i < 2 {
            1.0
        } else if i == 2 {
            L1
        } else {
            1e-3
        }
    }

    fn rate(&self, i: usize) -> f64 {
        let elastic = i.checked_sub(3);
        elastic.map_or(0.0, |k| (STIFFNESS[k][k] / MASS[k][k]).sqrt())
    }

    fn mass(&self, q: &[f64], _: f64, m: &mut [f64]) {
        let p = Pose::new(q);
        m.fill(0.0);
        m[0] = J1 + M2 * L1 * L1;
        m[1] = p.m12();
        m[N] = m[1];
        m[N + 1] = J2 + dot(&times(&MASS, p.q), p.q) + 2.0 * RHO * dot(&C12, p.q);
        m[2 * N + 2] = M3;
        let m2q = p.m2q();
        for i in 0..4 {
            let (across, k) = (p.across(i), 3 + i);
            m[k] = across;
            m[k * N] = across;
            m[N + k] = m2q[i];
            m[k * N + 1] = m2q[i];
            m[k * N + 3..k * N + 7].copy_from_slice(&MASS[i]);
        }
    }

    fn mass_q(&self, q: &[f64], a: &[f64], _: f64, out: &mut [f64]) {
        let p = Pose::new(q);
        let (aq, m12) = (&a[3..], p.m12_angle());
        let by_angle = m12 * a[1] - (0..4).map(|i| p.along(i) * aq[i]).sum::<f64>();
        let mut add = |i: usize, angle: f64| {
            out[i * N] += angle;
            out[i * N + 1] -= angle;
        };
        add(0, by_angle);
        add(1, m12 * a[0]);
        for i in 0..4 {
            add(3 + i, -p.along(i) * a[0]);
        }
        let mass_q = times(&MASS, p.q);
        let b_a = times(&COUPLING, aq);
        for i in 0..4 {
            out[3 + i] += p.along(i) * a[1];
            let m22 = 2.0 * (mass_q[i] + RHO * C12[i]);
            out[N + 3 + i] += p.along(i) * a[0] + m22 * a[1] + RHO * b_a[i];
            for j in 0..4 {
                out[(3 + i) * N + 3 + j] -= RHO * COUPLING[i][j] * a[1];
            }
        }
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        let p = Pose::new(at.q);
        let (v1, v2, w) = (at.v[0], at.v[1], &at.v[3..]);
        let (c1w, c2w) = (dot(&C1, w), dot(&C2, w));
        let mass_q = times(&MASS, p.q);
        let (b_w, k_q) = (times(&COUPLING, w), times(&STIFFNESS, p.q));
        // the derivative of M12 by the angle is what centrifugal forces act through
        f[0] = v2 * v2 * p.m12_angle() - 2.0 * RHO * L1 * v2 * (p.c * c1w + p.s * c2w);
        f[1] = -v1 * v1 * p.m12_angle() - 2.0 * v2 * (RHO * dot(&C12, w) + dot(&mass_q, w));
        f[2] = 0.0;
        for i in 0..4 {
            f[3 + i] = v2 * v2 * (mass_q[i] + RHO * C12[i])
                + v1 * v1 * p.along(i)
                + 2.0 * RHO * v2 * b_w[i]
                - k_q[i];
        }
        if self.damped {
            for (f, d) in f[3..].iter_mut().zip(times(&DAMPING, w)) {
                *f -= d;
            }
        }
        if self.nonlinear {
            for (f, g) in f[3..].iter_mut().zip(gradient(p.q)) {
                *f -= g;
            }
        }
    }

    fn force_q(&self, at: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], _: &mut [f64]) {
        let p = Pose::new(at.q);
        let (v1, v2, w) = (at.v[0], at.v[1], &at.v[3..]);
        let (c1w, c2w) = (dot(&C1, w), dot(&C2, w));
        let (mass_q, mass_w) = (times(&MASS, p.q), times(&MASS, w));
        let b_w = times(&COUPLING, w);
        let m12 = p.m12_angle();
        let m12_curvature = -p.m12();
        let mut angle = |i: usize, x: f64| {
            f_q[i * N] = x;
            f_q[i * N + 1] = -x;
        };
        angle(
            0,
            v2 * v2 * m12_curvature - 2.0 * RHO * L1 * v2 * (p.c * c2w - p.s * c1w),
        );
        angle(1, -v1 * v1 * m12_curvature);
        for i in 0..4 {
            angle(3 + i, v1 * v1 * p.across(i));
        }
        f_v[1] = 2.0 * v2 * m12 - 2.0 * RHO * L1 * (p.c * c1w + p.s * c2w);
        f_v[N] = -2.0 * v1 * m12;
        f_v[N + 1] = -2.0 * (RHO * dot(&C12, w) + dot(&mass_q, w));
        let hessian = if self.nonlinear {
            hessian(p.q)
        } else {
            Matrix::default()
        };
        for i in 0..4 {
            let (row, centrifugal) = ((3 + i) * N, mass_q[i] + RHO * C12[i]);
            f_q[3 + i] = v2 * v2 * p.across(i);
            f_q[N + 3 + i] = -v1 * v1 * p.across(i) - 2.0 * v2 * mass_w[i];
            f_v[3 + i] = -2.0 * v2 * p.along(i);
            f_v[N + 3 + i] = -2.0 * v2 * centrifugal;
            f_v[row] = 2.0 * v1 * p.along(i);
            f_v[row + 1] = 2.0 * v2 * centrifugal + 2.0 * RHO * b_w[i];
            for j in 0..4 {
                f_q[row + 3 + j] = v2 * v2 * MASS[i][j] - STIFFNESS[i][j] - hessian[i][j];
                f_v[row + 3 + j] = 2.0 * RHO * v2 * COUPLING[i][j];
                if self.damped {
                    f_v[row + 3 + j] -= DAMPING[i][j];
                }
            }
        }
    }

    fn constraint(&self, q: &[f64], t: f64, c: &mut [f64]) {
        let ((s1, c1), (s2, c2)) = (q[0].sin_cos(), q[1].sin_cos());
        let l = L2 + q[6];
        c[0] = L1 * s1 + l * s2;
        c[1] = q[2] - L1 * c1 - l * c2;
        c[2] = q[0] - OMEGA * t;
    }

    fn c_q(&self, q: &[f64], _: f64, c_q: &mut [f64]) {
        let ((s1, c1), (s2, c2)) = (q[0].sin_cos(), q[1].sin_cos());
        let l = L2 + q[6];
        c_q.copy_from_slice(
            [
                [L1 * c1, l * c2, 0.0, 0.0, 0.0, 0.0, s2],
                [L1 * s1, l * s2, 1.0, 0.0, 0.0, 0.0, -c2],
                [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            ]
            .as_flattened(),
        );
    }

    fn c_t(&self, _: &[f64], _: f64, c_t: &mut [f64]) {
        c_t[2] = -OMEGA;
    }

    fn cv_q(&self, q: &[f64], v: &[f64], _: f64, out: &mut [f64]) {
        let ((s1, c1), (s2, c2)) = (q[0].sin_cos(), q[1].sin_cos());
        let (l, v1, v2, v6) = (L2 + q[6], v[0], v[1], v[6]);
        out.fill(0.0);
        out[0] = -L1 * s1 * v1;
        out[1] = -l * s2 * v2 + c2 * v6;
        out[6] = c2 * v2;
        out[N] = L1 * c1 * v1;
        out[N + 1] = l * c2 * v2 + s2 * v6;
        out[N + 6] = s2 * v2;
    }

    fn lambda_q(&self, q: &[f64], lambda: &[f64], _: f64, out: &mut [f64]) {
        let ((s1, c1), (s2, c2)) = (q[0].sin_cos(), q[1].sin_cos());
        let (l, a, b) = (L2 + q[6], lambda[0], lambda[1]);
        out[0] += L1 * (c1 * b - s1 * a);
        out[N + 1] += l * (c2 * b - s2 * a);
        let mixed = c2 * a + s2 * b;
        out[N + 6] += mixed;
        out[6 * N + 1] += mixed;
    }

    fn gamma(&self, q: &[f64], v: &[f64], _: f64, gamma: &mut [f64]) {
        let ((s1, c1), (s2, c2)) = (q[0].sin_cos(), q[1].sin_cos());
        let (l, v1, v2, v6) = (L2 + q[6], v[0], v[1], v[6]);
        gamma[0] = L1 * s1 * v1 * v1 + l * s2 * v2 * v2 - 2.0 * c2 * v2 * v6;
        gamma[1] = -L1 * c1 * v1 * v1 - l * c2 * v2 * v2 - 2.0 * s2 * v2 * v6;
        gamma[2] = 0.0;
    }
}
