//! Recursions over chains of bodies, and implicit steps of chains of pendulums.
//!
//! ```text
//!  cargo bench -p linkwork-problems --bench tree              everything
//!  cargo bench -p linkwork-problems --bench tree -- kernels   (or augmented, steps) one part
//!  valgrind --tool=callgrind --toggle-collect='tree::counted*' \
//!      target/release/deps/tree-* count rnea 100              instructions of one call
//! ```
//!
//! Chains are revolute joints about x and y in turn, rods of 1 m and 1 kg. Times are the smallest of
//! many repetitions, in microseconds. `target-cpu=native` in `RUSTFLAGS` is what other libraries are
//! usually measured with.

use linkwork_dae::drive::Ending;
use linkwork_dae::linear::{LinearSolver, Pattern, SparseLu};
use linkwork_dae::state::Link;
use linkwork_mbs::tree::generators::{JointRates, Point};
use linkwork_mbs::tree::{
    Aba, Branches, Crba, Derivatives, Formalism, Frame, Generators, Inertia, Joint, JointLoad,
    Kinematics, Ltl, Mat3, Placement, Recursion, Rnea, Sym3, Tree, TreeSystem, Unknowns, Vec3,
};
use linkwork_problems::study::Setup;
use std::hint::black_box;
use std::time::Instant;

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

/// One chain with everything that the kernels need.
struct Bench {
    tree: Tree,
    branches: Branches,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    tau: Vec<f64>,
    rnea: Rnea,
    aba: Aba,
    kin: Kinematics,
    crba: Crba,
    ltl: Ltl,
    generators: Generators,
    derivatives: Derivatives,
    list: Vec<f64>,
    recursion: Recursion,
    link: Link,
}

impl Bench {
    /// `stored`: with the matrices of N^2 entries.
    fn new(n: usize, stored: bool) -> Bench {
        let tree = chain(n, false);
        let small = Tree::default();
        let branches = Branches::new(if stored { &tree } else { &small });
        let wave = |k: f64| {
            (0..n)
                .map(|i| 0.3 * (k * (i + 1) as f64).sin())
                .collect::<Vec<f64>>()
        };
        let generators = Generators::new(&tree);
        let mut bench = Bench {
            q: wave(0.7),
            v: wave(1.3),
            a: wave(2.1),
            tau: wave(0.4),
            rnea: Rnea::new(&tree),
            aba: Aba::new(&tree),
            kin: Kinematics::new(&tree),
            crba: Crba::new(&tree, &branches),
            ltl: Ltl::new(&branches),
            list: vec![0.0; generators.length()],
            generators,
            derivatives: Derivatives::new(&tree, &branches),
            recursion: Recursion::new(&tree, Unknowns::Positions, true),
            link: Link {
                qdot: 1e3,
                vdot: 1e3,
            },
            branches,
            tree,
        };
        // every kernel finds what the ones before it make
        for kernel in ["kinematics", "linearise", "factor"] {
            call(&mut bench, kernel);
        }
        bench
    }
}

const KERNELS: [&str; 10] = [
    "rnea",
    "aba",
    "kinematics",
    "crba",
    "ltl",
    "linearise",
    "derivatives",
    "factor",
    "solve",
    "sincos",
];

/// One call of one kernel that callgrind counts.
#[inline(never)]
fn counted(b: &mut Bench, kernel: &str) {
    call(b, kernel);
    black_box(b);
}

/// One call of one kernel.
fn call(b: &mut Bench, kernel: &str) {
    match kernel {
        "rnea" => b.rnea.run(&b.tree, &b.q, &b.v, &b.a, &[], &mut b.tau),
        "aba" => {
            let _ = b.aba.run(&b.tree, &b.q, &b.v, &b.tau, &[], &mut b.a);
        }
        "kinematics" => b.kin.place(&b.tree, &b.q),
        "crba" => {
            b.kin.place(&b.tree, &b.q);
            b.crba.run(&b.tree, &b.branches, &b.kin);
        }
        "ltl" => {
            let _ = b.ltl.factor(&b.branches, &b.crba.mass);
        }
        "linearise" => {
            let point = Point {
                q: &b.q,
                v: &b.v,
                a: &b.a,
                external: &[],
            };
            let rates = JointRates::default();
            b.generators
                .run(&b.tree, &mut b.kin, &point, rates, &mut b.list);
        }
        "derivatives" => b
            .derivatives
            .run(&b.tree, &b.branches, &b.kin, &b.generators, &b.list),
        "factor" => {
            let _ = b.recursion.prepare(&b.list, &[], b.link);
        }
        "solve" => {
            b.recursion.solve_in_place(&mut b.tau);
            black_box(&mut b.tau);
            b.tau.copy_from_slice(&b.v);
        }
        "sincos" => {
            for (a, q) in b.a.iter_mut().zip(&b.q) {
                let (s, c) = q.sin_cos();
                *a = s + c;
            }
        }
        _ => {}
    }
    black_box(b);
}

