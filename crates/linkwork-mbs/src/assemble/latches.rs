//! Latches of joints that events lock, or whose motion they reverse.

use crate::event::Action;
use crate::model::{Model, NamedJoint};
use std::borrow::Cow;

/// The name of the latch of a joint.
pub(super) fn name(joint: &str) -> String {
    format!("{joint}.lock")
}

/// The model with its latches behind all other joints; the model itself where there are none.
pub(super) fn with_latches(model: Cow<'_, Model>) -> Cow<'_, Model> {
    let wanted = |joint: &&NamedJoint| {
        model.events.iter().any(|event| match &event.action {
            Action::Lock { joint: j } | Action::Reverse { joint: j, .. } => *j == joint.name,
            _ => false,
        })
    };
    let latch = |joint: &NamedJoint| {
        Some(NamedJoint {
            name: name(&joint.name),
            joint: joint.joint.latch()?.into(),
            ..joint.clone()
        })
    };
    let latches: Vec<NamedJoint> = (model.joints.iter().filter(wanted))
        .filter_map(latch)
        .collect();
    if latches.is_empty() {
        return model;
    }
    let mut all = model.into_owned();
    all.joints.extend(latches);
    Cow::Owned(all)
}
