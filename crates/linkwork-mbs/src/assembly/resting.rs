//! Joints that evaluations leave out for a while: contacts that are open.

use crate::assemble::Plan;

/// Which joints are evaluated.
#[derive(Clone, Debug, Default)]
pub(super) struct Resting {
    /// Those that are; all of them, where nobody has asked for rest.
    awake: Option<Vec<u32>>,
    /// How many rows of each rest.
    rows: Vec<usize>,
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
        self.rows.clear();
        self.rows.resize(count, 0);
        for (joint, rests) in plan.law_joints.iter().zip(laws) {
            self.rows[*joint] += usize::from(*rests);
        }
        let awake = self.awake.get_or_insert_default();
        awake.clear();
        awake.reserve(count);
        for (k, joint) in plan.joints.iter().enumerate() {
            let places = &joint.places;
            let all = !places.kept.is_empty() && self.rows[k] == places.kept.len();
            // parts of one joint share their rows
            if !all || places.shared.is_some() {
                awake.push(k as u32);
            }
        }
    }
}
