//! Auxiliary equations at the acceleration level, see [`crate::auxiliary`].
//!
//! Entries without powers are `M` and `C_q` written out along the tree: with them the matrix is a
//! sparse form of the equations that articulated bodies solve (Featherstone 2008, section 7.1).
//!
//! Rows and columns of velocities are scaled for the typical inertia, own rows and columns by the same
//! number and its inverse, which leaves the relations between them as they are.

use crate::auxiliary::{Place, Selection};
use crate::formulation::Power;
use crate::linear::Pattern;
use crate::system::System;

/// An entry with all scales that do not change.
#[derive(Clone, Copy, Debug)]
struct Entry {
    value: u32,
    slot: u32,
    factor: f64,
}

/// Their entries, and where these go.
pub(super) struct Tableau {
    /// What each own unknown is told by.
    owner: Vec<u32>,
    order: Vec<u32>,
    /// (row, column) of all entries, until they have slots.
    positions: Vec<(u32, u32)>,
    entries: Vec<Entry>,
    /// Entries in the row or the column of a constraint, with its unknown.
    of_constraints: Vec<(Entry, u32)>,
    /// Slots of entries that are numbers.
    numbers: Vec<(u32, f64)>,
    /// Number of unknowns of the saddle.
    first: usize,
    /// Typical inertia.
    inertia: f64,
}

impl Tableau {
    /// `place` has the row of the matrix of each kept constraint, `first` is the number of unknowns,
    /// `scale` the size of each coordinate.
    pub fn new(
        sys: &dyn System,
        place: &[Option<usize>],
        first: usize,
        scale: &[f64],
    ) -> Option<Tableau> {
        let auxiliary = sys.facts().auxiliary.as_deref()?;
        let at = |to: Place| match to {
            Place::Velocity(i) => Some((i, Power::ONE)),
            Place::Constraint(i) => {
                let row = place.get(i as usize).copied()??;
                Some((row as u32, Power::ONE))
            }
            _ => None,
        };
        let plain = |_| false;
        let Selection {
            entries,
            owner,
            order,
        } = Selection::new(auxiliary, first as u32, false, plain, at, at);
        let mut tableau = Tableau {
            owner,
            order,
            positions: Vec::new(),
            entries: Vec::new(),
            of_constraints: Vec::new(),
            numbers: Vec::new(),
            first,
            inertia: auxiliary.inertia,
        };
        let root = auxiliary.inertia.sqrt();
        let size = |k: u32, own: f64| match scale.get(k as usize) {
            _ if k as usize >= first => own,
            Some(scale) => tableau.velocity_scale(*scale),
            None => 1.0,
        };
        let is_constraint = |k: &u32| (scale.len()..first).contains(&(*k as usize));
        let (mut lists, mut positions) = ((Vec::new(), Vec::new(), Vec::new()), Vec::new());
        // slots come later; until then an entry has its position
        for e in &entries {
            let factor = e.power.parts().0 * size(e.row, root) * size(e.column, 1.0 / root);
            let slot = positions.len() as u32;
            positions.push((e.row, e.column));
            let entry = |value| Entry {
                value,
                slot,
                factor,
            };
            match (e.value, [e.row, e.column].into_iter().find(is_constraint)) {
                (None, _) => lists.2.push((slot, factor)),
                (Some(value), None) => lists.0.push(entry(value)),
                (Some(value), Some(k)) => lists.1.push((entry(value), k)),
            }
        }
        (tableau.entries, tableau.of_constraints, tableau.numbers) = lists;
        tableau.positions = positions;
        Some(tableau)
    }

    /// All columns in the order of their elimination.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Number of own unknowns.
    pub fn unknowns(&self) -> usize {
        self.owner.len()
    }

    /// (row, column) of all entries.
    pub fn positions(&self) -> &[(u32, u32)] {
        &self.positions
    }

    /// Fixes the slots of the entries.
    pub fn finish(&mut self, pattern: &Pattern) {
        let positions = std::mem::take(&mut self.positions);
        let slot = |at: u32| {
            let (i, j) = positions[at as usize];
            pattern.slot(i, j).map_or(0, |s| s as u32)
        };
        let plain = self.entries.iter_mut();
        for e in plain.chain(self.of_constraints.iter_mut().map(|(e, _)| e)) {
            e.slot = slot(e.slot);
        }
        for (at, _) in &mut self.numbers {
            *at = slot(*at);
        }
    }

    /// The velocity that an unknown is told by.
    pub fn owner(&self, unknown: usize) -> usize {
        let own = unknown.checked_sub(self.first);
        let k = own.and_then(|k| self.owner.get(k));
        k.map_or(0, |k| *k as usize)
    }

    /// Scale of each velocity, `1/sqrt(M_ii)` for the typical inertia.
    pub fn velocity_scale(&self, coordinate: f64) -> f64 {
        coordinate / self.inertia.sqrt()
    }

    /// Adds the entries; `d` has the scales of constraints.
    pub fn add(&self, generators: &[f64], d: &[f64], values: &mut [f64]) {
        for e in &self.entries {
            values[e.slot as usize] += e.factor * generators[e.value as usize];
        }
        for (e, k) in &self.of_constraints {
            values[e.slot as usize] += e.factor * generators[e.value as usize] * d[*k as usize];
        }
        for (slot, x) in &self.numbers {
            values[*slot as usize] += x;
        }
    }
}
