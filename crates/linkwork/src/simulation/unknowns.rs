//! The coordinates of a simulation: those it is in, those that are chosen for it, and the same mechanism in others.

use super::Simulation;
use crate::coordinates;
use crate::options::COORDINATES;
use linkwork_mbs::Model;
use linkwork_mbs::model::Rotation;

impl Simulation {
    /// The coordinates that it is in; none for systems that bring their own.
    pub(super) fn coordinates(&self) -> Option<&str> {
        let given = self.made.as_ref()?.coordinates.as_deref();
        let [absolute, joint] = COORDINATES;
        Some(given.unwrap_or(if self.chosen.is_some() {
            joint
        } else {
            absolute
        }))
    }

    /// Takes the coordinates in which steps cost less, where they and the method are left open. [`Simulation::run`]
    /// begins with it; who looks at the system before a run with an observer does so first.
    pub fn settle(&mut self) {
        let Some(model) = self.model.as_deref() else {
            return;
        };
        let open = coordinates::are_open(&self.options) && self.settings().is_ok_and(|s| s.auto);
        match (open, self.chosen) {
            (true, None) => {
                if let Some((system, unknowns)) =
                    coordinates::cheaper(model, &*self.system, &self.options)
                {
                    (self.system, self.chosen) = (system, Some(unknowns));
                }
            }
            (false, Some(_)) => {
                if let Ok(system) = coordinates::system(model, &self.options) {
                    (self.system, self.chosen) = (system, None);
                }
            }
            _ => {}
        }
    }

    /// The same mechanism in the other coordinates, absolute or joint, with the same options otherwise; `None`
    /// where it cannot be put into them, and for systems with coordinates of their own.
    pub(crate) fn in_other_coordinates(&self) -> Option<Simulation> {
        let (model, mine) = (self.model.as_deref()?, self.coordinates()?);
        let other = COORDINATES.iter().find(|name| **name != mine)?;
        let theirs = ["coordinates", "cut", "formalism"];
        let given = self.options.clone().only(|o| !theirs.contains(&o.name));
        let options = given.coordinates(other);
        Simulation::in_coordinates(model, &options).ok()
    }

    /// The same mechanism with rotation vectors; `None` where it has no other rotations.
    pub(crate) fn in_rotation_vectors(&self) -> Option<Simulation> {
        let model = self.model.as_deref()?;
        (model.rotation != Rotation::Vectors).then_some(())?;
        let model = Model {
            rotation: Rotation::Vectors,
            ..model.clone()
        };
        let same = Simulation::in_coordinates(&model, &self.options).ok()?;
        Some(same.named(&self.name))
    }
}
