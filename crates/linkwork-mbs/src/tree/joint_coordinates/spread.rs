//! Blocks with one side along the tangent: entries of the assembly times rows of an operator.

use super::operators::{Operator, Paths};
use std::collections::BTreeMap;

/// A coordinate of the assembly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub body: usize,
    pub freedom: usize,
    /// The coordinate here that it is, if it is none of a freedom.
    pub modal: Option<u32>,
}

/// One entry of a block of the assembly and its first place in the list of slots.
#[derive(Clone, Copy, Debug)]
struct Spreading {
    from: u32,
    body: u32,
    freedom: u32,
    first: u32,
}

/// Entries of a block of the assembly on their way into a block here.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    jobs: Vec<Spreading>,
    slots: Vec<u32>,
    /// Entries of coordinates that stay what they are, with their slots.
    direct: Vec<(u32, u32)>,
}

/// Entries of a block here, numbered as they come.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    map: BTreeMap<(u32, u32), u32>,
    /// (row, column) of each.
    pub list: Vec<(u32, u32)>,
}

impl Entries {
    fn slot(&mut self, entry: (u32, u32)) -> u32 {
        let next = self.list.len() as u32;
        let slot = *self.map.entry(entry).or_insert(next);
        if slot == next {
            self.list.push(entry);
        }
        slot
    }
}

impl Spread {
    /// From entries with their places on the side of the tangent and their numbers on the other
    /// side; `place` makes (row, column) of both numbers.
    pub fn new(
        paths: &Paths,
        entries: &mut Entries,
        from: impl Iterator<Item = (usize, Place, u32)>,
        place: impl Fn(u32, u32) -> (u32, u32),
    ) -> Spread {
        let mut all = Spread::default();
        // entries of one row on one body share their slots
        let mut known: BTreeMap<(u32, usize), u32> = BTreeMap::new();
        for (index, at, other) in from {
            if let Some(k) = at.modal {
                let slot = entries.slot(place(k, other));
                all.direct.push((index as u32, slot));
                continue;
            }
            let first = *known.entry((other, at.body)).or_insert_with(|| {
                let first = all.slots.len() as u32;
                let path = paths.of(at.body).iter();
                all.slots
                    .extend(path.map(|k| entries.slot(place(*k, other))));
                first
            });
            all.jobs.push(Spreading {
                from: index as u32,
                body: at.body as u32,
                freedom: at.freedom as u32,
                first,
            });
        }
        all
    }

    /// Adds the products.
    pub fn run(&self, paths: &Paths, by: &Operator, from: &[f64], out: &mut [f64]) {
        for job in &self.jobs {
            let x = from[job.from as usize];
            let row = by.row(paths, job.body as usize, job.freedom as usize);
            let slots = &self.slots[job.first as usize..][..row.len()];
            for (slot, o) in slots.iter().zip(row) {
                out[*slot as usize] += x * o;
            }
        }
        for &(index, slot) in &self.direct {
            out[slot as usize] += from[index as usize];
        }
    }
}
