//! From a model to numbered equations: checks, coordinates, block patterns, slots.
//!
//! Everything that evaluation would have to search for is found here once. The entries of `C_q`
//! and `(C_q v + C_t)_q` belong to one joint each and are stored joint after joint; the entries of
//! `K` and `D` are shared by all elements on a body and are found through slots. Rows that no
//! coordinate enters are left out: they are satisfied at the start, or never.

mod check;
mod events;
mod latches;
mod number;
mod places;
mod rest;
mod spins;
mod states;
mod targets;
mod wiring;

pub(crate) use spins::SpinPlan;
pub(crate) use states::StatePlaces;
pub(crate) use wiring::{SignalNode, SignalSource, Wiring};

use crate::assembly::{Assembly, ElementSlot, JointPlaces, Meeting, PullBack};
use crate::carrier::{Carrier, Coordinate, Recovered};
use crate::error::ModelError;
use crate::expr::{Formula, Unseen};
use crate::force::{Force, ForceWant};
use crate::geometry::{Matrix, Vector};
use crate::handle::BodyRef;
use crate::joint::{COLUMNS, Joint};
use crate::lanes::Lanes;
use crate::model::{Axes, Model};
use crate::sensor::Sensor;
use linkwork_dae::law::{Impacts, RowLaw};
use linkwork_dae::rotation::Quaternion;
use linkwork_dae::switching::Switch;
use linkwork_dae::system::{BlockPatterns, Dims, Guess, Part, System};
use places::Entries;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use wiring::ForceInput;

/// Number of the ground among the frames; the numbered body `i` has frame `i + 1`.
pub(crate) const GROUND: usize = 0;

/// What the coordinates of a body mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MotionKind {
    /// Position and rotation; the number of the rotation among those of the chart.
    Rigid { rotation: usize },
    /// x, y and an angle about z, at a constant height.
    Planar { z: f64 },
    /// Position.
    Point,
    /// x and y, at a constant height.
    Bead { z: f64 },
    /// Behind a map; its number among those.
    Mapped(usize),
    /// One number, which a joint follows.
    Target,
}

/// A numbered body, or one of several frames of one.
#[derive(Debug)]
pub(crate) struct BodyPlan {
    pub name: String,
    /// Its number in the model.
    pub index: usize,
    /// First of its coordinates; behind a map they are those of its frame.
    pub first: usize,
    /// The freedoms behind its coordinates, among dx, dy, dz, theta_x, theta_y, theta_z.
    pub freedoms: &'static [usize],
    pub motion: MotionKind,
    pub mass: f64,
    pub inertia: Matrix,
    /// Force of gravity.
    pub weight: Vector,
    /// Entries of `d(omega x J omega)/d omega` in D.
    pub gyroscopic: Vec<ElementSlot>,
}

/// A numbered carrier.
#[derive(Debug)]
pub(crate) struct CarrierPlan {
    pub name: String,
    pub carrier: Arc<dyn Carrier>,
    /// Its coordinates among all.
    pub coordinates: Range<usize>,
    /// The same in words.
    pub told: Vec<Coordinate>,
    /// Its equations among all.
    pub rows: Range<usize>,
    /// Its frames among the numbered bodies.
    pub frames: Range<usize>,
    /// Number of its rotation among those of the chart.
    pub rotation: Option<usize>,
    /// Number of energies that it tells.
    pub energies: usize,
}

/// A numbered joint.
#[derive(Debug)]
pub(crate) struct JointPlan {
    pub name: String,
    pub joint: Arc<dyn Joint>,
    pub places: JointPlaces,
    /// Where a curve changes that it moves along.
    pub features: Vec<f64>,
}

