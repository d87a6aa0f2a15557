//! Points of a table, joined by a natural spline, by cubics that never leave the range of their ends, or by straight
//! lines.

use crate::expr::{Breakpoints, Strength};
use crate::field::Value;
use linkwork_dae::scalar::{Jet, Scalar};

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
    fn strength(self) -> Strength {
        match self {
            Join::Spline => 3,
            Join::Monotone => 2,
            Join::Linear => 1,
        }
    }
}

/// A point of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TablePoint {
    x: f64,
    y: f64,
    /// Second derivative there of a spline, slope of a monotone curve.
    shape: f64,
}

/// Points of rising abscissa and how they are joined.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    points: Vec<TablePoint>,
    join: Join,
}

/// How far a curve leaves the range of the points that it goes through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overshoot {
    /// As a share of that range.
    pub share: f64,
    /// The value farthest outside.
    pub value: f64,
    /// The points on both sides of it.
    pub between: [f64; 2],
}

impl Table {
    pub fn new(points: &[[f64; 2]], join: Join) -> Result<Table, String> {
        check_points(points)?;
        let mut points: Vec<TablePoint> = (points.iter())
            .map(|&[x, y]| TablePoint { x, y, shape: 0.0 })
            .collect();
        match join {
            Join::Spline => bend(&mut points),
            Join::Monotone => lean(&mut points),
            Join::Linear => {}
        }
        Ok(Table { points, join })
    }

    /// Its points let a derivative jump.
    pub fn breakpoints(&self) -> Breakpoints {
        let points = self.points.iter().map(|p| p.x);
        Breakpoints::at(points.collect(), self.join.strength())
    }

    /// Points between which values and slopes at both ends tell what is in between.
    pub fn features(&self) -> Vec<f64> {
        let points: Vec<[f64; 2]> = self.points.iter().map(|p| [p.x, p.y]).collect();
        match self.join {
            Join::Linear => points.iter().map(|p| p[0]).collect(),
            Join::Spline | Join::Monotone => told_by_ends(&points, |x| self.eval(Jet::time(x)).d),
        }
    }

    /// As it is written in model text.
    pub fn value(&self) -> Value {
        let word = (self.join != Join::Spline).then(|| Value::Text(self.join.word().into()));
        let points = self.points.iter().map(|p| Value::numbers(&[p.x, p.y]));
        Value::List(word.into_iter().chain(points).collect())
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

    /// The value of a spline that is farthest outside the range of its points.
    pub fn overshoot(&self) -> Option<Overshoot> {
        if self.join != Join::Spline {
            return None;
        }
        let all = || self.points.iter().map(|p| p.y);
        let (low, high) = (
            all().fold(f64::INFINITY, f64::min),
            all().fold(f64::NEG_INFINITY, f64::max),
        );
        let mut most: Option<Overshoot> = None;
        for pair in self.points.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let h = b.x - a.x;
            // zeros of the slope, a parabola in u = (x - a.x) / h
            let third = 0.5 * h * (b.shape - a.shape);
            let second = h * a.shape;
            let first = (b.y - a.y) / h - h * (2.0 * a.shape + b.shape) / 6.0;
            let root = (second * second - 4.0 * third * first).sqrt();
            let pivot = -0.5 * (second + root.copysign(second));
            for u in [pivot / third, first / pivot] {
                if !(u > 0.0 && u < 1.0) {
                    continue;
                }
                let value = self.eval(a.x + u * h);
                let share = (value - high).max(low - value) / (high - low);
                if share > most.as_ref().map_or(0.0, |m| m.share) {
                    let between = [a.x, b.x];
                    most = Some(Overshoot {
                        share,
                        value,
                        between,
                    });
                }
            }
        }
        most
    }

    /// The periodic spline: slopes and curvatures at both ends are equal.
    ///
    /// Its equations have diagonals twice as large as the rest of their rows, so each sweep of Gauss
    /// and Seidel at least halves the error: sixty-four of them reach rounding.
    pub fn close(&mut self, period: f64) {
        const SWEEPS: usize = 64;
        let knots = &mut self.points;
        let last = knots.len() - 1;
        let size = knots.iter().fold(0.0_f64, |m, k| m.max(k.y.abs()));
        let whole = (knots[last].x - knots[0].x - period).abs() < 1e-9 * period;
        if self.join != Join::Spline
            || last < 3
            || !whole
            || (knots[last].y - knots[0].y).abs() > 1e-9 * size
        {
            return;
        }
        for _ in 0..SWEEPS {
            for k in 0..last {
                let before = if k == 0 { last - 1 } else { k - 1 };
                let h0 = knots[before + 1].x - knots[before].x;
                let h1 = knots[k + 1].x - knots[k].x;
                let slope0 = (knots[before + 1].y - knots[before].y) / h0;
                let jump = (knots[k + 1].y - knots[k].y) / h1 - slope0;
                let rest = h0 * knots[before].shape + h1 * knots[k + 1].shape;
                knots[k].shape = (6.0 * jump - rest) / (2.0 * (h0 + h1));
                if k == 0 {
                    knots[last].shape = knots[0].shape;
                }
            }
        }
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
        if at < a.x || at > b.x {
            let [first, last] = match self.join {
                Join::Spline => [
                    chord - h * (2.0 * a.shape + b.shape) / 6.0,
                    chord + h * (a.shape + 2.0 * b.shape) / 6.0,
                ],
                _ => [a.shape, b.shape],
            };
            return match at < a.x {
                true => (x - a.x) * first + a.y,
                false => (x - b.x) * last + b.y,
            };
        }
        let (u, w) = ((x - a.x) / h, (-x + b.x) / h);
        if self.join == Join::Spline {
            let cubic = |u: S| u * u * u - u;
            return w * a.y + u * b.y + (cubic(w) * a.shape + cubic(u) * b.shape) * (h * h / 6.0);
        }
        // Hermite's cubic about the chord
        let bow = u * w * w * (a.shape - chord) - u * u * w * (b.shape - chord);
        (x - a.x) * chord + a.y + bow * h
    }
}

