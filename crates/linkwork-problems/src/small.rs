//! A base for small hand-written systems: dense blocks from a handful of functions.
//!
//! Two to ten coordinates, full patterns; the equations matter here, not the speed. Holonomic
//! constraints, non-holonomic ones and first-order states each have functions of their own that
//! need not be written where there are none.

use linkwork_dae::chart::Chart;
use linkwork_dae::cosim::Polynomial;
use linkwork_dae::memory::Memory;
use linkwork_dae::saddle::{Saddle, SaddleError};
use linkwork_dae::state::State;
use linkwork_dae::switching::{Crossing, Switch, Switching};
use linkwork_dae::system::{
    After, At, BlockPatterns, Blocks, Capability, Channel, Dims, Energy, EnergyAccount, EvalError,
    Facts, Guess, Inputs, Names, Part, Parts, Row, System, Terms, TimeEvents,
};
use std::sync::Arc;

/// The equations of a small system; matrices are row by row.
#[allow(unused_variables)]
pub trait Equations: Clone + Send + Sync + 'static {
    /// Number of coordinates.
    const N: usize;
    /// Number of holonomic constraints.
    const C: usize = 0;
    /// Number of non-holonomic constraints.
    const G: usize = 0;
    /// Number of first-order states.
    const X: usize = 0;

    /// Names of the coordinates, with units.
    fn names(&self) -> Vec<(&'static str, &'static str)>;
    /// Names of the first-order states, with units.
    fn state_names(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
    /// Configuration, velocity and first-order states at time 0.
    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>);
    /// Typical size of a coordinate.
    fn scale(&self, i: usize) -> f64 {
        1.0
    }
    /// Frequency of a coordinate by itself; 0 where it has none.
    fn rate(&self, i: usize) -> f64 {
        0.0
    }
    /// Assembly weight of a coordinate and its velocity.
    fn weight(&self, i: usize) -> f64 {
        1.0
    }
    /// Whether a state has a derivative in its equation.
    fn differential(&self, i: usize) -> bool {
        true
    }
    /// `M`.
    fn mass(&self, q: &[f64], t: f64, m: &mut [f64]);
    /// `(M a)_q`, added to `out`.
    fn mass_q(&self, q: &[f64], a: &[f64], t: f64, out: &mut [f64]) {}
    /// `Q`.
    fn force(&self, at: &At<'_>, f: &mut [f64]);
    /// `Q_q`, `Q_v` and `Q_x`, all zero before.
    fn force_q(&self, at: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], f_x: &mut [f64]) {}
    /// `C`.
    fn constraint(&self, q: &[f64], t: f64, c: &mut [f64]) {}
    /// `C_q`.
    fn c_q(&self, q: &[f64], t: f64, c_q: &mut [f64]) {}
    /// `C_t`, zero before.
    fn c_t(&self, q: &[f64], t: f64, c_t: &mut [f64]) {}
    /// `(C_q v + C_t)_q`.
    fn cv_q(&self, q: &[f64], v: &[f64], t: f64, out: &mut [f64]) {}
    /// `(C_q' lambda)_q`, added to `out`.
    fn lambda_q(&self, q: &[f64], lambda: &[f64], t: f64, out: &mut [f64]) {}
    /// `gamma` of the holonomic rows.
    fn gamma(&self, q: &[f64], v: &[f64], t: f64, gamma: &mut [f64]) {}
    /// `g`.
    fn g(&self, q: &[f64], v: &[f64], t: f64, g: &mut [f64]) {}
    /// `G_v`.
    fn g_v(&self, q: &[f64], v: &[f64], t: f64, g_v: &mut [f64]) {}
    /// `G_q`.
    fn g_q(&self, q: &[f64], v: &[f64], t: f64, g_q: &mut [f64]) {}
    /// `g_t`, zero before.
    fn g_t(&self, q: &[f64], v: &[f64], t: f64, g_t: &mut [f64]) {}
    /// `(G_v' mu)_q` and `(G_v' mu)_v`, added.
    fn mu_q(&self, q: &[f64], v: &[f64], mu: &[f64], t: f64, by_q: &mut [f64], by_v: &mut [f64]) {}
    /// `f`.
    fn f(&self, at: &At<'_>, f: &mut [f64]) {}
    /// `f_q`, `f_v` and `f_x`, all zero before.
    fn f_q(&self, at: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], f_x: &mut [f64]) {}
    /// Energy account.
    fn energy(&self, q: &[f64], v: &[f64], t: f64) -> Option<Energy> {
        None
    }
    /// Switching functions.
    fn switches(&self) -> Vec<Switch> {
        Vec::new()
    }
    /// Their values.
    fn values(&self, s: &State, out: &mut [f64]) {}
    /// Functions have crossed.
    fn on_switch(&mut self, crossed: &[Crossing], s: &mut State) -> After {
        After::Continue
    }
    /// How long it takes to pass the next thing in the way.
    fn passes_in(&self, s: &State) -> f64 {
        f64::INFINITY
    }
    /// The next instant after `t` at which forces jump by the clock.
    fn next_time_event(&self, t: f64) -> Option<f64> {
        None
    }
    /// The clock has reached an instant.
    fn on_time_event(&mut self, s: &mut State) -> After {
        After::Continue
    }
    /// Names of the inputs.
    fn inputs(&self) -> Vec<String> {
        Vec::new()
    }
    /// Lets an input follow a polynomial of time.
    fn set_input(&mut self, input: usize, course: &Polynomial) {}
    /// Saves or restores modes and inputs.
    fn memory(&mut self, m: &mut Memory) {}
}

