//! From a description to models with ports: inputs and forces are added to the models where elements
//! end, and every connection finds its places in the lists of inputs and outputs.

mod finish;

use super::element::{Element, PortNames};
use super::options::CosimOptions;
use super::text::{self, Description, Drive, Mistake, Place, no_such_subsystem};
use super::wires::Wires;
use crate::options::{Options, Scheme};
use linkwork_dae::system::System;
use linkwork_mbs::control::{Input, output_name};
use linkwork_mbs::error::ModelError;
use linkwork_mbs::force::{AppliedForce, Torque};
use linkwork_mbs::spelling::nearest;
use linkwork_mbs::text::tree::Table;
use linkwork_mbs::text::{self as model_text, Fields};
use linkwork_mbs::{BodyRef, Formula, Model, Sensor};
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
}

/// Models and what connects them.
pub struct CoupledSystem {
    pub(super) name: String,
    pub(super) parts: Vec<Part>,
    pub(super) wires: Wires,
    /// Names of all inputs, those of each part one after the other: `wheel.strut_x`.
    pub(super) input_names: Vec<String>,
    options: CosimOptions,
    simulation: Table,
}

/// A model in the making.
struct Draft {
    name: String,
    model: Model,
    options: Options,
    outputs: Vec<String>,
    feedthrough: bool,
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
            match draft(&description, i, load, &here) {
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
            let sites = [0, 1].map(|s| port(&description, &drafts, &element.ports[s]));
            let [a, b] = match sites {
                [Ok(a), Ok(b)] => [a, b],
                [a, b] => {
                    errors.extend([a.err(), b.err()].into_iter().flatten());
                    continue;
                }
            };
            element.element.settle(a.place, b.place);
            let law: Arc<dyn Element> = element.element.into();
            plan.push(attach(
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
        finish::finish(name, description, drafts, &plan).map_err(all_here)
    }

    /// Name of the system.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the subsystems.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|p| p.name.as_str())
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
        self.parts.first().map_or(0.0, |p| p.system.guess().t)
    }
}

/// A connection before inputs are numbered: names of inputs by subsystem.
enum Planned {
    Element {
        name: String,
        law: Arc<dyn Element>,
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

struct SignalEnds {
    from: usize,
    output: usize,
    to: usize,
    input: String,
    held: bool,
}

fn draft(
    description: &Description,
    i: usize,
    load: &mut Loader<'_>,
    here: &dyn Fn(ModelError) -> Mistake,
) -> Result<Draft, Vec<Mistake>> {
    let s = &description.subsystems[i];
    let (file, source) = load(&s.model).map_err(|why| {
        let message = format!("subsystem `{}`: {why}", s.name);
        vec![here(
            ModelError::new(message)
                .at(s.model_span.clone())
                .with_label("cannot be read"),
        )]
    })?;
    let text: Arc<str> = source.as_str().into();
    let there = |error: ModelError| Mistake {
        file: file.clone(),
        text: text.clone(),
        error,
    };
    let document = model_text::read_with(&source, &s.set)
        .map_err(|errors| errors.into_iter().map(there).collect::<Vec<_>>())?;
    let own = Options::read(document.simulation.fields()).map_err(|e| vec![there(e)])?;
    // a model that is part of a system keeps its method; times and tolerances are those of the whole
    let scheme = Scheme {
        method: s.method.clone().or(own.scheme.method.clone()),
        // a formulation belongs to the method that was named with it
        formulation: s.formulation.clone().or(match s.method {
            Some(_) => None,
            None => own.scheme.formulation.clone(),
        }),
        ..if s.method.is_some() {
            Scheme::default()
        } else {
            own.scheme
        }
    };
    if scheme.method.as_deref() == Some(crate::settings::AUTO) {
        let error = ModelError::new(format!(
            "subsystem `{}`: the method cannot be chosen automatically",
            s.name
        ));
        let error = error
            .at(s.span.clone())
            .with_label("needs `method`")
            .with_help("name the method that `linkwork run` chose for the model");
        return Err(vec![here(error)]);
    }
    let mut options = Options {
        scheme,
        ..Options::default()
    };
    options.steps.max_step = own.steps.max_step;
    Ok(Draft {
        name: s.name.clone(),
        model: document.model,
        options,
        outputs: Vec::new(),
        feedthrough: false,
    })
}

/// Where an element ends.
struct Site {
    subsystem: usize,
    sensor: String,
    body: BodyRef,
    body_name: String,
    point: [f64; 2],
    place: [f64; 2],
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

fn port(description: &Description, drafts: &[Draft], place: &Place) -> Result<Site, ModelError> {
    let subsystem = find(description, place)?;
    let model = &drafts[subsystem].model;
    let points = || {
        let sensors = model.sensors.iter();
        sensors.filter(|s| matches!(s.sensor, Sensor::Point { .. }))
    };
    let found = points().find(|s| s.name == place.what);
    let Some((sensor, Sensor::Point { body, point })) = found.map(|s| (&s.name, &s.sensor)) else {
        let known: Vec<String> = points().map(|s| format!("`{}`", s.name)).collect();
        let message = format!(
            "subsystem `{}` has no point sensor `{}`",
            place.subsystem, place.what
        );
        let help = if known.is_empty() {
            "a port is a [[sensor]] of kind \"point\" in the model; this one has none".to_string()
        } else {
            format!("its point sensors are {}", known.join(", "))
        };
        return Err(ModelError::new(message)
            .at(place.span.clone())
            .with_label(suggestion(&place.what, points().map(|s| s.name.as_str())))
            .with_help(help));
    };
    if sensor.contains('-') || *body == BodyRef::GROUND {
        let why = if sensor.contains('-') {
            format!("the name `{sensor}` cannot stand in a formula")
        } else {
            format!("`{sensor}` is a point of the ground, which does not move")
        };
        return Err(ModelError::new(why)
            .at(place.span.clone())
            .with_label("cannot be a port"));
    }
    Ok(Site {
        subsystem,
        sensor: sensor.clone(),
        body: *body,
        body_name: model.body(*body).map_or(String::new(), |b| b.name.clone()),
        point: point.point,
        place: model.site(*body).pose.point(point.point),
    })
}

fn formula(text: &str) -> Formula {
    // made of names and numbers that have been checked
    Formula::parse_with_signals(text).unwrap_or_else(|_| Formula::constant(f64::NAN))
}

/// Adds inputs and forces of an element to the models at its ends.
fn attach(
    drafts: &mut [Draft],
    name: &str,
    law: &Arc<dyn Element>,
    sites: [&Site; 2],
    drives: [Drive; 2],
) -> Planned {
    let turns = law.turns();
    let own = |site: &Site| {
        let (s, b) = (&site.sensor, &site.body_name);
        PortNames {
            p: [format!("{s}.x"), format!("{s}.y")],
            v: [format!("{s}.x.velocity"), format!("{s}.y.velocity")],
            turn: [format!("{b}.angle"), format!("{b}.angle.velocity")],
        }
    };
    let mut outputs = [0; 2];
    let mut inputs: [Vec<String>; 2] = Default::default();
    for s in 0..2 {
        let site = sites[s];
        let draft = &mut drafts[site.subsystem];
        let names = own(site);
        outputs[s] = draft.outputs.len();
        draft
            .outputs
            .extend(names.p.iter().chain(&names.v).cloned());
        if turns {
            draft.outputs.extend(names.turn.iter().cloned());
        }
        let input = |what: &str| format!("{name}_{what}");
        let texts: Vec<String> = match drives[s] {
            Drive::Force => {
                inputs[s] = ["fx", "fy", "m"][..if turns { 3 } else { 2 }]
                    .iter()
                    .map(|w| input(w))
                    .collect();
                inputs[s].clone()
            }
            Drive::Displacement => {
                let whats = ["x", "y", "vx", "vy", "angle", "omega"];
                inputs[s] = whats[..if turns { 6 } else { 4 }]
                    .iter()
                    .map(|w| input(w))
                    .collect();
                let other = PortNames {
                    p: ["x", "y"].map(input),
                    v: ["vx", "vy"].map(input),
                    turn: ["angle", "omega"].map(input),
                };
                if s == 1 {
                    law.formulas(&other, &names)
                } else {
                    let on_b = law.formulas(&names, &other);
                    on_b.iter().map(|f| format!("-({f})")).collect()
                }
            }
        };
        let model = &mut draft.model;
        for input in &inputs[s] {
            model.add_control(input.as_str(), Input::zero());
        }
        let force = AppliedForce {
            point: site.point.into(),
            x: formula(&texts[0]),
            y: formula(&texts[1]),
            body_fixed: false,
        };
        model.add_force(name, BodyRef::GROUND, site.body, force);
        if let Some(text) = texts.get(2) {
            let torque = Torque {
                torque: formula(text),
            };
            let name = format!("{name}_torque");
            model.add_force(name, BodyRef::GROUND, site.body, torque);
        }
    }
    Planned::Element {
        name: name.to_string(),
        law: law.clone(),
        subsystems: [sites[0].subsystem, sites[1].subsystem],
        outputs,
        inputs,
        drives,
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
            "an input is a [[control]] of kind \"input\" in the model; this one has none".into()
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
