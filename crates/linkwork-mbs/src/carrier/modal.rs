//! A flexible body: a floating frame, and small deformations that are a sum of mode shapes.
//!
//! ```text
//!  q = (x, psi, z)     a point of the body      r = x + R u,   u = c + Phi z
//!                      a frame at such a point  R_p = R E(Psi z)
//!
//!  dr = dx - R u^ theta + R Phi dz              theta_p = E' theta + T Psi dz
//! ```
//!
//! `E(y)` is the rotation of the four numbers `(1, y/2)`, which equals `exp(y)` up to the third order,
//! farther than rotations of modes mean anything; its derivatives are those of `four.rs`. Inertia is that of mass
//! points which move with the modes, exact for these displacements (`modal/inertia.rs`); stiffness and damping are
//! given. Of displacements that grow with the square of the modes a point may have a shortening along the x axis of the
//! body, `u = c + Phi z - e_x z' B z/2`: by virtue of it axial forces stiffen or soften bending, be they those of a rotation, of
//! weight or of what is attached. It counts to first order in inertia, with energy that is that of its forces.
//! (Shabana, Dynamics of Multibody Systems, chapter 5; Wallrapp 1994.)

mod check;
mod coordinates;
mod floating;
mod frame;
mod inertia;
mod straight;
mod symmetric;
mod whole;

pub use straight::{ModeSet, StraightBeam};

use super::Recovered;
use crate::body::FlexibleBeam;
use crate::geometry::Vector;
pub(crate) use coordinates::ModalBody;
use floating::Floating;
use inertia::Invariants;
use linkwork_dae::rotation::Quaternion;
use std::sync::Arc;

/// A point of a flexible body, with what it carries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModalPoint {
    /// Place in the body frame, m.
    pub place: Vector,
    /// Lumped mass, kg.
    pub mass: f64,
    /// Lumped moments of inertia along the axes of the body, kg m^2.
    pub inertia: Vector,
    /// Displacement by one unit of each mode.
    pub displacement: Vec<Vector>,
    /// Rotation by one unit of each mode, rad.
    pub rotation: Vec<Vector>,
    /// Shortening `B` along x by products of amplitudes, by rows; empty where there is none.
    pub shortening: Vec<f64>,
}

/// What a flexible body is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Modal {
    /// Mass points, and points that frames are fixed to.
    pub points: Vec<ModalPoint>,
    /// Whether it only moves and bends parallel to the x-y plane.
    pub flat: bool,
    /// Inertia that the modes have beside that of the points, of masses that they move along x to both sides alike, by rows; may be
    /// empty.
    pub added_mass: Vec<f64>,
    /// Inertia that the modes have in place of that of points and added masses, by rows; may be empty.
    pub modal_mass: Vec<f64>,
    /// Stiffness of the modes, by rows.
    pub stiffness: Vec<f64>,
    /// Strain energy of the third order: products of three amplitudes, with their factors.
    pub cubic_energy: Vec<([usize; 3], f64)>,
    /// Damping ratio of each mode.
    pub damping_ratio: Vec<f64>,
    /// Further damping of the modes, by rows; may be empty.
    pub damping: Vec<f64>,
    /// Damping in proportion to mass (1/s) and stiffness (s), on top (Rayleigh).
    pub rayleigh: [f64; 2],
    /// What the modes are, "bending along y 3"; may be empty.
    pub names: Vec<String>,
    /// Names of the frames that elements can be attached to, with their points.
    pub frames: Vec<(String, usize)>,
    /// Start amplitudes of the modes, and their rates.
    pub start: Vec<[f64; 2]>,
    /// What is told beside them: section forces, stresses.
    pub recovered: Vec<Recovered>,
    /// The straight beam of model text that it was made from, as which it is written again.
    pub source: Option<Source>,
}

/// What a flexible body was made from, and what it was then: a body whose numbers were changed since is written by its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    pub(crate) beam: Arc<FlexibleBeam>,
    pub(crate) made: u64,
}

impl Modal {
    /// Number of modes.
    pub fn modes(&self) -> usize {
        self.start.len()
    }

    /// Where a frame is in the body at the start; the first one is the body itself.
    pub fn start_pose(&self, frame: usize) -> (Vector, Quaternion) {
        let start: Vec<f64> = self.start.iter().map(|s| s[0]).collect();
        match frame.checked_sub(1).and_then(|k| self.frames.get(k)) {
            Some((_, point)) => self.points[*point].pose(&start),
            None => ([0.0; 3], linkwork_dae::rotation::IDENTITY),
        }
    }

    /// Squares of the angular frequencies of the body without any support, beside motions of the whole, from below; `None`
    /// where its modes have no mass.
    pub fn frequencies(&self) -> Option<Vec<f64>> {
        Invariants::new(self).frequencies()
    }

    /// Angular frequency and damping ratio of each mode alone; zeros where it has no mass or no stiffness.
    pub fn vibrations(&self) -> Vec<[f64; 2]> {
        Invariants::new(self).vibrations()
    }

    /// The two modes (from 1) with the most inertia in common, as a share of their own; `None` where there is one mode.
    pub fn overlap(&self) -> Option<(usize, usize, f64)> {
        let shares = Invariants::new(self).overlaps();
        shares.into_iter().max_by(|a, b| a.2.total_cmp(&b.2))
    }

    fn floating(&self) -> Floating {
        Floating { flat: self.flat }
    }
}