/// A numbered force.
#[derive(Debug)]
pub(crate) struct ForcePlan {
    pub name: String,
    pub force: Arc<dyn Force>,
    pub a: usize,
    pub b: usize,
    /// Whether both bodies move in the x-y plane.
    pub flat: bool,
    pub lanes: Lanes,
    /// The terms that have entries.
    pub has: ForceWant,
    /// Entries of `-dQ/dq` in K.
    pub stiffness: Vec<ElementSlot>,
    /// Entries of `-dQ/dv` in D.
    pub damping: Vec<ElementSlot>,
    /// Inputs; empty when none of them names a signal.
    pub inputs: Vec<ForceInput>,
    /// Its own states in `x`.
    pub states: Range<usize>,
    /// Entries of derivatives that have to do with its states.
    pub by_states: StatePlaces,
    /// Its switching functions among all.
    pub switches: Range<usize>,
    /// Where a curve changes that it moves along, and one over how fast it does.
    pub features: [Vec<f64>; 2],
    /// Whether such a curve is a formula in which something may be narrow.
    pub hides: [bool; 2],
    /// The channels that are told, with their numbers.
    pub told: Vec<(usize, &'static str, &'static str)>,
    /// Its remembered angles.
    pub turns: Range<usize>,
}

/// A numbered sensor.
#[derive(Debug)]
pub(crate) struct SensorPlan {
    pub name: String,
    pub sensor: Arc<dyn Sensor>,
    pub a: usize,
    pub b: usize,
    /// Whether both bodies move in the x-y plane.
    pub flat: bool,
    /// The channels that are told, with their numbers.
    pub told: Vec<(usize, &'static str, &'static str)>,
    /// Its remembered angles.
    pub turns: Range<usize>,
}

/// A numbered event.
#[derive(Debug)]
pub(crate) struct EventPlan {
    /// Node of what passes zero.
    pub node: usize,
    pub act: Act,
}

/// What an event does, by numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    Stop,
    Row,
    Set { input: usize, value: f64 },
    Hold { joint: usize, holds: bool },
    Reverse { joint: usize, restitution: f64 },
}

/// The constant part of an assembly, shared by all its copies.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub axes: Axes,
    /// Sizes and blocks as the frames see them; where no body is behind a map, those of the system.
    pub dims: Dims,
    pub patterns: BlockPatterns,
    /// Bodies that are reached by selection, then the frames of carriers.
    pub bodies: Vec<BodyPlan>,
    /// Whether any of them has gyroscopic torques.
    pub gyroscopic: bool,
    /// How many of them are reached by selection.
    pub selected: usize,
    pub carriers: Vec<CarrierPlan>,
    /// The frames of each body of the model among the numbered bodies.
    pub frames_of: Vec<Range<usize>>,
    /// From the frames to the coordinates of carriers; `None` where there are none.
    pub pull_back: Option<PullBack>,
    pub gravity: Vector,
    /// Joints; one with more than two sides is followed by its further parts.
    pub joints: Vec<JointPlan>,
    /// Targets that joints follow: coordinate and row, and their entries by the multipliers.
    pub targets: Vec<(u32, u32)>,
    pub target_slots: Vec<u32>,
    /// Whether forces read multipliers, and whether events do.
    pub reads_multipliers: bool,
    pub watches_multipliers: bool,
    pub forces: Vec<ForcePlan>,
    /// Beams whose strain energy is told as one, and their forces.
    pub beams: Vec<(String, Vec<usize>)>,
    /// Inertia of forces.
    pub spins: Vec<SpinPlan>,
    /// Whether forces have states.
    pub evolves: bool,
    /// Rows that are not always in force, ascending, and the joint of each.
    pub laws: Vec<RowLaw>,
    pub law_joints: Vec<usize>,
    /// What several impacts at one time do.
    pub impacts: Impacts,
    /// Switching functions of the forces, then of formulas, then of the events, in words.
    pub switches: Vec<Switch>,
    pub events: Vec<EventPlan>,
    /// Whether each joint holds at the start.
    pub holds: Vec<bool>,
    pub sensors: Vec<SensorPlan>,
    pub wiring: Wiring,
    /// Entries of M.
    pub mass: Vec<f64>,
    /// The entries of M that are not those of planar bodies, which everybody knows: row, column, value.
    pub rest_of_mass: Vec<(u32, u32, f64)>,
    /// Generalised gravity force.
    pub weight: Vec<f64>,
    /// Typical size of each coordinate; `None` for lengths.
    pub scales: Vec<Option<f64>>,
    /// Frequency of each coordinate by itself; 0 where it has none.
    pub rates: Vec<f64>,
    /// Body of each coordinate.
    pub body_of: Vec<u32>,
    /// Joint of each constraint row.
    pub joint_of: Vec<u32>,
    /// First coordinate and start orientation of every rotation.
    pub rotations: Vec<(usize, Quaternion)>,
    /// What may meet.
    pub meetings: Vec<Meeting>,
    /// Number of remembered angles.
    pub turns: usize,
    /// Typical length.
    pub length: f64,
    pub guess: Guess,
}

