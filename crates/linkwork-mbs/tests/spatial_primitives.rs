//! Primitives with derivatives by hand against the same equations differentiated by the scalar, and
//! a velocity constraint against differences.

// Matrices are compared entry by entry; indices say which.
#![allow(clippy::needless_range_loop)]

mod frames;

use frames::{Case, Numbers, masked};
use linkwork_dae::scalar::Scalar;
use linkwork_mbs::geometry::{Frame, Vector, dot, sub};
use linkwork_mbs::joint::{
    COLUMNS, Constraint, JointPoint, JointTerms, MAX_ROWS, Poses, Primitive, Rolling, Want,
    by_scalar, primitive,
};
use linkwork_mbs::lanes::Lanes;

struct ByScalar(Primitive);

impl Constraint for ByScalar {
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS] {
        let Poses { a, b, .. } = at;
        let mut out = [S::from(0.0); MAX_ROWS];
        match self.0 {
            Primitive::Coincidence { a: p, b: q, .. } => {
                let rows = self.0.rows();
                out[..rows].copy_from_slice(&sub(b.point(q), a.point(p))[..rows]);
            }
            Primitive::Dot1 { a: u, b: w, value } => {
                out[0] = dot(a.direction(u), b.direction(w)) - value;
            }
            Primitive::Dot2 {
                axis,
                a: p,
                b: q,
                value,
            } => out[0] = dot(a.direction(axis), sub(b.point(q), a.point(p))) - value,
            Primitive::Distance {
                a: p, b: q, length, ..
            } => {
                let d = sub(b.point(q), a.point(p));
                out[0] = (dot(d, d) - length * length) * (0.5 / length);
            }
            Primitive::Turn { offset } => out[0] = b.angle - a.angle - offset,
            Primitive::Slot { normal, a: p, b: q } => {
                out[0] = dot(a.direction(normal), sub(b.point(q), a.point(p)));
            }
        }
        out
    }
}

fn point<'a>(case: &'a Case, rows: usize) -> JointPoint<'a> {
    JointPoint {
        t: case.t,
        a: &case.frames[0],
        b: &case.frames[1],
        lambda: &case.lambda[..rows],
        turns: &[],
        lanes: &Lanes::ALL,
    }
}

/// Both are exact: what differs is rounding in sums of a few dozen products of order one.
#[test]
fn primitives_equal_their_equations_differentiated() {
    let mut n = Numbers(17);
    for round in 0..20 {
        let level = |[x, y, _]: Vector| [x, y, 0.0];
        let none = |x: Vector| if round % 5 == 0 { [0.0; 3] } else { x };
        let list = [
            Primitive::Coincidence {
                a: none(n.vector(1.0)),
                b: n.vector(1.0),
                flat: false,
            },
            Primitive::Dot1 {
                a: n.vector(1.0),
                b: n.vector(1.0),
                value: n.next(),
            },
            Primitive::Dot2 {
                axis: n.vector(1.0),
                a: n.vector(1.0),
                b: none(n.vector(1.0)),
                value: n.next(),
            },
            Primitive::Distance {
                a: none(n.vector(1.0)),
                b: n.vector(1.0),
                length: 1.5 + n.next(),
                flat: false,
            },
            Primitive::Coincidence {
                a: level(n.vector(1.0)),
                b: level(n.vector(1.0)),
                flat: true,
            },
            Primitive::Distance {
                a: level(n.vector(1.0)),
                b: level(n.vector(1.0)),
                length: 1.5 + n.next(),
                flat: true,
            },
            Primitive::Turn { offset: n.next() },
            Primitive::Slot {
                normal: level(n.vector(1.0)),
                a: level(n.vector(1.0)),
                b: level(n.vector(1.0)),
            },
        ];
        for (k, p) in list.into_iter().enumerate() {
            // the last four are for bodies in the x-y plane
            let flat = k >= 4;
            let case = Case::random(&mut n, flat);
            let at = point(&case, p.rows());
            let pattern = primitive::pattern(&[p]);
            let (mut hand, mut scalar) = (JointTerms::default(), JointTerms::default());
            primitive::evaluate(&[p], &at, Want::ALL, &mut hand);
            by_scalar::evaluate(&ByScalar(p), &at, Want::ALL, &mut scalar);
            let close = |a: &[f64], b: &[f64], what: &str| {
                for (a, b) in a.iter().zip(b) {
                    assert!((a - b).abs() < 1e-13, "{what} of {p:?}: {a} {b}");
                }
            };
            close(&hand.c, &scalar.c, "C");
            close(&hand.cv, &scalar.cv, "C'");
            close(&hand.gamma, &scalar.gamma, "gamma");
            let exist: Vec<usize> = case.columns().collect();
            let of = |row: &[f64; COLUMNS]| exist.iter().map(|j| row[*j]).collect::<Vec<_>>();
            close(&of(&hand.load), &of(&scalar.load), "load");
            for (what, hand, pattern, scalar) in [
                ("C_q", &hand.c_q, &pattern.c_q, &scalar.c_q),
                ("CV_q", &hand.cv_q, &pattern.cv_q, &scalar.cv_q),
            ] {
                for (hand, scalar) in masked(hand, pattern).iter().zip(scalar) {
                    close(&of(hand), &of(scalar), what);
                }
            }
            let hess = masked(&hand.hess, &pattern.hess);
            for i in &exist {
                close(&of(&hess[*i]), &of(&scalar.hess[*i]), "hess");
            }
        }
    }
}

