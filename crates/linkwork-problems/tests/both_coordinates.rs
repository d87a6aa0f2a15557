//! Problems that can be told in absolute and in joint coordinates: all tellings move alike and have the
//! same degrees of freedom.
//!
//! Tellings of a problem share no equations (a body with three coordinates and hinges, an angle, a
//! point with a rod), so an agreement of trajectories is an agreement of mechanics. They are compared at
//! eleven instants, to ten times the tolerance of the runs.

mod text_model;

use linkwork_dae::drive::{Ending, Flow, Observer, ObserverError, View};
use linkwork_dae::initial::start;
use linkwork_dae::state::State;
use linkwork_dae::system::System;
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_mbs::tree::{Explicit, JointCoordinates};
use linkwork_mbs::{Model, assemble, text};
use linkwork_problems::PROBLEMS;
use linkwork_problems::andrews::Andrews;
use linkwork_problems::car::Car;
use linkwork_problems::chain::Chain;
use linkwork_problems::double_pendulum::double_pendulum;
use linkwork_problems::heavy_top::TOP;
use linkwork_problems::nfourbar::n_four_bar;
use linkwork_problems::pendulum::Pendulum;
use linkwork_problems::rigid_body::RigidBody;
use linkwork_problems::rod_chain::{rod_chain, rod_chain_in_angles};
use linkwork_problems::small::Small;
use linkwork_problems::squeezer_points::SqueezerPoints;
use linkwork_problems::study::Setup;

/// Numbers that every telling of a problem knows.
type Read = Box<dyn Fn(&mut dyn System, &State) -> Vec<f64>>;

/// A problem in some coordinates.
struct Telling {
    words: &'static str,
    system: Box<dyn System>,
    read: Read,
    /// Coordinates and constraints, counted by hand.
    count: (usize, usize),
}

fn telling(
    words: &'static str,
    system: impl System + 'static,
    count: (usize, usize),
    read: impl Fn(&mut dyn System, &State) -> Vec<f64> + 'static,
) -> Telling {
    Telling {
        words,
        system: Box::new(system),
        read: Box::new(read),
        count,
    }
}

/// Channels by name.
fn channels(names: &[&str]) -> impl Fn(&mut dyn System, &State) -> Vec<f64> + 'static {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    move |sys, s| {
        let of = |name: &String| text_model::channel(sys, s, name);
        names.iter().map(of).collect()
    }
}

/// Entries of `q`.
fn entries(places: Vec<usize>) -> impl Fn(&mut dyn System, &State) -> Vec<f64> + 'static {
    move |_, s| places.iter().map(|&i| s.q[i]).collect()
}

/// Angles from the angles between neighbours.
fn summed(_: &mut dyn System, s: &State) -> Vec<f64> {
    let mut sum = 0.0;
    let add = |q: &f64| {
        sum += q;
        sum
    };
    s.q.iter().map(add).collect()
}

struct Sampled<'a> {
    read: &'a Read,
    times: &'a [f64],
    rows: Vec<Vec<f64>>,
}

impl Observer for Sampled<'_> {
    fn on_step(&mut self, view: &mut View<'_>) -> Result<Flow, ObserverError> {
        while let Some(&t) = self.times.get(self.rows.len()).filter(|t| **t <= view.to) {
            let state = view.consistent(t)?.clone();
            self.rows.push((self.read)(view.sys, &state));
        }
        Ok(Flow::Continue)
    }
}

