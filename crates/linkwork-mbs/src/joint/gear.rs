//! Gear: two wheels turn in a fixed ratio.
//!
//! A pair of gears has three bodies: two wheels and the carrier of their bearings. The carrier needs
//! no mention, because the wheels show where it is: with parallel axes it turns with the line of
//! centres, with crossed axes with the plane that the axis of the other wheel makes with one's own.
//! Angles of the wheels against these directions obey Willis' equation
//!
//! ```text
//!  omega_b - omega_carrier = ratio (omega_a - omega_carrier)
//! ```
//!
//! for resting and for moving carriers (planetary gears, differentials) alike.

use super::by_scalar::derived;
use super::fixture::{AXIS_B, Further, Way};
use super::mounted::told;
use super::{Constraint, Fixture, Joint, JointPoint, MAX_ROWS, Poses, Reacts, by_scalar, rows};
use crate::field::Key;
use crate::geometry::{Axis, Pose, Site, Vector, atan2, dot, lifted, nearest_turn, norm, sub};
use crate::part::{Keys, Kind, Part, Word};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// How the axes of two wheels lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mesh {
    /// Spur gears, planets, belts and chains: angles are measured from the line of centres.
    #[default]
    Parallel,
    /// Bevel and worm gears: angles are measured from the plane along both axes.
    Crossed,
}

/// Two wheels in mesh. Their bearings are joints of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gear {
    /// How the axes lie.
    pub mesh: Mesh,
    /// Centres and axes. The normals point, without a turn, at the other centre (parallel) or along
    /// the other axis (crossed).
    pub fixture: Fixture,
    /// Turns of body b per turn of body a, each about its own axis and against the carrier.
    pub ratio: f64,
}

impl Gear {
    /// Wheels with parallel axes: centres and the common axis are global, in the start pose. The
    /// ratio of outer teeth is negative.
    pub fn parallel(centre_a: Vector, centre_b: Vector, axis: Vector, ratio: f64) -> Gear {
        let mut fixture = Fixture::at(centre_a, axis);
        fixture.b = crate::geometry::Marker::global(centre_b);
        Gear {
            mesh: Mesh::Parallel,
            fixture,
            ratio,
        }
    }

    /// Wheels with crossed axes, global in the start pose.
    pub fn crossed(axis_a: Vector, axis_b: Vector, ratio: f64) -> Gear {
        let mut fixture = Fixture::at([0.0; 3], axis_a);
        fixture.axis_b = Some(Axis::global(axis_b));
        Gear {
            mesh: Mesh::Crossed,
            fixture,
            ratio,
        }
    }

    /// The directions on which the angles of both wheels are zero.
    fn zero<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>) -> [Vector<S>; 2] {
        match self.mesh {
            Mesh::Parallel => {
                [sub(b.point(self.fixture.b.point), a.point(self.fixture.a.point)); 2]
            }
            Mesh::Crossed => [
                b.direction(self.fixture.triad(1)[2]),
                a.direction(self.fixture.triad(0)[2]),
            ],
        }
    }

    /// The angles of both wheels.
    fn angles<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>, turns: &[f64]) -> [S; 2] {
        let zero = self.zero(a, b);
        [(0, a), (1, b)].map(|(side, pose)| {
            let [normal, third, _] = self.fixture.triad(side);
            let seen = pose.turn_back(zero[side]);
            // the wheel turns one way, what it sees the other
            let angle = -atan2(dot(seen, lifted(third)), dot(seen, lifted(normal)));
            nearest_turn(angle, turns.get(side).copied().unwrap_or(0.0))
        })
    }
}

impl Word for Mesh {
    const WORDS: &'static [(&'static str, Mesh)] =
        &[("parallel", Mesh::Parallel), ("crossed", Mesh::Crossed)];
}

impl Kind for Gear {
    const NAME: &'static str = "gear";
    const SUMMARY: &'static str = "Two wheels turn in a fixed ratio, each about its own axis and seen from the carrier \
              of their bearings, which may move. The bearings are joints of their own.";
}

impl Gear {
    /// The directions that turns are measured from exist.
    fn apart(&self) -> Result<(), String> {
        for side in 0..2 {
            let [normal, _, axis] = self.fixture.triad(side);
            if norm(axis) > 0.5 && norm(normal) == 0.0 {
                return Err(match self.mesh {
                    Mesh::Parallel => "the centres of the wheels must be apart across the axes",
                    Mesh::Crossed => "crossed axes must not be parallel",
                }
                .to_string());
            }
        }
        Ok(())
    }
}

impl Part for Gear {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let doc = "Turns of body_b per turn of body_a; negative for outer teeth if both axes point the \
                   same way.";
        k.key("ratio", Unit::None, doc)
            .like(0.0, 2.0)
            .number(&mut self.ratio);
        let doc =
            "How the axes lie: `parallel` (spur gears, belts) or `crossed` (bevel and worm gears).";
        k.key("mesh", Unit::None, doc).word(&mut self.mesh);
        let crossed = self.mesh == Mesh::Crossed;
        k.forbid(
            "mesh",
            |f| f.in_plane() && crossed,
            "axes of a planar model are parallel",
        );
        k.placed(|| self.apart());
        self.fixture.points(k);
        self.fixture.axis(k, Way::About);
        let doc = "Direction of the axis of body_b in global components in the start pose.";
        let second = Key::direction("second_axis", "parallel to the first", doc);
        let keys = [second, AXIS_B];
        self.fixture.further(k, Further::AxisB, keys, false);
        self.fixture.normals(k);
    }
}

impl Constraint for Gear {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, turns, .. } = at;
        let [of_a, of_b] = self.angles(a, b, turns);
        rows([of_b - of_a * self.ratio])
    }
}

impl Joint for Gear {
    told!(&["ratio of the turns"]);
    fn markers(&self) -> [Option<Vector>; 2] {
        match self.mesh {
            Mesh::Parallel => [Some(self.fixture.a.point), Some(self.fixture.b.point)],
            Mesh::Crossed => [None, None],
        }
    }
    fn reacts(&self) -> Reacts {
        Reacts {
            force: self.mesh == Mesh::Parallel,
            torque: true,
        }
    }
    fn place(&mut self, a: &Site, b: &Site) {
        let open = [self.fixture.normal_a, self.fixture.normal_b].map(|n| n.is_none());
        self.fixture.place(a, b);
        let zero = self.zero(&a.pose, &b.pose);
        for (side, site) in [a, b].into_iter().enumerate() {
            if open[side] {
                self.fixture.aim_normal(side, site, zero[side]);
            }
        }
    }
    derived!(evaluate);
    fn turns(&self) -> usize {
        2
    }
    fn wind(&self, at: &JointPoint<'_>, turns: &mut [f64]) {
        by_scalar::renew(turns, self.angles(&at.a.pose, &at.b.pose, at.turns));
    }
}
