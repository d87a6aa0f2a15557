//! The own unknowns that a linear problem needs, each only once.
//!
//! A formulation has no use for some places. Own unknowns that then nothing depends on are left out,
//! those that nothing moves are zero, and those with equal equations are one: in the plane, where an
//! angular velocity is the sum of joint speeds, the variations of angles, of angular velocities and of
//! angular accelerations often are.

use super::{Auxiliary, Entry, Place};
use crate::formulation::Power;
use std::collections::BTreeMap;

/// An entry in its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selected {
    pub row: u32,
    pub column: u32,
    pub value: Option<u32>,
    pub power: Power,
    /// The velocity that the column stands for.
    pub velocity: Option<u32>,
}

/// Entries of a linear problem, the diagonal of own rows included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    pub entries: Vec<Selected>,
    /// What each own unknown of the problem is told by.
    pub owner: Vec<u32>,
    /// All columns in the order of their elimination.
    pub order: Vec<u32>,
}

/// Where an own unknown went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Elimination {
    Unused,
    Zero,
    Same(u32),
}

/// A column as part of a signature: own unknowns, and velocities that bend, are no other columns.
fn key(
    column: Place,
    bent: impl Fn(u32) -> bool,
    outer: impl Fn(Place) -> Option<(u32, Power)>,
) -> Option<(u64, Power)> {
    let kind: u64 = match column {
        Place::Own(k) => return Some(((1 << 32) | u64::from(k), Power::ONE)),
        Place::Velocity(k) if bent(k) => 2,
        _ => 0,
    };
    outer(column).map(|(j, power)| ((kind << 32) | u64::from(j), power))
}

/// One entry of an own row, comparable.
type Sign = (u64, Option<u32>, u64, i32, i32);

