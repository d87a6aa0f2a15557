//! The equations in joint coordinates as a system.

use super::JointCoordinates;
use super::form::Form;
use crate::forward::{evaluate_in_one_pass, forward_coordinates};
use linkwork_dae::chart::Chart;
use linkwork_dae::cosim::Polynomial;
use linkwork_dae::dense::Matrix;
use linkwork_dae::kinetic::BodyMotions;
use linkwork_dae::memory::Memory;
use linkwork_dae::saddle::{Saddle, SaddleError};
use linkwork_dae::state::State;
use linkwork_dae::switching::{Crossing, Switch, Switching};
use linkwork_dae::system::{
    After, At, Bodies, Capability, Capacities, Energy, EnergyAccount, EvalError, Excitations,
    Facts, ForwardDynamics, Inputs, Reader, System, TimeEvents,
};

impl System for JointCoordinates {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn structure(&mut self, reader: Reader) -> &Facts {
        if reader == Reader::Entries && self.facts.auxiliary.is_some() {
            self.take_form(Form::Stored);
        }
        &self.facts
    }

    evaluate_in_one_pass!(evaluate);

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        self.absolute(s);
        self.assembly.observe(&self.scratch.state, out);
    }

    /// Rotation vectors of joints, and whatever the assembly keeps about a base.
    fn chart(&self) -> Option<&dyn Chart> {
        let curved = !self.chart.is_empty() || self.assembly.chart().is_some();
        curved.then_some(self as &dyn Chart)
    }

    /// What the assembly can do, with its states in joint coordinates.
    fn capability<'a>(&'a mut self, wanted: Capability<'_, 'a>) {
        match wanted {
            Capability::Chart(to) if self.chart().is_some() => *to = Some(self),
            Capability::TimeEvents(to) => *to = Some(self),
            Capability::Capacities(to) => *to = Some(self),
            Capability::Inputs(to) => *to = Some(self),
            Capability::Excitations(to) => *to = Some(self),
            Capability::Energy(to) => *to = Some(self),
            Capability::Bodies(to) => *to = Some(self),
            Capability::Switching(to) if self.assembly.knows_surroundings() => {
                *to = Some(self);
            }
            Capability::ForwardDynamics(to)
                if self.layout.dims.rows() == 0 && !self.assembly.is_mapped() =>
            {
                *to = Some(self);
            }
            Capability::Chart(_)
            | Capability::StageForm(_)
            | Capability::Switching(_)
            | Capability::ForwardDynamics(_) => {}
        }
    }

    fn reset(&mut self) {
        self.assembly.reset();
        self.chart.reset();
        self.follow_chart();
    }

    fn memory(&mut self, m: &mut Memory) {
        self.assembly.memory(m);
        self.chart.memory(m);
        self.follow_chart();
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.clone())
    }
}

impl Capacities for JointCoordinates {
    fn capacity(&mut self, law: usize, s: &State) -> f64 {
        if self.layout.signals {
            self.enter_state(s);
        } else {
            self.scratch.state.t = s.t;
        }
        self.assembly.capacity(law, &self.scratch.state)
    }

    fn holds(&self, law: usize) -> bool {
        self.assembly.holds(law)
    }

    fn reversal(&mut self) -> Option<(usize, f64)> {
        self.assembly.reversal()
    }

    fn rest(&mut self, laws: &[bool]) {
        self.assembly.rest(laws);
    }
}

impl Switching for JointCoordinates {
    fn switches(&self) -> &[Switch] {
        self.assembly.switch_list()
    }

    fn reads_reactions(&self) -> bool {
        self.assembly.reads_reactions()
    }

    fn values(&mut self, s: &State, out: &mut [f64]) {
        self.enter_state(s);
        self.assembly.values(&self.scratch.state, out);
    }

    fn sliding(&self) -> usize {
        self.assembly.slide_count()
    }

    fn share(&mut self, shares: &[f64]) {
        self.assembly.take_shares(shares);
    }

    fn centre(&mut self) {
        self.assembly.centre_shares();
    }

    fn drift(&mut self, s: &State, out: &mut [[f64; 2]]) {
        self.enter_state(s);
        self.scratch.state.xdot.copy_from_slice(&s.xdot);
        self.assembly.find_drift(&self.scratch.state, out);
    }

