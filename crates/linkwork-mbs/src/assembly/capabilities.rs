//! What a mechanism can do besides being evaluated: instants in time, limits of friction, inputs, excitations, energy.

use super::signals::next_instant;
use super::{Assembly, leap};
use linkwork_dae::cosim::Polynomial;
use linkwork_dae::dense::Matrix;
use linkwork_dae::kinetic::BodyMotions;
use linkwork_dae::state::State;
use linkwork_dae::system::{
    self, After, Bodies, Capacities, Energy, EnergyAccount, EvalError, Inputs, TimeEvents,
};

impl TimeEvents for Assembly {
    fn next_time_event(&self, t: f64) -> Option<f64> {
        let instants = [next_instant(&self.plan, t), self.clock.next(t)];
        instants.into_iter().flatten().min_by(f64::total_cmp)
    }

    fn on_time_event(&mut self, s: &mut State) -> Result<After, EvalError> {
        let before = self.clock.side(s.t);
        let kinked = self.clock.pass(s.t);
        let kicked = kinked && leap::kicks(&self.plan, [before, self.clock.side(s.t)])?;
        let by_formulas = match (kicked, kinked) {
            (true, _) => After::Jump,
            (false, true) => After::Restart,
            (false, false) => After::Continue,
        };
        if self.plan.wiring.controls.is_empty() && !self.plan.evolves && self.sides.is_empty() {
            return Ok(by_formulas);
        }
        let mut x = std::mem::take(&mut s.x);
        let jumped = self.with_frames(s, |this, seen| {
            let motion = (&seen.q[..], &seen.v[..]);
            let placed = (this.turned.frames(), &this.sides);
            let begins = this.signals.is_fresh();
            let jumped = (this.signals).tick(&this.plan, seen.t, motion, &mut x, placed);
            if begins {
                this.settle_forces(seen.t, &mut x);
                this.take_sides(seen.t, &x);
            }
            jumped
        });
        s.x = x;
        Ok(match by_formulas {
            After::Continue if jumped => After::Restart,
            after => after,
        })
    }
}

impl Capacities for Assembly {
    fn capacity(&mut self, law: usize, s: &State) -> f64 {
        let Some(&joint) = self.plan.law_joints.get(law).filter(|_| self.holds(law)) else {
            return 0.0;
        };
        let mut bearing = self.plan.wiring.bearing.iter();
        if let Some(&(_, node)) = bearing.find(|(j, _)| *j == joint) {
            let value = self.with_frames(s, |this, seen| {
                this.read_signals(seen);
                this.signals.value(node)
            });
            return value.max(0.0);
        }
        let formula = self.plan.joints[joint].joint.capacity();
        formula.map_or(0.0, |f| f.eval_at(self.clock.now(s.t)).max(0.0))
    }

    fn holds(&self, law: usize) -> bool {
        let joint = self.plan.law_joints.get(law);
        joint.is_none_or(|j| self.sides.holds(*j))
    }

    fn reversal(&mut self) -> Option<(usize, f64)> {
        let (joint, restitution) = self.sides.take_reversed()?;
        let law = self.plan.law_joints.iter().position(|j| *j == joint);
        law.map(|law| (law, restitution))
    }

    fn rest(&mut self, laws: &[bool]) {
        self.resting.rest(&self.plan, laws);
    }
}

impl Inputs for Assembly {
    fn set_input(&mut self, input: usize, course: &Polynomial) {
        self.signals.drive(input, course);
    }
}

impl system::Excitations for Assembly {
    fn excitation(&self, t: f64, out: &mut [f64]) {
        self.excitations.values(t, out);
    }

    fn offset_excitations(&mut self, offset: &[f64]) {
        self.excitations.move_by(offset);
    }
}

impl EnergyAccount for Assembly {
    fn energy(&mut self, s: &State) -> Option<Energy> {
        let energy = self.with_frames(s, |this, seen| {
            this.read_signals_as_found(seen);
            this.energy_account(seen)
        });
        let plan = &self.plan;
        let own = plan.carriers.iter().map(|c| {
            let point = self.turned.point(plan, c, &s.q, &s.v, &s.a);
            c.carrier.energy(&point)
        });
        Some(own.fold(energy, |e, own| Energy {
            kinetic: e.kinetic + own.kinetic,
            potential: e.potential + own.potential,
            strain: e.strain + own.strain,
            power: e.power + own.power,
        }))
    }
}

impl Bodies for Assembly {
    fn motions(&mut self, q: &[f64], v: &Matrix) -> BodyMotions {
        match self.mapped {
            None => self.momenta(v),
            Some(_) => {
                let frames = self.frame_velocities(q, v);
                self.with_own_momenta(self.momenta(&frames), q, v)
            }
        }
    }
}
