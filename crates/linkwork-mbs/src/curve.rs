//! Functions of one variable in model text: a formula, or a table joined by a curve.
//!
//! Functions of time have the variable `t`, which formulas know without being told.
//!
//! A table becomes the natural cubic spline through its points (de Boor 1978, chapter IV) unless it says
//! otherwise, see [`Join`]: value, slope and curvature are continuous, which error control of higher order
//! needs. Beyond its ends the curve goes on straight.

mod joined;

pub use joined::Join;

use crate::expr::{Breakpoints, Formula};
use crate::field::Value;
use crate::part::Draw;
use joined::Joined;
use linkwork_dae::scalar::{Jet, Scalar};

/// A function of one variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    shape: CurveShape,
}

#[derive(Clone, Debug, PartialEq)]
enum CurveShape {
    OfTime(Formula),
    Formula(Formula),
    Spline(Spline),
    Joined(Joined),
}

impl Curve {
    /// The function that is `value` everywhere.
    pub fn constant(value: f64) -> Curve {
        Curve {
            shape: CurveShape::Formula(Formula::constant(value)),
        }
    }

    /// A formula of a variable. Names other than the variable are refused, `t` too unless it is the
    /// variable.
    pub fn formula(formula: Formula, variable: &str) -> Result<Curve, String> {
        if let Some(stranger) = formula.signals().iter().find(|s| s.name != variable) {
            return Err(format!(
                "`{}` means nothing here; the variable is `{variable}`",
                stranger.name
            ));
        }
        if variable == "t" {
            return Ok(Curve::from(formula));
        }
        let of_time = |t: f64| formula.eval_with(t, |_| 0.37);
        if !formula.is_constant() && formula.signals().is_empty() && of_time(0.21) != of_time(0.73)
        {
            return Err(format!("the variable is `{variable}`, not `t`"));
        }
        Ok(Curve {
            shape: CurveShape::Formula(formula),
        })
    }

    /// The natural spline through points of rising abscissa.
    pub fn table(points: &[[f64; 2]]) -> Result<Curve, String> {
        Curve::joined(points, Join::Spline)
    }

    /// Points of rising abscissa, joined in some way.
    pub fn joined(points: &[[f64; 2]], join: Join) -> Result<Curve, String> {
        check_points(points)?;
        let shape = match join {
            Join::Spline => CurveShape::Spline(Spline::new(points)),
            Join::Monotone | Join::Linear => CurveShape::Joined(Joined::new(points, join)),
        };
        Ok(Curve { shape })
    }

    /// The value of a spline that is farthest outside the range of its points, as a share of that range, with the
    /// points on both sides.
    pub fn overshoot(&self) -> Option<Overshoot> {
        match &self.shape {
            CurveShape::Spline(spline) => spline.overshoot(),
            CurveShape::OfTime(_) | CurveShape::Formula(_) | CurveShape::Joined(_) => None,
        }
    }

    /// A wavy formula or table with arbitrary numbers, values between -2 and 2, for examples.
    pub fn example(variable: &str, draw: Draw<'_>) -> Curve {
        let (offset, size, rate) = (draw(), draw(), draw());
        if draw() > 0.0 {
            let points = [-1.0, -0.4, 0.3, 0.8].map(|x| [x, offset + size * draw()]);
            if let Ok(curve) = Curve::table(&points) {
                return curve;
            }
        }
        let text = format!("{offset} + {size}*sin({rate}*{variable})");
        let curve = Formula::parse_with_signals(&text)
            .map_err(|e| e.to_string())
            .and_then(|formula| Curve::formula(formula, variable));
        curve.unwrap_or_else(|_| Curve::constant(offset))
    }

    /// The curve for a variable that goes round in circles: a table over one whole period that ends
    /// as it begins becomes smooth there too. Everything else stays as it is.
    #[must_use]
    pub fn closed(mut self, period: f64) -> Curve {
        if let CurveShape::Spline(spline) = &mut self.shape {
            spline.close(period);
        }
        self
    }

