//! Operations that take one of two branches by the sign of an expression `u`, and formulas of signals whose
//! branches are frozen.
//!
//! `sign(u)`, `abs(u)`, `min(a, b)` and `max(a, b)` with `u = a - b`, `if` with the difference of what it
//! compares, and steps without a length. Where `u` is a function of time its zeros are known beforehand
//! ([`super::Breakpoints`]); where it names signals it is a switching function, a [`Corner`]: an integrator
//! keeps the branch within a step, lets the formula go on smoothly beyond the zero, and ends the step there. Where
//! both branches draw the motion to the zero it slides along it, and the formula takes a share of each branch (Filippov 1988): one
//! that is given, or one that follows `u` along a straight line over a width.

use super::{Formula, Function, Now, Op, STACK, Strength, is_of_signals};
use linkwork_dae::scalar::Scalar;
use std::ops::Range;

/// A branching operation of a program.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fork {
    /// Place of the operation.
    pub op: usize,
    /// `u` is this part of the program,
    first: Range<usize>,
    /// minus this one, if so.
    minus: Option<Range<usize>>,
    /// The first derivative that jumps.
    pub strength: Strength,
}

impl Fork {
    /// `u` as a program.
    pub fn program(&self, all: &[Op]) -> Vec<Op> {
        let mut u = all[self.first.clone()].to_vec();
        if let Some(minus) = &self.minus {
            u.extend_from_slice(&all[minus.clone()]);
            u.push(Op::Subtract);
        }
        u
    }
}

/// All branching operations, in the order of the program.
pub(super) fn branches(program: &[Op]) -> Vec<Fork> {
    let mut found = Vec::new();
    // where the operands on the stack begin
    let mut begins: Vec<usize> = Vec::new();
    for (op, operation) in program.iter().enumerate() {
        let base = begins.len() - operation.takes().min(begins.len());
        let begin = |i: usize| begins.get(base + i).copied().unwrap_or(op);
        let part = |i: usize| begin(i)..begin(i + 1);
        let mut add = |minus: Option<usize>, strength| {
            found.push(Fork {
                op,
                first: part(0),
                minus: minus.map(part),
                strength,
            });
        };
        if let Op::Call(f) = operation {
            match f {
                Function::Sign | Function::If | Function::IfNot => add(None, 0),
                Function::Abs => add(None, 1),
                Function::Min | Function::Max => add(Some(1), 1),
                Function::Step if program[part(1)] == program[part(3)] => add(Some(1), 0),
                Function::Step => {
                    add(Some(1), 3);
                    add(Some(3), 3);
                }
                _ => {}
            }
        }
        let first = begin(0);
        begins.truncate(base);
        begins.push(first);
    }
    found
}

/// What a corner takes of its two branches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Blend {
    /// One of them.
    #[default]
    Branch,
    /// This share of the one where `u` is positive, the rest of the other.
    Share(f64),
    /// A share that grows with `u`, from this one at `u = 0`, and by one half over a width.
    Layer {
        /// Share at `u = 0`.
        centre: f64,
        /// See above.
        width: f64,
    },
}

/// Branches at the corners of a formula: positive or not, or something of both.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frozen<'a> {
    /// One per corner; none: all are where they are.
    pub positive: &'a [bool],
    /// One per corner; none: all take a branch.
    pub blends: &'a [Blend],
}

impl<'a> From<&'a [bool]> for Frozen<'a> {
    fn from(positive: &'a [bool]) -> Frozen<'a> {
        Frozen {
            positive,
            blends: &[],
        }
    }
}

/// A switching function of a formula of signals.
#[derive(Clone, Debug, PartialEq)]
pub struct Corner {
    branch: Fork,
    /// The name of the function that branches.
    pub word: &'static str,
}

/// The switching functions of a program: branches by signals that a value or its slope feels.
pub(super) fn corners(program: &[Op]) -> Vec<Corner> {
    let by_signals =
        |branch: &Fork| branch.strength < super::SMOOTH && is_of_signals(&branch.program(program));
    let found = branches(program).into_iter().filter(by_signals);
    found
        .map(|branch| Corner {
            word: match program[branch.op] {
                Op::Call(function) => function.word(),
                _ => "",
            },
            branch,
        })
        .collect()
}

impl Op {
    /// The branch that it takes with given operands; none where it has one and no more, or signals are among them.
    fn branch(self, x: &[f64]) -> Option<bool> {
        let Op::Call(function) = self else {
            return None;
        };
        let u = match (function, x) {
            (Function::Sign | Function::Abs | Function::If | Function::IfNot, [u, ..]) => *u,
            (Function::Min | Function::Max, [a, b]) => a - b,
            (Function::Step, [x, from, _, to, _]) if from == to => x - from,
            _ => return None,
        };
        (u != 0.0 && !u.is_nan()).then_some(u > 0.0)
    }
}

impl Function {
    fn word(self) -> &'static str {
        let own = |(name, f): &(&'static str, Function)| (*f == self).then_some(*name);
        Function::ALL.iter().find_map(own).unwrap_or("if")
    }

