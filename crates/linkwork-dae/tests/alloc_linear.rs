//! Factoring with known pivots and solving must not allocate.

mod matrices;

use std::alloc::System;

use linkwork_dae::linear::{LINEAR_SOLVERS, LinearSolver, SparseLu};
use matrices::{Stream, chain, seven_bodies, squeezer};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn allocations() -> usize {
    let stats = ALLOCATOR.stats();
    stats.allocations + stats.reallocations
}

// One test only: the counter is that of the whole process.
#[test]
fn reuse_does_not_allocate() {
    let builders = LINEAR_SOLVERS.iter().map(|entry| (entry.name, entry.build));
    let by_rows: (&str, fn() -> Box<dyn LinearSolver>) =
        ("row by row", || Box::new(SparseLu::with_list_limit(0)));
    for (name, build) in builders.chain([by_rows]) {
        let mut stream = Stream::new(2);
        for mut matrix in [
            squeezer(&mut stream).ggl(),
            seven_bodies(&mut stream).index3(),
            chain(20, &mut stream).ggl(),
        ] {
            let mut solver = build();
            solver.analyse(&matrix.pattern, &matrix.group);
            solver.factor(&matrix.values).expect("regular");
            let mut b = vec![1.0; matrix.n()];
            let before = allocations();
            for _ in 0..10 {
                for value in &mut matrix.values {
                    *value *= stream.between(0.995, 1.005);
                }
                solver.factor(&matrix.values).expect("regular");
                solver.solve(&mut b);
            }
            assert_eq!(allocations(), before, "{name}");
        }
    }
    let before = allocations();
    std::hint::black_box(vec![0u8; 10]);
    assert!(allocations() > before, "the counter does not count");
}
