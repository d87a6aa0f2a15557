//! No-slip wheel: a wheel whose height is held by other joints does not slip on a plane.

use super::by_scalar::derived;
use super::disc::{Disc, SLIP};
use super::mounted::{sits_on, told};
use super::rows;
use super::{Joint, MAX_ROWS, Rolling};
use crate::geometry::Frame;
use crate::part::{Keys, Kind, Part};
use linkwork_dae::scalar::Scalar;

/// A wheel of a cart that is held level by something else: the two equations of velocities of a
/// [`super::RollingDisc`] without its contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NoSlipWheel {
    /// The wheel and the plane.
    pub disc: Disc,
}

impl Kind for NoSlipWheel {
    const NAME: &'static str = "no_slip_wheel";
    const SUMMARY: &'static str = "The lowest point of a wheel of body_b does not slip, neither along nor across, on a \
              plane of body_a; other joints hold the wheel at its height.";
    const IN_PLANE: bool = false;
}

impl Part for NoSlipWheel {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.disc.keys(k);
    }
}

impl Rolling for NoSlipWheel {
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        rows(self.disc.slip(a, b))
    }
}

impl Joint for NoSlipWheel {
    told!(&[], SLIP);
    sits_on!(disc);
    derived!(evaluate_rolling);
    fn extent(&self) -> f64 {
        self.disc.radius
    }
}
