//! What the rules need to know of bodies, joints and forces, in the plane and in space alike.

use super::Scene;
use crate::body;
use crate::field::{Key, Value};
use crate::force::FORCES;
use crate::handle::BodyRef;
use crate::joint::JOINTS;
use crate::spatial;
use crate::units::Unit;

/// A body.
pub(super) struct Mass<'a> {
    pub name: &'a str,
    pub mass: f64,
    /// Smallest and largest moment of inertia about its axes, if it can turn.
    pub inertia: Option<[f64; 2]>,
    pub keys: &'static [Key],
}

/// A joint or a force.
pub(super) struct Link<'a> {
    pub name: &'a str,
    pub kind: &'static str,
    pub a: BodyRef,
    pub b: BodyRef,
    pub keys: &'static [Key],
    fields: Vec<(&'static str, Value)>,
    /// Distance of the attachment points in the start pose, where there are two.
    pub apart: Option<f64>,
}

impl Link<'_> {
    /// The number behind a key.
    pub fn number(&self, key: &str) -> Option<f64> {
        match self.fields.iter().find(|(name, _)| *name == key)?.1 {
            Value::Number(x) => Some(x),
            _ => None,
        }
    }

    /// The first number of a unit, with its key.
    pub fn parameter(&self, unit: Unit) -> Option<(&'static str, f64)> {
        let key = self.keys.iter().find(|k| k.unit == unit)?;
        Some((key.name, self.number(key.name)?))
    }
}

impl Scene<'_> {
    /// Acceleration of gravity; that of the plane has no third component.
    pub(super) fn gravity(&self) -> [f64; 3] {
        let [x, y] = self.model.gravity;
        self.model
            .spatial
            .as_ref()
            .map_or([x, y, 0.0], |m| m.gravity)
    }

    /// All bodies.
    pub(super) fn masses(&self) -> Vec<Mass<'_>> {
        if let Some(m) = &self.model.spatial {
            let in_space = |b: &'_ spatial::Body| {
                let entry = spatial::body::BODIES.iter().find(|e| e.kind == b.kind());
                entry.map_or(&[][..], |e| e.keys)
            };
            return (m.bodies.iter())
                .map(|b| Mass {
                    name: &b.name,
                    mass: b.mass,
                    inertia: match b.shape {
                        spatial::body::Shape::Rigid { inertia: j } => {
                            let [x, y, z] = [j[0][0], j[1][1], j[2][2]];
                            Some([x.min(y).min(z), x.max(y).max(z)])
                        }
                        spatial::body::Shape::Planar { inertia, .. } => Some([inertia; 2]),
                        spatial::body::Shape::Point => None,
                    },
                    keys: in_space(b),
                })
                .collect();
        }
        (self.model.bodies.iter())
            .map(|b| Mass {
                name: &b.name,
                mass: b.mass,
                inertia: match b.shape {
                    body::Shape::Rigid { inertia } => Some([inertia; 2]),
                    body::Shape::Point => None,
                },
                keys: (body::BODIES.iter().find(|e| e.kind == b.kind())).map_or(&[], |e| e.keys),
            })
            .collect()
    }

    /// One body; `None` for the ground.
    pub(super) fn mass(&self, body: BodyRef) -> Option<Mass<'_>> {
        let index = body.index()?;
        self.masses().into_iter().nth(index)
    }

    /// All joints.
    pub(super) fn joints(&self) -> Vec<Link<'_>> {
        if let Some(m) = &self.model.spatial {
            return (m.joints.iter())
                .map(|j| Link {
                    name: &j.name,
                    kind: j.joint.kind(),
                    a: j.a,
                    b: j.b,
                    keys: (spatial::joint::JOINTS.iter())
                        .find(|e| e.kind == j.joint.kind())
                        .map_or(&[], |e| e.keys),
                    fields: j.joint.fields(),
                    apart: None,
                })
                .collect();
        }
        (self.model.joints.iter())
            .map(|j| Link {
                name: &j.name,
                kind: j.joint.kind(),
                a: j.a,
                b: j.b,
                keys: (JOINTS.iter().find(|e| e.kind == j.joint.kind())).map_or(&[], |e| e.keys),
                fields: j.joint.fields(),
                apart: None,
            })
            .collect()
    }

    /// All forces.
    pub(super) fn forces(&self) -> Vec<Link<'_>> {
        if let Some(m) = &self.model.spatial {
            let place = |body, p| m.site(body).pose.point(p);
            return (m.forces.iter())
                .map(|f| Link {
                    name: &f.name,
                    kind: f.force.kind(),
                    a: f.a,
                    b: f.b,
                    keys: (spatial::force::FORCES.iter())
                        .find(|e| e.kind == f.force.kind())
                        .map_or(&[], |e| e.keys),
                    fields: f.force.fields(),
                    apart: match f.force.markers() {
                        [Some(p), Some(q)] => {
                            let d = spatial::geometry::sub(place(f.b, q), place(f.a, p));
                            Some(spatial::geometry::norm(d))
                        }
                        _ => None,
                    },
                })
                .collect();
        }
        let place = |body, p| self.model.site(body).pose.point(p);
        (self.model.forces.iter())
            .map(|f| Link {
                name: &f.name,
                kind: f.force.kind(),
                a: f.a,
                b: f.b,
                keys: (FORCES.iter().find(|e| e.kind == f.force.kind())).map_or(&[], |e| e.keys),
                fields: f.force.fields(),
                apart: match f.force.markers() {
                    [Some(p), Some(q)] => {
                        let (p, q) = (place(f.a, p), place(f.b, q));
                        Some((q[0] - p[0]).hypot(q[1] - p[1]))
                    }
                    _ => None,
                },
            })
            .collect()
    }
}
