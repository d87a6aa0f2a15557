//! Auxiliary equations at the acceleration level, see [`crate::auxiliary`].
//!
//! Entries without powers are `M` and `C_q` written out along the tree: with them the matrix is a
//! sparse form of the equations that articulated bodies solve (Featherstone 2008, section 7.1).

use crate::auxiliary::{Place, Selected, Selection};
use crate::formulation::Power;
use crate::linear::Pattern;
use crate::system::System;

/// Their entries, and where these go.
pub(super) struct Tableau {
    /// What each own unknown is told by.
    owner: Vec<u32>,
    entries: Vec<Selected>,
    slots: Vec<u32>,
    /// Number of unknowns of the saddle.
    first: usize,
    /// Typical inertia.
    inertia: f64,
}

impl Tableau {
    /// `place` has the row of the matrix of each kept constraint, `first` is the number of unknowns.
    pub fn new(sys: &dyn System, place: &[Option<usize>], first: usize) -> Option<Tableau> {
        let auxiliary = sys.auxiliary()?;
        let at = |to: Place| match to {
            Place::Velocity(i) => Some((i, Power::ONE)),
            Place::Constraint(i) => {
                let row = place.get(i as usize).copied()??;
                Some((row as u32, Power::ONE))
            }
            _ => None,
        };
        let plain = |_| false;
        let Selection { entries, owner } =
            Selection::new(auxiliary, first as u32, false, plain, at, at);
        Some(Tableau {
            owner,
            slots: vec![0; entries.len()],
            entries,
            first,
            inertia: auxiliary.inertia,
        })
    }

    /// Number of own unknowns.
    pub fn unknowns(&self) -> usize {
        self.owner.len()
    }

    /// (row, column) of all entries.
    pub fn positions(&self) -> impl Iterator<Item = (u32, u32)> {
        self.entries.iter().map(|e| (e.row, e.column))
    }

    /// Fixes the slots of the entries.
    pub fn finish(&mut self, pattern: &Pattern) {
        for (slot, e) in self.slots.iter_mut().zip(&self.entries) {
            *slot = pattern.slot(e.row, e.column).map_or(0, |s| s as u32);
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

    /// Adds the entries, rows and columns of the saddle scaled by `d`. Own rows and columns get the
    /// scale of velocities and its inverse, which leaves relations between them as they are.
    pub fn add(&self, generators: &[f64], d: &[f64], values: &mut [f64]) {
        let root = self.inertia.sqrt();
        let inverse = 1.0 / root;
        for (e, slot) in self.entries.iter().zip(&self.slots) {
            let value = e.value.map_or(1.0, |v| generators[v as usize]);
            let row = d.get(e.row as usize).copied().unwrap_or(root);
            let column = d.get(e.column as usize).copied().unwrap_or(inverse);
            values[*slot as usize] += e.power.parts().0 * value * row * column;
        }
    }
}
