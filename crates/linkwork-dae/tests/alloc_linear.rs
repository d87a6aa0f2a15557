//! After the first factors neither factoring, with known or with fresh pivots, nor solving must
//! allocate.

mod matrices;

use std::alloc::System;

use linkwork_dae::linear::{LINEAR_SOLVERS, LinearSolver, SparseLu};
use matrices::{Matrix, Stream, chain, net, seven_bodies, squeezer};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn allocations() -> usize {
    let stats = ALLOCATOR.stats();
    stats.allocations + stats.reallocations
}

fn solvers() -> Vec<(&'static str, Box<dyn LinearSolver>)> {
    let mut all: Vec<_> = LINEAR_SOLVERS
        .iter()
        .map(|entry| (entry.name, (entry.build)()))
        .collect();
    all.push(("row by row", Box::new(SparseLu::with_list_limit(0))));
    all
}

fn mechanisms() -> Vec<(&'static str, Matrix)> {
    let stream = &mut Stream::new(2);
    vec![
        ("squeezer", squeezer(stream).index3()),
        ("squeezer ggl", squeezer(stream).ggl()),
        ("seven bodies", seven_bodies(stream).index3()),
        ("seven bodies ggl", seven_bodies(stream).ggl()),
        ("chain", chain(20, stream).index3()),
        ("chain ggl", chain(20, stream).ggl()),
        ("net", net(8, stream).index3()),
    ]
}

/// Small changes keep the pivots.
fn check_reuse(name: &str, solver: &mut dyn LinearSolver, matrix: &Matrix) {
    let mut values = matrix.values.clone();
    let mut b = vec![1.0; matrix.n()];
    let mut stream = Stream::new(3);
    let before = allocations();
    for _ in 0..10 {
        for value in &mut values {
            *value *= stream.between(0.995, 1.005);
        }
        solver.factor(&values).expect("regular");
        solver.solve(&mut b);
    }
    assert_eq!(allocations(), before, "{name}: reuse");
}

/// Entries that all but vanish, among them pivots, make fresh pivots necessary.
fn check_fresh_pivots(name: &str, solver: &mut dyn LinearSolver, matrix: &Matrix) -> usize {
    let mut values = matrix.values.clone();
    let mut b = vec![1.0; matrix.n()];
    let mut stream = Stream::new(4);
    let mut fresh = 0;
    for round in 0..60 {
        values.copy_from_slice(&matrix.values);
        for value in &mut values {
            if stream.below(12) == 0 {
                *value *= 1e-14;
            }
        }
        let before = allocations();
        // Some of the matrices are singular; finding that out must not allocate either.
        if let Ok(info) = solver.factor(&values) {
            fresh += usize::from(!info.reused_pivots);
        }
        solver.solve(&mut b);
        assert_eq!(allocations(), before, "{name}: fresh pivots {round}");
        b.fill(1.0);
    }
    fresh
}

// Without the test harness: the counter is that of the whole process, and the harness allocates in a
// thread of its own.
fn main() {
    for (name, matrix) in mechanisms() {
        for (solver_name, mut solver) in solvers() {
            let name = format!("{solver_name}, {name}");
            solver.analyse(&matrix.pattern, &matrix.group);
            solver.factor(&matrix.values).expect("regular");
            check_reuse(&name, &mut *solver, &matrix);
            let fresh = check_fresh_pivots(&name, &mut *solver, &matrix);
            assert!(fresh >= 5, "{name}: only {fresh} fresh choices");
        }
    }
    let before = allocations();
    std::hint::black_box(vec![0u8; 10]);
    assert!(allocations() > before, "the counter does not count");
}
