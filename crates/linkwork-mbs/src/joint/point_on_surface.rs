//! Point on surface: a point of one body stays on a curved surface of the other.

use super::Want;
use super::fixture::{AXIS, AXIS_A, NORMAL_A};
use super::mounted::{Mounted, sits_on};
use super::{
    AT, AT_A, AT_B, Constraint, Fixture, JointEntry, JointPoint, JointTerms, MAX_ROWS, POINT_A,
    POINT_B, Reacts, by_scalar,
};
use crate::curve::Curve;
use crate::field::{Form, Key, Value};
use crate::geometry::{Pose, dot, sub};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// What the profile of a surface means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Height along the axis over the length along the normal; the same for all places sideways.
    Ridge,
    /// Distance from the axis over the length along it.
    Revolution,
}

/// A foot (a point of body b) on a curved surface (of body a).
#[derive(Clone, Debug, PartialEq)]
pub struct PointOnSurface {
    /// What the profile means.
    pub surface: Surface,
    /// Points, axis and the normal of body a.
    pub fixture: Fixture,
    /// The profile over the length `s`, m.
    pub profile: Curve,
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "point_on_surface",
    summary: "A point of body_b stays on a curved surface of body_a: a road or ridge of given \
              height, or a surface of revolution.",
    in_plane: false,
    keys: &[
        Key::required(
            "profile",
            Unit::Length,
            "A formula of `s` or a table [[s, length], ...]: height along the axis over the length \
             s along the normal (`ridge`), or distance from the axis over the length s along it \
             (`revolution`).",
        )
        .takes(Form::Curve),
        Key::optional(
            "surface",
            Unit::None,
            "ridge",
            "What the profile means: `ridge` or `revolution`.",
        )
        .takes(Form::Word),
        AT,
        POINT_A,
        POINT_B,
        AT_A,
        AT_B,
        AXIS,
        AXIS_A,
        NORMAL_A,
    ],
    read: |f| {
        let surface = match f.choice("surface", &["ridge", "revolution"], Some("ridge"))? {
            "revolution" => Surface::Revolution,
            _ => Surface::Ridge,
        };
        Ok(PointOnSurface {
            surface,
            fixture: Fixture::read(f)?,
            profile: f.curve("profile", "s", [Unit::Length, Unit::Length])?,
        }
        .into())
    },
    example: |draw| {
        let surface = match draw() > 0.0 {
            true => Surface::Ridge,
            false => Surface::Revolution,
        };
        let mut fixture = Fixture::example(draw);
        (fixture.axis_b, fixture.normal_b) = (None, None);
        PointOnSurface {
            surface,
            fixture,
            profile: Curve::example("s", draw),
        }
        .into()
    },
};

impl Constraint for PointOnSurface {
    fn constraint<S: Scalar>(
        &self,
        _: &[S; MAX_ROWS],
        a: &Pose<S>,
        b: &Pose<S>,
        _: &[f64],
    ) -> [S; MAX_ROWS] {
        let d = sub(b.point(self.fixture.b.point), a.point(self.fixture.a.point));
        let [x, y, z] = self.fixture.triad(0).map(|u| dot(a.direction(u), d));
        let mut out = [S::from(0.0); MAX_ROWS];
        out[0] = match self.surface {
            Surface::Ridge => z - self.profile.eval(x),
            Surface::Revolution => (x * x + y * y).sqrt() - self.profile.eval(z),
        };
        out
    }
}

impl Mounted for PointOnSurface {
    sits_on!(fixture: Fixture, evaluate);

    const KIND: &'static str = ENTRY.kind;
    const ROWS: &'static [&'static str] = &["distance from the surface"];

    fn winding(&self) -> Option<Self> {
        Some(PointOnSurface {
            profile: self.profile.winding(),
            ..self.clone()
        })
    }
    fn oriented(&self) -> [bool; 2] {
        [true, false]
    }
    fn exerts(&self) -> Reacts {
        Reacts {
            force: true,
            torque: false,
        }
    }
    fn parameters(&self) -> Vec<(&'static str, Value)> {
        let surface = match self.surface {
            Surface::Ridge => "ridge",
            Surface::Revolution => "revolution",
        };
        vec![
            ("profile", self.profile.value()),
            ("surface", Value::Text(surface.into())),
        ]
    }
    fn has_key(&self, key: &str) -> bool {
        !matches!(key, "axis_b" | "normal_b")
    }
}
