//! Sensors: named output quantities beside those that bodies, joints and forces give
//! anyway. Controls and forces take them as signals, so their derivatives are known too.

mod frame;

use crate::error::ModelError;
use crate::field::{Form, Key, Value};
use crate::geometry::{
    Frame, Marker, Pose, Site, Vector, add, atan2, cross, dot, lifted, nearest_turn, sub,
};
use crate::handle::BodyRef;
use crate::joint::fixture::{ALONG, ALONG_A, AXIS, AXIS_A, AXIS_B, NORMAL_A, NORMAL_B};
use crate::joint::{
    AT, AT_A, AT_B, BODY_A, BODY_B, COLUMNS, Fixture, MAX_TURNS, POINT_A, POINT_B,
    by_scalar::arbitrary, read_bodies, read_markers, write_markers,
};
use crate::kernel::{Ends, Flat, Space};
use crate::lanes::Lanes;
use crate::text::Fields;
use crate::units::Unit;
use linkwork_dae::scalar::{Dual, Scalar};

/// Columns of a gradient: freedoms of both bodies, then their velocities.
pub const GRADIENT_COLUMNS: usize = 2 * COLUMNS;
/// Most quantities of a sensor.
pub const MAX_QUANTITIES: usize = 6;
/// Derivatives of the quantities of a sensor.
pub type Gradient = [[f64; GRADIENT_COLUMNS]; MAX_QUANTITIES];

/// What is measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Sensor {
    /// Position and velocity of a body point: `name.x`, `name.y`, `name.z`, each also with
    /// `.velocity`.
    Point {
        /// The body.
        body: BodyRef,
        /// The point.
        point: Marker,
    },
    /// Velocity of a body point in the axes of the body: `name.x`, `name.y`, `name.z`.
    Velocity {
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
    /// Angle about an axis of body a from a normal on body a to one on body b, over whole turns:
    /// `name` and `name.velocity`.
    Angle {
        /// The first body.
        a: BodyRef,
        /// The second body.
        b: BodyRef,
        /// Axis and normals.
        fixture: Fixture,
    },
    /// How far a point of body b is along an axis of body a from a point of body a: `name` and
    /// `name.velocity`.
    Displacement {
        /// The first body.
        a: BodyRef,
        /// The second body.
        b: BodyRef,
        /// Points and axis.
        fixture: Fixture,
    },
    /// Yaw, pitch and roll of body b as seen from body a, and its angular velocity relative to a in
    /// the axes of b.
    Orientation {
        /// The first body.
        a: BodyRef,
        /// The second body.
        b: BodyRef,
        /// Frames on both bodies that are looked at instead: their x, y and z axes in body axes.
        frames: Option<[[Vector; 3]; 2]>,
    },
}

impl Sensor {
    /// The angle of body b minus that of body a, of bodies that move in the x-y plane.
    pub fn turn(a: BodyRef, b: BodyRef) -> Sensor {
        let fixture = Fixture::upright([0.0; 3], [0.0; 3]);
        Sensor::Angle { a, b, fixture }
    }

