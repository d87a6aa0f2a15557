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

use super::by_scalar::derived;
use super::mounted::told;
use super::{Fixture, Joint, JointPoint, MAX_ROWS, Rolling, rows};
use crate::expr::Formula;
use crate::force::Against;
use crate::geometry::{Frame, Vector, add, cross, dot, sub};
use crate::part::{Keys, Kind, Part};
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

impl Kind for DryFriction {
    const NAME: &'static str = "dry_friction";
    const SUMMARY: &'static str = "Dry friction that sticks, against turning about an axis or sliding along it: a clutch, a \
              brake, a belt.";
}

impl Part for DryFriction {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.against.keys(k, &mut self.fixture);
        let doc = "Torque of sliding friction in N m, or force in N; may name signals, and is none while it is below \
                   zero. With `pressed_by` over the force of that joint: the coefficient of friction, or that times \
                   the radius in m.";
        k.key("coulomb", Unit::None, doc)
            .like(2.0, 1.0)
            .of_signals_not_negative(&mut self.coulomb);
        // examples have no other joint
        if k.draw().is_none() {
            let doc = "The joint whose reaction presses, by name: the force of a hinge, or that of a slide across its axis.";
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

/// What a joint has that holds one motion on its fixture, turning or sliding.
macro_rules! hinders {
    () => {
        fn needs_orientation(&self) -> [bool; 2] {
            [true, self.against == Against::Turning]
        }
        fn markers(&self) -> [Option<$crate::geometry::Vector>; 2] {
            let holds = self.against == Against::Sliding;
            [&self.fixture.a, &self.fixture.b].map(|marker| holds.then_some(marker.point))
        }
        fn reacts(&self) -> $crate::joint::Reacts {
            match self.against {
                Against::Turning => $crate::joint::Reacts::TORQUE,
                Against::Sliding => $crate::joint::Reacts::FORCE,
            }
        }
        fn place(&mut self, a: &$crate::geometry::Site, b: &$crate::geometry::Site) {
            self.fixture.place(a, b);
        }
    };
}
pub(super) use hinders;

impl Rolling for DryFriction {
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        rows([slip(self.against, &self.fixture, a, b) - self.speed])
    }
}

impl Joint for DryFriction {
    told!(&[], &["slip"]);
    derived!(evaluate_rolling);
    hinders!();
    fn c_t(&self, _: &JointPoint<'_>) -> [f64; MAX_ROWS] {
        let mut out = [0.0; MAX_ROWS];
        out[0] = -self.speed;
        out
    }
    fn laws(&self) -> Vec<(usize, Law)> {
        let ratio = self.static_ratio;
        vec![(0, Law::Dry(Limit::Given { ratio }))]
    }
    fn capacity(&self) -> Option<&Formula> {
        Some(&self.coulomb)
    }
    fn pressed_by(&self) -> Option<&str> {
        self.pressed_by.as_deref()
    }
}
