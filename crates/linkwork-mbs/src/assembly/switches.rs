//! Switching functions of forces and of formulas of signals: sides that are frozen within a step, and change
//! where one crosses zero. Those of events follow; they have no sides.
//!
//! A function counts as positive while its side lasts, so it is told with the sign of the side; those that slide are
//! positive while their share is one (`sides.rs`).

use super::Assembly;
use crate::assemble::{Act, ForcePlan, SignalSource};
use crate::force::{ForceWant, MAX_SWITCHES};
use crate::joint::COLUMNS;
use linkwork_dae::cosim::Polynomial;
use linkwork_dae::saddle::{Saddle, SaddleError};
use linkwork_dae::state::State;
use linkwork_dae::switching::{Crossing, Switch, Switching};
use linkwork_dae::system::After;
use linkwork_dae::vector::dot;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

impl Assembly {
    /// Calls with the value of every switching function; frames are placed, signals read.
    fn for_each_switch(&self, t: f64, x: &[f64], mut call: impl FnMut(usize, f64)) {
        let (now, on) = (self.clock.now(t), self.turned.frames());
        for f in self.plan.forces.iter().filter(|f| !f.switches.is_empty()) {
            let inputs = self.signals.inputs_of(f);
            let at = f.point(now, on, &inputs[..f.inputs.len()], x, &[]);
            let mut values = [0.0; MAX_SWITCHES];
            let values = &mut values[..f.switches.len()];
            f.force.switch_values(&at, values);
            for (k, value) in f.switches.clone().zip(values) {
                call(k, *value);
            }
        }
        (self.signals).for_each_corner(&self.plan, now, &self.sides, call);
    }

    /// Sides at the start of a run: those on which the functions are.
    pub(super) fn take_sides(&mut self, t: f64, x: &[f64]) {
        let mut positive = self.sides.positive.clone();
        self.for_each_switch(t, x, |k, value| positive[k] = !(value < 0.0));
        self.sides.positive = positive;
        self.sides.free.fill(false);
    }

    /// Where those that leave their layers do so.
    fn take_values(&mut self, s: &State) {
        let mut values = std::mem::take(&mut self.sides.values);
        self.with_frames(s, |this, seen| {
            this.read_signals(seen);
            this.for_each_switch(seen.t, &seen.x, |k, value| values[k] = value);
        });
        self.sides.values = values;
    }

    /// How many formulas slide.
    pub(crate) fn slide_count(&self) -> usize {
        self.sides.sliding().len()
    }

    /// Lets those that slide take these shares; none: each by its layer.
    pub(crate) fn take_shares(&mut self, shares: &[f64]) {
        self.sides.share(shares);
    }

    /// Lets a run begin anew with the shares last found.
    pub(crate) fn centre_shares(&mut self) {
        self.sides.centre();
    }

    /// Values and rates of the functions of those that slide, along a motion whose rates of states are given.
    pub(crate) fn find_drift(&mut self, s: &State, out: &mut [[f64; 2]]) {
        self.with_frames(s, |this, seen| {
            this.read_signals_with(seen, true);
            let now = this.clock.now(seen.t);
            let sides = &this.sides;
            (this.signals).for_each_rate(&this.plan, (now, seen), sides, |k, found| {
                if let Some(i) = sides.sliding().iter().position(|own| *own == k) {
                    out[i] = found;
                }
            });
        });
    }

    /// Where forces are along the curves of one kind, and how fast; frames are placed.
    fn along_curves(&self, t: f64, curve: usize) -> impl Iterator<Item = (&ForcePlan, [f64; 2])> {
        let forces = self.plan.forces.iter().filter(move |f| f.knows(curve));
        forces.map(move |f| {
            let at = f.point(t.into(), self.turned.frames(), &[], &[], &[]);
            (f, f.force.along_profile(&at))
        })
    }

    /// The longest step that sees every stretch between two changes of a curve at the present speed, and every bump of
    /// a formula; frames are placed.
    fn look_along_curves(&self, t: f64, looks: f64) -> f64 {
        let mut longest = f64::INFINITY;
        for j in self.plan.joints.iter().filter(|j| j.features.len() > 1) {
            let [a, b] = [j.places.a, j.places.b].map(|i| &self.turned.frames[i]);
            let place = j.joint.along_curve(a, b);
            longest = longest.min(look_along(&j.features, place, looks));
        }
        let mut look = |f: &ForcePlan, kind: usize, at: [f64; 2]| {
            longest = longest.min(look_along(&f.features[kind], at, looks));
            if let Some((_, curve)) = f.force.profiles()[kind].filter(|_| f.hides[kind]) {
                longest = longest.min(curve.told_for(at));
            }
        };
        for (f, at) in self.along_curves(t, 0) {
            look(f, 0, at);
        }
        for ((f, [_, rate]), pull) in self.along_curves(t, 1).zip(&self.pulls) {
            look(f, 1, [rate, *pull]);
        }
        longest
    }

