//! Instants at which a formula of time is not smooth.
//!
//! `sign`, `abs`, `min`, `max`, `step` and `if` change their branch where an expression `u(t)` changes its
//! sign. Wherever in a formula they stand, the zeros of `u` are instants that an integrator must meet, be it
//! that what stands around them hides them: a superfluous instant costs a step, a missing one an error.
//!
//! Zeros of straight lines and of plain sines of straight lines are known. Others are found with enclosures
//! of `u` and its slope: an interval in which `u` has no zero, or one and no more, needs no further look;
//! all others are halved. Intervals are those of a fixed grid, so that a zero is the same number whoever
//! asks.

use super::branches::branches;
use super::interval::{Interval, range};
use super::{Formula, Function, Op, is_of_signals};
use std::f64::consts::{FRAC_PI_2, PI};

/// Width of the intervals of the grid, s.
const GRID: f64 = 1.0;
/// Enclosures for one answer.
const BUDGET: u32 = 4000;
/// Relative width of an interval that is a point.
const POINT: f64 = 1e-12;
/// Relative distance below which two touchings are one.
const ONE: f64 = 1e-8;

/// The first of the derivatives of a formula that jumps: 0 is the value itself.
pub type Strength = u8;

/// The first derivative of a force that may jump without a step having to end there.
pub const SMOOTH: Strength = 2;

/// All instants at which a formula or a table over time is not smooth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Breakpoints {
    kinks: Vec<Kink>,
}

#[derive(Clone, Debug, PartialEq)]
struct Kink {
    zeros: Zeros,
    strength: Strength,
}

#[derive(Clone, Debug, PartialEq)]
enum Zeros {
    /// Known instants, ascending.
    At(Vec<f64>),
    /// `(first + k period) / rate - ...` for all whole `k`: zeros of a sine of `c0 + c1 t`.
    Sine { first: f64, c0: f64, c1: f64 },
    /// Zeros of an expression.
    Of(Vec<Op>),
}

impl Breakpoints {
    /// Those of a formula of time. What depends on signals has none that the clock knows.
    pub fn of(formula: &Formula) -> Breakpoints {
        let mut found = Breakpoints::default();
        for branch in branches(&formula.program) {
            found.add(branch.program(&formula.program), branch.strength);
        }
        found
    }

    /// Given instants, ascending.
    pub fn at(instants: Vec<f64>, strength: Strength) -> Breakpoints {
        let kink = Kink {
            zeros: Zeros::At(instants),
            strength,
        };
        Breakpoints { kinks: vec![kink] }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kinks.is_empty()
    }

    /// The same as felt by those who follow a derivative of it.
    #[must_use]
    pub fn sharpened(mut self) -> Breakpoints {
        for kink in &mut self.kinks {
            kink.strength = kink.strength.saturating_sub(1);
        }
        self
    }

    /// Adds all of others.
    pub fn join(&mut self, others: Breakpoints) {
        for kink in others.kinks {
            self.include(kink);
        }
    }

    fn include(&mut self, kink: Kink) {
        let same = self.kinks.iter_mut().find(|k| k.zeros == kink.zeros);
        match same {
            Some(k) => k.strength = k.strength.min(kink.strength),
            None => self.kinks.push(kink),
        }
    }

    /// The zeros of an expression.
    fn add(&mut self, u: Vec<Op>, strength: Strength) {
        if is_of_signals(&u) {
            return;
        }
        let zeros = match line(&u) {
            Some((_, 0.0)) => return,
            Some((c0, c1)) => Zeros::At(vec![-c0 / c1]),
            None => sine(&u).unwrap_or(Zeros::Of(u)),
        };
        self.include(Kink { zeros, strength });
    }

    /// The first instant after `t`, with the derivative that jumps there; infinite strength stands for an
    /// instant up to which nothing has been found, and at which to ask again.
    pub fn next(&self, t: f64) -> Option<(f64, Strength)> {
        let each = self.kinks.iter().filter_map(|kink| {
            let (at, found) = kink.zeros.next(t)?;
            Some((at, if found { kink.strength } else { Strength::MAX }))
        });
        each.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
    }
}

impl Zeros {
    /// The first zero after `t`, or with `false` a time up to which there is none.
    fn next(&self, t: f64) -> Option<(f64, bool)> {
        match self {
            Zeros::At(instants) => {
                let k = instants.partition_point(|at| *at <= t);
                instants.get(k).map(|at| (*at, true))
            }
            Zeros::Sine { first, c0, c1 } => {
                let zero = |k: f64| (first + k * PI - c0) / c1;
                let turn = c1.signum();
                let k = ((c0 + c1 * t - first) / PI).floor();
                // rounding may put the zero at hand on either side
                let candidates = [-turn, 0.0, turn, 2.0 * turn].map(|d| zero(k + d));
                let later = candidates.into_iter().filter(|at| *at > t);
                later.min_by(f64::total_cmp).map(|at| (at, true))
            }
            Zeros::Of(u) => search(u, t),
        }
    }
}

