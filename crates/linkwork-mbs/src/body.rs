//! Bodies: masses with a start pose and a start velocity, and the table of all kinds.
//!
//! ```text
//!  rigid    x y z of the centre of mass, rotation         M = diag(m, J)      + omega x J omega
//!  planar   x y and an angle about z                      M = diag(m, m, J)
//!  point    x y z
//!  bead     x y
//!  modal    x y z and rotation of a floating frame, amplitudes of modes    M(q);  in the plane x y and an angle
//! ```

mod draft;
pub(crate) mod flexible_beam;
mod modal;
mod planar;
mod point;
mod rigid;

pub(crate) use draft::in_plane;
pub use draft::{BodyEntry, Draft};
pub(crate) use flexible_beam::FlexibleBeam;

use crate::carrier::euler::EulerParameters;
use crate::carrier::modal::ModalBody;
use crate::carrier::{Carrier, Modal};
use crate::error::ModelError;
use crate::geometry::{Components, Matrix, Pose, Site, Turning, Vector, add, apply};
use crate::model::{Axes, Rotation};
use crate::part::Part;
use linkwork_dae::rotation::{IDENTITY, Quaternion, compose, exp, matrix};
use std::sync::Arc;

/// What freedoms a body has and what resists them.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// All six freedoms.
    Rigid {
        /// Moments of inertia about the centre of mass in body axes, kg m^2.
        inertia: Matrix,
    },
    /// Moves parallel to the x-y plane and turns about z.
    Planar {
        /// Moment of inertia about the axis through the centre of mass along z, kg m^2.
        inertia: f64,
        /// Start angle, rad.
        angle: f64,
    },
    /// Position only.
    Point,
    /// Position in a plane parallel to the x-y plane only.
    Bead,
    /// All six freedoms of a floating frame, and deformations.
    Modal(Arc<Modal>),
    /// A single coordinate, the first, that a joint follows; no body of model text.
    #[doc(hidden)]
    Target {
        /// Whether it is an angle.
        angular: bool,
    },
}

/// How much the assembly may move a start value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// A guess: moved as needed.
    #[default]
    Guess,
    /// Exact: kept, or the start is refused.
    Exact,
    /// Nothing: it follows from others.
    None,
}

impl Trust {
    /// Weight of a start value in the assembly.
    pub fn weight(self) -> f64 {
        match self {
            Trust::Guess => 1.0,
            Trust::Exact => 1e6,
            Trust::None => 1e-9,
        }
    }
}

/// A body; its coordinates are those of its centre of mass.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// Mass, kg.
    pub mass: f64,
    /// Freedoms and inertia.
    pub shape: Shape,
    /// Start position of the origin of the body frame, m.
    pub position: Vector,
    /// Start orientation of a rigid body, scalar part first.
    pub orientation: Quaternion,
    /// Centre of mass in the body frame, m.
    pub centre_of_mass: Vector,
    /// Start velocity of the centre of mass, m/s.
    pub velocity: Vector,
    /// Start angular velocity, in body axes, rad/s.
    pub angular_velocity: Vector,
    /// How far the start position is to be trusted.
    pub position_trust: Trust,
    /// How far the start orientation is to be trusted.
    pub orientation_trust: Trust,
    /// How far the start velocity and angular velocity are to be trusted.
    pub velocity_trust: Trust,
    /// How much guesses among its start values weigh beside those of other bodies, which weigh 1.
    pub start_weight: f64,
}

impl Body {
    /// How much velocity and angular velocity are trusted. One that is zero was most likely not given: it follows
    /// from those that were, and does not hold them back. Only rest as a whole can be marked exact.
    pub(crate) fn velocity_trusts(&self) -> [Trust; 2] {
        let given = [self.velocity, self.angular_velocity].map(|v| v != [0.0; 3]);
        given.map(|this| match self.velocity_trust {
            Trust::Exact if this || given == [false; 2] => Trust::Exact,
            Trust::Guess if this => Trust::Guess,
            _ => Trust::None,
        })
    }

    /// A rigid body with mass (kg) and principal moments of inertia along its axes (kg m^2).
    pub fn rigid(name: impl Into<String>, mass: f64, inertia: Vector) -> Body {
        let mut matrix = [[0.0; 3]; 3];
        for i in 0..3 {
            matrix[i][i] = inertia[i];
        }
        Body::new(name.into(), mass, Shape::Rigid { inertia: matrix })
    }

    /// A body that moves parallel to the x-y plane, with its moment of inertia (kg m^2).
    pub fn planar(name: impl Into<String>, mass: f64, inertia: f64) -> Body {
        let angle = 0.0;
        Body::new(name.into(), mass, Shape::Planar { inertia, angle })
    }

    /// A point mass (kg).
    pub fn point(name: impl Into<String>, mass: f64) -> Body {
        Body::new(name.into(), mass, Shape::Point)
    }

    /// A point mass (kg) that moves parallel to the x-y plane.
    pub fn bead(name: impl Into<String>, mass: f64) -> Body {
        Body::new(name.into(), mass, Shape::Bead)
    }

