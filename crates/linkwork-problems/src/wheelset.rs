//! A wheelset with conical wheels on a straight track with rails of circular section (Simeon,
//! Führer & Rentrop 1991; problem "wheel" of the test set of Bari and CWI).
//!
//! ```text
//!  q = (x lateral, y vertical, z longitudinal, yaw, roll, spin beyond the nominal one)
//!  C = gap of either wheel over its rail, at the points where both surfaces are tangent
//! ```
//!
//! The points of contact follow from lateral displacement, yaw and roll and are solved for inside
//! the evaluation. Creep forces depend on normal forces, which are reactions: forces follow
//! multipliers here ([`Part::Rl`]). The equations of yaw and spin are those of the publication, whose
//! mass matrix is not symmetric. Multipliers are minus the published ones.
//!
//! The publication approximates creepages at small angles (yaw in velocities is that seen in the contact plane, spin
//! is without roll, the yaw moment of normal forces without the cosine of roll): [`Form::Consistent`] does not.
//!
//! The published start is off the rails by 5e-10 m. The published solution keeps that distance, so
//! the constraints here do too.

mod contact;
mod creep;

use contact::{Contact, Side, contact};
use creep::{creep, moments, normal};
use linkwork_dae::chart::Chart;
use linkwork_dae::memory::Memory;
use linkwork_dae::scalar::{Dual, Jet, Scalar};
use linkwork_dae::state::State;
use linkwork_dae::system::{
    At, BlockPatterns, Blocks, Capability, Channel, Dims, EvalError, Facts, Guess, Names, Part,
    Parts, Row, System, Terms,
};
use std::sync::Arc;

/// Coordinates.
const N: usize = 6;
/// Constraints.
const C: usize = 2;
const MASS: f64 = 16.08;
const GRAVITY: f64 = 9.81;
/// Speed along the track, m/s.
const SPEED: f64 = 30.0;
const NOMINAL_SPIN: f64 = SPEED / contact::RADIUS;
const SPIN_INERTIA: f64 = 0.0605;
const YAW_INERTIA: f64 = 0.366;
/// Half distance of the longitudinal springs, m.
const HALF_BASE: f64 = 0.19;
const STIFFNESS: f64 = 6400.0;
const START: [f64; 5] = [
    0.14941e-02,
    0.40089e-06,
    0.11241e-05,
    -0.28573e-03,
    0.26459e-03,
];
const NAMES: [(&str, &str); N] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("yaw", "rad"),
    ("roll", "rad"),
    ("spin", "rad"),
];

/// Which equations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Those of the publication.
    #[default]
    Published,
    /// Those of a rigid body, without approximations.
    Consistent,
}

/// Left wheel, right wheel.
fn contacts<S: Scalar>(q: &[S]) -> [Contact<S>; 2] {
    [Side(1.0), Side(-1.0)].map(|side| contact(side, q[0], q[3], q[4]))
}

/// Gaps without the distance at the start.
fn gaps<S: Scalar>(q: &[S]) -> [S; C] {
    contacts(q).map(|c| c.gap(q[0], q[1]))
}

/// `M a`.
fn inertia<S: Scalar>(roll: S, a: &[f64]) -> [S; N] {
    let (s, c) = roll.sin_cos();
    [
        S::from(MASS * a[0]),
        S::from(MASS * a[1]),
        S::from(MASS * a[2]),
        c * (YAW_INERTIA * a[3]),
        S::from(YAW_INERTIA * a[4]),
        s * (SPIN_INERTIA * a[3]) + SPIN_INERTIA * a[5],
    ]
}

/// `Q`; `lambda` are our multipliers.
fn forces<S: Scalar>(form: Form, q: &[S], v: &[S], lambda: [S; C]) -> [S; N] {
    let (sp, cp) = q[4].sin_cos();
    let spin = v[5] + NOMINAL_SPIN;
    let (yaw_rate, roll_rate) = (v[3], v[4]);
    let restoring = q[3] * (-2.0 * HALF_BASE * HALF_BASE * STIFFNESS);
    let mut f = [
        q[0] * (-2.0 * STIFFNESS),
        S::from(-MASS * GRAVITY),
        q[2] * (-2.0 * STIFFNESS),
        yaw_rate * roll_rate * sp * (2.0 * YAW_INERTIA - SPIN_INERTIA)
            - spin * roll_rate * SPIN_INERTIA
            + cp * restoring,
        spin * yaw_rate * cp * SPIN_INERTIA
            + yaw_rate * yaw_rate * sp * cp * (SPIN_INERTIA - YAW_INERTIA),
        yaw_rate * roll_rate * cp * -SPIN_INERTIA + sp * restoring,
    ];
    let both = contacts(q);
    let directions = [both[0].direction(q[0]), both[1].direction(q[0])];
    if form == Form::Consistent {
        // the equation of yaw is that about an axis across the axle
        let more = S::from(1.0) / cp - 1.0;
        f[3] -= (lambda[0] * directions[0][3] + lambda[1] * directions[1][3]) * more;
    }
    let loads = normal(&both, &directions, lambda.map(|l| -l));
    for (c, n) in both.iter().zip(loads) {
        let t = creep(form, c, q[0], n, v);
        let m = moments(c, &t);
        for i in 0..3 {
            f[i] += t[i];
            f[3 + i] += m[i];
        }
    }
    f
}

