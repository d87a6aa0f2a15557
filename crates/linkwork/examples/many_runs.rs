//! The same run many times, as a program in Rust makes it: what the Python package is measured beside.
//!
//! ```sh
//! cargo run --release -p linkwork --example many_runs models/squeezer.toml 1000
//! ```
//!
//! Prints the number of runs, steps of all of them and seconds for each. `docs/benchmarks.py package` counts
//! instructions of this program and of the same loop in Python.

use std::time::Instant;

use linkwork::Simulation;
use linkwork::mbs::text;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(path), Some(count)) = (words.next(), words.next()) else {
        return Err("usage: many_runs MODEL COUNT".into());
    };
    let count: usize = count.parse()?;
    let source = std::fs::read_to_string(&path)?;
    let document = text::read(&source).map_err(|e| format!("{path}: {e:?}"))?;
    let begun = Instant::now();
    let mut steps = 0;
    for _ in 0..count {
        steps += Simulation::from_document(&document)?.run()?.stats.steps;
    }
    let each = begun.elapsed().as_secs_f64() / count.max(1) as f64;
    println!("{count} runs, {steps} steps, {each:.6} s each");
    Ok(())
}
