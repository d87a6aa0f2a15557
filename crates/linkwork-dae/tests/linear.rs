//! Checks that every registered linear solver must pass.

mod matrices;

use linkwork_dae::eigen::Complex;
use linkwork_dae::linear::{
    DenseLu, LINEAR_SOLVERS, LinearSolver, LinearSolverEntry, Pattern, Singular, SparseLu,
};
use linkwork_dae::memory::Memory;
use matrices::{
    Matrix, Stream, chain, chain_in_space, net, random_saddle, seven_bodies, squeezer, star,
};

/// The registry and the sparse solver without its list of targets.
fn solvers() -> Vec<LinearSolverEntry> {
    let mut all: Vec<LinearSolverEntry> = LINEAR_SOLVERS
        .iter()
        .map(|entry| LinearSolverEntry { ..*entry })
        .collect();
    all.push(LinearSolverEntry {
        name: "sparse, row by row",
        summary: "",
        build: || Box::new(SparseLu::with_list_limit(0)),
        full: false,
    });
    all
}

fn mechanisms() -> Vec<(&'static str, Matrix)> {
    let mut stream = Stream::new(7);
    let stream = &mut stream;
    vec![
        ("squeezer", squeezer(stream).index3()),
        ("squeezer ggl", squeezer(stream).ggl()),
        ("seven bodies", seven_bodies(stream).index3()),
        ("seven bodies ggl", seven_bodies(stream).ggl()),
        ("chain", chain(30, stream).index3()),
        ("chain ggl", chain(30, stream).ggl()),
        ("net", net(8, stream).index3()),
        ("chain in space", chain_in_space(12, stream).index3()),
        ("chain in space ggl", chain_in_space(12, stream).ggl()),
        ("star ggl", star(40, stream).ggl()),
    ]
}

/// Threshold pivots allow growth of a few powers of ten, so 1e-12 leaves four digits above rounding.
fn check_solution(name: &str, solver: &mut dyn LinearSolver, matrix: &Matrix) -> Vec<f64> {
    check_solution_to(1e-12, name, solver, matrix)
}

/// Bounds the backward error of a solution.
fn check_solution_to(
    tolerance: f64,
    name: &str,
    solver: &mut dyn LinearSolver,
    matrix: &Matrix,
) -> Vec<f64> {
    let mut stream = Stream::new(3);
    let b: Vec<f64> = (0..matrix.n()).map(|_| stream.between(-1.0, 1.0)).collect();
    let mut x = b.clone();
    solver.solve(&mut x);
    let error = matrix.backward_error(&x, &b);
    assert!(error < tolerance, "{name}: backward error {error:e}");
    x
}

#[test]
fn mechanisms_are_solved_to_rounding() {
    for entry in solvers() {
        for (name, matrix) in mechanisms() {
            let mut solver = (entry.build)();
            solver.analyse(&matrix.pattern, &matrix.group);
            let info = solver.factor(&matrix.values).expect(name);
            assert!(!info.reused_pivots);
            assert!(
                info.pivot_ratio > 1e-8 && info.pivot_ratio <= 1.0,
                "{name}: {info:?}"
            );
            check_solution(&format!("{} {name}", entry.name), &mut *solver, &matrix);
        }
    }
}

/// Complex matrices, twice on one pattern: every entry is turned by an angle of its own, and the residual is that of the
/// complex product.
#[test]
fn complex_matrices_are_solved_to_rounding() {
    for entry in solvers() {
        for (name, matrix) in mechanisms() {
            let name = format!("{} {name}", entry.name);
            let mut solver = (entry.build)().complex();
            let pattern = &matrix.pattern;
            solver.analyse(pattern, &matrix.group);
            let mut stream = Stream::new(11);
            for again in [false, true] {
                let turned = |x: &f64| {
                    let phase = stream.between(-0.5, 0.5);
                    Complex::new(x * phase.cos(), x * phase.sin())
                };
                let values: Vec<Complex> = matrix.values.iter().map(turned).collect();
                let info = solver.factor(&values).expect(&name);
                assert!(again || !info.reused_pivots);
                let b: Vec<Complex> = (0..pattern.n)
                    .map(|i| Complex::new(1.0 / (1.0 + i as f64), 0.5))
                    .collect();
                let mut x = b.clone();
                solver.solve(&mut x);
                let (mut left, mut size) = (b, vec![1.0; pattern.n]);
                for j in 0..pattern.n {
                    for p in pattern.span(j) {
                        let (i, product) = (pattern.row[p] as usize, values[p] * x[j]);
                        left[i] = left[i] - product;
                        size[i] += product.abs();
                    }
                }
                let error = left.iter().zip(&size).map(|(r, size)| r.abs() / size);
                let worst = error.fold(0.0, f64::max);
                assert!(worst < 1e-11, "{name}: {worst:e}");
            }
        }
    }
}