    /// A flexible body. Its coordinates are those of its frame, wherever its centre of mass is.
    pub fn modal(name: impl Into<String>, modal: Modal) -> Body {
        Body::new(name.into(), modal.mass(), Shape::Modal(Arc::new(modal)))
    }

    /// The target of a joint that follows a signal.
    pub(crate) fn target(name: &str, inertia: f64, angular: bool) -> Body {
        let mut body = Body::new(name.to_string(), inertia, Shape::Target { angular });
        body.position_trust = Trust::None;
        body.velocity_trust = Trust::None;
        body
    }

    fn new(name: String, mass: f64, shape: Shape) -> Body {
        Body {
            name,
            mass,
            shape,
            position: [0.0; 3],
            orientation: IDENTITY,
            centre_of_mass: [0.0; 3],
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            position_trust: Trust::Guess,
            orientation_trust: Trust::Guess,
            velocity_trust: Trust::Guess,
            start_weight: 1.0,
        }
    }

    /// Sets the start position of the origin of the body frame.
    #[must_use]
    pub fn at(mut self, position: impl Components) -> Body {
        self.position = position.vector();
        self
    }

    /// Sets the start orientation of a rigid body, or the angle of a planar one from the third
    /// component, by a rotation vector.
    #[must_use]
    pub fn turned(mut self, by: impl Turning) -> Body {
        let by = by.turning();
        match &mut self.shape {
            Shape::Planar { angle, .. } => *angle = by[2],
            _ => self.orientation = exp(by),
        }
        self
    }

    /// Sets the start orientation by a unit quaternion, scalar part first.
    #[must_use]
    pub fn oriented(mut self, orientation: Quaternion) -> Body {
        self.orientation = orientation;
        self
    }

    /// Sets the start velocity of the centre of mass.
    #[must_use]
    pub fn moving(mut self, velocity: impl Components) -> Body {
        self.velocity = velocity.vector();
        self
    }

    /// Sets the start angular velocity, in body axes.
    #[must_use]
    pub fn spinning(mut self, angular_velocity: impl Turning) -> Body {
        self.angular_velocity = angular_velocity.turning();
        self
    }

    /// Sets the place of the centre of mass in the body frame.
    #[must_use]
    pub fn centred(mut self, centre_of_mass: impl Components) -> Body {
        self.centre_of_mass = centre_of_mass.vector();
        self
    }

    /// Declares the start pose exact.
    #[must_use]
    pub fn exact_pose(mut self) -> Body {
        self.position_trust = Trust::Exact;
        if self.is_oriented() {
            self.orientation_trust = Trust::Exact;
        }
        self
    }

    /// Declares the start velocity exact.
    #[must_use]
    pub fn exact_velocity(mut self) -> Body {
        self.velocity_trust = Trust::Exact;
        self
    }

    /// Sets how much its start values weigh in the assembly, 0.01 to 100.
    #[must_use]
    pub fn weighing(mut self, start_weight: f64) -> Body {
        self.start_weight = start_weight;
        self
    }

    /// Whether the body has an orientation.
    pub fn is_oriented(&self) -> bool {
        !matches!(
            self.shape,
            Shape::Point | Shape::Bead | Shape::Target { .. }
        )
    }

    /// Whether it can only move parallel to the x-y plane.
    pub fn is_flat(&self) -> bool {
        match &self.shape {
            Shape::Planar { .. } | Shape::Bead => true,
            Shape::Modal(modal) => modal.flat,
            _ => false,
        }
    }

    /// Start angle about z of a body that moves in the x-y plane.
    pub fn angle(&self) -> f64 {
        match self.shape {
            Shape::Planar { angle, .. } => angle,
            _ => 2.0 * self.orientation[3].atan2(self.orientation[0]),
        }
    }

