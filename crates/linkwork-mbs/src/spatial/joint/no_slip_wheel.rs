//! No-slip wheel: a wheel whose height is held by other joints does not slip on a plane.

use super::disc::{AXIS, AXIS_B, Disc, NORMAL, NORMAL_A, RADIUS};
use super::{
    AT_A, AT_B, Joint, JointEntry, JointPattern, JointPoint, JointTerms, MAX_ROWS, POINT_A,
    POINT_B, Reacts, Rolling, by_scalar,
};
use crate::field::Value;
use crate::joint::Want;
use crate::spatial::geometry::{Frame, Site, Vector};
use linkwork_dae::scalar::Scalar;

/// A wheel of a cart that is held level by something else: the two equations of velocities of a
/// [`super::RollingDisc`] without its contact.
#[derive(Clone, Debug, PartialEq)]
pub struct NoSlipWheel {
    /// The wheel and the plane.
    pub disc: Disc,
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "no_slip_wheel",
    summary: "The lowest point of a wheel of body_b does not slip, neither along nor across, on a \
              plane of body_a; other joints hold the wheel at its height.",
    keys: &[
        RADIUS, POINT_A, POINT_B, AT_A, AT_B, NORMAL, NORMAL_A, AXIS, AXIS_B,
    ],
    read: |f| {
        let disc = Disc::read(f)?;
        Ok(NoSlipWheel { disc }.into())
    },
    example: |draw| {
        let disc = Disc::example(draw);
        NoSlipWheel { disc }.into()
    },
};

impl Rolling for NoSlipWheel {
    fn rolling<S: Scalar>(&self, _: S, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        let mut out = [S::from(0.0); MAX_ROWS];
        [out[0], out[1]] = self.disc.slip(a, b);
        out
    }
}

impl Joint for NoSlipWheel {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        &[]
    }
    fn velocity_row_names(&self) -> &'static [&'static str] {
        &["slip along the heading", "slip across the heading"]
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [true, true]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [Some(self.disc.a.point), Some(self.disc.b.point)]
    }
    fn reacts(&self) -> Reacts {
        super::lower_pair::BOTH
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.disc.place(a, b);
    }
    fn check(&self) -> Result<(), String> {
        self.disc.check()
    }
    fn extent(&self) -> f64 {
        self.disc.radius
    }
    fn pattern(&self) -> JointPattern {
        by_scalar::probe(|at, out| by_scalar::evaluate_rolling(self, at, Want::ALL, out))
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        by_scalar::evaluate_rolling(self, at, want, out);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        self.disc.fields()
    }
}
