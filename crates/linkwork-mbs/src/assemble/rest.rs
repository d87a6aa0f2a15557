//! Free lengths and angles that were left open: those of the start, once all joints are closed.

use crate::assembly::Assembly;
use crate::geometry::Site;
use crate::handle::BodyRef;
use crate::model::Model;
use crate::repose::take_pose;
use linkwork_dae::initial;
use linkwork_dae::system::System;

/// Guesses that are open by less, relative to the size of the mechanism, are the pose of the start.
const CLOSED: f64 = 1e-9;

/// The model with free lengths and angles of the pose that the joints allow; `None` where that is the one that
/// was guessed, or nobody asks for it.
pub(crate) fn rested(model: &Model, assembly: &Assembly) -> Option<Model> {
    if !model.forces.iter().any(|f| f.rests_at_start) {
        return None;
    }
    let guess = assembly.facts().guess.clone();
    let [open, _] = assembly.openness(&guess)?;
    if open <= CLOSED {
        return None;
    }
    let mut system = assembly.clone();
    let start = initial::start(&mut system, &guess).ok()?;
    let mut values = vec![0.0; system.facts().channels.len()];
    system.observe(&start.state, &mut values);
    let channels = &system.facts().channels;
    let value = |name: &str| Some(values[channels.iter().position(|c| c.name == name)?]);
    let mut posed = model.clone();
    take_pose(&mut posed, value).ok()?;
    let mut rested = model.clone();
    for force in rested.forces.iter_mut().filter(|f| f.rests_at_start) {
        let sides = [force.a, force.b].into_iter();
        let sides = sides.chain(force.further.iter().copied());
        let sites: Vec<Site> = sides.map(|body: BodyRef| posed.site(body)).collect();
        force.force = force.force.rested(&sites)?;
    }
    Some(rested)
}
