//! Enclosures: between which numbers a formula and its slope lie while time goes through an interval.
//!
//! Every operation takes intervals of value and slope to intervals that contain them (Moore 1966), a little
//! widened for rounding. Where an operation may jump, its slope is anything; where it may leave its
//! domain, its value too.

use super::{Function, Op, STACK};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// All numbers between two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub lo: f64,
    pub hi: f64,
}

/// Any number.
pub(super) const ALL: Interval = Interval {
    lo: f64::NEG_INFINITY,
    hi: f64::INFINITY,
};

impl Interval {
    pub fn new(a: f64, b: f64) -> Interval {
        if a.is_nan() || b.is_nan() {
            return ALL;
        }
        let (lo, hi) = (a.min(b), a.max(b));
        let wide = 4.0 * f64::EPSILON;
        Interval {
            lo: lo - wide * lo.abs(),
            hi: hi + wide * hi.abs(),
        }
    }

    fn point(x: f64) -> Interval {
        Interval { lo: x, hi: x }
    }

    /// Whether zero is in it.
    pub fn has_zero(self) -> bool {
        self.lo <= 0.0 && self.hi >= 0.0
    }

    pub fn hull(self, other: Interval) -> Interval {
        Interval {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }

    pub fn add(self, other: Interval) -> Interval {
        Interval::new(self.lo + other.lo, self.hi + other.hi)
    }

    pub fn negate(self) -> Interval {
        Interval {
            lo: -self.hi,
            hi: -self.lo,
        }
    }

    pub fn times(self, other: Interval) -> Interval {
        // nothing times anything is nothing
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let all = [
            product(self.lo, other.lo),
            product(self.lo, other.hi),
            product(self.hi, other.lo),
            product(self.hi, other.hi),
        ];
        let lo = all.iter().fold(f64::INFINITY, |m, x| m.min(*x));
        let hi = all.iter().fold(f64::NEG_INFINITY, |m, x| m.max(*x));
        Interval::new(lo, hi)
    }

    pub fn reciprocal(self) -> Interval {
        if self.has_zero() {
            ALL
        } else {
            Interval::new(1.0 / self.lo, 1.0 / self.hi)
        }
    }

    /// A function that rises or falls throughout.
    fn map(self, f: impl Fn(f64) -> f64) -> Interval {
        Interval::new(f(self.lo), f(self.hi))
    }

    pub fn power(self, p: f64) -> Interval {
        if p == 0.0 {
            return Interval::point(1.0);
        }
        if p.fract() != 0.0 {
            let inside = self.lo > 0.0 || (self.lo == 0.0 && p > 0.0);
            return if inside { self.map(|x| x.powf(p)) } else { ALL };
        }
        if p < 0.0 {
            return self.power(-p).reciprocal();
        }
        let ends = self.map(|x| x.powf(p));
        if p % 2.0 == 0.0 && self.has_zero() {
            ends.hull(Interval::point(0.0))
        } else {
            ends
        }
    }

    /// The sine.
    fn sine(self) -> Interval {
        if !(self.hi - self.lo < TAU) {
            return Interval { lo: -1.0, hi: 1.0 };
        }
        let mut y = self.map(f64::sin);
        // crests at pi/2 + 2 k pi, troughs half a turn later
        let crest = |offset: f64| ((self.lo - offset) / TAU).ceil() * TAU + offset <= self.hi;
        if crest(FRAC_PI_2) {
            y.hi = 1.0;
        }
        if crest(-FRAC_PI_2) {
            y.lo = -1.0;
        }
        y
    }
}

/// Value and slope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub x: Interval,
    pub d: Interval,
}

impl Range {
    fn constant(c: f64) -> Range {
        Range {
            x: Interval::point(c),
            d: Interval::point(0.0),
        }
    }

    fn either(self, other: Range) -> Range {
        Range {
            x: self.x.hull(other.x),
            d: self.d.hull(other.d),
        }
    }

    /// Anything between two courses, jumps included.
    fn jumps(self, other: Range) -> Range {
        Range {
            x: self.x.hull(other.x),
            d: ALL,
        }
    }

    fn minus(self, other: Range) -> Range {
        Range {
            x: self.x.add(other.x.negate()),
            d: self.d.add(other.d.negate()),
        }
    }

    fn times(self, other: Range) -> Range {
        Range {
            x: self.x.times(other.x),
            d: self.d.times(other.x).add(self.x.times(other.d)),
        }
    }

    /// A function with the given enclosures of its value and its slope.
    fn through(self, x: Interval, slope: Interval) -> Range {
        Range {
            x,
            d: slope.times(self.d),
        }
    }

    fn reciprocal(self) -> Range {
        let x = self.x.reciprocal();
        self.through(x, x.times(x).negate())
    }

    fn exp(self) -> Range {
        let x = self.x.map(f64::exp);
        self.through(x, x)
    }

