//! Rolling disc: a thin disc rolls on a plane without slipping.
//!
//! One equation of positions keeps the disc on the plane; two equations of velocities, which no
//! equations of positions can replace, forbid slip along the heading and across it.

use super::by_scalar::derived;
use super::disc::{Disc, SLIP};
use super::mounted::{sits_on, told};
use super::{Constraint, Joint, MAX_ROWS, Poses, Rolling, rows};
use crate::geometry::Frame;
use crate::part::{Keys, Kind, Part};
use linkwork_dae::scalar::Scalar;

/// A coin or hoop that rolls on a plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RollingDisc {
    /// The disc and the plane.
    pub disc: Disc,
}

impl Kind for RollingDisc {
    const NAME: &'static str = "rolling_disc";
    const SUMMARY: &'static str =
        "A thin disc of body_b touches a plane of body_a and rolls on it without slip.";
}

impl Part for RollingDisc {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.disc.keys(k);
    }
}

impl Constraint for RollingDisc {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        rows([self.disc.height(a, b)])
    }
}

impl Rolling for RollingDisc {
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        let [along, across] = self.disc.slip(a, b);
        rows([S::from(0.0), along, across])
    }
}

impl Joint for RollingDisc {
    told!(&["contact with the plane"], SLIP);
    sits_on!(disc);
    derived!(evaluate_both);
    fn extent(&self) -> f64 {
        self.disc.radius
    }
}
