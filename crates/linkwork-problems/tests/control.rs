//! Controlled mechanisms against independent solutions: a continuous servo against Runge-Kutta,
//! sampled controllers against the closed form between the samples.

use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::system::After;
use linkwork_mbs::control::{Equation, Filter, Linear, SampledStateSpace};
use linkwork_mbs::force::AppliedForce;
use linkwork_mbs::geometry::Marker;
use linkwork_mbs::joint::Prismatic;
use linkwork_mbs::{Assembly, Body, BodyRef, Formula, Model, assemble, text};
use linkwork_problems::study::{Setup, runge_kutta};

const METHODS: [(&str, &str); 7] = [
    ("bdf", "ggl"),
    ("bdf", "index3"),
    ("bdf", "index1"),
    ("ndf", "ggl"),
    ("hht", "index3"),
    ("gen-alpha", "index3"),
    ("gen-alpha", "ggl"),
];

fn f(text: &str) -> Formula {
    Formula::parse_with_signals(text).unwrap()
}

fn model(name: &str) -> Model {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(path).unwrap();
    text::read(&source).unwrap().model
}

/// The servo lifts its arm through saturation. The reference (20000 steps of order 4, error below
/// 1e-10 by halving) knows nothing of implicit methods and of derivative blocks.
#[test]
fn the_servo_moves_as_runge_kutta_says() {
    let mut sys = assemble(&model("servo")).unwrap();
    let t_end = 1.0;
    let start = Setup::new("bdf", "ggl", t_end, 1e-6)
        .start(&mut sys)
        .unwrap();
    let fine = runge_kutta(&mut sys, &start, t_end, 20_000).unwrap();
    let coarse = runge_kutta(&mut sys, &start, t_end, 10_000).unwrap();
    let distance = |a: &[f64], b: &[f64]| {
        let d = a.iter().zip(b).map(|(a, b)| (a - b).abs());
        d.fold(0.0, f64::max)
    };
    assert!(distance(&fine.q, &coarse.q) < 1e-9);
    for (method, formulation) in METHODS {
        let tol = 1e-7;
        let out = Setup::new(method, formulation, t_end, tol)
            .run(&mut sys, &mut ())
            .unwrap();
        assert_eq!(out.ending, Ending::Finished);
        // a few hundred local errors add up; the loop is stable and forgets them
        let allowed = 300.0 * tol;
        assert!(
            distance(&out.state.q, &fine.q) < allowed,
            "{method} {formulation}: q off by {}",
            distance(&out.state.q, &fine.q)
        );
        let relative: Vec<f64> = out.state.x.iter().map(|x| x / 10.0).collect();
        let reference: Vec<f64> = fine.x.iter().map(|x| x / 10.0).collect();
        assert!(
            distance(&relative, &reference) < 10.0 * allowed,
            "{method} {formulation}: x off by {}",
            distance(&relative, &reference)
        );
    }
}

const PERIODS: [f64; 2] = [0.1, 0.03];
const GAINS: [[f64; 2]; 2] = [[6.0, 3.0], [20.0, 5.0]];
const MASS: f64 = 2.0;

/// A law with a memory: `y = -k (u_1, u_2) - z`, `z' = z/2 + u_1`.
fn law([kp, kd]: [f64; 2], inputs: [&str; 2], sample_time: f64) -> SampledStateSpace {
    SampledStateSpace {
        inputs: inputs.map(f).to_vec(),
        law: Linear {
            a: vec![vec![0.5]],
            b: vec![vec![1.0, 0.0]],
            c: vec![vec![-1.0]],
            d: vec![vec![-kp, -kd]],
        },
        start: vec![0.2],
        sample_time,
    }
}

