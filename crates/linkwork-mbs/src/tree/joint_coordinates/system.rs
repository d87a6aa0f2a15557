//! The equations in joint coordinates as a system.

use super::JointCoordinates;
use super::form::Form;
use crate::forward::{evaluate_in_one_pass, forward_controls, forward_coordinates};
use linkwork_dae::auxiliary::Auxiliary;
use linkwork_dae::chart::Chart;
use linkwork_dae::dense::Matrix;
use linkwork_dae::kinetic::BodyMotions;
use linkwork_dae::memory::Memory;
use linkwork_dae::state::State;
use linkwork_dae::system::{
    After, At, BlockPatterns, Channel, Dims, Energy, EvalError, Guess, Row, System,
};

impl System for JointCoordinates {
    fn dims(&self) -> Dims {
        self.layout.dims
    }

    fn patterns(&self) -> &BlockPatterns {
        &self.shape.patterns
    }

    fn auxiliary(&self) -> Option<&Auxiliary> {
        self.shape.augmented.as_ref().map(|a| &a.auxiliary)
    }

    fn store_blocks(&mut self) {
        if self.shape.augmented.is_some() {
            self.take_form(Form::Stored);
        }
    }

    evaluate_in_one_pass!(evaluate);

    fn accelerate(
        &mut self,
        at: &At<'_>,
        a: &mut [f64],
        f: &mut [f64],
    ) -> Option<Result<(), EvalError>> {
        self.accelerations(at, a, f)
    }

    fn excitations(&self) -> usize {
        self.assembly.excitations() + self.driven.count()
    }

    fn excitation(&self, t: f64, out: &mut [f64]) {
        let (of_forces, of_drives) = out.split_at_mut(self.assembly.excitations());
        self.assembly.excitation(t, of_forces);
        self.driven.values(t, of_drives);
    }

    fn excitation_name(&self, i: usize) -> String {
        match i.checked_sub(self.assembly.excitations()) {
            None => self.assembly.excitation_name(i),
            Some(i) => self.driven.name(i),
        }
    }

    fn excitation_scale(&self, out: &mut [f64]) {
        let (of_forces, of_drives) = out.split_at_mut(self.assembly.excitations());
        self.assembly.excitation_scale(of_forces);
        self.driven.scale(of_drives);
    }

    fn offset_excitations(&mut self, offset: &[f64]) {
        let (of_forces, of_drives) = offset.split_at(self.assembly.excitations());
        self.assembly.offset_excitations(of_forces);
        self.driven.move_by(of_drives);
    }

    forward_controls!(assembly);

    fn scale(&self, out: &mut [f64]) {
        for (o, angular) in out.iter_mut().zip(&self.layout.angular) {
            *o = if *angular { 1.0 } else { self.layout.length };
        }
    }

    fn magnitude(&self, q: &[f64], out: &mut [f64]) {
        for ((o, q), angular) in out.iter_mut().zip(q).zip(&self.layout.angular) {
            *o = if *angular { 1.0 } else { q.abs() };
        }
    }

    fn guess(&self) -> Guess {
        self.layout.guess.clone()
    }

    /// Rotation vectors of joints, and whatever the assembly keeps about a base.
    fn chart(&self) -> Option<&dyn Chart> {
        let curved = !self.chart.is_empty() || self.assembly.chart().is_some();
        curved.then_some(self as &dyn Chart)
    }

    fn chart_mut(&mut self) -> Option<&mut dyn Chart> {
        if self.chart().is_some() {
            Some(self)
        } else {
            None
        }
    }

    fn reset(&mut self) {
        self.assembly.reset();
        self.chart.reset();
        self.follow_chart();
    }

    fn on_time_event(&mut self, s: &mut State) -> After {
        self.enter_state(s);
        let after = self.assembly.on_time_event(&mut self.scratch.state);
        s.x.copy_from_slice(&self.scratch.state.x);
        after
    }

    fn channels(&self) -> &[Channel] {
        &self.layout.channels
    }

    fn observe(&mut self, s: &State, out: &mut [f64]) {
        self.absolute(s);
        self.assembly.observe(&self.scratch.state, out);
    }

    fn energy(&mut self, s: &State) -> Option<Energy> {
        self.enter_state(s);
        self.assembly.energy(&self.scratch.state)
    }

    fn body_motions(&mut self, q: &[f64], v: &Matrix) -> Option<BodyMotions> {
        let absolute = self.absolute_velocities(q, v);
        (self.assembly).body_motions(&self.scratch.state.q, &absolute)
    }

    fn describe(&self, row: Row) -> String {
        self.words(row)
    }

    fn owner(&self, row: Row) -> String {
        self.part(row)
    }

    fn memory(&mut self, m: &mut Memory) {
        self.assembly.memory(m);
        self.chart.memory(m);
        self.follow_chart();
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(self.copy())
    }
}

/// Rotation vectors of joints; bases and turns of the assembly follow.
impl Chart for JointCoordinates {
    forward_coordinates!(chart);

    fn rebase(&mut self, t: f64, q: &[f64]) -> bool {
        self.place_absolutely(q);
        if let Some(chart) = self.assembly.chart_mut() {
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
