//! Drive: a relative angle or displacement follows a function of time.

use super::Want;
use super::fixture::{AXIS, AXIS_A, AXIS_B, NORMAL_A, NORMAL_B};
use super::{
    AT, AT_A, AT_B, Constraint, Fixture, Joint, JointEntry, JointPattern, JointPoint, JointTerms,
    MAX_ROWS, POINT_A, POINT_B, Reacts, by_scalar,
};
use crate::curve::Curve;
use crate::field::{Form, Key, Value};
use crate::geometry::{Components, Pose, Site, Vector, dot, sub};
use crate::units::Unit;
use linkwork_dae::scalar::{Jet, Scalar};

/// What a drive prescribes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driven {
    /// The angle about the axis of body a, from the normal on body a to that on body b, over whole
    /// turns.
    Angle,
    /// How far the point of body b is ahead of the point of body a along the axis of body a.
    Displacement,
}

/// A prescribed motion between two bodies. Its multiplier is minus the driving torque or force on
/// body b.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// The quantity.
    pub driven: Driven,
    /// Points, axis and normals.
    pub fixture: Fixture,
    /// Its value over time.
    pub value: Curve,
}

impl Drive {
    /// Prescribes the angle about a global direction of the start pose, where it is zero.
    pub fn angle(axis: impl Components, value: impl Into<Curve>) -> Drive {
        Drive {
            driven: Driven::Angle,
            fixture: Fixture::at([0.0; 3], axis),
            value: value.into(),
        }
    }

    /// Prescribes the angle of body b minus that of body a, of bodies that move in the x-y plane.
    pub fn turn(value: impl Into<Curve>) -> Drive {
        Drive {
            driven: Driven::Angle,
            fixture: Fixture::upright([0.0; 3], [0.0; 3]),
            value: value.into(),
        }
    }

    /// Prescribes the displacement along a global direction of the start pose, between the two
    /// body points that are at a global place there.
    pub fn displacement(
        place: impl Components,
        axis: impl Components,
        value: impl Into<Curve>,
    ) -> Drive {
        Drive {
            driven: Driven::Displacement,
            fixture: Fixture::at(place, axis),
            value: value.into(),
        }
    }

    pub(super) fn is<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>, turns: &[f64]) -> S {
        match self.driven {
            Driven::Angle => {
                let turn = turns.first().copied().unwrap_or(0.0);
                self.fixture.angle(a, b, turn)
            }
            Driven::Displacement => {
                let d = sub(b.point(self.fixture.b.point), a.point(self.fixture.a.point));
                dot(a.direction(self.fixture.triad(0)[2]), d)
            }
        }
    }
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "drive",
    summary: "An angle about an axis of body_a or a displacement along it follows a function of \
              time.",
    in_plane: true,
    keys: &[
        Key::optional(
            "quantity",
            Unit::None,
            "angle",
            "What is prescribed: `angle` or `displacement`.",
        )
        .takes(Form::Word),
        Key::required(
            "value",
            Unit::None,
            "The prescribed value, in rad or m: a formula of `t` or a table [[t, value], ...].",
        )
        .takes(Form::Curve),
        AT,
        POINT_A,
        POINT_B,
        AT_A,
        AT_B,
        AXIS,
        AXIS_A,
        AXIS_B,
        NORMAL_A,
        NORMAL_B,
    ],
    read: |f| {
        let quantity = f.choice("quantity", &["angle", "displacement"], Some("angle"))?;
        let (driven, unit, fixture) = match quantity {
            "displacement" => (Driven::Displacement, Unit::Length, Fixture::read(f)?),
            _ => (Driven::Angle, Unit::Angle, Fixture::read_angle(f)?),
        };
        Ok(Drive {
            driven,
            fixture,
            value: f.curve("value", "t", [Unit::Time, unit])?,
        }
        .into())
    },
    example: |draw| {
        let value = Curve::example("t", draw);
        let driven = if draw() > 0.0 {
            Driven::Angle
        } else {
            Driven::Displacement
        };
        let mut fixture = Fixture::example(draw);
        if driven == Driven::Displacement {
            (fixture.normal_a, fixture.normal_b) = (None, None);
        }
        Drive {
            driven,
            fixture,
            value,
        }
        .into()
    },
};

impl Constraint for Drive {
    fn functions(&self, t: Jet) -> [Jet; MAX_ROWS] {
        let mut u = [Jet::from(0.0); MAX_ROWS];
        u[0] = self.value.eval(t);
        u
    }

    fn constraint<S: Scalar>(
        &self,
        u: &[S; MAX_ROWS],
        a: &Pose<S>,
        b: &Pose<S>,
        turns: &[f64],
    ) -> [S; MAX_ROWS] {
        let mut out = [S::from(0.0); MAX_ROWS];
        out[0] = self.is(a, b, turns) - u[0];
        out
    }
}

impl Joint for Drive {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        match self.driven {
            Driven::Angle => &["prescribed angle"],
            Driven::Displacement => &["prescribed displacement"],
        }
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [true, self.driven == Driven::Angle]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        match self.driven {
            Driven::Angle => [None, None],
            Driven::Displacement => [Some(self.fixture.a.point), Some(self.fixture.b.point)],
        }
    }
    fn reacts(&self) -> Reacts {
        let torque = self.driven == Driven::Angle;
        Reacts {
            force: !torque,
            torque,
        }
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
    }
    fn check(&self) -> Result<(), String> {
        self.fixture.check()
    }
    fn pattern(&self, flat: bool) -> JointPattern {
        by_scalar::probe(flat, |at, out| {
            by_scalar::evaluate(self, at, Want::ALL, out)
        })
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        by_scalar::evaluate(self, at, want, out);
    }
    fn turns(&self) -> usize {
        usize::from(self.driven == Driven::Angle && self.fixture.counts())
    }
    fn wind(&self, at: &JointPoint<'_>, turns: &mut [f64]) {
        by_scalar::renew(turns, [self.is(&at.a.pose, &at.b.pose, at.turns)]);
    }
    fn c_t(&self, at: &JointPoint<'_>) -> [f64; MAX_ROWS] {
        by_scalar::rate_by_time(self, at)
    }
    fn prescribed(&self) -> Vec<(usize, &Curve)> {
        vec![(0, &self.value)]
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let quantity = match self.driven {
            Driven::Angle => "angle",
            Driven::Displacement => "displacement",
        };
        let mut fields = vec![
            ("quantity", Value::Text(quantity.into())),
            ("value", self.value.value()),
        ];
        match self.driven {
            // a displacement has no use for normals
            Driven::Displacement => fields.extend(self.fixture.axis_fields()),
            Driven::Angle => {
                let of_mount = self.fixture.fields().into_iter();
                fields.extend(of_mount.filter(|(key, _)| *key != "angle"));
            }
        }
        fields
    }
}