/// Smallest time of one call in microseconds, over about a fifth of a second.
fn time(mut call: impl FnMut()) -> f64 {
    let started = Instant::now();
    call();
    let once = started.elapsed().as_secs_f64().max(1e-8);
    let inner = (2e-5 / once).clamp(1.0, 200.0) as usize;
    let mut best = f64::INFINITY;
    let all = Instant::now();
    while all.elapsed().as_secs_f64() < 0.2 {
        let started = Instant::now();
        for _ in 0..inner {
            call();
        }
        best = best.min(started.elapsed().as_secs_f64() / inner as f64);
    }
    best * 1e6
}

fn kernels() {
    println!("microseconds per call");
    print!("{:>12}", "N");
    for n in [7, 30, 100, 300, 1000, 10_000, 100_000] {
        print!("{n:>10}");
    }
    println!();
    for kernel in KERNELS {
        print!("{kernel:>12}");
        let quadratic = ["crba", "ltl", "derivatives"].contains(&kernel);
        for n in [7, 30, 100, 300, 1000, 10_000, 100_000] {
            if quadratic && n > 1000 || kernel == "ltl" && n > 300 {
                print!("{:>10}", "-");
                continue;
            }
            let mut b = Bench::new(n, quadratic);
            if kernel == "ltl" {
                call(&mut b, "crba");
            }
            let t = time(|| call(&mut b, kernel));
            print!("{t:>10.3}");
        }
        println!();
    }
}

/// The same linear equations with the sums along the chain as unknowns of their own, in sparse LU:
/// 1 + 9 + 6 for each body.
fn augmented(n: usize) -> Option<(f64, f64, f64, f64)> {
    const BODY: usize = 3 + 42 + 2;
    let mut b = Bench::new(n, false);
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
    let group: Vec<u32> = (0..16 * n as u32).map(|k| k / 16).collect();
    let mut lu = SparseLu::new();
    lu.analyse(&pattern, &group);
    lu.factor(&values).ok()?;
    // both ways give the same increments
    let mut rhs = vec![0.0; 16 * n];
    for i in 0..n {
        rhs[16 * i] = b.v[i];
    }
    let mut plain = Recursion::new(&b.tree, Unknowns::Positions, false);
    plain.prepare(&b.list, &[], b.link).ok()?;
    let mut x = b.v.clone();
    plain.solve_in_place(&mut x);
    lu.solve(&mut rhs);
    let scale = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let apart = (0..n).fold(0.0f64, |m, i| m.max((rhs[16 * i] - x[i]).abs()));
    if !(apart < 1e-6 * scale) {
        eprintln!("the two ways differ by {:.1e}", apart / scale);
    }
    let lu_factor = time(|| {
        let _ = lu.factor(&values);
    });
    let mut spare = rhs.clone();
    let lu_solve = time(|| {
        spare.copy_from_slice(&rhs);
        lu.solve(&mut spare);
    });
    let factor = time(|| call(&mut b, "factor"));
    let solve = time(|| call(&mut b, "solve"));
    Some((lu_factor, lu_solve, factor, solve))
}

/// Seconds that this thread has run, where the system tells; else those of the clock.
fn processor_seconds(clock: &Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = told
        .ok()
        .and_then(|t| t.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| clock.elapsed().as_secs_f64(), |n| 1e-9 * n)
}

/// Planar chain of `n` rods of total length 1 m, released at an angle; BDF steps.
#[inline(never)]
fn steps(n: usize, formalism: Formalism, method: &'static str, form: &'static str, t_end: f64) {
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
        let runs = (2000 / n).max(1);
        let before = processor_seconds(&clock);
        let mut last = None;
        for _ in 0..runs {
            let Ok(controller) = setup.controller() else {
                return;
            };
            last = match setup.run_from(&mut system, &start, controller, &mut ()) {
                Ok(o) => Some(o),
                Err(e) => return println!("{n:>8} {e}"),
            };
        }
        best = best.min((processor_seconds(&clock) - before) / runs as f64);
        if let Some(out) = last.filter(|_| clock.elapsed().as_secs_f64() > 0.5) {
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
    if let ["count", kernel, n] = words[..] {
        let n = n.parse().unwrap_or(100);
        let mut b = Bench::new(n, true);
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
            steps(n, Formalism::Explicit, "bdf", "index3", t_end);
            steps(n, Formalism::Explicit, "bdf", "ggl", t_end);
            if n <= 100 {
                steps(n, Formalism::Residual, "bdf", "index3", t_end);
            }
        }
        println!("\nthe same to 0.3 s");
        for n in [16, 64, 256, 1000] {
            steps(n, Formalism::Explicit, "bdf", "index3", 0.3);
        }
        for n in [16, 64, 256] {
            steps(n, Formalism::Explicit, "dopri5", "projected", 0.3);
        }
    }
}
