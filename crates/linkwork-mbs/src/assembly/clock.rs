//! The clock of a model: instants at which formulas and tables over time are not smooth, and on which side
//! of one of them time stands.
//!
//! An integrator steps exactly onto an instant, reads its left side there, is told that it has passed, and
//! begins with its right side at the same time. A formula only compares numbers, so time is moved off
//! the instant by a little more than its rounding, to the side that counts.

use crate::assemble::{Plan, SignalSource};
use crate::expr::{Breakpoints, Now, SMOOTH};
use linkwork_dae::memory::Memory;
use std::cell::Cell;
use std::sync::Arc;

/// Rounding of an instant, relative to its size, and how far time is moved off.
const SAME: f64 = 4.0 * f64::EPSILON;
const ASIDE: f64 = 16.0 * f64::EPSILON;

/// Size of an instant, s: formulas add numbers of the order of one to time, `t + 1 > 1`, so that next to zero their
/// rounding is not less than beside a second.
fn size(t: f64) -> f64 {
    t.abs().max(1.0)
}

/// No instant is known.
const UNKNOWN: (f64, f64) = (f64::INFINITY, f64::INFINITY);

/// See the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Clock {
    breakpoints: Arc<Breakpoints>,
    /// When it starts: what is said of the start holds from then on.
    start: f64,
    /// The last instant passed.
    passed: f64,
    /// An answer of [`Clock::next`]: from when on it holds, and the instant.
    known: Cell<(f64, f64)>,
}

impl Clock {
    pub fn new(breakpoints: Breakpoints, start: f64) -> Clock {
        Clock {
            breakpoints: Arc::new(breakpoints),
            start,
            passed: start,
            known: Cell::new(UNKNOWN),
        }
    }

    /// The clock of all formulas of time of a model, and of tables that joints follow. Forces read the
    /// values of formulas, joints their second derivatives.
    pub fn of(plan: &Plan) -> Clock {
        let mut all = Breakpoints::default();
        for force in &plan.forces {
            for formula in force.force.inputs() {
                all.join(Breakpoints::of(formula));
            }
        }
        for node in &plan.wiring.nodes {
            if let SignalSource::Formula { formula, .. } = &node.source {
                all.join(Breakpoints::of(formula));
            }
        }
        for (_, formula) in &plan.wiring.external {
            all.join(Breakpoints::of(formula));
        }
        for joint in &plan.joints {
            if let Some(formula) = joint.joint.capacity() {
                all.join(Breakpoints::of(formula));
            }
            for course in joint.joint.courses() {
                all.join(course.curve.breakpoints().sharpened());
            }
        }
        Clock::new(all, plan.guess.t)
    }

    /// Forgets what has passed.
    pub fn reset(&mut self) {
        self.passed = self.start;
        self.known.set(UNKNOWN);
    }

    /// The first instant after `t`.
    pub fn next(&self, t: f64) -> Option<f64> {
        if self.breakpoints.is_empty() {
            return None;
        }
        let (from, next) = self.known.get();
        if from <= t && t < next {
            return Some(next).filter(|t| t.is_finite());
        }
        // what differs from an instant by rounding is that instant
        let beyond = t + SAME * size(t);
        let next = self.breakpoints.next(beyond).map(|(at, _)| at);
        self.known.set((t, next.unwrap_or(f64::INFINITY)));
        next
    }

    /// Time has reached `t`. Tells whether a value or its first derivative jumps there.
    pub fn pass(&mut self, t: f64) -> bool {
        if self.breakpoints.is_empty() {
            return false;
        }
        self.passed = t;
        let before = t - 2.0 * SAME * size(t);
        let met = self.breakpoints.next(before.next_down());
        met.is_some_and(|(at, strength)| at <= t + SAME * size(t) && strength < SMOOTH)
    }

    /// Time as formulas are to read it.
    pub fn now(&self, t: f64) -> Now {
        let side = self.side(t);
        Now { t, side }
    }

    /// Time where branches are taken, and as tables that joints follow are to read it.
    pub fn side(&self, t: f64) -> f64 {
        if self.breakpoints.is_empty() {
            return t;
        }
        let near = SAME * size(t);
        if (t - self.passed).abs() <= near {
            return self.passed + ASIDE * size(self.passed);
        }
        let (from, next) = self.known.get();
        // stages of some methods lie beyond the end of their step
        if from <= t + near && t >= next - near && next > self.passed {
            return next - ASIDE * size(next);
        }
        t
    }