/// A [`System`] over small [`Equations`].
#[derive(Clone)]
pub struct Small<E> {
    equations: E,
    facts: Arc<Facts>,
    switches: Vec<Switch>,
    mass: Vec<f64>,
    force: Vec<f64>,
    c_q: Vec<f64>,
    blocks: [Vec<f64>; 3],
}

fn facts<E: Equations>(equations: &E, dims: Dims, channels: Vec<Channel>) -> Facts {
    let (q, v, x) = equations.start();
    let weight: Vec<f64> = (0..E::N).map(|i| equations.weight(i)).collect();
    let name = |names: Vec<(&'static str, &'static str)>, i: usize| {
        names.get(i).map_or("unknown", |n| n.0).to_string()
    };
    let owner = |row: Row| match row {
        Row::Position(i) | Row::Velocity(i) => name(equations.names(), i),
        Row::Constraint(i) => format!("constraint {}", i + 1),
        Row::State(i) => name(equations.state_names(), i),
    };
    let describe = |row: Row| match row {
        Row::Position(_) => format!("coordinate `{}`", owner(row)),
        Row::Velocity(_) => format!("velocity of `{}`", owner(row)),
        Row::Constraint(_) => owner(row),
        Row::State(_) => format!("state `{}`", owner(row)),
    };
    Facts {
        patterns: BlockPatterns::full(dims),
        scale: (0..E::N).map(|i| equations.scale(i)).collect(),
        rate: (0..E::N).map(|i| equations.rate(i)).collect(),
        differential: (0..E::X).map(|i| equations.differential(i)).collect(),
        guess: Guess {
            t: 0.0,
            weight_q: weight.clone(),
            weight_v: weight,
            q,
            v,
            x,
        },
        channels,
        names: Names::new(dims, describe, owner),
        inputs: equations.inputs(),
        ..Facts::new(dims)
    }
}

impl<E: Equations> Small<E> {
    /// A system over the given equations.
    pub fn new(equations: E) -> Small<E> {
        let (n, m, x) = (E::N, E::C + E::G, E::X);
        let dims = Dims {
            nq: n,
            nv: n,
            nc: E::C,
            ng: E::G,
            nx: x,
        };
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
        for (name, unit) in equations.state_names() {
            channels.push(Channel::new(name, unit));
        }
        for i in 1..=m {
            channels.push(Channel::new(format!("lambda{i}"), ""));
        }
        Small {
            switches: equations.switches(),
            facts: Arc::new(facts(&equations, dims, channels)),
            equations,
            mass: vec![0.0; n * n],
            force: vec![0.0; n],
            c_q: vec![0.0; m * n],
            blocks: [vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * x]],
        }
    }

    /// Velocity Jacobian of all constraint rows.
    fn velocity_jacobian(equations: &E, at: &At<'_>, out: &mut [f64]) {
        let (c, g) = out.split_at_mut(E::C * E::N);
        equations.c_q(at.q, at.t, c);
        equations.g_v(at.q, at.v, at.t, g);
    }

    /// Derivative of all velocity constraints by the positions.
    fn velocity_by_position(equations: &E, at: &At<'_>, out: &mut [f64]) {
        let (c, g) = out.split_at_mut(E::C * E::N);
        equations.cv_q(at.q, at.v, at.t, c);
        equations.g_q(at.q, at.v, at.t, g);
    }
}

