//! The items of a model in space.

use super::{Ends, Kind, Outline, Reader, Table, ends, names};
use crate::body;
use crate::force;
use crate::joint::{self, BODY_KEYS};
use crate::sensor;
use crate::spatial::Mechanism;
use crate::spatial::body::{BODIES, Body, BodyEntry};
use crate::spatial::force::{FORCES, Force, ForceEntry};
use crate::spatial::joint::{JOINTS, Joint, JointEntry};
use crate::spatial::sensor::{SENSORS, Sensor, SensorEntry};

impl Reader<'_> {
    /// Reads the items of a model in space.
    pub(super) fn read_in_space(&mut self, outline: &Outline<'_>, mechanism: &mut Mechanism) {
        let bodies = outline.bodies.iter().map(|t| self.spatial_body(t));
        let bodies: Vec<_> = bodies.collect();
        let joints = outline.joints.iter().map(|t| self.spatial_joint(t));
        let joints: Vec<_> = joints.collect();
        let forces = outline.forces.iter().map(|t| self.spatial_force(t));
        let forces: Vec<_> = forces.collect();
        let sensors = outline.sensors.iter().map(|t| self.spatial_sensor(t));
        let sensors: Vec<_> = sensors.collect();
        if !self.errors.is_empty() {
            return;
        }
        // Without errors nothing was left out, so the indices behind `BodyRef` are right.
        for body in bodies.into_iter().flatten() {
            mechanism.add_body(body);
        }
        for (at, item) in joints.into_iter().flatten() {
            mechanism.add_joint(at.name, at.a, at.b, item);
        }
        for (at, item) in forces.into_iter().flatten() {
            mechanism.add_force(at.name, at.a, at.b, item);
        }
        for (name, sensor) in sensors.into_iter().flatten() {
            mechanism.add_sensor(name, sensor);
        }
    }

    fn spatial_body(&mut self, table: &Table) -> Option<Body> {
        let default = BODIES.first().map(|e| e.kind);
        let planar = &|kind: &str| body::BODIES.iter().any(|e| e.kind == kind);
        self.item("body", table, BODIES, default, planar, |fields, entry| {
            (entry.read)(fields)
        })
    }

    fn spatial_joint(&mut self, table: &Table) -> Option<(Ends, Box<dyn Joint>)> {
        let planar = &|kind: &str| joint::JOINTS.iter().any(|e| e.kind == kind);
        self.item("joint", table, JOINTS, None, planar, |fields, entry| {
            Ok((ends(fields)?, (entry.read)(fields)?))
        })
    }

    fn spatial_force(&mut self, table: &Table) -> Option<(Ends, Box<dyn Force>)> {
        let planar = &|kind: &str| force::FORCES.iter().any(|e| e.kind == kind);
        self.item("force", table, FORCES, None, planar, |fields, entry| {
            let force = (entry.read)(fields)?;
            if force.is_external() && fields.has("body_a") {
                return Err(fields
                    .error("body_a", format!("a {} acts on `body_b` alone", entry.kind))
                    .with_label("has no meaning here"));
            }
            Ok((ends(fields)?, force))
        })
    }

    fn spatial_sensor(&mut self, table: &Table) -> Option<(String, Sensor)> {
        let planar = &|kind: &str| sensor::SENSORS.iter().any(|e| e.kind == kind);
        self.item("sensor", table, SENSORS, None, planar, |fields, entry| {
            Ok((fields.name().to_string(), (entry.read)(fields)?))
        })
    }
}

impl Kind for BodyEntry {
    fn kind(&self) -> &'static str {
        self.kind
    }
    fn keys(&self) -> Vec<&'static str> {
        names(&[self.keys])
    }
}

impl Kind for JointEntry {
    fn kind(&self) -> &'static str {
        self.kind
    }
    fn keys(&self) -> Vec<&'static str> {
        names(&[BODY_KEYS, self.keys])
    }
}

impl Kind for ForceEntry {
    fn kind(&self) -> &'static str {
        self.kind
    }
    fn keys(&self) -> Vec<&'static str> {
        names(&[BODY_KEYS, self.keys])
    }
}

impl Kind for SensorEntry {
    fn kind(&self) -> &'static str {
        self.kind
    }
    fn keys(&self) -> Vec<&'static str> {
        names(&[self.keys])
    }
}