#[test]
fn many_right_hand_sides_are_solved_as_one() {
    for entry in solvers() {
        for (name, matrix) in mechanisms() {
            let mut solver = (entry.build)();
            solver.analyse(&matrix.pattern, &matrix.group);
            let mut stream = Stream::new(5);
            for count in 1..9 {
                let mut side = |_| (0..matrix.n()).map(|_| stream.between(-1.0, 1.0)).collect();
                let b: Vec<Vec<f64>> = (0..count).map(&mut side).collect();
                let mut x = b.clone();
                solver.factor(&matrix.values).expect(name);
                solver.solve_all(&mut x);
                for (x, b) in x.iter().zip(&b) {
                    let error = matrix.backward_error(x, b);
                    assert!(error < 1e-12, "{} {name}: {error:e}", entry.name);
                }
            }
        }
    }
}

#[test]
fn random_saddles_agree_with_the_dense_solver() {
    for entry in solvers() {
        for seed in 0..60 {
            let mut stream = Stream::new(seed + 1);
            let n = 3 + stream.below(40);
            let m = stream.below(n);
            let matrix = random_saddle(n, m, &mut stream);
            let name = format!("{} seed {seed}", entry.name);
            let mut solver = (entry.build)();
            let mut dense = DenseLu::new();
            for solver in [&mut *solver, &mut dense as &mut dyn LinearSolver] {
                solver.analyse(&matrix.pattern, &matrix.group);
                solver.factor(&matrix.values).expect(&name);
            }
            let x = check_solution(&name, &mut *solver, &matrix);
            let reference = check_solution(&name, &mut dense, &matrix);
            let size = reference.iter().fold(0.0f64, |size, x| size.max(x.abs()));
            for (x, reference) in x.iter().zip(&reference) {
                // Condition numbers here stay below 1e5.
                assert!(
                    (x - reference).abs() < 1e-9 * size,
                    "{name}: {x} {reference}"
                );
            }
        }
    }
}

#[test]
fn permuted_diagonals_are_solved_exactly() {
    for entry in solvers() {
        for n in [1u32, 2, 3, 10, 57] {
            for shift in 0..3.min(n) {
                let entries: Vec<_> = (0..n)
                    .map(|j| ((j + shift) % n, j, 2f64.powi(j as i32 % 7 - 3)))
                    .collect();
                let matrix = Matrix::new(n as usize, &entries, vec![0; n as usize]);
                let mut solver = (entry.build)();
                solver.analyse(&matrix.pattern, &matrix.group);
                solver
                    .factor(&matrix.values)
                    .expect("a permuted diagonal is regular");
                let x: Vec<f64> = (0..n).map(|j| j as f64 - 3.0).collect();
                let mut b = matrix.times(&x);
                solver.solve(&mut b);
                assert_eq!(b, x, "{} n = {n} shift {shift}", entry.name);
            }
        }
    }
}

#[test]
fn new_values_on_the_same_pattern_reuse_pivots_and_stay_accurate() {
    for entry in solvers() {
        for (name, mut matrix) in mechanisms() {
            let mut solver = (entry.build)();
            solver.analyse(&matrix.pattern, &matrix.group);
            solver.factor(&matrix.values).expect(name);
            let mut stream = Stream::new(11);
            let mut reused = 0;
            for _ in 0..20 {
                for value in &mut matrix.values {
                    *value *= stream.between(0.99, 1.01);
                }
                let info = solver.factor(&matrix.values).expect(name);
                reused += info.reused_pivots as usize;
                check_solution(&format!("{} {name}", entry.name), &mut *solver, &matrix);
            }
            if !entry.full {
                assert_eq!(reused, 20, "{} {name}", entry.name);
            }
        }
    }
}

