//! Joints that write their equation once and get every derivative from the scalar.
//!
//! ```text
//!  positions: C(u(t), pose a, pose b)       N lanes, one for each freedom that exists
//!   C                f64
//!   C_q              Dual<N>                 R (I + theta^), one lane per freedom
//!   C_q v + C_t      Jet                     R exp(omega^ t)
//!   gamma            Jet                     -C'' with a = 0
//!   (C_q v + C_t)_q  Dual<1, Dual<N>>        R (I + theta^) (I + omega^ dt)
//!   (C_q' lambda)_q  Dual<N, Dual<N>>        R (I + theta^) (I + tangent^)
//!
//!  velocities: g(frame a, frame b)
//!   G_v, (G_v' mu)_v Dual<N>, Dual<N, Dual<N>>       lanes in x', omega
//!   gamma            Dual<1>                         along the motion, velocities fixed
//!   g_q, (G_v' mu)_q Dual<N>, Dual<N, Dual<N>>
//! ```
//!
//! Functions `u` of time alone are evaluated once, as a [`Jet`], whatever the scalar.

use super::{JointPattern, JointPoint, JointTerms, MAX_ROWS, MAX_TURNS, Want};
use crate::geometry::{Frame, Pose, Vector};
use crate::lanes::{COLUMNS, Lanes, with_lanes};
use crate::orientation::rotation_by;
use linkwork_dae::scalar::{Dual, Jet, Scalar};

/// Pattern and evaluation of a joint, or the latter alone, by one of the functions below.
macro_rules! derived {
    ($evaluate:ident) => {
        fn pattern(&self, flat: bool) -> $crate::joint::JointPattern {
            $crate::joint::by_scalar::probe(flat, |at, out| {
                $crate::joint::by_scalar::$evaluate(self, at, $crate::joint::Want::ALL, out)
            })
        }
        derived!(eval $evaluate);
    };
    (eval $evaluate:ident) => {
        fn eval(
            &self,
            at: &$crate::joint::JointPoint<'_>,
            want: $crate::joint::Want,
            out: &mut $crate::joint::JointTerms,
        ) {
            $crate::joint::by_scalar::$evaluate(self, at, want, out);
        }
    };
}
pub(super) use derived;

/// Where a constraint of positions is asked.
#[derive(Clone, Copy, Debug)]
pub struct Poses<'a, S> {
    /// Values of the joint's functions of time.
    pub u: &'a [S; MAX_ROWS],
    /// Body a.
    pub a: &'a Pose<S>,
    /// Body b.
    pub b: &'a Pose<S>,
    /// The angles that the joint keeps count of.
    pub turns: &'a [f64],
}

impl<S> Poses<'_, S> {
    /// The first angle that the joint keeps count of.
    pub fn turn(&self) -> f64 {
        self.turns.first().copied().unwrap_or(0.0)
    }
}

/// The first equations of a joint; those that it does not have stay zero.
#[inline]
pub fn rows<S: Scalar, const N: usize>(first: [S; N]) -> [S; MAX_ROWS] {
    let mut all = [S::from(0.0); MAX_ROWS];
    all[..N].copy_from_slice(&first);
    all
}

/// A constraint of positions for any scalar.
pub trait Constraint {
    /// The functions of time that its equations contain.
    fn functions(&self, t: Jet) -> [Jet; MAX_ROWS] {
        let _ = t;
        [Jet::from(0.0); MAX_ROWS]
    }

