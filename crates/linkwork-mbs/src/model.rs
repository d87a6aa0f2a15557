//! A mechanism as its author describes it: plain data, checked when it is assembled.
//!
//! ```
//! use linkwork_mbs::{Body, BodyRef, Model, joint::Revolute};
//!
//! let mut model = Model::new("pendulum").gravity([0.0, -9.81]);
//! let rod = model.add_body(Body::rigid("rod", 1.0, 0.1).at([0.5, 0.0]));
//! model.add_joint("hinge", BodyRef::GROUND, rod, Revolute::at([0.0, 0.0]));
//! let system = linkwork_mbs::assemble(&model)?;
//! # use linkwork_dae::system::System;
//! assert_eq!(system.dims().nc, 2);
//! # Ok::<(), linkwork_mbs::ModelError>(())
//! ```

use crate::body::Body;
use crate::control::{Control, output_name};
use crate::force::Force;
use crate::handle::BodyRef;
use crate::joint::Joint;
use crate::sensor::Sensor;
use crate::shape::Shape;
use crate::space::{Site, Vector};
use crate::spatial::Mechanism;
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

/// A control with its name.
#[derive(Clone, Debug)]
pub struct NamedControl {
    /// Unique name.
    pub name: String,
    /// The law.
    pub control: Arc<dyn Control>,
    /// Typical size of its states.
    pub scale: f64,
}

/// A mechanism: planar, or in space where [`Model::spatial`] says so.
///
/// Adding never fails; names and parameters are checked by [`crate::assemble()`]. Places given in
/// global coordinates refer to the start poses that the bodies have when an element is added.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Name of the model.
    pub name: String,
    /// Acceleration of gravity, m/s^2.
    pub gravity: Vector,
    /// Start time, s.
    pub start_time: f64,
    /// Typical length, m; `None`: the size of the mechanism.
    pub length: Option<f64>,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<NamedJoint>,
    /// Forces.
    pub forces: Vec<NamedForce>,
    /// Sensors.
    pub sensors: Vec<NamedSensor>,
    /// Controls.
    pub controls: Vec<NamedControl>,
    /// How bodies look.
    pub shapes: Vec<Shape>,
    /// The mechanism of a model in space, which has no planar bodies, joints, forces, sensors and
    /// gravity.
    pub spatial: Option<Mechanism>,
}

impl Model {
    /// A model without bodies and gravity.
    pub fn new(name: impl Into<String>) -> Model {
        Model {
            name: name.into(),
            ..Model::default()
        }
    }

    /// Sets the acceleration of gravity.
    #[must_use]
    pub fn gravity(mut self, gravity: Vector) -> Model {
        self.gravity = gravity;
        self
    }

    /// Sets the typical length that absolute tolerances refer to.
    #[must_use]
    pub fn length(mut self, length: f64) -> Model {
        self.length = Some(length);
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

    /// Adds a control whose states are of the order of one.
    pub fn add_control(&mut self, name: impl Into<String>, control: impl Into<Box<dyn Control>>) {
        self.controls.push(NamedControl {
            name: name.into(),
            control: control.into().into(),
            scale: 1.0,
        });
    }

    /// Adds a shape, whose place is given in the frame of its body.
    pub fn add_shape(&mut self, mut shape: Shape) {
        let body = self.spatial.as_ref().and_then(|m| m.body(shape.body));
        if let Some(body) = body {
            // from here on the origin of a body is its centre of mass
            shape.position = [0, 1, 2].map(|k| shape.position[k] - body.centre_of_mass[k]);
        }
        self.shapes.push(shape);
    }

    /// Names of all signals that formulas of forces and controls may use.
    pub fn signals(&self) -> Vec<String> {
        let mut names = Vec::new();
        for body in &self.bodies {
            for what in &["x", "y", "angle"][..body.coordinates()] {
                names.push(format!("{}.{what}", body.name));
                names.push(format!("{}.{what}.velocity", body.name));
            }
        }
        for sensor in &self.sensors {
            let channels = sensor.sensor.channels().iter();
            names.extend(channels.map(|(suffix, _)| format!("{}{suffix}", sensor.name)));
        }
        if let Some(mechanism) = &self.spatial {
            names.extend(mechanism.signals());
        }
        for control in &self.controls {
            let outputs = control.control.outputs();
            names.extend((0..outputs).map(|i| output_name(&control.name, outputs, i)));
        }
        names
    }

    /// Numbers of bodies, joints and forces.
    pub fn counts(&self) -> [usize; 3] {
        match &self.spatial {
            Some(m) => [m.bodies.len(), m.joints.len(), m.forces.len()],
            None => [self.bodies.len(), self.joints.len(), self.forces.len()],
        }
    }

    /// A body of this model; `None` for the ground and for bodies of other models.
    pub fn body(&self, body: BodyRef) -> Option<&Body> {
        self.bodies.get(body.index()?)
    }

    /// The start pose of a body; that of the ground for a body of another model, which the
    /// assembly refuses.
    pub fn site(&self, body: BodyRef) -> Site {
        self.body(body).map_or(Site::GROUND, Body::site)
    }
}
