//! From links and joints to bodies, joints, forces and sensors.

use super::frame::{Frame, Moving};
use super::robot::{Joint, Kind, Link, Robot};
use super::topology::Tree;
use super::visual;
use crate::import::{Base, Choices, Note, Treatment};
use linkwork_dae::rotation::matrix;
use linkwork_mbs::body::Shape;
use linkwork_mbs::force::{Against, Friction, TorsionSpring};
use linkwork_mbs::geometry::{Matrix, apply_transposed, dot, perpendiculars, product};
use linkwork_mbs::joint::{Fixed, Fixture, Planar, Prismatic, Revolute};
use linkwork_mbs::sensor::{AngleSensor, DisplacementSensor};
use linkwork_mbs::{Body, BodyRef, Formula, Model, ModelError, shape as look};
use std::collections::BTreeSet;

/// Speed below which dry friction fades to zero, rad/s or m/s.
const TRANSITION_SPEED: f64 = 0.01;
/// What is said about it.
pub(super) const REGULARISED: &str =
    "regularised: it fades to zero below 0.01 rad/s or m/s, so a joint at rest creeps";

/// The mechanism with what there is to say about it.
pub(super) struct Built {
    pub mechanism: Model,
    /// How its bodies look.
    pub shapes: Vec<look::Shape>,
    pub used: Vec<String>,
    pub notes: Vec<Note>,
}

/// The body that carries a link, and where the link is on it.
#[derive(Clone, Copy)]
struct Carrier {
    body: BodyRef,
    frame: Frame,
}

/// Names that are taken; those of links come first.
struct Names(BTreeSet<String>);

impl Names {
    /// The wanted name, or the next that is free.
    fn take(&mut self, wanted: &str, other: &str) -> String {
        let mut name = wanted.to_string();
        if name == "ground" || name.trim().is_empty() || self.0.contains(&name) {
            name = format!("{wanted}{other}");
        }
        let stem = name.clone();
        let mut n = 2;
        while self.0.contains(&name) {
            name = format!("{stem}_{n}");
            n += 1;
        }
        self.0.insert(name.clone());
        name
    }
}

pub(super) fn build(
    robot: &Robot,
    tree: &Tree,
    states: &[Moving],
    choices: &Choices,
) -> Result<Built, Vec<ModelError>> {
    let mut builder = Builder {
        mechanism: Model::new("").gravity(choices.gravity),
        names: Names(BTreeSet::new()),
        notes: Vec::new(),
        errors: Vec::new(),
        merged: 0,
    };
    let ground = Carrier {
        body: BodyRef::GROUND,
        frame: Frame::default(),
    };
    let mut carriers = vec![ground; robot.links.len()];
    let root = &robot.links[tree.root];
    if choices.base == Base::Floating {
        carriers[tree.root] = builder.body(root, &states[tree.root]);
    } else if root.inertial.is_some() {
        builder.note(
            root.span.start,
            Treatment::NotUsed,
            "inertial",
            format!("link `{}`", root.name),
            "it is the ground",
        );
    }
    for &i in &tree.joints {
        let joint = &robot.joints[i];
        let link = &robot.links[joint.child];
        let parent = carriers[joint.parent];
        carriers[joint.child] = if joint.kind == Kind::Fixed && is_massless(link) {
            builder.merged += 1;
            Carrier {
                body: parent.body,
                frame: parent.frame.of(&joint.origin),
            }
        } else {
            builder.body(link, &states[joint.child])
        };
    }
    // After all bodies, whose names have precedence.
    for &i in &tree.joints {
        let joint = &robot.joints[i];
        let (a, b) = (carriers[joint.parent], carriers[joint.child]);
        if !(joint.kind == Kind::Fixed && is_massless(&robot.links[joint.child])) {
            builder.joint(joint, a, b);
        }
    }
    if builder.mechanism.bodies.is_empty() && builder.errors.is_empty() {
        let error = ModelError::new("no link of the robot can move").at(root.span.clone());
        let help = "the first link is the ground; a floating base sets it free";
        builder.errors.push(error.with_help(help));
    }
    if !builder.errors.is_empty() {
        return Err(builder.errors);
    }
    let mut shapes = Vec::new();
    for (link, carrier) in robot.links.iter().zip(&carriers) {
        for visual in &link.visuals {
            let name = builder.names.take(&format!("{}_shape", link.name), "");
            shapes.push(visual::shape(visual, name, carrier.body, &carrier.frame));
        }
    }
    let used = builder.used(root, choices);
    Ok(Built {
        shapes,
        mechanism: builder.mechanism,
        used,
        notes: builder.notes,
    })
}

fn is_massless(link: &Link) -> bool {
    let still = |m: &Matrix| m.as_flattened().iter().all(|x| *x == 0.0);
    let weightless = |i: &super::robot::Inertial| i.mass == 0.0 && still(&i.inertia);
    link.inertial.as_ref().is_none_or(weightless)
}

/// Moments of inertia in the axes of the link: `R J R'`.
pub(super) fn turned_inertia(inertia: &Matrix, by: &Frame) -> Matrix {
    let r = matrix(by.turn);
    let half = product(&r, inertia);
    let mut turned = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            turned[i][j] = dot(half[i], r[j]);
        }
    }
    // symmetric to the last bit, as the file has it
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        turned[j][i] = turned[i][j];
    }
    turned
}

struct Builder {
    mechanism: Model,
    names: Names,
    notes: Vec<Note>,
    errors: Vec<ModelError>,
    merged: usize,
}

