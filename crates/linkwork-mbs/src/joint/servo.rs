//! Servo: a relative angle or displacement follows a signal.
//!
//! A prescribed motion has a position, a velocity and an acceleration that belong together; a signal (the output
//! of a controller, a sensor, a sampled value that jumps) need not have them. A servo therefore has a
//! target `s`, a coordinate of its own, that follows the signal `u` as a lag of second order does:
//!
//! ```text
//!  s'' = w^2 (u - s) - 2 d w s'        w = 2 pi frequency, d damping
//!  C = g(q) - s                        g the angle or displacement
//! ```
//!
//! The motion of the bodies is exactly that of the target, whatever force it takes. They do not act back on it: the
//! column of `s` in `C_q'` is cancelled by a force that follows the multiplier. At the start the target is where
//! the bodies are and moves as they do, so every start is consistent. Functions of time need no lag: `drive`.

use super::{Drive, Driven, Joint, JointPattern, JointPoint, JointTerms, Leg, Reacts, Want};
use crate::curve::Curve;
use crate::expr::Formula;
use crate::geometry::{Components, Site, Vector};
use crate::part::{Keys, Kind, OfKind, Part};
use crate::units::Unit;
use std::f64::consts::TAU;
use std::sync::Arc;

/// A drive that follows a signal through a lag of second order.
#[derive(Clone, Debug, PartialEq)]
pub struct Servo {
    /// What is moved, at the value zero.
    drive: Drive,
    /// The signal that is followed.
    pub signal: Formula,
    /// Frequency of the lag, Hz.
    pub frequency: f64,
    /// Its damping ratio.
    pub damping: f64,
    /// Where the bodies are at the start, once placed.
    start: f64,
}

/// A target that follows a signal.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The signal.
    pub signal: &'a Formula,
    /// `w`, rad/s.
    pub rate: f64,
    /// `d`.
    pub damping: f64,
    /// Whether it is an angle.
    pub angular: bool,
    /// Its value at the start.
    pub start: f64,
}

impl Servo {
    /// Lets the angle about a global direction of the start pose, where it is zero, follow a signal.
    pub fn angle(axis: impl Components, signal: Formula, frequency: f64) -> Servo {
        Servo::new(Drive::angle(axis, Curve::constant(0.0)), signal, frequency)
    }

    /// Lets the displacement along a global direction follow a signal, between the two body points that are at
    /// a global place in the start pose.
    pub fn displacement(
        place: impl Components,
        axis: impl Components,
        signal: Formula,
        frequency: f64,
    ) -> Servo {
        let drive = Drive::displacement(place, axis, Curve::constant(0.0));
        Servo::new(drive, signal, frequency)
    }

    fn new(drive: Drive, signal: Formula, frequency: f64) -> Servo {
        Servo {
            drive,
            signal,
            frequency,
            damping: 1.0,
            start: 0.0,
        }
    }
}

impl Kind for Servo {
    const NAME: &'static str = "servo";
    const SUMMARY: &'static str = "An angle about an axis of body_a or a displacement along it follows a signal, with a lag of second \
              order between signal and motion.";
}

impl Default for Servo {
    fn default() -> Servo {
        Servo::new(Drive::default(), Formula::constant(0.0), 1.0)
    }
}

impl Part for Servo {
    fn keys(&mut self, k: &mut Keys<'_>) {
        let driven = &mut self.drive.driven;
        driven.keys(k, "What follows: `angle` or `displacement`.");
        let doc = "What is followed, in rad or m: a formula of `t` and signals.";
        k.key("signal", driven.unit(k), doc)
            .formula(&mut self.signal);
        let doc = "Frequency of the lag: what is slower is followed.";
        k.key("frequency", Unit::Frequency, doc)
            .like(1.5, 1.0)
            .positive(&mut self.frequency);
        k.key("damping", Unit::None, "Damping ratio of the lag.")
            .or(1.0)
            .like(1.5, 1.0)
            .positive(&mut self.damping);
        self.drive.driven.seat(k, &mut self.drive.fixture);
    }
}

impl Part for LessTarget {
    fn keys(&mut self, _: &mut Keys<'_>) {}
}

impl Joint for Servo {
    fn row_names(&self) -> &'static [&'static str] {
        match self.drive.driven {
            Driven::Angle => &["angle of the target"],
            Driven::Displacement => &["displacement of the target"],
        }
    }
    fn needs_orientation(&self) -> [bool; 2] {
        self.drive.needs_orientation()
    }
    fn markers(&self) -> [Option<Vector>; 2] {
        self.drive.markers()
    }
    fn reacts(&self) -> Reacts {
        self.drive.reacts()
    }
    fn place(&mut self, a: &Site, b: &Site) {
        self.drive.place(a, b);
        self.start = self.drive.is(&a.pose, &b.pose, &[]);
    }
    fn pattern(&self, flat: bool) -> JointPattern {
        self.drive.pattern(flat)
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        self.drive.eval(at, want, out);
    }
    fn turns(&self) -> usize {
        self.drive.turns()
    }
    fn wind(&self, at: &JointPoint<'_>, turns: &mut [f64]) {
        self.drive.wind(at, turns);
    }
    fn legs(&self) -> Vec<Leg> {
        vec![Leg {
            sides: [None, Some(2)],
            joint: Arc::new(LessTarget),
        }]
    }
    fn target(&self) -> Option<Target<'_>> {
        Some(Target {
            signal: &self.signal,
            rate: TAU * self.frequency,
            damping: self.damping,
            angular: self.drive.driven == Driven::Angle,
            start: self.start,
        })
    }
}

/// `-s`, of the frame that has the target as its first coordinate.
#[derive(Clone, Copy, Debug)]
struct LessTarget;

/// Local column of the target.
const COLUMN: usize = 6;

impl OfKind for LessTarget {
    fn kind(&self) -> &'static str {
        Servo::NAME
    }
}

impl Joint for LessTarget {
    fn row_names(&self) -> &'static [&'static str] {
        &["target"]
    }
    fn needs_orientation(&self) -> [bool; 2] {
        [false, false]
    }
    fn reacts(&self) -> Reacts {
        Reacts {
            force: false,
            torque: false,
        }
    }
    fn place(&mut self, _: &Site, _: &Site) {}
    fn pattern(&self, _: bool) -> JointPattern {
        JointPattern {
            c_q: vec![(0, COLUMN as u8)],
            ..JointPattern::default()
        }
    }
    fn eval(&self, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
        if want.any(Want::LOAD) {
            out.load.fill(0.0);
            out.load[COLUMN] = -at.lambda.first().copied().unwrap_or(0.0);
        }
        out.c[0] = -at.b.pose.position[0];
        out.cv[0] = -at.b.velocity[0];
        out.gamma[0] = 0.0;
        out.c_q[0][COLUMN] = -1.0;
    }
}
