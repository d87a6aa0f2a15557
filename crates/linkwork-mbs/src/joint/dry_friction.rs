//! Dry friction that sticks: against turning about an axis of body a or sliding along it.
//!
//! ```text
//!  g = (w_b - w_a).u - speed    or    d/dt (u.d) - speed
//!  sticks: g = 0, |T| <= static_ratio F        slides: T = -sign(g) F
//! ```
//!
//! Between two shafts it is a clutch, against the ground a brake, with a speed of its own a belt. `F` is a formula of
//! time and signals; in a joint that presses it is that times the size of the joint's reaction. The friction of
//! contacts follows their normal force (`rigid_contact`).

use super::mounted::{Mounted, sits_on};
use super::{
    Fixture, JointEntry, JointPoint, JointTerms, MAX_ROWS, Reacts, Rolling, Want, by_scalar,
};
use crate::expr::Formula;
use crate::force::Against;
use crate::geometry::{Frame, Vector, add, cross, dot, sub};
use crate::part::{Keys, Part};
use crate::units::Unit;
use linkwork_dae::law::{Law, Limit};
use linkwork_dae::scalar::Scalar;

/// Dry friction with true sticking.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DryFriction {
    /// Points and axis.
    pub fixture: Fixture,
    /// Turning or sliding.
    pub against: Against,
    /// Torque of sliding friction, N m, or force, N; where a joint presses, over its reaction.
    pub coulomb: Formula,
    /// The joint whose reaction presses.
    pub pressed_by: Option<String>,
    /// Static over sliding friction.
    pub static_ratio: f64,
    /// Speed of body b against body a without slip, rad/s or m/s: that of a belt.
    pub speed: f64,
}

pub(super) const ENTRY: JointEntry = JointEntry {
    kind: "dry_friction",
    summary: "Dry friction that sticks, against turning about an axis or sliding along it: a clutch, a \
              brake, a belt.",
    in_plane: true,
    blank: || DryFriction::default().into(),
};

impl Part for DryFriction {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.against.keys(k, &mut self.fixture);
        let doc = "Torque of sliding friction in N m, or force in N; may name signals. With `pressed_by` over the \
                   force of that joint: the coefficient of friction, or that times the radius in m.";
        k.key("coulomb", Unit::None, doc)
            .like(2.0, 1.0)
            .of_signals(&mut self.coulomb);
        // examples have no other joint
        if k.draw().is_none() {
            let doc = "The joint whose reaction presses, by name.";
            k.key("pressed_by", Unit::None, doc)
                .or("nothing")
                .text(&mut self.pressed_by);
        }
        k.key("static_ratio", Unit::None, "Static over sliding friction.")
            .or(1.0)
            .like(1.5, 0.3)
            .at_least(1.0, &mut self.static_ratio);
        let doc =
            "Speed of body_b against body_a, in rad/s or m/s, at which it sticks: that of a belt.";
        k.key("speed", Unit::None, doc)
            .or(0.0)
            .number(&mut self.speed);
    }
}

/// The rate of the turn about an axis of body a, or of the displacement along it.
pub(super) fn slip<S: Scalar>(
    against: Against,
    fixture: &Fixture,
    a: &Frame<S>,
    b: &Frame<S>,
) -> S {
    let u = a.pose.direction(fixture.triad(0)[2]);
    let spin = a.spin();
    match against {
        Against::Turning => dot(u, sub(b.spin(), spin)),
        Against::Sliding => {
            let at = |frame: &Frame<S>, point: Vector| {
                let place = frame.pose.point(point);
                let arm = sub(place, frame.pose.position);
                (place, add(frame.velocity, cross(frame.spin(), arm)))
            };
            let ((pa, va), (pb, vb)) = (at(a, fixture.a.point), at(b, fixture.b.point));
            dot(u, sub(vb, va)) + dot(cross(spin, u), sub(pb, pa))
        }
    }
}

impl Rolling for DryFriction {
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        let mut out = [S::from(0.0); MAX_ROWS];
        out[0] = slip(self.against, &self.fixture, a, b) - self.speed;
        out
    }
}

impl Mounted for DryFriction {
    sits_on!(fixture: Fixture, evaluate_rolling);

    const KIND: &'static str = ENTRY.kind;
    const ROWS: &'static [&'static str] = &[];
    const VELOCITY_ROWS: &'static [&'static str] = &["slip"];

    fn oriented(&self) -> [bool; 2] {
        [true, self.against == Against::Turning]
    }
    fn attached(&self) -> [Option<Vector>; 2] {
        match self.against {
            Against::Turning => [None, None],
            Against::Sliding => [Some(self.fixture.a.point), Some(self.fixture.b.point)],
        }
    }
    fn exerts(&self) -> Reacts {
        let torque = self.against == Against::Turning;
        Reacts {
            force: !torque,
            torque,
        }
    }
    fn by_time(&self, _: &JointPoint<'_>) -> [f64; MAX_ROWS] {
        let mut out = [0.0; MAX_ROWS];
        out[0] = -self.speed;
        out
    }
    fn in_force(&self) -> Vec<(usize, Law)> {
        let ratio = self.static_ratio;
        vec![(0, Law::Dry(Limit::Given { ratio }))]
    }
    fn bears(&self) -> Option<&Formula> {
        Some(&self.coulomb)
    }
    fn pressed(&self) -> Option<&str> {
        self.pressed_by.as_deref()
    }
}
