//! One rigid body that rotates in space, in rotation vectors about a base that follows it.
//!
//! ```text
//!  about its fixed point or, when free, its centre of mass:
//!      J w' + w x J w = X x R' f                                          3 coordinates
//!  with the centre of mass x as coordinates and the joint at the origin as constraints:
//!      m x'' + lambda = f,   J w' + w x J w - X x R' lambda = 0,   x - R X = 0
//! ```
//!
//! `w` is the angular velocity in body axes, `J` the principal inertias, `X` the centre of mass in
//! the body, `f` the weight. Derivatives are along `R exp(theta)`.

use linkwork_dae::chart::Chart;
use linkwork_dae::memory::Memory;
use linkwork_dae::rotation::{
    self, IDENTITY, Matrix, Quaternion, RotationVectors, Vector, apply, apply_transposed, cross,
    dot, hat, product,
};
use linkwork_dae::state::State;
use linkwork_dae::system::{
    At, BlockPatterns, Blocks, Capability, Channel, Dims, Energy, EnergyAccount, EvalError, Facts,
    Guess, Names, Part, Parts, Reference, Row, System, Terms,
};
use std::sync::Arc;

/// A body and its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Mass.
    pub mass: f64,
    /// Principal inertias about the centre of mass.
    pub inertia: Vector,
    /// Centre of mass from the fixed point, in the body.
    pub arm: Vector,
    /// Acceleration of gravity, in -z.
    pub gravity: f64,
    /// Angular velocity at the start, in body axes.
    pub omega: Vector,
}

impl Body {
    /// Inertias about the fixed point; the arm lies on a principal axis.
    pub fn inertia_about_joint(&self) -> Vector {
        let square = dot(self.arm, self.arm);
        std::array::from_fn(|i| self.inertia[i] + self.mass * (square - self.arm[i] * self.arm[i]))
    }

    fn weight(&self) -> Vector {
        [0.0, 0.0, -self.mass * self.gravity]
    }
}

/// See the [module](self).
#[derive(Clone)]
pub struct RigidBody {
    body: Body,
    /// Whether the centre of mass has coordinates of its own.
    positions: bool,
    /// Inertias that belong to the angular velocity.
    inertia: Vector,
    chart: RotationVectors,
    facts: Arc<Facts>,
}

fn channels() -> Vec<Channel> {
    let list = [
        ("x", "m"),
        ("y", "m"),
        ("z", "m"),
        ("e0", ""),
        ("e1", ""),
        ("e2", ""),
        ("e3", ""),
        ("omega1", "rad/s"),
        ("omega2", "rad/s"),
        ("omega3", "rad/s"),
    ];
    list.map(|(name, unit)| Channel::new(name, unit)).to_vec()
}

fn three(x: &[f64], first: usize) -> Vector {
    [x[first], x[first + 1], x[first + 2]]
}

fn square(first_row: u32, first_column: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..9).map(move |k| (first_row + k / 3, first_column + k % 3))
}

fn facts(body: &Body, turn: usize, patterns: BlockPatterns) -> Facts {
    const NAMES: [&str; 6] = ["x", "y", "z", "turn1", "turn2", "turn3"];
    let n = turn + 3;
    let dims = Dims {
        nq: n,
        nv: n,
        nc: turn,
        ..Dims::default()
    };
    let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
    v[turn..].copy_from_slice(&body.omega);
    if turn > 0 {
        q[..3].copy_from_slice(&body.arm);
        v[..3].copy_from_slice(&cross(body.omega, body.arm));
    }
    let mut guess = Guess::at(&q, &v);
    // the body is where it is and turns as it does: the joint may move the rest
    guess.weight_q[turn..].fill(1e6);
    guess.weight_v[turn..].fill(1e6);
    let owner = |row: Row| match row {
        Row::Position(i) | Row::Velocity(i) => {
            NAMES.get(i + 3 - turn).map_or("unknown", |n| n).to_string()
        }
        Row::Constraint(i) => format!("joint, direction {}", i + 1),
        Row::State(_) => "unknown".to_string(),
    };
    let describe = |row: Row| match row {
        Row::Position(_) => format!("coordinate `{}`", owner(row)),
        Row::Velocity(_) => format!("velocity of `{}`", owner(row)),
        _ => owner(row),
    };
    Facts {
        patterns,
        reference: (0..n)
            .map(|i| {
                if i < turn {
                    Reference::Place
                } else {
                    Reference::Size
                }
            })
            .collect(),
        guess,
        channels: channels(),
        names: Names::new(dims, describe, owner),
        ..Facts::new(dims)
    }
}

impl RigidBody {
    /// A body that rotates about its fixed point; `positions` gives its centre of mass coordinates
    /// and constraints of their own.
    pub fn new(body: Body, positions: bool) -> RigidBody {
        let turn = if positions { 3 } else { 0 };
        let first = turn as u32;
        let mut patterns = BlockPatterns::default();
        patterns[Part::Mass] = (0..first + 3).map(|i| (i, i)).collect();
        patterns[Part::Rq] = square(first, first).collect();
        patterns[Part::Rv] = square(first, first).collect();
        if positions {
            patterns[Part::Cq] = (0..3).map(|i| (i, i)).chain(square(0, 3)).collect();
            patterns[Part::CVq] = square(0, 3).collect();
        }
        RigidBody {
            body,
            positions,
            inertia: if positions {
                body.inertia
            } else {
                body.inertia_about_joint()
            },
            chart: RotationVectors::new([(turn, IDENTITY)]),
            facts: Arc::new(facts(&body, turn, patterns)),
        }
    }

    /// The orientation at a configuration: body to space axes.
    pub fn orientation(&self, q: &[f64]) -> Quaternion {
        self.chart.orientation(0, q)
    }