    /// Name of the kind in model text.
    pub fn kind(&self) -> &'static str {
        match self {
            Sensor::Point { .. } => "point",
            Sensor::Velocity { .. } => "velocity",
            Sensor::Distance { .. } => "distance",
            Sensor::Angle { .. } => "angle",
            Sensor::Displacement { .. } => "displacement",
            Sensor::Orientation { .. } => "orientation",
        }
    }

    /// The two bodies; a single one is the second, with the ground.
    pub fn bodies(&self) -> (BodyRef, BodyRef) {
        match *self {
            Sensor::Point { body, .. } | Sensor::Velocity { body, .. } => (BodyRef::GROUND, body),
            Sensor::Distance { a, b, .. }
            | Sensor::Angle { a, b, .. }
            | Sensor::Displacement { a, b, .. }
            | Sensor::Orientation { a, b, .. } => (a, b),
        }
    }

    /// The points on the two bodies, from their centres of mass once placed.
    pub fn markers(&self) -> [Option<Vector>; 2] {
        match self {
            Sensor::Point { point, .. } | Sensor::Velocity { point, .. } => {
                [None, Some(point.point)]
            }
            Sensor::Distance {
                point_a, point_b, ..
            } => [Some(point_a.point), Some(point_b.point)],
            Sensor::Displacement { fixture, .. } => [Some(fixture.a.point), Some(fixture.b.point)],
            Sensor::Angle { .. } | Sensor::Orientation { .. } => [None, None],
        }
    }

    /// Whether both bodies must have an orientation.
    pub fn needs_orientation(&self) -> bool {
        matches!(self, Sensor::Angle { .. } | Sensor::Orientation { .. })
    }

    /// Refers points and directions to body axes, using the start poses.
    pub fn place(&mut self, a: &Site, b: &Site) {
        match self {
            Sensor::Point { point, .. } | Sensor::Velocity { point, .. } => point.place(b),
            Sensor::Distance {
                point_a, point_b, ..
            } => {
                point_a.place(a);
                point_b.place(b);
            }
            Sensor::Angle { fixture, .. } | Sensor::Displacement { fixture, .. } => {
                fixture.place(a, b);
            }
            Sensor::Orientation { .. } => {}
        }
    }

    /// Refuses parameters without meaning.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Sensor::Angle { fixture, .. } | Sensor::Displacement { fixture, .. } => fixture.check(),
            _ => Ok(()),
        }
    }

    /// The output quantities as (suffix to the name, unit).
    pub fn channels(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Sensor::Point { .. } => &[
                (".x", "m"),
                (".y", "m"),
                (".z", "m"),
                (".x.velocity", "m/s"),
                (".y.velocity", "m/s"),
                (".z.velocity", "m/s"),
            ],
            Sensor::Velocity { .. } => &[(".x", "m/s"), (".y", "m/s"), (".z", "m/s")],
            Sensor::Distance { .. } | Sensor::Displacement { .. } => {
                &[("", "m"), (".velocity", "m/s")]
            }
            Sensor::Angle { .. } => &[("", "rad"), (".velocity", "rad/s")],
            Sensor::Orientation { .. } => &[
                (".yaw", "rad"),
                (".pitch", "rad"),
                (".roll", "rad"),
                (".omega.x", "rad/s"),
                (".omega.y", "rad/s"),
                (".omega.z", "rad/s"),
            ],
        }
    }

    /// Number of angles that may pass whole turns.
    pub fn turns(&self) -> usize {
        match self {
            Sensor::Angle { fixture, .. } => usize::from(fixture.counts()),
            _ => 0,
        }
    }

    /// Renews the remembered angles.
    pub fn wind(&self, a: &Frame, b: &Frame, turns: &mut [f64]) {
        if let Some(turn) = turns.first_mut()
            && matches!(self, Sensor::Angle { .. })
        {
            let angle: f64 = self.quantities(a, b, &[*turn])[0];
            if angle.is_finite() {
                *turn = angle;
            }
        }
    }

    /// The output quantities in numbers; `flat`: of bodies that move in the x-y plane.
    pub fn values(&self, a: &Frame, b: &Frame, turns: &[f64], flat: bool) -> [f64; MAX_QUANTITIES] {
        let mut out = self.quantities(a, b, turns);
        match self {
            Sensor::Point { point, .. } if flat => {
                let arm = Flat::arm(b, &point.point);
                let v = Flat::velocity(b, &point.point, arm);
                out[3..5].copy_from_slice(&v);
            }
            Sensor::Distance {
                point_a, point_b, ..
            } if flat => {
                let ends = Ends::<Flat>::new([a, b], [&point_a.point, &point_b.point]);
                let (d, v) = (ends.apart(), ends.velocity());
                let length = Flat::dot(d, d).sqrt();
                let rate = Flat::dot(d, v) / length;
                out[..2].copy_from_slice(&[length, if length > 0.0 { rate } else { 0.0 }]);
            }
            _ => {}
        }
        out
    }

    /// The output quantities, for any scalar; the rate of a distance of zero is zero.
    pub fn quantities<S: Scalar>(
        &self,
        a: &Frame<S>,
        b: &Frame<S>,
        turns: &[f64],
    ) -> [S; MAX_QUANTITIES] {
        let mut out = [S::from(0.0); MAX_QUANTITIES];
        match self {
            Sensor::Point { point, .. } => {
                let (p, v) = (b.pose.point(point.point), b.velocity_at(point.point));
                out[..3].copy_from_slice(&p);
                out[3..].copy_from_slice(&v);
            }
            Sensor::Velocity { point, .. } => {
                let v = b.pose.turn_back(b.velocity_at(point.point));
                out[..3].copy_from_slice(&v);
            }
            Sensor::Distance {
                point_a, point_b, ..
            } => {
                let (pa, pb) = (point_a.point, point_b.point);
                let d = sub(b.pose.point(pb), a.pose.point(pa));
                let square = dot(d, d);
                if square.value() > 0.0 {
                    let length = square.sqrt();
                    out[0] = length;
                    out[1] = dot(d, sub(b.velocity_at(pb), a.velocity_at(pa))) / length;
                }
            }
            Sensor::Angle { fixture, .. } if !fixture.counts() => {
                out[0] = fixture.angle(&a.pose, &b.pose, 0.0);
                let rate = b.omega[2] - a.omega[2];
                out[1] = if fixture.axis_a.direction[2] < 0.0 {
                    -rate
                } else {
                    rate
                };
            }
            Sensor::Angle { fixture, .. } => {
                let [normal, third, _] = fixture.triad(0);
                let to = b.pose.direction(fixture.triad(1)[0]);
                let seen = a.pose.turn_back(to);
                let x = dot(seen, lifted(normal));
                let y = dot(seen, lifted(third));
                let reference = turns.first().copied().unwrap_or(0.0);
                out[0] = nearest_turn(atan2(y, x), reference);
                // x' and y' of the normal of b as seen from a
                let relative = sub(a.pose.turn_back(b.spin()), a.omega);
                let rate = cross(relative, seen);
                let (dx, dy) = (dot(rate, lifted(normal)), dot(rate, lifted(third)));
                out[1] = (x * dy - y * dx) / (x * x + y * y);
            }
            Sensor::Displacement { fixture, .. } => {
                let (pa, pb) = (fixture.a.point, fixture.b.point);
                let axis = a.pose.direction(fixture.axis_a.direction);
                let d = sub(b.pose.point(pb), a.pose.point(pa));
                let rate = sub(b.velocity_at(pb), a.velocity_at(pa));
                out[0] = dot(axis, d);
                out[1] = dot(axis, rate) + dot(cross(a.spin(), axis), d);
            }
            Sensor::Orientation { frames, .. } => {
                let column = |j: usize| -> Vector<S> {
                    let r = &b.pose.rotation;
                    match frames {
                        None => a.pose.turn_back([r[0][j], r[1][j], r[2][j]]),
                        Some([on_a, on_b]) => {
                            let seen = a.pose.turn_back(b.pose.direction(on_b[j]));
                            on_a.map(|axis| dot(seen, lifted(axis)))
                        }
                    }
                };
                let (x, y, z) = (column(0), column(1), column(2));
                let flat = (x[0] * x[0] + x[1] * x[1]).sqrt();
                out[0] = atan2(x[1], x[0]);
                out[1] = atan2(-x[2], flat);
                out[2] = atan2(y[2], z[2]);
                let omega = add(b.omega, b.pose.turn_back(a.spin()).map(|x| -x));
                let omega = match frames {
                    None => omega,
                    Some([_, on_b]) => on_b.map(|axis| dot(omega, lifted(axis))),
                };
                out[3..].copy_from_slice(&omega);
            }
        }
        out
    }

    /// Derivatives of the quantities along the tangent and by the velocities.
    pub fn gradient(&self, a: &Frame, b: &Frame, turns: &[f64], out: &mut Gradient) {
        type Wide = Dual<COLUMNS>;
        let moved = |frame: &Frame, side: usize| Frame::<Wide> {
            pose: Pose::seeded(&frame.pose, &Lanes::ALL.of[side]),
            velocity: lifted(frame.velocity),
            omega: lifted(frame.omega),
        };
        let along = self.quantities(&moved(a, 0), &moved(b, 1), turns);
        let lanes = |x: Vector, first: usize| -> Vector<Wide> {
            std::array::from_fn(|i| Dual::variable(x[i], first + i))
        };
        let faster = |frame: &Frame, first: usize| Frame::<Wide> {
            pose: Pose::constant(&frame.pose),
            velocity: lanes(frame.velocity, first),
            omega: lanes(frame.omega, first + 3),
        };
        let by_rate = self.quantities(&faster(a, 0), &faster(b, COLUMNS / 2), turns);
        for ((row, q), v) in out.iter_mut().zip(along).zip(by_rate) {
            row[..COLUMNS].copy_from_slice(&q.d);
            row[COLUMNS..].copy_from_slice(&v.d);
        }
    }

    /// Columns in which the derivative of a quantity can be nonzero, found at a few states in
    /// general position, in the x-y plane where `flat`.
    pub fn gradient_columns(&self, quantity: usize, flat: bool) -> Vec<usize> {
        let mut seed = 0.297_f64;
        let mut draw = || {
            seed = (seed * 97.31 + 0.137).fract();
            2.0 * seed - 1.0
        };
        let mut found = [false; GRADIENT_COLUMNS];
        for _ in 0..4 {
            let (a, b) = (arbitrary(flat, &mut draw), arbitrary(flat, &mut draw));
            let mut gradient = [[0.0; GRADIENT_COLUMNS]; MAX_QUANTITIES];
            self.gradient(&a, &b, &[0.0; MAX_TURNS], &mut gradient);
            for (found, x) in found.iter_mut().zip(gradient[quantity]) {
                *found |= x != 0.0;
            }
        }
        (0..GRADIENT_COLUMNS).filter(|j| found[*j]).collect()
    }

    /// The parameters as keys of the model text (without the bodies).
    pub fn fields(&self) -> Vec<(&'static str, Value)> {
        match self {
            Sensor::Point { point, .. } | Sensor::Velocity { point, .. } => {
                vec![("point", Value::Vector(point.point))]
            }
            Sensor::Distance {
                point_a, point_b, ..
            } => write_markers(point_a, point_b),
            Sensor::Angle { fixture, .. } => {
                let mut fields = fixture.fields();
                fields.retain(|(key, _)| !key.starts_with("point") && *key != "angle");
                fields
            }
            Sensor::Displacement { fixture, .. } => {
                let mut fields = fixture.axis_fields();
                fields.retain(|(key, _)| *key != "axis_b");
                fields
            }
            Sensor::Orientation { frames, .. } => frame::fields(frames),
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
    /// Whether it has a meaning in planar models.
    pub in_plane: bool,
    /// The keys it understands besides `name` and `kind`.
    pub keys: &'static [Key],
    /// Reads a sensor.
    pub read: fn(&Fields<'_>) -> Result<Sensor, ModelError>,
}

const ON_A_POINT: &[Key] = &[
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
];

fn read_point(f: &Fields<'_>) -> Result<Marker, ModelError> {
    if !f.has("at") {
        return Ok(Marker::body(f.vector_or(
            "point",
            Unit::Length,
            [0.0; 3],
        )?));
    }
    if f.has("point") {
        return Err(f.error("point", "the global place of this point is given as well"));
    }
    Ok(Marker::global(f.vector("at", Unit::Length)?))
}

/// All kinds of sensors.
pub static SENSORS: &[SensorEntry] = &[
    SensorEntry {
        kind: "point",
        summary: "Position and velocity of a point of a body.",
        in_plane: true,
        keys: ON_A_POINT,
        read: |f| {
            Ok(Sensor::Point {
                body: f.body("body")?,
                point: read_point(f)?,
            })
        },
    },
    SensorEntry {
        kind: "velocity",
        summary: "Velocity of a point of a body in the axes of the body: ahead, to the side, up.",
        in_plane: true,
        keys: ON_A_POINT,
        read: |f| {
            Ok(Sensor::Velocity {
                body: f.body("body")?,
                point: read_point(f)?,
            })
        },
    },
    SensorEntry {
        kind: "distance",
        summary: "Distance of two points and its rate.",
        in_plane: true,
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
        summary: "Angle about an axis of body_a from a direction on body_a to one on body_b, over \
                  whole turns, and its rate; zero in the start pose unless the normals say \
                  otherwise.",
        in_plane: true,
        keys: &[BODY_A, BODY_B, AXIS, AXIS_A, AXIS_B, NORMAL_A, NORMAL_B],
        read: |f| {
            let (a, b) = read_bodies(f)?;
            let fixture = Fixture::read_angle(f)?;
            Ok(Sensor::Angle { a, b, fixture })
        },
    },
    SensorEntry {
        kind: "displacement",
        summary: "How far a point of body_b is along an axis of body_a from a point of body_a, and \
                  its rate.",
        in_plane: true,
        keys: &[
            BODY_A, BODY_B, AT, POINT_A, POINT_B, AT_A, AT_B, ALONG, ALONG_A,
        ],
        read: |f| {
            let (a, b) = read_bodies(f)?;
            let fixture = Fixture::read(f)?;
            Ok(Sensor::Displacement { a, b, fixture })
        },
    },
    SensorEntry {
        kind: "orientation",
        summary: "Yaw, pitch and roll of body_b as seen from body_a, and its relative angular \
                  velocity in the axes of body_b.",
        in_plane: false,
        keys: frame::KEYS,
        read: |f| {
            let (a, b) = read_bodies(f)?;
            let frames = frame::read(f)?;
            Ok(Sensor::Orientation { a, b, frames })
        },
    },
];
