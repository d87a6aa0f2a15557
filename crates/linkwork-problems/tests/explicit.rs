//! Explicit methods: observed orders, constraints, work on the squeezing mechanism, stiffness.

mod climb;

use climb::Climb;
use linkwork_dae::control::StepController;
use linkwork_dae::control::fixed::Fixed;
use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, Plan, View};
use linkwork_dae::initial::Start;
use linkwork_dae::recipe::{Recipe, Unfit};
use linkwork_dae::state::{State, Tolerances};
use linkwork_dae::stepper::{Needs, STEPPERS};
use linkwork_dae::system::{At, Row, System, Terms};
use linkwork_problems::andrews::Andrews;
use linkwork_problems::rheonomic::Rheonomic;
use linkwork_problems::servo::Servo;
use linkwork_problems::sleigh::{self, Sleigh};
use linkwork_problems::small::{Equations, Small};
use linkwork_problems::study::{Outcome, Setup, runge_kutta};

const T_END: f64 = 1.5;

/// Every explicit method with every formulation it runs with.
fn combinations() -> Vec<(&'static str, &'static str)> {
    STEPPERS
        .iter()
        .filter(|s| matches!(s.needs, Needs::Ode(_)))
        .flat_map(|s| s.formulations.iter().map(|f| (s.name, *f)))
        .collect()
}

/// Methods whose error needs more room.
fn second_order(method: &str) -> bool {
    ["rkc2", "w"].contains(&method)
}

/// A driven pendulum that pulls a first-order state and a second coordinate along; no constraints.
#[derive(Clone, Debug)]
struct Free;

impl Equations for Free {
    const N: usize = 2;
    const X: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("angle", "rad"), ("follower", "m")]
    }

    fn state_names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("filter", "rad")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![1.0, 0.0], vec![0.0, 0.5], vec![0.2])
    }

    fn mass(&self, q: &[f64], _: f64, m: &mut [f64]) {
        m.copy_from_slice(&[2.0, 0.3 * q[0].cos(), 0.3 * q[0].cos(), 1.0]);
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        f[0] = -9.0 * at.q[0].sin() - 0.2 * at.v[0] + 3.0 * at.t.cos() - at.x[0];
        f[1] = 4.0 * (at.q[0] - at.q[1]) - 0.1 * at.v[1].powi(3);
    }

    fn mass_q(&self, q: &[f64], a: &[f64], _: f64, out: &mut [f64]) {
        out[0] -= 0.3 * q[0].sin() * a[1];
        out[2] -= 0.3 * q[0].sin() * a[0];
    }

    fn force_q(&self, at: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], f_x: &mut [f64]) {
        f_q.copy_from_slice(&[-9.0 * at.q[0].cos(), 0.0, 4.0, -4.0]);
        f_v.copy_from_slice(&[-0.2, 0.0, 0.0, -0.3 * at.v[1] * at.v[1]]);
        f_x.copy_from_slice(&[-1.0, 0.0]);
    }

    fn f(&self, at: &At<'_>, f: &mut [f64]) {
        f[0] = 2.0 * (at.q[0] - at.x[0]) + at.v[1];
    }

    fn f_q(&self, _: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], f_x: &mut [f64]) {
        (f_q[0], f_v[1], f_x[0]) = (2.0, 1.0, -2.0);
    }
}

