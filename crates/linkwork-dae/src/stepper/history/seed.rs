//! A difference table from equidistant points, and how well it knows what comes.

use super::{BLOCK, History, LANES, MAX_ORDER, equidistant};
use crate::stepper::dense::astray;

impl History {
    /// Forgets all points; those to come are `h` apart.
    pub(in crate::stepper) fn clear(&mut self, h: f64) {
        self.table.fill(0.0);
        self.tau = equidistant(h);
        self.known = 0;
    }

    /// Adds a point: on an equidistant grid the scaled differences are backward differences.
    pub(in crate::stepper) fn push(&mut self, x: &[f64]) {
        let (blocks, _) = self.table.as_chunks_mut::<BLOCK>();
        let (x, _) = x.as_chunks::<LANES>();
        for (block, x) in blocks.iter_mut().zip(x) {
            let (columns, _) = block.as_chunks_mut::<LANES>();
            let mut new = *x;
            for column in columns.iter_mut().take(self.known + 1) {
                let old = std::mem::replace(column, new);
                for l in 0..LANES {
                    new[l] = column[l] - old[l];
                }
            }
        }
        self.known += 1;
    }

    /// All points are there: a table that a step of as high an order as they allow has led to.
    pub(in crate::stepper) fn seal(&mut self) {
        // a point is no difference
        self.known = self.known.saturating_sub(1).clamp(1, MAX_ORDER);
        self.order = self.known;
        self.at_low_order = 0;
        self.accepted.copy_from_slice(&self.table);
        self.accepted_tau = self.tau;
    }

    /// How fast the derivative of the interpolant goes astray `dt` beyond the newest point.
    pub(in crate::stepper) fn astray(&self, dt: f64) -> f64 {
        let tau = if self.form.equidistant() {
            &self.accepted_tau
        } else {
            &self.tau
        };
        let mut nodes = [0.0; MAX_ORDER + 1];
        for (node, tau) in nodes.iter_mut().zip(tau) {
            *node = -tau;
        }
        astray(&nodes[..=self.order.min(MAX_ORDER)], 1, dt)
    }
}
