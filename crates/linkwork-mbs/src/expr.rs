//! Formulas of time and signals, for drives, applied loads and controls:
//! `"0.1 + 0.02*sin(2*pi*t)"`, `"20*(target - arm.angle)"`.
//!
//! A formula is parsed once into a postfix program and evaluated on a fixed stack, so evaluation
//! neither allocates nor recurses. It is generic over the scalar: evaluated with a jet in `t` it
//! gives exact time derivatives, which rheonomic constraints need up to the second; evaluated with
//! duals it gives exact derivatives with respect to the signals.
//!
//! `abs`, `sign`, `min`, `max`, `step` and `if` are not smooth everywhere. Where that depends on time alone,
//! [`Breakpoints`] says when; where it depends on signals, a [`Corner`] is a switching function.

mod branches;
mod breakpoints;
mod constants;
mod interval;
mod parser;

pub use branches::Corner;
pub use breakpoints::{Breakpoints, SMOOTH, Strength};
pub(crate) use constants::words;
pub use constants::{Constant, Constants};

use crate::units::Dimension;
use linkwork_dae::scalar::Scalar;

/// Numbers that one evaluation may hold at the same time.
const STACK: usize = 16;

/// A function of time and, where it names any, of signals.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    program: Vec<Op>,
    signals: Vec<SignalName>,
    corners: Vec<Corner>,
}

/// A signal by the name that a formula gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalName {
    /// The name: `arm.angle`.
    pub name: String,
    /// First byte, in the text of the formula, where it is used first.
    pub position: usize,
}

/// Two formulas are equal when they compute the same thing in the same way.
impl Default for Formula {
    fn default() -> Formula {
        Formula::constant(0.0)
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Formula) -> bool {
        let names = |f: &Formula| f.signals.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
        self.program == other.program && names(self) == names(other)
    }
}

/// Why a text is not a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FormulaError {
    /// First byte of the offending part.
    pub position: usize,
    /// Its length in bytes; zero at the end of the text.
    pub length: usize,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Constant(f64),
    Time,
    /// A signal of the formula's own list.
    Signal(u16),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    /// Power with an exponent known beforehand: right for negative bases if it is an integer.
    PowerOf(f64),
    Power,
    Call(Function),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sqrt,
    Exp,
    Ln,
    Abs,
    Sign,
    Min,
    Max,
    Step,
    Atan2,
    /// The second operand where the first is positive, else the third.
    If,
    /// The same where it is not negative.
    IfNot,
}

impl Function {
    const ALL: [(&'static str, Function); 16] = [
        ("sin", Function::Sin),
        ("cos", Function::Cos),
        ("tan", Function::Tan),
        ("asin", Function::Asin),
        ("acos", Function::Acos),
        ("atan", Function::Atan),
        ("sqrt", Function::Sqrt),
        ("exp", Function::Exp),
        ("ln", Function::Ln),
        ("abs", Function::Abs),
        ("sign", Function::Sign),
        ("min", Function::Min),
        ("max", Function::Max),
        ("step", Function::Step),
        ("atan2", Function::Atan2),
        ("if", Function::If),
    ];

    fn arguments(self) -> usize {
        match self {
            Function::Min | Function::Max | Function::Atan2 => 2,
            Function::If | Function::IfNot => 3,
            Function::Step => 5,
            _ => 1,
        }
    }
}

impl Op {
    fn takes(self) -> usize {
        match self {
            Op::Constant(_) | Op::Time | Op::Signal(_) => 0,
            Op::Negate | Op::PowerOf(_) => 1,
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Power => 2,
            Op::Call(f) => f.arguments(),
        }
    }

