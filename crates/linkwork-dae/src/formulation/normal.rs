//! Vectors normal to the constraints in the metric of the coordinates.
//!
//! ```text
//!  y = W^-1 C_q' z,   C_q y = b:      S z = b,   S = C_q W^-1 C_q'
//! ```
//!
//! `W` is diagonal, so that `S` couples constraints that share a coordinate: a matrix of its own, smaller than that of a step.

use super::ggl::metric;
use super::layout::{Equation, Layout};
use crate::linear::{LinearSolver, Pattern, Singular, SparseLu};
use crate::memory::Memory;
use crate::system::{Blocks, Part, System};

/// A product of two entries of `C_q` in an entry of `S`.
struct Product {
    slot: u32,
    entries: [u32; 2],
    weight: f64,
}

/// See the [module](self).
pub(super) struct Normal {
    solver: SparseLu,
    /// Row of `S`, column of `C_q`, of each entry of a constraint that counts, with its index.
    entries: Vec<(u32, u32, u32)>,
    products: Vec<Product>,
    values: Vec<f64>,
    /// Diagonal of `W^-1`.
    inverse: Vec<f64>,
    z: Vec<f64>,
}

impl Normal {
    pub(super) fn new(sys: &dyn System, layout: &Layout) -> Normal {
        let first = layout.rows(Equation::Closure).start as u32;
        let row = |i: u32| layout.row(Equation::Closure, i).map(|k| k - first);
        let entry = |(n, &(i, j)): (u32, &(u32, u32))| Some((row(i)?, j, n));
        let places = (0..).zip(&sys.patterns()[Part::Cq]);
        let entries: Vec<_> = places.filter_map(entry).collect();
        let inverse: Vec<f64> = metric(sys).iter().map(|w| 1.0 / w).collect();
        let mut by_column = entries.clone();
        by_column.sort_unstable_by_key(|e| e.1);
        let pairs = by_column.chunk_by(|a, b| a.1 == b.1).flat_map(|own| {
            let all = own.iter().flat_map(|a| own.iter().map(move |b| (a, b)));
            all.map(|(a, b)| ((a.0, b.0), [a.2, b.2], a.1))
        });
        let pairs: Vec<_> = pairs.collect();
        let m = layout.holonomic;
        let places: Vec<_> = pairs.iter().map(|p| p.0).collect();
        let pattern = Pattern::from_entries(m, &places);
        let product = |&((i, k), entries, column): &((u32, u32), [u32; 2], u32)| {
            Some(Product {
                slot: pattern.slot(i, k)? as u32,
                entries,
                weight: inverse[column as usize],
            })
        };
        let mut normal = Normal {
            products: pairs.iter().filter_map(product).collect(),
            values: vec![0.0; pattern.nnz()],
            z: vec![0.0; m],
            solver: SparseLu::new(),
            entries,
            inverse,
        };
        normal.solver.analyse(&pattern, &[]);
        normal
    }

    /// Takes new constraints; tells the row of a dependent one.
    pub(super) fn factor(&mut self, blocks: &Blocks) -> Result<(), Singular> {
        let c_q = &blocks[Part::Cq];
        self.values.fill(0.0);
        for p in &self.products {
            let [a, b] = p.entries.map(|n| c_q[n as usize]);
            self.values[p.slot as usize] += p.weight * a * b;
        }
        self.solver.factor(&self.values).map(|_| ())
    }

    /// The normal vector with `C_q y = b`.
    pub(super) fn solve(&mut self, blocks: &Blocks, b: &[f64], y: &mut [f64]) {
        self.z.copy_from_slice(b);
        self.solver.solve(&mut self.z);
        y.fill(0.0);
        let c_q = &blocks[Part::Cq];
        for &(i, j, n) in &self.entries {
            y[j as usize] += c_q[n as usize] * self.z[i as usize];
        }
        for (y, inverse) in y.iter_mut().zip(&self.inverse) {
            *y *= inverse;
        }
    }

    /// Saves or restores pivots; factors follow from the blocks.
    pub(super) fn memory(&mut self, m: &mut Memory) {
        self.solver.memory(m);
    }
}
