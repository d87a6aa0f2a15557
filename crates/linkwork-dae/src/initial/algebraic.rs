//! Algebraic states at the start: Newton on their equations `0 = f(q, v, x, t)`.

use super::eval_failed;
use super::failure::StartError;
use crate::linear::{DenseLu, LinearSolver, Pattern};
use crate::state::State;
use crate::system::{Blocks, Part, Parts, Row, System, Terms};

const ITERATIONS: usize = 50;
/// Wanted last correction relative to the scale of the state.
const SOLVED: f64 = 1e-12;

/// Solves for the algebraic entries of `x`; the others are given.
pub(super) fn solve(sys: &mut dyn System, s: &mut State) -> Result<(), StartError> {
    let nx = sys.dims().nx;
    let mut differential = vec![true; nx];
    sys.differential(&mut differential);
    let algebraic: Vec<usize> = (0..nx).filter(|&i| !differential[i]).collect();
    if algebraic.is_empty() {
        return Ok(());
    }
    let mut scale = vec![1.0; nx];
    sys.scale_x(&mut scale);
    let n = algebraic.len();
    let entries: Vec<(u32, u32)> = (0..n * n)
        .map(|k| ((k % n) as u32, (k / n) as u32))
        .collect();
    let mut solver = DenseLu::new();
    solver.analyse(&Pattern::from_entries(n, &entries), &vec![0; n]);
    let pattern = sys.patterns()[Part::Fx].clone();
    let mut blocks = Blocks::new(sys.patterns());
    let mut f = vec![0.0; nx];
    let place = |i: u32| algebraic.binary_search(&(i as usize)).ok();
    for _ in 0..ITERATIONS {
        let mut want = Terms {
            f: Some(&mut f),
            ..Terms::default()
        };
        let parts = Parts::from(Part::Fx);
        sys.linearise(&s.at(), &mut want, parts, &mut blocks)
            .map_err(|e| eval_failed(e, s))?;
        let mut matrix = vec![0.0; n * n];
        for (&(i, j), x) in pattern.iter().zip(&blocks[Part::Fx]) {
            if let (Some(i), Some(j)) = (place(i), place(j)) {
                matrix[j * n + i] += x;
            }
        }
        let undetermined = |row: usize, s: &State| StartError::NotFinite {
            what: format!(
                "the start value of {}",
                sys.describe(Row::State(algebraic[row]))
            ),
            state: Box::new(s.clone()),
        };
        if let Err(singular) = solver.factor(&matrix) {
            return Err(undetermined(singular.column, s));
        }
        let mut d: Vec<f64> = algebraic.iter().map(|&i| -f[i]).collect();
        solver.solve(&mut d);
        let mut largest = 0.0f64;
        for (&i, d) in algebraic.iter().zip(&d) {
            s.x[i] += d;
            largest = largest.max((d / (scale[i] + s.x[i].abs())).abs());
        }
        if let Some(bad) = algebraic.iter().position(|&i| !s.x[i].is_finite()) {
            return Err(undetermined(bad, s));
        }
        if largest <= SOLVED {
            return Ok(());
        }
    }
    Err(StartError::NotFinite {
        what: format!(
            "the start value of {} (Newton's method did not converge)",
            sys.describe(Row::State(algebraic[0]))
        ),
        state: Box::new(s.clone()),
    })
}
