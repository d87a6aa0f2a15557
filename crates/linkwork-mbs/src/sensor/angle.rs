//! Angle about an axis and its rate.

use super::{MAX_QUANTITIES, Reading};
use crate::geometry::{Frame, Site, atan2, cross, dot, lifted, nearest_turn, sub};
use crate::joint::Fixture;
use crate::joint::fixture::Way;
use crate::part::{Keys, Kind, Part};
use linkwork_dae::scalar::Scalar;

/// Angle about an axis of body a from a normal on body a to one on body b, over whole turns: `name` and
/// `name.velocity`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AngleSensor {
    /// Axis and normals.
    pub fixture: Fixture,
}

impl AngleSensor {
    /// The angle of body b minus that of body a, of bodies that move in the x-y plane.
    pub fn turn() -> AngleSensor {
        let fixture = Fixture::upright([0.0; 3], [0.0; 3]);
        AngleSensor { fixture }
    }
}

impl Kind for AngleSensor {
    const NAME: &'static str = "angle";
    const SUMMARY: &'static str = "Angle about an axis of body_a from a direction on body_a to one on body_b, over \
              whole turns, and its rate; zero in the start pose unless the normals say \
              otherwise.";
}

impl Part for AngleSensor {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.axes(k, Way::About);
        self.fixture.normals(k);
        self.fixture.measured(k);
    }
}

impl Reading for AngleSensor {
    const CHANNELS: &'static [(&'static str, &'static str)] =
        &[("", "rad"), (".velocity", "rad/s")];
    const ORIENTED: bool = true;

    fn put(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
    }
    fn counts(&self) -> bool {
        self.fixture.counts()
    }
    fn read<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>, turns: &[f64]) -> [S; MAX_QUANTITIES] {
        let mut out = [S::from(0.0); MAX_QUANTITIES];
        let fixture = &self.fixture;
        if !fixture.counts() {
            out[0] = fixture.angle(&a.pose, &b.pose, 0.0);
            let rate = b.omega[2] - a.omega[2];
            out[1] = if fixture.axis_a.direction[2] < 0.0 {
                -rate
            } else {
                rate
            };
            return out;
        }
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
        out
    }
}
