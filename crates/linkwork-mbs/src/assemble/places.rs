//! Entries of the blocks that depend on signals: which there are, and who adds to them.

use super::Plan;
use super::wiring::Wiring;
use linkwork_dae::system::Part;
use std::collections::BTreeSet;

/// An entry of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub part: Part,
    pub slot: u32,
}

/// Entries of the blocks that signals reach.
#[derive(Debug, Default)]
pub(super) struct Entries {
    pub r_q: BTreeSet<(u32, u32)>,
    pub r_v: BTreeSet<(u32, u32)>,
    pub r_x: BTreeSet<(u32, u32)>,
    pub r_l: BTreeSet<(u32, u32)>,
    pub f_q: BTreeSet<(u32, u32)>,
    pub f_v: BTreeSet<(u32, u32)>,
    pub f_x: BTreeSet<(u32, u32)>,
}

impl Entries {
    pub fn set(&mut self, part: Part) -> &mut BTreeSet<(u32, u32)> {
        match part {
            Part::Rq => &mut self.r_q,
            Part::Rv => &mut self.r_v,
            Part::Rx => &mut self.r_x,
            Part::Rl => &mut self.r_l,
            Part::Fq => &mut self.f_q,
            Part::Fv => &mut self.f_v,
            _ => &mut self.f_x,
        }
    }
}

/// Block and column of a derivative by a variable: of `r` or of `f`, of which the latter knows no multipliers.
fn block(of_force: bool, variable: u32, [nv, nx]: [u32; 2]) -> (Part, u32) {
    let parts = if of_force {
        [Part::Rq, Part::Rv, Part::Rx]
    } else {
        [Part::Fq, Part::Fv, Part::Fx]
    };
    if variable < nv {
        (parts[0], variable)
    } else if variable < 2 * nv {
        (parts[1], variable - nv)
    } else if variable < 2 * nv + nx || !of_force {
        (parts[2], variable - 2 * nv)
    } else {
        (Part::Rl, variable - 2 * nv - nx)
    }
}

/// Velocities and states.
fn sizes(plan: &Plan, w: &Wiring) -> [u32; 2] {
    [plan.dims.nv as u32, w.state_names.len() as u32]
}

/// Adds the block entries of forces and controls that depend on signals.
pub(super) fn collect_entries(plan: &Plan, w: &Wiring, entries: &mut Entries) {
    let sizes = sizes(plan, w);
    for_each_row(plan, w, |of_force, row, node| {
        for v in &w.variables[w.nodes[node].support.clone()] {
            let (part, column) = block(of_force, *v, sizes);
            entries.set(part).insert((row, column));
        }
    });
    for c in w.controls.iter().filter(|c| c.period.is_none()) {
        for i in c.states.clone() {
            for j in c.states.clone() {
                entries.f_x.insert((i as u32, j as u32));
            }
        }
    }
}

/// Calls with every (row of r or f, node) that meet.
fn for_each_row(plan: &Plan, w: &Wiring, mut call: impl FnMut(bool, u32, usize)) {
    for force in 0..plan.forces.len() {
        let rows = plan.rows_by_input(force);
        for (k, input) in (0u8..).zip(&plan.forces[force].inputs) {
            for (_, row, _) in rows.iter().filter(|(_, _, of)| *of == k) {
                call(true, *row, input.node);
            }
            for state in plan.forces[force].states.clone() {
                call(false, state as u32, input.node);
            }
        }
    }
    for c in w.controls.iter().filter(|c| c.period.is_none()) {
        for input in c.inputs.clone() {
            for i in c.states.clone() {
                call(false, i as u32, w.inputs[input]);
            }
        }
    }
}

/// Tells forces and controls where the entries are that they add to.
pub(super) fn place(plan: &mut Plan, w: &mut Wiring, number: &dyn Fn(Part, (u32, u32)) -> u32) {
    let sizes = sizes(plan, w);
    let support = |w: &Wiring, node: usize| w.variables[w.nodes[node].support.clone()].to_vec();
    let at = |of_force: bool, row: u32, variable: u32| {
        let (part, column) = block(of_force, variable, sizes);
        Place {
            part,
            slot: number(part, (row, column)),
        }
    };
    for f in 0..plan.forces.len() {
        let rows = plan.rows_by_input(f);
        let states = plan.forces[f].states.clone();
        for (k, input) in (0u8..).zip(&mut plan.forces[f].inputs) {
            let variables = support(w, input.node);
            for (i, row, _) in rows.iter().filter(|(_, _, of)| *of == k) {
                let places = variables.iter().map(|v| at(true, *row, *v)).collect();
                input.rows.push((*i, places));
            }
            for (i, row) in (0u8..).zip(states.clone()) {
                let places = variables
                    .iter()
                    .map(|v| at(false, row as u32, *v))
                    .collect();
                input.rates.push((i, places));
            }
        }
    }
    for c in 0..w.controls.len() {
        if w.controls[c].period.is_some() {
            continue;
        }
        let states = w.controls[c].states.clone();
        let by_input = (w.controls[c].inputs.clone())
            .map(|input| {
                let variables = support(w, w.inputs[input]);
                let rows = states.clone().map(|i| i as u32);
                rows.flat_map(|i| variables.iter().map(move |v| (i, *v)))
                    .map(|(i, v)| at(false, i, v))
                    .collect()
            })
            .collect();
        let own = states.clone();
        let by_state = (states.flat_map(|i| own.clone().map(move |j| (i as u32, j as u32))))
            .map(|entry| number(Part::Fx, entry))
            .collect();
        let control = &mut w.controls[c];
        (control.by_input, control.by_state) = (by_input, by_state);
    }
}