/// Later choices begin with the order that won the first; what they leave is as sparse within a tenth, and a solver that is restored
/// solves to the same bits.
#[test]
fn pivots_chosen_again_are_as_sparse() {
    let mut chosen_again = 0;
    for (name, matrix) in mechanisms() {
        let mut solver = SparseLu::new();
        solver.analyse(&matrix.pattern, &matrix.group);
        let first = solver.factor(&matrix.values).expect(name);
        // rows and columns of very different sizes cannot be factored by the pivots at hand
        let mut stream = Stream::new(23);
        let mut other = matrix.clone();
        for value in &mut other.values {
            *value *= 10f64.powf(stream.between(-9.0, 0.0));
        }
        let _ = solver.factor(&other.values);
        let again = solver.factor(&matrix.values).expect(name);
        if !again.reused_pivots {
            chosen_again += 1;
            // another order may have won in between
            let (first, again) = (first.nnz, again.nnz);
            assert!(10 * again <= 11 * first, "{name}: {again}, {first}");
        }
        let x = check_solution(name, &mut solver, &matrix);

        let mut tape = Memory::writing();
        solver.memory(&mut tape);
        tape.finish().expect(name);
        let words = tape.words().to_vec();
        let mut restored = SparseLu::new();
        restored.analyse(&matrix.pattern, &matrix.group);
        let mut tape = Memory::reading(words).expect(name);
        restored.memory(&mut tape);
        tape.finish().expect(name);
        restored.factor(&matrix.values).expect(name);
        assert_eq!(check_solution(name, &mut restored, &matrix), x, "{name}");
    }
    assert!(chosen_again > 3, "{chosen_again}");
}

#[test]
fn frozen_pivots_that_become_tiny_are_given_up() {
    for entry in solvers() {
        for (name, regular) in mechanisms() {
            let mut solver = (entry.build)();
            solver.analyse(&regular.pattern, &regular.group);
            for seed in 0..40 {
                solver.factor(&regular.values).expect(name);
                // Some entries, among them pivots, all but vanish; what elimination adds to them
                // would drown in the rounding of huge multipliers.
                let mut matrix = regular.clone();
                let mut stream = Stream::new(100 + seed);
                for value in &mut matrix.values {
                    if stream.below(12) == 0 {
                        *value *= 1e-14;
                    }
                }
                let mut dense = DenseLu::new();
                dense.analyse(&matrix.pattern, &matrix.group);
                let usable = dense
                    .factor(&matrix.values)
                    .is_ok_and(|info| info.pivot_ratio > 1e-5);
                if !usable {
                    continue;
                }
                let name = format!("{} {name} seed {seed}", entry.name);
                solver.factor(&matrix.values).expect(&name);
                check_solution_to(1e-10, &name, &mut *solver, &matrix);
            }
        }
    }
}

#[test]
fn tiny_leading_pivot_is_replaced_and_the_answer_stays_right() {
    // [e 1; 1 1] x = [1 + e; 2] has x = (1, 1). The pivot e is sound for e = 1.5 and fatal for
    // e = 1e-17: eliminating with it gives x_0 = 0.
    for entry in solvers() {
        let pattern = Pattern::from_entries(2, &[(0, 0), (1, 0), (0, 1), (1, 1)]);
        let mut solver = (entry.build)();
        solver.analyse(&pattern, &[0, 0]);
        for e in [1.5, 1e-17, 2.5, 1e-13, 1e-6, 3.0] {
            solver.factor(&[e, 1.0, 1.0, 1.0]).expect("regular");
            let mut b = [1.0 + e, 2.0];
            solver.solve(&mut b);
            for x in b {
                assert!((x - 1.0).abs() < 1e-10, "{} e = {e}: {b:?}", entry.name);
            }
        }
    }
}