impl<E: Equations> System for Small<E> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn eval(&mut self, at: &At<'_>, want: &mut Terms<'_>) -> Result<(), EvalError> {
        let (e, n, t) = (&self.equations, E::N, at.t);
        if want.r.is_some() || want.cv.is_some() || want.c_q.is_some() {
            Small::velocity_jacobian(e, at, &mut self.c_q);
        }
        let c_q = &self.c_q;
        if let Some(r) = want.r.as_deref_mut() {
            e.mass(at.q, t, &mut self.mass);
            e.force(at, &mut self.force);
            for i in 0..n {
                let inertia: f64 = (0..n).map(|j| self.mass[i * n + j] * at.a[j]).sum();
                let multipliers = at.lambda.iter().enumerate();
                let reaction: f64 = multipliers.map(|(k, l)| c_q[k * n + i] * l).sum();
                r[i] = inertia + reaction - self.force[i];
            }
        }
        if let Some(out) = want.mass.as_deref_mut() {
            e.mass(at.q, t, out);
        }
        if let Some(out) = want.force.as_deref_mut() {
            e.force(at, out);
        }
        if let Some(out) = want.c.as_deref_mut() {
            e.constraint(at.q, t, out);
        }
        if let Some(out) = want.cv.as_deref_mut() {
            let (c, g) = out.split_at_mut(E::C);
            c.fill(0.0);
            e.c_t(at.q, t, c);
            for (k, c) in c.iter_mut().enumerate() {
                *c += (0..n).map(|j| c_q[k * n + j] * at.v[j]).sum::<f64>();
            }
            e.g(at.q, at.v, t, g);
        }
        if let Some(out) = want.c_q.as_deref_mut() {
            out.copy_from_slice(c_q);
        }
        if let Some(out) = want.gamma.as_deref_mut() {
            let (c, g) = out.split_at_mut(E::C);
            e.gamma(at.q, at.v, t, c);
            g.fill(0.0);
            e.g_t(at.q, at.v, t, g);
            let g_q = &mut self.c_q[E::C * n..];
            e.g_q(at.q, at.v, t, g_q);
            for (k, g) in g.iter_mut().enumerate() {
                *g = -*g - (0..n).map(|j| g_q[k * n + j] * at.v[j]).sum::<f64>();
            }
        }
        if let Some(out) = want.f.as_deref_mut() {
            e.f(at, out);
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
            Small::velocity_jacobian(e, at, &mut out[Part::Cq]);
        }
        if parts.has(Part::CVq) {
            Small::velocity_by_position(e, at, &mut out[Part::CVq]);
        }
        let clear = |blocks: &mut [Vec<f64>; 3]| blocks.iter_mut().for_each(|b| b.fill(0.0));
        let [by_q, by_v, by_x] = {
            clear(&mut self.blocks);
            &mut self.blocks
        };
        if parts.has(Part::Rq) || parts.has(Part::Rv) || parts.has(Part::Rx) {
            e.force_q(at, by_q, by_v, by_x);
            for b in [&mut *by_q, by_v, by_x] {
                b.iter_mut().for_each(|x| *x = -*x);
            }
            let (lambda, mu) = at.lambda.split_at(E::C);
            e.mass_q(at.q, at.a, t, by_q);
            e.lambda_q(at.q, lambda, t, by_q);
            e.mu_q(at.q, at.v, mu, t, by_q, by_v);
            out[Part::Rq].copy_from_slice(by_q);
            out[Part::Rv].copy_from_slice(by_v);
            out[Part::Rx].copy_from_slice(by_x);
        }
        if parts.has(Part::Fq) || parts.has(Part::Fv) || parts.has(Part::Fx) {
            let [mut f_q, mut f_v] = [(); 2].map(|()| vec![0.0; E::X * E::N]);
            let mut f_x = vec![0.0; E::X * E::X];
            e.f_q(at, &mut f_q, &mut f_v, &mut f_x);
            out[Part::Fq].copy_from_slice(&f_q);
            out[Part::Fv].copy_from_slice(&f_v);
            out[Part::Fx].copy_from_slice(&f_x);
        }
        Ok(())
    }

    fn memory(&mut self, m: &mut Memory) {
        self.equations.memory(m);
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        for i in 0..E::N {
            out[3 * i] = s.q[i];
            out[3 * i + 1] = s.v[i];
            out[3 * i + 2] = s.a[i];
        }
        let (states, multipliers) = out[3 * E::N..].split_at_mut(E::X);
        states.copy_from_slice(&s.x);
        multipliers.copy_from_slice(&s.lambda);
    }

    fn chart(&self) -> Option<&dyn Chart> {
        None
    }

    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        match wanted {
            Capability::TimeEvents(to) => *to = Some(self),
            Capability::Switching(to) => *to = Some(self),
            Capability::Inputs(to) => *to = Some(self),
            Capability::Energy(to) => *to = Some(self),
            _ => {}
        }
    }

    fn reset(&mut self) {}

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

impl<E: Equations> TimeEvents for Small<E> {
    fn next_time_event(&self, t: f64) -> Option<f64> {
        self.equations.next_time_event(t)
    }

    fn on_time_event(&mut self, s: &mut State) -> Result<After, EvalError> {
        Ok(self.equations.on_time_event(s))
    }
}

impl<E: Equations> Inputs for Small<E> {
    fn set_input(&mut self, input: usize, course: &Polynomial) {
        self.equations.set_input(input, course);
    }
}

impl<E: Equations> EnergyAccount for Small<E> {
    fn energy(&mut self, s: &State) -> Option<Energy> {
        self.equations.energy(&s.q, &s.v, s.t)
    }
}

impl<E: Equations> Switching for Small<E> {
    fn switches(&self) -> &[Switch] {
        &self.switches
    }

    fn values(&mut self, s: &State, out: &mut [f64]) {
        self.equations.values(s, out);
    }

    fn on_switch(
        &mut self,
        crossed: &[Crossing],
        s: &mut State,
        _: &mut Saddle,
    ) -> Result<After, SaddleError> {
        Ok(self.equations.on_switch(crossed, s))
    }

    fn longest_step(&mut self, s: &State, looks: f64) -> f64 {
        looks * self.equations.passes_in(s)
    }
}