    fn rose(&self, crossing: &Crossing) -> bool {
        self.assembly.rises(crossing)
    }

    fn is_rough(&self, crossing: &Crossing) -> bool {
        self.assembly.is_rough(crossing)
    }

    fn longest_step(&mut self, s: &State, looks: f64) -> f64 {
        self.enter_state(s);
        self.scratch.state.xdot.copy_from_slice(&s.xdot);
        self.assembly.longest_step(&self.scratch.state, looks)
    }

    fn on_switch(
        &mut self,
        crossed: &[Crossing],
        s: &mut State,
        _: &mut Saddle,
    ) -> Result<After, SaddleError> {
        self.enter_state(s);
        Ok(self.assembly.flip(&self.scratch.state, crossed))
    }

    fn jumped(&mut self, before: &State, after: &State) -> Option<String> {
        let forces = [before, after].map(|s| {
            self.enter_state(s);
            self.assembly.forces_at(&self.scratch.state)
        });
        self.assembly.changed_most(forces)
    }
}

impl TimeEvents for JointCoordinates {
    fn next_time_event(&self, t: f64) -> Option<f64> {
        self.assembly.next_time_event(t)
    }

    fn on_time_event(&mut self, s: &mut State) -> Result<After, EvalError> {
        self.enter_state(s);
        let after = self.assembly.on_time_event(&mut self.scratch.state)?;
        s.x.copy_from_slice(&self.scratch.state.x);
        Ok(after)
    }
}

impl Inputs for JointCoordinates {
    fn set_input(&mut self, input: usize, course: &Polynomial) {
        self.assembly.set_input(input, course);
    }
}

/// Those of forces, then those of driven joints.
impl Excitations for JointCoordinates {
    fn excitation(&self, t: f64, out: &mut [f64]) {
        let forces = self.assembly.facts().excitations.len();
        let (of_forces, of_drives) = out.split_at_mut(forces);
        self.assembly.excitation(t, of_forces);
        self.driven.values(t, of_drives);
    }

    fn offset_excitations(&mut self, offset: &[f64]) {
        let forces = self.assembly.facts().excitations.len();
        let (of_forces, of_drives) = offset.split_at(forces);
        self.assembly.offset_excitations(of_forces);
        self.driven.move_by(of_drives);
    }
}

impl EnergyAccount for JointCoordinates {
    fn energy(&mut self, s: &State) -> Option<Energy> {
        self.enter_state(s);
        self.assembly.energy(&self.scratch.state)
    }
}

impl Bodies for JointCoordinates {
    fn motions(&mut self, q: &[f64], v: &Matrix) -> BodyMotions {
        let absolute = self.absolute_velocities(q, v);
        self.assembly.motions(&self.scratch.state.q, &absolute)
    }
}

impl ForwardDynamics for JointCoordinates {
    fn accelerate(
        &mut self,
        at: &At<'_>,
        a: &mut [f64],
        f: &mut [f64],
    ) -> Option<Result<(), EvalError>> {
        self.accelerations(at, a, f)
    }
}

/// Rotation vectors of joints; bases and turns of the assembly follow.
impl Chart for JointCoordinates {
    forward_coordinates!(chart);

    fn rebase(&mut self, t: f64, q: &[f64]) -> bool {
        self.place_absolutely(q);
        let inner: &mut dyn System = &mut self.assembly;
        if let Some(chart) = inner.chart_mut() {
            chart.rebase(t, &self.scratch.state.q);
        }
        let moved = self.chart.rebase(t, q);
        self.follow_chart();
        moved
    }

    /// Where turns are counted, the speeds of all joints on the way to a body bound its own.
    fn turn(&self, v: &[f64]) -> f64 {
        if !self.assembly.keeps_turns() {
            return self.chart.turn(v);
        }
        let layout = &*self.layout;
        // nothing else holds it: evaluations have the whole system to themselves
        let Ok(mut speeds) = self.scratch.along.try_borrow_mut() else {
            return f64::INFINITY;
        };
        let mut fastest = 0.0f64;
        for link in &layout.links {
            let own = link.dofs.clone().filter(|k| layout.angular[*k]);
            let before = link.parent.map_or(0.0, |p| speeds[p]);
            let speed = own.fold(before, |sum, k| sum + v[k].abs());
            speeds[link.body] = speed;
            fastest = fastest.max(speed);
        }
        fastest
    }
}
