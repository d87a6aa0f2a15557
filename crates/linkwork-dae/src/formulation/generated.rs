//! Entries of auxiliary equations in the iteration matrix, see [`crate::auxiliary`].

use super::place::{DROPPED, Power};
use crate::auxiliary::{Auxiliary, Place, Selection};
use crate::linear::{Field, Pattern};

/// Entries with the same power.
#[derive(Default)]
struct Group {
    power: Power,
    /// Generator and slot.
    entries: Vec<(u32, u32)>,
    /// Generator, entry of the bend, slot.
    bent: Vec<(u32, u32, u32)>,
}

/// Scatter maps of the auxiliary equations.
#[derive(Default)]
pub(super) struct Generated {
    groups: Vec<Group>,
    constants: Vec<(u32, f64)>,
    // before `finish`: positions instead of slots
    positions: Vec<(u32, u32)>,
    bent_positions: Vec<(u32, u32)>,
    /// Group, generator and place of each entry among the positions; likewise with the bend.
    placed: Vec<(usize, Option<u32>, Power)>,
    bent: Vec<(usize, u32, u32)>,
}

impl Generated {
    /// Lays the equations out; returns what each own unknown is told by and the order of elimination. `bend` has places where
    /// velocities follow the positions of a chart.
    pub(super) fn lay_out(
        &mut self,
        auxiliary: &Auxiliary,
        first: u32,
        bend: &[(u32, u32)],
        row: impl Fn(Place) -> Option<(u32, Power)>,
        column: impl Fn(Place) -> Option<(u32, Power)>,
    ) -> (Vec<u32>, Vec<u32>) {
        let mut of_velocity: Vec<(u32, u32, u32)> = (0..)
            .zip(bend)
            .map(|(entry, &(i, j))| (i, entry, j))
            .collect();
        of_velocity.sort_unstable();
        let bent = |k: u32| {
            let from = of_velocity.partition_point(|b| b.0 < k);
            of_velocity.get(from).is_some_and(|b| b.0 == k)
        };
        let selection = Selection::new(auxiliary, first, true, bent, row, column);
        for e in &selection.entries {
            let group = self.group(e.power);
            self.placed.push((group, e.value, e.power));
            self.positions.push((e.row, e.column));
            let (Some(k), Some(value)) = (e.velocity, e.value) else {
                continue;
            };
            let from = of_velocity.partition_point(|b| b.0 < k);
            let own = of_velocity[from..].iter().take_while(|b| b.0 == k);
            for &(_, entry, j) in own {
                // the column is that of the velocity: columns of other positions are as far off
                let column = e.column + j - k;
                self.bent.push((group, value, entry));
                self.bent_positions.push((e.row, column));
            }
        }
        (selection.owner, selection.order)
    }

    fn group(&mut self, power: Power) -> usize {
        let known = self.groups.iter().position(|g| g.power == power);
        known.unwrap_or_else(|| {
            self.groups.push(Group {
                power,
                ..Group::default()
            });
            self.groups.len() - 1
        })
    }

    /// (row, column) of all entries.
    pub(super) fn positions(&self) -> impl Iterator<Item = (u32, u32)> {
        (self.positions.iter().chain(&self.bent_positions)).copied()
    }

    /// Turns positions into slots.
    pub(super) fn finish(&mut self, pattern: &Pattern) {
        let slot = |(i, j)| pattern.slot(i, j).map_or(DROPPED, |s| s as u32);
        for ((group, value, power), at) in self.placed.drain(..).zip(self.positions.drain(..)) {
            match value {
                Some(value) => self.groups[group].entries.push((value, slot(at))),
                None => self.constants.push((slot(at), power.parts().0)),
            }
        }
        for ((group, value, entry), at) in self.bent.drain(..).zip(self.bent_positions.drain(..)) {
            self.groups[group].bent.push((value, entry, slot(at)));
        }
    }

    /// Adds the entries to the values of the matrix.
    pub(super) fn combine<T: Field>(
        &self,
        generators: &[f64],
        bend: &[T],
        link: [T; 2],
        values: &mut [T],
    ) {
        let mut add = |slot: u32, x: T| {
            values[slot as usize] = values[slot as usize] + x;
        };
        for group in &self.groups {
            let c = group.power.of_numbers(link);
            for &(value, slot) in &group.entries {
                add(slot, c.scaled(generators[value as usize]));
            }
            for &(value, entry, slot) in &group.bent {
                let product = c.scaled(generators[value as usize]);
                add(slot, product * bend[entry as usize]);
            }
        }
        for &(slot, value) in &self.constants {
            add(slot, T::real(value));
        }
    }
}
