//! One family of checks for every kind of joint in the registry.
//!
//! Parameters and states are of order one, so absolute and relative errors are the same thing.
//! Central differences with increment 1e-6 carry a truncation error of 1e-12 and a rounding error
//! of 1e-16 / 1e-6 = 1e-10; `CLOSE` leaves a factor of a hundred for the size of derivatives.

// Matrices are compared entry by entry; indices say which.
#![allow(clippy::needless_range_loop)]

use linkwork_mbs::joint::{
    COLUMNS, JOINTS, Joint, JointPattern, JointPoint, JointTerms, MAX_ROWS, Want, read_bodies,
};
use linkwork_mbs::space::{Frame, Pose, Site, cross};
use linkwork_mbs::text::{Fields, tree::Table};

const STEP: f64 = 1e-6;
const CLOSE: f64 = 1e-8;
const PARAMETER_SETS: usize = 12;
const STATES: usize = 5;

/// Reproducible numbers between -1 and 1 (Knuth's linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = (self.0)
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Coordinates and velocities of the two bodies, time, multipliers.
#[derive(Clone, Copy, Debug)]
struct Case {
    t: f64,
    q: [f64; COLUMNS],
    v: [f64; COLUMNS],
    lambda: [f64; MAX_ROWS],
}

impl Case {
    fn random(n: &mut Numbers) -> Case {
        Case {
            t: n.next(),
            q: std::array::from_fn(|i| n.next() * if i % 3 == 2 { 3.0 } else { 1.0 }),
            v: std::array::from_fn(|_| n.next()),
            lambda: std::array::from_fn(|_| n.next()),
        }
    }

    /// The same motion a little later, with constant acceleration `a`.
    fn after(&self, h: f64, a: &[f64; COLUMNS]) -> Case {
        Case {
            t: self.t + h,
            q: std::array::from_fn(|i| self.q[i] + h * self.v[i] + 0.5 * h * h * a[i]),
            v: std::array::from_fn(|i| self.v[i] + h * a[i]),
            ..*self
        }
    }

    fn shifted(&self, j: usize, h: f64) -> Case {
        let mut c = *self;
        c.q[j] += h;
        c
    }

    fn frames(&self) -> [Frame; 2] {
        [0, 3].map(|k| Frame {
            pose: Pose::new([self.q[k], self.q[k + 1]], self.q[k + 2]),
            velocity: [self.v[k], self.v[k + 1]],
            omega: self.v[k + 2],
        })
    }

    /// Terms computed into a table full of NaN: what is not written stays NaN.
    fn eval(&self, joint: &dyn Joint, want: Want) -> JointTerms {
        let mut out = JointTerms {
            c: [f64::NAN; 3],
            cv: [f64::NAN; 3],
            gamma: [f64::NAN; 3],
            load: [f64::NAN; 6],
            c_q: [[f64::NAN; 6]; 3],
            cv_q: [[f64::NAN; 6]; 3],
            hess: [[f64::NAN; 6]; 6],
        };
        let [a, b] = self.frames();
        let at = JointPoint {
            t: self.t,
            a: &a,
            b: &b,
            lambda: &self.lambda,
        };
        joint.eval(&at, want, &mut out);
        out
    }
}

/// A matrix with zeros outside its pattern.
fn masked<const R: usize>(m: &[[f64; COLUMNS]; R], pattern: &[(u8, u8)]) -> [[f64; COLUMNS]; R] {
    let mut out = [[0.0; COLUMNS]; R];
    for &(i, j) in pattern {
        out[i as usize][j as usize] = m[i as usize][j as usize];
    }
    out
}

fn close(got: f64, want: f64, tolerance: f64, what: &str, joint: &dyn Joint) {
    assert!(
        (got - want).abs() <= tolerance * (1.0 + want.abs()),
        "{what} of {joint:?}: {got} instead of {want}"
    );
}

/// Runs a check for several parameter sets of every kind, at several states each.
fn for_all(mut check: impl FnMut(&dyn Joint, &JointPattern, &Case, &mut Numbers)) {
    let mut n = Numbers(7);
    for entry in JOINTS {
        for _ in 0..PARAMETER_SETS {
            let mut joint = (entry.example)(&mut || n.next());
            joint.place(&Site::GROUND, &Site::GROUND);
            joint.check().expect("examples have sound parameters");
            let pattern = joint.pattern();
            for _ in 0..STATES {
                let case = Case::random(&mut n);
                check(&*joint, &pattern, &case, &mut n);
            }
        }
    }
}

