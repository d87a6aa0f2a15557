//! No-slip wheel: a wheel whose height is held by other joints does not slip on a plane.

use super::Want;
use super::disc::{Disc, SLIP};
use super::mounted::{Mounted, sits_on};
use super::{JointEntry, JointPoint, JointTerms, MAX_ROWS, Rolling, by_scalar};
use crate::geometry::Frame;
use crate::part::{Keys, Part};
use linkwork_dae::scalar::Scalar;

/// A wheel of a cart that is held level by something else: the two equations of velocities of a
/// [`super::RollingDisc`] without its contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NoSlipWheel {
    /// The wheel and the plane.
    pub disc: Disc,
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "no_slip_wheel",
    summary: "The lowest point of a wheel of body_b does not slip, neither along nor across, on a \
              plane of body_a; other joints hold the wheel at its height.",
    in_plane: false,
    blank: || NoSlipWheel::default().into(),
};

impl Part for NoSlipWheel {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.disc.keys(k);
    }
}

impl Rolling for NoSlipWheel {
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        let mut out = [S::from(0.0); MAX_ROWS];
        [out[0], out[1]] = self.disc.slip(a, b);
        out
    }
}

impl Mounted for NoSlipWheel {
    sits_on!(disc: Disc, evaluate_rolling);

    const KIND: &'static str = ENTRY.kind;
    const ROWS: &'static [&'static str] = &[];
    const VELOCITY_ROWS: &'static [&'static str] = SLIP;

    fn length(&self) -> f64 {
        self.disc.radius
    }
}
