//! Signals and controls, numbered.
//!
//! ```text
//!  node        one value with its dependence on (q, v, x): a coordinate, a sensed quantity, an output
//!              of a control, a formula; in an order in which each needs only earlier ones
//!  variable    j: q_j,  nv + j: v_j,  2 nv + j: x_j,  2 nv + nx + j: lambda_j
//!  support     the variables that a node depends on; its derivatives are stored in that order
//! ```
//!
//! An output that depends on itself within one instant has no such order and is refused by name.
//! Outputs that are states (lags, equations) or held need nothing at the same instant.

use super::places::{Entries, Place, collect_entries};
use super::{Plan, check, states};
use crate::control::{Control, output_name};
use crate::error::ModelError;
use crate::expr::{Formula, Unseen};
use crate::model::{Model, multiplier_names};
use linkwork_dae::switching::{Sense, Switch};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// How the derivatives of one node enter those of another: the slot in the support of the other,
/// for each variable in its own.
#[derive(Debug)]
pub(crate) struct Chain {
    pub node: usize,
    pub slots: Vec<u32>,
}

/// Where a node takes its value from.
#[derive(Debug)]
pub(crate) enum SignalSource {
    /// `q_i`.
    Position(usize),
    /// `v_i`.
    Velocity(usize),
    /// A quantity of a sensor; the columns of its gradient in the order of the support.
    Sensor {
        sensor: usize,
        quantity: usize,
        columns: Vec<u8>,
    },
    /// The multiplier of a row.
    Multiplier(usize),
    /// A held output.
    Held(usize),
    /// A signal from outside.
    Input(usize),
    /// An output of a continuous control: slots of its own states, then what the inputs bring.
    Output {
        control: usize,
        output: usize,
        states: Vec<u32>,
        inputs: Vec<Chain>,
    },
    /// A formula of earlier nodes.
    Formula {
        formula: Formula,
        signals: Vec<Chain>,
        /// Its corners among all switching functions; none where nothing smooth follows it.
        switches: Range<usize>,
    },
}

/// A value with its dependence.
#[derive(Debug)]
pub(crate) struct SignalNode {
    pub source: SignalSource,
    /// Its variables and derivatives in the flat lists.
    pub support: Range<usize>,
}

/// A numbered control.
#[derive(Debug)]
pub(crate) struct ControlPlan {
    pub name: String,
    pub control: Arc<dyn Control>,
    /// States in `x`.
    pub states: Range<usize>,
    /// Inputs in the list of all inputs.
    pub inputs: Range<usize>,
    /// The clock: time between samples.
    pub period: Option<f64>,
    /// Discrete states in the memory.
    pub memory: Range<usize>,
    /// Held outputs in the memory.
    pub held: Range<usize>,
    /// Whether a held output reaches a force or a state: then its jumps matter to the integrator.
    pub drives: bool,
    /// Entries of `f_x` by own states, by rows.
    pub by_state: Vec<u32>,
    /// For each input, entries of the rows of the control by the support of the input, by rows.
    pub by_input: Vec<Vec<Place>>,
}

/// An input of a force that names signals.
#[derive(Debug)]
pub(crate) struct ForceInput {
    pub node: usize,
    /// Local row of the force, and its entries by the support of the node.
    pub rows: Vec<(u8, Vec<Place>)>,
    /// The same of the rates of its states.
    pub rates: Vec<(u8, Vec<Place>)>,
}

