//! Andrews' squeezing mechanism (seven-body mechanism) in 7 angles and 6 constraints.
//!
//! Planar, no gravity, one degree of freedom: a motor at O drives the crank OF; the rod FE ends in
//! E, which three further chains hold: the triangle BDE with a spring from D to C, and two
//! two-bar chains from A (AG-GE and AH-HE).
//!
//! Source: Schiehlen (ed.), Multibody Systems Handbook (1990); Hairer & Wanner, Solving Ordinary
//! Differential Equations II (1996), VII.7. Derivative blocks are written by hand.

use linkwork_dae::chart::Chart;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::system::{
    At, BlockPatterns, Blocks, Capability, Channel, Dims, Energy, EnergyAccount, EvalError, Facts,
    Guess, Names, Part, Parts, Reference, Row, System, Terms,
};
use std::sync::Arc;

const NAMES: [&str; 7] = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"];
const LOOPS: [&str; 3] = ["rod-triangle", "rod-upper chain", "rod-lower chain"];

/// Data shared with [`crate::squeezer_points`]; names as in the Handbook.
pub(crate) const M: [f64; 7] = [
    0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498,
];
pub(crate) const I: [f64; 7] = [
    2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5,
];
pub(crate) const D: f64 = 0.028;
pub(crate) const DA: f64 = 0.0115;
pub(crate) const E: f64 = 0.02;
const EA: f64 = 0.01421;
pub(crate) const RR: f64 = 0.007;
pub(crate) const RA: f64 = 0.00092;
pub(crate) const SS: f64 = 0.035;
pub(crate) const SA: f64 = 0.01874;
pub(crate) const SB: f64 = 0.01043;
pub(crate) const SC: f64 = 0.018;
pub(crate) const SD: f64 = 0.02;
pub(crate) const TA: f64 = 0.02308;
pub(crate) const TB: f64 = 0.00916;
pub(crate) const U: f64 = 0.04;
pub(crate) const UA: f64 = 0.01228;
pub(crate) const UB: f64 = 0.00449;
pub(crate) const ZF: f64 = 0.02;
pub(crate) const ZT: f64 = 0.04;
const FA: f64 = 0.01421;
pub(crate) const A: [f64; 2] = [-0.06934, -0.00227];
pub(crate) const B: [f64; 2] = [-0.03635, 0.03273];
pub(crate) const C: [f64; 2] = [0.014, 0.072];
pub(crate) const STIFFNESS: f64 = 4530.0;
pub(crate) const FREE_LENGTH: f64 = 0.07785;
pub(crate) const TORQUE: f64 = 0.033;

/// Coupling constants of the mass matrix: crank-rod, upper chain, lower chain.
pub(crate) const A4: f64 = E - EA;
pub(crate) const B6: f64 = ZF - FA;
const K12: f64 = M[1] * DA * RR;
const K45: f64 = M[3] * ZT * A4;
const K67: f64 = M[5] * U * B6;

pub(crate) const START: [f64; 7] = [
    -0.061_713_890_014_276_45,
    0.0,
    0.455_279_819_163_070_4,
    0.222_668_390_165_885_88,
    0.487_364_979_543_842_55,
    -0.222_668_390_165_885_88,
    1.230_547_444_549_821_2,
];

/// Entries of `C_q`, row by row.
const C_Q: [(u32, u32); 22] = [
    (0, 0),
    (0, 1),
    (0, 2),
    (1, 0),
    (1, 1),
    (1, 2),
    (2, 0),
    (2, 1),
    (2, 3),
    (2, 4),
    (3, 0),
    (3, 1),
    (3, 3),
    (3, 4),
    (4, 0),
    (4, 1),
    (4, 5),
    (4, 6),
    (5, 0),
    (5, 1),
    (5, 5),
    (5, 6),
];
/// Mass and stiffness: one 1x1 and three 2x2 blocks.
const PAIRS: [(u32, u32); 13] = [
    (0, 0),
    (0, 1),
    (1, 0),
    (1, 1),
    (2, 2),
    (3, 3),
    (3, 4),
    (4, 3),
    (4, 4),
    (5, 5),
    (5, 6),
    (6, 5),
    (6, 6),
];
const DAMPING: [(u32, u32); 9] = [
    (0, 0),
    (0, 1),
    (1, 0),
    (3, 4),
    (4, 3),
    (4, 4),
    (5, 6),
    (6, 5),
    (6, 6),
];