/// Runs all tellings; the first one is what the others are held against.
fn alike(
    method: (&'static str, &'static str),
    t_end: f64,
    tol: f64,
    freedom: usize,
    all: Vec<Telling>,
) {
    let times: Vec<f64> = (0..=10).map(|k| t_end * f64::from(k) / 10.0).collect();
    let mut setup = Setup::new(method.0, method.1, t_end, tol);
    // absolute tolerances from the size of each mechanism; the car by hand has no exact derivatives
    setup.plan.tolerances.atol = None;
    setup.jacobian = "auto";
    let mut first: Option<Vec<Vec<f64>>> = None;
    for mut t in all {
        let sys = &mut *t.system;
        let dims = sys.dims();
        assert_eq!((dims.nv, dims.nc + dims.ng), t.count, "{}", t.words);
        let guess = sys.facts().guess.clone();
        let begin = match start(sys, &guess) {
            Ok(begin) => begin,
            Err(e) => panic!("{}: {}", t.words, e.explain(sys)),
        };
        assert_eq!(begin.report.dof, freedom, "{}", t.words);
        let mut sampled = Sampled {
            read: &t.read,
            times: &times,
            rows: Vec::new(),
        };
        let controller = setup.controller().unwrap();
        let out = setup
            .run_from(sys, &begin, controller, &mut sampled)
            .unwrap();
        assert_eq!(out.ending, Ending::Finished, "{}", t.words);
        let rows = sampled.rows;
        assert_eq!(rows.len(), times.len(), "{}", t.words);
        let Some(wanted) = &first else {
            first = Some(rows);
            continue;
        };
        for ((time, row), wanted) in times.iter().zip(&rows).zip(wanted) {
            for (x, w) in row.iter().zip(wanted) {
                let e = (x - w).abs() / (1.0 + w.abs()) / tol;
                assert!(
                    e < 10.0,
                    "{} at {time}: {x} for {w}, {e:.1} tolerances",
                    t.words
                );
            }
        }
    }
}

fn text_of(name: &str) -> Model {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(path).expect("a model");
    text::read(&source).expect("a sound model").model
}

