//! How far ahead two values of a formula tell it.
//!
//! An integrator sees a force where it looks; a bump between two looks is not seen, however high it is. While signals go
//! on as they do now, `u + u' tau`, every function in a formula whose argument is a polynomial of second degree
//! at most has a range between two times that is known exactly.
//!
//! ```text
//!  told(a, b):   its range over (a, b) is within what it is at both ends, widened by the span of these
//!  step(x, ..):  its rise does not lie between a and b
//! ```
//!
//! What is told ends on the far slope of a bump or at the end of a rise. A step may go half of that way: then one of its
//! looks falls onto the near slope, wherever it looks, and the rest is a matter of error control. Sums and products need no look of their own: what is narrow in
//! them comes from a function. Waves are left to error control, which sees them everywhere; but not where they decide on a branch or
//! an event, press on what sticks, or are made narrow by another function: there a step may be a quarter of a wave.

use super::interval::{ALL, Interval, Range, call};
use super::{Formula, Function, Op, STACK};
use std::f64::consts::PI;

/// How far it is looked ahead, s.
const FAR: f64 = 1e3;
/// Share of what is told that a step may go.
const NEAR_SIDE: f64 = 0.5;
/// How well the end of what is told is known, relative to its distance.
const CLOSE: f64 = 1e-3;
/// Rounding of ranges, relative to them.
const ROUNDING: f64 = 1e-9;

/// What of a formula nobody else sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unseen {
    /// What is narrow.
    Bumps,
    /// Waves as well: it decides on something, or presses on what may stick.
    Waves,
}

/// A part of a formula between two times.
#[derive(Clone, Copy, Debug)]
struct Course {
    /// Coefficients in `tau`, where it is a polynomial.
    line: Option<[f64; 3]>,
    range: Interval,
    /// Whether the range is no wider than it has to be.
    exact: bool,
    /// Whether it has more than half of a wave in it.
    waves: bool,
    /// At both ends.
    at: [f64; 2],
}

impl Course {
    fn polynomial(c: [f64; 3], [a, b]: [f64; 2]) -> Course {
        let value = |x: f64| c[0] + x * (c[1] + x * c[2]);
        let at = [value(a), value(b)];
        let mut range = Interval::new(at[0], at[1]);
        let top = -0.5 * c[1] / c[2];
        if a < top && top < b {
            range = range.hull(Interval::new(value(top), value(top)));
        }
        Course {
            line: Some(c),
            range,
            exact: true,
            waves: false,
            at,
        }
    }

    /// Whether a wave of it is no longer than half.
    fn is_half_a_wave(&self) -> bool {
        !self.exact || self.range.hi - self.range.lo <= PI
    }

    fn is_constant(&self) -> bool {
        matches!(self.line, Some([_, c1, c2]) if c1 == 0.0 && c2 == 0.0)
    }

    /// Whether two values tell the range.
    fn is_told(&self) -> bool {
        let [a, b] = self.at;
        let (least, most) = (a.min(b), a.max(b));
        let margin = most - least + ROUNDING * most.abs().max(least.abs());
        // a range without bounds has a pole or leaves its domain: nothing is known there
        let bounded = self.range.lo.is_finite() && self.range.hi.is_finite();
        !bounded || (self.range.lo >= least - margin && self.range.hi <= most + margin)
    }
}

/// The sum of two polynomials, or of one and a multiple of another.
fn sum(a: [f64; 3], b: [f64; 3], factor: f64) -> [f64; 3] {
    std::array::from_fn(|i| a[i] + factor * b[i])
}

/// The product of two polynomials, if it is one of second degree at most.
fn product(a: [f64; 3], b: [f64; 3]) -> Option<[f64; 3]> {
    let high = [a[1] * b[2] + a[2] * b[1], a[2] * b[2]];
    (high == [0.0, 0.0]).then_some([
        a[0] * b[0],
        a[0] * b[1] + a[1] * b[0],
        a[0] * b[2] + a[1] * b[1] + a[2] * b[0],
    ])
}

/// The polynomial that an operation makes of polynomials, where it does.
fn line(op: Op, x: &[Course]) -> Option<[f64; 3]> {
    match (op, x) {
        (Op::Negate, [a]) => Some(sum([0.0; 3], a.line?, -1.0)),
        (Op::Add, [a, b]) => Some(sum(a.line?, b.line?, 1.0)),
        (Op::Subtract, [a, b]) => Some(sum(a.line?, b.line?, -1.0)),
        (Op::Multiply, [a, b]) => product(a.line?, b.line?),
        (Op::Divide, [a, b]) if b.is_constant() => {
            let [c, ..] = b.line?;
            Some(a.line?.map(|x| x / c))
        }
        (Op::PowerOf(2.0), [a]) => product(a.line?, a.line?),
        _ => None,
    }
}