/// A blade of body b slides over body a along its edge only; curved in q and v.
struct Blade;

impl Rolling for Blade {
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS] {
        let mut out = [S::from(0.0); MAX_ROWS];
        let slip = sub(
            b.velocity_at([0.3, 0.1, -0.2]),
            a.velocity_at([0.1, 0.0, 0.4]),
        );
        let across = b.pose.direction([0.0, 1.0, 0.0]);
        out[0] = dot(slip, across) - 0.3;
        out[1] = dot(slip, slip) - dot(b.omega, a.omega);
        out
    }
}

#[test]
fn velocity_constraints_have_exact_derivatives() {
    const STEP: f64 = 1e-6;
    const CLOSE: f64 = 1e-8; // as in every_joint.rs
    let mut n = Numbers(23);
    for _ in 0..20 {
        let case = Case::random(&mut n, false);
        let eval = |case: &Case| {
            let mut out = JointTerms::default();
            by_scalar::evaluate_rolling(&Blade, &point(case, 2), Want::ALL, &mut out);
            out
        };
        let here = eval(&case);
        let close = |got: f64, hi: f64, lo: f64, what: &str| {
            let want = (hi - lo) / (2.0 * STEP);
            assert!((got - want).abs() < CLOSE * (1.0 + want.abs()), "{what}");
        };
        for j in 0..COLUMNS {
            let (hi, lo) = (eval(&case.shifted(j, STEP)), eval(&case.shifted(j, -STEP)));
            let (fast, slow) = (eval(&case.faster(j, STEP)), eval(&case.faster(j, -STEP)));
            for i in 0..2 {
                close(here.cv_q[i][j], hi.cv[i], lo.cv[i], "g_q");
                close(here.c_q[i][j], fast.cv[i], slow.cv[i], "G_v");
            }
            for i in 0..COLUMNS {
                close(here.hess[i][j], hi.load[i], lo.load[i], "(G_v' mu)_q");
                close(here.hess_v[i][j], fast.load[i], slow.load[i], "(G_v' mu)_v");
            }
        }
        let still = [0.0; COLUMNS];
        let (hi, lo) = (
            eval(&case.after(STEP, &still)),
            eval(&case.after(-STEP, &still)),
        );
        for i in 0..2 {
            close(-here.gamma[i], hi.cv[i], lo.cv[i], "gamma");
        }
    }
}