fn distance(a: &State, b: &State) -> f64 {
    let gap = |a: &[f64], b: &[f64]| {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    gap(&a.q, &b.q).max(gap(&a.v, &b.v)).max(gap(&a.x, &b.x))
}

/// A problem with its start and an independent solution at `T_END`.
struct Case {
    sys: Box<dyn System>,
    start: Start,
    exact: State,
}

impl Case {
    fn new(mut sys: Box<dyn System>) -> Case {
        let start = Setup::new("bdf", "ggl", T_END, 1e-6)
            .start(&mut *sys)
            .unwrap();
        let exact = runge_kutta(&mut *sys, &start, T_END, 20_000).unwrap();
        Case { sys, start, exact }
    }

    fn error(&mut self, setup: &Setup, controller: Box<dyn StepController>) -> (f64, Outcome) {
        let out = setup
            .run_from(&mut *self.sys, &self.start, controller, &mut ())
            .unwrap();
        assert_eq!(out.ending, Ending::Finished);
        (distance(&out.state, &self.exact), out)
    }

    /// Observed order at fixed steps when `n` steps become `2 n`.
    fn order(&mut self, method: &'static str, formulation: &'static str, n: usize) -> f64 {
        let setup = Setup::new(method, formulation, T_END, 1e-6);
        let mut error = |n: usize| {
            let h = T_END / n as f64;
            self.error(&setup, Box::new(Fixed::new(h, 8))).0
        };
        let (coarse, fine) = (error(n), error(2 * n));
        let p = (coarse / fine).log2();
        println!("{method} {formulation} n = {n}: {coarse:.2e} {fine:.2e} order {p:.2}");
        p
    }
}

/// Steps where the error is asymptotic and still far above the rounding of the reference, 1e-13.
#[test]
fn one_step_methods_have_their_orders_with_and_without_constraints() {
    // name, formulation, order, steps without and with constraints
    let cases = [
        ("dopri5", "projected", 5.0, 40, 40),
        ("dop853", "projected", 8.0, 12, 12),
        ("rock4", "projected", 4.0, 60, 60),
        ("rock4", "penalty", 4.0, 60, 480),
        ("rkc2", "projected", 2.0, 200, 200),
        ("rkc2", "penalty", 2.0, 200, 800),
        ("dopri5", "state-space", 5.0, 40, 100),
        ("dop853", "state-space", 8.0, 12, 12),
        ("rosenbrock", "state-space", 4.0, 80, 80),
        ("w", "state-space", 2.0, 400, 400),
    ];
    let mut free = Case::new(Box::new(Small::new(Free)));
    let mut held = Case::new(Box::new(Small::new(Rheonomic)));
    for (method, formulation, order, n_free, n_held) in cases {
        for (case, n) in [(&mut free, n_free), (&mut held, n_held)] {
            let p = case.order(method, formulation, n);
            assert!(
                (p - order).abs() < 0.6,
                "{method} {formulation}: {p:.2} for {order}"
            );
        }
    }
}

/// Predictor of order k, corrector of order k+1.
#[test]
fn adams_has_one_order_more_than_its_predictor() {
    let mut free = Case::new(Box::new(Small::new(Free)));
    let mut held = Case::new(Box::new(Small::new(Rheonomic)));
    let setup = Setup::new("adams", "projected", T_END, 1e-6);
    for k in [1, 2, 3, 4, 5, 6, 8] {
        let n = [0, 400, 200, 200, 150, 100, 100, 0, 60][k];
        for case in [&mut free, &mut held] {
            let mut error = |n| {
                let climb = Climb::new(T_END, k, 100, n, &[1.0]);
                let h = climb.h;
                (case.error(&setup, Box::new(climb)).0, h)
            };
            let ((coarse, h), (fine, h_fine)) = (error(n), error(2 * n));
            let p = (coarse / fine).ln() / (h / h_fine).ln();
            println!("adams k = {k}: {coarse:.2e} {fine:.2e} order {p:.2}");
            // high orders fall to the rounding of the reference before they are asymptotic
            let most = if k > 6 { 12.0 } else { k as f64 + 1.5 };
            assert!((k as f64 + 0.5..most).contains(&p), "k = {k}: {p:.2}");
        }
    }
}

/// Largest constraint errors of accepted states.
#[derive(Default)]
struct Open {
    position: f64,
    velocity: f64,
}

impl Observer for Open {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        let s = view.state().clone();
        let dims = view.sys.dims();
        let (mut c, mut cv) = (vec![0.0; dims.nc], vec![0.0; dims.rows()]);
        let mut want = Terms {
            c: Some(&mut c),
            cv: Some(&mut cv),
            ..Terms::default()
        };
        view.sys.eval(&s.at(), &mut want)?;
        self.position = c.iter().fold(self.position, |m, x| m.max(x.abs()));
        self.velocity = cv.iter().fold(self.velocity, |m, x| m.max(x.abs()));
        Ok(Flow::Continue)
    }
}

/// Projection closes to its tolerance of 1e-12 relative; a penalty to the error of a step over
/// `h chi`, so to a few tolerances. Speeds are about 4.
#[test]
fn constraints_stay_closed() {
    let tol = 1e-6;
    for (method, formulation) in combinations() {
        let mut open = Open::default();
        let setup = Setup::new(method, formulation, T_END, tol);
        let out = setup.run(&mut Small::new(Rheonomic), &mut open).unwrap();
        assert_eq!(out.ending, Ending::Finished);
        println!(
            "{method} {formulation}: {:.1e} {:.1e}",
            open.position, open.velocity
        );
        let (position, velocity) = match formulation {
            "projected" => (1e-11, 1e-12),
            "state-space" => (1e-13, 1e-13),
            _ => (20.0 * tol, 100.0 * tol),
        };
        assert!(
            open.position < position,
            "{method} {formulation}: {:.1e}",
            open.position
        );
        assert!(
            open.velocity < velocity,
            "{method} {formulation}: {:.1e}",
            open.velocity
        );
    }
}