    /// The value, with the derivatives that the variable carries.
    pub fn eval<S: Scalar>(&self, x: S) -> S {
        match &self.shape {
            CurveShape::OfTime(formula) => formula.eval(x),
            CurveShape::Formula(formula) => formula.eval_with(S::from(0.0), |_| x),
            CurveShape::Spline(spline) => spline.eval(x),
            CurveShape::Joined(joined) => joined.eval(x),
        }
    }

    /// In how many places value or slope jump, if its variable is another one than time.
    pub fn corners(&self) -> usize {
        match &self.shape {
            CurveShape::Formula(formula) => formula.corners().len(),
            CurveShape::Joined(joined) => joined.corners(),
            CurveShape::OfTime(_) | CurveShape::Spline(_) => 0,
        }
    }

    /// The value with given branches at its corners; without any, those where it is.
    pub fn eval_frozen<S: Scalar>(&self, x: S, positive: &[bool]) -> S {
        match &self.shape {
            CurveShape::Formula(formula) => formula.eval_frozen(S::from(0.0), |_| x, positive),
            CurveShape::Joined(joined) if !positive.is_empty() => joined.eval_frozen(x, positive),
            CurveShape::OfTime(_) | CurveShape::Spline(_) | CurveShape::Joined(_) => self.eval(x),
        }
    }

    /// What changes its sign at a corner.
    pub fn corner(&self, index: usize, x: f64) -> f64 {
        match &self.shape {
            CurveShape::Formula(formula) => formula.corner(index, 0.0, |_| x, &[]),
            CurveShape::Joined(joined) => joined.corner(index, x),
            CurveShape::OfTime(_) | CurveShape::Spline(_) => f64::NAN,
        }
    }

    /// Where it is not smooth, if its variable is time. Knots of a table let the third derivative jump.
    pub fn breakpoints(&self) -> Breakpoints {
        match &self.shape {
            CurveShape::OfTime(formula) => Breakpoints::of(formula),
            CurveShape::Formula(_) => Breakpoints::default(),
            CurveShape::Spline(spline) => {
                let knots = spline.knots.iter().map(|k| k.x);
                Breakpoints::at(knots.collect(), Join::Spline.strength())
            }
            CurveShape::Joined(joined) => {
                let points = joined.points.iter().map(|p| p.x);
                Breakpoints::at(points.collect(), joined.join.strength())
            }
        }
    }

    /// Places where its shape changes, ascending: kinks of a formula within a kilometre of the origin, points of a
    /// table between which values and slopes at both ends tell what is in between. Whoever moves along it must look
    /// between two of them, lest a bump be leapt over.
    pub fn features(&self) -> Vec<f64> {
        const REACH: f64 = 1e3;
        match &self.shape {
            CurveShape::OfTime(formula) | CurveShape::Formula(formula) => {
                let kinks = Breakpoints::of(&formula.of_one_variable());
                let mut x = -REACH;
                let next = || {
                    x = kinks.next(x).filter(|(at, _)| *at < REACH)?.0;
                    Some(x)
                };
                std::iter::from_fn(next).collect()
            }
            CurveShape::Spline(spline) => {
                let points: Vec<[f64; 2]> = spline.knots.iter().map(|k| [k.x, k.y]).collect();
                told_by_ends(&points, |x| self.slope(x))
            }
            CurveShape::Joined(joined) => {
                let points: Vec<[f64; 2]> = joined.points.iter().map(|p| [p.x, p.y]).collect();
                match joined.join {
                    Join::Linear => points.iter().map(|p| p[0]).collect(),
                    Join::Spline | Join::Monotone => told_by_ends(&points, |x| self.slope(x)),
                }
            }
        }
    }

    /// Whether it is a formula in which something may be narrow, see [`Curve::told_for`].
    pub(crate) fn may_hide(&self) -> bool {
        matches!(&self.shape, CurveShape::Formula(f) | CurveShape::OfTime(f) if f.may_hide())
    }

    /// How long a step from a place on may be that does not leap over anything in its formula, at a speed; a table has
    /// [features](Curve::features).
    pub(crate) fn told_for(&self, [x, v]: [f64; 2]) -> f64 {
        match &self.shape {
            CurveShape::Formula(formula) => formula.told_for(0.0, |_| [x, v]),
            CurveShape::OfTime(_) | CurveShape::Spline(_) | CurveShape::Joined(_) => f64::INFINITY,
        }
    }

