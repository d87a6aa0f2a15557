//! One family of checks for every kind of joint, in space and, where it has a meaning, in the plane.
//!
//! Parameters and states are of order one, so absolute and relative errors are the same thing.
//! Central differences along the tangent with increment 1e-6 carry a truncation error of 1e-12 and
//! a rounding error of 1e-16 / 1e-6 = 1e-10; `CLOSE` leaves a factor of a hundred for the size of
//! derivatives.

// Matrices are compared entry by entry; indices say which.
#![allow(clippy::needless_range_loop)]

mod frames;

use frames::{Case, FLAT, Numbers, SOLID, in_plane, masked, moment, unique};
use linkwork_mbs::geometry::{add, cross};
use linkwork_mbs::joint::{
    COLUMNS, JOINTS, Joint, JointEntry, JointPattern, JointPoint, JointTerms, MAX_ROWS, MAX_TURNS,
    Want, read_bodies,
};
use linkwork_mbs::lanes::Lanes;
use linkwork_mbs::text::{BodyNames, Fields, tree::Table};

const STEP: f64 = 1e-6;
const CLOSE: f64 = 1e-8;
const PARAMETER_SETS: usize = 8;
const STATES: usize = 4;

/// Terms computed into a table full of NaN: what is not written stays NaN.
fn eval(case: &Case, joint: &dyn Joint, want: Want) -> JointTerms {
    let mut out = JointTerms::filled(f64::NAN);
    let at = JointPoint {
        t: case.t,
        a: &case.frames[0],
        b: &case.frames[1],
        lambda: &case.lambda[..rows(joint)],
        turns: &[0.0; MAX_TURNS][..joint.turns()],
        lanes: &Lanes::ALL,
    };
    joint.eval(&at, want, &mut out);
    out
}

fn rows(joint: &dyn Joint) -> usize {
    joint.rows() + joint.velocity_rows()
}

fn close(got: f64, want: f64, tolerance: f64, what: &str, joint: &dyn Joint) {
    assert!(
        (got - want).abs() <= tolerance * (1.0 + want.abs()),
        "{what} of {joint:?}: {got} instead of {want}"
    );
}

/// The joint between bodies in the x-y plane, if this set of parameters has a meaning there.
fn flattened(entry: &JointEntry, joint: &dyn Joint) -> Option<Box<dyn Joint>> {
    let bodies = ["a".to_string(), "b".to_string()];
    in_plane(&joint.fields(), &bodies, |f| entry.read(f).ok())
}

/// A state in which the joint has equations: a wheel on its side does not touch a rail.
fn within(joint: &dyn Joint, flat: bool, n: &mut Numbers) -> Case {
    let mut found = (0..20).map(|_| Case::random(n, flat));
    let closed = |case: &Case| {
        let c = eval(case, joint, Want::C).c;
        c[..joint.rows()].iter().all(|x| x.is_finite())
    };
    found.find(closed).expect("a state within its domain")
}

/// Runs a check for several parameter sets of every kind, at several states each, in space and in the
/// plane.
fn for_all(mut check: impl FnMut(&dyn Joint, &JointPattern, &Case, &mut Numbers)) {
    let mut n = Numbers(7);
    for entry in JOINTS {
        let mut in_the_plane = 0;
        for set in 0..2 * PARAMETER_SETS {
            let flat = set % 2 == 1;
            if flat && !entry.in_plane {
                continue;
            }
            let mut joint = entry.example(&mut || n.next());
            let site = if flat { FLAT } else { SOLID };
            if flat {
                let Some(flattened) = flattened(entry, &*joint) else {
                    continue;
                };
                joint = flattened;
                in_the_plane += 1;
            }
            joint.place(&site, &site);
            joint.check().expect("examples have sound parameters");
            let pattern = joint.pattern(flat);
            for _ in 0..STATES {
                let case = within(&*joint, flat, &mut n);
                check(&*joint, &pattern, &case, &mut n);
            }
        }
        assert_eq!(in_the_plane > 0, entry.in_plane, "{}", entry.kind);
    }
}

