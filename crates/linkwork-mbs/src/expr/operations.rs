//! Operations of a program and the functions that formulas know.

use linkwork_dae::scalar::Scalar;

/// A step of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
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

/// A function that formulas know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
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
    /// Their names.
    pub const ALL: [(&'static str, Function); 16] = [
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

    /// How many arguments it has.
    pub fn arguments(self) -> usize {
        match self {
            Function::Min | Function::Max | Function::Atan2 => 2,
            Function::If | Function::IfNot => 3,
            Function::Step => 5,
            _ => 1,
        }
    }
}

impl Op {
    /// How many operands it has.
    pub fn takes(self) -> usize {
        match self {
            Op::Constant(_) | Op::Time | Op::Signal(_) => 0,
            Op::Negate | Op::PowerOf(_) => 1,
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Power => 2,
            Op::Call(f) => f.arguments(),
        }
    }

    /// Result from the operands, of which there are `self.takes()`.
    pub fn apply<S: Scalar>(self, x: &[S], t: S) -> S {
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
    /// Its value.
    pub fn apply<S: Scalar>(self, x: &[S]) -> S {
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