    /// Result from the operands, of which there are `self.takes()`.
    fn apply<S: Scalar>(self, x: &[S], t: S) -> S {
        match (self, x) {
            (Op::Constant(c), _) => S::from(c),
            (Op::Time, _) => t,
            (Op::Negate, &[a]) => -a,
            (Op::Add, &[a, b]) => a + b,
            (Op::Subtract, &[a, b]) => a - b,
            (Op::Multiply, &[a, b]) => a * b,
            (Op::Divide, &[a, b]) => a / b,
            (Op::PowerOf(p), &[a]) => power(a, p),
            (Op::Power, &[a, b]) => (b * a.ln()).exp(),
            (Op::Call(f), x) => f.apply(x),
            // The parser emits every operation with its operands.
            _ => S::from(f64::NAN),
        }
    }
}

impl Function {
    fn apply<S: Scalar>(self, x: &[S]) -> S {
        match (self, x) {
            (Function::Sin, &[a]) => a.sin_cos().0,
            (Function::Cos, &[a]) => a.sin_cos().1,
            (Function::Tan, &[a]) => {
                let f = a.value().tan();
                let d = 1.0 + f * f;
                a.lift([f, d, 2.0 * f * d, 2.0 * d * (1.0 + 3.0 * f * f)])
            }
            (Function::Asin, &[a]) => a.lift(arcsine(a.value())),
            (Function::Acos, &[a]) => {
                let [f, d1, d2, d3] = arcsine(a.value());
                a.lift([std::f64::consts::FRAC_PI_2 - f, -d1, -d2, -d3])
            }
            (Function::Atan, &[a]) => {
                let x = a.value();
                let d = 1.0 / (1.0 + x * x);
                a.lift([
                    x.atan(),
                    d,
                    -2.0 * x * d * d,
                    (6.0 * x * x - 2.0) * d * d * d,
                ])
            }
            (Function::Sqrt, &[a]) => a.sqrt(),
            (Function::Exp, &[a]) => a.exp(),
            (Function::Ln, &[a]) => a.ln(),
            (Function::Abs, &[a]) => {
                if a.value() < 0.0 {
                    -a
                } else {
                    a
                }
            }
            (Function::Sign, &[a]) => {
                let x = a.value();
                let s = if x > 0.0 {
                    1.0
                } else if x < 0.0 {
                    -1.0
                } else {
                    x * 0.0
                };
                S::from(s)
            }
            (Function::Min, &[a, b]) => {
                if b.value() < a.value() || b.value().is_nan() {
                    b
                } else {
                    a
                }
            }
            (Function::Max, &[a, b]) => {
                if b.value() > a.value() || b.value().is_nan() {
                    b
                } else {
                    a
                }
            }
            (Function::Step, &[t, t0, a, t1, b]) => step(t, t0, a, t1, b),
            (Function::Atan2, &[y, x]) => angle(y, x),
            (Function::If, &[u, a, b]) => {
                if u.value() > 0.0 {
                    a
                } else {
                    b
                }
            }
            (Function::IfNot, &[u, a, b]) => {
                if u.value() >= 0.0 {
                    a
                } else {
                    b
                }
            }
            _ => S::from(f64::NAN),
        }
    }
}

/// Value and derivatives of the inverse sine.
fn arcsine(x: f64) -> [f64; 4] {
    let w = 1.0 / (1.0 - x * x);
    let d = w.sqrt();
    [x.asin(), d, x * w * d, (1.0 + 2.0 * x * x) * w * w * d]
}

/// The angle of the point `(x, y)`, by the quotient that is smaller.
fn angle<S: Scalar>(y: S, x: S) -> S {
    let part = if x.value().abs() > y.value().abs() {
        Function::Atan.apply(&[y / x])
    } else {
        -Function::Atan.apply(&[x / y])
    };
    part + S::from(y.value().atan2(x.value()) - part.value())
}

/// `a^p` for a fixed exponent.
fn power<S: Scalar>(a: S, p: f64) -> S {
    let x = a.value();
    // Products of falling factors: exactly zero where a whole power runs out, so that
    // derivatives at x = 0 are 0 and not 0 * infinity.
    let whole = p.fract() == 0.0 && p.abs() <= 64.0;
    let raise = |n: f64| if whole { x.powi(n as i32) } else { x.powf(n) };
    let term = |c: f64, n: f64| if c == 0.0 { 0.0 } else { c * raise(n) };
    a.lift([
        raise(p),
        term(p, p - 1.0),
        term(p * (p - 1.0), p - 2.0),
        term(p * (p - 1.0) * (p - 2.0), p - 3.0),
    ])
}

/// From `a` at `t0` to `b` at `t1` along the quintic with zero first and second derivatives at
/// both ends, `10 u^3 - 15 u^4 + 6 u^5`; a jump when the times coincide.
fn step<S: Scalar>(t: S, t0: S, a: S, t1: S, b: S) -> S {
    if t.value() <= t0.value() {
        return a;
    }
    if t.value() >= t1.value() {
        return b;
    }
    let u = (t - t0) / (t1 - t0);
    let s = u * u * u * ((u * 6.0 - 15.0) * u + 10.0);
    a + (b - a) * s
}

impl Formula {
    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Formula, FormulaError> {
        Ok(Formula::parse_with(text, &Constants::default(), false)?.0)
    }

