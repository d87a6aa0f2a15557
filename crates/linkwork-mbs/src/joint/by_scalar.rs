//! Joints that write their equation once and get every derivative from the scalar.
//!
//! ```text
//!  C                f64
//!  C_q              Dual<6>              one lane per coordinate
//!  C_q v + C_t      Jet                  along the motion q' = v, t' = 1
//!  gamma            Jet                  -C'' with a = 0
//!  (C_q v + C_t)_q  Dual<6, Dual<1>>     inner lane along the motion
//!  (C_q' lambda)_q  Dual<6, Dual<6>>     of lambda' C
//! ```

use super::{COLUMNS, JointPattern, JointPoint, JointTerms, MAX_ROWS, Want};
use crate::space::{Frame, Pose};
use linkwork_dae::scalar::{Dual, Jet, Scalar};

/// A constraint equation for any scalar.
pub trait Constraint {
    /// The equations; rows that the joint does not have stay zero.
    fn constraint<S: Scalar>(&self, t: S, a: &Pose<S>, b: &Pose<S>) -> [S; MAX_ROWS];
}

/// Both poses with coordinate `i` of the six replaced by `f(i, value, rate)`.
fn lift<S: Scalar>(
    at: &JointPoint<'_>,
    mut f: impl FnMut(usize, f64, f64) -> S,
) -> (Pose<S>, Pose<S>) {
    let mut one = |frame: &Frame, first: usize| {
        let p = &frame.pose;
        let x = f(first, p.x, frame.velocity[0]);
        let y = f(first + 1, p.y, frame.velocity[1]);
        let angle = f(first + 2, p.angle, frame.omega);
        Pose::lifted(p, x, y, angle)
    };
    (one(at.a, 0), one(at.b, 3))
}

/// Fills the wanted terms of a joint from its equation.
pub fn evaluate<J: Constraint>(joint: &J, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
    if want.any(Want::C) {
        out.c = joint.constraint(at.t, &at.a.pose, &at.b.pose);
    }
    if want.any(Want::C_Q | Want::LOAD) {
        let (a, b) = lift(at, |i, x, _| Dual::<COLUMNS>::variable(x, i));
        let c = joint.constraint(Dual::from(at.t), &a, &b);
        out.c_q = c.map(|c| c.d);
        out.load = std::array::from_fn(|j| {
            let pairs = c.iter().zip(at.lambda);
            pairs.map(|(c, l)| c.d[j] * l).sum::<f64>()
        });
    }
    if want.any(Want::CV | Want::GAMMA) {
        let (a, b) = lift(at, |_, x, v| Jet::new(x, v, 0.0));
        let c = joint.constraint(Jet::time(at.t), &a, &b);
        out.cv = c.map(|c| c.d);
        out.gamma = c.map(|c| -c.dd);
    }
    if want.any(Want::CV_Q) {
        type Number = Dual<COLUMNS, Dual<1>>;
        let (a, b) = lift(at, |i, x, v| Number::variable(Dual { v: x, d: [v] }, i));
        let t = Number::constant(Dual::variable(at.t, 0));
        let c = joint.constraint(t, &a, &b);
        out.cv_q = c.map(|c| c.d.map(|d| d.d[0]));
    }
    if want.any(Want::HESS) {
        type Number = Dual<COLUMNS, Dual<COLUMNS>>;
        let (a, b) = lift(at, |i, x, _| Number::variable(Dual::variable(x, i), i));
        let c = joint.constraint(Number::from(at.t), &a, &b);
        out.hess = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                c.iter()
                    .zip(at.lambda)
                    .map(|(c, l)| c.d[i].d[j] * l)
                    .sum::<f64>()
            })
        });
    }
}

/// Entries that are nonzero at some of a few states in general position.
///
/// A structurally nonzero entry vanishes at all of them only if it vanishes almost everywhere; an
/// entry that is not a number counts as nonzero.
pub fn probe<J: Constraint>(joint: &J) -> JointPattern {
    const STATES: usize = 4;
    let mut seed = 0.379_f64;
    let mut draw = || {
        seed = (seed * 97.31 + 0.137).fract();
        2.0 * seed - 1.0
    };
    let mut pattern = JointPattern::default();
    let mut out = JointTerms::default();
    for _ in 0..STATES {
        let mut frame = || Frame {
            pose: Pose::new([draw(), draw()], 3.0 * draw()),
            velocity: [draw(), draw()],
            omega: draw(),
        };
        let (a, b) = (frame(), frame());
        let at = JointPoint {
            t: 1.0 + draw(),
            a: &a,
            b: &b,
            lambda: &[draw(), draw(), draw()],
        };
        evaluate(joint, &at, Want::ALL, &mut out);
        let note = |values: &[[f64; COLUMNS]], list: &mut Vec<(u8, u8)>| {
            for (i, row) in values.iter().enumerate() {
                for (j, x) in row.iter().enumerate() {
                    let entry = (i as u8, j as u8);
                    if *x != 0.0 && !list.contains(&entry) {
                        list.push(entry);
                    }
                }
            }
        };
        note(&out.c_q, &mut pattern.c_q);
        note(&out.cv_q, &mut pattern.cv_q);
        note(&out.hess, &mut pattern.hess);
    }
    for list in [&mut pattern.c_q, &mut pattern.cv_q, &mut pattern.hess] {
        list.sort_unstable();
    }
    pattern
}