#[test]
fn derivatives_equal_central_differences() {
    for_all(|joint, pattern, case, _| {
        let at = case.eval(joint, Want::ALL);
        let (c_q, cv_q) = (
            masked(&at.c_q, &pattern.c_q),
            masked(&at.cv_q, &pattern.cv_q),
        );
        let hess = masked(&at.hess, &pattern.hess);
        for j in 0..COLUMNS {
            let hi = case.shifted(j, STEP).eval(joint, Want::ALL);
            let lo = case.shifted(j, -STEP).eval(joint, Want::ALL);
            let slope = |hi: f64, lo: f64| (hi - lo) / (2.0 * STEP);
            for i in 0..joint.rows() {
                close(c_q[i][j], slope(hi.c[i], lo.c[i]), CLOSE, "C_q", joint);
                close(
                    cv_q[i][j],
                    slope(hi.cv[i], lo.cv[i]),
                    CLOSE,
                    "(C_q v + C_t)_q",
                    joint,
                );
            }
            for i in 0..COLUMNS {
                let want = slope(hi.load[i], lo.load[i]);
                close(hess[i][j], want, CLOSE, "(C_q' lambda)_q", joint);
            }
        }
    });
}

#[test]
fn rates_follow_the_motion() {
    for_all(|joint, pattern, case, n| {
        let a: [f64; COLUMNS] = std::array::from_fn(|_| n.next());
        let at = case.eval(joint, Want::ALL);
        let hi = case.after(STEP, &a).eval(joint, Want::ALL);
        let lo = case.after(-STEP, &a).eval(joint, Want::ALL);
        let c_q = masked(&at.c_q, &pattern.c_q);
        for i in 0..joint.rows() {
            let rate = (hi.c[i] - lo.c[i]) / (2.0 * STEP);
            close(at.cv[i], rate, CLOSE, "C'", joint);
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
        let at = case.eval(joint, Want::ALL);
        let c_q = masked(&at.c_q, &pattern.c_q);
        for j in 0..COLUMNS {
            let want: f64 = (0..joint.rows()).map(|i| c_q[i][j] * case.lambda[i]).sum();
            close(at.load[j], want, 1e-14, "C_q' lambda", joint);
        }
    });
}

#[test]
fn reactions_work_only_through_the_rate_of_the_constraint() {
    for_all(|joint, _, case, _| {
        let at = case.eval(joint, Want::ALL);
        let c_t = joint.c_t(case.t);
        let power: f64 = (0..COLUMNS).map(|j| -at.load[j] * case.v[j]).sum();
        let want: f64 = (0..joint.rows())
            .map(|i| -case.lambda[i] * (at.cv[i] - c_t[i]))
            .sum();
        // Sums of about ten products of order one.
        close(power, want, 1e-13, "power", joint);
    });
}

#[test]
fn reactions_on_the_two_bodies_balance() {
    for_all(|joint, _, case, _| {
        let at = case.eval(joint, Want::LOAD | Want::C);
        let [xa, ya, ta, xb, yb, tb] = at.load;
        close(xa + xb, 0.0, 1e-13, "x force on both bodies", joint);
        close(ya + yb, 0.0, 1e-13, "y force on both bodies", joint);
        let [a, b] = [0, 3].map(|k| [case.q[k], case.q[k + 1]]);
        let moment = ta + cross(a, [xa, ya]) + tb + cross(b, [xb, yb]);
        // Random states do not close the joint: forces at two distinct points make a couple.
        let couple = if joint.row_names()[0] == "x coincidence" {
            cross([at.c[0], at.c[1]], [case.lambda[0], case.lambda[1]])
        } else {
            0.0
        };
        close(moment, couple, 1e-13, "moment on both bodies", joint);
    });
}

#[test]
fn moving_the_whole_mechanism_changes_nothing() {
    for_all(|joint, _, case, n| {
        let (turn, shift) = (3.0 * n.next(), [n.next(), n.next()]);
        let whole = Pose::new(shift, turn);
        let mut moved = *case;
        for k in [0, 3] {
            let p = whole.point([case.q[k], case.q[k + 1]]);
            let v = whole.direction([case.v[k], case.v[k + 1]]);
            moved.q[k..k + 3].copy_from_slice(&[p[0], p[1], case.q[k + 2] + turn]);
            moved.v[k..k + 2].copy_from_slice(&v);
        }
        let (before, after) = (case.eval(joint, Want::ALL), moved.eval(joint, Want::ALL));
        // A coincidence is a vector and turns with the mechanism; everything else is a number.
        let vector = joint.row_names()[0] == "x coincidence";
        let turned = |x: &[f64; MAX_ROWS]| {
            let [p, q] = whole.direction([x[0], x[1]]);
            if vector { [p, q, x[2]] } else { *x }
        };
        for (got, want) in [
            (after.c, turned(&before.c)),
            (after.cv, turned(&before.cv)),
            (after.gamma, turned(&before.gamma)),
        ] {
            for i in 0..joint.rows() {
                close(
                    got[i],
                    want[i],
                    1e-13,
                    "C, C' or gamma after the move",
                    joint,
                );
            }
        }
        if vector {
            moved.lambda = turned(&case.lambda);
        }
        let load = moved.eval(joint, Want::LOAD).load;
        for k in [0, 3] {
            let want = whole.direction([before.load[k], before.load[k + 1]]);
            close(load[k], want[0], 1e-13, "x load after the move", joint);
            close(load[k + 1], want[1], 1e-13, "y load after the move", joint);
            close(
                load[k + 2],
                before.load[k + 2],
                1e-13,
                "torque after the move",
                joint,
            );
        }
    });
}

#[test]
fn a_single_request_gives_the_same_as_all_together() {
    for_all(|joint, pattern, case, _| {
        let all = case.eval(joint, Want::ALL);
        let rows = joint.rows();
        assert_eq!(case.eval(joint, Want::C).c[..rows], all.c[..rows]);
        assert_eq!(case.eval(joint, Want::CV).cv[..rows], all.cv[..rows]);
        assert_eq!(
            case.eval(joint, Want::GAMMA).gamma[..rows],
            all.gamma[..rows]
        );
        assert_eq!(case.eval(joint, Want::LOAD).load, all.load);
        let c_q = case.eval(joint, Want::C_Q).c_q;
        assert_eq!(masked(&c_q, &pattern.c_q), masked(&all.c_q, &pattern.c_q));
        let cv_q = case.eval(joint, Want::CV_Q).cv_q;
        assert_eq!(
            masked(&cv_q, &pattern.cv_q),
            masked(&all.cv_q, &pattern.cv_q)
        );
        let hess = case.eval(joint, Want::HESS).hess;
        assert_eq!(
            masked(&hess, &pattern.hess),
            masked(&all.hess, &pattern.hess)
        );
    });
}

#[test]
fn reading_back_what_was_written_gives_the_same_joint() {
    let mut n = Numbers(11);
    let bodies = ["crank".to_string(), "rod".to_string()];
    for entry in JOINTS {
        for _ in 0..PARAMETER_SETS {
            let mut joint = (entry.example)(&mut || n.next());
            joint.place(&Site::GROUND, &Site::GROUND);
            let mut text = String::from("name = \"j\"\nbody_a = \"crank\"\nbody_b = \"rod\"\n");
            for (key, value) in joint.fields() {
                assert!(
                    entry.keys.iter().any(|k| k.name == key),
                    "`{key}` of `{}` is not documented",
                    entry.kind
                );
                text += &format!("{key} = {value}\n");
            }
            let table = Table::parse(&text).expect(&text);
            let fields = Fields::item("joint", &table, &bodies).expect(&text);
            let (a, b) = read_bodies(&fields).expect(&text);
            assert_eq!((a.index(), b.index()), (Some(0), Some(1)));
            let mut back = (entry.read)(&fields).expect(&text);
            fields.finish().expect(&text);
            back.place(&Site::GROUND, &Site::GROUND);
            assert_eq!(format!("{back:?}"), format!("{joint:?}"));
        }
    }
}
