//! Residual and explicit formalism in joint coordinates: the same motion from another matrix.

use linkwork::dae::formulation::{FORMULATIONS, Means};
use linkwork::dae::jacobian::JACOBIANS;
use linkwork::dae::stepper::STEPPERS;
use linkwork::mbs::text;
use linkwork::options::{Coordinates, Outputs, Scheme, Tolerance};
use linkwork::{Options, Run, Simulation, Verdict};
use std::f64::consts::TAU;
use std::path::PathBuf;

const RTOL: f64 = 1e-7;

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
    let coordinates = Coordinates {
        coordinates: Some("joint".into()),
        formalism: Some(formalism.into()),
        ..Coordinates::default()
    };
    let simulation = Simulation::from_document_in(&document, coordinates).expect("sound");
    // cars are long to compute
    let t_end = (document.model.counts()[0] > 12).then_some(0.1);
    simulation.options(Options {
        t_end,
        ..Options::default()
    })
}

fn run(name: &str, formalism: &str, scheme: &Scheme) -> Run {
    let options = Options {
        scheme: scheme.clone(),
        tolerance: Tolerance {
            rtol: Some(RTOL),
            ..Tolerance::default()
        },
        outputs: Some(Outputs::Uniform(50)),
        ..Options::default()
    };
    let simulation = simulation(name, formalism).options(options);
    let run = simulation.run(&mut ()).expect("runs");
    assert_ne!(
        run.verdict,
        Verdict::Failed,
        "{name}, {formalism}, {scheme:?}"
    );
    run
}

/// The largest difference of positions and velocities in multiples of the tolerance: of the largest
/// value of the channel, or of a hundredth of the largest one with the same unit.
fn difference(a: &Run, b: &Run) -> f64 {
    let mut worst = 0.0f64;
    for channel in a.table.channels() {
        let name = &channel.name;
        let of_motion = ["m", "rad", "m/s", "rad/s"].contains(&channel.unit.as_str());
        if !of_motion || name.contains("reaction") {
            continue;
        }
        let alike = a.table.channels().iter().filter(|c| c.unit == channel.unit);
        let others = alike.filter_map(|c| a.channel(&c.name)).flatten();
        let largest = others.fold(0.0f64, |m, x| m.max(x.abs()));
        let [x, y] = [a, b].map(|r| r.channel(name).expect("there"));
        let own = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let size = own.max(1e-2 * largest).max(1e-9);
        for (x, y) in x.iter().zip(y) {
            let mut error = (x - y).abs();
            if channel.unit == "rad" {
                error = error.min((error - TAU).abs());
            }
            worst = worst.max(error / size / RTOL);
        }
    }
    worst
}

#[test]
fn every_model_moves_alike() {
    for name in models() {
        let scheme = Scheme {
            method: Some("bdf".into()),
            ..Scheme::default()
        };
        let clock = std::time::Instant::now();
        let [residual, explicit] = ["residual", "explicit"].map(|f| run(&name, f, &scheme));
        let e = difference(&residual, &explicit);
        println!(
            "{name:20} {e:10.3e} steps {} {} iterations {} {} {:.1} s",
            residual.stats.steps,
            explicit.stats.steps,
            residual.stats.newton_iterations,
            explicit.stats.newton_iterations,
            clock.elapsed().as_secs_f64()
        );
    }
}

#[test]
fn every_method_and_formulation() {
    for name in [
        "squeezer",
        "spherical_pendulum",
        "servo",
        "four_bar",
        "rolling_disc",
    ] {
        for method in STEPPERS {
            for formulation in method.formulations {
                let form = FORMULATIONS
                    .iter()
                    .find(|f| f.name == *formulation)
                    .expect("there");
                if !matches!(form.means, Means::Placement(_)) {
                    continue;
                }
                let scheme = Scheme {
                    method: Some(method.name.into()),
                    formulation: Some(form.name.into()),
                    ..Scheme::default()
                };
                let [residual, explicit] = ["residual", "explicit"].map(|f| run(name, f, &scheme));
                let e = difference(&residual, &explicit);
                println!(
                    "{name:20} {:10} {formulation:10} {e:10.3e} steps {} {}",
                    method.name, residual.stats.steps, explicit.stats.steps
                );
            }
        }
    }
}

#[test]
fn every_jacobian_strategy() {
    for name in [
        "squeezer",
        "spherical_pendulum",
        "servo",
        "heavy_top",
        "suspension",
        "rolling_disc",
    ] {
        for jacobian in JACOBIANS {
            for formulation in ["ggl", "index3"] {
                let scheme = Scheme {
                    method: Some("bdf".into()),
                    formulation: Some(formulation.into()),
                    jacobian: Some(jacobian.name.into()),
                    ..Scheme::default()
                };
                let [residual, explicit] = ["residual", "explicit"].map(|f| run(name, f, &scheme));
                let e = difference(&residual, &explicit);
                println!(
                    "{name:20} {:12} {formulation:10} {e:10.3e} steps {} {} iterations {} {} jac {} {}",
                    jacobian.name,
                    residual.stats.steps,
                    explicit.stats.steps,
                    residual.stats.newton_iterations,
                    explicit.stats.newton_iterations,
                    residual.stats.residual_evaluations_for_jacobians,
                    explicit.stats.residual_evaluations_for_jacobians
                );
            }
        }
    }
}