/// See the [module](self).
#[derive(Clone)]
pub struct Wheelset {
    facts: Arc<Facts>,
    form: Form,
    /// Gaps at the start.
    offset: [f64; C],
}

impl Default for Wheelset {
    fn default() -> Wheelset {
        Wheelset::new(Form::Published, START)
    }
}

impl Wheelset {
    /// Started at x, y, z, yaw and roll.
    pub fn new(form: Form, start: [f64; 5]) -> Wheelset {
        let full = |rows: u32, columns: u32| {
            (0..rows)
                .flat_map(|i| (0..columns).map(move |j| (i, j)))
                .collect::<Vec<_>>()
        };
        let (n, c) = (N as u32, C as u32);
        let mut patterns = BlockPatterns::default();
        patterns[Part::Mass] = (0..n).map(|i| (i, i)).chain([(5, 3)]).collect();
        patterns[Part::Rq] = full(n, n);
        patterns[Part::Rv] = full(n, n);
        patterns[Part::Cq] = full(c, n);
        patterns[Part::CVq] = full(c, n);
        patterns[Part::Rl] = full(n, c);
        let mut channels = Vec::new();
        for (name, unit) in NAMES {
            channels.push(Channel::new(name, unit));
            channels.push(Channel::new(
                format!("{name}.velocity"),
                format!("{unit}/s"),
            ));
            channels.push(Channel::new(
                format!("{name}.acceleration"),
                format!("{unit}/s^2"),
            ));
        }
        for side in ["left", "right"] {
            channels.push(Channel::new(format!("{side}.contact.angle"), "rad"));
            channels.push(Channel::new(format!("{side}.contact.position"), "m"));
            channels.push(Channel::new(format!("{side}.multiplier"), "N"));
        }
        let mut q = [0.0; N];
        q[..5].copy_from_slice(&start);
        let dims = Dims {
            nq: N,
            nv: N,
            nc: C,
            ..Dims::default()
        };
        let facts = Facts {
            patterns,
            // the play between flange and rail, and the angles that belong to it
            scale: vec![1e-2, 1e-4, 1e-3, 1e-2, 1e-2, 1.0],
            guess: Guess::at(&q, &[0.0; N]),
            channels,
            names: Names::new(dims, describe, owner),
            ..Facts::new(dims)
        };
        Wheelset {
            facts: Arc::new(facts),
            form,
            offset: gaps(&q),
        }
    }
}

/// Every slice as an array of numbers.
fn array<S, const K: usize>(f: impl FnMut(usize) -> S) -> [S; K] {
    std::array::from_fn(f)
}

