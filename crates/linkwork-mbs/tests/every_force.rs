//! One family of checks for every kind of force, in space and, where it has a meaning, in the plane.
//!
//! Parameters are of order one to ten, states of order one; see `every_joint.rs` for the
//! error of the differences.

// Matrices are compared entry by entry; indices say which.
#![allow(clippy::needless_range_loop)]

mod frames;

use frames::{Case, FLAT, Numbers, SOLID, in_plane, masked, moment, unique};
use linkwork_mbs::force::{
    FORCES, Force, ForceEntry, ForcePattern, ForcePoint, ForceTerms, ForceWant, MAX_INPUTS,
    MAX_STATES, SpringDamper, StateTerms,
};
use linkwork_mbs::geometry::{Frame, add, norm, sub};
use linkwork_mbs::joint::{COLUMNS, MAX_TURNS, read_bodies};
use linkwork_mbs::lanes::Lanes;
use linkwork_mbs::text::{BodyNames, Fields, tree::Table};

const STEP: f64 = 1e-5;
/// Bushings at large rotations have third derivatives of a hundred thousand.
const CLOSE: f64 = 5e-7;
const PARAMETER_SETS: usize = 8;
const STATES: usize = 4;

fn with<T>(case: &Case, force: &dyn Force, f: impl FnOnce(&ForcePoint<'_>) -> T) -> T {
    f(&ForcePoint {
        now: case.t.into(),
        a: &case.frames[0],
        b: &case.frames[1],
        inputs: &[],
        turns: &[0.0; MAX_TURNS][..force.turns()],
        states: &case.x[..force.states().len()],
        sides: &[],
        lanes: &Lanes::ALL,
    })
}

fn eval(case: &Case, force: &dyn Force, want: ForceWant) -> ForceTerms {
    let mut out = ForceTerms {
        q: [f64::NAN; COLUMNS],
        stiffness: [[f64::NAN; COLUMNS]; COLUMNS],
        damping: [[f64::NAN; COLUMNS]; COLUMNS],
        by_input: [[f64::NAN; COLUMNS]; MAX_INPUTS],
        states: StateTerms {
            f: [f64::NAN; MAX_STATES],
            f_q: [[f64::NAN; COLUMNS]; MAX_STATES],
            f_v: [[f64::NAN; COLUMNS]; MAX_STATES],
            f_x: [[f64::NAN; MAX_STATES]; MAX_STATES],
            f_u: [[f64::NAN; MAX_INPUTS]; MAX_STATES],
            by_state: [[f64::NAN; COLUMNS]; MAX_STATES],
        },
    };
    with(case, force, |at| force.eval(at, want, &mut out)).expect("in its domain");
    out
}

fn close(got: f64, want: f64, tolerance: f64, what: &str, force: &dyn Force) {
    assert!(
        (got - want).abs() <= tolerance * (1.0 + want.abs()),
        "{what} of {force:?}: {got} instead of {want}"
    );
}

/// The force between bodies in the x-y plane.
fn flattened(entry: &ForceEntry, force: &dyn Force) -> Option<Box<dyn Force>> {
    let bodies = ["a".to_string(), "b".to_string()];
    let fields: Vec<_> = (force.fields().into_iter())
        .filter(|(key, _)| *key != "z")
        .collect();
    in_plane(&fields, &bodies, |f| entry.read(f).ok())
}

fn for_all(mut check: impl FnMut(&dyn Force, &ForcePattern, &Case, &mut Numbers)) {
    let mut n = Numbers(5);
    for entry in FORCES {
        let mut checked = 0;
        for set in 0..2 * PARAMETER_SETS {
            let flat = set % 2 == 1;
            if flat && !entry.in_plane {
                continue;
            }
            let mut force = entry.example(&mut || n.next());
            let site = if flat { FLAT } else { SOLID };
            if flat {
                force = flattened(entry, &*force).expect("has a meaning in the plane");
            }
            force.place(&site, &site);
            force.check().expect("examples have sound parameters");
            let pattern = force.pattern(flat);
            for _ in 0..STATES {
                let case = Case::random(&mut n, flat);
                if let [Some(p), Some(q)] = force.markers() {
                    let [a, b] = &case.frames;
                    if norm(sub(b.pose.point(q), a.pose.point(p))) < 0.3 {
                        continue;
                    }
                }
                // close to the end of its domain a force bends too much for differences
                let mut out = ForceTerms::default();
                let inside = case.columns().all(|j| {
                    [0.6, -0.6].into_iter().all(|shift| {
                        let eval = |at: &ForcePoint<'_>| force.eval(at, ForceWant::Q, &mut out);
                        with(&case.shifted(j, shift), &*force, eval).is_ok()
                    })
                });
                if !inside {
                    continue;
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
        let at = eval(case, force, ForceWant::ALL);
        let stiffness = masked(&at.stiffness, &pattern.stiffness);
        let damping = masked(&at.damping, &pattern.damping);
        let q = |c: Case| eval(&c, force, ForceWant::Q).q;
        // differences over one and two steps, free of third derivatives together
        let slopes = |moved: &dyn Fn(f64) -> Case| -> [f64; COLUMNS] {
            let over = |h: f64| {
                let (hi, lo) = (q(moved(h)), q(moved(-h)));
                std::array::from_fn::<f64, COLUMNS, _>(|i| -(hi[i] - lo[i]) / (2.0 * h))
            };
            let (one, two) = (over(STEP), over(2.0 * STEP));
            std::array::from_fn(|i| (4.0 * one[i] - two[i]) / 3.0)
        };
        for j in case.columns() {
            let by_place = slopes(&|h| case.shifted(j, h));
            let by_speed = slopes(&|h| case.faster(j, h));
            for i in case.columns() {
                close(stiffness[i][j], by_place[i], CLOSE, "-dQ/dq", force);
                close(damping[i][j], by_speed[i], CLOSE, "-dQ/dv", force);
            }
        }
    });
}

/// Rates of states and loads, by positions, velocities and the states themselves.
#[test]
fn states_have_exact_derivatives() {
    let mut seen = 0;
    for_all(|force, pattern, case, _| {
        let count = force.states().len();
        if count == 0 {
            let lists = [&pattern.by_state, &pattern.f_q, &pattern.f_v];
            assert!(lists.iter().all(|list| list.is_empty()), "{force:?}");
            return;
        }
        seen += 1;
        let at = eval(case, force, ForceWant::ALL).states;
        let here = |c: Case| {
            let terms = eval(&c, force, ForceWant::Q | ForceWant::RATES);
            (terms.states.f, terms.q)
        };
        let slope = |hi: f64, lo: f64| (hi - lo) / (2.0 * STEP);
        let listed = |list: &[(u8, u8)], i: usize, j: usize, x: f64| {
            let there = list.contains(&(i as u8, j as u8));
            if there { x } else { 0.0 }
        };
        for j in case.columns() {
            let (hi, lo) = (
                here(case.shifted(j, STEP)).0,
                here(case.shifted(j, -STEP)).0,
            );
            let (fast, slow) = (here(case.faster(j, STEP)).0, here(case.faster(j, -STEP)).0);
            for k in 0..count {
                let got = listed(&pattern.f_q, k, j, at.f_q[k][j]);
                close(got, slope(hi[k], lo[k]), CLOSE, "df/dq", force);
                let got = listed(&pattern.f_v, k, j, at.f_v[k][j]);
                close(got, slope(fast[k], slow[k]), CLOSE, "df/dv", force);
            }
        }
        for k in 0..count {
            let with = |h: f64| {
                let mut c = *case;
                c.x[k] += h;
                here(c)
            };
            let (hi, lo) = (with(STEP), with(-STEP));
            for i in 0..count {
                close(at.f_x[i][k], slope(hi.0[i], lo.0[i]), CLOSE, "df/dx", force);
            }
            for i in case.columns() {
                let got = listed(&pattern.by_state, i, k, at.by_state[k][i]);
                close(got, slope(hi.1[i], lo.1[i]), CLOSE, "dQ/dx", force);
            }
        }
        // a single request gives the same
        let rates = eval(case, force, ForceWant::RATES).states.f;
        let all = eval(case, force, ForceWant::ALL).states;
        assert_eq!(rates[..count], all.f[..count]);
        let slopes = eval(case, force, ForceWant::SLOPES).states;
        assert_eq!((slopes.f_q, slopes.f_v), (all.f_q, all.f_v));
        assert_eq!((slopes.f_x, slopes.by_state), (all.f_x, all.by_state));
    });
    assert!(seen > 0);
}

/// With sides frozen as they are nothing changes; frozen otherwise the law goes on smoothly over the zero.
#[test]
fn sides_of_switching_functions_can_be_frozen() {
    let mut seen = 0;
    for_all(|force, _, case, _| {
        let count = force.switches().len();
        if count == 0 {
            return;
        }
        seen += 1;
        let mut values = [f64::NAN; 2];
        let values = &mut values[..count];
        with(case, force, |at| force.switch_values(at, values));
        let sides: Vec<bool> = values.iter().map(|x| *x > 0.0).collect();
        let frozen = |sides: &[bool]| {
            let mut out = ForceTerms::default();
            let at = |at: &ForcePoint<'_>| {
                let at = ForcePoint { sides, ..*at };
                force.eval(&at, ForceWant::ALL, &mut out).expect("domain");
            };
            with(case, force, at);
            (out.q, out.states.f, out.states.f_v)
        };
        let free = eval(case, force, ForceWant::ALL);
        // rates of states that it does not have are nobody's
        let states = ..force.states().len();
        let found = frozen(&sides);
        assert_eq!(found.0, free.q, "{force:?}");
        assert_eq!(found.1[states], free.states.f[states], "{force:?}");
        let other: Vec<bool> = sides.iter().map(|side| !side).collect();
        let found = frozen(&other);
        let differs = found.1[states] != free.states.f[states] || found.0 != free.q;
        assert!(differs, "{force:?}");
    });
    assert!(seen > 0);
}

#[test]
fn work_goes_into_potential_energy_or_is_counted_as_power() {
    for_all(|force, _, case, _| {
        let q = eval(case, force, ForceWant::Q).q;
        let v = case.v();
        let work: f64 = (0..COLUMNS).map(|j| q[j] * v[j]).sum();
        let f = eval(case, force, ForceWant::RATES).states.f;
        let after = |h: f64| {
            let mut c = case.after(h, &[0.0; COLUMNS]);
            c.t = case.t;
            for k in 0..force.states().len() {
                c.x[k] += h * f[k];
            }
            with(&c, force, |at| force.energy(at).potential)
        };
        let stored = (after(STEP) - after(-STEP)) / (2.0 * STEP);
        let power = with(case, force, |at| force.energy(at).power);
        close(work + stored, power, CLOSE, "power", force);
    });
}

#[test]
fn inner_forces_balance_and_outer_ones_leave_body_a_alone() {
    for_all(|force, _, case, _| {
        let q = eval(case, force, ForceWant::Q).q;
        if force.is_external() {
            assert_eq!(q[..6], [0.0; 6]);
            return;
        }
        let [a, b] = &case.frames;
        let total = add(moment(a, &q[..6]), moment(b, &q[6..]));
        for i in case.columns().filter(|j| *j < 6) {
            if i < 3 {
                close(q[i] + q[6 + i], 0.0, 1e-12, "force on both bodies", force);
            } else {
                // Forces of up to a hundred at arms of order one.
                close(total[i - 3], 0.0, 1e-11, "moment on both bodies", force);
            }
        }
    });
}

#[test]
fn moving_the_whole_mechanism_turns_the_forces_along() {
    for_all(|force, _, case, n| {
        let global = force.is_external() && !force.needs_orientation()[1];
        if global || force.stands_on_ground() {
            return; // global components, roads and rails refer to the global frame
        }
        let whole = case.whole(n);
        let moved = case.seen_from(&whole);
        let before = eval(case, force, ForceWant::Q).q;
        let after = eval(&moved, force, ForceWant::Q).q;
        for k in [0, 6] {
            let want = whole.direction([before[k], before[k + 1], before[k + 2]]);
            for i in case.columns().filter(|j| *j < 6) {
                let want = if i < 3 { want[i] } else { before[k + i] };
                close(after[k + i], want, 1e-11, "load moved", force);
            }
        }
        let p = with(case, force, |at| force.energy(at));
        let q = with(&moved, force, |at| force.energy(at));
        close(q.potential, p.potential, 1e-11, "potential", force);
        close(q.power, p.power, 1e-11, "power", force);
    });
}

#[test]
fn a_single_request_gives_the_same_as_all_together() {
    for_all(|force, pattern, case, _| {
        assert!(unique(&pattern.stiffness) && unique(&pattern.damping));
        assert!(unique(&pattern.by_input));
        let all = eval(case, force, ForceWant::ALL);
        assert_eq!(eval(case, force, ForceWant::Q).q, all.q);
        let k = eval(case, force, ForceWant::STIFFNESS).stiffness;
        let p = &pattern.stiffness;
        assert_eq!(masked(&k, p), masked(&all.stiffness, p));
        let d = eval(case, force, ForceWant::DAMPING).damping;
        let p = &pattern.damping;
        assert_eq!(masked(&d, p), masked(&all.damping, p));
    });
}

#[test]
fn outputs_are_filled_and_finite() {
    for_all(|force, _, case, _| {
        let mut out = vec![f64::NAN; force.channels().len()];
        with(case, force, |at| force.observe(at, &mut out));
        assert!(out.iter().all(|x| x.is_finite()), "{force:?}");
    });
}

/// Differences by the inputs, which may enter nonlinearly.
#[test]
fn inputs_take_the_place_of_their_formulas() {
    for_all(|force, pattern, case, n| {
        let count = force.inputs().len();
        assert!(count <= MAX_INPUTS);
        let of_known = |(_, k): &(u8, u8)| usize::from(*k) < count;
        assert!(pattern.by_input.iter().all(of_known), "{force:?}");
        let eval = |inputs: &[f64]| {
            let mut out = ForceTerms::default();
            with(case, force, |at| {
                let at = ForcePoint { inputs, ..*at };
                force.eval(&at, ForceWant::ALL, &mut out).expect("domain");
            });
            out
        };
        let mut inputs: Vec<f64> = (0..count).map(|_| n.next()).collect();
        if !force.states().is_empty() {
            // laws with states may need inputs greater than zero
            inputs.iter_mut().for_each(|u| *u += 2.0);
        }
        let here = eval(&inputs);
        for k in 0..count {
            let mut at = |h: f64| {
                inputs[k] += h;
                let terms = eval(&inputs);
                inputs[k] -= h;
                terms
            };
            let (hi, lo) = (at(STEP), at(-STEP));
            for i in case.columns() {
                let listed = pattern.by_input.contains(&(i as u8, k as u8));
                let d = if listed { here.by_input[k][i] } else { 0.0 };
                let want = (hi.q[i] - lo.q[i]) / (2.0 * STEP);
                close(d, want, CLOSE, "dQ/du", force);
            }
            for i in 0..force.states().len() {
                let want = (hi.states.f[i] - lo.states.f[i]) / (2.0 * STEP);
                close(here.states.f_u[i][k], want, CLOSE, "df/du", force);
            }
        }
        // without values the formulas speak for themselves
        let values: Vec<f64> = force.inputs().iter().map(|f| f.eval(case.t)).collect();
        assert_eq!(eval(&values).q, eval(&[]).q);
    });
}

#[test]
fn reading_back_what_was_written_gives_the_same_force() {
    let mut n = Numbers(3);
    let bodies = ["crank".to_string(), "rod".to_string()];
    for entry in FORCES {
        for _ in 0..PARAMETER_SETS {
            let mut force = entry.example(&mut || n.next());
            force.place(&SOLID, &SOLID);
            let mut text = String::from("name = \"f\"\n");
            text += if force.is_external() {
                "body_b = \"rod\"\n"
            } else {
                "body_a = \"crank\"\nbody_b = \"rod\"\n"
            };
            for (key, value) in force.fields() {
                assert!(
                    entry.keys().iter().any(|k| k.name == key),
                    "`{key}` of `{}` is not documented",
                    entry.kind
                );
                text += &format!("{key} = {value}\n");
            }
            let table = Table::parse(&text).expect(&text);
            let names = BodyNames::new(bodies.to_vec());
            let fields = Fields::item("force", &table, &names).expect(&text);
            let mut back = entry.read(&fields).expect(&text);
            let (_, b) = read_bodies(&fields).expect(&text);
            assert_eq!(b.index(), Some(1));
            fields.finish().expect(&text);
            back.place(&SOLID, &SOLID);
            assert_eq!(format!("{back:?}"), format!("{force:?}"));
        }
    }
}

#[test]
fn a_spring_of_zero_length_is_out_of_its_domain() {
    let spring = SpringDamper::between([0.0; 3], [0.0; 3], [1.0, 0.0], Some(1.0));
    let at = ForcePoint {
        now: 0.0.into(),
        a: &Frame::GROUND,
        b: &Frame::GROUND,
        inputs: &[],
        turns: &[],
        states: &[],
        sides: &[],
        lanes: &Lanes::ALL,
    };
    let e = spring.eval(&at, ForceWant::ALL, &mut ForceTerms::default());
    assert!(e.unwrap_err().0.contains("length is zero"));
}