impl Selection {
    /// The part that a formulation needs: `row` and `column` give its own index and a factor for the
    /// places it has, own unknowns come from `first` on. Without `all` only entries without powers
    /// take part. Velocities that are `bent` are no plain columns, since a chart adds to them.
    pub fn new(
        auxiliary: &Auxiliary,
        first: u32,
        all: bool,
        bent: impl Fn(u32) -> bool,
        row: impl Fn(Place) -> Option<(u32, Power)>,
        column: impl Fn(Place) -> Option<(u32, Power)>,
    ) -> Selection {
        let kept = |e: &Entry| {
            (all || (e.qdot == 0 && e.vdot == 0))
                && (matches!(e.row, Place::Own(_)) || row(e.row).is_some())
                && (matches!(e.column, Place::Own(_)) || column(e.column).is_some())
        };
        let entries: Vec<&Entry> = auxiliary.entries.iter().filter(|e| kept(e)).collect();
        let count = auxiliary.owner.len();
        let mut of_row: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut stack = Vec::new();
        for (n, e) in entries.iter().enumerate() {
            match (e.row, e.column) {
                (Place::Own(k), _) => of_row[k as usize].push(n as u32),
                (_, Place::Own(k)) => stack.push(k),
                _ => {}
            }
        }
        let mut used = vec![false; count];
        while let Some(k) = stack.pop() {
            if std::mem::replace(&mut used[k as usize], true) {
                continue;
            }
            for n in &of_row[k as usize] {
                if let Place::Own(l) = entries[*n as usize].column {
                    stack.push(l);
                }
            }
        }
        let mut eliminated = vec![Elimination::Unused; count];
        let mut known: BTreeMap<Vec<Sign>, u32> = BTreeMap::new();
        for k in (0..count).filter(|k| used[*k]) {
            let mut signs: Vec<Sign> = Vec::new();
            for n in &of_row[k] {
                let e = entries[*n as usize];
                let to = match e.column {
                    Place::Own(l) => match eliminated[l as usize] {
                        Elimination::Same(l) => Place::Own(l),
                        _ => continue,
                    },
                    other => other,
                };
                if let Some((at, power)) = key(to, &bent, &column) {
                    let power = power.times(e.factor, e.qdot, e.vdot);
                    let (factor, qdot, vdot) = power.parts();
                    signs.push((at, e.value, factor.to_bits(), qdot, vdot));
                }
            }
            eliminated[k] = if signs.is_empty() {
                Elimination::Zero
            } else {
                signs.sort_unstable();
                Elimination::Same(*known.entry(signs).or_insert(k as u32))
            };
        }
        let mut selection = Selection::default();
        let mut index = vec![0; count];
        for k in 0..count {
            if eliminated[k] == Elimination::Same(k as u32) {
                index[k] = first + selection.owner.len() as u32;
                selection.owner.push(auxiliary.owner[k]);
                selection.entries.push(Selected {
                    row: index[k],
                    column: index[k],
                    value: None,
                    power: Power::ONE,
                    velocity: None,
                });
            }
        }
        for e in entries {
            let at = |place: Place, outer: &dyn Fn(Place) -> Option<(u32, Power)>| match place {
                Place::Own(k) => match eliminated[k as usize] {
                    Elimination::Same(l) => Some((index[l as usize], Power::ONE)),
                    _ => None,
                },
                other => outer(other),
            };
            if matches!(e.row, Place::Own(k) if eliminated[k as usize] != Elimination::Same(k)) {
                continue;
            }
            let (Some((i, to)), Some((j, from))) = (at(e.row, &row), at(e.column, &column)) else {
                continue;
            };
            let (factor, qdot, vdot) = from.parts();
            let power = to
                .times(e.factor, e.qdot, e.vdot)
                .times(factor, qdot as i8, vdot as i8);
            selection.entries.push(Selected {
                row: i,
                column: j,
                value: e.value,
                power,
                velocity: match e.column {
                    Place::Velocity(j) => Some(j),
                    _ => None,
                },
            });
        }
        let size = first as usize + selection.owner.len();
        let mut listed = vec![false; size];
        let known = auxiliary.order.iter().filter_map(|place| match *place {
            Place::Own(k) if eliminated[k as usize] == Elimination::Same(k) => {
                Some(index[k as usize])
            }
            Place::Own(_) => None,
            other => column(other).map(|(j, _)| j),
        });
        for j in known.chain(0..size as u32) {
            if !std::mem::replace(&mut listed[j as usize], true) {
                selection.order.push(j);
            }
        }
        selection
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(row: Place, column: Place, value: Option<u32>) -> Entry {
        Entry {
            row,
            column,
            value,
            factor: -1.0,
            qdot: 0,
            vdot: 0,
        }
    }

    /// Own unknowns 0 and 1 have equal rows, 2 is used by nobody, 3 is moved by nothing, 4 is the sum
    /// of the equal ones.
    #[test]
    fn equal_unknowns_are_one_and_idle_ones_are_left_out() {
        use Place::{Own, Position, Velocity};
        let auxiliary = Auxiliary {
            owner: vec![0; 5],
            entries: vec![
                entry(Own(0), Position(0), Some(0)),
                entry(Own(1), Velocity(0), Some(0)),
                entry(Own(2), Velocity(0), Some(1)),
                entry(Own(4), Own(0), None),
                entry(Own(4), Own(1), None),
                entry(Own(4), Own(3), None),
                entry(Velocity(0), Own(4), Some(0)),
            ],
            order: vec![Own(4), Own(1), Own(0)],
            base: 2,
            inertia: 1.0,
        };
        let same = |place: Place| match place {
            Velocity(j) | Position(j) => Some((j, Power::ONE)),
            _ => None,
        };
        let row = |place: Place| same(place).filter(|_| place == Velocity(0));
        let selection = Selection::new(&auxiliary, 1, true, |_| false, row, same);
        assert_eq!(selection.owner.len(), 2);
        let mut places: Vec<(u32, u32)> = (selection.entries.iter())
            .map(|e| (e.row, e.column))
            .collect();
        places.sort_unstable();
        let expected = [(0, 2), (1, 0), (1, 1), (2, 1), (2, 1), (2, 2)];
        assert_eq!(places, expected);
        assert_eq!(selection.order, [2, 1, 0]);
        // what bends is not the same
        let selection = Selection::new(&auxiliary, 1, true, |_| true, row, same);
        assert_eq!(selection.owner.len(), 3);
        // as different columns they are two
        let other = |place: Place| match place {
            Velocity(j) => Some((j, Power::ONE)),
            Position(j) => Some((1 + j, Power::ONE)),
            _ => None,
        };
        let selection = Selection::new(&auxiliary, 2, true, |_| false, row, other);
        assert_eq!(selection.owner.len(), 3);
    }
}
