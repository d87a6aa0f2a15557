//! Point on surface: a point of one body stays on a curved surface of the other.

use super::Want;
use super::by_scalar::derived;
use super::fixture::Way;
use super::mounted::{sits_on, told};
use super::{Constraint, Fixture, Joint, JointPattern, MAX_ROWS, Poses, Reacts, by_scalar, rows};
use crate::curve::Curve;
use crate::force::measure::{displacements, observe};
use crate::geometry::Frame;
use crate::part::{Keys, Kind, Part, Word};
use crate::units::Unit;
use linkwork_dae::scalar::Scalar;

/// What the profile of a surface means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Surface {
    /// Height along the axis over the length along the normal; the same for all places sideways.
    #[default]
    Ridge,
    /// Distance from the axis over the length along it.
    Revolution,
}

/// A foot (a point of body b) on a curved surface (of body a).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointOnSurface {
    /// What the profile means.
    pub surface: Surface,
    /// Points, axis and the normal of body a.
    pub fixture: Fixture,
    /// The profile over the length `s`, m.
    pub profile: Curve,
}

impl Word for Surface {
    const WORDS: &'static [(&'static str, Surface)] = &[
        ("ridge", Surface::Ridge),
        ("revolution", Surface::Revolution),
    ];
}

impl Kind for PointOnSurface {
    const NAME: &'static str = "point_on_surface";
    const SUMMARY: &'static str = "A point of body_b stays on a curved surface of body_a: a road or ridge of given \
              height, or a surface of revolution.";
    const IN_PLANE: bool = false;
}

impl Part for PointOnSurface {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let doc = "A formula of `s` or a table [[s, length], ...]: height along the axis over the length \
                   s along the normal (`ridge`), or distance from the axis over the length s along it \
                   (`revolution`).";
        k.key("profile", Unit::Length, doc)
            .curve("s", Unit::Length, &mut self.profile);
        let doc = "What the profile means: `ridge` or `revolution`.";
        k.key("surface", Unit::None, doc).word(&mut self.surface);
        self.fixture.points(k);
        self.fixture.axis(k, Way::About);
        self.fixture.normal_a(k);
    }
}

impl Constraint for PointOnSurface {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        let [x, y, z] = displacements(&self.fixture, a, b);
        rows([match self.surface {
            Surface::Ridge => z - self.profile.eval(x),
            Surface::Revolution => (x * x + y * y).sqrt() - self.profile.eval(z),
        }])
    }
}

impl Joint for PointOnSurface {
    told!(&["distance from the surface"]);
    sits_on!(fixture);
    derived!(eval evaluate);
    fn pattern(&self, flat: bool) -> JointPattern {
        // curves in general position find all entries that can be nonzero
        let winding = PointOnSurface {
            profile: self.profile.winding(),
            ..self.clone()
        };
        by_scalar::probe(flat, |at, out| winding.eval(at, Want::ALL, out))
    }
    fn features(&self) -> Vec<f64> {
        self.profile.features()
    }
    fn along_curve(&self, a: &Frame, b: &Frame) -> [f64; 2] {
        let [x, _, z] = observe(a, b, |a, b| displacements(&self.fixture, a, b));
        let (s, rate) = match self.surface {
            Surface::Ridge => x,
            Surface::Revolution => z,
        };
        [s, rate]
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [true, false]
    }
    fn reacts(&self) -> Reacts {
        Reacts::FORCE
    }
}
