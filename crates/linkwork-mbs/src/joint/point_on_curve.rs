//! Point on curve: a point of one body runs along a space curve of the other, as on a wire.
//!
//! The curve is given by its offsets across a straight axis as functions of the length along it, so
//! the point itself says where on the curve it is and no parameter needs solving for.

use super::Want;
use super::by_scalar::derived;
use super::fixture::Way;
use super::mounted::{sits_on, told};
use super::{Constraint, Fixture, Joint, JointPattern, MAX_ROWS, Poses, Reacts, by_scalar, rows};
use crate::curve::Curve;
use crate::force::measure::{displacements, observe};
use crate::geometry::Frame;
use crate::part::{Keys, Kind, Part};
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

impl Kind for PointOnCurve {
    const NAME: &'static str = "point_on_curve";
    const SUMMARY: &'static str = "A bead on a wire: a point of body_b stays on a curve of body_a, given by its offsets \
              from a straight axis through point_a as functions of the length s along it.";
}

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
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        let [x, y, s] = displacements(&self.fixture, a, b);
        rows([x - self.offset.eval(s), y - self.side.eval(s)])
    }
}

impl Joint for PointOnCurve {
    told!(&["offset along the normal", "offset to the side"]);
    sits_on!(fixture);
    derived!(eval evaluate);
    fn pattern(&self, flat: bool) -> JointPattern {
        // curves in general position find all entries that can be nonzero
        let winding = PointOnCurve {
            offset: self.offset.winding(),
            side: self.side.winding(),
            ..self.clone()
        };
        by_scalar::probe(flat, |at, out| winding.eval(at, Want::ALL, out))
    }
    fn features(&self) -> Vec<f64> {
        let mut all = self.offset.features();
        all.extend(self.side.features());
        all.sort_by(f64::total_cmp);
        all
    }
    fn along_curve(&self, a: &Frame, b: &Frame) -> [f64; 2] {
        let [_, _, (s, rate)] = observe(a, b, |a, b| displacements(&self.fixture, a, b));
        [s, rate]
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [true, false]
    }
    fn reacts(&self) -> Reacts {
        Reacts::FORCE
    }
}
