//! How much a difference between blocks matters: by the increments that blocks were differenced with.

use super::{Differences, Entry};
use crate::system::{Blocks, Part};

impl Differences {
    /// All entries of the declared pattern: block, index, row, and the last increment of the variable.
    /// Those of `C_q` are not differenced.
    fn each(&self) -> impl Iterator<Item = (Part, usize, usize, f64)> {
        (0..self.delta.len())
            .flat_map(move |c| {
                let own = self.start[c] as usize..self.start[c + 1] as usize;
                own.map(move |k| (k, self.delta[c]))
            })
            .map(move |(k, delta)| {
                let Entry { part, index, .. } = self.entries[k];
                (part, index as usize, self.row[k] as usize, delta)
            })
    }

    /// What makes entries of the equations of motion comparable: the increments of row and variable.
    /// A product is the work that the entry does along them, or the square of a rate where rows are
    /// divided by the mass matrix.
    fn along(&self, row: usize, delta: f64) -> f64 {
        if self.divided {
            (delta / self.delta[row]).abs()
        } else {
            (delta * self.delta[row]).abs()
        }
    }

    /// Sets those entries of a change of the blocks to zero that may be rounding of the last
    /// differences; returns whether anything is left that is more.
    ///
    /// Values carry roundings of `eps` times the terms that they are sums of. The largest term of a
    /// row is about the largest of its entries times the size of the variable, of which increments
    /// are `sqrt(eps)`. A row without stiffness of its own has the roundings of forces that cancel: a
    /// change that does next to no work beside the stiffest entry is not one.
    pub(in crate::jacobian) fn drop_rounding(
        &mut self,
        base: &Blocks,
        change: &mut Blocks,
    ) -> bool {
        const ROUNDINGS: f64 = 32.0;
        const NO_WORK: f64 = 1e-11;
        let mut largest = std::mem::take(&mut self.moved);
        largest.fill(0.0);
        let mut stiffest = 0.0f64;
        for (part, index, row, delta) in self.each() {
            let x = base[part][index];
            largest[row] = (x * delta).abs().max(largest[row]);
            if row < self.dims.nv && part != Part::Cq {
                stiffest = stiffest.max(x.abs() * self.along(row, delta));
            }
        }
        let mut any = false;
        for (part, index, row, delta) in self.each().filter(|e| e.0 != Part::Cq) {
            let entry = &mut change[part][index];
            let rounding = ROUNDINGS * f64::EPSILON.sqrt() * largest[row];
            if (*entry * delta).abs() <= rounding {
                *entry = 0.0;
            } else {
                any |= row >= self.dims.nv
                    || entry.abs() * self.along(row, delta) > NO_WORK * stiffest;
            }
        }
        self.moved = largest;
        any
    }

    /// How far two stand-ins are from newly differenced blocks of the equations of motion, in shares of
    /// these. What is soft counts little beside what is stiff, as in the convergence of an iteration.
    pub(in crate::jacobian) fn distances(
        &self,
        new: &Blocks,
        stand_ins: impl Fn(Part, usize) -> [f64; 2],
    ) -> [f64; 2] {
        let (mut sum, mut all) = ([0.0; 2], 0.0);
        for (part, index, row, delta) in self.each() {
            if row >= self.dims.nv || part == Part::Cq {
                continue;
            }
            let x = new[part][index];
            let along = self.along(row, delta);
            all += x.abs() * along;
            for (sum, other) in sum.iter_mut().zip(stand_ins(part, index)) {
                *sum += (other - x).abs() * along;
            }
        }
        if all > 0.0 {
            sum.map(|x| x / all)
        } else {
            [0.0; 2]
        }
    }
}
