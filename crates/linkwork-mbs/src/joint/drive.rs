//! Drive: a relative angle or displacement follows a function of time.

use super::by_scalar::derived;
use super::fixture::Way;
use super::{Constraint, Fixture, Joint, JointPoint, MAX_ROWS, Poses, by_scalar, rows};
use crate::curve::Curve;
use crate::geometry::{Components, Pose, dot, sub};
use crate::part::{Keys, Kind, Part, Word};
use crate::units::Unit;
use linkwork_dae::scalar::{Jet, Scalar};

/// What a drive prescribes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Driven {
    /// The angle about the axis of body a, from the normal on body a to that on body b, over whole
    /// turns.
    #[default]
    Angle,
    /// How far the point of body b is ahead of the point of body a along the axis of body a.
    Displacement,
}

/// A prescribed motion between two bodies. Its multiplier is minus the driving torque or force on
/// body b.
#[derive(Clone, Debug, Default, PartialEq)]
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
        self.driven.measure(&self.fixture, a, b, turns)
    }
}

impl Driven {
    /// The key of the quantity.
    pub(super) fn keys(&mut self, k: &mut Keys<'_>, doc: &'static str) {
        k.key("quantity", Unit::None, doc).word(self);
    }

    /// Its unit where a value is read; both are documented as one.
    pub(super) fn unit(self, k: &Keys<'_>) -> Unit {
        match self {
            _ if k.table().is_none() => Unit::None,
            Driven::Angle => Unit::Angle,
            Driven::Displacement => Unit::Length,
        }
    }

    /// The keys of points, axis and normals.
    pub(super) fn seat(self, k: &mut Keys<'_>, fixture: &mut Fixture) {
        fixture.points(k);
        match self {
            Driven::Angle => {
                fixture.axes(k, Way::About);
                fixture.normals(k);
                fixture.measured(k);
            }
            Driven::Displacement => {
                fixture.axes(k, Way::Along);
                // it has no use for normals; a marker may give some
                if k.table().is_some() {
                    fixture.normals(k);
                }
            }
        }
    }

    /// Its value.
    pub(super) fn measure<S: Scalar>(
        self,
        fixture: &Fixture,
        a: &Pose<S>,
        b: &Pose<S>,
        turns: &[f64],
    ) -> S {
        match self {
            Driven::Angle => fixture.angle(a, b, turns.first().copied().unwrap_or(0.0)),
            Driven::Displacement => {
                let d = sub(b.point(fixture.b.point), a.point(fixture.a.point));
                dot(a.direction(fixture.triad(0)[2]), d)
            }
        }
    }
}

/// What a joint has that measures such a quantity, a field of it, on its fixture.
macro_rules! measured {
    ($quantity:ident) => {
        fn needs_orientation(&self) -> [bool; 2] {
            [true, self.$quantity == Driven::Angle]
        }
        fn markers(&self) -> [Option<$crate::geometry::Vector>; 2] {
            match self.$quantity {
                Driven::Angle => [None, None],
                Driven::Displacement => [Some(self.fixture.a.point), Some(self.fixture.b.point)],
            }
        }
        fn reacts(&self) -> $crate::joint::Reacts {
            match self.$quantity {
                Driven::Angle => $crate::joint::Reacts::TORQUE,
                Driven::Displacement => $crate::joint::Reacts::FORCE,
            }
        }
        fn place(&mut self, a: &$crate::geometry::Site, b: &$crate::geometry::Site) {
            self.fixture.place(a, b);
        }
        fn turns(&self) -> usize {
            usize::from(self.$quantity == Driven::Angle && self.fixture.counts())
        }
        fn wind(&self, at: &$crate::joint::JointPoint<'_>, turns: &mut [f64]) {
            let quantity =
                (self.$quantity).measure(&self.fixture, &at.a.pose, &at.b.pose, at.turns);
            by_scalar::renew(turns, [quantity]);
        }
    };
}
pub(super) use measured;

impl Word for Driven {
    const WORDS: &'static [(&'static str, Driven)] = &[
        ("angle", Driven::Angle),
        ("displacement", Driven::Displacement),
    ];
}

impl Kind for Drive {
    const NAME: &'static str = "drive";
    const SUMMARY: &'static str = "An angle about an axis of body_a or a displacement along it follows a function of \
              time.";
}

impl Part for Drive {
    fn keys(&mut self, k: &mut Keys<'_>) {
        (self.driven).keys(k, "What is prescribed: `angle` or `displacement`.");
        let doc =
            "The prescribed value, in rad or m: a formula of `t` or a table [[t, value], ...].";
        k.key("value", self.driven.unit(k), doc)
            .curve("t", Unit::Time, &mut self.value);
        self.driven.seat(k, &mut self.fixture);
    }
}

impl Constraint for Drive {
    fn functions(&self, t: Jet) -> [Jet; MAX_ROWS] {
        let mut u = [Jet::from(0.0); MAX_ROWS];
        u[0] = self.value.eval(t);
        u
    }

    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { u, a, b, turns } = at;
        rows([self.is(a, b, turns) - u[0]])
    }
}

impl Joint for Drive {
    fn row_names(&self) -> &'static [&'static str] {
        match self.driven {
            Driven::Angle => &["prescribed angle"],
            Driven::Displacement => &["prescribed displacement"],
        }
    }
    measured!(driven);
    derived!(evaluate);
    fn c_t(&self, at: &JointPoint<'_>) -> [f64; MAX_ROWS] {
        by_scalar::rate_by_time(self, at)
    }
    fn prescribed(&self) -> Vec<(usize, &Curve)> {
        vec![(0, &self.value)]
    }
}
