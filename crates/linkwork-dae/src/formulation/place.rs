//! Block entries to places in the iteration matrix.

use super::generated::Generated;
use crate::auxiliary::{Auxiliary, Place};
use crate::linear::{Field, Pattern};
use crate::state::Link;
use crate::system::{BlockPatterns, Blocks, Part};

/// Factor that a block enters the iteration matrix with: a sign and powers of `s1` and `s2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Power {
    sign: f64,
    qdot: i32,
    vdot: i32,
}

impl Default for Power {
    fn default() -> Power {
        Power::ONE
    }
}

impl Power {
    pub(crate) const ONE: Power = Power::of(1.0, 0, 0);

    /// `sign s1^qdot s2^vdot`.
    pub(super) const fn of(sign: f64, qdot: i32, vdot: i32) -> Power {
        Power { sign, qdot, vdot }
    }

    /// The same times a number and powers.
    pub(crate) fn times(self, factor: f64, qdot: i8, vdot: i8) -> Power {
        Power {
            sign: self.sign * factor,
            qdot: self.qdot + i32::from(qdot),
            vdot: self.vdot + i32::from(vdot),
        }
    }

    /// The same over another, of number 1.
    pub(super) fn over(self, unit: Power) -> Power {
        Power {
            sign: self.sign,
            qdot: self.qdot - unit.qdot,
            vdot: self.vdot - unit.vdot,
        }
    }

    /// The number and the powers of `s1` and `s2`.
    pub(crate) fn parts(self) -> (f64, i32, i32) {
        (self.sign, self.qdot, self.vdot)
    }

    pub(crate) fn value(self, link: Link) -> f64 {
        self.of_numbers([link.qdot, link.vdot])
    }

    /// The same for any `s1` and `s2`.
    pub(super) fn of_numbers<T: Field>(self, [s1, s2]: [T; 2]) -> T {
        let power = |s: T, exponent: i32| match exponent {
            -1 => s.inverse(),
            0 => T::real(1.0),
            1 => s,
            n => s.power(n),
        };
        power(s1, self.qdot).scaled(self.sign) * power(s2, self.vdot)
    }
}

pub(super) const DROPPED: u32 = u32::MAX;

struct Placed {
    part: Part,
    power: Power,
    /// Slot in the matrix of each entry of the block; `DROPPED` for those of dropped rows.
    slots: Vec<u32>,
}

/// Products of a block with the bend of a chart.
struct Bent {
    part: Part,
    power: Power,
    /// Entry of the block, entry of the bend, slot in the matrix.
    products: Vec<(u32, u32, u32)>,
    // before `finish`
    positions: Vec<(u32, u32)>,
}

/// Collects positions, then becomes the scatter maps.
#[derive(Default)]
pub(super) struct Placement {
    placed: Vec<Placed>,
    bent: Vec<Bent>,
    /// Values with nothing but the numbers that never change.
    base: Vec<f64>,
    generated: Generated,
    /// Entries of the bend with a factor: entry, slot, factor.
    bends: Vec<(u32, u32, f64)>,
    // before `finish`: positions instead of slots
    positions: Vec<Vec<Option<(u32, u32)>>>,
    constant_positions: Vec<(u32, u32, f64)>,
    bend_positions: Vec<(u32, u32)>,
}

impl Placement {
    /// Places a block; `to` gives the (row, column) of a block entry, `None` for a dropped one.
    fn block(
        &mut self,
        patterns: &BlockPatterns,
        part: Part,
        power: Power,
        to: impl Fn(u32, u32) -> Option<(u32, u32)>,
    ) {
        let positions: Vec<_> = patterns[part].iter().map(|&(i, j)| to(i, j)).collect();
        if positions.iter().all(Option::is_none) {
            return;
        }
        self.positions.push(positions);
        self.placed.push(Placed {
            part,
            power,
            slots: Vec::new(),
        });
    }

    /// Places a block that multiplies velocities which follow the positions: beside `X` there is
    /// `X B`, where `dv = s1 (I + B) d`. `bend` has the places of `B`.
    pub(super) fn velocity_block(
        &mut self,
        patterns: &BlockPatterns,
        part: Part,
        power: Power,
        bend: &[(u32, u32)],
        to: impl Fn(u32, u32) -> Option<(u32, u32)>,
    ) {
        self.block(patterns, part, power, &to);
        self.bend(patterns, part, power, bend, to);
    }

