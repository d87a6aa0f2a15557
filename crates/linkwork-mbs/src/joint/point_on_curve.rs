//! Point on curve: a point of one body runs along a space curve of the other, as on a wire.
//!
//! The curve is given by its offsets across a straight axis as functions of the length along it, so
//! the point itself says where on the curve it is and no parameter needs solving for.

use super::Want;
use super::fixture::Way;
use super::mounted::{Mounted, sits_on};
use super::{Constraint, Fixture, JointEntry, JointPoint, JointTerms, MAX_ROWS, Reacts, by_scalar};
use crate::curve::Curve;
use crate::geometry::{Pose, dot, sub};
use crate::part::{Keys, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// A bead (a point of body b) on a bent wire (of body a).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointOnCurve {
    /// Points, the axis along which the curve runs, and the normal of body a.
    pub fixture: Fixture,
    /// Offset along the normal, m, as a function of the length `s` along the axis, m.
    pub offset: Curve,
    /// Offset along axis x normal, m, as a function of `s`.
    pub side: Curve,
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "point_on_curve",
    summary: "A bead on a wire: a point of body_b stays on a curve of body_a, given by its offsets \
              from a straight axis through point_a as functions of the length s along it.",
    in_plane: true,
    blank: || PointOnCurve::default().into(),
};

impl Part for PointOnCurve {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let doc = "Offset along the normal: a formula of `s` or a table [[s, offset], ...].";
        k.key("offset", Unit::Length, doc)
            .curve("s", Unit::Length, &mut self.offset);
        let doc = "Offset along axis x normal: a formula of `s` or a table [[s, offset], ...].";
        k.key("side", Unit::Length, doc)
            .or(0.0)
            .curve("s", Unit::Length, &mut self.side);
        self.fixture.points(k);
        self.fixture.axis(k, Way::Along);
        self.fixture.normal_a(k);
    }
}

impl Constraint for PointOnCurve {
    fn constraint<S: Scalar>(
        &self,
        _: &[S; MAX_ROWS],
        a: &Pose<S>,
        b: &Pose<S>,
        _: &[f64],
    ) -> [S; MAX_ROWS] {
        let d = sub(b.point(self.fixture.b.point), a.point(self.fixture.a.point));
        let [x, y, s] = self.fixture.triad(0).map(|u| dot(a.direction(u), d));
        let mut out = [S::from(0.0); MAX_ROWS];
        out[0] = x - self.offset.eval(s);
        out[1] = y - self.side.eval(s);
        out
    }
}

impl Mounted for PointOnCurve {
    sits_on!(fixture: Fixture, evaluate);

    const KIND: &'static str = ENTRY.kind;
    const ROWS: &'static [&'static str] = &["offset along the normal", "offset to the side"];

    fn winding(&self) -> Option<Self> {
        Some(PointOnCurve {
            offset: self.offset.winding(),
            side: self.side.winding(),
            ..self.clone()
        })
    }
    fn oriented(&self) -> [bool; 2] {
        [true, false]
    }
    fn exerts(&self) -> Reacts {
        Reacts::FORCE
    }
}