/// Positions and velocities at fifty equal times.
#[derive(Default)]
struct Sampler(Vec<State>);

impl Observer for Sampler {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        while self.0.len() < 50 {
            let t = T_END * (self.0.len() + 1) as f64 / 50.0;
            if t > view.to {
                break;
            }
            self.0.push(view.motion(t).clone());
        }
        Ok(Flow::Continue)
    }
}

/// Between the steps the error is of the size it has at them, a few hundred tolerances at most.
#[test]
fn dense_output_is_as_good_as_the_steps() {
    let samples = |method, formulation, tol| {
        let mut sampler = Sampler::default();
        let setup = Setup::new(method, formulation, T_END, tol);
        let out = setup.run(&mut Small::new(Rheonomic), &mut sampler).unwrap();
        assert_eq!(out.ending, Ending::Finished);
        sampler.0
    };
    let exact = samples("bdf", "ggl", 1e-13);
    for (method, formulation) in combinations() {
        let tol = if second_order(method) { 1e-5 } else { 1e-8 };
        let worst = samples(method, formulation, tol)
            .iter()
            .zip(&exact)
            .map(|(a, b)| distance(a, b))
            .fold(0.0, f64::max);
        println!("{method} {formulation}: {worst:.1e} between steps");
        assert!(worst < 300.0 * tol, "{method} {formulation}: {worst:.1e}");
    }
}

fn squeezer_error(out: &Outcome) -> f64 {
    assert_eq!(out.ending, Ending::Finished);
    include_str!("../reference/andrews.csv")
        .lines()
        .skip(1)
        .take(7)
        .map(|l| l.split(',').nth(1).unwrap().parse::<f64>().unwrap())
        .zip(&out.state.q)
        .map(|(exact, q)| ((q - exact) / exact).abs())
        .fold(0.0, f64::max)
}

/// Six decades of tolerance (four at order 2) bring at least 0.6 digits per decade; end errors
/// change sign along the way, so only the ends are compared. The mechanism is not stiff, and no
/// method says so.
#[test]
fn squeezer_error_falls_with_the_tolerance() {
    for (method, formulation) in combinations() {
        let (loose, tight) = if second_order(method) {
            (3, 7)
        } else {
            (4, 10)
        };
        let run = |k: i32| {
            let setup = Setup::new(method, formulation, 0.03, 10f64.powi(-k));
            let out = setup.run(&mut Andrews::default(), &mut ()).unwrap();
            assert_eq!(
                out.notes,
                Vec::<String>::new(),
                "{method} {formulation} 1e-{k}"
            );
            -squeezer_error(&out).log10()
        };
        let (few, many) = (run(loose), run(tight));
        let per_decade = (many - few) / f64::from(tight - loose);
        println!("{method} {formulation}: {few:.2} to {many:.2} digits");
        assert!(
            per_decade > 0.6,
            "{method} {formulation}: {per_decade:.2} per decade"
        );
        assert!(
            many > if second_order(method) { 4.0 } else { 8.0 },
            "{method}: {many:.2}"
        );
    }
}

/// Steps and right-hand sides stay where they were measured.
#[test]
fn work_on_the_squeezer_stays_in_its_band() {
    // method, tolerance, right-hand sides, least digits
    for (method, tol, evaluations, digits) in [
        ("dopri5", 1e-7, 840, 6.5),
        ("dop853", 1e-9, 1464, 8.5),
        ("adams", 1e-7, 470, 5.2),
        ("rock4", 1e-6, 865, 4.5),
    ] {
        let setup = Setup::new(method, "projected", 0.03, tol);
        let out = setup.run(&mut Andrews::default(), &mut ()).unwrap();
        let ratio = out.stats.right_hand_sides as f64 / f64::from(evaluations);
        assert!((0.9..1.1).contains(&ratio), "{method}: {:?}", out.stats);
        let reached = -squeezer_error(&out).log10();
        assert!(reached > digits, "{method}: {reached:.2} digits");
    }
}