/// What an operation makes of its operands between two times, and whether two values tell it.
fn apply(op: Op, x: &[Course], ends: [f64; 2]) -> (Course, bool) {
    if let Some(c) = line(op, x) {
        return (Course::polynomial(c, ends), true);
    }
    let at = std::array::from_fn(|k| {
        let mut own = [0.0; STACK];
        for (own, x) in own.iter_mut().zip(x) {
            *own = x.at[k];
        }
        op.apply(&own[..x.len()], f64::NAN)
    });
    let waves = x.iter().any(|x| x.waves);
    let vary = x.iter().filter(|x| !x.is_constant()).count();
    let [a, b] = [0, 1].map(|i| x.get(i).map_or(ALL, |x| x.range));
    let (range, bends) = match (op, x) {
        (Op::Negate, _) => (a.negate(), false),
        (Op::Add, _) => (a.add(b), false),
        (Op::Subtract, _) => (a.add(b.negate()), false),
        (Op::Multiply, _) => (a.times(b), false),
        (Op::Divide, [_, by]) => (a.times(b.reciprocal()), !by.is_constant()),
        (Op::PowerOf(p), _) => (a.power(p), true),
        (Op::Call(f @ (Function::Sin | Function::Cos | Function::Tan)), [x]) => {
            let course = Course {
                line: None,
                range: call(f, &[Range { x: a, d: ALL }]).x,
                exact: x.exact,
                waves: waves || !x.is_half_a_wave(),
                at,
            };
            return (course, true);
        }
        (Op::Call(Function::Step), [x, rest @ ..]) => {
            let rises = rest.iter().all(Course::is_constant);
            let (from, to) = (rest[0].at[0], rest[2].at[0]);
            let passed = |x: f64| (x - from).min(to - x) <= 0.0;
            let within = passed(x.at[0]) && passed(x.at[1]) && (x.at[0] > from) != (x.at[1] > from);
            let exact = rises && x.exact;
            let value = |at: f64| {
                let mut own = [at, 0.0, 0.0, 0.0, 0.0];
                own[1..]
                    .iter_mut()
                    .zip(rest)
                    .for_each(|(own, x)| *own = x.at[0]);
                op.apply(&own, f64::NAN)
            };
            let course = Course {
                line: None,
                range: Interval::new(value(x.range.lo), value(x.range.hi)),
                exact,
                waves,
                at,
            };
            let told = !(exact && from < to && within);
            return (course, told && (!exact || course.is_told()));
        }
        (Op::Call(f), [_]) => {
            // steps end at corners
            let corner = matches!(f, Function::Abs | Function::Sign);
            (call(f, &[Range { x: a, d: ALL }]).x, !corner)
        }
        _ => (ALL, false),
    };
    let course = Course {
        line: None,
        range,
        exact: vary <= 1 && x.iter().all(|x| x.exact),
        waves,
        at,
    };
    let told = !(course.exact && bends) || course.is_told();
    let divides = matches!((op, x), (Op::Divide, [_, b]) if b.waves);
    (course, told && !(divides || waves && sharpens(op)))
}

/// Whether two values tell every part of a program between two times.
fn is_told(
    program: &[Op],
    t: f64,
    signal: &impl Fn(usize) -> [f64; 2],
    ends: [f64; 2],
    unseen: Unseen,
) -> bool {
    let mut stack = [Course::polynomial([0.0; 3], ends); STACK];
    let mut top = 0;
    for op in program {
        let base = top - op.takes();
        let (course, told) = match *op {
            Op::Constant(c) => (Course::polynomial([c, 0.0, 0.0], ends), true),
            Op::Time => (Course::polynomial([t, 1.0, 0.0], ends), true),
            Op::Signal(i) => {
                let [u, rate] = signal(usize::from(i));
                (Course::polynomial([u, rate, 0.0], ends), true)
            }
            op => apply(op, &stack[base..top], ends),
        };
        if !told {
            return false;
        }
        stack[base] = course;
        top = base + 1;
    }
    unseen == Unseen::Bumps || !stack[0].waves
}

/// Whether an operation makes waves narrow.
fn sharpens(op: Op) -> bool {
    match op {
        Op::PowerOf(p) => !(0.0..=2.0).contains(&p) || p.fract() != 0.0,
        Op::Call(f) => matches!(f, Function::Exp | Function::Step | Function::Atan),
        _ => false,
    }
}