    /// The branch where `u` counts as positive, or the other one, wherever it is.
    fn take<S: Scalar>(self, x: &[S], positive: bool) -> S {
        match (self, x, positive) {
            (Function::Abs, &[a], true) => a,
            (Function::Abs, &[a], false) => -a,
            (Function::Sign, _, true) => S::from(1.0),
            (Function::Sign, _, false) => S::from(-1.0),
            (Function::Min, &[_, b], true) | (Function::Max, &[_, b], false) => b,
            (Function::Min, &[a, _], false) | (Function::Max, &[a, _], true) => a,
            (Function::If | Function::IfNot, &[_, a, _], true) => a,
            (Function::If | Function::IfNot, &[_, _, b], false) => b,
            (Function::Step, &[_, _, _, _, b], true) => b,
            (Function::Step, &[_, _, a, _, _], false) => a,
            (f, x, _) => f.apply(x),
        }
    }

    /// Something of both branches: `share` of the upper one.
    fn blend<S: Scalar>(self, x: &[S], share: S) -> S {
        let [below, above] = [false, true].map(|positive| self.take(x, positive));
        below + (above - below) * share
    }
}

impl Formula {
    /// Its switching functions, none unless it names signals.
    pub fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// The value with given branches at its corners, positive or not; without any, those where it is.
    pub fn eval_frozen<S: Scalar>(
        &self,
        now: impl Into<Now<S>>,
        signal: impl Fn(usize) -> S,
        frozen: Frozen<'_>,
    ) -> S {
        let now = now.into();
        if frozen.positive.is_empty() && now.beside().is_none() {
            return self.eval_with(now.t, signal);
        }
        let whole = 0..self.program.len();
        let value = self.run(whole.clone(), now, &signal, frozen).0;
        if value.value().is_finite() || now.beside().is_none() {
            return value;
        }
        // it ends where its branch does: if(t < 1, sqrt(1 - t), 0)
        let last = Now::from(S::from(now.side));
        self.run(whole, last, signal, frozen).0
    }

    /// The value of a switching function with given branches before it; without any, those where it is.
    pub fn corner<S: Scalar>(
        &self,
        index: usize,
        now: impl Into<Now<S>>,
        signal: impl Fn(usize) -> S,
        frozen: Frozen<'_>,
    ) -> S {
        let Some(Corner { branch, .. }) = self.corners.get(index) else {
            return S::from(f64::NAN);
        };
        // what is subtracted stands behind
        let end = branch.minus.as_ref().map_or(branch.first.end, |b| b.end);
        let (last, before) = self.run(branch.first.start..end, now.into(), signal, frozen);
        if branch.minus.is_some() {
            before - last
        } else {
            last
        }
    }

