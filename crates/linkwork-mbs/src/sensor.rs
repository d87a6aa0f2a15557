//! Sensors: named output quantities beside those that bodies, joints and forces give anyway.
//!
//! Controls and forces take them as signals, so their derivatives are known too.

mod gradient;

pub use gradient::{GRADIENT_COLUMNS, Gradient, MAX_QUANTITIES};

use crate::error::ModelError;
use crate::field::{Form, Key};
use crate::handle::BodyRef;
use crate::joint::{AT_A, AT_B, BODY_A, BODY_B, POINT_A, POINT_B, read_bodies, read_markers};
use crate::space::{Frame, Marker, Site, dot};
use crate::text::Fields;
use crate::units::Unit;

/// What is measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Sensor {
    /// Position and velocity of a body point: `name.x`, `name.y`, each also with `.velocity`.
    Point {
        /// The body.
        body: BodyRef,
        /// The point.
        point: Marker,
    },
    /// Distance of two points: `name` and `name.velocity`.
    Distance {
        /// The first body.
        a: BodyRef,
        /// Its point.
        point_a: Marker,
        /// The second body.
        b: BodyRef,
        /// Its point.
        point_b: Marker,
    },
    /// Angle of body b minus angle of body a: `name` and `name.velocity`.
    Angle {
        /// The first body.
        a: BodyRef,
        /// The second body.
        b: BodyRef,
    },
}

impl Sensor {
    /// The two bodies; a single one is the second, with the ground.
    pub fn bodies(&self) -> (BodyRef, BodyRef) {
        match *self {
            Sensor::Point { body, .. } => (BodyRef::GROUND, body),
            Sensor::Distance { a, b, .. } | Sensor::Angle { a, b } => (a, b),
        }
    }

    /// The points on the two bodies, in body coordinates once placed.
    pub fn markers(&self) -> [Marker; 2] {
        match self {
            Sensor::Point { point, .. } => [Marker::ORIGIN, *point],
            Sensor::Distance {
                point_a, point_b, ..
            } => [*point_a, *point_b],
            Sensor::Angle { .. } => [Marker::ORIGIN; 2],
        }
    }

    /// Whether both bodies must have an orientation.
    pub fn needs_orientation(&self) -> bool {
        matches!(self, Sensor::Angle { .. })
    }

    /// Expresses global points in body coordinates, using the start poses.
    pub fn place(&mut self, a: &Site, b: &Site) {
        match self {
            Sensor::Point { point, .. } => point.place(b),
            Sensor::Distance {
                point_a, point_b, ..
            } => {
                point_a.place(a);
                point_b.place(b);
            }
            Sensor::Angle { .. } => {}
        }
    }

    /// The output quantities as (suffix to the name, unit).
    pub fn channels(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Sensor::Point { .. } => &[
                (".x", "m"),
                (".y", "m"),
                (".x.velocity", "m/s"),
                (".y.velocity", "m/s"),
            ],
            Sensor::Distance { .. } => &[("", "m"), (".velocity", "m/s")],
            Sensor::Angle { .. } => &[("", "rad"), (".velocity", "rad/s")],
        }
    }

    /// Values of the output quantities; the rate of a distance of zero is zero.
    pub fn observe(&self, a: &Frame, b: &Frame, out: &mut [f64]) {
        let [pa, pb] = self.markers();
        match self {
            Sensor::Point { .. } => {
                let p = b.pose.point(pb.point);
                let v = b.velocity_at(b.pose.direction(pb.point));
                out.copy_from_slice(&[p[0], p[1], v[0], v[1]]);
            }
            Sensor::Distance { .. } => {
                let (p, q) = (a.pose.point(pa.point), b.pose.point(pb.point));
                let va = a.velocity_at(a.pose.direction(pa.point));
                let vb = b.velocity_at(b.pose.direction(pb.point));
                let d = [q[0] - p[0], q[1] - p[1]];
                let length = dot(d, d).sqrt();
                let rate = dot(d, [vb[0] - va[0], vb[1] - va[1]]);
                out[0] = length;
                out[1] = if length > 0.0 { rate / length } else { 0.0 };
            }
            Sensor::Angle { .. } => {
                out[0] = b.pose.angle - a.pose.angle;
                out[1] = b.omega - a.omega;
            }
        }
    }
}

/// One kind of sensor: documentation and reader.
#[derive(Clone, Copy, Debug)]
pub struct SensorEntry {
    /// Name in model text.
    pub kind: &'static str,
    /// What it measures, in one sentence.
    pub summary: &'static str,
    /// The keys it understands besides `name` and `kind`.
    pub keys: &'static [Key],
    /// Reads a sensor.
    pub read: fn(&Fields<'_>) -> Result<Sensor, ModelError>,
}

/// All kinds of sensors.
pub static SENSORS: &[SensorEntry] = &[
    SensorEntry {
        kind: "point",
        summary: "Position and velocity of a point of a body.",
        keys: &[
            Key::required("body", Unit::None, "The body.").takes(Form::Word),
            Key::optional(
                "point",
                Unit::Length,
                "origin of the body",
                "The point, in the frame of the body.",
            )
            .takes(Form::Vector),
            Key::optional(
                "at",
                Unit::Length,
                "not used",
                "Global place of the point in the start pose.",
            )
            .takes(Form::Vector),
        ],
        read: |f| {
            let point = if f.has("at") {
                if f.has("point") {
                    return Err(f.error("point", "the global place of this point is given as well"));
                }
                Marker::global(f.vector("at", Unit::Length)?)
            } else {
                Marker::body(f.vector_or("point", Unit::Length, [0.0; 2])?)
            };
            Ok(Sensor::Point {
                body: f.body("body")?,
                point,
            })
        },
    },
    SensorEntry {
        kind: "distance",
        summary: "Distance of two points and its rate.",
        keys: &[BODY_A, BODY_B, POINT_A, POINT_B, AT_A, AT_B],
        read: |f| {
            if f.has("at") {
                return Err(f.error("at", "a distance needs two points"));
            }
            let [point_a, point_b] = read_markers(f)?;
            let (a, b) = read_bodies(f)?;
            Ok(Sensor::Distance {
                a,
                point_a,
                b,
                point_b,
            })
        },
    },
    SensorEntry {
        kind: "angle",
        summary: "Angle of body_b minus angle of body_a, and its rate.",
        keys: &[BODY_A, BODY_B],
        read: |f| {
            let (a, b) = read_bodies(f)?;
            Ok(Sensor::Angle { a, b })
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Pose;

    #[test]
    fn a_point_on_a_spinning_body_moves_on_a_circle() {
        let body = Frame {
            pose: Pose::new([1.0, 2.0], std::f64::consts::FRAC_PI_2),
            velocity: [0.5, 0.0],
            omega: 3.0,
        };
        let sensor = Sensor::Point {
            body: BodyRef::from_index(0),
            point: Marker::body([2.0, 0.0]),
        };
        let mut out = [0.0; 4];
        sensor.observe(&Frame::GROUND, &body, &mut out);
        for (got, want) in out.iter().zip([1.0, 4.0, -5.5, 0.0]) {
            assert!((got - want).abs() < 1e-14, "{out:?}");
        }
    }
}
