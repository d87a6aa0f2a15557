//! Joints that write their equation once and get every derivative from the scalar.
//!
//! ```text
//!  positions: C(t, pose a, pose b)
//!   C                f64
//!   C_q              Dual<12>                R (I + theta^), one lane per freedom
//!   C_q v + C_t      Jet                     R exp(omega^ t)
//!   gamma            Jet                     -C'' with a = 0
//!   (C_q v + C_t)_q  Dual<1, Dual<12>>       R (I + theta^) (I + omega^ dt)
//!   (C_q' lambda)_q  Dual<12, Dual<12>>      R (I + theta^) (I + tangent^)
//!
//!  velocities: g(t, frame a, frame b)
//!   G_v, (G_v' mu)_v Dual<12>, Dual<12, Dual<12>>    lanes in x', omega
//!   gamma            Dual<1>                         along the motion, velocities fixed
//!   g_q, (G_v' mu)_q Dual<12>, Dual<12, Dual<12>>
//! ```

use super::{COLUMNS, JointPattern, JointPoint, JointTerms, MAX_ROWS, MAX_TURNS};
use crate::joint::Want;
use crate::spatial::geometry::{Frame, Pose, Vector};
use crate::spatial::orientation::rotation_by;
use linkwork_dae::scalar::{Dual, Jet, Scalar};

/// A constraint of positions for any scalar.
pub trait Constraint {
    /// The equations; rows that the joint does not have stay zero. `turns` are the angles that the
    /// joint keeps count of.
    fn constraint<S: Scalar>(&self, t: S, a: &Pose<S>, b: &Pose<S>, turns: &[f64])
    -> [S; MAX_ROWS];
}

/// A constraint of velocities for any scalar.
pub trait Rolling {
    /// The equations `g(q, v, t) = 0`; rows that the joint does not have stay zero.
    fn rolling<S: Scalar>(&self, t: S, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS];
}

type Wide = Dual<COLUMNS>;
type Wider = Dual<COLUMNS, Wide>;

/// Both poses with small motions in the lanes of their columns.
fn seeded<S: Scalar>(a: &Pose<S>, b: &Pose<S>) -> [Pose<Dual<COLUMNS, S>>; 2] {
    [Pose::seeded(a, 0), Pose::seeded(b, COLUMNS / 2)]
}

/// Fills the wanted terms of a joint from its equations of positions.
pub fn evaluate<J: Constraint>(joint: &J, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
    let (a, b) = (&at.a.pose, &at.b.pose);
    if want.any(Want::C) {
        out.c = joint.constraint(at.t, a, b, at.turns);
    }
    if want.any(Want::C_Q | Want::LOAD) {
        let [a, b] = seeded(a, b);
        let c = joint.constraint(Wide::from(at.t), &a, &b, at.turns);
        out.c_q = c.map(|c| c.d);
        out.load = std::array::from_fn(|j| along(&c, at.lambda, |c| c.d[j]));
    }
    if want.any(Want::CV | Want::GAMMA) {
        let (a, b) = (Pose::along(at.a), Pose::along(at.b));
        let c = joint.constraint(Jet::time(at.t), &a, &b, at.turns);
        out.cv = c.map(|c| c.d);
        out.gamma = c.map(|c| -c.dd);
    }
    if want.any(Want::CV_Q) {
        let [a, b] = seeded(a, b);
        let lift = |x: Vector| x.map(Wide::from);
        let a = Pose::moving(&a, lift(at.a.velocity), lift(at.a.omega));
        let b = Pose::moving(&b, lift(at.b.velocity), lift(at.b.omega));
        let t = Dual::<1, Wide>::variable(Wide::from(at.t), 0);
        let c = joint.constraint(t, &a, &b, at.turns);
        out.cv_q = c.map(|c| c.d[0].d);
    }
    if want.any(Want::HESS) {
        let [a, b] = seeded(a, b);
        let [a, b] = seeded(&a, &b);
        let c = joint.constraint(Wider::from(at.t), &a, &b, at.turns);
        out.hess =
            std::array::from_fn(|i| std::array::from_fn(|j| along(&c, at.lambda, |c| c.d[i].d[j])));
    }
}

