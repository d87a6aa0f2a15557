//! From a model to a system in joint coordinates.

use super::build::{self, Built};
use super::driven::DrivenCoordinates;
use super::form::Form;
use super::words::Outline;
use super::{
    Body, JointCoordinates, Layout, Link, Operators, Perch, Reactions, Relative, Scratch, Topology,
    perch, rotors,
};
use crate::assemble::assemble;
use crate::assembly::{Assembly, Carried, Connection, Freedom};
use crate::error::ModelError;
use crate::model::{Model, Rotation};
use crate::tree::topology::{Pair, Support};
use crate::tree::{Aba, Frame, Kinematics, Placement, Rnea, Tree, Twist};
use linkwork_dae::initial::{self, StartError};
use linkwork_dae::rotation::RotationVectors;
use linkwork_dae::system::{Dims, Facts, Guess, Names, Part, Reference, Row, System};
use std::sync::Arc;

impl JointCoordinates {
    /// A model in joint coordinates; the named joints are cut, whatever else closes a loop is, too.
    ///
    /// The start is that of absolute coordinates: the same guesses are made consistent in the same
    /// way. Where that fails, or has nothing to do, the guesses are taken as they are.
    ///
    /// All blocks are stored, see [`Form`].
    pub fn new(model: &Model, cut: &[String]) -> Result<JointCoordinates, ModelError> {
        JointCoordinates::in_form(model, cut, Form::Stored)
    }

