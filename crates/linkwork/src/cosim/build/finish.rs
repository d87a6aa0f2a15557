//! The last act of building: models are assembled, inputs and outputs numbered, loose ends found.

use super::{CoupledSystem, Draft, Part, Planned};
use crate::checkpoint::hash_of;
use crate::coordinates;
use crate::cosim::text::{Description, Drive};
use crate::cosim::wires::{PortOutputs, Side, Wire, Wires};
use crate::options::Options;
use crate::settings::{OptionError, Settings};
use crate::simulation::stepper;
use linkwork_dae::cosim::Connection;
use linkwork_dae::system::System;
use linkwork_mbs::error::ModelError;
use linkwork_mbs::text;

/// Whether micro steps can be made as the part asks; times and tolerances are those of the whole.
fn fits(options: &Options, system: &dyn System) -> Result<(), OptionError> {
    let t_start = system.guess().t;
    let mut options = options.clone();
    options.t_end = Some(t_start + 1.0);
    let mut settings = Settings::new(&options, t_start)?;
    settings.suit(system)?;
    stepper(&settings, system).map(drop)
}

/// Assembles the models and numbers inputs and outputs.
pub(super) fn finish(
    name: String,
    description: Description,
    drafts: Vec<Draft>,
    plan: &[Planned],
) -> Result<CoupledSystem, Vec<ModelError>> {
    let mut parts = Vec::new();
    let mut errors = Vec::new();
    let (mut first_input, mut first_output) = (Vec::new(), Vec::new());
    let (mut inputs, mut outputs) = (0, 0);
    let mut input_names = Vec::new();
    let mut identity = format!("{plan:?}");
    for (draft, own) in drafts.into_iter().zip(&description.subsystems) {
        let whole = |e: ModelError| {
            let mut error = ModelError::new(format!("subsystem `{}`: {}", own.name, e.message))
                .at(own.span.clone());
            error.help = e.help;
            error
        };
        let system = match coordinates::system(&draft.model, &draft.options.coordinates) {
            Ok(system) => system,
            Err(e) => {
                errors.push(whole(e));
                continue;
            }
        };
        if let Err(e) = fits(&draft.options, &*system) {
            let mut error = ModelError::new(e.message);
            error.help = e.help;
            errors.push(whole(error));
            continue;
        }
        let position = |name: &String| system.channels().iter().position(|c| c.name == *name);
        let channels: Option<Vec<usize>> = draft.outputs.iter().map(position).collect();
        let Some(channels) = channels else {
            errors.push(whole(ModelError::new("an output of it is not a channel")));
            continue;
        };
        identity.push_str(&text::write(&draft.model));
        first_input.push(inputs);
        first_output.push(outputs);
        let names = system.inputs();
        inputs += names.len();
        outputs += channels.len();
        input_names.extend(names.iter().map(|n| format!("{}.{n}", draft.name)));
        parts.push(Part {
            name: draft.name,
            system,
            options: draft.options,
            outputs: channels,
            feedthrough: draft.feedthrough,
            notes: draft.notes,
            model: draft.model,
        });
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let number = |part: usize, input: &str| {
        let full = format!("{}.{input}", parts[part].name);
        input_names.iter().position(|n| *n == full).unwrap_or(0)
    };
    let mut wires = Wires::default();
    let mut fed: Vec<Option<&str>> = vec![None; inputs];
    for planned in plan {
        let (wire, name, of_inputs) = match planned {
            Planned::Signal { name, ends } => {
                let to = number(ends.to, &ends.input);
                let wire = Wire::Signal {
                    from: first_output[ends.from] + ends.output,
                    to,
                    held: ends.held,
                };
                (wire, name, vec![to])
            }
            Planned::Element {
                name,
                law,
                axes,
                subsystems,
                outputs,
                inputs,
                drives,
            } => {
                let turns = law.turns();
                let side = |s: usize| {
                    let first = number(subsystems[s], &inputs[s][0]);
                    match drives[s] {
                        Drive::Force => Side::Force { first },
                        Drive::Displacement => Side::Displacement { first },
                    }
                };
                let port = |s: usize| PortOutputs {
                    first: first_output[subsystems[s]] + outputs[s],
                    axes: *axes,
                    turns,
                };
                let of_inputs = (0..2).flat_map(|s| {
                    let first = number(subsystems[s], &inputs[s][0]);
                    first..first + inputs[s].len()
                });
                let of_inputs: Vec<usize> = of_inputs.collect();
                let wire = Wire::Element {
                    element: law.clone(),
                    ports: [port(0), port(1)],
                    sides: [side(0), side(1)],
                };
                (wire, name, of_inputs)
            }
        };
        for &i in &of_inputs {
            if let Some(other) = fed[i].replace(name) {
                let signal = description.signals.iter().find(|s| s.name == *name);
                errors.push(
                    ModelError::new(format!(
                        "the input `{}` is fed by `{other}` and by `{name}`",
                        input_names[i]
                    ))
                    .at(signal.and_then(|s| s.to.span.clone()))
                    .with_label("is fed already"),
                );
            }
        }
        wires.wires.push(wire);
        wires.connections.push(Connection {
            name: name.clone(),
            inputs: of_inputs,
        });
    }
    for (name, fed) in input_names.iter().zip(&fed) {
        if fed.is_none() {
            let part = name.split('.').next().unwrap_or("");
            let text = description.subsystems.iter().find(|s| s.name == part);
            errors.push(
                ModelError::new(format!("the input `{name}` is not connected"))
                    .at(text.and_then(|s| s.span.clone()))
                    .with_label("in this subsystem")
                    .with_help(format!("add a [[signal]] with `to = \"{name}\"`")),
            );
        }
    }
    let starts: Vec<f64> = parts.iter().map(|p| p.system.guess().t).collect();
    if let Some(i) = starts.iter().position(|t| *t != starts[0]) {
        let text = &description.subsystems[i];
        errors.push(
            ModelError::new(format!(
                "subsystem `{}` starts at t = {}, `{}` at t = {}",
                text.name, starts[i], description.subsystems[0].name, starts[0]
            ))
            .at(text.span.clone())
            .with_label("must start with the others")
            .with_help("give all models the same `start_time`"),
        );
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(CoupledSystem {
        name,
        parts,
        wires,
        input_names,
        identity: hash_of(identity.as_bytes()),
        options: description.options,
        simulation: description.simulation,
    })
}
