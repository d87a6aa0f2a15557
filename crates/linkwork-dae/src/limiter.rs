//! Who limited the step: counts per unknown.

use crate::memory::Memory;
use crate::system::{Dims, Row, System};

/// Counts how often each unknown ruled the error norm or a corrector failure.
#[derive(Clone, Debug, Default)]
pub struct Limiters {
    position: Vec<u32>,
    velocity: Vec<u32>,
    constraint: Vec<u32>,
    state: Vec<u32>,
}

/// A part of the model and its share of the limited steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Limiter {
    /// Name of the part.
    pub owner: String,
    /// Share of all limited steps, 0 to 1.
    pub share: f64,
}

impl Limiters {
    /// Zero counts.
    pub fn new(dims: Dims) -> Limiters {
        Limiters {
            position: vec![0; dims.nv],
            velocity: vec![0; dims.nv],
            constraint: vec![0; dims.rows()],
            state: vec![0; dims.nx],
        }
    }

    /// Counts one.
    pub fn count(&mut self, row: Row) {
        let slot = match row {
            Row::Position(i) => self.position.get_mut(i),
            Row::Velocity(i) => self.velocity.get_mut(i),
            Row::Constraint(i) => self.constraint.get_mut(i),
            Row::State(i) => self.state.get_mut(i),
        };
        if let Some(n) = slot {
            *n += 1;
        }
    }

    /// Saves or restores the counts.
    pub fn memory(&mut self, m: &mut Memory) {
        let Limiters {
            position,
            velocity,
            constraint,
            state,
        } = self;
        m.section("limiters");
        for counts in [position, velocity, constraint, state] {
            m.counts(counts);
        }
    }

    /// Shares by owner, largest first; equal shares in the order of the model.
    pub fn by_owner(&self, sys: &dyn System) -> Vec<Limiter> {
        type Naming = fn(usize) -> Row;
        let rows = [
            (&self.position, Row::Position as Naming),
            (&self.velocity, Row::Velocity),
            (&self.constraint, Row::Constraint),
            (&self.state, Row::State),
        ];
        let rows = rows
            .iter()
            .flat_map(|(counts, row)| counts.iter().enumerate().map(|(i, &n)| (row(i), n)));
        let mut sums: Vec<(String, u64)> = Vec::new();
        let mut total = 0u64;
        for (row, n) in rows.filter(|&(_, n)| n > 0) {
            total += u64::from(n);
            let owner = sys.culprit(row);
            match sums.iter_mut().find(|(o, _)| *o == owner) {
                Some((_, sum)) => *sum += u64::from(n),
                None => sums.push((owner, u64::from(n))),
            }
        }
        sums.sort_by_key(|&(_, sum)| std::cmp::Reverse(sum));
        sums.into_iter()
            .map(|(owner, sum)| Limiter {
                owner,
                share: sum as f64 / total as f64,
            })
            .collect()
    }
}
