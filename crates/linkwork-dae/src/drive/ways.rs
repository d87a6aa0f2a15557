//! Several ways to take steps: a run that changes its character may change its method.

use super::{Engine, Starter};
use crate::control::StepController;
use crate::memory::Memory;
use crate::spectrum::Spectrum;
use crate::stepper::Stepper;

/// A time discretisation and what controls it.
pub(crate) type Way = (Box<dyn Stepper>, Box<dyn StepController>);

/// The ways that an engine has beside the one it goes.
#[derive(Default)]
pub(super) struct Ways {
    /// By number; empty in the place of the one it goes.
    others: Vec<Option<Way>>,
    /// The number of the one it goes.
    now: usize,
}

impl Ways {
    /// Whether there is but one.
    pub fn is_only(&self) -> bool {
        self.others.is_empty()
    }
}

impl Engine<'_> {
    /// Adds a way to take steps. The one that the engine was made with has number 0, the first to be
    /// added number 1. The plan holds for all of them.
    pub fn add_way(&mut self, stepper: Box<dyn Stepper>, controller: Box<dyn StepController>) {
        let others = &mut self.ways.others;
        if others.is_empty() {
            others.push(None);
        }
        others.push(Some((stepper, controller)));
    }

    /// The number of the way that it goes.
    pub fn way(&self) -> usize {
        self.ways.now
    }

    /// Before a run: begins with another way.
    pub fn begin_with(&mut self, way: usize) {
        self.exchange(way);
    }

    /// Within a run: goes on from the newest state by another way, with a first step of its own.
    pub fn turn_to(&mut self, way: usize) {
        if !self.plan.consistent {
            self.consistent.copy_from(self.stepper.state());
        }
        if !self.exchange(way) {
            return;
        }
        self.rebound = true;
        self.progress.retries = 0;
        self.progress.next = self.start_stepper(None);
    }

    /// Puts another stepper and controller in place; false where there is no such way.
    fn exchange(&mut self, way: usize) -> bool {
        let Some(wanted) = self.ways.others.get_mut(way).and_then(Option::take) else {
            return false;
        };
        let (stepper, controller) = wanted;
        let before = (
            std::mem::replace(&mut self.stepper, stepper),
            std::mem::replace(&mut self.controller, controller),
        );
        self.ways.others[self.ways.now] = Some(before);
        self.ways.now = way;
        self.starter = Starter::new(self.sys, &*self.stepper);
        self.spectrum = (self.controller.may_want_modes()).then(|| Spectrum::new(self.sys));
        true
    }

    /// Saves which way is gone, or takes it.
    pub(super) fn way_memory(&mut self, m: &mut Memory) {
        if self.ways.others.is_empty() {
            return;
        }
        let mut way = self.ways.now as u64;
        m.u64(&mut way);
        let way = usize::try_from(way).unwrap_or(usize::MAX);
        if way != self.ways.now && self.exchange(way) {
            self.bind_stepper(&self.modes.rows());
            self.controller.start(1.0);
        }
    }
}
