//! Adaptive macro steps against the best constant one, for every example system and five tolerances.
//!
//! ```sh
//! cargo run --release -p linkwork --example macro_steps                  # all systems, degree 2
//! cargo run --release -p linkwork --example macro_steps chain,lorry 3    # some, another degree
//! ```
//!
//! Errors are largest distances from a single model of the whole over all kept points, positions and
//! velocities relative to their size, in tolerances. The best constant step is the longest, on a grid of
//! ratio 1.1, whose error is not larger than that of the adaptive run; its start has growing steps, too,
//! which count. Attempts are accepted and rejected steps of the adaptive run.

#[path = "../tests/systems/mod.rs"]
mod systems;

use linkwork::catalogue::SYSTEMS;
use systems::{best_constant, distance, reference, run, system, tolerance, whole};

fn main() {
    let mut words = std::env::args().skip(1);
    let chosen = words.next();
    let degree = words.next().and_then(|k| k.parse().ok()).unwrap_or(2);
    let known = SYSTEMS.iter().map(|s| s.name);
    let names: Vec<&str> = match &chosen {
        Some(names) => names.split(',').collect(),
        None => known.collect(),
    };
    println!("degree {degree}");
    println!(
        "{:<12} {:>6}  {:>8} {:>8}  {:>6} {:>6}  {:>8} {:>6} {:>6}",
        "system", "rtol", "attempts", "rejected", "error", "sum", "constant", "error", "ratio"
    );
    for name in names {
        let (text, pairs) = whole(name);
        let system = system(name, &[]);
        let exact = reference(&text, system.options().t_end.unwrap_or(1.0));
        for rtol in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            let mut options = tolerance(rtol);
            options.degree = Some(degree);
            let adaptive = run(&system, &options);
            let error = distance(&adaptive, &exact, &pairs);
            let Some(report) = &adaptive.report else {
                continue;
            };
            let attempts = report.steps.len();
            let constant = best_constant(&system, &options, attempts, error, |run| {
                distance(run, &exact, &pairs)
            });
            let constant = match constant {
                Some((steps, error)) => format!(
                    "{steps:>8} {:>6.2} {:>6.2}",
                    error / rtol,
                    steps as f64 / attempts as f64
                ),
                None => "    none".into(),
            };
            println!(
                "{name:<12} {rtol:>6.0e}  {attempts:>8} {:>8}  {:>6.2} {:>6.1}  {constant}",
                report.rejected,
                error / rtol,
                report.accumulated,
            );
        }
    }
}
