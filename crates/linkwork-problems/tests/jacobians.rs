//! Jacobian strategies: what they compute, what they save, what they must not miss.

use linkwork_dae::drive::Ending;
use linkwork_dae::formulation::Formulation;
use linkwork_dae::jacobian::JacobianStrategy;
use linkwork_dae::jacobian::by_differences::{ByDifferences, Columns};
use linkwork_dae::jacobian::differences::Differences;
use linkwork_dae::jacobian::groups::Groups;
use linkwork_dae::jacobian::renewal::Renewal;
use linkwork_dae::linear::Pattern;
use linkwork_dae::residual::{Blackbox, Residual};
use linkwork_dae::state::{State, Tolerances, Weights};
use linkwork_dae::system::{
    At, Blocks, Dims, Excitations, Guess, Part, Parts, Rows, System, Terms,
};
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_problems::PROBLEMS;
use linkwork_problems::car::Car;
use linkwork_problems::comparators::classical::classical;
use linkwork_problems::rod_chain::rod_chain_in_angles;
use linkwork_problems::study::{Outcome, Setup};
use linkwork_problems::train::{Declared, Train};

fn entries(p: &Pattern) -> Vec<(u32, u32)> {
    let column = |j: usize| p.span(j).map(move |k| (p.row[k], j as u32));
    (0..p.n).flat_map(column).collect()
}

fn ggl(sys: &dyn System) -> Pattern {
    Formulation::ggl().bind(sys, &Rows::all(sys.dims())).0
}

/// Entries, groups and the bound from below of the matrix of the stabilised form.
fn grouped(sys: &dyn System) -> (usize, usize, usize) {
    let pattern = ggl(sys);
    let groups = Groups::of_pattern(pattern.n, pattern.n, &entries(&pattern));
    (pattern.nnz(), groups.count(), groups.bound())
}

/// Arnold, Fuchs & Fuehrer (2006) print 98 equations, at most 1620 nonzeros and 46 groups. An
/// independent implementation with exact derivatives has 1306 nonzeros and 42 groups in the curve,
/// 544 and 18 at the start; differences cannot tell the smallest entries from rounding.
#[test]
fn the_carriage_has_the_published_groups() {
    let train = Train::new(Declared::Topology);
    assert_eq!(ggl(&train).n, 98);
    assert_eq!(grouped(&train), (1620, 46, 46));
    let (nonzeros, groups, _) = grouped(&Train::new(Declared::Nonzeros));
    assert_eq!(groups, 42);
    assert!((1280..1340).contains(&nonzeros), "{nonzeros}");
    let (nonzeros, groups, _) = grouped(&Train::new(Declared::AtStart));
    assert_eq!(groups, 18);
    assert!((530..570).contains(&nonzeros), "{nonzeros}");
}

/// States of a problem away from its start.
fn somewhere(sys: &dyn System) -> State {
    let guess = sys.facts().guess.clone();
    let mut s = State::new(sys.dims());
    let wave = |i: usize| (1.0 + 2.3 * i as f64).sin();
    s.t = 0.37;
    for (i, q) in s.q.iter_mut().enumerate() {
        *q = guess.q[i] + 1e-2 * wave(i);
    }
    for (i, v) in s.v.iter_mut().enumerate() {
        *v = guess.v[i] + 0.1 * wave(i + 7);
    }
    for values in [&mut s.a, &mut s.lambda, &mut s.x] {
        for (i, x) in values.iter_mut().enumerate() {
            *x = wave(i + 3);
        }
    }
    s
}

/// With a pattern that holds every dependence, groups give the very bits of single columns.
#[test]
fn groups_equal_columns_bit_for_bit() {
    let mut saved = 0;
    let mut systems: Vec<(String, Box<dyn System>)> = PROBLEMS
        .iter()
        .map(|p| (p.name.to_string(), (p.build)(&[]).unwrap()))
        .collect();
    let nonzeros = Train::new(Declared::Nonzeros);
    systems.push(("nonzeros of train".into(), Box::new(nonzeros)));
    for (name, mut sys) in systems {
        for needed in [Parts::ALL, Parts::from(Part::Rq) | Part::Rv] {
            let mut w = Weights::new(&*sys, &Tolerances::relative(1e-5));
            let s = somewhere(&*sys);
            w.start(&s);
            let mut d = Differences::new(&*sys, needed);
            d.groups_mut().use_all();
            d.groups_mut().colour();
            let none = Terms::default();
            let mut one = Blocks::new(sys.patterns());
            let mut other = one.clone();
            let (columns, _) = d
                .by_columns(&mut *sys, &s.at(), &w, &none, false, Some(&mut one))
                .unwrap();
            let groups = d
                .by_groups(&mut *sys, &s.at(), &w, &none, &mut other)
                .unwrap();
            assert!(groups <= columns, "{name}");
            saved += columns - groups;
            for part in Part::ALL {
                let bits = |b: &Blocks| b[part].iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert!(bits(&one) == bits(&other), "{name}: {part:?}");
            }
        }
    }
    assert!(saved > 40, "{saved}");
}

