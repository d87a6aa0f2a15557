//! Tables joined by straight lines or by cubics that never leave the range of their ends.

use crate::expr::Strength;
use linkwork_dae::scalar::Scalar;

/// How the points of a table are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// By a natural cubic spline: curvature is continuous; between steep points it overshoots.
    Spline,
    /// By cubics whose slopes keep each piece between its ends: slope is continuous.
    Monotone,
    /// By straight lines: the slope jumps at every point.
    Linear,
}

impl Join {
    /// All of them, the one without a word first.
    pub const ALL: [Join; 3] = [Join::Spline, Join::Monotone, Join::Linear];

    /// Its word in model text.
    pub fn word(self) -> &'static str {
        match self {
            Join::Spline => "spline",
            Join::Monotone => "monotone",
            Join::Linear => "linear",
        }
    }

    /// The first derivative that jumps at points of the table.
    pub(super) fn strength(self) -> Strength {
        match self {
            Join::Spline => 3,
            Join::Monotone => 2,
            Join::Linear => 1,
        }
    }
}

/// A point of a table with the slope there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CurvePoint {
    pub x: f64,
    pub y: f64,
    slope: f64,
}

/// Points joined otherwise than by a spline.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Joined {
    pub points: Vec<CurvePoint>,
    pub join: Join,
}

impl Joined {
    /// Joins at least two points of rising abscissa.
    pub fn new(points: &[[f64; 2]], join: Join) -> Joined {
        let mut points: Vec<CurvePoint> = (points.iter())
            .map(|&[x, y]| CurvePoint { x, y, slope: 0.0 })
            .collect();
        if join == Join::Monotone {
            lean(&mut points);
        }
        Joined { points, join }
    }

    /// How many points there are at which the slope jumps: all but the ends, beyond which lines go on.
    pub fn corners(&self) -> usize {
        match self.join {
            Join::Linear => self.points.len() - 2,
            Join::Spline | Join::Monotone => 0,
        }
    }

    /// What changes its sign at one of them.
    pub fn corner(&self, index: usize, x: f64) -> f64 {
        self.points
            .get(index + 1)
            .map_or(f64::NAN, |point| x - point.x)
    }

    /// The line of the piece behind so many corners as have been passed, wherever `x` is.
    pub fn eval_frozen<S: Scalar>(&self, x: S, passed: &[bool]) -> S {
        let last = self.points.len() - 2;
        let k = passed.iter().take_while(|p| **p).count().min(last);
        let (a, b) = (self.points[k], self.points[k + 1]);
        (x - a.x) * ((b.y - a.y) / (b.x - a.x)) + a.y
    }

    /// Beyond the ends the curve goes on straight.
    pub fn eval<S: Scalar>(&self, x: S) -> S {
        let at = x.value();
        let n = self.points.len();
        // a NaN goes on as the last piece and stays one
        let k = self.points.partition_point(|p| p.x <= at).clamp(1, n - 1);
        let (a, b) = (self.points[k - 1], self.points[k]);
        let h = b.x - a.x;
        let chord = (b.y - a.y) / h;
        if self.join == Join::Linear {
            return (x - a.x) * chord + a.y;
        }
        if at < a.x {
            return (x - a.x) * a.slope + a.y;
        }
        if at > b.x {
            return (x - b.x) * b.slope + b.y;
        }
        // Hermite's cubic about the chord
        let (u, w) = ((x - a.x) / h, (-x + b.x) / h);
        let bow = u * w * w * (a.slope - chord) - u * u * w * (b.slope - chord);
        (x - a.x) * chord + a.y + bow * h
    }
}

/// Slopes that keep every piece monotone: none where the chords on both sides differ in sign, else their
/// weighted harmonic mean (Fritsch & Butland 1984); at the ends those of the parabola through three points,
/// cut to what keeps the piece monotone.
fn lean(p: &mut [CurvePoint]) {
    let n = p.len();
    let chord = |p: &[CurvePoint], k: usize| (p[k + 1].y - p[k].y) / (p[k + 1].x - p[k].x);
    for k in 1..n - 1 {
        let (h0, h1) = (p[k].x - p[k - 1].x, p[k + 1].x - p[k].x);
        let (d0, d1) = (chord(p, k - 1), chord(p, k));
        if d0 * d1 > 0.0 {
            let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
            p[k].slope = (w0 + w1) / (w0 / d0 + w1 / d1);
        }
    }
    let end = |h: [f64; 2], d: [f64; 2]| {
        let slope = ((2.0 * h[0] + h[1]) * d[0] - h[0] * d[1]) / (h[0] + h[1]);
        if slope * d[0] <= 0.0 {
            0.0
        } else if slope.abs() > 3.0 * d[0].abs() {
            3.0 * d[0]
        } else {
            slope
        }
    };
    if n == 2 {
        let d = chord(p, 0);
        (p[0].slope, p[1].slope) = (d, d);
        return;
    }
    let width = |p: &[CurvePoint], k: usize| p[k + 1].x - p[k].x;
    let first = end([width(p, 0), width(p, 1)], [chord(p, 0), chord(p, 1)]);
    let last = end(
        [width(p, n - 2), width(p, n - 3)],
        [chord(p, n - 2), chord(p, n - 3)],
    );
    (p[0].slope, p[n - 1].slope) = (first, last);
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::scalar::Jet;

    const BUMP: [[f64; 2]; 6] = [
        [0.0, 0.0],
        [1.0, 0.0],
        [1.01, 0.05],
        [1.02, 0.0],
        [1.03, 0.0],
        [3.0, 0.0],
    ];

    #[test]
    fn no_piece_leaves_the_range_of_its_ends() {
        for join in [Join::Monotone, Join::Linear] {
            let curve = Joined::new(&BUMP, join);
            for i in 0..=4000 {
                let y = curve.eval(f64::from(i) * 1e-3 - 0.5);
                assert!((-1e-15..=0.05).contains(&y), "{join:?}: {y}");
            }
            for [x, y] in BUMP {
                assert!((curve.eval(x) - y).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn slopes_of_monotone_tables_are_continuous_and_those_of_lines_exact() {
        let rising = [[0.0, 0.0], [1.0, 1.0], [3.0, 2.0], [4.0, 5.0]];
        let curve = Joined::new(&rising, Join::Monotone);
        for x in [0.0, 1.0, 3.0, 4.0] {
            let [low, high] = [-1e-9, 1e-9].map(|e| curve.eval(Jet::time(x + e)));
            assert!((low.d - high.d).abs() < 1e-6 && (low.v - high.v).abs() < 1e-7);
        }
        let straight = [[0.0, 1.0], [2.0, 2.0], [5.0, 3.5]];
        for join in [Join::Monotone, Join::Linear] {
            let line = Joined::new(&straight, join);
            for x in [-1.0, 0.5, 3.0, 7.0] {
                assert!((line.eval(x) - (1.0 + 0.5 * x)).abs() < 1e-14);
            }
        }
    }
}
