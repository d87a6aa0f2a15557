//! Sides of switching functions, frozen within a step; which joints hold.
//!
//! Formulas may be anything: one that lets its zero attract the motion from both sides (a relay, `sign` of a velocity)
//! would change sides without end. The motion slides along the zero then, and the formula takes a share of each side: the one that
//! keeps its function at zero (Filippov 1988), which whoever solves for accelerations finds and gives here, until it is none or
//! all. Equations that are evaluated for themselves, as implicit methods do, have a share that follows the function over a layer,
//! so narrow that tolerances do not tell, about the share where the run began anew. Where the share does not change the rate of the function (a relay of a position),
//! there is only the layer, wide enough that steps tell where in it the motion is. A force whose law is such a curve is
//! let go, reads its sides where they are, and its jumps are left to the search of the integrator for jumps that nobody has named.

use crate::assemble::Plan;
use crate::expr::{Blend, Frozen};
use linkwork_dae::memory::Memory;
use linkwork_dae::switching::Crossing;
use std::ops::Range;

/// Half the width of a layer in which the motion is told from its function, in tolerances: steps have errors of that size.
const TOLD: f64 = 10.0;
/// Where it is told from its share: errors that the layer makes are beside those of the steps.
const NARROW: f64 = 0.01;

/// The sides of the switching functions of forces and formulas, and which joints hold.
#[derive(Clone, Debug)]
pub(super) struct Sides {
    pub positive: Vec<bool>,
    /// Those that slide: what a tolerance makes of their function; else 0.
    tolerances: Vec<f64>,
    /// Their shares, as last found; NaN: there is only the layer.
    shares: Vec<f64>,
    /// Those of the state that the run last began at: where their layers are zero.
    centres: Vec<f64>,
    /// What formulas take of both sides at present.
    blends: Vec<Blend>,
    /// Those that slide, in order.
    sliding: Vec<usize>,
    /// Values, where sides are taken from them.
    pub values: Vec<f64>,
    /// Those that are taken where they are: until a run begins, and once let go.
    pub free: Vec<bool>,
    /// Those that may be let go: of formulas, and of forces whose laws are curves.
    lets_go: Vec<bool>,
    /// Those that may slide: of formulas.
    may_slide: Vec<bool>,
    pub holds: Vec<bool>,
    /// Latches whose motion is to be reversed, with the restitution.
    pub reversed: Vec<(usize, f64)>,
}

impl Sides {
    pub fn new(plan: &Plan) -> Sides {
        let count = plan.switches.len() - plan.events.len();
        let mut lets_go = vec![true; count];
        for f in plan.forces.iter().filter(|f| !f.force.lets_go()) {
            lets_go[f.switches.clone()].fill(false);
        }
        let mut may_slide = vec![true; count];
        for f in &plan.forces {
            may_slide[f.switches.clone()].fill(false);
        }
        Sides {
            positive: vec![true; count],
            tolerances: vec![0.0; count],
            shares: vec![f64::NAN; count],
            centres: vec![0.5; count],
            blends: vec![Blend::Branch; count],
            sliding: Vec::with_capacity(count),
            values: vec![0.0; count],
            free: vec![true; count],
            lets_go,
            may_slide,
            holds: plan.holds.clone(),
            reversed: Vec::new(),
        }
    }

    /// Whether there is nothing to switch.
    pub fn is_empty(&self) -> bool {
        self.positive.is_empty()
    }

    /// Those of one force or formula; none where one of them is free.
    #[inline]
    pub fn of(&self, range: &Range<usize>) -> &[bool] {
        if self.free[range.clone()].contains(&true) {
            return &[];
        }
        &self.positive[range.clone()]
    }