/// A carriage on a rail along x and on it a slide along y, each under its own sampled controller:
/// four constraint equations, and between samples every force is constant.
fn table() -> Assembly {
    let mut m = Model::planar("table").length(1.0);
    let carriage = m.add_body(Body::planar("carriage", MASS, 0.3).at([1.0, 0.0]));
    let slide = m.add_body(
        Body::planar("slide", MASS, 0.3)
            .at([1.0, 0.5])
            .moving([0.0, 1.0]),
    );
    let ground = BodyRef::GROUND;
    m.add_joint(
        "rail",
        ground,
        carriage,
        Prismatic::at([1.0, 0.0], [1.0, 0.0]),
    );
    m.add_joint(
        "column",
        carriage,
        slide,
        Prismatic::at([1.0, 0.5], [0.0, 1.0]),
    );
    let signals = [
        ["carriage.x", "carriage.x.velocity"],
        ["slide.y", "slide.y.velocity"],
    ];
    m.add_control("push", law(GAINS[0], signals[0], PERIODS[0]));
    m.add_control("lift", law(GAINS[1], signals[1], PERIODS[1]));
    let force = |x: &str, y: &str| AppliedForce {
        point: Marker::ORIGIN,
        force: [f(x), f(y), Formula::constant(0.0)],
        body_fixed: false,
        flat: false,
    };
    m.add_force("hand", ground, carriage, force("push", "0"));
    m.add_force("hoist", ground, slide, force("0", "lift"));
    assemble(&m).unwrap()
}

/// Position and velocity at `t` and the forces of all intervals: `x += v T + F T^2/2m` between the
/// samples, exactly.
fn exact(axis: usize, t: f64) -> (f64, f64, Vec<f64>) {
    let (mut x, mut v) = [(1.0, 0.0), (0.5, 1.0)][axis];
    let mass = [2.0 * MASS, MASS][axis];
    let [kp, kd] = GAINS[axis];
    let period = PERIODS[axis];
    let mut z = 0.2;
    let mut forces = Vec::new();
    let mut k = 0;
    loop {
        let force = -kp * x - kd * v - z;
        forces.push(force);
        z = 0.5 * z + x;
        let left = t - f64::from(k) * period;
        let dt = left.min(period);
        x += v * dt + force * dt * dt / (2.0 * mass);
        v += force * dt / mass;
        k += 1;
        if left <= period * (1.0 + 1e-9) {
            return (x, v, forces);
        }
    }
}

/// Notes events and the held outputs around them.
#[derive(Default)]
struct Held {
    events: Vec<f64>,
    /// (t, push, lift) at every accepted step and after every event.
    seen: Vec<(f64, [f64; 2])>,
}

impl Held {
    fn note(&mut self, view: &mut View<'_>) {
        let channels = view.sys.channels().to_vec();
        let mut out = vec![0.0; channels.len()];
        let s = view.state().clone();
        view.sys.observe(&s, &mut out);
        let get = |name: &str| out[channels.iter().position(|c| c.name == name).unwrap()];
        self.seen.push((view.to, [get("push"), get("lift")]));
    }
}

impl Observer for Held {
    fn on_start(&mut self, view: &mut View<'_>) -> Result<(), ObserverError> {
        self.note(view);
        Ok(())
    }
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        self.note(view);
        Ok(Flow::Continue)
    }
    fn on_event(&mut self, view: &mut View<'_>, after: After) -> Result<(), ObserverError> {
        assert_eq!(after, After::Restart);
        self.events.push(view.to);
        self.note(view);
        Ok(())
    }
}