/// See the [module](self).
#[derive(Clone)]
pub struct Andrews {
    facts: Arc<Facts>,
}

impl Default for Andrews {
    fn default() -> Andrews {
        let mut patterns = BlockPatterns::default();
        patterns[Part::Mass] = PAIRS.to_vec();
        patterns[Part::Cq] = C_Q.to_vec();
        patterns[Part::Rq] = PAIRS.to_vec();
        patterns[Part::Rv] = DAMPING.to_vec();
        patterns[Part::CVq] = C_Q.to_vec();
        let mut channels = Vec::new();
        for name in NAMES {
            channels.push(Channel::new(name, "rad"));
            channels.push(Channel::new(format!("{name}.velocity"), "rad/s"));
            channels.push(Channel::new(format!("{name}.acceleration"), "rad/s^2"));
        }
        for i in 1..=6 {
            channels.push(Channel::new(format!("lambda{i}"), "N"));
        }
        let dims = Dims {
            nq: 7,
            nv: 7,
            nc: 6,
            ..Dims::default()
        };
        let facts = Facts {
            patterns,
            reference: vec![Reference::Size; 7],
            guess: Guess::at(&START, &[0.0; 7]),
            channels,
            names: Names::new(dims, describe, owner),
            ..Facts::new(dims)
        };
        Andrews {
            facts: Arc::new(facts),
        }
    }
}

/// Sines and cosines of a configuration and the geometry made of them.
struct Pose {
    /// beta
    s_b: f64,
    c_b: f64,
    /// beta + theta
    s_bt: f64,
    c_bt: f64,
    /// gamma
    s_g: f64,
    c_g: f64,
    /// phi + delta
    s_pd: f64,
    c_pd: f64,
    s_d: f64,
    c_d: f64,
    /// omega + epsilon
    s_oe: f64,
    c_oe: f64,
    s_e: f64,
    c_e: f64,
    /// theta, phi, omega from the angle differences
    s_t: f64,
    c_t: f64,
    s_p: f64,
    c_p: f64,
    s_o: f64,
    c_o: f64,
}

impl Pose {
    fn new(q: &[f64]) -> Pose {
        let (s_b, c_b) = q[0].sin_cos();
        let (s_bt, c_bt) = (q[0] + q[1]).sin_cos();
        let (s_g, c_g) = q[2].sin_cos();
        let (s_pd, c_pd) = (q[3] + q[4]).sin_cos();
        let (s_d, c_d) = q[4].sin_cos();
        let (s_oe, c_oe) = (q[5] + q[6]).sin_cos();
        let (s_e, c_e) = q[6].sin_cos();
        Pose {
            s_b,
            c_b,
            s_bt,
            c_bt,
            s_g,
            c_g,
            s_pd,
            c_pd,
            s_d,
            c_d,
            s_oe,
            c_oe,
            s_e,
            c_e,
            s_t: s_bt * c_b - c_bt * s_b,
            c_t: c_bt * c_b + s_bt * s_b,
            s_p: s_pd * c_d - c_pd * s_d,
            c_p: c_pd * c_d + s_pd * s_d,
            s_o: s_oe * c_e - c_oe * s_e,
            c_o: c_oe * c_e + s_oe * s_e,
        }
    }

    fn mass(&self) -> [f64; 13] {
        let m12 = M[1] * (DA * DA - DA * RR * self.c_t) + I[1];
        let m11 =
            M[0] * RA * RA + M[1] * (RR * RR - 2.0 * DA * RR * self.c_t + DA * DA) + I[0] + I[1];
        let m45 = M[3] * (A4 * A4 + ZT * A4 * self.s_p) + I[3];
        let m55 = M[3] * (ZT * ZT + 2.0 * ZT * A4 * self.s_p + A4 * A4)
            + M[4] * (TA * TA + TB * TB)
            + I[3]
            + I[4];
        let m67 = M[5] * (B6 * B6 - U * B6 * self.s_o) + I[5];
        let m77 = M[5] * (B6 * B6 - 2.0 * U * B6 * self.s_o + U * U)
            + M[6] * (UA * UA + UB * UB)
            + I[5]
            + I[6];
        let m22 = M[1] * DA * DA + I[1];
        let m33 = M[2] * (SA * SA + SB * SB) + I[2];
        let m44 = M[3] * A4 * A4 + I[3];
        let m66 = M[5] * B6 * B6 + I[5];
        [
            m11, m12, m12, m22, m33, m44, m45, m45, m55, m66, m67, m67, m77,
        ]
    }

