//! From a description to models with ports: inputs and forces are added to the models where elements
//! end, and every connection finds its places in the lists of inputs and outputs.

mod draft;
mod finish;
mod ports;

use super::element::Element;
use super::options::CosimOptions;
use super::text::{self, Description, Drive, Mistake, Place, no_such_subsystem};
use super::wires::Wires;
use crate::options::Options;
use linkwork_dae::system::System;
use linkwork_mbs::Model;
use linkwork_mbs::control::output_name;
use linkwork_mbs::error::ModelError;
use linkwork_mbs::spelling::nearest;
use linkwork_mbs::text::Fields;
use linkwork_mbs::text::tree::Table;
use std::sync::Arc;

/// Finds a model by the word of the system file: its name for messages, and its text.
pub type Loader<'a> = dyn FnMut(&str) -> Result<(String, String), String> + 'a;

/// A subsystem, ready to be integrated.
pub(super) struct Part {
    pub name: String,
    pub system: Box<dyn System>,
    /// How its micro steps are made.
    pub options: Options,
    /// Channels that others need.
    pub outputs: Vec<usize>,
    pub feedthrough: bool,
    /// What of its file is not in the model as it was written.
    pub notes: Vec<String>,
    /// What it was made from.
    pub model: Model,
}

/// Models and what connects them.
pub struct CoupledSystem {
    pub(super) name: String,
    text: Arc<str>,
    pub(super) parts: Vec<Part>,
    pub(super) wires: Wires,
    /// Names of all inputs, those of each part one after the other: `wheel.strut_x`.
    pub(super) input_names: Vec<String>,
    /// Hash of what makes the system what it is.
    pub(super) identity: u64,
    options: CosimOptions,
    simulation: Table,
}

/// A model in the making.
struct Draft {
    name: String,
    model: Model,
    /// The robot file that it comes from.
    robot: Option<String>,
    /// What of that file is not used.
    notes: Vec<String>,
    options: Options,
    outputs: Vec<String>,
    feedthrough: bool,
}

impl Draft {
    /// How to give the model what it lacks: "a [[sensor]] of kind ..".
    fn lacks(&self, what: &str) -> String {
        match &self.robot {
            None => format!("{what} in the model; this one has none"),
            Some(file) => {
                format!("{what} in model text: import {file} as model text and add it there")
            }
        }
    }
}

impl CoupledSystem {
    /// Reads a system and its models. `file` is the name of the system file in messages, `stem` the
    /// name of the system if it has none of its own.
    pub fn read(
        stem: &str,
        file: &str,
        source: &str,
        overrides: &[String],
        load: &mut Loader<'_>,
    ) -> Result<CoupledSystem, Vec<Mistake>> {
        let whole: Arc<str> = source.into();
        let here = |error: ModelError| Mistake {
            file: file.to_string(),
            text: whole.clone(),
            error,
        };
        let all_here = |errors: Vec<ModelError>| errors.into_iter().map(&here).collect::<Vec<_>>();
        let mut description = text::read(source, overrides).map_err(all_here)?;
        let mut mistakes = Vec::new();
        let mut drafts = Vec::new();
        for i in 0..description.subsystems.len() {
            match draft::draft(&description.subsystems[i], load, &here) {
                Ok(draft) => drafts.push(draft),
                Err(some) => mistakes.extend(some),
            }
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let mut plan = Vec::new();
        let mut errors = Vec::new();
        let elements = std::mem::take(&mut description.elements);
        for mut element in elements {
            let sites = [0, 1].map(|s| ports::port(&description, &drafts, &element.ports[s]));
            let [a, b] = match sites {
                [Ok(a), Ok(b)] => [a, b],
                [a, b] => {
                    errors.extend([a.err(), b.err()].into_iter().flatten());
                    continue;
                }
            };
            if let Some(e) = ports::mismatch(&drafts, &element, [&a, &b]) {
                errors.push(e);
                continue;
            }
            element.element.settle(a.place, b.place);
            let law: Arc<dyn Element> = element.element.into();
            plan.push(ports::attach(
                &mut drafts,
                &element.name,
                &law,
                [&a, &b],
                element.drives,
            ));
        }
        for signal in &description.signals {
            match signal_ends(&description, &mut drafts, signal) {
                Ok(ends) => plan.push(Planned::Signal {
                    name: signal.name.clone(),
                    ends,
                }),
                Err(e) => errors.push(e),
            }
        }
        if !errors.is_empty() {
            return Err(all_here(errors));
        }
        let name = if description.name.is_empty() {
            stem.to_string()
        } else {
            description.name.clone()
        };
        let mut system = finish::finish(name, description, drafts, &plan).map_err(all_here)?;
        system.text = whole.clone();
        Ok(system)
    }

    /// The text that describes it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Name of the system.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the subsystems.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|p| p.name.as_str())
    }