/// `c0 + c1 t`, where an expression is that.
fn line(program: &[Op]) -> Option<(f64, f64)> {
    let mut stack: Vec<(f64, f64)> = Vec::new();
    for op in program {
        let value = match op {
            Op::Constant(c) => (*c, 0.0),
            Op::Time => (0.0, 1.0),
            Op::Negate => {
                let (a, b) = stack.pop()?;
                (-a, -b)
            }
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide => {
                let (b0, b1) = stack.pop()?;
                let (a0, a1) = stack.pop()?;
                match op {
                    Op::Add => (a0 + b0, a1 + b1),
                    Op::Subtract => (a0 - b0, a1 - b1),
                    Op::Multiply if b1 == 0.0 => (a0 * b0, a1 * b0),
                    Op::Multiply if a1 == 0.0 => (a0 * b0, a0 * b1),
                    Op::Divide if b1 == 0.0 => (a0 / b0, a1 / b0),
                    _ => return None,
                }
            }
            _ => return None,
        };
        stack.push(value);
    }
    stack.pop().filter(|(a, b)| a.is_finite() && b.is_finite())
}

/// The zeros of a sine or cosine of a straight line.
fn sine(program: &[Op]) -> Option<Zeros> {
    let (last, inner) = program.split_last()?;
    let first = match last {
        Op::Call(Function::Sin) => 0.0,
        Op::Call(Function::Cos) => FRAC_PI_2,
        _ => return None,
    };
    let (c0, c1) = line(inner).filter(|(_, c1)| *c1 != 0.0)?;
    Some(Zeros::Sine { first, c0, c1 })
}

/// The first zero of an expression after `t`.
fn search(u: &[Op], t: f64) -> Option<(f64, bool)> {
    let value = |t: f64| super::evaluate(u, t, |_| f64::NAN);
    let mut left = BUDGET;
    let mut window = (t / GRID).floor();
    loop {
        let mut waiting = vec![(window * GRID, (window + 1.0) * GRID)];
        while let Some((a, b)) = waiting.pop() {
            if b <= t {
                continue;
            }
            if left == 0 {
                return Some((a.max(t), false)).filter(|(at, _)| *at > t);
            }
            left -= 1;
            let r = range(u, Interval::new(a, b));
            if !r.x.has_zero() {
                continue;
            }
            if !r.d.has_zero() {
                let (f_a, f_b) = (value(a), value(b));
                // a zero at the left end belongs to the interval before
                if f_b == 0.0 || (f_a > 0.0) != (f_b > 0.0) && f_a != 0.0 {
                    let at = match f_b == 0.0 {
                        true => b,
                        false => bisect(&value, a, b, f_b),
                    };
                    if at > t {
                        return Some((at, true));
                    }
                }
                continue;
            }
            let size = t.abs().max(1.0);
            if b - a <= POINT * size {
                let at = 0.5 * (a + b);
                if at > t + ONE * size {
                    return Some((at, true));
                }
                continue;
            }
            // off the middle, where zeros like to be
            let middle = a + 0.501 * (b - a);
            waiting.push((middle, b));
            waiting.push((a, middle));
        }
        window += 1.0;
    }
}

