//! Knife edge: a point of a body does not move sideways.
//!
//! The runner of a sleigh, a skate, a wheel seen from above: one equation of velocities. The body
//! can still reach every place and heading.

use super::Want;
use super::by_scalar::derived;
use super::mounted::told;
use super::{Joint, JointPattern, MAX_ROWS, Reacts, Rolling, by_scalar, rows};
use crate::field::{Form, Key};
use crate::geometry::{Axis, Frame, Marker, Site, Vector, add, cross, dot, sub};
use crate::part::{Keys, Kind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// An edge under body b that cuts into body a.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnifeEdge {
    /// The point of the edge, on body b.
    pub b: Marker,
    /// The direction across the edge, on body b.
    pub axis: Axis,
}

const ACROSS: [Key; 2] = [
    Key::optional(
        "axis",
        Unit::None,
        "this or `axis_b`",
        "Direction across the edge in global components in the start pose; moves with body_b.",
    )
    .takes(Form::Direction),
    Key::optional(
        "axis_b",
        Unit::None,
        "this or `axis`",
        "Direction across the edge in the frame of body_b.",
    )
    .takes(Form::Direction),
];

impl Kind for KnifeEdge {
    const NAME: &'static str = "knife_edge";
    const SUMMARY: &'static str = "A point of body_b does not move, against body_a, in a direction that is fixed on \
              body_b: the runner of a sleigh.";
}

impl Part for KnifeEdge {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.point_b(&mut self.b);
        k.direction(ACROSS, true, ([1.5, 0.0, 0.0], 1.0), &mut self.axis);
    }
}

impl Rolling for KnifeEdge {
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        let from_a = sub(b.pose.point(self.b.point), a.pose.position);
        let of_a = add(a.velocity, cross(a.spin(), from_a));
        let v = sub(b.velocity_at(self.b.point), of_a);
        rows([dot(b.pose.direction(self.axis.direction), v)])
    }
}

impl Joint for KnifeEdge {
    told!(&[], &["slip across the edge"]);
    fn needs_orientation(&self) -> [bool; 2] {
        [false, true]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [None, Some(self.b.point)]
    }
    fn reacts(&self) -> Reacts {
        Reacts::FORCE
    }
    fn place(&mut self, _: &Site, b: &Site) {
        self.b.place(b);
        self.axis.place(b);
    }
    fn pattern(&self, _: bool) -> JointPattern {
        by_scalar::probe(false, |at, out| {
            by_scalar::evaluate_rolling(self, at, Want::ALL, out)
        })
    }
    derived!(eval evaluate_rolling);
}