impl System for Wheelset {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        let q: [f64; N] = array(|i| at.q[i]);
        let by_q: [[f64; N]; C] = if want.r.is_some() || want.c_q.is_some() {
            gaps(&array::<_, N>(|i| Dual::<N>::variable(q[i], i))).map(|g| g.d)
        } else {
            [[0.0; N]; C]
        };
        if want.r.is_some() || want.force.is_some() {
            // before the first reactions are known there are none
            let lambda = array(|k| at.lambda.get(k).copied().unwrap_or(0.0));
            let f = forces(self.form, &q, at.v, lambda);
            if let Some(r) = want.r.as_deref_mut() {
                let m = inertia(q[4], at.a);
                for i in 0..N {
                    r[i] = m[i] + by_q[0][i] * lambda[0] + by_q[1][i] * lambda[1] - f[i];
                }
            }
            if let Some(out) = want.force.as_deref_mut() {
                out.copy_from_slice(&f);
            }
        }
        if let Some(out) = want.mass.as_deref_mut() {
            mass(q[4], out);
        }
        if let Some(out) = want.c.as_deref_mut() {
            let g = gaps(&q);
            out.copy_from_slice(&[g[0] - self.offset[0], g[1] - self.offset[1]]);
        }
        if let Some(out) = want.c_q.as_deref_mut() {
            out.copy_from_slice(by_q.as_flattened());
        }
        if want.cv.is_some() || want.gamma.is_some() {
            let along = gaps(&array::<_, N>(|i| Jet::new(q[i], at.v[i], 0.0)));
            if let Some(out) = want.cv.as_deref_mut() {
                out.copy_from_slice(&along.map(|g| g.d));
            }
            if let Some(out) = want.gamma.as_deref_mut() {
                out.copy_from_slice(&along.map(|g| -g.dd));
            }
        }
        let terms = [
            &want.r,
            &want.force,
            &want.c,
            &want.c_q,
            &want.cv,
            &want.gamma,
        ];
        if terms
            .into_iter()
            .flatten()
            .all(|x| x.iter().all(|x| x.is_finite()))
        {
            Ok(())
        } else {
            Err(EvalError::Domain {
                what: "wheelset".into(),
                why: "the wheels have left the rails".into(),
            })
        }
    }

    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.eval(at, want)?;
        if parts.has(Part::Mass) {
            mass(at.q[4], &mut out[Part::Mass]);
        }
        if parts.has(Part::Cq) {
            let g = gaps(&array::<_, N>(|i| Dual::<N>::variable(at.q[i], i)));
            out[Part::Cq].copy_from_slice(g.map(|g| g.d).as_flattened());
        }
        if parts.has(Part::CVq) {
            type Number = Dual<N, Dual<1>>;
            let q: [Number; N] = array(|i| {
                Number::variable(
                    Dual {
                        v: at.q[i],
                        d: [at.v[i]],
                    },
                    i,
                )
            });
            let g = gaps(&q).map(|g| g.d.map(|d| d.d[0]));
            out[Part::CVq].copy_from_slice(g.as_flattened());
        }
        if parts.has(Part::Rq) || parts.has(Part::Rv) || parts.has(Part::Rl) {
            type Number = Dual<{ 2 * N + C }>;
            let q: [Number; N] = array(|i| Dual::variable(at.q[i], i));
            let v: [Number; N] = array(|i| Dual::variable(at.v[i], N + i));
            let lambda: [Number; C] = array(|i| Dual::variable(at.lambda[i], 2 * N + i));
            let f = forces(self.form, &q, &v, lambda);
            let m = inertia(q[4], at.a);
            let hess = curvature(at.q, at.lambda);
            for i in 0..N {
                for j in 0..N {
                    out[Part::Rq][i * N + j] = m[i].d[j] + hess[i][j] - f[i].d[j];
                    out[Part::Rv][i * N + j] = -f[i].d[N + j];
                }
                for k in 0..C {
                    out[Part::Rl][i * C + k] = -f[i].d[2 * N + k];
                }
            }
        }
        Ok(())
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        for i in 0..N {
            out[3 * i..3 * i + 3].copy_from_slice(&[s.q[i], s.v[i], s.a[i]]);
        }
        let q: [f64; N] = array(|i| s.q[i]);
        for (k, c) in contacts(&q).iter().enumerate() {
            let first = 3 * (N + k);
            out[first..first + 3].copy_from_slice(&[c.psi, c.xi, s.lambda[k]]);
        }
    }

    fn chart(&self) -> Option<&dyn Chart> {
        None
    }

    fn capability<'a>(&'a mut self, _: Capability<'_, 'a>) {}

    fn reset(&mut self) {}

    fn memory(&mut self, _: &mut Memory) {}

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

/// `M` in the order of its pattern.
fn mass(roll: f64, out: &mut [f64]) {
    let (s, c) = roll.sin_cos();
    out.copy_from_slice(&[
        MASS,
        MASS,
        MASS,
        YAW_INERTIA * c,
        YAW_INERTIA,
        SPIN_INERTIA,
        SPIN_INERTIA * s,
    ]);
}

/// `(C_q' lambda)_q`.
fn curvature(q: &[f64], lambda: &[f64]) -> [[f64; N]; N] {
    type Number = Dual<N, Dual<N>>;
    let q: [Number; N] = array(|i| Number::variable(Dual::variable(q[i], i), i));
    let g = gaps(&q);
    array(|i| array(|j| g[0].d[i].d[j] * lambda[0] + g[1].d[i].d[j] * lambda[1]))
}

fn describe(row: Row) -> String {
    match row {
        Row::Position(i) => format!("coordinate `{}`", NAMES[i].0),
        Row::Velocity(i) => format!("velocity of `{}`", NAMES[i].0),
        Row::Constraint(0) => "contact of the left wheel".into(),
        Row::Constraint(_) => "contact of the right wheel".into(),
        Row::State(_) => "no state".into(),
    }
}

fn owner(row: Row) -> String {
    match row {
        Row::Position(i) | Row::Velocity(i) => NAMES[i].0.into(),
        other => describe(other),
    }
}