fn run(sys: &mut dyn System, setup: &Setup) -> Outcome {
    let out = setup.run(sys, &mut ()).unwrap();
    assert_eq!(out.ending, Ending::Finished, "{}", setup.jacobian);
    out
}

/// Largest difference of positions, in tolerances.
fn distance(a: &State, b: &State, tol: f64) -> f64 {
    let pairs = a.q.iter().zip(&b.q);
    pairs.fold(0.0, |m, (x, y)| {
        f64::max(m, (x - y).abs() / (tol * (1.0 + y.abs())))
    })
}

fn train(jacobian: &'static str, tol: f64) -> Setup {
    let mut setup = Setup::new("bdf", "ggl", 15.0, tol);
    setup.plan.tolerances.atol_v = Some(tol);
    setup.jacobian = jacobian;
    setup
}

/// Values of an independent implementation (index 1, adaptive Radau at 1e-10), in the digits given.
#[test]
fn the_carriage_moves_as_it_should() {
    for (t_end, i, value, bound) in [
        (6.0, 0, 1.5853, 1e-4),
        (4.0, 2, 5.121e-3, 2e-6),
        // four digits are given, and the run leaves an error of the same size
        (15.0, 15, -0.07440, 2e-5),
    ] {
        let mut setup = train("partitioned", 1e-7);
        setup.plan.t_end = t_end;
        let out = run(&mut Train::new(Declared::Topology), &setup);
        let q = out.state.q[i];
        assert!((q - value).abs() < bound, "t = {t_end}: {q}");
    }
}

/// Two independent implementations agree on these values; their roll and yaw are taken in another
/// order, which makes a difference of the second order.
#[test]
fn the_car_moves_as_it_should() {
    for (t_end, i, value, bound) in [
        (2.0, 1, -0.46344, 2e-5),
        (3.5, 3, 0.032338, 5e-5),
        (5.0, 5, -0.038663, 5e-5),
    ] {
        let mut setup = train("partitioned", 1e-7);
        setup.plan.t_end = t_end;
        let out = run(&mut Car::new(0.003), &setup);
        let q = out.state.q[i];
        assert!((q - value).abs() < bound, "t = {t_end}: {q}");
    }
}

/// The paper has 52 % of the time of dense differences; work is counted here because it does not
/// depend on the machine.
#[test]
fn groups_and_kept_blocks_take_a_third_of_the_work_of_the_carriage() {
    const TOLERANCE: f64 = 1e-4;
    let tight = run(
        &mut Train::new(Declared::Topology),
        &train("partitioned", 1e-8),
    );
    let work = |jacobian| {
        let out = run(
            &mut Train::new(Declared::Topology),
            &train(jacobian, TOLERANCE),
        );
        assert!(distance(&out.state, &tight.state, TOLERANCE) < 10.0);
        let s = out.stats;
        (s.residual_evaluations + s.residual_evaluations_for_jacobians) as f64
    };
    let classical = work("classical");
    let partitioned = work("partitioned");
    // 0.21 and 0.46 when this was written
    assert!(partitioned < 0.3 * classical, "{partitioned} {classical}");
    assert!(partitioned < 0.6 * work("dense"));
    assert!(work("grouped") < work("dense"));
}

/// On the straight track most derivatives vanish by symmetry. What is missing from a pattern
/// estimated there shows up in the curve.
#[test]
fn the_pattern_of_the_carriage_grows_in_the_curve() {
    use linkwork_dae::jacobian::JacobianStrategy;
    fn at_start() -> Box<dyn JacobianStrategy> {
        let columns = Columns::Estimated { states: 0 };
        Box::new(ByDifferences::new(columns, Renewal::Ladder, false))
    }
    let tol = 1e-4;
    let mut setup = train("dense", tol);
    let dense = run(&mut Train::new(Declared::Full), &setup);
    setup.own_jacobian = Some(at_start);
    let out = run(&mut Train::new(Declared::Full), &setup);
    assert!(out.stats.pattern_growth > 200, "{:?}", out.stats);
    assert!(out.stats.pattern_searches < 12, "{:?}", out.stats);
    assert!(distance(&out.state, &dense.state, tol) < 10.0);
}