#[test]
fn sampled_forces_move_masses_as_the_closed_form_says() {
    let t_end = 1.0;
    for (method, formulation) in METHODS {
        for tol in [1e-4, 1e-7] {
            let mut sys = table();
            let mut held = Held::default();
            let setup = Setup::new(method, formulation, t_end, tol);
            let out = setup.run(&mut sys, &mut held).unwrap();
            assert_eq!(out.ending, Ending::Finished);
            assert_eq!(out.state.t, t_end);
            // 9 instants of 0.1 and 33 of 0.03, of which 0.3, 0.6 and 0.9 are the same
            assert_eq!((out.stats.events, out.stats.restarts), (39, 39));
            let (x, vx, push) = exact(0, t_end);
            let (y, vy, lift) = exact(1, t_end);
            let s = &out.state;
            let errors = [s.q[0] - x, s.v[0] - vx, s.q[4] - y, s.v[4] - vy];
            for e in errors {
                // forty restarts with a handful of steps each, every one within the tolerance
                assert!(
                    e.abs() < 30.0 * tol,
                    "{method} {formulation} {tol}: {errors:?}"
                );
            }
            // the clock is met exactly, and nothing changes between its ticks
            for (k, t) in (1..).zip(held.events.iter().filter(|t| on_clock(**t, 0.03))) {
                let own = f64::from(k) * 0.03;
                assert!(*t == own || on_clock(*t, 0.1), "{t} instead of {own}");
            }
            for pair in held.seen.windows(2) {
                let jump = pair[0].0 == pair[1].0;
                for (axis, forces) in [&push, &lift].into_iter().enumerate() {
                    let (t, now) = (pair[1].0, pair[1].1[axis]);
                    let ticked = jump && on_clock(t, PERIODS[axis]);
                    assert_eq!(
                        pair[0].1[axis] != now,
                        ticked,
                        "{method} axis {axis} at {t}"
                    );
                    if ticked {
                        let k = (t / PERIODS[axis]).round() as usize;
                        let want = forces[k];
                        assert!((now - want).abs() < 2000.0 * tol, "{now} {want}");
                    }
                }
            }
        }
    }
}

/// `x'' = u`, `u = -100 x` sampled and held for 1 ms: the delay makes amplitudes grow by exp(0.025 t). One error of one
/// sign per sample, within the tolerance or not, would hide it.
#[test]
fn unstable_sampled_loops_grow_as_they_should() {
    let text = r#"
        [[body]]
        name = "b"
        kind = "point"
        mass = 1
        position = [1, 0]
        exact = true
        [[control]]
        name = "c"
        kind = "sampled_pid"
        input = "b.x"
        sample_time = 0.001
        kp = 100
        [[force]]
        name = "f"
        kind = "force"
        body_b = "b"
        x = "c"
    "#;
    let (samples, period) = (10_000, 1e-3);
    let (mut x, mut v) = (1.0, 0.0);
    for _ in 0..samples {
        let u = -100.0 * x;
        x += period * (v + 0.5 * period * u);
        v += period * u;
    }
    let model = text::read(text).unwrap().model;
    for (method, formulation) in [("bdf", "ggl"), ("bdf", "index3"), ("ndf", "ggl")] {
        for rtol in [1e-3, 1e-5, 1e-6] {
            let setup = Setup::new(method, formulation, f64::from(samples) * period, rtol);
            let out = setup.run(&mut assemble(&model).unwrap(), &mut ()).unwrap();
            let [dx, dv] = [out.state.q[0] - x, out.state.v[0] - v];
            let error = dx.hypot(dv / 10.0) / x.hypot(v / 10.0);
            assert!(
                error < 3.0 * rtol,
                "{method} {formulation} {rtol}: {error:.1e}"
            );
        }
    }
}

fn on_clock(t: f64, period: f64) -> bool {
    let x = t / period;
    (x - x.round()).abs() < 1e-6
}

/// The same run twice, bit for bit: also from a system that a run has left its memory in.
#[test]
fn runs_repeat_themselves() {
    for (method, formulation) in METHODS {
        let setup = Setup::new(method, formulation, 0.5, 1e-6);
        let mut used = table();
        let first = setup.run(&mut used, &mut ()).unwrap();
        let again = setup.run(&mut used, &mut ()).unwrap();
        let fresh = setup.run(&mut table(), &mut ()).unwrap();
        assert_eq!(first.state, again.state, "{method} {formulation}");
        assert_eq!(first.state, fresh.state, "{method} {formulation}");
        assert_eq!(first.stats, again.stats);
    }
}

