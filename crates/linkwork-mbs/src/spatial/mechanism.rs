//! The bodies, joints, forces and sensors of a model in space: plain data, checked when the model
//! is assembled.
//!
//! ```
//! use linkwork_mbs::BodyRef;
//! use linkwork_mbs::spatial::{Body, Mechanism, joint::Spherical};
//!
//! let mut m = Mechanism::new().gravity([0.0, 0.0, -9.81]);
//! let rod = m.add_body(Body::rigid("rod", 1.0, [0.1, 0.1, 0.001]).at([0.0, 0.0, -0.5]));
//! m.add_joint("ball", BodyRef::GROUND, rod, Spherical::at([0.0; 3]));
//! let system = linkwork_mbs::assemble(&m.model("pendulum"))?;
//! # use linkwork_dae::system::System;
//! assert_eq!((system.dims().nv, system.dims().nc), (6, 3));
//! # Ok::<(), linkwork_mbs::ModelError>(())
//! ```

use super::body::Body;
use super::force::Force;
use super::geometry::{Site, Vector};
use super::joint::Joint;
use super::sensor::Sensor;
use crate::handle::BodyRef;
use crate::model::Model;
use std::sync::Arc;

/// A joint with its name and bodies.
#[derive(Clone, Debug)]
pub struct NamedJoint {
    /// Unique name.
    pub name: String,
    /// First body.
    pub a: BodyRef,
    /// Second body.
    pub b: BodyRef,
    /// The joint, in body coordinates.
    pub joint: Arc<dyn Joint>,
}

/// A force with its name and bodies.
#[derive(Clone, Debug)]
pub struct NamedForce {
    /// Unique name.
    pub name: String,
    /// First body; the ground for forces on a single body.
    pub a: BodyRef,
    /// Second body.
    pub b: BodyRef,
    /// The force, in body coordinates.
    pub force: Arc<dyn Force>,
}

/// A sensor with its name.
#[derive(Clone, Debug)]
pub struct NamedSensor {
    /// Unique name.
    pub name: String,
    /// What it measures, in body coordinates.
    pub sensor: Sensor,
}

/// Coordinates of the rotations of a mechanism.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rotation {
    /// Rotation vectors about a base that follows the motion.
    #[default]
    Vectors,
    /// Euler parameters with their norm as a constraint.
    EulerParameters,
}

impl Rotation {
    /// Names in model text.
    pub const NAMES: [&'static str; 2] = ["vectors", "euler-parameters"];

    /// Name in model text.
    pub fn name(self) -> &'static str {
        match self {
            Rotation::Vectors => Rotation::NAMES[0],
            Rotation::EulerParameters => Rotation::NAMES[1],
        }
    }
}

/// A mechanism in space.
///
/// Adding never fails; names and parameters are checked by [`crate::assemble()`]. Places given in
/// global coordinates refer to the start poses that the bodies have when an element is added.
#[derive(Clone, Debug, Default)]
pub struct Mechanism {
    /// Acceleration of gravity, m/s^2.
    pub gravity: Vector,
    /// Coordinates of the rotations.
    pub rotation: Rotation,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<NamedJoint>,
    /// Forces.
    pub forces: Vec<NamedForce>,
    /// Sensors.
    pub sensors: Vec<NamedSensor>,
}

impl Mechanism {
    /// A mechanism without bodies and gravity.
    pub fn new() -> Mechanism {
        Mechanism::default()
    }

    /// Sets the acceleration of gravity.
    #[must_use]
    pub fn gravity(mut self, gravity: Vector) -> Mechanism {
        self.gravity = gravity;
        self
    }

    /// Chooses the coordinates of the rotations.
    #[must_use]
    pub fn rotation(mut self, rotation: Rotation) -> Mechanism {
        self.rotation = rotation;
        self
    }

    /// Adds a body.
    pub fn add_body(&mut self, body: Body) -> BodyRef {
        self.bodies.push(body);
        BodyRef::from_index(self.bodies.len() - 1)
    }

    /// Adds a joint between two bodies or a body and the ground.
    pub fn add_joint(
        &mut self,
        name: impl Into<String>,
        a: BodyRef,
        b: BodyRef,
        joint: impl Into<Box<dyn Joint>>,
    ) {
        let mut joint = joint.into();
        joint.place(&self.site(a), &self.site(b));
        self.joints.push(NamedJoint {
            name: name.into(),
            a,
            b,
            joint: joint.into(),
        });
    }

    /// Adds a force; for one on a single body (b), `a` is the ground.
    pub fn add_force(
        &mut self,
        name: impl Into<String>,
        a: BodyRef,
        b: BodyRef,
        force: impl Into<Box<dyn Force>>,
    ) {
        let mut force = force.into();
        force.place(&self.site(a), &self.site(b));
        self.forces.push(NamedForce {
            name: name.into(),
            a,
            b,
            force: force.into(),
        });
    }

    /// Adds a sensor.
    pub fn add_sensor(&mut self, name: impl Into<String>, mut sensor: Sensor) {
        let (a, b) = sensor.bodies();
        sensor.place(&self.site(a), &self.site(b));
        self.sensors.push(NamedSensor {
            name: name.into(),
            sensor,
        });
    }

    /// A body of this mechanism; `None` for the ground and for bodies of other models.
    pub fn body(&self, body: BodyRef) -> Option<&Body> {
        self.bodies.get(body.index()?)
    }

    /// The start pose of a body; that of the ground for a body of another model, which the
    /// assembly refuses.
    pub fn site(&self, body: BodyRef) -> Site {
        self.body(body).map_or(Site::GROUND, Body::site)
    }

    /// The mechanism as a model.
    pub fn model(self, name: impl Into<String>) -> Model {
        let mut model = Model::new(name);
        model.spatial = Some(self);
        model
    }

    /// Names of the signals of bodies and sensors.
    pub(crate) fn signals(&self) -> Vec<String> {
        let mut names = Vec::new();
        for body in &self.bodies {
            let name = &body.name;
            for (what, _) in body.coordinates() {
                names.push(format!("{name}.{what}"));
                names.push(format!("{name}.{what}.velocity"));
            }
            if body.freedoms().len() == 6 {
                names.extend(["x", "y", "z"].map(|axis| format!("{name}.omega.{axis}")));
            }
        }
        for sensor in &self.sensors {
            let channels = sensor.sensor.channels().iter();
            names.extend(channels.map(|(suffix, _)| format!("{}{suffix}", sensor.name)));
        }
        names
    }
}
