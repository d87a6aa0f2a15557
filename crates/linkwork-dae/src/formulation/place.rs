//! Block entries to places in the iteration matrix.

use crate::linear::Pattern;
use crate::state::Link;
use crate::system::{BlockPatterns, Blocks, Part};

/// Powers of `1/s1` and `1/s2` that a block enters the iteration matrix with.
#[derive(Clone, Copy)]
pub(super) enum Power {
    One,
    PerQdot,
    PerVdot,
    PerBoth,
}

impl Power {
    fn of(self, link: Link) -> f64 {
        match self {
            Power::One => 1.0,
            Power::PerQdot => 1.0 / link.qdot,
            Power::PerVdot => 1.0 / link.vdot,
            Power::PerBoth => 1.0 / (link.qdot * link.vdot),
        }
    }
}

struct Placed {
    part: Part,
    power: Power,
    /// (index in the block, slot in the matrix)
    map: Vec<(u32, u32)>,
}

/// Collects positions, then becomes the scatter maps.
#[derive(Default)]
pub(super) struct Placement {
    placed: Vec<Placed>,
    constants: Vec<(u32, f64)>,
    // before `finish`: positions instead of slots
    positions: Vec<Vec<(u32, u32, u32)>>,
    constant_positions: Vec<(u32, u32, f64)>,
}

impl Placement {
    /// Places a block; `to` gives the (row, column) of a block entry, `None` for a dropped one.
    pub(super) fn block(
        &mut self,
        patterns: &BlockPatterns,
        part: Part,
        power: Power,
        to: impl Fn(u32, u32) -> Option<(u32, u32)>,
    ) {
        let positions = (0..)
            .zip(&patterns[part])
            .filter_map(|(k, &(i, j))| to(i, j).map(|(i, j)| (k, i, j)))
            .collect();
        self.positions.push(positions);
        self.placed.push(Placed {
            part,
            power,
            map: Vec::new(),
        });
    }

    /// Places a number that never changes.
    pub(super) fn constant(&mut self, row: u32, column: u32, value: f64) {
        self.constant_positions.push((row, column, value));
    }

    /// Fixes the pattern and turns positions into slots.
    pub(super) fn finish(&mut self, n: usize) -> Pattern {
        let mut entries: Vec<(u32, u32)> = self
            .positions
            .iter()
            .flatten()
            .map(|&(_, i, j)| (i, j))
            .collect();
        entries.extend(self.constant_positions.iter().map(|&(i, j, _)| (i, j)));
        let pattern = Pattern::from_entries(n, &entries);
        // every position is in the pattern by construction
        let slot = |i, j| pattern.slot(i, j).unwrap_or(0) as u32;
        for (placed, positions) in self.placed.iter_mut().zip(self.positions.drain(..)) {
            placed.map = positions.iter().map(|&(k, i, j)| (k, slot(i, j))).collect();
        }
        for (i, j, value) in self.constant_positions.drain(..) {
            self.constants.push((slot(i, j), value));
        }
        pattern
    }

    /// Matrix values from block values.
    pub(super) fn combine(&self, blocks: &Blocks, link: Link, values: &mut [f64]) {
        values.fill(0.0);
        for placed in &self.placed {
            let c = placed.power.of(link);
            let from = &blocks[placed.part];
            for &(k, slot) in &placed.map {
                values[slot as usize] += c * from[k as usize];
            }
        }
        for &(slot, value) in &self.constants {
            values[slot as usize] += value;
        }
    }
}