    fn spring(&self) -> Spring {
        let (x, y) = (SD * self.c_g + SC * self.s_g, SD * self.s_g - SC * self.c_g);
        let (dx, dy) = (x + B[0] - C[0], y + B[1] - C[1]);
        let (dx_g, dy_g) = (-y, x);
        let length = (dx * dx + dy * dy).sqrt();
        Spring {
            length,
            lever: dx * dx_g + dy * dy_g,
            lever_g: x * x + y * y - dx * x - dy * y,
        }
    }

    fn force(&self, v: &[f64]) -> [f64; 7] {
        let spring = self.spring();
        [
            TORQUE - K12 * v[1] * (v[1] + 2.0 * v[0]) * self.s_t,
            K12 * v[0] * v[0] * self.s_t,
            spring.density() * spring.lever,
            K45 * v[4] * v[4] * self.c_p,
            -K45 * v[3] * (v[3] + 2.0 * v[4]) * self.c_p,
            -K67 * v[6] * v[6] * self.c_o,
            K67 * v[5] * (v[5] + 2.0 * v[6]) * self.c_o,
        ]
    }

    fn constraints(&self) -> [f64; 6] {
        let ex = RR * self.c_b - D * self.c_bt;
        let ey = RR * self.s_b - D * self.s_bt;
        [
            ex - SS * self.s_g - B[0],
            ey + SS * self.c_g - B[1],
            ex - E * self.s_pd - ZT * self.c_d - A[0],
            ey + E * self.c_pd - ZT * self.s_d - A[1],
            ex - ZF * self.c_oe - U * self.s_e - A[0],
            ey - ZF * self.s_oe + U * self.c_e - A[1],
        ]
    }

    fn c_q(&self) -> [f64; 22] {
        let (xb, xt) = (-RR * self.s_b + D * self.s_bt, D * self.s_bt);
        let (yb, yt) = (RR * self.c_b - D * self.c_bt, -D * self.c_bt);
        let (p3, p4) = (-E * self.c_pd, -E * self.s_pd);
        let (o5, o6) = (ZF * self.s_oe, -ZF * self.c_oe);
        [
            xb,
            xt,
            -SS * self.c_g,
            yb,
            yt,
            -SS * self.s_g,
            xb,
            xt,
            p3,
            p3 + ZT * self.s_d,
            yb,
            yt,
            p4,
            p4 - ZT * self.c_d,
            xb,
            xt,
            o5,
            o5 - U * self.c_e,
            yb,
            yt,
            o6,
            o6 - U * self.s_e,
        ]
    }

    /// `(C_q v)_q`, in the order of `C_Q`.
    fn cv_q(&self, v: &[f64]) -> [f64; 22] {
        let w = v[0] + v[1];
        let (xt, yt) = (D * self.c_bt * w, D * self.s_bt * w);
        let (xb, yb) = (xt - RR * self.c_b * v[0], yt - RR * self.s_b * v[0]);
        let w = v[3] + v[4];
        let (p3, p4) = (E * self.s_pd * w, -E * self.c_pd * w);
        let w = v[5] + v[6];
        let (o5, o6) = (ZF * self.c_oe * w, ZF * self.s_oe * w);
        [
            xb,
            xt,
            SS * self.s_g * v[2],
            yb,
            yt,
            -SS * self.c_g * v[2],
            xb,
            xt,
            p3,
            p3 + ZT * self.c_d * v[4],
            yb,
            yt,
            p4,
            p4 + ZT * self.s_d * v[4],
            xb,
            xt,
            o5,
            o5 + U * self.s_e * v[6],
            yb,
            yt,
            o6,
            o6 - U * self.c_e * v[6],
        ]
    }

