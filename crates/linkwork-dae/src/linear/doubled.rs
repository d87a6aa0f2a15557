//! A complex matrix as a real one of twice the order: `[Re -Im; Im Re]`, entry by entry.

use super::{LinearSolver, Pattern, Singular};
use crate::eigen::Complex;
use crate::memory::Memory;

/// A complex matrix, factored by a real solver.
pub(crate) struct Doubled {
    solver: Box<dyn LinearSolver>,
    /// Slots of the two real and the two imaginary parts of each entry.
    slots: Vec<[u32; 4]>,
    /// Complex values in the order of the pattern, to be filled before they are factored.
    pub values: Vec<Complex>,
    spread: Vec<f64>,
    rhs: Vec<f64>,
}

impl Doubled {
    /// No matrix yet; the solver has to be without one.
    pub fn new(solver: Box<dyn LinearSolver>) -> Doubled {
        Doubled {
            solver,
            slots: Vec::new(),
            values: Vec::new(),
            spread: Vec::new(),
            rhs: Vec::new(),
        }
    }

    /// Symbolic work for the pattern of the complex matrix, see [`LinearSolver::analyse`].
    pub fn analyse(&mut self, pattern: &Pattern, group: &[u32]) {
        let n = pattern.n;
        let at = |j: usize| pattern.span(j).map(move |k| (pattern.row[k], j as u32));
        let parts = |(i, j): (u32, u32)| {
            let (i, j) = (2 * i, 2 * j);
            [(i, j), (i + 1, j + 1), (i + 1, j), (i, j + 1)]
        };
        let entries: Vec<[(u32, u32); 4]> = (0..n).flat_map(at).map(parts).collect();
        let doubled = Pattern::from_entries(2 * n, entries.as_flattened());
        // every part is in the pattern by construction
        let slot = |(i, j)| doubled.slot(i, j).map_or(0, |s| s as u32);
        self.slots = entries.iter().map(|parts| parts.map(slot)).collect();
        let groups: Vec<u32> = (0..2 * n)
            .map(|i| group.get(i / 2).copied().unwrap_or((i / 2) as u32))
            .collect();
        self.solver.analyse(&doubled, &groups);
        self.values = vec![Complex::ZERO; pattern.nnz()];
        self.spread = vec![0.0; doubled.nnz()];
        self.rhs = vec![0.0; 2 * n];
    }

    /// An order of elimination, see [`LinearSolver::suggest`].
    pub fn suggest(&mut self, order: &[u32]) {
        let both = order.iter().flat_map(|j| [2 * j, 2 * j + 1]);
        self.solver.suggest(&both.collect::<Vec<u32>>());
    }

    /// Factors the values; whether the pivots of earlier factors served again.
    pub fn factor(&mut self) -> Result<bool, Singular> {
        for (z, [re, re_too, im, minus_im]) in self.values.iter().zip(&self.slots) {
            self.spread[*re as usize] = z.re;
            self.spread[*re_too as usize] = z.re;
            self.spread[*im as usize] = z.im;
            self.spread[*minus_im as usize] = -z.im;
        }
        let found = self.solver.factor(&self.spread);
        found
            .map(|info| info.reused_pivots)
            .map_err(|singular| Singular {
                column: singular.column / 2,
            })
    }

    /// Solves in place for the first unknowns; the right-hand sides of the others are 0.
    pub fn solve(&mut self, re: &mut [f64], im: &mut [f64]) {
        self.rhs.fill(0.0);
        let (pairs, _) = self.rhs.as_chunks_mut::<2>();
        for (pair, (re, im)) in pairs.iter_mut().zip(re.iter().zip(im.iter())) {
            *pair = [*re, *im];
        }
        self.solver.solve(&mut self.rhs);
        let (pairs, _) = self.rhs.as_chunks::<2>();
        for (pair, (re, im)) in pairs.iter().zip(re.iter_mut().zip(im)) {
            [*re, *im] = *pair;
        }
    }

    /// Saves or restores the pivots.
    pub fn memory(&mut self, m: &mut Memory) {
        self.solver.memory(m);
    }
}