/// The zero between `a` and `b` of a function that rises or falls throughout.
fn bisect(f: &impl Fn(f64) -> f64, a: f64, b: f64, f_b: f64) -> f64 {
    let (mut a, mut b) = (a, b);
    loop {
        let middle = 0.5 * (a + b);
        if middle <= a || middle >= b {
            return b;
        }
        if (f(middle) > 0.0) == (f_b > 0.0) {
            b = middle;
        } else {
            a = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, to: f64) -> Vec<(f64, Strength)> {
        let formula = Formula::parse(text).unwrap();
        let points = Breakpoints::of(&formula);
        let (mut t, mut found) = (0.0, Vec::new());
        while let Some((at, strength)) = points.next(t).filter(|(at, _)| *at <= to) {
            assert!(at > t, "{text}: {at} after {t}");
            if strength < Strength::MAX {
                found.push((at, strength));
            }
            t = at;
        }
        found
    }

    fn times(text: &str, to: f64) -> Vec<f64> {
        all(text, to).into_iter().map(|(t, _)| t).collect()
    }

    #[test]
    fn straight_lines_have_their_typed_instants() {
        assert_eq!(all("sign(t - 0.3)", 9.0), [(0.3, 0)]);
        assert_eq!(all("3 + 2*abs(2*t - 1)", 9.0), [(0.5, 1)]);
        assert_eq!(all("min(t, 4 - t)*t", 9.0), [(2.0, 1)]);
        assert_eq!(all("step(t, 1, 0, 1.5, 2)", 9.0), [(1.0, 3), (1.5, 3)]);
        assert_eq!(all("step(t, 1, 0, 1, 2)", 9.0), [(1.0, 0)]);
        assert_eq!(all("if(t > 2, t, 0)", 9.0), [(2.0, 0)]);
        assert_eq!(
            all("step(t, 5, 0, 5, 1) - step(t, 5.001, 0, 5.001, 1)", 9.0),
            [(5.0, 0), (5.001, 0)]
        );
        assert!(all("sin(t) + t^2 + sign(3)", 9.0).is_empty());
        assert!(all("abs(2)*t + max(1, 2)", 9.0).is_empty());
    }

    #[test]
    fn square_waves_of_every_rate_are_known() {
        for rate in [0.3, 7.0, 1000.0] {
            let found = times(&format!("sign(sin(2*pi*{rate}*t))"), 3.0);
            for (k, t) in (1..).zip(&found) {
                let known = f64::from(k) * 0.5 / rate;
                assert!((t - known).abs() < 1e-14, "{t} {known}");
            }
            let expected = (6.0 * rate + 1e-9).floor();
            assert_eq!(found.len() as f64, expected, "{rate}");
        }
        let found = times("abs(cos(1 - 3*t))", 4.0);
        for t in &found {
            assert!((1.0 - 3.0 * t).cos().abs() < 1e-14);
        }
        assert_eq!(found.len(), 4);
    }

    /// Sums of sines: as many zeros as a fine grid sees changes of sign, all of them zeros.
    #[test]
    fn zeros_of_sums_of_sines_are_all_found() {
        let mut total = 0;
        for k in 1..60 {
            let (a, b, c) = (0.37 * f64::from(k), 0.91 * f64::from(k % 7), 0.2);
            let text = format!("abs(sin({a}*t + 0.1) + 0.7*sin({b}*t + 1) + {c})");
            let found = times(&text, 6.0);
            let u = |t: f64| (a * t + 0.1).sin() + 0.7 * (b * t + 1.0).sin() + c;
            let n = 600_000;
            let grid = |i: i32| 6.0 * f64::from(i) / f64::from(n);
            let seen = (0..n)
                .filter(|&i| (u(grid(i)) > 0.0) != (u(grid(i + 1)) > 0.0))
                .count();
            assert_eq!(found.len(), seen, "{text}");
            for t in &found {
                assert!(u(*t).abs() < 1e-12, "{text}: {} at {t}", u(*t));
            }
            total += seen;
        }
        assert!(total > 800, "{total}");
    }

    #[test]
    fn touching_counts_once_and_nothing_ends_the_search_in_time() {
        let found = times("abs((t - 1)^2)", 3.0);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0] - 1.0).abs() < 1e-6);
        // no zero for thousands of seconds: the search says how far it has looked
        let formula = Formula::parse("max(exp(-t), -1) + abs(exp(t/1e4) + 0.1)").unwrap();
        let points = Breakpoints::of(&formula);
        let (at, strength) = points.next(0.0).unwrap();
        assert!(at > 1000.0 && strength == Strength::MAX);
        // poles and domains do not stop it
        assert_eq!(times("sign(tan(t) - 1)", 1.5).len(), 1);
        assert_eq!(times("abs(ln(t) + sqrt(t) - 0.5)", 3.0).len(), 1);
    }

    /// The grid's own lines are as good as any other place.
    #[test]
    fn zeros_on_the_grid_are_found_whichever_way_they_go() {
        assert_eq!(times("sign(t^2 - 1)", 3.0), [1.0]);
        assert_eq!(times("sign(1 - t^2)", 3.0), [1.0]);
        assert_eq!(times("sign(t^3 - 8)", 3.0), [2.0]);
        assert_eq!(times("if(exp(t - 1) > 1, 5, 0)", 3.0), [1.0]);
    }

    #[test]
    fn the_same_zero_whoever_asks() {
        let formula = Formula::parse("abs(sin(5*t) + 0.3*t - 0.4)").unwrap();
        let points = Breakpoints::of(&formula);
        let (first, _) = points.next(0.0).unwrap();
        for share in [0.1, 0.5, 0.9, 0.999_999] {
            assert_eq!(points.next(share * first).unwrap().0, first);
        }
        assert!(points.next(first).unwrap().0 > first);
    }
}