    /// Those of a formula.
    #[inline]
    pub fn frozen(&self, range: &Range<usize>) -> Frozen<'_> {
        Frozen {
            positive: self.of(range),
            blends: &self.blends[range.clone()],
        }
    }

    /// Whether a joint holds.
    pub fn holds(&self, joint: usize) -> bool {
        self.holds.get(joint).copied().unwrap_or(true)
    }

    /// A joint that an event has reversed, with the restitution; told once.
    pub fn take_reversed(&mut self) -> Option<(usize, f64)> {
        self.reversed.pop()
    }

    pub fn reset(&mut self, plan: &Plan) {
        self.reversed.clear();
        self.positive.fill(true);
        self.tolerances.fill(0.0);
        self.shares.fill(f64::NAN);
        self.free.fill(true);
        self.holds.clone_from(&plan.holds);
        self.note_sliding();
    }

    pub fn memory(&mut self, m: &mut Memory) {
        let sides = self.positive.iter_mut().chain(&mut self.free);
        for flag in sides.chain(&mut self.holds) {
            m.bool(flag);
        }
        m.slice(&mut self.tolerances);
        m.slice(&mut self.shares);
        m.slice(&mut self.centres);
        self.note_sliding();
    }

    /// Those that slide, in order.
    pub fn sliding(&self) -> &[usize] {
        &self.sliding
    }

    /// Whether one slides.
    pub fn slides(&self, switch: usize) -> bool {
        self.tolerances.get(switch).is_some_and(|told| *told > 0.0)
    }

    /// Where one that slides is between its sides, -1 and 1, at a value of its function.
    pub fn place(&self, switch: usize, value: f64) -> f64 {
        let share = self.shares[switch];
        if share.is_nan() {
            value / (TOLD * self.tolerances[switch])
        } else {
            2.0 * share - 1.0
        }
    }

    /// Shares of those that slide, NaN where there is only the layer; none: each by its layer.
    pub fn share(&mut self, shares: &[f64]) {
        if !shares.is_empty() {
            for (k, share) in self.sliding.iter().zip(shares) {
                self.shares[*k] = *share;
            }
        }
        self.blend(!shares.is_empty());
    }

    /// Lets those that slide take the shares last found, or follow their layers.
    pub fn blend(&mut self, as_found: bool) {
        for &k in &self.sliding {
            let (share, tolerance) = (self.shares[k], self.tolerances[k]);
            let layer = |centre, width: f64| Blend::Layer {
                centre,
                width: width * tolerance,
            };
            self.blends[k] = match share.is_nan() {
                true => layer(0.5, TOLD),
                false if as_found => Blend::Share(share),
                false => layer(self.centres[k], NARROW),
            };
        }
    }

    /// Lets a run begin anew where the shares were found: there layers have them where functions are zero, so that nothing has to
    /// settle first.
    pub fn centre(&mut self) {
        for &k in &self.sliding {
            let share = self.shares[k];
            self.centres[k] = if share.is_nan() { 0.5 } else { share };
        }
        self.blend(false);
    }

    fn note_sliding(&mut self) {
        self.sliding.clear();
        for (k, tolerance) in self.tolerances.iter().enumerate() {
            if *tolerance > 0.0 {
                self.sliding.push(k);
            }
        }
        self.blends.fill(Blend::Branch);
        self.blend(false);
    }

    /// Changes the side of one that crossed.
    pub fn flip(&mut self, crossing: &Crossing) {
        let k = crossing.switch;
        if self.slides(k) {
            self.positive[k] = self.place(k, self.values[k]) > 0.0;
            self.tolerances[k] = 0.0;
            self.note_sliding();
            return;
        }
        let Some(side) = self.positive.get_mut(k) else {
            return;
        };
        *side = !*side;
        match crossing.attracts.filter(|_| self.lets_go[k]) {
            Some(told) if self.may_slide[k] && told > 0.0 => {
                (self.tolerances[k], self.shares[k]) = (told, f64::NAN);
                self.centres[k] = 0.5;
                self.note_sliding();
            }
            Some(_) => self.free[k] = true,
            None => {}
        }
    }
}