/// Stores angles anew, for [`super::Joint::wind`]; what is not a number is passed over.
pub fn renew<const N: usize>(turns: &mut [f64], angles: [f64; N]) {
    for (turn, angle) in turns.iter_mut().zip(angles) {
        if angle.is_finite() {
            *turn = angle;
        }
    }
}

/// `C_t`, for the power of joints that follow a function of time.
pub fn rate_by_time<J: Constraint>(joint: &J, at: &JointPoint<'_>) -> [f64; MAX_ROWS] {
    let (a, b) = (Pose::constant(&at.a.pose), Pose::constant(&at.b.pose));
    let t = Dual::<1>::variable(at.t, 0);
    joint.constraint(t, &a, &b, at.turns).map(|c| c.d[0])
}

/// The frame with lanes in its velocities.
fn with_velocities<S: Scalar>(at: &Frame<S>, first: usize) -> Frame<Dual<COLUMNS, S>> {
    let lane = |x: S, i: usize| Dual::variable(x, first + i);
    Frame {
        pose: Pose {
            position: at.pose.position.map(Dual::constant),
            rotation: at.pose.rotation.map(|row| row.map(Dual::constant)),
        },
        velocity: std::array::from_fn(|i| lane(at.velocity[i], i)),
        omega: std::array::from_fn(|i| lane(at.omega[i], 3 + i)),
    }
}

/// The frame with lanes in a small motion, velocities fixed.
fn with_motion(at: &Frame, first: usize) -> Frame<Wide> {
    Frame {
        pose: Pose::seeded(&at.pose, first),
        velocity: at.velocity.map(Wide::from),
        omega: at.omega.map(Wide::from),
    }
}

/// Fills the wanted terms of a joint from its equations of velocities.
pub fn evaluate_rolling<J: Rolling>(
    joint: &J,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    const B: usize = COLUMNS / 2;
    if want.any(Want::CV) {
        out.cv = joint.rolling(at.t, at.a, at.b);
    }
    if want.any(Want::C_Q | Want::LOAD) {
        let (a, b) = (with_velocities(at.a, 0), with_velocities(at.b, B));
        let g = joint.rolling(Wide::from(at.t), &a, &b);
        out.c_q = g.map(|g| g.d);
        out.load = std::array::from_fn(|j| along(&g, at.lambda, |g| g.d[j]));
    }
    if want.any(Want::GAMMA) {
        let moving = |f: &Frame| Frame {
            pose: Pose::<Dual<1>>::moving(&f.pose, f.velocity, f.omega),
            velocity: f.velocity.map(Dual::from),
            omega: f.omega.map(Dual::from),
        };
        let t = Dual::variable(at.t, 0);
        let g = joint.rolling(t, &moving(at.a), &moving(at.b));
        out.gamma = g.map(|g| -g.d[0]);
    }
    if want.any(Want::CV_Q | Want::HESS) {
        let (a, b) = (with_motion(at.a, 0), with_motion(at.b, B));
        if want.any(Want::CV_Q) {
            let g = joint.rolling(Wide::from(at.t), &a, &b);
            out.cv_q = g.map(|g| g.d);
        }
        if want.any(Want::HESS) {
            let (a, b) = (with_velocities(&a, 0), with_velocities(&b, B));
            let g = joint.rolling(Wider::from(at.t), &a, &b);
            out.hess = second(&g, at.lambda);
        }
    }
    if want.any(Want::HESS_V) {
        let (a, b) = (with_velocities(at.a, 0), with_velocities(at.b, B));
        let (a, b) = (with_velocities(&a, 0), with_velocities(&b, B));
        let g = joint.rolling(Wider::from(at.t), &a, &b);
        out.hess_v = second(&g, at.lambda);
    }
}

