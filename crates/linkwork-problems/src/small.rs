//! A base for small hand-written systems: dense blocks from a handful of functions.
//!
//! Two to ten coordinates, full patterns; the equations matter here, not the speed.

use linkwork_dae::state::State;
use linkwork_dae::system::{
    At, BlockPatterns, Blocks, Channel, Dims, Energy, EvalError, Guess, Part, Parts, Row, System,
    Terms,
};
use std::sync::Arc;

/// The equations of a small system; matrices are row by row.
pub trait Equations: Clone + Send + Sync + 'static {
    /// Number of coordinates.
    const N: usize;
    /// Number of constraints.
    const C: usize;
    /// Names of the coordinates, with units.
    fn names(&self) -> Vec<(&'static str, &'static str)>;
    /// Start time is 0; configuration and velocity.
    fn start(&self) -> (Vec<f64>, Vec<f64>);
    /// `M`.
    fn mass(&self, q: &[f64], t: f64, m: &mut [f64]);
    /// `(M a)_q`, added to `out`.
    fn mass_q(&self, q: &[f64], a: &[f64], t: f64, out: &mut [f64]);
    /// `Q`.
    fn force(&self, q: &[f64], v: &[f64], t: f64, f: &mut [f64]);
    /// `Q_q` and `Q_v`.
    fn force_q(&self, q: &[f64], v: &[f64], t: f64, f_q: &mut [f64], f_v: &mut [f64]);
    /// `C`.
    fn constraint(&self, q: &[f64], t: f64, c: &mut [f64]);
    /// `C_q`.
    fn c_q(&self, q: &[f64], t: f64, c_q: &mut [f64]);
    /// `C_t`.
    fn c_t(&self, q: &[f64], t: f64, c_t: &mut [f64]);
    /// `(C_q v + C_t)_q`.
    fn cv_q(&self, q: &[f64], v: &[f64], t: f64, out: &mut [f64]);
    /// `(C_q' lambda)_q`, added to `out`.
    fn lambda_q(&self, q: &[f64], lambda: &[f64], t: f64, out: &mut [f64]);
    /// `gamma`.
    fn gamma(&self, q: &[f64], v: &[f64], t: f64, gamma: &mut [f64]);
    /// Energy account.
    fn energy(&self, q: &[f64], v: &[f64], t: f64) -> Option<Energy>;
}

/// A [`System`] over small [`Equations`].
#[derive(Clone)]
pub struct Small<E> {
    equations: E,
    patterns: Arc<BlockPatterns>,
    channels: Arc<Vec<Channel>>,
    scratch: [Vec<f64>; 4],
}

fn full(rows: usize, columns: usize) -> Vec<(u32, u32)> {
    let columns = columns as u32;
    (0..rows as u32)
        .flat_map(|i| (0..columns).map(move |j| (i, j)))
        .collect()
}

impl<E: Equations> Small<E> {
    /// A system over the given equations.
    pub fn new(equations: E) -> Small<E> {
        let (n, m) = (E::N, E::C);
        let mut patterns = BlockPatterns::default();
        for part in [Part::Mass, Part::Rq, Part::Rv] {
            patterns[part] = full(n, n);
        }
        for part in [Part::Cq, Part::CVq] {
            patterns[part] = full(m, n);
        }
        let mut channels = Vec::new();
        for (name, unit) in equations.names() {
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
        for i in 1..=m {
            channels.push(Channel::new(format!("lambda{i}"), ""));
        }
        Small {
            equations,
            patterns: Arc::new(patterns),
            channels: Arc::new(channels),
            scratch: [
                vec![0.0; n * n],
                vec![0.0; n],
                vec![0.0; m * n],
                vec![0.0; m],
            ],
        }
    }
}

impl<E: Equations> System for Small<E> {
    fn dims(&self) -> Dims {
        Dims {
            nq: E::N,
            nv: E::N,
            nc: E::C,
        }
    }

