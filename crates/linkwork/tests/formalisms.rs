//! Residual and explicit formalism in joint coordinates: the same motion from another matrix.

use linkwork::dae::formulation::{FORMULATIONS, Means};
use linkwork::dae::jacobian::JACOBIANS;
use linkwork::dae::stepper::STEPPERS;
use linkwork::dae::system::Part;
use linkwork::mbs::text;
use linkwork::options::Outputs;
use linkwork::sparsity::sparsity;
use linkwork::{Options, Run, Simulation, Verdict};
use std::f64::consts::TAU;
use std::path::PathBuf;

const RTOL: f64 = 1e-6;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

fn models() -> Vec<String> {
    let files = std::fs::read_dir(folder()).expect("the folder of models");
    let files = files.map(|f| f.expect("readable").path());
    let mut names: Vec<String> = files
        .filter(|f| f.extension().is_some_and(|e| e == "toml"))
        .map(|f| f.file_stem().expect("a name").to_string_lossy().into())
        .collect();
    names.sort();
    assert!(names.len() >= 10);
    names
}

fn simulation(name: &str, formalism: &str) -> Simulation {
    let source = std::fs::read_to_string(folder().join(format!("{name}.toml"))).expect("readable");
    let document = text::read(&source).expect("sound");
    let coordinates = Options {
        coordinates: Some("joint".into()),
        formalism: Some(formalism.into()),
        ..Options::default()
    };
    let simulation = Simulation::from_document_with(&document, coordinates).expect("sound");
    // cars are long to compute
    let t_end = (document.model.counts()[0] > 12).then_some(0.1);
    simulation.options(Options {
        t_end,
        ..Options::default()
    })
}

fn run(name: &str, formalism: &str, scheme: &Options, rtol: f64) -> Run {
    let options = scheme.clone().rtol(rtol).outputs(Outputs::Uniform(50));
    let mut simulation = simulation(name, formalism).options(options);
    let run = simulation.run().expect("runs");
    assert_ne!(
        run.verdict,
        Verdict::Failed,
        "{name}, {formalism}, {scheme:?}"
    );
    run
}

/// The largest difference of the channels with these units in multiples of the tolerance, relative to the
/// largest value of the channel, to a hundredth of the largest one with the same unit or to 1e-3: what
/// is zero up to rounding has no size of its own.
fn difference(a: &Run, b: &Run, units: &[&str]) -> f64 {
    let mut worst = 0.0f64;
    for channel in a.table.channels() {
        let name = &channel.name;
        if !units.contains(&channel.unit.as_str()) {
            continue;
        }
        let alike = a.table.channels().iter().filter(|c| c.unit == channel.unit);
        let others = alike.filter_map(|c| a.channel(&c.name)).flatten();
        let largest = others.fold(0.0f64, |m, x| m.max(x.abs()));
        let [x, y] = [a, b].map(|r| r.channel(name).expect("there"));
        let own = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let size = own.max(1e-2 * largest).max(1e-3);
        for (x, y) in x.iter().zip(y) {
            let mut error = (x - y).abs();
            if channel.unit == "rad" {
                // yaw jumps by a turn
                error = error.min((error - TAU).abs());
            }
            worst = worst.max(error / size / RTOL);
        }
    }
    worst
}

/// Both formalisms, held against each other. In exact arithmetic every Newton iteration on fresh
/// blocks is the same in both, so that they agree far better than to the tolerance; kept blocks leave
/// other remainders, and a step more or less is a difference of the size of the error that the run
/// has anyway, which a more accurate one measures. Returns whether any digit differs.
fn compare(name: &str, scheme: &Options, exact: &Run) -> bool {
    let [residual, explicit] = ["residual", "explicit"].map(|f| run(name, f, scheme, RTOL));
    // velocities of index 3 have an error normal to the constraints that no step control sees
    let units = match scheme.formulation.as_deref() {
        Some("index3") => &["m", "rad"][..],
        _ => &["m", "rad", "m/s", "rad/s"],
    };
    let [apart, error] = [&explicit, exact].map(|run| difference(&residual, run, units));
    assert!(
        apart < 10.0 + 2.0 * error,
        "{name}, {scheme:?}: {apart:.1} tolerances apart, error {error:.1}"
    );
    // steps of one method scatter by a tenth between neighbouring tolerances
    let [a, b] = [&residual, &explicit].map(|r| r.stats.steps as f64);
    assert!(
        (a - b).abs() <= 5.0 + 0.15 * a,
        "{name}, {scheme:?}: {a} steps and {b}"
    );
    apart != 0.0
}

