//! Chain of `n` mathematical pendulums under a driven suspension, in absolute angles.
//!
//! ```text
//!  sum_j w_ij (cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'^2)
//!      + w_ii (cos a_i x_s'' + sin a_i (y_s'' + g)) = 0,       w_ij = n + 1 - max(i, j)
//!  x_s = 2 + 0.3 sin(omega t),   y_s = 0.2 sin(omega t)
//! ```
//!
//! Unit masses and rods, angles from the downward vertical. From rest at the vertical the motion
//! stays within 2e-3 rad, nearly linear. The equations depend on time through the accelerations of
//! the suspension alone: the excitations.

use linkwork_dae::chart::Chart;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::system::{
    At, BlockPatterns, Blocks, Capability, Channel, Dims, EvalError, Excitation, Excitations,
    Facts, Guess, Names, Part, Parts, Row, System, Terms,
};
use std::sync::Arc;

const GRAVITY: f64 = 9.81;
const AMPLITUDES: [f64; 2] = [0.3, 0.2];

/// See the [module](self).
#[derive(Clone)]
pub struct Chain {
    n: usize,
    omega: f64,
    facts: Arc<Facts>,
    offset: [f64; 2],
    sine: Vec<f64>,
    cosine: Vec<f64>,
}

impl Chain {
    /// `n` pendulums, the suspension driven with angular frequency `omega`, all angles `start` in
    /// the beginning.
    pub fn new(n: usize, omega: f64, start: f64) -> Chain {
        let dims = Dims {
            nq: n,
            nv: n,
            ..Dims::default()
        };
        let mut channels = Vec::new();
        for i in 1..=n {
            channels.push(Channel::new(format!("angle{i}"), "rad"));
            channels.push(Channel::new(format!("angle{i}.velocity"), "rad/s"));
        }
        let describe = |row: Row| match row {
            Row::Velocity(i) => format!("velocity of rod {}", i + 1),
            Row::Position(i) | Row::Constraint(i) | Row::State(i) => format!("rod {}", i + 1),
        };
        let owner = |row: Row| match row {
            Row::Position(i) | Row::Velocity(i) => format!("coordinate {}", i + 1),
            Row::Constraint(_) | Row::State(_) => describe(row),
        };
        let excitation = |(i, amplitude): (usize, f64)| Excitation {
            name: format!("excitation {}", i + 1),
            scale: amplitude * omega * omega,
        };
        let facts = Facts {
            patterns: BlockPatterns::full(dims),
            guess: Guess::at(&vec![start; n], &vec![0.0; n]),
            channels,
            names: Names::new(dims, describe, owner),
            excitations: AMPLITUDES.into_iter().enumerate().map(excitation).collect(),
            ..Facts::new(dims)
        };
        Chain {
            n,
            omega,
            facts: Arc::new(facts),
            offset: [0.0; 2],
            sine: vec![0.0; n],
            cosine: vec![0.0; n],
        }
    }

    /// Masses at or below both joints.
    fn hanging(&self, i: usize, j: usize) -> f64 {
        (self.n - i.max(j)) as f64
    }

    fn place(&mut self, q: &[f64]) {
        for ((s, c), q) in self.sine.iter_mut().zip(&mut self.cosine).zip(q) {
            (*s, *c) = q.sin_cos();
        }
    }

    /// Sine and cosine of `a_i - a_j`.
    fn between(&self, i: usize, j: usize) -> (f64, f64) {
        let (si, ci, sj, cj) = (self.sine[i], self.cosine[i], self.sine[j], self.cosine[j]);
        (si * cj - ci * sj, ci * cj + si * sj)
    }

    /// Accelerations of the suspension, gravity apart.
    fn suspension(&self, t: f64) -> [f64; 2] {
        let wave = -self.omega * self.omega * (self.omega * t).sin();
        [0, 1].map(|k| AMPLITUDES[k] * wave + self.offset[k])
    }

    /// `sum_j w_ij (cos a_j'' + sin a_j'^2)` with `a` zero where it is empty, and the weight.
    fn residual(&self, at: &At<'_>, inertia: bool, out: &mut [f64]) {
        let [ux, uy] = self.suspension(at.t);
        for (i, out) in out.iter_mut().enumerate() {
            let load = self.cosine[i] * ux + self.sine[i] * (uy + GRAVITY);
            let mut sum = self.hanging(i, i) * load;
            for j in 0..self.n {
                let (s, c) = self.between(i, j);
                let a = if inertia { at.a[j] } else { 0.0 };
                sum += self.hanging(i, j) * (c * a + s * at.v[j] * at.v[j]);
            }
            *out = sum;
        }
    }
}

impl System for Chain {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        self.place(at.q);
        if let Some(r) = want.r.as_deref_mut() {
            self.residual(at, true, r);
        }
        if let Some(force) = want.force.as_deref_mut() {
            self.residual(at, false, force);
            force.iter_mut().for_each(|f| *f = -*f);
        }
        if let Some(mass) = want.mass.as_deref_mut() {
            for (k, m) in mass.iter_mut().enumerate() {
                let (i, j) = (k / self.n, k % self.n);
                *m = self.hanging(i, j) * self.between(i, j).1;
            }
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
        self.place(at.q);
        let n = self.n;
        let [ux, uy] = self.suspension(at.t);
        for i in 0..n {
            let load = self.cosine[i] * (uy + GRAVITY) - self.sine[i] * ux;
            let mut own = self.hanging(i, i) * load;
            for j in 0..n {
                let (s, c) = self.between(i, j);
                let w = self.hanging(i, j);
                if parts.has(Part::Mass) {
                    out[Part::Mass][i * n + j] = w * c;
                }
                if parts.has(Part::Rv) {
                    out[Part::Rv][i * n + j] = 2.0 * w * s * at.v[j];
                }
                if i != j {
                    let turned = w * (s * at.a[j] - c * at.v[j] * at.v[j]);
                    own -= turned;
                    if parts.has(Part::Rq) {
                        out[Part::Rq][i * n + j] = turned;
                    }
                }
            }
            if parts.has(Part::Rq) {
                out[Part::Rq][i * n + i] = own;
            }
        }
        Ok(())
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        for (out, (q, v)) in out.chunks_mut(2).zip(s.q.iter().zip(&s.v)) {
            out.copy_from_slice(&[*q, *v]);
        }
    }

    fn chart(&self) -> Option<&dyn Chart> {
        None
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        if let Capability::Excitations(to) = wanted {
            *to = Some(self);
        }
    }

    fn reset(&mut self) {}

    fn memory(&mut self, _: &mut Memory) {}

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

impl Excitations for Chain {
    fn excitation(&self, t: f64, out: &mut [f64]) {
        out.copy_from_slice(&self.suspension(t));
    }

    fn offset_excitations(&mut self, offset: &[f64]) {
        self.offset.copy_from_slice(offset);
    }
}
