//! Joints that evaluations leave out for a while: contacts that are open.

use crate::assemble::Plan;

/// Which joints are evaluated.
#[derive(Clone, Debug, Default)]
pub(super) struct Resting {
    /// Those that are; all of them, where nobody has asked for rest.
    awake: Option<Vec<u32>>,
    /// How many rows of each rest, and with how many of them it does; none for those that never do.
    rows: Vec<u32>,
    all: Vec<Option<u32>>,
}

impl Resting {
    /// Nothing rests.
    pub fn reset(&mut self) {
        self.awake = None;
    }

    /// The joints that are evaluated, unless all are.
    #[inline]
    pub fn awake(&self) -> Option<&[u32]> {
        self.awake.as_deref()
    }

    /// Lets joints rest all of whose rows do.
    pub fn rest(&mut self, plan: &Plan, laws: &[bool]) {
        let count = plan.joints.len();
        if self.all.len() != count {
            self.all.clear();
            self.all.extend(plan.joints.iter().map(|joint| {
                let places = &joint.places;
                // parts of one joint share their rows
                let ever = !places.kept.is_empty() && places.shared.is_none();
                ever.then_some(places.kept.len() as u32)
            }));
        }
        self.rows.clear();
        self.rows.resize(count, 0);
        for (joint, rests) in plan.law_joints.iter().zip(laws) {
            self.rows[*joint] += u32::from(*rests);
        }
        let awake = self.awake.get_or_insert_default();
        awake.clear();
        awake.reserve(count);
        for (k, (rows, all)) in self.rows.iter().zip(&self.all).enumerate() {
            if *all != Some(*rows) {
                awake.push(k as u32);
            }
        }
    }
}
