//! Cost of the sparse LU on iteration matrices of mechanisms.
//!
//! `cargo bench -p linkwork-dae --bench lu` prints times. To count instructions, run the program
//! under `valgrind --tool=callgrind --toggle-collect=lu::counted_<phase>` with a case name and a
//! repeat count: the phases are `analyse`, `first`, `renew` and `solve`.

#[path = "../tests/matrices/mod.rs"]
mod matrices;

use std::hint::black_box;
use std::time::Instant;

use linkwork_dae::linear::{FactorInfo, LinearSolver, SparseLu};
use matrices::{Matrix, Stream, chain, chain_in_space, net, seven_bodies, squeezer, star};

type Case = (&'static str, fn(&mut Stream) -> Matrix);

const CASES: &[Case] = &[
    ("squeezer13", |stream| squeezer(stream).index3()),
    ("squeezer26", |stream| squeezer(stream).ggl()),
    ("seven41", |stream| seven_bodies(stream).index3()),
    ("seven82", |stream| seven_bodies(stream).ggl()),
    ("chain64", |stream| chain(64, stream).index3()),
    ("chain64_ggl", |stream| chain(64, stream).ggl()),
    ("space100", |stream| chain_in_space(100, stream).index3()),
    ("space100_ggl", |stream| chain_in_space(100, stream).ggl()),
    ("chain1000", |stream| chain(1000, stream).index3()),
    ("chain1000_ggl", |stream| chain(1000, stream).ggl()),
    ("chain10000", |stream| chain(10_000, stream).index3()),
    ("star2000", |stream| star(2000, stream).index3()),
    ("star2000_ggl", |stream| star(2000, stream).ggl()),
    ("net40", |stream| net(40, stream).index3()),
    ("net120", |stream| net(120, stream).index3()),
];

#[inline(never)]
fn counted_analyse(solver: &mut SparseLu, matrix: &Matrix) {
    solver.analyse(&matrix.pattern, &matrix.group);
}

#[inline(never)]
fn counted_first(solver: &mut SparseLu, values: &[f64]) -> FactorInfo {
    solver.factor(values).expect("bench matrices are regular")
}

#[inline(never)]
fn counted_renew(solver: &mut SparseLu, values: &[f64]) -> FactorInfo {
    // Tells the function from `counted_first`, which the linker would otherwise merge it with.
    black_box(1);
    solver.factor(values).expect("bench matrices are regular")
}

#[inline(never)]
fn counted_solve(solver: &mut SparseLu, b: &mut [f64]) {
    solver.solve(b);
}

/// Microseconds per call.
fn time(repeats: usize, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        call();
    }
    start.elapsed().as_secs_f64() * 1e6 / repeats as f64
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let wanted = arguments.first().map(String::as_str);
    let repeats: Option<usize> = arguments.get(1).and_then(|count| count.parse().ok());
    println!(
        "{:<14} {:>6} {:>8} {:>8} {:>11} {:>11} {:>11} {:>11}  pivot ratio",
        "case", "n", "nnz A", "nnz LU", "analyse us", "first us", "renew us", "solve us"
    );
    for (name, build) in CASES {
        if wanted.is_some_and(|wanted| wanted != *name) {
            continue;
        }
        let matrix = build(&mut Stream::new(1));
        let nnz = matrix.pattern.nnz();
        let many = repeats.unwrap_or((3_000_000 / nnz).clamp(3, 20_000));
        let few = repeats.unwrap_or((many / 10).max(3));
        let mut solver = SparseLu::new();
        let analyse = time(few, || counted_analyse(&mut solver, &matrix));
        let mut info = FactorInfo::default();
        let mut first = 0.0;
        for _ in 0..few {
            solver.analyse(&matrix.pattern, &matrix.group);
            first += time(1, || info = counted_first(&mut solver, &matrix.values));
        }
        first /= few as f64;
        let mut values = matrix.values.clone();
        for value in &mut values {
            *value *= 1.001;
        }
        let renew = time(many, || {
            assert!(counted_renew(&mut solver, black_box(&values)).reused_pivots);
        });
        let mut b = vec![1.0; matrix.n()];
        let solve = time(many, || {
            b.fill(1.0);
            counted_solve(&mut solver, black_box(&mut b));
        });
        println!(
            "{name:<14} {:>6} {nnz:>8} {:>8} {analyse:>11.2} {first:>11.2} {renew:>11.3} {solve:>11.3}  {:.1e}",
            matrix.n(),
            info.nnz,
            info.pivot_ratio
        );
    }
}