    /// Reads a formula in which other names than those of functions are names of signals.
    pub fn parse_with_signals(text: &str) -> Result<Formula, FormulaError> {
        Ok(Formula::parse_with(text, &Constants::default(), true)?.0)
    }

    /// Reads a formula of named constants and, if wanted, of signals; tells what is known of its
    /// unit. Constants are numbers from here on: the text of the formula shows their values.
    pub fn parse_with(
        text: &str,
        constants: &Constants,
        with_signals: bool,
    ) -> Result<(Formula, Dimension), FormulaError> {
        let parsed = parser::parse(text, constants, with_signals)?;
        let formula = Formula {
            text: parsed.text.trim().to_string(),
            corners: branches::corners(&parsed.program),
            program: parsed.program,
            signals: parsed.signals,
        };
        Ok((formula, parsed.dimension))
    }

    /// The formula with other names for its signals.
    pub(crate) fn with_signals(mut self, named: impl Fn(&str) -> String) -> Formula {
        for signal in &mut self.signals {
            signal.name = named(&signal.name);
        }
        self
    }

    /// The value of a signal, whatever its name.
    pub(crate) fn signal(name: String) -> Formula {
        Formula {
            text: name.clone(),
            program: vec![Op::Signal(0)],
            signals: vec![SignalName { name, position: 0 }],
            corners: Vec::new(),
        }
    }

    /// The formula with the same value at all times.
    pub fn constant(value: f64) -> Formula {
        Formula {
            text: format!("{value:?}"),
            program: vec![Op::Constant(value)],
            signals: Vec::new(),
            corners: Vec::new(),
        }
    }

    /// Whether the value is the same at all times.
    pub fn is_constant(&self) -> bool {
        matches!(self.program[..], [Op::Constant(_)])
    }

    /// Text that reads back as this formula.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a word means something inside a formula.
    pub(crate) fn knows(word: &str) -> bool {
        word == "t" || word == "pi" || Function::ALL.iter().any(|(name, _)| *name == word)
    }

    /// The signals that the formula names, each once.
    pub fn signals(&self) -> &[SignalName] {
        &self.signals
    }

    /// The value at time `t`, with the derivatives that `t` carries; NaN where signals are named.
    pub fn eval<S: Scalar>(&self, t: S) -> S {
        self.eval_with(t, |_| S::from(f64::NAN))
    }