/// The fewest points, from the first on, between which Hermite's cubic through two neighbours with their slopes
/// passes all points to a thousandth of the range of all: who knows both ends knows the way.
fn told_by_ends(points: &[[f64; 2]], slope: impl Fn(f64) -> f64) -> Vec<f64> {
    const FOLLOWED: f64 = 1e-3;
    let values = || points.iter().map(|p| p[1]);
    let range = values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min);
    let follows = |first: usize, last: usize| {
        let ([x0, y0], [x1, y1]) = (points[first], points[last]);
        let (h, chord) = (x1 - x0, (y1 - y0) / (x1 - x0));
        let (d0, d1) = (slope(x0) - chord, slope(x1) - chord);
        points[first + 1..last].iter().all(|[x, y]| {
            let (u, w) = ((x - x0) / h, (x1 - x) / h);
            let cubic = y0 + (x - x0) * chord + (u * w * w * d0 - u * u * w * d1) * h;
            (cubic - y).abs() <= FOLLOWED * range
        })
    };
    let (mut all, mut at) = (vec![points[0][0]], 0);
    while at + 1 < points.len() {
        // twice as far as long as that goes, then half of that
        let (mut near, mut step) = (at + 1, 1);
        while near + step < points.len() && follows(at, near + step) {
            near += step;
            step *= 2;
        }
        while step > 0 {
            if near + step < points.len() && follows(at, near + step) {
                near += step;
            }
            step /= 2;
        }
        all.push(points[near][0]);
        at = near;
    }
    all
}

/// Refuses points that no curve goes through.
fn check_points(points: &[[f64; 2]]) -> Result<(), String> {
    if points.len() < 2 {
        return Err("a table needs at least two points".into());
    }
    if points.iter().flatten().any(|x| !x.is_finite()) {
        return Err("the points of a table must be finite".into());
    }
    match (1..points.len()).find(|&k| points[k][0] <= points[k - 1][0]) {
        Some(k) => Err(format!(
            "the first numbers of a table must rise, but {} follows {}",
            points[k][0],
            points[k - 1][0]
        )),
        None => Ok(()),
    }
}

/// Second derivatives that make the slopes continuous, zero at both ends: a tridiagonal system.
fn bend(knots: &mut [TablePoint]) {
    let n = knots.len();
    let mut upper = vec![0.0; n];
    for k in 1..n - 1 {
        let (h0, h1) = (knots[k].x - knots[k - 1].x, knots[k + 1].x - knots[k].x);
        let jump = (knots[k + 1].y - knots[k].y) / h1 - (knots[k].y - knots[k - 1].y) / h0;
        let pivot = 2.0 * (h0 + h1) - h0 * upper[k - 1];
        upper[k] = h1 / pivot;
        knots[k].shape = (6.0 * jump - h0 * knots[k - 1].shape) / pivot;
    }
    for k in (1..n - 1).rev() {
        knots[k].shape -= upper[k] * knots[k + 1].shape;
    }
}

/// Slopes that keep every piece monotone: none where the chords on both sides differ in sign, else their
/// weighted harmonic mean (Fritsch & Butland 1984); at the ends those of the parabola through three points,
/// cut to what keeps the piece monotone.
fn lean(p: &mut [TablePoint]) {
    let n = p.len();
    let chord = |p: &[TablePoint], k: usize| (p[k + 1].y - p[k].y) / (p[k + 1].x - p[k].x);
    for k in 1..n - 1 {
        let (h0, h1) = (p[k].x - p[k - 1].x, p[k + 1].x - p[k].x);
        let (d0, d1) = (chord(p, k - 1), chord(p, k));
        if d0 * d1 > 0.0 {
            let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
            p[k].shape = (w0 + w1) / (w0 / d0 + w1 / d1);
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
        (p[0].shape, p[1].shape) = (d, d);
        return;
    }
    let width = |p: &[TablePoint], k: usize| p[k + 1].x - p[k].x;
    let first = end([width(p, 0), width(p, 1)], [chord(p, 0), chord(p, 1)]);
    let last = end(
        [width(p, n - 2), width(p, n - 3)],
        [chord(p, n - 2), chord(p, n - 3)],
    );
    (p[0].shape, p[n - 1].shape) = (first, last);
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
            let curve = Table::new(&BUMP, join).unwrap();
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
        let curve = Table::new(&rising, Join::Monotone).unwrap();
        for x in [0.0, 1.0, 3.0, 4.0] {
            let [low, high] = [-1e-9, 1e-9].map(|e| curve.eval(Jet::time(x + e)));
            assert!((low.d - high.d).abs() < 1e-6 && (low.v - high.v).abs() < 1e-7);
        }
        let straight = [[0.0, 1.0], [2.0, 2.0], [5.0, 3.5]];
        for join in [Join::Monotone, Join::Linear] {
            let line = Table::new(&straight, join).unwrap();
            for x in [-1.0, 0.5, 3.0, 7.0] {
                assert!((line.eval(x) - (1.0 + 0.5 * x)).abs() < 1e-14);
            }
        }
    }
}
