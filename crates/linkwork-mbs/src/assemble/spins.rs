//! Inertia that forces have of their own, between the rotations of their bodies.

use super::Plan;
use super::places::Entries;
use crate::assembly::ElementSlot;
use linkwork_dae::system::Part;

/// The rotational inertia of a force, `T = w' I w/2` with `w = (omega_a, omega_b)` in body axes.
#[derive(Debug)]
pub(crate) struct SpinPlan {
    pub a: usize,
    pub b: usize,
    pub inertia: [[f64; 6]; 6],
    /// Entries of the derivative of gyroscopic torques by `w` in D, positions in 6 x 6.
    pub gyroscopic: Vec<ElementSlot>,
}

/// The coordinates behind the rotations of two bodies.
fn turns(plan: &Plan, a: usize, b: usize) -> [Option<u32>; 6] {
    let local = plan.local_columns(a, b);
    std::array::from_fn(|j| local[j + if j < 3 { 3 } else { 6 }])
}

/// Adds the inertia of a force to the mass matrix, and the entries of its gyroscopic torques.
pub(super) fn number(
    plan: &mut Plan,
    (a, b): (usize, usize),
    inertia: [[f64; 6]; 6],
    entries: &mut Entries,
) {
    let turns = turns(plan, a, b);
    for (i, row) in turns.iter().zip(&inertia) {
        for (j, value) in turns.iter().zip(row) {
            let (Some(i), Some(j), true) = (*i, *j, *value != 0.0) else {
                continue;
            };
            let known = (plan.patterns[Part::Mass].iter()).position(|entry| *entry == (i, j));
            match known {
                Some(at) => plan.mass[at] += value,
                None => {
                    plan.patterns[Part::Mass].push((i, j));
                    plan.mass.push(*value);
                }
            }
            plan.rest_of_mass.push((i, j, *value));
        }
    }
    let spin = SpinPlan {
        a,
        b,
        inertia,
        gyroscopic: Vec::new(),
    };
    for_each_entry(&turns, |_, entry| {
        entries.r_v.insert(entry);
    });
    plan.spins.push(spin);
}

/// Calls with every entry of the derivative of gyroscopic torques: position, (row, column). Bodies that turn
/// about one axis have no such torque.
fn for_each_entry(turns: &[Option<u32>; 6], mut call: impl FnMut(u8, (u32, u32))) {
    for (side, own) in turns.chunks_exact(3).enumerate() {
        let &[Some(x), Some(y), Some(z)] = own else {
            continue;
        };
        for (i, row) in [x, y, z].into_iter().enumerate() {
            for (j, column) in turns.iter().enumerate() {
                if let Some(column) = column {
                    call((6 * (3 * side + i) + j) as u8, (row, *column));
                }
            }
        }
    }
}

/// Tells them where their entries are.
pub(super) fn place(plan: &mut Plan, number: &dyn Fn(Part, (u32, u32)) -> u32) {
    for k in 0..plan.spins.len() {
        let turns = turns(plan, plan.spins[k].a, plan.spins[k].b);
        let mut slots = Vec::new();
        for_each_entry(&turns, |from, entry| {
            slots.push((from, number(Part::Rv, entry)));
        });
        plan.spins[k].gyroscopic = slots;
    }
}
