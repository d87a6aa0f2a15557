//! Cam: a follower stays on the outline of a cam disc.
//!
//! ```text
//!  knife   the tip of the follower is on the outline: distance from the axis = profile(angle),
//!          angle of the tip in the axes of the cam; a roller follows the outline of its centre
//!  flat    the face of the follower, through its point, touches the outline: distance of the face
//!          from the axis = profile(angle), angle of the normal of the face in the axes of the cam
//!          (the support function of the outline, which exists for convex cams)
//! ```
//!
//! Turning the cam by `phi` moves the angle by `-phi`: the profile is run through backwards.

use super::Want;
use super::by_scalar::derived;
use super::fixture::{Further, Way};
use super::mounted::{sits_on, told};
use super::{Constraint, Fixture, Joint, JointPattern, MAX_ROWS, Poses, Reacts, by_scalar, rows};
use crate::curve::Curve;
use crate::field::Key;
use crate::force::measure::observe;
use crate::geometry::{Frame, Pose, Site};
use crate::geometry::{atan2, dot, nearest_turn, sub};
use crate::part::{Keys, Kind, Part, Word};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;
use std::f64::consts::TAU;

/// The shape of a follower.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follower {
    /// A tip.
    #[default]
    Knife,
    /// A flat face.
    Flat,
}

/// A cam (body a) and its follower (body b). Bearing and guide are joints of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cam {
    /// The shape of the follower.
    pub follower: Follower,
    /// A point of the axis of the cam, the tip or a point of the face; the axis of the cam; the
    /// normal of body a, from which angles are measured; that of body b, normal to a flat face.
    pub fixture: Fixture,
    /// Distance from the axis, m, as a function of `angle`, rad, from 0 to 2 pi.
    pub profile: Curve,
}

impl Word for Follower {
    const WORDS: &'static [(&'static str, Follower)] =
        &[("knife", Follower::Knife), ("flat", Follower::Flat)];
}

impl Kind for Cam {
    const NAME: &'static str = "cam";
    const SUMMARY: &'static str = "A follower, body_b, stays on the outline of a cam, body_a: with a tip, or with a \
              flat face.";
}

const FACE: [Key; 2] = [
    Key::direction(
        "face",
        "this or `normal_b` if flat",
        "Normal of a flat face, away from the cam, in global components in the start pose.",
    ),
    Key::direction(
        "normal_b",
        "this or `face` if flat",
        "Normal of a flat face, away from the cam, in the frame of body_b.",
    ),
];

impl Cam {
    /// The keys of the face, which only a flat follower has.
    fn face(&mut self, k: &mut Keys<'_>) {
        let flat = self.follower == Follower::Flat;
        match flat {
            true => self.fixture.further(k, Further::NormalB, FACE, false),
            false => FACE.into_iter().for_each(|key| k.tell(key)),
        }
        k.read(|f| {
            let given = FACE.into_iter().find(|key| f.has(key.name));
            match (flat, given) {
                (true, None) => Err(f.error_here("a flat follower needs `face` or `normal_b`")),
                (false, Some(key)) => Err(f.error(key.name, "only a flat follower has a face")),
                _ => Ok(()),
            }
        });
    }
}

impl Part for Cam {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let doc = "The follower: `knife` (a tip, or the centre of a roller) or `flat` (a face).";
        k.key("follower", Unit::None, doc).word(&mut self.follower);
        self.fixture.points(k);
        self.fixture.axis(k, Way::About);
        self.fixture.normal_a(k);
        self.face(k);
        let doc = "Distance of the tip or of the face from the axis: a formula of `angle` or a table \
                   [[angle, distance], ...] from 0 to 360 deg, which closes smoothly if it ends as it \
                   begins. `angle` is that of the tip, or of the normal of the face, against \
                   the normal of the cam about its axis.";
        k.key("profile", Unit::Length, doc)
            .curve("angle", Unit::Angle, &mut self.profile);
    }
}

impl Cam {
    /// Where on the outline the follower is, from 0 to 2 pi, and its distance from the axis.
    fn touch<S: Scalar>(&self, a: &Pose<S>, b: &Pose<S>) -> [S; 2] {
        let d = sub(b.point(self.fixture.b.point), a.point(self.fixture.a.point));
        let [normal, third, _] = self.fixture.triad(0).map(|u| a.direction(u));
        let (out_of, distance) = match self.follower {
            Follower::Knife => {
                let (x, y) = (dot(normal, d), dot(third, d));
                (d, (x * x + y * y).sqrt())
            }
            Follower::Flat => {
                let face = b.direction(self.fixture.triad(1)[0]);
                (face, dot(face, d))
            }
        };
        let angle = atan2(dot(third, out_of), dot(normal, out_of));
        [nearest_turn(angle, std::f64::consts::PI), distance]
    }
}

impl Constraint for Cam {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let [angle, distance] = self.touch(at.a, at.b);
        rows([distance - self.profile.eval(angle)])
    }
}

impl Joint for Cam {
    told!(&["distance from the outline"]);
    sits_on!(points of fixture);
    derived!(eval evaluate);
    fn pattern(&self, flat: bool) -> JointPattern {
        // curves in general position find all entries that can be nonzero
        let winding = Cam {
            profile: self.profile.winding(),
            ..self.clone()
        };
        by_scalar::probe(flat, |at, out| winding.eval(at, Want::ALL, out))
    }
    fn features(&self) -> Vec<f64> {
        let own = self.profile.features();
        // the outline goes on behind a whole turn
        let turns = [-TAU, 0.0, TAU].into_iter();
        let all = turns.flat_map(|turn| own.iter().map(move |x| x + turn));
        let mut all: Vec<f64> = all.filter(|x| x.abs() < 2.0 * TAU).collect();
        all.dedup_by(|b, a| *b <= *a + 1e-9);
        all
    }
    fn along_curve(&self, a: &Frame, b: &Frame) -> [f64; 2] {
        let [(angle, rate), _] = observe(a, b, |a, b| self.touch(a, b));
        [angle, rate]
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [true, self.follower == Follower::Flat]
    }
    fn reacts(&self) -> Reacts {
        Reacts {
            force: true,
            torque: self.follower == Follower::Flat,
        }
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
        self.profile = self.profile.clone().closed(TAU);
    }
}