    /// Places `X B` alone.
    fn bend(
        &mut self,
        patterns: &BlockPatterns,
        part: Part,
        power: Power,
        bend: &[(u32, u32)],
        to: impl Fn(u32, u32) -> Option<(u32, u32)>,
    ) {
        let mut bent = Bent {
            part,
            power,
            products: Vec::new(),
            positions: Vec::new(),
        };
        for (entry, &(i, j)) in (0..).zip(&patterns[part]) {
            for (b, &(_, k)) in (0..).zip(bend).filter(|(_, b)| b.0 == j) {
                if let Some(position) = to(i, k) {
                    bent.products.push((entry, b, DROPPED));
                    bent.positions.push(position);
                }
            }
        }
        if !bent.products.is_empty() {
            self.bent.push(bent);
        }
    }

    /// Places an entry of the bend itself, times a factor.
    pub(super) fn bend_entry(&mut self, entry: u32, row: u32, column: u32, factor: f64) {
        self.bends.push((entry, DROPPED, factor));
        self.bend_positions.push((row, column));
    }

    /// Places auxiliary equations, see [`Generated::lay_out`].
    pub(super) fn auxiliary(
        &mut self,
        auxiliary: &Auxiliary,
        first: u32,
        bend: &[(u32, u32)],
        row: impl Fn(Place) -> Option<(u32, Power)>,
        column: impl Fn(Place) -> Option<(u32, Power)>,
    ) -> (Vec<u32>, Vec<u32>) {
        self.generated.lay_out(auxiliary, first, bend, row, column)
    }

    /// Places a number that never changes.
    pub(super) fn constant(&mut self, row: u32, column: u32, value: f64) {
        self.constant_positions.push((row, column, value));
    }

    /// Fixes the pattern and turns positions into slots.
    pub(super) fn finish(&mut self, n: usize) -> Pattern {
        let mut entries: Vec<(u32, u32)> =
            self.positions.iter().flatten().flatten().copied().collect();
        entries.extend(&self.bend_positions);
        entries.extend(self.bent.iter().flat_map(|b| &b.positions));
        entries.extend(self.constant_positions.iter().map(|&(i, j, _)| (i, j)));
        entries.extend(self.generated.positions());
        let pattern = Pattern::from_entries(n, &entries);
        self.generated.finish(&pattern);
        // every position is in the pattern by construction
        let slot = |i, j| pattern.slot(i, j).map_or(DROPPED, |s| s as u32);
        for (placed, positions) in self.placed.iter_mut().zip(self.positions.drain(..)) {
            placed.slots = positions
                .into_iter()
                .map(|p| p.map_or(DROPPED, |(i, j)| slot(i, j)))
                .collect();
        }
        for (bend, (i, j)) in self.bends.iter_mut().zip(self.bend_positions.drain(..)) {
            bend.1 = slot(i, j);
        }
        for bent in &mut self.bent {
            for (product, (i, j)) in bent.products.iter_mut().zip(bent.positions.drain(..)) {
                product.2 = slot(i, j);
            }
        }
        self.base = vec![0.0; pattern.nnz()];
        for (i, j, value) in self.constant_positions.drain(..) {
            if let Some(base) = self.base.get_mut(slot(i, j) as usize) {
                *base += value;
            }
        }
        pattern
    }

    /// Matrix values from block values and, where velocities follow the positions, the bend, for
    /// the two numbers of a time discretisation.
    pub(super) fn combine<T: Field>(
        &self,
        blocks: &Blocks,
        bend: &[T],
        link: [T; 2],
        values: &mut [T],
    ) {
        for (value, base) in values.iter_mut().zip(&self.base) {
            *value = T::real(*base);
        }
        for placed in &self.placed {
            let c = placed.power.of_numbers(link);
            for (x, &slot) in blocks[placed.part].iter().zip(&placed.slots) {
                if let Some(value) = values.get_mut(slot as usize) {
                    *value = *value + c.scaled(*x);
                }
            }
        }
        for &(entry, slot, factor) in &self.bends {
            let value = &mut values[slot as usize];
            *value = *value + bend[entry as usize].scaled(factor);
        }
        for bent in &self.bent {
            let c = bent.power.of_numbers(link);
            let block = &blocks[bent.part];
            for &(entry, b, slot) in &bent.products {
                let product = c.scaled(block[entry as usize]) * bend[b as usize];
                values[slot as usize] = values[slot as usize] + product;
            }
        }
        (self.generated).combine(blocks.generators(), bend, link, values);
    }
}
