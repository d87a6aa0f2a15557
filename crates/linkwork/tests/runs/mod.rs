//! Runs of models in tests, and what is asked of them.
#![allow(dead_code, reason = "each test takes what it needs")]

use linkwork::mbs::{Model, text};
use linkwork::{Options, Run, Simulation, Verdict};

/// The simulation of a text.
pub fn simulation(model: &str) -> Simulation {
    let document = text::read(model).unwrap_or_else(|e| panic!("{e:?}\n{model}"));
    Simulation::from_document(&document).unwrap()
}

pub fn options(coordinates: &str, method: &str, rtol: f64) -> Options {
    Options::new()
        .coordinates(coordinates)
        .method(method)
        .rtol(rtol)
}

/// A run that converges.
pub fn converged(model: &Model, t_end: f64, mut options: Options) -> Run {
    options.t_end = Some(t_end);
    let run = Simulation::in_coordinates(model, &options).unwrap().run();
    let run = run.unwrap();
    let what = format!("{options:?}: {:?} {:?}", run.doubts, run.ending);
    assert_eq!(run.verdict, Verdict::Converged, "{what}");
    run
}

/// A run of a text that ends.
pub fn ended(model: &str, t_end: f64, rtol: f64, method: &str) -> Run {
    let options = Options {
        t_end: Some(t_end),
        rtol: Some(rtol),
        method: Some(method.into()),
        ..Options::default()
    };
    let run = simulation(model).options(options).run().unwrap();
    println!(
        "{method} {rtol:e}: {} steps, {:?}",
        run.stats.steps, run.doubts
    );
    assert_ne!(run.verdict, Verdict::Failed, "{:?}", run.ending);
    run
}

pub fn channel<'a>(run: &'a Run, name: &str) -> &'a [f64] {
    run.channel(name).unwrap_or_else(|| panic!("{name}"))
}

pub fn last(run: &Run, name: &str) -> f64 {
    let channel = channel(run, name);
    channel[channel.len() - 1]
}

pub fn close(got: f64, want: f64, bound: f64, what: &str) {
    assert!(
        (got - want).abs() <= bound,
        "{what}: {got} instead of {want}"
    );
}

/// A point of 1 kg on a rail along x, with what acts on it.
pub fn on_a_rail(start: f64, speed: f64, parts: &str, t_end: f64) -> String {
    format!(
        r#"
[[body]]
name = "mass"
kind = "point"
mass = 1
position = [{start:?}, 0]
velocity = [{speed:?}, 0]
[[joint]]
name = "rail"
kind = "point_on_line"
body_b = "mass"
axis = [1, 0]
{parts}
[simulation]
t_end = {t_end:?}
"#
    )
}

/// A force on it along the rail: a formula.
pub fn pushed(force: &str) -> String {
    format!("[[force]]\nname = \"push\"\nkind = \"force\"\nbody_b = \"mass\"\nx = \"{force}\"\n")
}

/// A force in its line to the origin.
pub fn pulled(law: &str) -> String {
    format!(
        "[[force]]\nname = \"hill\"\nkind = \"line_force\"\nbody_b = \"mass\"\nfree_length = 0\n{law}\n"
    )
}

/// A point of 100 kg on a soft tyre that drives at 20 m/s over a road, a formula or a table.
pub fn on_a_tyre(road: &str, t_end: f64) -> String {
    format!(
        r#"
[model]
planar = false
gravity = [0, 0, -9.81]
[[body]]
name = "car"
kind = "point"
mass = 100
position = [0, 0, "0.5 - 981/20000"]
velocity = [20, 0, 0]
[[force]]
name = "tyre"
kind = "tyre"
body_b = "car"
stiffness = 20000
damping = 200
radius = 0.5
road = {road}
[simulation]
t_end = {t_end:?}
"#
    )
}

/// A text, read.
pub fn read(text: &str) -> text::Document {
    text::read(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// A run of a document, however it ends.
pub fn run(document: &text::Document, options: Options) -> Run {
    let simulation = Simulation::from_document_with(document, options);
    simulation.unwrap().run().unwrap()
}

/// A run with steps so short that they see everything.
pub fn fine(document: &text::Document, max_step: f64) -> Run {
    let options = Options::new().method("dop853").rtol(1e-11);
    run(
        document,
        Options {
            max_step: Some(max_step),
            ..options
        },
    )
}