    /// The same in the given form.
    pub fn in_form(
        model: &Model,
        cut: &[String],
        form: Form,
    ) -> Result<JointCoordinates, ModelError> {
        if model.rotation == Rotation::EulerParameters {
            let message = "Euler parameters are absolute coordinates: they cannot be joined with joint \
                           coordinates";
            let help = "leave out `rotation`, or run in absolute coordinates";
            return Err(ModelError::new(message).with_help(help));
        }
        let mut assembly = assemble(model)?;
        let guess = assembly.facts().guess.clone();
        let given = (guess.q.clone(), guess.v.clone(), guess.x.clone());
        let mut fitted = Vec::new();
        let (q, v, x) = if is_consistent(&assembly, &guess) {
            given
        } else {
            match initial::start(&mut assembly.clone(), &guess) {
                Ok(start) => {
                    fitted = start.report.changes(&assembly);
                    (start.state.q, start.state.v, start.state.x)
                }
                Err(StartError::NotKept { entries, .. }) => {
                    return Err(not_kept(&assembly, &entries));
                }
                Err(_) => given,
            }
        };
        let bodies = assembly.carried();
        let joints = assembly.connections();
        let topology = Topology::new(&bodies, &joints, cut)?;
        let mut frames = assembly.frames_at(&q, &v);
        let sites = perch::sites(&joints, &topology);
        let moved =
            |site: &perch::FlexibleSite| assembly.deformed_frame((site.body, site.frame), &q, &v);
        frames.extend(sites.iter().map(moved));
        let modes_of = |x: &[f64]| -> Vec<f64> {
            let flexible = bodies.iter().filter(|b| b.modes > 0);
            let ranges = flexible
                .map(|b| b.first + b.freedoms.len())
                .zip(bodies.iter().filter(|b| b.modes > 0).map(|b| b.modes));
            ranges
                .flat_map(|(first, n)| x[first..first + n].to_vec())
                .collect()
        };
        let amplitudes = [modes_of(&q), modes_of(&v)];
        let sizes = modes_of(&assembly.facts().scale);
        let rates = modes_of(&assembly.facts().rate);
        let inertia = rotors::read(&mut assembly, &bodies, &joints, &topology, &frames)?;
        let built = build::Start {
            bodies: &bodies,
            joints: &joints,
            frames: &frames,
            perches: &sites,
            inertia: &inertia.bodies,
            gravity: model.gravity.into(),
        }
        .build(&topology)?;
        assembly.leave_out(&topology.in_tree);
        let Built {
            mut tree,
            frames,
            turn,
            owners,
            perches: perch_nodes,
            mut q,
            mut v,
        } = built;
        let joint_coordinates = tree.nv();
        let [of_q, of_v] = amplitudes;
        q.extend(of_q);
        v.extend(of_v);
        let own = frames[..bodies.len()].iter();
        let nodes: Vec<Option<usize>> = own.map(|f| f.body()).collect();
        for (body, armature) in inertia.armatures {
            if let Some(node) = nodes[body] {
                tree.set_armature(node, armature);
            }
        }
        let inner = assembly.facts().dims;
        let mut movers = bodies.clone();
        let mut perches: Vec<Perch> = Vec::new();
        let mut perch_at = vec![None; tree.bodies()];
        let mut next = inner.nv;
        for (k, (site, node)) in sites.iter().zip(perch_nodes).enumerate() {
            let from = if site.carries {
                bodies.len() + k
            } else {
                site.body
            };
            let outer = *frames[from].place();
            let column = perches.iter().map(|p| p.modes).sum();
            let made = node.and_then(|node| {
                let known = (&assembly, &bodies[..]);
                Perch::new(*site, known, (outer, node), [joint_coordinates, column])
            });
            // every site was asked for when the tree was built, on a flexible body
            let Some(made) = made else { continue };
            perch_at[made.node] = Some(perches.len());
            perches.push(made);
            let body = &bodies[site.body];
            movers.push(Carried {
                name: assembly.frame_name(site.body, site.frame),
                first: next,
                modes: 0,
                ..body.clone()
            });
            next += body.freedoms.len();
        }
        let rows = kept_rows(&topology, &joints, inner);
        let nc = rows.iter().filter(|i| (**i as usize) < inner.nc).count();
        let dims = Dims {
            nq: q.len(),
            nv: q.len(),
            nc,
            ng: rows.len() - nc,
            nx: inner.nx,
        };
        // joints of the tree have no laws: all that have are here, in the same order
        let here = |row: u32| rows.binary_search(&row).map_or(row, |n| n as u32);
        let mut laws = assembly.facts().laws.clone();
        for law in &mut laws {
            law.row = here(law.row);
            law.law.renumber(here);
        }
        let mut angular = Vec::new();
        let (mut turning, mut rotations) = (Vec::new(), Vec::new());
        for body in 0..tree.bodies() {
            let joint = tree.joint(body);
            angular.extend((0..joint.dof()).map(|k| joint.is_angle(k)));
            if let Some(at) = joint.rotation_vector() {
                rotations.push((tree.dofs(body).start + at, tree.base(body).quaternion()));
                turning.push(body as u32);
            }
        }
        let flat = bodies.iter().any(|b| b.freedom == Freedom::Plane);
        let length = assembly.length();
        let weight = |angular: &bool| {
            if *angular {
                1.0
            } else {
                1.0 / (length * length)
            }
        };
        let mut weights: Vec<f64> = angular.iter().map(weight).collect();
        weights.extend(sizes.iter().map(|size| 1.0 / (size * size)));
        let layout = Layout {
            inner,
            dims,
            joint_coordinates,
            reactions: Reactions::new(
                &topology,
                &bodies,
                &joints,
                &assembly.facts().patterns[Part::Cq],
            ),
            guess: Guess {
                t: guess.t,
                q,
                v,
                weight_q: weights.clone(),
                weight_v: weights,
                x,
            },
            links: links(&topology, &movers, (&joints, &sites), &tree, &frames),
            movers,
            perches,
            perch_at,
            node_of: tree.body_of_dof(),
            topology,
            bodies,
            joints,
            nodes,
            frames,
            turn,
            owners,
            rows,
            angular,
            length,
            turning,
            flat,
            signals: assembly.has_signals(),
            elements: model.counts()[2] > 0 || !model.controls.is_empty(),
        };
        let chart = RotationVectors::new(rotations);
        let of_joint = |angular: &bool| match angular {
            true => (Reference::Size, 1.0),
            false => (Reference::Place, length),
        };
        let of_modes = sizes.into_iter().map(|size| (Reference::Size, size));
        let (reference, scale) = (layout.angular.iter().map(of_joint))
            .chain(of_modes)
            .unzip();
        let rate = layout.angular.iter().map(|_| 0.0).chain(rates).collect();
        let facts = Facts {
            fitted,
            dims,
            laws,
            guess: layout.guess.clone(),
            scale,
            rate,
            reference,
            ..assembly.facts().clone()
        };
        let mut system = JointCoordinates {
            kin: {
                let mut kin = Kinematics::new(&tree);
                let modes: usize = layout.perches.iter().map(|p| p.modes).sum();
                kin.column.resize(tree.nv() + modes, Twist::ZERO);
                kin
            },
            relative: layout.perches.iter().map(Relative::new).collect(),
            rnea: Rnea::new(&tree),
            aba: Aba::new(&tree),
            chart,
            bodies: vec![Body::default(); layout.movers.len()],
            operators: Operators::default(),
            facts: Arc::new(facts),
            shape: Arc::default(),
            stored: None,
            eliminated: None,
            driven: DrivenCoordinates::default(),
            scratch: Scratch::new(&assembly, &layout, &tree),
            layout: Arc::new(layout),
            tree,
            assembly,
        };
        system.take_form(form);
        system.find_driven();
        let names = Names::new(dims, |row| system.words(row), |row| system.part(row));
        let inner = &system.assembly.facts().names;
        let names = names.with_pieces(|i| {
            let mode = inner.piece(system.amplitude(i)?)?;
            Some(mode.to_string())
        });
        let facts = Arc::make_mut(&mut system.facts);
        facts.names = names;
        facts.excitations.extend(system.driven.facts());
        Ok(system)
    }

    /// The tree in words.
    pub fn outline(&self) -> Outline {
        Outline::new(&self.layout, &self.tree)
    }

    /// The tree.
    pub(in crate::tree) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The articulated bodies of the last accelerations.
    pub(in crate::tree) fn articulated(&self) -> &Aba {
        &self.aba
    }

    /// Whether anything but joints acts between bodies.
    pub(in crate::tree) fn has_elements(&self) -> bool {
        self.layout.elements
    }

