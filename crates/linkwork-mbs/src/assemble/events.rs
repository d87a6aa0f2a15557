//! Events by numbers: the node that each watches, and what it acts on.

use super::{Act, EventPlan, JointPlan, Plan, latches};
use crate::error::ModelError;
use crate::event::{Action, Event};
use crate::model::Model;
use linkwork_dae::law::Law;
use linkwork_dae::switching::{Sense, Switch};

/// Numbers the events of a model; their nodes are there, joints and controls are numbered.
pub(super) fn number(model: &Model, plan: &mut Plan) -> Result<(), ModelError> {
    let off = |joint: &JointPlan| {
        let mut laws = joint.joint.laws().into_iter();
        laws.any(|(_, law)| law == Law::Held { at_first: false })
    };
    plan.holds = plan.joints.iter().map(|joint| !off(joint)).collect();
    let nodes = std::mem::take(&mut plan.wiring.watched);
    for (event, node) in model.events.iter().zip(nodes) {
        let act = act(event, model, plan)?;
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

fn act(event: &Event, model: &Model, plan: &Plan) -> Result<Act, ModelError> {
    let refused = |why: String| ModelError::new(format!("event `{}`: {why}", event.name));
    let find = |name: &str| {
        let found = plan.joints.iter().position(|j| j.name == name);
        found.ok_or_else(|| {
            let error = refused(format!("there is no joint `{name}`"));
            meant(error, name, model.joints.iter().map(|j| j.name.as_str()))
        })
    };
    let latch = |name: &str| find(&latches::name(name)).ok();
    Ok(match &event.action {
        Action::Stop => Act::Stop,
        Action::Row => Act::Row,
        Action::Set { input, value } => {
            let known = plan
                .wiring
                .external
                .iter()
                .position(|(name, _)| name == input);
            let why = || {
                let error = refused(format!("there is no control `{input}` of kind `input`"));
                let known = plan.wiring.external.iter();
                meant(error, input, known.map(|(name, _)| name.as_str()))
            };
            Act::Set {
                input: known.ok_or_else(why)?,
                value: *value,
            }
        }
        Action::Lock { joint: name } => {
            let joint = find(name)?;
            let comes_and_goes = !plan.joints[joint].joint.laws().is_empty();
            let joint = match latch(name) {
                Some(latch) => latch,
                None if comes_and_goes => joint,
                None => {
                    let why = format!(
                        "joint `{name}` cannot be locked: hinges and slides (`revolute`, `prismatic`) can, and what \
                         takes hold where it is (`dry_friction`, `limit`, `rope`, `rigid_contact`)"
                    );
                    return Err(refused(why));
                }
            };
            Act::Hold { joint, holds: true }
        }
        Action::Release { joint: name } => {
            let joint = find(name)?;
            Act::Hold {
                joint: latch(name).unwrap_or(joint),
                holds: false,
            }
        }
        Action::Reverse {
            joint: name,
            restitution,
        } => {
            find(name)?;
            let why = || {
                refused(format!(
                    "joint `{name}` cannot be reversed: only hinges and slides (`revolute`, `prismatic`) can"
                ))
            };
            Act::Reverse {
                joint: latch(name).ok_or_else(why)?,
                restitution: *restitution,
            }
        }
    })
}

/// With the name that may have been meant.
fn meant<'a>(error: ModelError, name: &str, known: impl Iterator<Item = &'a str>) -> ModelError {
    match crate::spelling::nearest(name, known) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error,
    }
}