    fn turn(&self) -> usize {
        if self.positions { 3 } else { 0 }
    }

    /// The force that turns the body at the end of its arm: the weight or, about the centre of mass,
    /// the opposite of the joint's force.
    fn load(&self, lambda: &[f64]) -> Vector {
        if self.positions {
            three(lambda, 0)
        } else {
            self.body.weight()
        }
    }

    fn gyroscopic(&self, w: Vector) -> Vector {
        cross(w, std::array::from_fn(|i| self.inertia[i] * w[i]))
    }
}

impl System for RigidBody {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        let (first, arm) = (self.turn(), self.body.arm);
        let r: Matrix = rotation::matrix(self.orientation(at.q));
        if let Some(out) = want.r.as_deref_mut() {
            let w = three(at.v, first);
            let moment = cross(arm, apply_transposed(&r, self.load(at.lambda)));
            let gyroscopic = self.gyroscopic(w);
            for i in 0..3 {
                out[first + i] = self.inertia[i] * at.a[first + i] + gyroscopic[i] - moment[i];
            }
            if self.positions {
                let weight = self.body.weight();
                for i in 0..3 {
                    out[i] = self.body.mass * at.a[i] + at.lambda[i] - weight[i];
                }
            }
        }
        if let Some(out) = want.mass.as_deref_mut() {
            out[..first].fill(self.body.mass);
            out[first..].copy_from_slice(&self.inertia);
        }
        if let Some(out) = want.force.as_deref_mut() {
            let weight = self.body.weight();
            let gyroscopic = self.gyroscopic(three(at.v, first));
            let moment = if self.positions {
                out[..3].copy_from_slice(&weight);
                [0.0; 3]
            } else {
                cross(arm, apply_transposed(&r, weight))
            };
            for i in 0..3 {
                out[first + i] = moment[i] - gyroscopic[i];
            }
        }
        if !self.positions {
            return Ok(());
        }
        if let Some(out) = want.c.as_deref_mut() {
            let end = apply(&r, arm);
            for i in 0..3 {
                out[i] = at.q[i] - end[i];
            }
        }
        if let Some(out) = want.c_q.as_deref_mut() {
            out[..3].fill(1.0);
            out[3..].copy_from_slice(product(&r, &hat(arm)).as_flattened());
        }
        if let Some(out) = want.cv.as_deref_mut() {
            let speed = apply(&r, cross(three(at.v, 3), arm));
            for i in 0..3 {
                out[i] = at.v[i] - speed[i];
            }
        }
        if let Some(out) = want.gamma.as_deref_mut() {
            let w = three(at.v, 3);
            out.copy_from_slice(&apply(&r, cross(w, cross(w, arm))));
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
        let (first, arm) = (self.turn(), self.body.arm);
        let r: Matrix = rotation::matrix(self.orientation(at.q));
        let w = three(at.v, first);
        if parts.has(Part::Mass) {
            out[Part::Mass][..first].fill(self.body.mass);
            out[Part::Mass][first..].copy_from_slice(&self.inertia);
        }
        if parts.has(Part::Rq) {
            // (R exp(theta))' f = R' f + R' f x theta
            let load = apply_transposed(&r, self.load(at.lambda));
            let by_turn = product(&hat(arm), &hat(load));
            for (o, x) in out[Part::Rq].iter_mut().zip(by_turn.as_flattened()) {
                *o = -x;
            }
        }
        if parts.has(Part::Rv) {
            let momentum = std::array::from_fn(|i| self.inertia[i] * w[i]);
            let (of_w, of_momentum) = (hat(w), hat(momentum));
            for (k, o) in out[Part::Rv].iter_mut().enumerate() {
                let (i, j) = (k / 3, k % 3);
                *o = of_w[i][j] * self.inertia[j] - of_momentum[i][j];
            }
        }
        if self.positions && parts.has(Part::Cq) {
            out[Part::Cq][..3].fill(1.0);
            out[Part::Cq][3..].copy_from_slice(product(&r, &hat(arm)).as_flattened());
        }
        if self.positions && parts.has(Part::CVq) {
            let speed = product(&r, &hat(cross(w, arm)));
            out[Part::CVq].copy_from_slice(speed.as_flattened());
        }
        Ok(())
    }

    fn chart(&self) -> Option<&dyn Chart> {
        Some(&self.chart)
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        match wanted {
            Capability::Chart(to) => *to = Some(&mut self.chart),
            Capability::Energy(to) => *to = Some(self),
            _ => {}
        }
    }

    fn reset(&mut self) {
        self.chart.reset();
    }

    fn memory(&mut self, m: &mut Memory) {
        self.chart.memory(m);
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        let orientation = self.orientation(&s.q);
        if self.positions {
            out[..3].copy_from_slice(&s.q[..3]);
        } else {
            let r = rotation::matrix(orientation);
            out[..3].copy_from_slice(&apply(&r, self.body.arm));
        }
        out[3..7].copy_from_slice(&orientation);
        out[7..10].copy_from_slice(&three(&s.v, self.turn()));
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

impl EnergyAccount for RigidBody {
    fn energy(&mut self, s: &State) -> Option<Energy> {
        let w = three(&s.v, self.turn());
        let spin: f64 = (0..3).map(|i| self.inertia[i] * w[i] * w[i]).sum();
        let (kinetic, height) = if self.positions {
            let v = three(&s.v, 0);
            (0.5 * (spin + self.body.mass * dot(v, v)), s.q[2])
        } else {
            let r = rotation::matrix(self.orientation(&s.q));
            (0.5 * spin, apply(&r, self.body.arm)[2])
        };
        Some(Energy {
            kinetic,
            potential: self.body.mass * self.body.gravity * height,
            ..Energy::default()
        })
    }
}
