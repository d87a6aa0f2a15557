//! Displacement along an axis and its rate.

use super::{MAX_QUANTITIES, Reading};
use crate::geometry::{Frame, Site, Vector, cross, dot, sub};
use crate::joint::Fixture;
use crate::joint::fixture::Way;
use crate::part::{Keys, Kind, Part};
use linkwork_dae::scalar::Scalar;

/// How far a point of body b is along an axis of body a from a point of body a: `name` and
/// `name.velocity`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DisplacementSensor {
    /// Points and axis.
    pub fixture: Fixture,
}

impl Kind for DisplacementSensor {
    const NAME: &'static str = "displacement";
    const SUMMARY: &'static str = "How far a point of body_b is along an axis of body_a from a point of body_a, and \
              its rate.";
}

impl Part for DisplacementSensor {
    fn keys(&mut self, k: &mut Keys<'_>) {
        self.fixture.points(k);
        self.fixture.axis(k, Way::Along);
    }
}

impl Reading for DisplacementSensor {
    const CHANNELS: &'static [(&'static str, &'static str)] = &[("", "m"), (".velocity", "m/s")];

    fn points(&self) -> [Option<Vector>; 2] {
        [Some(self.fixture.a.point), Some(self.fixture.b.point)]
    }
    fn put(&mut self, a: &Site, b: &Site) {
        self.fixture.place(a, b);
    }
    fn read<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>, _: &[f64]) -> [S; MAX_QUANTITIES] {
        let mut out = [S::from(0.0); MAX_QUANTITIES];
        let (pa, pb) = (self.fixture.a.point, self.fixture.b.point);
        let axis = a.pose.direction(self.fixture.axis_a.direction);
        let d = sub(b.pose.point(pb), a.pose.point(pa));
        let rate = sub(b.velocity_at(pb), a.velocity_at(pa));
        out[0] = dot(axis, d);
        out[1] = dot(axis, rate) + dot(cross(a.spin(), axis), d);
        out
    }
}