    /// The models of the subsystems by name.
    pub fn models(&self) -> impl Iterator<Item = (&str, &Model)> {
        self.parts.iter().map(|p| (p.name.as_str(), &p.model))
    }

    /// Names of the connections.
    pub fn connections(&self) -> impl Iterator<Item = &str> {
        self.wires.connections.iter().map(|c| c.name.as_str())
    }

    /// The options of the system file.
    pub fn options(&self) -> &CosimOptions {
        &self.options
    }

    /// Where an option is written in the system file, if it is.
    pub fn option_span(&self, option: &str) -> Option<std::ops::Range<usize>> {
        Fields::section("simulation", &self.simulation).span(option)
    }

    /// Start time.
    pub fn start_time(&self) -> f64 {
        self.parts.first().map_or(0.0, |p| p.system.facts().guess.t)
    }
}

/// A connection before inputs are numbered: names of inputs by subsystem.
#[derive(Debug)]
enum Planned {
    Element {
        name: String,
        law: Arc<dyn Element>,
        /// Directions: 2 in the plane, 3 in space.
        axes: usize,
        subsystems: [usize; 2],
        /// First output of each port among those of its subsystem.
        outputs: [usize; 2],
        inputs: [Vec<String>; 2],
        drives: [Drive; 2],
    },
    Signal {
        name: String,
        ends: SignalEnds,
    },
}

#[derive(Debug)]
struct SignalEnds {
    from: usize,
    output: usize,
    to: usize,
    input: String,
    held: bool,
}

fn find(description: &Description, place: &Place) -> Result<usize, ModelError> {
    let names = description.subsystems.iter();
    let found = names.map(|s| &s.name).position(|n| *n == place.subsystem);
    found.ok_or_else(|| {
        let message = format!("there is no subsystem `{}`", place.subsystem);
        no_such_subsystem(
            ModelError::new(message).at(place.span.clone()),
            &place.subsystem,
            description,
        )
    })
}

fn suggestion<'n>(word: &str, words: impl IntoIterator<Item = &'n str>) -> String {
    match nearest(word, words) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "not known".into(),
    }
}

fn signal_ends(
    description: &Description,
    drafts: &mut [Draft],
    signal: &text::SignalText,
) -> Result<SignalEnds, ModelError> {
    let (from, to) = (&signal.from, &signal.to);
    let source = find(description, from)?;
    let target = find(description, to)?;
    let model = &drafts[source].model;
    let known = model.signals();
    if !known.contains(&from.what) {
        let message = format!(
            "subsystem `{}` has no signal `{}`",
            from.subsystem, from.what
        );
        return Err(ModelError::new(message)
            .at(from.span.clone())
            .with_label(suggestion(&from.what, known.iter().map(String::as_str)))
            .with_help("signals are coordinates of bodies (`arm.angle`), sensors and controls; not accelerations and reactions, which depend on the inputs at the same instant"));
    }
    let control = model.controls.iter().find(|c| {
        let outputs = c.control.outputs();
        (0..outputs).any(|i| output_name(&c.name, outputs, i) == from.what)
    });
    let held = control.is_some_and(|c| c.control.sampling().is_some());
    drafts[source].feedthrough |= control.is_some() && !held;
    let open = || {
        let controls = drafts[target].model.controls.iter();
        controls.filter(|c| c.control.undriven().is_some())
    };
    if !open().any(|c| c.name == to.what) {
        let names: Vec<String> = open().map(|c| format!("`{}`", c.name)).collect();
        let help = if names.is_empty() {
            drafts[target].lacks("an input is a [[control]] of kind \"input\"")
        } else {
            format!("its inputs are {}", names.join(", "))
        };
        let message = format!("subsystem `{}` has no input `{}`", to.subsystem, to.what);
        return Err(ModelError::new(message)
            .at(to.span.clone())
            .with_label(suggestion(&to.what, open().map(|c| c.name.as_str())))
            .with_help(help));
    }
    let output = drafts[source].outputs.len();
    drafts[source].outputs.push(from.what.clone());
    Ok(SignalEnds {
        from: source,
        output,
        to: target,
        input: to.what.clone(),
        held,
    })
}
