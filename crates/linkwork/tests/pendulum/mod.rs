//! A point mass on a massless rod of 1 m in Cartesian coordinates, with a few ways to misbehave.

use linkwork::dae::chart::Chart;
use linkwork::dae::memory::Memory;
use linkwork::dae::state::State;
use linkwork::dae::system::{
    At, BlockPatterns, Blocks, Capability, Channel, Dims, Energy, EnergyAccount, EvalError, Facts,
    Guess, Names, Part, Parts, Row, System, Terms,
};

pub const GRAVITY: f64 = 9.81;

#[derive(Clone)]
pub struct Pendulum {
    /// Viscous damping, N s/m.
    pub damping: f64,
    /// The rod equation is written twice.
    pub doubled: bool,
    /// From this time on the gravity has no value.
    pub broken_from: f64,
    /// Rod lengths of the two equations differ by this, so that they contradict each other.
    pub mismatch: f64,
    facts: Facts,
}

impl Pendulum {
    pub fn new(damping: f64, doubled: bool) -> Pendulum {
        let mut patterns = BlockPatterns::default();
        patterns[Part::Mass] = vec![(0, 0), (1, 1)];
        patterns[Part::Rq] = vec![(0, 0), (1, 1)];
        patterns[Part::Rv] = vec![(0, 0), (1, 1)];
        let nc = if doubled { 2 } else { 1 };
        let rows: Vec<(u32, u32)> = (0..nc).flat_map(|i| [(i, 0), (i, 1)]).collect();
        patterns[Part::Cq] = rows.clone();
        patterns[Part::CVq] = rows;
        let dims = Dims {
            nq: 2,
            nv: 2,
            nc: nc as usize,
            ..Dims::default()
        };
        let facts = Facts {
            patterns,
            guess: Guess::at(&[1.0, 0.01], &[0.0; 2]),
            channels: vec![
                Channel::new("mass.x", "m"),
                Channel::new("mass.y", "m"),
                Channel::new("mass.y.velocity", "m/s"),
                Channel::new("rod.reaction", "N"),
            ],
            names: Names::new(dims, describe, owner),
            ..Facts::new(dims)
        };
        Pendulum {
            damping,
            doubled,
            broken_from: f64::INFINITY,
            mismatch: 0.0,
            facts,
        }
    }

    fn rows(&self) -> usize {
        if self.doubled { 2 } else { 1 }
    }

    fn fill(&self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        if at.t > self.broken_from {
            return Err(EvalError::NotFinite {
                what: "force `gravity`".into(),
            });
        }
        let (q, v) = (at.q, at.v);
        let lambda: f64 = at.lambda.iter().take(self.rows()).sum();
        let force = |i: usize| -self.damping * v[i] - if i == 1 { GRAVITY } else { 0.0 };
        for i in 0..2 {
            if let Some(r) = want.r.as_deref_mut() {
                r[i] = at.a[i] + 2.0 * q[i] * lambda - force(i);
            }
            if let Some(f) = want.force.as_deref_mut() {
                f[i] = force(i);
            }
            if let Some(m) = want.mass.as_deref_mut() {
                m[i] = 1.0;
            }
        }
        for k in 0..self.rows() {
            if let Some(c) = want.c.as_deref_mut() {
                let length = 1.0 + k as f64 * self.mismatch;
                c[k] = q[0] * q[0] + q[1] * q[1] - length * length;
            }
            if let Some(c) = want.c_q.as_deref_mut() {
                c[2 * k] = 2.0 * q[0];
                c[2 * k + 1] = 2.0 * q[1];
            }
            if let Some(c) = want.cv.as_deref_mut() {
                c[k] = 2.0 * (q[0] * v[0] + q[1] * v[1]);
            }
            if let Some(g) = want.gamma.as_deref_mut() {
                g[k] = -2.0 * (v[0] * v[0] + v[1] * v[1]);
            }
        }
        Ok(())
    }
}

impl System for Pendulum {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        self.fill(at, want)
    }

    fn linearise(
        &mut self,
        at: &At<'_>,
        want: &mut Terms<'_>,
        parts: Parts,
        out: &mut Blocks,
    ) -> Result<(), EvalError> {
        self.fill(at, want)?;
        let lambda: f64 = at.lambda.iter().take(self.rows()).sum();
        if parts.has(Part::Mass) {
            out[Part::Mass].fill(1.0);
        }
        if parts.has(Part::Rq) {
            out[Part::Rq].fill(2.0 * lambda);
        }
        if parts.has(Part::Rv) {
            out[Part::Rv].fill(self.damping);
        }
        for k in 0..self.rows() {
            for i in 0..2 {
                if parts.has(Part::Cq) {
                    out[Part::Cq][2 * k + i] = 2.0 * at.q[i];
                }
                if parts.has(Part::CVq) {
                    out[Part::CVq][2 * k + i] = 2.0 * at.v[i];
                }
            }
        }
        Ok(())
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        let lambda: f64 = s.lambda.iter().sum();
        out.copy_from_slice(&[s.q[0], s.q[1], s.v[1], 2.0 * lambda]);
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

impl EnergyAccount for Pendulum {
    fn energy(&mut self, s: &State) -> Option<Energy> {
        let speed2 = s.v[0] * s.v[0] + s.v[1] * s.v[1];
        Some(Energy {
            kinetic: 0.5 * speed2,
            potential: GRAVITY * s.q[1],
            power: -self.damping * speed2,
            ..Energy::default()
        })
    }
}

fn describe(row: Row) -> String {
    match row {
        Row::Position(i) => format!("mass, {}", ["x", "y"][i]),
        Row::Velocity(i) => format!("mass, velocity {}", ["x", "y"][i]),
        Row::Constraint(i) => format!("joint `rod{}`, length", ["", "_again"][i]),
        Row::State(i) => format!("state {i}"),
    }
}

fn owner(row: Row) -> String {
    match row {
        Row::Constraint(0) => "rod".into(),
        Row::Constraint(_) => "rod_again".into(),
        _ => "mass".into(),
    }
}