    /// The longest step that sees signals of bodies which turn as waves, where any of them decides on something; and that loses no turn
    /// of two against each other, where these are counted.
    fn look_at_turns(&self) -> f64 {
        let counts = self.plan.counts_flat_turns();
        let mut nodes = self.plan.wiring.nodes.iter();
        let branches = nodes.any(|node| match &node.source {
            SignalSource::Formula { switches, .. } => !switches.is_empty(),
            _ => false,
        });
        if self.plan.events.is_empty() && !branches && !counts {
            return f64::INFINITY;
        }
        let fastest = (self.turned.frames.iter())
            .map(|frame| dot(frame.omega, frame.omega))
            .fold(0.0, f64::max);
        let most = if counts { FRAC_PI_4 } else { FRAC_PI_2 };
        most / fastest.sqrt()
    }

    /// What accelerations make of the rates of lengths: rates are linear in velocities, so these are the rates of bodies
    /// that move as they are accelerated. What else changes a rate is a matter of the path.
    fn find_pulls(&mut self, s: &State) {
        let mut pulls = std::mem::take(&mut self.pulls);
        if !pulls.is_empty() {
            self.place(&s.q, &s.a);
            for (pull, (_, [_, rate])) in pulls.iter_mut().zip(self.along_curves(s.t, 1)) {
                *pull = rate;
            }
        }
        self.pulls = pulls;
    }

    /// The generalised forces of all forces at a state; those without a value are left at zero.
    pub(crate) fn forces_at(&mut self, s: &State) -> Vec<[f64; COLUMNS]> {
        self.with_frames(s, |this, seen| {
            this.read_signals_as_found(seen);
            let (on, terms) = (this.turned.frames(), &mut this.force);
            let now = this.clock.now(seen.t);
            let of_force = |f: &ForcePlan| {
                let inputs = this.signals.inputs_of(f);
                let (inputs, sides) = (&inputs[..f.inputs.len()], this.sides.of(&f.switches));
                let at = f.point(now, on, inputs, &seen.x, sides);
                let valued = f.force.eval(&at, ForceWant::Q, terms);
                valued.map_or([0.0; COLUMNS], |()| terms.q)
            };
            this.plan.forces.iter().map(of_force).collect()
        })
    }

    /// Whose force changed most between two times.
    pub(crate) fn changed_most(&self, forces: [Vec<[f64; COLUMNS]>; 2]) -> Option<String> {
        let [before, after] = forces;
        let changes = before.iter().zip(&after).map(|(a, b)| {
            let each = a.iter().zip(b).map(|(a, b)| (b - a).abs());
            each.fold(0.0, f64::max)
        });
        let named = self.plan.forces.iter().map(|f| &f.name).zip(changes);
        let most = named.max_by(|a, b| a.1.total_cmp(&b.1));
        most.filter(|(_, change)| *change > 0.0)
            .map(|(name, _)| format!("force `{name}`"))
    }

    /// Whether anything is known about where the equations are not smooth.
    pub(crate) fn knows_surroundings(&self) -> bool {
        self.plan.knows_surroundings()
    }

    /// The switching functions in words.
    pub(crate) fn switch_list(&self) -> &[Switch] {
        &self.plan.switches
    }

    /// Whether what is behind a function rose where it has crossed: it is on that side now.
    pub(crate) fn rises(&self, crossing: &Crossing) -> bool {
        let side = self.sides.positive.get(crossing.switch);
        side.copied().unwrap_or(crossing.rising)
    }

