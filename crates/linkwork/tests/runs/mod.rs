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
