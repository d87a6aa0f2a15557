//! Recursions over chains of bodies, and implicit steps of chains of pendulums.
//!
//! ```text
//!  cargo bench -p linkwork-problems --bench tree              everything
//!  cargo bench -p linkwork-problems --bench tree -- kernels   (or augmented, steps) one part
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
use linkwork_dae::linear::{LinearSolver, Pattern, SparseLu};
use linkwork_mbs::tree::{
    Formalism, Frame, Inertia, Joint, JointLoad, Mat3, Placement, Recursion, Sym3, Tree,
    TreeSystem, Unknowns, Vec3,
};
use linkwork_problems::study::{Outcome, Setup};
use recursions::{KERNELS, Recursions, STORED};
use std::time::Instant;
use timing::{processor_seconds, time};

/// A chain of `n` rods hanging down, axes in turn or all the same.
fn chain(n: usize, planar: bool) -> Tree {
    let mut tree = Tree::new(Vec3::new(0.0, 0.0, -9.81));
    let mut last = Frame::GROUND;
    let length = if planar { 1.0 / n as f64 } else { 1.0 };
    let mass = length;
    let rod = Inertia::about_centre(
        mass,
        Vec3::new(0.0, 0.0, -0.5 * length),
        Sym3 {
            zz: 1e-3 * mass * length * length,
            ..Sym3::scalar(mass * length * length / 12.0)
        },
    );
    for i in 0..n {
        let axis = if planar || i % 2 == 1 {
            Mat3::IDENTITY.y
        } else {
            Mat3::IDENTITY.x
        };
        let at = Vec3::new(0.0, 0.0, if i == 0 { 0.0 } else { -length });
        let on_parent = Placement::along(axis, at);
        let on_child = Placement::along(axis, Vec3::ZERO);
        last = match tree.add(&last, Joint::Revolute, &on_parent, &on_child, &rod) {
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
            let mut b = Recursions::new(chain(n, false), STORED.contains(&kernel));
            let t = time(0.2, || b.call(kernel));
            let both = format!("{:.3} ({:.3})", t.smallest, t.median);
            print!("{both:>22}");
        }
        println!();
    }
}

/// The same linear equations with the sums along the chain as unknowns of their own, in sparse LU:
/// 1 + 9 + 6 for each body.
fn augmented(n: usize) -> Option<(f64, f64, f64, f64)> {
    const BODY: usize = 3 + 42 + 2;
    let mut b = Recursions::new(chain(n, false), false);
    let (c_v, c_q) = (1.0 / b.link.vdot, 1.0 / (b.link.qdot * b.link.vdot));
    let mut entries: Vec<(u32, u32, f64)> = Vec::new();
    for i in 0..n {
        let g = &b.list[i * BODY..(i + 1) * BODY];
        let (arm, g) = g.split_at(3);
        let at = |from: usize, k: usize| g[from + k];
        let base = 16 * i as u32;
        let (d, x, y) = (base, base + 1, base + 10);
        let mut put = |r: u32, c: u32, v: f64| entries.push((r, c, v));
        // x = X x_p as a matrix of 9 x 9: identity, and v += w x arm
        let shift = [(3, 1, arm[2]), (3, 2, -arm[1]), (4, 2, arm[0])];
        let shift = [
            &shift[..],
            &[(4, 0, -arm[2]), (5, 0, arm[1]), (5, 1, -arm[0])],
        ]
        .concat();
        put(d, d, at(42, 0) * c_q + at(42, 1) * c_v);
        for k in 0..6u32 {
            let ku = k as usize;
            put(d, y + k, at(0, ku));
            put(y + k, y + k, 1.0);
            put(
                y + k,
                d,
                -(at(21, ku) + at(30, ku) * c_v + at(36, ku) * c_q),
            );
            put(x + k, d, -(at(0, ku) + at(12, ku) * c_v + at(6, ku) * c_q));
        }
        for k in 0..3u32 {
            let ku = k as usize;
            put(x + 6 + k, d, -(at(0, ku) * c_v + at(18, ku) * c_q));
        }
        for k in 0..9u32 {
            put(x + k, x + k, 1.0);
        }
        if i > 0 {
            let (x_p, y_p) = (x - 16, y - 16);
            let row: Vec<f64> = (0..9)
                .map(|k| if k < 6 { at(21, k) } else { at(27, k - 6) })
                .collect();
            let mut shifted = row.clone();
            for &(r, c, v) in &shift {
                shifted[c] += row[r] * v;
                put(x + r as u32, x_p + c as u32, -v);
                // forces go the other way with the transpose
                put(y_p + c as u32, y + r as u32, -v);
            }
            for k in 0..9u32 {
                put(d, x_p + k, shifted[k as usize]);
                put(x + k, x_p + k, -1.0);
            }
            for k in 0..6u32 {
                put(y_p + k, y + k, -1.0);
            }
        }
    }
    let places: Vec<(u32, u32)> = entries.iter().map(|e| (e.0, e.1)).collect();
    let pattern = Pattern::from_entries(16 * n, &places);
    let mut values = vec![0.0; pattern.nnz()];
    for (r, c, v) in &entries {
        values[pattern.slot(*r, *c)?] += v;
    }
    let mut lu = SparseLu::new();
    lu.analyse(&pattern, &[]);
    lu.factor(&values).ok()?;
    // both ways give the same increments
    let mut rhs = vec![0.0; 16 * n];
    for i in 0..n {
        rhs[16 * i] = b.sample()[i];
    }
    let mut plain = Recursion::new(&b.tree, Unknowns::Positions, false);
    plain.prepare(&b.list, &[], b.link).ok()?;
    let mut x = b.sample().to_vec();
    plain.solve_in_place(&mut x);
    lu.solve(&mut rhs);
    let scale = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let apart = (0..n).fold(0.0f64, |m, i| m.max((rhs[16 * i] - x[i]).abs()));
    if !(apart < 1e-6 * scale) {
        eprintln!("the two ways differ by {:.1e}", apart / scale);
    }
    let lu_factor = time(0.2, || {
        let _ = lu.factor(&values);
    })
    .smallest;
    let mut spare = rhs.clone();
    let lu_solve = time(0.2, || {
        spare.copy_from_slice(&rhs);
        lu.solve(&mut spare);
    })
    .smallest;
    let factor = time(0.2, || b.call("factor")).smallest;
    let solve = time(0.2, || b.call("solve")).smallest;
    Some((lu_factor, lu_solve, factor, solve))
}