/// The most a fixed step costs: stages, or predictor and corrector.
#[test]
fn fixed_steps_have_a_bounded_cost() {
    let mut case = Case::new(Box::new(Small::new(Rheonomic)));
    for (method, most) in [("dopri5", 6), ("dop853", 15), ("adams", 2)] {
        let setup = Setup::new(method, "projected", T_END, 1e-6);
        let h = T_END / 100.0;
        let (_, out) = case.error(&setup, Box::new(Fixed::new(h, 4)));
        assert_eq!(out.stats.steps, 100, "{method}");
        assert_eq!(out.stats.most_right_hand_sides, most, "{method}");
    }
}

/// Non-holonomic rows are projected with the velocities. Closed form of speed, turn and heading.
#[test]
fn sleigh_follows_its_closed_form() {
    let tol = 1e-8;
    let (speed, turn, heading) = sleigh::exact(2.0);
    for (method, formulation) in combinations() {
        let mut open = Open::default();
        let tol = if second_order(method) { 1e-6 } else { tol };
        let setup = Setup::new(method, formulation, 2.0, tol);
        if formulation == "state-space" {
            // refused, see `state_space.rs`
            continue;
        }
        let out = setup.run(&mut Small::new(Sleigh), &mut open).unwrap();
        assert_eq!(out.ending, Ending::Finished);
        let s = &out.state;
        let (sin, cos) = s.q[2].sin_cos();
        let error = (s.v[0] * cos + s.v[1] * sin - speed)
            .abs()
            .max((s.v[2] - turn).abs())
            .max((s.q[2] - heading).abs());
        println!(
            "{method} {formulation}: {error:.1e}, rolling {:.1e}",
            open.velocity
        );
        assert!(error < 50.0 * tol, "{method} {formulation}: {error:.1e}");
        let slip = if formulation == "projected" {
            1e-13
        } else {
            20.0 * tol
        };
        assert!(
            open.velocity < slip,
            "{method} {formulation}: {:.1e}",
            open.velocity
        );
    }
}

/// The servo with its command eliminated: no saturation, so nothing algebraic is left.
#[derive(Clone, Debug)]
struct LinearServo;

impl Equations for LinearServo {
    const N: usize = 2;
    const C: usize = 1;
    const X: usize = 2;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        Servo.names()
    }

    fn state_names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("integral", "m s"), ("motor", "N")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![0.0, -1.0], vec![0.0, 0.0], vec![0.0; 2])
    }

    fn mass(&self, q: &[f64], t: f64, m: &mut [f64]) {
        Servo.mass(q, t, m);
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        Servo.force(at, f);
    }

    fn constraint(&self, q: &[f64], t: f64, c: &mut [f64]) {
        Servo.constraint(q, t, c);
    }

    fn c_q(&self, q: &[f64], t: f64, c_q: &mut [f64]) {
        Servo.c_q(q, t, c_q);
    }

    fn gamma(&self, q: &[f64], v: &[f64], t: f64, gamma: &mut [f64]) {
        Servo.gamma(q, v, t, gamma);
    }

    fn f(&self, at: &At<'_>, f: &mut [f64]) {
        let e = 0.5 * at.t.sin() - at.q[0];
        let rate = 0.5 * at.t.cos() - at.v[0];
        f[0] = e;
        f[1] = (20.0 * e + 4.0 * rate + 10.0 * at.x[0] - at.x[1]) / 0.05;
    }

    fn f_q(&self, _: &At<'_>, f_q: &mut [f64], f_v: &mut [f64], f_x: &mut [f64]) {
        (f_q[0], f_q[2], f_v[2]) = (-1.0, -400.0, -80.0);
        (f_x[2], f_x[3]) = (200.0, -20.0);
    }

    fn force_q(&self, at: &At<'_>, f_q: &mut [f64], _: &mut [f64], f_x: &mut [f64]) {
        (f_q[1], f_q[2]) = (-at.x[1], at.x[1]);
        (f_x[1], f_x[3]) = (-at.q[1], at.q[0]);
    }

    fn cv_q(&self, q: &[f64], v: &[f64], t: f64, out: &mut [f64]) {
        Servo.cv_q(q, v, t, out);
    }

    fn lambda_q(&self, q: &[f64], lambda: &[f64], t: f64, out: &mut [f64]) {
        Servo.lambda_q(q, lambda, t, out);
    }
}