    /// Names and units of the coordinates: lengths, then angles.
    pub fn coordinates(&self) -> &'static [(&'static str, &'static str)] {
        match &self.shape {
            Shape::Modal(modal) if modal.flat => &[("x", "m"), ("y", "m"), ("angle", "rad")],
            Shape::Rigid { .. } | Shape::Point | Shape::Modal(_) => {
                &[("x", "m"), ("y", "m"), ("z", "m")]
            }
            Shape::Planar { .. } => &[("x", "m"), ("y", "m"), ("angle", "rad")],
            Shape::Bead => &[("x", "m"), ("y", "m")],
            Shape::Target { .. } => &[("target", "")],
        }
    }

    /// Names of its frames: its own, and those of a flexible body as `body.frame`.
    pub fn frames(&self) -> Vec<String> {
        let mut names = vec![self.name.clone()];
        if let Shape::Modal(modal) = &self.shape {
            let frames = modal.frames.iter();
            names.extend(frames.map(|(frame, _)| format!("{}.{frame}", self.name)));
        }
        names
    }

    /// Which of dx, dy, dz and theta_x, theta_y, theta_z the body can do.
    pub fn freedoms(&self) -> &'static [usize] {
        match &self.shape {
            Shape::Modal(modal) if modal.flat => &[0, 1, 5],
            Shape::Rigid { .. } | Shape::Modal(_) => &[0, 1, 2, 3, 4, 5],
            Shape::Planar { .. } => &[0, 1, 5],
            Shape::Point => &[0, 1, 2],
            Shape::Bead => &[0, 1],
            Shape::Target { .. } => &[0],
        }
    }

    /// What is behind its frames, where that is a map and not a selection of freedoms.
    pub fn carrier(&self, rotation: Rotation) -> Option<Arc<dyn Carrier>> {
        match (&self.shape, rotation) {
            (Shape::Rigid { inertia }, Rotation::EulerParameters) => {
                let (body, inertia) = (self.clone(), *inertia);
                Some(Arc::new(EulerParameters { body, inertia }))
            }
            (Shape::Modal(modal), _) => Some(Arc::new(ModalBody::new(self, modal))),
            _ => None,
        }
    }

    /// Rotation at the start.
    pub fn rotation(&self) -> Matrix {
        match self.shape {
            Shape::Rigid { .. } | Shape::Modal(_) => matrix(self.orientation),
            Shape::Planar { angle, .. } => Pose::flat([0.0; 3], angle).rotation,
            Shape::Point | Shape::Bead | Shape::Target { .. } => crate::geometry::IDENTITY,
        }
    }

    /// Start position of the centre of mass.
    pub fn centre(&self) -> Vector {
        add(self.position, apply(&self.rotation(), self.centre_of_mass))
    }

    /// The body in its start pose.
    pub fn site(&self) -> Site {
        self.site_of(0)
    }

    /// One of its frames in the start pose.
    pub fn site_of(&self, frame: usize) -> Site {
        Site {
            pose: match &self.shape {
                Shape::Planar { angle, .. } => Pose::flat(self.centre(), *angle),
                Shape::Modal(modal) => {
                    let (u, turn) = modal.start_pose(frame);
                    let place = add(self.position, apply(&self.rotation(), u));
                    match modal.flat {
                        true => Pose::flat(place, self.angle() + 2.0 * turn[3].atan2(turn[0])),
                        false => Pose::new(place, matrix(compose(self.orientation, turn))),
                    }
                }
                _ => Pose::new(self.centre(), self.rotation()),
            },
            oriented: self.is_oriented(),
            flat: self.is_flat(),
            centre_of_mass: self.centre_of_mass,
        }
    }

    /// Name of the kind in model text.
    pub fn kind(&self) -> &'static str {
        match &self.shape {
            Shape::Rigid { .. } => rigid::ENTRY.kind,
            Shape::Planar { .. } => planar::ENTRY.kind,
            Shape::Point => point::ENTRY.kind,
            Shape::Bead | Shape::Target { .. } => point::BEAD.kind,
            Shape::Modal(modal) => match (modal.beam().is_some(), modal.flat) {
                (false, false) => modal::ENTRY.kind,
                (false, true) => modal::IN_PLANE.kind,
                (true, false) => flexible_beam::ENTRY.kind,
                (true, true) => flexible_beam::IN_PLANE.kind,
            },
        }
    }

    /// The same in planar models or in space.
    pub fn kind_in(&self, axes: Axes) -> &'static str {
        let other = match axes {
            Axes::Space => None,
            Axes::Plane => self.draft().kind_in_plane(),
        };
        other.unwrap_or(self.kind())
    }

    /// The body with the list of its keys.
    pub fn draft(&self) -> Draft {
        let list = match self.shape {
            Shape::Rigid { .. } => rigid::keys,
            Shape::Planar { .. } => planar::keys,
            Shape::Point | Shape::Bead | Shape::Target { .. } => point::keys,
            Shape::Modal(ref modal) => match modal.beam() {
                Some(_) => flexible_beam::keys,
                None => modal::keys,
            },
        };
        Draft {
            body: self.clone(),
            list,
            in_plane: None,
        }
    }

    /// The straight beam of model text that a flexible body was made from.
    pub(crate) fn beam(&self) -> Option<Arc<FlexibleBeam>> {
        match &self.shape {
            Shape::Modal(modal) => modal.beam(),
            _ => None,
        }
    }

    /// The same as a body that knows its modes only.
    pub(crate) fn by_modes(&self) -> Body {
        let mut body = self.clone();
        if let Shape::Modal(modal) = &mut body.shape {
            Arc::make_mut(modal).source = None;
        }
        body
    }

    /// Refuses values without meaning.
    pub fn check(&self) -> Result<(), ModelError> {
        let refused = |what| ModelError::new(format!("body `{}`: {what}", self.name));
        self.draft().check().map_err(refused)
    }
}

/// All kinds of bodies; the first with a meaning is the default.
pub static BODIES: &[BodyEntry] = &[
    rigid::ENTRY,
    planar::ENTRY,
    point::ENTRY,
    point::BEAD,
    modal::ENTRY,
    modal::IN_PLANE,
    flexible_beam::ENTRY,
    flexible_beam::IN_PLANE,
];