    fn ln(self) -> Range {
        if self.x.lo > 0.0 {
            self.through(self.x.map(f64::ln), self.x.reciprocal())
        } else {
            self.through(ALL, ALL)
        }
    }

    fn power(self, p: f64) -> Range {
        let slope = self.x.power(p - 1.0).times(Interval::point(p));
        self.through(self.x.power(p), slope)
    }
}

/// The range of a program while time is in an interval.
pub(super) fn range(program: &[Op], t: Interval) -> Range {
    let mut stack = [Range::constant(0.0); STACK];
    let mut top = 0;
    for op in program {
        let base = top - op.takes();
        stack[base] = apply(*op, &stack[base..top], t);
        top = base + 1;
    }
    stack[0]
}

fn apply(op: Op, x: &[Range], t: Interval) -> Range {
    match (op, x) {
        (Op::Constant(c), _) => Range::constant(c),
        (Op::Time, _) => Range {
            x: t,
            d: Interval::point(1.0),
        },
        (Op::Negate, &[a]) => Range::constant(0.0).minus(a),
        (Op::Add, &[a, b]) => Range {
            x: a.x.add(b.x),
            d: a.d.add(b.d),
        },
        (Op::Subtract, &[a, b]) => a.minus(b),
        (Op::Multiply, &[a, b]) => a.times(b),
        (Op::Divide, &[a, b]) => a.times(b.reciprocal()),
        (Op::PowerOf(p), &[a]) => a.power(p),
        (Op::Power, &[a, b]) => b.times(a.ln()).exp(),
        (Op::Call(f), x) => call(f, x),
        _ => Range { x: ALL, d: ALL },
    }
}

/// The range of a function.
pub(super) fn call(f: Function, x: &[Range]) -> Range {
    match (f, x) {
        (Function::Sin, &[a]) => {
            let shifted = a.x.add(Interval::point(FRAC_PI_2));
            a.through(a.x.sine(), shifted.sine())
        }
        (Function::Cos, &[a]) => {
            let shifted = a.x.add(Interval::point(FRAC_PI_2));
            a.through(shifted.sine(), a.x.sine().negate())
        }
        (Function::Tan, &[a]) => {
            let branch = |x: f64| (x / PI + 0.5).floor();
            if branch(a.x.lo) != branch(a.x.hi) {
                return a.through(ALL, ALL);
            }
            let y = a.x.map(f64::tan);
            a.through(y, Interval::point(1.0).add(y.power(2.0)))
        }
        (Function::Asin | Function::Acos, &[a]) => {
            if a.x.lo < -1.0 || a.x.hi > 1.0 {
                return a.through(ALL, ALL);
            }
            let rest = Interval::point(1.0).add(a.x.power(2.0).negate());
            let slope = rest.power(-0.5);
            if f == Function::Asin {
                a.through(a.x.map(f64::asin), slope)
            } else {
                a.through(a.x.map(f64::acos), slope.negate())
            }
        }
        (Function::Atan, &[a]) => {
            let slope = Interval::point(1.0).add(a.x.power(2.0)).reciprocal();
            a.through(a.x.map(f64::atan), slope)
        }
        (Function::Sqrt, &[a]) => a.power(0.5),
        (Function::Exp, &[a]) => a.exp(),
        (Function::Ln, &[a]) => a.ln(),
        (Function::Abs, &[a]) => {
            let b = Range::constant(0.0).minus(a);
            if a.x.lo >= 0.0 {
                a
            } else if a.x.hi <= 0.0 {
                b
            } else {
                let mut both = a.either(b);
                both.x.lo = 0.0;
                both
            }
        }
        (Function::Sign, &[a]) => {
            if a.x.lo > 0.0 {
                Range::constant(1.0)
            } else if a.x.hi < 0.0 {
                Range::constant(-1.0)
            } else {
                Range::constant(-1.0).jumps(Range::constant(1.0))
            }
        }
        (Function::Min, &[a, b]) if a.x.hi <= b.x.lo => a,
        (Function::Min, &[a, b]) if b.x.hi <= a.x.lo => b,
        (Function::Max, &[a, b]) if a.x.hi <= b.x.lo => b,
        (Function::Max, &[a, b]) if b.x.hi <= a.x.lo => a,
        (Function::Min | Function::Max, &[a, b]) => a.either(b),
        (Function::Step, &[t, t0, a, t1, b]) => {
            if t.x.hi <= t0.x.lo {
                a
            } else if t.x.lo >= t1.x.hi {
                b
            } else {
                a.jumps(b)
            }
        }
        (Function::If | Function::IfNot, &[u, a, b]) => {
            if u.x.lo > 0.0 {
                a
            } else if u.x.hi < 0.0 {
                b
            } else {
                a.jumps(b)
            }
        }
        _ => Range { x: ALL, d: ALL },
    }
}