fn joint(model: &Model) -> JointCoordinates {
    JointCoordinates::new(model, &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// Seven angles closed by three points in the plane, four points held by seven rods, seven bodies on
/// ten hinges, and a tree of seven bodies closed by three hinges.
#[test]
fn squeezer() {
    let model = text_of("squeezer");
    let crank = |name: &'static str| {
        move |sys: &mut dyn System, s: &State| {
            let beta = text_model::channel(sys, s, name);
            vec![beta.cos(), beta.sin()]
        }
    };
    let radius = 7e-3;
    let all = vec![
        telling("7 angles", Andrews::default(), (7, 6), crank("beta")),
        telling(
            "4 points",
            Small::new(SqueezerPoints),
            (8, 7),
            move |_, s| vec![s.q[2] / radius, s.q[3] / radius],
        ),
        telling(
            "7 bodies",
            assemble(&model).unwrap(),
            (21, 20),
            crank("crank.angle"),
        ),
        telling("7 hinges", joint(&model), (7, 6), crank("crank.angle")),
    ];
    alike(("dop853", "projected"), 0.03, 1e-8, 1, all);
}

/// Six rods on six hinges; nothing closes a loop.
#[test]
fn chain_of_rods() {
    let n = 6;
    let model = rod_chain(n);
    let chain = |form: Form| rod_chain_in_angles(n, form).unwrap();
    let bodies = || entries((0..n).map(|i| 3 * i + 2).collect());
    let names: Vec<String> = (1..=n).map(|i| format!("rod{i}.angle")).collect();
    let names: Vec<&str> = names.iter().map(|n| &**n).collect();
    for method in [("dop853", "projected"), ("bdf", "ggl")] {
        let all = vec![
            telling("rods", assemble(&model).unwrap(), (3 * n, 2 * n), bodies()),
            telling("hinges", chain(Form::Stored), (n, 0), channels(&names)),
            telling("angles", chain(Form::Stored), (n, 0), summed),
            telling("relations", chain(Form::Augmented), (n, 0), summed),
            telling(
                "hinges, explicit",
                Explicit::new(joint(&model)).unwrap(),
                (n, 0),
                channels(&names),
            ),
        ];
        // errors of several hundred steps of a multistep method add up
        let tol = if method.0 == "bdf" { 1e-6 } else { 1e-8 };
        alike(method, 0.3, tol, n, all);
    }
}

/// A point on a circle, two coordinates and one constraint, by hand and as model text; and the angle of
/// a body that swings as the point does: `(I + m s^2) / (m s) = 1`. With the data of the two problems of
/// that kind.
#[test]
fn point_pendulum() {
    for (g, side, t_end) in [(1.0, 1.0, 10.0), (9.81, -1.0, 2.0)] {
        let model = format!(
            "[model]\nname = \"pendulum\"\ngravity = [0, {}]\n\
             [[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1\nposition = [{side}, 0]\n\
             [[joint]]\nname = \"rod\"\nkind = \"distance\"\nbody_b = \"bob\"\npoint_a = [0, 0]\nlength = 1\n",
            -g
        );
        let model = text::read(&model).expect("a sound model").model;
        let body = format!(
            "[model]\nname = \"pendulum\"\ngravity = [0, {}]\n\
             [[body]]\nname = \"bar\"\nmass = 1\ninertia = 0.25\nposition = [{}, 0]\n\
             [[joint]]\nname = \"pin\"\nkind = \"revolute\"\nbody_b = \"bar\"\npoint_b = [{}, 0]\n",
            -g,
            0.5 * side,
            -0.5 * side
        );
        let body = text::read(&body).expect("a sound model").model;
        let all = vec![
            telling("angle", joint(&body), (1, 0), move |_, s| {
                vec![side * s.q[0].cos(), side * s.q[0].sin()]
            }),
            telling(
                "point",
                Small::new(Pendulum { g, side }),
                (2, 1),
                entries(vec![0, 1]),
            ),
            telling(
                "model text",
                assemble(&model).unwrap(),
                (2, 1),
                entries(vec![0, 1]),
            ),
        ];
        alike(("dop853", "projected"), t_end, 1e-8, 1, all);
    }
}

/// Two rods, two hinges, a stiff spring between them.
#[test]
fn stiff_double_pendulum() {
    let model = double_pendulum();
    let angles = || channels(&["rod1.angle", "rod2.angle"]);
    let all = vec![
        telling("rods", assemble(&model).unwrap(), (6, 4), angles()),
        telling("hinges", joint(&model), (2, 0), angles()),
    ];
    alike(("bdf", "ggl"), 2.0, 1e-6, 2, all);
}

/// Two loops of five links: 15 coordinates and 14 equations of 7 hinges, or 5 hinges of a tree and 2
/// that close it. Until shortly before all links lie on one line.
#[test]
fn four_bar_loops() {
    let model = n_four_bar(2);
    let corner = || channels(&["B0.x", "B0.y", "crank0.angle", "crank2.angle"]);
    let all = vec![
        telling("links", assemble(&model).unwrap(), (15, 14), corner()),
        telling("hinges", joint(&model), (5, 4), corner()),
    ];
    alike(("dop853", "projected"), 0.5, 1e-8, 1, all);
}

/// Four unit masses on massless rods under a moving suspension: in the angles of the rods, and as points
/// with rods of fixed length, seen from the suspension, where its acceleration is a force.
#[test]
fn driven_chain() {
    let (n, omega) = (4, 3.0);
    let mut model = String::from("[model]\nname = \"chain\"\ngravity = [0, -9.81]\n");
    let (mut before, mut held) = ([0.0, 0.0], "ground".to_string());
    let start: f64 = 0.2;
    for i in 1..=n {
        let at = [before[0] + start.sin(), before[1] - start.cos()];
        // minus the acceleration of the suspension, 0.3 and 0.2 times sin(omega t)
        model += &format!(
            "[[body]]\nname = \"p{i}\"\nkind = \"point\"\nmass = 1\nposition = [{:e}, {:e}]\n\
             [[joint]]\nname = \"rod{i}\"\nkind = \"distance\"\nbody_a = \"{held}\"\nbody_b = \"p{i}\"\n\
             point_a = [0, 0]\nlength = 1\n\
             [[force]]\nname = \"push{i}\"\nkind = \"force\"\nbody_b = \"p{i}\"\n\
             x = \"{:e}*sin({omega}*t)\"\ny = \"{:e}*sin({omega}*t)\"\n",
            at[0],
            at[1],
            0.3 * omega * omega,
            0.2 * omega * omega
        );
        (before, held) = (at, format!("p{i}"));
    }
    let model = text::read(&model)
        .unwrap_or_else(|e| panic!("{e:#?}\n{model}"))
        .model;
    let places = move |_: &mut dyn System, s: &State| {
        let mut at = [0.0, 0.0];
        let mut out = Vec::new();
        for angle in &s.q {
            at = [at[0] + angle.sin(), at[1] - angle.cos()];
            out.extend(at);
        }
        out
    };
    let all = vec![
        telling("angles", Chain::new(n, omega, start), (n, 0), places),
        telling(
            "points",
            assemble(&model).unwrap(),
            (2 * n, n),
            entries((0..2 * n).collect()),
        ),
    ];
    alike(("dop853", "projected"), 2.0, 1e-8, n, all);
}

/// A rotation vector; the same with the centre of mass and a joint of three equations; model text with the joint as equations and as coordinates.
#[test]
fn heavy_top() {
    let model = text_of("heavy_top");
    let by_hand = || channels(&["omega1", "omega2", "omega3"]);
    let all = vec![
        telling("turning", RigidBody::new(TOP, false), (3, 0), by_hand()),
        telling("moving", RigidBody::new(TOP, true), (6, 3), by_hand()),
        telling("body", assemble(&model).unwrap(), (6, 3), |_, s| {
            s.v[3..].to_vec()
        }),
        telling("ball", joint(&model), (3, 0), |_, s| s.v.clone()),
    ];
    alike(("dop853", "projected"), 0.2, 1e-8, 3, all);
}

/// Thirty joint coordinates by hand, without the rack; eighteen bodies; and their tree with the rack.
#[test]
fn passenger_car() {
    let model = text_of("passenger_car");
    let chassis = || {
        channels(&[
            "chassis.x",
            "chassis.y",
            "chassis.z",
            "chassis.roll",
            "chassis.yaw",
        ])
    };
    let all = vec![
        telling("by hand", Car::new(0.003), (30, 16), chassis()),
        telling("bodies", assemble(&model).unwrap(), (108, 94), chassis()),
        telling("hinges", joint(&model), (31, 17), chassis()),
    ];
    alike(("bdf", "ggl"), 0.5, 1e-6, 14, all);
}

/// Every problem is above or has its reason.
#[test]
fn every_problem_is_told_twice_or_cannot_be() {
    let twice = [
        "andrews",
        "squeezer-points",
        "pendulum-index3",
        "iftomm-a01",
        "nfourbar",
        "double_pendulum",
        "rod-chain",
        "rod-chain-angles",
        "chain",
        "car",
        "heavy-top",
    ];
    let once = [
        (
            "rheonomic",
            "a point whose mass depends on its place is no body",
        ),
        (
            "sleigh",
            "one body that nothing carries: its joint coordinates are the absolute ones",
        ),
        (
            "servo_loop",
            "an angle with a controller by hand; a model of it is `models/servo.toml`",
        ),
        ("crank", "its rod is elastic, and no body of a model is"),
        (
            "train",
            "bodies on springs and rails, without joints: joint coordinates are the absolute ones",
        ),
        ("free-body", "one body that nothing carries"),
        ("rotor", "one body that nothing carries"),
        ("oscillator", "two modes, not a mechanism"),
        (
            "wheelset-rails",
            "contact coordinates of wheel and rail are part of its equations",
        ),
    ];
    let mut named: Vec<&str> = twice
        .iter()
        .copied()
        .chain(once.iter().map(|o| o.0))
        .collect();
    let mut all: Vec<&str> = PROBLEMS.iter().map(|p| p.name).collect();
    named.sort_unstable();
    all.sort_unstable();
    assert_eq!(named, all);
}
