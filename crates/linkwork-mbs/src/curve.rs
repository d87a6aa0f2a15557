//! Functions of one variable in model text: a formula, or a table joined by a curve.
//!
//! Functions of time have the variable `t`, which formulas know without being told.
//!
//! A table becomes the natural cubic spline through its points (de Boor 1978, chapter IV) unless it says
//! otherwise, see [`Join`]: value, slope and curvature are continuous, which error control of higher order
//! needs. Beyond its ends the curve goes on straight.

mod table;

pub use table::{Join, Overshoot};

use crate::expr::{Breakpoints, Formula, Frozen, Strength, Unseen};
use crate::field::Value;
use crate::part::Draw;
use linkwork_dae::scalar::{Dual, Jet, Scalar};
use table::Table;

/// A function of one variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    shape: CurveShape,
}

#[derive(Clone, Debug, PartialEq)]
enum CurveShape {
    OfTime(Formula),
    Formula(Formula),
    Table(Table),
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
        let shape = CurveShape::Table(Table::new(points, join)?);
        Ok(Curve { shape })
    }

    /// The value of a spline that is farthest outside the range of its points, as a share of that range, with the
    /// points on both sides.
    pub fn overshoot(&self) -> Option<Overshoot> {
        match &self.shape {
            CurveShape::Table(table) => table.overshoot(),
            CurveShape::OfTime(_) | CurveShape::Formula(_) => None,
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
        if let CurveShape::Table(table) = &mut self.shape {
            table.close(period);
        }
        self
    }

    /// The value, with the derivatives that the variable carries.
    pub fn eval<S: Scalar>(&self, x: S) -> S {
        self.eval_frozen(x, &[])
    }

    /// Value and derivatives up to an order of three at most; no numbers beyond.
    pub fn derivatives(&self, x: f64, order: usize) -> [f64; 4] {
        self.derivatives_frozen(x, order, &[])
    }

    /// In how many places value or slope jump, if its variable is another one than time.
    pub fn corners(&self) -> usize {
        match &self.shape {
            CurveShape::Formula(formula) => formula.corners().len(),
            CurveShape::Table(table) => table.corners(),
            CurveShape::OfTime(_) => 0,
        }
    }

    /// The value with given branches at its corners; without any, those where it is.
    pub fn eval_frozen<S: Scalar>(&self, x: S, positive: &[bool]) -> S {
        x.lift(self.derivatives_frozen(x.value(), S::ORDER, positive))
    }

    /// It has one variable: what numbers with many lanes make of it follows from its own derivatives.
    fn derivatives_frozen(&self, x: f64, order: usize, positive: &[bool]) -> [f64; 4] {
        const NONE: f64 = f64::NAN;
        match order {
            0 => [self.run(x, positive), NONE, NONE, NONE],
            1 => {
                let y = self.run(Dual::<1>::variable(x, 0), positive);
                [y.v, y.d[0], NONE, NONE]
            }
            2 => {
                let y = self.run(Jet::time(x), positive);
                [y.v, y.d, y.dd, NONE]
            }
            _ => {
                let y = self.run(Dual::<1, Jet>::variable(Jet::time(x), 0), positive);
                let (f, slope) = (y.v, y.d[0]);
                [f.v, f.d, f.dd, slope.dd]
            }
        }
    }

    fn run<S: Scalar>(&self, x: S, positive: &[bool]) -> S {
        let frozen = !positive.is_empty();
        match &self.shape {
            CurveShape::OfTime(formula) => formula.eval(x),
            CurveShape::Formula(formula) if frozen => {
                formula.eval_frozen(S::from(0.0), |_| x, positive.into())
            }
            CurveShape::Formula(formula) => formula.eval_with(S::from(0.0), |_| x),
            CurveShape::Table(table) if frozen => table.eval_frozen(x, positive),
            CurveShape::Table(table) => table.eval(x),
        }
    }

    /// What changes its sign at a corner.
    pub fn corner(&self, index: usize, x: f64) -> f64 {
        match &self.shape {
            CurveShape::Formula(formula) => formula.corner(index, 0.0, |_| x, Frozen::default()),
            CurveShape::Table(table) => table.corner(index, x),
            CurveShape::OfTime(_) => f64::NAN,
        }
    }

    /// Where it is not smooth, if its variable is time. Knots of a table let the third derivative jump.
    pub fn breakpoints(&self) -> Breakpoints {
        match &self.shape {
            CurveShape::OfTime(formula) => Breakpoints::of(formula),
            CurveShape::Formula(_) => Breakpoints::default(),
            CurveShape::Table(table) => table.breakpoints(),
        }
    }

    /// Places where its shape changes, ascending: kinks of a formula within a kilometre of the origin, points of a
    /// table between which values and slopes at both ends tell what is in between. Whoever moves along it must look
    /// between two of them, lest a bump be leapt over. A formula with more of them than can be met one by one, as a sine of
    /// a million radians for each metre has, or with one so tangled that its kinks cannot be found, is taken as it is.
    pub fn features(&self) -> Vec<f64> {
        const REACH: f64 = 1e3;
        // of the kinks, and of the searches that find none
        const MOST: [usize; 2] = [10_000, 100];
        match &self.shape {
            CurveShape::OfTime(formula) | CurveShape::Formula(formula) => {
                let kinks = Breakpoints::of(&formula.of_one_variable());
                let (mut all, mut vain, mut x) = (Vec::new(), 0, -REACH);
                while let Some((at, strength)) = kinks.next(x).filter(|(at, _)| *at < REACH) {
                    vain += usize::from(strength == Strength::MAX);
                    x = at;
                    all.push(x);
                    if all.len() > MOST[0] || vain > MOST[1] {
                        return Vec::new();
                    }
                }
                all
            }
            CurveShape::Table(table) => table.features(),
        }
    }

    /// Whether it is a formula in which something may be narrow, see [`Curve::told_for`].
    pub(crate) fn may_hide(&self) -> bool {
        matches!(&self.shape, CurveShape::Formula(f) | CurveShape::OfTime(f) if f.may_hide(Unseen::Bumps))
    }

    /// How long a step from a place on may be that does not leap over anything in its formula, at a speed; a table has
    /// [features](Curve::features).
    pub(crate) fn told_for(&self, [x, v]: [f64; 2]) -> f64 {
        match &self.shape {
            CurveShape::Formula(formula) => formula.told_for(0.0, |_| [x, v], Unseen::Bumps),
            CurveShape::OfTime(_) | CurveShape::Table(_) => f64::INFINITY,
        }
    }

    /// Its formula, if its variable is time.
    pub(crate) fn of_time(&self) -> Option<&Formula> {
        match &self.shape {
            CurveShape::OfTime(formula) => Some(formula),
            CurveShape::Formula(_) | CurveShape::Table(_) => None,
        }
    }

    /// Whether it is a formula without a variable.
    pub fn is_constant(&self) -> bool {
        match &self.shape {
            CurveShape::OfTime(f) | CurveShape::Formula(f) => f.is_constant(),
            CurveShape::Table(_) => false,
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
            CurveShape::Table(table) => table.value(),
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

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Neither takes longer than it takes to say so.
    #[test]
    fn formulas_with_countless_kinks_have_no_features() {
        let features = |text: &str| {
            let formula = Formula::parse_with_signals(text).unwrap();
            Curve::formula(formula, "x").unwrap().features()
        };
        assert_eq!(
            features("abs(x - 2) + step(x, 3, 0, 4, 1)"),
            [2.0, 3.0, 4.0]
        );
        assert_eq!(features("abs(sin(1e9*x))"), []);
        assert_eq!(features("abs(sin(1e300*x) + 0.1*x)"), []);
    }

    /// What the program of a formula makes of nested numbers lane by lane.
    #[test]
    fn wide_numbers_follow_by_the_chain_rule() {
        let formula = Formula::parse_with_signals("sin(2*x) + x^3/(1 + exp(x))").unwrap();
        let curve = Curve::formula(formula.clone(), "x").unwrap();
        let inner = |v: f64, d: [f64; 2]| Dual { v, d };
        let x = Dual {
            v: inner(0.7, [0.3, -0.2]),
            d: [inner(1.1, [0.4, 0.5]), inner(-0.6, [0.1, 0.2])],
        };
        let parts = |y: Dual<2, Dual<2>>| {
            let numbers = [y.v, y.d[0], y.d[1]];
            numbers.map(|n| [n.v, n.d[0], n.d[1]])
        };
        let own = parts(formula.eval_with(Dual::from(0.0), |_| x));
        for (a, b) in parts(curve.eval(x))
            .iter()
            .flatten()
            .zip(own.iter().flatten())
        {
            assert!((a - b).abs() < 1e-13, "{a} {b}");
        }
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
