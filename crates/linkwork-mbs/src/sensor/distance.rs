//! Distance of two points and its rate.

use super::{MAX_QUANTITIES, Reading};
use crate::geometry::{Frame, Marker, Site, Vector, dot, sub};
use crate::kernel::{Ends, Flat, Space};
use crate::part::{Keys, Kind, Part};
use linkwork_dae::scalar::Scalar;

/// Distance of two points: `name` and `name.velocity`; the rate of a distance of zero is zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DistanceSensor {
    /// The point on body a.
    pub a: Marker,
    /// The point on body b.
    pub b: Marker,
}

impl DistanceSensor {
    /// Between two body points.
    pub fn between(a: impl Into<Marker>, b: impl Into<Marker>) -> DistanceSensor {
        let (a, b) = (a.into(), b.into());
        DistanceSensor { a, b }
    }
}

impl Kind for DistanceSensor {
    const NAME: &'static str = "distance";
    const SUMMARY: &'static str = "Distance of two points and its rate.";
}

impl Part for DistanceSensor {
    fn keys(&mut self, k: &mut Keys<'_>) {
        k.ends(&mut self.a, &mut self.b, "a distance needs two points");
    }
}

impl Reading for DistanceSensor {
    const CHANNELS: &'static [(&'static str, &'static str)] = &[("", "m"), (".velocity", "m/s")];

    fn points(&self) -> [Option<Vector>; 2] {
        [Some(self.a.point), Some(self.b.point)]
    }
    fn put(&mut self, a: &Site, b: &Site) {
        self.a.place(a);
        self.b.place(b);
    }
    fn read<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>, _: &[f64]) -> [S; MAX_QUANTITIES] {
        let mut out = [S::from(0.0); MAX_QUANTITIES];
        let (pa, pb) = (self.a.point, self.b.point);
        let d = sub(b.pose.point(pb), a.pose.point(pa));
        let square = dot(d, d);
        if square.value() > 0.0 {
            let length = square.sqrt();
            out[0] = length;
            out[1] = dot(d, sub(b.velocity_at(pb), a.velocity_at(pa))) / length;
        }
        out
    }
    fn flatten(&self, a: &Frame, b: &Frame, out: &mut [f64; MAX_QUANTITIES]) {
        let ends = Ends::<Flat>::new([a, b], [&self.a.point, &self.b.point]);
        let (d, v) = (ends.apart(), ends.velocity());
        let length = Flat::dot(d, d).sqrt();
        let rate = Flat::dot(d, v) / length;
        out[..2].copy_from_slice(&[length, if length > 0.0 { rate } else { 0.0 }]);
    }
}
