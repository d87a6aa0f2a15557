//! Recursions over chains of bodies, and implicit steps of chains of pendulums.
//!
//! ```text
//!  cargo bench -p linkwork-problems --bench tree              everything
//!  cargo bench -p linkwork-problems --bench tree -- kernels   (or steps) one part
//!  valgrind --tool=callgrind --toggle-collect='tree::counted*' \
//!      target/release/deps/tree-* count rnea 100              instructions of one call
//!  valgrind --tool=callgrind --toggle-collect='tree::integrate*' \
//!      target/release/deps/tree-* count index3 100 0.01       instructions of a chain's steps to 0.01 s
//! ```
//!
//! Chains are revolute joints about x and y in turn, rods of 1 m and 1 kg. Every call takes another of
//! 16 random states (2 above 10 000 joints), angles within 3 rad. Times are the smallest and the median
//! of many repetitions, in microseconds. `target-cpu=native` in `RUSTFLAGS` is what other libraries are
//! usually measured with.

mod recursions;
mod timing;

use linkwork_dae::drive::Ending;
use linkwork_dae::initial::Start;
use linkwork_mbs::tree::joint_coordinates::Form;
use linkwork_mbs::tree::{
    Frame, Inertia, JointCoordinates, Mat3, Mobility, Placement, Sym3, Tree, Vec3,
};
use linkwork_problems::rod_chain::rod_chain_in_angles;
use linkwork_problems::study::{Outcome, Setup};
use recursions::{KERNELS, Recursions, STORED};
use std::time::Instant;
use timing::{processor_seconds, time};

/// A chain of `n` rods hanging down, axes in turn.
fn chain(n: usize) -> Tree {
    let mut tree = Tree::new(Vec3::new(0.0, 0.0, -9.81));
    let mut last = Frame::GROUND;
    let rod = Inertia::about_centre(
        1.0,
        Vec3::new(0.0, 0.0, -0.5),
        Sym3 {
            zz: 1e-3,
            ..Sym3::scalar(1.0 / 12.0)
        },
    );
    for i in 0..n {
        let axis = [Mat3::IDENTITY.x, Mat3::IDENTITY.y][i % 2];
        let at = Vec3::new(0.0, 0.0, if i == 0 { 0.0 } else { -1.0 });
        let on_parent = Placement::along(axis, at);
        let on_child = Placement::along(axis, Vec3::ZERO);
        last = match tree.add(&last, Mobility::Revolute, &on_parent, &on_child, &rod) {
            Ok(frame) => frame,
            Err(e) => {
                eprintln!("{e}");
                std::process::exit(1);
            }
        };
    }
    tree
}

/// One call of one kernel that callgrind counts.
#[inline(never)]
fn counted(b: &mut Recursions, kernel: &str) {
    b.call(kernel);
}

const SIZES: [usize; 7] = [7, 30, 100, 300, 1000, 10_000, 100_000];

/// Longest chain that a kernel is called for: matrices of 1000 joints take 8 MB each, and factors by
/// branches are cubic in the length of a chain.
fn longest(kernel: &str) -> usize {
    match kernel {
        "ltl" | "forward" => 300,
        k if STORED.contains(&k) => 1000,
        _ => usize::MAX,
    }
}

fn kernels() {
    println!("microseconds per call: smallest (median)");
    print!("{:>12}", "N");
    for n in SIZES {
        print!("{n:>22}");
    }
    println!();
    for kernel in KERNELS {
        print!("{kernel:>12}");
        for n in SIZES {
            if n > longest(kernel) {
                print!("{:>22}", "-");
                continue;
            }
            let mut b = Recursions::new(chain(n), STORED.contains(&kernel));
            let t = time(0.2, || b.call(kernel));
            let both = format!("{:.3} ({:.3})", t.smallest, t.median);
            print!("{both:>22}");
        }
        println!();
    }
}

/// The integration that callgrind counts.
#[inline(never)]
fn integrate(
    setup: &Setup,
    system: &mut JointCoordinates,
    start: &Start,
) -> Result<Outcome, String> {
    setup.run_from(system, start, setup.controller()?, &mut ())
}

/// Planar chain of `n` rods of total length 1 m, released at rest in the horizontal. Repeated for half a
/// second, or run once where instructions are counted.
fn steps(n: usize, blocks: Form, method: &'static str, form: &'static str, t_end: f64, once: bool) {
    let mut system = match rod_chain_in_angles(n, blocks) {
        Ok(system) => system,
        Err(e) => return println!("{n:>8} {e}"),
    };
    let setup = Setup::new(method, form, t_end, 1e-4);
    let started = Instant::now();
    let start = match setup.start(&mut system) {
        Ok(s) => s,
        Err(e) => return println!("{n:>8} {e}"),
    };
    let begun = started.elapsed().as_secs_f64();
    let clock = Instant::now();
    let mut best = f64::INFINITY;
    let out = loop {
        // the processor's own count is coarse: short runs are repeated
        let runs = if once { 1 } else { (2000 / n).max(1) };
        let before = processor_seconds(&clock);
        let mut last = None;
        for _ in 0..runs {
            last = match integrate(&setup, &mut system, &start) {
                Ok(o) => Some(o),
                Err(e) => return println!("{n:>8} {e}"),
            };
        }
        best = best.min((processor_seconds(&clock) - before) / runs as f64);
        if let Some(out) = last.filter(|_| once || clock.elapsed().as_secs_f64() > 0.5) {
            break out;
        }
    };
    let seconds = best;
    let steps = out.stats.steps + out.stats.rejected;
    println!(
        "{n:>8} {:>9} {method:>6} {form:>9} {steps:>7} steps {:>8} residuals {:>10.2} ms {:>10.4} us per step and body, start {:.2} ms{}",
        format!("{blocks:?}"),
        out.stats.residual_evaluations,
        1e3 * seconds,
        1e6 * seconds / (steps.max(1) as f64 * n as f64),
        1e3 * begun,
        if matches!(out.ending, Ending::Finished) {
            ""
        } else {
            "  NOT FINISHED"
        },
    );
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words
        .iter()
        .map(|w| &**w)
        .filter(|w| *w != "--bench")
        .collect();
    let wants = |part: &str| words.is_empty() || words.contains(&part);
    if let ["count", form, n, t_end] = words[..] {
        let form = if form == "ggl" { "ggl" } else { "index3" };
        let (n, t_end) = (n.parse().unwrap_or(100), t_end.parse().unwrap_or(0.01));
        return steps(n, Form::Augmented, "bdf", form, t_end, true);
    }
    if let ["count", kernel, n] = words[..] {
        let n = n.parse().unwrap_or(100);
        let mut b = Recursions::new(chain(n), STORED.contains(&kernel));
        b.call(kernel);
        counted(&mut b, kernel);
        return;
    }
    if wants("kernels") {
        kernels();
    }
    if wants("steps") {
        println!("\nchain of pendulums, planar, released at rest, tolerance 1e-4");
        for (n, t_end) in [(10, 1.0), (100, 0.3), (1000, 0.08), (10_000, 0.02)] {
            steps(n, Form::Augmented, "bdf", "index3", t_end, false);
            steps(n, Form::Augmented, "bdf", "ggl", t_end, false);
            if n <= 100 {
                steps(n, Form::Stored, "bdf", "index3", t_end, false);
            }
        }
        println!("\nthe same to 0.3 s");
        for n in [16, 64, 256, 1000] {
            steps(n, Form::Augmented, "bdf", "index3", 0.3, false);
        }
        for n in [16, 64, 256] {
            steps(n, Form::Augmented, "dopri5", "projected", 0.3, false);
        }
    }
}
