//! Algebraic states at the start and after a jump: Newton on their equations `0 = f(q, v, x, t)`.

use crate::linear::{DenseLu, LinearSolver, Pattern};
use crate::state::State;
use crate::system::{Blocks, EvalError, Part, Parts, Row, System, Terms};

const ITERATIONS: usize = 50;
/// Wanted last correction relative to the scale of the state.
const SOLVED: f64 = 1e-12;

/// Why algebraic states have no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Undetermined {
    /// The system could not be evaluated.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// The equations do not determine a state.
    #[error("{row:?} is not determined by its equation")]
    Singular {
        /// The state.
        row: Row,
    },
    /// Newton's method did not come to an end.
    #[error("Newton's method for {row:?} did not converge")]
    NotConverged {
        /// The first algebraic state.
        row: Row,
    },
}

/// Solves for the algebraic states of a system, again and again without allocating.
pub struct Algebraic {
    algebraic: Vec<usize>,
    scale: Vec<f64>,
    solver: DenseLu,
    /// Entries of `f_x` between algebraic rows and states: index in the pattern, in the matrix.
    entries: Vec<(usize, usize)>,
    blocks: Blocks,
    matrix: Vec<f64>,
    f: Vec<f64>,
    moved: Vec<f64>,
    d: Vec<f64>,
}

impl Algebraic {
    /// Finds the algebraic states of a system and makes room.
    pub fn new(sys: &dyn System) -> Algebraic {
        let nx = sys.dims().nx;
        let differential = sys.facts().differential.clone();
        let algebraic: Vec<usize> = (0..nx).filter(|&i| !differential[i]).collect();
        let scale = sys.facts().scale_x.clone();
        let n = algebraic.len();
        let all: Vec<(u32, u32)> = (0..n * n)
            .map(|k| ((k % n) as u32, (k / n) as u32))
            .collect();
        let mut solver = DenseLu::new();
        solver.analyse(&Pattern::from_entries(n, &all), &[]);
        let place = |i: u32| algebraic.binary_search(&(i as usize)).ok();
        let entries = (sys.patterns()[Part::Fx].iter().enumerate())
            .filter_map(|(k, &(i, j))| Some((k, place(j)? * n + place(i)?)))
            .collect();
        Algebraic {
            scale,
            solver,
            entries,
            blocks: if n > 0 {
                Blocks::new(sys.patterns())
            } else {
                Blocks::default()
            },
            matrix: vec![0.0; n * n],
            f: vec![0.0; nx],
            moved: vec![0.0; nx],
            d: vec![0.0; n],
            algebraic,
        }
    }

    fn linearise(&mut self, sys: &mut dyn System, s: &State) -> Result<(), EvalError> {
        let mut want = Terms {
            f: Some(&mut self.f),
            ..Terms::default()
        };
        let parts = Parts::from(Part::Fx);
        sys.linearise(&s.at(), &mut want, parts, &mut self.blocks)?;
        self.matrix.fill(0.0);
        for &(from, to) in &self.entries {
            self.matrix[to] += self.blocks[Part::Fx][from];
        }
        Ok(())
    }

    /// The same for a system without derivatives, column by column.
    fn difference(&mut self, sys: &mut dyn System, s: &mut State) -> Result<(), EvalError> {
        let n = self.algebraic.len();
        let mut evaluate = |s: &State, f: &mut [f64]| {
            let mut want = Terms {
                f: Some(f),
                ..Terms::default()
            };
            sys.eval(&s.at(), &mut want)
        };
        evaluate(s, &mut self.f)?;
        for (place, &j) in self.algebraic.iter().enumerate() {
            let x = s.x[j];
            s.x[j] += f64::EPSILON.sqrt() * (self.scale[j] + x.abs());
            let delta = s.x[j] - x;
            let result = evaluate(s, &mut self.moved);
            s.x[j] = x;
            result?;
            for (row, &i) in self.algebraic.iter().enumerate() {
                self.matrix[place * n + row] = (self.moved[i] - self.f[i]) / delta;
            }
        }
        Ok(())
    }

    /// Solves for the algebraic entries of `x`; the others are given.
    pub fn solve(&mut self, sys: &mut dyn System, s: &mut State) -> Result<(), Undetermined> {
        let Some(&first) = self.algebraic.first() else {
            return Ok(());
        };
        for _ in 0..ITERATIONS {
            if sys.facts().exact.has(Part::Fx) {
                self.linearise(sys, s)?;
            } else {
                self.difference(sys, s)?;
            }
            if let Err(singular) = self.solver.factor(&self.matrix) {
                let row = Row::State(self.algebraic[singular.column]);
                return Err(Undetermined::Singular { row });
            }
            for (d, &i) in self.d.iter_mut().zip(&self.algebraic) {
                *d = -self.f[i];
            }
            self.solver.solve(&mut self.d);
            let mut largest = 0.0f64;
            for (d, &i) in self.d.iter().zip(&self.algebraic) {
                s.x[i] += d;
                if !s.x[i].is_finite() {
                    return Err(Undetermined::Singular { row: Row::State(i) });
                }
                largest = largest.max((d / (self.scale[i] + s.x[i].abs())).abs());
            }
            if largest <= SOLVED {
                return Ok(());
            }
        }
        Err(Undetermined::NotConverged {
            row: Row::State(first),
        })
    }
}