#[test]
fn derivatives_equal_central_differences() {
    for_all(|joint, pattern, case, _| {
        let at = eval(case, joint, Want::ALL);
        let c_q = masked(&at.c_q, &pattern.c_q);
        let cv_q = masked(&at.cv_q, &pattern.cv_q);
        let hess = masked(&at.hess, &pattern.hess);
        let hess_v = masked(&at.hess_v, &pattern.hess_v);
        let slope = |hi: f64, lo: f64| (hi - lo) / (2.0 * STEP);
        for j in case.columns() {
            let hi = eval(&case.shifted(j, STEP), joint, Want::ALL);
            let lo = eval(&case.shifted(j, -STEP), joint, Want::ALL);
            for i in 0..rows(joint) {
                if i < joint.rows() {
                    close(c_q[i][j], slope(hi.c[i], lo.c[i]), CLOSE, "C_q", joint);
                }
                let want = slope(hi.cv[i], lo.cv[i]);
                close(cv_q[i][j], want, CLOSE, "(C_q v + C_t)_q", joint);
            }
            for i in case.columns() {
                let want = slope(hi.load[i], lo.load[i]);
                close(hess[i][j], want, CLOSE, "(C_q' lambda)_q", joint);
            }
            let hi = eval(&case.faster(j, STEP), joint, Want::ALL);
            let lo = eval(&case.faster(j, -STEP), joint, Want::ALL);
            for i in 0..rows(joint) {
                let want = slope(hi.cv[i], lo.cv[i]);
                close(c_q[i][j], want, CLOSE, "C_q or G_v", joint);
            }
            for i in case.columns() {
                let want = slope(hi.load[i], lo.load[i]);
                close(hess_v[i][j], want, CLOSE, "(G_v' mu)_v", joint);
            }
        }
    });
}

#[test]
fn rates_follow_the_motion() {
    for_all(|joint, pattern, case, n| {
        let mut a = [0.0; COLUMNS];
        for j in case.columns() {
            a[j] = n.next();
        }
        let at = eval(case, joint, Want::ALL);
        let hi = eval(&case.after(STEP, &a), joint, Want::ALL);
        let lo = eval(&case.after(-STEP, &a), joint, Want::ALL);
        let c_q = masked(&at.c_q, &pattern.c_q);
        for i in 0..rows(joint) {
            if i < joint.rows() {
                let rate = (hi.c[i] - lo.c[i]) / (2.0 * STEP);
                close(at.cv[i], rate, CLOSE, "C'", joint);
            }
            // C'' = C_q a - gamma
            let c_q_a: f64 = (0..COLUMNS).map(|j| c_q[i][j] * a[j]).sum();
            let second = (hi.cv[i] - lo.cv[i]) / (2.0 * STEP);
            close(c_q_a - at.gamma[i], second, CLOSE, "gamma", joint);
        }
    });
}

#[test]
fn load_is_the_transposed_derivative_times_the_multipliers() {
    for_all(|joint, pattern, case, _| {
        let at = eval(case, joint, Want::ALL);
        let c_q = masked(&at.c_q, &pattern.c_q);
        for j in case.columns() {
            let want: f64 = (0..rows(joint)).map(|i| c_q[i][j] * case.lambda[i]).sum();
            close(at.load[j], want, 1e-13, "C_q' lambda", joint);
        }
    });
}

#[test]
fn reactions_work_only_through_the_rate_of_the_constraint() {
    for_all(|joint, _, case, _| {
        let at = eval(case, joint, Want::ALL);
        let c_t = joint.c_t(&JointPoint {
            t: case.t,
            a: &case.frames[0],
            b: &case.frames[1],
            lambda: &[],
            turns: &[0.0; MAX_TURNS][..joint.turns()],
            lanes: &Lanes::ALL,
        });
        let v = case.v();
        let power: f64 = (0..COLUMNS).map(|j| -at.load[j] * v[j]).sum();
        let want: f64 = (0..rows(joint))
            .map(|i| -case.lambda[i] * (at.cv[i] - c_t[i]))
            .sum();
        // Sums of about fifty products of order one.
        close(power, want, 1e-12, "power", joint);
    });
}

/// How many of the first rows are a vector in global components.
fn vector(joint: &dyn Joint) -> usize {
    match joint.row_names() {
        ["x coincidence", "y coincidence", "z coincidence", ..] => 3,
        ["x coincidence", "y coincidence", ..] => 2,
        _ => 0,
    }
}

/// The first entries as a vector.
fn first(x: &[f64; MAX_ROWS], count: usize) -> [f64; 3] {
    std::array::from_fn(|i| if i < count { x[i] } else { 0.0 })
}

#[test]
fn reactions_on_the_two_bodies_balance() {
    for_all(|joint, _, case, _| {
        let at = eval(case, joint, Want::LOAD | Want::C);
        let [a, b] = &case.frames;
        let total = add(moment(a, &at.load[..6]), moment(b, &at.load[6..]));
        // Random states do not close the joint: forces at two distinct points make a couple.
        let count = vector(joint);
        let couple = cross(first(&at.c, count), first(&case.lambda, count));
        for i in case.columns().filter(|j| *j < 6) {
            if i < 3 {
                let force = at.load[i] + at.load[6 + i];
                close(force, 0.0, 1e-12, "force on both bodies", joint);
            } else {
                let (got, want) = (total[i - 3], couple[i - 3]);
                close(got, want, 1e-12, "moment on both bodies", joint);
            }
        }
    });
}