    /// `(M a + C_q' lambda - Q)_q`, in the order of `PAIRS`.
    fn r_q(&self, v: &[f64], a: &[f64], l: &[f64]) -> [f64; 13] {
        let (lx, ly) = (l[0] + l[2] + l[4], l[1] + l[3] + l[5]);
        let bt = D * (self.c_bt * lx + self.s_bt * ly);
        let bb = bt - RR * (self.c_b * lx + self.s_b * ly);
        let pd = E * (self.s_pd * l[2] - self.c_pd * l[3]);
        let oe = ZF * (self.c_oe * l[4] + self.s_oe * l[5]);
        let spring = self.spring();
        let bt1 = K12 * (self.s_t * (2.0 * a[0] + a[1]) + v[1] * (v[1] + 2.0 * v[0]) * self.c_t);
        let bt2 = K12 * (self.s_t * a[0] - v[0] * v[0] * self.c_t);
        let p4 = K45 * (self.c_p * a[4] + v[4] * v[4] * self.s_p);
        let p5 = K45 * (self.c_p * (a[3] + 2.0 * a[4]) - v[3] * (v[3] + 2.0 * v[4]) * self.s_p);
        let o6 = -K67 * (self.c_o * a[6] + v[6] * v[6] * self.s_o);
        let o7 = -K67 * (self.c_o * (a[5] + 2.0 * a[6]) - v[5] * (v[5] + 2.0 * v[6]) * self.s_o);
        [
            bb,
            bt + bt1,
            bt,
            bt + bt2,
            SS * (self.s_g * l[0] - self.c_g * l[1]) - spring.torque_g(),
            pd + p4,
            pd,
            pd + p5,
            pd + ZT * (self.c_d * l[2] + self.s_d * l[3]),
            oe + o6,
            oe,
            oe + o7,
            oe + U * (self.s_e * l[4] - self.c_e * l[5]),
        ]
    }

    /// `-Q_v`, in the order of `DAMPING`.
    fn r_v(&self, v: &[f64]) -> [f64; 9] {
        let t = 2.0 * K12 * self.s_t;
        let p = 2.0 * K45 * self.c_p;
        let o = 2.0 * K67 * self.c_o;
        [
            t * v[1],
            t * (v[0] + v[1]),
            -t * v[0],
            -p * v[4],
            p * (v[3] + v[4]),
            p * v[3],
            o * v[6],
            -o * (v[5] + v[6]),
            -o * v[5],
        ]
    }
}

struct Spring {
    length: f64,
    /// `d(length^2/2)/dgamma`
    lever: f64,
    lever_g: f64,
}

impl Spring {
    fn density(&self) -> f64 {
        -STIFFNESS * (self.length - FREE_LENGTH) / self.length
    }

    fn torque_g(&self) -> f64 {
        let l = self.length;
        let density_g = -STIFFNESS * FREE_LENGTH * self.lever / (l * l * l);
        density_g * self.lever + self.density() * self.lever_g
    }
}

/// `out[i] += sum_j a_ij x_j` for entries in the order of a pattern.
fn product(pattern: &[(u32, u32)], values: &[f64], x: &[f64], out: &mut [f64]) {
    for (&(i, j), a) in pattern.iter().zip(values) {
        out[i as usize] += a * x[j as usize];
    }
}

/// A matrix with the entries `C_Q` times a vector.
fn rows_times(g: &[f64; 22], v: &[f64]) -> [f64; 6] {
    let (x, y) = (g[0] * v[0] + g[1] * v[1], g[3] * v[0] + g[4] * v[1]);
    [
        x + g[2] * v[2],
        y + g[5] * v[2],
        x + g[8] * v[3] + g[9] * v[4],
        y + g[12] * v[3] + g[13] * v[4],
        x + g[16] * v[5] + g[17] * v[6],
        y + g[20] * v[5] + g[21] * v[6],
    ]
}

/// Mass and constraint Jacobian of a pose, shared by values and derivatives.
struct Shared {
    mass: [f64; 13],
    c_q: [f64; 22],
}