/// A held input into a lag: `x' = (u_k - x)/T` has the closed form of a staircase through a filter.
#[test]
fn a_staircase_passes_a_lag_exactly() {
    let (period, time) = (0.05, 0.08);
    let mut m = Model::planar("staircase").length(1.0);
    m.add_body(Body::bead("p", 1.0).moving([1.0, 0.0]));
    m.add_control(
        "stairs",
        SampledStateSpace {
            inputs: vec![f("sin(5*t)")],
            law: Linear {
                c: vec![vec![]],
                d: vec![vec![1.0]],
                ..Linear::default()
            },
            start: vec![],
            sample_time: period,
        },
    );
    m.add_control(
        "lag",
        Filter {
            input: f("stairs"),
            time,
            gain: 1.0,
            start: Some(0.0),
        },
    );
    let mut x = 0.0;
    for k in 0..20 {
        let u = (5.0 * f64::from(k) * period).sin();
        x = u + (x - u) * (-period / time).exp();
    }
    for (method, formulation) in METHODS {
        let tol = 1e-6;
        let out = Setup::new(method, formulation, 1.0, tol)
            .run(&mut assemble(&m).unwrap(), &mut ())
            .unwrap();
        let e = out.state.x[0] - x;
        // local errors of one sign may add up over the memory of the lag
        let allowed = 0.5 * out.stats.steps as f64 * tol;
        assert!(e.abs() < allowed, "{method} {formulation}: {e}");
    }
}

/// Looks at two channels right after every jump.
struct AfterJump {
    channels: [&'static str; 2],
    seen: Vec<[f64; 2]>,
}

impl Observer for AfterJump {
    fn on_step(&mut self, _: &mut View<'_>) -> Result<Flow, ObserverError> {
        Ok(Flow::Continue)
    }
    fn on_event(&mut self, view: &mut View<'_>, _: After) -> Result<(), ObserverError> {
        let names: Vec<String> = (view.sys.channels().iter())
            .map(|c| c.name.clone())
            .collect();
        let mut out = vec![0.0; names.len()];
        let s = view.state().clone();
        view.sys.observe(&s, &mut out);
        let get = |name: &str| out[names.iter().position(|n| n == name).unwrap()];
        self.seen.push(self.channels.map(get));
        Ok(())
    }
}

/// An algebraic state jumps with the held value that it depends on: its equation holds on the other
/// side of the event already, to the 1e-12 that Newton's method asks for.
#[test]
fn algebraic_states_jump_along() {
    let mut m = Model::planar("soft").length(1.0);
    let p = m.add_body(Body::bead("p", 1.0).at([1.0, 0.0]));
    m.add_control("hold", law([9.0, 2.0], ["p.x", "p.x.velocity"], 0.05));
    m.add_control(
        "soft",
        Equation {
            residual: f("soft + soft^3/50 - hold"),
            start: 0.0,
        },
    );
    let hand = AppliedForce {
        point: Marker::ORIGIN,
        force: [f("soft"), f("0"), Formula::constant(0.0)],
        body_fixed: false,
        flat: false,
    };
    m.add_force("hand", BodyRef::GROUND, p, hand);
    for (method, formulation) in METHODS {
        let mut look = AfterJump {
            channels: ["hold", "soft"],
            seen: Vec::new(),
        };
        let out = Setup::new(method, formulation, 0.5, 1e-4)
            .run(&mut assemble(&m).unwrap(), &mut look)
            .unwrap();
        assert_eq!((out.ending, look.seen.len()), (Ending::Finished, 9));
        for [hold, soft] in look.seen {
            let residual = soft + soft.powi(3) / 50.0 - hold;
            assert!(residual.abs() < 1e-11, "{method} {formulation}: {residual}");
        }
        assert!(out.state.a[0] != 0.0);
    }
}
