//! A mechanism as its author describes it: plain data, checked when it is assembled.
//!
//! ```
//! use linkwork_mbs::joint::{Revolute, Spherical};
//! use linkwork_mbs::{Body, BodyRef, Model};
//! # use linkwork_dae::system::System;
//!
//! let mut model = Model::planar("pendulum").gravity([0.0, -9.81]);
//! let rod = model.add_body(Body::planar("rod", 1.0, 0.1).at([0.5, 0.0]));
//! model.add_joint("hinge", BodyRef::GROUND, rod, Revolute::pin([0.0, 0.0]));
//! assert_eq!(linkwork_mbs::assemble(&model)?.facts().dims.nc, 2);
//!
//! let mut model = Model::new("pendulum in space").gravity([0.0, 0.0, -9.81]);
//! let rod = model.add_body(Body::rigid("rod", 1.0, [0.1, 0.1, 0.001]).at([0.0, 0.0, -0.5]));
//! model.add_joint("ball", BodyRef::GROUND, rod, Spherical::at([0.0; 3]));
//! let system = linkwork_mbs::assemble(&model)?;
//! assert_eq!((system.facts().dims.nv, system.facts().dims.nc), (6, 3));
//! # Ok::<(), linkwork_mbs::ModelError>(())
//! ```

use crate::ModelError;
use crate::body::Body;
use crate::control::{Control, output_name};
use crate::event::Event;
use crate::force::Force;
use crate::geometry::{Components, Site, Vector};
use crate::handle::BodyRef;
use crate::joint::Joint;
use crate::sensor::Sensor;
use crate::shape::Shape;
use linkwork_dae::law::Impacts;
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
    /// Further bodies of a joint that has more than two.
    pub further: Vec<BodyRef>,
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
    /// Further bodies of a force that has more than two.
    pub further: Vec<BodyRef>,
    /// The force, in body coordinates.
    pub force: Arc<dyn Force>,
    /// Whether its free length or angle is that of the start.
    pub rests_at_start: bool,
}

/// A sensor with its name.
#[derive(Clone, Debug)]
pub struct NamedSensor {
    /// Unique name.
    pub name: String,
    /// First body; the ground for a sensor that looks at one body.
    pub a: BodyRef,
    /// Second body.
    pub b: BodyRef,
    /// What it measures, in body coordinates.
    pub sensor: Arc<dyn Sensor>,
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

/// Coordinates of the rotations of a mechanism.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rotation {
    /// Rotation vectors about a base that follows the motion.
    #[default]
    Vectors,
    /// Euler parameters with their norm as a constraint.
    EulerParameters,
}

/// How a model is written and what is told of it: with x, y and angles, or in space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axes {
    /// x, y and z.
    #[default]
    Space,
    /// x and y; all bodies move in the plane.
    Plane,
}

/// A mechanism.
///
/// Adding never fails; names and parameters are checked by [`crate::assemble()`]. Places given in
/// global coordinates refer to the start poses that the bodies have when an element is added.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Name of the model.
    pub name: String,
    /// How it is written and told.
    pub axes: Axes,
    /// Acceleration of gravity, m/s^2.
    pub gravity: Vector,
    /// Coordinates of the rotations in space.
    pub rotation: Rotation,
    /// Start time, s.
    pub start_time: f64,
    /// Typical length, m; `None`: the size of the mechanism.
    pub length: Option<f64>,
    /// What several impacts at one time do.
    pub impacts: Impacts,
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
    /// What is done where something becomes true.
    pub events: Vec<Event>,
    /// How bodies look.
    pub shapes: Vec<Shape>,
}

impl Model {
    /// A model in space without bodies and gravity.
    pub fn new(name: impl Into<String>) -> Model {
        Model {
            name: name.into(),
            ..Model::default()
        }
    }

    /// A model in the x-y plane without bodies and gravity.
    pub fn planar(name: impl Into<String>) -> Model {
        Model {
            axes: Axes::Plane,
            ..Model::new(name)
        }
    }

    /// A planar model as one in space with planar bodies: the same mechanism, written and told with three
    /// components, to which bodies that move in space may be added.
    #[must_use]
    pub fn in_space(mut self) -> Model {
        self.axes = Axes::Space;
        self
    }

