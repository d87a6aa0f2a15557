//! What signals and their places need to know of the elements, in the plane or in space.

use super::wiring::ForceInput;
use super::{Plan, local_columns};
use crate::expr::Formula;
use crate::model::Model;

impl Plan {
    pub fn force_count(&self) -> usize {
        match &self.space {
            Some(space) => space.forces.len(),
            None => self.forces.len(),
        }
    }

    pub fn force_inputs(&self, force: usize) -> &[ForceInput] {
        match &self.space {
            Some(space) => &space.forces[force].inputs,
            None => &self.forces[force].inputs,
        }
    }

    pub fn force_inputs_mut(&mut self, force: usize) -> &mut Vec<ForceInput> {
        match &mut self.space {
            Some(space) => &mut space.forces[force].inputs,
            None => &mut self.forces[force].inputs,
        }
    }

    /// The rows of a force that its inputs reach, as (local row, row, input).
    pub fn rows_by_input(&self, force: usize) -> Vec<(u8, u32, u8)> {
        let existing = |pattern: Vec<(u8, u8)>, local: &[Option<u32>]| {
            let rows = pattern.into_iter();
            rows.filter_map(|(i, k)| Some((i, local[usize::from(i)]?, k)))
                .collect()
        };
        match &self.space {
            Some(space) => {
                let f = &space.forces[force];
                let local = space.local_columns(f.a, f.b);
                existing(f.force.pattern().by_input, &local)
            }
            None => {
                let f = &self.forces[force];
                let local = local_columns(self, f.a, f.b);
                existing(f.force.pattern().by_input, &local)
            }
        }
    }

    /// Columns of the gradient of a sensed quantity that exist, and the variables behind them.
    pub fn sensor_support(&self, sensor: usize, quantity: usize) -> (Vec<u8>, Vec<u32>) {
        let nv = self.dims.nv as u32;
        let existing = |wanted: Vec<usize>, local: &[Option<u32>]| {
            let count = local.len();
            let columns = wanted.into_iter().filter_map(|column| {
                let j = local[column % count]?;
                Some((column as u8, j + if column < count { 0 } else { nv }))
            });
            columns.unzip()
        };
        match &self.space {
            Some(space) => {
                let s = &space.sensors[sensor];
                let local = space.local_columns(s.a, s.b);
                existing(s.sensor.gradient_columns(quantity), &local)
            }
            None => {
                let s = &self.sensors[sensor];
                let local = local_columns(self, s.a, s.b);
                existing(s.sensor.gradient_columns(quantity), &local)
            }
        }
    }

    /// Coordinates whose value and rate are signals (true), or the rate alone (false), in the order
    /// of [`Model::signals`].
    pub fn coordinate_signals(&self) -> Vec<(usize, bool)> {
        match &self.space {
            Some(space) => {
                let of_body = space.bodies.iter().flat_map(|body| {
                    // The entries of a rotation vector are no signals: they depend on a base.
                    let whole = body.freedoms.len() < 6;
                    (0..body.freedoms.len()).map(move |i| (body.first + i, whole || i < 3))
                });
                of_body.collect()
            }
            None => (0..self.dims.nv).map(|i| (i, true)).collect(),
        }
    }
}

/// Name and inputs of every force of a model.
pub(super) fn forces(model: &Model) -> Vec<(&str, Vec<&Formula>)> {
    match &model.spatial {
        Some(mechanism) => (mechanism.forces.iter())
            .map(|f| (f.name.as_str(), f.force.inputs()))
            .collect(),
        None => (model.forces.iter())
            .map(|f| (f.name.as_str(), f.force.inputs()))
            .collect(),
    }
}

/// Number of quantities of every sensor of a model.
pub(super) fn sensors(model: &Model) -> Vec<usize> {
    match &model.spatial {
        Some(mechanism) => (mechanism.sensors.iter())
            .map(|s| s.sensor.channels().len())
            .collect(),
        None => (model.sensors.iter())
            .map(|s| s.sensor.channels().len())
            .collect(),
    }
}
