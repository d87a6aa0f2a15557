//! A mechanism in joint coordinates: the model that runs in absolute coordinates, unchanged.
//!
//! Elements only know frames. This system wraps an [`Assembly`], whose joints that carry bodies are
//! left out, and changes variables along the spanning tree. Inertia and weight are the tree's own, by
//! recursion: inverse dynamics `ID(q, v, a)`, the mass matrix of composite bodies, the derivatives of `ID`.
//! What elements contribute is projected, `J` being the Jacobian of all absolute velocities by joint
//! speeds:
//!
//! ```text
//!  v~ = J v        a~ = J a + b            b = J' v, the rate of J times v
//!
//!  r = ID + J' r~                          Q = J' Q~ - ID(q, v, 0)
//!  C_q = C~_q J    gamma = gamma~ - C~_q b
//!  (C_q v)_q = (C~_q v)_q J + C~_q W       W = (J v)_q
//!  D = ID_v + J' D~ J                      f_q = f~_q J + f~_v W
//!  K = ID_q + J' (K~ J + D~ W) + (J' r~)_q
//! ```
//!
//! A tilde marks what the assembly computes. Where nothing closes a loop, accelerations are those of
//! articulated bodies under the elements' forces. All derivatives are exact. There are two forms of them: blocks
//! that are stored, for short trees and for whoever reads them, and auxiliary equations along the tree for
//! long ones, whose cost is in proportion to the number of bodies. Constraints that remain are
//! those of the joints that close loops; those of the tree are met by construction, and their
//! reactions are found from the motion for outputs only.
//!
//! The floating frame of a flexible body is a body of the tree. Amplitudes of its modes follow the coordinates of joints,
//! and are the same here and there; its inertia, which depends on them, is the assembly's own and projected as well. Joints carry it by
//! any of its frames, and what it carries sits on any of them (`perch.rs`).

mod augmented;
mod bend;
mod build;
mod driven;
mod eliminated;
mod form;
mod inertial;
mod motion;
mod operators;
mod perch;
mod projection;
mod reactions;
mod relations;
mod rotors;
mod spread;
mod square;
mod start;
mod system;
mod words;

pub use form::Form;
pub use words::{Branch, Outline};

use super::topology::Topology;
use super::{Aba, Kinematics, Rnea, Tree};
use crate::assembly::{Assembly, Carried, Connection};
use driven::DrivenCoordinates;
use eliminated::Eliminated;
use form::{Shape, Stored};
use linkwork_dae::rotation::RotationVectors;
use linkwork_dae::state::State;
use linkwork_dae::system::{Blocks, Dims, Facts, Guess, Part};
use operators::{Body, Operators};
use perch::{Perch, Relative};
use reactions::Reactions;
use relations::Link;
use std::cell::RefCell;
use std::sync::Arc;

/// What a body of the tree is called after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Mobility(usize),
    Body(usize),
    /// A frame of a flexible body.
    Perch(usize),
}

/// What does not change.
#[derive(Debug)]
struct Layout {
    inner: Dims,
    dims: Dims,
    /// Number of coordinates of joints; amplitudes of modes follow.
    joint_coordinates: usize,
    topology: Topology,
    bodies: Vec<Carried>,
    /// The bodies, then perches as such.
    movers: Vec<Carried>,
    perches: Vec<Perch>,
    /// The perch that each body of the tree is.
    perch_at: Vec<Option<usize>>,
    joints: Vec<Connection>,
    /// The body of the tree that carries each body.
    nodes: Vec<Option<usize>>,
    /// Centre of mass and axes of each body in the tree, and perches.
    frames: Vec<super::Frame>,
    /// Angle of each planar body where all coordinates are zero.
    turn: Vec<f64>,
    owners: Vec<Owner>,
    /// Bodies with what carries them, parents first.
    links: Vec<Link>,
    /// The body of the tree that each coordinate belongs to.
    node_of: Vec<u32>,
    /// Row of the assembly behind each row here.
    rows: Vec<u32>,
    angular: Vec<bool>,
    length: f64,
    guess: Guess,
    reactions: Reactions,
    /// Bodies of the tree with a rotation vector, in the order of the chart.
    turning: Vec<u32>,
    /// Whether there are bodies with an angle.
    flat: bool,
    /// Whether anything may read coordinates of the assembly.
    signals: bool,
    /// Whether there are forces or controls.
    elements: bool,
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct JointCoordinates {
    assembly: Assembly,
    layout: Arc<Layout>,
    tree: Tree,
    kin: Kinematics,
    rnea: Rnea,
    aba: Aba,
    chart: RotationVectors,
    /// In the world, and perches.
    bodies: Vec<Body>,
    /// What perches do against their bodies.
    relative: Vec<Relative>,
    facts: Arc<Facts>,
    shape: Arc<Shape>,
    operators: Operators,
    stored: Option<Stored>,
    /// Blocks made from relations, where entries are wanted and inertia is not the tree's own.
    eliminated: Option<Eliminated>,
    driven: DrivenCoordinates,
    scratch: Scratch,
}

/// Values of the assembly and the point in its coordinates.
#[derive(Clone, Debug)]
struct Scratch {
    state: State,
    /// `b`.
    bias: Vec<f64>,
    /// Zeros for what a caller leaves out.
    zero: Vec<f64>,
    /// Accelerations at rest.
    rest: Vec<f64>,
    /// Joint coordinates of the last placing, driven ones off their values.
    q: Vec<f64>,
    r: Vec<f64>,
    force: Vec<f64>,
    mass: Vec<f64>,
    c_q: Vec<f64>,
    c: Vec<f64>,
    cv: Vec<f64>,
    gamma: Vec<f64>,
    blocks: Blocks,
    loads: Vec<(super::Vec3, super::Vec3)>,
    /// Forces on everything that each body of the tree carries.
    carried: Vec<super::Wrench>,
    /// One number for each body, summed along the tree.
    along: RefCell<Vec<f64>>,
}

impl Scratch {
    fn new(assembly: &Assembly, layout: &Layout, tree: &Tree) -> Scratch {
        use linkwork_dae::system::System;
        let inner = layout.inner;
        let zeros = |n: usize| vec![0.0; n];
        Scratch {
            state: State::new(inner),
            bias: zeros(inner.nv),
            zero: zeros(layout.dims.nv),
            rest: zeros(layout.dims.nv),
            q: zeros(layout.dims.nq),
            r: zeros(inner.nv),
            force: zeros(inner.nv),
            mass: zeros(assembly.facts().patterns[Part::Mass].len()),
            c_q: zeros(assembly.facts().patterns[Part::Cq].len()),
            c: zeros(inner.nc),
            cv: zeros(inner.rows()),
            gamma: zeros(inner.rows()),
            blocks: Blocks::new(&assembly.facts().patterns),
            loads: vec![Default::default(); layout.movers.len()],
            carried: vec![super::Wrench::ZERO; tree.bodies()],
            along: RefCell::new(zeros(layout.movers.len())),
        }
    }
}