    /// Runs a part of the program; the last result and the one before it.
    fn run<S: Scalar>(
        &self,
        part: Range<usize>,
        now: Now<S>,
        signal: impl Fn(usize) -> S,
        frozen: Frozen<'_>,
    ) -> (S, S) {
        let mut stack = [S::from(0.0); STACK];
        let mut beside = [0.0; STACK];
        let mut top = 0;
        let blends = (frozen.blends.iter().copied()).chain(std::iter::repeat(Blend::Branch));
        let mut corners = (self.corners.iter().zip(frozen.positive).zip(blends))
            .skip_while(|((c, _), _)| c.branch.op < part.start)
            .peekable();
        for (k, op) in self.program[part.clone()].iter().enumerate() {
            let frozen = corners.next_if(|((c, _), _)| c.branch.op == part.start + k);
            let base = top - op.takes();
            let x = &stack[base..top];
            let mut branch = None;
            if let Some(side) = now.beside() {
                let own = &beside[base..top];
                branch = op.branch(own);
                beside[base] = op.apply(own, side);
            }
            stack[base] = match (*op, frozen) {
                (Op::Signal(i), _) => signal(usize::from(i)),
                (Op::Call(f), Some(((c, positive), blend))) => match blend {
                    Blend::Branch => f.take(x, *positive),
                    Blend::Share(share) => f.blend(x, S::from(share)),
                    Blend::Layer { centre, width } => {
                        let u = match c.branch.minus {
                            None => x[0],
                            Some(_) => x[0] - x[1],
                        };
                        f.blend(x, u * (0.5 / width) + centre)
                    }
                },
                (Op::Call(f), None) => match branch {
                    Some(positive) => f.take(x, positive),
                    None => f.apply(x),
                },
                (op, _) => op.apply(x, now.t),
            };
            top = base + 1;
        }
        let before = top.checked_sub(2).map_or(S::from(0.0), |i| stack[i]);
        (stack[top.saturating_sub(1)], before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_those_of_signals() {
        let words = |text: &str| -> Vec<&'static str> {
            let f = Formula::parse_with_signals(text).unwrap();
            f.corners().iter().map(|c| c.word).collect()
        };
        assert_eq!(words("abs(x) + sign(t - 1)*x"), ["abs"]);
        assert_eq!(words("if(x > 1, min(x, y), 2) + max(t, 3)"), ["min", "if"]);
        // smooth to the second derivative: left to error control
        assert!(words("step(x, 0, 1, 2, 3) + sin(x)").is_empty());
        assert_eq!(words("step(x, 1, 1, 1, 3)"), ["step"]);
    }

    /// Frozen where they are, formulas are what they are; on the other side each is the other branch, smooth.
    #[test]
    fn frozen_branches_go_on_beyond_their_zeros() {
        for (text, other) in [
            ("2 + abs(x)", "2 - x"),
            ("sign(x - 1)*y", "if(x > 1, -y, y)"),
            ("min(x, y^2)", "max(x, y^2)"),
            ("max(x - y, t)", "min(x - y, t)"),
            ("if(x < y, x*x, 5)", "if(x < y, 5, x*x)"),
            ("if(x >= y, x*x, 5) + 1", "if(x >= y, 5, x*x) + 1"),
            ("step(x, 1, y, 1, 7*x)", "step(x, 1, 7*x, 1, y)"),
        ] {
            let f = Formula::parse_with_signals(text).unwrap();
            let g = Formula::parse_with_signals(other).unwrap();
            for (x, y) in [(0.3, 0.7), (1.4, -0.2), (2.5, 1.1)] {
                let at = |f: &Formula, sides: &[bool]| {
                    let names: Vec<_> = f.signals().iter().map(|s| s.name.clone()).collect();
                    let value = |i: usize| if names[i] == "x" { x } else { y };
                    (
                        f.eval_frozen(0.9, value, sides.into()),
                        f.corner(0, 0.9, value, sides.into()),
                    )
                };
                let (here, u) = at(&f, &[]);
                let (same, frozen_u) = at(&f, &[u > 0.0]);
                assert_eq!((here, u), (same, frozen_u), "{text}");
                if text.starts_with("2 +") && x < 0.0 {
                    continue;
                }
                assert_eq!(at(&f, &[u <= 0.0]).0, at(&g, &[]).0, "{text} at {x}, {y}");
            }
        }
    }

    /// Beyond an instant a formula is that of its side, and where that has no value the last one.
    #[test]
    fn branches_by_the_clock_go_on_beyond_their_instants() {
        let x = 0.3;
        for (text, beyond) in [
            ("if(t > 1, 3, t^2)", 1.21),
            ("if(t >= 1, 3, t^2)", 1.21),
            ("t*sign(t - 1)", -1.1),
            ("abs(1 - t) + x", -0.1 + x),
            ("min(t, 1)*x", 1.1 * x),
            ("max(t, 1)", 1.0),
            ("step(t, 1, t^2, 1, 3)", 1.21),
            ("if(t > 1, 3, if(t > 0.5, t*x, 2))", 1.1 * x),
            ("if(t < 1, 2 + sqrt(1 - t), 0)", 2.0),
            ("if(x > 1, 1, t)", 1.1),
        ] {
            let f = Formula::parse_with_signals(text).unwrap();
            let side = 1.0 - 16.0 * f64::EPSILON;
            let at = |t: f64| f.eval_frozen(Now { t, side }, |_| x, Frozen::default());
            assert!((at(1.1) - beyond).abs() < 1e-6, "{text}: {}", at(1.1));
            assert_eq!(at(side), f.eval_with(side, |_| x), "{text}");
        }
    }

    /// A corner inside another: the outer switching function is smooth while the inner branch is kept.
    #[test]
    fn switching_functions_are_smooth_along_frozen_branches() {
        let f = Formula::parse_with_signals("if(abs(x) > 1, 3, 4)").unwrap();
        assert_eq!(f.corners().len(), 2);
        let outer = |x: f64, sides: &[bool]| f.corner(1, 0.0, |_| x, sides.into());
        assert_eq!(outer(-0.5, &[]), -0.5);
        assert_eq!(outer(-0.5, &[true, false]), -1.5);
        assert_eq!(outer(-0.5, &[false, false]), -0.5);
        let frozen = f.eval_frozen(0.0, |_| -2.0, [false, false].as_slice().into());
        assert_eq!(frozen, 4.0);
    }

    /// Across a width a formula leads from one branch to the other; a share of both does not hang on where it is.
    #[test]
    fn a_blend_joins_both_branches() {
        // a share is that of the upper side of the switching function, which falls with x in the third
        for (text, below, above, share) in [
            ("3*sign(x)", -3.0, 3.0, 0.25),
            ("if(x > 0, 5, 1)", 1.0, 5.0, 0.25),
            ("if(0 > x, 5, 1)", 5.0, 1.0, 0.75),
            ("step(x, 0, 2, 0, 7)", 2.0, 7.0, 0.25),
        ] {
            let f = Formula::parse_with_signals(text).unwrap();
            let take = |x: f64, blend: Blend| {
                let frozen = Frozen {
                    positive: &[true],
                    blends: &[blend],
                };
                f.eval_frozen(0.0, |_| x, frozen)
            };
            let layer = Blend::Layer {
                centre: 0.5,
                width: 0.1,
            };
            let at = |x: f64| take(x, layer);
            let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{text}: {a} {b}");
            close(at(-0.1), below);
            close(at(0.1), above);
            close(at(0.0), 0.5 * (below + above));
            close(take(0.7, Blend::Share(share)), 0.75 * below + 0.25 * above);
        }
    }
}
