//! The last act of building: models are assembled, inputs and outputs numbered, loose ends found.

use super::{CoupledSystem, Draft, Part, Planned};
use crate::checkpoint::hash_of;
use crate::coordinates;
use crate::cosim::text::{Description, Drive, SubsystemText};
use crate::cosim::wires::{PortOutputs, Side, Wire, Wires};
use crate::options::Options;
use crate::settings::{OptionError, Settings};
use linkwork_dae::cosim::Connection;
use linkwork_dae::system::System;
use linkwork_mbs::error::ModelError;
use linkwork_mbs::text;

/// Whether micro steps can be made as the part asks; times and tolerances are those of the whole.
fn fits(options: &Options, system: &dyn System) -> Result<(), OptionError> {
    let t_start = system.facts().guess.t;
    let options = options.clone().t_end(t_start + 1.0);
    Settings::new(&options, t_start)?.suit(system)
}

/// Assembles the model of a subsystem.
fn part(draft: Draft) -> Result<Part, ModelError> {
    let system = coordinates::system(&draft.model, &draft.options)?;
    fits(&draft.options, &*system).map_err(|e| {
        let mut error = ModelError::new(e.message);
        error.help = e.help;
        error
    })?;
    let position = |name: &String| system.channels().iter().position(|c| c.name == *name);
    let channels: Option<Vec<usize>> = draft.outputs.iter().map(position).collect();
    Ok(Part {
        outputs: channels.ok_or_else(|| ModelError::new("an output of it is not a channel"))?,
        name: draft.name,
        system,
        options: draft.options,
        feedthrough: draft.feedthrough,
        notes: draft.notes,
        model: draft.model,
    })
}

/// A mistake in a subsystem, seen from the system file.
fn of_part(text: &SubsystemText, e: ModelError) -> ModelError {
    let message = format!("subsystem `{}`: {}", text.name, e.message);
    let mut error = ModelError::new(message).at(text.span.clone());
    error.help = e.help;
    error
}

/// Where inputs and outputs of the subsystems stand among all of them.
struct Numbering {
    parts: Vec<String>,
    input_names: Vec<String>,
    first_output: Vec<usize>,
}

impl Numbering {
    fn new(parts: &[Part]) -> Numbering {
        let mut outputs = 0;
        let first = |part: &Part| {
            outputs += part.outputs.len();
            outputs - part.outputs.len()
        };
        let first_output = parts.iter().map(first).collect();
        let inputs = |part: &Part| {
            let names = &part.system.facts().inputs;
            let full = names.iter().map(|n| format!("{}.{n}", part.name));
            full.collect::<Vec<_>>()
        };
        Numbering {
            parts: parts.iter().map(|p| p.name.clone()).collect(),
            input_names: parts.iter().flat_map(inputs).collect(),
            first_output,
        }
    }

    fn input(&self, part: usize, input: &str) -> usize {
        let full = format!("{}.{input}", self.parts[part]);
        let found = self.input_names.iter().position(|n| *n == full);
        found.unwrap_or(0)
    }

    /// A connection with numbers, its name and the inputs that it feeds.
    fn wire<'p>(&self, planned: &'p Planned) -> (Wire, &'p String, Vec<usize>) {
        match planned {
            Planned::Signal { name, ends } => {
                let to = self.input(ends.to, &ends.input);
                let wire = Wire::Signal {
                    from: self.first_output[ends.from] + ends.output,
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
                let first = |s: usize| self.input(subsystems[s], &inputs[s][0]);
                let side = |s: usize| match drives[s] {
                    Drive::Force => Side::Force { first: first(s) },
                    Drive::Displacement => Side::Displacement { first: first(s) },
                };
                let port = |s: usize| PortOutputs {
                    first: self.first_output[subsystems[s]] + outputs[s],
                    axes: *axes,
                    turns,
                };
                let fed = (0..2).flat_map(|s| first(s)..first(s) + inputs[s].len());
                let wire = Wire::Element {
                    element: law.clone(),
                    ports: [port(0), port(1)],
                    sides: [side(0), side(1)],
                };
                (wire, name, fed.collect())
            }
        }
    }
}

/// Inputs that are fed twice or not at all.
fn misfed(numbers: &Numbering, wires: &Wires, description: &Description) -> Vec<ModelError> {
    let names = &numbers.input_names;
    let mut errors = Vec::new();
    let mut fed: Vec<Option<&str>> = vec![None; names.len()];
    for Connection { name, inputs } in &wires.connections {
        for &i in inputs {
            if let Some(other) = fed[i].replace(name) {
                let signal = description.signals.iter().find(|s| s.name == *name);
                let input = &names[i];
                let message = format!("the input `{input}` is fed by `{other}` and by `{name}`");
                let error = ModelError::new(message).at(signal.and_then(|s| s.to.span.clone()));
                errors.push(error.with_label("is fed already"));
            }
        }
    }
    for (name, _) in names.iter().zip(&fed).filter(|(_, fed)| fed.is_none()) {
        let part = name.split('.').next().unwrap_or("");
        let text = description.subsystems.iter().find(|s| s.name == part);
        errors.push(
            ModelError::new(format!("the input `{name}` is not connected"))
                .at(text.and_then(|s| s.span.clone()))
                .with_label("in this subsystem")
                .with_help(format!("add a [[signal]] with `to = \"{name}\"`")),
        );
    }
    errors
}

/// The first subsystem that does not start with the others.
fn out_of_time(parts: &[Part], description: &Description) -> Option<ModelError> {
    let starts: Vec<f64> = parts.iter().map(|p| p.system.facts().guess.t).collect();
    let i = starts.iter().position(|t| *t != starts[0])?;
    let (text, first) = (&description.subsystems[i], &description.subsystems[0]);
    let message = format!(
        "subsystem `{}` starts at t = {}, `{}` at t = {}",
        text.name, starts[i], first.name, starts[0]
    );
    let error = ModelError::new(message).at(text.span.clone());
    let error = error.with_label("must start with the others");
    Some(error.with_help("give all models the same `start_time`"))
}

/// Assembles the models and numbers inputs and outputs.
pub(super) fn finish(
    name: String,
    description: Description,
    drafts: Vec<Draft>,
    plan: &[Planned],
) -> Result<CoupledSystem, Vec<ModelError>> {
    let mut identity = format!("{plan:?}");
    let (mut parts, mut errors) = (Vec::new(), Vec::new());
    for (draft, own) in drafts.into_iter().zip(&description.subsystems) {
        identity.push_str(&text::write(&draft.model));
        match part(draft) {
            Ok(part) => parts.push(part),
            Err(e) => errors.push(of_part(own, e)),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let numbers = Numbering::new(&parts);
    let mut wires = Wires::default();
    for (wire, name, inputs) in plan.iter().map(|planned| numbers.wire(planned)) {
        wires.wires.push(wire);
        let name = name.clone();
        wires.connections.push(Connection { name, inputs });
    }
    errors.extend(misfed(&numbers, &wires, &description));
    errors.extend(out_of_time(&parts, &description));
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(CoupledSystem {
        name,
        text: "".into(),
        parts,
        wires,
        input_names: numbers.input_names,
        identity: hash_of(identity.as_bytes()),
        options: description.options,
        simulation: description.simulation,
    })
}