    /// Functions have crossed zero at a time: changes sides, and does what events ask for.
    pub(crate) fn flip(&mut self, s: &State, crossed: &[Crossing]) -> After {
        let mut after = After::Continue;
        if crossed.iter().any(|c| self.sides.slides(c.switch)) {
            self.take_values(s);
        }
        for crossing in crossed {
            let event = crossing.switch.checked_sub(self.sides.positive.len());
            let act = event.and_then(|k| self.plan.events.get(k)).map(|e| e.act);
            match act {
                Some(Act::Stop) => return After::Stop,
                Some(Act::Row) => continue,
                Some(Act::Set { input, value }) => {
                    self.signals.drive(input, &Polynomial::constant(value));
                }
                Some(Act::Hold { joint, holds }) => {
                    self.sides.holds[joint] = holds;
                    // with all its parts
                    let further = self.plan.joints[joint + 1..].iter();
                    let further = further.take_while(|j| j.places.is_further()).count();
                    self.sides.holds[joint + 1..=joint + further].fill(holds);
                }
                Some(Act::Reverse { joint, restitution }) => {
                    self.sides.reversed.push((joint, restitution));
                }
                None => self.sides.flip(crossing),
            }
            after = After::Restart;
        }
        after
    }
}

/// The longest step along a curve, from a place and a speed on it.
fn look_along(features: &[f64], [x, v]: [f64; 2], looks: f64) -> f64 {
    let mut longest = f64::INFINITY;
    if v == 0.0 {
        return longest;
    }
    let ahead = features.partition_point(|place| *place <= x);
    // the stretch that it is on, and the next one
    let next = if v > 0.0 {
        ahead
    } else {
        ahead.wrapping_sub(2)
    };
    for first in [ahead.wrapping_sub(1), next] {
        let Some([low, high]) = features.get(first..first.wrapping_add(2)) else {
            continue;
        };
        let takes = ((high - low) / v).abs();
        let begins = ((low - x) / v).min((high - x) / v);
        longest = longest.min((looks * takes).max(begins));
    }
    longest
}

impl Switching for Assembly {
    fn switches(&self) -> &[Switch] {
        self.switch_list()
    }

    fn reads_reactions(&self) -> bool {
        let plan = &self.plan;
        plan.reads_multipliers || plan.watches_multipliers || self.slide_count() > 0
    }

    fn values(&mut self, s: &State, out: &mut [f64]) {
        self.with_frames(s, |this, seen| {
            this.read_signals(seen);
            let first = this.sides.positive.len();
            for (event, out) in this.plan.events.iter().zip(&mut out[first..]) {
                *out = this.signals.value(event.node);
            }
            this.for_each_switch(seen.t, &seen.x, |k, value| {
                out[k] = match this.sides.free[k] {
                    true => f64::INFINITY,
                    false if this.sides.slides(k) => 1.0 - this.sides.place(k, value).powi(2),
                    false if this.sides.positive[k] => value,
                    false => -value,
                };
            });
        });
    }

    fn sliding(&self) -> usize {
        self.slide_count()
    }

    fn share(&mut self, shares: &[f64]) {
        self.take_shares(shares);
    }

    fn centre(&mut self) {
        self.centre_shares();
    }

    fn drift(&mut self, s: &State, out: &mut [[f64; 2]]) {
        self.find_drift(s, out);
    }

    fn rose(&self, crossing: &Crossing) -> bool {
        self.rises(crossing)
    }

    fn is_rough(&self, crossing: &Crossing) -> bool {
        let owner = (self.plan.forces.iter()).find(|f| f.switches.contains(&crossing.switch));
        owner.is_some_and(|f| f.force.is_rough(self.sides.of(&f.switches)))
    }

    fn longest_step(&mut self, s: &State, looks: f64) -> f64 {
        // behind maps accelerations are not those of the frames
        if self.mapped.is_none() {
            self.find_pulls(s);
            self.accelerate_meetings(s);
        }
        self.with_frames(s, |this, seen| {
            let mut longest = this.look_along_curves(seen.t, looks);
            longest = longest.min(this.look_at_turns());
            longest = longest.min(this.look_at_meetings(looks));
            let w = &this.plan.wiring;
            if !(w.narrow.is_empty() && w.narrow_in_time.is_empty()) {
                if !w.narrow.is_empty() {
                    this.read_signals_with(seen, true);
                }
                longest = longest.min(this.signals.told_for(&this.plan, seen));
            }
            longest
        })
    }

    fn on_switch(
        &mut self,
        crossed: &[Crossing],
        s: &mut State,
        _: &mut Saddle,
    ) -> Result<After, SaddleError> {
        Ok(self.flip(s, crossed))
    }

    fn jumped(&mut self, before: &State, after: &State) -> Option<String> {
        let forces = [before, after].map(|s| self.forces_at(s));
        self.changed_most(forces)
    }
}