fn scheme(method: &str) -> Options {
    Options {
        method: Some(method.into()),
        ..Options::default()
    }
}

/// The reference for errors.
fn exact(name: &str) -> Run {
    run(name, "residual", &scheme("bdf"), 1e-2 * RTOL)
}

/// The matrices differ, so some digit does, except where masses divide without rounding.
#[test]
fn every_model_moves_alike() {
    let mut different = 0;
    // flexible bodies and wheels on rails take long
    let others = [
        "elastic_slider_crank",
        "flexible_arm",
        "springboard",
        "wheelset",
        "carriage",
    ];
    for name in models().into_iter().filter(|n| !others.contains(&&**n)) {
        let exact = exact(&name);
        different += usize::from(compare(&name, &scheme("bdf"), &exact));
        let stabilised = Options {
            formulation: Some("ggl".into()),
            ..scheme("gen-alpha")
        };
        compare(&name, &stabilised, &exact);
    }
    assert!(different >= 15, "{different}");
}

/// Amplitudes of flexible bodies are divided by their inertia as coordinates of joints are.
#[test]
fn flexible_bodies_move_alike() {
    for (name, t_end) in [("flexible_arm", 0.1), ("elastic_slider_crank", 0.01)] {
        let briefly = |method: &str| Options {
            t_end: Some(t_end),
            ..scheme(method)
        };
        let exact = run(name, "residual", &briefly("bdf"), 1e-2 * RTOL);
        for method in ["bdf", "gen-alpha", "radau"] {
            compare(name, &briefly(method), &exact);
        }
    }
}

/// All implicit methods in all forms, on loops, rotations, controls and rolling.
#[test]
fn every_method_and_formulation() {
    for name in ["squeezer", "spherical_pendulum", "servo", "rolling_disc"] {
        let exact = exact(name);
        for method in STEPPERS {
            for formulation in method.formulations {
                let form = FORMULATIONS.iter().find(|f| f.name == *formulation);
                let form = form.expect("there");
                if !matches!(form.means, Means::Placement(_)) {
                    continue;
                }
                let scheme = Options {
                    formulation: Some(form.name.into()),
                    ..scheme(method.name)
                };
                compare(name, &scheme, &exact);
            }
        }
    }
}

/// All sources of derivatives: with differences `M^-1 C_q'` is renewed together with `C_q`.
#[test]
fn every_jacobian_strategy() {
    for name in [
        "squeezer",
        "servo",
        "heavy_top",
        "suspension",
        "rolling_disc",
    ] {
        let exact = exact(name);
        for jacobian in JACOBIANS {
            for formulation in ["ggl", "index3"] {
                let scheme = Options {
                    formulation: Some(formulation.into()),
                    jacobian: Some(jacobian.name.into()),
                    ..scheme("bdf")
                };
                compare(name, &scheme, &exact);
            }
        }
    }
}

/// Implicit steps see the identity in place of the mass matrix, everything else the equations of motion.
#[test]
fn only_steps_see_the_explicit_form() {
    let mut explicit = simulation("squeezer", "explicit");
    let system = explicit.system();
    let form = system.stage_form().expect("another form");
    assert_eq!(form.patterns()[Part::Mass].len(), system.dims().nv);
    assert!(form.patterns().whole_r_l && !system.patterns().whole_r_l);
    assert!(system.patterns()[Part::Mass].len() > system.dims().nv);
    let mut residual = simulation("squeezer", "residual");
    assert!(residual.system().stage_form().is_none());
    // the matrix that is looked at is that of the steps, and regular
    let settings = explicit.settings().expect("sound");
    let start = explicit.start().expect("starts");
    let matrix = sparsity(explicit.system(), &settings, &start).expect("finite");
    assert!(matrix.expect("one").factor.is_some());
}
