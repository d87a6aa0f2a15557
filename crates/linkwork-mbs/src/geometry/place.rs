//! Points and directions of bodies, and how they are given.

use super::{Pose, Vector, norm, sub, unit};

/// A vector given by three components or, in the x-y plane, by two.
pub trait Components {
    /// The vector in space.
    fn vector(self) -> Vector;
}

impl Components for [f64; 2] {
    fn vector(self) -> Vector {
        [self[0], self[1], 0.0]
    }
}

impl Components for Vector {
    fn vector(self) -> Vector {
        self
    }
}

/// A turn given by a rotation vector or, in the x-y plane, by an angle.
pub trait Turning {
    /// The rotation vector.
    fn turning(self) -> Vector;
}

impl Turning for f64 {
    fn turning(self) -> Vector {
        [0.0, 0.0, self]
    }
}

impl Turning for Vector {
    fn turning(self) -> Vector {
        self
    }
}

/// What a body looks like when the model is put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// The start pose of its centre of mass.
    pub pose: Pose,
    /// Whether it has an orientation; points have none.
    pub oriented: bool,
    /// Whether it can only move parallel to the x-y plane, as the ground does, which rests.
    pub flat: bool,
    /// Centre of mass in the frame that body points are given in.
    pub centre_of_mass: Vector,
}

impl Site {
    /// The ground.
    pub const GROUND: Site = Site {
        pose: Pose::GROUND,
        oriented: true,
        flat: true,
        centre_of_mass: [0.0; 3],
    };
}

/// How a point or direction is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// As it is in the start pose, globally.
    Globally,
    /// In the frame of the body.
    OnBody,
    /// From the centre of mass, in body axes: ready for use.
    Placed,
}

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// Coordinates; from the centre of mass once the marker is placed.
    pub point: Vector,
    /// What they refer to.
    pub given: Given,
}

impl Marker {
    /// The origin of the body.
    pub const ORIGIN: Marker = Marker {
        point: [0.0; 3],
        given: Given::OnBody,
    };

    /// A point in the body frame.
    pub fn body(point: impl Components) -> Marker {
        Marker {
            point: point.vector(),
            given: Given::OnBody,
        }
    }

    /// The body point that is at this global place in the start pose.
    pub fn global(point: impl Components) -> Marker {
        Marker {
            point: point.vector(),
            given: Given::Globally,
        }
    }

    /// Refers the marker to the centre of mass. A point body is its own only point.
    pub fn place(&mut self, site: &Site) {
        self.point = match self.given {
            Given::Globally if site.oriented => site.pose.local_point(self.point),
            Given::Globally => [0.0; 3],
            Given::OnBody => sub(self.point, site.centre_of_mass),
            Given::Placed => self.point,
        };
        self.given = Given::Placed;
    }
}

impl Default for Marker {
    fn default() -> Marker {
        Marker::ORIGIN
    }
}

impl From<[f64; 2]> for Marker {
    fn from(point: [f64; 2]) -> Marker {
        Marker::body(point)
    }
}

impl From<Vector> for Marker {
    fn from(point: Vector) -> Marker {
        Marker::body(point)
    }
}

/// A unit direction fixed in a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Components; in body axes once the axis is placed.
    pub direction: Vector,
    /// What they refer to.
    pub given: Given,
}

impl Axis {
    /// A direction in the body frame.
    pub fn body(direction: impl Components) -> Axis {
        Axis {
            direction: direction.vector(),
            given: Given::OnBody,
        }
    }

    /// The body direction that has these global components in the start pose.
    pub fn global(direction: impl Components) -> Axis {
        Axis {
            direction: direction.vector(),
            given: Given::Globally,
        }
    }

    /// Expresses the axis in body axes as a unit vector (left as it is when zero).
    pub fn place(&mut self, site: &Site) {
        self.direction = match self.given {
            Given::Globally => unit(site.pose.local_direction(self.direction)),
            Given::OnBody => unit(self.direction),
            Given::Placed => self.direction,
        };
        self.given = Given::Placed;
    }

    /// Whether this is a direction at all.
    pub fn is_valid(&self) -> bool {
        let length = norm(self.direction);
        length > 0.0 && length.is_finite()
    }
}

impl Default for Axis {
    /// Along z.
    fn default() -> Axis {
        Axis::global([0.0, 0.0, 1.0])
    }
}

impl From<[f64; 2]> for Axis {
    fn from(direction: [f64; 2]) -> Axis {
        Axis::body(direction)
    }
}

impl From<Vector> for Axis {
    fn from(direction: Vector) -> Axis {
        Axis::body(direction)
    }
}