    fn patterns(&self) -> &BlockPatterns {
        &self.patterns
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        let (e, n, t) = (&self.equations, E::N, at.t);
        let [mass, force, c_q, c_t] = &mut self.scratch;
        if want.r.is_some() || want.cv.is_some() || want.c_q.is_some() {
            e.c_q(at.q, t, c_q);
        }
        if let Some(r) = want.r.as_deref_mut() {
            e.mass(at.q, t, mass);
            e.force(at.q, at.v, t, force);
            for i in 0..n {
                let inertia: f64 = (0..n).map(|j| mass[i * n + j] * at.a[j]).sum();
                let reaction: f64 = (0..E::C).map(|k| c_q[k * n + i] * at.lambda[k]).sum();
                r[i] = inertia + reaction - force[i];
            }
        }
        if let Some(out) = want.mass.as_deref_mut() {
            e.mass(at.q, t, out);
        }
        if let Some(out) = want.force.as_deref_mut() {
            e.force(at.q, at.v, t, out);
        }
        if let Some(out) = want.c.as_deref_mut() {
            e.constraint(at.q, t, out);
        }
        if let Some(out) = want.cv.as_deref_mut() {
            e.c_t(at.q, t, c_t);
            for k in 0..E::C {
                out[k] = c_t[k] + (0..n).map(|j| c_q[k * n + j] * at.v[j]).sum::<f64>();
            }
        }
        if let Some(out) = want.c_q.as_deref_mut() {
            out.copy_from_slice(c_q);
        }
        if let Some(out) = want.gamma.as_deref_mut() {
            e.gamma(at.q, at.v, t, out);
        }
        Ok(())
    }

    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.eval(at, want)?;
        let (e, t) = (&self.equations, at.t);
        if parts.has(Part::Mass) {
            e.mass(at.q, t, &mut out[Part::Mass]);
        }
        if parts.has(Part::Cq) {
            e.c_q(at.q, t, &mut out[Part::Cq]);
        }
        if parts.has(Part::CVq) {
            e.cv_q(at.q, at.v, t, &mut out[Part::CVq]);
        }
        if parts.has(Part::Rq) || parts.has(Part::Rv) {
            let [f_q, ..] = &mut self.scratch;
            e.force_q(at.q, at.v, t, f_q, &mut out[Part::Rv]);
            for x in &mut out[Part::Rv] {
                *x = -*x;
            }
            for (x, f) in out[Part::Rq].iter_mut().zip(f_q) {
                *x = -*f;
            }
            e.mass_q(at.q, at.a, t, &mut out[Part::Rq]);
            e.lambda_q(at.q, at.lambda, t, &mut out[Part::Rq]);
        }
        Ok(())
    }

    fn guess(&self) -> Guess {
        let (q, v) = self.equations.start();
        Guess {
            t: 0.0,
            weight_q: vec![1.0; q.len()],
            weight_v: vec![1.0; v.len()],
            q,
            v,
        }
    }

    fn scale(&self, out: &mut [f64]) {
        out.fill(1.0);
    }

    fn channels(&self) -> &[Channel] {
        &self.channels
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        for i in 0..E::N {
            out[3 * i] = s.q[i];
            out[3 * i + 1] = s.v[i];
            out[3 * i + 2] = s.a[i];
        }
        out[3 * E::N..].copy_from_slice(&s.lambda);
    }

    fn energy(&mut self, s: &State) -> Option<Energy> {
        self.equations.energy(&s.q, &s.v, s.t)
    }

    fn describe(&self, row: Row) -> String {
        match row {
            Row::Position(i) => format!("coordinate `{}`", self.equations.names()[i].0),
            Row::Velocity(i) => format!("velocity of `{}`", self.equations.names()[i].0),
            Row::Constraint(i) => format!("constraint {}", i + 1),
        }
    }

    fn owner(&self, row: Row) -> String {
        match row {
            Row::Position(i) | Row::Velocity(i) => self.equations.names()[i].0.to_string(),
            Row::Constraint(i) => format!("constraint {}", i + 1),
        }
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}