/// Eight masses on springs of their own; after 2 s the first runs into the last through a stiff
/// stop. Nothing but a residual is given.
#[derive(Clone)]
struct LateStop;

impl Residual for LateStop {
    fn dims(&self) -> Dims {
        Dims {
            nq: 8,
            nv: 8,
            ..Dims::default()
        }
    }

    fn start(&self) -> Guess {
        let mut v = [0.3, -0.2, 0.1, 0.4, -0.3, 0.2, -0.1, 0.0];
        v[0] = 1.0;
        Guess::at(&[0.0; 8], &v)
    }

    fn residual(&self, at: &At<'_>, r: &mut [f64]) {
        for i in 0..8 {
            // the first mass flies freely until it meets the stop
            let k = if i == 0 { 0.0 } else { 1.0 + i as f64 };
            r[i] = at.a[i] + 0.1 * k * at.v[i] + k * at.q[i];
        }
        let into = (at.q[0] - at.q[7] - 2.0).max(0.0);
        let force = 1e6 * into * into;
        r[0] += force;
        r[7] -= force;
    }
}

/// The stop is in no pattern that can be estimated before it acts. It must be found, and then the
/// end is that of dense differences.
#[test]
fn a_coupling_that_appears_late_is_found() {
    // a second-order method under error control is good to tol^(2/3), a hundred tolerances here
    for (method, bound) in [("bdf", 10.0), ("gen-alpha", 300.0)] {
        let mut setup = Setup::new(method, "index3", 4.0, 1e-6);
        setup.jacobian = "dense";
        let dense = run(&mut Blackbox::new(LateStop), &setup);
        // it has bounced
        assert!(dense.state.v[0] < 0.5, "{:?}", dense.state.v);
        for jacobian in ["grouped", "partitioned", "extended", "auto"] {
            setup.jacobian = jacobian;
            let out = run(&mut Blackbox::new(LateStop), &setup);
            let name = format!("{method} {jacobian}");
            assert!(out.stats.pattern_growth >= 2, "{name}: {:?}", out.stats);
            assert!(out.stats.pattern_searches <= 16, "{name}: {:?}", out.stats);
            let apart = distance(&out.state, &dense.state, 1e-6);
            assert!(apart < bound, "{name}: {apart}");
        }
    }
}

/// A pendulum in Cartesian coordinates, by its residual and its constraint alone.
#[derive(Clone)]
struct Swing;

impl Residual for Swing {
    fn dims(&self) -> Dims {
        Dims {
            nq: 2,
            nv: 2,
            nc: 1,
            ..Dims::default()
        }
    }

    fn start(&self) -> Guess {
        Guess::at(&[1.0, 0.0], &[0.0, 0.0])
    }

    fn residual(&self, at: &At<'_>, r: &mut [f64]) {
        r[0] = at.a[0] + at.q[0] * at.lambda[0];
        r[1] = at.a[1] + at.q[1] * at.lambda[0] + 9.81;
    }

    fn constraint(&self, _: f64, q: &[f64], c: &mut [f64]) {
        c[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    }
}

/// Every strategy that needs no derivatives drives a system of residuals with a constraint. Energy
/// is kept to the error of the method: a hundred tolerances in two swings. Counts hold what finding
/// `M` and `C_q` takes: three residuals and two.
#[test]
fn every_difference_strategy_drives_a_constrained_residual() {
    use linkwork_dae::jacobian::JACOBIANS;
    let differenced = JACOBIANS.iter().filter(|e| !e.jacobian.is_exact());
    let names: Vec<&str> = differenced.map(|e| e.name).chain(["classical"]).collect();
    for formulation in ["ggl", "index3"] {
        for &name in &names {
            let mut setup = Setup::new("bdf", formulation, 3.0, 1e-6);
            setup.jacobian = name;
            let out = run(&mut Blackbox::new(Swing), &setup);
            let (q, v) = (&out.state.q, &out.state.v);
            let energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) + 9.81 * q[1];
            let name = format!("{formulation} {name}");
            assert!(energy.abs() < 1e-3, "{name}: {energy}");
            let s = out.stats;
            let made = s.jacobian_evaluations + s.jacobian_updates;
            let spent = s.residual_evaluations_for_jacobians;
            assert!(spent >= 3 * made && made > 0, "{name}: {s:?}");
            assert!(s.residual_evaluations_column_by_column > 0, "{name}");
        }
    }
}

