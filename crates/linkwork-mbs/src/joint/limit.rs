//! Stops: an angle about an axis of body a, or a displacement along it, stays between two values.
//!
//! ```text
//!  x - lower >= 0,   upper - x >= 0
//! ```
//!
//! A stop is met by an impact and holds while it presses, see [`linkwork_dae::law`].

use super::fixture::{AXIS, AXIS_A, AXIS_B, NORMAL_A, NORMAL_B};
use super::{
    AT, AT_A, AT_B, Constraint, Driven, Fixture, Joint, JointEntry, JointPattern, JointPoint,
    JointTerms, MAX_ROWS, POINT_A, POINT_B, Reacts, Want, by_scalar,
};
use crate::field::{Form, Key, Value};
use crate::geometry::{Pose, Site, Vector, dot, sub};
use crate::units::Unit;
use linkwork_dae::law::Law;
use linkwork_dae::scalar::Scalar;

/// Stops of an angle or a displacement between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The quantity.
    pub quantity: Driven,
    /// Points, axis and normals.
    pub fixture: Fixture,
    /// The least value, rad or m.
    pub lower: Option<f64>,
    /// The largest value, rad or m.
    pub upper: Option<f64>,
    /// Speed of departure over speed of approach.
    pub restitution: f64,
}

/// Speed of departure over speed of approach at an impact.
pub(super) const RESTITUTION: Key = Key::optional(
    "restitution",
    Unit::None,
    "0",
    "Speed of departure over speed of approach at an impact, 0 to 1.",
);

/// Refuses restitutions that would gain energy.
pub(super) fn check_restitution(e: f64) -> Result<(), String> {
    match (0.0..=1.0).contains(&e) {
        true => Ok(()),
        false => Err(format!(
            "the restitution must be between 0 and 1, it is {e}"
        )),
    }
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "limit",
    summary: "Stops: an angle about an axis of body_a or a displacement along it stays between two \
              values; met by an impact.",
    in_plane: true,
    keys: &[
        Key::optional(
            "quantity",
            Unit::None,
            "angle",
            "What is limited: `angle` or `displacement`.",
        )
        .takes(Form::Word),
        Key::optional(
            "lower",
            Unit::None,
            "no stop",
            "The least value, in rad or m.",
        ),
        Key::optional(
            "upper",
            Unit::None,
            "no stop",
            "The largest value, in rad or m.",
        ),
        RESTITUTION,
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
        let word = f.choice("quantity", &["angle", "displacement"], Some("angle"))?;
        let (quantity, unit, fixture) = match word {
            "displacement" => (Driven::Displacement, Unit::Length, Fixture::read(f)?),
            _ => (Driven::Angle, Unit::Angle, Fixture::read_angle(f)?),
        };
        Ok(Limit {
            quantity,
            fixture,
            lower: f.optional_number("lower", unit)?,
            upper: f.optional_number("upper", unit)?,
            restitution: f.not_negative_or("restitution", Unit::None, 0.0)?,
        }
        .into())
    },
    example: |draw| {
        let quantity = if draw() > 0.0 {
            Driven::Angle
        } else {
            Driven::Displacement
        };
        let mut fixture = Fixture::example(draw);
        if quantity == Driven::Displacement {
            (fixture.normal_a, fixture.normal_b) = (None, None);
        }
        Limit {
            quantity,
            fixture,
            lower: Some(-2.0 + draw()),
            upper: (draw() > -0.5).then_some(2.0),
            restitution: 0.5,
        }
        .into()
    },
};

impl Limit {
    fn is<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>, turns: &[f64]) -> S {
        match self.quantity {
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

impl Constraint for Limit {
    fn constraint<S: Scalar>(
        &self,
        _: &[S; MAX_ROWS],
        a: &Pose<S>,
        b: &Pose<S>,
        turns: &[f64],
    ) -> [S; MAX_ROWS] {
        let mut out = [S::from(0.0); MAX_ROWS];
        let x = self.is(a, b, turns);
        let stops = [
            self.lower.map(|low| x - low),
            self.upper.map(|high| -x + high),
        ];
        for (out, stop) in out.iter_mut().zip(stops.into_iter().flatten()) {
            *out = stop;
        }
        out
    }
}

impl Joint for Limit {
    fn kind(&self) -> &'static str {
        ENTRY.kind
    }
    fn row_names(&self) -> &'static [&'static str] {
        match (self.lower, self.upper) {
            (Some(_), Some(_)) => &["lower stop", "upper stop"],
            (Some(_), None) => &["lower stop"],
            _ => &["upper stop"],
        }
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [true, self.quantity == Driven::Angle]
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        match self.quantity {
            Driven::Angle => [None, None],
            Driven::Displacement => [Some(self.fixture.a.point), Some(self.fixture.b.point)],
        }
    }
    fn reacts(&self) -> Reacts {
        let torque = self.quantity == Driven::Angle;
        Reacts {
            force: !torque,
            torque,
        }
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
    }
    fn check(&self) -> Result<(), String> {
        let (low, high) = (
            self.lower.unwrap_or(f64::NEG_INFINITY),
            self.upper.unwrap_or(f64::INFINITY),
        );
        if low == f64::NEG_INFINITY && high == f64::INFINITY {
            return Err("give `lower`, `upper` or both".into());
        }
        if !(low < high) {
            return Err(format!(
                "the lower stop {low} must be below the upper one {high}"
            ));
        }
        check_restitution(self.restitution)?;
        self.fixture.check()
    }
    fn laws(&self) -> Vec<(usize, Law)> {
        let restitution = self.restitution;
        (0..self.rows())
            .map(|row| (row, Law::OneSided { restitution }))
            .collect()
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
        usize::from(self.quantity == Driven::Angle && self.fixture.counts())
    }
    fn wind(&self, at: &JointPoint<'_>, turns: &mut [f64]) {
        by_scalar::renew(turns, [self.is(&at.a.pose, &at.b.pose, at.turns)]);
    }
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let quantity = match self.quantity {
            Driven::Angle => "angle",
            Driven::Displacement => "displacement",
        };
        let mut fields = vec![("quantity", Value::Text(quantity.into()))];
        for (key, stop) in [("lower", self.lower), ("upper", self.upper)] {
            fields.extend(stop.map(|x| (key, Value::Number(x))));
        }
        fields.push(("restitution", Value::Number(self.restitution)));
        match self.quantity {
            Driven::Displacement => fields.extend(self.fixture.axis_fields()),
            Driven::Angle => {
                let of_mount = self.fixture.fields().into_iter();
                fields.extend(of_mount.filter(|(key, _)| *key != "angle"));
            }
        }
        fields
    }
}