impl Andrews {
    fn fill(pose: &Pose, at: &At<'_>, want: &mut Terms<'_>) -> Shared {
        let shared = Shared {
            mass: pose.mass(),
            c_q: pose.c_q(),
        };
        if let Some([r1, r2, r3, r4, r5, r6, r7]) = want.r.as_deref_mut() {
            let [m11, m12, _, m22, m33, m44, m45, _, m55, m66, m67, _, m77] = shared.mass;
            let g = &shared.c_q;
            let (f, a, l) = (pose.force(at.v), at.a, at.lambda);
            // the end of the rod is held by all three loops
            let (x, y) = (l[0] + l[2] + l[4], l[1] + l[3] + l[5]);
            *r1 = m11 * a[0] + m12 * a[1] + g[0] * x + g[3] * y - f[0];
            *r2 = m12 * a[0] + m22 * a[1] + g[1] * x + g[4] * y - f[1];
            *r3 = m33 * a[2] + g[2] * l[0] + g[5] * l[1] - f[2];
            *r4 = m44 * a[3] + m45 * a[4] + g[8] * l[2] + g[12] * l[3] - f[3];
            *r5 = m45 * a[3] + m55 * a[4] + g[9] * l[2] + g[13] * l[3] - f[4];
            *r6 = m66 * a[5] + m67 * a[6] + g[16] * l[4] + g[20] * l[5] - f[5];
            *r7 = m67 * a[5] + m77 * a[6] + g[17] * l[4] + g[21] * l[5] - f[6];
        }
        if let Some(out) = want.mass.as_deref_mut() {
            out.copy_from_slice(&shared.mass);
        }
        if let Some(out) = want.force.as_deref_mut() {
            out.copy_from_slice(&pose.force(at.v));
        }
        if let Some(out) = want.c.as_deref_mut() {
            out.copy_from_slice(&pose.constraints());
        }
        if let Some(out) = want.cv.as_deref_mut() {
            out.copy_from_slice(&rows_times(&shared.c_q, at.v));
        }
        if let Some(out) = want.c_q.as_deref_mut() {
            out.copy_from_slice(&shared.c_q);
        }
        if let Some(out) = want.gamma.as_deref_mut() {
            out.copy_from_slice(&rows_times(&pose.cv_q(at.v), at.v).map(|x| -x));
        }
        shared
    }
}

impl System for Andrews {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        Andrews::fill(&Pose::new(at.q), at, want);
        Ok(())
    }

    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        let pose = Pose::new(at.q);
        let shared = Andrews::fill(&pose, at, want);
        if parts.has(Part::Mass) {
            out[Part::Mass].copy_from_slice(&shared.mass);
        }
        if parts.has(Part::Cq) {
            out[Part::Cq].copy_from_slice(&shared.c_q);
        }
        if parts.has(Part::Rq) {
            out[Part::Rq].copy_from_slice(&pose.r_q(at.v, at.a, at.lambda));
        }
        if parts.has(Part::Rv) {
            out[Part::Rv].copy_from_slice(&pose.r_v(at.v));
        }
        if parts.has(Part::CVq) {
            out[Part::CVq].copy_from_slice(&pose.cv_q(at.v));
        }
        Ok(())
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        for i in 0..7 {
            out[3 * i] = s.q[i];
            out[3 * i + 1] = s.v[i];
            out[3 * i + 2] = s.a[i];
        }
        out[21..27].copy_from_slice(&s.lambda);
    }

    fn chart(&self) -> Option<&dyn Chart> {
        None
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        if let Capability::Energy(to) = wanted {
            *to = Some(self);
        }
    }

    fn reset(&mut self) {}

    fn memory(&mut self, _: &mut Memory) {}

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

impl EnergyAccount for Andrews {
    fn energy(&mut self, s: &State) -> Option<Energy> {
        let pose = Pose::new(&s.q);
        let mut momentum = [0.0; 7];
        product(&PAIRS, &pose.mass(), &s.v, &mut momentum);
        let twice: f64 = momentum.iter().zip(&s.v).map(|(p, v)| p * v).sum();
        let stretch = pose.spring().length - FREE_LENGTH;
        Some(Energy {
            kinetic: 0.5 * twice,
            potential: 0.5 * STIFFNESS * stretch * stretch,
            power: TORQUE * s.v[0],
            ..Energy::default()
        })
    }
}

fn describe(row: Row) -> String {
    match row {
        Row::Position(i) => format!("angle `{}`", NAMES[i]),
        Row::Velocity(i) => format!("velocity of `{}`", NAMES[i]),
        Row::Constraint(i) => {
            let axis = if i % 2 == 0 { "x" } else { "y" };
            format!("loop `{}`, {axis} closure at E", LOOPS[i / 2])
        }
        Row::State(i) => format!("state {i}, which does not exist"),
    }
}

fn owner(row: Row) -> String {
    match row {
        Row::Position(i) | Row::Velocity(i) => NAMES[i].to_string(),
        Row::Constraint(i) => LOOPS[i / 2].to_string(),
        Row::State(_) => "unknown".to_string(),
    }
}
