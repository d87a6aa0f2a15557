//! Position and velocity of a point of a body.

use super::{MAX_QUANTITIES, Reading};
use crate::geometry::{Frame, Marker, Site, Vector};
use crate::kernel::{Flat, Space};
use crate::part::{Keys, Kind, Part};
use linkwork_dae::scalar::Scalar;

/// Position and velocity of a point of body b: `name.x`, `name.y`, `name.z`, each also with `.velocity`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointSensor {
    /// The point.
    pub point: Marker,
}

impl PointSensor {
    /// Of a body point.
    pub fn at(point: impl Into<Marker>) -> PointSensor {
        let point = point.into();
        PointSensor { point }
    }
}

impl Kind for PointSensor {
    const NAME: &'static str = "point";
    const SUMMARY: &'static str = "Position and velocity of a point of a body.";
}

impl Part for PointSensor {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.point(&mut self.point);
    }
}

impl Reading for PointSensor {
    const CHANNELS: &'static [(&'static str, &'static str)] = &[
        (".x", "m"),
        (".y", "m"),
        (".z", "m"),
        (".x.velocity", "m/s"),
        (".y.velocity", "m/s"),
        (".z.velocity", "m/s"),
    ];
    const SINGLE: bool = true;

    fn points(&self) -> [Option<Vector>; 2] {
        [None, Some(self.point.point)]
    }
    fn put(&mut self, _: &Site, b: &Site) {
        self.point.place(b);
    }
    fn read<S: Scalar>(&self, _: &Frame<S>, b: &Frame<S>, _: &[f64]) -> [S; MAX_QUANTITIES] {
        let (p, v) = (
            b.pose.point(self.point.point),
            b.velocity_at(self.point.point),
        );
        [p[0], p[1], p[2], v[0], v[1], v[2]]
    }
    fn flatten(&self, _: &Frame, b: &Frame, out: &mut [f64; MAX_QUANTITIES]) {
        let arm = Flat::arm(b, &self.point.point);
        let v = Flat::velocity(b, &self.point.point, arm);
        out[3..5].copy_from_slice(&v);
    }
}