/// The columns of the multipliers, differenced, are `C_q` to the rounding of their increments.
#[test]
fn differenced_multipliers_give_the_constraint_matrix() {
    let mut sys = Train::new(Declared::Topology);
    let s = somewhere(&sys);
    let mut w = Weights::new(&sys, &Tolerances::relative(1e-5));
    w.start(&s);
    for needed in [Parts::ALL, Parts::from(Part::Rq) | Part::Rv] {
        let mut blocks = Blocks::new(&sys.facts().patterns);
        let mut spent = |mut strategy: Box<dyn JacobianStrategy>| {
            strategy.bind(&sys, needed);
            let mut r = vec![0.0; s.v.len()];
            let mut want = Terms {
                r: Some(&mut r),
                ..Terms::default()
            };
            let effort = strategy.fill(&mut sys, &s.at(), &mut want, needed, &w, &mut blocks);
            effort.unwrap().evaluations
        };
        let single = ByDifferences::new(Columns::Single, Renewal::EveryStep, false);
        let without = spent(Box::new(single));
        // one for each multiplier
        assert_eq!(spent(classical()) - without, 8);
        let mut exact = Blocks::new(&sys.facts().patterns);
        let (_, c_q) = exact.mass_and_c_q();
        let mut want = Terms {
            c_q: Some(c_q),
            ..Terms::default()
        };
        sys.eval(&s.at(), &mut want).unwrap();
        // forces of 1e5 N and more over increments of 1.5e-8
        let size = blocks[Part::Rq].iter().fold(0.0f64, |m, x| m.max(x.abs()));
        for (x, y) in blocks[Part::Cq].iter().zip(&exact[Part::Cq]) {
            assert!((x - y).abs() < 1e-15 * size / 1.5e-8, "{x} {y}");
        }
    }
}

/// What a body-fixed force that varies in time does to the stiffness follows it: the update from the
/// reference is that of new differences, to the error of the slopes.
#[test]
fn forces_of_time_are_excitations_of_a_model() {
    let source = r#"
[model]
gravity = [0, -9.81]
[[body]]
name = "plate"
mass = 2.0
inertia = 0.3
position = [1.0, 0.0]
[[joint]]
kind = "revolute"
name = "pivot"
body_a = "ground"
body_b = "plate"
at = [0.0, 0.0]
[[force]]
kind = "force"
name = "thrust"
body_b = "plate"
point = [0.4, 0.1]
x = "3 + 20*sin(2*t)"
y = "5*cos(t)"
"#;
    let model = linkwork_mbs::text::read(source).map(|d| d.model);
    let model = model.unwrap_or_else(|e| panic!("{e:?}"));
    let mut sys = linkwork_mbs::assemble(&model).unwrap();
    assert_eq!(sys.facts().excitations.len(), 2);
    // what the thrust throws over the top is sensitive: 4 to 40 tolerances with exact blocks, too
    let exact = run(&mut sys, &Setup::new("bdf", "ggl", 5.0, 1e-10));
    let mut setup = Setup::new("bdf", "ggl", 5.0, 1e-6);
    setup.jacobian = "extended";
    let out = run(&mut sys, &setup);
    let far = distance(&out.state, &exact.state, 1e-6);
    assert!(far < 40.0, "{far}");
    assert!(out.stats.excitation_updates > 0, "{:?}", out.stats);
    let at = |t: f64| {
        let mut u = [0.0; 2];
        sys.excitation(t, &mut u);
        u
    };
    assert!((at(1.0)[0] - (3.0 + 20.0 * 2f64.sin())).abs() < 1e-12);
    // nothing is left off its value
    assert!((at(0.0)[1] - 5.0).abs() < 1e-15);
}

/// Factors of both forms of a chain serve with three iterations a step, and give the same motion.
#[test]
fn kept_factors_serve_whoever_makes_them() {
    let mut setup = Setup::new("bdf", "ggl", 0.3, 1e-6);
    let mut ends = Vec::new();
    for form in [Form::Stored, Form::Augmented] {
        for jacobian in ["auto", "exact-reuse", "exact"] {
            setup.jacobian = jacobian;
            let mut sys = rod_chain_in_angles(12, form).unwrap();
            let out = run(&mut sys, &setup);
            let s = &out.stats;
            let most = 3.5 * (s.steps + s.rejected) as f64;
            let spent = s.newton_iterations as f64;
            assert!(spent < most, "{form:?} {jacobian}: {s:?}");
            assert_eq!(s.newton_failures, 0, "{form:?} {jacobian}");
            ends.push(out.state);
        }
    }
    for end in &ends {
        let far = distance(end, &ends[2], 1e-6);
        assert!(far < 20.0, "{far}");
    }
}