    pub fn memory(&mut self, m: &mut Memory) {
        if !self.breakpoints.is_empty() {
            m.section("clock");
            m.f64(&mut self.passed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Formula;
    use linkwork_dae::scalar::Jet;

    #[test]
    fn both_sides_of_an_instant_are_read() {
        for (text, at, sides) in [
            ("step(t, 0.3, 1, 0.3, 2)", 0.3, [1.0, 2.0]),
            ("sign(t - 5.001)", 5.001, [-1.0, 1.0]),
            ("sign(sin(2*pi*7*t))", 3.0 / 14.0, [1.0, -1.0]),
        ] {
            let formula = Formula::parse(text).unwrap();
            let mut clock = Clock::new(Breakpoints::of(&formula), 0.0);
            let value = |clock: &Clock, t: f64| formula.eval(clock.side(t));
            clock.pass(0.0);
            let mut t = 0.0;
            while let Some(next) = clock.next(t).filter(|next| *next < at * 0.999) {
                assert!(clock.pass(next));
                t = next;
            }
            let next = clock.next(t).unwrap();
            assert!((next - at).abs() < 1e-14, "{text}: {next}");
            assert_eq!(value(&clock, next), sides[0], "{text}");
            assert!(clock.pass(next), "{text}");
            assert_eq!(value(&clock, next), sides[1], "{text}");
            assert_eq!(value(&clock, next + 1e-3), sides[1], "{text}");
            assert_eq!(value(&clock, next - 1e-3), sides[0], "{text}");
        }
    }

    /// A start is where the motion begins, not where another one ends.
    #[test]
    fn a_start_is_read_as_what_follows() {
        for start in [0.0, 2.5, -0.7] {
            let formula = Formula::parse(&format!("max(0, t - {start})")).unwrap();
            let mut clock = Clock::new(Breakpoints::of(&formula), start);
            let rate = |clock: &Clock, t: f64| formula.eval(Jet::time(clock.side(t))).d;
            assert_eq!(rate(&clock, start), 1.0, "{start}");
            clock.pass(start + 1.0);
            clock.reset();
            assert_eq!(rate(&clock, start), 1.0, "{start}");
        }
    }

    /// Zero has no rounding of its own, and what is added to a small time has more than that time.
    #[test]
    fn both_sides_are_read_of_instants_at_zero_and_next_to_it() {
        for (text, at, sides) in [
            ("sign(t)", 0.0, [-1.0, 1.0]),
            ("step(t, 0, 0, 0, 5)", 0.0, [0.0, 5.0]),
            ("if(t > 0, 5, 1)", 0.0, [1.0, 5.0]),
            ("if(exp(t) > 1, 5, 1)", 0.0, [1.0, 5.0]),
            ("if(t + 1 > 1.001, 5, 1)", 0.001, [1.0, 5.0]),
            ("if(t - 0.3 + 0.1 + 0.2 > 0, 5, 1)", 0.0, [1.0, 5.0]),
        ] {
            let formula = Formula::parse(text).unwrap();
            let mut clock = Clock::new(Breakpoints::of(&formula), f64::NEG_INFINITY);
            let value = |clock: &Clock, t: f64| formula.eval(clock.side(t));
            clock.pass(-0.5);
            let next = clock.next(-0.5).unwrap();
            assert!((next - at).abs() < 1e-15, "{text}: {next}");
            assert_eq!(value(&clock, next), sides[0], "{text}");
            assert!(clock.pass(next), "{text}");
            assert_eq!(value(&clock, next), sides[1], "{text}");
            assert!(clock.next(next).is_none_or(|more| more > 1.0), "{text}");
            // a run that begins there has no left side
            let mut clock = Clock::new(Breakpoints::of(&formula), at);
            assert!(clock.pass(at), "{text}");
            assert_eq!(value(&clock, at), sides[1], "{text}");
            assert!(clock.next(at).is_none_or(|more| more > 1.0), "{text}");
        }
    }

    #[test]
    fn smooth_steps_are_met_without_a_restart() {
        let formula = Formula::parse("step(t, 1, 0, 2, 5)").unwrap();
        let mut clock = Clock::new(Breakpoints::of(&formula), 0.0);
        assert!(!clock.pass(0.0));
        assert_eq!(clock.next(0.0), Some(1.0));
        assert!(!clock.pass(1.0));
        assert_eq!(clock.next(1.0), Some(2.0));
        assert_eq!(clock.next(0.5), Some(1.0));
        assert_eq!(clock.next(2.0), None);
    }
}