#[test]
fn moving_the_whole_mechanism_changes_nothing() {
    for_all(|joint, _, case, n| {
        let whole = case.whole(n);
        let mut moved = case.seen_from(&whole);
        let (before, after) = (eval(case, joint, Want::ALL), eval(&moved, joint, Want::ALL));
        // A coincidence is a vector and turns with the mechanism; everything else is a number.
        let turned = |x: &[f64; MAX_ROWS]| {
            let mut y = *x;
            let count = vector(joint);
            let turned = whole.direction(first(x, count));
            y[..count].copy_from_slice(&turned[..count]);
            y
        };
        for (first, got, want) in [
            (0, after.c, turned(&before.c)),
            (joint.velocity_rows(), after.cv, turned(&before.cv)),
            (joint.velocity_rows(), after.gamma, turned(&before.gamma)),
        ] {
            for i in 0..joint.rows() + first {
                close(got[i], want[i], 1e-12, "C, C' or gamma moved", joint);
            }
        }
        moved.lambda = turned(&case.lambda);
        let load = eval(&moved, joint, Want::LOAD).load;
        for k in [0, 6] {
            let b = &before.load;
            let force = whole.direction([b[k], b[k + 1], b[k + 2]]);
            for i in case.columns().filter(|j| *j < 6) {
                let want = if i < 3 { force[i] } else { b[k + i] };
                close(load[k + i], want, 1e-12, "load after the move", joint);
            }
        }
    });
}

#[test]
fn a_single_request_gives_the_same_as_all_together() {
    for_all(|joint, pattern, case, _| {
        assert!(unique(&pattern.c_q) && unique(&pattern.cv_q));
        assert!(unique(&pattern.hess) && unique(&pattern.hess_v));
        let all = eval(case, joint, Want::ALL);
        let (held, rows) = (joint.rows(), rows(joint));
        assert_eq!(eval(case, joint, Want::C).c[..held], all.c[..held]);
        assert_eq!(eval(case, joint, Want::CV).cv[..rows], all.cv[..rows]);
        let gamma = eval(case, joint, Want::GAMMA).gamma;
        assert_eq!(gamma[..rows], all.gamma[..rows]);
        assert_eq!(eval(case, joint, Want::LOAD).load, all.load);
        let c_q = eval(case, joint, Want::C_Q).c_q;
        assert_eq!(masked(&c_q, &pattern.c_q), masked(&all.c_q, &pattern.c_q));
        let cv_q = eval(case, joint, Want::CV_Q).cv_q;
        let p = &pattern.cv_q;
        assert_eq!(masked(&cv_q, p), masked(&all.cv_q, p));
        let hess = eval(case, joint, Want::HESS).hess;
        let p = &pattern.hess;
        assert_eq!(masked(&hess, p), masked(&all.hess, p));
        let hess_v = eval(case, joint, Want::HESS_V).hess_v;
        let p = &pattern.hess_v;
        assert_eq!(masked(&hess_v, p), masked(&all.hess_v, p));
    });
}

#[test]
fn angles_are_continued_over_whole_turns() {
    for_all(|joint, _, case, _| {
        let mut turns = [0.0; MAX_TURNS];
        let turns = &mut turns[..joint.turns()];
        let wind = |turns: &mut [f64]| {
            let known = turns.to_vec();
            let at = JointPoint {
                t: case.t,
                a: &case.frames[0],
                b: &case.frames[1],
                lambda: &[],
                turns: &known,
                lanes: &Lanes::ALL,
            };
            joint.wind(&at, turns);
        };
        wind(turns);
        let first = turns.to_vec();
        for turn in turns.iter_mut() {
            *turn += 3.0 * std::f64::consts::TAU + 0.5;
        }
        wind(turns);
        for (got, want) in turns.iter().zip(first) {
            let want = want + 3.0 * std::f64::consts::TAU;
            close(*got, want, 1e-13, "angle after three turns", joint);
        }
    });
}

#[test]
fn reading_back_what_was_written_gives_the_same_joint() {
    let mut n = Numbers(11);
    let bodies = ["crank".to_string(), "rod".to_string()];
    for entry in JOINTS {
        for _ in 0..PARAMETER_SETS {
            let mut joint = entry.example(&mut || n.next());
            joint.place(&SOLID, &SOLID);
            let mut text = String::from("name = \"j\"\nbody_a = \"crank\"\nbody_b = \"rod\"\n");
            for (key, value) in joint.fields() {
                assert!(
                    entry.keys().iter().any(|k| k.name == key),
                    "`{key}` of `{}` is not documented",
                    entry.kind
                );
                text += &format!("{key} = {value}\n");
            }
            let table = Table::parse(&text).expect(&text);
            let names = BodyNames::new(bodies.to_vec());
            let fields = Fields::item("joint", &table, &names).expect(&text);
            let (a, b) = read_bodies(&fields).expect(&text);
            assert_eq!((a.index(), b.index()), (Some(0), Some(1)));
            let mut back = entry.read(&fields).expect(&text);
            fields.finish().expect(&text);
            back.place(&SOLID, &SOLID);
            assert_eq!(format!("{back:?}"), format!("{joint:?}"));
        }
    }
}