    /// Names of the bodies.
    pub(in crate::tree) fn body_names(&self) -> impl Iterator<Item = &str> {
        self.layout.bodies.iter().map(|b| b.name.as_str())
    }

    /// The frame of a body of the model in the tree.
    pub(in crate::tree) fn frame_of_body(&self, body: usize) -> Option<Frame> {
        let own = self.layout.frames.get(..self.layout.bodies.len())?;
        own.get(body).copied()
    }

    /// Where a body of the model is.
    pub(in crate::tree) fn placed(&mut self, q: &[f64], body: usize) -> Placement {
        self.place(q);
        let Body { r, p, .. } = self.bodies[body];
        Placement { r, p }
    }

    /// Velocity and angular velocity of a body in world axes, by each speed.
    pub(in crate::tree) fn velocities_of(&mut self, q: &[f64], body: usize) -> Vec<[f64; 6]> {
        self.place(q);
        let n = self.layout.dims.nv;
        let mut speeds = vec![0.0; n];
        let mut all = Vec::with_capacity(n);
        for k in 0..n {
            speeds[k] = 1.0;
            self.move_along(&speeds, &[]);
            speeds[k] = 0.0;
            let Twist { v, w } = self.bodies[body].v;
            all.push([v.x, v.y, v.z, w.x, w.y, w.z]);
        }
        all
    }
}

/// Whether guesses close all loops and move along them, to some roundings of their size: a long chain that is
/// given link by link is hard to close.
fn is_consistent(assembly: &Assembly, guess: &Guess) -> bool {
    const ROUNDINGS: f64 = 1e-13;
    let open = assembly.openness(guess);
    open.is_some_and(|open| open.iter().all(|open| *open <= ROUNDINGS))
}

/// The refusal of a start that cannot keep what is exact.
fn not_kept(assembly: &Assembly, entries: &[(Row, f64)]) -> ModelError {
    let sys: &dyn System = assembly;
    let entry = |(row, by): &(Row, f64)| format!("{} by {by:+.4e}", sys.describe(*row));
    let entries: Vec<String> = entries.iter().map(entry).collect();
    let message = format!(
        "the joints do not allow start values that are marked exact; to fit, these would have to change: {}",
        entries.join("; ")
    );
    let help = "give values that fit the joints, or name as exact only what must be kept, such as `exact = [\"position\"]`";
    ModelError::new(message).with_help(help)
}

/// Rows of the assembly that joints of the tree do not own, in their order.
fn kept_rows(topology: &Topology, joints: &[Connection], inner: Dims) -> Vec<u32> {
    let mut kept = vec![true; inner.rows()];
    for (joint, in_tree) in joints.iter().zip(&topology.in_tree) {
        if *in_tree {
            kept[joint.rows.clone()].fill(false);
        }
    }
    (0..inner.rows() as u32)
        .filter(|i| kept[*i as usize])
        .collect()
}

/// Bodies with what carries them, parents first.
fn links(
    topology: &Topology,
    bodies: &[Carried],
    (joints, sites): (&[Connection], &[perch::FlexibleSite]),
    tree: &Tree,
    frames: &[Frame],
) -> Vec<Link> {
    let own = bodies.len() - sites.len();
    let turns = |parent: Option<usize>| match parent.map(|p| bodies[p].freedom) {
        Some(Freedom::Space(_)) => 0..3,
        Some(Freedom::Plane) => 2..3,
        _ => 0..0,
    };
    let link = |body: usize, carrier: Support, on: Option<usize>| {
        let (parent, welded) = match carrier {
            Support::Joint { joint, parent, .. } => {
                let weld = (joints[joint].hinge).is_none_or(|h| h.pair == Pair::Weld);
                (on.or(parent.checked_sub(1)), weld)
            }
            Support::Float => (None, false),
        };
        let node = frames[body].body().filter(|_| !welded);
        let dofs = match node {
            None => 0..0,
            // two sliders in a row
            Some(node) if bodies[body].freedom == Freedom::PointInPlane => {
                tree.dofs(node - 1).start..tree.dofs(node).end
            }
            Some(node) => tree.dofs(node),
        };
        Link {
            body,
            parent,
            turns: turns(parent),
            node,
            dofs,
            perch: None,
        }
    };
    let bent = |body: usize, parent: usize, perch: usize| Link {
        body,
        parent: Some(parent),
        turns: turns(Some(parent)),
        node: None,
        dofs: 0..0,
        perch: Some(perch),
    };
    let mut all: Vec<Link> = Vec::new();
    for &(body, carrier) in &topology.order {
        let [on, by] = perch::of(sites, joints, body, carrier);
        // a perch comes before the first body on it
        let known = |k: usize| all.iter().any(|l| l.perch == Some(k));
        if let Some(k) = on.filter(|k| !known(*k)) {
            all.push(bent(own + k, sites[k].body, k));
        }
        let mover = by.map_or(body, |k| own + k);
        all.push(link(mover, carrier, on.map(|k| own + k)));
        if let Some(k) = by {
            all.push(bent(body, own + k, k));
        }
    }
    all
}
