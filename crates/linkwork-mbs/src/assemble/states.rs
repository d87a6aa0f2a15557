//! States of forces, numbered behind those of the controls.

use super::Plan;
use super::places::Entries;
use super::wiring::Wiring;
use crate::assembly::ElementSlot;
use crate::force::{ForcePattern, MAX_STATES};
use crate::joint::COLUMNS;
use crate::model::Model;
use linkwork_dae::system::Part;

/// Where derivatives that have to do with the states of a force belong; positions are by rows.
#[derive(Debug, Default)]
pub(crate) struct StatePlaces {
    /// Entries of `df/dq`, a row for each state.
    pub f_q: Vec<ElementSlot>,
    /// Entries of `df/dv`.
    pub f_v: Vec<ElementSlot>,
    /// Entries of `df/dx`.
    pub f_x: Vec<ElementSlot>,
    /// Entries of `dQ/dx`, a row for each state.
    pub r_x: Vec<ElementSlot>,
}

/// Numbers the states of all forces.
pub(super) fn number(model: &Model, plan: &mut Plan, w: &mut Wiring) {
    for (named, force) in model.forces.iter().zip(&mut plan.forces) {
        let first = w.state_names.len();
        for state in named.force.states().iter().take(MAX_STATES) {
            w.state_names.push(state.name.to_string());
            w.state_start.push(state.start);
            w.differential.push(true);
            w.state_scale.push(state.scale);
        }
        force.states = first..w.state_names.len();
        plan.evolves |= !force.states.is_empty();
    }
}

/// Calls with every entry of a force with states: block, (row, column), position in its table.
fn for_each_entry(
    plan: &Plan,
    force: usize,
    pattern: &ForcePattern,
    mut call: impl FnMut(Part, (u32, u32), u8),
) {
    let f = &plan.forces[force];
    let local = plan.local_columns(f.a, f.b);
    let state = |k: u8| (f.states.start + usize::from(k)) as u32;
    let width = COLUMNS as u8;
    for (part, list) in [(Part::Fq, &pattern.f_q), (Part::Fv, &pattern.f_v)] {
        for &(k, j) in list {
            if let Some(column) = local[usize::from(j)] {
                call(part, (state(k), column), k * width + j);
            }
        }
    }
    for &(i, k) in &pattern.by_state {
        if let Some(row) = local[usize::from(i)] {
            call(Part::Rx, (row, state(k)), k * width + i);
        }
    }
    let count = f.states.len() as u8;
    for i in 0..count {
        for j in 0..count {
            call(Part::Fx, (state(i), state(j)), i * MAX_STATES as u8 + j);
        }
    }
}

/// The entries of a force with states that can be nonzero.
fn pattern(plan: &Plan, force: usize) -> Option<ForcePattern> {
    let f = &plan.forces[force];
    let count = f.states.len();
    let mut pattern = (count > 0).then(|| f.force.pattern(f.flat))?;
    let is_own = |k: u8| usize::from(k) < count;
    pattern.by_state.retain(|(_, k)| is_own(*k));
    pattern.f_q.retain(|(k, _)| is_own(*k));
    pattern.f_v.retain(|(k, _)| is_own(*k));
    Some(pattern)
}

/// Adds the block entries of all forces with states.
pub(super) fn collect(plan: &Plan, entries: &mut Entries) {
    for force in 0..plan.forces.len() {
        if let Some(pattern) = pattern(plan, force) {
            for_each_entry(plan, force, &pattern, |part, entry, _| {
                entries.set(part).insert(entry);
            });
        }
    }
}

/// Tells them where their entries are.
pub(super) fn place(plan: &mut Plan, number: &dyn Fn(Part, (u32, u32)) -> u32) {
    for force in 0..plan.forces.len() {
        let Some(pattern) = pattern(plan, force) else {
            continue;
        };
        let mut places = StatePlaces::default();
        for_each_entry(plan, force, &pattern, |part, entry, from| {
            let list = match part {
                Part::Fq => &mut places.f_q,
                Part::Fv => &mut places.f_v,
                Part::Fx => &mut places.f_x,
                _ => &mut places.r_x,
            };
            list.push((from, number(part, entry)));
        });
        plan.forces[force].by_states = places;
    }
}