    /// Sets the name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Model {
        self.name = name.into();
        self
    }

    /// Sets the acceleration of gravity.
    #[must_use]
    pub fn gravity(mut self, gravity: impl Components) -> Model {
        self.gravity = gravity.vector();
        self
    }

    /// Chooses the coordinates of the rotations.
    #[must_use]
    pub fn rotation(mut self, rotation: Rotation) -> Model {
        self.rotation = rotation;
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
        self.add_joint_of(name, [a, b], &[], joint);
    }

    /// Adds a joint of more than two bodies.
    pub fn add_joint_of(
        &mut self,
        name: impl Into<String>,
        [a, b]: [BodyRef; 2],
        further: &[BodyRef],
        joint: impl Into<Box<dyn Joint>>,
    ) {
        let mut joint = joint.into();
        joint.place(&self.site(a), &self.site(b));
        let sides = [a, b].into_iter().chain(further.iter().copied());
        let sites: Vec<Site> = sides.map(|body| self.site(body)).collect();
        joint.place_further(&sites);
        self.joints.push(NamedJoint {
            name: name.into(),
            a,
            b,
            further: further.to_vec(),
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
        self.add_force_of(name, [a, b], &[], force);
    }

    /// Adds a force of more than two bodies.
    pub fn add_force_of(
        &mut self,
        name: impl Into<String>,
        [a, b]: [BodyRef; 2],
        further: &[BodyRef],
        force: impl Into<Box<dyn Force>>,
    ) {
        let mut force = force.into();
        let rests_at_start = force.rests_at_start();
        force.place(&self.site(a), &self.site(b));
        let sides = [a, b].into_iter().chain(further.iter().copied());
        let sites: Vec<Site> = sides.map(|body| self.site(body)).collect();
        force.place_further(&sites);
        self.forces.push(NamedForce {
            name: name.into(),
            a,
            b,
            further: further.to_vec(),
            force: force.into(),
            rests_at_start,
        });
    }

    /// Adds a sensor; for one that looks at a single body (b), `a` is the ground.
    pub fn add_sensor(
        &mut self,
        name: impl Into<String>,
        a: BodyRef,
        b: BodyRef,
        sensor: impl Into<Box<dyn Sensor>>,
    ) {
        let mut sensor = sensor.into();
        sensor.place(&self.site(a), &self.site(b));
        self.sensors.push(NamedSensor {
            name: name.into(),
            a,
            b,
            sensor: sensor.into(),
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

    /// The model with sampled controls as laws without clocks, see [`Control::continuous`]; an error where there are none.
    pub fn without_clocks(mut self) -> Result<Model, ModelError> {
        let mut any = false;
        for named in &mut self.controls {
            let refused = |why| ModelError::new(format!("control `{}`: {why}", named.name));
            if let Some(law) = named.control.continuous() {
                named.control = law.map_err(refused)?.into();
                any = true;
            }
        }
        match any {
            true => Ok(self),
            false => Err(ModelError::new("there is no sampled control".to_string())),
        }
    }

    /// Adds a shape, whose place is given in the frame of its body.
    pub fn add_shape(&mut self, mut shape: Shape) {
        // from here on the origin of a body is its centre of mass
        let centre = self.site(shape.body).centre_of_mass;
        shape.position = [0, 1, 2].map(|k| shape.position[k] - centre[k]);
        self.shapes.push(shape);
    }

    /// Names of all signals that formulas of forces and controls may use.
    pub fn signals(&self) -> Vec<String> {
        let mut names = Vec::new();
        for body in &self.bodies {
            for name in body.frames() {
                for (what, _) in body.coordinates() {
                    names.push(format!("{name}.{what}"));
                    names.push(format!("{name}.{what}.velocity"));
                }
                if body.freedoms().len() == 6 {
                    names.extend(["x", "y", "z"].map(|axis| format!("{name}.omega.{axis}")));
                }
            }
        }
        for sensor in &self.sensors {
            let channels = self.axes.told(sensor.sensor.channels()).into_iter();
            names.extend(channels.map(|(_, suffix, _)| format!("{}{suffix}", sensor.name)));
        }
        for control in &self.controls {
            let outputs = control.control.outputs();
            names.extend((0..outputs).map(|i| output_name(&control.name, outputs, i)));
        }
        for joint in &self.joints {
            names.extend(multiplier_names(&joint.name, &*joint.joint));
        }
        names
    }

    /// Numbers of bodies, joints and forces.
    pub fn counts(&self) -> [usize; 3] {
        [self.bodies.len(), self.joints.len(), self.forces.len()]
    }

    /// A body of this model; `None` for the ground and for bodies of other models.
    pub fn body(&self, body: BodyRef) -> Option<&Body> {
        let found = self.bodies.get(body.index()?)?;
        (body.frame() == 0 || body.frame() < found.frames().len()).then_some(found)
    }

    /// The start pose of a body; that of the ground for a body of another model, which the
    /// assembly refuses.
    pub fn site(&self, body: BodyRef) -> Site {
        let found = self.body(body);
        found.map_or(Site::GROUND, |found| found.site_of(body.frame()))
    }
}

/// Signals of the multipliers of a joint, by its rows.
pub(crate) fn multiplier_names(name: &str, joint: &dyn Joint) -> Vec<String> {
    match joint.rows() + joint.velocity_rows() {
        1 => vec![format!("{name}.multiplier")],
        rows => (1..=rows)
            .map(|row| format!("{name}.multiplier{row}"))
            .collect(),
    }
}

impl Axes {
    /// The other one.
    pub(crate) fn other(self) -> Axes {
        match self {
            Axes::Space => Axes::Plane,
            Axes::Plane => Axes::Space,
        }
    }

    /// The channels of an element that are told, with their numbers: in the plane those of the third
    /// axis are not.
    pub(crate) fn told(
        self,
        channels: &'static [(&'static str, &'static str)],
    ) -> Vec<(usize, &'static str, &'static str)> {
        let third = |name: &str| name.split('.').any(|part| part == "z");
        let all = channels.iter().enumerate();
        all.filter(|(_, (name, _))| self == Axes::Space || !third(name))
            .map(|(i, (name, unit))| (i, *name, *unit))
            .collect()
    }
}