#[test]
fn controllers_run_as_first_order_states() {
    let mut case = Case::new(Box::new(Small::new(LinearServo)));
    for (method, formulation) in combinations() {
        let tol = if second_order(method) { 1e-6 } else { 1e-8 };
        let setup = Setup::new(method, formulation, T_END, tol);
        let controller = setup.controller().unwrap();
        let (error, _) = case.error(&setup, controller);
        println!("{method} {formulation}: {error:.1e}");
        // the motor force is of size 10
        assert!(error < 200.0 * tol, "{method} {formulation}: {error:.1e}");
    }
}

#[test]
fn algebraic_states_and_foreign_formulations_are_refused() {
    let sys = Small::new(Servo);
    let build = |method, name| {
        let plan = Plan::new(1.0, Tolerances::relative(1e-4));
        let recipe = Recipe::named(method, name, plan).unwrap();
        recipe.stepper(&sys).err()
    };
    for (method, formulation) in combinations() {
        let why = build(method, formulation).expect("the servo has an algebraic state");
        assert!(
            matches!(
                why,
                Unfit::Algebraic {
                    row: Row::State(2),
                    ..
                }
            ),
            "{why}"
        );
        assert!(why.to_string().contains("command"), "{why}");
        assert!(why.help().contains("bdf with ggl") && !why.help().contains("dopri5"));
        assert!(matches!(
            build(method, "ggl"),
            Some(Unfit::Formulation { .. })
        ));
    }
    let why = build("bdf", "projected").unwrap();
    let help = why.help();
    assert!(help.starts_with("`bdf` runs with ggl"), "{help}");
    assert!(help.contains("`projected` is for dopri5"), "{help}");
    assert!(build("bdf", "ggl").is_none());
}

/// `q'' = -stiffness (q - sin t) - damping (v - cos t)`: a slow motion beside a fast one at rest.
#[derive(Clone, Debug)]
struct Oscillator {
    stiffness: f64,
    damping: f64,
}

impl Equations for Oscillator {
    const N: usize = 1;

    fn names(&self) -> Vec<(&'static str, &'static str)> {
        vec![("q", "m")]
    }

    fn start(&self) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        (vec![0.0], vec![1.0], Vec::new())
    }

    fn mass(&self, _: &[f64], _: f64, m: &mut [f64]) {
        m[0] = 1.0;
    }

    fn force(&self, at: &At<'_>, f: &mut [f64]) {
        let (s, c) = at.t.sin_cos();
        f[0] = -self.stiffness * (at.q[0] - s) - self.damping * (at.v[0] - c) - s;
    }
}

/// Overdamped (fastest rate 1e4) and vibrating (damping ratio 0.01): both take hundreds of steps
/// for a motion that needs ten. The Chebyshev method takes the first in its stride; order 4 loses to
/// its stages, which are of low order, what it gains in stability.
#[test]
fn stiff_systems_are_recognised() {
    let overdamped = Oscillator {
        stiffness: 1e6,
        damping: 1e4,
    };
    let vibrating = Oscillator {
        stiffness: 1e6,
        damping: 20.0,
    };
    for (problem, what) in [(&overdamped, "overdamped"), (&vibrating, "vibrating")] {
        for method in ["dopri5", "dop853", "adams"] {
            let setup = Setup::new(method, "projected", 1.0, 1e-4);
            let out = setup
                .run(&mut Small::new(problem.clone()), &mut ())
                .unwrap();
            assert_eq!(out.ending, Ending::Finished);
            println!(
                "{method} {what}: {} steps, {:?}",
                out.stats.steps, out.notes
            );
            assert_eq!(
                out.notes.len(),
                1,
                "{method} {what}: {} steps",
                out.stats.steps
            );
            assert!(
                out.notes[0]
                    .starts_with("this system is stiff; use an implicit method, such as bdf")
            );
        }
    }
    // measured: 1248 and 101, for 3000 of dopri5
    for (method, most) in [("rock4", 1500), ("rkc2", 150)] {
        let setup = Setup::new(method, "projected", 1.0, 1e-4);
        let out = setup
            .run(&mut Small::new(overdamped.clone()), &mut ())
            .unwrap();
        println!("{method}: {:?} {:?}", out.stats, out.notes);
        assert!(
            out.notes.is_empty() && out.stats.steps < most,
            "{method}: {:?}",
            out.stats
        );
    }
}
