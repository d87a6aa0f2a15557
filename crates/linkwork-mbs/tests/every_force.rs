//! One family of checks for every kind of force in the registry.
//!
//! Parameters and states are of order one to ten. Central differences with increment 1e-6 carry a
//! truncation error of 1e-12 and a rounding error of 1e-15 / 1e-6 = 1e-9 times the size of forces;
//! springs closer to zero length than 0.1 are skipped because their derivatives grow like 1/L.

// Matrices are compared entry by entry; indices say which.
#![allow(clippy::needless_range_loop)]

use linkwork_mbs::force::{
    FORCES, Force, ForcePattern, ForcePoint, ForceTerms, ForceWant, MAX_INPUTS, SpringDamper,
};
use linkwork_mbs::joint::{COLUMNS, read_bodies};
use linkwork_mbs::space::{Frame, Marker, Pose, Site, cross};
use linkwork_mbs::text::{Fields, tree::Table};

const STEP: f64 = 1e-6;
const CLOSE: f64 = 2e-6;
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

#[derive(Clone, Copy, Debug)]
struct Case {
    t: f64,
    q: [f64; COLUMNS],
    v: [f64; COLUMNS],
}

impl Case {
    fn random(n: &mut Numbers) -> Case {
        Case {
            t: n.next(),
            q: std::array::from_fn(|i| n.next() * if i % 3 == 2 { 3.0 } else { 1.0 }),
            v: std::array::from_fn(|_| n.next()),
        }
    }

    fn frames(&self) -> [Frame; 2] {
        [0, 3].map(|k| Frame {
            pose: Pose::new([self.q[k], self.q[k + 1]], self.q[k + 2]),
            velocity: [self.v[k], self.v[k + 1]],
            omega: self.v[k + 2],
        })
    }