    /// The equations; rows that the joint does not have stay zero.
    fn constraint<S: Scalar>(&self, at: Poses<'_, S>) -> [S; MAX_ROWS];
}

/// The equations of a joint, asked in parts.
#[inline]
fn ask<S: Scalar>(
    joint: &impl Constraint,
    u: &[S; MAX_ROWS],
    [a, b]: [&Pose<S>; 2],
    turns: &[f64],
) -> [S; MAX_ROWS] {
    joint.constraint(Poses { u, a, b, turns })
}

/// A constraint of velocities for any scalar.
pub trait Rolling {
    /// The equations `g(q, v) = 0`; rows that the joint does not have stay zero.
    fn rolling<S: Scalar>(&self, a: &Frame<S>, b: &Frame<S>) -> [S; MAX_ROWS];
}

/// Fills the wanted terms of a joint from its equations of positions.
pub fn evaluate<J: Constraint>(joint: &J, at: &JointPoint<'_>, want: Want, out: &mut JointTerms) {
    with_lanes!(at.lanes, evaluate_in(joint, at, want, out));
}

fn evaluate_in<const N: usize, J: Constraint>(
    joint: &J,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    let (a, b) = (&at.a.pose, &at.b.pose);
    let [of_a, of_b] = &at.lanes.of;
    let u = joint.functions(Jet::time(at.t));
    let values = u.map(|u| u.v);
    if want.any(Want::C) {
        out.c = ask(joint, &values, [a, b], at.turns);
    }
    if want.any(Want::C_Q | Want::LOAD) {
        let (a, b) = (Pose::<Dual<N>>::seeded(a, of_a), Pose::seeded(b, of_b));
        let c = ask(joint, &values.map(Dual::from), [&a, &b], at.turns);
        out.c_q = c.map(|c| at.lanes.spread(&c.d));
        out.load = at
            .lanes
            .spread::<N>(&std::array::from_fn(|j| along(&c, at.lambda, |c| c.d[j])));
    }
    if want.any(Want::CV | Want::GAMMA) {
        let (a, b) = (Pose::along(at.a), Pose::along(at.b));
        let c = ask(joint, &u, [&a, &b], at.turns);
        out.cv = c.map(|c| c.d);
        out.gamma = c.map(|c| -c.dd);
    }
    if want.any(Want::CV_Q) {
        let (a, b) = (Pose::<Dual<N>>::seeded(a, of_a), Pose::seeded(b, of_b));
        let lift = |x: Vector| x.map(Dual::<N>::from);
        let a = Pose::moving(&a, lift(at.a.velocity), lift(at.a.omega));
        let b = Pose::moving(&b, lift(at.b.velocity), lift(at.b.omega));
        let u = u.map(|u| Dual {
            v: Dual::from(u.v),
            d: [Dual::from(u.d)],
        });
        let c = ask(joint, &u, [&a, &b], at.turns);
        out.cv_q = c.map(|c| at.lanes.spread(&c.d[0].d));
    }
    if want.any(Want::HESS) {
        let (a, b) = (Pose::<Dual<N>>::seeded(a, of_a), Pose::seeded(b, of_b));
        let (a, b) = (
            Pose::<Dual<N, Dual<N>>>::seeded(&a, of_a),
            Pose::seeded(&b, of_b),
        );
        let c = ask(joint, &values.map(Dual::from), [&a, &b], at.turns);
        out.hess = second(&c, at);
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
    let u = joint.functions(Jet::time(at.t));
    ask(joint, &u, [&a, &b], at.turns).map(|c| c.d)
}

/// Fills the wanted terms of a joint from its equations of velocities.
pub fn evaluate_rolling<J: Rolling>(
    joint: &J,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    with_lanes!(at.lanes, evaluate_rolling_in(joint, at, want, out));
}

fn evaluate_rolling_in<const N: usize, J: Rolling>(
    joint: &J,
    at: &JointPoint<'_>,
    want: Want,
    out: &mut JointTerms,
) {
    let [of_a, of_b] = &at.lanes.of;
    let faster =
        || -> [Frame<Dual<N>>; 2] { [Frame::faster(at.a, of_a), Frame::faster(at.b, of_b)] };
    if want.any(Want::CV) {
        out.cv = joint.rolling(at.a, at.b);
    }
    if want.any(Want::C_Q | Want::LOAD) {
        let [a, b] = faster();
        let g = joint.rolling(&a, &b);
        out.c_q = g.map(|g| at.lanes.spread(&g.d));
        out.load = at
            .lanes
            .spread::<N>(&std::array::from_fn(|j| along(&g, at.lambda, |g| g.d[j])));
    }
    if want.any(Want::GAMMA) {
        let moving = |f: &Frame| Frame {
            pose: Pose::<Dual<1>>::moving(&f.pose, f.velocity, f.omega),
            velocity: f.velocity.map(Dual::from),
            omega: f.omega.map(Dual::from),
        };
        let g = joint.rolling(&moving(at.a), &moving(at.b));
        out.gamma = g.map(|g| -g.d[0]);
    }
    if want.any(Want::CV_Q | Want::HESS) {
        let (a, b) = (
            Frame::<Dual<N>>::moved(at.a, of_a),
            Frame::moved(at.b, of_b),
        );
        if want.any(Want::CV_Q) {
            let g = joint.rolling(&a, &b);
            out.cv_q = g.map(|g| at.lanes.spread(&g.d));
        }
        if want.any(Want::HESS) {
            let (a, b) = (
                Frame::<Dual<N, _>>::faster(&a, of_a),
                Frame::faster(&b, of_b),
            );
            out.hess = second(&joint.rolling(&a, &b), at);
        }
    }
    if want.any(Want::HESS_V) {
        let [a, b] = faster();
        let (a, b) = (
            Frame::<Dual<N, _>>::faster(&a, of_a),
            Frame::faster(&b, of_b),
        );
        out.hess_v = second(&joint.rolling(&a, &b), at);
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

/// `lambda . (second derivatives)`.
fn second<const N: usize>(
    c: &[Dual<N, Dual<N>>; MAX_ROWS],
    at: &JointPoint<'_>,
) -> [[f64; COLUMNS]; COLUMNS] {
    let rows =
        std::array::from_fn(|i| std::array::from_fn(|j| along(c, at.lambda, |c| c.d[i].d[j])));
    at.lanes.spread_rows::<N>(&rows)
}

/// `lambda . f(c)`.
#[inline]
fn along<S: Copy>(c: &[S; MAX_ROWS], lambda: &[f64], f: impl Fn(S) -> f64) -> f64 {
    c.iter().zip(lambda).map(|(c, l)| f(*c) * l).sum()
}

/// Entries that are nonzero at some of a few states in general position, for any joint whose
/// `eval` fills its matrices completely; `flat`: among those of bodies in the x-y plane.
///
/// A structurally nonzero entry vanishes at all of them only if it vanishes almost everywhere; an
/// entry that is not a number counts as nonzero.
pub fn probe(flat: bool, eval: impl Fn(&JointPoint<'_>, &mut JointTerms)) -> JointPattern {
    const STATES: usize = 4;
    let mut draw = numbers(0.379);
    let mut pattern = JointPattern::default();
    let mut out = JointTerms::default();
    let lanes = Lanes::of_free(flat);
    for _ in 0..STATES {
        let (a, b) = (arbitrary(flat, &mut draw), arbitrary(flat, &mut draw));
        let at = JointPoint {
            t: 1.0 + draw(),
            a: &a,
            b: &b,
            lambda: &std::array::from_fn::<f64, MAX_ROWS, _>(|_| draw()),
            turns: &[0.0; MAX_TURNS],
            lanes: &lanes,
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

/// Numbers between -1 and 1 without pattern, the same every time.
pub(crate) fn numbers(mut seed: f64) -> impl FnMut() -> f64 {
    move || {
        seed = (seed * 97.31 + 0.137).fract();
        2.0 * seed - 1.0
    }
}

/// A frame in general position in space, or in the x-y plane.
pub fn arbitrary(flat: bool, draw: &mut dyn FnMut() -> f64) -> Frame {
    let mut vector = |size: f64| -> Vector { std::array::from_fn(|_| size * draw()) };
    if flat {
        let ([x, y, angle], [vx, vy, w]) = (vector(1.0), vector(1.0));
        return Frame {
            pose: Pose::flat([x, y, 0.0], 2.0 * angle),
            velocity: [vx, vy, 0.0],
            omega: [0.0, 0.0, w],
        };
    }
    Frame {
        pose: Pose::new(vector(1.0), rotation_by(vector(2.0))),
        velocity: vector(1.0),
        omega: vector(1.0),
    }
}