/// Everything about signals that evaluation would have to search for.
#[derive(Debug, Default)]
pub(crate) struct Wiring {
    pub nodes: Vec<SignalNode>,
    /// Supports of all nodes, one after the other.
    pub variables: Vec<u32>,
    pub controls: Vec<ControlPlan>,
    /// Node of each input of each control.
    pub inputs: Vec<usize>,
    /// Node of each output of each control, in the order of the channels.
    pub outputs: Vec<usize>,
    /// Switching functions of formulas, in words; they follow those of forces.
    pub switches: Vec<Switch>,
    /// Nodes of formulas in which something may be narrow, and what of it counts; and formulas of time alone.
    pub narrow: Vec<(usize, Unseen)>,
    pub narrow_in_time: Vec<Formula>,
    /// Nodes that events watch, until these are numbered.
    pub watched: Vec<usize>,
    /// Joints whose friction bears what a signal says, and its node.
    pub bearing: Vec<(usize, usize)>,
    /// Memory at the start.
    pub memory: Vec<f64>,
    /// Signals from outside: name, and what they are as long as nobody drives them.
    pub external: Vec<(String, Formula)>,
    /// Names of the states, their start values, whether differential, typical sizes.
    pub state_names: Vec<String>,
    pub state_start: Vec<f64>,
    pub differential: Vec<bool>,
    pub state_scale: Vec<f64>,
}

/// A signal by name.
#[derive(Clone, Copy, Debug)]
enum Signal {
    Position(usize),
    Velocity(usize),
    Sensor { sensor: usize, quantity: usize },
    Output { control: usize, output: usize },
    Multiplier(usize),
}

/// Finds an order for the nodes by visiting what each needs first.
struct Sorter<'a> {
    plan: &'a Plan,
    wiring: Wiring,
    signals: BTreeMap<String, Signal>,
    /// Nodes of signals that are there already.
    found: BTreeMap<String, usize>,
    /// Controls whose outputs are being visited, outermost first.
    path: Vec<usize>,
}

/// Numbers signals and controls; tells every force its inputs.
pub(super) fn wire(
    model: &Model,
    plan: &mut Plan,
    entries: &mut Entries,
) -> Result<Wiring, ModelError> {
    let mut wiring = number_controls(model)?;
    states::number(model, plan, &mut wiring);
    let mut builder = Sorter {
        signals: signals(model, plan),
        plan,
        wiring,
        found: BTreeMap::new(),
        path: Vec::new(),
    };
    let steps = Some(plan.unseen());
    for (c, named) in model.controls.iter().enumerate() {
        let title = format!("control `{}`", named.name);
        for (k, formula) in named.control.inputs().into_iter().enumerate() {
            let at = builder.wiring.controls[c].inputs.start + k;
            if builder.wiring.inputs[at] == usize::MAX {
                let unseen = steps.filter(|_| named.control.sampling().is_none());
                let node = builder.formula(&title, formula, unseen)?;
                builder.wiring.inputs[at] = node;
            }
            builder.without_multipliers(&title, builder.wiring.inputs[at])?;
        }
        let outputs = named.control.outputs();
        for output in 0..outputs {
            let name = output_name(&named.name, outputs, output);
            let node = builder.signal(&title, &name)?;
            builder.wiring.outputs.push(node);
        }
    }
    let mut of_forces = Vec::new();
    for named in &model.forces {
        let (name, formulas) = (&named.name, named.force.inputs());
        let mut nodes = Vec::new();
        if formulas.iter().any(|f| !f.signals().is_empty()) {
            let title = format!("force `{name}`");
            for formula in formulas {
                let node = builder.formula(&title, formula, steps)?;
                if !named.force.states().is_empty() {
                    builder.without_multipliers(&title, node)?;
                }
                nodes.push(node);
            }
        }
        of_forces.push(nodes);
    }
    let mut bearing = Vec::new();
    for named in &model.joints {
        let formula = named.joint.capacity().filter(|f| !f.signals().is_empty());
        if let Some(formula) = formula {
            let title = format!("joint `{}`", named.name);
            let node = builder.formula(&title, formula, steps)?;
            bearing.push((named.name.clone(), node));
        }
    }
    let mut of_reactions = false;
    for event in &model.events {
        let title = format!("event `{}`", event.name);
        let node = builder.formula(&title, &event.when, Some(Unseen::Waves))?;
        of_reactions |= builder.reads_multipliers(node);
        builder.wiring.watched.push(node);
    }
    let mut wiring = builder.wiring;
    plan.watches_multipliers = of_reactions;
    let of_states = (wiring.controls.iter().filter(|c| !c.states.is_empty()))
        .flat_map(|c| wiring.inputs[c.inputs.clone()].iter().copied());
    let ends: Vec<usize> = (of_forces.iter().flatten().copied())
        .chain(of_states)
        .chain(bearing.iter().map(|(_, node)| *node))
        .collect();
    mark_driving(&mut wiring, ends);
    for (name, node) in bearing {
        let joint = plan.joints.iter().position(|j| j.name == name);
        wiring.bearing.extend(joint.map(|joint| (joint, node)));
    }
    for (force, nodes) in of_forces.into_iter().enumerate() {
        let inputs = nodes.into_iter().map(|node| ForceInput {
            node,
            rows: Vec::new(),
            rates: Vec::new(),
        });
        plan.forces[force].inputs = inputs.collect();
    }
    for node in &wiring.nodes {
        if let SignalSource::Multiplier(row) = node.source {
            let joint = plan.joint_of[row] as usize;
            plan.joints[joint].places.stays = true;
        }
    }
    collect_entries(plan, &wiring, entries);
    states::collect(plan, entries);
    Ok(wiring)
}