    /// Its formula, if its variable is time.
    pub(crate) fn of_time(&self) -> Option<&Formula> {
        match &self.shape {
            CurveShape::OfTime(formula) => Some(formula),
            CurveShape::Formula(_) | CurveShape::Spline(_) | CurveShape::Joined(_) => None,
        }
    }

    fn slope(&self, x: f64) -> f64 {
        self.eval(Jet::time(x)).d
    }

    /// Whether it is a formula without a variable.
    pub fn is_constant(&self) -> bool {
        match &self.shape {
            CurveShape::OfTime(f) | CurveShape::Formula(f) => f.is_constant(),
            CurveShape::Spline(_) | CurveShape::Joined(_) => false,
        }
    }

    /// A curve that is straight and level nowhere in its stead, for those who look for entries of
    /// derivatives: a road may be flat for miles and still have a bump. Constants stay.
    #[must_use]
    pub fn winding(&self) -> Curve {
        match &self.shape {
            CurveShape::OfTime(f) | CurveShape::Formula(f) if f.is_constant() => self.clone(),
            _ => {
                let points = [[-7.0, 0.3], [-2.0, -0.4], [1.0, 0.7], [6.0, -0.2]];
                Curve::table(&points).unwrap_or_else(|_| self.clone())
            }
        }
    }

    /// The curve as it is written in model text.
    pub fn value(&self) -> Value {
        match &self.shape {
            CurveShape::OfTime(formula) | CurveShape::Formula(formula) => Value::from(formula),
            CurveShape::Spline(spline) => {
                let points = spline.knots.iter().map(|k| Value::numbers(&[k.x, k.y]));
                Value::List(points.collect())
            }
            CurveShape::Joined(joined) => {
                let word = Value::Text(joined.join.word().into());
                let points = joined.points.iter().map(|p| Value::numbers(&[p.x, p.y]));
                Value::List(std::iter::once(word).chain(points).collect())
            }
        }
    }
}

/// A formula of time.
impl Default for Curve {
    fn default() -> Curve {
        Curve::constant(0.0)
    }
}

impl From<Formula> for Curve {
    fn from(formula: Formula) -> Curve {
        let shape = match formula.is_constant() {
            true => CurveShape::Formula(formula),
            false => CurveShape::OfTime(formula),
        };
        Curve { shape }
    }
}

/// A point of the table with the second derivative there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    x: f64,
    y: f64,
    bend: f64,
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

/// A natural cubic spline.
#[derive(Clone, Debug, PartialEq)]
struct Spline {
    knots: Vec<Knot>,
}

impl Spline {
    fn new(points: &[[f64; 2]]) -> Spline {
        let mut knots: Vec<Knot> = (points.iter())
            .map(|&[x, y]| Knot { x, y, bend: 0.0 })
            .collect();
        bend(&mut knots);
        Spline { knots }
    }