impl Builder {
    fn note(&mut self, line: usize, treatment: Treatment, what: &str, whose: String, why: &str) {
        self.notes.push(Note {
            treatment,
            what: what.into(),
            whose,
            line,
            why: why.into(),
        });
    }

    fn named(&mut self, line: usize, kind: &str, wanted: &str) -> String {
        let name = self.names.take(wanted, &format!("_{kind}"));
        if name != wanted {
            let why = format!("called `{name}` in the model, where names are unique");
            self.note(
                line,
                Treatment::Changed,
                "name",
                format!("{kind} `{wanted}`"),
                &why,
            );
        }
        name
    }

    fn body(&mut self, link: &Link, state: &Moving) -> Carrier {
        let name = self.named(link.span.start, "link", &link.name);
        let mut body = Body::rigid(name, 0.0, [0.0; 3])
            .at(state.frame.at)
            .oriented(state.frame.turn);
        if let Some(inertial) = &link.inertial {
            body.mass = inertial.mass;
            body.centre_of_mass = inertial.origin.at;
            let inertia = turned_inertia(&inertial.inertia, &inertial.origin);
            body.shape = Shape::Rigid { inertia };
        }
        body.velocity = state.velocity_at(body.centre());
        body.angular_velocity = apply_transposed(&body.rotation(), state.spin);
        if let Err(e) = body.check() {
            let span = link.inertial.as_ref().map_or(&link.span, |i| &i.span);
            self.errors.push(e.at(span.clone()));
        }
        Carrier {
            body: self.mechanism.add_body(body),
            frame: Frame::default(),
        }
    }

    fn joint(&mut self, joint: &Joint, a: Carrier, b: Carrier) {
        if joint.kind == Kind::Floating {
            return;
        }
        let own = a.frame.of(&joint.origin);
        let normal = perpendiculars(joint.axis)[0];
        let fixture = Fixture {
            a: own.at.into(),
            b: [0.0; 3].into(),
            axis_a: own.direction(joint.axis).into(),
            axis_b: Some(joint.axis.into()),
            normal_a: Some(own.direction(normal).into()),
            normal_b: Some(normal.into()),
            ..Fixture::at([0.0; 3], joint.axis)
        };
        // Where normals do not matter, model text has none and they are found anew: the same here,
        // so that both give the same numbers to the last bit.
        let plain = Fixture {
            normal_a: None,
            normal_b: None,
            ..fixture.clone()
        };
        let name = self.named(joint.span.start, "joint", &joint.name);
        let (m, a, b) = (&mut self.mechanism, a.body, b.body);
        match joint.kind {
            Kind::Revolute | Kind::Continuous => {
                m.add_joint(name, a, b, Revolute::on(plain.clone()));
                let name = self.names.take(&format!("{}_angle", joint.name), "_sensor");
                let measured = fixture.clone();
                m.add_sensor(name, a, b, AngleSensor { fixture: measured });
                if joint.friction > 0.0 {
                    self.friction(joint, a, b, plain, Against::Turning);
                } else if joint.damping > 0.0 {
                    let name = self
                        .names
                        .take(&format!("{}_damping", joint.name), "_force");
                    let spring = TorsionSpring {
                        fixture,
                        stiffness: 0.0,
                        torque: None,
                        damping: joint.damping,
                        free_angle: Some(0.0),
                    };
                    m.add_force(name, a, b, spring);
                }
            }
            Kind::Prismatic => {
                m.add_joint(name, a, b, Prismatic::on(fixture));
                let name = format!("{}_displacement", joint.name);
                let name = self.names.take(&name, "_sensor");
                let measured = plain.clone();
                m.add_sensor(name, a, b, DisplacementSensor { fixture: measured });
                if joint.friction + joint.damping > 0.0 {
                    self.friction(joint, a, b, plain, Against::Sliding);
                }
            }
            Kind::Planar => m.add_joint(name, a, b, Planar::on(plain)),
            Kind::Fixed => m.add_joint(name, a, b, Fixed::on(fixture)),
            Kind::Floating => {}
        }
    }

    /// Dry friction and damping.
    fn friction(
        &mut self,
        joint: &Joint,
        a: BodyRef,
        b: BodyRef,
        fixture: Fixture,
        against: Against,
    ) {
        let name = self
            .names
            .take(&format!("{}_friction", joint.name), "_force");
        let friction = Friction {
            fixture,
            against,
            coulomb: Formula::constant(joint.friction),
            static_ratio: 1.0,
            stribeck_speed: 10.0 * TRANSITION_SPEED,
            transition_speed: TRANSITION_SPEED,
            viscous: joint.damping,
        };
        self.mechanism.add_force(name, a, b, friction);
    }

    fn used(&self, root: &Link, choices: &Choices) -> Vec<String> {
        let m = &self.mechanism;
        let count =
            |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let base = match choices.base {
            Base::Fixed => format!("link `{}` as the ground", root.name),
            Base::Floating => format!("link `{}` free to move", root.name),
        };
        let mut used = vec![
            base,
            count(m.bodies.len(), "link as a body", "links as bodies"),
            count(m.joints.len(), "joint", "joints"),
        ];
        if self.merged > 0 {
            let one = "link without inertia as part of the one it is fixed to";
            let many = "links without inertia as parts of those they are fixed to";
            used.push(count(self.merged, one, many));
        }
        if !m.forces.is_empty() {
            let one = "joint with damping or friction";
            used.push(count(
                m.forces.len(),
                one,
                "joints with damping or friction",
            ));
        }
        used
    }
}
