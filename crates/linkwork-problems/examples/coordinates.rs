//! Processor time of the same models in absolute and in joint coordinates.
//!
//! ```text
//!  cargo run --release -p linkwork-problems --example coordinates
//! ```

use linkwork_dae::drive::{Flow, Observer, ObserverError, View};
use linkwork_dae::system::System;
use linkwork_mbs::joint::Revolute;
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_mbs::tree::{Explicit, JointCoordinates};
use linkwork_mbs::{Body, BodyRef, Model, ModelError};
use linkwork_problems::rod_chain::rod_chain;
use linkwork_problems::study::Setup;
use std::time::Instant;

/// Rods in space with hinges whose axes alternate.
fn chain_in_space(n: usize) -> Model {
    let mut m = Model::new("").gravity([0.0, 0.0, -9.81]);
    let mut last = BodyRef::GROUND;
    for i in 0..n {
        let at = [i as f64 + 0.5, 0.0, 0.0];
        let rod = m.add_body(Body::rigid(format!("r{i}"), 1.0, [0.01, 0.084, 0.084]).at(at));
        let axis = [0.0, (i % 2) as f64, ((i + 1) % 2) as f64 + 0.3];
        m.add_joint(
            format!("h{i}"),
            last,
            rod,
            Revolute::at([i as f64, 0.0, 0.0], axis),
        );
        last = rod;
    }
    m.named("chain")
}

fn squeezer() -> Option<Model> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/squeezer.toml");
    let source = std::fs::read_to_string(path).ok()?;
    linkwork_mbs::text::read(&source).ok().map(|d| d.model)
}

fn system(model: &Model, how: &str) -> Result<Box<dyn System>, ModelError> {
    Ok(match how {
        "absolute" => linkwork_mbs::system(model)?,
        "joint" => Box::new(JointCoordinates::new(model, &[])?),
        "augmented" => Box::new(JointCoordinates::in_form(model, &[], Form::Augmented)?),
        _ => Box::new(Explicit::new(JointCoordinates::new(model, &[])?)?),
    })
}

/// Time between the first accepted step, which has found the pivots, and the last.
#[derive(Default)]
struct Watch {
    first: Option<Instant>,
    last: Option<Instant>,
    steps: u32,
}

impl Watch {
    fn seconds_per_step(&self) -> f64 {
        let (Some(first), Some(last)) = (self.first, self.last) else {
            return f64::INFINITY;
        };
        (last - first).as_secs_f64() / f64::from(self.steps.max(2) - 1)
    }
}

impl Observer for Watch {
    fn on_step(&mut self, _: &mut View<'_>) -> Result<Flow, ObserverError> {
        let now = Instant::now();
        self.first.get_or_insert(now);
        self.last = Some(now);
        self.steps += 1;
        Ok(Flow::Continue)
    }
}

/// Lengths of chains; what is not proportional to the length ends where it takes too long.
const LENGTHS: [usize; 6] = [3, 10, 30, 100, 1000, 10_000];
const SHORT: usize = 100;

fn main() {
    let longest = std::env::args().nth(1).and_then(|n| n.parse().ok());
    let longest = longest.unwrap_or(1000);
    let mut models = vec![(
        "squeezer".to_string(),
        squeezer().unwrap_or_default(),
        7,
        0.03,
    )];
    for n in LENGTHS.into_iter().filter(|n| *n <= longest) {
        models.push((format!("rods {n}"), rod_chain(n), n, 1.0));
        if n <= 1000 {
            models.push((format!("rods in space {n}"), chain_in_space(n), n, 1.0));
        }
    }
    println!(
        "{:18} {:9} {:14} {:>6} {:>6} {:>10} {:>10} {:>10}",
        "model", "unknowns", "method", "steps", "pivots", "us/step", "of a body", "build ms"
    );
    for (name, model, n, t_end) in &models {
        for (method, formulation) in [("bdf", "ggl"), ("bdf", "index3"), ("dopri5", "projected")] {
            for how in ["absolute", "joint", "augmented", "explicit"] {
                let dear = match how {
                    "absolute" => method == "dopri5" || name.contains("space"),
                    "augmented" => false,
                    _ => true,
                };
                if dear && *n > SHORT {
                    continue;
                }
                let clock = Instant::now();
                let Ok(mut sys) = system(model, how) else {
                    continue;
                };
                let start = clock.elapsed().as_secs_f64();
                // long chains swing for a short while
                let t_end = if *n > 100 { 0.03 } else { *t_end };
                let setup = Setup::new(method, formulation, t_end, 1e-6);
                let mut best = f64::INFINITY;
                let mut found = None;
                let repeat = if *n >= 100 { 1 } else { 5 };
                for _ in 0..repeat {
                    let mut watch = Watch::default();
                    found = setup.run(&mut *sys, &mut watch).ok();
                    best = best.min(watch.seconds_per_step());
                }
                let Some(out) = found else {
                    println!("{name:18} {how:9} {method}: fails");
                    continue;
                };
                let (steps, pivots) = (out.stats.steps, out.stats.pivot_searches);
                println!(
                    "{name:18} {how:9} {:14} {steps:6} {pivots:6} {:10.2} {:10.3} {:10.1}",
                    format!("{method} {formulation}"),
                    best * 1e6,
                    best * 1e6 / *n as f64,
                    start * 1e3
                );
            }
        }
    }
}