impl ForcePlan {
    /// Whether the curve that it moves along (0), or that over its rates (1), limits steps.
    pub fn knows(&self, curve: usize) -> bool {
        self.features[curve].len() > 1 || self.hides[curve]
    }
}

impl Plan {
    /// Whether a coordinate is a target.
    pub fn is_target(&self, coordinate: u32) -> bool {
        self.targets.iter().any(|(i, _)| *i == coordinate)
    }

    /// What of its forces error control does not see: waves, where they may press on what is at rest and moves all of a sudden.
    pub fn unseen(&self) -> Unseen {
        if self.laws.is_empty() {
            Unseen::Bumps
        } else {
            Unseen::Waves
        }
    }

    /// Whether anything is known about where the equations are not smooth.
    pub fn knows_surroundings(&self) -> bool {
        !self.switches.is_empty()
            || !self.wiring.narrow.is_empty()
            || !self.wiring.narrow_in_time.is_empty()
            || self.forces.iter().any(|f| f.knows(0) || f.knows(1))
            || self.joints.iter().any(|j| j.features.len() > 1)
            || !self.meetings.is_empty()
            || self.counts_flat_turns()
    }

    /// Whether turns are counted of bodies whose own rotation is an angle: nothing else limits it in a step.
    pub fn counts_flat_turns(&self) -> bool {
        let mut joints = self.joints.iter();
        let mut forces = self.forces.iter();
        let mut sensors = self.sensors.iter();
        joints.any(|j| j.places.flat && !j.places.turns.is_empty())
            || forces.any(|f| f.flat && !f.turns.is_empty())
            || sensors.any(|s| s.flat && !s.turns.is_empty())
    }

    /// Remembers two points that may meet, if they begin to act on each other within a reach.
    pub fn may_meet(
        &mut self,
        reach: Option<f64>,
        frames: [usize; 2],
        points: [Option<Vector>; 2],
    ) {
        if let (Some(reach), [Some(a), Some(b)]) = (reach, points) {
            self.meetings.push(Meeting {
                frames,
                points: [a, b],
                reach,
            });
        }
    }

    /// Coordinates of the bodies that are reached by selection.
    pub fn plain_coordinates(&self) -> usize {
        let first = self.bodies.get(self.selected);
        first.map_or(self.dims.nv, |body| body.first)
    }

    /// The frame of a body of the model.
    pub fn frame(&self, body: BodyRef) -> usize {
        let frames = body.index().and_then(|i| self.frames_of.get(i));
        frames.map_or(GROUND, |frames| GROUND + 1 + frames.start + body.frame())
    }