/// Marks the sampled controls whose outputs reach one of the given nodes.
fn mark_driving(w: &mut Wiring, mut open: Vec<usize>) {
    let mut seen = vec![false; w.nodes.len()];
    let mut driving = BTreeSet::new();
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut seen[node], true) {
            continue;
        }
        match &w.nodes[node].source {
            SignalSource::Held(k) => {
                driving.insert(*k);
            }
            SignalSource::Output { inputs: needs, .. }
            | SignalSource::Formula { signals: needs, .. } => {
                open.extend(needs.iter().map(|chain| chain.node));
            }
            SignalSource::Position(_)
            | SignalSource::Velocity(_)
            | SignalSource::Sensor { .. }
            | SignalSource::Multiplier(_)
            | SignalSource::Input(_) => {}
        }
    }
    for control in &mut w.controls {
        control.drives = driving.range(control.held.clone()).next().is_some();
    }
}

/// States, inputs and memory of the controls, one after the other.
fn number_controls(model: &Model) -> Result<Wiring, ModelError> {
    let mut w = Wiring::default();
    for named in &model.controls {
        let control = &named.control;
        let refused = |why: String| ModelError::new(format!("control `{}`: {why}", named.name));
        control.check().map_err(refused)?;
        check::scale(&named.name, named.scale)?;
        let first = w.state_names.len();
        for state in control.states() {
            w.state_names.push(state.name);
            w.state_start.push(state.start);
            w.differential.push(state.differential);
            w.state_scale.push(named.scale);
        }
        let inputs = w.inputs.len()..w.inputs.len() + control.inputs().len();
        w.inputs.resize(inputs.end, usize::MAX);
        let start = w.memory.len();
        let sampling = control.sampling();
        if let Some(sampling) = &sampling {
            w.memory.extend(&sampling.memory);
        }
        let held = w.memory.len();
        let outputs = if sampling.is_some() {
            control.outputs()
        } else {
            0
        };
        w.memory.resize(held + outputs, 0.0);
        if let Some(value) = control.undriven() {
            w.external.push((named.name.clone(), value.clone()));
        }
        w.controls.push(ControlPlan {
            name: named.name.clone(),
            control: control.clone(),
            states: first..w.state_names.len(),
            inputs,
            period: sampling.map(|s| s.period),
            memory: start..held,
            held: held..held + outputs,
            drives: false,
            by_state: Vec::new(),
            by_input: Vec::new(),
        });
    }
    Ok(w)
}