    fn with<T>(&self, f: impl FnOnce(&ForcePoint<'_>) -> T) -> T {
        let [a, b] = self.frames();
        f(&ForcePoint {
            t: self.t,
            a: &a,
            b: &b,
            inputs: &[],
        })
    }

    /// Terms computed into a table full of NaN: what is not written stays NaN.
    fn eval(&self, force: &dyn Force, want: ForceWant) -> ForceTerms {
        let mut out = ForceTerms {
            q: [f64::NAN; 6],
            stiffness: [[f64::NAN; 6]; 6],
            damping: [[f64::NAN; 6]; 6],
            by_input: [[f64::NAN; 6]; MAX_INPUTS],
        };
        self.with(|at| force.eval(at, want, &mut out))
            .expect("random states are inside the domain");
        out
    }
}

fn masked(m: &[[f64; COLUMNS]; COLUMNS], pattern: &[(u8, u8)]) -> [[f64; COLUMNS]; COLUMNS] {
    let mut out = [[0.0; COLUMNS]; COLUMNS];
    for &(i, j) in pattern {
        out[i as usize][j as usize] = m[i as usize][j as usize];
    }
    out
}

fn close(got: f64, want: f64, tolerance: f64, what: &str, force: &dyn Force) {
    assert!(
        (got - want).abs() <= tolerance * (1.0 + want.abs()),
        "{what} of {force:?}: {got} instead of {want}"
    );
}

fn for_all(mut check: impl FnMut(&dyn Force, &ForcePattern, &Case, &mut Numbers)) {
    let mut n = Numbers(5);
    for entry in FORCES {
        let mut checked = 0;
        for _ in 0..PARAMETER_SETS {
            let mut force = (entry.example)(&mut || n.next());
            force.place(&Site::GROUND, &Site::GROUND);
            force.check().expect("examples have sound parameters");
            let pattern = force.pattern();
            for _ in 0..STATES {
                let case = Case::random(&mut n);
                if let [Some(p), Some(q)] = force.markers() {
                    let [a, b] = case.frames();
                    let (p, q) = (a.pose.point(p), b.pose.point(q));
                    if (q[0] - p[0]).hypot(q[1] - p[1]) < 0.1 {
                        continue;
                    }
                }
                checked += 1;
                check(&*force, &pattern, &case, &mut n);
            }
        }
        assert!(checked > PARAMETER_SETS, "{}", entry.kind);
    }
}

#[test]
fn derivatives_equal_central_differences() {
    for_all(|force, pattern, case, _| {
        let at = case.eval(force, ForceWant::ALL);
        let stiffness = masked(&at.stiffness, &pattern.stiffness);
        let damping = masked(&at.damping, &pattern.damping);
        for j in 0..COLUMNS {
            let q = |h: f64| {
                let mut c = *case;
                c.q[j] += h;
                c.eval(force, ForceWant::Q).q
            };
            let v = |h: f64| {
                let mut c = *case;
                c.v[j] += h;
                c.eval(force, ForceWant::Q).q
            };
            let (q_hi, q_lo, v_hi, v_lo) = (q(STEP), q(-STEP), v(STEP), v(-STEP));
            for i in 0..COLUMNS {
                let slope = |hi: f64, lo: f64| -(hi - lo) / (2.0 * STEP);
                close(
                    stiffness[i][j],
                    slope(q_hi[i], q_lo[i]),
                    CLOSE,
                    "-dQ/dq",
                    force,
                );
                close(
                    damping[i][j],
                    slope(v_hi[i], v_lo[i]),
                    CLOSE,
                    "-dQ/dv",
                    force,
                );
            }
        }
    });
}

#[test]
fn work_goes_into_potential_energy_or_is_counted_as_power() {
    for_all(|force, _, case, _| {
        let q = case.eval(force, ForceWant::Q).q;
        let work: f64 = (0..COLUMNS).map(|j| q[j] * case.v[j]).sum();
        let after = |h: f64| {
            let mut c = *case;
            for j in 0..COLUMNS {
                c.q[j] += h * c.v[j];
            }
            c.with(|at| force.energy(at).potential)
        };
        let stored = (after(STEP) - after(-STEP)) / (2.0 * STEP);
        let power = case.with(|at| force.energy(at).power);
        close(work + stored, power, CLOSE, "power", force);
    });
}

#[test]
fn inner_forces_balance_and_outer_ones_leave_body_a_alone() {
    for_all(|force, _, case, _| {
        let [xa, ya, ta, xb, yb, tb] = case.eval(force, ForceWant::Q).q;
        if force.is_external() {
            assert_eq!([xa, ya, ta], [0.0; 3]);
            return;
        }
        close(xa + xb, 0.0, 1e-13, "x force on both bodies", force);
        close(ya + yb, 0.0, 1e-13, "y force on both bodies", force);
        let [a, b] = [0, 3].map(|k| [case.q[k], case.q[k + 1]]);
        let moment = ta + cross(a, [xa, ya]) + tb + cross(b, [xb, yb]);
        // Spring forces of up to a hundred at arms of order one.
        close(moment, 0.0, 1e-12, "moment on both bodies", force);
    });
}

#[test]
fn moving_the_whole_mechanism_turns_the_forces_along() {
    for_all(|force, _, case, n| {
        if force.is_external() && !force.needs_orientation()[1] {
            return; // global components refer to the global frame
        }
        let (turn, shift) = (3.0 * n.next(), [n.next(), n.next()]);
        let whole = Pose::new(shift, turn);
        let mut moved = *case;
        for k in [0, 3] {
            let p = whole.point([case.q[k], case.q[k + 1]]);
            let v = whole.direction([case.v[k], case.v[k + 1]]);
            moved.q[k..k + 3].copy_from_slice(&[p[0], p[1], case.q[k + 2] + turn]);
            moved.v[k..k + 2].copy_from_slice(&v);
        }
        let before = case.eval(force, ForceWant::Q).q;
        let after = moved.eval(force, ForceWant::Q).q;
        for k in [0, 3] {
            let want = whole.direction([before[k], before[k + 1]]);
            close(after[k], want[0], 1e-12, "x force after the move", force);
            close(
                after[k + 1],
                want[1],
                1e-12,
                "y force after the move",
                force,
            );
            close(
                after[k + 2],
                before[k + 2],
                1e-12,
                "torque after the move",
                force,
            );
        }
        let (p, q) = (
            case.with(|at| force.energy(at)),
            moved.with(|at| force.energy(at)),
        );
        close(q.potential, p.potential, 1e-12, "potential", force);
        close(q.power, p.power, 1e-12, "power", force);
    });
}

#[test]
fn a_single_request_gives_the_same_as_all_together() {
    for_all(|force, pattern, case, _| {
        let all = case.eval(force, ForceWant::ALL);
        assert_eq!(case.eval(force, ForceWant::Q).q, all.q);
        let k = case.eval(force, ForceWant::STIFFNESS).stiffness;
        assert_eq!(
            masked(&k, &pattern.stiffness),
            masked(&all.stiffness, &pattern.stiffness)
        );
        let d = case.eval(force, ForceWant::DAMPING).damping;
        assert_eq!(
            masked(&d, &pattern.damping),
            masked(&all.damping, &pattern.damping)
        );
    });
}

#[test]
fn outputs_are_filled_and_finite() {
    for_all(|force, _, case, _| {
        let mut out = vec![f64::NAN; force.channels().len()];
        case.with(|at| force.observe(at, &mut out));
        assert!(out.iter().all(|x| x.is_finite()), "{force:?}");
    });
}

#[test]
fn reading_back_what_was_written_gives_the_same_force() {
    let mut n = Numbers(3);
    let bodies = ["crank".to_string(), "rod".to_string()];
    for entry in FORCES {
        for _ in 0..PARAMETER_SETS {
            let force = (entry.example)(&mut || n.next());
            let mut text = String::from("name = \"f\"\n");
            text += if force.is_external() {
                "body_b = \"rod\"\n"
            } else {
                "body_a = \"crank\"\nbody_b = \"rod\"\n"
            };
            for (key, value) in force.fields() {
                assert!(
                    entry.keys.iter().any(|k| k.name == key),
                    "`{key}` of `{}` is not documented",
                    entry.kind
                );
                text += &format!("{key} = {value}\n");
            }
            let table = Table::parse(&text).expect(&text);
            let fields = Fields::item("force", &table, &bodies).expect(&text);
            let back = (entry.read)(&fields).expect(&text);
            let (_, b) = read_bodies(&fields).expect(&text);
            assert_eq!(b.index(), Some(1));
            fields.finish().expect(&text);
            assert_eq!(format!("{back:?}"), format!("{force:?}"));
        }
    }
}

/// Forces are linear in their inputs, so a difference of one is exact but for rounding.
#[test]
fn inputs_take_the_place_of_their_formulas() {
    for_all(|force, pattern, case, n| {
        let count = force.inputs().len();
        assert!(count <= MAX_INPUTS);
        assert!(
            pattern
                .by_input
                .iter()
                .all(|(_, k)| usize::from(*k) < count)
        );
        let mut inputs: Vec<f64> = (0..count).map(|_| n.next()).collect();
        let [a, b] = case.frames();
        let eval = |inputs: &[f64]| {
            let mut out = ForceTerms::default();
            let at = ForcePoint {
                t: case.t,
                a: &a,
                b: &b,
                inputs,
            };
            force.eval(&at, ForceWant::ALL, &mut out).unwrap();
            out
        };
        let here = eval(&inputs);
        for k in 0..count {
            inputs[k] += 1.0;
            let there = eval(&inputs);
            inputs[k] -= 1.0;
            for i in 0..COLUMNS {
                let listed = pattern.by_input.contains(&(i as u8, k as u8));
                let d = if listed { here.by_input[k][i] } else { 0.0 };
                close(d, there.q[i] - here.q[i], 1e-12, "dQ/du", force);
            }
        }
        // without values the formulas speak for themselves
        let values: Vec<f64> = force.inputs().iter().map(|f| f.eval(case.t)).collect();
        assert_eq!(eval(&values).q, eval(&[]).q);
    });
}

#[test]
fn a_spring_of_zero_length_is_out_of_its_domain() {
    let spring = SpringDamper {
        a: Marker::ORIGIN,
        b: Marker::ORIGIN,
        stiffness: 1.0,
        damping: 0.0,
        free_length: Some(1.0),
    };
    let at = ForcePoint {
        t: 0.0,
        a: &Frame::GROUND,
        b: &Frame::GROUND,
        inputs: &[],
    };
    let e = spring.eval(&at, ForceWant::ALL, &mut ForceTerms::default());
    assert!(e.unwrap_err().0.contains("length is zero"));
}
