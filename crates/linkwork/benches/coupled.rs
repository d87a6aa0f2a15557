//! A chain of bars cut into parts: time by the clock on one and on two threads.
//!
//! ```sh
//! cargo bench -p linkwork --bench coupled
//! ```

use linkwork::cosim::{CosimOptions, CoupledSystem};
use linkwork::dae::drive::Flow;
use std::fmt::Write;

const BARS: usize = 48;
const LENGTH: f64 = 0.2;
/// Runs of which the shortest counts.
const RUNS: usize = 3;

/// Bars `first..last` hinged to each other, the first bar of all to the ceiling.
fn part(first: usize, last: usize) -> String {
    let (sin, cos) = (-30f64).to_radians().sin_cos();
    let mut text = String::from("[model]\ngravity = [0, -9.81]\nlength = 1\n");
    for k in first..last {
        let s = (k as f64 + 0.5) * LENGTH;
        let _ = write!(
            text,
            "[[body]]\nname = \"bar{k}\"\nmass = 0.5\ninertia = 0.0017\nposition = [{}, {}]\nangle = \"-30 deg\"\n",
            s * cos,
            s * sin
        );
        let joint = "[[joint]]\nkind = \"revolute\"\npoint_b = [-0.1, 0]\n";
        if k == 0 {
            let _ = write!(text, "{joint}name = \"hinge\"\nbody_b = \"bar0\"\n");
        } else if k > first {
            let before = k - 1;
            let _ = write!(
                text,
                "{joint}name = \"hinge{k}\"\nbody_a = \"bar{before}\"\nbody_b = \"bar{k}\"\npoint_a = [0.1, 0]\n"
            );
        }
    }
    for (name, bar, x) in [("head", first, -0.1), ("tail", last - 1, 0.1)] {
        let _ = write!(
            text,
            "[[sensor]]\nname = \"{name}\"\nkind = \"point\"\nbody = \"bar{bar}\"\npoint = [{x}, 0]\n"
        );
    }
    text
}

fn system(parts: usize) -> CoupledSystem {
    let mut text = String::from("[simulation]\nt_end = 0.5\nrtol = 1e-4\n");
    for i in 0..parts {
        let _ = write!(text, "[[subsystem]]\nname = \"p{i}\"\nmodel = \"{i}\"\n");
        if i > 0 {
            let before = i - 1;
            let _ = write!(
                text,
                "[[element]]\nname = \"cut{i}\"\nkind = \"bushing\"\nport_a = \"p{before}.tail\"\nport_b = \"p{i}.head\"\nstiffness = [2000, 2000]\ndamping = [40, 40]\n"
            );
        }
    }
    let mut load = |word: &str| {
        let i: usize = word.parse().map_err(|_| "no number".to_string())?;
        let bars = BARS / parts;
        Ok((word.to_string(), part(i * bars, (i + 1) * bars)))
    };
    match CoupledSystem::read("chain", "chain", &text, &[], &mut load) {
        Ok(system) => system,
        Err(mistakes) => panic!("{mistakes:?}"),
    }
}

fn main() {
    println!("{BARS} bars, 0.5 s, tolerance 1e-4");
    println!("parts  macro steps  1 thread  2 threads  ratio  same bits");
    for parts in [2, 4, 8] {
        let system = system(parts);
        let mut best = [f64::INFINITY; 2];
        let mut tables = Vec::new();
        let mut steps = 0;
        for _ in 0..RUNS {
            for threads in [1, 2] {
                let options = CosimOptions {
                    threads: Some(threads),
                    ..CosimOptions::default()
                };
                let run = system.run(&options, &mut |_, _| Flow::Continue);
                let run = run.expect("its options are sound");
                best[threads - 1] = best[threads - 1].min(run.wall_seconds);
                steps = run.report.as_ref().map_or(0, |r| r.accepted);
                tables.push(run.coupling);
            }
        }
        let same = tables.windows(2).all(|w| w[0] == w[1]);
        let [one, two] = best;
        println!(
            "{parts:>5}  {steps:>11}  {:>6.0} ms  {:>6.0} ms  {:>5.2}  {same}",
            1e3 * one,
            1e3 * two,
            one / two
        );
    }
}