impl Formula {
    /// Whether something in it may be narrow: a function that is neither a polynomial nor, unless they count, a wave. Corners are
    /// events.
    pub(crate) fn may_hide(&self, unseen: Unseen) -> bool {
        let waves = unseen == Unseen::Waves || self.program.iter().any(|op| sharpens(*op));
        let bends = |(k, op): (usize, &Op)| match op {
            Op::Divide => !matches!(self.program[..k].last(), Some(Op::Constant(_))),
            Op::PowerOf(p) => *p < 0.0 || p.fract() != 0.0,
            Op::Call(Function::Exp | Function::Ln | Function::Sqrt | Function::Step) => true,
            Op::Call(Function::Atan | Function::Asin | Function::Acos) => true,
            Op::Call(Function::Sin | Function::Cos | Function::Tan) => waves,
            _ => false,
        };
        let varies = |op: &Op| matches!(op, Op::Time | Op::Signal(_));
        self.program.iter().enumerate().any(bends) && self.program.iter().any(varies)
    }

    /// How long a step from `t` on may be that does not leap over anything in it, while its signals, each given with its rate, go on as they
    /// do; see the [module](self).
    pub(crate) fn told_for(
        &self,
        t: f64,
        signal: impl Fn(usize) -> [f64; 2],
        unseen: Unseen,
    ) -> f64 {
        if is_told(&self.program, t, &signal, [0.0, FAR], unseen) {
            return f64::INFINITY;
        }
        let (mut told, mut not) = (0.0, FAR);
        while not - told > CLOSE * not && not > f64::EPSILON * t.abs().max(f64::MIN_POSITIVE) {
            let middle = 0.5 * (told + not);
            match is_told(&self.program, t, &signal, [0.0, middle], unseen) {
                true => told = middle,
                false => not = middle,
            }
        }
        NEAR_SIDE * told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far a formula of a signal `x` at 0 that rises by `v` is told.
    fn told(text: &str, v: f64) -> f64 {
        let formula = Formula::parse_with_signals(text).unwrap();
        assert!(formula.may_hide(Unseen::Bumps), "{text}");
        formula.told_for(0.0, |_| [0.0, v], Unseen::Bumps) / NEAR_SIDE
    }

    #[test]
    fn bumps_are_met_on_their_far_slope() {
        for (text, from, to) in [
            ("60*exp(-((x - 20)/0.1)^2)", 20.0, 20.1),
            ("3*x + 60*exp(-((x - 20)/0.1)^2)", 20.0, 20.1),
            ("1/(1 + ((x - 20)/0.01)^2)", 20.0, 20.02),
            (
                "1/(1 + ((x - 20)/0.01)^2) + 1/(1 + ((x - 5)/0.01)^2)",
                5.0,
                5.02,
            ),
            (
                "step(x, 20, 0, 20.1, 60)*step(x, 20.2, 1, 20.3, 0)",
                20.0,
                20.1,
            ),
            ("exp(-((t - 5)/1e-3)^2)", 5.0, 5.01),
        ] {
            let end = told(text, 1.0);
            assert!(from * 0.99 <= end && end <= to * 1.01, "{text}: {end}");
        }
        // faster, or from the other side
        assert!((told("exp(-((x - 20)/0.1)^2)", 10.0) - 2.0).abs() < 0.05);
        assert!((told("exp(-((x + 20)/0.1)^2)", -1.0) - 20.05).abs() < 0.3);
    }

    #[test]
    fn nothing_else_shortens_a_step() {
        for text in [
            "exp(-x)",
            "exp(x/10)*atan(1000*x)",
            "x^3/(1 + 0*t)",
            "exp(-((x + 20)/0.1)^2)",
            "5*sin(50*x)/2 + atan(x/1e-6)",
            "step(x, -2, 0, -1, 60)",
            "1/(x - 7)",
        ] {
            assert_eq!(told(text, 1.0), f64::INFINITY, "{text}");
        }
        for text in [
            "-40*x - 3*x*t + sin(9*t)",
            "3*x^2/2 - x*t",
            "abs(x - 3)",
            "exp(2)",
        ] {
            let formula = Formula::parse_with_signals(text).unwrap();
            assert!(!formula.may_hide(Unseen::Bumps), "{text}");
        }
    }

    #[test]
    fn waves_are_told_for_half_of_one() {
        for (text, v, half) in [
            ("sin(2*x)", 1.0, 0.5 * PI),
            ("if(cos(x) > 0.9, 1, 0)", 10.0, 0.1 * PI),
            ("exp(-t)*x + sin(3*t) - cos(x)", 1.0, PI / 3.0),
        ] {
            let formula = Formula::parse_with_signals(text).unwrap();
            assert!(formula.may_hide(Unseen::Waves), "{text}");
            let told = formula.told_for(0.0, |_| [0.0, v], Unseen::Waves) / NEAR_SIDE;
            assert!((told - half).abs() < 2e-3 * half, "{text}: {told}");
        }
        let chirp = Formula::parse_with_signals("sin(exp(x))").unwrap();
        assert!(chirp.told_for(0.0, |_| [0.0, 1.0], Unseen::Waves) > 0.1);
    }
}
