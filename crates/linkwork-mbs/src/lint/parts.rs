//! What the rules need to know of bodies, joints and forces.

use super::Scene;
use crate::body::{Body, Shape};
use crate::curve::Curve;
use crate::field::{Form, Key, Value};
use crate::geometry::{norm, sub};
use crate::handle::BodyRef;
use crate::part::Part;
use crate::units::Unit;

/// A body.
pub(super) struct Mass<'a> {
    pub name: &'a str,
    pub mass: f64,
    /// Smallest and largest moment of inertia about its axes, if it can turn.
    pub inertia: Option<[f64; 2]>,
    pub keys: Vec<Key>,
}

/// A joint or a force.
pub(super) struct Connector<'a> {
    pub name: &'a str,
    pub kind: &'static str,
    pub a: BodyRef,
    pub b: BodyRef,
    pub keys: Vec<Key>,
    fields: Vec<(&'static str, Value)>,
    /// Distance of the attachment points in the start pose, where there are two.
    pub apart: Option<f64>,
}

impl Connector<'_> {
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

impl Connector<'_> {
    /// Tables that become splines, with their keys.
    pub fn splines(&self) -> Vec<(&'static str, Curve)> {
        let point = |value: &Value| match value {
            Value::List(pair) => match pair[..] {
                [Value::Number(x), Value::Number(y)] => Some([x, y]),
                _ => None,
            },
            _ => None,
        };
        let curve = |(key, value): &(&'static str, Value)| match value {
            Value::List(list) => {
                let points: Option<Vec<[f64; 2]>> = list.iter().map(point).collect();
                Some((*key, Curve::table(&points?).ok()?))
            }
            _ => None,
        };
        let tables = (self.keys.iter()).filter(|k| k.form == Form::Curve);
        let names: Vec<&str> = tables.map(|k| k.name).collect();
        (self.fields.iter())
            .filter(|(key, _)| names.contains(key))
            .filter_map(curve)
            .collect()
    }
}

impl<'a> Mass<'a> {
    fn of(b: &'a Body) -> Mass<'a> {
        Mass {
            name: &b.name,
            mass: b.mass,
            inertia: match &b.shape {
                Shape::Rigid { inertia: j } => {
                    let [x, y, z] = [j[0][0], j[1][1], j[2][2]];
                    Some([x.min(y).min(z), x.max(y).max(z)])
                }
                Shape::Planar { inertia, .. } => Some([*inertia; 2]),
                Shape::Point | Shape::Bead | Shape::Modal(_) | Shape::Target { .. } => None,
            },
            keys: b.draft().list(),
        }
    }
}

impl Scene<'_> {
    /// All bodies.
    pub(super) fn masses(&self) -> Vec<Mass<'_>> {
        self.model.bodies.iter().map(Mass::of).collect()
    }

    /// One body; `None` for the ground.
    pub(super) fn mass(&self, body: BodyRef) -> Option<Mass<'_>> {
        self.model.bodies.get(body.index()?).map(Mass::of)
    }

    /// All joints.
    pub(super) fn joints(&self) -> Vec<Connector<'_>> {
        (self.model.joints.iter())
            .map(|j| Connector {
                name: &j.name,
                kind: j.joint.kind(),
                a: j.a,
                b: j.b,
                keys: j.joint.list(),
                fields: j.joint.fields(),
                apart: None,
            })
            .collect()
    }

    /// All forces.
    pub(super) fn forces(&self) -> Vec<Connector<'_>> {
        let place = |body, p| self.model.site(body).pose.point(p);
        (self.model.forces.iter())
            .map(|f| Connector {
                name: &f.name,
                kind: f.force.kind(),
                a: f.a,
                b: f.b,
                keys: f.force.list(),
                fields: f.force.fields(),
                apart: match f.force.markers() {
                    [Some(p), Some(q)] => Some(norm(sub(place(f.b, q), place(f.a, p)))),
                    _ => None,
                },
            })
            .collect()
    }
}
