//! Equations of one's own with nothing but a residual.
//!
//! A [`Residual`] is two or three functions; [`Blackbox`] makes a [`System`] of it that runs with
//! every difference strategy. What else a system must know follows from the residual, which is
//! linear in accelerations and multipliers:
//!
//! ```text
//!  r(a, lambda) = M a + C_q' lambda - Q      M e_j = r(e_j, 0) - r(0, 0),   Q = -r(0, 0)
//!  C_q v + C_t                               C_q' e_k = r(0, e_k) - r(0, 0),  C_t by differences
//!  gamma = -d/dt (C_q v + C_t) at a = 0      by differences along the motion
//! ```
//!
//! Exact to rounding but for `C_t` and `gamma`, which are good to nine digits or more. Bad at: the stabilised
//! forms, where each `C_q v` takes as many residuals as there are constraints; `index3` does
//! without. Patterns are full, so factors are too.

use crate::chart::Chart;
use crate::memory::Memory;
use crate::saddle::{Saddle, SaddleError};
use crate::state::State;
use crate::switching::{Crossing, Switch, Switching};
use crate::system::{
    After, At, BlockPatterns, Capability, Channel, Dims, EvalError, Facts, Guess, Names, Parts,
    Row, System, Terms,
};
use std::sync::Arc;