    /// Numbered bodies in the order of the model.
    pub fn told_bodies(&self) -> impl Iterator<Item = usize> + '_ {
        self.frames_of.iter().cloned().flatten()
    }

    /// Coordinates that are told by themselves, with their bodies and names.
    pub fn told_coordinates(&self) -> impl Iterator<Item = (usize, &str, &str)> {
        self.carriers.iter().flat_map(|c| {
            let told = c.coordinates.clone().zip(&c.told);
            told.filter_map(|(i, told)| Some((i, c.name.as_str(), told.channel.as_deref()?)))
        })
    }

    /// Energies that carriers tell, with their names.
    pub fn energies(&self) -> impl Iterator<Item = (&CarrierPlan, Vec<String>)> {
        self.carriers.iter().map(|c| (c, c.carrier.energies()))
    }

    /// Further quantities of carriers, with their coordinates and the name of the body.
    pub fn recovered(&self) -> impl Iterator<Item = (&CarrierPlan, &Recovered)> {
        let carriers = self.carriers.iter();
        carriers.flat_map(|c| c.carrier.recovered().iter().map(move |r| (c, r)))
    }

    /// The coordinate behind each local column; `None` where the body has no such freedom.
    pub fn local_columns(&self, a: usize, b: usize) -> [Option<u32>; COLUMNS] {
        std::array::from_fn(|j| {
            let side = if j < 6 { a } else { b };
            let body = &self.bodies[side.checked_sub(GROUND + 1)?];
            let local = body.freedoms.iter().position(|f| *f == j % 6)?;
            Some((body.first + local) as u32)
        })
    }

    /// The rows of a force that its inputs reach, as (local row, row, input).
    pub fn rows_by_input(&self, force: usize) -> Vec<(u8, u32, u8)> {
        let f = &self.forces[force];
        let local = self.local_columns(f.a, f.b);
        let rows = f.force.pattern(f.flat).by_input.into_iter();
        rows.filter_map(|(i, k)| Some((i, local[usize::from(i)]?, k)))
            .collect()
    }

    /// Columns of the gradient of a sensed quantity that exist, and the variables behind them.
    pub fn sensor_support(&self, sensor: usize, quantity: usize) -> (Vec<u8>, Vec<u32>) {
        let nv = self.dims.nv as u32;
        let s = &self.sensors[sensor];
        let local = self.local_columns(s.a, s.b);
        let columns = s.sensor.gradient_columns(quantity, s.flat).into_iter();
        let existing = columns.filter_map(|column| {
            let j = local[column % COLUMNS]?;
            Some((column as u8, j + if column < COLUMNS { 0 } else { nv }))
        });
        existing.unzip()
    }

    /// Coordinates whose value and rate are signals (true), or the rate alone (false), in the order
    /// of [`Model::signals`].
    pub fn coordinate_signals(&self) -> Vec<(usize, bool)> {
        let bodies = self.told_bodies().map(|i| &self.bodies[i]);
        let of_body = bodies.flat_map(|body| {
            // The entries of a rotation vector are no signals: they depend on a base.
            let whole = body.freedoms.len() < 6;
            (0..body.freedoms.len()).map(move |i| (body.first + i, whole || i < 3))
        });
        of_body.collect()
    }
}

/// A model ready to be simulated, in absolute coordinates.
pub fn system(model: &Model) -> Result<Box<dyn System>, ModelError> {
    Ok(Box::new(assemble(model)?))
}

/// Checks a model and numbers its equations. Free lengths and angles that were left open are those of the pose that
/// the joints allow.
pub fn assemble(model: &Model) -> Result<Assembly, ModelError> {
    let assembly = put_together(model)?;
    match rest::rested(model, &assembly) {
        None => Ok(assembly),
        Some(model) => put_together(&model),
    }
}

/// Why a model cannot be assembled.
pub(crate) fn refusal(model: &Model) -> Option<ModelError> {
    put_together(model).err()
}

/// The model with its open free lengths and angles as they are once all joints are closed.
pub(crate) fn rested(model: &Model) -> Option<Model> {
    let rests = model.forces.iter().any(|f| f.rests_at_start);
    let assembly = rests.then(|| put_together(model).ok())??;
    rest::rested(model, &assembly)
}

fn put_together(model: &Model) -> Result<Assembly, ModelError> {
    check::names(model)?;
    check::axes(model)?;
    // a controller alone is a model too: it has states, and others to work with
    let nothing_to_move = model.bodies.is_empty()
        && model.joints.is_empty()
        && model.forces.is_empty()
        && model.controls.is_empty();
    if nothing_to_move {
        let help = "add a [[body]]: whatever moves, its mass and where it starts";
        return Err(ModelError::new("the model has no bodies").with_help(help));
    }
    let mut entries = Entries::default();
    let told = model.bodies.len();
    let model = &*latches::with_latches(targets::with_targets(model)?);
    let mut plan = number::number(model, &mut entries)?;
    let mut wiring = wiring::wire(model, &mut plan, &mut entries)?;
    share_slots(&mut plan, &mut wiring, entries);
    plan.dims.nx = wiring.state_names.len();
    plan.guess.x.clone_from(&wiring.state_start);
    plan.switches.append(&mut wiring.switches);
    plan.wiring = wiring;
    plan.wiring.narrow_in_time = narrow_in_time(&plan);
    events::number(model, &mut plan)?;
    // targets are no bodies
    plan.frames_of.truncate(told);
    plan.pull_back = PullBack::new(&plan);
    Assembly::new(plan)
}