    fn overshoot(&self) -> Option<Overshoot> {
        let all = || self.knots.iter().map(|k| k.y);
        let (low, high) = (
            all().fold(f64::INFINITY, f64::min),
            all().fold(f64::NEG_INFINITY, f64::max),
        );
        let mut most: Option<Overshoot> = None;
        for pair in self.knots.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let h = b.x - a.x;
            // zeros of the slope, a parabola in u = (x - a.x) / h
            let third = 0.5 * h * (b.bend - a.bend);
            let second = h * a.bend;
            let first = (b.y - a.y) / h - h * (2.0 * a.bend + b.bend) / 6.0;
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
    fn close(&mut self, period: f64) {
        const SWEEPS: usize = 64;
        let knots = &mut self.knots;
        let last = knots.len() - 1;
        let size = knots.iter().fold(0.0_f64, |m, k| m.max(k.y.abs()));
        let whole = (knots[last].x - knots[0].x - period).abs() < 1e-9 * period;
        if last < 3 || !whole || (knots[last].y - knots[0].y).abs() > 1e-9 * size {
            return;
        }
        for _ in 0..SWEEPS {
            for k in 0..last {
                let before = if k == 0 { last - 1 } else { k - 1 };
                let h0 = knots[before + 1].x - knots[before].x;
                let h1 = knots[k + 1].x - knots[k].x;
                let slope0 = (knots[before + 1].y - knots[before].y) / h0;
                let jump = (knots[k + 1].y - knots[k].y) / h1 - slope0;
                let rest = h0 * knots[before].bend + h1 * knots[k + 1].bend;
                knots[k].bend = (6.0 * jump - rest) / (2.0 * (h0 + h1));
                if k == 0 {
                    knots[last].bend = knots[0].bend;
                }
            }
        }
    }

    fn eval<S: Scalar>(&self, x: S) -> S {
        let at = x.value();
        let n = self.knots.len();
        // a NaN goes on as the last piece and stays one
        let k = self.knots.partition_point(|k| k.x <= at).clamp(1, n - 1);
        let (a, b) = (self.knots[k - 1], self.knots[k]);
        let h = b.x - a.x;
        if at < a.x || at > b.x {
            let slope = (b.y - a.y) / h;
            return if at < a.x {
                (x - a.x) * (slope - h * (2.0 * a.bend + b.bend) / 6.0) + a.y
            } else {
                (x - b.x) * (slope + h * (a.bend + 2.0 * b.bend) / 6.0) + b.y
            };
        }
        let (u, w) = ((x - a.x) / h, (-x + b.x) / h);
        let cubic = |u: S| u * u * u - u;
        w * a.y + u * b.y + (cubic(w) * a.bend + cubic(u) * b.bend) * (h * h / 6.0)
    }
}

/// Second derivatives that make the slopes continuous, zero at both ends: a tridiagonal system.
fn bend(knots: &mut [Knot]) {
    let n = knots.len();
    let mut upper = vec![0.0; n];
    for k in 1..n - 1 {
        let (h0, h1) = (knots[k].x - knots[k - 1].x, knots[k + 1].x - knots[k].x);
        let jump = (knots[k + 1].y - knots[k].y) / h1 - (knots[k].y - knots[k - 1].y) / h0;
        let pivot = 2.0 * (h0 + h1) - h0 * upper[k - 1];
        upper[k] = h1 / pivot;
        knots[k].bend = (6.0 * jump - h0 * knots[k - 1].bend) / pivot;
    }
    for k in (1..n - 1).rev() {
        knots[k].bend -= upper[k] * knots[k + 1].bend;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::scalar::{Dual, Jet};

    fn sine(n: usize) -> Curve {
        let h = std::f64::consts::PI / n as f64;
        let points: Vec<[f64; 2]> = (0..=n)
            .map(|k| [k as f64 * h, (k as f64 * h).sin()])
            .collect();
        Curve::table(&points).unwrap()
    }

    /// Natural ends suit a sine over half a period, so the error is of order four everywhere.
    #[test]
    fn spline_converges_with_order_four() {
        let error = |n| {
            let curve = sine(n);
            (0..1000)
                .map(|i| f64::from(i) * 0.00314)
                .fold(0.0f64, |worst, x| {
                    worst.max((curve.eval(x) - x.sin()).abs())
                })
        };
        let order = (error(8) / error(16)).log2();
        assert!((order - 4.0).abs() < 0.2, "{order}");
    }

    #[test]
    fn derivatives_are_continuous_and_exact() {
        let curve = sine(6);
        let knot = std::f64::consts::PI / 3.0;
        let at = |x: f64| curve.eval(Jet::time(x));
        let (low, high) = (at(knot - 1e-9), at(knot + 1e-9));
        assert!((low.v - high.v).abs() < 1e-8 && (low.d - high.d).abs() < 1e-8);
        assert!((low.dd - high.dd).abs() < 1e-8);
        let x = 0.7;
        let h = 1e-6;
        let difference = (curve.eval(x + h) - curve.eval(x - h)) / (2.0 * h);
        assert!((curve.eval(Dual::<1>::variable(x, 0)).d[0] - difference).abs() < 1e-9);
    }

    /// A cosine over a whole turn: order four up to the ends, where curvature is largest, and no jump
    /// of slope or curvature there. Tables that do not close stay as they are.
    #[test]
    fn closed_tables_are_smooth_all_round() {
        use std::f64::consts::TAU;
        let cosine = |n: usize| {
            let points: Vec<[f64; 2]> = (0..=n)
                .map(|k| TAU * k as f64 / n as f64)
                .map(|x| [x, x.cos()])
                .collect();
            Curve::table(&points).unwrap().closed(TAU)
        };
        let error = |n| {
            let curve = cosine(n);
            let x = (0..1000).map(|i| f64::from(i) * 0.001 * TAU);
            x.fold(0.0f64, |worst, x| {
                worst.max((curve.eval(x) - x.cos()).abs())
            })
        };
        let order = (error(16) / error(32)).log2();
        assert!((order - 4.0).abs() < 0.2, "{order}");
        let curve = cosine(12);
        let (first, last) = (curve.eval(Jet::time(0.0)), curve.eval(Jet::time(TAU)));
        assert!((first.d - last.d).abs() < 1e-13 && (first.dd - last.dd).abs() < 1e-12);
        assert!(first.dd < -0.9);
        let open = [[0.0, 0.0], [1.0, 2.0], [3.0, 1.0], [TAU, 0.5]];
        let open = Curve::table(&open).unwrap();
        assert_eq!(open.clone().closed(TAU), open);
    }

    #[test]
    fn beyond_the_ends_the_curve_is_straight() {
        let curve = sine(6);
        for x in [-0.5, 4.0] {
            let jet = curve.eval(Jet::time(x));
            assert_eq!(jet.dd, 0.0);
        }
        let jump = curve.eval(-1e-9) - curve.eval(1e-9);
        assert!(jump.abs() < 1e-8);
    }

    #[test]
    fn bad_tables_and_names_are_refused() {
        assert!(Curve::table(&[[0.0, 1.0]]).is_err());
        assert!(Curve::table(&[[0.0, 1.0], [0.0, 2.0]]).is_err());
        assert!(Curve::table(&[[0.0, f64::NAN], [1.0, 2.0]]).is_err());
        let formula = |text| Formula::parse_with_signals(text).unwrap();
        assert!(Curve::formula(formula("2*x + 1"), "x").is_ok());
        assert!(Curve::formula(formula("2*y"), "x").is_err());
        assert!(Curve::formula(formula("sin(t)"), "x").is_err());
        assert_eq!(Curve::formula(formula("x^2"), "x").unwrap().eval(3.0), 9.0);
    }

    #[test]
    fn functions_of_time_are_curves() {
        let formula = Formula::parse("t^3").unwrap();
        let cubic = Curve::formula(formula, "t").unwrap();
        let jet = cubic.eval(Jet::time(2.0));
        assert_eq!((jet.v, jet.d, jet.dd), (8.0, 12.0, 12.0));
        let signal = Formula::parse_with_signals("2*x").unwrap();
        assert!(Curve::formula(signal, "t").is_err());
    }

    #[test]
    fn overshoot_is_found_between_points() {
        let bump = [
            [0.0, 0.0],
            [1.0, 0.0],
            [1.01, 0.05],
            [1.02, 0.0],
            [1.03, 0.0],
        ];
        let found = Curve::table(&bump).unwrap().overshoot().unwrap();
        assert!(found.share > 10.0 && found.value < -0.5, "{found:?}");
        assert_eq!(found.between, [0.0, 1.0]);
        for join in [Join::Monotone, Join::Linear] {
            assert!(Curve::joined(&bump, join).unwrap().overshoot().is_none());
        }
        assert!(sine(6).overshoot().is_none_or(|o| o.share < 0.02));
    }

    #[test]
    fn two_points_are_a_line() {
        let line = Curve::table(&[[0.0, 1.0], [2.0, 2.0]]).unwrap();
        for x in [-1.0, 0.5, 3.0] {
            assert!((line.eval(x) - (1.0 + 0.5 * x)).abs() < 1e-15);
        }
    }
}