/// Equations by their residual. Only sizes, start and residual are always needed.
#[allow(unused_variables)]
pub trait Residual: Clone + Send + Sync + 'static {
    /// Sizes.
    fn dims(&self) -> Dims;

    /// Start time and start guesses; see [`Guess::at`].
    fn start(&self) -> Guess;

    /// `r = M a + C_q' lambda + G_v' mu - Q`.
    fn residual(&self, at: &At<'_>, r: &mut [f64]);

    /// `C`, where there are holonomic constraints.
    fn constraint(&self, t: f64, q: &[f64], c: &mut [f64]) {}

    /// `g`, where there are non-holonomic constraints.
    fn nonholonomic(&self, t: f64, q: &[f64], v: &[f64], g: &mut [f64]) {}

    /// `f`, where there are first-order states.
    fn rates(&self, at: &At<'_>, f: &mut [f64]) {}

    /// Typical size of each coordinate.
    fn scale(&self, out: &mut [f64]) {
        out.fill(1.0);
    }

    /// Functions of the state whose zeros are events, if there are any.
    fn switches(&self) -> &[Switch] {
        &[]
    }

    /// Their values.
    fn switch_values(&self, s: &State, out: &mut [f64]) {}

    /// What is done where they cross: velocities and first-order states may be changed with [`After::Jump`].
    fn on_switch(&self, crossed: &[Crossing], s: &mut State) -> After {
        After::Continue
    }
}

/// A [`System`] over a [`Residual`].
#[derive(Clone)]
pub struct Blackbox<E> {
    equations: E,
    facts: Arc<Facts>,
    scratch: Scratch,
}

#[derive(Clone)]
struct Scratch {
    /// Unit accelerations and multipliers, zero between uses.
    a: Vec<f64>,
    lambda: Vec<f64>,
    still: Vec<f64>,
    base: Vec<f64>,
    moved: Vec<f64>,
    c_q: Vec<f64>,
    q: Vec<f64>,
    c: Vec<f64>,
    g: Vec<f64>,
    scale: Vec<f64>,
}

/// Central differences of order 4: multiples of the step, weights. With steps of `eps^(1/5)` and
/// `eps^(1/6)` rounding and truncation are about 1e-12 and 1e-9.
const FIRST: [(f64, f64); 4] = [
    (-2.0, 1.0 / 12.0),
    (-1.0, -8.0 / 12.0),
    (1.0, 8.0 / 12.0),
    (2.0, -1.0 / 12.0),
];
const SECOND: [(f64, f64); 5] = [
    (-2.0, -1.0 / 12.0),
    (-1.0, 16.0 / 12.0),
    (0.0, -30.0 / 12.0),
    (1.0, 16.0 / 12.0),
    (2.0, -1.0 / 12.0),
];

impl<E: Residual> Blackbox<E> {
    /// A system over the given equations.
    pub fn new(equations: E) -> Blackbox<E> {
        let dims = equations.dims();
        let mut channels = Vec::new();
        for i in 1..=dims.nq {
            channels.push(Channel::new(format!("q{i}"), ""));
            channels.push(Channel::new(format!("v{i}"), ""));
        }
        channels.extend((1..=dims.nx).map(|i| Channel::new(format!("x{i}"), "")));
        channels.extend((1..=dims.rows()).map(|i| Channel::new(format!("lambda{i}"), "")));
        let mut scale = vec![1.0; dims.nq];
        equations.scale(&mut scale);
        let constraints = match dims.rows() {
            0 => 0,
            rows => rows + 1,
        };
        let describe = |row: Row| match row {
            Row::Position(i) => format!("coordinate `q{}`", i + 1),
            Row::Velocity(i) => format!("velocity `v{}`", i + 1),
            Row::Constraint(i) => format!("constraint {}", i + 1),
            Row::State(i) => format!("state `x{}`", i + 1),
        };
        let owner = |row: Row| match row {
            Row::Position(i) | Row::Velocity(i) => format!("coordinate {}", i + 1),
            Row::Constraint(_) | Row::State(_) => describe(row),
        };
        let facts = Facts {
            patterns: BlockPatterns::full(dims),
            exact: Parts::NONE,
            mass_residuals: (dims.nv + 1 + constraints) as u32,
            scale: scale.clone(),
            guess: equations.start(),
            channels,
            names: Names::new(dims, describe, owner),
            ..Facts::new(dims)
        };
        Blackbox {
            facts: Arc::new(facts),
            scratch: Scratch {
                a: vec![0.0; dims.nv],
                lambda: vec![0.0; dims.rows()],
                still: vec![0.0; dims.nv],
                base: vec![0.0; dims.nv],
                moved: vec![0.0; dims.nv],
                c_q: vec![0.0; dims.rows() * dims.nv],
                q: vec![0.0; dims.nq],
                c: vec![0.0; dims.nc],
                g: vec![0.0; dims.ng],
                scale,
            },
            equations,
        }
    }
}

/// `r` without accelerations and multipliers, and the size of unit ones that rounding respects.
fn begin<E: Residual>(e: &E, s: &mut Scratch, at: &At<'_>) -> f64 {
    let at = At {
        v: if at.v.is_empty() { &s.still } else { at.v },
        a: &s.a,
        lambda: &s.lambda,
        ..*at
    };
    e.residual(&at, &mut s.base);
    s.base.iter().fold(1.0f64, |m, r| m.max(r.abs()))
}

fn mass<E: Residual>(e: &E, s: &mut Scratch, at: &At<'_>, out: &mut [f64]) {
    let size = begin(e, s, at);
    let n = s.a.len();
    for j in 0..n {
        s.a[j] = size;
        let at = At {
            v: if at.v.is_empty() { &s.still } else { at.v },
            a: &s.a,
            lambda: &s.lambda,
            ..*at
        };
        e.residual(&at, &mut s.moved);
        s.a[j] = 0.0;
        for i in 0..n {
            out[i * n + j] = (s.moved[i] - s.base[i]) / size;
        }
    }
}

/// `C_q` row by row, into the scratch.
fn c_q<E: Residual>(e: &E, s: &mut Scratch, at: &At<'_>) {
    let size = begin(e, s, at);
    let n = s.a.len();
    for k in 0..s.lambda.len() {
        s.lambda[k] = size;
        let at = At {
            v: if at.v.is_empty() { &s.still } else { at.v },
            a: &s.a,
            lambda: &s.lambda,
            ..*at
        };
        e.residual(&at, &mut s.moved);
        s.lambda[k] = 0.0;
        for j in 0..n {
            s.c_q[k * n + j] = (s.moved[j] - s.base[j]) / size;
        }
    }
}

/// `C_q v + C_t`, then `g`; `C_q` is left in the scratch.
fn velocity<E: Residual>(e: &E, s: &mut Scratch, at: &At<'_>, out: &mut [f64]) {
    let n = s.a.len();
    let (holonomic, g) = out.split_at_mut(s.c.len());
    e.nonholonomic(at.t, at.q, at.v, g);
    if holonomic.is_empty() {
        return;
    }
    c_q(e, s, at);
    for (k, out) in holonomic.iter_mut().enumerate() {
        let row = &s.c_q[k * n..(k + 1) * n];
        *out = row.iter().zip(at.v).map(|(c, v)| c * v).sum();
    }
    let dt = f64::EPSILON.powf(0.2) * at.t.abs().max(1.0);
    for (k, weight) in FIRST {
        e.constraint(at.t + k * dt, at.q, &mut s.c);
        for (out, c) in holonomic.iter_mut().zip(&s.c) {
            *out += weight * c / dt;
        }
    }
}

/// `-d^2 C/dt^2` and `-dg/dt` along the motion without acceleration.
fn gamma<E: Residual>(e: &E, s: &mut Scratch, at: &At<'_>, out: &mut [f64]) {
    let speeds = at.v.iter().zip(&s.scale).map(|(v, l)| (v / l).abs());
    let fastest = speeds.fold(1.0, f64::max);
    let (holonomic, nonholonomic) = out.split_at_mut(s.c.len());
    let go = |dt: f64, q: &mut [f64]| {
        for (q, (now, v)) in q.iter_mut().zip(at.q.iter().zip(at.v)) {
            *q = now + dt * v;
        }
        at.t + dt
    };
    holonomic.fill(0.0);
    let dt = f64::EPSILON.powf(1.0 / 6.0) / fastest;
    for (k, weight) in SECOND {
        let t = go(k * dt, &mut s.q);
        e.constraint(t, &s.q, &mut s.c);
        for (out, c) in holonomic.iter_mut().zip(&s.c) {
            *out -= weight * c / (dt * dt);
        }
    }
    nonholonomic.fill(0.0);
    let dt = f64::EPSILON.powf(0.2) / fastest;
    for (k, weight) in FIRST {
        let t = go(k * dt, &mut s.q);
        e.nonholonomic(t, &s.q, at.v, &mut s.g);
        for (out, g) in nonholonomic.iter_mut().zip(&s.g) {
            *out -= weight * g / dt;
        }
    }
}

impl<E: Residual> System for Blackbox<E> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        let (e, s) = (&self.equations, &mut self.scratch);
        if let Some(r) = want.r.as_deref_mut() {
            e.residual(at, r);
        }
        if let Some(out) = want.mass.as_deref_mut() {
            mass(e, s, at, out);
        }
        if let Some(out) = want.force.as_deref_mut() {
            begin(e, s, at);
            for (out, r) in out.iter_mut().zip(&s.base) {
                *out = -r;
            }
        }
        if let Some(out) = want.c.as_deref_mut() {
            e.constraint(at.t, at.q, out);
        }
        if let Some(out) = want.cv.as_deref_mut() {
            velocity(e, s, at, out);
        }
        if let Some(out) = want.c_q.as_deref_mut() {
            c_q(e, s, at);
            out.copy_from_slice(&s.c_q);
        }
        if let Some(out) = want.gamma.as_deref_mut() {
            gamma(e, s, at, out);
        }
        if let Some(out) = want.f.as_deref_mut() {
            e.rates(at, out);
        }
        let terms = [
            &want.r,
            &want.force,
            &want.c,
            &want.cv,
            &want.gamma,
            &want.f,
        ];
        let all = terms.into_iter().flatten().flat_map(|x| x.iter());
        if all.into_iter().all(|x| x.is_finite()) {
            Ok(())
        } else {
            Err(EvalError::NotFinite {
                what: "the residual".into(),
            })
        }
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        let (moving, rest) = out.split_at_mut(2 * s.q.len());
        for (out, (q, v)) in moving.chunks_mut(2).zip(s.q.iter().zip(&s.v)) {
            out.copy_from_slice(&[*q, *v]);
        }
        let (x, lambda) = rest.split_at_mut(s.x.len());
        x.copy_from_slice(&s.x);
        lambda.copy_from_slice(&s.lambda);
    }

    fn chart(&self) -> Option<&dyn Chart> {
        None
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        if let Capability::Switching(place) = wanted
            && !self.equations.switches().is_empty()
        {
            *place = Some(self);
        }
    }

    fn reset(&mut self) {}

    fn memory(&mut self, m: &mut Memory) {
        // nothing outlives an evaluation
        m.section("blackbox");
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

impl<E: Residual> Switching for Blackbox<E> {
    fn switches(&self) -> &[Switch] {
        self.equations.switches()
    }

    fn values(&mut self, s: &State, out: &mut [f64]) {
        self.equations.switch_values(s, out);
    }

    fn on_switch(
        &mut self,
        crossed: &[Crossing],
        s: &mut State,
        _: &mut Saddle,
    ) -> Result<After, SaddleError> {
        Ok(self.equations.on_switch(crossed, s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Part;

    /// A point on a circle whose radius breathes, pulled by a spring, with first-order states.
    #[derive(Clone)]
    struct Breathing;

    fn radius(t: f64) -> [f64; 3] {
        let (s, c) = (2.0 * t).sin_cos();
        [1.0 + 0.1 * s, 0.2 * c, -0.4 * s]
    }

    impl Residual for Breathing {
        fn dims(&self) -> Dims {
            Dims {
                nq: 2,
                nv: 2,
                nc: 1,
                ..Dims::default()
            }
        }

        fn start(&self) -> Guess {
            Guess::at(&[1.0, 0.0], &[0.2, 0.5])
        }

        fn residual(&self, at: &At<'_>, r: &mut [f64]) {
            let [x, y] = [at.q[0], at.q[1]];
            r[0] = (1.0 + x * x) * at.a[0] + 2.0 * x * at.lambda[0] + 3e3 * x;
            r[1] = at.a[1] + 2.0 * y * at.lambda[0] + 9.81 + at.v[0] * at.v[1];
        }

        fn constraint(&self, t: f64, q: &[f64], c: &mut [f64]) {
            c[0] = q[0] * q[0] + q[1] * q[1] - radius(t)[0].powi(2);
        }
    }

    /// Linear terms to rounding of the largest force (1e3), differenced ones as the
    /// weights promise.
    #[test]
    fn everything_follows_from_the_residual() {
        let mut sys = Blackbox::new(Breathing);
        let (t, q, v) = (0.3, [0.8, 0.7], [0.4, -1.1]);
        let (mut m, mut c_q, mut cv, mut gamma, mut f) =
            ([0.0; 4], [0.0; 2], [0.0], [0.0], [0.0; 2]);
        let mut want = Terms {
            mass: Some(&mut m),
            c_q: Some(&mut c_q),
            cv: Some(&mut cv),
            gamma: Some(&mut gamma),
            force: Some(&mut f),
            ..Terms::default()
        };
        let at = At {
            t,
            q: &q,
            v: &v,
            a: &[],
            lambda: &[],
            x: &[],
        };
        sys.eval(&at, &mut want).unwrap();
        let near = |x: f64, y: f64, bound: f64| assert!((x - y).abs() < bound, "{x} {y}");
        for (x, y) in m.into_iter().zip([1.64, 0.0, 0.0, 1.0]) {
            near(x, y, 1e-14);
        }
        near(c_q[0], 1.6, 1e-14);
        near(c_q[1], 1.4, 1e-14);
        near(f[0], -2400.0, 1e-12);
        let [l, dl, ddl] = radius(t);
        let moving = 2.0 * (q[0] * v[0] + q[1] * v[1]);
        near(cv[0], moving - 2.0 * l * dl, 1e-11);
        let exact = -2.0 * (v[0] * v[0] + v[1] * v[1]) + 2.0 * (dl * dl + l * ddl);
        near(gamma[0], exact, 1e-8);
        assert_eq!(sys.facts().patterns[Part::Rq].len(), 4);
    }
}
