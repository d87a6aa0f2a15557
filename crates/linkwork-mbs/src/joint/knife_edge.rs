//! Knife edge: a point of a body does not move sideways.
//!
//! The runner of a sleigh, a skate, a wheel seen from above: one equation of velocities. The body
//! can still reach every place and heading.

use super::Want;
use super::disc::read_direction;
use super::{
    AT_B, Joint, JointEntry, JointPattern, JointPoint, JointTerms, MAX_ROWS, POINT_B, Reacts,
    Rolling, by_scalar, write_markers,
};
use crate::field::{Form, Key, Value};
use crate::geometry::{Axis, Frame, Marker, Site, Vector, add, cross, dot, sub};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// An edge under body b that cuts into body a.
#[derive(Clone, Debug, PartialEq)]
pub struct KnifeEdge {
    /// The point of the edge, on body b.
    pub b: Marker,
    /// The direction across the edge, on body b.
    pub axis: Axis,
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "knife_edge",
    summary: "A point of body_b does not move, against body_a, in a direction that is fixed on \
              body_b: the runner of a sleigh.",
    in_plane: true,
    keys: &[
        POINT_B,
        AT_B,
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
    ],
    read: |f| {
        let b = match (f.has("at_b"), f.has("point_b")) {
            (true, true) => {
                return Err(f.error("point_b", "the global place of this point is given as well"));
            }
            (true, false) => Marker::global(f.vector("at_b", Unit::Length)?),
            _ => Marker::body(f.vector_or("point_b", Unit::Length, [0.0; 3])?),
        };
        let axis = read_direction(f, ["axis", "axis_b"], None)?;
        Ok(KnifeEdge { b, axis }.into())
    },
    example: |draw| {
        KnifeEdge {
            b: [draw(), draw(), draw()].into(),
            axis: [1.5 + draw(), draw(), draw()].into(),
        }
        .into()
    },
};

impl Rolling for KnifeEdge {
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        let from_a = sub(b.pose.point(self.b.point), a.pose.position);
        let of_a = add(a.velocity, cross(a.spin(), from_a));
        let v = sub(b.velocity_at(self.b.point), of_a);
        let mut out = [S::from(0.0); MAX_ROWS];
        out[0] = dot(b.pose.direction(self.axis.direction), v);
        out
    }
}

impl Joint for KnifeEdge {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        &[]
    }
    fn velocity_row_names(&self) -> &'static [&'static str] {
        &["slip across the edge"]
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [false, true]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        [None, Some(self.b.point)]
    }
    fn reacts(&self) -> Reacts {
        Reacts {
            force: true,
            torque: false,
        }
    }
    fn place(&mut self, _: &Site, b: &Site) {
        self.b.place(b);
        self.axis.place(b);
    }
    fn check(&self) -> Result<(), String> {
        match self.axis.is_valid() {
            true => Ok(()),
            false => Err("a direction needs a length".to_string()),
        }
    }
    fn pattern(&self, _: bool) -> JointPattern {
        by_scalar::probe(false, |at, out| {
            by_scalar::evaluate_rolling(self, at, Want::ALL, out)
        })
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        by_scalar::evaluate_rolling(self, at, want, out);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let mut fields = write_markers(&self.b, &self.b);
        fields.retain(|(key, _)| matches!(*key, "point_b" | "at_b"));
        fields.push(("axis_b", Value::Vector(self.axis.direction)));
        fields
    }
}