    /// The value at time `t` with the values of the signals, which are asked for by their place in
    /// [`Formula::signals`].
    pub fn eval_with<S: Scalar>(&self, t: S, signal: impl Fn(usize) -> S) -> S {
        evaluate(&self.program, t, signal)
    }
}

impl Formula {
    /// The same function with time for its only variable.
    pub(crate) fn of_one_variable(&self) -> Formula {
        let time = |op: &Op| match op {
            Op::Signal(_) => Op::Time,
            op => *op,
        };
        Formula {
            program: self.program.iter().map(time).collect(),
            signals: Vec::new(),
            corners: Vec::new(),
            ..self.clone()
        }
    }
}

/// Whether a program names signals.
fn is_of_signals(program: &[Op]) -> bool {
    program.iter().any(|op| matches!(op, Op::Signal(_)))
}

/// Runs a program.
fn evaluate<S: Scalar>(program: &[Op], t: S, signal: impl Fn(usize) -> S) -> S {
    let mut stack = [S::from(0.0); STACK];
    let mut top = 0;
    for op in program {
        let base = top - op.takes();
        stack[base] = match *op {
            Op::Signal(i) => signal(usize::from(i)),
            op => op.apply(&stack[base..top], t),
        };
        top = base + 1;
    }
    stack[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork_dae::scalar::Jet;
    use proptest::prelude::*;

    fn at(text: &str, t: f64) -> f64 {
        Formula::parse(text)
            .unwrap_or_else(|e| panic!("{text}: {e}"))
            .eval(t)
    }

    #[test]
    fn precedence_and_association() {
        assert_eq!(at("1 + 2*3", 0.0), 7.0);
        assert_eq!(at("8/4/2", 0.0), 1.0);
        assert_eq!(at("5 - 3 - 1", 0.0), 1.0);
        assert_eq!(at("-2^2", 0.0), -4.0);
        assert_eq!(at("2^3^2", 0.0), 512.0);
        assert_eq!(at("2^-1", 0.0), 0.5);
        assert_eq!(at("(t - 3)^2", 1.0), 4.0);
        assert_eq!(at("--t", 2.0), 2.0);
        assert_eq!(at("1.5e-1*t", 2.0), 0.3);
        assert_eq!(at("min(t, 2) + max(t, 2)", 3.0), 5.0);
        assert_eq!(at("sign(-t)*abs(-3)", 3.0), -3.0);
    }

    #[test]
    fn constants_fold() {
        let f = Formula::parse("2*pi*(1 + sqrt(4))/6").unwrap();
        assert!(f.is_constant());
        assert!((f.eval(5.0) - std::f64::consts::PI).abs() < 1e-15);
        assert!(!Formula::parse("0*t").unwrap().is_constant());
    }

    #[test]
    fn step_is_flat_outside_and_halfway_in_the_middle() {
        let f = "step(t, 1, 10, 3, 20)";
        assert_eq!(
            [at(f, 0.0), at(f, 1.0), at(f, 2.0), at(f, 3.0), at(f, 9.0)],
            [10.0, 10.0, 15.0, 20.0, 20.0]
        );
    }

    #[test]
    fn time_derivatives_are_exact() {
        // Central differences with h = 1e-4 are good to about 1e-8 (first) and 1e-7 (second).
        let h = 1e-4;
        for text in [
            "0.3*sin(2*t)*exp(-t)",
            "tan(t/3) + atan(t) - asin(t/4) + acos(t/5)",
            "sqrt(1 + t^2) + ln(2 + t)",
            "t^3 + t^-2 + t^2.5 + 2^t + t^t",
            "step(t, 0.2, 1, 2, 3*t)",
            "abs(t - 5)*min(t, 2) + max(t^2, t) + sign(t)",
        ] {
            let f = Formula::parse(text).unwrap();
            for t in [0.4, 0.9, 1.7] {
                let jet = f.eval(Jet::time(t));
                let (m, c, p) = (f.eval(t - h), f.eval(t), f.eval(t + h));
                // The jet divides by multiplying with the reciprocal: a few roundings differ.
                assert!((jet.v - c).abs() <= 1e-14 * c.abs(), "{text} at {t}");
                assert!(
                    (jet.d - (p - m) / (2.0 * h)).abs() < 1e-6 * (1.0 + jet.d.abs()),
                    "{text} at {t}"
                );
                assert!(
                    (jet.dd - (p - 2.0 * c + m) / (h * h)).abs() < 1e-5 * (1.0 + jet.dd.abs()),
                    "{text} at {t}"
                );
            }
        }
    }

    #[test]
    fn whole_powers_have_finite_derivatives_at_zero() {
        for (text, d, dd) in [("t^2", 0.0, 2.0), ("t^1", 1.0, 0.0), ("t^0", 0.0, 0.0)] {
            let jet = Formula::parse(text).unwrap().eval(Jet::time(0.0));
            assert_eq!((jet.d, jet.dd), (d, dd), "{text}");
        }
    }

    #[test]
    fn errors_point_at_the_place() {
        let fail = |text: &str| Formula::parse(text).unwrap_err();
        let e = fail("2*sn(t)");
        assert_eq!((e.position, e.length), (2, 2));
        assert_eq!(e.message, "unknown function `sn`");
        assert_eq!(e.help.as_deref(), Some("did you mean `sin`?"));
        let e = fail("3 + ");
        assert_eq!((e.position, e.length), (4, 0));
        let e = fail("2 t");
        assert_eq!((e.position, e.length), (2, 1));
        assert!(e.help.unwrap().contains("2*t"));
        let e = fail("max(t)");
        assert_eq!(e.message, "`max` takes 2 arguments, not 1");
        let e = fail("1 + x*t");
        assert_eq!((e.position, e.length), (4, 1));
        assert_eq!(fail("(t").message, "a `)` is missing");
        assert_eq!(fail("t)").message, "unexpected `)`");
        assert_eq!(fail("").message, "the formula is empty");
        assert_eq!(fail("sqrt(-1)*t").message, "this part has no finite value");
        assert_eq!(fail("1/0").message, "this part has no finite value");
        assert!(
            fail("step(t, 2, 0, 1, 5)")
                .message
                .contains("must not be earlier")
        );
        let e = fail("if(t, 1, 2)");
        assert_eq!((e.position, e.length), (4, 1));
        assert_eq!(e.message, "`if` needs a comparison first");
        assert!(fail("2 > t").help.unwrap().contains("if(t > 1, a, b)"));
    }

    #[test]
    fn conditions_choose() {
        assert_eq!(at("if(t > 1, 2, 3)", 1.0), 3.0);
        assert_eq!(at("if(t >= 1, 2, 3)", 1.0), 2.0);
        assert_eq!(at("if(t < 1, 2, 3)", 1.0), 3.0);
        assert_eq!(at("if(t <= 1, 2, 3)", 1.0), 2.0);
        assert_eq!(at("1 + if(t^2 < 2 + t, if(t < 1, 5, 6), 7)*2", 1.5), 13.0);
        assert_eq!(at("if(1 < 2, 4, 5)", 0.0), 4.0);
        assert_eq!(at("step(t, 1, 5, 1, 6)", 0.9), 5.0);
        assert_eq!(at("step(t, 1, 5, 1, 6)", 1.1), 6.0);
    }

    #[test]
    fn angles_are_those_of_all_four_quadrants() {
        for k in 0..16 {
            let angle = 0.1 + f64::from(k) * 0.39 - 3.0;
            let f = Formula::parse(&format!("atan2(sin({angle} + t), cos({angle} + t))")).unwrap();
            let jet = f.eval(Jet::time(0.0));
            let turns = (jet.v - angle) / std::f64::consts::TAU;
            assert!((turns - turns.round()).abs() < 1e-14);
            assert!(
                (jet.d - 1.0).abs() < 1e-13 && jet.dd.abs() < 1e-12,
                "{jet:?}"
            );
        }
    }

    #[test]
    fn deep_nesting_is_an_error() {
        for text in [
            "(".repeat(100_000),
            "2^".repeat(100_000) + "t",
            "sin(".repeat(100_000),
            "t+(".repeat(40) + "t" + &")".repeat(40),
        ] {
            assert!(Formula::parse(&text).is_err());
        }
        assert_eq!(at(&("-".repeat(100_000) + "t"), 2.0), 2.0);
        let long = vec!["t"; 10_000].join("+");
        assert_eq!(at(&long, 1.0), 10_000.0);
    }

    #[test]
    fn text_reads_back() {
        for x in [0.1, -3.0, 1e300, 5e-324, 0.0] {
            let f = Formula::constant(x);
            assert_eq!(Formula::parse(f.text()).unwrap(), f);
        }
    }

    #[test]
    fn signals_are_named_once_and_have_exact_derivatives() {
        use linkwork_dae::scalar::Dual;
        let f = Formula::parse_with_signals("2*arm.angle*u_1 + sin(arm.angle) - t").unwrap();
        let names: Vec<(&str, usize)> = (f.signals().iter())
            .map(|s| (s.name.as_str(), s.position))
            .collect();
        assert_eq!(names, [("arm.angle", 2), ("u_1", 12)]);
        let x = [0.3, -2.0];
        let y = f.eval_with(Dual::<2>::from(1.5), |i| Dual::variable(x[i], i));
        assert_eq!(y.v, 2.0 * 0.3 * -2.0 + 0.3f64.sin() - 1.5);
        assert_eq!(y.d, [-4.0 + 0.3f64.cos(), 0.6]);
        assert!(f.eval(0.0).is_nan());
        // where signals have no meaning their names have none either
        assert_eq!(
            Formula::parse("2*arm.angle").unwrap_err().message,
            "unknown name `arm.angle`"
        );
    }

    #[test]
    fn signals_do_not_hide_functions() {
        let fail = |text: &str| Formula::parse_with_signals(text).unwrap_err().message;
        assert_eq!(fail("sn(u)"), "unknown function `sn`");
        assert_eq!(fail("sin + u"), "`sin` is a function and needs arguments");
        assert_eq!(fail("u v"), "an operator is missing before `v`");
        assert_eq!(fail("u."), "unexpected `.`");
    }

    proptest! {
        #[test]
        fn never_panics(any in "\\PC*", near in "[0-9.te+*/^(), sincomaxpq-]{0,40}") {
            for text in [any, near] {
                if let Ok(f) = Formula::parse(&text) {
                    let _ = f.eval(0.7);
                }
                if let Ok(f) = Formula::parse_with_signals(&text) {
                    let _ = f.eval_with(0.7, |i| i as f64);
                }
            }
        }
    }
}