/// Fills the wanted terms of a joint that has equations of both kinds: `constraint` leaves the rows
/// of velocities zero, `rolling` those of positions.
pub fn evaluate_both<J: Constraint + Rolling>(
    joint: &J,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    let mut more = JointTerms::default();
    evaluate(joint, at, want, out);
    evaluate_rolling(joint, at, want, &mut more);
    let join = |x: &mut [f64], more: &[f64]| {
        for (x, more) in x.iter_mut().zip(more) {
            *x += more;
        }
    };
    for (wanted, x, more) in [
        (Want::CV, &mut out.cv[..], &more.cv[..]),
        (Want::GAMMA, &mut out.gamma, &more.gamma),
        (Want::LOAD, &mut out.load, &more.load),
        (
            Want::C_Q,
            out.c_q.as_flattened_mut(),
            more.c_q.as_flattened(),
        ),
        (
            Want::CV_Q,
            out.cv_q.as_flattened_mut(),
            more.cv_q.as_flattened(),
        ),
        (
            Want::HESS,
            out.hess.as_flattened_mut(),
            more.hess.as_flattened(),
        ),
    ] {
        if want.any(wanted) {
            join(x, more);
        }
    }
    if want.any(Want::HESS_V) {
        out.hess_v = more.hess_v;
    }
}

/// `g` with the bodies at rest, for the power of constraints that follow a function of time.
pub fn rolling_at_rest<J: Rolling>(joint: &J, at: &JointPoint<'_>) -> [f64; MAX_ROWS] {
    let still = |f: &Frame| Frame {
        velocity: [0.0; 3],
        omega: [0.0; 3],
        ..*f
    };
    joint.rolling(at.t, &still(at.a), &still(at.b))
}

fn second(c: &[Wider; MAX_ROWS], lambda: &[f64]) -> [[f64; COLUMNS]; COLUMNS] {
    std::array::from_fn(|i| std::array::from_fn(|j| along(c, lambda, |c| c.d[i].d[j])))
}

/// `lambda . f(c)`.
#[inline]
fn along<S: Copy>(c: &[S; MAX_ROWS], lambda: &[f64], f: impl Fn(S) -> f64) -> f64 {
    c.iter().zip(lambda).map(|(c, l)| f(*c) * l).sum()
}

/// Entries that are nonzero at some of a few states in general position, for any joint whose
/// `eval` fills its matrices completely.
///
/// A structurally nonzero entry vanishes at all of them only if it vanishes almost everywhere; an
/// entry that is not a number counts as nonzero.
pub fn probe(eval: impl Fn(&JointPoint<'_>, &mut JointTerms)) -> JointPattern {
    const STATES: usize = 4;
    let mut seed = 0.379_f64;
    let mut draw = || {
        seed = (seed * 97.31 + 0.137).fract();
        2.0 * seed - 1.0
    };
    let mut pattern = JointPattern::default();
    let mut out = JointTerms::default();
    for _ in 0..STATES {
        let mut vector = |size: f64| -> Vector { std::array::from_fn(|_| size * draw()) };
        let mut frame = || Frame {
            pose: Pose {
                position: vector(1.0),
                rotation: rotation_by(vector(2.0)),
            },
            velocity: vector(1.0),
            omega: vector(1.0),
        };
        let (a, b) = (frame(), frame());
        let at = JointPoint {
            t: 1.0 + draw(),
            a: &a,
            b: &b,
            lambda: &std::array::from_fn::<f64, MAX_ROWS, _>(|_| draw()),
            turns: &[0.0; MAX_TURNS],
        };
        eval(&at, &mut out);
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
        note(&out.hess_v, &mut pattern.hess_v);
    }
    for list in [
        &mut pattern.c_q,
        &mut pattern.cv_q,
        &mut pattern.hess,
        &mut pattern.hess_v,
    ] {
        list.sort_unstable();
    }
    pattern
}
