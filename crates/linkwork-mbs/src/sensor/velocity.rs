//! Velocity of a point of a body, in its own axes.

use super::{MAX_QUANTITIES, Reading};
use crate::geometry::{Frame, Marker, Site, Vector};
use crate::part::{Keys, Kind, Part};
use linkwork_dae::scalar::Scalar;

/// Velocity of a point of body b in the axes of the body: `name.x`, `name.y`, `name.z`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VelocitySensor {
    /// The point.
    pub point: Marker,
}

impl VelocitySensor {
    /// Of a body point.
    pub fn at(point: impl Into<Marker>) -> VelocitySensor {
        let point = point.into();
        VelocitySensor { point }
    }
}

impl Kind for VelocitySensor {
    const NAME: &'static str = "velocity";
    const SUMMARY: &'static str =
        "Velocity of a point of a body in the axes of the body: ahead, to the side, up.";
}

impl Part for VelocitySensor {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.point(&mut self.point);
    }
}

impl Reading for VelocitySensor {
    const CHANNELS: &'static [(&'static str, &'static str)] =
        &[(".x", "m/s"), (".y", "m/s"), (".z", "m/s")];
    const SINGLE: bool = true;

    fn points(&self) -> [Option<Vector>; 2] {
        [None, Some(self.point.point)]
    }
    fn put(&mut self, _: &Site, b: &Site) {
        self.point.place(b);
    }
    fn read<S: Scalar>(&self, _: &Frame<S>, b: &Frame<S>, _: &[f64]) -> [S; MAX_QUANTITIES] {
        let [x, y, z] = b.pose.turn_back(b.velocity_at(self.point.point));
        let zero = S::from(0.0);
        [x, y, z, zero, zero, zero]
    }
}
