//! Where joints and forces are evaluated.

use super::JointPlaces;
use crate::assemble::ForcePlan;
use crate::expr::Now;
use crate::force::ForcePoint;
use crate::geometry::Frame;
use crate::joint::JointPoint;

/// The bodies, placed, and the remembered angles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frames<'a> {
    pub frames: &'a [Frame],
    pub turns: &'a [f64],
}

impl JointPlaces {
    /// Its point with its own multipliers.
    #[inline(always)]
    pub(super) fn point<'a>(&'a self, t: f64, on: Frames<'a>, lambda: &'a [f64]) -> JointPoint<'a> {
        JointPoint {
            t,
            a: &on.frames[self.a],
            b: &on.frames[self.b],
            lambda,
            turns: &on.turns[self.turns.clone()],
            lanes: &self.lanes,
        }
    }
}

impl ForcePlan {
    /// Its point with values of its inputs, all states, of which some may be its own, and its frozen sides.
    #[inline(always)]
    pub(super) fn point<'a>(
        &'a self,
        now: Now,
        on: Frames<'a>,
        inputs: &'a [f64],
        x: &'a [f64],
        sides: &'a [bool],
    ) -> ForcePoint<'a> {
        ForcePoint {
            now,
            a: &on.frames[self.a],
            b: &on.frames[self.b],
            inputs,
            turns: &on.turns[self.turns.clone()],
            states: x.get(self.states.clone()).unwrap_or(&[]),
            sides,
            lanes: &self.lanes,
        }
    }
}