/// The integration that callgrind counts.
#[inline(never)]
fn integrate(setup: &Setup, system: &mut TreeSystem, start: &Start) -> Result<Outcome, String> {
    setup.run_from(system, start, setup.controller()?, &mut ())
}

/// Planar chain of `n` rods of total length 1 m, released at an angle; BDF steps. Repeated for half a
/// second, or run once where instructions are counted.
fn steps(
    n: usize,
    formalism: Formalism,
    method: &'static str,
    form: &'static str,
    t_end: f64,
    once: bool,
) {
    let tree = chain(n, true);
    let mut q = vec![0.0; n];
    q[0] = -std::f64::consts::FRAC_PI_2;
    let loads = vec![JointLoad::default(); n];
    let system = TreeSystem::new(tree, formalism, loads, q, vec![0.0; n]);
    let Ok(mut system) = system else { return };
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
        format!("{formalism:?}"),
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
        return steps(n, Formalism::Explicit, "bdf", form, t_end, true);
    }
    if let ["count", kernel, n] = words[..] {
        let n = n.parse().unwrap_or(100);
        let mut b = Recursions::new(chain(n, false), STORED.contains(&kernel));
        b.call(kernel);
        counted(&mut b, kernel);
        return;
    }
    if wants("kernels") {
        kernels();
    }
    if wants("augmented") {
        println!(
            "\nlinear equations of a step: sparse LU on (d, x, y) and recursion, microseconds"
        );
        println!(
            "{:>8} {:>12} {:>12} {:>12} {:>12}",
            "N", "LU factor", "LU solve", "factor", "solve"
        );
        for n in [10, 100, 1000, 10_000] {
            if let Some((a, b, c, d)) = augmented(n) {
                println!("{n:>8} {a:>12.2} {b:>12.2} {c:>12.2} {d:>12.2}");
            }
        }
    }
    if wants("steps") {
        println!("\nchain of pendulums, planar, released at rest, tolerance 1e-4");
        for (n, t_end) in [(10, 1.0), (100, 0.3), (1000, 0.08), (10_000, 0.02)] {
            steps(n, Formalism::Explicit, "bdf", "index3", t_end, false);
            steps(n, Formalism::Explicit, "bdf", "ggl", t_end, false);
            if n <= 100 {
                steps(n, Formalism::Residual, "bdf", "index3", t_end, false);
            }
        }
        println!("\nthe same to 0.3 s");
        for n in [16, 64, 256, 1000] {
            steps(n, Formalism::Explicit, "bdf", "index3", 0.3, false);
        }
        for n in [16, 64, 256] {
            steps(n, Formalism::Explicit, "dopri5", "projected", 0.3, false);
        }
    }
}
