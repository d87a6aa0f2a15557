//! Drive: a relative angle or displacement follows a function of time.

use super::prismatic::axis_check;
use super::{
    AT, AT_A, AT_B, AXIS, AXIS_A, Constraint, Joint, JointEntry, JointPattern, JointPoint,
    JointTerms, MAX_ROWS, POINT_A, POINT_B, Reacts, Want, by_scalar, read_axis, read_markers,
    write_markers,
};
use crate::curve::Curve;
use crate::field::{Form, Key, Value};
use crate::space::{Axis, Marker, Pose, Site, Vector};
use crate::units::Unit;
use linkwork_dae::scalar::{Jet, Scalar};

/// What a drive prescribes.
#[derive(Clone, Debug, PartialEq)]
pub enum Driven {
    /// Angle of body b minus angle of body a.
    Angle,
    /// How far a point of body b is ahead of a point of body a along a direction of body a.
    Displacement {
        /// The point on body a.
        a: Marker,
        /// The point on body b.
        b: Marker,
        /// The direction, on body a.
        axis: Axis,
    },
}

/// A prescribed motion between two bodies. Its multiplier is minus the driving torque or force on
/// body b.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// The quantity.
    pub driven: Driven,
    /// Its value over time.
    pub value: Curve,
}

impl Drive {
    /// Prescribes the relative angle.
    pub fn angle(value: impl Into<Curve>) -> Drive {
        Drive {
            driven: Driven::Angle,
            value: value.into(),
        }
    }

    /// Prescribes the displacement between two body points along a direction of body a.
    pub fn displacement(a: Vector, b: Vector, axis: Vector, value: impl Into<Curve>) -> Drive {
        Drive {
            driven: Driven::Displacement {
                a: a.into(),
                b: b.into(),
                axis: axis.into(),
            },
            value: value.into(),
        }
    }
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "drive",
    summary: "A relative angle or displacement follows a function of time.",
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
    ],
    read: |f| {
        let drive = match f.choice("quantity", &["angle", "displacement"], Some("angle"))? {
            "displacement" => {
                let [a, b] = read_markers(f)?;
                let axis = read_axis(f)?;
                Drive {
                    driven: Driven::Displacement { a, b, axis },
                    value: f.curve("value", "t", [Unit::Time, Unit::Length])?,
                }
            }
            _ => Drive::angle(f.curve("value", "t", [Unit::Time, Unit::Angle])?),
        };
        Ok(drive.into())
    },
    example: |draw| {
        let value = Curve::example("t", draw);
        if draw() > 0.0 {
            Drive::angle(value).into()
        } else {
            let (a, b) = ([draw(), draw()], [draw(), draw()]);
            Drive::displacement(a, b, [1.5 + draw(), draw()], value).into()
        }
    },
};

impl Constraint for Drive {
    fn constraint<S: Scalar>(&self, t: S, a: &Pose<S>, b: &Pose<S>) -> [S; MAX_ROWS] {
        let zero = S::from(0.0);
        let value = self.value.eval(t);
        let is = match &self.driven {
            Driven::Angle => b.angle - a.angle,
            Driven::Displacement {
                a: from,
                b: to,
                axis,
            } => {
                let (p, q) = (a.point(from.point), b.point(to.point));
                let u = a.direction(axis.direction);
                (q[0] - p[0]) * u[0] + (q[1] - p[1]) * u[1]
            }
        };
        [is - value, zero, zero]
    }
}

impl Joint for Drive {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        match self.driven {
            Driven::Angle => &["prescribed angle"],
            Driven::Displacement { .. } => &["prescribed displacement"],
        }
    }
    fn needs_orientation(&self) -> [bool; 2] {
        match self.driven {
            Driven::Angle => [true, true],
            Driven::Displacement { .. } => [true, false],
        }
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        match &self.driven {
            Driven::Angle => [None, None],
            Driven::Displacement { a, b, .. } => [Some(a.point), Some(b.point)],
        }
    }
    fn reacts(&self) -> Reacts {
        let torque = self.driven == Driven::Angle;
        Reacts {
            force: !torque,
            torque,
        }
    }
    fn place(&mut self, site_a: &Site, site_b: &Site) {
        if let Driven::Displacement { a, b, axis } = &mut self.driven {
            a.place(site_a);
            b.place(site_b);
            axis.place(site_a);
        }
    }
    fn check(&self) -> Result<(), String> {
        match &self.driven {
            Driven::Angle => Ok(()),
            Driven::Displacement { axis, .. } => axis_check(axis),
        }
    }
    fn pattern(&self) -> JointPattern {
        by_scalar::probe(self)
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        by_scalar::evaluate(self, at, want, out);
    }
    fn c_t(&self, t: f64) -> [f64; MAX_ROWS] {
        [-self.value.eval(Jet::time(t)).d, 0.0, 0.0]
    }
    fn prescribed(&self) -> Vec<(usize, &Curve)> {
        vec![(0, &self.value)]
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let value = ("value", self.value.value());
        match &self.driven {
            Driven::Angle => vec![("quantity", Value::Text("angle".into())), value],
            Driven::Displacement { a, b, axis } => {
                let mut fields = vec![("quantity", Value::Text("displacement".into())), value];
                fields.extend(write_markers(a, b));
                fields.push(("axis_a", Value::Vector(axis.direction)));
                fields
            }
        }
    }
}
