//! Sensors: named output quantities beside those that bodies, joints and forces give
//! anyway. Controls and forces take them as signals, so their derivatives are known too.
//!
//! Adding a kind takes one file in `sensor/` and one row in [`SENSORS`]: list its keys ([`Part::keys`])
//! and write [`Reading`] once for any scalar.

mod angle;
mod displacement;
mod distance;
mod orientation;
mod point;
mod velocity;

pub use angle::AngleSensor;
pub use displacement::DisplacementSensor;
pub use distance::DistanceSensor;
pub use orientation::OrientationSensor;
pub use point::PointSensor;
pub use velocity::VelocitySensor;

use crate::field::{Form, Key};
use crate::geometry::{Frame, Site, Vector};
use crate::joint::by_scalar::{arbitrary, numbers};
use crate::joint::{BODY_KEYS, COLUMNS, MAX_TURNS};
use crate::lanes::Lanes;
use crate::part::{Entry, OfKind, Part};
use crate::units::Unit;
use linkwork_dae::scalar::{Dual, Scalar};

/// Columns of a gradient: freedoms of both bodies, then their velocities.
pub const GRADIENT_COLUMNS: usize = 2 * COLUMNS;
/// Most quantities of a sensor.
pub const MAX_QUANTITIES: usize = 6;
/// Derivatives of the quantities of a sensor.
pub type Gradient = [[f64; GRADIENT_COLUMNS]; MAX_QUANTITIES];

/// A kind of sensor with its parameters; stored behind a pointer. There is no need to write this:
/// [`Reading`] gives all of it.
pub trait Sensor: Part + OfKind {
    /// Whether it looks at a single body, b; body a is the ground.
    fn is_single(&self) -> bool;

    /// The points on the two bodies, from their centres of mass once placed.
    fn markers(&self) -> [Option<Vector>; 2];

    /// Whether both bodies must have an orientation.
    fn needs_orientation(&self) -> bool;

    /// Refers points and directions to body axes, using the start poses.
    fn place(&mut self, a: &Site, b: &Site);

    /// The output quantities as (suffix to the name, unit), at most [`MAX_QUANTITIES`].
    fn channels(&self) -> &'static [(&'static str, &'static str)];

    /// Number of angles that may pass whole turns.
    fn turns(&self) -> usize;

    /// Renews the remembered angles.
    fn wind(&self, a: &Frame, b: &Frame, turns: &mut [f64]);

    /// The output quantities in numbers; `flat`: of bodies that move in the x-y plane.
    fn values(&self, a: &Frame, b: &Frame, turns: &[f64], flat: bool) -> [f64; MAX_QUANTITIES];

    /// Derivatives of the quantities along the tangent and by the velocities.
    fn gradient(&self, a: &Frame, b: &Frame, turns: &[f64], out: &mut Gradient);

    /// Columns in which the derivative of a quantity can be nonzero, found at a few states in
    /// general position, in the x-y plane where `flat`.
    fn gradient_columns(&self, quantity: usize, flat: bool) -> Vec<usize> {
        let mut draw = numbers(0.297);
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
}

impl<R: Sensor + 'static> From<R> for Box<dyn Sensor> {
    fn from(sensor: R) -> Box<dyn Sensor> {
        Box::new(sensor)
    }
}

/// What a sensor reads, written once for any scalar.
pub trait Reading: Part + OfKind {
    /// The output quantities as (suffix to the name, unit).
    const CHANNELS: &'static [(&'static str, &'static str)];
    /// Whether it looks at body b alone.
    const SINGLE: bool = false;
    /// Whether both bodies must have an orientation.
    const ORIENTED: bool = false;

    /// The points on the two bodies, where it has any.
    fn points(&self) -> [Option<Vector>; 2] {
        [None, None]
    }

    /// Refers points and directions to body axes, using the start poses.
    fn put(&mut self, a: &Site, b: &Site);

    /// Whether its first quantity is an angle that is counted over whole turns.
    fn counts(&self) -> bool {
        false
    }

    /// The output quantities.
    fn read<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>, turns: &[f64]) -> [S; MAX_QUANTITIES];

    /// What is computed in another way for bodies that move in the x-y plane.
    fn flatten(&self, a: &Frame, b: &Frame, out: &mut [f64; MAX_QUANTITIES]) {
        let _ = (a, b, out);
    }
}

impl<R: Reading> Sensor for R {
    fn is_single(&self) -> bool {
        R::SINGLE
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        self.points()
    }
    fn needs_orientation(&self) -> bool {
        R::ORIENTED
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.put(a, b);
    }
    fn channels(&self) -> &'static [(&'static str, &'static str)] {
        R::CHANNELS
    }
    fn turns(&self) -> usize {
        usize::from(self.counts())
    }
    fn wind(&self, a: &Frame, b: &Frame, turns: &mut [f64]) {
        if let Some(turn) = turns.first_mut() {
            let angle: f64 = self.read(a, b, &[*turn])[0];
            if angle.is_finite() {
                *turn = angle;
            }
        }
    }
    fn values(&self, a: &Frame, b: &Frame, turns: &[f64], flat: bool) -> [f64; MAX_QUANTITIES] {
        let mut out = self.read(a, b, turns);
        if flat {
            self.flatten(a, b, &mut out);
        }
        out
    }
    fn gradient(&self, a: &Frame, b: &Frame, turns: &[f64], out: &mut Gradient) {
        type Wide = Frame<Dual<COLUMNS>>;
        let [of_a, of_b] = &Lanes::ALL.of;
        let along = self.read(&Wide::moved(a, of_a), &Wide::moved(b, of_b), turns);
        let by_rate = self.read(&Wide::faster(a, of_a), &Wide::faster(b, of_b), turns);
        for ((row, q), v) in out.iter_mut().zip(along).zip(by_rate) {
            row[..COLUMNS].copy_from_slice(&q.d);
            row[COLUMNS..].copy_from_slice(&v.d);
        }
    }
}

/// One kind of sensor.
pub type SensorEntry = Entry<dyn Sensor>;

const BODY: &[Key] = &[Key::required("body", Unit::None, "The body.").takes(Form::Word)];

impl SensorEntry {
    /// The keys that name the bodies.
    pub fn body_keys(&self) -> &'static [Key] {
        match (self.blank)().is_single() {
            true => BODY,
            false => BODY_KEYS,
        }
    }
}

/// All kinds of sensors.
pub static SENSORS: &[SensorEntry] = &[
    Entry::of::<PointSensor>(),
    Entry::of::<VelocitySensor>(),
    Entry::of::<DistanceSensor>(),
    Entry::of::<AngleSensor>(),
    Entry::of::<DisplacementSensor>(),
    Entry::of::<OrientationSensor>(),
];