/// All signals of a model by name, as [`Model::signals`] lists them.
fn signals(model: &Model, plan: &Plan) -> BTreeMap<String, Signal> {
    let mut all = Vec::new();
    for (i, with_position) in plan.coordinate_signals() {
        all.extend(with_position.then_some(Signal::Position(i)));
        all.push(Signal::Velocity(i));
    }
    for (sensor, named) in model.sensors.iter().enumerate() {
        let told = model.axes.told(named.sensor.channels()).into_iter();
        all.extend(told.map(|(quantity, _, _)| Signal::Sensor { sensor, quantity }));
    }
    for (control, named) in model.controls.iter().enumerate() {
        let count = named.control.outputs();
        all.extend((0..count).map(|output| Signal::Output { control, output }));
    }
    let mut all: BTreeMap<String, Signal> = model.signals().into_iter().zip(all).collect();
    for j in plan.joints.iter().filter(|j| !j.places.is_further()) {
        let names = multiplier_names(&j.name, &*j.joint);
        for (own, row) in j.places.rows() {
            all.insert(names[own].clone(), Signal::Multiplier(row));
        }
    }
    all
}

impl Sorter<'_> {
    /// The node of a signal; it is made if it is not there yet.
    fn signal(&mut self, by: &str, name: &str) -> Result<usize, ModelError> {
        if let Some(node) = self.found.get(name) {
            return Ok(*node);
        }
        let Some(&signal) = self.signals.get(name) else {
            let known = self.signals.keys().map(String::as_str);
            let error = ModelError::new(format!("{by}: there is no signal `{name}`"));
            return Err(match crate::spelling::nearest(name, known) {
                Some(near) => error.with_help(format!("did you mean `{near}`?")),
                None => error,
            });
        };
        let nv = self.plan.dims.nv;
        let node = match signal {
            Signal::Position(i) => self.push(SignalSource::Position(i), &[i as u32]),
            Signal::Velocity(i) => self.push(SignalSource::Velocity(i), &[(nv + i) as u32]),
            Signal::Sensor { sensor, quantity } => self.sensor(sensor, quantity),
            Signal::Multiplier(row) => {
                let variable = self.first_multiplier() + row;
                self.push(SignalSource::Multiplier(row), &[variable as u32])
            }
            Signal::Output { control, output } => self.output(control, output)?,
        };
        self.found.insert(name.to_string(), node);
        Ok(node)
    }

    /// The variable of the first multiplier.
    fn first_multiplier(&self) -> usize {
        2 * self.plan.dims.nv + self.wiring.state_names.len()
    }

    fn reads_multipliers(&self, node: usize) -> bool {
        let first = self.first_multiplier() as u32;
        self.support(node).iter().any(|v| *v >= first)
    }

    /// Refuses multipliers where a value has to be known without them.
    fn without_multipliers(&self, by: &str, node: usize) -> Result<(), ModelError> {
        if !self.reads_multipliers(node) {
            return Ok(());
        }
        let message = format!("{by} cannot read the multiplier of a joint");
        Err(ModelError::new(message)
            .with_help("forces without states of their own can, and events"))
    }

    fn push(&mut self, source: SignalSource, support: &[u32]) -> usize {
        let w = &mut self.wiring;
        let first = w.variables.len();
        w.variables.extend(support);
        w.nodes.push(SignalNode {
            source,
            support: first..w.variables.len(),
        });
        w.nodes.len() - 1
    }

    fn sensor(&mut self, sensor: usize, quantity: usize) -> usize {
        let (columns, support) = self.plan.sensor_support(sensor, quantity);
        let source = SignalSource::Sensor {
            sensor,
            quantity,
            columns,
        };
        self.push(source, &support)
    }

    fn output(&mut self, control: usize, output: usize) -> Result<usize, ModelError> {
        let plan = &self.wiring.controls[control];
        let (states, inputs) = (plan.states.clone(), plan.inputs.clone());
        if plan.period.is_some() {
            let held = plan.held.start + output;
            return Ok(self.push(SignalSource::Held(held), &[]));
        }
        let mut external = self.wiring.external.iter();
        if let Some(k) = external.position(|(name, _)| *name == plan.name) {
            return Ok(self.push(SignalSource::Input(k), &[]));
        }
        let mut needed = Vec::new();
        if plan.control.feedthrough() {
            if let Some(from) = self.path.iter().position(|c| *c == control) {
                return Err(self.algebraic_loop(from));
            }
            let law = plan.control.clone();
            let title = format!("control `{}`", plan.name);
            self.path.push(control);
            for (formula, at) in law.inputs().into_iter().zip(inputs) {
                if self.wiring.inputs[at] == usize::MAX {
                    let node = self.formula(&title, formula, Some(self.plan.unseen()))?;
                    self.wiring.inputs[at] = node;
                }
                needed.push(self.wiring.inputs[at]);
            }
            self.path.pop();
        }
        let nv = self.plan.dims.nv;
        let own: Vec<u32> = states.map(|i| (2 * nv + i) as u32).collect();
        let support = self.union(&needed, &own);
        let states = own.iter().map(|v| slot(&support, *v)).collect();
        let source = SignalSource::Output {
            control,
            output,
            states,
            inputs: self.chains(&needed, &support),
        };
        Ok(self.push(source, &support))
    }

    /// The node of a formula; with what of it is unseen steps end at its corners and do not leap over it.
    fn formula(
        &mut self,
        by: &str,
        formula: &Formula,
        unseen: Option<Unseen>,
    ) -> Result<usize, ModelError> {
        let mut needed = Vec::new();
        for signal in formula.signals() {
            needed.push(self.signal(by, &signal.name)?);
        }
        let support = self.union(&needed, &[]);
        let first = self.plan.switches.len() + self.wiring.switches.len();
        let corners = formula.corners().iter().filter(|_| unseen.is_some());
        let switches = corners.map(|corner| {
            let name = format!("{by}, `{}` of its formula", corner.word);
            Switch::new(name, Sense::Mode)
        });
        self.wiring.switches.extend(switches);
        let source = SignalSource::Formula {
            formula: formula.clone(),
            signals: self.chains(&needed, &support),
            switches: first..self.plan.switches.len() + self.wiring.switches.len(),
        };
        let node = self.push(source, &support);
        let decides = !formula.corners().is_empty();
        let unseen = unseen.map(|own| if decides { Unseen::Waves } else { own });
        if let Some(unseen) = unseen.filter(|unseen| formula.may_hide(*unseen)) {
            self.wiring.narrow.push((node, unseen));
        }
        Ok(node)
    }

    fn support(&self, node: usize) -> &[u32] {
        &self.wiring.variables[self.wiring.nodes[node].support.clone()]
    }

    /// The variables of some nodes and some more, ascending.
    fn union(&self, nodes: &[usize], more: &[u32]) -> Vec<u32> {
        let of_nodes = nodes.iter().flat_map(|n| self.support(*n));
        let all: BTreeSet<u32> = of_nodes.chain(more).copied().collect();
        all.into_iter().collect()
    }

    fn chains(&self, nodes: &[usize], support: &[u32]) -> Vec<Chain> {
        let chain = |&node: &usize| Chain {
            node,
            slots: self
                .support(node)
                .iter()
                .map(|v| slot(support, *v))
                .collect(),
        };
        nodes.iter().map(chain).collect()
    }

    fn algebraic_loop(&self, from: usize) -> ModelError {
        let quoted: Vec<String> = (self.path[from..].iter())
            .map(|c| format!("`{}`", self.wiring.controls[*c].name))
            .collect();
        let message = match &quoted[..] {
            [alone] => {
                format!("the output of control {alone} depends on itself at the same instant")
            }
            all => format!(
                "the outputs of controls {} depend on each other at the same instant",
                all.join(", ")
            ),
        };
        ModelError::new(message).with_help(
            "put a `filter` into the loop, or write it as an `equation`, which is solved with the motion",
        )
    }
}

/// Place of a variable in an ascending support that has it.
fn slot(support: &[u32], variable: u32) -> u32 {
    support.partition_point(|v| *v < variable) as u32
}
