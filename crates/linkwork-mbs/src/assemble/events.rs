//! Events by numbers: the node that each watches, and what it acts on.

use super::{Act, EventPlan, Plan};
use crate::error::ModelError;
use crate::event::{Action, Event};
use crate::model::Model;
use linkwork_dae::law::Law;
use linkwork_dae::switching::{Sense, Switch};

/// Numbers the events of a model; their nodes are there, joints and controls are numbered.
pub(super) fn number(model: &Model, plan: &mut Plan) -> Result<(), ModelError> {
    plan.holds = vec![true; plan.joints.len()];
    let nodes = std::mem::take(&mut plan.wiring.watched);
    for (event, node) in model.events.iter().zip(nodes) {
        let act = act(event, plan)?;
        if let Act::Hold { joint, holds: true } = act {
            plan.holds[joint] = false;
        }
        plan.switches.push(Switch {
            name: format!("event `{}`", event.name),
            sense: if event.rising {
                Sense::Rising
            } else {
                Sense::Falling
            },
            scale: 1.0,
            recorded: matches!(act, Act::Row | Act::Stop),
        });
        plan.events.push(EventPlan { node, act });
    }
    Ok(())
}

fn act(event: &Event, plan: &Plan) -> Result<Act, ModelError> {
    let refused = |why: String| ModelError::new(format!("event `{}`: {why}", event.name));
    let find = |name: &str| {
        let found = plan.joints.iter().position(|j| j.name == name);
        found.ok_or_else(|| refused(format!("there is no joint `{name}`")))
    };
    Ok(match &event.action {
        Action::Stop => Act::Stop,
        Action::Row => Act::Row,
        Action::Set { input, value } => {
            let known = plan
                .wiring
                .external
                .iter()
                .position(|(name, _)| name == input);
            let why = || refused(format!("there is no control `{input}` of kind `input`"));
            Act::Set {
                input: known.ok_or_else(why)?,
                value: *value,
            }
        }
        Action::Lock { joint: name } => {
            let joint = find(name)?;
            if plan.joints[joint].joint.capacity().is_none() {
                return Err(refused(format!(
                    "joint `{name}` cannot be locked: only `dry_friction` takes hold where it is"
                )));
            }
            Act::Hold { joint, holds: true }
        }
        Action::Release { joint: name } => {
            let joint = find(name)?;
            let laws = plan.laws.iter().zip(&plan.law_joints);
            let mut own = laws.filter(|(_, j)| **j == joint).map(|(law, _)| law.law);
            if own.any(|law| matches!(law, Law::OneSided { .. })) {
                return Err(refused(format!(
                    "joint `{name}` opens and closes by itself"
                )));
            }
            Act::Hold {
                joint,
                holds: false,
            }
        }
    })
}