/// Formulas of time alone in which something may be narrow: of forces, drives, friction and signals from outside.
fn narrow_in_time(plan: &Plan) -> Vec<Formula> {
    let of_forces = plan.forces.iter().flat_map(|f| f.force.inputs());
    let courses = plan.joints.iter().flat_map(|j| j.joint.courses());
    let of_drives = courses.filter_map(|course| course.curve.of_time());
    let external = plan.wiring.external.iter().map(|(_, formula)| formula);
    let capacities = plan.joints.iter().filter_map(|j| j.joint.capacity());
    let all = of_forces.chain(of_drives).chain(external).chain(capacities);
    let narrow = all.filter(|f| f.signals().is_empty() && f.may_hide(plan.unseen()));
    narrow.cloned().collect()
}

/// Entries of a 12 x 12 element matrix that exist: row-major position, and (row, column).
fn square<'a>(
    local: &'a [Option<u32>; COLUMNS],
    pattern: &'a [(u8, u8)],
) -> impl Iterator<Item = (u8, (u32, u32))> + 'a {
    pattern.iter().filter_map(|&(i, j)| {
        let entry = (local[usize::from(i)]?, local[usize::from(j)]?);
        Some((i * COLUMNS as u8 + j, entry))
    })
}

/// Numbers the shared entries of K, D and the blocks of signals, and tells every element where its
/// own are.
fn share_slots(plan: &mut Plan, wiring: &mut Wiring, mut all: Entries) {
    let shared = [
        Part::Rq,
        Part::Rv,
        Part::Rx,
        Part::Rl,
        Part::Fq,
        Part::Fv,
        Part::Fx,
    ];
    let mut maps: [BTreeMap<(u32, u32), u32>; Part::COUNT] = Default::default();
    for part in shared {
        let set = std::mem::take(all.set(part));
        plan.patterns[part] = set.iter().copied().collect();
        maps[part as usize] = set.into_iter().zip(0..).collect();
    }
    let (in_k, in_d) = (&maps[Part::Rq as usize], &maps[Part::Rv as usize]);
    let slots = |map: &BTreeMap<(u32, u32), u32>,
                 local: &[Option<u32>; COLUMNS],
                 pattern: &[(u8, u8)]|
     -> Vec<ElementSlot> {
        square(local, pattern)
            .map(|(from, entry)| (from, map[&entry]))
            .collect()
    };
    for i in 0..plan.joints.len() {
        let places = &plan.joints[i].places;
        let local = plan.local_columns(places.a, places.b);
        let joint = &mut plan.joints[i];
        let pattern = joint.joint.pattern(joint.places.flat);
        joint.places.hess = slots(in_k, &local, &pattern.hess);
        joint.places.hess_v = slots(in_d, &local, &pattern.hess_v);
        joint.places.find_straight();
    }
    for i in 0..plan.forces.len() {
        let local = plan.local_columns(plan.forces[i].a, plan.forces[i].b);
        let force = &mut plan.forces[i];
        let pattern = force.force.pattern(force.flat);
        force.stiffness = slots(in_k, &local, &pattern.stiffness);
        force.damping = slots(in_d, &local, &pattern.damping);
        force.has = ForceWant::Q
            | ForceWant::BY_INPUT
            | ForceWant::STIFFNESS.when(!force.stiffness.is_empty())
            | ForceWant::DAMPING.when(!force.damping.is_empty())
            | (ForceWant::RATES | ForceWant::SLOPES).when(!force.states.is_empty());
    }
    for body in &mut plan.bodies {
        if body.freedoms.len() == 6 {
            let turn = (body.first + 3) as u32;
            let entries = number::gyroscopic_entries(&body.inertia).into_iter();
            body.gyroscopic = entries
                .map(|(i, j)| ((3 * i + j) as u8, in_d[&(turn + i as u32, turn + j as u32)]))
                .collect();
        }
    }
    let by_multiplier = &maps[Part::Rl as usize];
    plan.target_slots = plan.targets.iter().map(|t| by_multiplier[t]).collect();
    plan.reads_multipliers = by_multiplier.len() > plan.targets.len();
    plan.gyroscopic = plan.bodies.iter().any(|body| !body.gyroscopic.is_empty());
    let number = |part: Part, entry: (u32, u32)| maps[part as usize][&entry];
    places::place(plan, wiring, &number);
    states::place(plan, &number);
    spins::place(plan, &number);
}