#[test]
fn growth_that_every_single_threshold_allows_is_noticed() {
    // A banded form of Wilkinson's example: each diagonal pivot is acceptable on its own, but the
    // last column grows by a factor of about l at each of them.
    for entry in solvers() {
        let mut reusing = (entry.build)();
        for (nth, l) in [0.01, 3.0, 10.0, 20.0].into_iter().enumerate() {
            let n = 30u32;
            let mut entries = Vec::new();
            for j in 0..n {
                entries.push((j, j, 1.0));
                entries.push((j, n - 1, 1.0));
                // A band keeps minimum degree and Markowitz counts in natural order.
                for i in j + 1..(j + 3).min(n) {
                    entries.push((i, j, -l));
                }
            }
            let matrix = Matrix::new(n as usize, &entries, vec![0; n as usize]);
            let mut solver = (entry.build)();
            solver.analyse(&matrix.pattern, &matrix.group);
            solver.factor(&matrix.values).expect("regular");
            let name = format!("{} l = {l}", entry.name);
            check_solution_to(1e-10, &name, &mut *solver, &matrix);

            if nth == 0 {
                reusing.analyse(&matrix.pattern, &matrix.group);
            }
            reusing.factor(&matrix.values).expect("regular");
            check_solution_to(1e-10, &name, &mut *reusing, &matrix);
        }
    }
}

#[test]
fn singular_matrices_are_reported_and_do_not_spoil_the_solver() {
    for entry in solvers() {
        let regular = seven_bodies(&mut Stream::new(5)).index3();
        let mut solver = (entry.build)();
        solver.analyse(&regular.pattern, &regular.group);
        solver.factor(&regular.values).expect("regular");
        for column in [0, 7, 20, 33, 40] {
            let mut empty = regular.values.clone();
            empty[regular.pattern.span(column)].fill(0.0);
            assert_eq!(
                solver.factor(&empty),
                Err(Singular { column }),
                "{}",
                entry.name
            );
            let mut b = vec![1.0; regular.n()];
            solver.solve(&mut b);
            assert!(
                b.iter().all(|x| x.is_nan()),
                "factors of an older matrix were used"
            );
            solver.factor(&regular.values).expect("regular again");
            check_solution(entry.name, &mut *solver, &regular);
        }
    }
}

#[test]
fn structurally_singular_patterns_are_reported() {
    for entry in solvers() {
        for entries in [
            &[(0, 0), (2, 2)][..],
            &[(0, 0), (0, 1), (2, 2)],
            &[(0, 0), (0, 1), (0, 2)],
            &[],
        ] {
            let pattern = Pattern::from_entries(3, entries);
            let mut solver = (entry.build)();
            solver.analyse(&pattern, &[0; 3]);
            assert!(
                solver.factor(&vec![1.0; pattern.nnz()]).is_err(),
                "{}",
                entry.name
            );
        }
    }
}

#[test]
fn non_finite_values_name_their_column() {
    for entry in solvers() {
        let regular = chain(5, &mut Stream::new(5)).ggl();
        let mut solver = (entry.build)();
        solver.analyse(&regular.pattern, &regular.group);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for column in 0..regular.n() {
                let mut values = regular.values.clone();
                values[regular.pattern.span(column).start] = bad;
                assert_eq!(
                    solver.factor(&values),
                    Err(Singular { column }),
                    "{}",
                    entry.name
                );
                if column % 2 == 0 {
                    solver.factor(&regular.values).expect("regular");
                }
            }
        }
        // Finite but huge: whatever the outcome, it is not a panic.
        let huge = vec![f64::MAX; regular.pattern.nnz()];
        let _ = solver.factor(&huge);
    }
}

#[test]
fn nearly_singular_matrix_is_factored_and_shows_its_pivot_ratio() {
    for entry in solvers() {
        let mut solver = (entry.build)();
        let pattern = Pattern::from_entries(2, &[(0, 0), (1, 0), (0, 1), (1, 1)]);
        solver.analyse(&pattern, &[0, 0]);
        solver.factor(&[1.0, 1.0, 1.0, 2.0]).expect("regular");
        let info = solver
            .factor(&[1.0, 1.0, 1.0, 1.0 + 1e-12])
            .expect("nearly singular");
        assert!(
            info.pivot_ratio < 1e-11 && info.pivot_ratio > 1e-13,
            "{info:?}"
        );
    }
}

#[test]
fn fill_and_work_of_a_chain_grow_linearly() {
    let nnz = |rods: u32| {
        let matrix = chain(rods, &mut Stream::new(1)).ggl();
        let mut solver = SparseLu::new();
        solver.analyse(&matrix.pattern, &matrix.group);
        let info = solver.factor(&matrix.values).expect("regular");
        check_solution("chain", &mut solver, &matrix);
        info.nnz as f64 / rods as f64
    };
    let (short, long) = (nnz(50), nnz(2000));
    assert!(long < 1.2 * short, "entries per rod: {short} -> {long}");
}
